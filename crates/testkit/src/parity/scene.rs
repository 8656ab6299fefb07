//! What an executor runs: modules and everything that they read.

use super::case::{Attribute, Case, Resource, Shader, TargetSize, register_name};
use super::{number, synthetic};
use crate::execute::Port;
use aquatint_exec::raster::{State, Topology};
use aquatint_ir::types::{self, Space};
use aquatint_ir::{Binding, Module, RegisterClass, Scalar, Stage, verify};

/// A shader that was read.
#[derive(Clone, Debug)]
pub struct StageCode {
    /// The module. The stage's entry point is its first.
    pub module: Module,
    /// What the language binds besides what the case says: a block of constants.
    pub resources: Vec<(Binding, Resource)>,
}

impl From<Module> for StageCode {
    fn from(module: Module) -> Self {
        Self { module, resources: Vec::new() }
    }
}

/// A draw's vertices and target.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The vertex stage.
    pub vertex: Module,
    /// The fragment stage.
    pub fragment: Module,
    /// Its target.
    pub target: TargetSize,
    /// What vertices make.
    pub topology: Topology,
    /// Number of vertices.
    pub vertices: u32,
    /// Attributes by location.
    pub attributes: Vec<(u32, Attribute)>,
    /// The rasteriser's state; `varyings` are not looked at. There is no depth buffer.
    pub state: State,
}

/// A dispatch.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// The compute stage.
    pub compute: Module,
    /// Workgroups.
    pub groups: [u32; 3],
}

/// What is started.
#[derive(Clone, Debug)]
pub enum Work {
    /// A draw.
    Draw(Box<Draw>),
    /// A dispatch.
    Dispatch(Box<Dispatch>),
}

/// What an executor runs. The modules' first entry points are meant.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The draw or dispatch.
    pub work: Work,
    /// Resources.
    pub resources: Vec<(Binding, Resource)>,
    /// Push constants.
    pub push: Vec<u8>,
}

/// Reads a shader that is not written in the IR's text form: the case, the shader, and the vertex stage where that was read
/// before.
pub type Language<'l> = dyn FnMut(&Case, &Shader, Option<&Module>) -> Result<StageCode, String> + 'l;

/// The name of a module's first entry point.
pub fn entry_name(module: &Module) -> &str {
    module.entry_points.first().map_or("", |entry| module.name(entry.name))
}

impl Scene {
    /// The scene of a case. `language` reads the shaders that are not written in the IR's text form.
    ///
    /// # Errors
    /// What is wrong with a shader, in its place, or that something does not fit.
    pub fn new(case: &Case, language: &mut Language<'_>) -> Result<Self, String> {
        let mut resources = case.inputs.resources.clone();
        let mut stage = |stage: Stage, before: Option<&Module>| -> Result<Option<Module>, String> {
            let Some(shader) = case.shader(stage) else { return Ok(None) };
            let code = match shader.language.as_str() {
                "ir" => crate::module::parse(&case.name, &shader.text)
                    .map(StageCode::from)
                    .map_err(|why| format!("the text begins in line {} of the file:\n{why}", shader.line))?,
                _ => language(case, shader, before)?,
            };
            if code.module.entry_points.first().is_none_or(|entry| entry.stage != stage) {
                return Err(format!("the shader's first entry point is no {} stage", stage.name()));
            }
            verify::check(&code.module).map_err(|_| format!("the {} stage breaks a rule of the IR", stage.name()))?;
            resources.extend(code.resources);
            Ok(Some(code.module))
        };
        let work = match stage(Stage::Compute, None)? {
            Some(compute) => {
                let groups = case.inputs.groups.unwrap_or([1; 3]);
                Work::Dispatch(Box::new(Dispatch { compute, groups }))
            }
            None => {
                let vertex = stage(Stage::Vertex, None)?;
                let fragment = stage(Stage::Fragment, vertex.as_ref())?;
                Work::Draw(Box::new(draw(case, vertex, fragment)?))
            }
        };
        let scene = Self { work, resources, push: number::bytes(&case.inputs.push) };
        for module in scene.modules() {
            for (_, global) in module.globals.iter() {
                let Some(binding) = global.binding() else { continue };
                if scene.resource(binding).is_none() {
                    return Err(format!("nothing is bound to {}", register_name(binding)));
                }
            }
        }
        Ok(scene)
    }

