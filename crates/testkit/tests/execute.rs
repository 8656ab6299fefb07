//! The comparison of executions finds what differs, and nothing else.

use aquatint_ir::{Binding, Builtin, Module, RegisterClass};
use aquatint_testkit::execute::{Difference, Plan, Run, Summary, Tolerance, compare, wrap_functions};
use aquatint_testkit::module;

const C0: Binding = Binding { class: RegisterClass::B, register: 0, space: 0 };

fn parse(text: &str) -> Module {
    module::parse("test", text).unwrap_or_else(|why| panic!("{why}"))
}

/// A fragment module whose `main` computes `%v` from the input `%x` and the uniform `%k`.
fn fragment(body: &str) -> Module {
    parse(&format!(
        "module\nglobal @in: input<vec4<f32>> location(0)\nglobal @out: output<vec4<f32>> location(0)\n\
         struct %block {{ k: vec4<f32> @0 }} size(16)\nglobal @c: uniform<%block> binding(class b, register 0)\n\
         entry fragment \"main\" @main\nfn @main() {{\n    %x: vec4<f32> = load @in\n    %p: ptr<uniform, vec4<f32>> = \
         access @c[.k]\n    %k: vec4<f32> = load %p\n{body}\n    store @out, %v\n    return\n}}\n"
    ))
}

fn compared(before: &str, after: &str, tolerance: Tolerance) -> Result<Summary, Box<Difference>> {
    compare(&fragment(before), &fragment(after), &Plan { tolerance, ..Plan::default() })
}

#[test]
fn equal_meanings_are_equal() {
    let summary = compared("    %v: vec4<f32> = fadd %x, %k", "    %v: vec4<f32> = fadd %k, %x", Tolerance::Exact);
    // Four seeds, twelve lanes, four scalars.
    assert_eq!(summary.unwrap(), Summary { runs: 4, skipped: 0, scalars: 4 * 12 * 4 });
}

