//! Golden jobs as parity scenes, so that a difference can be looked into and a job exported.

use crate::job::{Job, sampler_number};
use crate::on_interpreter;
use crate::prepare::Pair;
use aquatint_exec::raster::Topology;
use aquatint_exec::texture::{Dimension, Shape, Texture};
use aquatint_ir::types::{Dim, Type};
use aquatint_ir::{Binding, Module, RegisterClass, Scalar};
use aquatint_testkit::execute::Port;
use aquatint_testkit::parity::Scene;
use aquatint_testkit::parity::case::{Attribute, Resource, TargetSize};
use aquatint_testkit::parity::number::Field;
use aquatint_testkit::parity::scene::{Draw, Work};

fn words(bytes: &[u8]) -> Resource {
    let word = |(index, word): (usize, &[u8; 4])| Field {
        offset: 4 * index,
        kind: Scalar::U32,
        bits: u64::from(u32::from_le_bytes(*word)),
        behind: 0,
    };
    Resource::Buffer(bytes.as_chunks::<4>().0.iter().enumerate().map(word).collect())
}

/// Nothing bound reads as opaque black (sheet 2.5).
fn black(module: &Module, ty: aquatint_ir::TypeId) -> Result<Texture, String> {
    let dimension = match module.types.get(ty) {
        Type::Texture(texture) => texture.dim,
        _ => return Err("a texture of another type".to_owned()),
    };
    let (shape, faces) = match dimension {
        Dim::D3 => (Shape::d3(1, 1, 1), 1),
        Dim::Cube => (Shape::cube(1), 6),
        _ => (Shape::d2(1, 1), 1),
    };
    debug_assert!(dimension != Dim::Cube || shape.dimension == Dimension::Cube);
    Texture::from_f32(shape, &[0.0, 0.0, 0.0, 1.0].repeat(faces)).map_err(|error| error.to_string())
}

/// The scene of a job of one draw without a depth test.
///
/// # Errors
/// What the job has that a scene has not.
pub fn scene(job: &Job, pairs: &[Pair]) -> Result<Scene, String> {
    let ([draw], [pair]) = (job.draws.as_slice(), pairs) else {
        return Err("the job has several draws".to_owned());
    };
    let [width, height] = job.size;
    let state = on_interpreter::raster_state(draw, width, height);
    if state.depth.test {
        return Err("the job tests depth".to_owned());
    }
    let mut resources: Vec<(Binding, Resource)> = Vec::new();
    for (space, lowered) in (0..).zip([&pair.vertex, &pair.pixel]) {
        for (_, global) in lowered.module.globals.iter() {
            let Some(binding) = global.binding() else { continue };
            let number = sampler_number(space, binding.register);
            let resource = match (binding.class, binding.register) {
                (RegisterClass::B, 0) => words(&pair.uniforms[space as usize]),
                (RegisterClass::B, _) => words(&pair.extras),
                (RegisterClass::T, _) => {
                    let texture = match draw.state.textures.get(&number) {
                        Some(texture) => on_interpreter::made(texture)?,
                        None => black(&lowered.module, global.ty)?,
                    };
                    Resource::Texture { texture, kind: Scalar::F32, depth: false }
                }
                (RegisterClass::S, _) => Resource::Sampler(on_interpreter::sampler(&draw.state, number), false),
                (RegisterClass::U, _) => continue,
            };
            resources.push((binding, resource));
        }
    }
    let attribute = |(location, values): &(u32, Vec<[f32; 4]>)| {
        let values = values.iter().map(|value| value.map(f32::to_bits)).collect();
        (*location, Attribute { port: Port::Location(*location), kind: Scalar::F32, lanes: 4, values })
    };
    let work = Work::Draw(Box::new(Draw {
        vertex: pair.vertex.module.clone(),
        fragment: pair.pixel.module.clone(),
        target: TargetSize { width, height, colors: 1, clear: job.clear },
        topology: Topology::from_d3d9(draw.primitive).ok_or("an unknown primitive")?,
        vertices: draw.vertex_count(),
        attributes: pair.attributes.iter().map(attribute).collect(),
        state,
    }));
    Ok(Scene { work, resources, push: Vec::new() })
}
