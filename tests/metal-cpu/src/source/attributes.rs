//! Attributes, and what is declared in `constant`.

use super::{Attribute, Kind, Pass};
use std::collections::BTreeMap;

/// Attributes that are C++'s own.
const STANDARD_ATTRIBUTES: [&str; 8] =
    ["maybe_unused", "nodiscard", "fallthrough", "likely", "unlikely", "noreturn", "deprecated", "no_unique_address"];

impl Pass<'_> {
    pub(super) fn attribute_lists(&mut self, function_constants: &BTreeMap<u32, String>) {
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

    pub(super) fn zeros(&mut self) {
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
}
