//! Scalar replacement of aggregates: a local struct or array whose parts are only ever named by constants becomes one
//! variable a part, which [`mem2reg`](crate::mem2reg()) can then promote.
//!
//! A whole load becomes loads of the parts and a `construct`, a whole store `extract`s and stores, where there are few
//! parts. What lies within a part is split in the next round; there are as many rounds as types nest, at most
//! [`ROUNDS`]. Each is linear in the instructions after it.

use crate::Changed;
use crate::op_set::OpSet;
use crate::rewrite::{Fate, build_functions, expand};
use aquatint_ir::types::{Type, TypeId};
use aquatint_ir::walk::Walk;
use aquatint_ir::{Builder, InstId, LocalId, Module, Op, Value};

/// The most levels of nesting that are split.
pub const ROUNDS: usize = 8;
/// The most parts of an array or struct that is split.
const PARTS: u32 = 256;
/// The most parts of one that is also loaded or stored as a whole.
const WHOLE_PARTS: u32 = 16;

/// Splits local variables of struct and array type.
pub fn split_aggregates(module: &mut Module) -> Changed {
    build_functions(
        module,
        |function| OpSet::at_most(function).has(Op::Var),
        |builder| {
            let mut changed = false;
            for _ in 0..ROUNDS {
                if !split_once(builder) {
                    break;
                }
                changed = true;
            }
            changed
        },
    )
}

/// A variable that is looked at.
struct Var {
    local: LocalId,
    ty: TypeId,
    parts: u32,
    splits: bool,
    /// The variables of its parts, once they exist.
    pointers: Vec<Value>,
}

const NONE: u32 = u32::MAX;

/// The number of parts of a struct or array that may be split.
fn parts_of(builder: &Builder<'_>, ty: TypeId) -> Option<u32> {
    let parts = match builder.types.get(ty) {
        Type::Array { length: Some(length), .. } => length,
        Type::Struct(id) => builder.types.structs.get(id)?.members.len() as u32,
        _ => return None,
    };
    (parts <= PARTS).then_some(parts)
}

/// The number of a constant step.
fn fixed(builder: &Builder<'_>, index: Value) -> Option<u32> {
    Some(builder.constants.get(index.as_constant()?)?.lane(0)? as u32)
}

fn split_once(builder: &mut Builder<'_>) -> bool {
    let (mut vars, of) = find(builder);
    if !vars.iter().any(|v| v.splits) {
        return false;
    }
    let var_of = |value: Value, vars: &[Var]| {
        let index = value.as_local().and_then(|local| of.get(local.index())).copied().unwrap_or(NONE) as usize;
        vars.get(index).filter(|v| v.splits).map(|_| index)
    };
    expand(builder, &mut |builder, inst| {
        let op = builder.function.insts[inst].op;
        if op == Op::Var {
            let result = builder.function.result(inst).map(Value::local);
            let Some(index) = result.and_then(|r| var_of(r, &vars)) else { return Fate::Keep };
            vars[index].pointers = split_var(builder, inst, &vars[index]);
            return Fate::gone();
        }
        let Some(&pointer) = builder.function.operands(inst).first() else { return Fate::Keep };
        let Some(index) = var_of(pointer, &vars) else { return Fate::Keep };
        let var = &vars[index];
        match op {
            Op::Access => {
                let steps: Vec<Value> = builder.function.operands(inst).iter().skip(1).copied().collect();
                let part = steps.first().and_then(|&s| fixed(builder, s)).and_then(|i| var.pointers.get(i as usize));
                let (Some(&part), Some(result)) = (part, builder.function.result(inst)) else { return Fate::Keep };
                if steps.len() == 1 {
                    return Fate::value(part);
                }
                let ty = builder.function.locals[result].ty;
                let operands: Vec<Value> = [part].into_iter().chain(steps.into_iter().skip(1)).collect();
                Fate::value(builder.value(Op::Access, aquatint_ir::Attr::None, &operands, ty))
            }
            Op::Load => {
                let parts: Vec<Value> = var.pointers.iter().map(|&p| builder.load(p)).collect();
                Fate::value(builder.construct(var.ty, &parts))
            }
            Op::Store => {
                let Some(&value) = builder.function.operands(inst).get(1) else { return Fate::Keep };
                for (index, &pointer) in var.pointers.iter().enumerate() {
                    let part = builder.extract(value, index as u32);
                    builder.store(pointer, part);
                }
                Fate::gone()
            }
            _ => Fate::Keep,
        }
    })
}

