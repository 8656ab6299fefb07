//! Typed numbers: as text, as bits, as bytes at offsets.

use aquatint_ir::{Scalar, eval};

/// Most bytes of one buffer of a case.
pub const MOST_BYTES: usize = 1 << 24;

/// A scalar somewhere in a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Bytes from the start.
    pub offset: usize,
    /// What it is.
    pub kind: Scalar,
    /// Its bits, in the low ones.
    pub bits: u64,
    /// Bytes of padding behind it.
    pub behind: usize,
}

/// The kind of that name, `bool` apart (it has no size in a buffer).
pub fn kind(name: &str) -> Option<Scalar> {
    Scalar::ALL.into_iter().find(|kind| kind.name() == name && *kind != Scalar::Bool)
}

/// Reads a number of a kind: decimal, `inf`, `-inf`, `nan`, or bits as `0x…`.
///
/// # Errors
/// What is wrong with it.
pub fn parse(kind: Scalar, text: &str) -> Result<u64, String> {
    let bad = || format!("'{text}' is no {}", kind.name());
    let mask = aquatint_ir::constants::mask(kind, u64::MAX);
    if let Some(hex) = text.strip_prefix("0x") {
        let bits = u64::from_str_radix(hex, 16).map_err(|_| bad())?;
        return if bits <= mask || kind.bits() == 64 { Ok(bits) } else { Err(bad()) };
    }
    if kind.is_float() {
        let number: f64 = text.parse().map_err(|_| bad())?;
        // Directly, not by way of f64: a decimal is rounded once.
        if kind == Scalar::F32 {
            return text.parse::<f32>().map(|number| u64::from(number.to_bits())).map_err(|_| bad());
        }
        return Ok(eval::convert(Scalar::F64, kind, number.to_bits()));
    }
    let number: i128 = text.parse().map_err(|_| bad())?;
    let bits = kind.bits();
    let range = if kind.is_signed() { -(1_i128 << (bits - 1))..(1 << (bits - 1)) } else { 0..1 << bits };
    if range.contains(&number) { Ok(number as u64 & mask) } else { Err(bad()) }
}

/// A number as people read it; floats with their bits.
pub fn show(kind: Scalar, bits: u64) -> String {
    match kind {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::F16 | Scalar::F32 | Scalar::F64 => {
            let width = kind.bytes() as usize * 2;
            format!("{} (0x{bits:0width$x})", plain(kind, bits))
        }
        Scalar::I16 | Scalar::I32 | Scalar::I64 => format!("{} (0x{bits:x})", plain(kind, bits)),
        _ => format!("{bits} (0x{bits:x})"),
    }
}

/// A number as [`parse`] reads it back.
pub fn plain(kind: Scalar, bits: u64) -> String {
    let number = || f64::from_bits(eval::convert(kind, Scalar::F64, bits));
    match kind {
        Scalar::F32 => f32::from_bits(bits as u32).to_string().to_lowercase(),
        Scalar::F16 | Scalar::F64 => number().to_string().to_lowercase(),
        Scalar::I16 => (bits as i16).to_string(),
        Scalar::I32 => (bits as i32).to_string(),
        Scalar::I64 => (bits as i64).to_string(),
        _ => bits.to_string(),
    }
}

/// Reads fields: kinds and the numbers behind them, `pad BYTES`, `zeros COUNT`, `times COUNT NUMBER`.
///
/// # Errors
/// The word that is not understood.
pub fn fields<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Vec<Field>, String> {
    let mut all = Vec::new();
    let (mut offset, mut current) = (0usize, None);
    while let Some(word) = words.next() {
        if let Some(kind) = kind(word) {
            current = Some(kind);
            continue;
        }
        let mut count = || -> Result<usize, String> {
            let text = words.next().ok_or_else(|| format!("'{word}' lacks a number"))?;
            let number = text.parse::<usize>().ok().filter(|&n| n <= MOST_BYTES / 2);
            number.ok_or_else(|| format!("'{text}' is no count"))
        };
        if word == "pad" {
            let pad = count()?;
            offset += pad;
            if let Some(last) = all.last_mut() {
                let last: &mut Field = last;
                last.behind += pad;
            }
            continue;
        }
        let kind = current.ok_or_else(|| format!("'{word}' stands before any kind of number"))?;
        let (count, bits) = match word {
            "zeros" => (count()?, 0),
            "times" => {
                let count = count()?;
                (count, parse(kind, words.next().ok_or("'times' lacks a number")?)?)
            }
            number => (1, parse(kind, number)?),
        };
        for _ in 0..count {
            all.push(Field { offset, kind, bits, behind: 0 });
            offset += kind.bytes() as usize;
            if offset > MOST_BYTES {
                return Err(format!("more than {MOST_BYTES} bytes"));
            }
        }
    }
    Ok(all)
}

