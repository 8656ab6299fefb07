//! `aquatint compile`.

mod batch;
pub mod reflect;

use crate::args::high::{Compile, Plan};
use crate::args::low;
use crate::exit::{Exit, Failure, working_on};
use crate::files::{self, Disk};
use crate::report::Reporter;
use crate::stream;
use aquatint::base::Diagnostic;
use aquatint::compiler::Watch;
use aquatint::passes::run::{Report, Show};
use aquatint::{Input, Language, Output, Session, Target, ir};
use std::path::Path;
use std::time::Instant;

/// Translates the inputs.
pub fn run(low: &low::Compile, report: &Reporter) -> Result<Exit, Failure> {
    let compile = Compile::new(low)?;
    match &compile.plan {
        Plan::One { input, output, reflect } => one(&compile, input, output.as_deref(), reflect.as_deref(), report),
        Plan::Batch(jobs) => batch::run(&compile, jobs, report),
    }
}

fn one(
    compile: &Compile,
    input: &Path,
    output: Option<&Path>,
    reflect: Option<&Path>,
    report: &Reporter,
) -> Result<Exit, Failure> {
    if compile.options.target == Target::Spirv {
        files::forbid_terminal(output, "SPIR-V")?;
    }
    if reflect.is_some_and(files::is_standard) && output.is_none_or(files::is_standard) {
        return Err(Failure::Usage(
            "output and reflection cannot both go to standard output: name a file with -o".to_owned(),
        ));
    }
    let bytes = files::read(input)?;
    let translated = translate(compile, &files::display(input), &bytes, reflect.is_some());
    if !translated.dumps.is_empty() {
        report.note(translated.dumps.trim_end());
    }
    report.session(&translated.session.diags, &translated.session.sources, compile.warnings);
    if compile.time_passes {
        report.note(&times(&translated.passes));
    }
    let Some(out) = translated.output else { return Ok(Exit::Diagnostics) };
    // The reflection first: whoever waits for the output finds both.
    if let (Some(path), Some(json)) = (reflect, &translated.reflection) {
        files::write(Some(path), json.as_bytes())?;
    }
    files::write(output, &out.into_bytes())?;
    Ok(Exit::Ok)
}

/// What became of an input.
pub struct Translated {
    /// Its messages.
    pub session: Session,
    /// The output; absent after an error.
    pub output: Option<Output>,
    /// The reflection as JSON, where it was asked for.
    pub reflection: Option<String>,
    /// Modules that were to be printed.
    pub dumps: String,
    /// What the passes took.
    pub passes: Vec<Report>,
}

/// Translates one input.
pub fn translate(compile: &Compile, name: &str, bytes: &[u8], reflect: bool) -> Translated {
    working_on(name);
    let mut translated = Translated {
        session: Session::new(),
        output: None,
        reflection: None,
        dumps: String::new(),
        passes: Vec::new(),
    };
    translated.output = steps(compile, name, bytes, reflect, &mut translated);
    translated
}

/// `None` after an error, which is in the session.
fn steps(compile: &Compile, name: &str, bytes: &[u8], reflect: bool, translated: &mut Translated) -> Option<Output> {
    let Translated { session, dumps, passes, reflection: json, .. } = translated;
    let mut language = compile.language.or_else(|| Language::of_file_name(name)).or_else(|| Language::detect(bytes));
    let (name, bytes) = stream::bytecode(session, name, bytes, language, &compile.assembly)?;
    if language == Some(Language::Assembly) {
        language = Some(Language::Bytecode);
    }
    let mut options = compile.options.clone();
    options.msl = Some(compile.msl(language));
    let mut includes = Disk::includes(&compile.assembly.include);
    let input = Input { name: &name, bytes: &bytes, language };
    let mut read = session.read_with_includes(&input, &options, &mut includes)?;

    let start = Instant::now();
    let clock = || start.elapsed();
    let names: Vec<&str> = compile.print_after.iter().map(String::as_str).collect();
    let show = match names.as_slice() {
        [] => Show::Nothing,
        all if all.contains(&"all") => Show::All,
        some => Show::Passes(some),
    };
    let mut sink = |pass: &'static str, module: &ir::Module| {
        dumps.push_str(&format!("// after {pass}\n{}\n", ir::text::print(module)));
    };
    let watch = Watch {
        clock: if compile.time_passes { Some(&clock) } else { None },
        show: if names.is_empty() { None } else { Some((show, &mut sink)) },
    };
    *passes = session.optimise(&mut read.module, &options, watch)?;

    let entry = session.entry(&read.module, &options)?;
    if reflect {
        let Some(reflection) = &read.reflection else {
            let message = "only Direct3D 9 shaders have a reflection to write";
            session.diags.push(Diagnostic::error(&crate::codes::AQ0012, message).help("leave --reflect out"));
            return None;
        };
        let metadata = stream::metadata(session, &bytes);
        let about = reflect::About { input: &name, module: &read.module, options: &options, metadata: &metadata };
        *json = Some(reflect::text(reflection, &about));
    }
    session.write(read, &entry, &options)
}

/// What the passes took, as lines; runs of one pass are added up.
fn times(reports: &[Report]) -> String {
    let mut sums: Vec<(&str, std::time::Duration, u32, u32)> = Vec::new();
    for report in reports {
        let changed = u32::from(report.changed.yes());
        match sums.iter_mut().find(|sum| sum.0 == report.pass) {
            Some(sum) => *sum = (sum.0, sum.1 + report.time, sum.2 + 1, sum.3 + changed),
            None => sums.push((report.pass, report.time, 1, changed)),
        }
    }
    let total: std::time::Duration = sums.iter().map(|sum| sum.1).sum();
    let mut text = format!("{:<20} {:>10} {:>5} {:>8}\n", "pass", "time", "runs", "changed");
    let micro = |time: std::time::Duration| format!("{:.1} µs", time.as_secs_f64() * 1e6);
    for (pass, time, runs, changed) in sums {
        text.push_str(&format!("{pass:<20} {:>10} {runs:>5} {changed:>8}\n", micro(time)));
    }
    text.push_str(&format!("{:<20} {:>10}", "all", micro(total)));
    text
}
