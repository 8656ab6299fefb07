//! Text cases. `cases/*.ir` are right: each is read, verified, printed and read again. `cases/refused/*.ir` hold modules,
//! one behind each line `// ---- name`, that break one rule of the verifier and no other, with `// error: V004` on the
//! guilty line. `cases/unreadable/*.ir` are no modules; what the reader says stands beside them in `*.expected`, which
//! `UPDATE_EXPECT=1 cargo test` writes anew.

use aquatint_base::render::{self, Look};
use aquatint_base::{Diags, Limits, Source, SourceId, Sources};
use aquatint_ir::op::{AtomicOp, Derivative, QuadLane, Wave};
use aquatint_ir::{Attr, Module, Op, SampleAttr, codes, text, verify, walk};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut all: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "ir"))
        .map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    all.sort();
    assert!(!all.is_empty(), "no cases in {}", folder.display());
    all
}

fn rendered(name: &str, input: &str, diags: &Diags) -> String {
    let mut sources = Sources::new();
    sources.add(Source::text(name, input));
    render::human(diags, &sources, Look::default())
}

fn read(name: &str, input: &str) -> Module {
    let mut diags = Diags::new();
    let module = text::parse(input, SourceId(0), &Limits::default(), &mut diags);
    module.unwrap_or_else(|| panic!("{}", rendered(name, input, &diags)))
}

fn accepted() -> Vec<(PathBuf, String, Module)> {
    files("")
        .into_iter()
        .map(|(path, input)| {
            let module = read(&path.display().to_string(), &input);
            (path, input, module)
        })
        .collect()
}

#[test]
fn accepted_cases_keep_the_rules() {
    for (path, input, module) in accepted() {
        let mut diags = Diags::new();
        let right = verify::verify(&module, &mut diags);
        assert!(right, "{}", rendered(&path.display().to_string(), &input, &diags));
        assert!(verify::check(&module).is_ok());
    }
}

#[test]
fn what_is_printed_reads_back_to_an_equal_module() {
    let plain = text::Options::default();
    for options in [plain, text::Options { names: false, ..plain }, text::Options { spans: true, ..plain }] {
        for (path, _, module) in accepted() {
            let printed = text::print_with(&module, options);
            let back = read("printed", &printed);
            assert!(text::equal(&module, &back), "{}: not equal after\n{printed}", path.display());
            assert_eq!(text::print_with(&back, options), printed, "{}", path.display());
            assert!(verify::check(&back).is_ok());
        }
    }
}

#[test]
fn different_modules_are_not_equal() {
    let all = accepted();
    for (i, (path, _, a)) in all.iter().enumerate() {
        for (j, (other, _, b)) in all.iter().enumerate() {
            assert_eq!(text::equal(a, b), i == j, "{} {}", path.display(), other.display());
        }
    }
    // One change at a time in a module that has it all.
    let (_, module) = files("").into_iter().find(|(path, _)| path.ends_with("control.ir")).unwrap();
    let original = read("control.ir", &module);
    for (from, to) in [
        ("module", "module denormals(keep)"),
        ("workgroup_size(64, 1, 1)", "workgroup_size(32, 1, 1)"),
        ("barrier(storage, texture)", "barrier(storage)"),
        ("case 2, default, 3", "case 2, default, 4"),
        ("yield %x, 0.5", "yield %x, 0.25"),
        ("{ discard yield }", "{ yield }"),
        ("igt %l, 100", "ige %l, 100"),
        ("break %next", "break %k"),
        ("call @nothing()", "call precise @nothing()"),
    ] {
        assert!(module.contains(from), "{from}");
        assert!(!text::equal(&original, &read(to, &module.replacen(from, to, 1))), "{to}");
    }
}

