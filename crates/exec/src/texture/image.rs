//! Texel storage: making textures, reading and writing single texels.

use super::{Dimension, Extent, Shape, ShapeError, Swizzle};
use crate::srgb;

/// What sampling gives where no texture is bound: opaque black (bytecode sheet 2.5).
pub const UNBOUND: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// How the bytes of an RGBA8 image stand for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `byte / 255`.
    Unorm,
    /// The colour bytes are sRGB and become linear; alpha is `byte / 255`.
    Srgb,
    /// `max(byte as i8 / 127, −1)`.
    Snorm,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Texels {
    Float(Vec<[f32; 4]>),
    Integer(Vec<[u32; 4]>),
}

/// A texture: all its levels, layers, faces and samples, as four floats or four integers a texel.
///
/// Data given to a constructor run level by level; in a level layer by layer (for cubes: cube by cube, in each the faces
/// in the order of [`Face`](super::Face); for multisampled ones the samples of a layer one plane after another); in a plane
/// slice by slice, row by row. They hold either all levels or only level 0, when the rest are zero until
/// [`Texture::generate_mips`].
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    pub(super) shape: Shape,
    /// First texel of each level, and the number of all texels.
    pub(super) starts: Vec<u32>,
    pub(super) texels: Texels,
    /// What each lane of a result shows.
    pub swizzle: Swizzle,
    /// The texels are fixed-point (UNORM depth): a comparison's reference is clamped to 0…1 first.
    pub fixed_point: bool,
    pub(super) bound: bool,
}

impl Texture {
    /// A float texture of zeros.
    pub fn zeroed(shape: Shape) -> Result<Texture, ShapeError> {
        let total = shape.check()?;
        Ok(Self::assemble(shape, Texels::Float(vec![[0.0; 4]; total as usize])))
    }

    /// An integer texture of zeros.
    pub fn zeroed_integer(shape: Shape) -> Result<Texture, ShapeError> {
        let total = shape.check()?;
        Ok(Self::assemble(shape, Texels::Integer(vec![[0; 4]; total as usize])))
    }

    /// A texture of RGBA floats.
    pub fn from_f32(shape: Shape, rgba: &[f32]) -> Result<Texture, ShapeError> {
        let texels = fill(&shape, rgba, |texel| texel)?;
        Ok(Self::assemble(shape, Texels::Float(texels)))
    }

    /// A texture of RGBA integers (for signed ones: their two's complement).
    pub fn from_u32(shape: Shape, rgba: &[u32]) -> Result<Texture, ShapeError> {
        let texels = fill(&shape, rgba, |texel| texel)?;
        Ok(Self::assemble(shape, Texels::Integer(texels)))
    }

    /// A texture of RGBA bytes.
    pub fn from_rgba8(shape: Shape, rgba: &[u8], encoding: Encoding) -> Result<Texture, ShapeError> {
        let unorm = |byte: u8| f32::from(byte) / 255.0;
        let texels = fill(&shape, rgba, |[r, g, b, a]: [u8; 4]| match encoding {
            Encoding::Unorm => [r, g, b, a].map(unorm),
            Encoding::Srgb => [srgb::from_byte(r), srgb::from_byte(g), srgb::from_byte(b), unorm(a)],
            Encoding::Snorm => [r, g, b, a].map(|byte| (f32::from(byte as i8) / 127.0).max(-1.0)),
        })?;
        let mut texture = Self::assemble(shape, Texels::Float(texels));
        texture.fixed_point = true;
        Ok(texture)
    }

    /// The stand-in for a texture that is not bound: every sample, gather and fetch gives [`UNBOUND`], a comparison 0. Its
    /// size is 1.
    pub fn unbound(dimension: Dimension) -> Texture {
        let shape = match dimension {
            Dimension::D1 => Shape::d1(1),
            Dimension::D2 => Shape::d2(1, 1),
            Dimension::D3 => Shape::d3(1, 1, 1),
            Dimension::Cube => Shape::cube(1),
        };
        let texels = Texels::Float(vec![UNBOUND; shape.planes() as usize]);
        Texture { bound: false, ..Self::assemble(shape, texels) }
    }

    fn assemble(shape: Shape, texels: Texels) -> Texture {
        let mut starts = vec![0_u32];
        let mut end = 0;
        for level in 0..shape.levels {
            end += shape.level_texels(level) as u32; // `Shape::check` bounds the sum
            starts.push(end);
        }
        Texture { shape, starts, texels, swizzle: Swizzle::IDENTITY, fixed_point: false, bound: true }
    }

    /// The same seen through a swizzle.
    pub fn with_swizzle(self, swizzle: Swizzle) -> Texture {
        Texture { swizzle, ..self }
    }

    /// Dimension, size of level 0, and counts.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Mip levels.
    pub fn levels(&self) -> u32 {
        self.shape.levels
    }

