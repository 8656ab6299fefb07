//! Replacing instructions of some operations by others, all over a module.

use aquatint_ir::{Builder, FunctionId, InstId, LocalId, Module, Op, Value};
use aquatint_passes::{Changed, OpSet};
use smallvec::SmallVec;

/// What stands for the results of an instruction.
pub type Results = SmallVec<[Value; 2]>;

/// Hands each instruction of the operations to `visit`, which appends what goes before it. Where it returns values the
/// instruction goes and they stand for its results; else it stays. Linear.
pub fn replace(
    module: &mut Module,
    ops: OpSet,
    mut visit: impl FnMut(&mut Builder<'_>, Op, &[Value], InstId) -> Option<Results>,
) -> Changed {
    let functions: Vec<FunctionId> = module.functions.ids().collect();
    let mut changed = false;
    for function in functions {
        if module.functions[function].insts.as_slice().iter().any(|inst| ops.has(inst.op)) {
            changed |= Builder::edit(module, function, |b| in_function(b, ops, &mut visit));
        }
    }
    changed.into()
}

fn in_function(
    b: &mut Builder<'_>,
    ops: OpSet,
    visit: &mut impl FnMut(&mut Builder<'_>, Op, &[Value], InstId) -> Option<Results>,
) -> bool {
    let mut stands: Vec<Option<Value>> = Vec::new();
    let mut changed = false;
    let regions: Vec<_> = b.function.regions.ids().collect();
    for region in regions {
        if !b.function.regions[region].insts.iter().any(|&i| ops.has(b.function.insts[i].op)) {
            continue;
        }
        let insts = std::mem::take(&mut b.function.regions[region].insts);
        b.function.regions[region].insts.reserve(insts.len() + 8);
        b.enter(region);
        for inst in insts {
            let data = b.function.insts[inst];
            let values = ops.has(data.op).then(|| {
                b.span_of(inst);
                b.set_precise(data.precise);
                let operands: SmallVec<[Value; 4]> = SmallVec::from_slice(b.function.operands(inst));
                visit(b, data.op, &operands, inst)
            });
            match values.flatten() {
                Some(values) => {
                    changed = true;
                    b.function.results(inst).zip(values).for_each(|(l, v)| set(&mut stands, l, v));
                }
                None => b.function.regions[region].insts.push(inst),
            }
        }
    }
    b.set_precise(false);
    if stands.is_empty() {
        return changed;
    }
    for operand in &mut b.function.operands {
        // What stands for a value was there before it or was made for it, so this ends.
        while let Some(local) = operand.as_local()
            && let Some(Some(value)) = stands.get(local.index())
        {
            *operand = *value;
        }
    }
    changed
}

fn set(stands: &mut Vec<Option<Value>>, local: LocalId, value: Value) {
    if stands.len() <= local.index() {
        stands.resize(local.index() + 1, None);
    }
    stands[local.index()] = Some(value);
}

/// One value.
pub fn one(value: Value) -> Option<Results> {
    Some(SmallVec::from_slice(&[value]))
}

/// A constant of the kind and shape of a value, from bits.
pub fn splat_bits(b: &mut Builder<'_>, like: Value, bits: u64) -> Value {
    let (kind, lanes) = b.lanes_of(like);
    Value::constant(b.constants.vector(kind, &[bits; 4][..usize::from(lanes)]))
}

/// A float constant of the kind and shape of a value. The number must be exact in the kind.
pub fn splat_float(b: &mut Builder<'_>, like: Value, number: f64) -> Value {
    use aquatint_ir::types::Scalar;
    let bits = match b.lanes_of(like).0 {
        Scalar::F16 => u64::from(aquatint_ir::eval::f16_from_f64(number)),
        Scalar::F64 => number.to_bits(),
        _ => u64::from((number as f32).to_bits()),
    };
    splat_bits(b, like, bits)
}

/// Whether a value is a constant all of whose lanes satisfy `test`, as bits.
pub fn lanes_are(b: &Builder<'_>, value: Value, test: impl Fn(u64) -> bool) -> bool {
    let (_, lanes) = b.lanes_of(value);
    value
        .as_constant()
        .and_then(|id| b.constants.get(id))
        .is_some_and(|constant| (0..usize::from(lanes)).all(|lane| constant.lane(lane).is_some_and(&test)))
}
