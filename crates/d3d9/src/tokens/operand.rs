//! Operands: swizzles, masks, modifiers, relative addressing, sources and destinations (sheet 1.4 to 1.7).

use super::{Register, Version};
use std::fmt;

/// Names of the four lanes.
pub const LANES: [char; 4] = ['x', 'y', 'z', 'w'];
/// Names of the four lanes in pixel shaders of major version 1.
pub const COLOR_LANES: [char; 4] = ['r', 'g', 'b', 'a'];

/// The name of lane 0–3 among `names`.
pub(crate) const fn lane_name(names: &[char; 4], lane: u8) -> char {
    let [x, y, z, w] = *names;
    match lane & 3 {
        0 => x,
        1 => y,
        2 => z,
        _ => w,
    }
}

/// A source swizzle: two bits a lane, x lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle(pub u8);

impl Swizzle {
    /// `xyzw`.
    pub const IDENTITY: Swizzle = Swizzle(0xE4);

    /// The swizzle that reads `lane` (0–3) everywhere.
    pub const fn replicate(lane: u8) -> Self {
        Self((lane & 3) * 0x55)
    }

    /// Which lane (0–3) position `position` (0–3) reads.
    #[inline]
    pub const fn lane(self, position: u8) -> u8 {
        (self.0 >> (2 * (position & 3))) & 3
    }

    /// The four lanes read, in order.
    pub const fn lanes(self) -> [u8; 4] {
        [self.lane(0), self.lane(1), self.lane(2), self.lane(3)]
    }

    /// Whether all positions read the same lane.
    pub const fn is_replicate(self) -> bool {
        self.0.is_multiple_of(0x55)
    }

    /// Whether it is `xyzw`.
    pub const fn is_identity(self) -> bool {
        self.0 == 0xE4
    }
}

impl fmt::Debug for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lanes().into_iter().try_for_each(|lane| write!(f, "{}", lane_name(&LANES, lane)))
    }
}

/// A write mask: bit n for lane n.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask(pub u8);

impl Mask {
    /// `xyzw`.
    pub const ALL: Mask = Mask(0xF);
    /// `xyz`, `rgb`.
    pub const XYZ: Mask = Mask(0x7);
    /// `w`, `a`.
    pub const W: Mask = Mask(0x8);

    /// Whether lane 0–3 is in it.
    #[inline]
    pub const fn has(self, lane: u8) -> bool {
        self.0 >> (lane & 3) & 1 != 0
    }

    /// Its lanes in order.
    pub fn lanes(self) -> impl Iterator<Item = u8> {
        (0..4).filter(move |&lane| self.has(lane))
    }

    /// The number of lanes.
    pub const fn count(self) -> u32 {
        (self.0 & 0xF).count_ones()
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lanes().try_for_each(|lane| write!(f, "{}", lane_name(&LANES, lane)))
    }
}

/// A source modifier, applied after the swizzle (sheet 2.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum SourceModifier {
    /// x.
    None = 0,
    /// −x.
    Negate = 1,
    /// x − 0.5.
    Bias = 2,
    /// −(x − 0.5).
    BiasNegate = 3,
    /// 2x − 1.
    Sign = 4,
    /// −(2x − 1).
    SignNegate = 5,
    /// 1 − x.
    Complement = 6,
    /// 2x.
    X2 = 7,
    /// −2x.
    X2Negate = 8,
    /// Divide by z.
    DivideZ = 9,
    /// Divide by w.
    DivideW = 10,
    /// |x|.
    Abs = 11,
    /// −|x|.
    AbsNegate = 12,
    /// Logical not, of a bool or the predicate.
    Not = 13,
}

impl SourceModifier {
    /// All, in the order of their numbers.
    pub const ALL: [SourceModifier; 14] = {
        use SourceModifier::*;
        [
            None, Negate, Bias, BiasNegate, Sign, SignNegate, Complement, X2, X2Negate, DivideZ, DivideW, Abs,
            AbsNegate, Not,
        ]
    };

    /// The modifier of that number.
    #[inline]
    #[allow(clippy::indexing_slicing)] // In bounds by the condition.
    pub const fn from_number(number: u8) -> Option<Self> {
        if (number as usize) < Self::ALL.len() { Some(Self::ALL[number as usize]) } else { None }
    }

    /// What stands before the register in text: nothing, `-`, `1-` or `!`.
    pub const fn prefix(self) -> &'static str {
        use SourceModifier::*;
        match self {
            Negate | BiasNegate | SignNegate | X2Negate | AbsNegate => "-",
            Complement => "1-",
            Not => "!",
            None | Bias | Sign | X2 | DivideZ | DivideW | Abs => "",
        }
    }

    /// What stands behind the register in text: nothing or `_bias`, `_bx2` …
    pub const fn suffix(self) -> &'static str {
        use SourceModifier::*;
        match self {
            Bias | BiasNegate => "_bias",
            Sign | SignNegate => "_bx2",
            X2 | X2Negate => "_x2",
            DivideZ => "_dz",
            DivideW => "_dw",
            Abs | AbsNegate => "_abs",
            None | Negate | Complement | Not => "",
        }
    }
}

