//! The values of literals (sheet A2.5 to A2.8).

use crate::token::{FloatSuffix, IntLiteral, Literal};

/// Why a spelling has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// AQ1004, and why.
    Malformed(&'static str),
    /// AQ1005, and the range.
    Range(&'static str),
    /// AQ1003: a character of nothing.
    Empty,
}

/// The value of a number. `modern`: the language version is 2021 or later.
pub fn number(text: &str, modern: bool) -> Result<Literal, Fault> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return if digits.contains('p') { hex_float(digits, modern) } else { integer(digits, 16) };
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        return if modern {
            integer(digits, 2)
        } else {
            Err(Fault::Malformed("binary numbers need language version 2021"))
        };
    }
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    match lower.as_bytes().get(digits) {
        Some(b'.' | b'e' | b'f' | b'h') => float(&lower),
        _ if digits > 1 && lower.starts_with('0') => integer(lower.get(1..).unwrap_or_default(), 8),
        _ => integer(&lower, 10),
    }
}

fn integer(text: &str, base: u32) -> Result<Literal, Fault> {
    let digits = text.bytes().take_while(|b| char::from(*b).is_digit(base)).count();
    let (digits, suffix) = text.split_at(digits);
    let (unsigned, long, long_long) = match suffix {
        "" => (false, false, false),
        "u" => (true, false, false),
        "l" => (false, true, false),
        "ul" | "lu" => (true, true, false),
        "ll" => (false, false, true),
        "ull" | "llu" => (true, false, true),
        _ if base == 8 && suffix.starts_with(['8', '9']) => {
            return Err(Fault::Malformed("8 and 9 are no octal digits"));
        }
        _ if base == 2 && suffix.starts_with(|c: char| c.is_ascii_digit()) => {
            return Err(Fault::Malformed("a binary number has the digits 0 and 1"));
        }
        _ => return Err(Fault::Malformed("an integer has the suffixes u, l, ul, ll, ull")),
    };
    // Octal has lost its leading zero, which is a digit.
    if digits.is_empty() && base != 8 {
        return Err(Fault::Malformed("it has no digits"));
    }
    let mut value: u64 = 0;
    for digit in digits.chars().filter_map(|c| c.to_digit(base)) {
        value = value
            .checked_mul(u64::from(base))
            .and_then(|v| v.checked_add(u64::from(digit)))
            .ok_or(Fault::Range("an integer has at most 64 bits"))?;
    }
    Ok(Literal::Int(IntLiteral { value, unsigned, long, long_long, bits: base != 10 }))
}

fn float_suffix(suffix: &str) -> Option<FloatSuffix> {
    Some(match suffix {
        "" => FloatSuffix::None,
        "h" => FloatSuffix::Half,
        "f" => FloatSuffix::Float,
        "l" => FloatSuffix::Double,
        _ => return None,
    })
}

const SUFFIXES: Fault = Fault::Malformed("a floating-point number has the suffixes f, h, l");

fn float(text: &str) -> Result<Literal, Fault> {
    if let Some((_, special)) = text.split_once('#') {
        let (value, suffix) = if let Some(suffix) = special.strip_prefix("inf") {
            (f64::INFINITY, suffix)
        } else if let Some(suffix) = special.strip_prefix("ind").or_else(|| special.strip_prefix("qnan")) {
            (f64::NAN, suffix)
        } else {
            return Err(Fault::Malformed("behind 1.# stands INF, IND or QNAN"));
        };
        return Ok(Literal::Float { value, suffix: float_suffix(suffix).ok_or(SUFFIXES)? });
    }
    let mut end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    if text.as_bytes().get(end) == Some(&b'e') {
        let signed = matches!(text.as_bytes().get(end + 1), Some(b'+' | b'-'));
        let first = end + 1 + usize::from(signed);
        let digits = text.bytes().skip(first).take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(Fault::Malformed("the exponent has no digits"));
        }
        end = first + digits;
    }
    let (digits, suffix) = text.split_at(end);
    let suffix = float_suffix(suffix).ok_or(SUFFIXES)?;
    // A 32-bit number is rounded once, from the text.
    let value = match suffix {
        FloatSuffix::Float => digits.parse::<f32>().map(f64::from),
        _ => digits.parse::<f64>(),
    };
    let value = value.map_err(|_| Fault::Malformed("it has two points"))?;
    if value.is_infinite() && digits.parse::<f64>().is_ok_and(f64::is_infinite) {
        return Err(Fault::Range("a floating-point number lies within the range of a double"));
    }
    Ok(Literal::Float { value, suffix })
}

