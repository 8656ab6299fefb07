//! Every stream of the corpus to MSL and to SPIR-V, counted by version and compared with `corpus-baseline.txt`, so that
//! the numbers can only rise.
//!
//! `spirv-val` judges every module, for the oldest environment and for the newest.

use aquatint_base::Diags;
use aquatint_d3d9::lower;
use aquatint_parity::{bless, corpus_streams, in_repository, spirv_val, translate};
use aquatint_spirv::Environment;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What became of one stream.
struct Outcome {
    name: String,
    version: String,
    lowered: Result<(), String>,
    msl: Result<(), String>,
    spirv: Result<Vec<u32>, String>,
    newer: Vec<u32>,
}

fn guard<T>(what: &str, run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|_| Err(format!("PANIC in {what}")))
}

fn translate_one(path: &PathBuf) -> Outcome {
    let bytes = std::fs::read(path).unwrap_or_default();
    let folder = path.parent().and_then(|p| p.file_name()).unwrap_or_default().to_string_lossy().into_owned();
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut outcome = Outcome {
        name: format!("{folder}/{file}"),
        version: folder,
        lowered: Ok(()),
        msl: Err(String::new()),
        spirv: Err(String::new()),
        newer: Vec::new(),
    };
    let lowered = guard("lowering", || {
        let shader = translate::decode(&bytes)?;
        translate::lower(&shader, &lower::Options::default())
    });
    let module = match lowered {
        Ok(lowered) => lowered.module,
        Err(why) => {
            outcome.lowered = Err(why);
            return outcome;
        }
    };
    let msl = guard("msl", || write_msl(&module));
    let write = |environment| {
        guard("spirv", || {
            let mut diags = Diags::new();
            let options = aquatint_spirv::Options { environment, ..aquatint_spirv::Options::default() };
            aquatint_spirv::write(&module, "main", &options, &mut diags).ok_or_else(|| translate::reason(&diags))
        })
    };
    outcome.spirv = write(Environment::Vulkan1_1);
    outcome.newer = write(Environment::Vulkan1_3).unwrap_or_default();
    // The same input gives the same bytes.
    let again = guard("lowering", || {
        let shader = translate::decode(&bytes)?;
        translate::lower(&shader, &lower::Options::default())
    });
    if let Ok(again) = again {
        let mut diags = Diags::new();
        let options = aquatint_spirv::Options::default();
        let words = aquatint_spirv::write(&again.module, "main", &options, &mut diags);
        if words.as_ref() != outcome.spirv.as_ref().ok() || write_msl(&again.module).ok() != msl.as_ref().ok().cloned()
        {
            outcome.spirv = Err("the same shader gave other output".to_owned());
        }
    }
    outcome.msl = msl.map(drop);
    outcome
}

fn write_msl(module: &aquatint_ir::Module) -> Result<String, String> {
    let mut diags = Diags::new();
    let options = aquatint_msl::Options::direct3d9();
    aquatint_msl::write(module, "main", &options, &mut diags).ok_or_else(|| translate::reason(&diags))
}

#[test]
fn every_stream_translates_as_far_as_the_baseline_says() {
    let Some(paths) = corpus_streams() else {
        println!("SKIPPED: no corpus beside the repository");
        return;
    };
    let half = paths.len() / 2;
    let mut outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let first = scope.spawn(|| paths[..half].iter().map(translate_one).collect::<Vec<_>>());
        let second: Vec<_> = paths[half..].iter().map(translate_one).collect();
        let mut all = first.join().unwrap_or_default();
        all.extend(second);
        all
    });
    assert_eq!(outcomes.len(), paths.len());

    // The validator.
    let mut invalid: Vec<(usize, String)> = Vec::new();
    let mut judged = 0;
    if spirv_val::is_installed() {
        let mut which = Vec::new();
        let mut modules: Vec<(&[u32], Environment)> = Vec::new();
        for (index, outcome) in outcomes.iter().enumerate() {
            if let Ok(words) = &outcome.spirv {
                which.extend([index; 2]);
                modules.push((words, Environment::Vulkan1_1));
                modules.push((&outcome.newer, Environment::Vulkan1_3));
            }
        }
        judged = modules.len();
        let results = spirv_val::validate_all(&modules);
        for (&index, result) in which.iter().zip(results) {
            if let Err(why) = result {
                invalid.push((index, why));
            }
        }
    } else {
        println!("NOT CHECKED: spirv-val is not installed");
    }
    for (index, why) in &invalid {
        println!("invalid SPIR-V: {}: {why}", outcomes[*index].name);
    }
    println!("spirv-val judged {judged} modules, {} of them invalid", invalid.len());

    // The table.
    let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut reasons = String::new();
    for outcome in &mut outcomes {
        let row = table.entry(outcome.version.clone()).or_default();
        row[0] += 1;
        row[1] += usize::from(outcome.lowered.is_ok());
        row[2] += usize::from(outcome.msl.is_ok());
        row[3] += usize::from(outcome.spirv.is_ok());
        let mut refused = |stage: &str, why: &str| {
            if !why.is_empty() {
                reasons.push_str(&format!("{} {stage}: {why}\n", outcome.name));
            }
        };
        if let Err(why) = &outcome.lowered {
            refused("lower", why);
        }
        if let Err(why) = &outcome.msl {
            refused("msl", why);
        }
        if let Err(why) = &outcome.spirv {
            refused("spirv", why);
        }
    }
    let mut text = String::from("# version: streams, lowered, to MSL, to SPIR-V. Then each refusal and its reason.\n");
    for (version, [all, lowered, msl, spirv]) in &table {
        text.push_str(&format!("{version:8} {all:5} {lowered:5} {msl:5} {spirv:5}\n"));
    }
    let total = table.values().fold([0; 4], |sum, row| std::array::from_fn(|i| sum[i] + row[i]));
    text.push_str(&format!("{:8} {:5} {:5} {:5} {:5}\n\n", "all", total[0], total[1], total[2], total[3]));
    print!("{text}");
    text.push_str(&reasons);
    // The words of a reason may change; that there is one may not.
    let without_reason = |line: &str| match line.split_once(".bin ") {
        Some((name, rest)) => format!("{name} {}", rest.split(':').next().unwrap_or_default()),
        None => line.to_owned(),
    };
    let path = in_repository("tests/parity/corpus-baseline.txt");
    let baseline = bless::expect_file(&path, &text, &without_reason);
    assert!(invalid.is_empty(), "{} modules are invalid SPIR-V", invalid.len());
    if let Err(message) = baseline {
        panic!("{message}");
    }
}
