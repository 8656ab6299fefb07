//! Names, attributes and resource indices of everything outside of functions.

use crate::names::{Namer, entry_function_name, identifier};
use crate::print::literal::unsigned;
use crate::reach::Reach;
use crate::{Bindings, Interstage, Naming, Options};
use aquatint_ir::types::{self, Space, Type, TypeId};
use aquatint_ir::{Builtin, Global, GlobalId, GlobalKind, Interpolation, Io, Module, Sampling, Stage};

/// A member of a stage struct, or an argument of the entry function.
#[derive(Debug)]
pub(crate) struct Slot {
    /// The global that it is.
    pub global: GlobalId,
    /// Its name there.
    pub name: String,
    /// Its attributes, brackets and all; empty for none.
    pub attribute: String,
}

/// Names, attributes, indices.
#[derive(Debug)]
pub(crate) struct Interface {
    /// The entry function's name.
    pub entry_name: String,
    /// The names of the stage structs.
    pub input_struct: String,
    pub output_struct: String,
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
    /// By global: how it is written in an expression. Empty where the entry does not reach it.
    pub globals: Vec<String>,
    /// By struct: its name and its members'.
    pub structs: Vec<(String, Vec<String>)>,
    /// By position in the list of functions reached: the name.
    pub functions: Vec<String>,
    /// The globals that are specialisation constants, sorted.
    pub specs: Vec<GlobalId>,
    /// The letter of numbered values.
    pub numbered: char,
    /// The names in use at file scope and in the entry's signature.
    pub namer: Namer,
}

/// Computes it. Linear in globals, structs and functions.
pub(crate) fn name_interface(module: &Module, reach: &Reach, options: &Options) -> Interface {
    let entry_name = match &options.entry_name {
        Some(name) if identifier(name) == *name => name.clone(),
        Some(name) => entry_function_name(name),
        None => entry_function_name(module.name(reach.entry.name)),
    };
    let numbered = numbered_letter(module);
    let mut namer = Namer::beside(numbered);
    namer.take(&entry_name);
    let direct3d9 = options.naming == Naming::Direct3d9;
    let (input_struct, output_struct, input_variable, output_variable) = if direct3d9 {
        ([&entry_name, "_Input"].concat(), [&entry_name, "_Output"].concat(), "input", "output")
    } else {
        // D7.7: after the source's name, not after the one that a reserved word got.
        let stem = match &options.entry_name {
            Some(_) => entry_name.clone(),
            None => identifier(module.name(reach.entry.name)),
        };
        (format!("{stem}_in"), format!("{stem}_out"), "aq_in", "aq_out")
    };
    for taken in [&input_struct, &output_struct, input_variable, output_variable] {
        namer.take(taken);
    }
    let structs = name_structs(module, reach, options, &entry_name, &mut namer);
    let mut result = Interface {
        entry_name,
        input_struct,
        output_struct,
        input_variable,
        output_variable,
        inputs: Vec::new(),
        outputs: Vec::new(),
        arguments: Vec::new(),
        counters: Vec::new(),
        globals: vec![String::new(); module.globals.len()],
        structs,
        functions: Vec::new(),
        specs: Vec::new(),
        numbered,
        namer,
    };
    name_io(module, reach, options, &mut result);
    name_resources(module, reach, options, &mut result);
    for &function in reach.functions.iter().take(reach.functions.len().saturating_sub(1)) {
        let name = result.namer.unique(module.name(module.functions[function].name));
        result.functions.push(name);
    }
    result.functions.push(result.entry_name.clone());
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
    namer: &mut Namer,
) -> Vec<(String, Vec<String>)> {
    let mut suffixes = vec![""; module.types.structs.len()];
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
    let name_one = |(index, (_, s)): (usize, (_, &types::Struct))| {
        let own = module.name(s.name);
        let name = if options.naming == Naming::Direct3d9 && !suffixes[index].is_empty() {
            namer.unique(&[entry, "_", own].concat())
        } else if own.ends_with(suffixes[index]) {
            namer.unique(own)
        } else {
            namer.unique(&format!("{own}{}", suffixes[index]))
        };
        let mut members = Namer::default();
        let names = s.members.iter().map(|m| members.unique(module.name(m.name))).collect();
        (name, names)
    };
    module.types.structs.iter().enumerate().map(name_one).collect()
}

