//! What a host binds: buffers, textures, samplers.

use crate::texture::{Dimension, Sampler, Texture};
use aquatint_base::HashMap;
use aquatint_ir::Binding;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A buffer: its bytes and its hidden counter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// The contents, little-endian.
    pub bytes: Vec<u8>,
    /// The counter of append and consume buffers.
    pub counter: u32,
}

/// What a texture handle may stand for.
#[derive(Clone, Debug, PartialEq)]
pub enum Image {
    /// A texture, sampled or storage.
    Texture(Texture),
    /// A texel buffer: four values a texel, floats as their bits.
    Texels(Vec<[u32; 4]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Buffer(usize),
    Image(usize),
    Sampler(usize),
}

/// The resources of one stage.
///
/// What is not bound reads as zeros (buffers), opaque black (textures) or the default [`Sampler`].
#[derive(Debug)]
pub struct Resources {
    pub(super) buffers: Vec<Buffer>,
    pub(super) images: Vec<Image>,
    pub(super) samplers: Vec<Sampler>,
    entries: HashMap<Binding, Entry>,
    /// Buffer number of the push constants.
    push: Option<usize>,
    /// Unique for each set of bindings, so that a machine sees that it has to look again.
    pub(super) revision: u64,
}

impl Default for Resources {
    fn default() -> Self {
        Self::new()
    }
}

fn next_revision() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Resources {
    /// Nothing bound.
    pub fn new() -> Self {
        Self {
            buffers: Vec::new(),
            images: Vec::new(),
            samplers: Vec::new(),
            entries: HashMap::default(),
            push: None,
            revision: next_revision(),
        }
    }

    fn enter(&mut self, binding: Binding, entry: Entry) {
        self.entries.insert(binding, entry);
        self.revision = next_revision();
    }

    /// Binds a constant or storage buffer.
    pub fn set_buffer(&mut self, binding: Binding, bytes: Vec<u8>) {
        match self.entries.get(&binding) {
            Some(&Entry::Buffer(index)) => self.buffers[index].bytes = bytes,
            _ => {
                self.buffers.push(Buffer { bytes, counter: 0 });
                self.enter(binding, Entry::Buffer(self.buffers.len() - 1));
            }
        }
    }

    /// Sets the push constants.
    pub fn set_push(&mut self, bytes: Vec<u8>) {
        match self.push {
            Some(index) => self.buffers[index].bytes = bytes,
            None => {
                self.buffers.push(Buffer { bytes, counter: 0 });
                self.push = Some(self.buffers.len() - 1);
                self.revision = next_revision();
            }
        }
    }

    /// Binds a texture, sampled or storage.
    pub fn set_texture(&mut self, binding: Binding, texture: Texture) {
        self.set_image(binding, Image::Texture(texture));
    }

    /// Binds a texel buffer.
    pub fn set_texels(&mut self, binding: Binding, texels: Vec<[u32; 4]>) {
        self.set_image(binding, Image::Texels(texels));
    }

    fn set_image(&mut self, binding: Binding, image: Image) {
        match self.entries.get(&binding) {
            Some(&Entry::Image(index)) => self.images[index] = image,
            _ => {
                self.images.push(image);
                self.enter(binding, Entry::Image(self.images.len() - 1));
            }
        }
    }

    /// Binds a sampler.
    pub fn set_sampler(&mut self, binding: Binding, sampler: Sampler) {
        match self.entries.get(&binding) {
            Some(&Entry::Sampler(index)) => self.samplers[index] = sampler,
            _ => {
                self.samplers.push(sampler);
                self.enter(binding, Entry::Sampler(self.samplers.len() - 1));
            }
        }
    }

    /// The buffer that is bound there.
    pub fn buffer(&self, binding: Binding) -> Option<&Buffer> {
        match self.entries.get(&binding)? {
            Entry::Buffer(index) => self.buffers.get(*index),
            _ => None,
        }
    }

    /// The buffer that is bound there, to change.
    pub fn buffer_mut(&mut self, binding: Binding) -> Option<&mut Buffer> {
        match self.entries.get(&binding)? {
            Entry::Buffer(index) => self.buffers.get_mut(*index),
            _ => None,
        }
    }

    /// The texture that is bound there.
    pub fn texture(&self, binding: Binding) -> Option<&Texture> {
        match self.entries.get(&binding)? {
            Entry::Image(index) => match self.images.get(*index)? {
                Image::Texture(texture) => Some(texture),
                Image::Texels(_) => None,
            },
            _ => None,
        }
    }

    /// The texel buffer that is bound there.
    pub fn texels(&self, binding: Binding) -> Option<&[[u32; 4]]> {
        match self.entries.get(&binding)? {
            Entry::Image(index) => match self.images.get(*index)? {
                Image::Texels(texels) => Some(texels),
                Image::Texture(_) => None,
            },
            _ => None,
        }
    }

    /// What is bound to a register; `None` for a binding is the push-constant block.
    pub(super) fn entry(&self, binding: Option<Binding>) -> Option<Entry> {
        match binding {
            Some(binding) => self.entries.get(&binding).copied(),
            None => self.push.map(Entry::Buffer),
        }
    }

    /// One more than the highest register bound in the class and space of a binding.
    pub(super) fn registers(&self, like: Binding) -> u32 {
        let same = self.entries.keys().filter(|b| b.class == like.class && b.space == like.space);
        same.map(|b| b.register.saturating_add(1)).max().unwrap_or(0)
    }
}

/// The stand-in for a texture that is not bound.
pub(super) fn unbound(dimension: Dimension) -> &'static Texture {
    static ALL: OnceLock<[Texture; 4]> = OnceLock::new();
    let all = ALL.get_or_init(|| [Dimension::D1, Dimension::D2, Dimension::D3, Dimension::Cube].map(Texture::unbound));
    &all[match dimension {
        Dimension::D1 => 0,
        Dimension::D2 => 1,
        Dimension::D3 => 2,
        Dimension::Cube => 3,
    }]
}

/// The sampler where none is bound.
pub(super) fn default_sampler() -> &'static Sampler {
    static DEFAULT: OnceLock<Sampler> = OnceLock::new();
    DEFAULT.get_or_init(Sampler::default)
}
