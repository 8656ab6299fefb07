//! Sources that break one rule of the Metal Shading Language 2.4 each are refused, at the line and for the rule that they
//! name; their legal twins, which differ in that one line, are accepted. Known good Metal is accepted, too.

use aquatint_metal_cpu::check::{Options, Report, Rule, check};
use aquatint_metal_cpu::clang::find;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/spirv-cross-msl/reference");

/// References of SPIRV-Cross that break a rule of MSL 2.4 because they are written for a later version.
const LATER: [(&str, &str); 1] = [("image-cube-atomic.msl4.comp", "cubes that are read and written are Metal 4")];

/// What a source of the rejected ones says about itself: rule, section, line.
struct Claim {
    rule: String,
    section: String,
    line: u32,
}

/// The first line is `// RULE: MSL 2.4, SECTION: what`; the line at fault ends in `// wrong`.
fn claim(text: &str) -> Option<Claim> {
    let (rule, rest) = text.lines().next()?.strip_prefix("// ")?.split_once(": MSL 2.4, ")?;
    let (section, _) = rest.split_once(": ")?;
    let line = text.lines().position(|line| line.ends_with("// wrong"))? as u32 + 1;
    Some(Claim { rule: rule.into(), section: section.into(), line })
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            sources(&path, into);
        } else {
            into.push(path);
        }
    }
    into.sort();
}

/// Checks all on as many threads as there are processors; the reports come in the order of the paths.
fn checked(paths: &[PathBuf], options: &Options) -> Vec<(PathBuf, String, Report)> {
    let (rest, done) = (Mutex::new(paths.to_vec()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(path) = rest.lock().expect("no thread failed").pop() else { break };
                    let text = std::fs::read_to_string(&path).expect("a source can be read");
                    let report = check(&text, options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                    done.lock().expect("no thread failed").push((path, text, report));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread failed");
    done.sort_by(|a, b| a.0.cmp(&b.0));
    done
}

fn in_folder(name: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    sources(&Path::new(TESTS).join(name), &mut paths);
    paths
}

fn without_clang() -> bool {
    let absent = find().is_none();
    if absent {
        eprintln!("skipped: Metal sources are not checked, since clang 14 or newer is absent");
    }
    absent
}

#[test]
fn wrong_sources_are_refused_for_the_rule_that_they_break() {
    if without_clang() {
        return;
    }
    let paths = in_folder("rejected");
    assert!(paths.len() >= 80, "only {} sources", paths.len());
    let (mut wrong, mut rules) = (Vec::new(), BTreeSet::new());
    for (path, text, report) in checked(&paths, &Options::default()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(claim) = claim(&text) else {
            wrong.push(format!("{name}: names no rule, section and line"));
            continue;
        };
        rules.insert(claim.rule.clone());
        let found: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
        let same = |(rule, line): (&str, u32)| rule == claim.rule && line == claim.line;
        if report.findings.is_empty() {
            wrong.push(format!("{name}: accepted, but breaks {}", claim.rule));
        } else if !report.findings.iter().all(|finding| same((finding.rule.name(), finding.line))) {
            wrong.push(format!("{name}: {} at line {}, but found {found:#?}", claim.rule, claim.line));
        }
        // The rule's section is that of the source, or holds it.
        if let Some(rule) = Rule::ALL.iter().find(|rule| rule.name() == claim.rule && **rule != Rule::Compile) {
            let number = rule.section().split(' ').next().unwrap_or_default();
            let related = claim.section.starts_with(number)
                || number.starts_with(&claim.section)
                || rule.section().contains(&claim.section);
            if !related {
                wrong.push(format!("{name}: names section {}, the rule {}", claim.section, rule.section()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let missing: Vec<_> = Rule::ALL
        .iter()
        .map(|rule| rule.name())
        .filter(|name| !rules.contains(*name) && *name != "not-understood")
        .collect();
    assert!(missing.is_empty(), "no source breaks {missing:?}");
    println!("{} sources refused, for {} rules", paths.len(), rules.len());
}

#[test]
fn their_legal_twins_are_accepted() {
    if without_clang() {
        return;
    }
    let paths = in_folder("accepted");
    assert!(paths.len() >= 40, "only {} sources", paths.len());
    let refused: Vec<_> = checked(&paths, &Options::default())
        .into_iter()
        .filter(|(_, _, report)| !report.accepted())
        .map(|(path, _, report)| format!("{}: {}", path.display(), report.findings[0]))
        .collect();
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn twins_differ_in_the_line_at_fault_only() {
    for path in in_folder("rejected") {
        let twin = Path::new(TESTS).join("accepted").join(path.file_name().unwrap_or_default());
        let text = std::fs::read_to_string(&path).expect("a source can be read");
        let Ok(twin_text) = std::fs::read_to_string(&twin) else { continue };
        let (bad, good): (Vec<_>, Vec<_>) = (text.lines().skip(1).collect(), twin_text.lines().skip(1).collect());
        let same_head = bad.iter().zip(&good).take_while(|(a, b)| a == b).count();
        let same_tail = bad.iter().rev().zip(good.iter().rev()).take_while(|(a, b)| a == b).count();
        // A position that is missing is the one difference of two lines.
        assert!(
            same_head + same_tail + 2 >= bad.len().max(good.len()) || twin_text.contains("place [[position]]"),
            "{}",
            path.display()
        );
    }
}

#[test]
fn what_the_writer_prints_is_accepted() {
    if without_clang() {
        return;
    }
    let mut paths = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/msl/tests/cases"), &mut paths);
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "metal"));
    assert!(!paths.is_empty());
    for defines in [vec![], vec!["AQUATINT_CHECK_LAYOUT".to_owned()]] {
        for (path, _, report) in checked(&paths, &Options { defines, ..Options::default() }) {
            assert!(report.accepted(), "{}: {}", path.display(), report.findings[0]);
        }
    }
}

/// The rules alone: whether clang compiles these sources is another test's.
#[test]
fn known_good_metal_breaks_no_rule() {
    let root = Path::new(CORPUS);
    if !root.is_dir() || find().is_none() {
        eprintln!("skipped: known good Metal is not checked, since {CORPUS} or clang is absent");
        return;
    }
    let mut paths = Vec::new();
    sources(root, &mut paths);
    paths.retain(|path| {
        path.extension().is_some_and(|kind| ["comp", "vert", "frag"].iter().any(|stage| *stage == kind))
    });
    let mut refused = Vec::new();
    for (path, _, report) in checked(&paths, &Options { compile: false, ..Options::default() }) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !report.accepted() && !LATER.iter().any(|(later, _)| *later == name) {
            refused.push(format!("{}: {}", path.display(), report.findings[0]));
        }
    }
    println!("{} sources, {} refused", paths.len(), refused.len());
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
