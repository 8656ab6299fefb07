//! Rules of stage functions: their arguments, stage input and results (MSL 2.4 chapter 5).

use super::built_in::{self, Types, place};
use super::rules::Rule;
use super::syntax::{Attribute, Declared, Function, Level, Record, Tokens, Type};
use super::types::{Class, Number, class_of, describe};
use super::{Findings, integer};

/// An index taken: kind, first, count, name.
type Taken<'a> = Vec<(&'static str, u64, u64, &'a str)>;

/// All rules of stage functions.
pub fn check(out: &mut Findings) {
    let unit = out.unit;
    let mut entries: Vec<&str> = Vec::new();
    for function in unit.functions.iter().filter(|f| f.stage.is_some()) {
        if function.name == "main" {
            out.add(Rule::MainName, function.at, "a function may not be called `main`".into());
        }
        if function.member_of.is_some() {
            out.add(
                Rule::EntryMember,
                function.at,
                format!("the stage function `{}` is a member of a class", function.name),
            );
            continue;
        }
        if function.template || function.body.is_none() {
            continue;
        }
        if entries.contains(&function.name) {
            out.add(Rule::EntryOverload, function.at, format!("the stage function `{}` is overloaded", function.name));
        }
        entries.push(function.name);
        function_attributes(out, function);
        arguments(out, function);
        result(out, function);
    }
    for at in &unit.stray_stages {
        out.add(Rule::NotUnderstood, *at, "a stage function that the checker cannot read".into());
    }
}

/// Places that the arguments of a stage are.
fn place_of(stage: &str) -> (u16, &'static str) {
    match stage {
        "vertex" => (place::VERTEX_IN, "an argument of a vertex function"),
        "fragment" => (place::FRAGMENT_IN, "an input of a fragment function"),
        _ => (place::KERNEL_IN, "an argument of a kernel function"),
    }
}

fn function_attributes(out: &mut Findings, function: &Function) {
    let stage = function.stage.unwrap_or_default();
    for attribute in &function.attributes {
        let name = attribute.name;
        if let Some((_, stages)) = built_in::OF_FUNCTIONS.iter().find(|(of, _)| *of == name) {
            if !stages.contains(&stage) {
                let rule = if name == "early_fragment_tests" { Rule::EarlyTests } else { Rule::FunctionAttribute };
                out.add(rule, attribute.at, format!("`{name}` does not belong on a {stage} function"));
            }
            if name == "max_total_threads_per_threadgroup"
                && integer(out.unit, &attribute.arguments).is_some_and(|n| n == 0 || n > 1024)
            {
                out.add(Rule::FunctionAttribute, attribute.at, "a threadgroup has 1 to 1024 threads".into());
            }
        } else if !built_in::known(name) {
            out.add(Rule::UnknownAttribute, attribute.at, format!("there is no attribute `{name}`"));
        } else if built_in::find(name).is_none()
            && !built_in::PLAIN.contains(&name)
            && !built_in::BESIDE.contains(&name)
        {
            out.add(Rule::AttributePlace, attribute.at, format!("`{name}` does not stand on a function"));
        }
    }
}

fn named<'b, 'a>(attributes: &'b [Attribute<'a>], name: &str) -> Option<&'b Attribute<'a>> {
    attributes.iter().find(|attribute| attribute.name == name)
}

/// What an argument of resources is: kind and how many indices it takes.
fn resource(out: &Findings, ty: &Type) -> Option<(&'static str, u64)> {
    let unit = out.unit;
    let ty = unit.resolve(ty);
    let mut count = 1;
    for size in &ty.sizes {
        count *= integer(unit, size).unwrap_or(1).max(1);
    }
    if let Some(level) = ty.levels.last() {
        return match level.space {
            Some("threadgroup") => Some(("threadgroup", 1)),
            // `thread` and none are reported as what they are.
            _ => Some(("buffer", if level.reference { 1 } else { count })),
        };
    }
    match class_of(unit, &ty) {
        Class::Texture(_) => Some(("texture", count)),
        Class::Sampler => Some(("sampler", count)),
        Class::Array => {
            let element = unit.parameter(ty.arguments.first()?.clone())?;
            let (kind, inner) = resource(out, &element.ty)?;
            let length = integer(unit, ty.arguments.get(1)?).unwrap_or(1).max(1);
            Some((kind, inner.saturating_mul(length).saturating_mul(count)))
        }
        _ => None,
    }
}

