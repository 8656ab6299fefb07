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

mod attributes;
mod choices;
mod structs;
pub(crate) mod tokens;

use std::collections::BTreeMap;
use std::ops::Range;
use tokens::{Kind, Token, partners, tokens};

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

#[cfg(test)]
mod tests;
