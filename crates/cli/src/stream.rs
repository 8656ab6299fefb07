//! From a file of any kind to a Direct3D 9 token stream.

use aquatint::base::{Diagnostic, Severity, Source, SourceId, Span};
use aquatint::d3d9::assemble::{self, AssembleOptions, Include, Includes};
use aquatint::d3d9::ctab::{self, ConstantTable};
use aquatint::d3d9::preshader::{self, Preshader};
use aquatint::d3d9::tokens::container::{FileKind, identify, streams};
use aquatint::d3d9::tokens::{self, DecodeOptions, Shader};
use aquatint::{Language, Session};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// How texts are assembled.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// Refuse what the native assembler refuses.
    pub strict: bool,
    /// Where `#include` looks, after the directory of the input.
    pub include: Vec<PathBuf>,
    /// Names that are defined before the first line.
    pub defines: Vec<(String, String)>,
    /// A constant table to write behind the version word.
    pub ctab: Option<ConstantTable>,
}

/// Included files, entered as inputs in the order in which they are opened.
struct Files<'a> {
    beside: Option<&'a Path>,
    include: &'a [PathBuf],
    /// Number of the next input.
    first: u32,
    opened: RefCell<Vec<Source>>,
}

impl Includes for Files<'_> {
    fn open(&self, name: &str, system: bool) -> Option<Include> {
        let beside = self.beside.filter(|_| !system);
        for directory in beside.into_iter().chain(self.include.iter().map(PathBuf::as_path)) {
            let path = directory.join(name);
            let Ok(bytes) = crate::files::read(&path) else { continue };
            let text = String::from_utf8(bytes).ok()?;
            let mut opened = self.opened.borrow_mut();
            let source = SourceId(self.first + opened.len() as u32);
            opened.push(Source::text(path.display().to_string(), text.as_str()));
            return Some(Include { source, text });
        }
        None
    }
}

/// Assembles a text to bytes. Messages are in the session.
pub fn assemble(session: &mut Session, name: &str, text: &[u8], options: &Assembly) -> Option<Vec<u8>> {
    let Ok(text) = std::str::from_utf8(text) else {
        let source = session.sources.add(Source::binary(name, text.len()));
        session.diags.push(
            Diagnostic::error(&aquatint::codes::AQ0002, "the text is not UTF-8")
                .at(Span::new(source, 0, 0), "")
                .help("save it as UTF-8"),
        );
        return None;
    };
    let source = session.sources.add(Source::text(name, text));
    let files = Files {
        beside: Path::new(name).parent(),
        include: &options.include,
        first: source.0 + 1,
        opened: RefCell::default(),
    };
    let defines: Vec<(&str, &str)> = options.defines.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let settings = AssembleOptions {
        strict: options.strict,
        includes: Some(&files),
        defines: &defines,
        ctab: options.ctab.as_ref(),
        ..Default::default()
    };
    let words = assemble::assemble(text, source, &settings, &mut session.diags);
    for source in files.opened.into_inner() {
        session.sources.add(source);
    }
    Some(words?.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// The bytecode of an input: assembled if it is text, itself otherwise, with the name for messages about it.
pub fn bytecode<'b>(
    session: &mut Session,
    name: &str,
    bytes: &'b [u8],
    language: Option<Language>,
    options: &Assembly,
) -> Option<(String, std::borrow::Cow<'b, [u8]>)> {
    match language.or_else(|| Language::detect(bytes)) {
        Some(Language::Assembly) => {
            let assembled = assemble(session, name, bytes, options)?;
            Some((format!("{name} (assembled)"), assembled.into()))
        }
        _ => Some((name.to_owned(), bytes.into())),
    }
}

/// Decodes an input of bytecode or assembly. Messages are in the session.
pub fn decode(session: &mut Session, name: &str, bytes: &[u8], options: &Assembly) -> Option<Shader> {
    let (name, bytes) = bytecode(session, name, bytes, None, options)?;
    let source = session.sources.add(Source::binary(name, bytes.len()));
    let settings = DecodeOptions { strict: options.strict, ..Default::default() };
    tokens::decode(&bytes, source, &settings, &mut session.diags)
}

/// The stream in a file: all of it, or the shader of feature level 9 in a container.
fn range(bytes: &[u8]) -> std::ops::Range<usize> {
    match identify(bytes) {
        FileKind::Container => streams(bytes).into_iter().next().unwrap_or(0..0),
        _ => 0..bytes.len(),
    }
}

/// Metadata of a shader.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// Its constant table.
    pub table: Option<ConstantTable>,
    /// Its preshader.
    pub preshader: Option<Preshader>,
}

/// The constant table and the preshader of the bytecode in the session's newest input. Damage is reported as warnings.
pub fn metadata(session: &mut Session, bytes: &[u8]) -> Metadata {
    let source = SourceId(session.sources.iter().count().saturating_sub(1) as u32);
    let range = range(bytes);
    let base = u32::try_from(range.start).unwrap_or(u32::MAX);
    let stream = bytes.get(range).unwrap_or(&[]);
    let table = ctab::of_stream(stream, base, source, &mut session.diags);
    let preshader = ctab::leading_comments(stream).find(|comment| &comment.four_cc == b"PRES").and_then(|comment| {
        let at = base.saturating_add(u32::try_from(comment.offset).unwrap_or(u32::MAX));
        preshader::parse_blob(comment.payload, at, source, Severity::Warning, &mut session.diags)
    });
    Metadata { table, preshader }
}