fn arguments<'a>(out: &mut Findings<'a>, function: &Function<'a>) {
    let unit = out.unit;
    let stage = function.stage.unwrap_or_default();
    let (input, input_words) = place_of(stage);
    let mut taken: Taken = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut stage_ins = 0;
    let mut lanes: Option<(&str, u8)> = None;
    for parameter in &function.parameters {
        let ty = unit.resolve(&parameter.ty);
        let class = class_of(unit, &ty);
        let shown = describe(unit, &parameter.ty);
        let kind = resource(out, &parameter.ty);
        let mut located = false;
        for attribute in &parameter.attributes {
            let name = attribute.name;
            if name == "stage_in" {
                located = true;
                stage_ins += 1;
                if stage_ins > 1 {
                    out.add(Rule::StageIn, attribute.at, "a second argument has `stage_in`".into());
                }
                if class != Class::Record && class != Class::Opaque || !ty.levels.is_empty() || !ty.sizes.is_empty() {
                    out.add(
                        Rule::StageIn,
                        attribute.at,
                        format!("`stage_in` stands on a struct by value, not on `{shown}`"),
                    );
                } else if let Some(record) = unit.record(ty.name) {
                    stage_in(out, record, stage, &mut seen);
                }
            } else if let Some(location) = built_in::LOCATIONS.iter().find(|location| **location == name) {
                located = true;
                locate(out, parameter, attribute, location, kind, &shown, stage, &mut taken);
            } else if let Some(built_in) = built_in::find(name) {
                located = true;
                if class == Class::Opaque {
                    continue;
                }
                if built_in.places & input == 0 {
                    out.add(Rule::BuiltinStage, attribute.at, format!("`{name}` is not {input_words}"));
                    continue;
                }
                if !ty.levels.is_empty()
                    || !(built_in.types.allow(class, ty.sizes.len()) || name == "color" && class == Class::Record)
                {
                    let words = built_in.types.words();
                    out.add(Rule::BuiltinType, attribute.at, format!("`{name}` has the type {words}, not `{shown}`"));
                }
                if name == "color" {
                    color_index(out, attribute);
                } else if seen.contains(&name) {
                    out.add(Rule::BuiltinDuplicate, attribute.at, format!("`{name}` is declared twice"));
                }
                seen.push(name);
                if let (true, Class::Vector(_, n)) = (built_in::GRID.contains(&name), class) {
                    match lanes {
                        Some((first, m)) if m != n => {
                            let text = format!("`{name}` has {n} components, and `{first}` has {m}");
                            out.add(Rule::KernelDimensions, attribute.at, text);
                        }
                        _ => lanes = lanes.or(Some((name, n))),
                    }
                }
            } else if name == "attribute" || built_in::OF_FUNCTIONS.iter().any(|(of, _)| *of == name) {
                located = true;
                out.add(Rule::AttributePlace, attribute.at, format!("`{name}` does not stand on an argument"));
            } else if built_in::INTERPOLATION.contains(&name) {
                if stage != "fragment" {
                    out.add(
                        Rule::Interpolation,
                        attribute.at,
                        format!("`{name}` stands on an argument of a {stage} function"),
                    );
                }
            } else if built_in::ELSEWHERE.contains(&name) {
                located = true;
            } else if !built_in::known(name) {
                located = true;
                out.add(Rule::UnknownAttribute, attribute.at, format!("there is no attribute `{name}`"));
            }
        }
        if let Some(level) = ty.levels.last() {
            argument_space(out, parameter, level, stage);
        }
        if !located && class != Class::Opaque && !implicit_imageblock(out, &ty, stage) {
            let text = format!("the argument `{}` of type `{shown}` has no attribute", parameter.name);
            out.add(Rule::ArgumentAttribute, parameter.at, text);
        }
    }
}

