//! V001 and the parts of V003 that text cannot say: modules built by hand, broken in one place.

use aquatint_base::{Diags, Id};
use aquatint_ir::function::Slice;
use aquatint_ir::types::{self, F32, Scalar, Space, U32, VOID};
use aquatint_ir::{
    Attr, Builder, Cases, Constant, ConstantValue, Def, EntryPoint, Function, FunctionId, GlobalKind, Module, Op,
    SpecConstant, Stage, Type, Value, text, verify,
};

/// A function that adds, branches and calls, and is right.
fn module() -> (Module, FunctionId) {
    let mut module = Module::new();
    module.add_global("g", F32, Space::Private, GlobalKind::Private(None));
    let name = module.names.intern("f");
    let callee = module.names.intern("callee");
    let callee = module.functions.push(Function::new(callee, VOID));
    Builder::edit(&mut module, callee, |b| b.terminate(Op::Return, &[]));
    let function = module.functions.push(Function::new(name, VOID));
    Builder::edit(&mut module, function, |b| {
        let one = b.f32(1.0);
        b.op(Op::FAdd, &[one, one]);
        let (then, other) = (b.new_region(&[]), b.new_region(&[]));
        let yes = b.bool(true);
        b.push_if(yes, then, other, &[]);
        let outer = b.enter(then);
        b.terminate(Op::Yield, &[]);
        b.enter(other);
        b.terminate(Op::Yield, &[]);
        b.enter(outer);
        b.push(Op::Call, Attr::Function(callee), &[], &[]);
        b.terminate(Op::Return, &[]);
    });
    (module, function)
}

/// The codes that a change of the right module brings, in order and without repetition.
fn broken(change: impl FnOnce(&mut Module, FunctionId)) -> Vec<&'static str> {
    let (mut module, function) = module();
    assert!(verify::check(&module).is_ok());
    change(&mut module, function);
    // Neither of these may panic, whatever was broken.
    text::print(&module);
    let mut diags = Diags::new();
    let right = verify::verify(&module, &mut diags);
    assert_eq!(right, diags.is_empty());
    let mut codes: Vec<_> = diags.iter().map(|d| d.code.id).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn far<T>() -> Id<T> {
    Id::new(1_000_000)
}

#[test]
fn ids_that_lead_nowhere_break_v001() {
    let v001 = vec!["V001"];
    assert_eq!(broken(|m, f| m.functions[f].operands[0] = Value::local(far())), v001);
    assert_eq!(broken(|m, f| m.functions[f].operands[0] = Value::constant(far())), v001);
    assert_eq!(broken(|m, f| m.functions[f].operands[0] = Value::global(far())), v001);
    assert_eq!(broken(|m, f| m.functions[f].owned[0] = far()), v001);
    assert_eq!(broken(|m, f| m.functions[f].body = far()), v001);
    assert_eq!(broken(|m, f| m.functions[f].locals[Id::new(0)].ty = far()), v001);
    assert_eq!(broken(|m, f| m.functions[f].insts[Id::new(0)].operands.start = 1000), v001);
    assert_eq!(broken(|m, f| m.functions[f].insts[Id::new(0)].operands.len = u32::MAX), v001);
    assert_eq!(broken(|m, f| m.functions[f].insts[Id::new(0)].results.start = 1000), v001);
    assert_eq!(broken(|m, f| m.functions[f].insts[Id::new(0)].regions = Slice { start: 9, len: 9 }), v001);
    let missing = |m: &mut Module, f: FunctionId| {
        let body = m.functions[f].body;
        m.functions[f].regions[body].insts[0] = far();
    };
    assert_eq!(broken(missing), v001);
    let params = |m: &mut Module, f: FunctionId| {
        let body = m.functions[f].body;
        m.functions[f].regions[body].params = Slice { start: 5, len: 1000 };
    };
    assert_eq!(broken(params), v001);
    assert_eq!(broken(|m, _| m.globals[Id::new(0)].ty = far()), v001);
    assert_eq!(broken(|m, _| m.globals[Id::new(0)].kind = GlobalKind::Private(Some(far()))), v001);
    let callee = |m: &mut Module, f: FunctionId| {
        let call = m.functions[f].insts.iter().find(|(_, i)| i.op == Op::Call).unwrap().0;
        m.functions[f].insts[call].attr = Attr::Function(far());
    };
    assert_eq!(broken(callee), v001);
    let element = |m: &mut Module, _| {
        m.types.intern(Type::Array { element: far(), length: Some(1), stride: 0 });
    };
    assert_eq!(broken(element), v001);
    let structure = |m: &mut Module, _| {
        m.types.intern(Type::Struct(far()));
    };
    assert_eq!(broken(structure), v001);
    let entry = |m: &mut Module, _| {
        let name = m.names.intern("main");
        m.entry_points.push(EntryPoint {
            name,
            stage: Stage::Vertex,
            function: far(),
            workgroup_size: [1; 3],
            depth: Default::default(),
            early_tests: false,
        });
    };
    assert_eq!(broken(entry), v001);
    let spec = |m: &mut Module, _| {
        let default = m.constants.scalar(Scalar::F32, 0);
        m.spec_constants.push(SpecConstant { id: 0, global: far(), default });
    };
    assert_eq!(broken(spec), v001);
    let own_part = |m: &mut Module, _| {
        let ty = m.types.array(F32, 1);
        let next = Id::new(m.constants.len());
        m.constants.intern(Constant { ty, value: ConstantValue::Composite([next].into()) });
    };
    assert_eq!(broken(own_part), v001);
    let cases = |m: &mut Module, f: FunctionId| {
        let id = m.functions[f].insts.iter().find(|(_, i)| i.op == Op::If).unwrap().0;
        let one = Value::constant(m.constants.scalar(Scalar::U32, 1));
        let at = m.functions[f].insts[id].operands.start as usize;
        m.functions[f].operands[at] = one;
        m.functions[f].insts[id].op = Op::Switch;
        m.functions[f].insts[id].attr = Attr::Cases(far::<Cases>());
    };
    assert_eq!(broken(cases), v001);
}

