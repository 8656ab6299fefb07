//! Names, attributes and resource indices of everything outside of functions.

use crate::names::{Namer, entry_function_name, identifier};
use crate::print::literal::unsigned;
use crate::reach::Reach;
use crate::{Bindings, Interstage, Naming, Options};
use aquatint_base::Id;
use aquatint_ir::types::{self, Space, Type, TypeId};
use aquatint_ir::{Builtin, Global, GlobalId, GlobalKind, Interpolation, Io, Module, Sampling, Stage};
use smallvec::SmallVec;
use std::fmt::Write as _;

/// A piece of [`Interface::text`]: a shader has dozens of names, and one buffer for them costs less than a string each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Text {
    start: u32,
    end: u32,
}

/// A member of a stage struct, or an argument of the entry function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The global that it is.
    pub global: GlobalId,
    /// Its name there.
    pub name: Text,
    /// Its attributes, brackets and all; empty for none.
    pub attribute: Text,
}

/// Names, attributes, indices.
#[derive(Debug)]
pub(crate) struct Interface {
    /// The entry function's name.
    pub entry_name: Text,
    /// The names of the stage structs.
    pub input_struct: Text,
    pub output_struct: Text,
    /// The names of the variables of those types.
    pub input_variable: &'static str,
    pub output_variable: &'static str,
    /// Members of the stage structs.
    pub inputs: Vec<Slot>,
    pub outputs: Vec<Slot>,
    /// The entry's other arguments, in order: buffers, textures, samplers, built-ins.
    pub arguments: Vec<Slot>,
    /// Hidden counters that go with arguments: the buffer, and the counter's name and attribute.
    pub counters: Vec<Slot>,
    /// The globals that are specialisation constants, sorted.
    pub specs: Vec<GlobalId>,
    /// The letter of numbered values.
    pub numbered: char,
    /// The names in use at file scope and in the entry's signature.
    pub namer: Namer,
    /// By global: how it is written in an expression. Empty where the entry does not reach it.
    globals: Vec<Text>,
    /// By struct: its name, and the place of its first member in `members`.
    structs: Vec<(Text, usize)>,
    members: Vec<Text>,
    /// By position in the list of functions reached: the name.
    functions: Vec<Text>,
    /// All names and attributes.
    text: String,
}

impl Interface {
    /// A name or an attribute.
    pub fn get(&self, text: Text) -> &str {
        &self.text[text.start as usize..text.end as usize]
    }

    /// How a global is written in an expression.
    pub fn global(&self, id: GlobalId) -> &str {
        self.globals.get(id.index()).map_or("", |&text| self.get(text))
    }

    /// The name of a struct.
    pub fn struct_name(&self, id: Id<types::Struct>) -> &str {
        self.structs.get(id.index()).map_or("", |&(name, _)| self.get(name))
    }

    /// The name of a member of a struct.
    pub fn member(&self, id: Id<types::Struct>, index: usize) -> &str {
        let first = self.structs.get(id.index()).map(|&(_, first)| first);
        first.and_then(|first| self.members.get(first + index)).map_or("", |&text| self.get(text))
    }

    /// The name of a function, by its position in the list of functions reached.
    pub fn function(&self, index: usize) -> &str {
        self.functions.get(index).map_or("", |&text| self.get(text))
    }

    /// The hidden counter of a buffer.
    pub fn counter(&self, global: GlobalId) -> Option<&Slot> {
        self.counters.iter().find(|counter| counter.global == global)
    }

    /// What was written to the buffer since it was that long.
    fn since(&self, start: usize) -> Text {
        Text { start: start as u32, end: self.text.len() as u32 }
    }

    fn add(&mut self, text: &str) -> Text {
        let start = self.text.len();
        self.text.push_str(text);
        self.since(start)
    }

    /// A name at file scope.
    fn unique(&mut self, pieces: &[&str]) -> Text {
        let start = self.text.len();
        self.text.push_str(self.namer.unique_joined(pieces));
        self.since(start)
    }
}