/// A struct of colours that a fragment function reads from its attachments.
fn implicit_imageblock(out: &Findings, ty: &Type, stage: &str) -> bool {
    stage == "fragment"
        && ty.levels.is_empty()
        && out.unit.record(ty.name).is_some_and(|record| {
            !record.members.is_empty()
                && record.members.iter().all(|member| named(&member.attributes, "color").is_some())
        })
}

fn argument_space(out: &mut Findings, parameter: &Declared, level: &Level, stage: &str) {
    let wrong = match level.space {
        Some("thread") => true,
        Some("threadgroup") => stage == "vertex",
        _ => false,
    };
    if wrong {
        let space = level.space.unwrap_or_default();
        let text = format!("the argument `{}` of a {stage} function points into `{space}`", parameter.name);
        out.add(Rule::ArgumentSpace, parameter.at, text);
    }
}

#[allow(clippy::too_many_arguments)] // One call, from the loop above.
fn locate<'a>(
    out: &mut Findings,
    parameter: &Declared<'a>,
    attribute: &Attribute,
    location: &'static str,
    kind: Option<(&'static str, u64)>,
    shown: &str,
    stage: &str,
    taken: &mut Taken<'a>,
) {
    let unit = out.unit;
    let class = class_of(unit, &unit.resolve(&parameter.ty));
    let count = match kind {
        Some((kind, count)) if kind == location => count,
        // Tables of functions and acceleration structures are in buffers.
        None if location == "buffer" && class == Class::Opaque => 1,
        // A pointer without its address space is reported as that alone.
        Some(("buffer", count))
            if location == "threadgroup"
                && unit.resolve(&parameter.ty).levels.last().is_none_or(|l| l.space.is_none()) =>
        {
            count
        }
        _ => {
            out.add(Rule::ArgumentType, attribute.at, format!("`{location}` does not stand on the type `{shown}`"));
            return;
        }
    };
    if location == "threadgroup" && stage == "vertex" {
        return;
    }
    let (limit, rule) = match location {
        "buffer" => (30, Rule::BufferIndex),
        "texture" => (127, Rule::TextureIndex),
        "sampler" => (15, Rule::SamplerIndex),
        _ => (30, Rule::ThreadgroupIndex),
    };
    let Some(first) = integer(unit, &attribute.arguments) else {
        if attribute.arguments.is_empty() || unit.text(attribute.arguments.start) == "-" {
            out.add(rule, attribute.at, format!("`{location}` needs an index of 0 to {limit}"));
        }
        return;
    };
    let last = first.saturating_add(count - 1);
    if last > limit {
        out.add(rule, attribute.at, format!("the {location} index {last} is past {limit}"));
    }
    // An optional argument may share the index of its alternative.
    if named(&parameter.attributes, "function_constant").is_some() {
        return;
    }
    if let Some((_, _, _, other)) =
        taken.iter().find(|(kind, start, n, _)| *kind == location && first < start + n && *start <= last)
    {
        let text = format!("`{}` and `{other}` have the same {location} index", parameter.name);
        out.add(Rule::IndexDuplicate, attribute.at, text);
    }
    taken.push((location, first, count, parameter.name));
}

