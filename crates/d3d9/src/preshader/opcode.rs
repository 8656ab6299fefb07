//! The operations: one row each.

/// What an operation computes for one component.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// Of one input.
    Unary(fn(f64) -> f64),
    /// Of two.
    Binary(fn(f64, f64) -> f64),
    /// Of three.
    Ternary(fn(f64, f64, f64) -> f64),
    /// The sum of the products of both inputs' components: one result.
    Dot,
    /// The same with each component an input of its own: a0 … b0 …, 6 or 8 inputs.
    DotScalars,
    /// Named in text, not evaluated.
    Unsupported,
}

impl std::fmt::Debug for Meaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unary(_) => "Unary",
            Self::Binary(_) => "Binary",
            Self::Ternary(_) => "Ternary",
            Self::Dot => "Dot",
            Self::DotScalars => "DotScalars",
            Self::Unsupported => "Unsupported",
        })
    }
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// Bits 30:20 of its first word.
    pub number: u16,
    /// Its name in text.
    pub name: &'static str,
    /// What it computes.
    pub meaning: Meaning,
}

impl PartialEq for OpInfo {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl OpInfo {
    /// The operation of that number.
    pub fn find(number: u16) -> Option<&'static Self> {
        OPS.binary_search_by_key(&number, |op| op.number).ok().and_then(|i| OPS.get(i))
    }

    /// Whether it takes that many inputs.
    pub fn takes(&self, inputs: usize) -> bool {
        match self.meaning {
            Meaning::Unary(_) => inputs == 1,
            Meaning::Binary(_) | Meaning::Dot => inputs == 2,
            Meaning::Ternary(_) => inputs == 3,
            Meaning::DotScalars => inputs == 6 || inputs == 8,
            Meaning::Unsupported => inputs <= 8,
        }
    }

    /// Whether it gives one result whatever its component count.
    pub fn is_dot(&self) -> bool {
        matches!(self.meaning, Meaning::Dot | Meaning::DotScalars)
    }

    /// Whether every input is one scalar.
    pub fn reads_scalars(&self) -> bool {
        matches!(self.meaning, Meaning::DotScalars)
    }
}

/// `div`: no native compiler emits it, and the native evaluator gives 0.
pub const DIV: u16 = 0x208;

/// A NaN with its sign bit set: what the native evaluator gives outside the domain of asin and acos.
const NEGATIVE_NAN: f64 = f64::from_bits(0xFFF8_0000_0000_0000);

fn inside(x: f64, f: fn(f64) -> f64) -> f64 {
    if (-1.0..=1.0).contains(&x) { f(x) } else { NEGATIVE_NAN }
}

/// The native answers show a root that was rounded to single precision before the division.
fn rsq(x: f64) -> f64 {
    1.0 / f64::from(x.abs().sqrt() as f32)
}

const fn op(number: u16, name: &'static str, meaning: Meaning) -> OpInfo {
    OpInfo { number, name, meaning }
}

use Meaning::{Binary, Dot, DotScalars, Ternary, Unary, Unsupported};

/// All operations by number. Those that only compilers of fx_4 and fx_5 emit are named and not evaluated.
pub static OPS: &[OpInfo] = &[
    op(0x100, "mov", Unary(|a| a)),
    op(0x101, "neg", Unary(|a| -a)),
    op(0x103, "rcp", Unary(|a| 1.0 / a)),
    op(0x104, "frc", Unary(|a| a - a.floor())),
    op(0x105, "exp", Unary(f64::exp2)),
    op(0x106, "log", Unary(|a| if a == 0.0 { 0.0 } else { a.abs().log2() })),
    op(0x107, "rsq", Unary(rsq)),
    op(0x108, "sin", Unary(f64::sin)),
    op(0x109, "cos", Unary(f64::cos)),
    op(0x10A, "asin", Unary(|a| inside(a, f64::asin))),
    op(0x10B, "acos", Unary(|a| inside(a, f64::acos))),
    op(0x10C, "atan", Unary(f64::atan)),
    op(0x112, "sqrt", Unary(f64::sqrt)),
    op(0x120, "ineg", Unsupported),
    op(0x121, "not", Unsupported),
    op(0x130, "itof", Unsupported),
    op(0x131, "utof", Unsupported),
    op(0x132, "ftoi", Unsupported),
    op(0x133, "ftou", Unsupported),
    op(0x134, "btof", Unsupported),
    op(0x135, "btoi", Unsupported),
    op(0x136, "itob", Unsupported),
    op(0x137, "ftob", Unsupported),
    op(0x138, "round", Unary(f64::round_ties_even)),
    op(0x139, "floor", Unary(f64::floor)),
    op(0x13A, "ceil", Unary(f64::ceil)),
    op(0x200, "min", Binary(f64::min)),
    op(0x201, "max", Binary(f64::max)),
    op(0x202, "lt", Binary(|a, b| f64::from(a < b))),
    op(0x203, "ge", Binary(|a, b| f64::from(a >= b))),
    op(0x204, "add", Binary(|a, b| a + b)),
    op(0x205, "mul", Binary(|a, b| a * b)),
    op(0x206, "atan2", Binary(f64::atan2)),
    op(DIV, "div", Binary(|a, b| a / b)),
    op(0x210, "bilt", Unsupported),
    op(0x211, "bige", Unsupported),
    op(0x212, "bieq", Unsupported),
    op(0x213, "bine", Unsupported),
    op(0x214, "buge", Unsupported),
    op(0x215, "bult", Unsupported),
    op(0x216, "iadd", Unsupported),
    op(0x219, "imul", Unsupported),
    op(0x21A, "udiv", Unsupported),
    op(0x21D, "imin", Unsupported),
    op(0x21E, "imax", Unsupported),
    op(0x21F, "umin", Unsupported),
    op(0x220, "umax", Unsupported),
    op(0x230, "and", Unsupported),
    op(0x231, "or", Unsupported),
    op(0x233, "xor", Unsupported),
    op(0x234, "ishl", Unsupported),
    op(0x235, "ishr", Unsupported),
    op(0x236, "ushr", Unsupported),
    op(0x300, "cmp", Ternary(|a, b, c| if a >= 0.0 { b } else { c })),
    op(0x301, "movc", Ternary(|a, b, c| if a != 0.0 { b } else { c })),
    op(0x500, "dot", Dot),
    op(0x502, "noise", Unsupported),
    op(0x70E, "d3ds_dotswiz", DotScalars),
    op(0x711, "d3ds_noiseswiz", Unsupported),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_each_number_stands_once() {
        assert!(OPS.windows(2).all(|pair| pair[0].number < pair[1].number));
        assert_eq!(OpInfo::find(0x205).map(|op| op.name), Some("mul"));
        assert_eq!(OpInfo::find(0x102), None);
    }
}
