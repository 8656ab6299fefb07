//! A module as text. Never panics, also on modules that the verifier refuses: what does not exist prints as such.

mod body;

use super::context;
use super::label::{Label, Labeller, write_label, write_name, write_string};
use super::write::{label_of, write_constant, write_type};
use crate::function::{Function, FunctionId};
use crate::globals::{Global, GlobalKind, Interpolation, Io, Sampling, Stage};
use crate::module::{Denormals, DepthMode, EntryPoint, Module};
use crate::types::Space;
use aquatint_base::{Id, Span};
use std::fmt::Write;

pub(crate) use body::FunctionPrinter;
pub(super) use body::{LANES, nth_param};

/// What [`print_with`] writes beyond the meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether positions follow instructions and globals.
    pub spans: bool,
    /// Whether values keep their source names; otherwise all are numbered.
    pub names: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { spans: false, names: true }
    }
}

/// A module as text, with source names and without positions.
pub fn print(module: &Module) -> String {
    print_with(module, Options::default())
}

/// A module as text.
pub fn print_with(module: &Module, options: Options) -> String {
    let labels = ModuleLabels::new(module);
    let mut out = String::with_capacity(256 + module.functions.iter().map(|(_, f)| f.insts.len() * 40).sum::<usize>());
    let denormals = match module.denormals {
        Denormals::Any => "",
        Denormals::Keep => " denormals(keep)",
        Denormals::Flush => " denormals(flush)",
    };
    let _ = writeln!(out, "module{denormals}");
    for (id, _) in module.types.structs.iter() {
        write_struct(&mut out, module, &labels, id.index());
    }
    for (id, global) in module.globals.iter() {
        write_global(&mut out, module, &labels, id.index(), global, options);
    }
    for spec in &module.spec_constants {
        let _ = write!(out, "spec({}) ", spec.id);
        write_label(&mut out, &module.names, '@', label_of(&labels.globals, spec.global.index()));
        out.push_str(" = ");
        let kind = module.globals.get(spec.global).and_then(|g| context::kind_of(&module.types, g.ty));
        write_constant(&mut out, module, &labels, spec.default, kind);
        out.push('\n');
    }
    for entry in &module.entry_points {
        write_entry(&mut out, module, &labels, entry);
    }
    for (id, function) in module.functions.iter() {
        out.push('\n');
        FunctionPrinter::new(module, function, &labels, options)
            .function(&mut out, label_of(&labels.functions, id.index()));
    }
    out
}

/// One function as text, with source names and without positions.
pub fn print_function(module: &Module, function: FunctionId) -> String {
    match module.functions.get(function) {
        Some(data) => print_function_with(module, data, Options::default()),
        None => "<no function>".to_owned(),
    }
}

/// A function as text that may be out of the module's table, as while it is edited.
pub fn print_function_with(module: &Module, function: &Function, options: Options) -> String {
    let labels = ModuleLabels::new(module);
    let label = Labeller::new(&module.names).next(Some(function.name));
    let mut out = String::with_capacity(64 + function.insts.len() * 40);
    FunctionPrinter::new(module, function, &labels, options).function(&mut out, label);
    out
}

/// The labels of what a module's tables hold.
pub(crate) struct ModuleLabels {
    pub structs: Vec<Label>,
    pub globals: Vec<Label>,
    pub functions: Vec<Label>,
}

impl ModuleLabels {
    pub(crate) fn new(module: &Module) -> Self {
        let mut labeller = Labeller::new(&module.names);
        let structs = module.types.structs.iter().map(|(_, s)| labeller.next(Some(s.name))).collect();
        let mut labeller = Labeller::new(&module.names);
        let globals = module.globals.iter().map(|(_, g)| labeller.next(Some(g.name))).collect();
        let mut labeller = Labeller::new(&module.names);
        let functions = module.functions.iter().map(|(_, f)| labeller.next(Some(f.name))).collect();
        Self { structs, globals, functions }
    }
}

/// Writes a position.
pub(super) fn write_span(out: &mut String, span: Span) {
    if !span.is_none() {
        let _ = write!(out, " !({}, {}, {})", span.source.0, span.start, span.end);
    }
}

