//! How values on the command line are spelled.

use aquatint::d3d9::driver::{AlphaTest, CompareFunction, FogFactor};
use aquatint::d3d9::lower::{Projection, TextureKind};
use aquatint::passes::PASSES;

/// `N=VALUE` with N below `limit`.
fn numbered(text: &str, limit: u16) -> Result<(u16, &str), String> {
    let (number, value) = text.split_once('=').ok_or_else(|| "it has the form N=VALUE".to_owned())?;
    Ok((below(number, limit)?, value))
}

/// A number below `limit`, with or without the letter of its register.
fn below(text: &str, limit: u16) -> Result<u16, String> {
    let digits = text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits
        .parse()
        .ok()
        .filter(|&number| number < limit)
        .ok_or_else(|| format!("'{text}' is no number from 0 to {}", limit - 1))
}

/// A sampler, 0 to 15.
pub fn sampler(text: &str) -> Result<u16, String> {
    below(text, 16)
}

/// `N=2d`, `N=cube`, `N=volume`.
pub fn sampler_kind(text: &str) -> Result<(u16, TextureKind), String> {
    let (number, kind) = numbered(text, 16)?;
    let kind = TextureKind::from_name(kind).ok_or_else(|| format!("'{kind}' is none of 2d, cube, volume"))?;
    Ok((number, kind))
}

/// `N=2`, `N=3`, `N=4`.
pub fn projection(text: &str) -> Result<(u16, Projection), String> {
    let (stage, count) = numbered(text, 8)?;
    let projection = match count {
        "2" => Projection::Count2,
        "3" => Projection::Count3,
        "4" => Projection::Count4,
        _ => return Err(format!("'{count}' is none of 2, 3, 4")),
    };
    Ok((stage, projection))
}

/// `0`, `1`, `true`, `false`.
pub fn truth(text: &str) -> Result<bool, String> {
    match text {
        "0" | "false" => Ok(false),
        "1" | "true" => Ok(true),
        _ => Err(format!("'{text}' is neither 0 nor 1")),
    }
}

/// `N=0`, `N=1`.
pub fn bool_constant(text: &str) -> Result<(u16, bool), String> {
    let (number, value) = numbered(text, 16)?;
    Ok((number, truth(value)?))
}

/// `FUNC` or `FUNC=REF`, the reference 0 to 255.
pub fn alpha_test(text: &str) -> Result<AlphaTest, String> {
    let (name, reference) = match text.split_once('=') {
        Some((name, reference)) => (name, Some(reference)),
        None => (text, None),
    };
    let function = CompareFunction::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| {
        let names: Vec<&str> = CompareFunction::ALL.iter().map(|f| f.name()).collect();
        format!("'{name}' is none of {}", names.join(", "))
    })?;
    let reference = reference
        .map(|text| {
            text.parse::<f32>()
                .ok()
                .filter(|value| (0.0..=255.0).contains(value))
                .ok_or_else(|| format!("the reference '{text}' is no number from 0 to 255"))
        })
        .transpose()?;
    Ok(AlphaTest { function, reference })
}

/// `vertex`, `linear`, `exp`, `exp2`.
pub fn fog(text: &str) -> Result<FogFactor, String> {
    match text {
        "vertex" => Ok(FogFactor::Vertex),
        "linear" => Ok(FogFactor::Linear),
        "exp" => Ok(FogFactor::Exp),
        "exp2" => Ok(FogFactor::Exp2),
        _ => Err(format!("'{text}' is none of vertex, linear, exp, exp2")),
    }
}

/// Numbers between commas, as many as `N`.
pub fn floats<const N: usize>(text: &str) -> Result<[f32; N], String> {
    let mut all = [0.0; N];
    let mut parts = text.split(',');
    for place in &mut all {
        let part = parts.next().ok_or_else(|| format!("it takes {N} numbers between commas"))?;
        *place = part.trim().parse().map_err(|_| format!("'{part}' is no number"))?;
    }
    if parts.next().is_some() {
        return Err(format!("it takes {N} numbers between commas"));
    }
    Ok(all)
}

/// One to four numbers between commas; one fills all lanes, what is missing otherwise is 0.
fn lanes<T: std::str::FromStr + Copy + Default>(text: &str) -> Result<[T; 4], String> {
    let mut all = [T::default(); 4];
    let mut count = 0;
    for part in text.split(',') {
        let place = all.get_mut(count).ok_or("it takes one to four numbers between commas")?;
        *place = part.trim().parse().map_err(|_| format!("'{part}' is no number of the register's kind"))?;
        count += 1;
    }
    if count == 1 {
        all = [all[0]; 4];
    }
    Ok(all)
}

