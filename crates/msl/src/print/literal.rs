//! Constants as text (sheet D3.3).

use super::File;
use aquatint_ir::ConstantId;
use aquatint_ir::constants::ConstantValue;
use aquatint_ir::types::{Scalar, Type, lanes_of};
use std::fmt::Write as _;

/// Appends a number in decimal.
pub(crate) fn unsigned(out: &mut String, mut number: u64) {
    if number < 10 {
        return out.push(char::from(b'0' + number as u8));
    }
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}

/// Appends a scalar; `nested` puts negative ones in parentheses.
pub(super) fn scalar(out: &mut String, kind: Scalar, bits: u64, nested: bool) {
    let negative = match kind {
        Scalar::F32 => (bits as u32) >> 31 != 0 && f32::from_bits(bits as u32).is_finite(),
        Scalar::F16 => bits as u16 >> 15 != 0 && (bits as u16 & 0x7C00) != 0x7C00,
        Scalar::I16 => (bits as u16 as i16) < 0,
        Scalar::I32 => (bits as u32 as i32) < 0,
        Scalar::I64 => (bits as i64) < 0,
        _ => false,
    };
    let brackets = negative && nested;
    if brackets {
        out.push('(');
    }
    match kind {
        Scalar::Bool => out.push_str(if bits == 0 { "false" } else { "true" }),
        Scalar::U16 => {
            out.push_str("ushort(");
            unsigned(out, bits);
            out.push(')');
        }
        Scalar::I16 => {
            out.push_str("short(");
            signed(out, i64::from(bits as u16 as i16));
            out.push(')');
        }
        Scalar::U32 => {
            unsigned(out, bits);
            out.push('u');
        }
        Scalar::I32 if bits as u32 == 0x8000_0000 => {
            out.push_str(if brackets { "-2147483647 - 1" } else { "(-2147483647 - 1)" });
        }
        Scalar::I32 => signed(out, i64::from(bits as u32 as i32)),
        Scalar::U64 => {
            unsigned(out, bits);
            out.push_str("ul");
        }
        Scalar::I64 if bits as i64 == i64::MIN => out.push_str("(-9223372036854775807l - 1l)"),
        Scalar::I64 => {
            signed(out, bits as i64);
            out.push('l');
        }
        Scalar::F32 => float(out, f32::from_bits(bits as u32)),
        Scalar::F16 => half(out, bits as u16),
        Scalar::F64 => out.push_str("0.0"),
    }
    if brackets {
        out.push(')');
    }
}

fn signed(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    unsigned(out, number.unsigned_abs());
}

/// The shortest text that reads back as the number; whole numbers of a few digits without the formatter.
fn float(out: &mut String, number: f32) {
    if !number.is_finite() {
        let _ = write!(out, "as_type<float>(0x{:08X}u)", number.to_bits());
        return;
    }
    let whole = number as i32;
    if whole as f32 == number && whole.unsigned_abs() < 1_000_000 && number.to_bits() != 0x8000_0000 {
        signed(out, i64::from(whole));
        out.push_str(".0f");
    } else {
        let _ = write!(out, "{number:?}f");
    }
}

/// The shortest decimal that rounds to the binary16.
fn half(out: &mut String, bits: u16) {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    if exponent == 31 {
        let _ = write!(out, "as_type<half>(ushort(0x{bits:04X}))");
        return;
    }
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 != 0 {
        out.push('-');
    }
    // Half the distance to a neighbour, which is nearer below a power of two: a decimal within it reads back.
    let reach = 2f64.powi(exponent.max(1) - 26 - i32::from(fraction == 0.0));
    for digits in 0..5 {
        let text = format!("{magnitude:.digits$e}");
        let read: f64 = text.parse().unwrap_or(magnitude);
        if (read - magnitude).abs() < reach {
            let _ = write!(out, "{read:?}h");
            return;
        }
    }
    let _ = write!(out, "{magnitude:?}h");
}

impl File<'_> {
    /// A constant; `nested` where an operator stands beside it.
    pub(super) fn constant(&mut self, id: ConstantId, nested: bool) {
        let Some(constant) = self.module.constants.get(id) else { return };
        let ty = constant.ty;
        match &constant.value {
            ConstantValue::Scalar(bits) => {
                if let Some((kind, _)) = lanes_of(ty) {
                    scalar(&mut self.out, kind, *bits, nested);
                }
            }
            ConstantValue::Vector(lanes) => {
                let Some((kind, count)) = lanes_of(ty) else { return };
                let lanes = *lanes;
                let lanes = &lanes[..usize::from(count)];
                self.type_name(ty);
                self.out.push('(');
                let same = lanes.iter().all(|&l| l == lanes[0]);
                for (i, &lane) in lanes.iter().enumerate().take(if same { 1 } else { 4 }) {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    scalar(&mut self.out, kind, lane, false);
                }
                self.out.push(')');
            }
            ConstantValue::Zero => {
                self.type_name(ty);
                let matrix = matches!(self.module.types.get(ty), Type::Matrix { .. });
                self.out.push_str(if matrix { "(0.0f)" } else { "{}" });
            }
            ConstantValue::Composite(parts) => {
                let parts = parts.clone();
                let (open, close) = match self.module.types.get(ty) {
                    Type::Matrix { .. } => ("(", ")"),
                    Type::Array { .. } => ("{{", "}}"),
                    _ => ("{", "}"),
                };
                self.type_name(ty);
                self.out.push_str(open);
                for (i, &part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.constant(part, false);
                }
                self.out.push_str(close);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: Scalar, bits: u64, nested: bool) -> String {
        let mut out = String::new();
        scalar(&mut out, kind, bits, nested);
        out
    }

    #[test]
    fn floats_are_shortest_and_read_back() {
        let f = |x: f32| text(Scalar::F32, u64::from(x.to_bits()), false);
        assert_eq!(f(1.0), "1.0f");
        assert_eq!(f(-0.0), "-0.0f");
        assert_eq!(f(0.1), "0.1f");
        assert_eq!(f(f32::MAX), "3.4028235e38f");
        assert_eq!(f(1e-7), "1e-7f");
        assert_eq!(f(f32::INFINITY), "as_type<float>(0x7F800000u)");
        assert_eq!(text(Scalar::F32, 0xBF80_0000, true), "(-1.0f)");
    }

    #[test]
    fn integers_and_halfs() {
        assert_eq!(text(Scalar::I32, 0x8000_0000, false), "(-2147483647 - 1)");
        assert_eq!(text(Scalar::I32, 0x8000_0000, true), "(-2147483647 - 1)");
        assert_eq!(text(Scalar::I32, 0xFFFF_FFFF, true), "(-1)");
        assert_eq!(text(Scalar::U32, 7, true), "7u");
        assert_eq!(text(Scalar::F16, 0x3C00, false), "1.0h");
        assert_eq!(text(Scalar::F16, 0x2E66, false), "0.1h");
        assert_eq!(text(Scalar::F16, 0xBC00, true), "(-1.0h)");
    }
}
