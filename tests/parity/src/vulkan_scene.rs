//! Parity scenes as SPIR-V on a Vulkan device.

use crate::translate;
use aquatint_base::Diags;
use aquatint_exec::compare::Compare;
use aquatint_exec::raster::{Cull, Topology, Winding};
use aquatint_exec::texture::{Address, Dimension, Filter, MipFilter, Sampler, Texture};
use aquatint_ir::types::{Dim, TextureKind, Type};
use aquatint_ir::{Binding, Module, RegisterClass, Scalar, Space};
use aquatint_spirv::{Environment, Options};
use aquatint_testkit::parity::case::Resource;
use aquatint_testkit::parity::execute::Memory;
use aquatint_testkit::parity::scene::{Dispatch, Draw, Scene, entry_name};
use aquatint_testkit::parity::{Executor, Failure, Results, number};
use aquatint_vulkan_run as vk;

/// The executor.
pub struct Vulkan<'g> {
    gpu: &'g vk::Gpu,
    options: Options,
}

impl<'g> Vulkan<'g> {
    /// On a device, with the writer's default options and the newest environment that the device has.
    pub fn new(gpu: &'g vk::Gpu) -> Self {
        let environment = if gpu.version() >= (1, 3) { Environment::Vulkan1_3 } else { Environment::Vulkan1_1 };
        let float_controls = gpu.has_float_controls();
        Self { gpu, options: Options { environment, float_controls, ..Options::default() } }
    }

    fn write(&self, module: &Module) -> Result<Vec<u32>, Failure> {
        let mut diags = Diags::new();
        let written = aquatint_spirv::write(module, entry_name(module), &self.options, &mut diags);
        let mut words = written.ok_or_else(|| translate::refusal(&diags))?;
        rename_entry(&mut words);
        Ok(words)
    }

    fn bindings(&self, scene: &Scene, modules: &[&Module]) -> Result<vk::Bindings, Failure> {
        let mut all = Vec::new();
        for (binding, resource) in &scene.resources {
            let Some((module, global)) = modules.iter().find_map(|module| {
                let found = module.globals.iter().find(|(_, global)| global.binding() == Some(*binding));
                found.map(|(_, global)| (*module, global))
            }) else {
                continue;
            };
            let made = match resource {
                Resource::Buffer(fields) => match global.space {
                    Space::Uniform => vk::Resource::Uniform(number::bytes(fields)),
                    _ => vk::Resource::Storage(number::bytes(fields)),
                },
                Resource::Texels(kind, texels) => {
                    let texels = whole_texels(*kind, texels.as_flattened().to_vec());
                    match binding.class {
                        RegisterClass::U => vk::Resource::StorageTexelBuffer(texels),
                        _ => vk::Resource::TexelBuffer(texels),
                    }
                }
                Resource::Texture { texture, kind, depth } => {
                    let Type::Texture(ty) = module.types.get(global.ty) else {
                        return Err(Failure::Unsupported("arrays of textures".to_owned()));
                    };
                    let storage = matches!(ty.kind, TextureKind::Storage(..));
                    let image = image(texture, *kind, *depth, &ty)?;
                    if storage { vk::Resource::StorageImage(image) } else { vk::Resource::Image(image) }
                }
                Resource::Sampler(sampler, compares) => vk::Resource::Sampler(self::sampler(sampler, *compares)?),
            };
            all.push(((binding.space, self.options.binding(binding.class, binding.register)), made));
        }
        Ok(all)
    }

    /// What is left of the scene's read-write resources.
    fn memory(&self, scene: &Scene, contents: vk::Contents) -> Vec<(Binding, Memory)> {
        let mut all = Vec::new();
        for (binding, resource) in scene.written() {
            let place = (binding.space, self.options.binding(binding.class, binding.register));
            let Some((_, bytes)) = contents.iter().find(|(other, _)| *other == place) else { continue };
            let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
            let texels = |count: usize| match words.len() == count {
                // One component a texel.
                true => words.iter().map(|&word| [word, 0, 0, 0]).collect(),
                false => words.as_chunks::<4>().0.to_vec(),
            };
            let memory = match resource {
                Resource::Texels(_, given) => Memory::Texels(texels(given.len())),
                Resource::Texture { texture, .. } => {
                    Memory::Texels(texels(aquatint_testkit::parity::execute::texels_of(texture).len()))
                }
                _ => Memory::Bytes(bytes.clone()),
            };
            all.push((*binding, memory));
        }
        all
    }
}

