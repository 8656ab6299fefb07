//! The reader and the verifier on text that means harm: they answer, in time that grows with the input, and never panic.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_ir::{text, verify};
use proptest::prelude::*;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// All cases, right and wrong.
static CORPUS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut all = Vec::new();
    for part in ["", "refused", "unreadable"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "ir") {
                all.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    all.sort();
    assert!(all.len() > 20);
    all
});

/// Reads; what is read is verified and printed, and if it is right, read back.
fn feed(input: &str) {
    let mut diags = Diags::new();
    let Some(module) = text::parse(input, SourceId(0), &Limits::default(), &mut diags) else {
        assert!(diags.has_errors());
        return;
    };
    let right = verify::verify(&module, &mut diags);
    let printed = text::print(&module);
    if right {
        let mut diags = Diags::new();
        let back = text::parse(&printed, SourceId(0), &Limits::default(), &mut diags);
        let back = back.unwrap_or_else(|| panic!("{:?}\n{printed}", diags.iter().next()));
        assert!(text::equal(&module, &back), "{printed}");
        assert_eq!(text::print(&back), printed);
    }
}

/// What takes the place of a piece of text.
const PIECES: &[&str] = &[
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ",",
    ":",
    "=",
    "!",
    ".",
    "@",
    "%",
    "\"",
    "\\",
    "-",
    "->",
    "0",
    "1",
    "-1",
    "4294967295",
    "18446744073709551616",
    "1e400",
    "nan(0)",
    "inf",
    "zero",
    "true",
    "vec4<f32>",
    "array<f32>",
    "%a",
    "@a",
    "%0",
    "module",
    "fn",
    "if",
    "else",
    "loop",
    "switch",
    "case",
    "default",
    "yield",
    "break",
    "empty",
    "struct",
    "global",
    "é",
    "\u{0}",
    "//",
    "!(0, 1, 2)",
    "binding(class t, register 4294967295)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_cases_never_panic(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, 0..PIECES.len()), 1..6),
    ) {
        let mut input = which.get(&CORPUS).clone();
        for (at, length, piece) in edits {
            let mut start = at.index(input.len() + 1);
            while !input.is_char_boundary(start) {
                start -= 1;
            }
            let mut end = (start + length).min(input.len());
            while !input.is_char_boundary(end) {
                end += 1;
            }
            input.replace_range(start..end, PIECES[piece]);
        }
        feed(&input);
    }

    #[test]
    fn spliced_cases_never_panic(
        a in any::<prop::sample::Index>(),
        b in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        resume in any::<prop::sample::Index>(),
    ) {
        let (a, b) = (a.get(&CORPUS), b.get(&CORPUS));
        let a: Vec<&str> = a.split_inclusive(' ').collect();
        let b: Vec<&str> = b.split_inclusive(' ').collect();
        let mut input = a[..cut.index(a.len())].concat();
        input.push_str(&b[resume.index(b.len())..].concat());
        feed(&input);
    }

    #[test]
    fn arbitrary_text_never_panics(input in "\\PC{0,200}") {
        feed(&input);
        feed(&format!("module\nfn @f() {{\n{input}\n}}"));
    }
}

#[test]
fn every_truncation_of_every_case_is_answered() {
    for case in CORPUS.iter() {
        // Ends of lines and of words; every byte would take minutes in a debug build.
        for (at, _) in case.match_indices([' ', '\n', '(', '<']) {
            feed(&case[..at]);
        }
    }
}

#[test]
fn deep_nesting_is_answered() {
    let deep = 20_000;
    feed(&format!("module\nfn @f() {{ {}", "loop { ".repeat(deep)));
    feed(&format!("module\nfn @f(%p: bool) {{ {} {}", "if %p { ".repeat(deep), "} else { } ".repeat(deep)));
    feed(&format!("module\nfn @f(%p: u32) {{ {}", "switch %p { default { ".repeat(deep)));
    feed(&format!("module\nglobal @a: private<{}", "array<".repeat(deep)));
    feed(&format!("module\nglobal @a: private<f32> = {}", "array<f32, 1>(".repeat(deep)));
    feed(&format!("module\nglobal @a: private<{}", "ptr<private, ".repeat(deep)));
    feed(&"{".repeat(deep));
    feed(&"}".repeat(deep));
    feed(&"\"\\".repeat(deep));
    feed(&"module ".repeat(deep));
    feed(&"fn @f() { ".repeat(deep));
    feed(&"fn @f() { return }\n".repeat(deep));
    feed(&format!("module\nfn @f() {{\n%a: f32 = sample{} %a\n}}", ".bias".repeat(deep)));
    // A struct of two of the one before: 2^64 bytes and more.
    let mut doubled = "module\nstruct %s0 { a: f32 @0 }\n".to_owned();
    for i in 1..60 {
        doubled.push_str(&format!("struct %s{i} {{ a: array<%s{}, 4000000000, stride(4000000000)> @0 }}\n", i - 1));
    }
    feed(&doubled);
}

