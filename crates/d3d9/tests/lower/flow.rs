//! Branches, loops, subroutines, predicates (sheet 1.15, 2.7).

use crate::shader::{decoded, draw, lower, lower_with, lowered, words};
use aquatint_base::{Diags, Limits, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::lower::{Lowered, Options};
use aquatint_ir::{Op, walk::Walk};

fn count(lowered: &Lowered, op: Op) -> usize {
    let function = &lowered.module.functions[lowered.module.entry_points[0].function];
    Walk::new(function).insts().filter(|&inst| function.insts[inst].op == op).count()
}

/// l0 loops and calls l1, which returns from inside a loop of its own; l0 returns from inside its loop as well.
#[test]
fn ret_inside_loop_inside_subroutine() {
    let text = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1\ndef c20, 1, 10, 100, 1000\ndefi i0, 5, 0, 0, 0\ndefi i1, 7, \
                0, 0, 0\nmov o0, v0\nmov r0, c30\ncall l0\nadd r0.w, r0.w, c20.w\nmov o1, r0\nret\nlabel l0\nrep i0\nadd r0.x, r0.x, \
                c20.x\ncall l1\nif_ge r0.x, v0.x\nret\nendif\nadd r0.z, r0.z, c20.x\nendrep\nadd r0.z, r0.z, c20.z\nret\nlabel \
                l1\nmov r1.x, c30.x\nrep i1\nadd r1.x, r1.x, c20.x\nadd r0.y, r0.y, c20.x\nif_ge r1.x, v0.y\nret\nendif\nendrep\nadd \
                r0.y, r0.y, c20.z\nret\n";
    let lowered = lower(text);
    // v0.x: after how many passes l0 returns, of 5. v0.y: after how many passes l1 returns, of 7.
    for (x, y, want) in [
        // l0 returns in its second pass: 2 calls of l1, of 3 passes each; one pass of l0 got to its end.
        (2.0, 3.0, [2.0, 6.0, 1.0, 1000.0]),
        // l0 never returns early: 5 passes, and the 100 behind its loop.
        (9.0, 2.0, [5.0, 10.0, 105.0, 1000.0]),
        // l1 never returns early: 7 passes and 100 each.
        (1.0, 9.0, [1.0, 107.0, 0.0, 1000.0]),
        (9.0, 9.0, [5.0, 535.0, 105.0, 1000.0]),
    ] {
        assert_eq!(draw(&lowered).input(("position", 0), [x, y, 0.0, 1.0]).texcoord(), want, "{x} {y}");
    }
}

/// A `ret` in nested loops of one subroutine leaves all of them, and nothing of the caller.
#[test]
fn ret_leaves_every_loop_of_its_subroutine() {
    let text = "ps_3_0\ndcl_texcoord v0\ndef c20, 1, 0, 0, 0\ndefi i0, 3, 0, 0, 0\nmov r0, c20.y\nrep i0\ncall l0\nadd r0.y, r0.y, \
                c20.x\nendrep\nmov oC0, r0\nret\nlabel l0\nrep i0\nrep i0\nrep i0\nadd r0.x, r0.x, c20.x\nif_ge r0.x, \
                v0.x\nret\nendif\nendrep\nendrep\nadd r0.z, r0.z, c20.x\nendrep\nadd r0.w, r0.w, c20.x\nret\n";
    let lowered = lower(text);
    // 27 passes of the innermost a call. At 1 each call returns at once; at 28 the second call does, at its first pass.
    for (x, want) in [
        (1.0, [3.0, 3.0, 0.0, 0.0]),
        (28.0, [29.0, 3.0, 3.0, 1.0]),
        (1000.0, [81.0, 3.0, 9.0, 3.0]),
        (40.0, [41.0, 3.0, 4.0, 1.0]),
    ] {
        assert_eq!(draw(&lowered).input(("texcoord", 0), [x; 4]).color(), want, "{x}");
    }
}

/// Both arms return, and what stands behind is never reached.
#[test]
fn ret_in_both_arms() {
    let text = "ps_2_x\ndef c0, 1, 2, 3, 4\ndef c1, 5, 6, 7, 8\ncall l0\nadd r0, r0, r0\nmov oC0, r0\nret\nlabel l0\nif b0\nmov r0, \
                c0\nret\nelse\nmov r0, c1\nret\nendif\nmov r0, c9\nret\n";
    let lowered = lower(text);
    for (on, want) in [(true, [2.0, 4.0, 6.0, 8.0]), (false, [10.0, 12.0, 14.0, 16.0])] {
        assert_eq!(draw(&lowered).b(0, on).c(9, [100.0; 4]).color(), want);
    }
    // The same at the end of the main program.
    let text = "ps_2_x\ndef c0, 1, 2, 3, 4\ndef c1, 5, 6, 7, 8\nif b0\nmov oC0, c0\nret\nelse\nmov oC0, c1\nret\nendif\nmov oC0, c9\n";
    let lowered = lower(text);
    for (on, want) in [(true, [1.0, 2.0, 3.0, 4.0]), (false, [5.0, 6.0, 7.0, 8.0])] {
        assert_eq!(draw(&lowered).b(0, on).c(9, [100.0; 4]).color(), want);
    }
}

/// fxc's unconditional break compares a constant with its own negation.
#[test]
fn break_idiom_is_folded_where_the_constant_is_known() {
    let text = |def: &str| {
        format!(
            "ps_3_0\ndcl_texcoord v0\n{def}def c21, 1, 0, 0, 0\ndefi i0, 9, 0, 0, 0\nmov r0, c21.y\nrep i0\nadd r0.x, r0.x, \
             c21.x\nif_ge r0.x, v0.x\nbreak_ne c20.w, -c20.w\nendif\nendrep\nmov oC0, r0\n"
        )
    };
    // Known and not 0: unconditional. The loop has its own test and that of the if.
    let known = lower(&text("def c20, 0, 0, 0, 1\n"));
    assert_eq!(count(&known, Op::FNe), 0);
    assert_eq!(draw(&known).input(("texcoord", 0), [4.0; 4]).color()[0], 4.0);
    // Known and 0: never.
    let never = lower(&text("def c20, 1, 1, 1, 0\n"));
    assert_eq!(count(&never, Op::FNe), 0);
    assert_eq!(draw(&never).input(("texcoord", 0), [4.0; 4]).color()[0], 9.0);
    // From the application: asked each time.
    let asked = lower(&text(""));
    assert_eq!(count(&asked, Op::FNe), 1);
    for (w, want) in [(0.0, 9.0), (-0.0, 9.0), (2.0, 4.0), (f32::NAN, 4.0)] {
        assert_eq!(draw(&asked).c(20, [0.0, 0.0, 0.0, w]).input(("texcoord", 0), [4.0; 4]).color()[0], want, "{w}");
    }
}

/// Comparisons of definitions fold with NaN as IEEE has it: only `ne` holds.
#[test]
fn folded_comparisons_of_nan() {
    for (name, holds) in [("gt", false), ("eq", false), ("ge", false), ("lt", false), ("ne", true), ("le", false)] {
        let text = format!(
            "ps_3_0\ndef c0, 0x7FC00000, 1, 0, 0\nmov r0, c0.z\nif_{name} c0.x, c0.y\nmov r0, c0.y\nendif\nmov oC0, r0\n"
        );
        let lowered = lower(&text);
        assert_eq!(count(&lowered, Op::If), 0);
        assert_eq!(draw(&lowered).color(), [f32::from(u8::from(holds)); 4], "{name}");
    }
}

#[test]
fn break_leaves_the_innermost_loop_from_a_subroutineless_depth() {
    // Breaks in nested branches of an inner loop; the outer goes on.
    let text = "ps_3_0\ndcl_texcoord v0\ndef c20, 1, 0, 10, 0\ndefi i0, 4, 0, 0, 0\ndefi i1, 6, 0, 0, 0\nmov r0, c20.y\nrep i0\nmov r1.x, \
                c20.y\nrep i1\nadd r1.x, r1.x, c20.x\nif_ge r1.x, v0.x\nif b0\nbreak\nelse\nadd r0.z, r0.z, c20.x\nendif\nendif\nadd \
                r0.x, r0.x, c20.x\nendrep\nadd r0.y, r0.y, c20.x\nendrep\nmov oC0, r0\n";
    let lowered = lower(text);
    assert_eq!(draw(&lowered).b(0, true).input(("texcoord", 0), [3.0; 4]).color(), [8.0, 4.0, 0.0, 0.0]);
    assert_eq!(draw(&lowered).b(0, false).input(("texcoord", 0), [3.0; 4]).color(), [24.0, 4.0, 16.0, 0.0]);
}

/// aL of the caller's loop is seen in a subroutine that is called there on a condition, and its own loop hides it.
#[test]
fn al_in_a_called_subroutine() {
    let text = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1\ndef c60, 0, 0, 0, 0\ndefi i0, 3, 2, 1, 0\ndefi i1, 2, 10, 5, \
                0\nmov o0, v0\nmov r0, c60\nloop aL, i0\ncallnz l0, b0\nadd r0.w, r0.w, c0[aL].x\nendloop\nmov o1, r0\nret\nlabel \
                l0\nadd r0.x, r0.x, c0[aL].x\nloop aL, i1\nadd r0.y, r0.y, c0[aL].x\nendloop\nadd r0.z, r0.z, c0[aL].x\nret\n";
    let lowered = lower(text);
    let run = |on: bool| {
        let mut draw = draw(&lowered).b(0, on);
        for register in 0..32 {
            draw = draw.c(register, [register as f32; 4]);
        }
        draw.texcoord()
    };
    // 2 + 3 + 4 outside, and 3 * (10 + 15) inside.
    assert_eq!(run(true), [9.0, 75.0, 9.0, 9.0]);
    assert_eq!(run(false), [0.0, 0.0, 0.0, 9.0]);
}

/// The count is read at entry: what the body does to nothing changes it, and each lane has its own.
#[test]
fn lanes_leave_a_loop_at_different_passes() {
    let text = "ps_3_0\ndcl_texcoord v0\ndef c20, 1, 0, 0, 0\ndefi i0, 255, 0, 0, 0\nmov r0, c20.y\nrep i0\nbreak_ge r0.x, v0.x\nadd r0.x, \
                r0.x, c20.x\nendrep\nmov oC0, r0.x\n";
    let lowered = lower(text);
    let values = [3.0f32, 0.0, 7.0, 300.0].map(|x| [x; 4]);
    let ran = draw(&lowered).inputs(("texcoord", 0), &values).run();
    assert_eq!([0, 1, 2, 3].map(|lane| ran.output_of(0, lane).unwrap()[0]), [3.0, 0.0, 7.0, 255.0]);
}

#[test]
fn texkill_predicated() {
    // Lanes of p0 by swizzle, and its negation: a lane that is not picked does not kill.
    let text = |kill: &str| {
        format!(
            "ps_2_x\ndcl t0\ndcl t1\ndef c0, 0, 1, 0, 0\nmov r0, t0\nsetp_gt p0, t1, c0.x\n{kill} r0\nmov oC0, c0.y\n"
        )
    };
    let live = |kill: &str, value: [f32; 4], picks: [f32; 4]| {
        let lowered = lower(&text(kill));
        assert!(lowered.reflection.uses_kill);
        draw(&lowered).input(("texcoord", 0), value).input(("texcoord", 1), picks).run().is_live(0)
    };
    let below_y = [1.0, -1.0, 1.0, 1.0];
    assert!(!live("texkill", below_y, [0.0; 4]));
    assert!(!live("(p0) texkill", below_y, [0.0, 1.0, 0.0, 0.0]));
    assert!(live("(p0) texkill", below_y, [1.0, 0.0, 1.0, 1.0]));
    assert!(!live("(!p0) texkill", below_y, [1.0, 0.0, 1.0, 1.0]));
    assert!(live("(!p0) texkill", below_y, [0.0, 1.0, 0.0, 0.0]));
    assert!(!live("(p0.x) texkill", below_y, [1.0, 0.0, 0.0, 0.0]));
    assert!(live("(p0.x) texkill", below_y, [0.0, 1.0, 1.0, 1.0]));
    assert!(!live("(p0.yxzw) texkill", below_y, [1.0, 0.0, 0.0, 0.0]));
    assert!(live("(p0.yxzw) texkill", below_y, [0.0, 1.0, 0.0, 0.0]));
}

/// A killed pixel goes on as a helper: derivatives of its neighbours count it.
#[test]
fn killed_pixels_feed_derivatives() {
    let text = "ps_3_0\ndcl_texcoord v0\nmov r0, v0\ntexkill r0\ndsx r1, v0\nmov oC0, r1\n";
    let lowered = lower(text);
    let values = [[1.0; 4], [-4.0, 1.0, 1.0, 1.0], [2.0; 4], [2.0; 4]];
    let ran = draw(&lowered).inputs(("texcoord", 0), &values).run();
    assert_eq!((ran.is_live(0), ran.is_live(1)), (true, false));
    assert_eq!(ran.output_of(0, 0).unwrap()[0], -5.0);
}

#[test]
fn recursion_and_missing_labels_are_refused() {
    let code = |text: &str| match decoded(&{
        // The assembler refuses them as well; the words come from a text that it takes.
        let mut stream = words(text);
        let call = stream.iter().position(|&word| word == 0xA0E4_1001).expect("call l1");
        stream[call] = 0xA0E4_1000;
        stream
    }) {
        Ok(_) => String::new(),
        Err(why) => why.split(' ').next().unwrap_or_default().to_owned(),
    };
    // l0 calls l1 as written, itself as changed.
    let text =
        "vs_2_0\ndcl_position v0\nmov oPos, v0\ncall l0\nret\nlabel l0\ncall l1\nret\nlabel l1\nadd r0, r0, r0\nret\n";
    assert_eq!(code(text), "E-CALL");
}

/// Each of `depth` subroutines calls the next twice; the last adds v0 to r0.
fn doubling(depth: usize) -> String {
    let mut text = "vs_2_sw\ndcl_position v0\nmov oPos, v0\ncall l0\nmov oT0, r0\nret\n".to_owned();
    for label in 0..depth {
        text.push_str(&format!("label l{label}\n"));
        match label + 1 < depth {
            true => (0..2).for_each(|_| text.push_str(&format!("call l{}\n", label + 1))),
            false => text.push_str("add r0, r0, v0\n"),
        }
        text.push_str("ret\n");
    }
    text
}

/// A thousand million instructions are refused before anything is expanded, fewer when they pass the caller's bound.
#[test]
fn calls_exponential() {
    let mut diags = Diags::new();
    assert!(assemble(&doubling(30), SourceId(0), &AssembleOptions::default(), &mut diags).is_none());
    assert_eq!(diags.iter().map(|d| d.code.id).collect::<Vec<_>>(), ["E-CALL"]);
    let limits = Limits { instructions: 5000, ..Limits::default() };
    let error = lowered(&words(&doubling(14)), &Options { limits, ..Options::default() }).unwrap_err();
    assert!(error.starts_with("E-CALL") && error.contains("5000"), "{error}");
    // A few levels are nothing.
    assert_eq!(draw(&lower(&doubling(6))).input(("position", 0), [1.0; 4]).texcoord(), [32.0; 4]);
}

#[test]
fn labels_many() {
    // As many subroutines as vs_2_sw has labels, called from the main program in order; each adds one.
    let mut text = "vs_2_sw\ndcl_position v0\ndef c0, 1, 0, 0, 0\nmov oPos, v0\nmov r0, c0.y\n".to_owned();
    (0..2000).for_each(|label| text.push_str(&format!("call l{label}\n")));
    text.push_str("mov oT0, r0\nret\n");
    (0..2000).for_each(|label| text.push_str(&format!("label l{label}\nadd r0.x, r0.x, c0.x\nret\n")));
    assert_eq!(draw(&lower(&text)).texcoord(), [2000.0, 0.0, 0.0, 0.0]);
}

/// Branches and loops as deep as the decoder allows still lower, and mean what they say.
#[test]
fn nesting_as_deep_as_the_limit() {
    let depth = 60;
    let mut text = "ps_2_sw\ndef c0, 1, 0, 0, 0\nmov r0, c0.y\n".to_owned();
    (0..depth).for_each(|level| text.push_str(if level % 8 == 7 { "rep i0\n" } else { "if b0\n" }));
    text.push_str("add r0, r0, c0.x\n");
    (0..depth).rev().for_each(|level| text.push_str(if level % 8 == 7 { "endrep\n" } else { "endif\n" }));
    text.push_str("mov oC0, r0\n");
    let lowered = lower(&text);
    assert_eq!(draw(&lowered).b(0, true).i(0, [1, 0, 0, 0]).color(), [1.0; 4]);
    assert_eq!(draw(&lowered).b(0, true).i(0, [2, 0, 0, 0]).color(), [128.0; 4]);
    assert_eq!(draw(&lowered).b(0, false).i(0, [2, 0, 0, 0]).color(), [0.0; 4]);
}

/// Values that only one arm writes, after the other has ended.
#[test]
fn writes_beside_an_arm_that_ends() {
    let text = "ps_3_0\ndcl_texcoord v0\ndef c0, 1, 2, 3, 4\nmov r0, c0\nif_lt v0.x, c5.x\nmov oC0, r0\nret\nelse\nadd r0.xz, r0, \
                v0\nendif\nmov r1, r0\nif_gt v0.y, c5.x\nmov r0.w, c0.x\nelse\nmov oC0, r0.x\nret\nendif\nadd oC0, r0, r1\n";
    let lowered = lower(text);
    let color = |x: f32, y: f32| draw(&lowered).input(("texcoord", 0), [x, y, 10.0, 0.0]).color();
    assert_eq!(color(-1.0, 1.0), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(color(5.0, -1.0), [6.0; 4]);
    assert_eq!(color(5.0, 1.0), [12.0, 4.0, 26.0, 5.0]);
}

#[test]
fn code_behind_ret_is_dropped() {
    let lowered = lower_with("ps_2_x\ndef c0, 1, 2, 3, 4\nmov oC0, c0\nret\n", &Options::default());
    assert_eq!(draw(&lowered).color(), [1.0, 2.0, 3.0, 4.0]);
}
