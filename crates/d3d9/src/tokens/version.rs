//! Stages and versions (sheet 1.1).

use std::fmt;

/// Which stage a shader runs in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Vertex shader, version word `FFFE MMmm`.
    Vertex,
    /// Pixel shader, version word `FFFF MMmm`.
    Pixel,
}

impl Stage {
    /// `vs` or `ps`.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vs",
            Stage::Pixel => "ps",
        }
    }
}

/// A shader version. Deliberately without an order: minor 0xFF means "software, at least the `_x` or `_0` feature set of
/// that major", so a plain comparison with `3.0` would lose the `_sw` versions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version {
    /// Vertex or pixel.
    pub stage: Stage,
    /// 1, 2 or 3.
    pub major: u8,
    /// 0–4 in major 1; 0 (`_0`), 1 (`_x`) or 0xFF (`_sw`) in the others.
    pub minor: u8,
}

/// The minor number of the `_sw` versions.
pub const SOFTWARE: u8 = 0xFF;

impl Version {
    /// A vertex shader version.
    pub const fn vertex(major: u8, minor: u8) -> Self {
        Self { stage: Stage::Vertex, major, minor }
    }

    /// A pixel shader version.
    pub const fn pixel(major: u8, minor: u8) -> Self {
        Self { stage: Stage::Pixel, major, minor }
    }

    /// The version of a first word, if it is one of the fifteen that exist.
    pub const fn from_word(word: u32) -> Option<Self> {
        let stage = match word >> 16 {
            0xFFFE => Stage::Vertex,
            0xFFFF => Stage::Pixel,
            _ => return None,
        };
        let (major, minor) = ((word >> 8) as u8, word as u8);
        let exists = matches!(
            (stage, major, minor),
            (Stage::Vertex, 1, 0..=1) | (Stage::Pixel, 1, 0..=4) | (_, 2, 0 | 1 | SOFTWARE) | (_, 3, 0 | SOFTWARE)
        );
        if exists { Some(Self { stage, major, minor }) } else { None }
    }

    /// The first word of a stream of this version.
    pub const fn word(self) -> u32 {
        let head: u32 = match self.stage {
            Stage::Vertex => 0xFFFE_0000,
            Stage::Pixel => 0xFFFF_0000,
        };
        head | (self.major as u32) << 8 | self.minor as u32
    }

    /// Whether this is a `_sw` version.
    pub const fn is_software(self) -> bool {
        self.minor == SOFTWARE
    }

    /// Whether this version has at least the features of `major.minor`; `_sw` has those of every minor of its major.
    pub const fn at_least(self, major: u8, minor: u8) -> bool {
        self.major > major || (self.major == major && self.minor >= minor)
    }

    /// Whether this is a pixel shader.
    pub const fn is_pixel(self) -> bool {
        matches!(self.stage, Stage::Pixel)
    }

    /// Whether this is a vertex shader.
    pub const fn is_vertex(self) -> bool {
        matches!(self.stage, Stage::Vertex)
    }

    /// Whether this is a pixel shader of major version 1.
    pub const fn is_ps_1(self) -> bool {
        self.is_pixel() && self.major == 1
    }

    /// Whether this is ps_1_0 to ps_1_3, whose texture instructions work on t registers.
    pub const fn is_ps_1_0_to_1_3(self) -> bool {
        self.is_ps_1() && self.minor < 4
    }

    /// Whether this is ps_1_4.
    pub const fn is_ps_1_4(self) -> bool {
        self.is_ps_1() && self.minor == 4
    }

    /// The usual name: `ps_1_4`, `vs_2_x`, `ps_3_sw`.
    pub const fn name(self) -> &'static str {
        match (self.stage, self.major, self.minor) {
            (Stage::Vertex, 1, 0) => "vs_1_0",
            (Stage::Vertex, 1, _) => "vs_1_1",
            (Stage::Vertex, 2, 0) => "vs_2_0",
            (Stage::Vertex, 2, SOFTWARE) => "vs_2_sw",
            (Stage::Vertex, 2, _) => "vs_2_x",
            (Stage::Vertex, _, SOFTWARE) => "vs_3_sw",
            (Stage::Vertex, _, _) => "vs_3_0",
            (Stage::Pixel, 1, 0) => "ps_1_0",
            (Stage::Pixel, 1, 1) => "ps_1_1",
            (Stage::Pixel, 1, 2) => "ps_1_2",
            (Stage::Pixel, 1, 3) => "ps_1_3",
            (Stage::Pixel, 1, _) => "ps_1_4",
            (Stage::Pixel, 2, 0) => "ps_2_0",
            (Stage::Pixel, 2, SOFTWARE) => "ps_2_sw",
            (Stage::Pixel, 2, _) => "ps_2_x",
            (Stage::Pixel, _, SOFTWARE) => "ps_3_sw",
            (Stage::Pixel, _, _) => "ps_3_0",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_sw_minor() {
        let all: Vec<_> = (0xFFFE_0000..=0xFFFF_FFFFu32).filter_map(Version::from_word).collect();
        assert_eq!(all.len(), 7 + 10, "the table of sheet 1.1 has 7 vertex and 10 pixel versions");
        for version in all {
            assert_eq!(Version::from_word(version.word()), Some(version));
        }
        let software = Version::from_word(0xFFFE_03FF).unwrap();
        assert_eq!(software.name(), "vs_3_sw");
        assert!(software.at_least(3, 0) && software.at_least(2, 1) && software.is_software());
        let two = Version::from_word(0xFFFF_02FF).unwrap();
        assert!(two.at_least(2, 1) && !two.at_least(3, 0));
    }
}
