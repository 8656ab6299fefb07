//! The listing of an effect (6.7).

use std::fmt::Write;

use aquatint_base::{Id, TextWriter};

use super::model::{Annotation, Content, Effect, FxType, Parameter, State, Technique, Value};
use super::shaders::{PassShader, Stage};
use crate::ctab::{BaseType, Class};
use crate::preshader::{Destination, Preshader};

/// Bytes of text at most. Entries of a hostile effect can share types and values, and so stand for far more text than
/// the file has bytes.
const TEXT: usize = 64 << 20;

/// The effect as text: parameters, then techniques with their passes and states. `disassemble` turns the bytes of a
/// shader into lines.
pub fn print(effect: &Effect, disassemble: &mut dyn FnMut(&[u8]) -> String) -> String {
    let mut printer = Printer { effect, disassemble, out: TextWriter::default() };
    for parameter in &effect.parameters {
        printer.parameter(parameter);
    }
    for technique in &effect.techniques {
        printer.technique(technique);
    }
    if printer.full() {
        printer.out.line("// the listing is cut here");
    }
    printer.out.finish()
}

struct Printer<'a> {
    effect: &'a Effect,
    disassemble: &'a mut dyn FnMut(&[u8]) -> String,
    out: TextWriter,
}

/// A type as HLSL spells it, without name and array length.
fn type_name(ty: &FxType) -> String {
    let base = ty.base.name();
    match ty.class {
        Class::Scalar | Class::Object => base.to_owned(),
        Class::Vector => format!("{base}{}", ty.columns),
        Class::MatrixRows | Class::MatrixColumns if ty.rows == 1 && ty.columns == 1 => base.to_owned(),
        Class::MatrixRows | Class::MatrixColumns => format!("{base}{}x{}", ty.rows, ty.columns),
        Class::Struct => "struct".to_owned(),
    }
}

/// A number so that it reads back to the same bits.
fn number(base: BaseType, word: u32) -> String {
    match base {
        BaseType::Bool if word <= 1 => (word == 1).to_string(),
        BaseType::Float => {
            let value = f32::from_bits(word);
            if value.is_finite() { format!("{value:?}") } else { format!("asfloat(0x{word:08X})") }
        }
        _ => (word as i32).to_string(),
    }
}

/// Text in quotes, on one line.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\x{:02X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name that cannot break out of its line.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

impl<'a> Printer<'a> {
    fn full(&mut self) -> bool {
        self.out.raw().len() > TEXT
    }

    fn parameter(&mut self, parameter: &'a Parameter) {
        if self.full() {
            return;
        }
        self.out.start();
        for (flag, word) in [(Parameter::SHARED, "shared "), (Parameter::LITERAL, "literal ")] {
            if parameter.flags & flag != 0 {
                self.out.raw().push_str(word);
            }
        }
        self.declaration(parameter.ty, &parameter.value, &parameter.annotations);
    }

    /// The rest of a line that declares something: type, name, semantic, annotations, value.
    fn declaration(&mut self, ty: Id<FxType>, value: &'a Value, annotations: &'a [Annotation]) {
        let found = self.effect.ty(ty);
        self.type_body(found);
        let mut text = format!(" {}", plain(found.name.as_deref().unwrap_or("")));
        if found.elements > 0 {
            let _ = write!(text, "[{}]", found.elements);
        }
        if let Some(semantic) = &found.semantic {
            let _ = write!(text, " : {}", plain(semantic));
        }
        self.out.raw().push_str(&text);
        self.annotations(annotations);
        self.initial_value(found, value);
        self.out.raw().push_str(";\n");
    }

    /// The type, with the members of a struct. Nests as deep as types, which reading bounds.
    fn type_body(&mut self, ty: &FxType) {
        self.out.raw().push_str(&type_name(ty));
        if ty.class != Class::Struct {
            return;
        }
        self.out.raw().push_str(" {\n");
        self.out.indent();
        for &member in &ty.members {
            if self.full() {
                break;
            }
            self.out.start();
            self.declaration(member, &Value::None, &[]);
        }
        self.out.dedent();
        self.out.start().push('}');
    }

