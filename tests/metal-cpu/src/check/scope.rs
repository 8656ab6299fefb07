//! Rules of what is declared at program scope and of types wherever they stand.

use super::rules::Rule;
use super::syntax::{Declared, SPACES};
use super::types::{Class, Number, class_of, describe};
use super::{Findings, built_in, integer};

/// Words that name things of the language, so that no declaration may have one as its name.
const RESERVED: [&str; 16] = [
    "vertex",
    "fragment",
    "kernel",
    "device",
    "constant",
    "thread",
    "threadgroup",
    "threadgroup_imageblock",
    "half",
    "bfloat",
    "object_data",
    "ray_data",
    "visible",
    "bool",
    "restrict",
    "quad",
];

/// All rules of program scope.
pub fn check(out: &mut Findings) {
    let unit = out.unit;
    let mut constants: Vec<u64> = Vec::new();
    for variable in &unit.variables {
        program_variable(out, variable, &mut constants);
        types_of(out, variable);
        name(out, variable.name, variable.at);
    }
    for record in &unit.records {
        name(out, record.name, record.at);
        if let Some(at) = record.bases {
            out.add(Rule::DerivedClass, at, format!("`{}` derives from another class", record.name));
        }
        let mut ids: Vec<(u64, u64)> = Vec::new();
        for member in &record.members {
            name(out, member.name, member.at);
            types_of(out, member);
            if member.function_pointer {
                out.add(Rule::FunctionPointer, member.at, format!("`{}` is a pointer to a function", member.name));
            }
            if let Some(space) = member.ty.space
                && unit.resolve(&member.ty).levels.is_empty()
            {
                let text = format!("the member `{}` is in `{space}` by itself", member.name);
                out.add(Rule::MemberSpace, member.at, text);
            }
            for attribute in &member.attributes {
                if attribute.name == "id"
                    && let Some(first) = integer(unit, &attribute.arguments)
                {
                    let count = count_of(out, member);
                    if ids.iter().any(|(start, n)| first < start + n && *start < first + count) {
                        out.add(Rule::IdDuplicate, attribute.at, format!("a second member has the id {first}"));
                    }
                    ids.push((first, count));
                }
            }
        }
    }
    for function in &unit.functions {
        if function.member_of.is_none() {
            name(out, function.name, function.at);
            if function.name == "main" && function.stage.is_none() {
                out.add(Rule::MainName, function.at, "a function may not be called `main`".into());
            }
        }
        if let Some(at) = function.variadic {
            out.add(Rule::Variadic, at, format!("`{}` takes a variable number of arguments", function.name));
        }
        for parameter in &function.parameters {
            name(out, parameter.name, parameter.at);
            types_of(out, parameter);
            if parameter.function_pointer {
                out.add(
                    Rule::FunctionPointer,
                    parameter.at,
                    format!("`{}` is a pointer to a function", parameter.name),
                );
            }
        }
    }
}

/// How many ids a member of an argument buffer takes.
fn count_of(out: &Findings, member: &Declared) -> u64 {
    let unit = out.unit;
    let ty = unit.resolve(&member.ty);
    let mut count = 1;
    for size in &ty.sizes {
        count *= integer(unit, size).unwrap_or(1).max(1);
    }
    if class_of(unit, &ty) == Class::Array
        && let Some(length) = ty.arguments.get(1).and_then(|range| integer(unit, range))
    {
        count *= length.max(1);
    }
    count
}

/// A name that a declaration gives.
pub fn name(out: &mut Findings, name: &str, at: usize) {
    if RESERVED.contains(&name) {
        out.add(Rule::ReservedName, at, format!("`{name}` is a word of the language"));
    }
}