/// The variables, and the index of the variable that each local is the pointer of.
fn find(builder: &Builder<'_>) -> (Vec<Var>, Vec<u32>) {
    let function = &*builder.function;
    let mut vars: Vec<Var> = Vec::new();
    let aggregate = |inst: &aquatint_ir::Inst| {
        inst.op == Op::Var
            && function.locals.get(LocalId::new(inst.results.start as usize)).is_some_and(|local| {
                match builder.types.get(local.ty) {
                    Type::Pointer { pointee, .. } => parts_of(builder, pointee).is_some(),
                    _ => false,
                }
            })
    };
    // Most functions have none.
    if !function.insts.as_slice().iter().any(aggregate) {
        return (vars, Vec::new());
    }
    let mut of = vec![NONE; function.locals.len()];
    for inst in Walk::new(function).insts() {
        let op = function.insts[inst].op;
        if op == Op::Var {
            if let Some(local) = function.result(inst)
                && let Type::Pointer { pointee, .. } = builder.types.get(function.locals[local].ty)
                && let Some(parts) = parts_of(builder, pointee)
            {
                of[local.index()] = vars.len() as u32;
                vars.push(Var { local, ty: pointee, parts, splits: true, pointers: Vec::new() });
            }
            continue;
        }
        for (place, &operand) in function.operands(inst).iter().enumerate() {
            let index = operand.as_local().and_then(|local| of.get(local.index())).copied().unwrap_or(NONE);
            let Some(var) = vars.get_mut(index as usize) else { continue };
            var.splits &= match (op, place) {
                (Op::Access, 0) => {
                    let step = function.operands(inst).get(1).and_then(|&s| fixed(builder, s));
                    step.is_some_and(|s| s < var.parts)
                }
                (Op::Load | Op::Store, 0) => var.parts <= WHOLE_PARTS,
                _ => false,
            };
        }
    }
    (vars, of)
}

/// Emits a variable for each part.
fn split_var(builder: &mut Builder<'_>, inst: InstId, var: &Var) -> Vec<Value> {
    let first = builder.function.operands(inst).first().and_then(|v| v.as_constant());
    let name = builder.function.names.get(&var.local).map(|&n| builder.names.get(n).to_owned());
    let mut pointers = Vec::with_capacity(var.parts as usize);
    for index in 0..var.parts {
        let Some(ty) = builder.types.step(var.ty, index) else { break };
        let pointer = builder.var(ty);
        if let Some(first) = first
            && let Some(part) = builder.constants.step(builder.types, first, index)
            && let Some(made) = pointer.as_local().and_then(|l| builder.function.def_inst(l))
        {
            crate::rewrite::become_op(
                builder.function,
                made,
                Op::Var,
                aquatint_ir::Attr::None,
                &[Value::constant(part)],
            );
        }
        if let Some(name) = &name {
            let part = match builder.types.get(var.ty) {
                Type::Struct(id) => {
                    let member = builder.types.structs.get(id).and_then(|s| s.members.get(index as usize));
                    member.map_or(String::new(), |m| builder.names.get(m.name).to_owned())
                }
                _ => index.to_string(),
            };
            let part = builder.names.intern(&format!("{name}.{part}"));
            builder.name(pointer, part);
        }
        pointers.push(pointer);
    }
    pointers
}
