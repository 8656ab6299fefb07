//! The level of detail: from gradients to levels, and the probes of anisotropic filtering.

use super::{Coord, Dimension, FaceCoord, Filter, MipFilter, Sampler, Texture};

/// How the level of detail of a sample is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Detail {
    /// Given (`texldl`, `SampleLevel`). The sampler's bias is still added.
    Level(f32),
    /// From the change of the coordinate over one pixel in x and in y.
    Gradient {
        /// Change in x.
        ddx: [f32; 3],
        /// Change in y.
        ddy: [f32; 3],
        /// Added to λ, beside the sampler's own bias.
        bias: f32,
        /// The least λ that the call allows (HLSL's `clamp` argument).
        min_lod: f32,
    },
}

impl Detail {
    /// Level 0, the meaning of sampling without derivatives.
    pub const ZERO: Detail = Detail::Level(0.0);

    /// Explicit gradients without bias.
    pub const fn gradient(ddx: [f32; 3], ddy: [f32; 3]) -> Detail {
        Detail::Gradient { ddx, ddy, bias: 0.0, min_lod: 0.0 }
    }

    /// The implicit gradients of a quad: lanes are (0,0), (1,0), (0,1), (1,1); all four lanes share lane 1 − lane 0 and lane
    /// 2 − lane 0, so that a quad has one level of detail (what hardware does).
    pub fn of_quad(at: &[Coord; 4], bias: f32, min_lod: f32) -> Detail {
        let change = |to: usize| std::array::from_fn(|axis| at[to].at[axis] - at[0].at[axis]);
        Detail::Gradient { ddx: change(1), ddy: change(2), bias, min_lod }
    }
}

/// What `CalculateLevelOfDetail` and `OpImageQueryLod` answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LodQuery {
    /// The level that would be read: λ clamped to the sampler's range and to the levels there are, and rounded where
    /// levels are not blended.
    pub level: f32,
    /// λ with its biases, not clamped.
    pub lambda: f32,
}

/// A resolved level of detail.
pub(super) struct Lod {
    pub filter: Filter,
    /// The lower level, and the weight of the next.
    pub level: u32,
    pub next_weight: f32,
    /// Probes, and the change of the coordinate over their axis.
    pub probes: u32,
    pub axis: [f32; 3],
}

impl Texture {
    /// The level of detail that a sample would use.
    pub fn query_lod(&self, sampler: &Sampler, at: &Coord, detail: &Detail) -> LodQuery {
        let (lambda, ..) = self.lambda(sampler, at, detail);
        let clamped = clamp_lod(lambda, sampler, detail);
        let (level, weight) = self.levels_of(sampler, clamped);
        LodQuery { level: level as f32 + weight, lambda }
    }

    pub(super) fn lod(&self, sampler: &Sampler, at: &Coord, detail: &Detail) -> Lod {
        let isotropic = sampler.max_anisotropy <= 1 || sampler.min == Filter::Point;
        if self.shape.levels == 1 && sampler.min == sampler.mag && isotropic {
            return Lod { filter: sampler.min, level: 0, next_weight: 0.0, probes: 1, axis: [0.0; 3] };
        }
        let (lambda, probes, axis) = self.lambda(sampler, at, detail);
        let lambda = clamp_lod(lambda, sampler, detail);
        let filter = if lambda <= 0.0 { sampler.mag } else { sampler.min };
        let (level, next_weight) = self.levels_of(sampler, lambda);
        Lod { filter, level, next_weight, probes, axis }
    }

    /// The level, and the weight of the one after it, for a clamped λ.
    fn levels_of(&self, sampler: &Sampler, lambda: f32) -> (u32, f32) {
        let last = (self.shape.levels - 1) as f32;
        // A NaN bound is 0 by the cast.
        let nearest = |lambda: f32| (lambda.clamp(0.0, last) + 0.5) as u32;
        match sampler.mip {
            MipFilter::None => (nearest(sampler.min_lod), 0.0),
            MipFilter::Point => (nearest(lambda), 0.0),
            MipFilter::Linear => {
                let lambda = lambda.clamp(0.0, last);
                let level = lambda as u32;
                (level, lambda - level as f32)
            }
        }
    }

    /// λ with biases, the number of probes, and the axis along which they lie.
    fn lambda(&self, sampler: &Sampler, at: &Coord, detail: &Detail) -> (f32, u32, [f32; 3]) {
        let (base, bias, probes, axis) = match *detail {
            Detail::Level(level) => (level, 0.0, 1, [0.0; 3]),
            Detail::Gradient { ddx, ddy, bias, .. } => {
                let (x, y) = (self.footprint(sampler, at, ddx), self.footprint(sampler, at, ddy));
                let (long, short) = if x >= y { (x, y) } else { (y, x) };
                let axis = if x >= y { ddx } else { ddy };
                let most = f64::from(sampler.max_anisotropy.clamp(1, 16));
                let ratio = if sampler.min == Filter::Linear && long > 0.0 { (long / short).min(most) } else { 1.0 };
                if ratio > 1.0 && ratio.is_finite() {
                    ((long / ratio).log2() as f32, bias, ratio.ceil() as u32, axis)
                } else {
                    (long.log2() as f32, bias, 1, [0.0; 3])
                }
            }
        };
        let lambda = base + sampler.lod_bias + bias;
        (if lambda.is_nan() { 0.0 } else { lambda }, probes, axis)
    }

    /// The length of a gradient in texels of level 0.
    fn footprint(&self, sampler: &Sampler, at: &Coord, change: [f32; 3]) -> f64 {
        let extent = self.shape.extent;
        let size = [extent.width, extent.height, extent.depth];
        let scale = |axis: usize| if sampler.unnormalised { 1.0 } else { f64::from(size[axis]) };
        if self.shape.dimension == Dimension::Cube {
            let [u, v] = FaceCoord::gradient(at.at, change);
            return f64::hypot(u * scale(0), v * scale(1));
        }
        let square = |axis: usize| (f64::from(change[axis]) * scale(axis)).powi(2);
        (0..self.shape.dimension.axes()).map(square).sum::<f64>().sqrt()
    }
}

/// λ within the ranges of the sampler and of the call; where they contradict each other the upper end wins.
fn clamp_lod(lambda: f32, sampler: &Sampler, detail: &Detail) -> f32 {
    let call = match *detail {
        Detail::Gradient { min_lod, .. } => min_lod,
        Detail::Level(_) => f32::MIN,
    };
    // `f32::max` and `min` drop a NaN bound. The default bounds of 0 still let λ ≤ 0 mean magnification.
    lambda.max(sampler.min_lod).max(call).min(sampler.max_lod)
}
