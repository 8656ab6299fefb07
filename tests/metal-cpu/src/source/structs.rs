//! Structs and templates: copies out of `constant`, functions of objects elsewhere, number parameters.

use super::Pass;

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

impl Pass<'_> {
    pub(super) fn templates(&mut self) {
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
                    word if depth == 1 && NUMBER_TYPES.contains(&word) && self.is_parameter(at) => {
                        self.replace(self.tokens[at].range.clone(), "int");
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
    }

    /// Whether the word at `at` is all of a template parameter's type.
    fn is_parameter(&self, at: usize) -> bool {
        matches!(self.text(at - 1), "<" | ",") && (self.is_word(at + 1) || matches!(self.text(at + 1), ">" | "," | "="))
    }

    pub(super) fn structs(&mut self) {
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
}
