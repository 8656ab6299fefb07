//! What is drawn into, whole and in bands.

use super::Rect;
use crate::srgb;
use crate::texture::{MAX_EXTENT, Shape, ShapeError, Texture};
use std::fmt;

/// Colour attachments of a target, at most.
pub const MAX_COLORS: usize = 8;

/// How a colour attachment holds its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorFormat {
    /// Four 32-bit floats.
    Float,
    /// Four bytes, 0…1.
    Unorm8,
    /// Four bytes, the colours sRGB: reads for blending decode, writes encode.
    Srgb8,
}

/// How depth is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DepthFormat {
    /// 32-bit float.
    Float32,
    /// 24 bits, 0…1.
    Unorm24,
    /// 16 bits, 0…1.
    Unorm16,
}

impl DepthFormat {
    /// The nearest depth that the format holds, after clamping to `range`. NaN gives the low end.
    ///
    /// A 24-bit depth is stored as a float: its steps are wider than those of floats below 1, so distinct depths stay
    /// distinct and in order.
    #[inline]
    pub(super) fn quantise(self, depth: f32, [low, high]: [f32; 2]) -> f32 {
        let depth = if depth > low { if depth < high { depth } else { high } } else { low };
        let steps = match self {
            DepthFormat::Float32 => return depth,
            DepthFormat::Unorm24 => 16_777_215.0,
            DepthFormat::Unorm16 => 65_535.0,
        };
        ((((f64::from(depth).clamp(0.0, 1.0) * steps + 0.5) as u32) as f64) / steps) as f32
    }

    /// The least step that resolves, for a primitive whose greatest |depth| is `largest`.
    pub(super) fn step(self, largest: f64) -> f64 {
        match self {
            // 2^(e − 23), e the exponent of the greatest depth.
            DepthFormat::Float32 => {
                let exponent = ((largest as f32).to_bits() >> 23 & 0xFF) as i32 - 127;
                f64::from(exponent - 23).exp2()
            }
            DepthFormat::Unorm24 => f64::from(-24).exp2(),
            DepthFormat::Unorm16 => f64::from(-16).exp2(),
        }
    }
}

#[derive(Clone, Debug)]
enum ColorBuffer {
    Float(Vec<[f32; 4]>),
    Bytes { pixels: Vec<[u8; 4]>, srgb: bool },
}

/// Why a target cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetError {
    /// A side is 0 or longer than [`MAX_EXTENT`].
    Size,
    /// More than [`MAX_COLORS`] colour attachments.
    Colors,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::Size => write!(f, "a target's side is 1 to {MAX_EXTENT} pixels"),
            TargetError::Colors => write!(f, "a target has at most {MAX_COLORS} colour attachments"),
        }
    }
}

impl std::error::Error for TargetError {}

/// Colour, depth and stencil buffers of one size, all zero (depth 1) when made.
#[derive(Clone, Debug)]
pub struct Target {
    width: u32,
    height: u32,
    colors: Vec<ColorBuffer>,
    depth: Option<(DepthFormat, Vec<f32>)>,
    stencil: Option<Vec<u8>>,
}

