//! The golden Direct3D 9 cases through every executor. Each must give what the case expects, so they agree with each other.
//!
//! | variable | does |
//! |---|---|
//! | `AQUATINT_CASES=TEXT` | only cases whose name contains the text; failures then show the modules and the first value that differs |

use aquatint_d3d9::lower::FloatRules;
use aquatint_d3d9::tokens::Shader;
use aquatint_parity::golden::{Case, Texel};
use aquatint_parity::job::{self, Job};
use aquatint_parity::metal_scene::MetalCpu;
use aquatint_parity::prepare::{self, Mode, Pair};
use aquatint_parity::vulkan_scene::Vulkan;
use aquatint_parity::{golden_scene, in_repository, on_interpreter, on_metal, on_vulkan};
use aquatint_testkit::parity::case::Tolerance;
use aquatint_testkit::parity::{Executor, Interpreter, probe};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Cases that are known not to pass, one a line: executor, case, reason. The test fails where one of them passes, so the
/// list can only shrink.
const KNOWN: &str = include_str!("golden-known.txt");

fn cases() -> Vec<Case> {
    let wanted = std::env::var("AQUATINT_CASES").unwrap_or_default();
    let folder = in_repository("tests/golden/d3d9");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "case"))
        .filter(|path| path.to_string_lossy().contains(&wanted))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no golden case is named '{wanted}'");
    let read = |path: &std::path::PathBuf| Case::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    paths.iter().map(read).collect()
}

/// An executor: the name of a case, its job, a pair of stages a draw.
type Execute<'e> = dyn FnMut(&str, &Job, &[Pair]) -> Result<Vec<Texel>, String> + 'e;

/// One execution that a case demands.
struct Demand<'c> {
    label: &'static str,
    mode: Mode,
    expected: &'c [Texel],
}

fn demands(case: &Case) -> Result<Vec<Demand<'_>>, String> {
    let own = |float| Mode::new(float, &case.options);
    let mut all = vec![Demand { label: "strict", mode: own(FloatRules::Strict)?, expected: &case.expect }];
    match case.mode.as_str() {
        "both" => all.push(Demand { label: "ieee", mode: own(FloatRules::Ieee)?, expected: &case.expect }),
        "ieee" if !case.wine_differs && !case.wine.is_empty() => {
            all.push(Demand { label: "ieee", mode: own(FloatRules::Ieee)?, expected: &case.wine });
        }
        "ieee" | "strict" => {}
        other => return Err(format!("the mode '{other}'")),
    }
    if case.wine_differs && !case.wine_options.is_empty() && !case.wine.is_empty() {
        let mode = Mode::new(FloatRules::Ieee, &case.wine_options)?;
        all.push(Demand { label: "as Wine", mode, expected: &case.wine });
    }
    Ok(all)
}

fn text(texels: &[Texel]) -> String {
    texels.iter().map(|(x, y, [r, g, b, a])| format!("    {x} {y}  {r} {g} {b} {a}\n")).collect()
}

fn compare(case: &Case, expected: &[Texel], got: &[Texel]) -> Result<(), String> {
    let wrong = expected.iter().any(|&(x, y, want)| {
        let found = got.iter().find(|t| (t.0, t.1) == (x, y));
        !found.is_some_and(|&(_, _, colour)| case.matches(colour, want))
    });
    if wrong {
        return Err(format!("expected\n{}  got\n{}", text(expected), text(got)));
    }
    Ok(())
}

fn pairs(shaders: &[Shader; 2], job: &Job, mode: Mode) -> Result<Vec<Pair>, String> {
    job.draws.iter().map(|draw| prepare::prepare(shaders, draw, mode)).collect()
}

fn modules(pairs: &[Pair]) -> String {
    let print = |pair: &Pair| {
        let (vertex, pixel) = (&pair.vertex.module, &pair.pixel.module);
        format!("{}\n{}\n", aquatint_ir::text::print(vertex), aquatint_ir::text::print(pixel))
    };
    pairs.iter().map(print).collect()
}

