//! Interned strings.

use crate::HashMap;
use std::fmt;

/// A string of a [`Names`] table. Equal strings of one table have equal names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

impl Name {
    /// The empty string, present in every table.
    pub const EMPTY: Name = Name(0);

    /// The position in the table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name{}", self.0)
    }
}

/// A table of distinct strings, held in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Ends of the strings in `text`. The empty string, number 0, has no entry, so that an empty table costs nothing.
    ends: Vec<u32>,
    /// Filled only once the table outgrows a linear search: most modules hold a dozen names.
    index: HashMap<Box<str>, Name>,
}

const LINEAR: usize = 24;

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.ends == other.ends
    }
}

impl Names {
    /// A table that holds the empty string.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name of `text`, entered if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(name) = self.find(text) {
            return name;
        }
        if self.ends.is_empty() {
            // Most tables end up with about that much.
            self.text.reserve(128);
            self.ends.reserve(16);
        }
        self.text.push_str(text);
        self.enter()
    }

    /// The name of what `write` appends, entered if it is new: [`Names::intern`] of a text that is put together for it.
    pub fn intern_with(&mut self, write: impl FnOnce(&mut String)) -> Name {
        let start = self.text.len();
        write(&mut self.text);
        match self.find(self.text.get(start..).unwrap_or_default()) {
            Some(name) => {
                self.text.truncate(start);
                name
            }
            None => self.enter(),
        }
    }

    /// Enters what lies behind the last string.
    fn enter(&mut self) -> Name {
        self.ends.push(self.text.len() as u32);
        let name = Name(self.ends.len() as u32);
        if self.ends.len() > LINEAR {
            if self.index.is_empty() {
                self.index = (0..self.len()).map(|i| (self.at(i).into(), Name(i as u32))).collect();
            } else {
                self.index.insert(self.at(name.index()).into(), name);
            }
        }
        name
    }

    /// Takes all strings out, and keeps the memory. Names that it gave out mean nothing any more.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.index.clear();
    }

    /// The name of `text` if it was entered before.
    pub fn find(&self, text: &str) -> Option<Name> {
        if self.index.is_empty() {
            if text.is_empty() {
                return Some(Name::EMPTY);
            }
            // Lengths first: they tell most strings apart.
            let bytes = self.text.as_bytes();
            let mut start = 0;
            for (entry, &end) in self.ends.iter().enumerate() {
                let end = end as usize;
                if end - start == text.len() && &bytes[start..end] == text.as_bytes() {
                    return Some(Name(entry as u32 + 1));
                }
                start = end;
            }
            None
        } else {
            self.index.get(text).copied()
        }
    }

    /// The string of `name`.
    pub fn get(&self, name: Name) -> &str {
        self.at(name.index())
    }

    /// The number of strings, the empty one included.
    pub fn len(&self) -> usize {
        self.ends.len() + 1
    }

    /// Never true: the empty string is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn at(&self, index: usize) -> &str {
        match index.checked_sub(1) {
            None => "",
            Some(entry) => {
                let start = entry.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
                &self.text[start..self.ends[entry] as usize]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_share_a_name_before_and_after_the_index_is_built() {
        let mut names = Names::new();
        let all: Vec<_> = (0..100).map(|i| names.intern(&format!("n{i}"))).collect();
        for (i, &name) in all.iter().enumerate() {
            assert_eq!(names.get(name), format!("n{i}"));
            assert_eq!(names.intern(&format!("n{i}")), name);
            assert_eq!(names.intern_with(|text| text.push_str(&format!("n{i}"))), name);
        }
        assert_eq!(names.intern(""), Name::EMPTY);
        assert_eq!(names.len(), 101);
        assert_eq!(names.intern_with(|_| {}), Name::EMPTY);
        let more = names.intern_with(|text| text.push_str("more"));
        assert_eq!((names.get(more), names.find("more")), ("more", Some(more)));
        names.clear();
        assert_eq!(names.find("n1"), None);
        assert_eq!(names.len(), 1);
    }
}
