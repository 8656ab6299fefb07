//! Element kinds: what one number of a scalar, vector or matrix is (A4, A9.5, A9.6).

use aquatint_ir::Scalar;

/// The kind of one element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Kind {
    /// `bool`.
    Bool,
    /// `min12int`, `min16int`.
    Min16Int,
    /// `min16uint`.
    Min16Uint,
    /// `int16_t`.
    Int16,
    /// `uint16_t`.
    Uint16,
    /// `int`.
    Int,
    /// `uint`, `dword`, the packed byte types.
    Uint,
    /// `int64_t`.
    Int64,
    /// `uint64_t`.
    Uint64,
    /// `min10float`, `min16float`.
    Min16Float,
    /// `float16_t`, and `half` with 16-bit types.
    Half,
    /// `float`, and `half` without 16-bit types.
    Float,
    /// `double`.
    Double,
    /// A literal int, 64-bit signed until it takes another kind (A9.6).
    LitInt,
    /// A literal float, 64-bit until it takes another kind.
    LitFloat,
}

impl Kind {
    /// The spelling in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Min16Int => "min16int",
            Kind::Min16Uint => "min16uint",
            Kind::Int16 => "int16_t",
            Kind::Uint16 => "uint16_t",
            Kind::Int => "int",
            Kind::Uint => "uint",
            Kind::Int64 => "int64_t",
            Kind::Uint64 => "uint64_t",
            Kind::Min16Float => "min16float",
            Kind::Half => "half",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::LitInt => "literal int",
            Kind::LitFloat => "literal float",
        }
    }

    /// Whether it is a float kind.
    pub const fn is_float(self) -> bool {
        matches!(self, Kind::Min16Float | Kind::Half | Kind::Float | Kind::Double | Kind::LitFloat)
    }

    /// Whether it is an integer kind; `bool` is not.
    pub const fn is_int(self) -> bool {
        !self.is_float() && !matches!(self, Kind::Bool)
    }

    /// Whether it is an unsigned integer kind.
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Kind::Min16Uint | Kind::Uint16 | Kind::Uint | Kind::Uint64)
    }

    /// Whether it is a literal kind.
    pub const fn is_literal(self) -> bool {
        matches!(self, Kind::LitInt | Kind::LitFloat)
    }

    /// Whether it is a minimum-precision kind.
    pub const fn is_min(self) -> bool {
        matches!(self, Kind::Min16Int | Kind::Min16Uint | Kind::Min16Float)
    }

    /// Bits of its values, as conversions rank them: minimum precision counts as 16.
    pub const fn width(self) -> u32 {
        match self {
            Kind::Bool => 1,
            Kind::Min16Int | Kind::Min16Uint | Kind::Int16 | Kind::Uint16 | Kind::Min16Float | Kind::Half => 16,
            Kind::Int | Kind::Uint | Kind::Float => 32,
            Kind::Int64 | Kind::Uint64 | Kind::Double | Kind::LitInt | Kind::LitFloat => 64,
        }
    }

    /// The IR scalar that holds it; literals are held as 64-bit values only while constants are computed.
    /// Minimum precision is 16 bits only where 16-bit types are enabled (A4).
    pub const fn scalar(self, native16: bool) -> Scalar {
        match self {
            Kind::Bool => Scalar::Bool,
            Kind::Min16Int if !native16 => Scalar::I32,
            Kind::Min16Uint if !native16 => Scalar::U32,
            Kind::Min16Float if !native16 => Scalar::F32,
            Kind::Min16Int | Kind::Int16 => Scalar::I16,
            Kind::Min16Uint | Kind::Uint16 => Scalar::U16,
            Kind::Min16Float | Kind::Half => Scalar::F16,
            Kind::Int => Scalar::I32,
            Kind::Uint => Scalar::U32,
            Kind::Int64 | Kind::LitInt => Scalar::I64,
            Kind::Uint64 => Scalar::U64,
            Kind::Float => Scalar::F32,
            Kind::Double | Kind::LitFloat => Scalar::F64,
        }
    }

    /// The integer kind of the given width and signedness.
    const fn integer(width: u32, unsigned: bool) -> Kind {
        match (width, unsigned) {
            (16, false) => Kind::Int16,
            (16, true) => Kind::Uint16,
            (64, false) => Kind::Int64,
            (64, true) => Kind::Uint64,
            (_, false) => Kind::Int,
            (_, true) => Kind::Uint,
        }
    }

    /// The kind in which two operands of an arithmetic operator or a comparison meet (A9.5).
    pub fn combine(self, other: Kind) -> Kind {
        let (a, b) = (self, other);
        // (a)
        if a == b {
            return a;
        }
        // (b)
        match (a.is_literal(), b.is_literal()) {
            (true, true) => return Kind::LitFloat,
            (true, false) => return literal_with(a, b),
            (false, true) => return literal_with(b, a),
            (false, false) => {}
        }
        match (a.is_float(), b.is_float()) {
            // (c)
            (true, false) => a,
            (false, true) => b,
            // (d)
            (true, true) => match a.width().cmp(&b.width()) {
                std::cmp::Ordering::Less => b,
                std::cmp::Ordering::Greater => a,
                // One of the two is minimum precision, the other is not.
                std::cmp::Ordering::Equal => Kind::Half,
            },
            // (e), (f)
            (false, false) => match (a, b) {
                (Kind::Bool, other) | (other, Kind::Bool) => other,
                _ if a.is_min() && b.is_min() => Kind::Min16Uint,
                _ => Kind::integer(a.width().max(b.width()), a.is_unsigned() || b.is_unsigned()),
            },
        }
    }

    /// The kind in which arithmetic is done: bool becomes int (A9.5 a).
    pub const fn arithmetic(self) -> Kind {
        match self {
            Kind::Bool => Kind::Int,
            other => other,
        }
    }

    /// What a literal kind becomes where nothing else gives it a kind; a literal int may need more than `int` holds,
    /// see [`resolve_int`].
    pub const fn resolved(self) -> Kind {
        match self {
            Kind::LitInt => Kind::Int,
            Kind::LitFloat => Kind::Float,
            other => other,
        }
    }
}