#[test]
fn a_difference_names_the_place_and_shows_both() {
    let found = compared("    %v: vec4<f32> = fadd %x, %k", "    %v: vec4<f32> = fsub %x, %k", Tolerance::Exact);
    let text = found.unwrap_err().to_string();
    for part in ["\"main\"", "seed 1", "lane 0", "@out[", "fadd %x, %k", "fsub %x, %k"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

/// Each of these is equal for ordinary numbers only.
#[test]
fn special_numbers_tell_apart_what_is_nearly_equal() {
    for (before, after) in [
        // -0
        ("    %v: vec4<f32> = fadd %x, vec4<f32>(0.0)", "    %v: vec4<f32> = fadd %x, vec4<f32>(-0.0)"),
        // infinities and NaN
        ("    %v: vec4<f32> = fmul %x, vec4<f32>(0.0)", "    %v: vec4<f32> = fmul.legacy %x, vec4<f32>(0.0)"),
        ("    %v: vec4<f32> = fsub %x, %x", "    %v: vec4<f32> = fmul.legacy %x, vec4<f32>(0.0)"),
        ("    %v: vec4<f32> = fmin %k, %x", "    %v: vec4<f32> = min.d3d9 %k, %x"),
        // denormals and overflow
        (
            "    %a: vec4<f32> = fmul %x, vec4<f32>(0.5)\n    %v: vec4<f32> = fmul %a, vec4<f32>(2.0)",
            "    %v: vec4<f32> = fmul %x, vec4<f32>(1.0)",
        ),
        (
            "    %a: vec4<f32> = fmul %x, vec4<f32>(2.0)\n    %v: vec4<f32> = fmul %a, vec4<f32>(0.5)",
            "    %v: vec4<f32> = fmul %x, vec4<f32>(1.0)",
        ),
    ] {
        assert!(compared(before, after, Tolerance::Exact).is_err(), "{before} and {after}");
        assert!(compared(before, before, Tolerance::Exact).is_ok());
    }
}

#[test]
fn tolerance_is_in_units_in_the_last_place() {
    let (before, after) = (
        "    %v: vec4<f32> = fdiv %x, vec4<f32>(3.0)",
        "    %t: vec4<f32> = rcp vec4<f32>(3.0)\n    %v: vec4<f32> = fmul %x, %t",
    );
    assert!(compared(before, after, Tolerance::Exact).is_err());
    assert!(compared(before, after, Tolerance::Ulps(1)).is_ok());
    // Two zeros are near, a zero and a number are not.
    let (zero, minus) = (
        "    %v: vec4<f32> = fmul.legacy %x, vec4<f32>(0.0)",
        "    %a: vec4<f32> = fmul.legacy %x, vec4<f32>(0.0)\n    %v: \
                                                                     vec4<f32> = fneg %a",
    );
    assert!(compared(zero, minus, Tolerance::Exact).is_err() && compared(zero, minus, Tolerance::Ulps(0)).is_ok());
    assert!(compared(zero, "    %v: vec4<f32> = fadd %x, vec4<f32>(0.0)", Tolerance::Ulps(100)).is_err());
}

#[test]
fn only_live_lanes_count_and_which_live_does() {
    let kill = |op: &str, rest: &str| {
        format!(
            "    %a: f32 = extract %x[0]\n    %b: bool = {op} %a, 0.0\n    if %b {{ discard yield }} else {{ }}\n{rest}"
        )
    };
    let plain = "    %v: vec4<f32> = fadd %x, %k";
    // The discarded lanes are those in which the outputs differ.
    let other = "    %d: bool = flt %a, 0.0\n    %e: f32 = select %d, 1.0, 0.0\n    %f: vec4<f32> = splat %e\n    %s: \
                 vec4<f32> = fadd %x, %k\n    %z: bool = fne %e, 0.0\n    %v: vec4<f32> = select %z, %f, %s";
    assert!(compared(&kill("flt", plain), &kill("flt", other), Tolerance::Exact).is_ok());
    assert!(compared(&kill("fge", plain), &kill("fge", other), Tolerance::Exact).is_err());
    let found = compared(&kill("flt", plain), &kill("fle", plain), Tolerance::Exact).unwrap_err();
    assert_eq!((found.place.as_str(), found.before.as_str(), found.after.as_str()), ("the lane", "live", "discarded"));
}

#[test]
fn what_is_stored_is_compared() {
    let compute = |value: &str| {
        parse(&format!(
            "module\nglobal @id: input<u32> builtin(local_index)\nglobal @b: storage<array<u32, stride(4)>> binding(class \
             u, register 3) writable\nentry compute \"main\" @main workgroup_size(4, 1, 1)\nfn @main() {{\n    %i: u32 = load \
             @id\n    %p: ptr<storage, u32> = access @b[%i]\n    %o: u32 = load %p\n    %v: u32 = {value}\n    store %p, \
             %v\n    return\n}}\n"
        ))
    };
    assert!(compare(&compute("iadd %o, %o"), &compute("imul %o, 2"), &Plan::default()).is_ok());
    let found = compare(&compute("iadd %o, %o"), &compute("imul %o, 3"), &Plan::default()).unwrap_err();
    assert!(found.place.ends_with("of @b"), "{}", found.place);
}

#[test]
fn loops_without_end_are_skipped_and_not_called_equal() {
    let forever = "    loop { continue } continuing { next }\n    %v: vec4<f32> = fadd %x, %k";
    let summary = compared(forever, forever, Tolerance::Exact).unwrap();
    assert_eq!((summary.runs, summary.skipped), (0, 4));
    // A module that comes to an end, after one that does not, is no proof; the other way it is a difference.
    assert!(compared("    %v: vec4<f32> = fadd %x, %k", forever, Tolerance::Exact).is_err());
}

#[test]
fn functions_become_entry_points() {
    let text = "module\nstruct %pair { a: f32, b: bool }\nfn @f(%x: f32, %m: mat2x3<f32>, %p: bool, %s: %pair, %q: \
                ptr<function, vec2<i32>>) -> %pair {\n    store %q, vec2<i32>(1)\n    return %s\n}\nfn @d(%x: f32) -> f32 \
                {\n    %y: f32 = ddx %x\n    return %y\n}\nfn @t(%t: texture_2d<f32>) {\n    return\n}\n";
    let mut module = parse(text);
    assert_eq!(wrap_functions(&mut module), 2);
    module::check(&module).unwrap();
    module::round_trip(&module).unwrap();
    let mut other = parse(&text.replace("vec2<i32>(1)", "vec2<i32>(1, 2)"));
    wrap_functions(&mut other);
    assert!(compare(&module, &module, &Plan::default()).unwrap().scalars > 0);
    let found = compare(&module, &other, &Plan::default()).unwrap_err();
    assert_eq!((found.entry.as_str(), found.before.as_str(), found.after.as_str()), ("run.f", "0x1", "0x2"));
}

#[test]
fn a_run_takes_inputs_and_gives_outputs() {
    let module = parse(
        "module\nglobal @t: input<vec4<f32>> location(1) usage(texcoord, 2)\nglobal @face: input<bool> \
         builtin(front_facing)\nglobal @out: output<vec4<f32>> location(0) usage(color, 0)\nglobal @z: output<f32> \
         builtin(frag_depth)\nstruct %block { k: vec4<f32> @0 } size(16)\nglobal @c: uniform<%block> binding(class b, \
         register 0)\nentry fragment \"main\" @main\nfn @main() {\n    %x: vec4<f32> = load @t\n    %f: bool = load \
         @face\n    %p: ptr<uniform, vec4<f32>> = access @c[.k]\n    %k: vec4<f32> = load %p\n    %v: vec4<f32> = fadd %x, \
         %k\n    store @out, %v\n    %y: f32 = extract %v[1]\n    %n: f32 = select %f, %y, 0.5\n    store @z, %n\n    %l: \
         bool = flt %y, 0.0\n    if %l { discard yield } else { }\n    return\n}\n",
    );
    let k: Vec<u8> = [10.0f32, 20.0, 30.0, 40.0].iter().flat_map(|n| n.to_le_bytes()).collect();
    let ran = Run::new(&module)
        .inputs(("texcoord", 2), &[[1.0, 2.0, 3.0, 4.0], [0.0, -21.0, 0.0, 0.0]])
        .input(Builtin::FrontFacing, [1.0; 4])
        .buffer(C0, k)
        .run()
        .unwrap();
    assert_eq!(ran.output(0), Some([11.0, 22.0, 33.0, 44.0]));
    assert_eq!(ran.output(("color", 0)), ran.output(0));
    assert_eq!(ran.scalars(Builtin::FragDepth, 0), Some(vec![22.0]));
    assert_eq!((ran.is_live(0), ran.is_live(1), ran.is_live(4)), (true, false, false));
    assert_eq!(ran.output(7), None);
    let back = Run::new(&module).input(1, [0.0; 4]).run().unwrap();
    assert_eq!(back.scalars(Builtin::FragDepth, 0), Some(vec![0.5]));
}
