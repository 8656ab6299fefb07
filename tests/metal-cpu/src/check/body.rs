//! Rules of what stands in functions, read from the tokens: words that the language lacks, pointers without an address
//! space, local variables.

use super::Findings;
use super::lex::Kind;
use super::rules::Rule;
use super::syntax::{Declared, Function, SPACES, Unit};
use super::types::{Class, class_of, is_type};

/// All rules of the tokens and the bodies.
pub fn check(out: &mut Findings) {
    words(out);
    pointers(out);
    for function in &out.unit.functions {
        if function.body.is_some() {
            locals(out, function);
        }
    }
}

fn words(out: &mut Findings) {
    let unit = out.unit;
    for (at, token) in unit.tokens.iter().enumerate() {
        let next = unit.text(at + 1);
        let before = unit.text(at.wrapping_sub(1));
        match (token.kind, token.text) {
            (Kind::Number, text) if is_long_float(text) => {
                out.add(Rule::Double, at, format!("the literal `{text}` is a long double"));
            }
            (Kind::Name, "double") => out.add(Rule::Double, at, "there is no type `double`".into()),
            (Kind::Name, "goto") => out.add(Rule::Goto, at, "there is no `goto`".into()),
            (Kind::Name, "asm" | "__asm" | "__asm__") => {
                out.add(Rule::InlineAssembly, at, "there is no inline assembly".into());
            }
            (Kind::Name, text @ ("new" | "delete")) if !(before == "=" && next == ";") && before != "operator" => {
                out.add(Rule::NewDelete, at, format!("there is no `{text}`"));
            }
            (Kind::Name, text @ ("try" | "catch" | "throw")) => {
                out.add(Rule::Exceptions, at, format!("there are no exceptions: `{text}`"));
            }
            (Kind::Name, text @ ("dynamic_cast" | "typeid")) => {
                out.add(Rule::TypeIdentification, at, format!("there is no `{text}`"));
            }
            (Kind::Name, "virtual") => out.add(Rule::Virtual, at, "there are no virtual functions".into()),
            (Kind::Name, "noexcept") => out.add(Rule::Noexcept, at, "there is no `noexcept`".into()),
            (Kind::Name, text @ ("register" | "thread_local")) => {
                out.add(Rule::StorageClass, at, format!("there is no storage class `{text}`"));
            }
            (Kind::Name, "std") if next == "::" => {
                out.add(Rule::StandardLibrary, at, "there is no C++ standard library".into());
            }
            (Kind::Punctuation, "[") if is_lambda(unit, at) => {
                out.add(Rule::Lambda, at, "there are no lambda expressions".into());
            }
            _ => {}
        }
    }
}

fn is_long_float(text: &str) -> bool {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    text.ends_with(['l', 'L'])
        && if hexadecimal { text.contains(['p', 'P']) } else { text.contains('.') || text.contains(['e', 'E']) }
}

/// `[captures](…)` or `[captures] {` where a value can stand.
fn is_lambda(unit: &Unit, at: usize) -> bool {
    let value = matches!(
        unit.text(at.wrapping_sub(1)),
        "=" | "(" | "," | "return" | ";" | "&&" | "||" | "?" | ":" | "+" | "*" | "-"
    );
    let close = unit.behind(at);
    value && !unit.is_attribute(at) && close > at + 1 && matches!(unit.text(close), "(" | "{" | "mutable")
}

/// Every `T *` and `T &` of the source.
fn pointers(out: &mut Findings) {
    let unit = out.unit;
    // Variables that hide a type of the source: `S * 2` may be a product.
    let hidden: Vec<&str> = unit
        .functions
        .iter()
        .flat_map(|function| function.parameters.iter().map(|parameter| parameter.name))
        .chain(unit.variables.iter().map(|variable| variable.name))
        .filter(|name| unit.record(name).is_some())
        .collect();
    let mut at = 0;
    while at < unit.tokens.len() {
        let start = at;
        at += 1;
        let text = unit.text(start);
        if !unit.is_name(start) || hidden.contains(&text) || matches!(unit.text(start.wrapping_sub(1)), "." | "->") {
            continue;
        }
        let mut i = start + 1;
        if unit.text(i) == "<" {
            // Only a type's arguments are looked past.
            if !is_type(unit, text, start) && text != "vec" {
                continue;
            }
            let Some(end) = unit.angle_end(i, unit.tokens.len()) else { continue };
            i = end;
        }
        let mut space = false;
        while matches!(unit.text(i), "const" | "volatile") || SPACES.contains(&unit.text(i)) {
            space |= SPACES.contains(&unit.text(i));
            i += 1;
        }
        let of_array = unit.text(i) == "("
            && unit.text(i + 1) == "&"
            && unit.text(unit.behind(i)) == "["
            && unit.is_name(i + 2)
            && unit.behind(i) == i + 4;
        let pointer = matches!(unit.text(i), "*" | "&" | "&&") || of_array;
        if !pointer || !is_type(unit, text, start) {
            continue;
        }
        // `sizeof(float) * 2` and the like have a bracket in between; `x ? uint & …` does not exist.
        let mut k = start;
        while k > 0 {
            let before = unit.text(k - 1);
            if SPACES.contains(&before) {
                space = true;
                break;
            }
            let part = matches!(
                before,
                "const"
                    | "volatile"
                    | "static"
                    | "constexpr"
                    | "inline"
                    | "typename"
                    | "struct"
                    | "class"
                    | "::"
                    | "unsigned"
                    | "signed"
                    | "long"
                    | "short"
            ) || (unit.is_name(k - 1) && unit.text(k) == "::");
            if !part {
                break;
            }
            k -= 1;
        }
        let alias = unit.aliases.iter().any(|(name, ty)| *name == text && ty.space.is_some());
        if !space && !alias {
            out.add(Rule::PointerSpace, start, format!("a pointer or reference to `{text}` names no address space"));
            continue;
        }
        // `device T* *`: what the outer one points into.
        let mut inner = unit.text(i) == "*";
        let mut j = i + 1;
        while inner {
            let mut named = false;
            while matches!(unit.text(j), "const" | "volatile") || SPACES.contains(&unit.text(j)) {
                named |= SPACES.contains(&unit.text(j));
                j += 1;
            }
            inner = matches!(unit.text(j), "*" | "&");
            if inner && !named {
                out.add(Rule::PointerSpace, j, "a pointer or reference to a pointer names no address space".into());
                break;
            }
            inner = unit.text(j) == "*";
            j += 1;
        }
    }
}