/// Members of a stage input (5.2.4), or of a struct that one holds as its control points.
fn stage_in<'a>(out: &mut Findings<'a>, record: &Record<'a>, stage: &str, seen: &mut Vec<&'a str>) {
    let unit = out.unit;
    let fragment = stage == "fragment";
    let (input, input_words) = place_of(stage);
    let mut names: Vec<(&str, String)> = Vec::new();
    for member in &record.members {
        let ty = unit.resolve(&member.ty);
        let class = class_of(unit, &ty);
        let shown = describe(unit, &member.ty);
        let mut located = false;
        for attribute in &member.attributes {
            let name = attribute.name;
            if let Some(built_in) = built_in::find(name) {
                located = true;
                if !fragment {
                    let text = format!("`{name}` is no member of the stage input of a {stage} function");
                    out.add(Rule::StageInMember, attribute.at, text);
                    continue;
                }
                // One struct may be the vertex function's result, too.
                if (built_in.places | place_shared(name)) & input == 0 {
                    out.add(Rule::BuiltinStage, attribute.at, format!("`{name}` is not {input_words}"));
                    continue;
                }
                if !ty.levels.is_empty() || !built_in.types.allow(class, ty.sizes.len()) {
                    let words = built_in.types.words();
                    out.add(Rule::BuiltinType, attribute.at, format!("`{name}` has the type {words}, not `{shown}`"));
                }
                if name == "color" {
                    color_index(out, attribute);
                } else if seen.contains(&name) {
                    out.add(Rule::BuiltinDuplicate, attribute.at, format!("`{name}` is declared twice"));
                }
                seen.push(name);
            } else if name == "attribute" || name == "user" {
                let wanted = if fragment { "user" } else { "attribute" };
                if name != wanted {
                    let text = format!("`{name}` stands in the stage input of a {stage} function");
                    out.add(Rule::AttributePlace, attribute.at, text);
                    located = true;
                    continue;
                }
                located = true;
                let argument = text_of(out, &attribute.arguments);
                if name == "attribute" && integer(unit, &attribute.arguments).is_some_and(|n| n > 30) {
                    out.add(Rule::AttributeIndex, attribute.at, format!("the attribute index {argument} is past 30"));
                }
                if names.iter().any(|(kind, other)| *kind == name && *other == argument) {
                    let text = format!("a second member has `{name}({argument})`");
                    out.add(Rule::AttributeDuplicate, attribute.at, text);
                }
                names.push((name, argument));
            } else if built_in::INTERPOLATION.contains(&name) {
                let number = matches!(class, Class::Vector(Number::Integer(..), _));
                if !fragment || number && name != "flat" {
                    let text = format!("`{name}` stands on `{shown}` of a {stage} function's input");
                    out.add(Rule::Interpolation, attribute.at, text);
                }
            } else if built_in::LOCATIONS.contains(&name) || name == "stage_in" {
                located = true;
                out.add(
                    Rule::AttributePlace,
                    attribute.at,
                    format!("`{name}` does not stand on a member of stage input"),
                );
            } else if !built_in::known(name) {
                located = true;
                out.add(Rule::UnknownAttribute, attribute.at, format!("there is no attribute `{name}`"));
            }
        }
        let builtin = member.attributes.iter().any(|attribute| built_in::find(attribute.name).is_some());
        let good = match class {
            Class::Vector(Number::Bool | Number::Integer(64, _), _) => false,
            Class::Vector(..) | Class::Packed | Class::Template | Class::Unknown => {
                ty.sizes.is_empty() && ty.levels.is_empty()
            }
            // Control points, interpolants.
            Class::Opaque => true,
            _ => false,
        };
        if !builtin && !good {
            let text = format!("`{}` of type `{shown}` is no member for stage input", member.name);
            out.add(Rule::StageInMember, member.at, text);
        }
        if class == Class::Opaque {
            if let Some(element) = ty.arguments.first().and_then(|range| unit.parameter(range.clone()))
                && ty.name == "patch_control_point"
                && let Some(record) = unit.record(element.ty.name)
            {
                stage_in(out, record, stage, seen);
            }
        } else if !located && !fragment {
            out.add(Rule::StageInMember, member.at, format!("`{}` has no `attribute(n)`", member.name));
        }
    }
}

