//! The signature of an entry function, read from the source's tokens: what it takes, what it gives.
//!
//! Only file-scope structs and functions are looked at; the compiler has checked everything else before.

use crate::source::tokens::{self, Kind};
use std::collections::HashMap;
use std::sync::Arc;

/// Which stage a function is for; the numbers are those of `runtime.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageKind {
    /// `vertex`
    Vertex,
    /// `fragment`
    Fragment,
    /// `kernel`
    Kernel,
}

/// An attribute: its name and the text in its parentheses, if any.
pub type AttributeText = (String, Option<String>);

/// A declared value: a parameter, or a member of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Declared {
    /// The type's text, without the name; declarators such as `(&)[4]` stay in it.
    pub ty: String,
    /// The name.
    pub name: String,
    /// The number of elements, for `name[n]`.
    pub elements: Option<String>,
    /// All attributes.
    pub attributes: Vec<AttributeText>,
}

impl Declared {
    /// The text in the parentheses of an attribute (empty without), if it is there.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_deref().unwrap_or(""))
    }

    /// The number in the parentheses of an attribute.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.attribute(name)?.trim().parse().ok()
    }
}

/// An entry function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Stage.
    pub stage: StageKind,
    /// Name.
    pub name: String,
    /// Whether it carries `[[early_fragment_tests]]`.
    pub early_tests: bool,
    /// What it returns; `void` has an empty type. Attributes stand behind the parentheses.
    pub returns: Declared,
    /// What it takes.
    pub parameters: Vec<Declared>,
    /// Structs of the file, by name.
    pub structs: Arc<HashMap<String, Vec<Declared>>>,
    /// Whether anything in the file discards.
    pub discards: bool,
}

/// A token with its text.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    is_word: bool,
}

fn tokens(source: &str) -> Vec<Token<'_>> {
    let text = |token: tokens::Token| {
        let (start, end) = (token.range.start, token.range.end);
        source.get(start..end).map(|text| Token { text, start, end, is_word: token.kind == Kind::Word })
    };
    tokens::tokens(source).into_iter().filter_map(text).collect()
}

fn is(token: &Token<'_>, text: &str) -> bool {
    token.text == text
}

/// The place behind the bracket that closes the one at `open`.
fn close(all: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (place, token) in all.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return place + 1;
                }
            }
            _ => {}
        }
    }
    all.len()
}

/// The tokens from `start` up to a closing bracket of so many tokens, which ends before `end`; none where it is missing.
fn inside<'t, 's>(all: &'t [Token<'s>], start: usize, end: usize, bracket: usize) -> &'t [Token<'s>] {
    all.get(start..end.saturating_sub(bracket)).unwrap_or_default()
}

