//! Statements: variables in `threadgroup` memory, and `?:`.

use super::{Kind, Pass};

impl Pass<'_> {
    /// Variables in `threadgroup` memory that functions declare become statics with a reference of that space.
    pub(super) fn threadgroup_variables(&mut self) {
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
    pub(super) fn choices(&mut self) {
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
}
