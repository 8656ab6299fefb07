//! Text cases. `cases/*.ir` are right: each is read, verified, printed and read again. `cases/refused/*.ir` hold modules,
//! one behind each line `// case: NAME`, that break one rule of the verifier and no other, with `// error: V004` on the
//! guilty line. `cases/unreadable/*.ir` are no modules; what the reader says stands beside them in `*.expected`, which
//! `UPDATE_EXPECT=1 cargo test` writes anew.

use aquatint_base::render::{self, Look};
use aquatint_base::{Diagnostic, Diags, Limits, Source, SourceId, Sources};
use aquatint_ir::op::{AtomicOp, Derivative, QuadLane, Wave};
use aquatint_ir::{Attr, Module, Op, SampleAttr, codes, text, verify, walk};
use aquatint_testkit::{Case, CaseFile, Found, module};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<CaseFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let read = |path: &PathBuf| CaseFile::read(path);
    let files = CaseFile::folder(&folder, "ir").and_then(|paths| paths.iter().map(read).collect());
    files.unwrap_or_else(|why| panic!("{why}"))
}

fn read(name: &str, input: &str) -> Module {
    module::read(name, input).unwrap_or_else(|why| panic!("{why}"))
}

/// The right cases: name, text, module. Each file is one.
fn accepted() -> Vec<(String, String, Module)> {
    let cases = files("").into_iter().flat_map(|file| file.cases);
    cases
        .map(|case| {
            let module = read(&case.name, &case.input);
            (case.name, case.input, module)
        })
        .collect()
}

/// The text of a right case.
fn text_of(name: &str) -> String {
    accepted().into_iter().find(|(found, ..)| found == name).map(|(_, text, _)| text).expect("a case of that name")
}

#[test]
fn accepted_cases_keep_the_rules() {
    for (name, input, module) in accepted() {
        let mut diags = Diags::new();
        let right = verify::verify(&module, &mut diags);
        assert!(right, "{}", module::rendered(&name, &input, &diags));
        assert!(verify::check(&module).is_ok());
    }
}

#[test]
fn what_is_printed_reads_back_to_an_equal_module() {
    let plain = text::Options::default();
    for options in [plain, text::Options { names: false, ..plain }, text::Options { spans: true, ..plain }] {
        for (name, _, module) in accepted() {
            let printed = text::print_with(&module, options);
            let back = read("printed", &printed);
            assert!(text::equal(&module, &back), "{name}: not equal after\n{printed}");
            assert_eq!(text::print_with(&back, options), printed, "{name}");
            assert!(verify::check(&back).is_ok());
        }
    }
}

#[test]
fn different_modules_are_not_equal() {
    let all = accepted();
    for (i, (name, _, a)) in all.iter().enumerate() {
        for (j, (other, _, b)) in all.iter().enumerate() {
            assert_eq!(text::equal(a, b), i == j, "{name} {other}");
        }
    }
    // One change at a time in a module that has it all.
    let module = text_of("control");
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
    let module = read("spans", &text_of("spans"));
    let spanned = text::print_with(&module, text::Options { spans: true, names: true });
    for span in ["!(0, 10, 12)", "!(0, 1, 2)", "!(0, 3, 4)", "!(1, 5, 6)", "!(0, 7, 7)", "!(0, 8, 9)"] {
        assert!(spanned.contains(span), "{span} is missing in\n{spanned}");
    }
    assert!(!text::print(&module).contains('!'));
}

/// The rule that a module breaks, or what is not as its comments say.
fn refuse(case: &Case) -> Result<String, String> {
    let (title, section) = (&case.name, case.input.as_str());
    let mut sources = Sources::new();
    sources.add(Source::text(title.as_str(), section));
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
    let expected = case.notes("error");
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
    for case in files("refused").iter().flat_map(|file| &file.cases) {
        match refuse(case) {
            Ok(rule) => {
                broken.insert(rule);
            }
            Err(why) => failures.push(format!("{}: {why}", case.title())),
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/unreadable");
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in CaseFile::folder(&folder, "ir").unwrap() {
        let file = CaseFile::read_beside(&path, "expected").unwrap();
        let checked = file.check(|case| {
            let mut diags = Diags::new();
            let limits = Limits { nesting: 8, ..Limits::default() };
            if text::parse(&case.input, SourceId(0), &limits, &mut diags).is_some() {
                return Err("was read".to_owned());
            }
            seen.extend(diags.iter().map(|d| d.code.id));
            // Each guilty line names its code; the messages stand in the file beside.
            let name = format!("{}.ir", case.name);
            let source = Source::text(name.as_str(), case.input.as_str());
            let line = |d: &Diagnostic| source.line_column(d.span().start).map_or(0, |place| place.0);
            let found: BTreeSet<_> = diags.iter().map(|d| (line(d), d.code.id)).collect();
            let messages = module::rendered(&name, &case.input, &diags);
            match found == case.notes("error").into_iter().collect() {
                true => Ok(Found::text(messages)),
                false => Err(format!("errors on other lines than those that name them\n{messages}")),
            }
        });
        wrong.extend(checked.err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<_> =
        codes::CODES.iter().map(|c| c.id).filter(|id| id.starts_with("IR") && !seen.contains(id)).collect();
    assert!(missing.is_empty(), "no case gives {missing:?}");
}
