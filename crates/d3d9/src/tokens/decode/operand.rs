//! Operand words: destinations, sources, predicates, relative addresses (sheet 1.4 to 1.7).

use super::super::*;
use super::{Decoder, INVALID, Operands};
use crate::codes;

/// How an operand slot is called in messages.
#[derive(Clone, Copy)]
enum Slot {
    Destination,
    Source(usize),
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Slot::Destination => f.write_str("the destination"),
            Slot::Source(i) => write!(f, "source {i}"),
        }
    }
}

impl Decoder<'_> {
    /// Reads a destination and its relative token; `None` where words ran out.
    pub(super) fn destination(&mut self, op: Opcode, operands: &mut Operands<'_>) -> Option<Destination> {
        let token = operands.next()?;
        let register = self.register(op, Slot::Destination, token);
        let relative = self.relative(op, Slot::Destination, token, register, operands)?;
        let modifiers = token >> 20 & 0xF;
        if modifiers & 8 != 0 {
            self.profile(
                &codes::W_PROFILE_RESERVED,
                format!("the destination of {} has reserved bit 23 set", op.row().name),
            );
        }
        // Signed 4-bit number: F, E, D are −1, −2, −3.
        let shift = ((token >> 24 & 0xF) as i8) << 4 >> 4;
        if !(-3..=3).contains(&shift) {
            self.fault(
                &codes::E_OPERAND,
                format!("the destination of {} has result shift {:X}", op.row().name, token >> 24 & 0xF),
                "shifts are 1, 2, 3 (times 2, 4, 8) and F, E, D (divided by 2, 4, 8)",
            );
        }
        Some(Destination {
            register,
            mask: Mask((token >> 16 & 0xF) as u8),
            saturate: modifiers & 1 != 0,
            partial_precision: modifiers & 2 != 0,
            centroid: modifiers & 4 != 0,
            shift: if (-3..=3).contains(&shift) { shift } else { 0 },
            relative,
        })
    }

    /// Reads source `i` and its relative token; `None` where words ran out.
    #[inline]
    pub(super) fn source(&mut self, op: Opcode, i: usize, operands: &mut Operands<'_>) -> Option<Source> {
        let token = operands.next()?;
        let register = self.register(op, Slot::Source(i), token);
        let relative = self.relative(op, Slot::Source(i), token, register, operands)?;
        let number = (token >> 24 & 0xF) as u8;
        let modifier = SourceModifier::from_number(number).unwrap_or_else(|| {
            self.fault(
                &codes::E_OPERAND,
                format!("source {i} of {} has modifier {number:X}", op.row().name),
                "modifiers are 0 to D",
            );
            SourceModifier::None
        });
        Some(Source { register, swizzle: Swizzle((token >> 16) as u8), modifier, relative })
    }

    pub(super) fn predicate(&mut self, op: Opcode, token: u32) -> Predicate {
        let kind = token_kind(token);
        if kind != 19 || token & 0x7FF != 0 || token >> 31 == 0 {
            self.fault(
                &codes::E_OPERAND,
                format!("the predicate of {} is {token:08X}, which is not p0", op.row().name),
                "the predicate token comes directly behind the destination and its relative token",
            );
        }
        let modifier = token >> 24 & 0xF;
        if modifier != 0 && modifier != 0xD {
            self.fault(
                &codes::E_OPERAND,
                format!("the predicate of {} has modifier {modifier:X}", op.row().name),
                "a predicate is plain (0) or negated (D)",
            );
        }
        Predicate { negate: modifier == 0xD, swizzle: Swizzle((token >> 16) as u8) }
    }

    #[inline]
    fn register(&mut self, op: Opcode, slot: Slot, token: u32) -> Register {
        if token >> 31 == 0 {
            self.fault(
                &codes::E_OPERAND,
                format!("{slot} of {} is {token:08X}, which has bit 31 clear", op.row().name),
                "every operand word has bit 31 set; a length before this word may be wrong",
            );
            return INVALID;
        }
        if token & 0xC000 != 0 {
            self.profile(
                &codes::W_PROFILE_RESERVED,
                format!("{slot} of {} has reserved bits {:04X} set", op.row().name, token & 0xC000),
            );
        }
        let (kind, number) = (token_kind(token), (token & 0x7FF) as u16);
        Register::from_token(kind, number, token & 0x2000 != 0, self.version).unwrap_or_else(|| {
            self.fault(
                &codes::E_REG,
                format!(
                    "{slot} of {} names register type {kind} number {number}, which no {} version of major {} has",
                    op.row().name,
                    self.version.stage.name(),
                    self.version.major
                ),
                "see the register files of the version",
            );
            INVALID
        })
    }

    /// The relative address of an operand, read from the next word where the version has one. `None` where words ran out.
    #[inline]
    fn relative(
        &mut self,
        op: Opcode,
        slot: Slot,
        token: u32,
        register: Register,
        operands: &mut Operands<'_>,
    ) -> Option<Option<Relative>> {
        if token & 0x2000 == 0 || token >> 31 == 0 {
            return Some(None);
        }
        let version = self.version;
        let allowed = match register.kind {
            _ if register == INVALID => true,
            RegisterKind::Const => version.is_vertex() || version.major >= 3,
            RegisterKind::Input => version.major >= 3,
            RegisterKind::Output => matches!(slot, Slot::Destination),
            _ => false,
        };
        if !allowed {
            self.fault(
                &codes::E_REL,
                format!(
                    "{slot} of {} addresses {}# relatively, which {version} cannot",
                    op.row().name,
                    register.kind.name()
                ),
                "c# in vertex shaders, v# in vs_3_0 and ps_3_0, and o# in vs_3_0 can be relative",
            );
        }
        if version.major == 1 {
            let swizzle = Swizzle::replicate(0);
            return Some(Some(Relative { index: RelativeIndex::Address(0), swizzle }));
        }
        let index = operands.next()?;
        let swizzle = Swizzle((index >> 16) as u8);
        let kind = token_kind(index);
        let valid = index >> 31 != 0 && index & 0x7FF == 0 && (kind == 15 || kind == 3 && version.is_vertex());
        if !valid {
            self.fault(
                &codes::E_REL,
                format!("the index of {slot} of {} is {index:08X}, which is neither a0 nor aL", op.row().name),
                "the word behind a relative operand is a0 (vertex) or aL",
            );
        } else if index & 0x0F00_E000 != 0 {
            self.fault(
                &codes::E_REL,
                format!("the index of {slot} of {} carries a modifier ({index:08X})", op.row().name),
                "an index register takes a swizzle only",
            );
        }
        let index = if kind == 15 { RelativeIndex::Loop } else { RelativeIndex::Address(swizzle.lane(0)) };
        Some(Some(Relative { index, swizzle }))
    }
}

/// The register type of an operand token.
#[inline]
const fn token_kind(token: u32) -> u8 {
    ((token >> 28 & 7) | (token >> 8 & 0x18)) as u8
}