/// The bytes of fields; what lies between and behind them is zero.
pub fn bytes(fields: &[Field]) -> Vec<u8> {
    let end = fields.iter().map(|f| f.offset + f.kind.bytes() as usize + f.behind).max().unwrap_or(0);
    let mut bytes = vec![0; end.min(MOST_BYTES * 2)];
    for field in fields {
        let length = field.kind.bytes() as usize;
        if let Some(place) = bytes.get_mut(field.offset..field.offset + length) {
            place.copy_from_slice(&field.bits.to_le_bytes()[..length]);
        }
    }
    bytes
}

/// The bits of a field in bytes; `None` past their end.
pub fn field_of(bytes: &[u8], offset: usize, kind: Scalar) -> Option<u64> {
    let mut word = [0; 8];
    let length = kind.bytes() as usize;
    word[..length].copy_from_slice(bytes.get(offset..offset.checked_add(length)?)?);
    Some(u64::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_their_kind_and_stay_in_its_range() {
        assert_eq!(parse(Scalar::F32, "1.5"), Ok(u64::from(1.5f32.to_bits())));
        assert_eq!(parse(Scalar::F32, "-inf"), Ok(0xFF80_0000));
        assert_eq!(parse(Scalar::F32, "0x7fc00001"), Ok(0x7FC0_0001));
        assert_eq!(parse(Scalar::F16, "1"), Ok(0x3C00));
        assert_eq!(parse(Scalar::I32, "-1"), Ok(0xFFFF_FFFF));
        assert_eq!(parse(Scalar::U64, "18446744073709551615"), Ok(u64::MAX));
        for (kind, text) in
            [(Scalar::U32, "-1"), (Scalar::I16, "32768"), (Scalar::U16, "0x10000"), (Scalar::I32, "1.0")]
        {
            assert!(parse(kind, text).is_err(), "{text}");
        }
    }

    #[test]
    fn fields_lie_where_kinds_and_padding_put_them() {
        let all = fields("u32 1 2 pad 4 f32 zeros 2 times 2 0.5 i16 -1".split(' ')).unwrap();
        let places: Vec<(usize, u64)> = all.iter().map(|f| (f.offset, f.bits)).collect();
        let half = u64::from(0.5f32.to_bits());
        assert_eq!(places, [(0, 1), (4, 2), (12, 0), (16, 0), (20, half), (24, half), (28, 0xFFFF)]);
        assert_eq!(bytes(&all).len(), 30);
        assert_eq!(bytes(&fields("f32 1 2 3 pad 4".split(' ')).unwrap()).len(), 16, "padding at the end counts");
        assert_eq!(field_of(&bytes(&all), 28, Scalar::U16), Some(0xFFFF));
        assert_eq!(field_of(&bytes(&all), 28, Scalar::U32), None);
        for wrong in ["1", "u32 x", "u32 pad", "u32 times 3", "u32 zeros 99999999999"] {
            assert!(fields(wrong.split(' ')).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shown_numbers_read_back() {
        for (kind, bits) in [(Scalar::F32, 0x3DCC_CCCDu64), (Scalar::I32, 0x8000_0000), (Scalar::F16, 0x3C00)] {
            assert_eq!(parse(kind, &plain(kind, bits)), Ok(bits));
        }
    }
}