fn literal_with(literal: Kind, concrete: Kind) -> Kind {
    match (literal, concrete.is_float()) {
        (Kind::LitFloat, false) => Kind::Float,
        (_, _) => concrete,
    }
}

/// The kind that a literal int takes by its value (A9.6).
pub const fn resolve_int(value: i64) -> Kind {
    if value >= i32::MIN as i64 && value <= i32::MAX as i64 {
        Kind::Int
    } else if value >= 0 && value <= u32::MAX as i64 {
        Kind::Uint
    } else {
        Kind::Int64
    }
}

/// How much a conversion of one element costs, low to high (A10.3). A class dominates all below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Rank {
    /// The same kind.
    Identical,
    /// A literal to a kind of its family other than the preferred one.
    Literal,
    /// To a wider kind of the family.
    Promotion,
    /// Between integers otherwise.
    Integer,
    /// Between integers, floats and bool, and to a narrower float.
    Conversion,
}

/// The cost of converting an element.
pub fn rank(from: Kind, to: Kind) -> Rank {
    use Kind::*;
    if from == to {
        return Rank::Identical;
    }
    match (from, to) {
        (LitInt, Int) | (LitFloat, Float) => Rank::Identical,
        (LitInt, to) if to.is_int() => Rank::Literal,
        (LitFloat, to) if to.is_float() => Rank::Literal,
        _ if from.is_float() && to.is_float() && from.width() <= to.width() => Rank::Promotion,
        _ if from.is_int() && to.is_int() => {
            let promotes = from.is_unsigned() == to.is_unsigned() && from.width() <= to.width();
            if promotes { Rank::Promotion } else { Rank::Integer }
        }
        _ => Rank::Conversion,
    }
}

/// Whether an implicit conversion may lose value, which is warning AQ3202 (A9.16).
pub fn narrows(from: Kind, to: Kind) -> bool {
    if from.is_literal() || to == Kind::Bool || from == Kind::Bool {
        return false;
    }
    match (from.is_float(), to.is_float()) {
        (true, false) => true,
        (true, true) | (false, false) => from.width() > to.width() && !(to.is_min() && from.width() <= 32),
        (false, true) => from.width() == 64 && to.width() < 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a9_5_kinds_combine() {
        use Kind::*;
        for (a, b, wanted) in [
            (Int, Int, Int),
            (LitFloat, Int, Float),
            (LitFloat, Bool, Float),
            (LitInt, Half, Half),
            (LitInt, Uint, Uint),
            (LitFloat, Half, Half),
            (LitInt, LitFloat, LitFloat),
            (Int64, Half, Half),
            (Int, Double, Double),
            (Half, Float, Float),
            (Min16Float, Min16Float, Min16Float),
            (Min16Float, Float, Float),
            (Min16Float, LitFloat, Min16Float),
            (Int64, Uint, Uint64),
            (Int, Uint, Uint),
            (Int16, Uint, Uint),
            (Bool, Int, Int),
            (Bool, Uint64, Uint64),
        ] {
            assert_eq!(a.combine(b), wanted, "{a:?} {b:?}");
            assert_eq!(b.combine(a), wanted, "{b:?} {a:?}");
        }
        assert_eq!(Bool.arithmetic(), Int);
    }

    #[test]
    fn a9_6_literal_ints_take_the_first_kind_that_holds_them() {
        assert_eq!(resolve_int(0x7FFF_FFFF), Kind::Int);
        assert_eq!(resolve_int(0xFFFF_FFFF), Kind::Uint);
        assert_eq!(resolve_int(0x1_0000_0000), Kind::Int64);
    }

    #[test]
    fn a10_3_ranks_are_ordered() {
        use Kind::*;
        assert!(rank(Float, Float) < rank(Half, Float));
        assert!(rank(Half, Float) < rank(Uint, Int));
        assert!(rank(Uint, Int) < rank(Int, Float));
        assert_eq!(rank(Double, Float), Rank::Conversion);
        assert_eq!(rank(LitInt, Int), Rank::Identical);
        assert!(rank(LitInt, Uint) < rank(Half, Float));
        assert_eq!(rank(LitInt, Float), Rank::Conversion);
    }
}