    /// The size of a level; all zero for a level that does not exist, as `GetDimensions` has it.
    pub fn size(&self, level: u32) -> Extent {
        if level < self.shape.levels { self.shape.level(level) } else { Extent { width: 0, height: 0, depth: 0 } }
    }

    /// Whether the texels are integers.
    pub fn is_integer(&self) -> bool {
        matches!(self.texels, Texels::Integer(_))
    }

    /// Whether this is a texture and not the stand-in for none.
    pub fn is_bound(&self) -> bool {
        self.bound
    }

    /// The place of a texel, if there is one. `layer` counts faces of cubes singly.
    fn index(&self, at: [i32; 3], layer: i32, level: i32, sample: i32) -> Option<usize> {
        let level = u32::try_from(level).ok().filter(|&level| level < self.shape.levels)?;
        let Extent { width, height, depth } = self.shape.level(level);
        let inside = |i: i32, count: u32| u32::try_from(i).ok().filter(|&i| i < count);
        let [x, y, z] = [inside(at[0], width)?, inside(at[1], height)?, inside(at[2], depth)?];
        let samples = self.shape.samples;
        let plane = inside(layer, self.shape.planes() / samples)? * samples + inside(sample, samples)?;
        let start = *self.starts.get(level as usize)?;
        Some((start + ((plane * depth + z) * height + y) * width + x) as usize)
    }

    /// Reads a texel by integer coordinates; coordinates of axes that the texture lacks are 0. Outside, all channels read
    /// 0, and alpha as the view's swizzle says (1 for formats without). Faces of cubes count as layers. Integer texels are
    /// converted.
    pub fn fetch(&self, at: [i32; 3], layer: i32, level: i32) -> [f32; 4] {
        self.fetch_sample(at, layer, level, 0)
    }

    /// As [`Texture::fetch`], one sample of a multisampled texture.
    pub fn fetch_sample(&self, at: [i32; 3], layer: i32, level: i32, sample: i32) -> [f32; 4] {
        if !self.bound {
            return UNBOUND;
        }
        let texel = self.index(at, layer, level, sample).map_or([0.0; 4], |index| self.float(index));
        self.swizzle.apply(texel, 1.0)
    }

    /// As [`Texture::fetch_sample`], as bits: integers as they are, floats as IEEE 754 single bits.
    pub fn fetch_bits(&self, at: [i32; 3], layer: i32, level: i32, sample: i32) -> [u32; 4] {
        if !self.bound {
            return if self.is_integer() { [0, 0, 0, 1] } else { UNBOUND.map(f32::to_bits) };
        }
        let texel = self.index(at, layer, level, sample).map_or([0; 4], |index| self.bits(index));
        self.swizzle.apply(texel, self.one_bits())
    }

    /// Writes a texel as bits, as [`Texture::fetch_bits`] reads it. Outside, nothing is written and the answer is false.
    /// The view's swizzle plays no part.
    pub fn store_bits(&mut self, at: [i32; 3], layer: i32, level: i32, sample: i32, bits: [u32; 4]) -> bool {
        let Some(index) = self.index(at, layer, level, sample).filter(|_| self.bound) else { return false };
        match &mut self.texels {
            Texels::Float(texels) => texels[index] = bits.map(f32::from_bits),
            Texels::Integer(texels) => texels[index] = bits,
        }
        true
    }

    /// Writes a float texel; see [`Texture::store_bits`].
    pub fn store(&mut self, at: [i32; 3], layer: i32, level: i32, rgba: [f32; 4]) -> bool {
        let bits = if self.is_integer() { rgba.map(|lane| lane as u32) } else { rgba.map(f32::to_bits) };
        self.store_bits(at, layer, level, 0, bits)
    }

    #[inline]
    pub(super) fn float(&self, index: usize) -> [f32; 4] {
        match &self.texels {
            Texels::Float(texels) => texels[index],
            Texels::Integer(texels) => texels[index].map(|lane| lane as f32),
        }
    }

    #[inline]
    pub(super) fn bits(&self, index: usize) -> [u32; 4] {
        match &self.texels {
            Texels::Float(texels) => texels[index].map(f32::to_bits),
            Texels::Integer(texels) => texels[index],
        }
    }

    pub(super) fn one_bits(&self) -> u32 {
        if self.is_integer() { 1 } else { 1.0_f32.to_bits() }
    }
}

/// Converts the caller's values, and fills levels that were not given with zeros.
fn fill<T: Copy, U: Copy + Default>(
    shape: &Shape,
    values: &[T],
    convert: impl Fn([T; 4]) -> [U; 4],
) -> Result<Vec<[U; 4]>, ShapeError> {
    let total = shape.check()?;
    let (expected, found) = (shape.level_texels(0) * 4, values.len() as u64);
    if found != expected && found != total * 4 {
        return Err(ShapeError::Data { expected, found });
    }
    let mut texels = Vec::with_capacity(total as usize);
    texels.extend(values.as_chunks::<4>().0.iter().map(|&texel| convert(texel)));
    texels.resize(total as usize, [U::default(); 4]);
    Ok(texels)
}
