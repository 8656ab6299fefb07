//! Parity cases: the file format, comparison, and the search for the first value that differs.

use aquatint_ir::{Module, Op};
use aquatint_testkit::parity::scene::{Dispatch, Draw, Work};
use aquatint_testkit::parity::{
    Case, Executor, Failure, Interpreter, Results, Scene, check, probe, read::parse as read_text,
};

const KERNEL: &str = "\
format aquatint-parity 1
title a loop that adds, a branch
tolerance bits: integers
[compute ir]
module
global @in: storage<array<u32, stride(4)>> binding(class t, register 0)
global @out: storage<array<u32, stride(4)>> binding(class u, register 0) writable
global @gid: input<vec3<u32>> builtin(global_invocation)
entry compute \"main\" @main workgroup_size(2, 1, 1)
fn @main() {
    %g: vec3<u32> = load @gid
    %i: u32 = extract %g[0]
    %pi: ptr<storage, u32> = access @in[%i]
    %x: u32 = load %pi
    %sum: u32 = loop (%k: u32 = 0, %s: u32 = 0) {
        %go: bool = ilt %k, %x
        if %go { } else { break %s }
        %t: u32 = iadd %s, %k
        continue %k, %t
    } continuing (%k0: u32, %t1: u32) {
        %k1: u32 = iadd %k0, 1
        next %k1, %t1
    }
    %twice: u32 = imul %sum, 2
    %po: ptr<storage, u32> = access @out[%i]
    store %po, %twice
    return
}
[inputs]
dispatch 2 1 1
buffer t0 u32 0 1 4 5   # one an invocation
buffer u0 u32 zeros 4
[expect]
buffer u0 u32 0 0 12 20
";

const PIXELS: &str = "\
format aquatint-parity 1
title a fragment stage alone
tolerance abs 0 rel 1e-6: division
[fragment ir]
module
global @a: input<vec4<f32>> location(0)
global @o: output<vec4<f32>> location(0)
entry fragment \"main\" @main
fn @main() {
    %a: vec4<f32> = load @a
    %b: vec4<f32> = fdiv %a, vec4<f32>(2.0)
    store @o, %b
    return
}
[inputs]
target 2 1 1
draw points 2
attribute 0 f32x4 1 2 3 4
  5 6 7 inf
[expect]
texel 0 0 0 0.5 1 1.5 2
texel 0 1 0 2.5 3 3.5 inf
";

fn scene(case: &Case) -> Scene {
    Scene::new(case, &mut |_, shader, _| Err(format!("no language '{}'", shader.language))).unwrap()
}

/// The interpreter on a module in which one operation is another.
struct Wrong(Op, Op);

impl Wrong {
    fn instead(&self, scene: &Scene) -> Result<Results, Failure> {
        let mut scene = scene.clone();
        let edit = |module: &mut Module| {
            for function in module.functions.ids().collect::<Vec<_>>() {
                let first = module.functions[function].insts.iter_mut().find(|(_, inst)| inst.op == self.0);
                if let Some((_, inst)) = first {
                    inst.op = self.1;
                }
            }
        };
        scene.modules_mut().into_iter().for_each(edit);
        Interpreter::default().run(&scene)
    }
}

impl Executor for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn draw(&self, scene: &Scene, _: &Draw) -> Result<Results, Failure> {
        self.instead(scene)
    }

    fn dispatch(&self, scene: &Scene, _: &Dispatch) -> Result<Results, Failure> {
        self.instead(scene)
    }
}

#[test]
fn what_is_expected_holds_for_kernels_and_pixels() {
    for (text, scalars) in [(KERNEL, 4), (PIXELS, 8)] {
        let case = read_text("a", text).unwrap();
        let report = check(&case, &scene(&case), &[&Interpreter::default()]).unwrap();
        assert_eq!((report.agreeing.as_slice(), report.scalars), (&["interpreter".to_owned()][..], scalars));
    }
}

#[test]
fn a_wrong_expectation_is_shown_with_its_bits() {
    let case = read_text("a", &KERNEL.replace("12 20\n", "12 21\n")).unwrap();
    let why = check(&case, &scene(&case), &[&Interpreter::default()]).unwrap_err();
    assert!(why.contains("u0 byte 12: 20 (0x14) instead of 21 (0x15)"), "{why}");
}

#[test]
fn a_difference_names_the_first_value_that_differs() {
    let interpreter = Interpreter::default();
    // The first multiplication is the doubling behind the loop; the first addition lies within it.
    for (from, to, line, lane) in [
        (Op::IMul, Op::ISub, "%twice: u32 = imul %sum, 2", "invocation 0"),
        (Op::FDiv, Op::FMul, "%b: vec4<f32> = fdiv %a, vec4<f32>(2.0)", "invocation 0"),
    ] {
        let case = read_text("a", if from == Op::FDiv { PIXELS } else { KERNEL }).unwrap();
        let why = check(&case, &scene(&case), &[&interpreter, &Wrong(from, to)]).unwrap_err();
        assert!(why.contains(line) && why.contains(lane), "{why}");
    }
}

