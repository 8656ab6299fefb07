//! What an expression is while it is lowered: a literal, a value, a place in memory, an object, or an error.

use crate::layout::Rule;
use crate::types::{self, Kind, Ty};
use aquatint_base::Span;
use aquatint_ir::Value;
use smallvec::SmallVec;

/// An expression that has been checked, and its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its type.
    pub ty: Ty,
    /// What it is.
    pub node: Node,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Node {
    /// Erroneous; a message was given.
    Error,
    /// Of type void.
    Void,
    /// A literal int (A9.6).
    Int(i64),
    /// A literal float.
    Float(f64),
    /// A string.
    String,
    /// A value, held in the IR type that [`crate::layout::Layouts::value`] gives.
    Value(Value),
    /// A place.
    Place(Box<Place>),
    /// An object, or an array of objects.
    Object(Object),
    /// A brace list.
    List(Vec<Expr>),
    /// A variable whose struct holds objects, by index.
    Record(usize),
    /// `t.mips` or `t.mips[level]`, `t.sample` or `t.sample[index]` (A5.4).
    Levels(Object, Option<Value>),
}

impl Expr {
    /// An erroneous expression.
    pub fn error(span: Span) -> Self {
        Self { ty: types::ERROR, node: Node::Error, span }
    }

    /// One of type void.
    pub fn void(span: Span) -> Self {
        Self { ty: types::VOID, node: Node::Void, span }
    }

    /// A value.
    pub fn value(ty: Ty, value: Value, span: Span) -> Self {
        Self { ty, node: Node::Value(value), span }
    }

    /// A place.
    pub fn place(ty: Ty, place: Place, span: Span) -> Self {
        Self { ty, node: Node::Place(Box::new(place)), span }
    }

    /// Whether a message was given.
    pub fn is_error(&self) -> bool {
        self.ty == types::ERROR
    }

    /// The place, if it is one.
    pub fn as_place(&self) -> Option<&Place> {
        match &self.node {
            Node::Place(place) => Some(place),
            _ => None,
        }
    }
}

/// A resource, or one of an array of resources.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Object {
    /// The resource, by index in the table; `None` in a function that is only checked.
    pub resource: Option<usize>,
    /// The element of a resource array, flattened.
    pub index: Option<Value>,
}

/// Why something is not assignable (AQ3007).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lock {
    /// Declared const.
    Const,
    /// A member of a constant buffer or another read-only resource.
    ReadOnly,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where.
    pub base: Base,
    /// Which part of what lies there.
    pub part: Part,
    /// The rule by which it lies in a buffer; `None` in variables.
    pub rule: Option<Rule>,
    /// Why it may not be written.
    pub lock: Option<Lock>,
    /// Stores must be precise.
    pub precise: bool,
}

/// The memory of a place.
#[derive(Clone, Debug)]
pub enum Base {
    /// A pointer.
    Pointer(Value),
    /// A part of one of an array of buffers, chosen by a value: each use is a switch.
    Chosen {
        /// The resource.
        resource: usize,
        /// Which buffer.
        which: Value,
        /// Steps from the buffer to the part.
        steps: SmallVec<[Value; 4]>,
    },
    /// A texel.
    Texel {
        /// Of what.
        object: Object,
        /// Integer coordinates with the layer.
        at: Value,
        /// Level or sample number.
        level: Option<Value>,
        /// Type of the element.
        element: Ty,
    },
}

/// A part of a vector or matrix.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// All.
    Whole,
    /// Lanes of a vector or scalar.
    Lanes {
        /// Element kind.
        kind: Kind,
        /// How many lanes lie there.
        of: u8,
        /// Which.
        lanes: SmallVec<[u8; 4]>,
    },
    /// Elements of a matrix.
    Cells {
        /// Element kind.
        kind: Kind,
        /// Rows of the matrix.
        rows: u8,
        /// Columns of the matrix.
        columns: u8,
        /// Row and column of each.
        cells: SmallVec<[(u8, u8); 4]>,
    },
    /// Bits of an integer.
    Bits {
        /// Kind of the storage unit.
        kind: Kind,
        /// Lowest bit.
        low: u32,
        /// Number of bits.
        width: u32,
    },
    /// A lane by a dynamic index, of what lies there.
    Dynamic {
        /// Element kind.
        kind: Kind,
        /// How many lanes lie there.
        of: u8,
        /// Which lane.
        index: Value,
    },
}

impl Place {
    /// All that a pointer points to.
    pub fn pointer(pointer: Value) -> Self {
        Self { base: Base::Pointer(pointer), part: Part::Whole, rule: None, lock: None, precise: false }
    }
}
