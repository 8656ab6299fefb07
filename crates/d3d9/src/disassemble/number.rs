//! Numbers in text: 9 significant digits, so that every finite f32 survives (sheet 6.4, 6.5).

use std::fmt::Write;

/// Appends the float of these bits as the fxc style has it: exponent form below 1e−4 and from 1e9 on.
pub fn fxc_float(bits: u32, out: &mut String) {
    let value = f32::from_bits(bits);
    if special(bits, value, out) {
        return;
    }
    let (digits, exponent) = digits(value);
    sign(value, out);
    if (-4..9).contains(&exponent) {
        positional(&digits, exponent, out);
        return;
    }
    let (head, tail) = digits.split_at(1);
    out.push_str(head);
    let tail = tail.trim_end_matches('0');
    if !tail.is_empty() {
        out.push('.');
        out.push_str(tail);
    }
    let _ = write!(out, "e{}{:03}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
}

/// Appends the float of these bits as the compact style has it: never an exponent.
pub fn compact_float(bits: u32, out: &mut String) {
    let value = f32::from_bits(bits);
    if special(bits, value, out) {
        return;
    }
    let (digits, exponent) = digits(value);
    sign(value, out);
    positional(&digits, exponent, out);
}

/// Zero, infinities and NaN.
fn special(bits: u32, value: f32, out: &mut String) -> bool {
    let text = match bits {
        0 => "0",
        0x8000_0000 => "-0",
        0x7F80_0000 => "1.#INF",
        0xFF80_0000 => "-1.#INF",
        0x7FC0_0000 => "1.#QNAN",
        0xFFC0_0000 => "-1.#IND",
        _ if value.is_nan() => {
            let _ = write!(out, "0x{bits:08X}");
            return true;
        }
        _ => return false,
    };
    out.push_str(text);
    true
}

fn sign(value: f32, out: &mut String) {
    if value < 0.0 {
        out.push('-');
    }
}

/// Nine significant digits of |value|, ties away from zero as the C library rounds, and the decimal exponent of the
/// first one.
fn digits(value: f32) -> (String, i32) {
    let value = f64::from(value.abs());
    let mut text = format!("{value:.8e}");
    // `format!` rounds ties to even. A tie has exactly ten significant digits, the last of them 5.
    let ten = format!("{value:.9e}");
    if mantissa(&ten).ends_with('5')
        && mantissa(&format!("{value:.170e}")).get(11..).is_some_and(|rest| rest.bytes().all(|b| b == b'0'))
    {
        // Exact: half a unit of the ninth digit is far above the spacing of f64 here.
        text = format!("{:.8e}", value * (1.0 + 1e-11));
    }
    let exponent = text.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    (mantissa(&text).replace('.', ""), exponent)
}

fn mantissa(text: &str) -> &str {
    text.split_once('e').map_or(text, |(m, _)| m)
}

/// Digits with the point in its place, trailing zeros behind it cut.
fn positional(digits: &str, exponent: i32, out: &mut String) {
    if exponent < 0 {
        let fraction = digits.trim_end_matches('0');
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', (-exponent - 1) as usize));
        out.push_str(fraction);
        return;
    }
    let whole = exponent as usize + 1;
    if whole >= digits.len() {
        out.push_str(digits);
        out.extend(std::iter::repeat_n('0', whole - digits.len()));
        return;
    }
    let (integer, fraction) = digits.split_at(whole);
    out.push_str(integer);
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fxc(value: f32) -> String {
        let mut out = String::new();
        fxc_float(value.to_bits(), &mut out);
        out
    }

    fn compact(value: f32) -> String {
        let mut out = String::new();
        compact_float(value.to_bits(), &mut out);
        out
    }

    #[test]
    fn dis_numbers_9_digits() {
        for (value, text) in [
            (0.3, "0.300000012"),
            (0.7, "0.699999988"),
            (-50.01, "-50.0099983"),
            (1.0, "1"),
            (0.0001, "9.99999975e-005"),
            (1e9, "1e+009"),
            (123456790.0, "123456792"),
            (3.4028235e38, "3.40282347e+038"),
            (1e-45, "1.40129846e-045"),
            (0.5, "0.5"),
            (-1.5500992e-6, "-1.55009923e-006"),
        ] {
            assert_eq!(fxc(value), text);
        }
        assert_eq!(compact(0.0001), "0.0000999999975");
        assert_eq!(compact(1e9), "1000000000");
        assert_eq!(compact(-1234567.0), "-1234567");
        // A tie in the tenth digit goes away from zero.
        assert_eq!(compact(1048576.0 + 0.125), "1048576.13");
        assert_eq!(compact(-1048576.0 - 0.375), "-1048576.38");
    }

    #[test]
    fn dis_negative_zero_inf_nan() {
        let bits = |bits| {
            let mut out = String::new();
            fxc_float(bits, &mut out);
            out
        };
        assert_eq!(bits(0x8000_0000), "-0");
        assert_eq!(bits(0x7F80_0000), "1.#INF");
        assert_eq!(bits(0xFF80_0000), "-1.#INF");
        assert_eq!(bits(0x7FC0_0000), "1.#QNAN");
        assert_eq!(bits(0xFFC0_0000), "-1.#IND");
        assert_eq!(bits(0x7FC0_0001), "0x7FC00001");
    }

    #[test]
    fn every_finite_float_survives() {
        // A walk over all exponents with odd steps.
        for bits in (0..0x7F80_0000u32).step_by(104_729) {
            for bits in [bits, bits | 0x8000_0000] {
                let value = f32::from_bits(bits);
                assert_eq!(fxc(value).parse::<f32>().unwrap().to_bits(), bits);
                assert_eq!(compact(value).parse::<f32>().unwrap().to_bits(), bits);
            }
        }
    }
}