/// The first value that an executor computes otherwise than the interpreter, or why it cannot be told.
fn first_difference(case: &Case, job: &Job, pairs: &[Pair], executor: &dyn Executor) -> String {
    let tolerance = Tolerance::Near { absolute: case.absolute.into(), relative: case.relative.into() };
    match golden_scene::scene(job, pairs) {
        Ok(scene) => probe::first_difference(&scene, tolerance, &Interpreter::default(), executor),
        Err(why) => format!("  not looked into: {why}\n"),
    }
}

/// Runs one case; the error says which demand failed and how. `again` is the executor as one that runs scenes.
fn run_case(case: &Case, execute: &mut Execute<'_>, again: Option<&dyn Executor>) -> Result<(), String> {
    let shaders = prepare::decode(case)?;
    let job = job::parse(&case.job)?;
    for demand in demands(case)? {
        let label = demand.label;
        let fail = |why: String| format!("mode {label}: {why}");
        let prepared = pairs(&shaders, &job, demand.mode).map_err(fail)?;
        let got = execute(&case.name, &job, &prepared).map_err(fail)?;
        compare(case, demand.expected, &got).map_err(|why| {
            let shown = std::env::var_os("AQUATINT_CASES").is_some();
            if !shown {
                return fail(why);
            }
            let first = again.map(|executor| first_difference(case, &job, &prepared, executor));
            fail(format!("{why}\n{}{}", modules(&prepared), first.unwrap_or_default()))
        })?;
    }
    Ok(())
}

/// Runs all cases on one executor and judges the outcome.
fn run_all(
    executor: &str,
    again: Option<&dyn Executor>,
    mut execute: impl FnMut(&str, &Job, &[Pair]) -> Result<Vec<Texel>, String>,
) {
    let known: BTreeMap<&str, &str> = KNOWN
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once(": ").unwrap_or((line, "")).0.split_once(' ').map(|(e, c)| (e, c, line)))
        .filter(|(e, _, _)| *e == executor)
        .map(|(_, case, line)| (case, line))
        .collect();
    let mut table: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let (mut failures, mut risen) = (Vec::new(), Vec::new());
    for case in cases() {
        let outcome = catch_unwind(AssertUnwindSafe(|| run_case(&case, &mut execute, again)))
            .unwrap_or_else(|_| Err("PANIC".to_owned()));
        let row = table.entry(case.version().to_owned()).or_default();
        match (outcome, known.contains_key(case.name.as_str())) {
            (Ok(()), false) => row[0] += 1,
            (Ok(()), true) => {
                row[0] += 1;
                risen.push(case.name.clone());
            }
            (Err(_), true) => row[2] += 1,
            (Err(why), false) => {
                row[1] += 1;
                println!("{executor}: {}: {why}", case.name);
                failures.push(format!("{executor} {}: {}", case.name, why.lines().next().unwrap_or_default()));
            }
        }
    }
    println!("{executor:12} passed failed  known");
    for (version, [passed, failed, skipped]) in &table {
        println!("{version:12} {passed:6} {failed:6} {skipped:6}");
    }
    assert!(failures.is_empty(), "{} cases fail on {executor}:\n{}", failures.len(), failures.join("\n"));
    assert!(risen.is_empty(), "these pass now, take them from golden-known.txt: {risen:?}");
}

#[test]
fn golden_cases_on_the_interpreter() {
    run_all("interpreter", None, |_, job, pairs| on_interpreter::run(job, pairs));
}

#[test]
fn golden_cases_on_vulkan() {
    let gpu = match on_vulkan::device() {
        Ok(gpu) => gpu,
        Err(why) => return println!("SKIPPED: {why}"),
    };
    println!("on {}", gpu.name());
    let options = aquatint_spirv::Options::default();
    // Float modes often lower alike; what was drawn once need not be drawn again.
    let mut last: Option<Drawn<on_vulkan::Words>> = None;
    run_all("vulkan", Some(&Vulkan::new(&gpu)), |name, job, pairs| {
        let words: Result<Vec<_>, String> = pairs.iter().map(|pair| on_vulkan::write(pair, &options)).collect();
        let words = words?;
        let uniforms: Vec<_> = pairs.iter().map(|pair| pair.uniforms.clone()).collect();
        if let Some(drawn) = &last
            && drawn.name == name
            && drawn.words == words
            && drawn.uniforms == uniforms
        {
            return Ok(drawn.texels.clone());
        }
        let texels = on_vulkan::run(&gpu, job, pairs, &words, &options)?;
        last = Some(Drawn { name: name.to_owned(), words, uniforms, texels: texels.clone() });
        Ok(texels)
    });
}

