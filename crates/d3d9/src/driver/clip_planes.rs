//! User clip planes: the distance to plane i is dot(clip position, plane i) (sheet 3.3).

use super::{extras, outputs};
use aquatint_ir::types::{self, Space};
use aquatint_ir::{Builtin, GlobalKind, Io, Module, Op, Value};

/// Direct3D 9's number of user clip planes, and that of the driver's block.
const PLANES: u8 = 6;

/// Adds `count` clip distances, at most six, the planes in clip space from the driver's block.
pub fn clip_planes(module: &mut Module, count: u8) {
    let count = count.min(PLANES);
    if count == 0 {
        return;
    }
    let Some(position) = outputs::built_in(module, Space::Output, Builtin::Position) else { return };
    let block = outputs::vertex_extras(module);
    let array = module.types.array(types::F32, u32::from(count));
    let kind = GlobalKind::Output(Io::built_in(Builtin::ClipDistance));
    let distances = module.add_global("clip_distance", array, Space::Output, kind);
    outputs::before_stores(module, position, |b, value| {
        for index in 0..u32::from(count) {
            let (member, number) = (b.u32(extras::CLIP_PLANES), b.u32(index));
            let planes = b.access(Value::global(block), member);
            let plane = b.access(planes, number);
            let plane = b.load(plane);
            let distance = b.op(Op::Dot, &[value, plane]);
            let place = b.access(Value::global(distances), number);
            b.store(place, distance);
        }
        value
    });
}
