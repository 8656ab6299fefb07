//! The runner: the one way to run a pass.
//!
//! It times the pass by a clock that the caller brings, hands the module to whoever asked to see it after this pass, checks
//! it (always in debug builds, else on request), and in stress mode prints and re-reads it and goes on with what was read.
//! A module that breaks a rule after a pass is a bug of the pass: the runner says so and runs nothing more.

use crate::Changed;
use aquatint_base::{Code, Diagnostic, Diags, Kind, Limits, SourceId};
use aquatint_ir::{Module, text, verify};
use std::time::Duration;

/// A pass left a module that is none.
pub static PASS_BROKE_MODULE: Code = Code {
    id: "P0001",
    kind: Kind::Bug,
    title: "a pass broke the module",
    explanation: "A pass turned a module that keeps the rules of the intermediate representation into one that does not. \
                  That is a bug of the translator, whatever the shader says. The messages before this one name the rules.",
};

/// What a runner does beside running passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Verify after each pass. True by default in debug builds.
    pub verify: bool,
    /// Print and re-read the module after each pass.
    pub stress: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { verify: cfg!(debug_assertions), stress: false }
    }
}

/// What one run of a pass took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// The pass.
    pub pass: &'static str,
    /// Its time; zero without a clock.
    pub time: Duration,
    /// Whether it changed the module.
    pub changed: Changed,
}

/// After which passes the module is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Show<'r> {
    /// None.
    #[default]
    Nothing,
    /// All.
    All,
    /// Those of the names.
    Passes(&'r [&'r str]),
}

impl Show<'_> {
    fn wants(self, pass: &str) -> bool {
        match self {
            Show::Nothing => false,
            Show::All => true,
            Show::Passes(names) => names.contains(&pass),
        }
    }
}

/// Receives the name of a pass and the module after it.
pub type Sink<'r> = &'r mut dyn FnMut(&'static str, &Module);

/// Runs passes on one module.
pub struct Runner<'r> {
    module: &'r mut Module,
    options: Options,
    clock: Option<&'r dyn Fn() -> Duration>,
    show: Show<'r>,
    sink: Option<Sink<'r>>,
    reports: Vec<Report>,
    failed: bool,
    diags: Diags,
}

impl<'r> Runner<'r> {
    /// A runner with default options, no clock and no sink.
    pub fn new(module: &'r mut Module) -> Self {
        Self {
            module,
            options: Options::default(),
            clock: None,
            show: Show::Nothing,
            sink: None,
            reports: Vec::new(),
            failed: false,
            diags: Diags::new(),
        }
    }

    /// With other options.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// With a clock: the time since any fixed moment.
    #[must_use]
    pub fn with_clock(mut self, clock: &'r dyn Fn() -> Duration) -> Self {
        self.clock = Some(clock);
        self
    }

    /// With someone who sees the module after the passes that `show` picks.
    #[must_use]
    pub fn with_sink(mut self, show: Show<'r>, sink: Sink<'r>) -> Self {
        self.show = show;
        self.sink = Some(sink);
        self
    }

    /// The module.
    pub fn module(&self) -> &Module {
        self.module
    }

    /// Whether a pass broke the module; the passes after it were not run.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// What each pass took, in the order of the runs.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// What the checks found. Empty unless [`Runner::failed`].
    pub fn diags(&self) -> &Diags {
        &self.diags
    }

    /// What each pass took, and what the checks found.
    pub fn finish(self) -> (Vec<Report>, Diags) {
        (self.reports, self.diags)
    }

    /// Runs a pass.
    pub fn pass(&mut self, name: &'static str, pass: impl FnOnce(&mut Module) -> Changed) -> Changed {
        if self.failed {
            return Changed::No;
        }
        let start = self.clock.map(|clock| clock());
        let changed = pass(self.module);
        let time = match (self.clock, start) {
            (Some(clock), Some(start)) => clock().saturating_sub(start),
            _ => Duration::ZERO,
        };
        self.reports.push(Report { pass: name, time, changed });
        if self.show.wants(name)
            && let Some(sink) = self.sink.as_mut()
        {
            sink(name, self.module);
        }
        if self.options.verify {
            self.check(name);
        }
        if self.options.stress && !self.failed {
            self.read_again(name);
        }
        changed
    }

    fn check(&mut self, pass: &'static str) {
        // The reader's bound on instructions is on what comes in. Expansions make a few of one, and of a module near the
        // bound more than it says.
        let limits = Limits { instructions: usize::MAX, ..Limits::default() };
        let options = verify::Options { limits, ..verify::Options::default() };
        if !verify::verify_with(self.module, &options, &mut self.diags) {
            self.broken(pass, "left a module that breaks a rule");
        }
    }

    fn read_again(&mut self, pass: &'static str) {
        let printed = text::print(self.module);
        // The reader counts one more level than the verifier, and the verifier admits what inlining nests.
        let limits =
            Limits { input_bytes: usize::MAX, nesting: usize::MAX, instructions: usize::MAX, ..Limits::default() };
        match text::parse(&printed, SourceId::default(), &limits, &mut self.diags) {
            Some(module) if text::equal(&module, self.module) => *self.module = module,
            Some(_) => self.broken(pass, "left a module that is another one after printing and reading"),
            None => self.broken(pass, "left a module that cannot be read after printing"),
        }
    }

    fn broken(&mut self, pass: &str, what: &str) {
        self.failed = true;
        self.diags.push(Diagnostic::error(&PASS_BROKE_MODULE, format!("the pass `{pass}` {what}")));
    }
}
