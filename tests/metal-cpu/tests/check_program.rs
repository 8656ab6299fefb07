//! The program `aquatint-metal-check`: what it prints, and how it ends.

use aquatint_metal_cpu::check::{Options, check};
use aquatint_metal_cpu::clang::find;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const REJECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rejected");
const ACCEPTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accepted");

fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aquatint-metal-check"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that reads no input may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    (status.code(), String::from_utf8(stdout).expect("UTF-8"), String::from_utf8(stderr).expect("UTF-8"))
}

#[test]
fn findings_have_place_rule_and_section() {
    if find().is_none() {
        eprintln!("skipped: clang is absent");
        return;
    }
    let (wrong, right) = (format!("{REJECTED}/goto.metal"), format!("{ACCEPTED}/goto.metal"));
    let (code, out, _) = run(&[&right, &wrong], "");
    assert_eq!(code, Some(1));
    assert_eq!(out, format!("{wrong}:10:5: error[goto]: there is no `goto` (MSL 2.4, 1.4.4 Restrictions)\n"));
    assert_eq!(run(&["-q", &wrong], ""), (Some(1), String::new(), String::new()));
    assert_eq!(run(&[&right], ""), (Some(0), String::new(), String::new()));
}

#[test]
fn standard_input_and_json() {
    let source = "kernel void work(device float* data) { data[0] = 1.0; }";
    let (code, out, _) = run(&["--no-compile", "--json", "-"], source);
    assert_eq!(code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let finding = &json["files"][0]["findings"][0];
    assert_eq!(
        (json["files"][0]["path"].as_str(), finding["rule"].as_str()),
        (Some("<stdin>"), Some("argument-attribute"))
    );
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(1), Some(32)));
}

#[test]
fn the_command_line_is_checked() {
    for arguments in
        [&["--frob"][..], &[], &["--std", "2.3", "x"], &["-j", "0", "x"], &["--quiet=yes", "x"], &["--std"]]
    {
        let (code, out, error) = run(arguments, "");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(error.starts_with("error: "), "{error}");
    }
    let (code, _, error) = run(&["/nowhere/at/all.metal"], "");
    assert_eq!(code, Some(3));
    assert!(error.contains("/nowhere/at/all.metal"), "{error}");
    let (code, help, _) = run(&["--help"], "");
    assert_eq!(code, Some(0));
    for option in
        ["--quiet", "--json", "--warnings", "--std", "--define", "--no-compile", "--jobs", "--rules", "Exit codes"]
    {
        assert!(help.contains(option), "{option}");
    }
    assert!(run(&["--rules"], "").1.contains("buffer-index\n    Buffer indices are 0 to 30. (MSL 2.4, 5.2.1 "));
}

/// Sources that are cut, or lack brackets and separators, are read to their end without a panic.
#[test]
fn broken_sources_do_no_harm() {
    let options = Options { compile: false, ..Options::default() };
    let mut seen = 0;
    for entry in std::fs::read_dir(ACCEPTED).expect("the sources are there") {
        let text = std::fs::read_to_string(entry.expect("a source").path()).expect("a source can be read");
        for end in (0..text.len()).skip(30).step_by(97).filter(|&end| text.is_char_boundary(end)) {
            check(&text[..end], &options).expect("the rules need no clang");
            check(&text[end..], &options).expect("the rules need no clang");
            seen += 1;
        }
        for dropped in ["(", ")", "[", "]", "{", "}", "<", ">", ";", ",", "*", "="] {
            check(&text.replace(dropped, ""), &options).expect("the rules need no clang");
            check(&text.replace(dropped, &dropped.repeat(3)), &options).expect("the rules need no clang");
        }
    }
    assert!(seen > 500, "{seen}");
    for open in ["(", "[", "{", "<", "struct a {", "namespace a {", "extern \"C\" {", "template<", "typedef struct a {"]
    {
        check(&open.repeat(20_000), &options).expect("the rules need no clang");
    }
}
