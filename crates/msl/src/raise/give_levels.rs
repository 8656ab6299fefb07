//! Gives `sample` a level outside of fragment functions, where no quad gives one: level 0, as the op table says.

use aquatint_ir::function::Slice;
use aquatint_ir::{Attr, Function, Module, Op, SampleAttr, Scalar, Value};

/// Adds level 0 to each `sample` without a level or gradients; a bias, which is relative to a level that is not there, goes.
pub(crate) fn give_levels(module: &mut Module, function: &mut Function) {
    let zero = Value::constant(module.constants.scalar(Scalar::F32, 0));
    for id in function.insts.ids() {
        let inst = function.insts[id];
        let (Op::Sample, Attr::Sample(flags)) = (inst.op, inst.attr) else { continue };
        if flags.has(SampleAttr::LEVEL) || flags.has(SampleAttr::GRADIENT) {
            continue;
        }
        let mut operands: Vec<Value> = function.operands(id).to_vec();
        // Texture, sampler and coordinates come first, then the reference; the level takes the place of the bias.
        let at = 3 + usize::from(flags.has(SampleAttr::COMPARE));
        if at > operands.len() {
            continue;
        }
        if flags.has(SampleAttr::BIAS) && at < operands.len() {
            operands[at] = zero;
        } else {
            operands.insert(at, zero);
        }
        let start = function.operands.len() as u32;
        function.operands.extend_from_slice(&operands);
        let inst = &mut function.insts[id];
        inst.operands = Slice { start, len: operands.len() as u32 };
        inst.attr = Attr::Sample(SampleAttr(flags.0 & !SampleAttr::BIAS | SampleAttr::LEVEL));
    }
}
