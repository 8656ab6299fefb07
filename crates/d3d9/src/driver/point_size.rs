//! The point size: clamped to POINTSIZE_MIN and POINTSIZE_MAX; where the shader writes none, the render state POINTSIZE
//! (sheet 3.3, 3.4).

use super::{extras, outputs};
use aquatint_ir::types::{self, Space};
use aquatint_ir::{Builder, Builtin, GlobalId, GlobalKind, Io, Module, Op, Value};

/// Parameters of the pass.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PointSize {
    /// Minimum, maximum, and size where the shader writes none; read from the driver's block where absent.
    pub fixed: Option<[f32; 3]>,
}

/// Clamps or adds the point size.
pub fn point_size(module: &mut Module, options: &PointSize) {
    let block = options.fixed.is_none().then(|| outputs::vertex_extras(module));
    let fixed = options.fixed;
    match outputs::built_in(module, Space::Output, Builtin::PointSize) {
        Some(size) => outputs::before_stores(module, size, |b, value| clamped(b, value, fixed, block)),
        None => {
            let kind = GlobalKind::Output(Io::built_in(Builtin::PointSize));
            let size = module.add_global("oPts", types::F32, Space::Output, kind);
            outputs::before_returns(module, |b| {
                let value = parameter(b, 2, fixed, block);
                let value = clamped(b, value, fixed, block);
                b.store(Value::global(size), value);
            });
        }
    }
}

fn parameter(b: &mut Builder<'_>, index: u32, fixed: Option<[f32; 3]>, block: Option<GlobalId>) -> Value {
    match (fixed, block) {
        (Some(fixed), _) => b.f32(fixed[index as usize]),
        (None, Some(block)) => {
            let all = outputs::load_member(b, block, extras::POINT_SIZE);
            b.extract(all, index)
        }
        (None, None) => b.f32(1.0),
    }
}

fn clamped(b: &mut Builder<'_>, value: Value, fixed: Option<[f32; 3]>, block: Option<GlobalId>) -> Value {
    let (low, high) = (parameter(b, 0, fixed, block), parameter(b, 1, fixed, block));
    b.op(Op::FClamp, &[value, low, high])
}
