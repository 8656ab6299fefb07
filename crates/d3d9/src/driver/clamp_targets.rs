//! Clamping to 0–1 on the way out: what a normalised target does and a float target does not (sheet 3.7).

use super::outputs;
use aquatint_ir::{Module, Op};

/// Clamps each colour target whose bit is set; NaN becomes 0.
pub fn clamp_targets(module: &mut Module, targets: u8) {
    for target in (0..8).filter(|t| targets >> t & 1 != 0) {
        if let Some(global) = outputs::color_target(module, target) {
            outputs::before_stores(module, global, |b, color| b.op(Op::FSaturate, &[color]));
        }
    }
}
