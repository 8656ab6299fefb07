//! Fog: `rgb = mix(fog colour, rgb, saturate(f))` after pixel shaders below 3_0 (sheet 3.7, runtime sheet 7.3).

use super::{extras, outputs};
use crate::lower::semantics::{Semantic, fixed_location};
use crate::tokens::Usage;
use aquatint_ir::types::{self, Scalar, Space};
use aquatint_ir::{Builder, Builtin, GlobalId, GlobalKind, Io, Module, Op, Value};

/// Where the fog factor comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FogFactor {
    /// The x lane of the vertex stage's FOG0 (vertex fog); NaN counts as 1, no fog.
    Vertex,
    /// `(end - d) / (end - start)`.
    Linear,
    /// `exp(-d * density)`.
    Exp,
    /// `exp(-(d * density)^2)`.
    Exp2,
}

/// The distance that table fog takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FogCoordinate {
    /// Depth z, 0–1: orthographic projections.
    #[default]
    Z,
    /// w: perspective projections.
    W,
}

/// Parameters of the pass.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FogBlend {
    /// How the factor is computed.
    pub factor: FogFactor,
    /// Distance of table fog.
    pub coordinate: FogCoordinate,
    /// The fog colour; where absent it is read from the driver's block.
    pub color: Option<[f32; 3]>,
    /// Start, end and density of table fog; where absent they are read from the driver's block.
    pub range: Option<[f32; 3]>,
}

/// Blends target 0 with the fog colour; alpha stays.
pub fn fog_blend(module: &mut Module, options: &FogBlend) {
    let Some(target) = outputs::color_target(module, 0) else { return };
    let table = options.factor != FogFactor::Vertex;
    let uniform = options.color.is_none() || (table && options.range.is_none());
    let block = uniform.then(|| outputs::pixel_extras(module));
    let input = match options.factor {
        FogFactor::Vertex => fog_input(module),
        FogFactor::Linear | FogFactor::Exp | FogFactor::Exp2 => position_input(module),
    };
    outputs::before_stores(module, target, |b, color| {
        let factor = match options.factor {
            FogFactor::Vertex => {
                let fog = b.load(Value::global(input));
                let fog = b.extract(fog, 0);
                let (one, nan) = (b.f32(1.0), b.op(Op::IsNan, &[fog]));
                b.select(nan, one, fog)
            }
            FogFactor::Linear | FogFactor::Exp | FogFactor::Exp2 => table_factor(b, options, input, block),
        };
        let factor = b.op(Op::FSaturate, &[factor]);
        let fog_color = match (options.color, block) {
            (Some(fixed), _) => b.vec_f32(&fixed),
            (None, Some(block)) => {
                let color = outputs::load_member(b, block, extras::FOG_COLOR);
                b.shuffle(color, &[0, 1, 2])
            }
            (None, None) => b.splat_f32(0.0, 3),
        };
        let rgb = b.shuffle(color, &[0, 1, 2]);
        let factor = b.splat(factor, 3);
        let mixed = b.op(Op::Mix, &[fog_color, rgb, factor]);
        let alpha = b.extract(color, 3);
        b.construct(types::VEC4F, &[mixed, alpha])
    });
}

fn table_factor(b: &mut Builder<'_>, options: &FogBlend, input: GlobalId, block: Option<GlobalId>) -> Value {
    let position = b.load(Value::global(input));
    let distance = match options.coordinate {
        FogCoordinate::Z => b.extract(position, 2),
        // The fragment's fourth coordinate is 1/w.
        FogCoordinate::W => {
            let inverse = b.extract(position, 3);
            b.op(Op::Rcp, &[inverse])
        }
    };
    let range = match (options.range, block) {
        (Some([start, end, density]), _) => b.vec_f32(&[start, end, density, 0.0]),
        (None, Some(block)) => outputs::load_member(b, block, extras::FOG_RANGE),
        (None, None) => b.splat_f32(0.0, 4),
    };
    let (start, end, density) = (b.extract(range, 0), b.extract(range, 1), b.extract(range, 2));
    if options.factor == FogFactor::Linear {
        let (above, whole) = (b.op(Op::FSub, &[end, distance]), b.op(Op::FSub, &[end, start]));
        return b.op(Op::FDiv, &[above, whole]);
    }
    let mut power = b.op(Op::FMul, &[distance, density]);
    if options.factor == FogFactor::Exp2 {
        power = b.op(Op::FMul, &[power, power]);
    }
    let negative = b.op(Op::FNeg, &[power]);
    b.op(Op::Exp, &[negative])
}

/// The FOG0 varying, declared if the shader has none.
fn fog_input(module: &mut Module) -> GlobalId {
    if let Some(global) = outputs::by_usage(module, Space::Input, "fog", 0) {
        return global;
    }
    let location = fixed_location(Semantic::new(Usage::Fog, 0)).unwrap_or(0);
    let usage = module.names.intern("fog");
    let io = Io::at(location).named(usage, 0);
    module.add_global("fog", types::VEC4F, Space::Input, GlobalKind::Input(io))
}

/// The fragment's window position, declared if the shader has none.
fn position_input(module: &mut Module) -> GlobalId {
    if let Some(global) = outputs::built_in(module, Space::Input, Builtin::Position) {
        return global;
    }
    let io = Io::built_in(Builtin::Position);
    module.add_global("position", types::vector(Scalar::F32, 4), Space::Input, GlobalKind::Input(io))
}
