//! As much YAML as pipelines of tests need: maps, lists, lists in brackets.

use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(super) enum Yaml {
    Text(String),
    List(Vec<Yaml>),
    Map(BTreeMap<String, Yaml>),
}

impl Yaml {
    pub(super) fn get(&self, key: &str) -> Option<&Yaml> {
        match self {
            Yaml::Map(map) => map.get(key),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> &[Yaml] {
        match self {
            Yaml::List(list) => list,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Yaml::Text(text) => text,
            _ => "",
        }
    }

    pub(super) fn str(&self, key: &str) -> &str {
        self.get(key).map_or("", Yaml::text)
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        let text = self.str(key);
        match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        }
    }
}

/// A line: its indentation and what stands there.
type Line = (usize, String);

pub(super) fn parse(text: &str) -> Yaml {
    let mut lines: Vec<Line> = Vec::new();
    let mut open = 0i32;
    for raw in text.lines() {
        let line = match raw.find(" #") {
            Some(at) => &raw[..at],
            None if raw.trim_start().starts_with('#') => "",
            None => raw,
        };
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed == "---" || trimmed == "..." {
            continue;
        }
        let brackets = trimmed.matches('[').count() as i32 - trimmed.matches(']').count() as i32;
        if open > 0 {
            if let Some(last) = lines.last_mut() {
                last.1.push(' ');
                last.1.push_str(trimmed);
            }
        } else {
            lines.push((line.len() - line.trim_start().len(), trimmed.to_owned()));
        }
        open += brackets;
    }
    let mut at = 0;
    let indent = lines.first().map_or(0, |l| l.0);
    block(&mut lines, &mut at, indent)
}

fn scalar(text: &str) -> Yaml {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        let items = inner.split(',').map(str::trim).filter(|t| !t.is_empty());
        return Yaml::List(items.map(|t| Yaml::Text(t.to_owned())).collect());
    }
    Yaml::Text(text.trim_matches(['"', '\'']).to_owned())
}

fn block(lines: &mut [Line], at: &mut usize, indent: usize) -> Yaml {
    let Some(first) = lines.get(*at) else { return Yaml::Text(String::new()) };
    if first.1.starts_with("- ") || first.1 == "-" {
        let mut list = Vec::new();
        while let Some((here, text)) = lines.get(*at).cloned() {
            if here != indent || !text.starts_with('-') {
                break;
            }
            let rest = text[1..].trim_start().to_owned();
            let inner = here + (text.len() - rest.len());
            if rest.is_empty() {
                *at += 1;
                let inner = lines.get(*at).map_or(0, |l| l.0);
                list.push(block(lines, at, inner));
            } else if rest.contains(": ") || rest.ends_with(':') {
                lines[*at] = (inner, rest);
                list.push(block(lines, at, inner));
            } else {
                *at += 1;
                list.push(scalar(&rest));
            }
        }
        return Yaml::List(list);
    }
    let mut map = BTreeMap::new();
    while let Some((here, text)) = lines.get(*at).cloned() {
        if here != indent || text.starts_with("- ") {
            break;
        }
        let Some((key, value)) = text.split_once(':') else {
            *at += 1;
            continue;
        };
        *at += 1;
        let value = value.trim();
        let inner = lines.get(*at).map_or(0, |l| l.0);
        let nested = inner > indent || (inner == indent && lines.get(*at).is_some_and(|l| l.1.starts_with("- ")));
        let parsed = if value.is_empty() && nested { block(lines, at, inner) } else { scalar(value) };
        map.insert(key.trim().to_owned(), parsed);
    }
    Yaml::Map(map)
}
