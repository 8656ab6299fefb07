//! Typed 32-bit ids.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::NonZeroU32;

/// An index into an [`Arena`](crate::Arena) of `T`. `Option<Id<T>>` is as small as `Id<T>`.
pub struct Id<T> {
    raw: NonZeroU32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The id of entry `index`.
    ///
    /// # Panics
    /// When `index` is `u32::MAX` or more. Arenas are bounded by [`Limits`](crate::Limits) far below that.
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < u32::MAX as usize, "an arena is full");
        match NonZeroU32::new(index as u32 + 1) {
            Some(raw) => Self { raw, of: PhantomData },
            None => unreachable!(),
        }
    }

    /// The position in the arena, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.raw.get() as usize - 1
    }
}

impl<T> Clone for Id<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.raw.cmp(&other.raw)
    }
}
impl<T> Hash for Id<T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_id_costs_nothing() {
        assert_eq!(size_of::<Option<Id<String>>>(), 4);
    }

    #[test]
    fn index_round_trips() {
        for index in [0, 1, 77, u32::MAX as usize - 1] {
            assert_eq!(Id::<u8>::new(index).index(), index);
        }
    }
}
