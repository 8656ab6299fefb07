//! Operators and library functions: how operations are spelled, and how tightly they bind.

use aquatint_ir::{Op, Scalar};

/// How tightly an expression binds.
pub(super) mod precedence {
    pub const TERNARY: u8 = 2;
    pub const LOGIC_OR: u8 = 3;
    pub const LOGIC_AND: u8 = 4;
    pub const BIT_OR: u8 = 5;
    pub const BIT_XOR: u8 = 6;
    pub const BIT_AND: u8 = 7;
    pub const EQUALITY: u8 = 8;
    pub const RELATION: u8 = 9;
    pub const SHIFT: u8 = 11;
    pub const SUM: u8 = 12;
    pub const PRODUCT: u8 = 13;
    pub const UNARY: u8 = 15;
    pub const POSTFIX: u8 = 16;
}

use precedence as p;

/// An infix operator.
pub(super) struct Infix {
    pub text: &'static str,
    pub own: u8,
    /// What its operands must bind at least as tightly as.
    pub left: u8,
    pub right: u8,
}

const fn infix(text: &'static str, own: u8) -> Option<Infix> {
    // Mixed bit operators and shifts get parentheses, as compilers ask for.
    let loose = own >= p::BIT_OR && own <= p::BIT_AND || own == p::SHIFT;
    let logic = own == p::LOGIC_OR || own == p::LOGIC_AND;
    let operand = if loose {
        p::UNARY
    } else if logic {
        p::EQUALITY
    } else {
        own
    };
    Some(Infix { text, own, left: operand, right: if loose || logic { operand } else { own + 1 } })
}

pub(super) fn infix_of(op: Op, kind: Scalar) -> Option<Infix> {
    let bool = kind == Scalar::Bool;
    match op {
        Op::FAdd | Op::IAdd => infix(" + ", p::SUM),
        Op::FSub | Op::ISub => infix(" - ", p::SUM),
        Op::FMul | Op::IMul => infix(" * ", p::PRODUCT),
        Op::FDiv | Op::IDiv => infix(" / ", p::PRODUCT),
        Op::IRem => infix(" % ", p::PRODUCT),
        Op::And if bool => infix(" && ", p::LOGIC_AND),
        Op::Or if bool => infix(" || ", p::LOGIC_OR),
        Op::Xor if bool => infix(" != ", p::EQUALITY),
        Op::And => infix(" & ", p::BIT_AND),
        Op::Or => infix(" | ", p::BIT_OR),
        Op::Xor => infix(" ^ ", p::BIT_XOR),
        Op::Shl => infix(" << ", p::SHIFT),
        Op::Shr => infix(" >> ", p::SHIFT),
        Op::FEq | Op::IEq => infix(" == ", p::EQUALITY),
        Op::FNe | Op::INe => infix(" != ", p::EQUALITY),
        Op::FLt | Op::ILt => infix(" < ", p::RELATION),
        Op::FLe | Op::ILe => infix(" <= ", p::RELATION),
        Op::FGt | Op::IGt => infix(" > ", p::RELATION),
        Op::FGe | Op::IGe => infix(" >= ", p::RELATION),
        _ => None,
    }
}

/// Operations that are a library function of the same operands.
pub(super) fn function_of(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Fma => "fma",
        Op::FRem => "fmod",
        Op::FAbs | Op::IAbs => "abs",
        Op::FMin | Op::IMin => "min",
        Op::FMax | Op::IMax => "max",
        Op::FClamp | Op::IClamp => "clamp",
        Op::FSaturate => "saturate",
        Op::Floor => "floor",
        Op::Ceil => "ceil",
        Op::Round => "rint",
        Op::Trunc => "trunc",
        Op::Fract => "fract",
        Op::Sqrt => "sqrt",
        Op::RSqrt => "rsqrt",
        Op::Exp2 => "exp2",
        Op::Log2 => "log2",
        Op::Exp => "exp",
        Op::Log => "log",
        Op::Pow => "pow",
        Op::Sin => "sin",
        Op::Cos => "cos",
        Op::Tan => "tan",
        Op::Asin => "asin",
        Op::Acos => "acos",
        Op::Atan => "atan",
        Op::Atan2 => "atan2",
        Op::Sinh => "sinh",
        Op::Cosh => "cosh",
        Op::Tanh => "tanh",
        Op::FSign => "sign",
        Op::Step => "step",
        Op::Smoothstep => "smoothstep",
        Op::Mix => "mix",
        Op::Ldexp => "ldexp",
        Op::Dot => "dot",
        Op::Cross => "cross",
        Op::Length => "length",
        Op::Distance => "distance",
        Op::Normalize => "normalize",
        Op::Reflect => "reflect",
        Op::Refract => "refract",
        Op::FaceForward => "faceforward",
        Op::IMulHi => "mulhi",
        Op::PopCount => "popcount",
        Op::Reverse => "reverse_bits",
        Op::Any => "any",
        Op::All => "all",
        Op::Transpose => "transpose",
        Op::Determinant => "determinant",
        Op::PackSnorm4x8 => "pack_float_to_snorm4x8",
        Op::UnpackSnorm4x8 => "unpack_snorm4x8_to_float",
        Op::PackUnorm4x8 => "pack_float_to_unorm4x8",
        Op::UnpackUnorm4x8 => "unpack_unorm4x8_to_float",
        Op::PackSnorm2x16 => "pack_float_to_snorm2x16",
        Op::UnpackSnorm2x16 => "unpack_snorm2x16_to_float",
        Op::PackUnorm2x16 => "pack_float_to_unorm2x16",
        Op::UnpackUnorm2x16 => "unpack_unorm2x16_to_float",
        Op::Ddx => "dfdx",
        Op::Ddy => "dfdy",
        _ => return None,
    })
}

/// Functions without a half form compute in float (sheet D11.5).
pub(super) fn lacks_half(op: Op) -> bool {
    matches!(op, Op::Atan2 | Op::Sinh | Op::Cosh | Op::Tanh)
}