#[test]
fn limits_are_messages() {
    let read = |input: &str, limits: &Limits| {
        let mut diags = Diags::new();
        assert!(text::parse(input, SourceId(0), limits, &mut diags).is_none());
        let codes: Vec<_> = diags.iter().map(|d| d.code.id).collect();
        assert!(codes.contains(&"IR0007"), "{codes:?}");
    };
    read("module\n", &Limits { input_bytes: 3, ..Limits::default() });
    read("module\nfn @f() {\ndiscard\ndiscard\nreturn }", &Limits { instructions: 2, ..Limits::default() });
    let few = Limits { entities: 2, ..Limits::default() };
    read("module\nglobal @a: push<f32>\nglobal @b: push<f32>\nglobal @c: push<f32>", &few);
    read("module\nfn @a() { return }\nfn @b() { return }\nfn @c() { return }", &few);
    read("module\nstruct %a { }\nstruct %b { }\nstruct %c { }", &few);
    read("module\nstruct %a { a: f32, b: f32, c: f32 }", &few);
    read("module\nfn @a(%a: f32, %b: f32, %c: f32) { return }", &few);
}

/// A module of about `lines` lines that has `shape` many times.
fn large(lines: usize, shape: &str) -> String {
    let mut out = "module\nglobal @g: private<f32>\n".to_owned();
    match shape {
        "line" => {
            out.push_str("fn @f(%v0: f32) {\n");
            for i in 0..lines {
                out.push_str(&format!("    %v{}: f32 = fadd %v{i}, 1.5\n", i + 1));
            }
            out.push_str("    return\n}\n");
        }
        "constants" => {
            out.push_str("fn @f() {\n");
            for i in 0..lines.min(60_000) {
                out.push_str(&format!("    %v{i}: f32 = fadd {i}.0, {i}.5\n"));
            }
            out.push_str("    return\n}\n");
        }
        "globals" => {
            for i in 0..lines.min(60_000) {
                out.push_str(&format!("global @g{i}: private<array<f32, {}>>\n", i + 1));
            }
        }
        "functions" => {
            for i in 0..lines.min(60_000) {
                out.push_str(&format!("fn @f{i}() {{\n    call @f{}()\n    return\n}}\n", i + 1));
            }
            out.push_str(&format!("fn @f{}() {{ return }}\n", lines.min(60_000)));
        }
        "names" => {
            out.push_str("fn @f(%p: bool) {\n");
            for _ in 0..lines {
                out.push_str("    if %p { %x: f32 = fneg 1.0  yield } else { }\n");
            }
            out.push_str("    return\n}\n");
        }
        "cases" => {
            out.push_str("fn @f(%n: i32) {\n    switch %n {\n");
            for i in 0..lines.min(60_000) {
                out.push_str(&format!("        case {} {{ yield }}\n", lines - i));
            }
            out.push_str("        default { yield }\n    }\n    return\n}\n");
        }
        "errors" => {
            out.push_str("fn @f() {\n");
            for i in 0..lines {
                out.push_str(&format!("    %v{i}: f32 = fadd %w{i}, %q ) (\n"));
            }
            out.push_str("    return\n}\n");
        }
        "broken" => {
            out.push_str("fn @f(%a: f32, %i: i32) {\n");
            for i in 0..lines {
                out.push_str(&format!("    %v{i}: f32 = fadd %a, %i\n"));
            }
            out.push_str("    return\n}\n");
        }
        "chain" => {
            out.push_str("fn @f() {\n    %p0: ptr<function, vec4<f32>> = var\n");
            for i in 0..lines {
                out.push_str(&format!("    %q{i}: ptr<function, f32> = access %p0[{}]\n    store %q{i}, 1.0\n", i % 4));
            }
            out.push_str("    return\n}\n");
        }
        _ => unreachable!("{shape}"),
    }
    out
}

fn time(input: &str) -> Duration {
    let limits = Limits { input_bytes: usize::MAX, ..Limits::default() };
    (0..3)
        .map(|_| {
            let start = Instant::now();
            let mut diags = Diags::new();
            if let Some(module) = text::parse(input, SourceId(0), &limits, &mut diags) {
                verify::verify(&module, &mut diags);
                text::print(&module);
            }
            start.elapsed()
        })
        .min()
        .unwrap()
}

/// Four times the input takes about four times as long; quadratic work would take sixteen times.
#[test]
fn time_grows_with_the_input() {
    for shape in ["line", "constants", "globals", "functions", "names", "cases", "errors", "broken", "chain"] {
        let small = time(&large(4_000, shape));
        let big = time(&large(16_000, shape));
        let ratio = big.as_secs_f64() / small.as_secs_f64();
        assert!(ratio < 10.0, "{shape}: {small:?} became {big:?}");
    }
}
