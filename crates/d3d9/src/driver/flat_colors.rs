//! Flat shading (D3DSHADE_FLAT): COLOR0 and COLOR1 take the first vertex's value, everything else is interpolated
//! (sheet 3.5). An option of the pair: both stages get it.

use aquatint_ir::{GlobalKind, Interpolation, Module, Sampling};

/// Makes COLOR0 and COLOR1 varyings flat.
pub fn flat_colors(module: &mut Module) {
    let Some(color) = module.names.find("color") else { return };
    let fragment = module.entry_points.first().is_some_and(|e| e.stage == aquatint_ir::Stage::Fragment);
    for (_, global) in module.globals.iter_mut() {
        let io = match &mut global.kind {
            GlobalKind::Input(io) if fragment => io,
            GlobalKind::Output(io) if !fragment => io,
            _ => continue,
        };
        if io.usage.is_some_and(|u| u.name == color && u.index < 2) {
            io.interpolation = Interpolation::Flat;
            // One vertex's value is the same wherever it is evaluated, and Metal has no word for both.
            io.sampling = Sampling::Center;
        }
    }
}