/// Whether `[[` stands at a place.
fn opens_attributes(all: &[Token<'_>], place: usize) -> bool {
    matches!(all.get(place..place + 2), Some([a, b]) if is(a, "[") && is(b, "[") && a.end == b.start)
}

fn joined(all: &[Token<'_>]) -> String {
    all.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

/// Splits at commas outside of brackets.
fn split<'t, 's>(all: &'t [Token<'s>], angle: bool) -> Vec<&'t [Token<'s>]> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (place, token) in all.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "<" if angle => depth += 1,
            ">" if angle => depth -= 1,
            "," if depth == 0 => {
                parts.push(&all[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    if start < all.len() {
        parts.push(&all[start..]);
    }
    parts
}

/// The attributes of one `[[…]]`.
fn attributes(inner: &[Token<'_>], into: &mut Vec<AttributeText>) {
    for one in split(inner, false) {
        let open = one.iter().position(|token| is(token, "("));
        let name = joined(&one[..open.unwrap_or(one.len())]).replace(' ', "");
        let text = open.map(|open| joined(inside(one, open + 1, close(one, open), 1)));
        into.push((name, text));
    }
}

/// A declaration without its comma or semicolon.
fn declared(all: &[Token<'_>]) -> Declared {
    let mut made = Declared::default();
    let mut rest: Vec<Token<'_>> = Vec::new();
    let mut place = 0;
    while place < all.len() {
        if opens_attributes(all, place) {
            let end = close(all, place);
            attributes(inside(all, place + 2, end, 2), &mut made.attributes);
            place = end;
        } else {
            rest.push(all[place]);
            place += 1;
        }
    }
    if let Some(equals) = rest.iter().position(|token| is(token, "=")) {
        rest.truncate(equals);
    }
    // `T name`, `T name[n]`, `T (&name)[n]`, `T<…>* name`.
    let name = match rest.iter().position(|token| is(token, "(")) {
        Some(open) => rest.iter().enumerate().skip(open).find(|(_, token)| token.is_word).map(|(place, _)| place),
        None => {
            let end = rest.iter().position(|token| is(token, "[")).unwrap_or(rest.len());
            rest[..end].iter().rposition(|token| token.is_word)
        }
    };
    let Some(name) = name.filter(|&place| place > 0) else {
        made.ty = joined(&rest);
        return made;
    };
    made.name = rest[name].text.to_owned();
    let plain = !rest.iter().any(|token| is(token, "("));
    if plain && rest.get(name + 1).is_some_and(|token| is(token, "[")) {
        made.elements = Some(joined(inside(&rest, name + 2, close(&rest, name + 1), 1)));
        rest.truncate(name);
    } else {
        rest.remove(name);
    }
    made.ty = joined(&rest);
    made
}

/// Reads the signatures of all entry functions of a source, in order.
pub fn signatures(source: &str) -> Vec<Signature> {
    let all = tokens(source);
    let all = all.as_slice();
    let mut structs = HashMap::new();
    let mut found = Vec::new();
    let mut start = 0; // of the declaration at hand
    let mut place = 0;
    while place < all.len() {
        let token = &all[place];
        match token.text {
            ";" | "}" => {
                place += 1;
                start = place;
            }
            "struct" if all.get(place + 2).is_some_and(|token| is(token, "{")) => {
                let end = close(all, place + 2);
                let body = inside(all, place + 3, end, 1);
                structs.insert(all[place + 1].text.to_owned(), members(body));
                place = end;
            }
            "struct" if all.get(place + 1).is_some_and(|token| is(token, "{")) => {
                // `typedef struct { … } Name;`
                let end = close(all, place + 1);
                let body = inside(all, place + 2, end, 1);
                if let Some(name) = all.get(end).filter(|token| token.is_word) {
                    structs.insert(name.text.to_owned(), members(body));
                }
                place = end;
            }
            "{" => {
                // A namespace's braces are looked into, a function's and an initialiser's are not.
                if all[start..place].iter().any(|token| is(token, "namespace")) {
                    place += 1;
                } else {
                    place = close(all, place);
                }
                start = place;
            }
            "(" => {
                let end = close(all, place);
                let head = &all[start..place];
                if let Some(name) = head.last().filter(|token| token.is_word) {
                    let parameters = inside(all, place + 1, end, 1);
                    found.extend(function(head, parameters, &all[end..], name.text));
                }
                place = end;
            }
            "[" => place = close(all, place),
            _ => place += 1,
        }
    }
    let structs = Arc::new(structs);
    let discards = all.iter().any(|token| is(token, "discard_fragment"));
    for signature in &mut found {
        signature.structs = Arc::clone(&structs);
        signature.discards = discards;
    }
    found
}

fn members(body: &[Token<'_>]) -> Vec<Declared> {
    let mut all = Vec::new();
    for member in body.split(|token| is(token, ";")) {
        let made = declared(member);
        // Member functions and nested types are no data.
        if !made.name.is_empty() && !member.iter().any(|token| is(token, "{")) {
            all.push(made);
        }
    }
    all
}

fn function(head: &[Token<'_>], parameters: &[Token<'_>], after: &[Token<'_>], name: &str) -> Option<Signature> {
    if !head.iter().any(|token| matches!(token.text, "vertex" | "fragment" | "kernel")) {
        return None;
    }
    let returned = declared(head);
    let mut stage = None;
    let words: Vec<&str> = returned.ty.split(' ').collect();
    let kept: Vec<&str> = words
        .into_iter()
        .filter(|&word| {
            let kind = match word {
                "vertex" => StageKind::Vertex,
                "fragment" => StageKind::Fragment,
                "kernel" => StageKind::Kernel,
                _ => return !matches!(word, "static" | "inline"),
            };
            stage = Some(kind);
            false
        })
        .collect();
    let mut returns = Declared { ty: kept.join(" "), ..Declared::default() };
    if returns.ty == "void" {
        returns.ty.clear();
    }
    if opens_attributes(after, 0) {
        let end = close(after, 0);
        attributes(inside(after, 2, end, 2), &mut returns.attributes);
    }
    let is_written = parameters.iter().any(|token| !is(token, "void"));
    Some(Signature {
        stage: stage.or_else(|| stage_of(&returned))?,
        name: name.to_owned(),
        early_tests: returned.attribute("early_fragment_tests").is_some(),
        returns,
        parameters: if is_written { split(parameters, true).into_iter().map(declared).collect() } else { Vec::new() },
        structs: Arc::default(),
        discards: false,
    })
}

/// The stage by attribute: `[[vertex]]`, as newer versions write it.
fn stage_of(returned: &Declared) -> Option<StageKind> {
    [("vertex", StageKind::Vertex), ("fragment", StageKind::Fragment), ("kernel", StageKind::Kernel)]
        .into_iter()
        .find(|(name, _)| returned.attribute(name).is_some())
        .map(|(_, stage)| stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_in_all_its_parts() {
        let text = "#include <metal_stdlib>\n#define X { (\nusing namespace metal;\nnamespace n { struct Other { int a; }; }
            struct In { float4 p [[position]]; float2 uv [[user(locn0)]] [[center_no_perspective]]; // uv
              float c [[clip_distance]] [3]; };
            typedef struct { half4 c [[color(1), index(1)]]; } Out;
            static float helper(float x) { return x; }
            [[early_fragment_tests]] fragment Out shade(In in [[stage_in]], constant float (&list)[4] [[buffer(2)]],
                array<texture2d<float, access::read>, 3> t [[texture(1)]], device uint* to [[buffer(3)]]) { discard_fragment(); }
            kernel void k(uint3 at [[thread_position_in_grid]]) {}";
        let found = signatures(text);
        let [shade, k] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((shade.stage, shade.name.as_str(), shade.early_tests), (StageKind::Fragment, "shade", true));
        assert_eq!((k.stage, k.name.as_str(), k.early_tests), (StageKind::Kernel, "k", false));
        assert_eq!((shade.returns.ty.as_str(), k.returns.ty.as_str()), ("Out", ""));
        assert!(shade.discards);
        let types: Vec<_> = shade.parameters.iter().map(|p| (p.ty.as_str(), p.name.as_str())).collect();
        let array = "array < texture2d < float , access :: read > , 3 >";
        let expected = [("In", "in"), ("constant float ( & ) [ 4 ]", "list"), (array, "t"), ("device uint *", "to")];
        assert_eq!(types, expected);
        assert_eq!(shade.parameters[1].number("buffer"), Some(2));
        let members = &shade.structs["In"];
        assert_eq!(members[1].attribute("user"), Some("locn0"));
        assert!(members[1].attribute("center_no_perspective").is_some());
        assert_eq!((members[2].name.as_str(), members[2].elements.as_deref()), ("c", Some("3")));
        assert_eq!(shade.structs["Out"][0].number("index"), Some(1));
    }

    #[test]
    fn broken_text_has_no_signatures() {
        for text in [
            "fragment",
            "fragment float4 f(",
            "vertex f(]]",
            "struct {",
            "kernel void k(uint i [[",
            "{{{{",
            "[[",
            "\"",
            "/*",
        ] {
            let _ = signatures(text);
        }
    }
}
