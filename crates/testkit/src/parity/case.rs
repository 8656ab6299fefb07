//! A parity case as data.

use super::number::Field;
use crate::execute::Port;
use aquatint_exec::raster::Topology;
use aquatint_exec::texture::{Sampler, Texture};
use aquatint_ir::{Binding, Scalar, Stage};

/// How near two floats must be. Integers are always compared exactly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// The same bits, but for NaNs, which are all equal.
    Bits,
    /// Equal numbers (the sign of zero does not count), or within one of these.
    Near {
        /// Largest difference.
        absolute: f64,
        /// Largest difference as a part of the expected number.
        relative: f64,
    },
}

impl Tolerance {
    /// Whether a number is near enough to the one that is wanted.
    pub fn accepts(self, kind: Scalar, got: u64, want: u64) -> bool {
        if got == want {
            return true;
        }
        if !kind.is_float() {
            return false;
        }
        let number = |bits: u64| f64::from_bits(aquatint_ir::eval::convert(kind, Scalar::F64, bits));
        let (got, want) = (number(got), number(want));
        if got.is_nan() || want.is_nan() {
            return got.is_nan() && want.is_nan();
        }
        match self {
            Tolerance::Bits => false,
            Tolerance::Near { absolute, relative } => {
                got == want || (want.is_finite() && (got - want).abs() <= absolute.max(relative * want.abs()))
            }
        }
    }
}

/// What a case allows an executor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allowance {
    /// Its results may be others.
    Differs,
    /// Its writer may refuse with this code.
    Refuses(String),
    /// It does not run the case.
    Skips,
}

/// A shader of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shader {
    /// Its stage.
    pub stage: Stage,
    /// Its language: `ir`, `d3d9`, …
    pub language: String,
    /// Further words of its heading: options of the language.
    pub options: Vec<String>,
    /// Its text.
    pub text: String,
    /// The line of the file where the text begins, counted from 1.
    pub line: u32,
}

/// What is drawn on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TargetSize {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Attachments of four 32-bit floats.
    pub colors: u32,
    /// What they are cleared to.
    pub clear: [f32; 4],
}

/// A vertex attribute: one entry a vertex.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// The input of the vertex stage.
    pub port: Port,
    /// f32, i32 or u32.
    pub kind: Scalar,
    /// Components, 1 to 4.
    pub lanes: u8,
    /// Bits; components beyond `lanes` are 0, the fourth 1.
    pub values: Vec<[u32; 4]>,
}

/// What is bound to a register.
#[derive(Clone, PartialEq, Debug)]
pub enum Resource {
    /// A constant or storage buffer.
    Buffer(Vec<Field>),
    /// A texel buffer.
    Texels(Scalar, Vec<[u32; 4]>),
    /// A texture, sampled or storage; whether its texels are signed integers, and whether it is a depth texture.
    Texture {
        /// Shape and texels.
        texture: Texture,
        /// f32, i32 or u32.
        kind: Scalar,
        /// Whether only comparisons read it.
        depth: bool,
    },
    /// A sampler; whether it compares.
    Sampler(Sampler, bool),
}

/// A constant of a language that numbers constants of its own: Direct3D 9's c#, i# and b#.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// The stage.
    pub stage: Stage,
    /// `c`, `i` or `b`.
    pub file: char,
    /// The first register.
    pub first: u32,
    /// Bits of all components in order.
    pub bits: Vec<u32>,
}

/// What a case's shaders read, and how they are started.
#[derive(Clone, PartialEq, Debug)]
pub struct Inputs {
    /// Workgroups, for a compute stage.
    pub groups: Option<[u32; 3]>,
    /// The target of a draw.
    pub target: Option<TargetSize>,
    /// What vertices make.
    pub topology: Topology,
    /// Number of vertices.
    pub vertices: u32,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Resources.
    pub resources: Vec<(Binding, Resource)>,
    /// Push constants.
    pub push: Vec<Field>,
    /// Constants by number.
    pub constants: Vec<Constant>,
}

/// A value that is known beforehand.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// A texel of a target: attachment, column, row, colour.
    Texel(u32, u32, u32, [f32; 4]),
    /// The contents of a buffer.
    Buffer(Binding, Vec<Field>),
    /// The texels of level 0 of a storage texture, as its fields.
    Texture(Binding, Vec<Field>),
}

/// A parity case.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The file's name without its extension.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// How near results must be.
    pub tolerance: Tolerance,
    /// Why not nearer.
    pub reason: String,
    /// What executors are allowed: the executor's name, what, why.
    pub allowances: Vec<(String, Allowance, String)>,
    /// The shaders: one compute stage, or a vertex stage, a fragment stage, or both.
    pub shaders: Vec<Shader>,
    /// What they read.
    pub inputs: Inputs,
    /// What must come out, where a specification says it.
    pub expected: Vec<Expected>,
    /// The text of what executors were found to agree on: recorded by blessing, held against later.
    pub agreed: Option<String>,
}

impl Case {
    /// What an executor is allowed, with the reasons.
    pub fn allowed(&self, executor: &str) -> impl Iterator<Item = (&Allowance, &str)> {
        let own = self.allowances.iter().filter(move |(name, ..)| name == executor);
        own.map(|(_, allowance, reason)| (allowance, reason.as_str()))
    }

    /// The shader of a stage.
    pub fn shader(&self, stage: Stage) -> Option<&Shader> {
        self.shaders.iter().find(|shader| shader.stage == stage)
    }
}

/// `u0`, or `u0@1` in another space than 0.
pub fn register_name(binding: Binding) -> String {
    let plain = format!("{}{}", binding.class.name(), binding.register);
    if binding.space == 0 { plain } else { format!("{plain}@{}", binding.space) }
}
