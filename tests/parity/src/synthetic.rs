//! The other half of a pair: a stage around a shader that has none, so that it can be drawn one invocation a pixel.
//!
//! Everything is drawn as a row of points. A pixel shader gets a vertex stage that hands attributes through; a vertex
//! shader keeps its outputs as plain varyings (its position too), gets a position of ours, and a pixel stage that writes
//! them to targets.

use aquatint_ir::types::{self, Space};
use aquatint_ir::{Builder, Builtin, EntryPoint, Function, GlobalKind, Io, Module, Op, Stage, Value};

/// Location of the attribute that holds our position.
pub const PLACE: u32 = 31;
/// Most targets that a pixel stage writes.
pub const TARGETS: usize = 8;
/// Locations that a vertex shader's own position and point size move to.
const MOVED: [(Builtin, u32); 2] = [(Builtin::Position, 30), (Builtin::PointSize, 29)];

fn empty(stage: Stage) -> Module {
    let mut module = Module::new();
    let name = module.names.intern("main");
    let function = module.functions.push(Function::new(name, types::VOID));
    let depth = aquatint_ir::DepthMode::Any;
    module.entry_points.push(EntryPoint { name, stage, function, workgroup_size: [1; 3], depth, early_tests: false });
    module
}

/// A vertex stage that hands attribute `n` to location `locations[n]`, and attribute [`PLACE`] to the position.
pub fn vertex(locations: &[u32]) -> Module {
    let mut module = empty(Stage::Vertex);
    let function = module.entry_points[0].function;
    let mut pairs = vec![];
    for (number, &location) in (0..).zip(locations) {
        let from = GlobalKind::Input(Io::at(number));
        let to = GlobalKind::Output(Io::at(location));
        pairs.push((
            module.add_global("in", types::VEC4F, Space::Input, from),
            module.add_global("out", types::VEC4F, Space::Output, to),
        ));
    }
    let place = module.add_global("place", types::VEC4F, Space::Input, GlobalKind::Input(Io::at(PLACE)));
    let position = GlobalKind::Output(Io::built_in(Builtin::Position));
    pairs.push((place, module.add_global("position", types::VEC4F, Space::Output, position)));
    let size = GlobalKind::Output(Io::built_in(Builtin::PointSize));
    let size = module.add_global("size", types::F32, Space::Output, size);
    Builder::edit(&mut module, function, |b| {
        for (from, to) in pairs {
            let value = b.load(Value::global(from));
            b.store(Value::global(to), value);
        }
        let one = b.f32(1.0);
        b.store(Value::global(size), one);
        b.terminate(Op::Return, &[]);
    });
    module
}

/// Makes varyings of a vertex shader's position and point size and gives it ours. The locations of its outputs.
pub fn open_vertex(module: &mut Module) -> Vec<u32> {
    for (builtin, location) in MOVED {
        if let Some(id) = module.find_builtin(builtin, Space::Output) {
            module.globals[id].kind = GlobalKind::Output(Io::at(location));
        }
    }
    let outputs = module
        .globals
        .iter()
        .filter(|(_, g)| g.space == Space::Output)
        .filter_map(|(_, g)| g.io().and_then(|io| io.location))
        .collect();
    let place = module.add_global("place", types::VEC4F, Space::Input, GlobalKind::Input(Io::at(PLACE)));
    let position = GlobalKind::Output(Io::built_in(Builtin::Position));
    let position = module.add_global("place.out", types::VEC4F, Space::Output, position);
    let size = GlobalKind::Output(Io::built_in(Builtin::PointSize));
    let size = module.add_global("size.out", types::F32, Space::Output, size);
    let function = module.entry_points[0].function;
    Builder::edit(module, function, |b| {
        let body = b.function.body;
        let old = std::mem::take(&mut b.function.regions[body].insts);
        let value = b.load(Value::global(place));
        b.store(Value::global(position), value);
        let one = b.f32(1.0);
        b.store(Value::global(size), one);
        b.function.regions[body].insts.extend(old);
    });
    outputs
}

/// A pixel stage that writes the varyings of the first [`TARGETS`] locations (with their lane counts) to targets.
pub fn pixel(varyings: &[(u32, u8)]) -> Module {
    let mut module = empty(Stage::Fragment);
    let function = module.entry_points[0].function;
    let mut pairs = vec![];
    for (target, &(location, lanes)) in (0..).zip(varyings.iter().take(TARGETS)) {
        let ty = types::vector(types::Scalar::F32, lanes);
        let from = GlobalKind::Input(Io::at(location));
        let to = GlobalKind::Output(Io::at(target));
        pairs.push((
            module.add_global("in", ty, Space::Input, from),
            module.add_global("out", types::VEC4F, Space::Output, to),
            lanes,
        ));
    }
    Builder::edit(&mut module, function, |b| {
        for (from, to, lanes) in pairs {
            let value = b.load(Value::global(from));
            let zero = b.f32(0.0);
            let mut parts = vec![value];
            parts.resize(5 - usize::from(lanes), zero);
            let whole = if lanes == 4 { value } else { b.construct(types::VEC4F, &parts) };
            b.store(Value::global(to), whole);
        }
        b.terminate(Op::Return, &[]);
    });
    module
}