/// Computes it. Linear in globals, structs and functions.
pub(crate) fn name_interface(module: &Module, reach: &Reach, options: &Options) -> Interface {
    let entry_name = match &options.entry_name {
        Some(name) if identifier(name) == *name => name.clone(),
        Some(name) => entry_function_name(name),
        None => entry_function_name(module.name(reach.entry.name)),
    };
    let numbered = numbered_letter(module);
    let direct3d9 = options.naming == Naming::Direct3d9;
    let (input_variable, output_variable) = if direct3d9 { ("input", "output") } else { ("aq_in", "aq_out") };
    let mut result = Interface {
        entry_name: Text::default(),
        input_struct: Text::default(),
        output_struct: Text::default(),
        input_variable,
        output_variable,
        inputs: Vec::new(),
        outputs: Vec::new(),
        arguments: Vec::new(),
        counters: Vec::new(),
        specs: Vec::new(),
        numbered,
        namer: Namer::beside(numbered),
        globals: vec![Text::default(); module.globals.len()],
        structs: Vec::with_capacity(module.types.structs.len()),
        members: Vec::new(),
        functions: Vec::new(),
        // Three names of a global, each a word or two.
        text: String::with_capacity(128 + module.globals.len() * 48),
    };
    result.entry_name = result.add(&entry_name);
    let (input_end, output_end) = if direct3d9 { ("_Input", "_Output") } else { ("_in", "_out") };
    let stem = match &options.entry_name {
        None if !direct3d9 => Some(identifier(module.name(reach.entry.name))),
        _ => None,
    };
    // D7.7: after the source's name, not after the one that a reserved word got.
    let stem = stem.as_deref().unwrap_or(&entry_name);
    for (end, input) in [(input_end, true), (output_end, false)] {
        let start = result.text.len();
        result.text.push_str(stem);
        result.text.push_str(end);
        *(if input { &mut result.input_struct } else { &mut result.output_struct }) = result.since(start);
    }
    for taken in [result.entry_name, result.input_struct, result.output_struct] {
        result.namer.take(&result.text[taken.start as usize..taken.end as usize]);
    }
    for taken in [input_variable, output_variable] {
        result.namer.take(taken);
    }
    // The scope of a struct's members; one after the other.
    let mut members = Namer::default();
    name_structs(module, reach, options, &entry_name, &mut members, &mut result);
    name_io(module, reach, options, &mut members, &mut result);
    name_resources(module, reach, options, &mut result);
    for &function in reach.functions.iter().take(reach.functions.len().saturating_sub(1)) {
        let name = result.unique(&[module.name(module.functions[function].name)]);
        result.functions.push(name);
    }
    result.functions.push(result.entry_name);
    result
}

/// `v`, unless inputs or outputs are called `v0` and so on; then the first other letter that is free.
fn numbered_letter(module: &Module) -> char {
    let mut used = [false; 2];
    for (_, global) in module.globals.iter().filter(|(_, g)| g.io().is_some()) {
        let name = module.name(global.name);
        let name = name.rsplit('.').next().unwrap_or(name);
        for (used, letter) in used.iter_mut().zip(['v', 't']) {
            *used |= name
                .strip_prefix(letter)
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
        }
    }
    match used {
        [false, _] => 'v',
        [true, false] => 't',
        [true, true] => 'x',
    }
}

fn name_structs(
    module: &Module,
    reach: &Reach,
    options: &Options,
    entry: &str,
    members: &mut Namer,
    result: &mut Interface,
) {
    let mut suffixes: SmallVec<[&str; 8]> = SmallVec::from_elem("", module.types.structs.len());
    for &id in reach.globals() {
        let global = &module.globals[id];
        let suffix = match global.space {
            Space::Uniform => "_cb",
            Space::Push => "_pc",
            Space::Storage => "_sb",
            _ => continue,
        };
        mark_structs(module, global.ty, suffix, &mut suffixes);
    }
    for ((_, s), suffix) in module.types.structs.iter().zip(suffixes) {
        let own = module.name(s.name);
        let name = if options.naming == Naming::Direct3d9 && !suffix.is_empty() {
            result.unique(&[entry, "_", own])
        } else if own.ends_with(suffix) {
            result.unique(&[own])
        } else {
            result.unique(&[own, suffix])
        };
        result.structs.push((name, result.members.len()));
        members.clear();
        for member in &s.members {
            let name = result.add(members.unique(module.name(member.name)));
            result.members.push(name);
        }
    }
}

