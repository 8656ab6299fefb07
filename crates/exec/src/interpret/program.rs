//! The predecoded form of an entry point: a list of instructions whose operands are slots.
//!
//! A *slot* holds one scalar of every lane. A value of a vector, matrix, array or struct type takes as many slots in a row
//! as it has scalars; a pointer takes [`POINTER_WORDS`], a handle one. Constants are slots too, filled once.
//!
//! Functions do not recurse, so every function has its own slots and its own variables, and a call is a jump with a return
//! address. Structured control flow became jumps and *masks*: sets of lanes with fixed numbers.

use super::{Error, Options};
use crate::interpret::translate;
use aquatint_base::{HashMap, Span};
use aquatint_ir::eval::{LaneFn, Shape};
use aquatint_ir::op::{AtomicOp, QuadLane, Wave};
use aquatint_ir::types::{TexelFormat, Texture};
use aquatint_ir::{Attr, Binding, Builtin, Io, Module, Op, Scalar, Stage};
use std::ops::Range;

/// Words of a pointer: what it points into (0: nowhere), the offset there, and the strides of the matrix or vector that
/// lies there in a buffer.
pub(super) const POINTER_WORDS: u32 = 3;

/// A run of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Slots {
    pub first: u32,
    pub count: u32,
}

/// A masked copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub to: u32,
    pub from: u32,
    pub count: u32,
}

/// A position in the code: first a label, after translation an index.
pub(super) type Label = u32;
/// The number of a mask.
pub(super) type MaskId = u32;

/// A scalar in a buffer, relative to a pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Bytes.
    pub offset: u32,
    /// Times the pointer's row stride.
    pub row: u8,
    /// Times the pointer's lane stride.
    pub column: u8,
    pub kind: Scalar,
}

/// A step of an `access` that is not known before it runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// A number of words or bytes further; the strides of what lies there.
    Fixed { offset: u32, strides: Option<u64> },
    /// An element of an array of known length.
    Element { index: u32, count: u32, stride: u32 },
    /// An element of a runtime array in a buffer.
    Runtime { index: u32, stride: u32 },
    /// A row of a matrix in a buffer.
    Row { index: u32, count: u32 },
    /// A lane of a vector in a buffer.
    Lane { index: u32, count: u32 },
    /// An element of an array of buffers or handles; `stride` handles each.
    Descriptor { index: u32, count: Option<u32>, stride: u32 },
}

/// Where a pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// Variables, inputs and outputs: words of each lane.
    Lane,
    /// Workgroup memory: words that the lanes share.
    Shared,
    /// Buffers: bytes.
    Buffer,
}

/// An operation that goes through [`aquatint_ir::eval::eval`].
#[derive(Clone, Debug)]
pub(super) struct EvalInst {
    pub op: Op,
    pub attr: Attr,
    pub operands: Vec<(u32, Shape)>,
    pub result: Shape,
    /// Results with their slots, in order.
    pub outs: Vec<Slots>,
    pub flush: bool,
    /// Whether the results are f32 and flushed as well.
    pub flush_out: bool,
}

/// An operand of a texture operation: slots of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arg {
    pub slot: u32,
    pub lanes: u32,
    pub kind: Scalar,
}

/// A texture operation.
#[derive(Clone, Debug)]
pub(super) struct TextureInst {
    pub op: Op,
    pub ty: Texture,
    pub texture: u32,
    pub sampler: u32,
    pub coords: Option<Arg>,
    pub compare: Option<Arg>,
    pub bias: Option<Arg>,
    pub level: Option<Arg>,
    pub gradient: Option<[Arg; 2]>,
    pub offset: Option<Arg>,
    pub offsets: Option<[Arg; 4]>,
    pub clamp: Option<Arg>,
    /// Texel of a store; value of an atomic.
    pub value: Option<Arg>,
    pub atomic: Option<(AtomicOp, Option<Arg>)>,
    pub format: TexelFormat,
    pub component: u8,
    pub out: Option<Arg>,
    /// Whether the level comes from the quad.
    pub implicit: bool,
}

/// An operation over a quad or wave.
#[derive(Clone, Debug)]
pub(super) enum GroupInst {
    Derivative { out: u32, a: u32, count: u32, kind: Scalar, vertical: bool, fine: bool },
    Quad { lane: QuadLane, out: u32, a: Arg, index: Option<u32> },
    Wave { wave: Wave, out: Slots, a: Option<Arg>, b: Option<Arg> },
}

/// An atomic on memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtomicInst {
    pub memory: Memory,
    pub pointer: u32,
    pub op: AtomicOp,
    pub kind: Scalar,
    pub comparand: Option<u32>,
    pub value: u32,
    pub out: Option<u32>,
}