    /// The modules in the order of the stages.
    pub fn modules(&self) -> Vec<&Module> {
        match &self.work {
            Work::Draw(draw) => vec![&draw.vertex, &draw.fragment],
            Work::Dispatch(dispatch) => vec![&dispatch.compute],
        }
    }

    /// The modules, to change.
    pub fn modules_mut(&mut self) -> Vec<&mut Module> {
        match &mut self.work {
            Work::Draw(draw) => vec![&mut draw.vertex, &mut draw.fragment],
            Work::Dispatch(dispatch) => vec![&mut dispatch.compute],
        }
    }

    /// What is bound to a register.
    pub fn resource(&self, binding: Binding) -> Option<&Resource> {
        self.resources.iter().find(|(other, _)| *other == binding).map(|(_, resource)| resource)
    }

    /// The read-write resources: what is compared besides targets.
    pub fn written(&self) -> impl Iterator<Item = &(Binding, Resource)> {
        self.resources.iter().filter(|(binding, _)| binding.class == RegisterClass::U)
    }

    /// Attachments that the fragment stage writes; the others hold nothing.
    pub fn colors(&self) -> Vec<u32> {
        let Work::Draw(draw) = &self.work else { return Vec::new() };
        let written = synthetic::varyings(&draw.fragment, Space::Output);
        let colors = draw.target.colors;
        written.into_iter().map(|(location, ..)| location).filter(|&location| location < colors).collect()
    }
}

fn draw(case: &Case, vertex: Option<Module>, fragment: Option<Module>) -> Result<Draw, String> {
    let inputs = &case.inputs;
    let target = inputs.target.ok_or("a draw needs a target")?;
    let mut attributes = inputs.attributes.clone();
    let (vertex, fragment) = match (vertex, fragment) {
        (Some(vertex), Some(fragment)) => (vertex, fragment),
        (vertex, fragment) => {
            if inputs.topology != Topology::PointList || target.height != 1 || target.width != inputs.vertices {
                return Err("a single stage is drawn as points, one a pixel of a row".to_owned());
            }
            let place = |x: u32| [(2 * x + 1) as f32 / target.width as f32 - 1.0, 0.0, 0.5, 1.0].map(f32::to_bits);
            let values = (0..inputs.vertices).map(place).collect();
            let port = Port::Location(synthetic::PLACE);
            attributes.push(Attribute { port, kind: Scalar::F32, lanes: 4, values });
            match (vertex, fragment) {
                (Some(mut vertex), _) => {
                    synthetic::open_vertex(&mut vertex, synthetic::PLACE);
                    let fragment = synthetic::fragment(&synthetic::varyings(&vertex, Space::Output));
                    (vertex, fragment)
                }
                (None, Some(fragment)) => {
                    // An attribute is named by the location of its varying.
                    let varyings = synthetic::varyings(&fragment, Space::Input);
                    let named = varyings.into_iter().map(|varying| (varying.0, varying));
                    (synthetic::vertex(named, synthetic::PLACE), fragment)
                }
                (None, None) => return Err("a draw needs a stage".to_owned()),
            }
        }
    };
    let mut placed = Vec::new();
    for attribute in attributes {
        let found = vertex.globals.iter().find(|(_, global)| {
            let Some(io) = global.io().filter(|_| global.space == Space::Input) else { return false };
            match &attribute.port {
                Port::Location(location) => io.location == Some(*location),
                Port::Usage(name, index) => {
                    io.usage.is_some_and(|usage| vertex.name(usage.name) == name && usage.index == *index)
                }
                Port::Builtin(_) => false,
            }
        });
        let Some((_, global)) = found else { return Err(format!("no vertex input is {:?}", attribute.port)) };
        let kind = types::lanes_of(global.ty).map_or(Scalar::F32, |(kind, _)| kind);
        if kind.is_float() != attribute.kind.is_float() {
            return Err(format!("{:?} is of another kind than the input", attribute.port));
        }
        placed.push((global.io().and_then(|io| io.location).unwrap_or(0), attribute));
    }
    for (location, ..) in synthetic::varyings(&vertex, Space::Input) {
        if !placed.iter().any(|(given, _)| *given == location) {
            return Err(format!("the vertex input at location {location} has no values"));
        }
    }
    let state = State::new(target.width, target.height);
    let (topology, vertices) = (inputs.topology, inputs.vertices);
    Ok(Draw { vertex, fragment, target, topology, vertices, attributes: placed, state })
}
