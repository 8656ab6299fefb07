//! The token pass over a Metal source: what C++ for OpenCL cannot say as Metal says it, rewritten without adding a line.
//!
//! | Metal | what clang gets |
//! |---|---|
//! | `[[buffer(0), x]]` | `[[clang::annotate("buffer(0)"), clang::annotate("x")]]` at the same place: an `AnnotateAttr` in the AST |
//! | `[[x]]` after a function's parameters | blanks: no attribute of a declaration may stand there; listed in [`Prepared::attributes`] |
//! | `constant int n [[function_constant(1)]];` | an initialiser (the value given, or zero), and `constant bool aq_defined_n` |
//! | `constant T x = {};` | `constant T x = metal::aq_zero<T>();`: no constructor makes objects there |
//! | `threadgroup T x[4];` in a function | `static metal::aq_storage<T [4]> aq_threadgroup_x; auto& x = metal::aq_threadgroup(aq_threadgroup_x);` |
//! | `struct S { … }` | copy constructors and assignments that also read from `constant`, before the closing brace |
//! | `c ? a : b` | `c ? (metal::aq_value(), a) : (metal::aq_value(), b)`: classes in two address spaces have no common type |
//! | `template<uint N>` | `template<int N>`: clang deduces no `uint` from the `int` of `vec<T, N>` |
//! | constructors of objects in `thread` (other than `thread` alone is blanked) | constructors without a space |
//! | member functions of objects in `ray_data`, `object_data`, `threadgroup_imageblock` | blanks: nothing here lives there |
//!
//! `vertex`, `fragment`, `kernel` and the address spaces are macros of the headers. Directives and comments stay as they are.
//! Every edit is remembered, so that positions in the rewritten text lead back to the original.

use std::collections::BTreeMap;
use std::ops::Range;

/// An attribute of the source, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// `buffer` of `[[buffer(0)]]`.
    pub name: String,
    /// The text between the parentheses: `0`. Empty where there are none.
    pub arguments: String,
    /// The bytes of the original that name it, arguments included.
    pub range: Range<usize>,
    /// The identifier before the attribute list: what is declared, or the function whose parameter list ends there.
    pub subject: String,
    /// Whether it stands after a function's parameter list, where clang does not see it.
    pub after_parameters: bool,
}

/// A source as clang gets it.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The text for clang. It has the lines of the original.
    pub text: String,
    /// All of Metal's attributes.
    pub attributes: Vec<Attribute>,
    edits: Vec<Edit>,
    /// Where each line begins in `text` and in the original.
    lines: Vec<(usize, usize)>,
}

impl Prepared {
    /// The line and column (from 1, in bytes) in the original, of a line and column in the text for clang.
    pub fn original_position(&self, line: usize, column: usize) -> (usize, usize) {
        let Some(&(new_start, old_start)) = line.checked_sub(1).and_then(|index| self.lines.get(index)) else {
            return (line, column);
        };
        let old = self.original_offset(new_start + column.saturating_sub(1));
        (line, old.saturating_sub(old_start) + 1)
    }

    /// The offset in the original of an offset in the text for clang; of text that was put in, where it was put.
    pub fn original_offset(&self, offset: usize) -> usize {
        let mut shift = 0isize;
        for edit in &self.edits {
            let begin = edit.range.start.wrapping_add_signed(shift);
            if begin > offset {
                break;
            }
            if offset < begin + edit.text.len() {
                return edit.range.start;
            }
            shift += edit.text.len() as isize - edit.range.len() as isize;
        }
        offset.wrapping_add_signed(-shift)
    }
}

/// Bytes of the original and what stands in their place.
#[derive(Clone, Debug)]
struct Edit {
    range: Range<usize>,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    Quoted,
    /// One byte of punctuation, but `::` as a whole.
    Sign,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
}

