//! Preshaders (`PRES`) and effect expressions (`FX`): small programs in double precision that compute shader constants,
//! state values and array indices from effect parameters before a draw (sheet 5.3).
//!
//! | module | holds |
//! |---|---|
//! | [`opcode`] | one row an operation: number, name, inputs, meaning |
//! | [`parse`](mod@parse) | blob to [`Preshader`] |
//! | [`eval`] | running one |
//! | [`print`](mod@print) | its text |

pub mod eval;
pub mod opcode;
pub mod parse;
pub mod print;

use smallvec::SmallVec;

use crate::ctab::ConstantTable;
pub use eval::{Outputs, Unsupported};
pub use opcode::OpInfo;
pub use parse::{is_expression, parse, parse_blob};
pub use print::{Destination, print};

/// What an operand reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Table {
    /// `imm`: the literals.
    Immediate,
    /// `c`: input constants, named by the preshader's own table.
    Constant,
    /// `i`: inputs of texture shaders.
    Input,
    /// `oc`: the shader's `c#`, or the result of an expression.
    OutputFloat,
    /// `ob`: the shader's `b#`. Offsets are stored times four.
    OutputBool,
    /// `oi`: the shader's `i#`.
    OutputInt,
    /// `r`: temporaries.
    Temporary,
}

impl Table {
    /// The table of that number.
    pub const fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            1 => Self::Immediate,
            2 => Self::Constant,
            3 => Self::Input,
            4 => Self::OutputFloat,
            5 => Self::OutputBool,
            6 => Self::OutputInt,
            7 => Self::Temporary,
            _ => return None,
        })
    }

    /// Its name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Immediate => "imm",
            Self::Constant => "c",
            Self::Input => "i",
            Self::OutputFloat => "oc",
            Self::OutputBool => "ob",
            Self::OutputInt => "oi",
            Self::Temporary => "r",
        }
    }
}

/// A place in a table, in scalars: register times four, plus lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The table.
    pub table: Table,
    /// The scalar.
    pub offset: u32,
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operand {
    /// The first scalar.
    pub place: Place,
    /// What to add to it, in registers.
    pub index: Option<Place>,
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// What it does.
    pub op: &'static OpInfo,
    /// Whether input 0 is one scalar for all components.
    pub scalar: bool,
    /// Components, 1 to 4.
    pub components: u8,
    /// Its inputs.
    pub inputs: SmallVec<[Operand; 3]>,
    /// What it writes. Never indexed.
    pub output: Place,
}

/// What the `PRSI` comment says about the outputs. Informational: instructions name their outputs themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputInfo {
    /// First output register.
    pub first: u32,
    /// Output registers from the first to the last, with the gaps between ranges.
    pub count: u32,
    /// The ranges of output registers that are written: first and count.
    pub ranges: Vec<(u32, u32)>,
}

/// A preshader or an expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Preshader {
    /// Its version word, `46580200` or `46580201` (hexadecimal).
    pub version: u32,
    /// Names of its input constants.
    pub inputs: Option<ConstantTable>,
    /// Its literals.
    pub literals: Vec<f64>,
    /// Its instructions.
    pub instructions: Vec<Instruction>,
    /// What `PRSI` says, where there is one.
    pub output_info: Option<OutputInfo>,
}

/// The registers that a preshader writes: they are not in its shader's own constant table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Writes {
    /// For each `c#` from 0: the lanes, bit 0 for x.
    pub floats: Vec<u8>,
    /// For each `i#` from 0: the lanes.
    pub ints: Vec<u8>,
    /// For each `b#` from 0: whether it is written.
    pub bools: Vec<bool>,
}

impl Preshader {
    /// What it writes, by register.
    pub fn writes(&self) -> Writes {
        let mut writes = Writes::default();
        for instruction in &self.instructions {
            for component in 0..instruction.written() {
                let offset = instruction.output.offset as usize + component as usize;
                let (register, lane) = (offset / 4, 1 << (offset % 4));
                match instruction.output.table {
                    Table::OutputFloat => *at(&mut writes.floats, register) |= lane,
                    Table::OutputInt => *at(&mut writes.ints, register) |= lane,
                    Table::OutputBool => {
                        *at(&mut writes.bools, instruction.output.offset as usize / 4 + component as usize) = true;
                    }
                    Table::Immediate | Table::Constant | Table::Input | Table::Temporary => {}
                }
            }
        }
        writes
    }
}

impl Instruction {
    /// Components that it writes: one for the dot products.
    pub fn written(&self) -> u8 {
        if self.op.is_dot() { 1 } else { self.components }
    }

    /// Components that it reads of input number `input`.
    pub fn read(&self, input: usize) -> u8 {
        if self.op.reads_scalars() || (self.scalar && input == 0) { 1 } else { self.components }
    }
}

/// The entry at `index`, after growing the table to hold it. Parsing bounds output offsets.
fn at<T: Clone + Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if table.len() <= index {
        table.resize(index + 1, T::default());
    }
    &mut table[index]
}