/// The selectors of a `switch`.
#[derive(Clone, Debug, Default)]
pub(super) struct SwitchTable {
    pub cases: HashMap<u64, u32>,
    pub default: u32,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) enum Inst {
    /// All lanes, `count` slots.
    Lane {
        f: LaneFn,
        out: u32,
        a: u32,
        b: u32,
        c: u32,
        count: u32,
    },
    /// As `Lane`, f32 operands flushed; the result too, unless it is a bool.
    LaneFlush {
        f: LaneFn,
        out: u32,
        a: u32,
        b: u32,
        c: u32,
        count: u32,
        flush_out: bool,
    },
    Convert {
        from: Scalar,
        to: Scalar,
        out: u32,
        a: u32,
        count: u32,
    },
    Select {
        out: u32,
        condition: u32,
        wide: bool,
        yes: u32,
        no: u32,
        count: u32,
    },
    Copy {
        out: u32,
        a: u32,
        count: u32,
    },
    Eval(u32),
    ExtractDyn {
        out: u32,
        a: u32,
        index: u32,
        part: u32,
        parts: u32,
    },
    InsertDyn {
        out: u32,
        value: u32,
        index: u32,
        part: u32,
        parts: u32,
    },
    Access {
        out: u32,
        base: u32,
        steps: (u32, u32),
        handle: bool,
    },
    /// The same words in all lanes.
    Pointer {
        out: u32,
        words: [u64; 3],
    },
    /// Masked; `from` is a value, or zeros.
    Init {
        address: u32,
        from: Option<u32>,
        count: u32,
    },
    /// Of lane memory, all lanes.
    LoadStatic {
        out: u32,
        address: u32,
        count: u32,
    },
    /// Of lane memory, masked.
    StoreStatic {
        address: u32,
        a: u32,
        count: u32,
    },
    /// The same place of a buffer for all lanes.
    LoadUniform {
        out: u32,
        pointer: [u64; 3],
        plan: u32,
    },
    Load {
        memory: Memory,
        out: u32,
        pointer: u32,
        count: u32,
        plan: u32,
    },
    Store {
        memory: Memory,
        pointer: u32,
        a: u32,
        count: u32,
        plan: u32,
    },
    LoadRaw {
        out: u32,
        pointer: u32,
        offset: u32,
        plan: u32,
    },
    StoreRaw {
        pointer: u32,
        offset: u32,
        a: u32,
        plan: u32,
    },
    ArrayLength {
        out: u32,
        pointer: u32,
        stride: u32,
    },
    Atomic(u32),
    Counter {
        out: Option<u32>,
        pointer: u32,
        up: bool,
    },
    Texture(u32),
    Group(u32),
    Discard,

    /// Masked copies.
    Moves {
        range: (u32, u32),
    },
    If {
        condition: u32,
        join: MaskId,
        other: MaskId,
        to_else: Label,
    },
    Else {
        other: MaskId,
        to_end: Label,
    },
    /// The active lanes are those of the mask; if there is none, on to the label.
    Join {
        mask: MaskId,
        exit: Label,
    },
    /// The active lanes go over to the mask.
    Leave {
        into: MaskId,
    },
    Terminate,
    Unreachable {
        span: Span,
    },
    Loop {
        exit: MaskId,
        again: MaskId,
    },
    Continuing {
        again: MaskId,
        to_end: Label,
    },
    Back {
        to_body: Label,
        to_end: Label,
    },
    Switch {
        selector: u32,
        case: u32,
        table: u32,
        entry: MaskId,
        join: MaskId,
        fall: MaskId,
    },
    Case {
        case: u32,
        number: u32,
        entry: MaskId,
        fall: MaskId,
        params: Slots,
        to_next: Label,
    },
    Call {
        to: Label,
        returned: MaskId,
    },
    Return {
        returned: MaskId,
    },
}

/// A stage input or output of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// The global's name.
    pub name: String,
    /// Location or built-in, interpolation and the source's name.
    pub io: Io,
    /// The source's name as text, with its number.
    pub usage: Option<(String, u32)>,
    /// Kind of its scalars; of the first one for a struct.
    pub kind: Scalar,
    /// The number of its scalars.
    pub count: usize,
    /// Where it lies in lane memory.
    pub(super) address: u32,
}

/// A resource of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceUse {
    /// The global's name.
    pub name: String,
    /// Where it is bound; `None` is the push-constant block.
    pub binding: Option<Binding>,
    /// The number of consecutive registers, `None` for as many as are bound.
    pub count: Option<u32>,
    /// The texture type, if it is one.
    pub texture: Option<Texture>,
    /// Whether it is a sampler.
    pub sampler: bool,
}

