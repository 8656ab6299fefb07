//! Whole shaders: text in, results of the interpreter and texts of the writers out.

mod corpus;
mod errors;
mod offload;
mod run;
mod yaml;

use crate::CompileOptions;
use crate::include::FileIncludes;
use crate::options::{PreprocessOptions, Version};
use crate::sema::options::Options;
use aquatint_base::{Diags, Source, Sources};
use aquatint_ir::{Module, Stage};

/// Translates a text; messages as lines.
pub(crate) fn translate(text: &str, options: &Options) -> (Option<Module>, Diags) {
    let mut sources = Sources::new();
    let main = sources.add(Source::text("test.hlsl", text));
    let mut diags = Diags::new();
    let all = CompileOptions {
        preprocess: PreprocessOptions {
            version: Version::of_year(u32::from(options.hv)).unwrap_or_default(),
            native_16_bit: options.native16,
            ..PreprocessOptions::default()
        },
        sema: options.clone(),
        ..CompileOptions::default()
    };
    let mut includes = FileIncludes::default();
    let module = crate::compile(main, &mut sources, &all, &mut includes, &mut diags);
    (module, diags)
}

/// The messages with the text that they are about.
pub(crate) fn messages(text: &str, diags: &Diags) -> Vec<String> {
    diags
        .iter()
        .map(|d| {
            let span = d.span();
            let line = text.get(..span.start as usize).map_or(0, |t| t.matches('\n').count() + 1);
            format!("{line}: {} {}: {} | {:?}", d.severity.word(), d.code, d.message, d.notes)
        })
        .collect()
}

/// A module that the verifier accepts.
#[track_caller]
pub(crate) fn module(text: &str, stage: Stage) -> Module {
    module_with(text, &Options::for_entry("main", stage))
}

#[track_caller]
pub(crate) fn module_with(text: &str, options: &Options) -> Module {
    let (module, diags) = translate(text, options);
    let Some(module) = module else { panic!("errors:\n{}", messages(text, &diags).join("\n")) };
    if let Err(faults) = aquatint_ir::verify::check(&module) {
        let all: Vec<String> = faults.iter().map(|f| format!("{} {} {:?}", f.code, f.message, f.labels)).collect();
        panic!("the verifier:\n{}\n{}", all.join("\n"), aquatint_ir::text::print(&module));
    }
    module
}
