//! Alpha test: Direct3D 9 discards a pixel whose alpha fails a comparison after the shader; Metal and Vulkan have no such
//! state (runtime sheet 7.3).

use super::{extras, outputs};
use aquatint_ir::{Attr, Builder, Module, Op, Value};

/// D3DCMPFUNC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum CompareFunction {
    /// Always fails.
    Never = 1,
    /// `a < reference`.
    Less = 2,
    /// `a == reference`.
    Equal = 3,
    /// `a <= reference`.
    LessEqual = 4,
    /// `a > reference`.
    Greater = 5,
    /// `a != reference`.
    NotEqual = 6,
    /// `a >= reference`.
    GreaterEqual = 7,
    /// Always passes.
    Always = 8,
}

impl CompareFunction {
    /// All eight, in the order of their numbers.
    pub const ALL: [CompareFunction; 8] = [
        CompareFunction::Never,
        CompareFunction::Less,
        CompareFunction::Equal,
        CompareFunction::LessEqual,
        CompareFunction::Greater,
        CompareFunction::NotEqual,
        CompareFunction::GreaterEqual,
        CompareFunction::Always,
    ];

    /// The function of a D3DCMPFUNC number, 1 to 8.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get((number as usize).checked_sub(1)?).copied()
    }

    /// `never`, `less`, `equal`, `lessequal`, `greater`, `notequal`, `greaterequal`, `always`.
    pub const fn name(self) -> &'static str {
        match self {
            CompareFunction::Never => "never",
            CompareFunction::Less => "less",
            CompareFunction::Equal => "equal",
            CompareFunction::LessEqual => "lessequal",
            CompareFunction::Greater => "greater",
            CompareFunction::NotEqual => "notequal",
            CompareFunction::GreaterEqual => "greaterequal",
            CompareFunction::Always => "always",
        }
    }
}

/// Parameters of the pass.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaTest {
    /// The comparison.
    pub function: CompareFunction,
    /// The reference, 0–255; where absent it is read from the driver's block.
    pub reference: Option<f32>,
}

/// Discards pixels of target 0 whose alpha × 255 fails the comparison. A shader without target 0 stays as it is.
pub fn alpha_test(module: &mut Module, options: &AlphaTest) {
    let Some(target) = outputs::color_target(module, 0) else { return };
    if options.function == CompareFunction::Always {
        return;
    }
    let uniform = options.function != CompareFunction::Never && options.reference.is_none();
    let block = uniform.then(|| outputs::pixel_extras(module));
    outputs::before_stores(module, target, |b, color| {
        let fails = fails(b, color, options, block);
        discard_if(b, fails);
        color
    });
}

fn fails(b: &mut Builder<'_>, color: Value, options: &AlphaTest, block: Option<aquatint_ir::GlobalId>) -> Value {
    let op = match options.function {
        CompareFunction::Never => return b.bool(true),
        CompareFunction::Always => return b.bool(false),
        CompareFunction::Less => Op::FLt,
        CompareFunction::Equal => Op::FEq,
        CompareFunction::LessEqual => Op::FLe,
        CompareFunction::Greater => Op::FGt,
        CompareFunction::NotEqual => Op::FNe,
        CompareFunction::GreaterEqual => Op::FGe,
    };
    let alpha = b.extract(color, 3);
    let scale = b.f32(255.0);
    let alpha = b.op(Op::FMul, &[alpha, scale]);
    let reference = match (options.reference, block) {
        (Some(fixed), _) => b.f32(fixed.clamp(0.0, 255.0)),
        (None, Some(block)) => outputs::load_member(b, block, extras::ALPHA_REF),
        (None, None) => b.f32(0.0),
    };
    let holds = b.op(op, &[alpha, reference]);
    b.op(Op::Not, &[holds])
}

/// `if condition { discard }`.
fn discard_if(b: &mut Builder<'_>, condition: Value) {
    let (then, other) = (b.new_region(&[]), b.new_region(&[]));
    let outer = b.enter(then);
    b.push(Op::Discard, Attr::None, &[], &[]);
    b.terminate(Op::Yield, &[]);
    b.enter(other);
    b.terminate(Op::Yield, &[]);
    b.enter(outer);
    b.push_if(condition, then, other, &[]);
}
