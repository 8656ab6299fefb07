//! Executors, and what they give.

use super::case::Resource;
use super::number;
use super::scene::{Dispatch, Draw, Scene, Work, entry_name};
use aquatint_exec::interpret::draw::{Attribute, AttributeData};
use aquatint_exec::interpret::{DrawCall, Machine, Options, Program, Resources, VertexSource};
use aquatint_exec::raster::{ColorFormat, Elements, Target};
use aquatint_exec::texture::Texture;
use aquatint_ir::{Binding, Module};
use std::fmt;

/// What is left of a read-write resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Memory {
    /// The bytes of a buffer.
    Bytes(Vec<u8>),
    /// The texels of a texel buffer, or of level 0 of a texture, all layers: four components each, as bits.
    Texels(Vec<[u32; 4]>),
}

/// What an execution gives.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// By attachment: texels, rows top down.
    pub targets: Vec<Vec<[f32; 4]>>,
    /// Read-write resources, in the order of the scene.
    pub memory: Vec<(Binding, Memory)>,
}

impl Results {
    /// What is left of a resource.
    pub fn memory(&self, binding: Binding) -> Option<&Memory> {
        self.memory.iter().find(|(other, _)| *other == binding).map(|(_, memory)| memory)
    }
}

/// Why an execution gives nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The writer has no form for the shader: its code and message.
    Refused {
        /// The diagnostic's code.
        code: String,
        /// Its message.
        message: String,
    },
    /// The executor itself lacks something that the case needs.
    Unsupported(String),
    /// Something went wrong.
    Failed(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused { code, message } => write!(f, "refused: {code} {message}"),
            Failure::Unsupported(what) => write!(f, "not run here: {what}"),
            Failure::Failed(why) => f.write_str(why),
        }
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Failure::Failed(why)
    }
}

/// Something that runs scenes.
pub trait Executor {
    /// Its name, as cases and messages have it.
    fn name(&self) -> &str;

    /// Runs a draw of a scene.
    ///
    /// # Errors
    /// Why there are no results.
    fn draw(&self, scene: &Scene, draw: &Draw) -> Result<Results, Failure>;

    /// Runs a dispatch of a scene.
    ///
    /// # Errors
    /// Why there are no results.
    fn dispatch(&self, scene: &Scene, dispatch: &Dispatch) -> Result<Results, Failure>;

    /// Runs a scene.
    ///
    /// # Errors
    /// Why there are no results.
    fn run(&self, scene: &Scene) -> Result<Results, Failure> {
        match &scene.work {
            Work::Draw(draw) => self.draw(scene, draw),
            Work::Dispatch(dispatch) => self.dispatch(scene, dispatch),
        }
    }
}

/// The interpreter and our own rasteriser: the reference.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter {
    /// Steps of one run.
    pub steps: u64,
}

impl Default for Interpreter {
    fn default() -> Self {
        Self { steps: 1 << 26 }
    }
}

