//! Writes out precise operations that Metal has as library functions: their bodies do not see the pragmas that switch
//! contraction and reassociation off (sheet D13.4).

use aquatint_ir::types::lanes_of;
use aquatint_ir::{Builder, Function, InstId, Module, Op, Value};

fn expands(op: Op) -> bool {
    matches!(op, Op::Dot | Op::Cross | Op::Length | Op::Distance | Op::Normalize | Op::Mix | Op::Reflect)
}

/// Replaces each precise library operation by sums and products in order. Whether there was one.
pub(crate) fn expand_precise(module: &mut Module, function: &mut Function) -> bool {
    let wanted = |f: &Function, i: InstId| f.insts[i].precise && expands(f.insts[i].op);
    if !function.insts.ids().any(|i| wanted(function, i)) {
        return false;
    }
    for region in function.regions.ids().collect::<Vec<_>>() {
        if !function.regions[region].insts.iter().any(|&i| wanted(function, i)) {
            continue;
        }
        let old = std::mem::take(&mut function.regions[region].insts);
        let mut builder = Builder::new(module, function);
        builder.enter(region);
        builder.set_precise(true);
        for inst in old {
            if wanted(builder.function, inst) {
                builder.span_of(inst);
                expand(&mut builder, inst);
            } else {
                builder.function.regions[region].insts.push(inst);
            }
        }
    }
    true
}

fn expand(b: &mut Builder<'_>, inst: InstId) {
    let operands: smallvec::SmallVec<[Value; 4]> = b.function.operands(inst).into();
    let op = b.function.insts[inst].op;
    let last = match (op, operands.as_slice()) {
        (Op::Dot, &[x, y]) => dot(b, x, y),
        (Op::Length, &[x]) => length(b, x),
        (Op::Distance, &[x, y]) => {
            let difference = b.op(Op::FSub, &[x, y]);
            length(b, difference)
        }
        (Op::Normalize, &[x]) => {
            let square = dot(b, x, x);
            let scale = b.op(Op::RSqrt, &[square]);
            let scale = splat_like(b, scale, x);
            b.op(Op::FMul, &[x, scale])
        }
        (Op::Cross, &[x, y]) => {
            let (x1, y1) = (b.shuffle(x, &[1, 2, 0]), b.shuffle(y, &[2, 0, 1]));
            let (x2, y2) = (b.shuffle(x, &[2, 0, 1]), b.shuffle(y, &[1, 2, 0]));
            let first = b.op(Op::FMul, &[x1, y1]);
            let second = b.op(Op::FMul, &[x2, y2]);
            b.op(Op::FSub, &[first, second])
        }
        (Op::Mix, &[x, y, t]) => {
            let difference = b.op(Op::FSub, &[y, x]);
            let part = b.op(Op::FMul, &[t, difference]);
            b.op(Op::FAdd, &[x, part])
        }
        (Op::Reflect, &[i, n]) => {
            let projection = dot(b, n, i);
            let twice = b.op(Op::FAdd, &[projection, projection]);
            let twice = splat_like(b, twice, i);
            let part = b.op(Op::FMul, &[twice, n]);
            b.op(Op::FSub, &[i, part])
        }
        _ => {
            let region = b.region();
            return b.function.regions[region].insts.push(inst);
        }
    };
    // The last instruction takes over the old one's result, so that no use has to change.
    let Some(made) = last.as_local().and_then(|l| b.function.def_inst(l)) else { return };
    let (results, old) = (b.function.insts[inst].results, b.function.insts[made]);
    b.function.insts[inst] = aquatint_ir::Inst { results, ..old };
    let region = b.region();
    if let Some(slot) = b.function.regions[region].insts.last_mut() {
        *slot = inst;
    }
}

fn dot(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let products = b.op(Op::FMul, &[x, y]);
    let (_, lanes) = b.lanes_of(products);
    if lanes == 1 {
        return products;
    }
    let mut sum = b.extract(products, 0);
    for lane in 1..u32::from(lanes) {
        let next = b.extract(products, lane);
        sum = b.op(Op::FAdd, &[sum, next]);
    }
    sum
}

fn length(b: &mut Builder<'_>, x: Value) -> Value {
    let square = dot(b, x, x);
    b.op(Op::Sqrt, &[square])
}

fn splat_like(b: &mut Builder<'_>, scalar: Value, like: Value) -> Value {
    let lanes = lanes_of(b.type_of(like)).map_or(1, |(_, lanes)| lanes);
    b.splat(scalar, lanes)
}
