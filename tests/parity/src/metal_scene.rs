//! Parity scenes as Metal, compiled by clang and run on the CPU.

use crate::metal_text::{self, MetalText};
use aquatint_exec::raster::ColorFormat;
use aquatint_exec::texture::{Dimension, Shape, Texture};
use aquatint_ir::{Binding, Module, Scalar};
use aquatint_metal_cpu::run::{self, Attribute, AttributeData, Image, Stage, Target, Written};
use aquatint_msl::{ArgumentTable, Options};
use aquatint_testkit::parity::case::Resource;
use aquatint_testkit::parity::execute::{Memory, texels_of};
use aquatint_testkit::parity::scene::{Dispatch, Draw, Scene};
use aquatint_testkit::parity::{Executor, Failure, Results, number};

/// The executor.
pub struct MetalCpu {
    options: Options,
}

impl MetalCpu {
    /// With other options of the writer than those of parity cases.
    pub fn with_options(options: Options) -> Self {
        Self { options }
    }
}

impl Default for MetalCpu {
    fn default() -> Self {
        Self { options: metal_text::strict() }
    }
}

/// All texels of a texture, level after level.
pub fn image(texture: &Texture) -> Image {
    let shape = *texture.shape();
    let faces = if shape.dimension == Dimension::Cube { 6 } else { 1 };
    let mut words: Vec<u32> = Vec::new();
    for level in 0..shape.levels {
        let size = shape.level(level);
        for layer in 0..(shape.layers * faces) as i32 {
            for sample in 0..shape.samples as i32 {
                for z in 0..size.depth as i32 {
                    for y in 0..size.height as i32 {
                        for x in 0..size.width as i32 {
                            words.extend(texture.fetch_bits([x, y, z], layer, level as i32, sample));
                        }
                    }
                }
            }
        }
    }
    match texture.is_integer() {
        true => Image::integer(shape, words),
        false => Image::float(shape, words.into_iter().map(f32::from_bits).collect()),
    }
}

/// A buffer of texels, as Metal's texture buffers are given: one row.
fn row(kind: Scalar, texels: &[[u32; 4]]) -> Image {
    let shape = Shape::d1(texels.len().max(1) as u32);
    let words: Vec<u32> = texels.as_flattened().to_vec();
    match kind.is_float() {
        true => Image::float(shape, words.into_iter().map(f32::from_bits).collect()),
        false => Image::integer(shape, words),
    }
}

/// A stage with all that is bound to it.
fn stage(scene: &Scene, text: &MetalText) -> Stage {
    let mut made = Stage::new(&text.source, &text.entry);
    for &(binding, _, index) in &text.arguments {
        let Some(binding) = binding else {
            made.buffers.push((index, scene.push.clone()));
            continue;
        };
        match scene.resource(binding) {
            Some(Resource::Buffer(fields)) => made.buffers.push((index, number::bytes(fields))),
            Some(Resource::Texels(kind, texels)) => made.textures.push((index, row(*kind, texels))),
            Some(Resource::Texture { texture, .. }) => made.textures.push((index, image(texture))),
            Some(Resource::Sampler(sampler, _)) => made.samplers.push((index, sampler.clone())),
            None => {}
        }
    }
    made
}

/// What is left of the scene's read-write resources; a stage that mentions one counts.
fn memory(scene: &Scene, stages: &[(&MetalText, &Written)]) -> Vec<(Binding, Memory)> {
    let of = |binding: Binding, resource: &Resource| {
        stages.iter().rev().find_map(|(text, written)| {
            let (_, table, index) = text.arguments.iter().find(|(other, ..)| *other == Some(binding))?;
            match table {
                ArgumentTable::Buffer => {
                    let (_, bytes) = written.buffers.iter().find(|(other, _)| other == index)?;
                    Some(Memory::Bytes(bytes.clone()))
                }
                _ => {
                    let (_, image) = written.textures.iter().find(|(other, _)| other == index)?;
                    let mut texels = texels_of(&image.texture().ok()?);
                    if let Resource::Texels(_, given) = resource {
                        texels.truncate(given.len());
                    }
                    Some(Memory::Texels(texels))
                }
            }
        })
    };
    scene.written().filter_map(|(binding, resource)| Some((*binding, of(*binding, resource)?))).collect()
}

impl MetalCpu {
    fn write(&self, module: &Module, entry: &str) -> Result<MetalText, Failure> {
        metal_text::write(module, entry, &self.options)
    }
}

impl Executor for MetalCpu {
    fn name(&self) -> &str {
        "metal-cpu"
    }

    fn dispatch(&self, scene: &Scene, dispatch: &Dispatch) -> Result<Results, Failure> {
        let text = self.write(&dispatch.compute, "case_kernel")?;
        let threads = dispatch.compute.entry_points.first().map_or([1; 3], |entry| entry.workgroup_size);
        let job = run::Compute::new(stage(scene, &text), dispatch.groups, threads);
        let written = run::dispatch(&job).map_err(|error| said(&error, &[&text]))?;
        Ok(Results { targets: Vec::new(), memory: memory(scene, &[(&text, &written)]) })
    }

    fn draw(&self, scene: &Scene, draw: &Draw) -> Result<Results, Failure> {
        let vertex = self.write(&draw.vertex, "case_vertex")?;
        let fragment = self.write(&draw.fragment, "case_fragment")?;
        let size = draw.target;
        let target = Target {
            colors: vec![ColorFormat::Float; size.colors as usize],
            clear: size.clear,
            depth: None,
            ..Target::new(size.width, size.height)
        };
        let stages = (stage(scene, &vertex), stage(scene, &fragment));
        let mut made = run::Draw::new(stages.0, stages.1, draw.topology, draw.vertices, &target);
        made.state.clone_from(&draw.state);
        for (location, attribute) in &draw.attributes {
            let float = |value: &[u32; 4]| value.map(f32::from_bits);
            let data = match attribute.kind.is_float() {
                true => AttributeData::Float(attribute.values.iter().map(float).collect()),
                false => AttributeData::Bits(attribute.values.clone()),
            };
            made.attributes.push(Attribute { location: *location, data, per_instance: false });
        }
        let picture = run::draw(&target, &[made]).map_err(|error| said(&error, &[&vertex, &fragment]))?;
        let none = Default::default();
        let written = picture.written.first().unwrap_or(&none);
        Ok(Results {
            targets: picture.colors,
            memory: memory(scene, &[(&vertex, &written[0]), (&fragment, &written[1])]),
        })
    }
}

fn said(error: &dyn std::fmt::Display, texts: &[&MetalText]) -> Failure {
    let sources: Vec<&str> = texts.iter().map(|text| text.source.as_str()).collect();
    Failure::Failed(format!("{error}\n{}", sources.join("\n")))
}
