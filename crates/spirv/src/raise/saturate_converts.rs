//! Float to integer: the IR saturates and gives 0 for NaN; SPIR-V leaves what is out of range open.

use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Builder, Function, FunctionId, Module, Op, Value};
use aquatint_passes::Changed;

/// Makes every float-to-integer conversion one of an operand in range. Linear in the module.
pub fn saturate_converts(module: &mut Module) -> Changed {
    let mut changed = false;
    let functions: Vec<FunctionId> = module.functions.ids().collect();
    for function in functions {
        if module.functions[function].insts.iter().any(|(_, inst)| inst.op == Op::Convert) {
            changed |= Builder::edit(module, function, function_converts);
        }
    }
    changed.into()
}

fn is_float_to_int(b: &Builder<'_>, function: &Function, inst: aquatint_ir::InstId) -> Option<(Scalar, Scalar, u8)> {
    if function.insts[inst].op != Op::Convert {
        return None;
    }
    let result = function.result(inst)?;
    let (to, lanes) = types::lanes_of(function.locals[result].ty)?;
    let (from, _) = b.lanes_of(*function.operands(inst).first()?);
    (from.is_float() && to.is_integer()).then_some((from, to, lanes))
}

fn function_converts(b: &mut Builder<'_>) -> bool {
    let mut changed = false;
    let regions: Vec<_> = b.function.regions.ids().collect();
    for region in regions {
        let insts = std::mem::take(&mut b.function.regions[region].insts);
        b.enter(region);
        for inst in insts {
            if let Some((from, to, lanes)) = is_float_to_int(b, b.function, inst) {
                changed = true;
                b.span_of(inst);
                expand(b, inst, from, to, lanes);
            } else {
                b.function.regions[region].insts.push(inst);
            }
        }
    }
    changed
}

fn splat(b: &mut Builder<'_>, kind: Scalar, bits: u64, lanes: u8) -> Value {
    Value::constant(b.constants.vector(kind, &[bits; 4][..usize::from(lanes)]))
}

/// The bits of a number that the float kind holds exactly or that is rounded toward zero.
fn float_bits(kind: Scalar, number: f64) -> u64 {
    match kind {
        Scalar::F64 => number.to_bits(),
        Scalar::F16 => 0x7BFF | if number < 0.0 { 0x8000 } else { 0 },
        _ => {
            let near = number as f32;
            let toward_zero =
                if f64::from(near).abs() > number.abs() { f32::from_bits(near.to_bits() - 1) } else { near };
            u64::from(toward_zero.to_bits())
        }
    }
}

fn expand(b: &mut Builder<'_>, inst: aquatint_ir::InstId, from: Scalar, to: Scalar, lanes: u8) {
    let x = b.function.operands(inst)[0];
    let bits = to.bits();
    let (low, high, max_bits) = if to.is_signed() {
        (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1), (1u64 << (bits - 1)) - 1)
    } else {
        (0.0, 2f64.powi(bits as i32), u64::MAX >> (64 - bits))
    };
    // binary16 ends at 65504, inside every 32-bit and 64-bit range: only its infinities need the clamp.
    let below = float_bits(from, largest_below(from, high));
    let low_value = splat(b, from, if low == 0.0 { 0 } else { float_bits(from, low) }, lanes);
    let high_value = splat(b, from, below, lanes);
    let above_low = b.op(Op::FMax, &[x, low_value]);
    let inside = b.op(Op::FMin, &[above_low, high_value]);
    let converted = b.value(Op::Convert, aquatint_ir::Attr::None, &[inside], types::vector(to, lanes));
    let mut result = converted;
    if from != Scalar::F16 || bits == 16 {
        let limit = splat(b, from, if from == Scalar::F16 { 0x7C00 } else { float_bits(from, high) }, lanes);
        let above = b.op(Op::FGe, &[x, limit]);
        let max = splat(b, to, max_bits, lanes);
        result = b.select(above, max, result);
    }
    if to.is_signed() {
        let nan = b.op(Op::IsNan, &[x]);
        let zero = b.zero(types::vector(to, lanes));
        result = b.select(nan, zero, result);
    }
    // The old instruction keeps its id and its uses as a copy: a bitcast to the type that the value has.
    b.function.operands_mut(inst)[0] = result;
    b.function.insts[inst].op = Op::Bitcast;
    let region = b.region();
    b.function.regions[region].insts.push(inst);
}

/// The largest number of the kind below a power of two.
fn largest_below(kind: Scalar, power: f64) -> f64 {
    match kind {
        Scalar::F64 => f64::from_bits(power.to_bits() - 1),
        Scalar::F16 => 65504.0,
        _ => f64::from(f32::from_bits((power as f32).to_bits() - 1)),
    }
}