/// Marks the structs that lie in a buffer of that type.
fn mark_structs(module: &Module, ty: TypeId, suffix: &'static str, suffixes: &mut [&'static str]) {
    let mut stack = vec![ty];
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

fn name_io(module: &Module, reach: &Reach, options: &Options, result: &mut Interface) {
    let needed = reach.globals();
    let stage = reach.entry.stage;
    // With several entries in a module nothing says whose an unread input is.
    let all = module.entry_points.len() == 1;
    let (mut inputs, mut outputs) = (Namer::default(), Namer::default());
    for (id, global) in module.globals.iter() {
        let Some(io) = global.io() else { continue };
        if needed.binary_search(&id).is_err() && !(all && (io.location.is_some() || global.space == Space::Output)) {
            continue;
        }
        let own = module.name(global.name);
        let own = own.strip_prefix("in.").or_else(|| own.strip_prefix("out.")).unwrap_or(own);
        let member = global.space == Space::Output || io.location.is_some();
        let (variable, namer) = match global.space {
            Space::Output => (result.output_variable, &mut outputs),
            _ if member => (result.input_variable, &mut inputs),
            _ => ("", &mut result.namer),
        };
        let name = namer.unique(own);
        let attribute = io_attribute(module, stage, &reach.entry, global, io, options);
        let text = &mut result.globals[id.index()];
        text.reserve(variable.len() + 1 + name.len());
        if member {
            text.push_str(variable);
            text.push('.');
        }
        text.push_str(&name);
        let slot = Slot { global: id, name, attribute };
        match global.space {
            Space::Output => result.outputs.push(slot),
            _ if member => result.inputs.push(slot),
            _ => result.arguments.push(slot),
        }
    }
}

fn io_attribute(
    module: &Module,
    stage: Stage,
    entry: &aquatint_ir::EntryPoint,
    global: &Global,
    io: &Io,
    options: &Options,
) -> String {
    if let Some(builtin) = io.builtin {
        let text = match builtin {
            Builtin::FragDepth => match entry.depth {
                aquatint_ir::DepthMode::Any => "depth(any)",
                aquatint_ir::DepthMode::Greater => "depth(greater)",
                aquatint_ir::DepthMode::Less => "depth(less)",
            },
            Builtin::Position if io.invariant && global.space == Space::Output => "position, invariant",
            _ => builtin_attribute(builtin, stage, global.space).unwrap_or_default(),
        };
        return ["[[", text, "]]"].concat();
    }
    let location = io.location.unwrap_or(0);
    match (stage, global.space) {
        (Stage::Vertex, Space::Input) => bracketed("attribute", "(", location),
        (Stage::Fragment, Space::Output) if io.blend_index != 0 => {
            format!("[[color({location}), index({})]]", io.blend_index)
        }
        (Stage::Fragment, Space::Output) => bracketed("color", "(", location),
        _ => {
            let mut text = match (options.interstage, io.usage) {
                (Interstage::Usage, Some(usage)) => usage_attribute(module.name(usage.name), usage.index),
                _ => bracketed("user(locn", "", location),
            };
            if stage == Stage::Fragment {
                text.push_str(interpolation(module, global, io));
            }
            text
        }
    }
}

/// `[[word(number)]]`; `open` is what stands between the two.
fn bracketed(word: &str, open: &str, number: u32) -> String {
    let mut text = String::with_capacity(word.len() + 12);
    text.push_str("[[");
    text.push_str(word);
    text.push_str(open);
    unsigned(&mut text, u64::from(number));
    text.push_str(")]]");
    text
}

/// Colours and texture coordinates carry their index always, fog never, others when it is not 0.
fn usage_attribute(name: &str, index: u32) -> String {
    match name {
        "color" => bracketed("user(color", "", index),
        "texcoord" => bracketed("user(texcoord", "", index),
        "fog" => "[[user(fog)]]".to_owned(),
        _ if index == 0 => ["[[user(", name, ")]]"].concat(),
        _ => format!("[[user({name}{index})]]"),
    }
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
    let indices = indices(module, options);
    let mut arguments: Vec<(Table, u32, Slot)> = Vec::new();
    let mut specs: Vec<GlobalId> = module.spec_constants.iter().map(|s| s.global).collect();
    specs.sort_unstable();
    for &id in reach.globals() {
        let global = &module.globals[id];
        if global.io().is_some() {
            continue;
        }
        let own = module.name(global.name);
        let Some((table, _)) = table_of(module, global) else {
            let spec = specs.binary_search(&id).is_ok();
            let name = result.namer.unique(own);
            result.globals[id.index()] = if spec { format!("{name}_value") } else { name };
            continue;
        };
        let name = if options.naming == Naming::Direct3d9 && global.space == Space::Handle {
            direct3d9_name(own, table, &mut result.namer)
        } else {
            result.namer.unique(own)
        };
        let index = indices[id.index()];
        let word = match table {
            Table::Buffer => "buffer",
            Table::Texture => "texture",
            Table::Sampler => "sampler",
        };
        if matches!(global.kind, GlobalKind::Resource { counter: true, .. }) {
            let attribute = format!("[[buffer({})]]", index + 1);
            result.counters.push(Slot { global: id, name: result.namer.unique(&format!("{name}_counter")), attribute });
        }
        let attribute = bracketed(word, "(", index);
        result.globals[id.index()].clone_from(&name);
        arguments.push((table, index, Slot { global: id, name, attribute }));
    }
    arguments.sort_by_key(|(table, index, slot)| (*table, *index, slot.global));
    let builtins = std::mem::take(&mut result.arguments);
    result.specs = specs;
    result.arguments = arguments.into_iter().map(|(_, _, slot)| slot).chain(builtins).collect();
}

/// `s0` and `s0.smp` become `s0_texture` and `s0_sampler`.
fn direct3d9_name(own: &str, table: Table, namer: &mut Namer) -> String {
    let (stem, suffix) = match table {
        Table::Sampler => (own.strip_suffix(".smp").unwrap_or(own), "_sampler"),
        _ => (own, "_texture"),
    };
    if stem.ends_with(suffix) { namer.unique(stem) } else { namer.unique(&[stem, suffix].concat()) }
}

/// Whether a storage buffer is a bare run of elements, passed as a pointer.
pub(crate) fn is_run(module: &Module, global: &Global) -> bool {
    global.space == Space::Storage && matches!(module.types.get(global.ty), Type::Array { length: None, .. })
}