/// Outputs of a vertex function may stand in the struct that a fragment function takes; they mean nothing there.
fn place_shared(name: &str) -> u16 {
    if matches!(name, "point_size" | "clip_distance") { place::FRAGMENT_IN } else { 0 }
}

fn text_of(out: &Findings, range: &Tokens) -> String {
    range.clone().map(|at| out.unit.text(at)).collect()
}

fn color_index(out: &mut Findings, attribute: &Attribute) -> Option<u64> {
    let index = integer(out.unit, &attribute.arguments);
    if index.is_some_and(|n| n > 7) {
        out.add(Rule::ColorIndex, attribute.at, "colour attachments are 0 to 7".into());
    }
    index
}

fn result(out: &mut Findings, function: &Function) {
    let unit = out.unit;
    let ty = unit.resolve(&function.returns);
    let class = class_of(unit, &ty);
    let shown = describe(unit, &function.returns);
    let void = class == Class::Void && ty.levels.is_empty();
    let indirect = !ty.levels.is_empty() || !ty.sizes.is_empty();
    match function.stage.unwrap_or_default() {
        "kernel" if !void => {
            out.add(Rule::KernelReturn, function.at, format!("a kernel function returns void, not `{shown}`"));
        }
        "vertex" if !void => match unit.record(ty.name).filter(|_| !indirect) {
            Some(record) => vertex_result(out, function, record),
            None if !indirect && Types::Float4.allow(class, 0) => {}
            None => {
                out.add(Rule::VertexReturn, function.at, format!("a vertex function does not return `{shown}`"));
            }
        },
        "fragment" if !void => match unit.record(ty.name).filter(|_| !indirect) {
            Some(record) => fragment_result(out, function, record),
            None => {
                let attribute =
                    function.attributes.iter().find_map(|a| built_in::find(a.name)).map(|b| (b.types, b.name));
                let (types, name) = attribute.unwrap_or((Types::Color, "color"));
                if indirect || !types.allow(class, 0) {
                    let text = format!("a fragment function's `{name}` has the type {}, not `{shown}`", types.words());
                    out.add(Rule::FragmentReturn, function.at, text);
                }
            }
        },
        _ => {}
    }
}

fn vertex_result(out: &mut Findings, function: &Function, record: &Record) {
    let unit = out.unit;
    let mut names: Vec<String> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for member in &record.members {
        let ty = unit.resolve(&member.ty);
        let class = class_of(unit, &ty);
        let shown = describe(unit, &member.ty);
        let mut builtin = false;
        for attribute in &member.attributes {
            let name = attribute.name;
            if let Some(built_in) = built_in::find(name) {
                builtin = true;
                // What only the fragment function reads may stand in a struct that both share.
                if (built_in.places & place::VERTEX_OUT) == 0 && !matches!(name, "front_facing" | "point_coord") {
                    out.add(Rule::VertexOutput, attribute.at, format!("`{name}` is no result of a vertex function"));
                } else if !ty.levels.is_empty() || !built_in.types.allow(class, ty.sizes.len()) {
                    let words = built_in.types.words();
                    out.add(Rule::BuiltinType, attribute.at, format!("`{name}` has the type {words}, not `{shown}`"));
                }
                if seen.contains(&name) {
                    out.add(Rule::BuiltinDuplicate, attribute.at, format!("`{name}` is declared twice"));
                }
                seen.push(name);
            } else if name == "user" {
                let argument = text_of(out, &attribute.arguments);
                if names.contains(&argument) {
                    out.add(Rule::AttributeDuplicate, attribute.at, format!("a second member has `user({argument})`"));
                }
                names.push(argument);
            } else if name == "attribute" || name == "stage_in" || built_in::LOCATIONS.contains(&name) {
                builtin = true;
                out.add(
                    Rule::VertexOutput,
                    attribute.at,
                    format!("`{name}` does not stand on a vertex function's result"),
                );
            } else if !built_in::known(name) {
                out.add(Rule::UnknownAttribute, attribute.at, format!("there is no attribute `{name}`"));
            }
        }
        let good = match class {
            Class::Vector(Number::Bool | Number::Integer(64, _), _) => false,
            Class::Vector(..) | Class::Packed | Class::Template | Class::Unknown => {
                ty.sizes.is_empty() && ty.levels.is_empty()
            }
            _ => false,
        };
        if !builtin && !good {
            let text = format!("`{}` of type `{shown}` is no result of a vertex function", member.name);
            out.add(Rule::VertexOutput, member.at, text);
        }
    }
    if !seen.contains(&"position") {
        let text = format!("`{}`, which `{}` returns, has no member with `position`", record.name, function.name);
        out.add(Rule::VertexReturn, function.at, text);
    }
}

