//! Gives globals the type that Vulkan wants: a buffer is a struct (ours may be a bare array, or anything), and the sample
//! mask is an array of one word.

use super::replace::{one, replace};
use aquatint_base::{Id, Span};
use aquatint_ir::types::{Member, MemberLayout, Space, Struct, Type, TypeId};
use aquatint_ir::{Attr, Builder, Builtin, GlobalId, Module, Op, Value};
use aquatint_passes::OpSet;

/// Wraps them, and puts the step into the wrapper before all that goes there. Linear.
pub fn wrap_globals(module: &mut Module) {
    let mut wrapped: Vec<Option<TypeId>> = vec![None; module.globals.len()];
    let globals: Vec<GlobalId> = module.globals.ids().collect();
    for id in globals {
        let item = module.globals[id];
        let wrapper = match item.space {
            Space::Uniform | Space::Storage | Space::Push => {
                if holds_struct(module, item.ty) {
                    continue;
                }
                let layout = Some(MemberLayout { offset: 0, matrix_stride: 0, row_major: false });
                let name = module.names.intern("data");
                let members = vec![Member { name, ty: item.ty, layout }];
                let id: Id<Struct> = module.types.structs.push(Struct { name: item.name, members, size: 0 });
                module.types.intern(Type::Struct(id))
            }
            Space::Input | Space::Output if item.io().is_some_and(|io| io.builtin == Some(Builtin::SampleMask)) => {
                module.types.array(item.ty, 1)
            }
            _ => continue,
        };
        wrapped[id.index()] = Some(item.ty);
        let value_ty = module.types.pointer(item.space, wrapper);
        let global = &mut module.globals[id];
        (global.ty, global.value_ty, global.span) = (wrapper, value_ty, Span::NONE);
    }
    if wrapped.iter().all(Option::is_none) {
        return;
    }
    let inside = |value: Value| value.as_global().and_then(|id| wrapped.get(id.index()).copied().flatten());
    let _ = replace(module, POINTER_USERS, |b, op, operands, inst| {
        let inner = operands.iter().find_map(|&v| inside(v))?;
        let data = b.function.insts[inst];
        let types: Vec<TypeId> = b.function.results(inst).map(|local| b.function.locals[local].ty).collect();
        let mut new: Vec<Value> = Vec::with_capacity(operands.len() + 1);
        for &operand in operands {
            match inside(operand) {
                // A path goes on from the wrapper.
                Some(_) if op == Op::Access => {
                    new.push(operand);
                    new.push(b.u32(0));
                }
                Some(_) => new.push(step(b, operand, inner)),
                None => new.push(operand),
            }
        }
        let made = b.push(op, data.attr, &new, &types);
        match types.is_empty() {
            true => Some(super::replace::Results::new()),
            false => one(b.result(made)),
        }
    });
}

fn step(b: &mut Builder<'_>, global: Value, inner: TypeId) -> Value {
    let space = match b.types.get(b.type_of(global)) {
        Type::Pointer { space, .. } => space,
        _ => Space::Storage,
    };
    let ty = b.types.pointer(space, inner);
    let zero = b.u32(0);
    b.value(Op::Access, Attr::None, &[global, zero], ty)
}

/// Whether it is a block as it is.
fn holds_struct(module: &Module, ty: TypeId) -> bool {
    matches!(module.types.get(ty), Type::Struct(_))
}

/// Operations that may have a pointer to a global as an operand.
const POINTER_USERS: OpSet = OpSet::of(&[Op::Access, Op::ArrayLength, Op::Load, Op::Store, Op::Atomic, Op::Call]);