#[test]
fn what_stands_in_two_places_breaks_v003() {
    let twice = |m: &mut Module, f: FunctionId| {
        let body = m.functions[f].body;
        let first = m.functions[f].regions[body].insts[0];
        m.functions[f].regions[body].insts.insert(0, first);
    };
    assert_eq!(broken(twice), ["V003"]);
    let region = |m: &mut Module, f: FunctionId| {
        let then = m.functions[f].owned[0];
        m.functions[f].owned[1] = then;
    };
    assert_eq!(broken(region), ["V003"]);
    let circle = |m: &mut Module, f: FunctionId| {
        let body = m.functions[f].body;
        m.functions[f].owned[1] = body;
    };
    assert_eq!(broken(circle), ["V003"]);
    let elsewhere = |m: &mut Module, f: FunctionId| m.functions[f].locals[Id::new(0)].def = Def::Param(Id::new(0), 0);
    assert_eq!(broken(elsewhere), ["V003"]);
}

#[test]
fn constants_and_types_that_no_table_should_hold_break_v002() {
    let bits = |m: &mut Module, _| {
        m.constants.intern(Constant { ty: types::BOOL, value: ConstantValue::Scalar(2) });
    };
    assert_eq!(broken(bits), ["V002"]);
    let lanes = |m: &mut Module, _| {
        m.constants.intern(Constant { ty: types::vector(Scalar::U32, 2), value: ConstantValue::Vector([1, 2, 3, 0]) });
    };
    assert_eq!(broken(lanes), ["V002"]);
    let shape = |m: &mut Module, _| {
        m.constants.intern(Constant { ty: U32, value: ConstantValue::Zero });
    };
    assert_eq!(broken(shape), ["V002"]);
    let vector = |m: &mut Module, _| {
        m.types.intern(Type::Vector(Scalar::F32, 5));
    };
    assert_eq!(broken(vector), ["V002"]);
    let circle = |m: &mut Module, _| {
        let next = Id::new(m.types.len());
        m.types.intern(Type::Array { element: next, length: Some(1), stride: 0 });
    };
    assert_eq!(broken(circle), ["V002"]);
    let value_type = |m: &mut Module, _| m.globals[Id::new(0)].value_ty = F32;
    assert!(broken(value_type).contains(&"V002"));
}

#[test]
fn wrong_attributes_and_positions_are_refused() {
    assert_eq!(broken(|m, f| m.functions[f].insts[Id::new(0)].attr = Attr::Index(3)), ["V004"]);
    assert_eq!(broken(|m, f| m.functions[f].insts[Id::new(0)].span = 77), ["V016"]);
    assert_eq!(broken(|m, f| m.functions[f].spans.clear()), ["V016"]);
    let regions = |m: &mut Module, f: FunctionId| {
        let id = m.functions[f].insts.iter().find(|(_, i)| i.op == Op::If).unwrap().0;
        m.functions[f].insts[id].regions.len = 1;
    };
    assert_eq!(broken(regions), ["V005"]);
}

#[test]
fn a_deep_chain_of_types_ends_in_a_message() {
    let deep = |m: &mut Module, _| {
        let mut ty = F32;
        for _ in 0..100_000 {
            ty = m.types.array(ty, 1);
        }
    };
    assert_eq!(broken(deep), ["V014"]);
}

#[test]
fn deep_regions_end_in_a_message() {
    let deep = |m: &mut Module, f: FunctionId| {
        Builder::edit(m, f, |b| {
            let yes = b.bool(true);
            let mut inner = b.new_region(&[]);
            b.enter(inner);
            b.terminate(Op::Yield, &[]);
            for _ in 0..5_000 {
                let (outer, other) = (b.new_region(&[]), b.new_region(&[]));
                b.enter(other);
                b.terminate(Op::Yield, &[]);
                b.enter(outer);
                b.push_if(yes, inner, other, &[]);
                b.terminate(Op::Yield, &[]);
                inner = outer;
            }
            let body = b.function.body;
            let id = b.create(Op::If, Attr::None, &[yes], &[], &[inner, inner]);
            b.function.regions[body].insts.insert(0, id);
        });
        // The second region of the outermost `if` is another one.
        let id = m.functions[f].insts.ids().next_back().unwrap();
        let at = m.functions[f].insts[id].regions.start as usize + 1;
        let empty = m.functions[f].regions.push(Default::default());
        m.functions[f].owned[at] = empty;
        let ends = m.functions[f].insts.iter().find(|(_, i)| i.op == Op::Return).unwrap().0;
        let mut copy = m.functions[f].insts[ends];
        copy.op = Op::Unreachable;
        let ends = m.functions[f].insts.push(copy);
        m.functions[f].regions[empty].insts.push(ends);
    };
    assert_eq!(broken(deep), ["V014"]);
}
