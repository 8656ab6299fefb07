//! Registers, swizzles, masks, modifiers and relative addresses in text (sheet 6.2).

use super::cursor::Cursor;
use super::{Context, SyntaxError};
use crate::codes;
use crate::tokens::operand::register_token;
use crate::tokens::{Mask, Register, RegisterKind, Relative, RelativeIndex, SourceModifier, Stage, Swizzle};

/// A register with its relative address.
struct Reference {
    register: Register,
    relative: Option<Relative>,
}

/// Parses a destination and appends its token and relative token. `flags`: bits of suffixes, [23:20] and [27:24].
pub(super) fn destination(
    cursor: &mut Cursor<'_>,
    context: &Context,
    flags: u32,
    words: &mut Vec<u32>,
) -> Result<(), SyntaxError> {
    let reference = reference(cursor, context)?;
    let mask = if cursor.eat('.') { mask(cursor)? } else { Mask::ALL };
    let relative = u32::from(reference.relative.is_some()) << 13;
    words.push(register_token(reference.register) | u32::from(mask.0) << 16 | flags | relative);
    words.extend(reference.relative.and_then(|r| r.token(context.version)));
    Ok(())
}

/// Parses a source and appends its token and relative token. `spread`: the write mask whose lanes a swizzle of as many
/// lanes belongs to, in the compact style.
pub(super) fn source(
    cursor: &mut Cursor<'_>,
    context: &Context,
    spread: Option<Mask>,
    words: &mut Vec<u32>,
) -> Result<(), SyntaxError> {
    let start = cursor.position();
    let prefix = match cursor.peek() {
        Some('-') => "-",
        Some('!') => "!",
        Some('1') => "1-",
        _ => "",
    };
    for c in prefix.chars() {
        cursor.blanks();
        if !cursor.eat(c) {
            return Err(cursor.error_from(start, "expected a register", "numbers stand in def, defi and defb only"));
        }
    }
    cursor.blanks();
    let reference = reference(cursor, context)?;
    // The compact style writes the modifier behind the swizzle.
    let mut modifier = None;
    let mut swizzle = None;
    let suffix = cursor.position();
    while let Some(c) = cursor.peek().filter(|c| matches!(c, '_' | '.')) {
        cursor.eat(c);
        if c == '_' && modifier.is_none() {
            modifier = Some(cursor.take_while(|b| b.is_ascii_alphanumeric()));
        } else if c == '.' && swizzle.is_none() {
            swizzle = Some(spread_swizzle(&lanes(cursor)?, spread));
        } else {
            return Err(cursor.error_from(suffix, "a second modifier or swizzle", "a source has at most one of each"));
        }
    }
    let modifier = combine(prefix, modifier.unwrap_or("")).ok_or_else(|| {
        cursor.error_from(
            start,
            "no such source modifier",
            "there are -, 1-, !, _bias, _bx2, _x2, _dz, _dw and _abs; - goes with _bias, _bx2, _x2 and _abs",
        )
    })?;
    if reference.register.kind == RegisterKind::Loop && swizzle.is_some() {
        return Err(cursor.error_from(suffix, "aL has one lane", "write aL without a lane"));
    }
    let relative = u32::from(reference.relative.is_some()) << 13;
    let swizzle = swizzle.unwrap_or(Swizzle::IDENTITY);
    words.push(register_token(reference.register) | u32::from(swizzle.0) << 16 | (modifier as u32) << 24 | relative);
    words.extend(reference.relative.and_then(|r| r.token(context.version)));
    Ok(())
}

/// The modifier of a prefix and a suffix.
fn combine(prefix: &str, suffix: &str) -> Option<SourceModifier> {
    let suffix = suffix.to_ascii_lowercase();
    let suffix = match suffix.as_str() {
        "" => "",
        "db" | "dz" => "_dz",
        "da" | "dw" => "_dw",
        "bias" => "_bias",
        "bx2" => "_bx2",
        "x2" => "_x2",
        "abs" => "_abs",
        _ => return None,
    };
    SourceModifier::ALL.into_iter().find(|m| m.prefix() == prefix && m.suffix() == suffix)
}

