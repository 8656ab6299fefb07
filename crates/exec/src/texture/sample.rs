//! Sampling proper: taps, weights, comparison and gather.

use super::address::floor;
use super::lod::Lod;
use super::{Detail, Dimension, FaceCoord, Filter, Sampler, Texture, UNBOUND};
use crate::srgb::clamp_unit;

/// Where a sample is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coord {
    /// u, v, w, or a cube's direction. Lanes beyond the dimension are ignored.
    pub at: [f32; 3],
    /// The array element: rounded to nearest even and clamped to those that exist.
    pub layer: f32,
    /// Added to the texel numbers, before the address mode acts. Ignored by cubes.
    pub offset: [i32; 3],
}

impl Coord {
    /// A coordinate without layer and offset.
    pub const fn new(at: [f32; 3]) -> Coord {
        Coord { at, layer: 0.0, offset: [0; 3] }
    }
}

/// No texel: the border colour.
const BORDER: u32 = u32::MAX;
/// No texel: beyond the corner of a cube.
const CORNER: u32 = u32::MAX - 1;

/// The texels of one level that take part. Texel `k` is the high one of axis `a` if bit `a` of `k` is set.
struct Taps {
    texel: [u32; 8],
    weight: [f32; 3],
    axes: usize,
}

/// One axis: low and high texel and the weight of the high one.
struct Axis {
    texel: [Option<u32>; 2],
    weight: f32,
}

/// What a filter can blend.
trait Blend: Copy {
    fn scaled(self, factor: f32) -> Self;
    fn plus(self, other: Self) -> Self;

    #[inline]
    fn mix(self, other: Self, weight: f32) -> Self {
        self.scaled(1.0 - weight).plus(other.scaled(weight))
    }
}

impl Blend for f32 {
    #[inline]
    fn scaled(self, factor: f32) -> f32 {
        self * factor
    }
    #[inline]
    fn plus(self, other: f32) -> f32 {
        self + other
    }
}

impl Blend for [f32; 4] {
    #[inline]
    fn scaled(self, factor: f32) -> Self {
        self.map(|lane| lane * factor)
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] + other[lane])
    }
}

impl Texture {
    /// A filtered sample, through the view's swizzle. Integer textures are converted texel by texel; read those with
    /// [`Texture::sample_bits`].
    pub fn sample(&self, sampler: &Sampler, at: &Coord, detail: &Detail) -> [f32; 4] {
        if !self.bound {
            return UNBOUND;
        }
        let rgba = self.filtered(sampler, at, detail, |index| self.texel(sampler, index));
        self.swizzle.apply(rgba, 1.0)
    }

    /// The fraction of texels that pass the sampler's comparison of `reference` with red, weighted as a linear sample would
    /// weigh them (percentage-closer filtering). The view's swizzle plays no part.
    pub fn sample_compare(&self, sampler: &Sampler, at: &Coord, detail: &Detail, reference: f32) -> f32 {
        if !self.bound {
            return 0.0;
        }
        let reference = if self.fixed_point { clamp_unit(reference) } else { reference };
        self.filtered(sampler, at, detail, |index| {
            f32::from(u8::from(sampler.compare.test(reference, self.texel(sampler, index)[0])))
        })
    }

    /// The bits of the nearest texel of the nearest level: what sampling an integer texture gives. Border texels give the
    /// border colour converted to integers, or its bits for a float texture.
    pub fn sample_bits(&self, sampler: &Sampler, at: &Coord, detail: &Detail) -> [u32; 4] {
        if !self.bound {
            return self.fetch_bits([0; 3], 0, 0, 0);
        }
        let lod = self.lod(sampler, at, detail);
        let level = (lod.level + u32::from(lod.next_weight >= 0.5)).min(self.shape.levels - 1);
        let taps = self.taps(sampler, at, level, Filter::Point);
        self.swizzle.apply(self.texel_bits(sampler, taps.texel[0]), self.one_bits())
    }

    /// The four samples of a quad with implicit derivatives ([`Detail::of_quad`]); one bias a lane.
    pub fn sample_quad(&self, sampler: &Sampler, at: &[Coord; 4], bias: [f32; 4], min_lod: f32) -> [[f32; 4]; 4] {
        let one_bias = bias.iter().all(|lane| lane.to_bits() == bias[0].to_bits());
        if self.bound && one_bias && self.shape.dimension != Dimension::Cube {
            // But for cubes the level does not depend on the lane.
            let lod = self.lod(sampler, &at[0], &Detail::of_quad(at, bias[0], min_lod));
            return at.each_ref().map(|at| {
                let rgba = self.filtered_at(sampler, at, &lod, |index| self.texel(sampler, index));
                self.swizzle.apply(rgba, 1.0)
            });
        }
        std::array::from_fn(|lane| self.sample(sampler, &at[lane], &Detail::of_quad(at, bias[lane], min_lod)))
    }

