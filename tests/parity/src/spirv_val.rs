//! SPIR-V's own validator, as a process.

use aquatint_spirv::Environment;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Whether `spirv-val` is installed.
pub fn is_installed() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        Command::new("spirv-val").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    })
}

/// Validates one module.
///
/// # Errors
/// What the validator says.
pub fn validate(words: &[u32], environment: Environment) -> Result<(), String> {
    let mut child = Command::new("spirv-val")
        .args(["--target-env", environment.name(), "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("spirv-val: {e}"))?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    if let Some(mut stdin) = child.stdin.take() {
        // A validator that stops early closes its end; what it says then counts.
        let _ = stdin.write_all(&bytes);
    }
    let output = child.wait_with_output().map_err(|e| format!("spirv-val: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stderr, output.stdout].concat();
    Err(String::from_utf8_lossy(&text).lines().take(3).collect::<Vec<_>>().join(" "))
}

/// Validates many modules on two threads. The results are in the order of the modules.
pub fn validate_all(modules: &[(&[u32], Environment)]) -> Vec<Result<(), String>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Ok(()); modules.len()]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(words, environment)) = modules.get(index) else { return };
                    let result = validate(words, environment);
                    if let Ok(mut all) = results.lock() {
                        all[index] = result;
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_default()
}