/// `N=x,y,z,w`.
pub fn float_constant(text: &str) -> Result<(u16, [f32; 4]), String> {
    let (number, value) = numbered(text, 8192)?;
    Ok((number, lanes(value)?))
}

/// `N=x,y,z,w` of integers; one number is the count of a `rep` alone.
pub fn int_constant(text: &str) -> Result<(u16, [i32; 4]), String> {
    let (number, value) = numbered(text, 2048)?;
    let mut lanes = lanes(value)?;
    if !value.contains(',') {
        lanes = [lanes[0], 0, 0, 0];
    }
    Ok((number, lanes))
}

/// `N=VALUE` for a sampler.
pub fn for_sampler(text: &str) -> Result<(u16, String), String> {
    let (number, value) = numbered(text, 16)?;
    Ok((number, value.to_owned()))
}

/// `cN`.
pub fn float_register(text: &str) -> Result<u16, String> {
    below(text, 8192)
}

/// `WIDTHxHEIGHT`, sides of 1 to 16384 pixels.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=16384).contains(side));
    let (width, height) = text.split_once(['x', 'X']).ok_or("it has the form WIDTHxHEIGHT")?;
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok([width, height]),
        _ => Err("its sides are 1 to 16384 pixels".to_owned()),
    }
}

/// `NAME` or `NAME=VALUE`.
pub fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    if name.is_empty() {
        return Err("it has the form NAME or NAME=VALUE".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// Colour targets, `0,2`; bits.
pub fn targets(text: &str) -> Result<u8, String> {
    text.split(',').try_fold(0, |bits, part| Ok(bits | 1 << below(part, 8)?))
}

/// The name of a pass.
pub fn pass(text: &str) -> Result<String, String> {
    if PASSES.iter().any(|pass| pass.name == text) {
        return Ok(text.to_owned());
    }
    let near = nearest(text, PASSES.iter().map(|pass| pass.name));
    Err(near.map_or_else(
        || "`aquatint passes` lists the passes".to_owned(),
        |name| format!("there is a pass '{name}'; `aquatint passes` lists all"),
    ))
}

/// The name of a pass, or `all`.
pub fn pass_or_all(text: &str) -> Result<String, String> {
    if text == "all" { Ok(text.to_owned()) } else { pass(text) }
}

/// The name most like `text`, if one is like it at all.
pub fn nearest<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (text.chars().count() / 2).clamp(1, 3);
    names
        .map(|name| (distance(&text.to_ascii_lowercase(), &name.to_ascii_lowercase()), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Insertions, removals, replacements and swaps of neighbouring letters between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let replaced = row[j] + usize::from(a[i] != b[j]);
            next[j + 1] = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                next[j + 1] = next[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_registers_may_carry_their_letter() {
        assert_eq!(float_constant("c3=1,2"), Ok((3, [1.0, 2.0, 0.0, 0.0])));
        assert_eq!(float_constant("3=0.5"), Ok((3, [0.5; 4])));
        assert_eq!(int_constant("i1=7"), Ok((1, [7, 0, 0, 0])));
        assert_eq!(int_constant("1=7,0,1"), Ok((1, [7, 0, 1, 0])));
        assert!(float_constant("3=1,2,3,4,5").is_err() && float_constant("3").is_err());
        assert!(sampler("16").is_err() && sampler("s15") == Ok(15));
    }

    #[test]
    fn alpha_references_are_bytes() {
        let test = alpha_test("greaterequal=128").expect("it parses");
        assert_eq!((test.function, test.reference), (CompareFunction::GreaterEqual, Some(128.0)));
        assert_eq!(alpha_test("less").expect("it parses").reference, None);
        assert!(alpha_test("less=256").is_err() && alpha_test("lss").is_err());
    }

    #[test]
    fn the_nearest_name_is_offered_when_it_is_near() {
        assert_eq!(nearest("e-trnc", ["E-TRUNC", "E-END"].into_iter()), Some("E-TRUNC"));
        assert_eq!(nearest("nonsense", ["E-TRUNC", "E-END"].into_iter()), None);
        assert_eq!((distance("kitten", "sitting"), distance("dec", "dce"), distance("", "ab")), (3, 1, 2));
    }

    #[test]
    fn sizes_have_bounds() {
        assert_eq!(size("640x400"), Ok([640, 400]));
        assert!(size("0x4").is_err() && size("4").is_err() && size("4x99999").is_err());
    }
}
