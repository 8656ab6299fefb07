//! The registers during lowering: a flat table of slots, four lanes each.

use super::lanes::{Lane, Lanes4};
use crate::tokens::{Destination, Instruction, Opcode, RegisterKind, Shader};
use aquatint_ir::Scalar;

/// A position in the table.
pub type Slot = usize;

/// r0.
pub const TEMP: Slot = 0;
/// t0 (ps_1_0–ps_1_3: as a register).
pub const TEXTURE: Slot = 32;
/// a0.
pub const ADDRESS: Slot = 40;
/// p0.
pub const PREDICATE: Slot = 41;
/// oPos.
pub const POSITION: Slot = 42;
/// oFog.
pub const FOG: Slot = 43;
/// oPts.
pub const POINT_SIZE: Slot = 44;
/// oD0.
pub const COLOR: Slot = 45;
/// oT0.
pub const TEXCOORD: Slot = 47;
/// o0.
pub const OUTPUT: Slot = 55;
/// oC0.
pub const TARGET: Slot = 71;
/// oDepth.
pub const DEPTH: Slot = 75;
/// Lane 0: whether the current subroutine has returned from inside a loop.
pub const RETURNED: Slot = 76;
/// The number of slots.
pub const SLOTS: usize = 77;

/// The slot that a register has, if instructions write it.
pub fn slot_of(kind: RegisterKind, index: u16) -> Option<Slot> {
    let (base, count) = match kind {
        RegisterKind::Temp => (TEMP, 32),
        RegisterKind::Texture => (TEXTURE, 8),
        RegisterKind::Address => (ADDRESS, 1),
        RegisterKind::Predicate => (PREDICATE, 1),
        RegisterKind::PositionOut => (POSITION, 1),
        RegisterKind::FogOut => (FOG, 1),
        RegisterKind::PointSizeOut => (POINT_SIZE, 1),
        RegisterKind::AttrOut => (COLOR, 2),
        RegisterKind::TexCoordOut => (TEXCOORD, 8),
        RegisterKind::Output => (OUTPUT, 16),
        RegisterKind::ColorOut => (TARGET, 4),
        RegisterKind::DepthOut => (DEPTH, 1),
        RegisterKind::Input
        | RegisterKind::Const
        | RegisterKind::ConstInt
        | RegisterKind::Sampler
        | RegisterKind::ConstBool
        | RegisterKind::Loop
        | RegisterKind::PixelPosition
        | RegisterKind::Face
        | RegisterKind::Label => return None,
    };
    (usize::from(index) < count).then_some(base + usize::from(index))
}

/// The kind of a slot's lanes.
pub const fn kind_of(slot: Slot) -> Scalar {
    match slot {
        ADDRESS => Scalar::I32,
        PREDICATE | RETURNED => Scalar::Bool,
        _ => Scalar::F32,
    }
}

/// The values of all registers at one point of the program.
#[derive(Clone)]
pub struct State {
    /// The lanes of each slot.
    pub slots: [Lanes4; SLOTS],
}

impl State {
    /// All slots of a kind hold `zeros[kind]` in every lane.
    pub fn new(float: Lane, int: Lane, bool: Lane) -> Self {
        let mut slots = [[float; 4]; SLOTS];
        for (slot, lanes) in slots.iter_mut().enumerate() {
            match kind_of(slot) {
                Scalar::I32 => *lanes = [int; 4],
                Scalar::Bool => *lanes = [bool; 4],
                _ => {}
            }
        }
        Self { slots }
    }
}

/// Which lanes of which slots a piece of program may write: a mask of 4 bits each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteSet(pub [u8; SLOTS]);

impl Default for WriteSet {
    fn default() -> Self {
        Self([0; SLOTS])
    }
}

impl WriteSet {
    /// What all instructions of a shader may write.
    pub fn of(shader: &Shader) -> Self {
        let mut all = Self::default();
        shader.instructions.iter().for_each(|instruction| all.add(instruction));
        all
    }

    /// Adds what an instruction writes. `texkill` and the pads have a destination-shaped operand that they only read.
    pub fn add(&mut self, instruction: &Instruction) {
        let Some(destination) = &instruction.destination else { return };
        match instruction.opcode {
            Opcode::TexKill => {}
            Opcode::TexDepth | Opcode::TexM3x2Depth => self.0[DEPTH] |= 0xF,
            _ => self.add_destination(destination),
        }
    }

    fn add_destination(&mut self, destination: &Destination) {
        if let Some(slot) = slot_of(destination.register.kind, destination.register.index) {
            self.0[slot] |= destination.mask.0 & 0xF;
        }
    }

    /// Adds another set.
    pub fn merge(&mut self, other: &WriteSet) {
        for (to, from) in self.0.iter_mut().zip(&other.0) {
            *to |= from;
        }
    }

    /// The slots with lanes in the set, and those lanes.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, u8)> + '_ {
        self.0.iter().enumerate().filter(|(_, mask)| **mask != 0).map(|(slot, &mask)| (slot, mask))
    }
}

/// The lanes (0–3) of a mask, in order.
pub fn mask_lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |lane| mask >> lane & 1 != 0)
}
