//! Linear to sRGB on the way out (D3DRS_SRGBWRITEENABLE): for targets whose format does not do it (sheet 3.7).

use super::outputs;
use aquatint_ir::types;
use aquatint_ir::{Builder, Module, Op, Value};

/// Encodes rgb of each target whose bit is set: `12.92 x` up to 0.0031308, `1.055 x^(1/2.4) - 0.055` above. Alpha stays.
pub fn srgb_write(module: &mut Module, targets: u8) {
    for target in (0..8).filter(|t| targets >> t & 1 != 0) {
        if let Some(global) = outputs::color_target(module, target) {
            outputs::before_stores(module, global, encode);
        }
    }
}

fn encode(b: &mut Builder<'_>, color: Value) -> Value {
    let rgb = b.shuffle(color, &[0, 1, 2]);
    let rgb = b.op(Op::FSaturate, &[rgb]);
    let (limit, slope) = (b.splat_f32(0.003_130_8, 3), b.splat_f32(12.92, 3));
    let (scale, offset, power) = (b.splat_f32(1.055, 3), b.splat_f32(0.055, 3), b.splat_f32(1.0 / 2.4, 3));
    let low = b.op(Op::FMul, &[rgb, slope]);
    let root = b.op(Op::Pow, &[rgb, power]);
    let scaled = b.op(Op::FMul, &[root, scale]);
    let high = b.op(Op::FSub, &[scaled, offset]);
    let is_low = b.op(Op::FLe, &[rgb, limit]);
    let encoded = b.select(is_low, low, high);
    let alpha = b.extract(color, 3);
    b.construct(types::VEC4F, &[encoded, alpha])
}