#[test]
fn a_loop_is_looked_into() {
    let case = read_text("a", KERNEL).unwrap();
    let scene = scene(&case);
    let wrong = Wrong(Op::ILt, Op::ILe);
    let found = probe::find(&scene, 0, case.tolerance, [&Interpreter::default(), &wrong]).unwrap().unwrap();
    let Work::Dispatch(dispatch) = &scene.work else { panic!("a dispatch") };
    let line = probe::line_of(&dispatch.compute, found.place);
    // One pass more: the counter is the first value that is another one.
    assert!(line.contains("loop (%k: u32 = 0"), "{line}");
}

#[test]
fn equal_executors_have_no_first_difference() {
    let case = read_text("a", KERNEL).unwrap();
    let both: [&dyn Executor; 2] = [&Interpreter::default(), &Interpreter::default()];
    assert_eq!(probe::find(&scene(&case), 0, case.tolerance, both), Ok(None));
}

#[test]
fn allowances_are_held_to() {
    let wrong = Wrong(Op::IMul, Op::ISub);
    let text = KERNEL
        .replace("[compute", "differs wrong: it subtracts\n[compute")
        .replace("[expect]\nbuffer u0 u32 0 0 12 20\n", "");
    let case = read_text("a", &text).unwrap();
    let report = check(&case, &scene(&case), &[&Interpreter::default(), &wrong]).unwrap();
    assert_eq!(report.allowed, ["wrong differs: it subtracts"]);
    let why = check(&case, &scene(&case), &[&Interpreter::default(), &Wrong(Op::FAdd, Op::FSub)]).unwrap_err();
    assert!(why.contains("out of date"), "{why}");
}

#[test]
fn what_was_agreed_on_is_held_against_later() {
    let text = KERNEL.replace("[expect]", "[agreed]");
    assert!(
        check(&read_text("a", &text).unwrap(), &scene(&read_text("a", &text).unwrap()), &[&Interpreter::default()])
            .is_ok()
    );
    let case = read_text("a", &text.replace("12 20", "12 22")).unwrap();
    let why = check(&case, &scene(&case), &[&Interpreter::default()]).unwrap_err();
    assert!(why.contains("agreed on"), "{why}");
}

#[test]
fn faults_of_a_file_have_their_line() {
    for (old, new, line, says) in [
        ("format aquatint-parity 1", "format aquatint-parity 9", 1, "first line"),
        ("tolerance bits: integers", "tolerance bits", 3, "reason"),
        ("tolerance bits: integers", "tolerance some: integers", 3, "no tolerance"),
        ("dispatch 2 1 1", "dispatch 2 1", 30, "missing"),
        ("dispatch 2 1 1", "dispatch 2 1 1 1", 30, "too many"),
        ("dispatch 2 1 1", "despatch 2 1 1", 30, "no line of inputs"),
        ("buffer u0 u32 zeros 4", "buffer t0 u32 zeros 4", 32, "already"),
        ("buffer u0 u32 zeros 4", "buffer q0 u32 zeros 4", 32, "no register"),
        ("buffer u0 u32 0 0", "buffer u0 u32 x 0", 34, "no u32"),
        ("[expect]", "[inputs]", 33, "second time"),
        ("title a loop", "  title a loop", 1, "first line"),
    ] {
        let text = KERNEL.replacen(old, new, 1);
        let why = read_text("a", &text).unwrap_err();
        assert!(why.starts_with(&format!("a.case:{line}: ")) && why.contains(says), "{new}: {why}");
    }
    for (text, says) in [
        (KERNEL.replace("title a loop that adds, a branch\n", ""), "title"),
        (KERNEL.replace("dispatch 2 1 1\n", ""), "dispatch"),
        (KERNEL.replace("buffer u0 u32 zeros 4\n", ""), "nothing to compare"),
        (PIXELS.replace("  5 6 7 inf\n", ""), "one a vertex"),
        (PIXELS.replace("draw points 2\n", ""), "'draw'"),
    ] {
        let why = read_text("a", &text).unwrap_err();
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn a_shader_that_does_not_read_is_shown_in_its_place() {
    let case = read_text("a", &KERNEL.replace("%twice: u32 = imul", "%twice: u32 = imull")).unwrap();
    let why = Scene::new(&case, &mut |_, _, _| Err(String::new())).unwrap_err();
    assert!(why.contains("line 5 of the file") && why.contains("imull"), "{why}");
}