/// Parses the inside of `( … )` before an instruction, the parentheses excluded, and gives its token.
pub(super) fn predicate(cursor: &mut Cursor<'_>) -> Result<u32, SyntaxError> {
    let negate = cursor.eat('!');
    cursor.blanks();
    let start = cursor.position();
    if !cursor.identifier().eq_ignore_ascii_case("p0") {
        return Err(cursor.error_from(start, "expected p0", "the only predicate register is p0"));
    }
    let swizzle = if cursor.eat('.') { swizzle(cursor)? } else { Swizzle::IDENTITY };
    Ok(crate::tokens::Predicate { negate, swizzle }.token())
}

/// A register name with its number and bracket.
fn reference(cursor: &mut Cursor<'_>, context: &Context) -> Result<Reference, SyntaxError> {
    let version = context.version;
    let start = cursor.position();
    let name = cursor.take_while(|b| b.is_ascii_alphabetic());
    let Some(kind) = kind(name) else {
        cursor.identifier();
        return Err(cursor.error_from(
            start,
            if name.is_empty() { "expected a register".to_owned() } else { format!("no register is called `{name}`") },
            "registers are r v c a t i b s l p, oPos oFog oPts oD oT o, oC oDepth, aL vPos vFace",
        ));
    };
    let digits = cursor.unsigned();
    let mut index = digits.unwrap_or(0);
    let mut relative = None;
    let bracket = cursor.eat('[');
    if bracket {
        relative = address(cursor, context, &mut index)?;
    }
    if kind.is_single() == digits.is_some() && !(bracket && digits.is_none()) {
        let message = match digits {
            Some(_) => format!("{} has no number", kind.name()),
            None => format!("{}# needs a number", kind.name()),
        };
        return Err(cursor.error_from(start, message, "such as r0, c12, oPos"));
    }
    let no_register = |cursor: &Cursor<'_>| {
        let number = if kind.is_single() { String::new() } else { index.to_string() };
        let stage = match version.stage {
            Stage::Vertex => "vertex",
            Stage::Pixel => "pixel",
        };
        let message = format!("{}{number} does not exist in {stage} shaders of version {}", kind.name(), version.major);
        let error = cursor.error_from(start, message, "see the register files of the version");
        SyntaxError { code: &codes::E_REG, ..error }
    };
    let register = match u16::try_from(index) {
        Ok(index) if index < 8192 && (kind == RegisterKind::Const || index < 2048) => Register::new(kind, index),
        _ => return Err(no_register(cursor)),
    };
    let (number, low) = register.to_token();
    if Register::from_token(number, low, relative.is_some(), version) != Some(register) {
        return Err(no_register(cursor));
    }
    Ok(Reference { register, relative })
}

/// The kind of a register name. Single letters are case-insensitive like the rest.
fn kind(name: &str) -> Option<RegisterKind> {
    use RegisterKind::*;
    const ALL: [RegisterKind; 21] = [
        Temp,
        Input,
        Const,
        Address,
        Texture,
        ConstInt,
        ConstBool,
        Sampler,
        Label,
        Predicate,
        Output,
        AttrOut,
        TexCoordOut,
        ColorOut,
        PositionOut,
        FogOut,
        PointSizeOut,
        DepthOut,
        Loop,
        PixelPosition,
        Face,
    ];
    ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
}

