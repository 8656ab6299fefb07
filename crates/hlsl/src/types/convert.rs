//! Shapes, and what converting a whole type costs (A9.4, A10.3).

use super::kind::{Rank, rank};
use super::{Kind, Ty, Type, Types};

/// The shape of a scalar, vector or matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// One element.
    Scalar,
    /// 2 to 4 elements.
    Vector(u8),
    /// Rows and columns, 1 to 4.
    Matrix(u8, u8),
}

impl Shape {
    /// The number of elements.
    pub const fn count(self) -> u8 {
        match self {
            Shape::Scalar => 1,
            Shape::Vector(n) => n,
            Shape::Matrix(r, c) => r * c,
        }
    }

    /// A matrix of one element is a scalar, one of a line a vector: the shape that decides how a value is held (A4.3).
    pub const fn held(self) -> Shape {
        match self {
            Shape::Matrix(1, 1) => Shape::Scalar,
            Shape::Matrix(1, n) | Shape::Matrix(n, 1) => Shape::Vector(n),
            other => other,
        }
    }

    /// The shape in which two operands meet, and whether one loses elements (A9.4). `None` where none fits.
    pub fn combine(self, other: Shape) -> Option<(Shape, bool)> {
        use Shape::*;
        if self == other {
            return Some((self, false));
        }
        match (self, other) {
            (Scalar, shape) | (shape, Scalar) => Some((shape, false)),
            (Matrix(1, 1), shape) | (shape, Matrix(1, 1)) => Some((shape, false)),
            (Vector(a), Vector(b)) => Some((Vector(a.min(b)), true)),
            (Matrix(r, c), Matrix(s, d)) => {
                if r <= s && c <= d {
                    Some((self, true))
                } else if r >= s && c >= d {
                    Some((other, true))
                } else {
                    None
                }
            }
            (Vector(n), Matrix(r, c)) | (Matrix(r, c), Vector(n)) => {
                (n == r * c && (r == 1 || c == 1)).then_some((Vector(n), false))
            }
        }
    }

    /// How a value of this shape becomes one of another without a cast (A9.4).
    pub fn to(self, target: Shape) -> Option<Change> {
        use Shape::*;
        if self == target {
            return Some(Change::None);
        }
        match (self, target) {
            (Scalar, _) | (Matrix(1, 1), _) => Some(if target.count() == 1 { Change::None } else { Change::Splat }),
            (Vector(_) | Matrix(..), Scalar | Matrix(1, 1)) => Some(Change::Truncate),
            (Vector(a), Vector(b)) => (a > b).then_some(Change::Truncate),
            (Matrix(r, c), Matrix(s, d)) => (s <= r && d <= c).then_some(Change::Truncate),
            (Vector(n), Matrix(r, c)) | (Matrix(r, c), Vector(n)) => {
                (n == r * c && (r == 1 || c == 1)).then_some(Change::None)
            }
        }
    }
}

/// What happens to a shape in a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing.
    None,
    /// One element fills all.
    Splat,
    /// Elements are dropped, which is warning AQ3201.
    Truncate,
}

/// The cost of an implicit conversion. Costs add up over arguments; a higher class dominates (A10.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Default)]
pub struct Cost(pub u64);

impl Cost {
    /// Nothing to do.
    pub const ZERO: Cost = Cost(0);
    /// A bit field a class, each wide enough for the 256 arguments that a call has at most (F4).
    const WIDTH: u32 = 9;

    const fn class(class: u32) -> u64 {
        1 << (class * Self::WIDTH)
    }

    /// The cost of one element and shape change.
    pub fn of(rank: Rank, change: Change) -> Cost {
        let element = match rank {
            Rank::Identical => 0,
            Rank::Literal => Self::class(0),
            Rank::Promotion => Self::class(2),
            Rank::Integer => Self::class(3),
            Rank::Conversion => Self::class(4),
        };
        let shape = match change {
            Change::None => 0,
            Change::Splat => Self::class(1),
            Change::Truncate => Self::class(5),
        };
        Cost(element + shape)
    }

