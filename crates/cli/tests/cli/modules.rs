//! `aquatint cat`, `pass`, `passes`.

use super::{Dir, TINT};

#[test]
fn cat_prints_what_it_reads() {
    let dir = Dir::with(&[("tint.asm", TINT), ("bad.ir", "module\n\nfn @f(%a: f32) -> f32 {\n  return %b\n}\n")]);
    dir.run(&["compile", "tint.asm", "-O0", "-o", "tint.ir"]).silent();
    let once = dir.run(&["cat", "tint.ir"]).silent();
    assert_eq!(once.text(), dir.text("tint.ir"), "the text form reads back");
    let piped = dir.run_with_input(&["cat", "-"], &once.out).silent();
    assert_eq!(piped.out, once.out);
    let bad = dir.run(&["cat", "bad.ir", "--error-format", "short"]).code(1);
    assert!(bad.err.starts_with("bad.ir:4:"), "{}", bad.err);
    dir.run(&["cat", "missing.ir"]).code(3);
}

#[test]
fn modules_compile_too() {
    let dir = Dir::with(&[("tint.asm", TINT)]);
    dir.run(&["compile", "tint.asm", "-o", "tint.ir"]).silent();
    let metal = dir.run(&["compile", "tint.ir", "--to", "msl"]).silent();
    assert!(metal.text().contains("fragment"));
    dir.run(&["compile", "tint.ir", "--to", "msl", "--entry", "main"]).silent();
    let wrong = dir.run(&["compile", "tint.ir", "--to", "msl", "--entry", "other"]).code(1);
    assert!(wrong.err.contains("AQ0010"), "{}", wrong.err);
    let reflect = dir.run(&["compile", "tint.ir", "-o", "x.metal", "--reflect", "x.json"]).code(1);
    assert!(reflect.err.contains("AQ0012") && !dir.has("x.metal"));
}

#[test]
fn a_pass_runs_alone() {
    let dir = Dir::with(&[("tint.asm", TINT)]);
    dir.run(&["compile", "tint.asm", "-O0", "-o", "tint.ir"]).silent();
    let before = dir.text("tint.ir");
    let after = dir.run(&["pass", "dce", "tint.ir", "--stress"]).silent();
    assert!(after.text().lines().count() <= before.lines().count());
    // Legacy products go when they are expanded (sheet 2.1).
    assert!(before.contains("fmul.legacy"));
    let expanded = dir.run(&["pass", "expand_legacy", "tint.ir", "-o", "expanded.ir"]).silent();
    assert!(expanded.out.is_empty() && !dir.text("expanded.ir").contains("fmul.legacy"));
    let wrong = dir.run(&["pass", "dec", "tint.ir"]).code(2);
    assert!(wrong.err.contains("'dce'"), "{}", wrong.err);
}

#[test]
fn passes_lists_all_with_their_place_in_the_pipeline() {
    let list = Dir::new().run(&["passes"]).silent();
    for pass in ["mem2reg", "fold", "cse", "dce", "inline", "unroll", "expand_legacy"] {
        assert!(list.text().contains(pass), "{pass}");
    }
    // The parts of aggregates are promoted after they are split.
    let line = list.text().lines().find(|line| line.contains("mem2reg")).expect("a line");
    assert!(line.trim_start().starts_with('2'), "{line}");
}