/// Marks the structs that lie in a buffer of that type.
fn mark_structs(module: &Module, ty: TypeId, suffix: &'static str, suffixes: &mut [&'static str]) {
    let mut stack: SmallVec<[TypeId; 8]> = SmallVec::new();
    stack.push(ty);
    while let Some(ty) = stack.pop() {
        match module.types.get(ty) {
            Type::Array { element, .. } => stack.push(element),
            Type::Struct(id) if suffixes.get(id.index()).is_some_and(|s| s.is_empty()) => {
                suffixes[id.index()] = suffix;
                stack.extend(module.types.structs[id].members.iter().map(|m| m.ty));
            }
            _ => {}
        }
    }
}

fn name_io(module: &Module, reach: &Reach, options: &Options, members: &mut Namer, result: &mut Interface) {
    let needed = reach.globals();
    // With several entries in a module nothing says whose an unread input is.
    let all = module.entry_points.len() == 1;
    for outputs in [false, true] {
        members.clear();
        for (id, global) in module.globals.iter() {
            let Some(io) = global.io().filter(|_| (global.space == Space::Output) == outputs) else { continue };
            if needed.binary_search(&id).is_err() && !(all && (io.location.is_some() || outputs)) {
                continue;
            }
            let own = module.name(global.name);
            let own = own.strip_prefix("in.").or_else(|| own.strip_prefix("out.")).unwrap_or(own);
            let member = outputs || io.location.is_some();
            let start = result.text.len();
            let name = if member {
                result.text.push_str(if outputs { result.output_variable } else { result.input_variable });
                result.text.push('.');
                result.add(members.unique(own))
            } else {
                result.unique(&[own])
            };
            result.globals[id.index()] = result.since(start);
            let start = result.text.len();
            push_io_attribute(&mut result.text, module, &reach.entry, global, io, options);
            let slot = Slot { global: id, name, attribute: result.since(start) };
            match (outputs, member) {
                (true, _) => result.outputs.push(slot),
                (false, true) => result.inputs.push(slot),
                (false, false) => result.arguments.push(slot),
            }
        }
    }
}

fn push_io_attribute(
    text: &mut String,
    module: &Module,
    entry: &aquatint_ir::EntryPoint,
    global: &Global,
    io: &Io,
    options: &Options,
) {
    let stage = entry.stage;
    if let Some(builtin) = io.builtin {
        text.push_str("[[");
        text.push_str(match builtin {
            Builtin::FragDepth => match entry.depth {
                aquatint_ir::DepthMode::Any => "depth(any)",
                aquatint_ir::DepthMode::Greater => "depth(greater)",
                aquatint_ir::DepthMode::Less => "depth(less)",
            },
            Builtin::Position if io.invariant && global.space == Space::Output => "position, invariant",
            _ => builtin_attribute(builtin, stage, global.space).unwrap_or_default(),
        });
        return text.push_str("]]");
    }
    let location = io.location.unwrap_or(0);
    match (stage, global.space) {
        (Stage::Vertex, Space::Input) => push_numbered(text, "attribute(", location),
        (Stage::Fragment, Space::Output) if io.blend_index != 0 => {
            let _ = write!(text, "[[color({location}), index({})]]", io.blend_index);
        }
        (Stage::Fragment, Space::Output) => push_numbered(text, "color(", location),
        _ => {
            match (options.interstage, io.usage) {
                (Interstage::Usage, Some(usage)) => push_usage(text, module.name(usage.name), usage.index),
                _ => push_numbered(text, "user(locn", location),
            }
            if stage == Stage::Fragment {
                text.push_str(interpolation(module, global, io));
            }
        }
    }
}