fn fragment_result(out: &mut Findings, function: &Function, record: &Record) {
    let unit = out.unit;
    let mut colors: Vec<(u64, u64)> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let early = named(&function.attributes, "early_fragment_tests").is_some();
    for member in &record.members {
        let ty = unit.resolve(&member.ty);
        let class = class_of(unit, &ty);
        let shown = describe(unit, &member.ty);
        if class == Class::Opaque {
            continue;
        }
        let mut located = false;
        for attribute in &member.attributes {
            let name = attribute.name;
            if let Some(built_in) = built_in::find(name) {
                located = true;
                if built_in.places & place::FRAGMENT_OUT == 0 {
                    out.add(Rule::BuiltinStage, attribute.at, format!("`{name}` is no result of a fragment function"));
                    continue;
                }
                if !ty.levels.is_empty() || !built_in.types.allow(class, ty.sizes.len()) {
                    let words = built_in.types.words();
                    out.add(Rule::BuiltinType, attribute.at, format!("`{name}` has the type {words}, not `{shown}`"));
                }
                if name == "color" {
                    let source =
                        named(&member.attributes, "index").map_or(Some(0), |index| integer(unit, &index.arguments));
                    if let (Some(index), Some(source)) = (color_index(out, attribute), source) {
                        if colors.contains(&(index, source)) {
                            out.add(
                                Rule::BuiltinDuplicate,
                                attribute.at,
                                format!("a second member has `color({index})`"),
                            );
                        }
                        colors.push((index, source));
                        if source > 1 {
                            out.add(
                                Rule::ColorIndex,
                                attribute.at,
                                "the index of dual-source blending is 0 or 1".into(),
                            );
                        }
                    }
                } else {
                    if seen.contains(&name) {
                        out.add(Rule::BuiltinDuplicate, attribute.at, format!("`{name}` is declared twice"));
                    }
                    seen.push(name);
                }
                if name == "depth" {
                    let argument = text_of(out, &attribute.arguments);
                    if !matches!(argument.as_str(), "any" | "greater" | "less") {
                        let text = "`depth` has the qualifier any, greater or less".into();
                        out.add(Rule::FragmentReturn, attribute.at, text);
                    }
                    if early {
                        let text = "a function with `early_fragment_tests` writes a depth".into();
                        out.add(Rule::EarlyTests, attribute.at, text);
                    }
                }
            } else if !built_in::known(name) {
                located = true;
                out.add(Rule::UnknownAttribute, attribute.at, format!("there is no attribute `{name}`"));
            } else if name == "attribute" || name == "user" || name == "stage_in" || built_in::LOCATIONS.contains(&name)
            {
                located = true;
                let text = format!("`{name}` does not stand on a fragment function's result");
                out.add(Rule::FragmentReturn, attribute.at, text);
            }
        }
        if !located {
            out.add(Rule::FragmentReturn, member.at, format!("`{}` has no output attribute", member.name));
        }
    }
}
