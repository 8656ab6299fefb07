//! `aquatint effect`.

mod extract;

use super::disasm;
use crate::args::low::{self, EffectAction};
use crate::codes;
use crate::exit::{Exit, Failure, working_on};
use crate::files;
use crate::report::Reporter;
use aquatint::Session;
use aquatint::base::{Diagnostic, Source, Span};
use aquatint::d3d9::effect::container::{self, NoEffect};
use aquatint::d3d9::effect::{self, Effect, EffectShader, Embedded, EmbeddedKind, Found};
use aquatint::d3d9::tokens::Version;
use std::path::Path;

/// Runs an action on an effect file.
pub fn run(low: &low::Effect, report: &Reporter) -> Result<Exit, Failure> {
    match &low.action {
        EffectAction::List { input } => {
            let file = Opened::new(input, report)?;
            files::standard_output(file.list().as_bytes())?;
        }
        EffectAction::Show { input, output } => {
            let file = Opened::new(input, report)?;
            files::write(output.as_deref(), file.show().as_bytes())?;
        }
        EffectAction::Extract { input, output } => {
            let file = Opened::new(input, report)?;
            let count = extract::run(&file, output)?;
            report.note(&format!("{count} shaders written to {}", output.display()));
        }
    }
    Ok(Exit::Ok)
}

/// A file with an effect or containers in it.
pub struct Opened {
    /// How messages call it.
    name: String,
    bytes: Vec<u8>,
    effect: Option<Effect>,
    /// DXBC containers.
    containers: Vec<Embedded>,
}

impl Opened {
    /// Reads a file. Without an effect or a container in it this fails, messages reported.
    pub fn new(path: &Path, report: &Reporter) -> Result<Opened, Failure> {
        let bytes = files::read(path)?;
        Opened::of(files::display(path), bytes, report)
    }

    /// [`Opened::new`] for what was read already.
    pub fn of(name: String, bytes: Vec<u8>, report: &Reporter) -> Result<Opened, Failure> {
        working_on(&name);
        let found = effect::embedded(&bytes);
        let (effects, containers): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|one| one.kind == EmbeddedKind::Effect);
        let mut session = Session::new();
        let source = session.sources.add(Source::binary(name.as_str(), bytes.len()));
        let effect = match (effects.is_empty(), containers.is_empty()) {
            (true, true) if container::effect_range(&bytes) == Err(NoEffect::MonoGame) => {
                session.diags.push(
                    Diagnostic::error(&codes::AQ0013, "this is a MonoGame effect without a DXBC container")
                        .at(Span::new(source, 0, 0), "")
                        .note("its shaders are GLSL, which is not read here"),
                );
                None
            }
            // Where nothing is there, the reader says why.
            (false, _) | (true, true) => effect::parse(&bytes, source, &mut session.diags),
            (true, false) => None,
        };
        let levels = |one: &Embedded| matches!(&one.kind, EmbeddedKind::Dxbc { level_9: Some(_) });
        if effect.is_none() && !session.diags.has_errors() && !containers.iter().any(levels) {
            session.diags.push(
                Diagnostic::warning(&codes::AQ0013, "no container in this file has a shader of feature level 9")
                    .at(Span::new(source, 0, 0), "")
                    .note(format!("it has {} DXBC containers of later shader models", containers.len())),
            );
        }
        report.session(&session.diags, &session.sources, true);
        if effect.is_none() && containers.is_empty() {
            return Err(Failure::Reported(Exit::Diagnostics));
        }
        Ok(Opened { name, bytes, effect, containers })
    }

    /// Techniques, passes and shaders as lines.
    pub fn list(&self) -> String {
        let mut out = String::new();
        if let Some(effect) = &self.effect {
            out.push_str(&format!(
                "{}: effect with {}, {}\n",
                self.name,
                counted(effect.parameters.len(), "parameter"),
                counted(effect.techniques.len(), "technique")
            ));
            for (t, technique) in effect.techniques.iter().enumerate() {
                let name = technique.name.clone().unwrap_or_else(|| t.to_string());
                let passes: Vec<String> = (technique.passes.iter().enumerate())
                    .map(|(p, pass)| pass.name.clone().unwrap_or_else(|| p.to_string()))
                    .collect();
                out.push_str(&format!("technique {name}: {}\n", passes.join(", ")));
            }
            for shader in effect.shaders() {
                out.push_str(&line(effect, &shader));
            }
        }
        for (number, container) in self.containers.iter().enumerate() {
            let what = match &container.kind {
                EmbeddedKind::Dxbc { level_9: Some(range) } => {
                    format!("{}, {} bytes", version(self.bytes.get(range.clone()).unwrap_or(&[])), range.len())
                }
                _ => "no shader of feature level 9".to_owned(),
            };
            let at = container.range.start;
            out.push_str(&format!("container {number} at byte {at}, {} bytes: {what}\n", container.range.len()));
        }
        out
    }

    /// Everything as text.
    pub fn show(&self) -> String {
        let mut out = String::new();
        if let Some(effect) = &self.effect {
            out.push_str(&effect::print(effect, &mut disasm::lines));
        }
        for (number, container) in self.containers.iter().enumerate() {
            out.push_str(&format!("// container {number} at byte {}\n", container.range.start));
            match &container.kind {
                EmbeddedKind::Dxbc { level_9: Some(range) } => {
                    out.push_str(&disasm::lines(self.bytes.get(range.clone()).unwrap_or(&[])));
                }
                _ => out.push_str("// no shader of feature level 9\n"),
            }
        }
        out
    }
}

/// The version of a stream, as text.
fn version(bytes: &[u8]) -> String {
    let word = bytes.first_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word));
    Version::from_word(word).map_or_else(|| format!("unknown version {word:08X}"), |v| v.name().to_owned())
}

fn line(effect: &Effect, shader: &EffectShader) -> String {
    let parameter = |index: usize| effect.parameters.get(index).map_or("", |p| effect.name(p.ty)).to_owned();
    let how = match shader.found {
        Found::Inline => String::new(),
        Found::Parameter { parameter: index } => format!(", from parameter {}", parameter(index)),
        Found::Selected { parameter: index, element, .. } => {
            format!(", selected from {}[{element}]", parameter(index))
        }
        Found::OfParameter { .. } => ", of a parameter".to_owned(),
    };
    let bytes = effect.bytes(shader.range.clone());
    format!("  {:<40} {} {} bytes{how}\n", shader.name, version(bytes), bytes.len())
}

/// `1 technique`, `2 techniques`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
