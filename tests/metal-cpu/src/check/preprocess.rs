//! The source behind its macros and conditions.

use crate::clang::find;
use std::borrow::Cow;
use std::io::Write;
use std::process::{Command, Stdio};

/// `text` without its inclusions, and with its macros and conditions resolved where it has any. Marks of the lines stay in it.
pub fn preprocess<'a>(text: &'a str, language_version: u32, defines: &[String]) -> Cow<'a, str> {
    let directive = |line: &&str| {
        let word = line.trim_start().strip_prefix('#').map(str::trim_start);
        word.is_some_and(|word| {
            !word.starts_with("include") && !word.starts_with("pragma") && !word.starts_with("line") && !word.is_empty()
        })
    };
    if !text.lines().any(|line| directive(&line)) {
        return Cow::Borrowed(text);
    }
    run(text, language_version, defines).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn run(text: &str, language_version: u32, defines: &[String]) -> Option<String> {
    let input: String =
        text.split_inclusive('\n')
            .map(|line| {
                if line.trim_start().trim_start_matches('#').trim_start().starts_with("include") { "\n" } else { line }
            })
            .collect();
    let mut child = Command::new(&find()?.program)
        .args(["-E", "-x", "c++", "-std=c++14", "-undef", "-w", "-D__METAL__", "-D__METAL_MACOS__"])
        .arg(format!("-D__METAL_VERSION__={language_version}"))
        .args(defines.iter().map(|define| format!("-D{define}")))
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output()
    });
    let output = output.ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}
