//! The sRGB transfer functions (IEC 61966-2-1), as texture decode and render-target encode use them.

use std::sync::LazyLock;

/// Decoded values of the 256 bytes.
static DECODED: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|byte| decode(byte as f64 / 255.0) as f32));

fn decode(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The linear value of an sRGB byte.
#[inline]
pub fn from_byte(byte: u8) -> f32 {
    DECODED[usize::from(byte)]
}

/// The sRGB byte of a linear value: clamped to 0…1, NaN is 0, rounded to the nearest code.
pub fn to_byte(linear: f32) -> u8 {
    let value = f64::from(clamp_unit(linear));
    let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

/// The UNORM byte of a value: clamped to 0…1, NaN is 0, rounded to nearest.
#[inline]
pub fn unorm8(value: f32) -> u8 {
    (clamp_unit(value) * 255.0 + 0.5) as u8
}

/// Clamps to 0…1; NaN gives 0.
#[inline]
pub fn clamp_unit(value: f32) -> f32 {
    if value > 0.0 { if value < 1.0 { value } else { 1.0 } } else { 0.0 }
}
