//! `aquatint info`.

use super::compile::reflect;
use super::{cat, effect};
use crate::args::{high, low};
use crate::exit::{Exit, Failure, working_on};
use crate::files;
use crate::report::Reporter;
use crate::stream::{self, Assembly, Metadata};
use aquatint::base::{Severity, Source};
use aquatint::d3d9::ctab;
use aquatint::d3d9::lower::reflection::{Interface, Reflection, RegisterFile};
use aquatint::d3d9::preshader::{self, Destination};
use aquatint::d3d9::tokens::container::{FileKind, identify, streams};
use aquatint::d3d9::tokens::{self, DecodeOptions, Shader, Usage};
use aquatint::{Language, Read, Session, Target, ir};

/// Says what a file is.
pub fn run(low: &low::Info, report: &Reporter) -> Result<Exit, Failure> {
    let bytes = files::read(&low.input)?;
    let name = files::display(&low.input);
    working_on(&name);
    match (Language::detect(&bytes), identify(&bytes)) {
        (Some(Language::Effect), _) if !low.json => {
            files::standard_output(effect::Opened::of(name, bytes, report)?.list().as_bytes())?;
            Ok(Exit::Ok)
        }
        (Some(Language::Ir), _) if !low.json => {
            let read = cat::read_bytes(&name, &bytes, report)?;
            files::standard_output(module(&name, &read.module).as_bytes())?;
            Ok(Exit::Ok)
        }
        (_, FileKind::Container) if !low.json && streams(&bytes).is_empty() => {
            files::standard_output(effect::Opened::of(name, bytes, report)?.list().as_bytes())?;
            Ok(Exit::Ok)
        }
        (_, FileKind::Expression) if !low.json => expression(&name, &bytes, report),
        _ => shader(low, &name, &bytes, report),
    }
}

/// A preshader or an effect's expression in a file of its own.
fn expression(name: &str, bytes: &[u8], report: &Reporter) -> Result<Exit, Failure> {
    let mut session = Session::new();
    let source = session.sources.add(Source::binary(name, bytes.len()));
    let found = preshader::parse_blob(bytes, 0, source, Severity::Error, &mut session.diags);
    report.session(&session.diags, &session.sources, true);
    let Some(found) = found else { return Ok(Exit::Diagnostics) };
    let mut text = format!("{name}: expression\n");
    for line in found.disassemble(Destination::Expression) {
        text.push_str(&format!("  {line}\n"));
    }
    files::standard_output(text.as_bytes())?;
    Ok(Exit::Ok)
}

fn shader(low: &low::Info, name: &str, bytes: &[u8], report: &Reporter) -> Result<Exit, Failure> {
    let mut session = Session::new();
    let read = read(&mut session, name, bytes, low.json);
    report.session(&session.diags, &session.sources, true);
    let Some((shader, read, metadata)) = read else { return Ok(Exit::Diagnostics) };
    let Some(reflection) = &read.reflection else { return Ok(Exit::Diagnostics) };
    let text = if low.json {
        let options = high::options(&low::Shader::default(), Target::Msl);
        let about = reflect::About { input: name, module: &read.module, options: &options, metadata: &metadata };
        reflect::text(reflection, &about)
    } else {
        describe(name, &shader, reflection, &metadata)
    };
    files::standard_output(text.as_bytes())?;
    Ok(Exit::Ok)
}

/// Decodes and lowers a shader; optimises it where its reflection is to be as `compile` writes it.
fn read(session: &mut Session, name: &str, bytes: &[u8], optimise: bool) -> Option<(Shader, Read, Metadata)> {
    let (name, bytes) = stream::bytecode(session, name, bytes, None, &Assembly::default())?;
    let source = session.sources.add(Source::binary(name, bytes.len()));
    let shader = tokens::decode(&bytes, source, &DecodeOptions::default(), &mut session.diags)?;
    tokens::validate::profile(&shader, false, &mut session.diags);
    let metadata = stream::metadata(session, &bytes);
    let options = high::options(&low::Shader::default(), Target::Ir);
    let mut read = session.lower(&shader, &options)?;
    if optimise {
        session.optimise(&mut read.module, &options, Default::default())?;
    }
    Some((shader, read, metadata))
}

