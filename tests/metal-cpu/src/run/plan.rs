//! What an entry function takes and gives, in words, and the C++ text that calls it so.
//!
//! The generated function is compiled behind the source, so that clang does all struct layouts and calling conventions.

use super::signature::{Declared, Signature, StageKind, signatures};
use super::wire::{Wire, wire_enum, wire_struct};
use aquatint_exec::raster::Interpolation;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Attributes of arguments that the runner fills in; each has four words.
pub(super) const BUILTINS: &[&str] = &[
    "vertex_id",
    "instance_id",
    "base_vertex",
    "base_instance",
    "position",
    "front_facing",
    "point_coord",
    "primitive_id",
    "sample_id",
    "sample_mask",
    "render_target_array_index",
    "viewport_array_index",
    "thread_position_in_grid",
    "thread_position_in_threadgroup",
    "threadgroup_position_in_grid",
    "thread_index_in_threadgroup",
    "threads_per_threadgroup",
    "threadgroups_per_grid",
    "threads_per_grid",
    "thread_index_in_simdgroup",
    "threads_per_simdgroup",
    "simdgroup_index_in_threadgroup",
    "simdgroups_per_threadgroup",
    "thread_execution_width",
    "thread_index_in_quadgroup",
    "quadgroup_index_in_threadgroup",
    "quadgroups_per_threadgroup",
    "dispatch_threads_per_threadgroup",
    "dispatch_simdgroups_per_threadgroup",
    "dispatch_quadgroups_per_threadgroup",
    "grid_origin",
    "grid_size",
];

/// The first word of a builtin; the caller names one of [`BUILTINS`].
pub(super) fn builtin(name: &str) -> usize {
    BUILTINS.iter().position(|known| *known == name).unwrap_or(0) * 4
}

/// Words that each input or output has.
const PLACE: usize = 4;

/// What a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Float,
    Integer,
}

/// An argument of a resource kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) index: u32,
    pub(super) count: u32,
    pub(super) writable: bool,
    pub(super) name: String,
}

/// A vertex attribute, or a varying on its way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Input {
    /// Attribute number; 0 for varyings.
    pub(super) location: u32,
    /// The name by which a varying is found.
    pub(super) key: String,
    pub(super) count: usize,
    pub(super) scalar: Scalar,
    pub(super) interpolation: Interpolation,
    /// First word.
    pub(super) place: usize,
}

/// What an output is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Position,
    PointSize,
    ClipDistance,
    User(String),
    Color(u32),
    Depth,
    Stencil,
    SampleMask,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) target: Target,
    pub(super) count: usize,
    pub(super) scalar: Scalar,
    /// First word.
    pub(super) place: usize,
}

/// All of it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) stage: StageKind,
    pub(super) early_tests: bool,
    pub(super) discards: bool,
    pub(super) buffers: Vec<Resource>,
    pub(super) textures: Vec<Resource>,
    pub(super) samplers: Vec<Resource>,
    pub(super) memory: Vec<Resource>,
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<Output>,
    pub(super) in_words: usize,
    pub(super) out_words: usize,
    /// The name of the generated function.
    pub(super) symbol: String,
}

/// Components and scalar of a type, by its name; what is not known counts as four floats.
fn shape(ty: &str) -> (usize, Scalar) {
    let compact: String = ty.chars().filter(|c| !c.is_whitespace()).collect();
    let name = compact.trim_start_matches("const").trim_start_matches("metal::").trim_start_matches("packed_");
    let (base, count) = match name.strip_prefix("vec<").and_then(|rest| rest.strip_suffix('>')) {
        Some(inner) => inner.split_once(',').unwrap_or((inner, "4")),
        None => name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len())),
    };
    let count = if count.is_empty() { Some(1) } else { count.parse().ok() };
    let scalar = match base {
        "float" | "half" => Scalar::Float,
        "bool" | "char" | "uchar" | "short" | "ushort" | "int" | "uint" => Scalar::Integer,
        _ => return (4, Scalar::Float),
    };
    (count.unwrap_or(4).clamp(1, 4), scalar)
}

fn interpolation(member: &Declared, scalar: Scalar) -> Interpolation {
    let has = |name: &str| member.attribute(name).is_some();
    if scalar == Scalar::Integer || has("flat") {
        Interpolation::Flat
    } else if has("center_no_perspective") || has("centroid_no_perspective") || has("sample_no_perspective") {
        Interpolation::Linear
    } else if has("centroid_perspective") {
        Interpolation::Centroid
    } else {
        Interpolation::Perspective
    }
}

