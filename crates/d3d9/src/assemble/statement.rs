//! Mnemonics with their suffixes and operands (sheet 6.2, 6.3).

use super::cursor::Cursor;
use super::operand;
use super::{Context, SyntaxError};
use crate::tokens::opcode::{DestinationRule, ROWS};
use crate::tokens::version::SOFTWARE;
use crate::tokens::{Comparison, Kind, Mask, Opcode, SamplerKind, Stage, TexldKind, Usage, Version};

/// `vs_1_1`, `ps.2.0`, `vs_3_sw`, `ps_2_a` …
pub(super) fn version(cursor: &mut Cursor<'_>) -> Result<Version, SyntaxError> {
    let start = cursor.position();
    let text = cursor.take_while(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.').to_ascii_lowercase();
    let found = parse_version(&text).filter(|_| cursor.at_end());
    found.ok_or_else(|| {
        cursor.error_from(
            start,
            "expected a shader version",
            "the first statement is the version, such as vs_1_1, ps_2_0, vs_3_sw",
        )
    })
}

fn parse_version(text: &str) -> Option<Version> {
    let (stage, rest) = text.split_at_checked(2)?;
    let stage = match stage {
        "vs" => Stage::Vertex,
        "ps" => Stage::Pixel,
        _ => return None,
    };
    let mut parts = rest.strip_prefix(['_', '.'])?.split(['_', '.']);
    let major: u8 = parts.next()?.parse().ok()?;
    let minor = match parts.next()? {
        "x" | "a" | "b" => 1,
        "sw" => SOFTWARE,
        number => number.parse().ok()?,
    };
    if parts.next().is_some() {
        return None;
    }
    Version::from_word(Version { stage, major, minor }.word())
}

/// What the suffixes of a mnemonic say.
#[derive(Default)]
struct Suffixes {
    /// Bits [23:20] and [27:24] of the destination token.
    flags: u32,
    comparison: Option<Comparison>,
    usage: Option<(Usage, u8)>,
    sampler: Option<SamplerKind>,
}

/// Parses one statement and appends its words.
pub(super) fn parse(
    cursor: &mut Cursor<'_>,
    context: &Context,
    coissue: bool,
    words: &mut Vec<u32>,
) -> Result<(), SyntaxError> {
    let version = context.version;
    cursor.blanks();
    let coissue = coissue || cursor.eat('+');
    cursor.blanks();
    let mut predicate = None;
    if cursor.eat('(') {
        cursor.blanks();
        predicate = Some(operand::predicate(cursor)?);
        cursor.blanks();
        if !cursor.eat(')') {
            return Err(cursor.error("expected `)`", "a predicate is (p0), (!p0) or (p0.x)"));
        }
        cursor.blanks();
    }
    let start = cursor.position();
    let mnemonic = cursor.identifier().to_ascii_lowercase();
    if mnemonic.is_empty() {
        return Err(cursor.error("expected an instruction", "a line holds one statement"));
    }
    let mut parts = mnemonic.split('_');
    let base = parts.next().unwrap_or_default();
    let Some((mut opcode, texld)) = find(base, version) else {
        return Err(unknown(cursor, start, base, version));
    };
    let mut suffixes = Suffixes::default();
    for part in parts {
        if let Err(message) = suffix(part, opcode, &mut suffixes) {
            return Err(cursor.error_from(
                start,
                message,
                "suffixes are _sat _pp _centroid _x2 _x4 _x8 _d2 _d4 _d8, each once, and what the instruction needs",
            ));
        }
    }
    opcode = match (opcode, suffixes.comparison) {
        (Opcode::If, Some(_)) => Opcode::IfC,
        (Opcode::Break, Some(_)) => Opcode::BreakC,
        (Opcode::SetP, None) => {
            return Err(cursor.error_from(start, "setp needs a comparison", "such as setp_gt"));
        }
        (opcode, _) => opcode,
    };
    let takes_flags = opcode.row().destination == DestinationRule::Written;
    if suffixes.flags != 0 && (!takes_flags || opcode.kind() == Kind::Definition) {
        return Err(cursor.error_from(
            start,
            format!("{base} takes no result modifier"),
            "_sat, _pp, _centroid and shifts belong to a written register",
        ));
    }
    let head = words.len();
    words.push(0);
    match opcode.kind() {
        Kind::Declaration => declaration(cursor, context, &suffixes, words)?,
        Kind::Definition => definition(cursor, context, opcode, words)?,
        _ => operands(cursor, context, opcode, suffixes.flags, predicate, words)?,
    }
    let controls = match texld {
        TexldKind::Plain => suffixes.comparison.map_or(0, |c| c as u32),
        TexldKind::Project => 1,
        TexldKind::Bias => 2,
    };
    let length = if version.major >= 2 { (words.len() - head - 1) as u32 } else { 0 };
    if length > 15 {
        return Err(cursor.error_from(start, "too many operand words", "an instruction has at most 15 of them"));
    }
    if let Some(token) = words.get_mut(head) {
        *token = u32::from(opcode.number())
            | controls << 16
            | length << 24
            | u32::from(predicate.is_some()) << 28
            | u32::from(coissue) << 30;
    }
    Ok(())
}

/// The opcode of a mnemonic without suffixes, as that version spells it.
fn find(base: &str, version: Version) -> Option<(Opcode, TexldKind)> {
    let texture = |kind| (Opcode::Tex.name_in(version, kind) == base).then_some((Opcode::Tex, kind));
    match base {
        "tex" | "texld" => return texture(TexldKind::Plain),
        "texldp" if version.major >= 2 => return texture(TexldKind::Project),
        "texldb" if version.major >= 2 => return texture(TexldKind::Bias),
        _ => {}
    }
    let opcode = ROWS.iter().find(|row| row.opcode.name_in(version, TexldKind::Plain) == base)?.opcode;
    Some((opcode, TexldKind::Plain))
}

/// An unknown mnemonic: says so when another version has it.
fn unknown(cursor: &Cursor<'_>, start: usize, base: &str, version: Version) -> SyntaxError {
    let elsewhere = ["tex", "texld", "texldp", "texldb", "texcoord", "texcrd"].contains(&base);
    let message =
        if elsewhere { format!("{version} has no {base}") } else { format!("no instruction is called `{base}`") };
    cursor.error_from(
        start,
        message,
        "ps_1_0 to ps_1_3 have tex and texcoord, ps_1_4 texld and texcrd, later ones texld, texldp and texldb",
    )
}

/// Reads one suffix; the message of what is wrong with it.
fn suffix(part: &str, opcode: Opcode, suffixes: &mut Suffixes) -> Result<(), String> {
    const SHIFTS: [(&str, u32); 6] = [("x2", 1), ("x4", 2), ("x8", 3), ("d2", 15), ("d4", 14), ("d8", 13)];
    let twice = || format!("`_{part}` stands twice, or beside another of its kind");
    let mut flag = |bit: u32| {
        if suffixes.flags & bit != 0 {
            return Err(twice());
        }
        suffixes.flags |= bit;
        Ok(())
    };
    match part {
        "sat" => return flag(1 << 20),
        "pp" => return flag(2 << 20),
        "centroid" => return flag(4 << 20),
        _ => {}
    }
    if let Some((_, shift)) = SHIFTS.iter().find(|(name, _)| *name == part) {
        if suffixes.flags >> 24 != 0 {
            return Err(twice());
        }
        suffixes.flags |= shift << 24;
        return Ok(());
    }
    if matches!(opcode, Opcode::If | Opcode::Break | Opcode::SetP)
        && let Some(comparison) = Comparison::ALL.into_iter().find(|c| c.name() == part)
    {
        return match suffixes.comparison.replace(comparison) {
            Some(_) => Err(twice()),
            None => Ok(()),
        };
    }
    if opcode == Opcode::Dcl {
        let sampler = SamplerKind::ALL.into_iter().find(|kind| kind.suffix().strip_prefix('_') == Some(part));
        let usage = usage(part);
        if sampler.is_some() || usage.is_some() {
            if suffixes.sampler.is_some() || suffixes.usage.is_some() {
                return Err(twice());
            }
            (suffixes.sampler, suffixes.usage) = (sampler, usage);
            return Ok(());
        }
    }
    Err(format!("{} has no suffix `_{part}`", opcode.row().name))
}

/// `texcoord12`: a usage and an index 0–15.
fn usage(text: &str) -> Option<(Usage, u8)> {
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = text.get(name.len()..)?;
    let usage = Usage::ALL.iter().copied().find(|usage| usage.name() == name)?;
    let index: u8 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    (index < 16).then_some((usage, index))
}

fn declaration(
    cursor: &mut Cursor<'_>,
    context: &Context,
    suffixes: &Suffixes,
    words: &mut Vec<u32>,
) -> Result<(), SyntaxError> {
    let (usage, index) = suffixes.usage.unwrap_or((Usage::Position, 0));
    let kind = suffixes.sampler.unwrap_or_default() as u32;
    words.push(0x8000_0000 | usage as u32 | u32::from(index) << 16 | kind << 27);
    cursor.blanks();
    operand::destination(cursor, context, suffixes.flags, words)
}

fn definition(
    cursor: &mut Cursor<'_>,
    context: &Context,
    opcode: Opcode,
    words: &mut Vec<u32>,
) -> Result<(), SyntaxError> {
    cursor.blanks();
    operand::destination(cursor, context, 0, words)?;
    for _ in 0..if opcode == Opcode::DefB { 1 } else { 4 } {
        comma(cursor)?;
        words.push(match opcode {
            Opcode::DefB => bool_word(cursor)?,
            Opcode::DefI => cursor.integer()?,
            _ => cursor.float()?,
        });
    }
    Ok(())
}

fn bool_word(cursor: &mut Cursor<'_>) -> Result<u32, SyntaxError> {
    let start = cursor.position();
    match cursor.identifier().to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(1),
        "false" | "0" => Ok(0),
        _ => Err(cursor.error_from(start, "expected true or false", "such as defb b0, true")),
    }
}

