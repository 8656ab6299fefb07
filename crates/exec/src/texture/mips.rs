//! Mip chains.

use super::image::Texels;
use super::{Extent, Texture};

impl Texture {
    /// Fills the levels above 0 from level 0.
    ///
    /// Each texel is the mean of the area that it covers in the level below it (for even sides that is the 2×2×2 box; for
    /// odd ones the parts of texels are weighted). sRGB images were made linear when they came in, so means are right.
    /// Integer texels cannot be averaged: each takes the texel at the middle of its area.
    pub fn generate_mips(&mut self) {
        for level in 1..self.shape.levels {
            let (from, to) = (self.shape.level(level - 1), self.shape.level(level));
            let ends = [level - 1, level].map(|level| self.starts.get(level as usize).copied().unwrap_or(0) as usize);
            let planes = self.shape.planes() as usize;
            match &mut self.texels {
                Texels::Float(texels) => {
                    let (below, here) = texels.split_at_mut(ends[1]);
                    average(below.get(ends[0]..).unwrap_or_default(), here, from, to, planes);
                }
                Texels::Integer(texels) => {
                    let (below, here) = texels.split_at_mut(ends[1]);
                    pick(below.get(ends[0]..).unwrap_or_default(), here, from, to, planes);
                }
            }
        }
    }
}

/// For each texel of an axis of `to` texels: the first source texel and the weights from there on (at most three).
fn areas(from: u32, to: u32) -> Vec<(usize, [f64; 3])> {
    let ratio = f64::from(from) / f64::from(to);
    (0..to)
        .map(|i| {
            let (low, high) = (f64::from(i) * ratio, f64::from(i + 1) * ratio);
            let first = low as usize;
            let weights = std::array::from_fn(|k| {
                let texel = (first + k) as f64;
                ((high.min(texel + 1.0) - low.max(texel)).max(0.0)) / ratio
            });
            (first, weights)
        })
        .collect()
}

fn average(below: &[[f32; 4]], here: &mut [[f32; 4]], from: Extent, to: Extent, planes: usize) {
    let [columns, rows, slices] =
        [areas(from.width, to.width), areas(from.height, to.height), areas(from.depth, to.depth)];
    let (width, height, depth) = (from.width as usize, from.height as usize, from.depth as usize);
    let mut out = here.iter_mut();
    for plane in 0..planes {
        for (z, wz) in &slices {
            for (y, wy) in &rows {
                for (x, wx) in &columns {
                    let mut sum = [0.0_f64; 4];
                    for (dz, wz) in wz.iter().enumerate().filter(|w| *w.1 > 0.0) {
                        for (dy, wy) in wy.iter().enumerate().filter(|w| *w.1 > 0.0) {
                            let row = ((plane * depth + z + dz) * height + y + dy) * width + x;
                            for (dx, wx) in wx.iter().enumerate().filter(|w| *w.1 > 0.0) {
                                let weight = wz * wy * wx;
                                let texel = below.get(row + dx).copied().unwrap_or_default();
                                sum.iter_mut().zip(texel).for_each(|(sum, lane)| *sum += weight * f64::from(lane));
                            }
                        }
                    }
                    if let Some(out) = out.next() {
                        *out = sum.map(|lane| lane as f32);
                    }
                }
            }
        }
    }
}

fn pick(below: &[[u32; 4]], here: &mut [[u32; 4]], from: Extent, to: Extent, planes: usize) {
    let middle = |i: u32, from: u32, to: u32| ((2 * u64::from(i) + 1) * u64::from(from) / (2 * u64::from(to))) as usize;
    let (width, height, depth) = (from.width as usize, from.height as usize, from.depth as usize);
    let mut out = here.iter_mut();
    for plane in 0..planes {
        for z in (0..to.depth).map(|z| middle(z, from.depth, to.depth)) {
            for y in (0..to.height).map(|y| middle(y, from.height, to.height)) {
                for x in (0..to.width).map(|x| middle(x, from.width, to.width)) {
                    let texel = below.get(((plane * depth + z) * height + y) * width + x);
                    if let (Some(out), Some(texel)) = (out.next(), texel) {
                        *out = *texel;
                    }
                }
            }
        }
    }
}
