//! Whether a module can be written.

use crate::codes::{AQ5001, AQ5002};
use aquatint_base::{Diagnostic, Diags, Span};
use aquatint_ir::types::{Scalar, Type};
use aquatint_ir::walk::Walk;
use aquatint_ir::{Builtin, Function, FunctionId, Module, Op, ValueKind};

/// The index of the entry point, if it exists and all that it reaches can be written.
pub fn check(module: &Module, entry: &str, diags: &mut Diags) -> Option<usize> {
    let Some(index) = module.entry_points.iter().position(|e| module.names.get(e.name) == entry) else {
        let all: Vec<_> = module.entry_points.iter().map(|e| format!("'{}'", module.names.get(e.name))).collect();
        diags.push(
            Diagnostic::error(&AQ5002, format!("the module has no entry point '{entry}'"))
                .help(format!("its entry points are {}", all.join(", "))),
        );
        return None;
    };
    let before = diags.errors();
    for function in reached(module, module.entry_points[index].function) {
        check_function(module, &module.functions[function], diags);
    }
    for (_, global) in module.globals.iter() {
        if let Some(builtin) = global.io().and_then(|io| io.builtin)
            && matches!(builtin, Builtin::Barycentric | Builtin::FragStencil | Builtin::ViewIndex)
        {
            unsupported(diags, global.span, format!("the built-in '{}' needs an extension", builtin.name()));
        }
    }
    (diags.errors() == before).then_some(index)
}

/// The functions that `entry` reaches, callees first.
pub fn reached(module: &Module, entry: FunctionId) -> Vec<FunctionId> {
    let mut order = Vec::new();
    let mut stack = vec![(entry, callees(&module.functions[entry]))];
    while let Some((function, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(callee) => {
                if !order.contains(&callee)
                    && !stack.iter().any(|(f, _)| *f == callee)
                    && module.functions.contains(callee)
                {
                    stack.push((callee, callees(&module.functions[callee])));
                }
            }
            None => {
                order.push(*function);
                stack.pop();
            }
        }
    }
    order
}

fn callees(function: &Function) -> Vec<FunctionId> {
    let mut all: Vec<_> = Walk::new(function)
        .insts()
        .filter_map(|i| match function.insts[i].attr {
            aquatint_ir::Attr::Function(callee) => Some(callee),
            _ => None,
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn check_function(module: &Module, function: &Function, diags: &mut Diags) {
    for inst in Walk::new(function).insts() {
        let op = function.insts[inst].op;
        let span = function.span(inst);
        if matches!(
            op,
            Op::WaveOp | Op::QuadOp | Op::CounterAdd | Op::LoadBytes | Op::StoreBytes | Op::Msad4 | Op::ImageAtomic
        ) {
            unsupported(diags, span, format!("the operation '{}' has no SPIR-V form in this writer", op.name()));
        }
        if matches!(op, Op::Load | Op::Store)
            && let Some(ValueKind::Global(id)) = function.operands(inst).first().map(|v| v.kind())
            && holds_bool_in_buffer(module, id)
        {
            unsupported(diags, span, "bool members of buffers are not written here".to_owned());
        }
    }
}

fn holds_bool_in_buffer(module: &Module, global: aquatint_ir::GlobalId) -> bool {
    use aquatint_ir::Space;
    let Some(global) = module.globals.get(global) else { return false };
    matches!(global.space, Space::Uniform | Space::Storage | Space::Push) && {
        let mut stack = vec![global.ty];
        let mut seen = 0;
        let mut found = false;
        while let Some(ty) = stack.pop() {
            seen += 1;
            match module.types.get(ty) {
                Type::Scalar(Scalar::Bool) | Type::Vector(Scalar::Bool, _) => found = true,
                Type::Array { element, .. } => stack.push(element),
                Type::Struct(id) if seen < 10_000 => {
                    stack.extend(module.types.structs.get(id).iter().flat_map(|s| s.members.iter().map(|m| m.ty)));
                }
                _ => {}
            }
        }
        found
    }
}

fn unsupported(diags: &mut Diags, span: Span, message: String) {
    diags.push(Diagnostic::error(&AQ5001, message).at(span, "").help("choose another target for this shader"));
}
