//! Several inputs at once, on all cores.

use super::translate;
use crate::args::high::{Compile, Job};
use crate::exit::{Exit, Failure, caught};
use crate::files;
use crate::report::Reporter;
use aquatint::Language;
use aquatint::base::{Diags, Sources};
use aquatint::d3d9::tokens::container::streams;
use rayon::prelude::*;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What became of a job.
struct Done {
    exit: Exit,
    skipped: bool,
    /// Rendered messages.
    messages: Option<String>,
    /// What `--print-after` and `--time-passes` show.
    notes: String,
}

/// Translates each job to its file. Messages come in the order of the inputs.
pub fn run(compile: &Compile, jobs: &[Job], report: &Reporter) -> Result<Exit, Failure> {
    let start = Instant::now();
    let progress = Progress::new(jobs.len(), report.shows_progress());
    let done: Vec<Done> = jobs
        .par_iter()
        .map(|job| {
            progress.at(job);
            let done = caught(|| work(compile, job, report)).unwrap_or_else(|bug| Done {
                exit: Exit::Bug,
                skipped: false,
                messages: message(report, *bug),
                notes: String::new(),
            });
            progress.finished();
            done
        })
        .collect();
    progress.clear();
    let (mut worst, mut compiled, mut failed, mut skipped) = (Exit::Ok, 0, 0, 0);
    for one in &done {
        if !one.notes.is_empty() {
            report.note(one.notes.trim_end());
        }
        if let Some(messages) = &one.messages {
            report.print(messages);
        }
        worst = worst.max(one.exit);
        match one {
            Done { skipped: true, .. } => skipped += 1,
            Done { exit: Exit::Ok, .. } => compiled += 1,
            _ => failed += 1,
        }
    }
    let mut summary = format!("{compiled} translated");
    for (count, word) in [(failed, "failed"), (skipped, "passed over")] {
        if count > 0 {
            summary.push_str(&format!(", {count} {word}"));
        }
    }
    report.note(&format!("{summary} in {:.2} s", start.elapsed().as_secs_f64()));
    Ok(worst)
}

fn message(report: &Reporter, diagnostic: aquatint::base::Diagnostic) -> Option<String> {
    let mut diags = Diags::new();
    diags.push(diagnostic);
    report.render(&diags, &Sources::new(), true)
}

fn work(compile: &Compile, job: &Job, report: &Reporter) -> Done {
    let mut done = Done { exit: Exit::Ok, skipped: false, messages: None, notes: String::new() };
    let failed = |failure: Failure, mut done: Done| {
        done.exit = Exit::Files;
        match failure {
            Failure::File(diagnostic) => {
                let more = message(report, *diagnostic);
                done.messages = done.messages.into_iter().chain(more).reduce(|a, b| a + &b);
            }
            Failure::Shader(diagnostic) => {
                done.exit = Exit::Diagnostics;
                done.messages = message(report, *diagnostic);
            }
            Failure::Usage(message) => done.notes.push_str(&message),
            Failure::Reported(exit) => done.exit = exit,
        }
        done
    };
    let bytes = match files::read(&job.input) {
        Ok(bytes) => bytes,
        Err(failure) => return failed(failure, done),
    };
    let shader = compile.language.is_some() || is_shader(&bytes, &job.input);
    if job.found && !shader {
        done.skipped = true;
        return done;
    }
    let translated = translate(compile, &files::display(&job.input), &bytes, job.reflect.is_some());
    done.notes = translated.dumps;
    if compile.time_passes {
        done.notes.push_str(&format!("{}\n{}\n", job.input.display(), super::times(&translated.passes)));
    }
    done.messages = report.render(&translated.session.diags, &translated.session.sources, compile.warnings);
    let Some(output) = translated.output else {
        done.exit = Exit::Diagnostics;
        return done;
    };
    let write = || -> Result<(), Failure> {
        if let (Some(path), Some(json)) = (&job.reflect, &translated.reflection) {
            path.parent().map_or(Ok(()), files::make_directory)?;
            files::write(Some(path), json.as_bytes())?;
        }
        job.output.parent().map_or(Ok(()), files::make_directory)?;
        files::write(Some(&job.output), &output.into_bytes())
    };
    match write() {
        Ok(()) => done,
        Err(failure) => failed(failure, done),
    }
}

/// Whether a file found in a directory is meant to be translated. Many languages begin with the words of a module, so that
/// one is told by its name too.
fn is_shader(bytes: &[u8], path: &Path) -> bool {
    match Language::detect(bytes) {
        Some(Language::Bytecode) => !bytes.starts_with(b"DXBC") || !streams(bytes).is_empty(),
        Some(Language::Assembly) => true,
        Some(Language::Ir) => path.extension().is_some_and(|extension| extension == "ir"),
        Some(Language::Effect | Language::Hlsl) | None => false,
    }
}

/// A line on standard error that says how far it is, where that is a terminal.
struct Progress {
    total: usize,
    shown: bool,
    done: AtomicUsize,
    last: Mutex<Option<Instant>>,
}

impl Progress {
    /// Between two drawings of the line.
    const PAUSE: Duration = Duration::from_millis(60);

    fn new(total: usize, shown: bool) -> Self {
        Self { total, shown, done: AtomicUsize::new(0), last: Mutex::new(None) }
    }

    /// A job begins.
    fn at(&self, job: &Job) {
        if !self.shown {
            return;
        }
        // Whoever comes while another draws has nothing newer to show.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_some_and(|last| last.elapsed() < Self::PAUSE) {
            return;
        }
        *last = Some(Instant::now());
        let name = job.input.display().to_string();
        let tail = name.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        let done = self.done.load(Ordering::Relaxed);
        let _ = write!(std::io::stderr(), "\r\x1b[K[{done}/{}] {tail}", self.total);
    }

    fn finished(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