fn comma(cursor: &mut Cursor<'_>) -> Result<(), SyntaxError> {
    cursor.blanks();
    if !cursor.eat(',') {
        return Err(cursor.error("expected `,`", "the instruction needs more operands"));
    }
    cursor.blanks();
    Ok(())
}

fn operands(
    cursor: &mut Cursor<'_>,
    context: &Context,
    opcode: Opcode,
    flags: u32,
    predicate: Option<u32>,
    words: &mut Vec<u32>,
) -> Result<(), SyntaxError> {
    let version = context.version;
    cursor.blanks();
    let has_destination = opcode.row().destination != DestinationRule::None;
    let head = words.len();
    if has_destination {
        operand::destination(cursor, context, flags, words)?;
    }
    let spread = (context.compact && has_destination && takes_mask_lanes(opcode, version))
        .then(|| Mask((words.get(head).copied().unwrap_or(0) >> 16 & 0xF) as u8));
    // Directly behind the destination (sheet 1.7).
    words.extend(predicate);
    let (fewest, most) = opcode.source_counts(version);
    for i in 0..most {
        if has_destination || i > 0 {
            cursor.blanks();
            if i == fewest && cursor.peek() != Some(',') {
                break;
            }
            comma(cursor)?;
        }
        operand::source(cursor, context, spread, words)?;
    }
    cursor.blanks();
    if cursor.peek() == Some(',') {
        return Err(cursor.error_to_end("too many operands", "see the instruction's form"));
    }
    Ok(())
}

/// Whether the compact style cuts source swizzles of the opcode to the lanes of the write mask, rather than to the first
/// ones.
fn takes_mask_lanes(opcode: Opcode, version: Version) -> bool {
    use Opcode::*;
    match opcode {
        Dp2Add | Dp3 | Dp4 | TexLdl | TexLdd => false,
        Tex => version.major == 1,
        _ => true,
    }
}
