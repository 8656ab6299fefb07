//! Common-subexpression elimination: of equal operations on equal operands, the one that dominates stays.
//!
//! Regions are the dominance: a table of known instructions grows on the way down and shrinks to what it was where a
//! region ends, so whatever is found dominates. Reads of memory that a shader cannot write count as pure; other reads are
//! equal only while nothing was written to their kind of memory in between, which a number a kind stands for. What depends
//! on the active lanes of a wave is left alone; derivatives and samples are shared, as the quad's lanes always exist. Two
//! equal instructions of which one is precise become one precise one. Linear.

use crate::Changed;
use crate::rewrite::{Replacements, Tables, each_function, rename};
use aquatint_base::Id;
use aquatint_ir::op::Barrier;
use aquatint_ir::types::{Access, Space, TextureKind, Type};
use aquatint_ir::{Attr, Effect, Function, GlobalKind, Inst, InstId, LocalId, Module, Op, RegionId, SampleAttr, Value};
use std::mem;

/// Replaces repeated computations by the first one.
pub fn cse(module: &mut Module) -> Changed {
    each_function(module, |tables, function| {
        let slots = (function.insts.len() + function.insts.len() / 2 + 8).next_power_of_two();
        let mut state = State {
            tables,
            replace: Replacements::new(function),
            slots: vec![Slot::default(); slots],
            filled: Vec::with_capacity(function.insts.len()),
            epochs: [0; MEMORIES],
            clock: 0,
            changed: false,
        };
        state.region(function, function.body);
        state.changed
    })
}

/// Kinds of memory: the spaces, then storage textures.
const MEMORIES: usize = Space::ALL.len() + 1;
const IMAGES: usize = Space::ALL.len();

/// An instruction that is known, and the state of the memory that it read; 0 in `inst` is an empty slot.
#[derive(Clone, Copy, Default)]
struct Slot {
    inst: u32,
    epoch: u32,
    /// The upper half of the hash: where it differs, nothing else need be compared.
    tag: u32,
}

struct State<'a, 'm> {
    tables: &'a mut Tables<'m>,
    replace: Replacements,
    /// An open-addressed table. Slots are emptied in the reverse order in which they were filled, so no probe breaks.
    slots: Vec<Slot>,
    filled: Vec<u32>,
    /// The number of the last change to each kind of memory.
    epochs: [u32; MEMORIES],
    clock: u32,
    changed: bool,
}

/// What an instruction depends on.
enum Depends {
    /// Its operands.
    Operands,
    /// Its operands and one kind of memory.
    Memory(usize),
    /// More: it is never equal to another.
    More,
}

impl State<'_, '_> {
    fn region(&mut self, function: &mut Function, region: RegionId) {
        let mut insts = mem::take(&mut function.regions[region].insts);
        let scope = self.filled.len();
        let mut kept = 0;
        for index in 0..insts.len() {
            let inst = insts[index];
            self.replace.rewrite(function, inst);
            let data = function.insts[inst];
            match data.op.effect() {
                Effect::Pure | Effect::Reads | Effect::Quad => {
                    let epoch = match self.depends(function, inst, &data) {
                        Depends::Operands => Some(0),
                        // 0 is the epoch of what needs none.
                        Depends::Memory(kind) => Some(self.epochs[kind] + 1),
                        Depends::More => None,
                    };
                    if let Some(epoch) = epoch
                        && let Some(known) = self.find_or_enter(function, inst, &data, epoch)
                    {
                        self.merge(function, &data, known);
                        continue;
                    }
                }
                Effect::Writes => self.write(function, inst, &data),
                Effect::Control => self.control(function, &data),
            }
            insts[kept] = inst;
            kept += 1;
        }
        insts.truncate(kept);
        function.regions[region].insts = insts;
        for slot in self.filled.drain(scope..) {
            self.slots[slot as usize] = Slot::default();
        }
    }

    fn control(&mut self, function: &mut Function, data: &Inst) {
        let owned = data.regions.range();
        if owned.is_empty() {
            return;
        }
        if data.op == Op::Loop {
            // What the end of the body writes, its start sees.
            self.bump_all();
            for index in owned {
                self.region(function, function.owned[index]);
                self.bump_all();
            }
            return;
        }
        // No case sees what another one writes, but by falling through; afterwards nothing is as before.
        let before = (self.epochs, self.clock);
        for index in owned {
            if data.op == Op::If {
                self.epochs = before.0;
            }
            self.region(function, function.owned[index]);
        }
        if self.clock != before.1 {
            self.bump_all();
        }
    }