impl Executor for Vulkan<'_> {
    fn name(&self) -> &str {
        "vulkan"
    }

    fn dispatch(&self, scene: &Scene, dispatch: &Dispatch) -> Result<Results, Failure> {
        let shader = self.write(&dispatch.compute)?;
        let bindings = self.bindings(scene, &[&dispatch.compute])?;
        let job = vk::Compute { shader: &shader, bindings, push: scene.push.clone(), groups: dispatch.groups };
        let contents = self.gpu.dispatch(&job).map_err(|error| error.to_string())?;
        Ok(Results { targets: Vec::new(), memory: self.memory(scene, contents) })
    }

    fn draw(&self, scene: &Scene, draw: &Draw) -> Result<Results, Failure> {
        let (vertex, fragment) = (self.write(&draw.vertex)?, self.write(&draw.fragment)?);
        let mut made = vk::Draw::new(&vertex, &fragment, topology(draw.topology), draw.vertices);
        made.bindings = self.bindings(scene, &[&draw.vertex, &draw.fragment])?;
        made.push.clone_from(&scene.push);
        made.stride = 16 * draw.attributes.len() as u32;
        for (index, (location, attribute)) in (0..).zip(&draw.attributes) {
            let format = match attribute.kind {
                Scalar::U32 => vk::VertexFormat::Uint(attribute.lanes),
                Scalar::I32 => vk::VertexFormat::Sint(attribute.lanes),
                _ => vk::VertexFormat::Float(attribute.lanes),
            };
            made.attributes.push(vk::Attribute { location: *location, offset: 16 * index, format });
        }
        for vertex in 0..draw.vertices as usize {
            for (_, attribute) in &draw.attributes {
                let value = attribute.values.get(vertex).copied().unwrap_or_default();
                made.vertices.extend(value.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        let size = draw.target;
        let mut target = vk::Target::new(size.width, size.height);
        (target.colors, target.clear) = (size.colors, size.clear);
        // Direct3D 9's pixel centres are asked for by a viewport that lies half a pixel off.
        if draw.state.viewport.x == 0.5 {
            target.centre = vk::PixelCentre::Integer;
        }
        made.cull = match (draw.state.cull, draw.state.front) {
            (Cull::None, _) => vk::Cull::None,
            (Cull::Front, Winding::Clockwise) | (Cull::Back, Winding::CounterClockwise) => vk::Cull::Clockwise,
            _ => vk::Cull::CounterClockwise,
        };
        let (targets, contents) = self.gpu.render_and_read(&target, &[made]).map_err(|error| error.to_string())?;
        let contents = contents.into_iter().next().unwrap_or_default();
        Ok(Results { targets, memory: self.memory(scene, contents) })
    }
}

/// The runner starts `main`: the one entry point is called so.
fn rename_entry(words: &mut Vec<u32>) {
    const ENTRY_POINT: u32 = 15;
    let mut at = 5;
    while let Some(&word) = words.get(at) {
        let length = (word >> 16) as usize;
        if word & 0xFFFF == ENTRY_POINT {
            let end = words[at + 3..].iter().position(|word| word >> 24 == 0).map_or(at + 4, |n| at + 4 + n);
            let main = [u32::from_le_bytes(*b"main"), 0];
            let change = (at + 5) as i64 - end as i64;
            words.splice(at + 3..end, main);
            words[at] = ((length as i64 + change) as u32) << 16 | ENTRY_POINT;
            return;
        }
        at += length.max(1);
    }
}

fn topology(topology: Topology) -> vk::Topology {
    match topology {
        Topology::PointList => vk::Topology::Points,
        Topology::LineList => vk::Topology::Lines,
        Topology::LineStrip => vk::Topology::LineStrip,
        Topology::TriangleList => vk::Topology::Triangles,
        Topology::TriangleStrip => vk::Topology::TriangleStrip,
        Topology::TriangleFan => vk::Topology::TriangleFan,
    }
}

fn whole_texels(kind: Scalar, words: Vec<u32>) -> vk::Texels {
    match kind {
        Scalar::U32 => vk::Texels::Uint(words),
        Scalar::I32 => vk::Texels::Sint(words),
        _ => vk::Texels::Float(words.into_iter().map(f32::from_bits).collect()),
    }
}

/// All texels of a texture, level after level.
fn all_texels(texture: &Texture) -> Vec<[u32; 4]> {
    let shape = texture.shape();
    let faces = if shape.dimension == Dimension::Cube { 6 } else { 1 };
    let mut all = Vec::new();
    for level in 0..shape.levels {
        let size = shape.level(level);
        for layer in 0..(shape.layers * faces) as i32 {
            for z in 0..size.depth as i32 {
                for y in 0..size.height as i32 {
                    for x in 0..size.width as i32 {
                        all.push(texture.fetch_bits([x, y, z], layer, level as i32, 0));
                    }
                }
            }
        }
    }
    all
}

fn image(texture: &Texture, kind: Scalar, depth: bool, ty: &aquatint_ir::types::Texture) -> Result<vk::Image, Failure> {
    let shape = texture.shape();
    if ty.multisampled {
        return Err(Failure::Unsupported("multisampled textures".to_owned()));
    }
    let texels = all_texels(texture);
    let first = || texels.iter().map(|texel| texel[0]).collect::<Vec<u32>>();
    let single = match ty.kind {
        TextureKind::Storage(format, _) => format.scalar().is_some() && format.channels_bits() == (1, 32),
        _ => false,
    };
    let texels = if depth {
        vk::Texels::Depth(first().into_iter().map(f32::from_bits).collect())
    } else if single {
        let word = match kind {
            Scalar::U32 => vk::Word::Uint,
            Scalar::I32 => vk::Word::Sint,
            _ => vk::Word::Float,
        };
        vk::Texels::Single(word, first())
    } else {
        whole_texels(kind, texels.as_flattened().to_vec())
    };
    let kind = match ty.dim {
        Dim::D1 => vk::ImageKind::D1,
        Dim::D2 => vk::ImageKind::D2,
        Dim::D3 => vk::ImageKind::D3,
        Dim::Cube => vk::ImageKind::Cube,
        Dim::Buffer => return Err(Failure::Unsupported("a texture bound as a texel buffer".to_owned())),
    };
    let size = [shape.extent.width, shape.extent.height, shape.extent.depth];
    let layers = ty.arrayed.then_some(shape.layers);
    Ok(vk::Image { kind, size, levels: shape.levels, layers, texels })
}

fn sampler(given: &Sampler, compares: bool) -> Result<vk::Sampler, Failure> {
    let filter = |filter| if filter == Filter::Linear { vk::Filter::Linear } else { vk::Filter::Nearest };
    let address = |address| match address {
        Address::Wrap => vk::Address::Wrap,
        Address::Mirror => vk::Address::Mirror,
        Address::Clamp => vk::Address::Clamp,
        Address::Border => vk::Address::Border,
        Address::MirrorOnce => vk::Address::MirrorOnce,
    };
    if given.max_anisotropy > 1 {
        return Err(Failure::Unsupported("anisotropy".to_owned()));
    }
    let compare = match given.compare {
        Compare::Never => vk::Compare::Never,
        Compare::Less => vk::Compare::Less,
        Compare::Equal => vk::Compare::Equal,
        Compare::LessEqual => vk::Compare::LessEqual,
        Compare::Greater => vk::Compare::Greater,
        Compare::NotEqual => vk::Compare::NotEqual,
        Compare::GreaterEqual => vk::Compare::GreaterEqual,
        Compare::Always => vk::Compare::Always,
    };
    Ok(vk::Sampler {
        magnify: filter(given.mag),
        minify: filter(given.min),
        mip: match given.mip {
            MipFilter::None => None,
            MipFilter::Point => Some(vk::Filter::Nearest),
            MipFilter::Linear => Some(vk::Filter::Linear),
        },
        address: given.address.map(address),
        border: match given.border {
            [0.0, 0.0, 0.0, 0.0] => vk::Border::Transparent,
            [0.0, 0.0, 0.0, 1.0] => vk::Border::Black,
            [1.0, 1.0, 1.0, 1.0] => vk::Border::White,
            other => vk::Border::Custom(other),
        },
        bias: given.lod_bias,
        levels: [given.min_lod, given.max_lod.min(1000.0)],
        compare: compares.then_some(compare),
    })
}
