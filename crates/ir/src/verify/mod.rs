//! The verifier: the rules that every module keeps, numbered. This list is the law of the IR.
//!
//! | rule | says |
//! |---|---|
//! | V001 | Every id leads to an entry of its table, every slice lies within its pool; a constant's parts stand before it. |
//! | V002 | Types are built from what they may hold, constants have the shape of their type, a global's space fits its kind and type, values have types that a value can have. |
//! | V003 | Each instruction and region stands in one place; a value is used after its definition in its own region or in a region nested there; results of `if`, `loop`, `switch` are defined behind them. |
//! | V004 | Number and types of operands and results, and the attribute, are as the row of [`crate::op`] says. |
//! | V005 | A region ends in one terminator of a kind that its owner allows (table below); structured operations own the regions that they should. |
//! | V006 | What terminators and loops hand over has the number and types of what receives it; regions of `if` have no parameters. |
//! | V007 | The steps of `access` lead somewhere, the result points there. |
//! | V008 | Stores and atomics go to writable places; handles and pointers are not data. |
//! | V009 | Entry points match their stage. |
//! | V010 | No recursion. |
//! | V011 | Layouts do not overlap, are aligned to scalars, and in the uniform space no vector crosses a 16-byte line. |
//! | V012 | Locations, built-ins and bindings that one entry point uses do not clash. |
//! | V013 | Quad operations only in fragment and compute stages. |
//! | V014 | Bounds: regions nest at most four times [`Limits::nesting`] (inlining deepens), types at most [`Limits::nesting`]; instructions, entities, operands, workgroups. |
//! | V015 | Names are unique within their table, as are the numbers of specialisation constants. |
//! | V016 | Positions point into a source. |
//!
//! | terminator | ends |
//! |---|---|
//! | `yield` | a region of `if` or `switch` |
//! | `fallthrough` | a region of `switch` that is not the last |
//! | `next` | a continuing region, and is the only one that does, but for `unreachable` |
//! | `break` | a body of `loop`, or any region of `if` or `switch` within a loop, its continuing region included |
//! | `continue` | a body of `loop`, or a region of `if` or `switch` within it; never from within the continuing region |
//! | `return`, `terminate` | any region that is not within a continuing region |
//! | `unreachable` | any region |
//!
//! Not checked: stores through pointers that are parameters of functions (V008 knows only their space); whether a
//! loop ends; uniformity of control flow around barriers and derivatives.
//!
//! All broken rules are reported, one message an instruction. The walk is linear in the size of the module, has no
//! recursion on its shape, and allocates nothing for an instruction that is right.

mod body;
mod control;
mod interface;
mod memory;
mod ops;
mod regions;
mod texture;
mod types;

use crate::codes;
use crate::function::{Function, InstId};
use crate::module::Module;
use crate::text::{FunctionPrinter, ModuleLabels, Options as PrintOptions};
use aquatint_base::{Code, Diagnostic, Diags, Limits, Sources, Span};
use std::cell::OnceCell;

/// What [`verify_with`] measures against.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// The bounds of rule V014.
    pub limits: Limits,
    /// The sources that positions point into, where they are at hand (V016).
    pub sources: Option<&'a Sources>,
}

/// Checks all rules with the default limits. Whether the module keeps them; if not, `diags` says why.
pub fn verify(module: &Module, diags: &mut Diags) -> bool {
    verify_with(module, &Options::default(), diags)
}

/// Checks all rules. Whether the module keeps them; if not, `diags` says why.
pub fn verify_with(module: &Module, options: &Options<'_>, diags: &mut Diags) -> bool {
    let before = diags.errors();
    let report = Report { module, options, labels: OnceCell::new(), specs: OnceCell::new() };
    let infos = types::check(&report, diags);
    interface::check_names(&report, diags);
    let summaries = body::check(&report, &infos, diags);
    interface::check(&report, &infos, &summaries, diags);
    diags.errors() == before
}

/// Checks all rules with the default limits.
///
/// # Errors
/// The messages, for a module that breaks a rule.
pub fn check(module: &Module) -> Result<(), Vec<Diagnostic>> {
    let mut diags = Diags::new();
    if verify(module, &mut diags) { Ok(()) } else { Err(diags.iter().cloned().collect()) }
}

/// A broken rule, before it is given a place.
type Fault = (&'static Code, String);

/// What messages are made of.
struct Report<'m> {
    module: &'m Module,
    options: &'m Options<'m>,
    labels: OnceCell<ModuleLabels>,
    /// By global: whether it holds a specialisation constant.
    specs: OnceCell<Vec<bool>>,
}

impl<'m> Report<'m> {
    fn labels(&self) -> &ModuleLabels {
        self.labels.get_or_init(|| ModuleLabels::new(self.module))
    }

    /// A type as text.
    fn ty(&self, ty: crate::types::TypeId) -> String {
        crate::text::type_text(self.module, self.labels(), ty)
    }

    /// A name as text, also of one that does not exist.
    fn name(&self, name: aquatint_base::Name) -> &'m str {
        if name.index() < self.module.names.len() { self.module.names.get(name) } else { "<no name>" }
    }

    /// A message about something other than an instruction.
    fn error(&self, diags: &mut Diags, code: &'static Code, span: Span, message: String) {
        diags.push(Diagnostic::error(code, message).at(span, ""));
    }
}

/// Makes messages about the instructions of one function. The printed form is prepared at the first.
struct Place<'r, 'm> {
    report: &'r Report<'m>,
    function: &'m Function,
    printer: OnceCell<FunctionPrinter<'r>>,
}

impl<'r, 'm> Place<'r, 'm> {
    fn new(report: &'r Report<'m>, function: &'m Function) -> Self {
        Self { report, function, printer: OnceCell::new() }
    }

    /// A message about an instruction.
    fn error(&self, diags: &mut Diags, code: &'static Code, inst: InstId, message: String) {
        if diags.errors() >= diags.keep {
            // Past the bound only the count matters.
            diags.push(Diagnostic::error(code, message));
            return;
        }
        let printer = self.printer.get_or_init(|| {
            FunctionPrinter::new(self.report.module, self.function, self.report.labels(), PrintOptions::default())
        });
        let mut excerpt = String::new();
        printer.inst(&mut excerpt, inst);
        let span = match self.function.insts.get(inst) {
            Some(data) => self.function.spans.get(data.span as usize).copied().unwrap_or(Span::NONE),
            None => Span::NONE,
        };
        let name = self.report.name(self.function.name);
        diags.push(Diagnostic::error(code, message).at_excerpt(span, "", excerpt).note(format!("in function @{name}")));
    }

    /// A message about the function as a whole.
    fn error_whole(&self, diags: &mut Diags, code: &'static Code, message: String) {
        let name = self.report.name(self.function.name);
        diags.push(Diagnostic::error(code, message).at(Span::NONE, "").note(format!("in function @{name}")));
    }
}

/// Whether a count passes a bound of V014.
fn bounded(report: &Report<'_>, diags: &mut Diags, count: usize, bound: usize, what: &str) -> bool {
    if count > bound {
        report.error(diags, &codes::V014, Span::NONE, format!("the module has {count} {what}, more than {bound}"));
    }
    count <= bound
}
