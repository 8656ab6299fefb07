//! The parity cases (`tests/parity/cases/*.case`; format: `testkit`'s `parity::read`) through every executor.
//!
//! | variable | does |
//! |---|---|
//! | `AQUATINT_CASES=TEXT` | only cases whose name contains the text, with what was found |
//! | `UPDATE_EXPECT=1` | cases without `[expect]` record what at least two executors agree on |

use aquatint_parity::metal_scene::MetalCpu;
use aquatint_parity::{in_repository, languages, on_vulkan, vulkan_scene::Vulkan};
use aquatint_testkit::CaseFile;
use aquatint_testkit::parity::check::{check, record};
use aquatint_testkit::parity::{Executor, Interpreter, read};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn every_case_is_answered_alike() {
    let wanted = std::env::var("AQUATINT_CASES").unwrap_or_default();
    let paths = CaseFile::folder(&in_repository("tests/parity/cases"), "case").unwrap_or_else(|why| panic!("{why}"));
    let interpreter = Interpreter::default();
    let mut executors: Vec<&dyn Executor> = vec![&interpreter];
    let gpu = on_vulkan::device();
    let vulkan = match &gpu {
        Ok(gpu) => {
            println!("on {}{}", gpu.name(), if gpu.is_validated() { ", validated" } else { "" });
            Some(Vulkan::new(gpu))
        }
        Err(why) => {
            println!("SKIPPED on Vulkan: {why}");
            None
        }
    };
    executors.extend(vulkan.iter().map(|vulkan| vulkan as &dyn Executor));
    let metal = MetalCpu::default();
    if aquatint_metal_cpu::clang::compile("#include <metal_stdlib>\n", &Default::default()).is_ok() {
        executors.push(&metal);
    } else {
        println!("SKIPPED on Metal: clang is absent");
    }
    let (mut ran, mut scalars, mut wrong) = (0, 0, Vec::new());
    for path in paths.iter().filter(|path| path.to_string_lossy().contains(&wanted)) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let case = read(path)?;
            let report = check(&case, &languages::scene(&case)?, &executors)?;
            record(path, &case, &report)?;
            Ok((case, report))
        }));
        match outcome.unwrap_or_else(|_| Err("PANIC".to_owned())) {
            Ok((case, report)) => {
                report.allowed.iter().for_each(|what| println!("{}: {what}", case.name));
                if !wanted.is_empty() {
                    println!("{}: {}\n{}", case.name, report.agreeing.join(", "), report.text);
                }
                ran += 1;
                scalars += report.scalars;
            }
            Err(why) => wrong.push(format!("{}: {why}", path.file_stem().unwrap_or_default().display())),
        }
    }
    println!("{ran} cases, {scalars} results each");
    assert!(ran + wrong.len() > 0, "no case is named '{wanted}'");
    assert!(wrong.is_empty(), "{} cases are answered otherwise:\n{}", wrong.len(), wrong.join("\n"));
}
