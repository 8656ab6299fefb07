//! Register types and files (sheet 1.10, 1.11).

use super::{Stage, Version};

/// A register type, named for what it is in its stage and version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum RegisterKind {
    /// r#: temporary.
    Temp,
    /// v#: input.
    Input,
    /// c#: float constant; the bank offset of types 11 to 13 is already in the index.
    Const,
    /// a0: address register (vertex).
    Address,
    /// t#: texture coordinate or texture register (pixel, below 3_0).
    Texture,
    /// oPos: clip-space position (vertex, below 3_0).
    PositionOut,
    /// oFog: fog factor (vertex, below 3_0).
    FogOut,
    /// oPts: point size (vertex, below 3_0).
    PointSizeOut,
    /// oD#: colour output (vertex, below 3_0).
    AttrOut,
    /// oT#: texture coordinate output (vertex, below 3_0).
    TexCoordOut,
    /// o#: declared output (vertex, 3_0).
    Output,
    /// i#: integer constant.
    ConstInt,
    /// oC#: colour output (pixel).
    ColorOut,
    /// oDepth: depth output (pixel).
    DepthOut,
    /// s#: sampler.
    Sampler,
    /// b#: bool constant.
    ConstBool,
    /// aL: loop counter.
    Loop,
    /// vPos: pixel position (pixel, 3_0).
    PixelPosition,
    /// vFace: sign of the facing (pixel, 3_0).
    Face,
    /// l#: label.
    Label,
    /// p0: predicate.
    Predicate,
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Register {
    /// Its type.
    pub kind: RegisterKind,
    /// Its number, with the bank offset for constants 2048 to 8191; 0 for single registers.
    pub index: u16,
}

/// A file that the version lacks.
const NONE: u16 = 0;

impl RegisterKind {
    /// Whether only instructions of the stage's vertex or pixel side write it to hand it on.
    pub const fn is_output(self) -> bool {
        use RegisterKind::*;
        matches!(self, PositionOut | FogOut | PointSizeOut | AttrOut | TexCoordOut | Output | ColorOut | DepthOut)
    }

    /// Whether the register has one number only, which text does not print.
    pub const fn is_single(self) -> bool {
        use RegisterKind::*;
        matches!(self, PositionOut | FogOut | PointSizeOut | DepthOut | Loop | PixelPosition | Face)
    }

    /// The name in text, before the number.
    pub const fn name(self) -> &'static str {
        use RegisterKind::*;
        match self {
            Temp => "r",
            Input => "v",
            Const => "c",
            Address => "a",
            Texture => "t",
            PositionOut => "oPos",
            FogOut => "oFog",
            PointSizeOut => "oPts",
            AttrOut => "oD",
            TexCoordOut => "oT",
            Output => "o",
            ConstInt => "i",
            ColorOut => "oC",
            DepthOut => "oDepth",
            Sampler => "s",
            ConstBool => "b",
            Loop => "aL",
            PixelPosition => "vPos",
            Face => "vFace",
            Label => "l",
            Predicate => "p",
        }
    }
}

impl Register {
    /// A register.
    pub const fn new(kind: RegisterKind, index: u16) -> Self {
        Self { kind, index }
    }

    /// The register that type and number of a token name in that version; none where the type does not exist in the
    /// stage or the number names nothing there. `relative`: the number is the base of a relative address.
    #[inline]
    pub const fn from_token(kind: u8, number: u16, relative: bool, version: Version) -> Option<Self> {
        use RegisterKind as K;
        let pixel = version.is_pixel();
        let (kind, index) = match (kind, number) {
            (0, _) => (K::Temp, number),
            (1, _) => (K::Input, number),
            (2, _) => (K::Const, number),
            (3, _) if pixel => (K::Texture, number),
            (3, _) => (K::Address, number),
            (4, 0) if !pixel => (K::PositionOut, 0),
            (4, 1) if !pixel => (K::FogOut, 0),
            (4, 2) if !pixel => (K::PointSizeOut, 0),
            (5, _) if !pixel => (K::AttrOut, number),
            (6, _) if !pixel => (if version.major >= 3 { K::Output } else { K::TexCoordOut }, number),
            (7, _) => (K::ConstInt, number),
            (8, _) if pixel => (K::ColorOut, number),
            (9, 0) if pixel => (K::DepthOut, 0),
            (10, _) => (K::Sampler, number),
            (11..=13, _) => (K::Const, number + 2048 * (kind as u16 - 10)),
            (14, _) => (K::ConstBool, number),
            (15, 0) => (K::Loop, 0),
            (17, 0) if pixel => (K::PixelPosition, 0),
            (17, 1) if pixel => (K::Face, 0),
            (18, _) => (K::Label, number),
            (19, _) => (K::Predicate, number),
            _ => return None,
        };
        let register = Self { kind, index };
        // The base of a relative address may lie outside its file: only the sum has to be inside.
        if relative || register.index < register.count(version) || register.index < register.widest(version) {
            Some(register)
        } else {
            None
        }
    }

    /// Type number and number of the register's token.
    pub const fn to_token(self) -> (u8, u16) {
        use RegisterKind as K;
        match self.kind {
            K::Temp => (0, self.index),
            K::Input => (1, self.index),
            K::Const if self.index < 2048 => (2, self.index),
            K::Const => (10 + (self.index / 2048) as u8, self.index % 2048),
            K::Address | K::Texture => (3, self.index),
            K::PositionOut => (4, 0),
            K::FogOut => (4, 1),
            K::PointSizeOut => (4, 2),
            K::AttrOut => (5, self.index),
            K::TexCoordOut | K::Output => (6, self.index),
            K::ConstInt => (7, self.index),
            K::ColorOut => (8, self.index),
            K::DepthOut => (9, 0),
            K::Sampler => (10, self.index),
            K::ConstBool => (14, self.index),
            K::Loop => (15, 0),
            K::PixelPosition => (17, 0),
            K::Face => (17, 1),
            K::Label => (18, self.index),
            K::Predicate => (19, self.index),
        }
    }

