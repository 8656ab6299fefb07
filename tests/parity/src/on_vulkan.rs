//! Golden jobs as SPIR-V on a Vulkan device.

use crate::golden::Texel;
use crate::job::{Draw, Job, Kind, State, sampler_number};
use crate::prepare::Pair;
use crate::translate;
use aquatint_base::Diags;
use aquatint_d3d9::lower::Lowered;
use aquatint_ir::{GlobalKind, Module, RegisterClass};
use aquatint_spirv::Options;
use aquatint_vulkan_run as vk;
use std::sync::{Mutex, MutexGuard, OnceLock};

/// The one device of this process, for one thread at a time.
///
/// # Errors
/// Why there is none.
pub fn device() -> Result<MutexGuard<'static, vk::Gpu>, String> {
    static DEVICE: OnceLock<Result<Mutex<vk::Gpu>, String>> = OnceLock::new();
    let made = DEVICE.get_or_init(|| vk::Gpu::open().map(Mutex::new).map_err(|e| e.to_string()));
    match made {
        Ok(device) => Ok(device.lock().unwrap_or_else(std::sync::PoisonError::into_inner)),
        Err(why) => Err(why.clone()),
    }
}

/// The SPIR-V of both stages of a pair.
#[derive(PartialEq, Eq, Clone, Debug)]
pub struct Words {
    /// The vertex stage.
    pub vertex: Vec<u32>,
    /// The pixel stage.
    pub pixel: Vec<u32>,
}

/// Writes both stages.
///
/// # Errors
/// Why one cannot be written.
pub fn write(pair: &Pair, options: &Options) -> Result<Words, String> {
    let stage = |module: &Module| {
        let mut diags = Diags::new();
        aquatint_spirv::write(module, "main", options, &mut diags).ok_or_else(|| translate::reason(&diags))
    };
    Ok(Words { vertex: stage(&pair.vertex.module)?, pixel: stage(&pair.pixel.module)? })
}

/// Draws all of a job; a pair of stages a draw.
///
/// # Errors
/// What the writer or Vulkan refuses.
pub fn run(gpu: &vk::Gpu, job: &Job, pairs: &[Pair], words: &[Words], options: &Options) -> Result<Vec<Texel>, String> {
    let [width, height] = job.size;
    let mut target = vk::Target::new(width, height);
    target.clear = job.clear;
    target.centre = vk::PixelCentre::Integer;
    // What a shader writes beyond the first target goes nowhere.
    let mut draws = Vec::new();
    for ((draw, pair), words) in job.draws.iter().zip(pairs).zip(words) {
        draws.push(one(draw, pair, words, options)?);
    }
    let colors = gpu.render(&target, &draws).map_err(|e| e.to_string())?;
    let texels = colors.first().map(Vec::as_slice).unwrap_or_default();
    Ok(texels.iter().enumerate().map(|(i, &c)| (i as u32 % width, i as u32 / width, c)).collect())
}

fn one<'w>(draw: &Draw, pair: &Pair, words: &'w Words, options: &Options) -> Result<vk::Draw<'w>, String> {
    let topology = match draw.primitive {
        1 => vk::Topology::Points,
        2 => vk::Topology::Lines,
        3 => vk::Topology::LineStrip,
        4 => vk::Topology::Triangles,
        5 => vk::Topology::TriangleStrip,
        _ => vk::Topology::TriangleFan,
    };
    let mut made = vk::Draw::new(&words.vertex, &words.pixel, topology, draw.vertex_count());
    bind(&mut made.bindings, draw, &pair.vertex, pair, 0, options);
    bind(&mut made.bindings, draw, &pair.pixel, pair, 1, options);
    made.stride = 16 * pair.attributes.len() as u32;
    for (index, (location, _)) in pair.attributes.iter().enumerate() {
        let format = vk::VertexFormat::Float(4);
        made.attributes.push(vk::Attribute { location: *location, offset: 16 * index as u32, format });
    }
    for vertex in 0..draw.vertex_count() as usize {
        for (_, data) in &pair.attributes {
            let value = data.get(vertex).copied().unwrap_or_default();
            made.vertices.extend(value.iter().flat_map(|lane| lane.to_le_bytes()));
        }
    }
    let render = |key: u32, default: u32| draw.state.render.get(&key).copied().unwrap_or(default);
    made.cull = match render(22, 1) {
        2 => vk::Cull::Clockwise,
        3 => vk::Cull::CounterClockwise,
        _ => vk::Cull::None,
    };
    if render(7, 0) != 0 {
        let compare = vk::Compare::from_d3d9(render(23, 4)).unwrap_or(vk::Compare::LessEqual);
        made.depth = Some(vk::Depth { compare, write: render(14, 1) != 0 });
    }
    Ok(made)
}

