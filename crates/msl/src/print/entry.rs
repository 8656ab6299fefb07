//! The file's parts in order (sheet D0.6), and the signatures of functions.

use super::types::is_spread;
use super::{Body, File, Label};
use crate::Naming;
use crate::raise::name_interface::is_run;
use crate::raise::plan::Plan;
use aquatint_ir::constants::ConstantValue;
use aquatint_ir::types::{Scalar, Space, Type, VOID, lanes_of};
use aquatint_ir::{Function, GlobalId, GlobalKind, Stage};
use smallvec::SmallVec;
use std::fmt::Write as _;

/// The arguments of a signature in the making. They are set apart when all are known: how long they are decides how.
struct Arguments {
    begin: usize,
    ends: SmallVec<[usize; 16]>,
}

impl<'a> File<'a> {
    /// Writes everything.
    pub(super) fn write(&mut self) {
        self.out.push_str("// aquatint MSL ");
        self.out.push_str(self.options.language_version.name());
        self.out.push_str("\n#include <metal_stdlib>\n\nusing namespace metal;\n\n");
        self.helpers();
        self.value_structs();
        self.buffer_structs();
        self.spec_constants();
        self.stage_struct(true);
        self.stage_struct(false);
        for index in 0..self.reach.functions.len() {
            let id = self.reach.functions[index];
            let (module, raised) = (self.module, self.raised);
            self.function(index, &module.functions[id], &raised.plans[index]);
        }
    }

    fn helpers(&mut self) {
        if self.arrays {
            self.out.push_str("template<typename T, uint N>\nstruct AqArray {\n    T e[N];\n};\n\n");
        }
        let helpers = self.raised.helpers;
        for text in helpers.texts() {
            // The library's rule holds for helpers as well: their bodies need the pragmas of precise arithmetic.
            if !helpers.precise {
                self.out.push_str(text);
            } else {
                // A body begins at a brace on a line of its own.
                let mut done = 0;
                for (brace, _) in text.match_indices('{').filter(|&(at, _)| text[..at].ends_with('\n')) {
                    self.out.push_str(&text[done..brace]);
                    self.out.push_str("{\n    #pragma clang fp reassociate(off)\n    #pragma clang fp contract(off)");
                    done = brace + 1;
                }
                self.out.push_str(&text[done..]);
            }
            self.out.push('\n');
        }
    }

    /// Appends several pieces.
    pub(super) fn all(&mut self, pieces: &[&str]) {
        pieces.iter().for_each(|piece| self.out.push_str(piece));
    }

    fn spec_constants(&mut self) {
        let module = self.module;
        let mut reached: Vec<_> =
            module.spec_constants.iter().filter(|s| self.reach.globals().binary_search(&s.global).is_ok()).collect();
        reached.sort_by_key(|s| s.id);
        for spec in &reached {
            let text = self.raised.interface.global(spec.global);
            let name = text.strip_suffix("_value").unwrap_or(text);
            let ty = module.globals[spec.global].ty;
            self.out.push_str("constant ");
            self.type_name(ty);
            let _ = write!(self.out, " {name} [[function_constant({})]];\nconstant ", spec.id);
            self.type_name(ty);
            let _ = write!(self.out, " {text} = is_function_constant_defined({name}) ? {name} : ");
            self.constant(spec.default, true);
            self.out.push_str(";\n");
        }
        if !reached.is_empty() {
            self.out.push('\n');
        }
    }

    fn stage_struct(&mut self, input: bool) {
        let interface = &self.raised.interface;
        let (name, slots) = if input {
            (interface.input_struct, &interface.inputs)
        } else {
            (interface.output_struct, &interface.outputs)
        };
        if slots.is_empty() {
            return;
        }
        self.all(&["struct ", interface.get(name), " {\n"]);
        for slot in slots {
            let (name, attribute) = (interface.get(slot.name), interface.get(slot.attribute));
            let ty = self.module.globals[slot.global].ty;
            self.out.push_str("    ");
            match (self.module.types.get(ty), lanes_of(ty)) {
                (Type::Array { element, length, .. }, _) => {
                    self.type_name(element);
                    let _ = writeln!(self.out, " {name} {attribute} [{}];", length.unwrap_or(1));
                    continue;
                }
                (_, Some((Scalar::Bool, lanes))) => self.out.push_str(super::types::lanes_name(Scalar::U32, lanes)),
                _ => self.type_name(ty),
            }
            self.all(&[" ", name, " ", attribute, ";\n"]);
        }
        self.out.push_str("};\n\n");
    }