#[test]
fn every_operation_occurs_in_an_accepted_case() {
    let mut found = BTreeSet::new();
    for (_, _, module) in accepted() {
        for (_, function) in module.functions.iter() {
            found.extend(walk::Walk::new(function).insts().map(|inst| function.insts[inst].op));
        }
    }
    let missing: Vec<_> = Op::ALL.iter().filter(|op| !found.contains(op)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_attribute_occurs_in_an_accepted_case() {
    let mut found = BTreeSet::new();
    let mut flags = 0;
    for (_, _, module) in accepted() {
        for (_, function) in module.functions.iter() {
            for inst in walk::Walk::new(function).insts().map(|inst| function.insts[inst]) {
                if let Attr::Sample(SampleAttr(set)) | Attr::Gather(SampleAttr(set), _) = inst.attr {
                    flags |= set;
                }
                found.insert(format!("{} {:?}", inst.op.name(), inst.attr));
            }
        }
    }
    let mut wanted: Vec<String> = Vec::new();
    for op in AtomicOp::ALL {
        wanted.push(format!("atomic Atomic({op:?})"));
        wanted.push(format!("image.atomic Atomic({op:?})"));
    }
    for which in Derivative::ALL {
        wanted.push(format!("ddx Derivative({which:?})"));
        wanted.push(format!("ddy Derivative({which:?})"));
    }
    wanted.extend(QuadLane::ALL.iter().map(|lane| format!("quad Quad({lane:?})")));
    wanted.extend(Wave::ALL.iter().map(|op| format!("wave Wave({op:?})")));
    wanted.extend([true, false].map(|up| format!("counter.add Counter({up})")));
    let missing: Vec<_> = wanted.iter().filter(|w| !found.contains(*w)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let missing: Vec<_> = SampleAttr::NAMES.iter().filter(|(flag, _)| flags & flag == 0).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn positions_in_the_text_are_kept() {
    let (_, input) = files("").into_iter().find(|(path, _)| path.ends_with("spans.ir")).unwrap();
    let module = read("spans.ir", &input);
    let spanned = text::print_with(&module, text::Options { spans: true, names: true });
    for span in ["!(0, 10, 12)", "!(0, 1, 2)", "!(0, 3, 4)", "!(1, 5, 6)", "!(0, 7, 7)", "!(0, 8, 9)"] {
        assert!(spanned.contains(span), "{span} is missing in\n{spanned}");
    }
    assert!(!text::print(&module).contains('!'));
}

/// The modules of a file: name, text.
fn sections(input: &str) -> Vec<(&str, &str)> {
    let mut parts = input.split("// ---- ");
    assert!(
        parts.next().unwrap().lines().all(|l| l.is_empty() || l.starts_with("//")),
        "text before the first section"
    );
    parts.map(|part| part.split_once('\n').unwrap()).collect()
}

/// The rule that a module breaks, or what is not as its comments say.
fn refuse(title: &str, section: &str) -> Result<String, String> {
    let mut sources = Sources::new();
    sources.add(Source::text(title, section));
    let mut options = verify::Options { sources: Some(&sources), ..verify::Options::default() };
    if let Some((_, limit)) = section.split_once("// nesting: ") {
        options.limits.nesting = limit.split_whitespace().next().unwrap().parse().unwrap();
    }
    let module = read(title, section);
    // Whatever is wrong with it, it can be printed.
    text::print(&module);
    let mut diags = Diags::new();
    let right = verify::verify_with(&module, &options, &mut diags);
    let shown = render::human(&diags, &sources, Look::default());
    let expected: Vec<(u32, &str)> = section
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, line.split_once("// error: ")?.1.trim())))
        .collect();
    if right || expected.is_empty() {
        return Err("is not refused, or has no `// error:`".to_owned());
    }
    let rule = expected[0].1;
    if expected.iter().any(|e| e.1 != rule) || diags.iter().any(|d| d.code.id != rule) {
        return Err(format!("more than one rule\n{shown}"));
    }
    // Messages about types have no position; they count for the first line.
    let found: BTreeSet<u32> = diags
        .iter()
        .map(|d| sources.get(d.span().source).and_then(|s| s.line_column(d.span().start)))
        .map(|place| place.map_or(expected[0].0, |p| p.0))
        .collect();
    let lines: BTreeSet<u32> = expected.iter().map(|e| e.0).collect();
    if found != lines {
        return Err(format!("errors on lines {found:?}, expected on {lines:?}\n{shown}"));
    }
    Ok(rule.to_owned())
}

#[test]
fn refused_modules_break_the_rule_that_they_name_and_no_other() {
    let mut broken = BTreeSet::new();
    let mut failures = Vec::new();
    for (path, input) in files("refused") {
        for (name, section) in sections(&input) {
            let title = format!("{} {name}", path.file_name().unwrap().display());
            match refuse(&title, section) {
                Ok(rule) => {
                    broken.insert(rule);
                }
                Err(why) => failures.push(format!("{title}: {why}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // V001 cannot be said in text; `broken_ids.rs` breaks it.
    broken.insert("V001".to_owned());
    let missing: Vec<_> = codes::RULES.iter().filter(|r| !broken.contains(r.id)).map(|r| r.id).collect();
    assert!(missing.is_empty(), "no case breaks {missing:?}");
}

#[test]
fn unreadable_text_is_explained() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut seen = BTreeSet::new();
    for (path, input) in files("unreadable") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut diags = Diags::new();
        let limits = Limits { nesting: 8, ..Limits::default() };
        assert!(text::parse(&input, SourceId(0), &limits, &mut diags).is_none(), "{name} was read");
        seen.extend(diags.iter().map(|d| d.code.id));
        // Each guilty line names its code; the messages stand in the file beside.
        let mut sources = Sources::new();
        sources.add(Source::text(name, input.as_str()));
        let found: BTreeSet<_> = diags
            .iter()
            .map(|d| (sources.get(SourceId(0)).unwrap().line_column(d.span().start).unwrap().0, d.code.id))
            .collect();
        let expected: BTreeSet<_> = input
            .lines()
            .zip(1..)
            .filter_map(|(line, number)| Some((number, line.split_once("// error: ")?.1.trim())))
            .collect();
        let messages = render::human(&diags, &sources, Look::default());
        assert_eq!(found, expected, "{name}\n{messages}");
        let beside = path.with_extension("expected");
        if update {
            std::fs::write(&beside, &messages).unwrap();
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        assert_eq!(messages, expected, "{name} differs; UPDATE_EXPECT=1 rewrites what is expected");
    }
    let missing: Vec<_> =
        codes::CODES.iter().map(|c| c.id).filter(|id| id.starts_with("IR") && !seen.contains(id)).collect();
    assert!(missing.is_empty(), "no case gives {missing:?}");
}