fn describe(name: &str, shader: &Shader, reflection: &Reflection, metadata: &Metadata) -> String {
    let slots = shader.slots();
    let pixel = shader.version.is_pixel();
    let mut out =
        format!("{name}: {} ({} shader)\n", shader.version, if shader.version.is_pixel() { "pixel" } else { "vertex" });
    let mut row = |key: &str, value: String| {
        if !value.is_empty() {
            out.push_str(&format!("  {key:<14} {value}\n"));
        }
    };
    let texture = if slots.texture > 0 {
        format!(" ({} texture, {} arithmetic)", slots.texture, slots.arithmetic)
    } else {
        String::new()
    };
    row("instructions", format!("{} in {} slots{texture}", reflection.instructions, slots.total()));
    row("temporaries", reflection.temps.to_string());
    row(
        "inputs",
        interfaces(&reflection.inputs, |input| match input.semantic.usage {
            Usage::TexCoord if pixel && reflection.version.major < 3 => "t",
            _ => "v",
        }),
    );
    row("outputs", interfaces(&reflection.outputs, |_| if pixel { "oC" } else { "o" }));
    let samplers: Vec<String> = reflection
        .samplers
        .iter()
        .map(|s| format!("s{} {}{}", s.register, s.kind.name(), if s.compare { " compare" } else { "" }))
        .collect();
    row("samplers", samplers.join(", "));
    for (letter, file) in [('c', &reflection.floats), ('i', &reflection.ints), ('b', &reflection.bools)] {
        row(&format!("reads {letter}"), registers(letter, file));
    }
    row("defines", definitions(reflection));
    let written: Vec<String> =
        reflection.preshader_floats.iter().map(|range| range_text('c', range.first, range.count)).collect();
    row("preshader sets", written.join(", "));
    row("uses", uses(reflection));
    let comments: Vec<String> = shader
        .comments
        .iter()
        .map(|comment| {
            let four = comment.fourcc.map_or_else(|| "?".to_owned(), |four| four.escape_ascii().to_string());
            format!("{four} ({} bytes)", 4 * comment.payload.len())
        })
        .collect();
    row("comments", comments.join(", "));
    if shader.trailing_words > 0 {
        row("after END", format!("{} words that nothing reads", shader.trailing_words));
    }
    if let Some(table) = &metadata.table {
        out.push('\n');
        ctab::print(table, &mut out);
    }
    if let Some(preshader) = &metadata.preshader {
        out.push('\n');
        preshader::print(preshader, &mut out);
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn interfaces(all: &[Interface], letter: impl Fn(&Interface) -> &'static str) -> String {
    let one = |interface: &Interface| {
        let mask: String =
            "xyzw".chars().enumerate().filter(|(i, _)| interface.mask >> i & 1 != 0).map(|x| x.1).collect();
        let mask = if interface.mask == 15 { String::new() } else { format!(".{mask}") };
        format!("{} {}{}{mask}", interface.semantic.text(), letter(interface), interface.register)
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn range_text(letter: char, first: u16, count: u16) -> String {
    match count {
        0 | 1 => format!("{letter}{first}"),
        _ => format!("{letter}{first}\u{2013}{letter}{}", first.saturating_add(count - 1)),
    }
}

fn registers(letter: char, file: &RegisterFile) -> String {
    let ranges: Vec<String> = file.ranges.iter().map(|range| range_text(letter, range.first, range.count)).collect();
    let relative = if file.relative { " (relative)" } else { "" };
    format!("{}{relative}", ranges.join(", "))
}

fn definitions(reflection: &Reflection) -> String {
    let floats = reflection.float_defs.iter().map(|def| format!("c{}", def.register));
    let ints = reflection.int_defs.iter().map(|def| format!("i{}", def.register));
    let bools = reflection.bool_defs.iter().map(|def| format!("b{}", def.register));
    floats.chain(ints).chain(bools).collect::<Vec<_>>().join(", ")
}

fn uses(reflection: &Reflection) -> String {
    let flags = [
        (reflection.writes_depth, "depth output"),
        (reflection.uses_vpos, "vPos"),
        (reflection.uses_vface, "vFace"),
        (reflection.uses_kill, "kill"),
        (reflection.uses_derivatives, "derivatives"),
        (reflection.writes_fog, "fog output"),
        (reflection.writes_point_size, "point size"),
        (reflection.bump_stages != 0, "bump matrices"),
        (reflection.projectable_stages != 0, "projected stages"),
    ];
    flags.iter().filter(|(used, _)| *used).map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}

fn module(name: &str, module: &ir::Module) -> String {
    let mut out =
        format!("{name}: module with {} functions, {} globals\n", module.functions.len(), module.globals.len());
    for entry in &module.entry_points {
        out.push_str(&format!("  entry {} ({:?})\n", module.names.get(entry.name), entry.stage));
    }
    out
}
