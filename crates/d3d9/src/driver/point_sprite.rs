//! Point sprites: with D3DRS_POINTSPRITEENABLE every TEXCOORD input of the pixel shader is the place within the point
//! (sheet 3.3).

use aquatint_ir::types::{self, Scalar, Space};
use aquatint_ir::{Attr, Builder, Builtin, FunctionId, GlobalId, GlobalKind, Io, Module, Op, Value};

/// Gives every TEXCOORD input the value (px, py, 0, 0).
pub fn point_sprite(module: &mut Module) {
    let Some(texcoord) = module.names.find("texcoord") else { return };
    let inputs: Vec<GlobalId> = module
        .globals
        .iter()
        .filter(|(_, g)| g.space == Space::Input && g.io().and_then(|io| io.usage).is_some_and(|u| u.name == texcoord))
        .map(|(id, _)| id)
        .collect();
    if inputs.is_empty() {
        return;
    }
    let ty = types::vector(Scalar::F32, 2);
    let kind = GlobalKind::Input(Io::built_in(Builtin::PointCoord));
    let place = module.add_global("point_coord", ty, Space::Input, kind);
    let functions: Vec<FunctionId> = module.functions.ids().collect();
    for function in functions {
        Builder::edit(module, function, |b| {
            let regions: Vec<_> = b.function.regions.ids().collect();
            for region in regions {
                let insts = std::mem::take(&mut b.function.regions[region].insts);
                b.enter(region);
                for inst in insts {
                    let reads = b.function.insts[inst].op == Op::Load
                        && b.function.operands(inst)[0].as_global().is_some_and(|g| inputs.contains(&g));
                    if !reads {
                        b.function.regions[region].insts.push(inst);
                        continue;
                    }
                    b.span_of(inst);
                    let point = b.load(Value::global(place));
                    let zero = b.f32(0.0);
                    // The load keeps its id and its uses; it becomes the vector.
                    let made = b.create(Op::Construct, Attr::None, &[point, zero, zero], &[], &[]);
                    let operands = b.function.insts[made].operands;
                    let old = &mut b.function.insts[inst];
                    old.op = Op::Construct;
                    old.operands = operands;
                    b.function.regions[region].insts.push(inst);
                }
            }
        });
    }
}