    fn function(&mut self, index: usize, function: &'a Function, plan: &'a Plan) {
        let entry = index + 1 == self.reach.functions.len();
        let reach = self.reach;
        let mut body = Body {
            file: self,
            function,
            plan,
            entry,
            needs: &reach.needs[index],
            labels: vec![Label::None; function.locals.len()],
            texts: Vec::new(),
            next: 0,
            frames: SmallVec::new(),
        };
        body.take_names();
        if entry {
            body.entry_signature();
        } else {
            body.signature(index);
        }
        body.file.depth += 1;
        if plan.precise {
            body.file.line("#pragma clang fp reassociate(off)");
            body.file.line("#pragma clang fp contract(off)");
        }
        if entry {
            body.entry_variables();
        }
        body.region(function.body);
        body.file.depth -= 1;
        body.file.out.push_str("}\n");
        if !entry {
            body.file.out.push('\n');
        }
    }
}

impl Body<'_, '_> {
    /// Labels values with the source's names.
    fn take_names(&mut self) {
        if self.function.names.is_empty() {
            return;
        }
        let module = self.file.module;
        let mut named: Vec<_> = self.function.names.iter().map(|(&local, &name)| (local, name)).collect();
        named.sort_unstable();
        self.file.namer.open();
        for (local, name) in named {
            let place = if local.index() < self.labels.len() { self.plan.place(local) } else { continue };
            use crate::raise::plan::Place;
            if matches!(place, Place::Named | Place::Variable) {
                self.labels[local.index()] = Label::Text(self.texts.len() as u32);
                self.texts.push(self.file.namer.unique(module.name(name)).to_owned());
            }
        }
        self.file.namer.close();
    }

    fn entry_signature(&mut self) {
        let interface = self.interface();
        let stage = match self.file.reach.entry.stage {
            Stage::Vertex => "vertex ",
            Stage::Fragment => "fragment ",
            Stage::Compute => "kernel ",
        };
        self.push(stage);
        self.push(if interface.outputs.is_empty() { "void" } else { interface.get(interface.output_struct) });
        self.push(" ");
        self.push(interface.get(interface.entry_name));
        let mut arguments = self.arguments();
        let direct3d9 = self.file.options.naming == Naming::Direct3d9;
        if !direct3d9 {
            self.input_argument(&mut arguments);
        }
        for slot in &interface.arguments {
            self.parameter(slot.global, interface.get(slot.name), true);
            self.attribute(interface.get(slot.attribute));
            self.end_argument(&mut arguments);
            if let Some(counter) = interface.counter(slot.global) {
                self.push("device atomic_uint* ");
                self.push(interface.get(counter.name));
                self.attribute(interface.get(counter.attribute));
                self.end_argument(&mut arguments);
            }
        }
        if direct3d9 {
            self.input_argument(&mut arguments);
        }
        self.finish_arguments(&arguments);
    }

    fn input_argument(&mut self, arguments: &mut Arguments) {
        let interface = self.interface();
        if !interface.inputs.is_empty() {
            self.push(interface.get(interface.input_struct));
            self.push(" ");
            self.push(interface.input_variable);
            self.push(" [[stage_in]]");
            self.end_argument(arguments);
        }
    }

    fn attribute(&mut self, attribute: &str) {
        if !attribute.is_empty() {
            self.push(" ");
            self.push(attribute);
        }
    }

    /// Begins a list of arguments: what is written next is the first.
    fn arguments(&self) -> Arguments {
        Arguments { begin: self.file.out.len(), ends: SmallVec::new() }
    }

    fn end_argument(&self, arguments: &mut Arguments) {
        arguments.ends.push(self.file.out.len());
    }

    /// Sets the arguments, which stand one behind the other, apart.
    fn finish_arguments(&mut self, arguments: &Arguments) {
        let direct3d9 = self.file.options.naming == Naming::Direct3d9 && self.entry;
        let all = self.file.out.split_off(arguments.begin);
        let broken = direct3d9 || all.len() + 2 * arguments.ends.len() > 80;
        self.push(if direct3d9 { " (" } else { "(" });
        let mut begin = arguments.begin;
        for (i, &end) in arguments.ends.iter().enumerate() {
            self.push(match (broken, i) {
                (true, 0) => "\n    ",
                (true, _) => ",\n    ",
                (false, 0) => "",
                (false, _) => ", ",
            });
            self.push(&all[begin - arguments.begin..end - arguments.begin]);
            begin = end;
        }
        self.push(match (direct3d9, broken) {
            // The shape that Direct3D 9's runtime sheet describes (4.7).
            (true, _) => "\n) {\n",
            (false, true) => "\n)\n{\n",
            (false, false) => ")\n{\n",
        });
    }