/// Which register a relative address adds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelativeIndex {
    /// a lane of a0 (0–3).
    Address(u8),
    /// aL.
    Loop,
}

/// Relative addressing of an operand: the register's index plus `index`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Relative {
    /// What is added.
    pub index: RelativeIndex,
    /// The swizzle as the token has it; [`RelativeIndex::Address`] holds its first lane. vs_1_1 has no token and always
    /// means a0.x.
    pub swizzle: Swizzle,
}

/// A source operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The register, or the base of the relative address.
    pub register: Register,
    /// Lanes read.
    pub swizzle: Swizzle,
    /// What is done to them.
    pub modifier: SourceModifier,
    /// What is added to the index.
    pub relative: Option<Relative>,
}

/// A destination operand. `texkill` and `texdepth` have a destination-shaped operand that they read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Destination {
    /// The register, or the base of the relative address.
    pub register: Register,
    /// Lanes written.
    pub mask: Mask,
    /// `_sat`: clamp the result to 0–1.
    pub saturate: bool,
    /// `_pp`: the result may be computed in 16 bits.
    pub partial_precision: bool,
    /// `_centroid`, on dcl only.
    pub centroid: bool,
    /// Exponent of the factor to the result: −3 to 3 (`_d8` to `_x8`).
    pub shift: i8,
    /// What is added to the index (vs_3_0 outputs).
    pub relative: Option<Relative>,
}

/// The predicate of an instruction: lane i is written only if lane `swizzle[i]` of p0 holds (or not, if `negate`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    /// `!p0`.
    pub negate: bool,
    /// Lanes of p0.
    pub swizzle: Swizzle,
}

/// A comparison of `if_`, `break_` and `setp_`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Comparison {
    /// Greater.
    Gt = 1,
    /// Equal.
    Eq = 2,
    /// Greater or equal.
    Ge = 3,
    /// Less.
    Lt = 4,
    /// Not equal, and true for NaN.
    Ne = 5,
    /// Less or equal.
    Le = 6,
}

impl Comparison {
    /// All six, in the order of their numbers.
    pub const ALL: [Comparison; 6] =
        [Comparison::Gt, Comparison::Eq, Comparison::Ge, Comparison::Lt, Comparison::Ne, Comparison::Le];

    /// The comparison of that number; 0 and 7 are reserved.
    #[inline]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get((number as usize).wrapping_sub(1)).copied()
    }

    /// `gt`, `eq`, `ge`, `lt`, `ne`, `le`.
    pub const fn name(self) -> &'static str {
        match self {
            Comparison::Gt => "gt",
            Comparison::Eq => "eq",
            Comparison::Ge => "ge",
            Comparison::Lt => "lt",
            Comparison::Ne => "ne",
            Comparison::Le => "le",
        }
    }
}

/// Which form of texld an instruction of ps_2_0 and later is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TexldKind {
    /// `texld`.
    #[default]
    Plain,
    /// `texldp`: the coordinate is divided by its w.
    Project,
    /// `texldb`: w is a bias of the level of detail.
    Bias,
}

impl Source {
    /// A plain source: no modifier, no relative address.
    pub const fn plain(register: Register, swizzle: Swizzle) -> Self {
        Self { register, swizzle, modifier: SourceModifier::None, relative: None }
    }

    /// Its token, without a relative token.
    pub fn token(&self) -> u32 {
        register_token(self.register)
            | u32::from(self.swizzle.0) << 16
            | (self.modifier as u32) << 24
            | u32::from(self.relative.is_some()) << 13
    }
}

impl Destination {
    /// A plain destination.
    pub const fn plain(register: Register, mask: Mask) -> Self {
        Self { register, mask, saturate: false, partial_precision: false, centroid: false, shift: 0, relative: None }
    }

    /// Its token, without a relative token.
    pub fn token(&self) -> u32 {
        register_token(self.register)
            | u32::from(self.mask.0 & 0xF) << 16
            | u32::from(self.saturate) << 20
            | u32::from(self.partial_precision) << 21
            | u32::from(self.centroid) << 22
            | ((self.shift as u32) & 0xF) << 24
            | u32::from(self.relative.is_some()) << 13
    }
}

impl Relative {
    /// The token that follows a relative operand; vs_1_1 has none.
    pub fn token(self, version: Version) -> Option<u32> {
        if version.major == 1 {
            return None;
        }
        let base = match self.index {
            RelativeIndex::Address(_) => 0xB000_0000,
            RelativeIndex::Loop => 0xF000_0800,
        };
        Some(base | u32::from(self.swizzle.0) << 16)
    }
}

impl Predicate {
    /// Its token.
    pub fn token(self) -> u32 {
        0xB000_1000 | u32::from(self.swizzle.0) << 16 | if self.negate { 0x0D00_0000 } else { 0 }
    }
}

/// Type and number of a register in their places, with bit 31.
pub fn register_token(register: Register) -> u32 {
    let (kind, number) = register.to_token();
    0x8000_0000 | u32::from(kind & 7) << 28 | u32::from(kind & 0x18) << 8 | u32::from(number & 0x7FF)
}
