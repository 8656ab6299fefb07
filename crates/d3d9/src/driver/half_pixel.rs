//! Pixel centres: Direct3D 9 has them at integers, Metal and Vulkan at halves. The position moves right and down by half a
//! pixel (sheet 3.3).

use super::{extras, outputs};
use aquatint_ir::types::{self, Space};
use aquatint_ir::{Builtin, Module, Op};

/// Adds `w * offset.xy` to the position, the offset from the driver's block: (k / width, -k / height), k = 1 or 63/64.
/// It comes after all other writes, and the result stays precise.
pub fn half_pixel(module: &mut Module) {
    let Some(position) = outputs::built_in(module, Space::Output, Builtin::Position) else { return };
    let block = outputs::vertex_extras(module);
    outputs::before_stores(module, position, |b, value| {
        let before = b.set_precise(true);
        let offset = outputs::load_member(b, block, extras::HALF_PIXEL);
        let offset = b.shuffle(offset, &[0, 1]);
        let w = b.extract(value, 3);
        let scale = b.splat(w, 2);
        let moved = b.op(Op::FMul, &[offset, scale]);
        let xy = b.shuffle(value, &[0, 1]);
        let xy = b.op(Op::FAdd, &[xy, moved]);
        let zw = b.shuffle(value, &[2, 3]);
        let result = b.construct(types::VEC4F, &[xy, zw]);
        b.set_precise(before);
        result
    });
}