/// Declarations in a body.
fn locals(out: &mut Findings, function: &Function) {
    let unit = out.unit;
    let Some(body) = function.body.clone() else { return };
    let mut at = body.start;
    let mut fresh = true;
    while at < body.end {
        if fresh
            && let Some((base, next)) = unit.type_at(at, body.end)
            && next > at
            && unit.text(next) != "::"
            && (is_type(unit, base.ty.name, base.ty.at)
                || unit.template_types.contains(&base.ty.name)
                || matches!(base.ty.name, "auto" | "decltype"))
        {
            let stop = unit.until(next, body.end, &[";"]);
            let declares = unit.text(next) != "(" || matches!(unit.text(next + 1), "*" | "&" | "thread");
            if let Some((declared, _)) = unit.declarator(&base, next, stop)
                && declares
                && !declared.name.is_empty()
            {
                local(out, function, &declared);
            }
        }
        fresh = matches!(unit.text(at), ";" | "{" | "}" | ":")
            || unit.text(at) == ")"
            || unit.text(at) == "(" && unit.text(at.wrapping_sub(1)) == "for";
        at += 1;
    }
}

fn local(out: &mut Findings, function: &Function, declared: &Declared) {
    let unit = out.unit;
    let ty = unit.resolve(&declared.ty);
    let constexpr = declared.words.contains(&"constexpr");
    if declared.function_pointer {
        out.add(Rule::FunctionPointer, declared.at, format!("`{}` is a pointer to a function", declared.name));
        return;
    }
    super::scope::types_of(out, declared);
    super::scope::name(out, declared.name, declared.at);
    if class_of(unit, &ty) == Class::Sampler && ty.levels.is_empty() && ty.sizes.is_empty() {
        let next = unit.text(declared.at + 1);
        if !constexpr
            && (next == "(" || next == "{")
            && unit.behind(declared.at + 1) > declared.at + 3
            && is_sampler_state(unit, declared.at + 2)
        {
            out.add(Rule::SamplerConstexpr, declared.at, format!("the sampler `{}` is not constexpr", declared.name));
        }
        return;
    }
    if !ty.levels.is_empty() {
        return;
    }
    let space = ty.space.or(declared.ty.space);
    if declared.words.contains(&"static") && space != Some("constant") && !constexpr {
        out.add(
            Rule::StaticLocal,
            declared.at,
            format!("the static variable `{}` is not in `constant`", declared.name),
        );
        return;
    }
    match space {
        Some("device") => {
            let text = format!("the local variable `{}` cannot lie in device memory", declared.name);
            out.add(Rule::LocalSpace, declared.at, text);
        }
        Some("threadgroup") => {
            if function.stage != Some("kernel") && !function.template {
                let text = format!("`{}` lies in threadgroup memory, outside of a kernel function", declared.name);
                out.add(Rule::ThreadgroupScope, declared.at, text);
            }
            if declared.initialiser.is_some() {
                let text = format!("the threadgroup variable `{}` has an initialiser", declared.name);
                out.add(Rule::ThreadgroupInitialiser, declared.at, text);
            }
        }
        _ => {}
    }
}

/// Whether a sampler's initialiser is made of states (`coord::…`), not another sampler.
fn is_sampler_state(unit: &Unit, at: usize) -> bool {
    matches!(
        unit.text(at),
        "coord"
            | "filter"
            | "mag_filter"
            | "min_filter"
            | "mip_filter"
            | "address"
            | "s_address"
            | "t_address"
            | "r_address"
            | "compare_func"
            | "border_color"
            | "max_anisotropy"
            | "lod_clamp"
    )
}
