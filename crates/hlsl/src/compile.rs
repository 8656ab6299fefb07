//! From a text to a module: the whole road.

use crate::include::IncludeHandler;
use crate::options::{FrontLimits, PreprocessOptions};
use crate::preprocess::{self, Context, pragma::PragmaEvent, pragma::PragmaKind, pragma::WarningAction};
use crate::sema::options::Options;
use aquatint_base::{Diags, Names, Severity, SourceId, Sources};
use aquatint_ir::Module;

/// Everything that a translation is asked for.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Macros, language version, 16-bit types. The version and the 16-bit types count for all phases.
    pub preprocess: PreprocessOptions,
    /// Bounds of the first phases.
    pub limits: FrontLimits,
    /// Entry points and meaning.
    pub sema: Options,
}

/// Translates the text input `main` to a module of all entry points that are asked for. `None` where `diags` got an error.
///
/// The module is one that the verifier accepts, but is not optimised: variables are memory, and calls are calls.
pub fn compile(
    main: SourceId,
    sources: &mut Sources,
    options: &CompileOptions,
    includes: &mut dyn IncludeHandler,
    diags: &mut Diags,
) -> Option<Module> {
    let mut found = Diags::new();
    found.keep = diags.keep;
    let mut names = Names::new();
    let unit = {
        let context = Context { sources, names: &mut names, diags: &mut found, limits: &options.limits, includes };
        preprocess::preprocess(main, &options.preprocess, context)
    };
    let tree = crate::parse::parse(&unit.tokens, &unit.literals, &unit.pragmas, &mut names, &mut found);
    let sema = Options {
        hv: options.preprocess.version as u16,
        native16: options.preprocess.native_16_bit,
        ..options.sema.clone()
    };
    let module = crate::sema::analyse(&tree, names, &sema, &mut found);
    let failed = found.has_errors();
    let listed = unit.pragmas.iter().any(|p| !matches!(p.kind, PragmaKind::PackMatrix { .. }));
    if listed {
        let mut kept = Diags::new();
        kept.keep = diags.keep;
        let mut became_error = false;
        for diagnostic in &found {
            let mut diagnostic = diagnostic.clone();
            if diagnostic.severity == Severity::Warning {
                match action(&unit.pragmas, &diagnostic) {
                    Some(WarningAction::Disable) => continue,
                    Some(WarningAction::Error) => {
                        diagnostic.severity = Severity::Error;
                        became_error = true;
                    }
                    Some(WarningAction::Default | WarningAction::Once) | None => {}
                }
            }
            kept.push(diagnostic);
        }
        diags.append(kept);
        return if failed || became_error { None } else { module };
    }
    diags.append(found);
    if failed { None } else { module }
}

/// What `#pragma warning` says of a warning at its place (A3.15).
fn action(pragmas: &[PragmaEvent], diagnostic: &aquatint_base::Diagnostic) -> Option<WarningAction> {
    let span = diagnostic.span();
    let number: u32 = diagnostic.code.id.strip_prefix("AQ")?.parse().ok()?;
    let mut stack: Vec<Option<WarningAction>> = Vec::new();
    let mut now = None;
    for event in pragmas.iter().filter(|e| e.span.source == span.source && e.span.start <= span.start) {
        match &event.kind {
            PragmaKind::Warning { action, numbers } if numbers.contains(&number) => now = Some(*action),
            PragmaKind::WarningPush => stack.push(now),
            PragmaKind::WarningPop => now = stack.pop().flatten(),
            _ => {}
        }
    }
    now
}
