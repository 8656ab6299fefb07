//! The other stage of a draw, where a case gives only one: everything is drawn as a row of points, one invocation a pixel.
//!
//! A fragment shader gets a vertex stage that hands attributes through; a vertex shader keeps its outputs as varyings (its
//! position too), gets a position of ours, and a fragment stage that writes them to targets.

use aquatint_ir::types::{self, Space};
use aquatint_ir::{
    Builder, Builtin, EntryPoint, Function, GlobalKind, Interpolation, Io, Module, Op, Scalar, Stage, Value,
};

/// Location of the attribute that holds our position in a case's draw.
pub const PLACE: u32 = 30;
/// Most targets that a fragment stage writes.
pub const TARGETS: usize = 8;

/// What travels between the stages: a location, the kind and number of its components.
pub type Varying = (u32, Scalar, u8);

fn empty(stage: Stage) -> Module {
    let mut module = Module::new();
    let name = module.names.intern("main");
    let function = module.functions.push(Function::new(name, types::VOID));
    let depth = aquatint_ir::DepthMode::Any;
    module.entry_points.push(EntryPoint { name, stage, function, workgroup_size: [1; 3], depth, early_tests: false });
    module
}

fn varying_io(location: u32, kind: Scalar) -> Io {
    let interpolation = if kind.is_float() { Interpolation::Perspective } else { Interpolation::Flat };
    Io { interpolation, ..Io::at(location) }
}

/// The inputs of a fragment stage, or the outputs of a vertex stage, that have locations.
pub fn varyings(module: &Module, space: Space) -> Vec<Varying> {
    let mut all: Vec<Varying> = module
        .globals
        .iter()
        .filter(|(_, global)| global.space == space)
        .filter_map(|(_, global)| {
            let (kind, lanes) = types::lanes_of(global.ty)?;
            Some((global.io()?.location?, kind, lanes))
        })
        .collect();
    all.sort_unstable_by_key(|(location, ..)| *location);
    all
}

/// A vertex stage that hands attributes to varyings (each with the attribute's location before it), and attribute `place` to the
/// position.
pub fn vertex(varyings: impl IntoIterator<Item = (u32, Varying)>, place: u32) -> Module {
    let mut module = empty(Stage::Vertex);
    let function = module.entry_points[0].function;
    let mut pairs = Vec::new();
    for (attribute, (location, kind, lanes)) in varyings {
        let ty = types::vector(kind, lanes);
        let from = GlobalKind::Input(Io::at(attribute));
        let to = GlobalKind::Output(varying_io(location, kind));
        let from = module.add_global(&format!("in{attribute}"), ty, Space::Input, from);
        pairs.push((from, module.add_global(&format!("out{location}"), ty, Space::Output, to)));
    }
    let place = module.add_global("place", types::VEC4F, Space::Input, GlobalKind::Input(Io::at(place)));
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

/// Makes varyings of a vertex stage's position and point size, and gives it ours from attribute `place`.
pub fn open_vertex(module: &mut Module, place: u32) {
    let taken = varyings(module, Space::Output);
    let mut next = taken.iter().map(|(location, ..)| location + 1).max().unwrap_or(0);
    for builtin in [Builtin::Position, Builtin::PointSize] {
        if let Some(id) = module.find_builtin(builtin, Space::Output) {
            module.globals[id].kind = GlobalKind::Output(Io::at(next));
            next += 1;
        }
    }
    let place = module.add_global("place", types::VEC4F, Space::Input, GlobalKind::Input(Io::at(place)));
    let position = GlobalKind::Output(Io::built_in(Builtin::Position));
    let position = module.add_global("place.out", types::VEC4F, Space::Output, position);
    let size = GlobalKind::Output(Io::built_in(Builtin::PointSize));
    let size = module.add_global("size.out", types::F32, Space::Output, size);
    let Some(function) = module.entry_points.first().map(|entry| entry.function) else { return };
    Builder::edit(module, function, |b| {
        let body = b.function.body;
        let old = std::mem::take(&mut b.function.regions[body].insts);
        let value = b.load(Value::global(place));
        b.store(Value::global(position), value);
        let one = b.f32(1.0);
        b.store(Value::global(size), one);
        b.function.regions[body].insts.extend(old);
    });
}

/// A fragment stage that writes the first [`TARGETS`] varyings to targets in order, as floats: integers as their number,
/// missing components as zeros.
pub fn fragment(varyings: &[Varying]) -> Module {
    let mut module = empty(Stage::Fragment);
    let function = module.entry_points[0].function;
    let mut pairs = Vec::new();
    for (target, &(location, kind, lanes)) in (0..).zip(varyings.iter().take(TARGETS)) {
        let from = GlobalKind::Input(varying_io(location, kind));
        let from = module.add_global(&format!("in{location}"), types::vector(kind, lanes), Space::Input, from);
        let to = GlobalKind::Output(Io::at(target));
        pairs.push((from, module.add_global(&format!("out{target}"), types::VEC4F, Space::Output, to), lanes));
    }
    Builder::edit(&mut module, function, |b| {
        for (from, to, lanes) in pairs {
            let value = b.load(Value::global(from));
            let value = b.convert(value, Scalar::F32);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_stages_verify() {
        let all = [(0, Scalar::F32, 4), (3, Scalar::I32, 2), (4, Scalar::F32, 1)];
        for module in [vertex(all.map(|varying| (varying.0, varying)), PLACE), fragment(&all)] {
            crate::module::check(&module).unwrap();
        }
    }

    #[test]
    fn an_opened_vertex_stage_shows_its_position() {
        let text = "module\nglobal @a: input<vec4<f32>> location(0)\nglobal @p: output<vec4<f32>> builtin(position)\n\
                    global @v: output<f32> location(2)\nentry vertex \"main\" @main\nfn @main() {\n\
                    %a: vec4<f32> = load @a\nstore @p, %a\n%x: f32 = extract %a[0]\nstore @v, %x\nreturn\n}\n";
        let mut module = crate::module::parse("a", text).unwrap();
        open_vertex(&mut module, PLACE);
        crate::module::check(&module).unwrap();
        assert_eq!(varyings(&module, Space::Output), [(2, Scalar::F32, 1), (3, Scalar::F32, 4)]);
        assert!(module.find_builtin(Builtin::Position, Space::Output).is_some());
    }
}