impl Target {
    /// A target with those attachments.
    pub fn new(
        width: u32,
        height: u32,
        colors: &[ColorFormat],
        depth: Option<DepthFormat>,
        stencil: bool,
    ) -> Result<Target, TargetError> {
        if width == 0 || height == 0 || width > MAX_EXTENT || height > MAX_EXTENT {
            return Err(TargetError::Size);
        }
        if colors.len() > MAX_COLORS {
            return Err(TargetError::Colors);
        }
        let pixels = width as usize * height as usize;
        let color = |format: &ColorFormat| match format {
            ColorFormat::Float => ColorBuffer::Float(vec![[0.0; 4]; pixels]),
            ColorFormat::Unorm8 => ColorBuffer::Bytes { pixels: vec![[0; 4]; pixels], srgb: false },
            ColorFormat::Srgb8 => ColorBuffer::Bytes { pixels: vec![[0; 4]; pixels], srgb: true },
        };
        Ok(Target {
            width,
            height,
            colors: colors.iter().map(color).collect(),
            depth: depth.map(|format| (format, vec![1.0; pixels])),
            stencil: stencil.then(|| vec![0; pixels]),
        })
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Sets all pixels of a colour attachment.
    pub fn clear_color(&mut self, attachment: usize, rgba: [f32; 4]) {
        match self.colors.get_mut(attachment) {
            Some(ColorBuffer::Float(pixels)) => pixels.fill(rgba),
            Some(ColorBuffer::Bytes { pixels, srgb }) => pixels.fill(encode(rgba, *srgb)),
            None => {}
        }
    }

    /// Sets all depths.
    pub fn clear_depth(&mut self, depth: f32) {
        if let Some((format, values)) = &mut self.depth {
            values.fill(format.quantise(depth, [0.0, 1.0]));
        }
    }

    /// Sets all stencil values.
    pub fn clear_stencil(&mut self, value: u8) {
        if let Some(values) = &mut self.stencil {
            values.fill(value);
        }
    }

    fn place(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height).then_some(y as usize * self.width as usize + x as usize)
    }

    /// A pixel as RGBA floats (sRGB decoded); `None` outside.
    pub fn color(&self, attachment: usize, x: u32, y: u32) -> Option<[f32; 4]> {
        let place = self.place(x, y)?;
        match self.colors.get(attachment)? {
            ColorBuffer::Float(pixels) => pixels.get(place).copied(),
            ColorBuffer::Bytes { pixels, srgb } => pixels.get(place).map(|&pixel| decode(pixel, *srgb)),
        }
    }

    /// A depth; `None` outside.
    pub fn depth(&self, x: u32, y: u32) -> Option<f32> {
        self.depth.as_ref()?.1.get(self.place(x, y)?).copied()
    }

    /// A stencil value; `None` outside.
    pub fn stencil(&self, x: u32, y: u32) -> Option<u8> {
        self.stencil.as_ref()?.get(self.place(x, y)?).copied()
    }

    /// A colour attachment as RGBA bytes, row by row from the top: its own bytes, or floats rounded as UNORM.
    pub fn rgba8(&self, attachment: usize) -> Option<Vec<u8>> {
        Some(match self.colors.get(attachment)? {
            ColorBuffer::Float(pixels) => pixels.iter().flat_map(|pixel| pixel.map(srgb::unorm8)).collect(),
            ColorBuffer::Bytes { pixels, .. } => pixels.as_flattened().to_vec(),
        })
    }

    /// A colour attachment as a texture of one level (sRGB decoded), for drawing from what was drawn. An attachment that
    /// does not exist is [`ShapeError::Empty`].
    pub fn color_texture(&self, attachment: usize) -> Result<Texture, ShapeError> {
        let shape = Shape::d2(self.width, self.height);
        match self.colors.get(attachment).ok_or(ShapeError::Empty)? {
            ColorBuffer::Float(pixels) => Texture::from_f32(shape, pixels.as_flattened()),
            ColorBuffer::Bytes { pixels, srgb } => {
                let encoding = if *srgb { crate::texture::Encoding::Srgb } else { crate::texture::Encoding::Unorm };
                Texture::from_rgba8(shape, pixels.as_flattened(), encoding)
            }
        }
    }

    /// The depth buffer as a texture whose red is depth. Without one: [`ShapeError::Empty`].
    pub fn depth_texture(&self) -> Result<Texture, ShapeError> {
        let (format, values) = self.depth.as_ref().ok_or(ShapeError::Empty)?;
        let rgba: Vec<[f32; 4]> = values.iter().map(|&depth| [depth, 0.0, 0.0, 1.0]).collect();
        let mut texture = Texture::from_f32(Shape::d2(self.width, self.height), rgba.as_flattened())?;
        texture.fixed_point = *format != DepthFormat::Float32;
        Ok(texture)
    }