/// `[[word(number)]]`, the word with its parenthesis and whatever stands before the number.
fn push_numbered(text: &mut String, word: &str, number: u32) {
    text.push_str("[[");
    text.push_str(word);
    unsigned(text, u64::from(number));
    text.push_str(")]]");
}

/// Colours and texture coordinates carry their index always, fog never, others when it is not 0.
fn push_usage(text: &mut String, name: &str, index: u32) {
    text.push_str("[[user(");
    text.push_str(name);
    if matches!(name, "color" | "texcoord") || index != 0 && name != "fog" {
        unsigned(text, u64::from(index));
    }
    text.push_str(")]]");
}

fn interpolation(module: &Module, global: &Global, io: &Io) -> &'static str {
    let integer = match module.types.get(global.ty) {
        Type::Scalar(kind) | Type::Vector(kind, _) => !kind.is_float(),
        _ => false,
    };
    match (io.interpolation, io.sampling) {
        (Interpolation::Flat, _) => " [[flat]]",
        _ if integer => " [[flat]]",
        (Interpolation::Perspective, Sampling::Center) => "",
        (Interpolation::Perspective, Sampling::Centroid) => " [[centroid_perspective]]",
        (Interpolation::Perspective, Sampling::Sample) => " [[sample_perspective]]",
        (Interpolation::Linear, Sampling::Center) => " [[center_no_perspective]]",
        (Interpolation::Linear, Sampling::Centroid) => " [[centroid_no_perspective]]",
        (Interpolation::Linear, Sampling::Sample) => " [[sample_no_perspective]]",
    }
}

/// Metal's attribute of a built-in in that stage and direction (sheet D8); `None` where there is none.
pub(crate) fn builtin_attribute(builtin: Builtin, stage: Stage, space: Space) -> Option<&'static str> {
    use Builtin as B;
    use Stage::{Compute, Fragment, Vertex};
    let output = space == Space::Output;
    Some(match (builtin, stage, output) {
        (B::Position, Vertex, true) | (B::Position, Fragment, false) => "position",
        (B::PointSize, Vertex, true) => "point_size",
        (B::ClipDistance, Vertex, true) => "clip_distance",
        (B::VertexIndex, Vertex, false) => "vertex_id",
        (B::InstanceIndex, Vertex, false) => "instance_id",
        (B::BaseVertex, Vertex, false) => "base_vertex",
        (B::BaseInstance, Vertex, false) => "base_instance",
        (B::FrontFacing, Fragment, false) => "front_facing",
        (B::PointCoord, Fragment, false) => "point_coord",
        (B::SampleIndex, Fragment, false) => "sample_id",
        (B::SampleMask, Fragment, _) => "sample_mask",
        (B::PrimitiveId, Fragment, false) => "primitive_id",
        (B::Barycentric, Fragment, false) => "barycentric_coord",
        (B::Layer, Vertex, true) | (B::Layer, Fragment, false) => "render_target_array_index",
        (B::ViewportIndex, Vertex, true) | (B::ViewportIndex, Fragment, false) => "viewport_array_index",
        (B::FragDepth, Fragment, true) => "depth(any)",
        (B::FragStencil, Fragment, true) => "stencil",
        (B::GlobalInvocation, Compute, false) => "thread_position_in_grid",
        (B::WorkgroupId, Compute, false) => "threadgroup_position_in_grid",
        (B::LocalInvocation, Compute, false) => "thread_position_in_threadgroup",
        (B::LocalIndex, Compute, false) => "thread_index_in_threadgroup",
        (B::WorkgroupCount, Compute, false) => "threadgroups_per_grid",
        _ => return None,
    })
}

/// The counter that a resource draws its index from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Table {
    /// Buffers.
    Buffer,
    /// Textures.
    Texture,
    /// Samplers.
    Sampler,
}

