//! View swizzles: which stored channel, or which constant, each lane of a result shows.

/// What one lane of a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// The stored red.
    R,
    /// The stored green.
    G,
    /// The stored blue.
    B,
    /// The stored alpha.
    A,
    /// The constant 0.
    Zero,
    /// The constant 1.
    One,
}

/// Four [`Channel`]s, applied to whatever leaves a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle(pub [Channel; 4]);

use Channel::{A, B, G, One, R, Zero};

/// D3DFORMAT numbers whose sampled channels are not all stored ones: bytecode sheet 2.5, "Sampled formats with missing
/// channels". Luminance is stored in red, U and V in red and green, alpha in alpha.
const D3D9_FORMATS: &[(u32, [Channel; 4])] = &[
    (22, [R, G, B, One]),        // X8R8G8B8
    (23, [R, G, B, One]),        // R5G6B5
    (24, [R, G, B, One]),        // X1R5G5B5
    (27, [R, G, B, One]),        // R3G3B2
    (28, [Zero, Zero, Zero, A]), // A8
    (30, [R, G, B, One]),        // X4R4G4B4
    (33, [R, G, B, One]),        // X8B8G8R8
    (34, [R, G, One, One]),      // G16R16
    (50, [R, R, R, One]),        // L8
    (51, [R, R, R, A]),          // A8L8
    (52, [R, R, R, A]),          // A4L4
    (60, [R, G, One, One]),      // V8U8
    (61, [R, G, B, One]),        // L6V5U5
    (62, [R, G, B, One]),        // X8L8V8U8
    (64, [R, G, One, One]),      // V16U16
    (81, [R, R, R, One]),        // L16
    (111, [R, One, One, One]),   // R16F
    (112, [R, G, One, One]),     // G16R16F
    (114, [R, One, One, One]),   // R32F
    (115, [R, G, One, One]),     // G32R32F
];

impl Swizzle {
    /// Each lane shows its own channel.
    pub const IDENTITY: Swizzle = Swizzle([R, G, B, A]);

    /// The swizzle by which Direct3D 9 shows a `D3DFORMAT` to shaders (bytecode sheet 2.5); formats with all channels,
    /// and unknown ones, are shown as they are.
    pub fn d3d9_format(format: u32) -> Swizzle {
        D3D9_FORMATS.iter().find(|row| row.0 == format).map_or(Self::IDENTITY, |row| Swizzle(row.1))
    }

    /// Applies the swizzle; `one` is what [`Channel::One`] shows.
    #[inline]
    pub(super) fn apply<T: Copy + Default>(self, texel: [T; 4], one: T) -> [T; 4] {
        if self == Self::IDENTITY {
            return texel;
        }
        self.0.map(|channel| match channel {
            R => texel[0],
            G => texel[1],
            B => texel[2],
            A => texel[3],
            Zero => T::default(),
            One => one,
        })
    }
}

impl Default for Swizzle {
    fn default() -> Self {
        Self::IDENTITY
    }
}
