//! The program end to end: every subcommand, exit codes, formats of messages, files and streams.

mod asm;
mod compile;
mod effect;
mod examples;
mod hlsl;
mod messages;
mod modules;
mod render;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory of its own for each test, removed when it ends.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Dir {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("aquatint-cli-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a directory for the test");
        Dir(path)
    }

    /// With files of those texts.
    fn with(files: &[(&str, &str)]) -> Dir {
        let dir = Dir::new();
        files.iter().for_each(|(name, text)| dir.put(name, text.as_bytes()));
        dir
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, bytes).expect("a file");
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Names in the directory, in order.
    fn names(&self, below: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.join(below)).expect("a directory");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
        names.sort();
        names
    }

    /// Runs the program in the directory.
    fn run(&self, arguments: &[&str]) -> Ran {
        run(&self.0, arguments, b"")
    }

    fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        run(&self.0, arguments, input)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run left.
struct Ran {
    code: i32,
    out: Vec<u8>,
    err: String,
}

impl Ran {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("text on standard output")
    }

    /// Asserts the exit code.
    #[track_caller]
    fn code(self, wanted: i32) -> Ran {
        assert_eq!(self.code, wanted, "exit code; standard error:\n{}", self.err);
        self
    }

    /// Asserts success without a message.
    #[track_caller]
    fn silent(self) -> Ran {
        let ran = self.code(0);
        assert_eq!(ran.err, "");
        ran
    }
}

fn run(dir: &Path, arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_aquatint"))
        .args(arguments)
        .current_dir(dir)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that reads nothing closes the pipe; that is not this test's affair.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: output.stdout,
        err: String::from_utf8(output.stderr).expect("text on standard error"),
    }
}

/// A pixel shader that reads a texture and two constants, c3 and c5, and defines c4.
const TINT: &str = "ps_2_0
def c4, 0.25, 0, 0, 1
dcl t0.xy
dcl_2d s0
texld r0, t0, s0
mul r0, r0, c3
add r0, r0, c4
mad r0, r0, c5, c3
mov oC0, r0
";

/// A shader that gives c0.
const PLAIN: &str = "ps_2_0\nmov r0, c0\nmov oC0, r0\n";
