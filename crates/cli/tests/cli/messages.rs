//! Formats and colours of messages, `explain`, help and completions.

use super::{Dir, TINT};
use serde_json::Value;

const BAD: &str = "ps_2_0\nmov r0, c0\nfrob r0\n";

#[test]
fn messages_for_people_quote_the_line() {
    let dir = Dir::with(&[("bad.asm", BAD)]);
    let ran = dir.run(&["compile", "bad.asm"]).code(1);
    assert!(
        ran.err.contains("error[E-SYNTAX]") && ran.err.contains("frob r0") && ran.err.contains("1 error"),
        "{}",
        ran.err
    );
    assert!(ran.out.is_empty(), "results alone go to standard output");
}

#[test]
fn short_messages_take_a_line() {
    let dir = Dir::with(&[("bad.asm", BAD)]);
    let ran = dir.run(&["--error-format", "short", "compile", "bad.asm"]).code(1);
    assert!(ran.err.starts_with("bad.asm:3:1: error E-SYNTAX: "), "{}", ran.err);
}

#[test]
fn json_messages_are_one_array_a_run() {
    let dir = Dir::with(&[("bad.asm", BAD), ("worse.asm", "ps_2_0\nfrob r1\n")]);
    let ran = dir.run(&["compile", "bad.asm", "worse.asm", "-o", "out", "--error-format", "json"]).code(1);
    let all: Value = serde_json::from_str(&ran.err).expect("JSON");
    let files: Vec<&str> = all.as_array().expect("an array").iter().filter_map(|d| d["file"].as_str()).collect();
    assert_eq!(files, ["bad.asm", "worse.asm"]);
    assert_eq!((&all[0]["code"], &all[0]["line"]), (&Value::from("E-SYNTAX"), &Value::from(3)));
    let missing = dir.run(&["compile", "missing", "--error-format", "json"]).code(3);
    let all: Value = serde_json::from_str(&missing.err).expect("JSON");
    assert_eq!(all[0]["code"], "AQ0002");
    let usage = dir.run(&["compile", "bad.asm", "worse.asm", "--error-format", "json"]).code(2);
    let all: Value = serde_json::from_str(&usage.err).expect("JSON");
    assert_eq!(all[0]["code"], "usage");
    dir.put("tint.asm", TINT.as_bytes());
    assert_eq!(dir.run(&["compile", "tint.asm", "--error-format", "json"]).code(0).err, "[]\n");
}

#[test]
fn colours_come_when_asked_for() {
    let dir = Dir::with(&[("bad.asm", BAD)]);
    let escape = |when: &str| dir.run(&["compile", "bad.asm", "--color", when]).code(1).err.contains('\x1b');
    assert!(escape("always"));
    assert!(!escape("never"));
    assert!(!escape("auto"), "standard error is a pipe");
}

#[test]
fn warnings_can_be_turned_off_and_made_errors() {
    // Sheet 1.11: ps_2_0 has 32 float constants; c40 is a fault of the profile.
    let dir = Dir::with(&[("x.asm", "ps_2_0\nmov r0, c40\nmov oC0, r0\n")]);
    dir.run(&["asm", "x.asm", "-o", "x.bin"]).code(0);
    assert!(dir.run(&["compile", "x.bin"]).code(0).err.contains("warning"));
    dir.run(&["compile", "x.bin", "--no-warnings"]).silent();
    dir.run(&["compile", "x.bin", "-W", "none"]).silent();
    assert!(dir.run(&["compile", "x.bin", "--strict"]).code(1).out.is_empty());
}

#[test]
fn explain_knows_codes_and_offers_the_nearest() {
    let dir = Dir::new();
    let ran = dir.run(&["explain", "e-trunc"]).silent();
    assert!(ran.text().starts_with("E-TRUNC: ") && ran.text().lines().count() > 3);
    let near = dir.run(&["explain", "E-TRNUC"]).code(2);
    assert!(near.err.contains("did you mean 'E-TRUNC'"), "{}", near.err);
    let list = dir.run(&["explain", "--list"]).silent();
    for code in ["AQ0007", "AQ9000", "E-REG", "IR0001"] {
        assert!(list.text().lines().any(|line| line.starts_with(code)), "{code}");
    }
}

#[test]
fn every_subcommand_has_help_with_examples() {
    let dir = Dir::new();
    let commands =
        ["compile", "render", "disasm", "asm", "effect", "info", "explain", "passes", "cat", "pass", "completions"];
    for command in commands {
        let help = dir.run(&[command, "--help"]).silent();
        assert!(help.text().contains("Examples:\n  aquatint "), "{command}");
    }
    assert!(dir.run(&["--help"]).silent().text().contains("Exit codes:"));
    dir.run(&[]).code(2);
}

#[test]
fn completions_name_the_subcommands() {
    let dir = Dir::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = dir.run(&["completions", shell]).silent();
        assert!(script.text().contains("disasm") && script.text().contains("render"), "{shell}");
    }
    dir.run(&["completions", "tcsh"]).code(2);
}