    fn bump(&mut self, kind: usize) {
        self.clock += 1;
        self.epochs[kind] = self.clock;
    }

    fn bump_all(&mut self) {
        self.clock += 1;
        self.epochs = [self.clock; MEMORIES];
    }

    fn space_of(&self, function: &Function, pointer: Option<&Value>) -> Option<Space> {
        match self.tables.types.get(self.tables.type_of(function, *pointer?)) {
            Type::Pointer { space, .. } => Some(space),
            _ => None,
        }
    }

    fn depends(&self, function: &Function, inst: InstId, data: &Inst) -> Depends {
        let operands = function.operands(inst);
        match data.op {
            // Two variables are two variables.
            Op::Var => Depends::More,
            Op::QuadOp | Op::WaveOp => Depends::More,
            Op::Load | Op::LoadBytes => match self.space_of(function, operands.first()) {
                Some(Space::Uniform | Space::Push | Space::Input) => Depends::Operands,
                Some(Space::Storage) if self.is_read_only(function, operands.first()) => Depends::Operands,
                Some(space) => Depends::Memory(space as usize),
                None => Depends::More,
            },
            Op::Fetch | Op::ImageLoad => match operands.first().map(|&t| self.tables.type_of(function, t)) {
                Some(ty) => match self.tables.types.get(ty) {
                    Type::Texture(texture) => match texture.kind {
                        TextureKind::Sampled | TextureKind::Depth | TextureKind::Storage(_, Access::Read) => {
                            Depends::Operands
                        }
                        TextureKind::Storage(..) => Depends::Memory(IMAGES),
                    },
                    _ => Depends::More,
                },
                None => Depends::More,
            },
            _ => Depends::Operands,
        }
    }

    /// Whether a pointer leads into a buffer that its binding makes read-only.
    fn is_read_only(&self, function: &Function, pointer: Option<&Value>) -> bool {
        let Some(&(mut pointer)) = pointer else { return false };
        // Paths of more steps than this are not looked through.
        for _ in 0..4 {
            if let Some(global) = pointer.as_global().and_then(|id| self.tables.globals.get(id)) {
                return matches!(global.kind, GlobalKind::Resource { writable: false, .. });
            }
            let base = pointer.as_local().and_then(|local| function.def_inst(local));
            match base.filter(|&inst| function.insts[inst].op == Op::Access) {
                Some(inst) => match function.operands(inst).first() {
                    Some(&base) => pointer = base,
                    None => return false,
                },
                None => return false,
            }
        }
        false
    }

    fn write(&mut self, function: &Function, inst: InstId, data: &Inst) {
        match data.op {
            Op::Store | Op::Atomic | Op::StoreBytes => match self.space_of(function, function.operands(inst).first()) {
                Some(space) => self.bump(space as usize),
                None => self.bump_all(),
            },
            Op::ImageStore | Op::ImageAtomic => self.bump(IMAGES),
            // Neither the hidden counter nor the helper flag can be loaded.
            Op::CounterAdd | Op::Discard => {}
            Op::Barrier => {
                let Attr::Barrier(Barrier { workgroup, storage, texture, .. }) = data.attr else {
                    return self.bump_all();
                };
                for (on, kind) in
                    [(workgroup, Space::Workgroup as usize), (storage, Space::Storage as usize), (texture, IMAGES)]
                {
                    if on {
                        self.bump(kind);
                    }
                }
            }
            _ => self.bump_all(),
        }
    }

    /// The known instruction that is equal to `inst`, or `None` once `inst` is entered.
    fn find_or_enter(&mut self, function: &Function, inst: InstId, data: &Inst, epoch: u32) -> Option<InstId> {
        let operands = &function.operands[data.operands.range()];
        let ty = function.locals.get(Id::new(data.results.start as usize)).filter(|_| data.results.len > 0)?.ty;
        let seed = data.op as u64 | ((ty.index() as u64) << 8) | (u64::from(epoch) << 32);
        let mut hash = Hash::new(seed, attr_bits(data.attr));
        match operands {
            [a, b, rest @ ..] if data.op.is_commutative() => {
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                hash.add(bits_of(*a));
                hash.add(bits_of(*b));
                rest.iter().for_each(|&v| hash.add(bits_of(v)));
            }
            all => all.iter().for_each(|&v| hash.add(bits_of(v))),
        }
        let mask = self.slots.len() - 1;
        let hash = hash.finish();
        let (mut at, tag) = (hash as usize & mask, (hash >> 32) as u32);
        loop {
            let slot = self.slots[at];
            if slot.inst == 0 {
                self.slots[at] = Slot { inst: inst.index() as u32 + 1, epoch, tag };
                self.filled.push(at as u32);
                return None;
            }
            let known = InstId::new(slot.inst as usize - 1);
            if slot.tag == tag && slot.epoch == epoch && equal(function, ty, data, operands, known) {
                return Some(known);
            }
            at = (at + 1) & mask;
        }
    }