fn program_variable(out: &mut Findings, variable: &Declared, constants: &mut Vec<u64>) {
    let unit = out.unit;
    let ty = unit.resolve(&variable.ty);
    let class = class_of(unit, &ty);
    let constexpr = variable.words.contains(&"constexpr");
    if variable.function_pointer {
        out.add(Rule::FunctionPointer, variable.at, format!("`{}` is a pointer to a function", variable.name));
        return;
    }
    for attribute in &variable.attributes {
        match attribute.name {
            "function_constant" => {
                let index = integer(unit, &attribute.arguments);
                if index.is_none_or(|n| n > 65535)
                    && !attribute.arguments.is_empty()
                    && (index.is_some() || unit.text(attribute.arguments.start) == "-")
                {
                    let text = "the index of a function constant is 0 to 65535".into();
                    out.add(Rule::FunctionConstantIndex, attribute.at, text);
                }
                if let Some(index) = index {
                    if constants.contains(&index) {
                        let text = format!("a second function constant has the index {index}");
                        out.add(Rule::FunctionConstantIndex, attribute.at, text);
                    }
                    constants.push(index);
                }
                let good = matches!(class, Class::Vector(Number::Bool | Number::Float(_) | Number::Integer(..), _))
                    && ty.levels.is_empty()
                    && ty.sizes.is_empty();
                if !good {
                    let text = format!("a function constant has no type `{}`", describe(unit, &variable.ty));
                    out.add(Rule::FunctionConstantType, variable.at, text);
                }
                if variable.initialiser.is_some() {
                    let text = format!("the function constant `{}` has an initialiser", variable.name);
                    out.add(Rule::FunctionConstantInitialiser, variable.at, text);
                }
            }
            name if !built_in::known(name) => {
                out.add(Rule::UnknownAttribute, attribute.at, format!("there is no attribute `{name}`"));
            }
            name if built_in::find(name).is_some() || built_in::LOCATIONS.contains(&name) || name == "stage_in" => {
                let text = format!("`{name}` does not stand on a variable at program scope");
                out.add(Rule::AttributePlace, attribute.at, text);
            }
            _ => {}
        }
    }
    if class == Class::Sampler && ty.levels.is_empty() && ty.sizes.is_empty() {
        if !constexpr {
            let text = format!("the sampler `{}` is not constexpr", variable.name);
            out.add(Rule::SamplerConstexpr, variable.at, text);
        }
        return;
    }
    // The object itself: what stands behind the last `*` is its space; a pointer alone lies in the thread's memory.
    let space = if ty.levels.is_empty() { ty.space } else { last_space(out, variable) };
    match space {
        Some("constant") => {
            let has = variable.attributes.iter().any(|attribute| attribute.name == "function_constant");
            if variable.initialiser.is_none() && !has && !variable.words.contains(&"extern") {
                let text = format!("the constant `{}` has no initialiser", variable.name);
                out.add(Rule::ConstantInitialiser, variable.at, text);
            }
        }
        Some("threadgroup") => {
            let text = format!("`{}` lies in threadgroup memory, outside of a kernel function", variable.name);
            out.add(Rule::ThreadgroupScope, variable.at, text);
        }
        _ => {
            let text = format!("`{}` lies at program scope and not in `constant`", variable.name);
            out.add(Rule::ProgramScope, variable.at, text);
        }
    }
}

/// Address space of a pointer variable itself.
fn last_space<'a>(out: &Findings<'a>, variable: &Declared<'a>) -> Option<&'a str> {
    let before = out.unit.text(variable.at.wrapping_sub(1));
    if SPACES.contains(&before) { Some(before) } else { None }
}

/// Rules of the types that a declaration names: textures with their elements and accesses.
pub fn types_of(out: &mut Findings, declared: &Declared) {
    let unit = out.unit;
    let ty = &declared.ty;
    let Class::Texture(texture) = class_of(unit, ty) else {
        if class_of(unit, ty) == Class::Array
            && let Some(element) = ty.arguments.first().and_then(|range| unit.parameter(range.clone()))
        {
            types_of(out, &element);
        }
        return;
    };
    let Some(element) = ty.arguments.first() else { return };
    let name = unit.text(element.end - 1);
    let elements: &[&str] = if texture.depth {
        &["float"]
    } else {
        &["half", "float", "short", "ushort", "int", "uint", "int32_t", "uint32_t", "int16_t", "uint16_t"]
    };
    let is_template = unit.template_types.contains(&name);
    let aliased = unit.aliases.iter().any(|(alias, _)| *alias == name);
    if !elements.contains(&name) && !is_template && !aliased {
        out.add(Rule::TextureElement, element.start, format!("`{}` has no elements of type `{name}`", ty.name));
    }
    let Some(access) = ty.arguments.get(1) else { return };
    let word = unit.text(access.end - 1);
    let good = match word {
        "sample" => texture.sampled,
        "read" => true,
        "write" => texture.writable,
        "read_write" => texture.read_write,
        _ => return,
    };
    if !good {
        out.add(Rule::TextureAccess, access.start, format!("`{}` has no access `{word}`", ty.name));
    }
}