fn bind(bindings: &mut vk::Bindings, draw: &Draw, lowered: &Lowered, pair: &Pair, space: u32, options: &Options) {
    for (_, global) in lowered.module.globals.iter() {
        let GlobalKind::Resource { binding, .. } = global.kind else { continue };
        let resource = match (binding.class, binding.register) {
            (RegisterClass::B, 0) => vk::Resource::Uniform(pair.uniforms[space as usize].clone()),
            (RegisterClass::B, _) => vk::Resource::Uniform(pair.extras.clone()),
            (RegisterClass::S, stage) => vk::Resource::Sampler(sampler(&draw.state, sampler_number(space, stage))),
            (RegisterClass::T, stage) => vk::Resource::Image(image(&draw.state, lowered, space, stage)),
            (RegisterClass::U, _) => continue,
        };
        bindings.push(((binding.space, options.binding(binding.class, binding.register)), resource));
    }
}

fn image(state: &State, lowered: &Lowered, space: u32, stage: u32) -> vk::Image {
    use aquatint_d3d9::lower::TextureKind;
    if let Some(texture) = state.textures.get(&sampler_number(space, stage)) {
        let kind = match texture.kind {
            Kind::D2 => vk::ImageKind::D2,
            Kind::Cube => vk::ImageKind::Cube,
            Kind::Volume => vk::ImageKind::D3,
        };
        return vk::Image {
            kind,
            size: texture.size,
            levels: 1,
            layers: None,
            texels: vk::Texels::Float(texture.texels.clone()),
        };
    }
    // Nothing bound reads as opaque black (sheet 2.5).
    let kind = lowered.reflection.samplers.iter().find(|s| u32::from(s.register) == stage).map(|s| s.kind);
    let (kind, faces) = match kind {
        Some(TextureKind::Cube) => (vk::ImageKind::Cube, 6),
        Some(TextureKind::Volume) => (vk::ImageKind::D3, 1),
        Some(TextureKind::D2) | None => (vk::ImageKind::D2, 1),
    };
    let texels = vk::Texels::Float([0.0, 0.0, 0.0, 1.0].repeat(faces));
    vk::Image { kind, size: [1; 3], levels: 1, layers: None, texels }
}

fn sampler(state: &State, stage: u32) -> vk::Sampler {
    let get = |key, default| state.samplers.get(&(stage, key)).copied().unwrap_or(default);
    let filter = |number| if number <= 1 { vk::Filter::Nearest } else { vk::Filter::Linear };
    let address = |number| match number {
        2 => vk::Address::Mirror,
        3 => vk::Address::Clamp,
        4 => vk::Address::Border,
        5 => vk::Address::MirrorOnce,
        _ => vk::Address::Wrap,
    };
    let border = get(4, 0);
    let lane = |shift: u32| (border >> shift & 0xFF) as f32 / 255.0;
    vk::Sampler {
        minify: filter(get(6, 1)),
        magnify: filter(get(5, 1)),
        mip: match get(7, 0) {
            0 => None,
            number => Some(filter(number)),
        },
        address: [address(get(1, 1)), address(get(2, 1)), address(get(3, 1))],
        border: match border {
            0 => vk::Border::Transparent,
            0xFF00_0000 => vk::Border::Black,
            0xFFFF_FFFF => vk::Border::White,
            _ => vk::Border::Custom([lane(16), lane(8), lane(0), lane(24)]),
        },
        ..vk::Sampler::default()
    }
}