    fn annotations(&mut self, annotations: &'a [Annotation]) {
        if annotations.is_empty() {
            return;
        }
        self.out.raw().push_str(" <\n");
        self.out.indent();
        for annotation in annotations {
            if self.full() {
                break;
            }
            self.out.start();
            self.declaration(annotation.ty, &annotation.value, &[]);
        }
        self.out.dedent();
        self.out.start().push('>');
    }

    fn initial_value(&mut self, ty: &'a FxType, value: &'a Value) {
        match value {
            Value::None => {}
            // Textures have no bytes, and a shader parameter without one is NULL.
            Value::Objects(ids) if ids.iter().all(|&id| self.effect.object(id).is_none()) => {}
            Value::Samplers(elements) if elements.iter().all(Vec::is_empty) => {}
            Value::Words(_) | Value::Objects(_) | Value::Samplers(_) | Value::Struct(_) => {
                self.out.raw().push_str(" = ");
                self.value(ty, value);
            }
        }
    }

    fn value(&mut self, ty: &'a FxType, value: &'a Value) {
        let effect = self.effect;
        if self.full() {
            return;
        }
        match value {
            Value::None => self.out.raw().push_str("{}"),
            Value::Words(words) if words.len() == 1 && ty.elements == 0 => {
                let text = number(ty.base, words.first().copied().unwrap_or(0));
                self.out.raw().push_str(&text);
            }
            Value::Words(words) => {
                let out = self.out.raw();
                out.push('{');
                for (i, &word) in words.iter().enumerate() {
                    out.push_str(if i == 0 { " " } else { ", " });
                    out.push_str(&number(ty.base, word));
                }
                out.push_str(" }");
            }
            Value::Objects(ids) => self.list(ty.elements > 0, ids, |printer, &id| printer.object(ty.base, id)),
            Value::Samplers(elements) => {
                self.list(ty.elements > 0, elements, |printer, states| printer.sampler(states));
            }
            Value::Struct(values) => {
                let out = self.out.raw();
                out.push_str("{ ");
                for (position, value) in values.iter().enumerate() {
                    if position > 0 {
                        self.out.raw().push_str(", ");
                    }
                    if let Some(&member) = ty.members.get(position % ty.members.len().max(1)) {
                        self.value(effect.ty(member), value);
                    }
                }
                self.out.raw().push_str(" }");
            }
        }
    }

