//! Executions: one of a module on given inputs ([`Run`]), and two modules on the same random ones ([`compare()`]).
//!
//! | module | holds |
//! |---|---|
//! | [`mod@compare`] | whether two modules mean the same |
//! | [`values`] | random numbers with every special one among them, and resources full of them |
//! | [`wrap`] | entry points around functions, so that a module of functions can be run |

pub mod compare;
pub mod values;
pub mod wrap;

pub use compare::{Difference, Plan, Summary, Tolerance, compare};
pub use wrap::wrap_functions;

use aquatint_exec::interpret::{Interface, Machine, Options, Program, Resources};
use aquatint_exec::texture::{Sampler, Texture};
use aquatint_ir::{Binding, Builtin, Module, Scalar, eval};

/// A stage input or output, by what a test knows of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Port {
    /// By location.
    Location(u32),
    /// By the source's name and number.
    Usage(String, u32),
    /// A built-in.
    Builtin(Builtin),
}

impl Port {
    fn is(&self, interface: &Interface) -> bool {
        match self {
            Port::Location(location) => interface.io.location == Some(*location) && interface.io.blend_index == 0,
            Port::Usage(name, index) => interface.usage.as_ref().is_some_and(|usage| usage == &(name.clone(), *index)),
            Port::Builtin(builtin) => interface.io.builtin == Some(*builtin),
        }
    }
}

impl From<u32> for Port {
    fn from(location: u32) -> Self {
        Port::Location(location)
    }
}

impl From<(&str, u32)> for Port {
    fn from((name, index): (&str, u32)) -> Self {
        Port::Usage(name.to_owned(), index)
    }
}

impl From<Builtin> for Port {
    fn from(builtin: Builtin) -> Self {
        Port::Builtin(builtin)
    }
}

/// One execution of a module's first entry point.
#[derive(Debug)]
pub struct Run<'m> {
    module: &'m Module,
    lanes: usize,
    inputs: Vec<(Port, Vec<[f32; 4]>)>,
    resources: Resources,
    steps: u64,
}

impl<'m> Run<'m> {
    /// Four lanes (a quad), nothing bound, all inputs zero.
    pub fn new(module: &'m Module) -> Self {
        Self { module, lanes: 4, inputs: Vec::new(), resources: Resources::new(), steps: 1 << 22 }
    }

    /// The same value of an input in every lane. An input that the entry point does not read is ignored.
    #[must_use]
    pub fn input(mut self, port: impl Into<Port>, value: [f32; 4]) -> Self {
        self.inputs.push((port.into(), vec![value]));
        self
    }

    /// A value of an input for each lane; there are as many lanes as values, up to a multiple of four.
    #[must_use]
    pub fn inputs(mut self, port: impl Into<Port>, values: &[[f32; 4]]) -> Self {
        self.lanes = self.lanes.max(values.len().next_multiple_of(4));
        self.inputs.push((port.into(), values.to_vec()));
        self
    }

    /// Binds a buffer.
    #[must_use]
    pub fn buffer(mut self, binding: Binding, bytes: Vec<u8>) -> Self {
        self.resources.set_buffer(binding, bytes);
        self
    }

    /// Binds a texture.
    #[must_use]
    pub fn texture(mut self, binding: Binding, texture: Texture) -> Self {
        self.resources.set_texture(binding, texture);
        self
    }

    /// Binds a sampler.
    #[must_use]
    pub fn sampler(mut self, binding: Binding, sampler: Sampler) -> Self {
        self.resources.set_sampler(binding, sampler);
        self
    }

    /// Runs.
    ///
    /// # Errors
    /// Why the module cannot be run, or did not end.
    pub fn run(mut self) -> Result<Ran, String> {
        let entry = self.module.entry_points.first().ok_or("the module has no entry point")?;
        let mut options = Options::default();
        options.limits.steps = self.steps;
        let name = self.module.name(entry.name);
        let program = Program::with_options(self.module, name, options).map_err(|error| error.to_string())?;
        let mut machine = Machine::new(&program, self.lanes).map_err(|error| error.to_string())?;
        for (port, values) in &self.inputs {
            let Some(input) = program.inputs().iter().find(|input| port.is(input)) else { continue };
            for lane in 0..self.lanes {
                if let Some(value) = values.get(lane).or(values.last()) {
                    machine.set_f32(input, lane, value);
                }
            }
        }
        machine.run(&mut self.resources, self.lanes).map_err(|error| error.to_string())?;
        let outputs = program.outputs().iter().map(|output| {
            let lane = |lane| (0..output.count).map(|component| machine.get(output, component, lane)).collect();
            (output.clone(), (0..self.lanes).map(lane).collect())
        });
        Ok(Ran { outputs: outputs.collect(), live: (0..self.lanes).map(|lane| machine.is_live(lane)).collect() })
    }
}

/// What an execution left.
#[derive(Clone, Debug)]
pub struct Ran {
    outputs: Vec<(Interface, Vec<Vec<u64>>)>,
    live: Vec<bool>,
}

impl Ran {
    /// Whether a lane came through: it was not discarded.
    pub fn is_live(&self, lane: usize) -> bool {
        self.live.get(lane).copied().unwrap_or(false)
    }

    /// The scalars of an output in a lane, as f32; `None` where the entry point has no such output.
    pub fn scalars(&self, port: impl Into<Port>, lane: usize) -> Option<Vec<f32>> {
        let port = port.into();
        let (output, lanes) = self.outputs.iter().find(|(output, _)| port.is(output))?;
        let number = |&bits: &u64| f32::from_bits(eval::convert(output.kind, Scalar::F32, bits) as u32);
        Some(lanes.get(lane)?.iter().map(number).collect())
    }

    /// An output of four scalars in the first lane, zeros where it has fewer; `None` where there is no such output.
    pub fn output(&self, port: impl Into<Port>) -> Option<[f32; 4]> {
        self.output_of(port, 0)
    }

    /// [`Ran::output`] of another lane.
    pub fn output_of(&self, port: impl Into<Port>, lane: usize) -> Option<[f32; 4]> {
        let all = self.scalars(port, lane)?;
        Some(std::array::from_fn(|component| all.get(component).copied().unwrap_or(0.0)))
    }
}