wire_enum!(StageKind { Vertex, Fragment, Kernel });
wire_enum!(Scalar { Float, Integer });
wire_struct!(Resource { index, count, writable, name });
wire_struct!(Input { location, key, count, scalar, interpolation, place });
wire_struct!(Output { target, count, scalar, place });
wire_struct!(Plan {
    stage,
    early_tests,
    discards,
    buffers,
    textures,
    samplers,
    memory,
    inputs,
    outputs,
    in_words,
    out_words,
    symbol,
});

impl Wire for Target {
    fn put(&self, to: &mut Vec<u8>) {
        let number: u8 = match self {
            Target::Position => 0,
            Target::PointSize => 1,
            Target::ClipDistance => 2,
            Target::Depth => 3,
            Target::Stencil => 4,
            Target::SampleMask => 5,
            Target::User(_) => 6,
            Target::Color(_) => 7,
        };
        number.put(to);
        match self {
            Target::User(key) => key.put(to),
            Target::Color(attachment) => attachment.put(to),
            _ => {}
        }
    }
    fn take(from: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(from)? {
            0 => Target::Position,
            1 => Target::PointSize,
            2 => Target::ClipDistance,
            3 => Target::Depth,
            4 => Target::Stencil,
            5 => Target::SampleMask,
            6 => Target::User(Wire::take(from)?),
            _ => Target::Color(Wire::take(from)?),
        })
    }
}

struct Builder {
    plan: Plan,
    before: String,
    arguments: Vec<String>,
}

/// What is wrong with an entry function, or how it is called.
pub(super) type Planned = Result<Plan, String>;

impl Plan {
    /// Reads all entry functions of a source, by name; and the C++ text to compile behind it.
    pub(super) fn all(source: &str) -> (BTreeMap<String, Planned>, String) {
        let mut text = String::from("\n#include <metal/entry.h>\n");
        let mut all = BTreeMap::new();
        for signature in signatures(source) {
            let planned = Plan::of(&signature, &mut text);
            all.entry(signature.name).or_insert(planned);
        }
        (all, text)
    }

    /// Plans a call, and appends the function that does it.
    fn of(signature: &Signature, text: &mut String) -> Planned {
        let entry = &signature.name;
        let plan = Plan {
            stage: signature.stage,
            early_tests: signature.early_tests,
            discards: signature.discards,
            buffers: Vec::new(),
            textures: Vec::new(),
            samplers: Vec::new(),
            memory: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            in_words: 0,
            out_words: 0,
            symbol: format!("aq_entry_{entry}"),
        };
        let mut builder = Builder { plan, before: String::new(), arguments: Vec::new() };
        for (number, parameter) in signature.parameters.iter().enumerate() {
            builder.parameter(number, parameter, signature)?;
        }
        let Builder { mut plan, before, arguments } = builder;
        let call = format!("{entry}({})", arguments.join(", "));
        let after = outputs(&mut plan, signature)?;
        let _ = writeln!(text, "extern \"C\" void {}(ulong aq_address) {{", plan.symbol);
        text.push_str("    device const aq_call* aq = (device const aq_call*)aq_address;\n");
        text.push_str(&before);
        let result = if signature.returns.ty.is_empty() { "" } else { "auto aq_result = " };
        let _ = writeln!(text, "    {result}{call};\n{after}}}");
        Ok(plan)
    }
}