    fn merge(&mut self, function: &mut Function, data: &Inst, known: InstId) {
        self.changed = true;
        let to = &mut function.insts[known];
        to.precise |= data.precise;
        to.relaxed &= data.relaxed;
        let start = to.results.start as usize;
        for (index, local) in data.results.range().enumerate() {
            let value = Value::local(LocalId::new(start + index));
            self.replace.set(LocalId::new(local), value);
            rename(function, LocalId::new(local), value);
        }
    }
}

fn equal(function: &Function, ty: aquatint_ir::TypeId, data: &Inst, operands: &[Value], known: InstId) -> bool {
    let other = &function.insts[known];
    if other.op != data.op || other.attr != data.attr || other.results.len != data.results.len {
        return false;
    }
    if function.locals.get(Id::new(other.results.start as usize)).map(|l| l.ty) != Some(ty) {
        return false;
    }
    let others = &function.operands[other.operands.range()];
    if others == operands {
        return true;
    }
    match (operands, others) {
        ([a, b, rest @ ..], [c, d, others @ ..]) if data.op.is_commutative() => a == d && b == c && rest == others,
        _ => false,
    }
}

/// A hash of 64-bit words: each times a number of its place, so that no product waits for the one before.
struct Hash {
    sum: u64,
    place: usize,
}

impl Hash {
    /// Odd numbers without a pattern (digits of pi).
    const FACTORS: [u64; 8] = [
        0x243F_6A88_85A3_08D3,
        0x1319_8A2E_0370_7345,
        0xA409_3822_299F_31D1,
        0x082E_FA98_EC4E_6C89,
        0x4528_21E6_38D0_1377,
        0xBE54_66CF_34E9_0C6D,
        0xC0AC_29B7_C97C_50DD,
        0x3F84_D5B5_B547_0917,
    ];

    fn new(seed: u64, attr: u64) -> Self {
        Self { sum: seed.wrapping_mul(Self::FACTORS[6]) ^ attr.wrapping_mul(Self::FACTORS[7]), place: 0 }
    }

    #[inline]
    fn add(&mut self, word: u64) {
        self.sum = self.sum.wrapping_add((word + 1).wrapping_mul(Self::FACTORS[self.place & 7]));
        self.place += 1;
    }

    fn finish(self) -> u64 {
        let mixed = (self.sum ^ (self.sum >> 32)).wrapping_mul(Self::FACTORS[0]);
        mixed ^ (mixed >> 32)
    }
}

#[inline]
fn bits_of(value: Value) -> u64 {
    match value.kind() {
        aquatint_ir::ValueKind::Local(id) => id.index() as u64,
        aquatint_ir::ValueKind::Constant(id) => 1 << 32 | id.index() as u64,
        aquatint_ir::ValueKind::Global(id) => 2 << 32 | id.index() as u64,
    }
}

/// The attribute as hash input; different attributes may share it.
#[inline]
fn attr_bits(attr: Attr) -> u64 {
    match attr {
        Attr::None => 0,
        Attr::Index(index) => u64::from(index) | 1 << 32,
        Attr::Lanes(lanes) => lanes.as_slice().iter().fold(2 << 32, |bits, &lane| (bits << 3) | (u64::from(lane) + 1)),
        Attr::Sample(SampleAttr(flags)) => u64::from(flags) | 3 << 32,
        Attr::Gather(SampleAttr(flags), component) => u64::from(flags) | u64::from(component) << 8 | 4 << 32,
        Attr::Fetch(SampleAttr(flags)) => u64::from(flags) | 5 << 32,
        Attr::Derivative(kind) => kind as u64 | 6 << 32,
        Attr::Atomic(_)
        | Attr::Counter(_)
        | Attr::Quad(_)
        | Attr::Wave(_)
        | Attr::Barrier(_)
        | Attr::Cases(_)
        | Attr::Function(_) => 7 << 32,
    }
}
