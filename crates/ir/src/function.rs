//! Functions: values, instructions, regions. Data only; [`crate::builder`] edits it.

use crate::constants::ConstantId;
use crate::globals::GlobalId;
use crate::op::{AtomicOp, Barrier, Derivative, Lanes, Op, QuadLane, SampleAttr, Wave};
use crate::types::TypeId;
use aquatint_base::{Arena, HashMap, Id, Name, Span};
use std::fmt;
use std::num::NonZeroU32;

/// The id of an instruction within its function.
pub type InstId = Id<Inst>;
/// The id of a region within its function.
pub type RegionId = Id<Region>;
/// The id of a local value within its function.
pub type LocalId = Id<Local>;
/// The id of a function.
pub type FunctionId = Id<Function>;

/// An operand: a local value of the function, a constant of the module, or a global of the module. 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(NonZeroU32);

/// What a [`Value`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueKind {
    /// A result or parameter.
    Local(LocalId),
    /// A constant.
    Constant(ConstantId),
    /// A pointer to a global, or the handle that it is.
    Global(GlobalId),
}

impl Value {
    const fn tagged(tag: u32, index: usize) -> Self {
        assert!(index < (1 << 30), "a table is full");
        match NonZeroU32::new((index as u32) << 2 | tag) {
            Some(raw) => Value(raw),
            None => unreachable!(),
        }
    }

    /// A local value.
    #[inline]
    pub const fn local(id: LocalId) -> Self {
        Self::tagged(1, id.index())
    }

    /// A constant.
    #[inline]
    pub const fn constant(id: ConstantId) -> Self {
        Self::tagged(2, id.index())
    }

    /// A global.
    #[inline]
    pub const fn global(id: GlobalId) -> Self {
        Self::tagged(3, id.index())
    }

    /// What it is.
    #[inline]
    pub const fn kind(self) -> ValueKind {
        let index = (self.0.get() >> 2) as usize;
        match self.0.get() & 3 {
            1 => ValueKind::Local(Id::new(index)),
            2 => ValueKind::Constant(Id::new(index)),
            _ => ValueKind::Global(Id::new(index)),
        }
    }

    /// The local, if it is one.
    #[inline]
    pub const fn as_local(self) -> Option<LocalId> {
        match self.kind() {
            ValueKind::Local(id) => Some(id),
            _ => None,
        }
    }

    /// The constant, if it is one.
    #[inline]
    pub const fn as_constant(self) -> Option<ConstantId> {
        match self.kind() {
            ValueKind::Constant(id) => Some(id),
            _ => None,
        }
    }

    /// The global, if it is one.
    #[inline]
    pub const fn as_global(self) -> Option<GlobalId> {
        match self.kind() {
            ValueKind::Global(id) => Some(id),
            _ => None,
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ValueKind::Local(id) => write!(f, "%{}", id.index()),
            ValueKind::Constant(id) => write!(f, "const{}", id.index()),
            ValueKind::Global(id) => write!(f, "@{}", id.index()),
        }
    }
}

/// Where a local value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// A result of an instruction.
    Result(InstId, u16),
    /// A parameter of a region. The function's own parameters are those of its body.
    Param(RegionId, u16),
}

/// A local value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its type.
    pub ty: TypeId,
    /// Where it comes from.
    pub def: Def,
}

/// Consecutive entries of one of the function's pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Slice {
    /// First entry.
    pub start: u32,
    /// Number of entries.
    pub len: u32,
}

impl Slice {
    /// As a range of indices.
    #[inline]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// What an instruction says beyond its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Attr {
    /// Nothing.
    #[default]
    None,
    /// `extract`, `insert`: the part. `gather`: see [`Attr::Gather`].
    Index(u32),
    /// `shuffle`.
    Lanes(Lanes),
    /// `sample`.
    Sample(SampleAttr),
    /// `gather`: flags and component.
    Gather(SampleAttr, u8),
    /// `fetch`: which of level, sample, offset follow. Uses [`SampleAttr::LEVEL`] and [`SampleAttr::OFFSET`]; the sample
    /// number of a multisampled texture takes the place of the level.
    Fetch(SampleAttr),
    /// `ddx`, `ddy`.
    Derivative(Derivative),
    /// `atomic`, `image.atomic`.
    Atomic(AtomicOp),
    /// `counter.add`: +1 (true) or -1.
    Counter(bool),
    /// `quad`.
    Quad(QuadLane),
    /// `wave`.
    Wave(Wave),
    /// `barrier`.
    Barrier(Barrier),
    /// `switch`.
    Cases(Id<Cases>),
    /// `call`.
    Function(FunctionId),
}