impl Builder {
    fn parameter(&mut self, number: usize, parameter: &Declared, signature: &Signature) -> Result<(), String> {
        let local = format!("aq_p{number}");
        let argument = if parameter.attribute("stage_in").is_some() {
            let members = signature.structs.get(parameter.ty.trim_start_matches("const ")).ok_or_else(|| {
                format!("'{}' is of type '{}', which is no struct of this file", parameter.name, parameter.ty)
            })?;
            let _ = writeln!(self.before, "    {} {local};", parameter.ty);
            for member in members {
                self.member(&local, member, signature.stage)?;
            }
            local
        } else if let Some(index) = parameter.number("buffer") {
            self.pointer(&local, parameter, index, "buffers")?
        } else if let Some(index) = parameter.number("threadgroup") {
            self.pointer(&local, parameter, index, "memory")?
        } else if let Some(index) = parameter.number("texture") {
            self.object(&local, parameter, index, "textures")?
        } else if let Some(index) = parameter.number("sampler") {
            self.object(&local, parameter, index, "samplers")?
        } else if let Some(name) = BUILTINS.iter().find(|name| parameter.attribute(name).is_some()) {
            let _ = writeln!(self.before, "    {} {local};", parameter.ty);
            let _ = writeln!(self.before, "    aq_get({local}, AQ_WORDS(aq->builtins) + {});", builtin(name));
            local
        } else {
            let attributes: Vec<&str> = parameter.attributes.iter().map(|(name, _)| name.as_str()).collect();
            let attributes = attributes.join(", ");
            return Err(format!("the runner has nothing for the argument '{}' [[{attributes}]]", parameter.name));
        };
        self.arguments.push(argument);
        Ok(())
    }

    /// A member of the stage's input.
    fn member(&mut self, local: &str, member: &Declared, stage: StageKind) -> Result<(), String> {
        let name = &member.name;
        if let Some(known) = BUILTINS.iter().find(|known| member.attribute(known).is_some()) {
            let _ = writeln!(self.before, "    aq_get({local}.{name}, AQ_WORDS(aq->builtins) + {});", builtin(known));
            return Ok(());
        }
        let unsupported = ["color", "barycentric_coord", "clip_distance", "raster_order_group"];
        if stage == StageKind::Fragment && unsupported.iter().any(|known| member.attribute(known).is_some()) {
            return Err(format!("the runner has nothing for the member '{name}'"));
        }
        if stage == StageKind::Fragment && member.attribute("point_size").is_some() {
            return Ok(());
        }
        let (count, scalar) = shape(&member.ty);
        let elements = match &member.elements {
            Some(text) => text.trim().parse::<usize>().map_err(|_| format!("'{name}' has '{text}' elements"))?,
            None => 1,
        };
        let user = member.attribute("user").unwrap_or(name).to_owned();
        for element in 0..elements {
            let place = self.plan.in_words;
            self.plan.in_words += PLACE;
            let (key, access) = match &member.elements {
                Some(_) => (format!("{user}[{element}]"), format!("{name}[{element}]")),
                None => (user.clone(), name.clone()),
            };
            self.plan.inputs.push(Input {
                location: member.number("attribute").unwrap_or(0),
                key,
                count,
                scalar,
                interpolation: interpolation(member, scalar),
                place,
            });
            let _ = writeln!(self.before, "    aq_get({local}.{access}, AQ_WORDS(aq->in) + {place});");
        }
        Ok(())
    }

    /// `array<T, n>`: T and n.
    fn array(ty: &str) -> Result<Option<(&str, u32)>, String> {
        let plain = ty.trim_start_matches("metal :: ");
        let Some(inner) = plain.strip_prefix("array < ").and_then(|rest| rest.strip_suffix(" >")) else {
            return Ok(None);
        };
        let bad = || format!("the runner does not understand the type '{ty}'");
        let (element, count) = inner.rsplit_once(" , ").ok_or_else(bad)?;
        let count = count.trim_end_matches(['u', 'U']).parse().map_err(|_| bad())?;
        Ok(Some((element, count)))
    }

    /// A buffer or threadgroup memory.
    fn pointer(&mut self, local: &str, parameter: &Declared, index: u32, table: &str) -> Result<String, String> {
        let ty = parameter.ty.as_str();
        let words: Vec<&str> = ty.split(' ').collect();
        let writable = words.contains(&"device") && !words.contains(&"const");
        let (name, count) = (parameter.name.clone(), Self::array(ty)?.map_or(1, |(_, count)| count));
        let list = if table == "buffers" { &mut self.plan.buffers } else { &mut self.plan.memory };
        list.push(Resource { index, count, writable, name });
        let address = |index: u32| format!("AQ_WORDS64(aq->{table})[{index}]");
        if let Some((element, count)) = Self::array(ty)? {
            let _ = writeln!(self.before, "    {ty} {local};");
            for i in 0..count {
                let _ = writeln!(self.before, "    {local}[{i}] = ({element}){};", address(index + i));
            }
            return Ok(local.to_owned());
        }
        Ok(match ty.rfind('&') {
            Some(place) => format!("*({}*{}){}", &ty[..place], &ty[place + 1..], address(index)),
            None => format!("({ty}){}", address(index)),
        })
    }

