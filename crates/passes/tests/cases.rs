//! Runs the `.case` file beside each pass: modules before and after it, as text, and what they compute. `UPDATE_EXPECT=1
//! cargo test -p aquatint-passes` writes what the passes give into the files; read the difference before it is committed.
//!
//! A case is `// case: NAME`, a module, `// ---- after`, a module. Where nothing stands behind `after` but `same`, the pass
//! must leave the module alone and say so.

use aquatint_ir::{Module, Op, text};
use aquatint_passes::pipeline::{self, PASSES};
use aquatint_passes::{Changed, Inline, OpSet, Runner, Unroll, run};
use aquatint_testkit::execute::{Plan, Summary, Tolerance, compare, wrap_functions};
use aquatint_testkit::{Case, CaseFile, Found, module};
use std::path::{Path, PathBuf};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn cases(pass: &str) -> CaseFile {
    CaseFile::read(&sources().join(format!("{pass}.case"))).unwrap_or_else(|why| panic!("{why}"))
}

/// Runs a pass with the options that the case's name asks for in brackets.
fn run_pass(pass: &str, case: &Case, module: &mut Module) -> Changed {
    let ops = |option: &str| {
        OpSet::of(&option.split(' ').map(|o| Op::from_name(o).expect("an operation")).collect::<Vec<_>>())
    };
    match (pass, case.option()) {
        ("inline", Some(size)) => aquatint_passes::inline(module, &Inline::up_to(size.parse().expect("a size"))),
        ("expand_legacy", Some(option)) => aquatint_passes::expand_legacy(module, &ops(option)),
        ("expand_vector_ops", Some(option)) if option.starts_with("scalar ") => {
            aquatint_passes::expand_scalar_forms(module, &ops(option.trim_start_matches("scalar ")))
        }
        ("expand_vector_ops", Some(option)) => aquatint_passes::expand_vector_ops(module, &ops(option)),
        ("unroll", Some(trips)) => {
            aquatint_passes::unroll(module, &Unroll { trips: trips.parse().expect("trips"), ..Unroll::default() })
        }
        ("pipeline", _) => pipeline::optimise(pipeline::Level::Default, &mut Runner::new(module)),
        _ => (pipeline::find(pass).expect("a pass").run)(module),
    }
}

/// The text after a pass, and whether it is the module that the case expects.
fn outcome(pass: &str, case: &Case) -> Result<Found, String> {
    let original = module::parse(&case.name, &case.input)?;
    let mut found = original.clone();
    let changed = run_pass(pass, case, &mut found);
    module::check(&found)?;
    module::round_trip(&found)?;
    let same = text::equal(&found, &original);
    if changed.yes() == same {
        return Err(format!("says {changed:?}\n{}", text::print(&found)));
    }
    if same || case.is_left_alone() {
        return Ok(if same { Found::same() } else { Found::text(text::print(&found)) });
    }
    let expected = case.expected.as_deref().map(|expected| module::parse(&case.name, expected));
    let right = expected.is_some_and(|expected| expected.is_ok_and(|expected| text::equal(&found, &expected)));
    Ok(Found::judged(text::print(&found), right))
}

/// Runs every case of a file.
fn check(pass: &str) {
    let file = cases(pass);
    file.check(|case| outcome(pass, case)).unwrap_or_else(|why| panic!("{pass}: {why}"));
    let alone = file.cases.iter().any(Case::is_left_alone);
    assert!(alone || pass == "pipeline", "{pass}: no case that the pass leaves alone");
}

macro_rules! passes {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

passes! {
    inline split_aggregates mem2reg fold combine_shuffles simplify_branches unroll cse dce
    expand_legacy expand_vector_ops split_matrices legalise_bounds pipeline
}

/// Every pass has a file of its name, a case file and a test.
#[test]
fn every_pass_has_its_cases() {
    for entry in PASSES {
        assert!(TESTED.contains(&entry.name), "{}", entry.name);
        assert!(sources().join(format!("{}.rs", entry.name)).exists(), "{}", entry.name);
        assert!(sources().join(format!("{}.case", entry.name)).exists(), "{}", entry.name);
    }
    for path in CaseFile::folder(&sources(), "case").expect("case files") {
        let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
        assert!(TESTED.contains(&stem), "{stem}");
    }
}

/// How near the results must be: an expansion may round more often than the operation does.
fn tolerance(pass: &str) -> Tolerance {
    match pass {
        "expand_vector_ops" | "expand_legacy" => Tolerance::Ulps(4),
        _ => Tolerance::Exact,
    }
}

/// The input of every case of every file means the same after its own pass, and after each of the others.
#[test]
fn every_case_keeps_its_meaning() {
    let (mut seen, mut wrong, mut functions, mut entries) = (Summary::default(), Vec::new(), 0, 0);
    for &own in TESTED {
        for case in &cases(own).cases {
            let mut original = module::parse(&case.name, &case.input).unwrap_or_else(|why| panic!("{why}"));
            functions += original.functions.len();
            wrap_functions(&mut original);
            entries += original.entry_points.len();
            for pass in std::iter::once(own).chain(TESTED.iter().copied().filter(|&pass| pass != own)) {
                let mut found = original.clone();
                let changed = match pass == own {
                    true => run_pass(pass, case, &mut found),
                    false => run_pass(pass, &Case { name: String::new(), ..case.clone() }, &mut found),
                };
                if !changed.yes() {
                    continue;
                }
                let plan = Plan { tolerance: tolerance(pass), lanes: 16, ..Plan::default() };
                let compared = module::check(&found)
                    .and_then(|()| compare(&original, &found, &plan).map_err(|difference| difference.to_string()));
                match compared {
                    Ok(summary) => seen += summary,
                    Err(why) => wrong.push(format!("{}, {pass}: {why}", case.title())),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n\n"));
    // Nearly every function can be run, and is.
    assert!(entries * 10 >= functions * 8, "{entries} entry points for {functions} functions");
    assert!(seen.runs > 500 && seen.skipped * 10 < seen.runs, "{seen:?}");
}

#[test]
fn the_runner_times_shows_and_reads_again() {
    let text = "module\nfn @f(%a: f32) -> f32 {\n%b: f32 = fadd %a, -0.0\nreturn %b\n}\n";
    let mut module = module::parse("runner", text).expect("a module");
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
    let text = "module\nfn @f(%a: f32) -> f32 {\nreturn %a\n}\n";
    let mut module = module::parse("runner", text).expect("a module");
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