/// Rewrites a source for clang. `function_constants` gives values (C++ expressions) by index.
pub fn prepare(source: &str, function_constants: &BTreeMap<u32, String>) -> Prepared {
    let tokens = tokens(source);
    let mut pass =
        Pass { source, partners: partners(source, &tokens), tokens, edits: Vec::new(), attributes: Vec::new() };
    pass.attribute_lists(function_constants);
    pass.zeros();
    pass.templates();
    pass.structs();
    pass.threadgroup_variables();
    pass.choices();
    pass.finish()
}

/// All tokens outside of comments and directives.
fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut found = Vec::with_capacity(bytes.len() / 4);
    let mut at = 0;
    let mut line_is_blank = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let rest = &bytes[at..];
        if byte == b'\n' {
            line_is_blank = true;
            at += 1;
            continue;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with(b"/*") {
            at += rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |found| found + 4);
            continue;
        }
        if byte == b'#' && line_is_blank {
            at = end_of_directive(bytes, at);
            continue;
        }
        line_is_blank = false;
        let kind = if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 {
            at += rest
                .iter()
                .position(|b| !(b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80))
                .unwrap_or(rest.len());
            Kind::Word
        } else if byte.is_ascii_digit() || (byte == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) {
            at += number_length(rest);
            Kind::Number
        } else if byte == b'"' || byte == b'\'' {
            at += quoted_length(rest);
            Kind::Quoted
        } else {
            at += if rest.starts_with(b"::") { 2 } else { 1 };
            Kind::Sign
        };
        found.push(Token { kind, range: start..at });
    }
    found
}

/// A preprocessing number: letters, digits and dots, and a sign after an exponent's letter.
fn number_length(rest: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = rest.get(length) {
        let sign = (byte == b'+' || byte == b'-')
            && length > 0
            && matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P')
            && (matches!(rest[length - 1], b'p' | b'P') || !rest.starts_with(b"0x"));
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || sign) {
            break;
        }
        length += 1;
    }
    length
}

fn quoted_length(rest: &[u8]) -> usize {
    let mut length = 1;
    while let Some(&byte) = rest.get(length) {
        length += 1;
        match byte {
            b'\\' => length += 1,
            b'\n' => return length - 1,
            _ if byte == rest[0] => break,
            _ => {}
        }
    }
    length.min(rest.len())
}

fn end_of_directive(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' && bytes.get(at.wrapping_sub(1)) != Some(&b'\\') {
            break;
        }
        at += 1;
    }
    at
}

/// For each bracket the index of its partner; `usize::MAX` where there is none.
fn partners(source: &str, tokens: &[Token]) -> Vec<usize> {
    let mut partners = vec![usize::MAX; tokens.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Sign {
            continue;
        }
        match source.as_bytes()[token.range.start] {
            b'(' => open.push((index, b')')),
            b'[' => open.push((index, b']')),
            b'{' => open.push((index, b'}')),
            close @ (b')' | b']' | b'}') => {
                if let Some(&(opener, wanted)) = open.last()
                    && wanted == close
                {
                    open.pop();
                    partners[opener] = index;
                    partners[index] = opener;
                }
            }
            _ => {}
        }
    }
    partners
}

/// Attributes that are C++'s own.
const STANDARD_ATTRIBUTES: [&str; 8] =
    ["maybe_unused", "nodiscard", "fallthrough", "likely", "unlikely", "noreturn", "deprecated", "no_unique_address"];
/// Address spaces that no object here is in.
const ABSENT_SPACES: [&str; 3] = ["ray_data", "object_data", "threadgroup_imageblock"];
/// Types of number parameters of templates that become `int`.
const NUMBER_TYPES: [&str; 8] = ["uint", "size_t", "ushort", "ulong", "uint32_t", "uint16_t", "unsigned", "uint8_t"];

/// What a struct's body says about constructors.
#[derive(PartialEq)]
enum Constructors {
    None,
    Some,
    /// One copies from `constant` already.
    Copies,
    /// A member has the struct's name.
    Impossible,
}

struct Pass<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    partners: Vec<usize>,
    edits: Vec<Edit>,
    attributes: Vec<Attribute>,
}