    /// The four comparisons of a quad with implicit derivatives.
    pub fn sample_compare_quad(
        &self,
        sampler: &Sampler,
        at: &[Coord; 4],
        reference: [f32; 4],
        bias: [f32; 4],
        min_lod: f32,
    ) -> [f32; 4] {
        std::array::from_fn(|lane| {
            self.sample_compare(sampler, &at[lane], &Detail::of_quad(at, bias[lane], min_lod), reference[lane])
        })
    }

    /// One component (0 to 3, others count as 3) of the four texels that a linear sample of level 0 would blend, in the
    /// order of Vulkan and Direct3D 11: (low u, high v), (high, high), (high, low), (low, low), v growing downward.
    pub fn gather(&self, sampler: &Sampler, at: &Coord, component: usize) -> [f32; 4] {
        let component = component.min(3);
        if !self.bound {
            return [UNBOUND[component]; 4];
        }
        self.gathered(sampler, at, |index| self.swizzle.apply(self.texel(sampler, index), 1.0)[component])
    }

    /// As [`Texture::gather`], as bits.
    pub fn gather_bits(&self, sampler: &Sampler, at: &Coord, component: usize) -> [u32; 4] {
        let component = component.min(3);
        if !self.is_integer() {
            return self.gather(sampler, at, component).map(f32::to_bits);
        }
        let taps = self.taps(sampler, at, 0, Filter::Linear);
        gather_order(&taps).map(|k| {
            // An integer corner has no mean: it takes its neighbour in u.
            let index = if taps.texel[k] == CORNER { taps.texel[k ^ 1] } else { taps.texel[k] };
            self.swizzle.apply(self.texel_bits(sampler, index), 1)[component]
        })
    }

    /// The results (0 or 1) of comparing `reference` with the red of the four texels, in the order of [`Texture::gather`].
    pub fn gather_compare(&self, sampler: &Sampler, at: &Coord, reference: f32) -> [f32; 4] {
        if !self.bound {
            return [0.0; 4];
        }
        let reference = if self.fixed_point { clamp_unit(reference) } else { reference };
        self.gathered(sampler, at, |index| {
            f32::from(u8::from(sampler.compare.test(reference, self.texel(sampler, index)[0])))
        })
    }

    fn gathered(&self, sampler: &Sampler, at: &Coord, value: impl Fn(u32) -> f32) -> [f32; 4] {
        let taps = self.taps(sampler, at, 0, Filter::Linear);
        gather_order(&taps).map(|k| tap(&taps, k, &value))
    }

    /// Finds the level of detail, then blends.
    #[inline]
    fn filtered<T: Blend>(&self, sampler: &Sampler, at: &Coord, detail: &Detail, value: impl Fn(u32) -> T) -> T {
        self.filtered_at(sampler, at, &self.lod(sampler, at, detail), value)
    }

    /// Blends probes and levels of a known level of detail.
    #[inline]
    fn filtered_at<T: Blend>(&self, sampler: &Sampler, at: &Coord, lod: &Lod, value: impl Fn(u32) -> T) -> T {
        let at_level = |at: &Coord, level: u32| blend(&self.taps(sampler, at, level, lod.filter), &value);
        let probe = |at: &Coord| {
            let near = at_level(at, lod.level);
            if lod.next_weight > 0.0 && lod.level + 1 < self.shape.levels {
                near.mix(at_level(at, lod.level + 1), lod.next_weight)
            } else {
                near
            }
        };
        if lod.probes <= 1 {
            return probe(at);
        }
        let shifted = |i: u32| {
            let along = i as f32 / (lod.probes + 1) as f32 - 0.5;
            Coord { at: std::array::from_fn(|axis| at.at[axis] + lod.axis[axis] * along), ..*at }
        };
        let first = probe(&shifted(1));
        let sum = (2..=lod.probes).fold(first, |sum, i| sum.plus(probe(&shifted(i))));
        sum.scaled(1.0 / lod.probes as f32)
    }

    #[inline]
    fn texel(&self, sampler: &Sampler, index: u32) -> [f32; 4] {
        if index == BORDER { sampler.border } else { self.float(index as usize) }
    }

    fn texel_bits(&self, sampler: &Sampler, index: u32) -> [u32; 4] {
        match (index == BORDER, self.is_integer()) {
            (false, _) => self.bits(index as usize),
            (true, false) => sampler.border.map(f32::to_bits),
            (true, true) => {
                sampler.border.map(|lane| if lane < 0.0 { (lane as i32).cast_unsigned() } else { lane as u32 })
            }
        }
    }