    /// Sum over arguments.
    #[must_use]
    pub const fn plus(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

impl Types {
    /// The cost of converting implicitly; `None` where there is no such conversion. The error type converts freely.
    pub fn conversion(&mut self, from: Ty, to: Ty) -> Option<Cost> {
        if from == to {
            return Some(Cost::ZERO);
        }
        match (self.get(from), self.get(to)) {
            (Type::Error, _) | (_, Type::Error) => return Some(Cost::ZERO),
            // No implicit conversion to an enum, or from a scoped one.
            (_, Type::Enum(_)) => return None,
            (Type::Enum(id), _) if self.enums[id].scoped => return None,
            _ => {}
        }
        if let (Some((a, from_shape)), Some((b, to_shape))) = (self.numeric(from), self.numeric(to)) {
            let change = from_shape.to(to_shape)?;
            let mut element = rank(a, b);
            // An enum is no int: a parameter of its own type is better.
            if matches!(self.get(from), Type::Enum(_)) && element == Rank::Identical {
                element = Rank::Promotion;
            }
            return Some(Cost::of(element, change));
        }
        if self.canonical(from) == self.canonical(to) {
            return Some(Cost::ZERO);
        }
        // A struct converts to its base.
        let mut base = self.structure(from).and_then(|(_, s)| s.base);
        let mut steps = 0;
        while let Some(ty) = base {
            if ty == to {
                return Some(Cost::of(Rank::Promotion, Change::None));
            }
            base = self.structure(ty).and_then(|(_, s)| s.base);
            steps += 1;
            if steps > super::MAX_DEPTH {
                return None;
            }
        }
        None
    }

    /// The type in which two operands meet, and whether one of them is truncated (A9.3).
    pub fn combine(&mut self, a: Ty, b: Ty) -> Option<(Kind, Shape, bool)> {
        let ((ka, sa), (kb, sb)) = (self.numeric(a)?, self.numeric(b)?);
        let (shape, truncates) = sa.combine(sb)?;
        Some((ka.combine(kb), shape, truncates))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BOOL, FLOAT, INT, UINT, scalar};
    use super::*;

    #[test]
    fn a9_4_shapes_combine() {
        use Shape::*;
        for (a, b, wanted) in [
            (Scalar, Vector(3), Some((Vector(3), false))),
            (Vector(4), Vector(2), Some((Vector(2), true))),
            (Matrix(4, 4), Matrix(3, 3), Some((Matrix(3, 3), true))),
            (Matrix(4, 3), Matrix(3, 4), None),
            (Vector(3), Matrix(1, 3), Some((Vector(3), false))),
            (Vector(4), Matrix(2, 2), None),
            (Scalar, Matrix(2, 3), Some((Matrix(2, 3), false))),
        ] {
            assert_eq!(a.combine(b), wanted);
            assert_eq!(b.combine(a), wanted);
        }
    }

    #[test]
    fn a9_4_nothing_widens_but_a_scalar() {
        use Shape::*;
        assert_eq!(Vector(2).to(Vector(3)), None);
        assert_eq!(Scalar.to(Vector(3)), Some(Change::Splat));
        assert_eq!(Matrix(4, 4).to(Matrix(3, 4)), Some(Change::Truncate));
        assert_eq!(Matrix(2, 2).to(Vector(4)), None);
    }

    #[test]
    fn a10_3_costs_are_ordered_and_never_overflow_into_each_other() {
        let mut types = Types::new();
        let float3 = types.vector(Kind::Float, 3);
        let half = scalar(Kind::Half);
        let ordered = [(FLOAT, FLOAT), (FLOAT, float3), (half, FLOAT), (UINT, INT), (INT, FLOAT), (float3, FLOAT)]
            .map(|(from, to)| types.conversion(from, to));
        for pair in ordered.windows(2) {
            assert!(pair[0] < pair[1], "{ordered:?}");
        }
        let many = (0..256).fold(Cost::ZERO, |sum, _| sum.plus(ordered[1].unwrap_or_default()));
        assert!(many < ordered[2].unwrap_or_default());
        assert_eq!(types.conversion(BOOL, super::super::VOID), None);
    }
}