fn said(error: impl fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

/// The resources of a scene, as the interpreter binds them. Those of both stages of a draw are copies of each other.
pub fn resources(scene: &Scene) -> Resources {
    let mut all = Resources::new();
    for (binding, resource) in &scene.resources {
        match resource {
            Resource::Buffer(fields) => all.set_buffer(*binding, number::bytes(fields)),
            Resource::Texels(_, texels) => all.set_texels(*binding, texels.clone()),
            Resource::Texture { texture, .. } => all.set_texture(*binding, texture.clone()),
            Resource::Sampler(sampler, _) => all.set_sampler(*binding, sampler.clone()),
        }
    }
    all.set_push(scene.push.clone());
    all
}

/// The texels of level 0 of a texture, planes in order.
pub fn texels_of(texture: &Texture) -> Vec<[u32; 4]> {
    let shape = texture.shape();
    let faces = if shape.dimension == aquatint_exec::texture::Dimension::Cube { 6 } else { 1 };
    let mut all = Vec::new();
    for layer in 0..(shape.layers * faces) as i32 {
        for z in 0..shape.extent.depth as i32 {
            for y in 0..shape.extent.height as i32 {
                for x in 0..shape.extent.width as i32 {
                    all.push(texture.fetch_bits([x, y, z], layer, 0, 0));
                }
            }
        }
    }
    all
}

fn memory(scene: &Scene, mut of: impl FnMut(Binding) -> Option<Memory>) -> Vec<(Binding, Memory)> {
    scene.written().filter_map(|(binding, _)| Some((*binding, of(*binding)?))).collect()
}

fn left(resources: &Resources, binding: Binding) -> Option<Memory> {
    let buffer = resources.buffer(binding).map(|buffer| Memory::Bytes(buffer.bytes.clone()));
    let texels = || resources.texels(binding).map(|texels| Memory::Texels(texels.to_vec()));
    let texture = || resources.texture(binding).map(|texture| Memory::Texels(texels_of(texture)));
    buffer.or_else(texels).or_else(texture)
}

impl Interpreter {
    fn program(&self, module: &Module) -> Result<Program, Failure> {
        let mut options = Options::default();
        options.limits.steps = self.steps;
        Program::with_options(module, entry_name(module), options).map_err(said)
    }
}

impl Executor for Interpreter {
    fn name(&self) -> &str {
        "interpreter"
    }

    fn dispatch(&self, scene: &Scene, dispatch: &Dispatch) -> Result<Results, Failure> {
        let program = self.program(&dispatch.compute)?;
        let mut resources = resources(scene);
        let mut machine = Machine::for_workgroup(&program).map_err(said)?;
        machine.dispatch(&mut resources, dispatch.groups).map_err(said)?;
        Ok(Results { targets: Vec::new(), memory: memory(scene, |binding| left(&resources, binding)) })
    }

    fn draw(&self, scene: &Scene, draw: &Draw) -> Result<Results, Failure> {
        let (vertex, fragment) = (self.program(&draw.vertex)?, self.program(&draw.fragment)?);
        let mut stages = [resources(scene), resources(scene)];
        let size = draw.target;
        let formats = vec![ColorFormat::Float; size.colors as usize];
        let mut target = Target::new(size.width, size.height, &formats, None, false).map_err(said)?;
        (0..size.colors as usize).for_each(|color| target.clear_color(color, size.clear));
        let float = |value: &[u32; 4]| value.map(f32::from_bits);
        let floats: Vec<Vec<[f32; 4]>> =
            draw.attributes.iter().map(|(_, a)| a.values.iter().map(float).collect()).collect();
        let attributes: Vec<Attribute<'_>> = draw
            .attributes
            .iter()
            .zip(&floats)
            .map(|((location, attribute), floats)| Attribute {
                location: *location,
                data: match attribute.kind.is_float() {
                    true => AttributeData::Float(floats),
                    false => AttributeData::Bits(&attribute.values),
                },
                per_instance: false,
            })
            .collect();
        let [vertex_resources, fragment_resources] = &mut stages;
        let call = DrawCall {
            vertices: VertexSource::Program {
                program: &vertex,
                resources: vertex_resources,
                attributes: &attributes,
                instance: 0,
            },
            vertex_count: draw.vertices,
            topology: draw.topology,
            elements: Elements::Range { first: 0, count: draw.vertices },
            fragment: &fragment,
            resources: fragment_resources,
            state: &draw.state,
            target: &mut target,
        };
        call.run().map_err(said)?;
        let texel =
            |color: u32, at: u32| target.color(color as usize, at % size.width, at / size.width).unwrap_or_default();
        let texels = |color: u32| (0..size.width * size.height).map(|at| texel(color, at)).collect();
        // A resource that only the vertex stage mentions was changed there, if at all.
        let of_vertex = |binding| {
            let mentions = |module: &Module| module.globals.iter().any(|(_, g)| g.binding() == Some(binding));
            mentions(&draw.vertex) && !mentions(&draw.fragment)
        };
        Ok(Results {
            targets: (0..size.colors).map(texels).collect(),
            memory: memory(scene, |binding| left(&stages[usize::from(!of_vertex(binding))], binding)),
        })
    }
}