    /// The entries in braces, one a line; or the one entry alone.
    fn list<T>(&mut self, braces: bool, all: &'a [T], mut each: impl FnMut(&mut Self, &'a T)) {
        if !braces {
            if let Some(one) = all.first() {
                each(self, one);
            }
            return;
        }
        self.out.raw().push_str("{\n");
        self.out.indent();
        for one in all {
            self.out.start();
            each(self, one);
            self.out.raw().push_str(",\n");
        }
        self.out.dedent();
        self.out.start().push('}');
    }

    fn object(&mut self, base: BaseType, id: u32) {
        match (base, self.effect.object(id)) {
            (BaseType::String, _) => {
                let text = quoted(&self.effect.string(id).unwrap_or_default());
                self.out.raw().push_str(&text);
            }
            (_, Some(range)) if base.is_shader() => self.shader(self.effect.bytes(range)),
            (_, Some(range)) => {
                let _ = write!(self.out.raw(), "/* {} bytes */", range.len());
            }
            (_, None) => self.out.raw().push_str("NULL"),
        }
    }

    fn shader(&mut self, bytes: &[u8]) {
        if self.full() {
            return;
        }
        let text = (self.disassemble)(bytes);
        self.out.raw().push_str("asm {\n");
        self.block(text.lines());
        self.out.start().push('}');
    }

    /// Lines one level deeper, the current line being ended.
    fn block<T: AsRef<str>>(&mut self, lines: impl Iterator<Item = T>) {
        self.out.indent();
        for line in lines {
            self.out.line(line.as_ref());
        }
        self.out.dedent();
    }

    fn expression(&mut self, expression: &Preshader) {
        self.out.raw().push_str("expression {\n");
        if let Some(table) = &expression.inputs {
            let inputs = table.constants.iter();
            self.block(inputs.map(|c| format!("// {}{}: {}", c.set.letter(), c.index, plain(&c.name))));
        }
        self.block(expression.disassemble(Destination::Expression));
        self.out.start().push('}');
    }

    fn sampler(&mut self, states: &'a [State]) {
        self.out.raw().push_str("sampler_state {\n");
        self.out.indent();
        for state in states {
            self.state(state, false);
        }
        self.out.dedent();
        self.out.start().push('}');
    }

    fn technique(&mut self, technique: &'a Technique) {
        if self.full() {
            return;
        }
        self.out.raw().push('\n');
        self.head("technique", technique.name.as_deref(), &technique.annotations);
        for pass in &technique.passes {
            if self.full() {
                break;
            }
            self.head("pass", pass.name.as_deref(), &pass.annotations);
            for stage in [Stage::Vertex, Stage::Pixel] {
                if !pass.states.iter().any(|state| state.operation == stage.operation()) {
                    self.no_shader(stage);
                }
            }
            for state in &pass.states {
                self.state(state, true);
            }
            self.out.dedent();
            self.out.line("}");
        }
        self.out.dedent();
        self.out.line("}");
    }

    fn head(&mut self, word: &str, name: Option<&str>, annotations: &'a [Annotation]) {
        let name = name.map(|name| format!(" {}", plain(name))).unwrap_or_default();
        let _ = write!(self.out.start(), "{word}{name}");
        self.annotations(annotations);
        self.out.raw().push_str(" {\n");
        self.out.indent();
    }

    fn no_shader(&mut self, stage: Stage) {
        let kind = if stage == Stage::Vertex { "vertex" } else { "pixel" };
        self.out.line_fmt(format_args!("//No embedded {kind} shader"));
    }

    fn state(&mut self, state: &'a State, in_pass: bool) {
        if self.full() {
            return;
        }
        for stage in [Stage::Vertex, Stage::Pixel] {
            if in_pass && state.operation == stage.operation() {
                return self.shader_state(state, stage);
            }
        }
        let name = match state.info() {
            Some(info) => info.name.to_owned(),
            None => format!("state{}", state.operation),
        };
        self.out.start().push_str(&name);
        // Samplers carry an index that says nothing.
        if in_pass && (state.index != 0 || state.info().is_some_and(|info| info.is_indexed())) {
            let _ = write!(self.out.raw(), "[{}]", state.index);
        }
        self.out.raw().push_str(" = ");
        let ty = self.effect.ty(state.ty);
        match self.effect.content(state) {
            Some(Content::Reference(path)) => {
                let _ = write!(self.out.raw(), "<{}>", plain(path));
            }
            Some(Content::Expression(expression)) => self.expression(expression),
            Some(Content::Selector { array, index }) => self.selector(array, index),
            Some(Content::Shader(range)) => self.shader(self.effect.bytes(range.clone())),
            Some(Content::NullShader) => self.out.raw().push_str("NULL"),
            Some(Content::Data(range)) => {
                let _ = write!(self.out.raw(), "/* {} bytes */", range.len());
            }
            None => self.value(ty, &state.value),
        }
        self.out.raw().push_str(";\n");
    }

    fn selector(&mut self, array: &str, index: &Preshader) {
        let _ = write!(self.out.raw(), "{}[", plain(array));
        self.expression(index);
        self.out.raw().push(']');
    }

    fn shader_state(&mut self, state: &'a State, stage: Stage) {
        let word = if stage == Stage::Vertex { "vertexshader = " } else { "pixelshader = " };
        let content = self.effect.state_shader(state);
        if matches!(content, PassShader::None | PassShader::Null) {
            return self.no_shader(stage);
        }
        self.out.start().push_str(word);
        match (content, self.effect.content(state)) {
            (PassShader::Inline(range), _) => self.shader(self.effect.bytes(range)),
            (_, Some(Content::Reference(path))) => {
                let _ = write!(self.out.raw(), "<{}>", plain(path));
            }
            (_, Some(Content::Selector { array, index })) => self.selector(array, index),
            _ => self.out.raw().push_str("NULL"),
        }
        self.out.raw().push_str(";\n");
    }
}
