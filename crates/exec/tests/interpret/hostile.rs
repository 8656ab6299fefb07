//! Modules that are wrong, huge or mean: errors, never panics, and no work without bound.

use crate::{kernel, parse, parse_unverified, store};
use aquatint_exec::interpret::{Error, MAX_LANES, Machine, Program, Resources};
use aquatint_ir::{Builder, EntryPoint, Function, Module, Op, Stage, Type, types};

fn new(text: &str) -> Result<Program, Error> {
    Program::new(&parse_unverified(text), "main")
}

#[test]
fn recursion_is_refused() {
    let text = format!(
        "{}\nfn @a() {{ call @b() return }}\nfn @b() {{ call @a() return }}",
        kernel(1, "", "call @a() return")
    );
    assert!(matches!(new(&text), Err(Error::Malformed(_))));
}

#[test]
fn calls_that_double_at_each_level_meet_the_budget() {
    let mut text = kernel(1, "", "call @f0() return");
    for i in 0..40 {
        text += &format!("\nfn @f{i}() {{ call @f{n}() call @f{n}() return }}", n = i + 1);
    }
    text += "\nfn @f40() { return }";
    let module = parse(&text);
    let options = aquatint_exec::interpret::Options {
        limits: aquatint_base::Limits { steps: 100_000, ..Default::default() },
        ..Default::default()
    };
    let program = Program::with_options(&module, "main", options).unwrap();
    let mut machine = Machine::for_workgroup(&program).unwrap();
    assert_eq!(machine.run_workgroup(&mut Resources::new(), [0; 3], [1; 3]), Err(Error::Steps));
}

#[test]
fn huge_types_and_workgroups_are_refused() {
    let body = |size: &str| format!("%v: ptr<function, array<f32, {size}>> = var\n{}", store("1"));
    assert!(matches!(new(&kernel(1, "", &body("4294967295"))), Err(Error::TooLarge(_))));
    let program = new(&kernel(1 << 20, "", "return")).unwrap();
    assert!(matches!(Machine::for_workgroup(&program), Err(Error::TooLarge(_))));
    let program = new(&kernel(4096, "", &body("100000"))).unwrap();
    assert!(matches!(Machine::new(&program, MAX_LANES), Err(Error::TooLarge(_))));
    assert!(matches!(Machine::new(&program, 0), Err(Error::TooLarge(_))));
}

#[test]
fn types_without_scalars_take_no_time() {
    // Each struct holds the one before it twice, 60 deep, and the first is empty; then an array of them.
    let mut module = Module::new();
    let mut inner = {
        let name = module.names.intern("s");
        let id = module.types.structs.push(aquatint_ir::Struct { name, members: Vec::new(), size: 0 });
        module.types.intern(Type::Struct(id))
    };
    for i in 0..60 {
        let name = module.names.intern(&format!("s{i}"));
        let member = aquatint_ir::types::Member { name, ty: inner, layout: None };
        let id = module.types.structs.push(aquatint_ir::Struct { name, members: vec![member, member], size: 0 });
        inner = module.types.intern(Type::Struct(id));
    }
    let list = module.types.intern(Type::Array { element: inner, length: Some(u32::MAX), stride: 0 });
    let binding = aquatint_ir::Binding { class: aquatint_ir::RegisterClass::B, register: 0, space: 0 };
    let kind = aquatint_ir::GlobalKind::Resource { binding, writable: false, counter: false };
    let global = module.add_global("g", list, aquatint_ir::Space::Uniform, kind);
    let name = module.names.intern("main");
    let function = module.functions.push(Function::new(name, types::VOID));
    Builder::edit(&mut module, function, |b| {
        b.load(aquatint_ir::Value::global(global));
        b.terminate(Op::Return, &[]);
    });
    let stage = Stage::Compute;
    let depth = Default::default();
    module.entry_points.push(EntryPoint { name, stage, function, workgroup_size: [1; 3], depth, early_tests: false });
    let program = Program::new(&module, "main").unwrap();
    let mut machine = Machine::for_workgroup(&program).unwrap();
    machine.run_workgroup(&mut Resources::new(), [0; 3], [1; 3]).unwrap();
}

#[test]
fn a_missing_entry_and_operands_that_do_not_fit_are_errors() {
    let module = parse(&kernel(1, "", "return"));
    assert_eq!(Program::new(&module, "other").err(), Some(Error::NoEntry("other".to_owned())));
    for body in [
        "%a: vec4<f32> = fadd 1.0:f32, 2.0:f32 return",
        "%a: f32 = shuffle vec2<f32>(1.0, 2.0), [w] return",
        "%a: f32 = extract vec2<f32>(1.0, 2.0)[3] return",
        "%a: vec2<f32> = construct 1.0:f32 return",
        "%a: u32 = load 4:u32 return",
        "store 4:u32, 4:u32 return",
        "if true { break } else { yield } return",
        "%a: f32 = wave.sum vec2<f32>(1.0, 2.0) return",
        "%a: u32 = array.length 3:u32 return",
        "fallthrough",
        "return %i",
    ] {
        let result = new(&kernel(1, "", body));
        assert!(matches!(result, Err(Error::Malformed(_))), "{body}: {result:?}");
    }
}

#[test]
fn an_access_that_claims_a_larger_type_is_an_error() {
    let globals = "global @own : private<array<u32, 2>>";
    let body = "%p: ptr<private, array<u32, 1000>> = access @own[1]
    %x: array<u32, 1000> = load %p
    return";
    assert!(matches!(new(&kernel(1, globals, body)), Err(Error::Malformed(_))));
}

#[test]
fn a_deep_nest_of_regions_is_refused_or_runs() {
    let nest = |depth: usize| {
        let mut module = parse(&kernel(1, "", "return"));
        let function = module.entry_points[0].function;
        module.functions[function].regions = Default::default();
        let body = module.functions[function].regions.push(Default::default());
        module.functions[function].body = body;
        Builder::edit(&mut module, function, |b| {
            for level in 0..depth {
                let (then, other) = (b.new_region(&[]), b.new_region(&[]));
                let yes = b.bool(true);
                b.push_if(yes, then, other, &[]);
                b.terminate(if level == 0 { Op::Return } else { Op::Yield }, &[]);
                b.enter(other);
                b.terminate(Op::Yield, &[]);
                b.enter(then);
            }
            b.terminate(Op::Yield, &[]);
        });
        Program::new(&module, "main").map(|program| {
            let mut machine = Machine::for_workgroup(&program).unwrap();
            machine.run_workgroup(&mut Resources::new(), [0; 3], [1; 3])
        })
    };
    assert_eq!(nest(250), Ok(Ok(())));
    assert_eq!(nest(100_000), Err(Error::TooLarge("nesting of regions")));
}
