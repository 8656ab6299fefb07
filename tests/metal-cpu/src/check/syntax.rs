//! What a source declares, read from its tokens: clang decides whether the source is C++ at all, so that a part that
//! does not read is skipped here.

mod declarations;

use super::lex::{self, Kind, Token};
use std::ops::Range;

/// A range of tokens.
pub type Tokens = Range<usize>;

/// `[[name(arguments)]]`.
#[derive(Clone, Debug)]
pub struct Attribute<'a> {
    /// The name.
    pub name: &'a str,
    /// Where it stands.
    pub at: usize,
    /// What is in the parentheses.
    pub arguments: Tokens,
}

/// A pointer or a reference in a declarator.
#[derive(Clone, Copy, Debug)]
pub struct Level<'a> {
    /// A reference, not a pointer.
    pub reference: bool,
    /// The address space that it points into.
    pub space: Option<&'a str>,
}

/// A type as it is written.
#[derive(Clone, Debug, Default)]
pub struct Type<'a> {
    /// Name without the namespaces before it; several words are joined as the first of them.
    pub name: &'a str,
    /// Where the name stands.
    pub at: usize,
    /// Its template arguments.
    pub arguments: Vec<Tokens>,
    /// Address space of the object itself, or of what the first level points into.
    pub space: Option<&'a str>,
    /// Pointers and references, the innermost first.
    pub levels: Vec<Level<'a>>,
    /// Sizes of the array, the outermost first.
    pub sizes: Vec<Tokens>,
}

/// A variable, a member or a parameter.
#[derive(Clone, Debug, Default)]
pub struct Declared<'a> {
    /// Its name; empty where there is none.
    pub name: &'a str,
    /// Where the name stands, or the type where there is none.
    pub at: usize,
    /// Its type.
    pub ty: Type<'a>,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
    /// Words before the type.
    pub words: Vec<&'a str>,
    /// Its initialiser.
    pub initialiser: Option<Tokens>,
    /// A pointer to a function.
    pub function_pointer: bool,
}

/// A struct, class or union.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where the name stands.
    pub at: usize,
    /// Its members.
    pub members: Vec<Declared<'a>>,
    /// Where the list of base classes begins.
    pub bases: Option<usize>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where the name stands.
    pub at: usize,
    /// `vertex`, `fragment` or `kernel`.
    pub stage: Option<&'a str>,
    /// What it returns.
    pub returns: Type<'a>,
    /// Its parameters.
    pub parameters: Vec<Declared<'a>>,
    /// Its attributes, before and after.
    pub attributes: Vec<Attribute<'a>>,
    /// Its body without the braces.
    pub body: Option<Tokens>,
    /// It is a template, or a member of one.
    pub template: bool,
    /// The class that it is a member of.
    pub member_of: Option<&'a str>,
    /// Where `...` stands.
    pub variadic: Option<usize>,
}

/// Everything that a source declares.
pub struct Unit<'a> {
    /// The tokens.
    pub tokens: Vec<Token<'a>>,
    /// For each bracket its partner.
    pub partners: Vec<usize>,
    /// Structs, in order.
    pub records: Vec<Record<'a>>,
    /// Functions, in order.
    pub functions: Vec<Function<'a>>,
    /// Variables at program scope.
    pub variables: Vec<Declared<'a>>,
    /// Names for types.
    pub aliases: Vec<(&'a str, Type<'a>)>,
    /// Names of enumerations.
    pub enums: Vec<&'a str>,
    /// Names of template parameters that are types.
    pub template_types: Vec<&'a str>,
    /// Stage words that no function took.
    pub stray_stages: Vec<usize>,
}

/// The words that name an address space.
pub const SPACES: [&str; 7] =
    ["device", "constant", "thread", "threadgroup", "threadgroup_imageblock", "object_data", "ray_data"];

/// How many tokens template arguments may have: what is not closed by then is a comparison.
const LONGEST_ARGUMENTS: usize = 1000;

/// The words of the stages.
pub const STAGES: [&str; 3] = ["vertex", "fragment", "kernel"];

const SPECIFIERS: [&str; 17] = [
    "constexpr",
    "static",
    "inline",
    "extern",
    "mutable",
    "friend",
    "virtual",
    "explicit",
    "register",
    "thread_local",
    "typename",
    "struct",
    "class",
    "union",
    "enum",
    "const",
    "volatile",
];

