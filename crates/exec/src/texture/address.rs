//! Address modes: from a coordinate to texels.

/// What happens to coordinates outside 0…1. The discriminant is the `D3DTEXTUREADDRESS` number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Address {
    /// Repeats.
    #[default]
    Wrap = 1,
    /// Repeats, every second time mirrored.
    Mirror = 2,
    /// The edge texel goes on.
    Clamp = 3,
    /// The border colour.
    Border = 4,
    /// Mirrored once around 0, then as [`Address::Clamp`].
    MirrorOnce = 5,
}

impl Address {
    /// The mode of a `D3DTEXTUREADDRESS` number (1 to 5).
    pub fn from_d3d9(number: u32) -> Option<Address> {
        Some(match number {
            1 => Address::Wrap,
            2 => Address::Mirror,
            3 => Address::Clamp,
            4 => Address::Border,
            5 => Address::MirrorOnce,
            _ => return None,
        })
    }

    /// The texel that texel number `i` of an axis with `size` texels means; `None` is the border.
    #[inline]
    pub fn resolve(self, i: i64, size: u32) -> Option<u32> {
        let n = i64::from(size);
        if 0 <= i && i < n {
            return Some(i as u32);
        }
        let texel = match self {
            Address::Wrap => i.rem_euclid(n),
            Address::Mirror => {
                let phase = i.rem_euclid(2 * n);
                if phase < n { phase } else { 2 * n - 1 - phase }
            }
            Address::Clamp => i.clamp(0, n - 1),
            Address::Border => return None,
            Address::MirrorOnce => (if i < 0 { -1 - i } else { i }).clamp(0, n - 1),
        };
        Some(texel as u32)
    }

    /// A coordinate in texel space (0 at the low edge of texel 0). NaN is 0.
    ///
    /// From 2^24 on every 32-bit float is an even integer, so a repeating coordinate there equals 0 and any other is
    /// beyond every texel; cutting there keeps the integers small.
    #[inline]
    pub(super) fn scale(self, coord: f32, size: u32, unnormalised: bool) -> f64 {
        const HUGE: f32 = 16_777_216.0;
        if coord.is_nan() {
            return 0.0;
        }
        if unnormalised {
            return f64::from(coord.clamp(-HUGE, HUGE));
        }
        let coord = if coord.abs() < HUGE {
            coord
        } else if matches!(self, Address::Wrap | Address::Mirror) {
            0.0
        } else {
            coord.clamp(-HUGE, HUGE)
        };
        f64::from(coord) * f64::from(size)
    }
}

/// `floor` as an integer; the argument is within ±2^40.
#[inline]
pub(super) fn floor(x: f64) -> i64 {
    let toward_zero = x as i64;
    toward_zero - i64::from(toward_zero as f64 > x)
}
