//! Declarations of a file, a namespace or a class.

use super::{Declared, Function, Record, SPACES, STAGES, Tokens, Type, Unit};

/// How deep namespaces and classes are looked into.
const DEEPEST: usize = 32;

impl<'a> Unit<'a> {
    /// Declarations between `range`'s ends, of the file, a namespace or the class `class`.
    pub(super) fn scope(&mut self, range: Tokens, class: Option<(&'a str, usize)>, template: bool, depth: usize) {
        let mut i = range.start;
        let mut is_template = template;
        while i < range.end {
            let start = i;
            let text = self.text(i);
            match text {
                ";" | "}" => i += 1,
                "public" | "private" | "protected" if self.text(i + 1) == ":" => i += 2,
                "template" => {
                    is_template = true;
                    i += 1;
                    if self.text(i) == "<" {
                        let close = self.angle_end(i, range.end).unwrap_or(i + 1);
                        for part in self.parts(i + 1..close.saturating_sub(1)) {
                            if matches!(self.text(part.start), "typename" | "class")
                                && let Some(name) = (part.start + 1..part.end).find(|&k| self.is_name(k))
                            {
                                let name = self.text(name);
                                self.template_types.push(name);
                            }
                        }
                        i = close;
                    }
                    continue;
                }
                "namespace" if depth < DEEPEST => {
                    let open = self.until_body(i, range.end);
                    if self.text(open) == "{" {
                        self.scope(open + 1..self.behind(open) - 1, class, false, depth + 1);
                    }
                    i = self.behind(open);
                }
                "using" => {
                    let stop = self.until(i, range.end, &[";"]);
                    if self.text(i + 2) == "="
                        && let Some(declared) = self.parameter(i + 3..stop)
                    {
                        let name = self.text(i + 1);
                        if is_template {
                            self.template_types.push(name);
                        } else {
                            self.aliases.push((name, declared.ty));
                        }
                    }
                    i = stop + 1;
                }
                "typedef" => {
                    let stop = self.until(i, range.end, &[";"]);
                    if depth < DEEPEST
                        && matches!(self.text(i + 1), "struct" | "union" | "class")
                        && (i..stop).any(|k| self.text(k) == "{")
                    {
                        let open = (i..stop).find(|&k| self.text(k) == "{").unwrap_or(i);
                        let close = self.behind(open);
                        let name_at = if self.is_name(close) { close } else { i + 2 };
                        let name = self.text(name_at);
                        self.record_body(name, name_at, None, open, false, depth);
                    } else if let Some(declared) = self.parameter(i + 1..stop)
                        && !declared.function_pointer
                    {
                        self.aliases.push((declared.name, declared.ty));
                    }
                    i = stop + 1;
                }
                "static_assert" | "_Static_assert" | "friend" => i = self.until(i, range.end, &[";"]) + 1,
                "extern" if self.text(i + 2) == "{" && depth < DEEPEST => {
                    let open = i + 2;
                    self.scope(open + 1..self.behind(open) - 1, class, false, depth + 1);
                    i = self.behind(open);
                }
                "struct" | "class" | "union" | "enum" if self.opens_body(i, range.end).is_some() && depth < DEEPEST => {
                    i = self.definition(i, range.end, is_template, depth);
                }
                "~" => i = self.function_end(i, range.end),
                _ => {
                    let functions = self.functions.len();
                    i = self.declaration(i, range.end, class, is_template, depth);
                    if STAGES.contains(&text) && functions == self.functions.len() {
                        self.stray_stages.push(start);
                    }
                }
            }
            is_template = template;
            if i <= start {
                i = start + 1;
            }
        }
    }

    /// Where `{` of a definition stands, if what begins at `at` is one and no use of the word.
    fn opens_body(&self, at: usize, end: usize) -> Option<usize> {
        let mut i = at + 1;
        while i < end {
            match self.text(i) {
                "{" => return Some(i),
                ";" | "(" | "=" | ")" | "*" | "&" => return None,
                "<" => i = self.angle_end(i, end)?,
                "[" => i = self.behind(i),
                _ => i += 1,
            }
        }
        None
    }

    /// A struct or an enumeration with its body; also what is declared behind it.
    fn definition(&mut self, at: usize, end: usize, template: bool, depth: usize) -> usize {
        let Some(open) = self.opens_body(at, end) else { return at + 1 };
        let mut name_at = at + 1;
        while name_at < open
            && (self.is_attribute(name_at)
                || matches!(self.text(name_at), "class" | "struct" | "alignas" | "__attribute__"))
        {
            name_at = match self.text(name_at) {
                "alignas" | "__attribute__" => self.behind(name_at + 1),
                "[" => self.behind(name_at),
                _ => name_at + 1,
            };
        }
        let name = if name_at < open && self.is_name(name_at) { self.text(name_at) } else { "" };
        let close = self.behind(open);
        if self.text(at) == "enum" {
            self.enums.push(name);
        } else {
            let bases = (name_at..open).find(|&k| self.text(k) == ":");
            self.record_body(name, name_at, bases, open, template, depth);
        }
        // `struct S { … } s;`
        let stop = self.until(close, end, &[";"]);
        if close < stop {
            let mut base = Declared { at, ..Declared::default() };
            base.ty = Type { name, at: name_at, ..Type::default() };
            let mut from = close;
            while SPACES.contains(&self.text(from)) || self.text(from) == "const" {
                if self.text(from) != "const" {
                    base.ty.space = Some(self.text(from));
                }
                from += 1;
            }
            if let Some((declared, _)) = self.declarator(&base, from, stop)
                && depth == 0
            {
                self.variables.push(declared);
            }
        }
        stop + 1
    }

    fn record_body(
        &mut self,
        name: &'a str,
        at: usize,
        bases: Option<usize>,
        open: usize,
        template: bool,
        depth: usize,
    ) {
        let place = self.records.len();
        self.records.push(Record { name, at, members: Vec::new(), bases });
        let close = self.behind(open) - 1;
        self.scope(open + 1..close, Some((name, place)), template, depth + 1);
    }

    /// Behind a function that is not of interest.
    fn function_end(&self, at: usize, end: usize) -> usize {
        let stop = self.until_body(at, end);
        if self.text(stop) == "{" { self.behind(stop) } else { stop + 1 }
    }

    fn until_body(&self, at: usize, end: usize) -> usize {
        let mut i = at;
        while i < end && !matches!(self.text(i), ";" | "{") {
            i = if matches!(self.text(i), "(" | "[") { self.behind(i) } else { i + 1 };
        }
        i
    }

    /// Variables or a function.
    fn declaration(
        &mut self,
        at: usize,
        end: usize,
        class: Option<(&'a str, usize)>,
        template: bool,
        depth: usize,
    ) -> usize {
        // A constructor has no type before its name.
        let mut first = at;
        while matches!(self.text(first), "constexpr" | "inline" | "explicit") || SPACES.contains(&self.text(first)) {
            first += 1;
        }
        if let Some((name, _)) = class
            && self.text(first) == name
            && self.text(first + 1) == "("
        {
            let base = Declared { at: first, name, ..Declared::default() };
            return self.function(base, first + 1, end, class, template);
        }
        let Some((base, mut i)) = self.type_at(at, end) else {
            return self.function_end(at, end);
        };
        let mut first = true;
        while i < end {
            let Some((mut declared, next)) = self.declarator(&base, i, end) else { return self.function_end(i, end) };
            if declared.name.is_empty() {
                return self.function_end(at, end);
            }
            i = next;
            if self.text(i) == "(" {
                let ty = self.resolve(&declared.ty);
                if ty.name != "sampler" || !declared.ty.levels.is_empty() {
                    if !first {
                        return self.function_end(at, end);
                    }
                    return self.function(declared, next, end, class, template);
                }
                declared.initialiser = Some(i + 1..self.behind(i) - 1);
                i = self.behind(i);
            }
            match class {
                Some((_, place)) => {
                    // A static member is a constant, not a part of the object.
                    if !declared.words.contains(&"static")
                        && let Some(record) = self.records.get_mut(place)
                    {
                        record.members.push(declared);
                    }
                }
                None if depth < DEEPEST => self.variables.push(declared),
                None => {}
            }
            first = false;
            match self.text(i) {
                "," => i += 1,
                ";" => return i + 1,
                _ => return self.function_end(i, end),
            }
        }
        i
    }

    fn function(
        &mut self,
        declared: Declared<'a>,
        open: usize,
        end: usize,
        class: Option<(&'a str, usize)>,
        template: bool,
    ) -> usize {
        let close = self.behind(open);
        let (mut parameters, mut variadic) = (Vec::new(), None);
        for part in self.parts(open + 1..close - 1) {
            if self.text(part.start) == "..." {
                variadic = Some(part.start);
            } else if let Some(parameter) = self.parameter(part.clone()) {
                if self.text(part.end - 1) == "..."
                    && part.len() > 1
                    && !self.template_types.contains(&parameter.ty.name)
                {
                    variadic = Some(part.end - 1);
                }
                if !(parameter.ty.name == "void" && parameter.ty.levels.is_empty()) {
                    parameters.push(parameter);
                }
            }
        }
        let stage = declared.words.iter().copied().find(|word| STAGES.contains(word));
        let stage = stage.or_else(|| declared.attributes.iter().map(|a| a.name).find(|name| STAGES.contains(name)));
        let mut function = Function {
            name: declared.name,
            at: declared.at,
            stage,
            returns: declared.ty,
            parameters,
            attributes: declared.attributes,
            body: None,
            template,
            member_of: class.map(|(name, _)| name),
            variadic,
        };
        let mut i = close;
        while i < end {
            match self.text(i) {
                "[" if self.is_attribute(i) => i = self.attributes_at(i, &mut function.attributes),
                "{" => {
                    function.body = Some(i + 1..self.behind(i) - 1);
                    i = self.behind(i);
                    break;
                }
                ";" => {
                    i += 1;
                    break;
                }
                ":" => {
                    // Initialisers of members, each a name with brackets.
                    i += 1;
                    while i < end {
                        while i < end && !matches!(self.text(i), "(" | "{") {
                            i = if self.text(i) == "<" { self.angle_end(i, end).unwrap_or(i + 1) } else { i + 1 };
                        }
                        i = self.behind(i);
                        if self.text(i) != "," {
                            break;
                        }
                        i += 1;
                    }
                }
                "}" => break,
                "(" => i = self.behind(i),
                _ => i += 1,
            }
        }
        self.functions.push(function);
        i
    }
}