/// The table of a resource and the number of its elements; `None` for a global without an index.
pub(crate) fn table_of(module: &Module, global: &Global) -> Option<(Table, u32)> {
    let table = match (global.kind, global.space) {
        (GlobalKind::Push, _) => return Some((Table::Buffer, 1)),
        (GlobalKind::Resource { .. }, Space::Handle) => {
            let (element, count) = match module.types.get(global.ty) {
                Type::Array { element, length, .. } => (element, length.unwrap_or(1)),
                _ => (global.ty, 1),
            };
            let table =
                if matches!(module.types.get(element), Type::Sampler { .. }) { Table::Sampler } else { Table::Texture };
            return Some((table, count));
        }
        (GlobalKind::Resource { .. }, _) => Table::Buffer,
        _ => return None,
    };
    Some((table, 1))
}

/// By global: its index. The index of a hidden counter is one more than its buffer's.
pub(crate) fn indices(module: &Module, options: &Options) -> Vec<u32> {
    let mut result = vec![0; module.globals.len()];
    let mut next = [0u32; 3];
    for (id, global) in module.globals.iter() {
        let Some((table, count)) = table_of(module, global) else { continue };
        let next = &mut next[table as usize];
        let own = match (options.bindings, global.binding()) {
            (Bindings::Register, Some(binding)) => binding.register,
            _ => *next,
        };
        let counter = matches!(global.kind, GlobalKind::Resource { counter: true, .. });
        result[id.index()] = own;
        *next = (*next).max(own.saturating_add(count).saturating_add(u32::from(counter)));
    }
    result
}

fn name_resources(module: &Module, reach: &Reach, options: &Options, result: &mut Interface) {
    let mut arguments: SmallVec<[(Table, u32, Slot); 8]> = SmallVec::new();
    result.specs.extend(module.spec_constants.iter().map(|s| s.global));
    result.specs.sort_unstable();
    for &id in reach.globals() {
        let global = &module.globals[id];
        if global.io().is_some() {
            continue;
        }
        let own = module.name(global.name);
        let start = result.text.len();
        let Some((table, _)) = table_of(module, global) else {
            result.unique(&[own]);
            if result.specs.binary_search(&id).is_ok() {
                result.text.push_str("_value");
            }
            result.globals[id.index()] = result.since(start);
            continue;
        };
        let name = if options.naming == Naming::Direct3d9 && global.space == Space::Handle {
            direct3d9_name(own, table, result)
        } else {
            result.unique(&[own])
        };
        result.globals[id.index()] = name;
        let index = reach.indices[id.index()];
        if matches!(global.kind, GlobalKind::Resource { counter: true, .. }) {
            let own = result.get(name).to_owned();
            let name = result.unique(&[&own, "_counter"]);
            let start = result.text.len();
            push_numbered(&mut result.text, "buffer(", index + 1);
            result.counters.push(Slot { global: id, name, attribute: result.since(start) });
        }
        let start = result.text.len();
        let word = match table {
            Table::Buffer => "buffer(",
            Table::Texture => "texture(",
            Table::Sampler => "sampler(",
        };
        push_numbered(&mut result.text, word, index);
        arguments.push((table, index, Slot { global: id, name, attribute: result.since(start) }));
    }
    arguments.sort_by_key(|(table, index, slot)| (*table, *index, slot.global));
    // In front of the built-ins.
    result.arguments.splice(0..0, arguments.into_iter().map(|(_, _, slot)| slot));
}

/// `s0` and `s0.smp` become `s0_texture` and `s0_sampler`.
fn direct3d9_name(own: &str, table: Table, result: &mut Interface) -> Text {
    let (stem, suffix) = match table {
        Table::Sampler => (own.strip_suffix(".smp").unwrap_or(own), "_sampler"),
        _ => (own, "_texture"),
    };
    if stem.ends_with(suffix) { result.unique(&[stem]) } else { result.unique(&[stem, suffix]) }
}

/// Whether a storage buffer is a bare run of elements, passed as a pointer.
pub(crate) fn is_run(module: &Module, global: &Global) -> bool {
    global.space == Space::Storage && matches!(module.types.get(global.ty), Type::Array { length: None, .. })
}