/// `text` has no `0x` and lower case.
fn hex_float(text: &str, modern: bool) -> Result<Literal, Fault> {
    if !modern {
        return Err(Fault::Malformed("hexadecimal floating-point numbers need language version 2021"));
    }
    let (mantissa, exponent) = text.split_once('p').ok_or(Fault::Malformed("it has no exponent"))?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let end = exponent.find(|c: char| !c.is_ascii_digit() && c != '+' && c != '-').unwrap_or(exponent.len());
    let (exponent, suffix) = exponent.split_at(end);
    let suffix = float_suffix(suffix).ok_or(SUFFIXES)?;
    let negative = exponent.starts_with('-');
    let exponent = exponent.trim_start_matches(['+', '-']);
    if exponent.is_empty() {
        return Err(Fault::Malformed("the exponent has no digits"));
    }
    if whole.is_empty() && fraction.is_empty() {
        return Err(Fault::Malformed("it has no digits"));
    }
    let exponent = exponent.bytes().fold(0i64, |e, b| (e * 10 + i64::from(b - b'0')).min(1 << 40));
    let mut power = if negative { -exponent } else { exponent };
    power -= 4 * fraction.len() as i64;
    // 60 bits, and whether anything is lost below: enough to round once.
    let mut bits: u64 = 0;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = digit.to_digit(16).ok_or(Fault::Malformed("it has the digits 0 to f"))?;
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
        } else {
            bits |= u64::from(digit != 0);
            power += 4;
        }
    }
    // In two steps, as the power alone can lie out of range.
    let power = power.clamp(-4000, 4000) as i32;
    let mut value = bits as f64;
    let mut left = power;
    while left != 0 && value != 0.0 && value.is_finite() {
        let step = left.clamp(-1000, 1000);
        value *= 2f64.powi(step);
        left -= step;
    }
    if value.is_infinite() {
        return Err(Fault::Range("a floating-point number lies within the range of a double"));
    }
    let value = if suffix == FloatSuffix::Float { f64::from(value as f32) } else { value };
    Ok(Literal::Float { value, suffix })
}

/// One character or escape (A2.8) and the rest.
fn unescape(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first != '\\' {
        return Some((first, chars.as_str()));
    }
    let rest = chars.as_str();
    let escape = chars.next()?;
    let value = match escape {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        'x' => {
            let digits = chars.as_str().bytes().take_while(u8::is_ascii_hexdigit).count();
            let (digits, rest) = chars.as_str().split_at(digits);
            let value = digits.bytes().fold(0u32, |v, b| v << 4 | char::from(b).to_digit(16).unwrap_or(0));
            return Some((char::from(value as u8), rest));
        }
        '0'..='7' => {
            let digits = rest.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let (digits, rest) = rest.split_at(digits);
            return Some((char::from(u32::from_str_radix(digits, 8).unwrap_or(0) as u8), rest));
        }
        // `\\`, `\'`, `\"`, and what stands for itself.
        other => other,
    };
    Some((value, chars.as_str()))
}

/// The value of a character in its quotes: several make a number of their bytes, the last one lowest, as in C.
pub fn character(text: &str) -> Result<Literal, Fault> {
    let mut rest = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or_default();
    if rest.is_empty() {
        return Err(Fault::Empty);
    }
    let mut value: u32 = 0;
    while let Some((c, behind)) = unescape(rest) {
        rest = behind;
        if (c as u32) < 256 {
            value = value << 8 | c as u32;
        } else {
            // Its bytes as UTF-8, as the file has them.
            value = c.encode_utf8(&mut [0; 4]).bytes().fold(value, |v, b| v << 8 | u32::from(b));
        }
    }
    Ok(Literal::Char(value as i32))
}

/// Appends what a string in its quotes holds.
pub fn string(text: &str, out: &mut String) {
    let mut rest = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or_default();
    while let Some((c, behind)) = unescape(rest) {
        rest = behind;
        out.push(c);
    }
}

/// Appends `text` as a string in quotes that [`string`] reads back.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            // Three digits: what follows cannot be taken for one more.
            c if (c as u32) < 32 || (127..256).contains(&(c as u32)) => {
                out.push_str(&format!("\\{:03o}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