    /// All of it as one band.
    pub fn whole(&mut self) -> Band<'_> {
        Band {
            width: self.width as usize,
            row: 0,
            rows: self.height as usize,
            colors: self.colors.iter_mut().map(ColorBuffer::slice).collect(),
            depth_format: self.depth.as_ref().map_or(DepthFormat::Float32, |depth| depth.0),
            depth: self.depth.as_mut().map(|depth| depth.1.as_mut_slice()),
            stencil: self.stencil.as_deref_mut(),
        }
    }

    /// Cuts the target into bands of `rows` rows (rounded up to an even number, so that no quad is cut), from the top.
    pub fn bands(&mut self, rows: u32) -> Vec<Band<'_>> {
        let rows = rows.clamp(1, MAX_EXTENT).next_multiple_of(2) as usize;
        let mut bands = Vec::new();
        let mut rest = self.whole();
        while rest.rows > rows {
            let (band, next) = rest.split(rows);
            bands.push(band);
            rest = next;
        }
        bands.push(rest);
        bands
    }
}

impl ColorBuffer {
    fn slice(&mut self) -> ColorSlice<'_> {
        match self {
            ColorBuffer::Float(pixels) => ColorSlice::Float(pixels),
            ColorBuffer::Bytes { pixels, srgb } => ColorSlice::Bytes { pixels, srgb: *srgb },
        }
    }
}

#[derive(Debug)]
pub(super) enum ColorSlice<'a> {
    Float(&'a mut [[f32; 4]]),
    Bytes { pixels: &'a mut [[u8; 4]], srgb: bool },
}

/// Whole rows of a target, apart from all others.
#[derive(Debug)]
pub struct Band<'a> {
    pub(super) width: usize,
    pub(super) row: usize,
    pub(super) rows: usize,
    pub(super) colors: Vec<ColorSlice<'a>>,
    pub(super) depth_format: DepthFormat,
    pub(super) depth: Option<&'a mut [f32]>,
    pub(super) stencil: Option<&'a mut [u8]>,
}

impl<'a> Band<'a> {
    /// The pixels it holds, in the coordinates of the whole target.
    pub fn rect(&self) -> Rect {
        Rect { x0: 0, y0: self.row as i32, x1: self.width as i32, y1: (self.row + self.rows) as i32 }
    }

    /// The first `rows` rows, fewer than there are, and the rest.
    fn split(self, rows: usize) -> (Band<'a>, Band<'a>) {
        let pixels = rows * self.width;
        let color = |slice: ColorSlice<'a>| match slice {
            ColorSlice::Float(all) => {
                let (above, below) = all.split_at_mut(pixels);
                (ColorSlice::Float(above), ColorSlice::Float(below))
            }
            ColorSlice::Bytes { pixels: all, srgb } => {
                let (above, below) = all.split_at_mut(pixels);
                (ColorSlice::Bytes { pixels: above, srgb }, ColorSlice::Bytes { pixels: below, srgb })
            }
        };
        let (above, below) = self.colors.into_iter().map(color).unzip();
        let (depth_above, depth_below) = self.depth.map(|all| all.split_at_mut(pixels)).unzip();
        let (stencil_above, stencil_below) = self.stencil.map(|all| all.split_at_mut(pixels)).unzip();
        let (width, depth_format) = (self.width, self.depth_format);
        (
            Band {
                width,
                row: self.row,
                rows,
                colors: above,
                depth_format,
                depth: depth_above,
                stencil: stencil_above,
            },
            Band {
                width,
                row: self.row + rows,
                rows: self.rows - rows,
                colors: below,
                depth_format,
                depth: depth_below,
                stencil: stencil_below,
            },
        )
    }
}

pub(super) fn decode([r, g, b, a]: [u8; 4], is_srgb: bool) -> [f32; 4] {
    let unorm = |byte: u8| f32::from(byte) / 255.0;
    if is_srgb {
        [srgb::from_byte(r), srgb::from_byte(g), srgb::from_byte(b), unorm(a)]
    } else {
        [r, g, b, a].map(unorm)
    }
}

pub(super) fn encode([r, g, b, a]: [f32; 4], is_srgb: bool) -> [u8; 4] {
    if is_srgb {
        [srgb::to_byte(r), srgb::to_byte(g), srgb::to_byte(b), srgb::unorm8(a)]
    } else {
        [r, g, b, a].map(srgb::unorm8)
    }
}
