//! The parent's side: finding and starting the child, sending jobs, and finding out what became of it.

use super::child::{Answer, PROTOCOL, Request, receive, send};
use super::error::Error;
use super::wire::{Wire, encode};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The limits of the child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of address space.
    pub memory: u64,
    /// How long a job may take.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 4 << 30, time: Duration::from_secs(20) }
    }
}

/// A running child.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
    said: Arc<Mutex<String>>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program to run: found once.
fn program() -> Result<PathBuf, Error> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    FOUND.get_or_init(find).clone().map_err(Error::Process)
}

const NAME: &str = "aquatint-metal-run";

/// `AQUATINT_METAL_RUN`, or the program beside (or above) this one, which cargo builds if it is not there or not of these
/// sources.
fn find() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("AQUATINT_METAL_RUN") {
        return Ok(PathBuf::from(path));
    }
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let folder = own
        .ancestors()
        .skip(1)
        .find(|folder| folder.file_name().is_some_and(|name| name != "deps" && name != "examples"));
    let folder = folder.ok_or("this program has no folder")?;
    let path = folder.join(NAME);
    if speaks(&path) {
        return Ok(path);
    }
    let target = folder.parent().ok_or("this program lies in no target folder")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--package", "aquatint-metal-cpu", "--bin", NAME, "--target-dir"]).arg(target);
    if folder.file_name().is_some_and(|name| name == "release") {
        build.arg("--release");
    }
    build.current_dir(env!("CARGO_MANIFEST_DIR"));
    let built = build.status().map_err(|e| format!("cargo: {e}"))?;
    if built.success() && speaks(&path) { Ok(path) } else { Err(format!("there is no {NAME} at {}", path.display())) }
}

/// Whether a program is there and is of these sources.
fn speaks(path: &PathBuf) -> bool {
    let Ok(mut child) = Command::new(path)
        .args(["4000000000", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
    else {
        return false;
    };
    let hello = child.stdout.take().and_then(|mut output| receive(&mut output));
    let _ = child.wait();
    hello == Some(encode(&PROTOCOL))
}

impl Worker {
    /// Starts a child.
    pub(super) fn start(limits: Limits) -> Result<Worker, Error> {
        let failed = |e: std::io::Error| Error::Process(e.to_string());
        let mut child = Command::new(program()?)
            .arg(limits.memory.to_string())
            .arg(limits.time.as_secs().max(1).to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (to, answers) = channel();
        let said = Arc::new(Mutex::new(String::new()));
        if let Some(mut output) = child.stdout.take() {
            std::thread::spawn(move || {
                while let Some(bytes) = receive(&mut output) {
                    if to.send(bytes).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(mut errors) = child.stderr.take() {
            let said = Arc::clone(&said);
            std::thread::spawn(move || {
                let mut chunk = [0; 1024];
                while let Ok(count @ 1..) = errors.read(&mut chunk) {
                    let text = String::from_utf8_lossy(&chunk[..count]).into_owned();
                    if let Ok(mut said) = said.lock()
                        && said.len() < 1 << 16
                    {
                        said.push_str(&text);
                    }
                }
            });
        }
        let input = child.stdin.take();
        let mut worker = Worker { child, input, answers, said };
        let hello = worker.answer(Duration::from_secs(60))?;
        if hello != encode(&PROTOCOL) {
            return Err(Error::Process("it was built from other sources".to_owned()));
        }
        Ok(worker)
    }

    /// Waits for a message, or finds out why there is none.
    fn answer(&mut self, time: Duration) -> Result<Vec<u8>, Error> {
        match self.answers.recv_timeout(time) {
            Ok(bytes) => Ok(bytes),
            Err(RecvTimeoutError::Timeout) => Err(Error::TimedOut(time)),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait().map_err(|e| Error::Process(e.to_string()))?;
                // The other thread may still be reading.
                std::thread::sleep(Duration::from_millis(20));
                let said = self.said.lock().map(|said| said.clone()).unwrap_or_default();
                Err(match status.signal() {
                    _ if said.contains("memory allocation of") => Error::Memory,
                    Some(libc::SIGXCPU) => Error::TimedOut(time),
                    Some(signal) => Error::Crash { signal, said },
                    None => Error::Process(format!("{status}: {}", said.trim())),
                })
            }
        }
    }

    /// Runs a job.
    pub(super) fn run(&mut self, request: &Request, time: Duration) -> Result<Answer, Error> {
        let input = self.input.as_mut().ok_or_else(|| Error::Process("it is gone".to_owned()))?;
        // Where the child has died, the answer says so.
        let _ = send(input, &encode(request));
        let bytes = self.answer(time)?;
        match Answer::take(&mut bytes.as_slice()) {
            Some(Answer::Refused(why)) => Err(Error::Job(why)),
            Some(answer) => Ok(answer),
            None => Err(Error::Process("its answer is none".to_owned())),
        }
    }
}
