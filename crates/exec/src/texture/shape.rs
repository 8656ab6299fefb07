//! What a texture's texels are arranged as.

use std::fmt;

/// The longest side of a texture or render target, in texels.
pub const MAX_EXTENT: u32 = 16384;
/// The most texels that one texture holds, all levels, layers and samples together.
pub const MAX_TEXELS: u64 = 1 << 28;

/// How many axes a texture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// One axis.
    D1,
    /// Two axes.
    D2,
    /// Three axes (a volume).
    D3,
    /// Six square faces, addressed by a direction.
    Cube,
}

impl Dimension {
    /// Axes of texel space: 1, 2, 3, and 2 for the face of a cube.
    pub const fn axes(self) -> usize {
        match self {
            Dimension::D1 => 1,
            Dimension::D2 | Dimension::Cube => 2,
            Dimension::D3 => 3,
        }
    }
}

/// The size of one mip level, in texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Texels in u.
    pub width: u32,
    /// Texels in v.
    pub height: u32,
    /// Texels in w; 1 unless a volume.
    pub depth: u32,
}

/// Dimension, size, and numbers of layers, levels and samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many axes.
    pub dimension: Dimension,
    /// The size of level 0.
    pub extent: Extent,
    /// Elements of the array (for cubes: whole cubes); 1 if it is none.
    pub layers: u32,
    /// Mip levels, at least 1.
    pub levels: u32,
    /// Samples a texel, 1 unless multisampled.
    pub samples: u32,
}

/// Why a texture cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// A side, or the number of layers, levels or samples, is 0.
    Empty,
    /// A side is longer than [`MAX_EXTENT`], or the whole has more than [`MAX_TEXELS`] texels.
    TooLarge,
    /// A side that the dimension does not have is not 1, a cube's faces are not square, or a volume has layers.
    Dimension,
    /// More levels than halving down to 1×1×1 gives, or levels on a multisampled texture.
    Levels,
    /// Samples are none of 1, 2, 4, 8, 16, or the dimension is not 2D.
    Samples,
    /// The data are neither level 0 nor all levels.
    Data {
        /// Values that level 0 of all layers needs.
        expected: u64,
        /// Values given.
        found: u64,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Empty => f.write_str("a texture side or count is 0"),
            ShapeError::TooLarge => write!(f, "the texture is larger than {MAX_EXTENT} a side or {MAX_TEXELS} texels"),
            ShapeError::Dimension => f.write_str("the sides or layers do not fit the texture's dimension"),
            ShapeError::Levels => f.write_str("too many mip levels"),
            ShapeError::Samples => f.write_str("a multisampled texture is 2D and has 2, 4, 8 or 16 samples"),
            ShapeError::Data { expected, found } => {
                write!(f, "level 0 needs {expected} values, {found} were given")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    const fn new(dimension: Dimension, width: u32, height: u32, depth: u32) -> Shape {
        Shape { dimension, extent: Extent { width, height, depth }, layers: 1, levels: 1, samples: 1 }
    }

    /// A 1D texture.
    pub const fn d1(width: u32) -> Shape {
        Self::new(Dimension::D1, width, 1, 1)
    }

    /// A 2D texture.
    pub const fn d2(width: u32, height: u32) -> Shape {
        Self::new(Dimension::D2, width, height, 1)
    }

    /// A volume.
    pub const fn d3(width: u32, height: u32, depth: u32) -> Shape {
        Self::new(Dimension::D3, width, height, depth)
    }

    /// A cube with faces of `side` × `side` texels.
    pub const fn cube(side: u32) -> Shape {
        Self::new(Dimension::Cube, side, side, 1)
    }

    /// The same with array elements.
    pub const fn with_layers(self, layers: u32) -> Shape {
        Shape { layers, ..self }
    }

    /// The same with that many mip levels.
    pub const fn with_levels(self, levels: u32) -> Shape {
        Shape { levels, ..self }
    }

    /// The same with that many samples a texel.
    pub const fn with_samples(self, samples: u32) -> Shape {
        Shape { samples, ..self }
    }

    /// The same with all mip levels, down to 1×1×1.
    pub fn with_all_levels(self) -> Shape {
        Shape { levels: self.chain(), ..self }
    }

    /// Levels of a whole chain: `1 + floor(log2(longest side))`.
    pub fn chain(&self) -> u32 {
        let Extent { width, height, depth } = self.extent;
        32 - width.max(height).max(depth).leading_zeros()
    }

    /// The size of a level: each side halved, rounded down, at least 1.
    pub fn level(&self, level: u32) -> Extent {
        let halved = |side: u32| side.checked_shr(level).unwrap_or(0).max(1);
        Extent {
            width: halved(self.extent.width),
            height: halved(self.extent.height),
            depth: halved(self.extent.depth),
        }
    }

    /// Planes in a level: layers × faces × samples.
    pub(super) fn planes(&self) -> u32 {
        let faces = if self.dimension == Dimension::Cube { 6 } else { 1 };
        self.layers * faces * self.samples
    }

    /// Texels of a level, all planes.
    pub(super) fn level_texels(&self, level: u32) -> u64 {
        let Extent { width, height, depth } = self.level(level);
        u64::from(width) * u64::from(height) * u64::from(depth) * u64::from(self.planes())
    }

    /// Checks all of it and gives the number of texels of all levels.
    pub(super) fn check(&self) -> Result<u64, ShapeError> {
        let Extent { width, height, depth } = self.extent;
        if [width, height, depth, self.layers, self.levels, self.samples].contains(&0) {
            return Err(ShapeError::Empty);
        }
        if width.max(height).max(depth) > MAX_EXTENT || self.layers > MAX_EXTENT {
            return Err(ShapeError::TooLarge);
        }
        let fits = match self.dimension {
            Dimension::D1 => height == 1 && depth == 1,
            Dimension::D2 => depth == 1,
            Dimension::D3 => self.layers == 1,
            Dimension::Cube => width == height && depth == 1,
        };
        if !fits {
            return Err(ShapeError::Dimension);
        }
        if self.levels > self.chain() || (self.samples > 1 && self.levels > 1) {
            return Err(ShapeError::Levels);
        }
        if ![1, 2, 4, 8, 16].contains(&self.samples) || (self.samples > 1 && self.dimension != Dimension::D2) {
            return Err(ShapeError::Samples);
        }
        let total: u64 = (0..self.levels).map(|level| self.level_texels(level)).sum();
        if total > MAX_TEXELS { Err(ShapeError::TooLarge) } else { Ok(total) }
    }
}