fn write_struct(out: &mut String, module: &Module, labels: &ModuleLabels, index: usize) {
    let Some(data) = module.types.structs.get(Id::new(index)) else { return };
    out.push_str("struct ");
    write_label(out, &module.names, '%', label_of(&labels.structs, index));
    out.push_str(" {");
    // A short struct reads best on one line.
    let separator = if data.members.len() > 2 { "\n    " } else { " " };
    for member in &data.members {
        out.push_str(separator);
        write_name(out, name_text(module, member.name));
        out.push_str(": ");
        write_type(out, module, labels, member.ty);
        if let Some(layout) = member.layout {
            let _ = write!(out, " @{}", layout.offset);
            if layout.matrix_stride != 0 {
                let _ = write!(out, " stride({})", layout.matrix_stride);
            }
            if layout.row_major {
                out.push_str(" row_major");
            }
        }
        out.push(',');
    }
    if data.members.len() > 2 {
        out.push('\n');
    } else {
        if !data.members.is_empty() {
            out.pop();
        }
        out.push(' ');
    }
    out.push('}');
    if data.size != 0 {
        let _ = write!(out, " size({})", data.size);
    }
    out.push('\n');
}

/// The text of a name, also of one that does not exist.
fn name_text(module: &Module, name: aquatint_base::Name) -> &str {
    if name.index() < module.names.len() { module.names.get(name) } else { "<no name>" }
}

fn write_global(
    out: &mut String,
    module: &Module,
    labels: &ModuleLabels,
    index: usize,
    global: &Global,
    options: Options,
) {
    out.push_str("global ");
    write_label(out, &module.names, '@', label_of(&labels.globals, index));
    out.push_str(": ");
    if global.space == Space::Handle && module.types.is_handle(global.ty) {
        write_type(out, module, labels, global.ty);
    } else {
        let _ = write!(out, "{}<", global.space.name());
        write_type(out, module, labels, global.ty);
        out.push('>');
    }
    match &global.kind {
        GlobalKind::Input(io) | GlobalKind::Output(io) => write_io(out, module, io),
        GlobalKind::Resource { binding, writable, counter } => {
            let _ = write!(out, " binding(class {}, register {}", binding.class.name(), binding.register);
            if binding.space != 0 {
                let _ = write!(out, ", space {}", binding.space);
            }
            out.push(')');
            if *writable {
                out.push_str(" writable");
            }
            if *counter {
                out.push_str(" counter");
            }
        }
        GlobalKind::Push | GlobalKind::Workgroup | GlobalKind::Private(None) => {}
        GlobalKind::Private(Some(first)) => {
            out.push_str(" = ");
            write_constant(out, module, labels, *first, context::kind_of(&module.types, global.ty));
        }
    }
    if options.spans {
        write_span(out, global.span);
    }
    out.push('\n');
}

fn write_io(out: &mut String, module: &Module, io: &Io) {
    if let Some(location) = io.location {
        let _ = write!(out, " location({location})");
    }
    if let Some(builtin) = io.builtin {
        let _ = write!(out, " builtin({})", builtin.name());
    }
    if let Some(usage) = io.usage {
        out.push_str(" usage(");
        write_name(out, name_text(module, usage.name));
        let _ = write!(out, ", {})", usage.index);
    }
    match io.interpolation {
        Interpolation::Perspective => {}
        Interpolation::Linear | Interpolation::Flat => {
            out.push(' ');
            out.push_str(io.interpolation.name());
        }
    }
    match io.sampling {
        Sampling::Center => {}
        Sampling::Centroid | Sampling::Sample => {
            out.push(' ');
            out.push_str(io.sampling.name());
        }
    }
    if io.blend_index != 0 {
        let _ = write!(out, " blend({})", io.blend_index);
    }
    if io.invariant {
        out.push_str(" invariant");
    }
}

fn write_entry(out: &mut String, module: &Module, labels: &ModuleLabels, entry: &EntryPoint) {
    let _ = write!(out, "entry {} ", entry.stage.name());
    write_string(out, name_text(module, entry.name));
    out.push(' ');
    write_label(out, &module.names, '@', label_of(&labels.functions, entry.function.index()));
    let size = workgroup_size(entry);
    if size != [0; 3] {
        let [x, y, z] = size;
        let _ = write!(out, " workgroup_size({x}, {y}, {z})");
    }
    match entry.depth {
        DepthMode::Any => {}
        DepthMode::Greater => out.push_str(" depth(greater)"),
        DepthMode::Less => out.push_str(" depth(less)"),
    }
    if entry.early_tests {
        out.push_str(" early_tests");
    }
    out.push('\n');
}

/// The workgroup size as far as it means something: outside compute, one invocation and none say the same.
pub(super) fn workgroup_size(entry: &EntryPoint) -> [u32; 3] {
    match (entry.stage, entry.workgroup_size) {
        (Stage::Vertex | Stage::Fragment, [1, 1, 1]) => [0; 3],
        (_, size) => size,
    }
}
