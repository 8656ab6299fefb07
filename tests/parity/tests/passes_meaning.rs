//! Every pass leaves the meaning of real shaders as it was: the golden cases' and the corpus's modules are interpreted before
//! and after each pass, as they come from the reader and as the cleaning passes leave them, on random inputs with every special
//! number.
//!
//! By default a sample of both is run; `AQUATINT_FULL=1` runs all.

use aquatint_d3d9::lower::{FloatRules, Options};
use aquatint_ir::Module;
use aquatint_parity::golden::Case;
use aquatint_parity::{corpus_streams, full, in_repository, prepare, translate};
use aquatint_passes::{Level, PASSES, Runner, optimise};
use aquatint_testkit::execute::{Plan, Summary, Tolerance, compare};
use aquatint_testkit::{CaseFile, module};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A shader: a name for messages, and its stream.
type Stream = (String, Vec<u8>);

fn golden() -> Vec<Stream> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for path in CaseFile::folder(&in_repository("tests/golden/d3d9"), "case").unwrap_or_else(|why| panic!("{why}")) {
        let case = Case::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (stage, words) in ["vs", "ps"].iter().zip(&case.words) {
            if seen.insert(words.clone()) {
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                all.push((format!("{name} {stage}"), bytes));
            }
        }
    }
    all
}

fn from_corpus() -> Vec<Stream> {
    let Some(paths) = corpus_streams() else {
        eprintln!("SKIPPED: the corpus is absent, no pass was run on its shaders");
        return Vec::new();
    };
    let read = |path: std::path::PathBuf| Some((path.display().to_string(), std::fs::read(path).ok()?));
    paths.into_iter().filter_map(read).collect()
}

/// How near the results must be. An expansion may round more often than the operation that it stands for, and what follows
/// can make any difference of that: whether it is near is for the cases of the pass, operation by operation.
fn tolerance(pass: &str) -> Option<Tolerance> {
    match pass {
        "expand_legacy" | "expand_vector_ops" => None,
        _ => Some(Tolerance::Exact),
    }
}

fn plan(tolerance: Tolerance) -> Plan {
    // Shaders that loop 255 times in several levels are not what is looked for here.
    Plan { lanes: 8, seeds: 1..3, tolerance, steps: 1 << 18 }
}

fn one_pass(before: &Module, what: &str, name: &str, pass: impl FnOnce(&mut Module)) -> Result<Summary, String> {
    let mut after = before.clone();
    pass(&mut after);
    module::check(&after).map_err(|why| format!("{what}, {name}: {why}"))?;
    let Some(tolerance) = tolerance(name) else { return Ok(Summary::default()) };
    compare(before, &after, &plan(tolerance)).map_err(|difference| format!("{what}, {name}: {difference}"))
}

fn every_pass(before: &Module, what: &str) -> Result<Summary, String> {
    let mut all = Summary::default();
    for entry in PASSES {
        all += one_pass(before, what, entry.name, |module| {
            let _ = (entry.run)(module);
        })?;
    }
    all += one_pass(before, what, "the pipeline", |module| {
        let _ = optimise(Level::Default, &mut Runner::new(module));
    })?;
    Ok(all)
}

fn check(stream: &Stream, float: FloatRules) -> Result<Summary, String> {
    let (name, bytes) = stream;
    // What the reader refuses is counted elsewhere.
    let Ok(shader) = translate::decode(bytes) else { return Ok(Summary::default()) };
    let options = Options { float, ..Options::default() };
    let Ok(lowered) = translate::lower_only(&shader, &options) else { return Ok(Summary::default()) };
    let mut seen = every_pass(&lowered.module, &format!("{name}, as read"))?;
    let mut cleaned = lowered.module;
    translate::clean(&mut cleaned).map_err(|why| format!("{name}: {why}"))?;
    seen += every_pass(&cleaned, &format!("{name}, cleaned"))?;
    Ok(seen)
}

/// Checks streams on two threads.
fn check_all(streams: &[Stream]) -> Summary {
    let (next, results) = (AtomicUsize::new(0), Mutex::new((Summary::default(), Vec::new())));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(stream) = streams.get(index) else { return };
                    let float = [FloatRules::Strict, FloatRules::Ieee, FloatRules::Fast][index % 3];
                    let result = check(stream, float);
                    let mut all = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    match result {
                        Ok(seen) => all.0 += seen,
                        Err(why) => all.1.push(why),
                    }
                }
            });
        }
    });
    let (seen, wrong) = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    // One is enough to look at.
    assert!(wrong.is_empty(), "{} shaders mean something else after a pass, such as\n{}", wrong.len(), wrong[0]);
    seen
}

fn sample(all: Vec<Stream>, one_in: usize) -> Vec<Stream> {
    if full() { all } else { all.into_iter().step_by(one_in).collect() }
}

#[test]
fn passes_keep_the_meaning_of_the_golden_shaders() {
    let streams = sample(golden(), 9);
    let seen = check_all(&streams);
    assert!(seen.runs > 20 * streams.len() && seen.skipped * 10 < seen.runs, "{seen:?} in {} shaders", streams.len());
}

#[test]
fn passes_keep_the_meaning_of_real_shaders() {
    let streams = sample(from_corpus(), 61);
    let seen = check_all(&streams);
    // Some loop for long, and some are no shaders at all.
    assert!(streams.is_empty() || seen.runs > 15 * streams.len(), "{seen:?} in {} shaders", streams.len());
}

/// The test itself: a pass that drops a sign is found in nearly every shader that adds.
#[test]
fn a_wrong_pass_is_found() {
    let (mut tried, mut found) = (0, 0);
    for stream in golden().iter().step_by(29) {
        let Ok(shader) = translate::decode(&stream.1) else { continue };
        let Ok(lowered) = translate::lower_only(&shader, &Options::default()) else { continue };
        let mut wrong = 0;
        let result = one_pass(&lowered.module, &stream.0, "wrong", |module| {
            for function in module.functions.ids().collect::<Vec<_>>() {
                for (_, inst) in module.functions[function].insts.iter_mut() {
                    if inst.op == aquatint_ir::Op::FAdd {
                        inst.op = aquatint_ir::Op::FSub;
                        wrong += 1;
                    }
                }
            }
        });
        tried += usize::from(wrong > 0);
        found += usize::from(wrong > 0 && result.is_err());
    }
    assert!(tried > 10 && found * 10 > tried * 8, "{found} of {tried}");
}

/// The names of the two files agree with what this test takes them for.
#[test]
fn golden_cases_have_two_stages() {
    let path = &CaseFile::folder(&in_repository("tests/golden/d3d9"), "case").unwrap_or_else(|why| panic!("{why}"))[0];
    let case = Case::read(path).unwrap_or_else(|why| panic!("{why}"));
    let [vertex, pixel] = prepare::decode(&case).unwrap_or_else(|why| panic!("{why}"));
    assert!(!vertex.version.is_pixel() && pixel.version.is_pixel());
}