/// The selectors of a switch, one entry a region.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cases {
    /// Bits of the selector values that lead to each region, and whether it is the default.
    pub regions: Vec<Case>,
}

/// The selectors of one region of a switch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Case {
    /// Values, as bits of the selector's type.
    pub values: Vec<u64>,
    /// Whether other values lead here as well. Exactly one region of a switch is the default.
    pub default: bool,
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// No contraction, no reassociation; the same in every shader.
    pub precise: bool,
    /// 16 bits of precision are enough.
    pub relaxed: bool,
    /// What it says beyond its operands.
    pub attr: Attr,
    /// Operands, in [`Function::operands`].
    pub operands: Slice,
    /// Results: consecutive locals.
    pub results: Slice,
    /// Regions, in [`Function::owned`].
    pub regions: Slice,
    /// Where it comes from, in [`Function::spans`]; 0 is no position.
    pub span: u32,
}

/// A list of instructions that ends in a terminator.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Region {
    /// Parameters: consecutive locals.
    pub params: Slice,
    /// Instructions in order.
    pub insts: Vec<InstId>,
}

/// A function. Entries of the tables that no region reaches are garbage and mean nothing.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The type of its result, or void.
    pub result: TypeId,
    /// Its body; the parameters are the body's.
    pub body: RegionId,
    /// All values.
    pub locals: Arena<Local>,
    /// All instructions.
    pub insts: Arena<Inst>,
    /// All regions.
    pub regions: Arena<Region>,
    /// The pool of operands.
    pub operands: Vec<Value>,
    /// The pool of owned regions.
    pub owned: Vec<RegionId>,
    /// The selectors of switches.
    pub cases: Arena<Cases>,
    /// The source's names of values, where known.
    pub names: HashMap<LocalId, Name>,
    /// Positions; entry 0 is [`Span::NONE`].
    pub spans: Vec<Span>,
}

impl Function {
    /// A function with an empty body.
    pub fn new(name: Name, result: TypeId) -> Self {
        let mut regions = Arena::new();
        let body = regions.push(Region::default());
        Self {
            name,
            result,
            body,
            locals: Arena::new(),
            insts: Arena::new(),
            regions,
            operands: Vec::new(),
            owned: Vec::new(),
            cases: Arena::new(),
            names: HashMap::default(),
            spans: vec![Span::NONE],
        }
    }

    /// What stands in a module's table while a function is taken out to be edited: it has no body, and costs nothing to make.
    pub fn placeholder() -> Self {
        Self {
            name: Name::EMPTY,
            result: crate::types::VOID,
            body: Id::new(0),
            locals: Arena::new(),
            insts: Arena::new(),
            regions: Arena::new(),
            operands: Vec::new(),
            owned: Vec::new(),
            cases: Arena::new(),
            names: HashMap::default(),
            spans: Vec::new(),
        }
    }

    /// The operands of an instruction.
    #[inline]
    pub fn operands(&self, inst: InstId) -> &[Value] {
        &self.operands[self.insts[inst].operands.range()]
    }

    /// The operands of an instruction, to change in place.
    #[inline]
    pub fn operands_mut(&mut self, inst: InstId) -> &mut [Value] {
        let range = self.insts[inst].operands.range();
        &mut self.operands[range]
    }

    /// The regions of an instruction.
    #[inline]
    pub fn regions_of(&self, inst: InstId) -> &[RegionId] {
        &self.owned[self.insts[inst].regions.range()]
    }

    /// The results of an instruction.
    pub fn results(&self, inst: InstId) -> impl ExactSizeIterator<Item = LocalId> + DoubleEndedIterator + use<> {
        self.insts[inst].results.range().map(Id::new)
    }

    /// The first result of an instruction.
    pub fn result(&self, inst: InstId) -> Option<LocalId> {
        self.results(inst).next()
    }

    /// The parameters of a region.
    pub fn params(&self, region: RegionId) -> impl ExactSizeIterator<Item = LocalId> + DoubleEndedIterator + use<> {
        self.regions[region].params.range().map(Id::new)
    }

    /// The instruction that a local is a result of; `None` for parameters.
    #[inline]
    pub fn def_inst(&self, local: LocalId) -> Option<InstId> {
        match self.locals[local].def {
            Def::Result(inst, _) => Some(inst),
            Def::Param(..) => None,
        }
    }

    /// The position of an instruction.
    pub fn span(&self, inst: InstId) -> Span {
        self.spans.get(self.insts[inst].span as usize).copied().unwrap_or(Span::NONE)
    }

    /// The terminator of a region, if it ends in one.
    pub fn terminator(&self, region: RegionId) -> Option<InstId> {
        self.regions[region].insts.last().copied().filter(|&i| self.insts[i].op.is_terminator())
    }
}
