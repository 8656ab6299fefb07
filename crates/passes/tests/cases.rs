//! Runs the `.case` file beside each pass: modules before and after it, as text. `UPDATE_EXPECT=1 cargo test -p
//! aquatint-passes` writes what the passes give into the files; read the difference before it is committed.
//!
//! A case is `// case: NAME`, a module, `// ---- after`, a module. Where nothing stands behind `after` but `same`, the pass
//! must leave the module alone and say so.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_ir::{Module, Op, text};
use aquatint_passes::pipeline::{self, PASSES};
use aquatint_passes::{Changed, Inline, OpSet, Runner, Unroll, run};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn parse(name: &str, input: &str) -> Module {
    let mut diags = Diags::new();
    let module = text::parse(input, SourceId::default(), &Limits::default(), &mut diags);
    let said: Vec<String> = diags.iter().map(|d| d.message.clone()).collect();
    let module = module.unwrap_or_else(|| panic!("{name}: the case cannot be read: {said:#?}"));
    verify(name, &module);
    module
}

fn verify(name: &str, module: &Module) {
    if let Err(found) = aquatint_ir::verify::check(module) {
        let said: Vec<String> = found.iter().map(|d| format!("{} {}", d.code.id, d.message)).collect();
        panic!("{name}: {said:#?}\n{}", text::print(module));
    }
}

/// Runs a pass with the options that the case's name asks for in brackets.
fn run_pass(pass: &str, case: &str, module: &mut Module) -> Changed {
    let option = case.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(option, _)| option);
    let ops = |option: &str| {
        OpSet::of(&option.split(' ').map(|o| Op::from_name(o).expect("an operation")).collect::<Vec<_>>())
    };
    match (pass, option) {
        ("inline", Some(size)) => aquatint_passes::inline(module, &Inline::up_to(size.parse().expect("a size"))),
        ("expand_legacy", Some(option)) => aquatint_passes::expand_legacy(module, &ops(option)),
        ("expand_vector_ops", Some(option)) => aquatint_passes::expand_vector_ops(module, &ops(option)),
        ("unroll", Some(trips)) => {
            aquatint_passes::unroll(module, &Unroll { trips: trips.parse().expect("trips"), ..Unroll::default() })
        }
        ("pipeline", _) => pipeline::optimise(pipeline::Level::Default, &mut Runner::new(module)),
        _ => (pipeline::find(pass).expect("a pass").run)(module),
    }
}

/// Runs every case of a file, and writes the file anew where that is asked for.
fn check(pass: &str) {
    let path = sources().join(format!("{pass}.case"));
    let file = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut parts = file.split("// case: ");
    let mut written = parts.next().unwrap_or_default().to_owned();
    let mut wrong = String::new();
    let mut left_alone = 0;
    for part in parts {
        let (name, rest) = part.split_once('\n').expect("a line with the name");
        let (before, after) = rest.split_once("// ---- after").unwrap_or_else(|| panic!("{pass}: {name}: no after"));
        let mut module = parse(name, before);
        let original = module.clone();
        let changed = run_pass(pass, name, &mut module);
        verify(name, &module);
        let same = text::equal(&module, &original);
        assert_eq!(changed.yes(), !same, "{pass}: {name}: says {changed:?}\n{}", text::print(&module));
        let expected = if after.trim() == "same" { original } else { parse(name, after) };
        left_alone += usize::from(after.trim() == "same" && same);
        let printed = if same { "same".to_owned() } else { text::print(&module) };
        let right = text::equal(&module, &expected);
        if !right {
            let _ = write!(wrong, "\n{pass}: {name}:\n{printed}");
        }
        // What is right stays as it was written.
        let printed = if right { after.trim() } else { printed.trim_end() };
        let before = before.trim_end();
        let _ = write!(written, "// case: {name}\n{before}\n// ---- after\n{printed}\n\n");
        // What was read again is the same module.
        assert!(text::equal(&parse(name, &text::print(&module)), &module), "{pass}: {name}: reads back differently");
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{}\n", written.trim_end())).expect("the case file can be written");
    } else {
        assert!(wrong.is_empty(), "other modules than expected; UPDATE_EXPECT=1 writes these:{wrong}");
    }
    assert!(left_alone > 0 || pass == "pipeline", "{pass}: no case that the pass leaves alone");
}

macro_rules! passes {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        /// Every pass has a file of its name, a case file and a test.
        #[test]
        fn every_pass_has_its_cases() {
            let tested = [$(stringify!($name)),*];
            for entry in PASSES {
                assert!(tested.contains(&entry.name), "{}", entry.name);
                assert!(sources().join(format!("{}.rs", entry.name)).exists(), "{}", entry.name);
                assert!(sources().join(format!("{}.case", entry.name)).exists(), "{}", entry.name);
            }
            let cases = std::fs::read_dir(sources()).expect("sources").flatten();
            for path in cases.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "case")) {
                let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
                assert!(tested.contains(&stem), "{stem}");
            }
        }
    };
}

passes! {
    inline split_aggregates mem2reg fold combine_shuffles simplify_branches unroll cse dce
    expand_legacy expand_vector_ops split_matrices legalise_bounds pipeline
}

#[test]
fn the_runner_times_shows_and_reads_again() {
    let mut module = parse("runner", "module\nfn @f(%a: f32) -> f32 {\n%b: f32 = fadd %a, -0.0\nreturn %b\n}\n");
    let ticks = std::cell::Cell::new(0);
    let clock = || {
        ticks.set(ticks.get() + 1);
        std::time::Duration::from_micros(ticks.get())
    };
    let mut seen = Vec::new();
    let mut sink = |pass: &'static str, module: &Module| seen.push((pass, text::print(module)));
    let mut runner = Runner::new(&mut module)
        .with_options(run::Options { verify: true, stress: true })
        .with_clock(&clock)
        .with_sink(run::Show::Passes(&["fold"]), &mut sink);
    assert!(pipeline::optimise(pipeline::Level::None, &mut runner) == Changed::No);
    assert!(pipeline::optimise(pipeline::Level::Default, &mut runner).yes());
    assert!(!runner.failed());
    let (reports, diags) = runner.finish();
    assert!(diags.is_empty());
    // Without variables, moves and branches, the passes that work on these have nothing to do.
    assert_eq!(reports.iter().map(|r| r.pass).collect::<Vec<_>>(), ["fold", "dce", "cse"]);
    assert!(reports.iter().all(|r| r.time == std::time::Duration::from_micros(1)));
    assert_eq!(seen.len(), 1);
    assert!(seen[0].1.contains("return %a"), "{}", seen[0].1);
}

#[test]
fn a_pass_that_breaks_the_module_stops_the_runner() {
    let mut module = parse("runner", "module\nfn @f(%a: f32) -> f32 {\nreturn %a\n}\n");
    let mut runner = Runner::new(&mut module).with_options(run::Options { verify: true, stress: false });
    let changed = runner.pass("break", |m| {
        let id = m.functions.ids().next().expect("a function");
        let body = m.functions[id].body;
        m.functions[id].regions[body].insts.clear();
        Changed::Yes
    });
    assert!(changed.yes() && runner.failed());
    assert!(!runner.pass("next", |_| panic!("must not run")).yes());
    assert!(runner.diags().iter().any(|d| d.code.id == "P0001" && d.message.contains("`break`")));
}