const SCALAR_WORDS: [&str; 8] = ["unsigned", "signed", "long", "short", "int", "char", "double", "float"];

impl<'a> Unit<'a> {
    /// Reads a source.
    pub fn new(source: &'a str) -> Self {
        let tokens = lex::tokens(source);
        let partners = lex::partners(&tokens);
        let mut unit = Unit {
            tokens,
            partners,
            records: Vec::new(),
            functions: Vec::new(),
            variables: Vec::new(),
            aliases: Vec::new(),
            enums: Vec::new(),
            template_types: Vec::new(),
            stray_stages: Vec::new(),
        };
        unit.scope(0..unit.tokens.len(), None, false, 0);
        unit
    }

    /// Text of a token; empty behind the last.
    pub fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// Whether a token is an identifier or a keyword.
    pub fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Name)
    }

    /// Behind the partner of the bracket at `at`.
    pub fn behind(&self, at: usize) -> usize {
        self.partners.get(at).map_or(at + 1, |&partner| partner.max(at) + 1)
    }

    /// Whether `[[` stands at `at`.
    pub fn is_attribute(&self, at: usize) -> bool {
        self.text(at) == "[" && self.text(at + 1) == "[" && self.partners.get(at).is_some_and(|&p| p > at)
    }

    /// The struct of this name.
    pub fn record(&self, name: &str) -> Option<&Record<'a>> {
        self.records.iter().rev().find(|record| record.name == name)
    }

    /// The type that a name stands for, aliases followed; the levels and sizes of the names in between are added.
    pub fn resolve(&self, ty: &Type<'a>) -> Type<'a> {
        let mut ty = ty.clone();
        for _ in 0..8 {
            let Some((_, target)) = self.aliases.iter().find(|(name, target)| *name == ty.name && target.name != *name)
            else {
                break;
            };
            let mut next = target.clone();
            next.levels.append(&mut ty.levels);
            let mut sizes = std::mem::take(&mut ty.sizes);
            sizes.append(&mut next.sizes);
            next.sizes = sizes;
            next.space = ty.space.or(next.space);
            next.at = ty.at;
            ty = next;
        }
        ty
    }

    /// Attributes of the `[[…]]` at `at`, and where it ends.
    pub(super) fn attributes_at(&self, at: usize, into: &mut Vec<Attribute<'a>>) -> usize {
        let end = self.behind(at);
        let mut i = at + 2;
        while i + 2 < end {
            if self.is_name(i) {
                let mut name_at = i;
                while self.text(name_at + 1) == "::" {
                    name_at += 2;
                }
                let arguments = if self.text(name_at + 1) == "(" {
                    name_at + 2..self.behind(name_at + 1).saturating_sub(1).max(name_at + 2)
                } else {
                    name_at + 1..name_at + 1
                };
                let foreign = name_at > i;
                let name = if foreign { "maybe_unused" } else { self.text(i) };
                i = if self.text(name_at + 1) == "(" { self.behind(name_at + 1) } else { name_at + 1 };
                into.push(Attribute { name, at: name_at, arguments });
            } else {
                i += 1;
            }
        }
        end
    }

    /// Parts of `range` between commas that are in no brackets.
    pub fn parts(&self, range: Tokens) -> Vec<Tokens> {
        let mut parts = Vec::new();
        let (mut start, mut i) = (range.start, range.start);
        while i < range.end {
            match self.text(i) {
                "(" | "[" | "{" => i = self.behind(i),
                "<" => i = self.angle_end(i, range.end).unwrap_or(i + 1),
                "," => {
                    parts.push(start..i);
                    i += 1;
                    start = i;
                }
                _ => i += 1,
            }
        }
        if start < range.end {
            parts.push(start..range.end);
        }
        parts
    }

    /// Behind the `>` that closes the `<` at `at`, where template arguments can stand between them.
    pub fn angle_end(&self, at: usize, end: usize) -> Option<usize> {
        let (mut depth, mut i) = (0, at);
        let end = end.min(at.saturating_add(LONGEST_ARGUMENTS));
        while i < end {
            match self.text(i) {
                "<" => depth += 1,
                ">" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i + 1);
                    }
                }
                "(" | "[" | "{" => {
                    i = self.behind(i);
                    continue;
                }
                ";" | ")" | "]" | "}" | "&&" | "||" => return None,
                _ => {}
            }
            i += 1;
        }
        None
    }

    /// A type with the words before it, from `at`: the declaration begun, and where the declarator begins.
    pub fn type_at(&self, at: usize, end: usize) -> Option<(Declared<'a>, usize)> {
        let mut declared = Declared { at, ..Declared::default() };
        let mut i = at;
        let mut named = false;
        while i < end {
            let text = self.text(i);
            if self.is_attribute(i) {
                if named {
                    break;
                }
                i = self.attributes_at(i, &mut declared.attributes);
            } else if text == "__attribute__" || text == "alignas" || text == "__declspec" {
                i = self.behind(i + 1);
            } else if text == "coherent" && !named {
                // A qualifier of MSL 3.2, with a scope behind it or none.
                i = if self.text(i + 1) == "(" { self.behind(i + 1) } else { i + 1 };
            } else if SPACES.contains(&text) {
                declared.ty.space = Some(text);
                i += 1;
            } else if SPECIFIERS.contains(&text) || (STAGES.contains(&text) && !named) {
                declared.words.push(text);
                i += 1;
            } else if SCALAR_WORDS.contains(&text)
                && (!named || (SCALAR_WORDS.contains(&declared.ty.name) && declared.ty.arguments.is_empty()))
            {
                // `unsigned int`, `long double`: the word that says most names the type.
                if !named
                    || text == "double"
                    || matches!(declared.ty.name, "signed")
                    || (declared.ty.name == "unsigned" && text != "int")
                {
                    declared.ty.name = text;
                    declared.ty.at = i;
                }
                if named && text != "int" {
                    declared.words.push("multiword");
                }
                named = true;
                i += 1;
            } else if !named && (self.is_name(i) || text == "::") {
                if text == "operator" {
                    // A conversion function.
                    return None;
                }
                if text == "::" {
                    i += 1;
                }
                declared.ty.name = self.text(i);
                declared.ty.at = i;
                named = true;
                if self.text(i) == "decltype" {
                    i = self.behind(i + 1);
                    continue;
                }
                i += 1;
                loop {
                    if self.text(i) == "<" {
                        let Some(close) = self.angle_end(i, end) else { break };
                        declared.ty.arguments = self.parts(i + 1..close - 1);
                        i = close;
                    } else if self.text(i) == "::" && self.is_name(i + 1) {
                        declared.ty.name = self.text(i + 1);
                        declared.ty.at = i + 1;
                        declared.ty.arguments.clear();
                        i += 2;
                    } else {
                        break;
                    }
                }
            } else {
                break;
            }
        }
        named.then_some((declared, i))
    }

    /// A declarator of the type that `base` begins, from `at` to at most `end`: what is declared, and where it ends.
    pub fn declarator(&self, base: &Declared<'a>, at: usize, end: usize) -> Option<(Declared<'a>, usize)> {
        let mut declared = base.clone();
        let mut i = at;
        let mut space = base.ty.space;
        loop {
            let text = self.text(i);
            if i >= end {
                break;
            }
            match text {
                "*" | "&" | "&&" => {
                    declared.ty.levels.push(Level { reference: text != "*", space });
                    space = None;
                    i += 1;
                }
                "const" | "volatile" | "restrict" | "__restrict" => i += 1,
                _ if SPACES.contains(&text) => {
                    space = Some(text);
                    i += 1;
                }
                _ => break,
            }
        }
        declared.at = i.min(end.saturating_sub(1)).max(at.saturating_sub(1));
        if self.text(i) == "(" {
            let inner = i + 1..self.behind(i).saturating_sub(1);
            let mut k = inner.start;
            while SPACES.contains(&self.text(k)) {
                space = Some(self.text(k));
                k += 1;
            }
            if matches!(self.text(k), "*" | "&" | "&&") && inner.end <= end {
                declared.ty.levels.push(Level { reference: self.text(k) != "*", space });
                while k < inner.end && !self.is_name(k) {
                    k += 1;
                }
                if k < inner.end {
                    declared.name = self.text(k);
                    declared.at = k;
                }
                i = inner.end + 1;
                if self.text(i) == "(" {
                    declared.function_pointer = true;
                    i = self.behind(i);
                }
            }
        } else if self.is_name(i) && i < end {
            declared.name = self.text(i);
            declared.at = i;
            i += 1;
            while self.text(i) == "::" && self.is_name(i + 1) {
                declared.name = self.text(i + 1);
                declared.at = i + 1;
                i += 2;
            }
            if declared.name == "operator" {
                let parenthesis = (i..end).find(|&k| self.text(k) == "(" && !(k == i && self.text(k + 1) == ")"))?;
                i = parenthesis;
                return Some((declared, i));
            }
        }
        while i < end {
            if self.is_attribute(i) {
                i = self.attributes_at(i, &mut declared.attributes);
            } else if self.text(i) == "[" {
                declared.ty.sizes.push(i + 1..self.behind(i) - 1);
                i = self.behind(i);
            } else if self.text(i) == "__attribute__" {
                i = self.behind(i + 1);
            } else {
                break;
            }
        }
        if self.text(i) == ":" && i < end {
            i = self.until(i, end, &[",", ";", "="]);
        }
        if i < end && self.text(i) == "=" {
            let stop = self.until(i + 1, end, &[",", ";"]);
            declared.initialiser = Some(i + 1..stop);
            i = stop;
        } else if i < end && self.text(i) == "{" {
            declared.initialiser = Some(i + 1..self.behind(i) - 1);
            i = self.behind(i);
        }
        Some((declared, i))
    }

    /// The first of `stops` from `at` that is in no brackets, or `end`.
    pub fn until(&self, at: usize, end: usize, stops: &[&str]) -> usize {
        let mut i = at;
        while i < end {
            let text = self.text(i);
            if stops.contains(&text) {
                return i;
            }
            i = match text {
                "(" | "[" | "{" => self.behind(i),
                "<" if self.is_name(i.wrapping_sub(1)) => self.angle_end(i, end).unwrap_or(i + 1),
                _ => i + 1,
            };
        }
        end
    }

    /// One parameter or template argument.
    pub fn parameter(&self, range: Tokens) -> Option<Declared<'a>> {
        let (base, at) = self.type_at(range.start, range.end)?;
        self.declarator(&base, at, range.end).map(|(declared, _)| declared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read() {
        let source = "using namespace metal;\n\
            template<typename T, size_t N> struct A { T e[N]; A() : e{} {} thread T& operator [] (size_t i) thread { return e[i]; } };\n\
            struct V { float4 p [[position]]; float c [[clip_distance]] [2]; uint a, b : 3; };\n\
            typedef device float* P;\n\
            constant int k [[function_constant(3)]];\n\
            constant A<float, 2> t = A<float, 2>({ 1.0, 2.0 });\n\
            constexpr sampler s(coord::pixel);\n\
            [[early_fragment_tests]] fragment V f(V in [[stage_in]], const device A<uint, 4>& b [[buffer(1)]], array<texture2d<float>, 3> x [[texture(0)]]) { return {}; }\n\
            static inline int g(thread float (&x)[3], int n, ...);";
        let unit = Unit::new(source);
        assert_eq!(unit.records.iter().map(|r| (r.name, r.members.len())).collect::<Vec<_>>(), [("A", 1), ("V", 4)]);
        assert_eq!(unit.records[1].members[1].ty.sizes.len(), 1);
        assert_eq!(unit.records[1].members[1].attributes[0].name, "clip_distance");
        assert_eq!(unit.variables.iter().map(|v| v.name).collect::<Vec<_>>(), ["k", "t", "s"]);
        assert_eq!(unit.functions.iter().map(|f| f.name).collect::<Vec<_>>(), ["A", "operator", "f", "g"]);
        let f = &unit.functions[2];
        assert_eq!((f.stage, f.parameters.len(), f.attributes[0].name), (Some("fragment"), 3, "early_fragment_tests"));
        assert_eq!(f.parameters[1].ty.levels[0].space, Some("device"));
        assert_eq!(f.parameters[2].ty.arguments.len(), 2);
        let g = &unit.functions[3];
        assert!(g.variadic.is_some() && g.parameters[0].ty.levels[0].space == Some("thread"));
        assert_eq!(unit.resolve(&Type { name: "P", ..Type::default() }).levels[0].space, Some("device"));
        assert!(unit.stray_stages.is_empty());
    }
}