    /// How many registers of this kind the version has (sheet 1.11, caps at their widest).
    pub const fn count(self, version: Version) -> u16 {
        file(self.kind, version)
    }

    /// How many the widest version of the same stage and major has: beyond that the register cannot exist (E-REG).
    #[allow(clippy::indexing_slicing)] // A constant function has no iterators; the index stays below the length.
    pub const fn widest(self, version: Version) -> u16 {
        let mut most = 0;
        let minors: [u8; 4] = [1, 3, 4, 255];
        let mut i = 0;
        while i < minors.len() {
            if version.major != 1 || minors[i] < 255 {
                let wide = file(self.kind, Version { stage: version.stage, major: version.major, minor: minors[i] });
                if wide > most {
                    most = wide;
                }
            }
            i += 1;
        }
        most
    }

    /// Whether the version has this register.
    pub const fn exists_in(self, version: Version) -> bool {
        self.index < self.count(version)
    }
}

/// The two tables of sheet 1.11.
const fn file(kind: RegisterKind, version: Version) -> u16 {
    use RegisterKind as K;
    let Version { stage, major, minor } = version;
    let software = version.is_software();
    match stage {
        Stage::Vertex => match kind {
            K::Input => 16,
            K::Temp => match (major, minor) {
                (1, _) | (2, 0) => 12,
                _ => 32,
            },
            K::Const => {
                if software {
                    8192
                } else {
                    256
                }
            }
            K::ConstInt | K::ConstBool => match (major, software) {
                (1, _) => NONE,
                (_, true) => 2048,
                _ => 16,
            },
            K::Address => {
                // vs_1_0 is vs_1_1 without a0.
                if major == 1 && minor == 0 { NONE } else { 1 }
            }
            K::Loop => (major >= 2) as u16,
            K::Predicate => version.at_least(2, 1) as u16,
            // s4 to s15 of the software versions are accepted: no hardware had a limit for them.
            K::Sampler => match (major, software) {
                (3, true) => 16,
                (3, _) => 4,
                _ => NONE,
            },
            K::PositionOut | K::FogOut | K::PointSizeOut => (major < 3) as u16,
            K::AttrOut => 2 * (major < 3) as u16,
            K::TexCoordOut => 8 * (major < 3) as u16,
            K::Output => match (major, software) {
                (3, true) => 16,
                (3, _) => 12,
                _ => NONE,
            },
            K::Label => match (major, minor) {
                (1, _) => NONE,
                (2, 0 | 1) => 16,
                _ => 2048,
            },
            K::Texture | K::ColorOut | K::DepthOut | K::PixelPosition | K::Face => NONE,
        },
        Stage::Pixel => match kind {
            K::Input => {
                if major == 3 {
                    10
                } else {
                    2
                }
            }
            K::Texture => match (major, minor) {
                (1, 4) => 6,
                (1, _) => 4,
                (2, _) => 8,
                _ => NONE,
            },
            K::Temp => match (major, minor) {
                (1, 4) => 6,
                (1, _) => 2,
                (2, 0) => 12,
                _ => 32,
            },
            K::Const => match (major, software) {
                (1, _) => 8,
                (_, true) => 8192,
                (2, _) => 32,
                _ => 224,
            },
            K::Sampler => match (major, minor) {
                (1, 4) => 6,
                (1, _) => 4,
                _ => 16,
            },
            K::ConstInt | K::ConstBool => match (major, minor) {
                (1, _) | (2, 0) => NONE,
                (_, 255) => 2048,
                _ => 16,
            },
            K::Loop => (major == 3) as u16,
            K::Predicate => version.at_least(2, 1) as u16,
            K::ColorOut => 4 * (major >= 2) as u16,
            K::DepthOut => (major >= 2) as u16,
            K::PixelPosition | K::Face => (major == 3) as u16,
            K::Label => match (major, minor) {
                (1, _) | (2, 0) => NONE,
                (2, 1) => 16,
                _ => 2048,
            },
            K::Address | K::PositionOut | K::FogOut | K::PointSizeOut | K::AttrOut | K::TexCoordOut | K::Output => NONE,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn const_banks_2049_4100_8191() {
        let version = Version::vertex(3, 255);
        for (kind, number, index) in [(11, 1, 2049), (12, 4, 4100), (13, 2047, 8191), (2, 2047, 2047)] {
            let register = Register::from_token(kind, number, false, version).unwrap();
            assert_eq!(register, Register::new(RegisterKind::Const, index));
            assert_eq!(register.to_token(), (kind, number));
        }
    }

    #[test]
    fn types_that_no_version_has() {
        for kind in [16u8, 20, 25, 31] {
            assert_eq!(Register::from_token(kind, 0, false, Version::pixel(3, 0)), None);
        }
        assert_eq!(Register::from_token(4, 3, false, Version::vertex(2, 0)), None);
        assert_eq!(Register::from_token(4, 0, false, Version::pixel(2, 0)), None);
        assert_eq!(Register::from_token(17, 2, false, Version::pixel(3, 0)), None);
        assert_eq!(Register::from_token(0, 32, false, Version::pixel(2, 0)), None, "r32 is in no version");
        assert!(
            Register::from_token(0, 31, false, Version::pixel(2, 0))
                .is_some_and(|r| !r.exists_in(Version::pixel(2, 0)))
        );
    }
}
