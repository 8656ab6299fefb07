//! Where the tokens of macros come from (sheet A3.20).

use aquatint_base::{Diagnostic, Name, Span};

/// An entry of [`Expansions`], or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExpansionId(u32);

impl ExpansionId {
    /// Of no macro.
    pub const NONE: ExpansionId = ExpansionId(u32::MAX);

    /// Whether it stands for no macro.
    pub const fn is_none(self) -> bool {
        self.0 == u32::MAX
    }
}

/// One use of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// The macro.
    pub name: Name,
    /// Where its name stands in its definition; [`Span::NONE`] for a predefined one.
    pub definition: Span,
    /// The use that the name stood in.
    pub parent: ExpansionId,
}

/// The uses of macros that tokens come from.
#[derive(Clone, Debug, Default)]
pub struct Expansions {
    all: Vec<Expansion>,
}

/// How many levels of macros a diagnostic names at most.
pub const NOTED_LEVELS: usize = 8;

impl Expansions {
    /// Enters a use.
    pub fn push(&mut self, expansion: Expansion) -> ExpansionId {
        self.all.push(expansion);
        ExpansionId(self.all.len() as u32 - 1)
    }

    /// The use of that number.
    pub fn get(&self, id: ExpansionId) -> Option<&Expansion> {
        self.all.get(id.0 as usize)
    }

    /// The number of uses kept.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Forgets the uses behind the first `len`: no token came of them.
    pub fn truncate(&mut self, len: usize) {
        self.all.truncate(len);
    }

    /// The uses that `id` stands in, the innermost first.
    pub fn stack(&self, id: ExpansionId) -> impl Iterator<Item = &Expansion> {
        let mut next = id;
        std::iter::from_fn(move || {
            let expansion = self.get(next)?;
            next = expansion.parent;
            Some(expansion)
        })
    }

    /// `diagnostic` with the macros named that the token of expansion `id` comes from, at most [`NOTED_LEVELS`] of them.
    #[must_use]
    pub fn explain(&self, id: ExpansionId, mut diagnostic: Diagnostic, names: &aquatint_base::Names) -> Diagnostic {
        for expansion in self.stack(id).take(NOTED_LEVELS) {
            let text = format!("expanded from macro '{}'", names.get(expansion.name));
            diagnostic = if expansion.definition.is_none() {
                diagnostic.note(text)
            } else {
                diagnostic.at(expansion.definition, text)
            };
        }
        diagnostic
    }
}
