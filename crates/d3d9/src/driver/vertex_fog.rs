//! A fog output for vertex shaders that write none: fog that is on without table fog reads FOG0 (sheet 3.4, 3.7).

use super::outputs;
use crate::lower::semantics::{Semantic, fixed_location};
use crate::tokens::Usage;
use aquatint_ir::types::{self, Space};
use aquatint_ir::{Builtin, GlobalKind, Io, Module, Op, Value};

/// What the output is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum VertexFog {
    /// A constant factor: hardware gives 0, all fog; some drivers 1, none.
    Default(f32),
    /// Depth z / w of the vertex, for table fog in a stage that cannot read its own depth.
    Depth,
    /// w of the position.
    W,
}

/// Adds FOG0 where the shader writes none. A shader that writes its own stays as it is, and so does one without a position
/// where the fog is to be taken from it.
pub fn vertex_fog(module: &mut Module, options: &VertexFog) {
    if outputs::by_usage(module, Space::Output, "fog", 0).is_some() {
        return;
    }
    let position = outputs::built_in(module, Space::Output, Builtin::Position);
    if position.is_none() && !matches!(options, VertexFog::Default(_)) {
        return;
    }
    let location = fixed_location(Semantic::new(Usage::Fog, 0)).unwrap_or(0);
    let usage = module.names.intern("fog");
    let io = Io::at(location).named(usage, 0);
    let fog = module.add_global("oFog", types::VEC4F, Space::Output, GlobalKind::Output(io));
    match (options, position) {
        (VertexFog::Default(factor), _) => {
            let factor = *factor;
            outputs::before_returns(module, |b| {
                let value = b.splat_f32(factor, 4);
                b.store(Value::global(fog), value);
            });
        }
        (VertexFog::Depth | VertexFog::W, Some(position)) => {
            let depth = *options == VertexFog::Depth;
            outputs::before_stores(module, position, |b, value| {
                let w = b.extract(value, 3);
                let factor = match depth {
                    true => {
                        let z = b.extract(value, 2);
                        b.op(Op::FDiv, &[z, w])
                    }
                    false => w,
                };
                let all = b.splat(factor, 4);
                b.store(Value::global(fog), all);
                value
            });
        }
        (VertexFog::Depth | VertexFog::W, None) => {}
    }
}
