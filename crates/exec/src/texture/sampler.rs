//! Samplers: how a texture is read.

use super::Address;
use crate::compare::Compare;

/// How texels of one level are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The texel that holds the coordinate.
    #[default]
    Point,
    /// The two, four or eight texels around it, weighted.
    Linear,
}

/// How levels are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MipFilter {
    /// Only the level that [`Sampler::min_lod`] names (0 by default). Direct3D 9's MAXMIPLEVEL arrives there.
    #[default]
    None,
    /// The nearest level.
    Point,
    /// The two levels around, weighted.
    Linear,
}

/// The state of a sampler. The default is Direct3D 9's: wrap, point, point, no mips, transparent black border.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampler {
    /// The filter where the texture shrinks (λ > 0).
    pub min: Filter,
    /// The filter where it grows (λ ≤ 0).
    pub mag: Filter,
    /// The filter between levels.
    pub mip: MipFilter,
    /// The address modes of u, v and w. Cubes take none of them.
    pub address: [Address; 3],
    /// The colour outside with [`Address::Border`].
    pub border: [f32; 4],
    /// Added to every level of detail, explicit ones included.
    pub lod_bias: f32,
    /// The least level of detail.
    pub min_lod: f32,
    /// The greatest level of detail.
    pub max_lod: f32,
    /// The most probes of anisotropic filtering; 1 is none. Above 1 it acts when `min` is linear.
    pub max_anisotropy: u32,
    /// The comparison of [`Texture::sample_compare`](super::Texture::sample_compare): reference against texel.
    pub compare: Compare,
    /// Coordinates are in texels, not in 0…1.
    pub unnormalised: bool,
    /// Cube filtering crosses edges (Vulkan, Metal, Direct3D 10); off, it stays in the face (Direct3D 9).
    pub seamless: bool,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            min: Filter::Point,
            mag: Filter::Point,
            mip: MipFilter::None,
            address: [Address::Wrap; 3],
            border: [0.0; 4],
            lod_bias: 0.0,
            min_lod: 0.0,
            max_lod: f32::MAX,
            max_anisotropy: 1,
            compare: Compare::LessEqual,
            unnormalised: false,
            seamless: false,
        }
    }
}

impl Sampler {
    /// Point filtering with one address mode for all axes, seamless cubes.
    pub fn point(address: Address) -> Sampler {
        Sampler { mip: MipFilter::Point, address: [address; 3], seamless: true, ..Sampler::default() }
    }

    /// Linear filtering in and between levels with one address mode for all axes, seamless cubes.
    pub fn linear(address: Address) -> Sampler {
        Sampler {
            min: Filter::Linear,
            mag: Filter::Linear,
            mip: MipFilter::Linear,
            address: [address; 3],
            seamless: true,
            ..Sampler::default()
        }
    }

    /// A sampler from Direct3D 9 numbers: `min`, `mag` and `mip` as `D3DTEXTUREFILTERTYPE` (0 none, 1 point, 2 linear,
    /// 3 anisotropic), `address` as `D3DTEXTUREADDRESS`, `border` as a `D3DCOLOR`, `max_level` as MAXMIPLEVEL. Unknown
    /// filters count as linear, unknown address modes as wrap. `max_anisotropy` acts only where `min` or `mag` is 3.
    pub fn d3d9(
        [min, mag, mip]: [u32; 3],
        address: [u32; 3],
        border: u32,
        lod_bias: f32,
        max_level: u32,
        max_anisotropy: u32,
    ) -> Sampler {
        let filter = |number: u32| if number <= 1 { Filter::Point } else { Filter::Linear };
        let byte = |shift: u32| ((border >> shift) & 0xFF) as f32 / 255.0;
        Sampler {
            min: filter(min),
            mag: filter(mag),
            mip: match mip {
                0 => MipFilter::None,
                1 => MipFilter::Point,
                _ => MipFilter::Linear,
            },
            address: address.map(|mode| Address::from_d3d9(mode).unwrap_or_default()),
            border: [byte(16), byte(8), byte(0), byte(24)],
            lod_bias,
            min_lod: max_level as f32,
            max_anisotropy: if min == 3 || mag == 3 { max_anisotropy.clamp(1, 16) } else { 1 },
            ..Sampler::default()
        }
    }
}