/// An entry point, ready to run. Made once and shared; a [`Machine`](super::Machine) runs it.
#[derive(Debug)]
pub struct Program {
    pub(super) stage: Stage,
    pub(super) workgroup_size: [u32; 3],
    pub(super) early_tests: bool,
    pub(super) options: Options,
    pub(super) code: Vec<Inst>,
    pub(super) start: u32,
    pub(super) moves: Vec<Move>,
    pub(super) evals: Vec<EvalInst>,
    pub(super) textures: Vec<TextureInst>,
    pub(super) groups: Vec<GroupInst>,
    pub(super) atomics: Vec<AtomicInst>,
    pub(super) steps: Vec<Step>,
    pub(super) plans: Vec<Range<u32>>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) switches: Vec<SwitchTable>,
    /// The values of the first slots.
    pub(super) constants: Vec<u64>,
    /// All slots.
    pub(super) slots: u32,
    pub(super) masks: u32,
    /// Words of lane memory; the first `input_words` are inputs.
    pub(super) lane_words: u32,
    pub(super) input_words: u32,
    pub(super) shared_words: u32,
    /// First values of private variables: an address and a run of `init_words`.
    pub(super) inits: Vec<(u32, Range<u32>)>,
    pub(super) init_words: Vec<u64>,
    pub(super) inputs: Vec<Interface>,
    pub(super) outputs: Vec<Interface>,
    pub(super) resources: Vec<ResourceUse>,
    /// The mask of the lanes that returned from the entry point.
    pub(super) returned: MaskId,
}

impl Program {
    /// Translates an entry point with the default [`Options`].
    ///
    /// # Errors
    /// [`Error::NoEntry`], [`Error::TooLarge`], or [`Error::Malformed`] for a module that the verifier would refuse.
    pub fn new(module: &Module, entry: &str) -> Result<Program, Error> {
        Self::with_options(module, entry, Options::default())
    }

    /// Translates an entry point.
    ///
    /// # Errors
    /// As [`Program::new`].
    pub fn with_options(module: &Module, entry: &str, options: Options) -> Result<Program, Error> {
        translate::translate(module, entry, options)
    }

    /// The stage.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Invocations of a workgroup in x, y, z.
    pub fn workgroup_size(&self) -> [u32; 3] {
        self.workgroup_size
    }

    /// Whether depth and stencil tests come before the stage.
    pub fn early_tests(&self) -> bool {
        self.early_tests
    }

    /// The inputs that the program reads, in the order of the module.
    pub fn inputs(&self) -> &[Interface] {
        &self.inputs
    }

    /// The outputs that the program mentions, in the order of the module.
    pub fn outputs(&self) -> &[Interface] {
        &self.outputs
    }

    /// The resources that the program mentions.
    pub fn resources(&self) -> &[ResourceUse] {
        &self.resources
    }

    /// The binding of the resource of that name.
    pub fn binding(&self, name: &str) -> Option<Binding> {
        self.resources.iter().find(|r| r.name == name)?.binding
    }

    /// The input of that location.
    pub fn input_at(&self, location: u32) -> Option<&Interface> {
        self.inputs.iter().find(|i| i.io.location == Some(location))
    }

    /// The output of that location (and blend index 0).
    pub fn output_at(&self, location: u32) -> Option<&Interface> {
        self.outputs.iter().find(|o| o.io.location == Some(location) && o.io.blend_index == 0)
    }

    /// The input that is the built-in.
    pub fn input_builtin(&self, builtin: Builtin) -> Option<&Interface> {
        self.inputs.iter().find(|i| i.io.builtin == Some(builtin))
    }

    /// The output that is the built-in.
    pub fn output_builtin(&self, builtin: Builtin) -> Option<&Interface> {
        self.outputs.iter().find(|o| o.io.builtin == Some(builtin))
    }

    /// Whether the program may take invocations away (`discard` or `terminate`).
    pub fn discards(&self) -> bool {
        self.code.iter().any(|inst| matches!(inst, Inst::Discard | Inst::Terminate))
    }

    /// Whether the program may write to buffers or textures.
    pub fn writes_memory(&self) -> bool {
        self.code.iter().any(|inst| match inst {
            Inst::Store { memory, .. } => *memory == Memory::Buffer,
            Inst::StoreRaw { .. } | Inst::Counter { .. } => true,
            Inst::Atomic(number) => self.atomics.get(*number as usize).is_some_and(|a| a.memory == Memory::Buffer),
            Inst::Texture(number) => self.textures.get(*number as usize).is_some_and(|t| t.value.is_some()),
            _ => false,
        })
    }
}