    /// A texture or sampler.
    fn object(&mut self, local: &str, parameter: &Declared, index: u32, table: &str) -> Result<String, String> {
        let ty = parameter.ty.as_str();
        let writable = ty.contains("access :: write") || ty.contains("access :: read_write");
        let array = Self::array(ty)?;
        let (name, count) = (parameter.name.clone(), array.map_or(1, |(_, count)| count));
        let list = if table == "textures" { &mut self.plan.textures } else { &mut self.plan.samplers };
        list.push(Resource { index, count, writable, name });
        let handle = |index: u32| format!("AQ_WORDS64(aq->{table})[{index}]");
        let _ = writeln!(self.before, "    {ty} {local};");
        if array.is_none() {
            let _ = writeln!(self.before, "    {local}.aq_handle = {};", handle(index));
        }
        for i in 0..array.map_or(0, |(_, count)| count) {
            let _ = writeln!(self.before, "    {local}[{i}].aq_handle = {};", handle(index + i));
        }
        Ok(local.to_owned())
    }
}

/// The text that takes the result apart.
fn outputs(plan: &mut Plan, signature: &Signature) -> Result<String, String> {
    let mut text = String::new();
    let returns = &signature.returns;
    if returns.ty.is_empty() {
        return Ok(text);
    }
    let vertex = signature.stage == StageKind::Vertex;
    let Some(members) = signature.structs.get(&returns.ty) else {
        let (count, scalar) = shape(&returns.ty);
        let target = if vertex { Target::Position } else { target(returns, false)?.unwrap_or(Target::Color(0)) };
        plan.outputs.push(Output { target, count, scalar, place: 0 });
        plan.out_words = PLACE;
        text.push_str("    aq_put(AQ_WORDS(aq->out), aq_result);\n");
        return Ok(text);
    };
    for member in members {
        let name = &member.name;
        let Some(found) = target(member, vertex)? else { continue };
        let (count, scalar) = shape(&member.ty);
        let place = plan.out_words;
        let Some(elements) = &member.elements else {
            plan.outputs.push(Output { target: found, count, scalar, place });
            plan.out_words += PLACE;
            let _ = writeln!(text, "    aq_put(AQ_WORDS(aq->out) + {place}, aq_result.{name});");
            continue;
        };
        let elements: usize = elements.trim().parse().map_err(|_| format!("'{name}' has '{elements}' elements"))?;
        if found == Target::ClipDistance {
            plan.outputs.push(Output { target: found, count: elements, scalar, place });
            plan.out_words += elements.next_multiple_of(PLACE);
            for i in 0..elements {
                let _ = writeln!(text, "    aq_put(AQ_WORDS(aq->out) + {}, aq_result.{name}[{i}]);", place + i);
            }
            continue;
        }
        let Target::User(key) = &found else { return Err(format!("'{name}' is an array")) };
        for i in 0..elements {
            let place = plan.out_words;
            plan.outputs.push(Output { target: Target::User(format!("{key}[{i}]")), count, scalar, place });
            plan.out_words += PLACE;
            let _ = writeln!(text, "    aq_put(AQ_WORDS(aq->out) + {place}, aq_result.{name}[{i}]);");
        }
    }
    Ok(text)
}

/// What a result is for; `None` for what has no meaning on one layer.
fn target(member: &Declared, vertex: bool) -> Result<Option<Target>, String> {
    let has = |name: &str| member.attribute(name).is_some();
    Ok(Some(if has("position") {
        Target::Position
    } else if has("point_size") {
        Target::PointSize
    } else if has("clip_distance") {
        Target::ClipDistance
    } else if has("render_target_array_index") || has("viewport_array_index") {
        return Ok(None);
    } else if let Some(text) = member.attribute("color") {
        let number = text.trim().parse::<u32>().map_err(|_| format!("'{}' has no number", member.name))?;
        // The second source of dual-source blending stands at the next attachment.
        Target::Color(number + member.number("index").unwrap_or(0))
    } else if has("depth") {
        Target::Depth
    } else if has("stencil") {
        Target::Stencil
    } else if has("sample_mask") {
        Target::SampleMask
    } else if vertex {
        Target::User(member.attribute("user").unwrap_or(&member.name).to_owned())
    } else {
        return Ok(None);
    }))
}
