//! The comparison functions of depth, stencil, alpha and shadow samplers.

/// One of the eight comparison functions. The discriminant is the `D3DCMPFUNC` number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Never passes.
    Never = 1,
    /// Passes when the new value is less than the stored one.
    Less = 2,
    /// Passes when both are equal.
    Equal = 3,
    /// Passes when the new value is less than or equal to the stored one.
    LessEqual = 4,
    /// Passes when the new value is greater than the stored one.
    Greater = 5,
    /// Passes when both differ.
    NotEqual = 6,
    /// Passes when the new value is greater than or equal to the stored one.
    GreaterEqual = 7,
    /// Always passes.
    #[default]
    Always = 8,
}

impl Compare {
    /// All functions, in the order of their numbers.
    pub const ALL: [Compare; 8] = [
        Compare::Never,
        Compare::Less,
        Compare::Equal,
        Compare::LessEqual,
        Compare::Greater,
        Compare::NotEqual,
        Compare::GreaterEqual,
        Compare::Always,
    ];

    /// The function of a `D3DCMPFUNC` number (1 to 8).
    pub fn from_d3d9(number: u32) -> Option<Compare> {
        Self::ALL.get((number as usize).checked_sub(1)?).copied()
    }

    /// Whether `new` passes against `stored`. A NaN on either side is unordered: only [`Compare::NotEqual`] and
    /// [`Compare::Always`] pass.
    #[inline]
    pub fn test<T: PartialOrd>(self, new: T, stored: T) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => new < stored,
            Compare::Equal => new == stored,
            Compare::LessEqual => new <= stored,
            Compare::Greater => new > stored,
            Compare::NotEqual => new != stored,
            Compare::GreaterEqual => new >= stored,
            Compare::Always => true,
        }
    }
}
