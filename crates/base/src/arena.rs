//! Append-only tables.

use crate::Id;
use std::ops::{Index, IndexMut};

/// A table of `T` addressed by [`Id<T>`]. Entries are never removed, so an id stays good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena<T> {
    items: Vec<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// An empty table.
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// An empty table with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { items: Vec::with_capacity(capacity) }
    }

    /// Appends an entry.
    #[inline]
    pub fn push(&mut self, item: T) -> Id<T> {
        let id = Id::new(self.items.len());
        self.items.push(item);
        id
    }

    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The entry, or `None` for an id that is not of this table.
    #[inline]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.items.get(id.index())
    }

    /// Whether `id` names an entry.
    #[inline]
    pub fn contains(&self, id: Id<T>) -> bool {
        id.index() < self.items.len()
    }

    /// All entries with their ids, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id<T>, &T)> + DoubleEndedIterator {
        self.items.iter().enumerate().map(|(index, item)| (Id::new(index), item))
    }

    /// All entries with their ids, in order, to change.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Id<T>, &mut T)> {
        self.items.iter_mut().enumerate().map(|(index, item)| (Id::new(index), item))
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Id<T>> + DoubleEndedIterator + use<T> {
        (0..self.items.len()).map(Id::new)
    }

    /// The entries as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    #[inline]
    fn index(&self, id: Id<T>) -> &T {
        &self.items[id.index()]
    }
}

impl<T> IndexMut<Id<T>> for Arena<T> {
    #[inline]
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.items[id.index()]
    }
}