/// What was drawn last.
struct Drawn<W> {
    name: String,
    words: Vec<W>,
    uniforms: Vec<[Vec<u8>; 2]>,
    texels: Vec<Texel>,
}

/// With the IR's meaning paid for.
#[test]
fn golden_cases_on_strict_metal() {
    run_on_metal("metal-strict", aquatint_parity::metal_text::direct3d9());
}

/// With the text that the program writes unless it is told otherwise.
#[test]
fn golden_cases_on_metal() {
    run_on_metal("metal", aquatint_msl::Options::direct3d9());
}

fn run_on_metal(executor: &str, options: aquatint_msl::Options) {
    if let Err(why) = aquatint_metal_cpu::clang::compile("#include <metal_stdlib>\n", &Default::default()) {
        return println!("SKIPPED: no clang for Metal: {why:?}");
    }
    // Compiling takes the time: all functions first, then in joined sources.
    let mut sources = on_metal::Sources::default();
    let mut all: BTreeMap<String, Vec<Vec<on_metal::Texts>>> = BTreeMap::new();
    for case in cases() {
        let mut written = || -> Result<Vec<Vec<on_metal::Texts>>, String> {
            let shaders = prepare::decode(&case)?;
            let job = job::parse(&case.job)?;
            let mut all = Vec::new();
            for demand in demands(&case)? {
                let prepared = pairs(&shaders, &job, demand.mode)?;
                all.push(prepared.iter().map(|pair| sources.write(pair, &options)).collect::<Result<Vec<_>, _>>()?);
            }
            Ok(all)
        };
        // What cannot be written is said when the case runs.
        if let Ok(texts) = written() {
            all.insert(case.name.clone(), texts);
        }
    }
    let libraries = sources.join(24);
    println!("{} functions in {} sources", libraries.of.len(), libraries.sources.len());
    let mut last: Option<Drawn<on_metal::Texts>> = None;
    run_all(executor, Some(&MetalCpu::with_options(options.clone())), |name, job, pairs| {
        let texts = pairs.iter().map(|pair| sources.write(pair, &options)).collect::<Result<Vec<_>, _>>()?;
        if texts.iter().any(|t| t.vertex.max(t.pixel) >= libraries.of.len()) {
            return Err("a function was not written before".to_owned());
        }
        let uniforms: Vec<_> = pairs.iter().map(|pair| pair.uniforms.clone()).collect();
        if let Some(drawn) = &last
            && drawn.name == name
            && drawn.words == texts
            && drawn.uniforms == uniforms
        {
            return Ok(drawn.texels.clone());
        }
        let texels = on_metal::run(job, pairs, &texts, &sources, &libraries)?;
        last = Some(Drawn { name: name.to_owned(), words: texts, uniforms, texels: texels.clone() });
        Ok(texels)
    });
}

/// What a failure is looked into with: the scene of a job draws what the job does.
#[test]
fn golden_jobs_as_scenes_draw_the_same() {
    let mut drawn = 0;
    for case in cases() {
        let shaders = prepare::decode(&case).expect("the case's words");
        let job = job::parse(&case.job).expect("the case's job");
        for demand in demands(&case).expect("the case's mode") {
            let prepared = pairs(&shaders, &job, demand.mode).expect("a pair of stages");
            let Ok(scene) = golden_scene::scene(&job, &prepared) else { continue };
            let results = Interpreter::default().run(&scene).unwrap_or_else(|why| panic!("{}: {why}", case.name));
            let texels = (0..).zip(&results.targets[0]).map(|(i, &c)| (i % job.size[0], i / job.size[0], c));
            let found: Vec<Texel> = texels.collect();
            compare(&case, demand.expected, &found).unwrap_or_else(|why| panic!("{}: {why}", case.name));
            drawn += 1;
        }
    }
    println!("{drawn} scenes");
    assert!(drawn > 1000 || std::env::var_os("AQUATINT_CASES").is_some());
}