    fn parameter(&mut self, id: GlobalId, name: &str, entry: bool) {
        let module = self.file.module;
        let global = &module.globals[id];
        let space = match (global.space, global.kind) {
            (Space::Uniform | Space::Push, _) => "constant ",
            (Space::Storage, GlobalKind::Resource { writable: false, .. }) => "const device ",
            (Space::Storage, _) => "device ",
            (Space::Workgroup, _) => "threadgroup ",
            (Space::Private | Space::Function, _) => "thread ",
            (Space::Handle | Space::Input | Space::Output, _) => "",
        };
        self.push(space);
        if is_run(module, global)
            && let Type::Array { element, .. } = module.types.get(global.ty)
        {
            if is_spread(module, global.ty) {
                self.push("uchar");
            } else {
                self.file.buffer_type(element, false);
            }
            self.push("* ");
            return self.push(name);
        }
        if matches!(global.space, Space::Uniform | Space::Push | Space::Storage) {
            self.file.buffer_type(global.ty, false);
        } else {
            self.type_name(global.ty);
        }
        let reference = !matches!(global.space, Space::Handle | Space::Input | Space::Output);
        let direct3d9 = self.file.options.naming == Naming::Direct3d9 && entry;
        self.push(match (reference, direct3d9) {
            (false, _) => " ",
            (true, false) => "& ",
            (true, true) => " &",
        });
        self.push(name);
    }

    /// The signature of a function that is not the entry: its own parameters, then the globals that it needs.
    fn signature(&mut self, index: usize) {
        let function = self.function;
        let interface = self.interface();
        self.push("static ");
        if function.result == VOID {
            self.push("void");
        } else {
            self.type_name(function.result);
        }
        self.push(" ");
        self.push(interface.function(index));
        let mut arguments = self.arguments();
        for local in function.params(function.body) {
            let ty = function.locals[local].ty;
            let reference = match self.file.module.types.get(ty) {
                Type::Pointer { space: Space::Storage, .. } => Some("device "),
                Type::Pointer { space: Space::Workgroup, .. } => Some("threadgroup "),
                Type::Pointer { .. } => Some("thread "),
                _ => None,
            };
            self.push(reference.unwrap_or_default());
            self.type_name(ty);
            self.push(if reference.is_some() { "& " } else { " " });
            self.label(local);
            self.push_label(local);
            self.end_argument(&mut arguments);
        }
        let (mut input, mut output) = (false, false);
        for &global in self.needs {
            let kind = self.file.module.globals[global].kind;
            let in_struct = match kind {
                GlobalKind::Input(io) => io.location.is_some(),
                GlobalKind::Output(_) => true,
                _ => false,
            };
            match kind {
                GlobalKind::Input(_) if in_struct => {
                    if std::mem::replace(&mut input, true) {
                        continue;
                    }
                    let ty = interface.get(interface.input_struct);
                    self.file.all(&["thread const ", ty, "& ", interface.input_variable]);
                }
                GlobalKind::Output(_) => {
                    if std::mem::replace(&mut output, true) {
                        continue;
                    }
                    let ty = interface.get(interface.output_struct);
                    self.file.all(&["thread ", ty, "& ", interface.output_variable]);
                }
                _ if self.is_spec_constant(global) => continue,
                _ => self.parameter(global, interface.global(global), false),
            }
            self.end_argument(&mut arguments);
        }
        self.finish_arguments(&arguments);
    }

    /// The variables at the top of the entry: private and workgroup globals, the output struct.
    fn entry_variables(&mut self) {
        let module = self.file.module;
        let interface = self.interface();
        for &id in self.needs {
            let global = &module.globals[id];
            let name = interface.global(id);
            match global.kind {
                GlobalKind::Private(initial) if !self.is_spec_constant(id) => {
                    self.file.start();
                    self.declarator(global.ty, |body| body.push(name));
                    match initial {
                        Some(constant) if !is_zero(module, constant) => {
                            self.push(" = ");
                            self.file.constant(constant, false);
                        }
                        _ => self.zero(global.ty),
                    }
                    self.push(";\n");
                }
                GlobalKind::Workgroup => {
                    self.file.start();
                    self.push("threadgroup ");
                    self.declarator(global.ty, |body| body.push(name));
                    self.push(";\n");
                }
                _ => {}
            }
        }
        if !interface.outputs.is_empty() {
            self.file.start();
            self.push(interface.get(interface.output_struct));
            self.push(" ");
            self.push(interface.output_variable);
            self.push(if self.plan.zero_outputs { " = {};\n" } else { ";\n" });
        }
    }
}

fn is_zero(module: &aquatint_ir::Module, constant: aquatint_ir::ConstantId) -> bool {
    module.constants.get(constant).is_some_and(|c| c.value == ConstantValue::Zero)
}