    /// The texels of a level for a coordinate.
    fn taps(&self, sampler: &Sampler, at: &Coord, level: u32, filter: Filter) -> Taps {
        let extent = self.shape.level(level);
        let start = self.starts.get(level as usize).copied().unwrap_or(0);
        let layer = at.layer.max(0.0).round_ties_even().min((self.shape.layers - 1) as f32) as u32; // NaN: 0
        if self.shape.dimension == Dimension::Cube {
            return cube_taps(at.at, start, layer * 6, i64::from(extent.width), filter, sampler.seamless);
        }
        let axes = self.shape.dimension.axes();
        let size = [extent.width, extent.height, extent.depth];
        let axis = |k: usize| {
            let texels = sampler.address[k].scale(at.at[k], size[k], sampler.unnormalised);
            let offset = i64::from(at.offset[k]);
            let resolve = |i: i64| sampler.address[k].resolve(i + offset, size[k]);
            if filter == Filter::Point || k >= axes {
                return Axis { texel: [if k < axes { resolve(floor(texels)) } else { Some(0) }; 2], weight: 0.0 };
            }
            let low = floor(texels - 0.5);
            Axis { texel: [resolve(low), resolve(low + 1)], weight: (texels - 0.5 - low as f64) as f32 }
        };
        let axis = [axis(0), axis(1), axis(2)];
        let base = start + layer * self.shape.samples * extent.width * extent.height * extent.depth;
        let place = |k: usize| match [0, 1, 2].map(|a: usize| axis[a].texel[k >> a & 1]) {
            [Some(x), Some(y), Some(z)] => base + (z * extent.height + y) * extent.width + x,
            _ => BORDER,
        };
        let used = if filter == Filter::Point { 0 } else { axes };
        let mut texel = [BORDER; 8];
        texel.iter_mut().take(1 << used).enumerate().for_each(|(k, texel)| *texel = place(k));
        Taps { texel, weight: [axis[0].weight, axis[1].weight, axis[2].weight], axes: used }
    }
}

/// The texels of a face, and those of its neighbours where filtering is seamless. `layer` is the first face's.
fn cube_taps(at: [f32; 3], start: u32, layer: u32, size: i64, filter: Filter, seamless: bool) -> Taps {
    let FaceCoord { face, uv } = FaceCoord::of(at);
    let place = |face: u32, i: i64, j: i64| start + (((layer + face) as i64 * size + j) * size + i) as u32;
    let within = |i: i64| i.clamp(0, size - 1);
    let texels = uv.map(|lane| f64::from(lane) * size as f64);
    let mut texel = [BORDER; 8];
    if filter == Filter::Point {
        texel[0] = place(face as u32, within(floor(texels[0])), within(floor(texels[1])));
        return Taps { texel, weight: [0.0; 3], axes: 0 };
    }
    let low = texels.map(|lane| floor(lane - 0.5));
    for (k, texel) in texel.iter_mut().take(4).enumerate() {
        let (i, j) = (low[0] + (k & 1) as i64, low[1] + (k >> 1) as i64);
        *texel = if !seamless {
            place(face as u32, within(i), within(j))
        } else if let Some((face, i, j)) = face.fold(i, j, size) {
            place(face as u32, i, j)
        } else {
            CORNER
        };
    }
    let weight = |k: usize| (texels[k] - 0.5 - low[k] as f64) as f32;
    Taps { texel, weight: [weight(0), weight(1), 0.0], axes: 2 }
}

/// The value of one tap; beyond a cube's corner the mean of the three others.
#[inline]
fn tap<T: Blend>(taps: &Taps, k: usize, value: &impl Fn(u32) -> T) -> T {
    let index = taps.texel[k];
    if index != CORNER {
        return value(index);
    }
    // One of low and high always lies on the face, so that at most one texel of four is beyond a corner.
    let [a, b, c] = [k ^ 1, k ^ 2, k ^ 3].map(|k| value(taps.texel[k]));
    a.plus(b).plus(c).scaled(1.0 / 3.0)
}

/// Blends u first, then v, then w; an axis of weight 0 reads its low texel only.
#[inline]
fn blend<T: Blend>(taps: &Taps, value: &impl Fn(u32) -> T) -> T {
    let line = |k: usize| {
        let low = tap(taps, k, value);
        if taps.axes < 1 || taps.weight[0] == 0.0 { low } else { low.mix(tap(taps, k + 1, value), taps.weight[0]) }
    };
    let plane = |k: usize| {
        let low = line(k);
        if taps.axes < 2 || taps.weight[1] == 0.0 { low } else { low.mix(line(k + 2), taps.weight[1]) }
    };
    let low = plane(0);
    if taps.axes < 3 || taps.weight[2] == 0.0 { low } else { low.mix(plane(4), taps.weight[2]) }
}

/// The taps of a gather: with one axis only, both rows are the same.
fn gather_order(taps: &Taps) -> [usize; 4] {
    if taps.axes < 2 { [0, 1, 1, 0] } else { [2, 3, 1, 0] }
}