/// The inside of a bracket and the bracket that closes it; integers are added to `index`.
fn address(cursor: &mut Cursor<'_>, context: &Context, index: &mut u64) -> Result<Option<Relative>, SyntaxError> {
    let mut relative = None;
    loop {
        cursor.blanks();
        let start = cursor.position();
        if let Some(number) = cursor.unsigned() {
            *index = index.saturating_add(number);
            if matches!(cursor.peek(), Some('.')) {
                return Err(cursor.error("an index is a whole number", "registers are counted from 0"));
            }
        } else {
            let name = cursor.identifier();
            let term = if name.eq_ignore_ascii_case("aL") {
                if cursor.peek() == Some('.') {
                    return Err(cursor.error("aL has one lane", "write aL without a lane"));
                }
                Relative { index: RelativeIndex::Loop, swizzle: Swizzle::IDENTITY }
            } else if name.eq_ignore_ascii_case("a0") {
                let swizzle = if cursor.eat('.') {
                    swizzle(cursor)?
                } else if context.version.major == 1 && context.strict {
                    return Err(cursor.error_from(start, "a0 without a lane", "write a0.x"));
                } else if context.version.major == 1 {
                    Swizzle::replicate(0)
                } else {
                    Swizzle::IDENTITY
                };
                Relative { index: RelativeIndex::Address(swizzle.lane(0)), swizzle }
            } else {
                return Err(cursor.error_from(
                    start,
                    "expected a number, a0 or aL",
                    "an index is a sum of numbers and at most one of a0.x and aL; offsets cannot be negative",
                ));
            };
            if relative.replace(term).is_some() {
                return Err(cursor.error_from(start, "a second index register", "an index has one register"));
            }
        }
        cursor.blanks();
        if cursor.eat(']') {
            return Ok(relative);
        }
        if !cursor.eat('+') {
            return Err(cursor.error("expected `+` or `]`", "negative offsets cannot be encoded"));
        }
    }
}

/// A lane letter as its number.
fn lane(letter: u8) -> Option<u8> {
    Some(match letter.to_ascii_lowercase() {
        b'x' | b'r' => 0,
        b'y' | b'g' => 1,
        b'z' | b'b' => 2,
        b'w' | b'a' => 3,
        _ => return None,
    })
}

/// The lanes behind a dot: one to four of them.
fn lanes(cursor: &mut Cursor<'_>) -> Result<smallvec::SmallVec<[u8; 4]>, SyntaxError> {
    let start = cursor.position();
    let letters = cursor.take_while(|b| b.is_ascii_alphanumeric());
    if !(1..=4).contains(&letters.len()) {
        return Err(cursor.error_from(start, "expected one to four lanes", "lanes are x y z w or r g b a"));
    }
    let found: Option<smallvec::SmallVec<[u8; 4]>> = letters.bytes().map(lane).collect();
    found.ok_or_else(|| cursor.error_from(start, "no such lane", "lanes are x y z w or r g b a"))
}

/// A swizzle; a short one repeats its last lane.
fn swizzle(cursor: &mut Cursor<'_>) -> Result<Swizzle, SyntaxError> {
    Ok(spread_swizzle(&lanes(cursor)?, None))
}

/// The swizzle of some lanes: lane n at position n, or at the position of the mask's lane n.
fn spread_swizzle(lanes: &[u8], spread: Option<Mask>) -> Swizzle {
    let last = lanes.last().copied().unwrap_or(0);
    let spread = spread.filter(|mask| mask.count() as usize == lanes.len());
    let lane = |position: u8| match spread {
        // Positions outside the mask are read by nothing; they repeat the lane before them.
        Some(mask) => lanes.get((mask.0 & ((2u8 << position) - 1)).count_ones().saturating_sub(1) as usize),
        None => lanes.get(usize::from(position)),
    };
    Swizzle((0..4).fold(0, |bits, position| bits | lane(position).copied().unwrap_or(last) << (2 * position)))
}

/// A write mask: lanes in order, each once.
fn mask(cursor: &mut Cursor<'_>) -> Result<Mask, SyntaxError> {
    let start = cursor.position();
    let lanes = lanes(cursor)?;
    if !lanes.is_sorted_by(|a, b| a < b) {
        return Err(cursor.error_from(start, "the lanes of a mask stand in order, each once", "such as .xz or .rgb"));
    }
    Ok(Mask(lanes.iter().fold(0, |bits, &lane| bits | 1 << lane)))
}
