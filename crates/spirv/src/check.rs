//! Whether a module can be written.

use crate::Options;
use crate::codes::{AQ5001, AQ5002};
use crate::raise::REFUSED;
use aquatint_base::{Diagnostic, Diags, Span};
use aquatint_ir::types::{self, Scalar, Space, Type};
use aquatint_ir::walk::{Step, Walk};
use aquatint_ir::{Builtin, Function, FunctionId, Global, Module, Op, RegionId};
use aquatint_passes::OpSet;

/// Devices have some dozens. Numbers of components, of which each location has four, must not run over 32 bits.
const LAST_LOCATION: u32 = u16::MAX as u32;

/// The index of the entry point, if it exists and all that it reaches can be written.
pub fn check(module: &Module, entry: &str, options: &Options, diags: &mut Diags) -> Option<usize> {
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
        if let Some(location) = global.io().and_then(|io| io.location).filter(|&location| location > LAST_LOCATION) {
            unsupported(diags, global.span, format!("no device has a location {location}"));
        }
        if let Some(binding) = global.binding()
            && binding.register.checked_add(options.shift(binding.class)).is_none()
        {
            let message = format!("register {} is past the largest binding once it is shifted", binding.register);
            unsupported(diags, global.span, message);
        }
        if let Some(why) = refused_type(module, global) {
            unsupported(diags, global.span, why.to_owned());
        }
    }
    (diags.errors() == before).then_some(index)
}

/// The functions that `entry` reaches, callees first.
pub fn reached(module: &Module, entry: FunctionId) -> Vec<FunctionId> {
    if module.functions.len() == 1 {
        return vec![entry];
    }
    let mut order = Vec::new();
    let mut seen = vec![false; module.functions.len()];
    seen[entry.index()] = true;
    let mut stack = vec![(entry, callees(&module.functions[entry]))];
    while let Some((function, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(callee) => {
                if seen.get(callee.index()) == Some(&false) {
                    seen[callee.index()] = true;
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
        if !LIMITED.has(op) {
            continue;
        }
        let span = function.span(inst);
        if REFUSED.has(op) {
            unsupported(diags, span, format!("the operation '{}' has no SPIR-V form in this writer", op.name()));
        }
        let kind = function.operands(inst).first().and_then(|&v| types::lanes_of(module.type_of(function, v)));
        match kind {
            Some((Scalar::F64, _)) if NO_DOUBLE.has(op) => {
                unsupported(diags, span, format!("SPIR-V has no '{}' of 64-bit floats", op.name()));
            }
            Some((kind, _)) if WORDS_ONLY.has(op) && kind.bits() != 32 => {
                unsupported(diags, span, format!("Vulkan has '{}' of 32-bit integers only", op.name()));
            }
            _ => {}
        }
        if op == Op::Loop
            && let &[body, continuing] = function.regions_of(inst)
            && leaves(function, continuing)
            && continues_from_switch(function, body)
        {
            let what = "a `continue` within a `switch`, in a loop that is left from its continuing region";
            unsupported(diags, span, format!("{what}, has no structured form"));
        }
    }
}

/// What GLSL.std.450 has for 16 and 32 bits only.
const NO_DOUBLE: OpSet = OpSet::of(&[
    Op::Exp2,
    Op::Log2,
    Op::Exp,
    Op::Log,
    Op::Pow,
    Op::Sin,
    Op::Cos,
    Op::Tan,
    Op::Asin,
    Op::Acos,
    Op::Atan,
    Op::Atan2,
    Op::Sinh,
    Op::Cosh,
    Op::Tanh,
    Op::Exp2D3d9,
    Op::Log2D3d9,
    Op::PowD3d9,
    Op::LitD3d9,
    Op::Ddx,
    Op::Ddy,
]);

/// The operations that are looked at: all others are always written.
const LIMITED: OpSet = REFUSED.with(NO_DOUBLE).with(WORDS_ONLY).with(OpSet::of(&[Op::Loop]));

/// What Vulkan has for 32-bit integers only.
const WORDS_ONLY: OpSet = OpSet::of(&[Op::PopCount, Op::FirstLow, Op::FirstHigh, Op::Reverse]);

/// Whether a continuing region has a `break` of its own loop.
pub fn leaves(function: &Function, region: RegionId) -> bool {
    within(function, region, Op::Loop, |op, inner_loop| op == Op::Break && !inner_loop)
}

/// Whether a body has a `continue` of its own loop within a `switch`.
fn continues_from_switch(function: &Function, body: RegionId) -> bool {
    Walk::from(function, body).insts().filter(|&i| function.insts[i].op == Op::Switch).any(|switch| {
        function
            .regions_of(switch)
            .iter()
            .any(|&case| within(function, case, Op::Loop, |op, inner_loop| op == Op::Continue && !inner_loop))
    })
}

/// Whether an instruction satisfies `test`, which is told whether an instruction `owner` encloses it.
fn within(function: &Function, region: RegionId, owner: Op, test: impl Fn(Op, bool) -> bool) -> bool {
    let mut inner: Vec<RegionId> = Vec::new();
    let mut depth = 0;
    for step in Walk::from(function, region) {
        match step {
            Step::Inst(inst) => {
                if test(function.insts[inst].op, depth > 0) {
                    return true;
                }
                if function.insts[inst].op == owner {
                    inner.extend_from_slice(function.regions_of(inst));
                }
            }
            Step::Enter(region, _) => depth += usize::from(inner.contains(&region)),
            Step::Leave(region) => {
                if let Some(at) = inner.iter().position(|&r| r == region) {
                    inner.swap_remove(at);
                    depth -= 1;
                }
            }
        }
    }
    false
}

/// Why the type of a global cannot be written, if it cannot.
fn refused_type(module: &Module, global: &Global) -> Option<&'static str> {
    if matches!(types::lanes_of(global.ty), Some((Scalar::F32 | Scalar::I32 | Scalar::U32, _))) {
        return None;
    }
    let buffer = matches!(global.space, Space::Uniform | Space::Storage | Space::Push);
    let mut seen = vec![false; module.types.len()];
    let mut stack = vec![global.ty];
    while let Some(ty) = stack.pop() {
        if std::mem::replace(seen.get_mut(ty.index())?, true) {
            continue;
        }
        match module.types.get(ty) {
            Type::Scalar(Scalar::Bool) | Type::Vector(Scalar::Bool, _) if buffer => {
                return Some("bool members of buffers are not written here");
            }
            Type::Matrix { scalar, rows, columns } if buffer && (!scalar.is_float() || rows < 2 || columns < 2) => {
                return Some("SPIR-V has no matrices of integers, nor of one row or column, in buffers");
            }
            Type::Array { element, .. } => stack.push(element),
            Type::Struct(id) => stack.extend(module.types.structs.get(id)?.members.iter().map(|m| m.ty)),
            Type::Texture(texture) if !matches!(texture.scalar, Scalar::F32 | Scalar::I32 | Scalar::U32) => {
                return Some("Vulkan has textures of 32-bit components only");
            }
            _ => {}
        }
    }
    None
}

fn unsupported(diags: &mut Diags, span: Span, message: String) {
    diags.push(Diagnostic::error(&AQ5001, message).at(span, "").help("choose another target for this shader"));
}
