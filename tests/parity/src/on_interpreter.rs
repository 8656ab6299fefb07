//! Golden jobs on the interpreter and our own rasteriser.

use crate::golden::Texel;
use crate::job::{Draw, Job, Kind, State, sampler_number};
use crate::prepare::Pair;
use aquatint_exec::compare::Compare;
use aquatint_exec::interpret::draw::{Attribute, AttributeData};
use aquatint_exec::interpret::{DrawCall, Program, Resources, VertexSource};
use aquatint_exec::raster::{
    ColorFormat, Cull, DepthFormat, DepthState, Elements, State as RasterState, Target, Topology,
};
use aquatint_exec::texture::{Sampler, Shape, Texture};
use aquatint_ir::{Binding, Module, RegisterClass};

/// Draws all of a job; a pair of stages a draw.
///
/// # Errors
/// What the interpreter or the rasteriser refuses.
pub fn run(job: &Job, pairs: &[Pair]) -> Result<Vec<Texel>, String> {
    let [width, height] = job.size;
    let format = Some(DepthFormat::Unorm24);
    let mut target = Target::new(width, height, &[ColorFormat::Float], format, true).map_err(|e| e.to_string())?;
    target.clear_color(0, job.clear);
    for (draw, pair) in job.draws.iter().zip(pairs) {
        run_draw(draw, pair, &mut target)?;
    }
    let mut texels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            texels.push((x, y, target.color(0, x, y).unwrap_or_default()));
        }
    }
    Ok(texels)
}

fn run_draw(draw: &Draw, pair: &Pair, target: &mut Target) -> Result<(), String> {
    let program = |module: &Module| Program::new(module, "main").map_err(|e| e.to_string());
    let (vertex, pixel) = (program(&pair.vertex.module)?, program(&pair.pixel.module)?);
    let mut resources = [stage_resources(draw, pair, 0)?, stage_resources(draw, pair, 1)?];
    let [vertex_resources, pixel_resources] = &mut resources;
    let attributes: Vec<Attribute<'_>> = pair
        .attributes
        .iter()
        .map(|(location, data)| Attribute {
            location: *location,
            data: AttributeData::Float(data),
            per_instance: false,
        })
        .collect();
    let state = raster_state(draw, target.width(), target.height());
    let topology = Topology::from_d3d9(draw.primitive).ok_or("an unknown primitive")?;
    let count = draw.vertex_count();
    let call = DrawCall {
        vertices: VertexSource::Program {
            program: &vertex,
            resources: vertex_resources,
            attributes: &attributes,
            instance: 0,
        },
        vertex_count: count,
        topology,
        elements: Elements::Range { first: 0, count },
        fragment: &pixel,
        resources: pixel_resources,
        state: &state,
        target,
    };
    call.run().map(drop).map_err(|e| e.to_string())
}

/// The rasteriser's state for a draw into a target of that size.
pub fn raster_state(draw: &Draw, width: u32, height: u32) -> RasterState {
    let render = |key: u32, default: u32| draw.state.render.get(&key).copied().unwrap_or(default);
    let mut state = RasterState::new(width, height);
    // Direct3D 9's centres: a shader sees its position at halves, and the lowering makes vPos of that.
    (state.viewport.x, state.viewport.y) = (0.5, 0.5);
    state.cull = Cull::from_d3d9(render(22, 1)).unwrap_or_default();
    state.depth = DepthState {
        test: render(7, 0) != 0,
        write: render(14, 1) != 0,
        compare: Compare::from_d3d9(render(23, 4)).unwrap_or(Compare::LessEqual),
        ..DepthState::default()
    };
    state
}

fn stage_resources(draw: &Draw, pair: &Pair, space: u32) -> Result<Resources, String> {
    let mut all = Resources::new();
    let at = |class, register| Binding { class, register, space };
    all.set_buffer(at(RegisterClass::B, 0), pair.uniforms[space as usize].clone());
    if space == 1 {
        all.set_buffer(at(RegisterClass::B, 1), pair.extras.clone());
    }
    for stage in 0..16 {
        let Some(texture) = draw.state.textures.get(&sampler_number(space, stage)) else { continue };
        all.set_texture(at(RegisterClass::T, stage), made(texture)?);
    }
    for stage in 0..16 {
        all.set_sampler(at(RegisterClass::S, stage), sampler(&draw.state, sampler_number(space, stage)));
    }
    Ok(all)
}

/// A job's texture, as executors on our own texture code take it.
///
/// # Errors
/// Texels that do not fit the shape.
pub fn made(texture: &crate::job::Texture) -> Result<Texture, String> {
    let [width, height, depth] = texture.size;
    let shape = match texture.kind {
        Kind::D2 => Shape::d2(width, height),
        Kind::Cube => Shape::cube(width),
        Kind::Volume => Shape::d3(width, height, depth),
    };
    Texture::from_f32(shape, &texture.texels).map_err(|e| e.to_string())
}

/// The sampler of a stage number (Direct3D 9's).
pub fn sampler(state: &State, stage: u32) -> Sampler {
    let get = |key, default| state.samplers.get(&(stage, key)).copied().unwrap_or(default);
    Sampler::d3d9(
        [get(6, 1), get(5, 1), get(7, 0)],
        [get(1, 1), get(2, 1), get(3, 1)],
        get(4, 0),
        f32::from_bits(get(8, 0)),
        get(9, 0),
        get(10, 1),
    )
}
