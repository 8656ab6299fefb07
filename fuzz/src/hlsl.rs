//! The front end of HLSL.

use crate::ir_text::messages;
use aquatint_base::{Diags, Names, Source, Sources};
use aquatint_hlsl::include::FileIncludes;
use aquatint_hlsl::options::{FrontLimits, PreprocessOptions, Version};
use aquatint_hlsl::preprocess::print::print;
use aquatint_hlsl::preprocess::{Context, preprocess};
use aquatint_hlsl::sema::options::EntryRequest;
use aquatint_hlsl::token::TokenKind;
use aquatint_hlsl::{CompileOptions, compile};
use aquatint_ir::{Stage, verify};
use aquatint_msl as msl;

/// A kind and a spelling for each token, whether there were errors, and the printed text.
fn run(text: &str, options: &PreprocessOptions) -> (Vec<(TokenKind, String)>, bool, String) {
    let (mut sources, mut names, mut diags) = (Sources::new(), Names::new(), Diags::new());
    let main = sources.add(Source::text("main", text));
    // Small bounds are met sooner, and bombs are not what takes the time.
    let limits = FrontLimits { tokens: 1 << 16, expansion_tokens: 1 << 14, includes: 64, ..FrontLimits::default() };
    // The text includes itself under another name.
    let mut includes = FileIncludes::virtual_only([("self", text), ("empty", "")]);
    let context = Context {
        sources: &mut sources,
        names: &mut names,
        diags: &mut diags,
        limits: &limits,
        includes: &mut includes,
    };
    let unit = preprocess(main, options, context);
    assert_eq!(unit.tokens.last().map(|t| t.kind), Some(TokenKind::Eof));
    for token in &unit.tokens {
        let source = sources.get(token.span.source).and_then(Source::as_text).expect("tokens have places");
        assert!(token.span.start <= token.span.end && token.span.end as usize <= source.len());
        assert!(unit.expansions.stack(token.expansion).count() <= limits.macro_depth + 1);
        let literal =
            matches!(token.kind, TokenKind::IntLit | TokenKind::FloatLit | TokenKind::CharLit | TokenKind::StringLit);
        assert_eq!(literal, unit.literals.get(token).is_some());
        assert!(!matches!(token.kind, TokenKind::Number | TokenKind::Other | TokenKind::End | TokenKind::HeaderName));
    }
    let printed = print(&unit, &sources, &names);
    let tokens = unit.tokens.iter().map(|t| (t.kind, t.text(&names).to_string())).collect();
    (tokens, diags.has_errors(), printed)
}

/// Text: what is preprocessed without a fault prints to a text of the same tokens. The last byte chooses options.
pub fn preprocess_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let choice = bytes.last().copied().unwrap_or(0);
    let options = PreprocessOptions {
        version: if choice & 1 == 0 { Version::V2021 } else { Version::V2018 },
        legacy_macro_expansion: choice & 2 != 0,
        ignore_line_directives: choice & 4 != 0,
        ..PreprocessOptions::default()
    };
    let (first, errors, printed) = run(&text, &options);
    // A `#` of a macro at the very start would be a directive; no program has one.
    if errors || first.iter().any(|(kind, _)| matches!(kind, TokenKind::Hash | TokenKind::HashHash)) {
        return;
    }
    // Names of macros that were left alone, or would be expanded now, are none in the printed text but those of ours.
    if first.iter().any(|(_, name)| name.starts_with("__") || name.starts_with("_Pragma")) {
        return;
    }
    let (second, ..) = run(&printed, &options);
    assert!(first == second, "{printed}");
}

/// Text: the front end ends on it; what it takes is a module that keeps the rules, which is optimised and written, or refused with
/// a reason. The last byte chooses the stage and options.
pub fn translate(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let choice = bytes.last().copied().unwrap_or(0);
    let stages = [Stage::Fragment, Stage::Vertex, Stage::Compute];
    let mut options = CompileOptions::default();
    options.limits = FrontLimits { tokens: 1 << 16, expansion_tokens: 1 << 14, includes: 64, ..options.limits };
    options.preprocess.version = if choice & 4 == 0 { Version::V2021 } else { Version::V2018 };
    options.preprocess.native_16_bit = choice & 8 != 0;
    options.sema.row_major = choice & 16 != 0;
    options.sema.entries =
        vec![EntryRequest { name: "main".to_owned(), stage: Some(stages[usize::from(choice & 3) % stages.len()]) }];
    let (mut sources, mut diags) = (Sources::new(), Diags::new());
    let main = sources.add(Source::text("main", text.as_ref()));
    let mut includes = FileIncludes::virtual_only([("self", text.as_ref()), ("empty", "")]);
    let module = compile(main, &mut sources, &options, &mut includes, &mut diags);
    assert_eq!(module.is_none(), diags.has_errors(), "{}", messages(&diags));
    let Some(module) = module else { return };
    let mut diags = Diags::new();
    assert!(verify::verify(&module, &mut diags), "{}", messages(&diags));
    crate::ir_text::translate(module, &msl::Options::default());
}