impl<'a> Pass<'a> {
    fn text(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| &self.source[token.range.clone()])
    }

    fn is_word(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.kind == Kind::Word)
    }

    fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().filter(|&partner| partner != usize::MAX)
    }

    fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.edits.push(Edit { range, text: text.into() });
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Bytes become blanks; lines stay.
    fn blank(&mut self, range: Range<usize>) {
        let blanks =
            self.source[range.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect::<String>();
        self.replace(range, blanks);
    }

    fn attribute_lists(&mut self, function_constants: &BTreeMap<u32, String>) {
        let mut index = 0;
        while index + 1 < self.tokens.len() {
            let close = match self.partner(index) {
                Some(close) if self.text(index) == "[" && self.partner(index + 1) == Some(close - 1) => close,
                _ => {
                    index += 1;
                    continue;
                }
            };
            if self.text(index + 1) == "[" && self.tokens[index].range.end == self.tokens[index + 1].range.start {
                self.attribute_list(index, close, function_constants);
                index = close;
            }
            index += 1;
        }
    }

    /// The list between the tokens `open` and `close`, the outer brackets.
    fn attribute_list(&mut self, open: usize, close: usize, function_constants: &BTreeMap<u32, String>) {
        let first = self.text(open + 2);
        if self.text(open + 3) == "::" || STANDARD_ATTRIBUTES.contains(&first) {
            return;
        }
        let after_parameters =
            open > 0 && self.text(open - 1) == ")" && matches!(self.text(close + 1), "{" | ";" | "[");
        let named = self.subject(open, after_parameters);
        let subject = named.map_or(String::new(), |name| self.text(name).to_owned());
        let mut annotations = Vec::new();
        let mut at = open + 2;
        while at < close - 1 {
            let start = at;
            let mut arguments = "";
            while at < close - 1 && self.text(at) != "," {
                if let Some(end) = self.partner(at).filter(|&end| end > at) {
                    if self.text(at) == "(" && arguments.is_empty() {
                        arguments = self.source[self.tokens[at].range.end..self.tokens[end].range.start].trim();
                    }
                    at = end;
                }
                at += 1;
            }
            if at > start {
                let range = self.tokens[start].range.start..self.tokens[at - 1].range.end;
                let text = self.source[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
                annotations.push(format!("clang::annotate({text:?})"));
                let name = self.text(start).to_owned();
                if name == "function_constant" {
                    self.function_constant(close, &subject, arguments, function_constants);
                }
                self.attributes.push(Attribute {
                    name,
                    arguments: arguments.to_owned(),
                    range,
                    subject: subject.clone(),
                    after_parameters,
                });
            }
            at += 1;
        }
        let range = self.tokens[open].range.start..self.tokens[close].range.end;
        let annotations = annotations.join(", ");
        if after_parameters {
            self.blank(range);
        } else if let Some(name) = named.filter(|name| name + 1 < open) {
            // Behind an array's size an attribute would be the type's.
            self.insert(self.tokens[name].range.end, format!(" [[{annotations}]]"));
            self.blank(range);
        } else {
            let lines = self.source[range.clone()].matches('\n').count();
            self.replace(range, format!("[[{annotations}]]{}", "\n".repeat(lines)));
        }
    }

    /// The token of the name that an attribute list at `open` belongs to.
    fn subject(&self, open: usize, after_parameters: bool) -> Option<usize> {
        let mut at = open;
        while at > 0 {
            at -= 1;
            match self.text(at) {
                ")" if after_parameters => {
                    at = self.partner(at).unwrap_or(0);
                }
                "]" => at = self.partner(at).unwrap_or(0),
                ")" => {}
                _ => return self.is_word(at).then_some(at),
            }
        }
        None
    }

    /// Gives a function constant its value: the one wanted, or zero; and says whether it has one.
    fn function_constant(&mut self, close: usize, name: &str, index: &str, values: &BTreeMap<u32, String>) {
        if name.is_empty() || self.text(close + 1) != ";" {
            return;
        }
        let value = index.parse().ok().and_then(|index: u32| values.get(&index));
        let semicolon = self.tokens[close + 1].range.clone();
        let declared = (0..close).rev().find(|&at| self.text(at) == name).and_then(|at| self.constant_type(at));
        let initialiser = match (value, declared) {
            (Some(value), _) => format!(" = {value}"),
            (None, Some(declared)) => format!(" = metal::aq_zero<{declared}>()"),
            (None, None) => " = {}".to_owned(),
        };
        self.insert(semicolon.start, initialiser);
        self.insert(semicolon.end, format!(" constant bool aq_defined_{name} = {};", value.is_some()));
    }

    /// The type of a declaration in `constant` whose name is the token `name`; `None` where it is no such, or an array.
    fn constant_type(&self, name: usize) -> Option<String> {
        let start = (0..name).rev().find(|&at| matches!(self.text(at), ";" | "{" | "}")).map_or(0, |at| at + 1);
        let is_qualifier = |at: &usize| matches!(self.text(*at), "static" | "const" | "constant" | "constexpr");
        let (qualifiers, words): (Vec<usize>, Vec<usize>) = (start..name).partition(is_qualifier);
        let in_constant = qualifiers.iter().any(|&at| self.text(at) == "constant");
        let (first, last) = (*words.first()?, *words.last()?);
        let plain = words.iter().all(|&at| {
            let token = &self.tokens[at];
            matches!(token.kind, Kind::Word | Kind::Number) || matches!(self.text(at), "<" | ">" | "," | "::")
        });
        (in_constant && plain)
            .then(|| self.source[self.tokens[first].range.start..self.tokens[last].range.end].to_owned())
    }

    fn zeros(&mut self) {
        for index in 1..self.tokens.len() {
            if self.text(index) != "=" || self.text(index + 1) != "{" || self.partner(index + 1) != Some(index + 2) {
                continue;
            }
            let mut name = index - 1;
            if self.text(name) == "]" && self.text(name.saturating_sub(1)) == "]" {
                name = self.partner(name).unwrap_or(1).saturating_sub(1);
            }
            if let Some(text) = self.is_word(name).then(|| self.constant_type(name)).flatten() {
                let range = self.tokens[index + 1].range.start..self.tokens[index + 2].range.end;
                self.replace(range, format!("metal::aq_zero<{text}>()"));
            }
        }
    }

    fn templates(&mut self) {
        for index in 0..self.tokens.len() {
            if self.text(index) != "template" || self.text(index + 1) != "<" {
                continue;
            }
            let mut depth = 0;
            for at in index + 1..self.tokens.len() {
                match self.text(at) {
                    "<" => depth += 1,
                    ">" => depth -= 1,
                    "{" | ";" => break,
                    word if depth == 1 && NUMBER_TYPES.contains(&word) && matches!(self.text(at - 1), "<" | ",") => {
                        if self.is_word(at + 1) || matches!(self.text(at + 1), ">" | "," | "=") {
                            self.replace(self.tokens[at].range.clone(), "int");
                        }
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
    }

    fn structs(&mut self) {
        for index in 0..self.tokens.len() {
            if !matches!(self.text(index), "struct" | "class")
                || !self.is_word(index + 1)
                || index > 0 && matches!(self.text(index - 1), "enum" | "<" | ",")
            {
                continue;
            }
            let Some(open) =
                (index + 2..self.tokens.len()).find(|&at| matches!(self.text(at), "{" | ";" | "(" | ")" | "="))
            else {
                continue;
            };
            let Some(close) = self.partner(open).filter(|_| self.text(open) == "{") else { continue };
            let name = self.text(index + 1);
            let constructors = self.members(open, close, name);
            if matches!(constructors, Constructors::Impossible | Constructors::Copies) {
                continue;
            }
            let empty =
                if constructors == Constructors::Some { String::new() } else { format!("{name}() = default; ") };
            let section = if self.text(index) == "class" { "public: " } else { "" };
            self.insert(
                self.tokens[close].range.start,
                format!(
                    " {section}{empty}{name}(const {name}&) = default; {name}({name}&&) = default; \
                     {name}(const __constant {name}&) = default; {name}& operator=(const {name}&) = default; \
                     {name}& operator=({name}&&) = default; {name}& operator=(const __constant {name}&) = default; "
                ),
            );
        }
    }

    /// Blanks the member functions of objects that cannot be, and says whether there is a constructor.
    fn members(&mut self, open: usize, close: usize, name: &str) -> Constructors {
        let mut constructors = Constructors::None;
        let mut start = open + 1;
        let mut absent = false;
        let mut at = start;
        while at < close {
            let text = self.text(at);
            absent |= ABSENT_SPACES.contains(&text);
            if text == name {
                match self.text(at + 1) {
                    "(" if !matches!(self.text(at - 1), "~" | "." | ">") => {
                        absent |= self.constructor_elsewhere(at);
                        if constructors != Constructors::Copies {
                            constructors = Constructors::Some;
                        }
                        if self.copies_constant(at, name) {
                            constructors = Constructors::Copies;
                        }
                    }
                    "[" | ";" | "," => return Constructors::Impossible,
                    _ => {}
                }
            }
            let partner = self.partner(at).filter(|&end| end > at);
            let ends = text == ";" || text == "{" && self.text(at.wrapping_sub(1)) != "=";
            if let Some(end) = partner {
                at = end;
            }
            at += 1;
            if ends {
                if absent {
                    let range = self.tokens[start].range.start..self.tokens[at - 1].range.end;
                    self.blank(range);
                }
                absent = false;
                start = at;
            }
        }
        constructors
    }

    /// Whether the constructor whose name is at `at` makes objects that are not in `thread`. Clang wants constructors without a
    /// space for values that have no place yet, so the word `thread` goes.
    fn constructor_elsewhere(&mut self, at: usize) -> bool {
        let Some(end) = self.partner(at + 1) else { return false };
        match self.text(end + 1) {
            "thread" => {
                self.blank(self.tokens[end + 1].range.clone());
                false
            }
            "device" | "constant" | "threadgroup" => true,
            _ => false,
        }
    }

    /// Whether the constructor at `at` copies an object in `constant`.
    fn copies_constant(&self, at: usize, name: &str) -> bool {
        let end = self.partner(at + 1).unwrap_or(at);
        (at + 2..end).any(|at| self.text(at) == name && self.text(at + 1) == "&" && self.text(at - 1) == "constant")
    }

    /// Variables in `threadgroup` memory that functions declare become statics with a reference of that space.
    fn threadgroup_variables(&mut self) {
        for index in 1..self.tokens.len() {
            if self.text(index) != "threadgroup" || !matches!(self.text(index - 1), ";" | "{" | "}") {
                continue;
            }
            let mut names = Vec::new();
            let mut angles = 0i32;
            let mut at = index + 1;
            let end = loop {
                match self.text(at) {
                    "" | "*" | "&" | "(" | "{" | "=" => break None,
                    "<" => angles += 1,
                    ">" => angles -= 1,
                    "[" => {
                        if angles == 0 && self.is_word(at - 1) {
                            names.push(at - 1);
                        }
                        at = self.partner(at).unwrap_or(at);
                    }
                    "," | ";" if angles == 0 => {
                        if self.is_word(at - 1) {
                            names.push(at - 1);
                        }
                        if self.text(at) == ";" {
                            break Some(at);
                        }
                    }
                    _ => {}
                }
                at += 1;
            };
            // A word alone is a member function's qualifier; at least a type and a name are needed.
            let (Some(end), Some(&first)) = (end, names.first().filter(|&&name| name > index + 1)) else { continue };
            let bytes =
                |from: usize, to: usize| &self.source[self.tokens[from].range.start..self.tokens[to].range.start];
            let kind = bytes(index + 1, first).trim_end();
            let mut after = String::new();
            for (number, &name) in names.iter().enumerate() {
                let word = self.text(name);
                if number > 0 {
                    let next = names.get(number + 1).map_or(end, |next| next - 1);
                    let sizes = bytes(name + 1, next);
                    after.push_str(&format!(" static metal::aq_storage<{kind} {sizes}> aq_threadgroup_{word};"));
                }
                after.push_str(&format!(" auto& {word} = metal::aq_threadgroup(aq_threadgroup_{word});"));
            }
            let close_first = names.get(1).map_or(end, |next| next - 1);
            self.replace(self.tokens[index].range.clone(), "static metal::aq_storage<");
            self.blank(self.tokens[first].range.clone());
            let word = self.text(first);
            self.insert(self.tokens[close_first].range.start, format!("> aq_threadgroup_{word}"));
            if close_first < end {
                self.blank(self.tokens[close_first].range.start..self.tokens[end].range.start);
            }
            self.insert(self.tokens[end].range.end, after);
        }
    }

    /// Wraps the two values of each `?:`.
    fn choices(&mut self) {
        /// What is open within one pair of brackets.
        #[derive(PartialEq)]
        enum Open {
            Bracket,
            First,
            Second,
        }
        const WRAP: &str = " (metal::aq_value(), ";
        let mut open = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let start = self.tokens[at].range.start;
            let previous_end = at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end);
            match self.text(at) {
                "(" | "[" | "{" => open.push(Open::Bracket),
                "?" => {
                    self.insert(start + 1, WRAP);
                    open.push(Open::First);
                }
                ":" if open.contains(&Open::First) => {
                    while open.last() == Some(&Open::Second) {
                        open.pop();
                        self.insert(previous_end, ")");
                    }
                    if open.last() == Some(&Open::First) {
                        open.pop();
                        open.push(Open::Second);
                        self.insert(previous_end, ")");
                        self.insert(start + 1, WRAP);
                    }
                }
                sign @ ("," | ";" | ")" | "]" | "}" | ":") => {
                    while open.last() == Some(&Open::Second) {
                        open.pop();
                        self.insert(previous_end, ")");
                    }
                    if matches!(sign, ")" | "]" | "}") && open.last() == Some(&Open::Bracket) {
                        open.pop();
                    }
                }
                "<" if at > 0 && self.is_word(at - 1) && open.last() == Some(&Open::Second) => {
                    if let Some(end) = self.template_arguments(at) {
                        at = end;
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The `>` that closes the template arguments that open at `at`, if it looks like such: names and numbers alone, then a call.
    fn template_arguments(&self, at: usize) -> Option<usize> {
        let mut depth = 0;
        for index in at..(at + 64).min(self.tokens.len()) {
            match self.text(index) {
                "<" => depth += 1,
                ">" => {
                    depth -= 1;
                    if depth == 0 {
                        return matches!(self.text(index + 1), "(" | "{" | "::").then_some(index);
                    }
                }
                "," | "::" | "*" | "&" => {}
                _ if matches!(self.tokens[index].kind, Kind::Word | Kind::Number) => {}
                _ => return None,
            }
        }
        None
    }

    /// Applies the edits. One that begins within another, earlier one is dropped: what is blanked stays so.
    fn finish(mut self) -> Prepared {
        self.edits.sort_by_key(|edit| (edit.range.start, edit.range.end > edit.range.start));
        let mut text = String::with_capacity(self.source.len() * 2);
        let mut done = 0;
        let mut applied: Vec<Edit> = Vec::with_capacity(self.edits.len());
        for edit in self.edits {
            if edit.range.start < done {
                continue;
            }
            text.push_str(&self.source[done..edit.range.start]);
            text.push_str(&edit.text);
            done = edit.range.end;
            applied.push(edit);
        }
        text.push_str(&self.source[done..]);
        let starts = |text: &str| {
            std::iter::once(0)
                .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1))
                .collect::<Vec<_>>()
        };
        let lines = starts(&text).into_iter().zip(starts(self.source)).collect();
        self.attributes.sort_by_key(|attribute| attribute.range.start);
        Prepared { text, attributes: self.attributes, edits: applied, lines }
    }
}
