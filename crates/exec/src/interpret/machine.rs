//! Running a program.

use super::mask;
use super::program::{Inst, Interface, Program};
use super::resources::{Entry, Resources};
use super::{Error, MAX_LANES};
use aquatint_ir::eval::{self, Operand, Shape};
use aquatint_ir::{Builtin, Scalar, Stage};

/// Most words of state of a machine: slots and memory of all lanes.
const MAX_WORDS: u64 = 1 << 25;

/// The state of a group of lanes that run a [`Program`]. Make one, and run it as often as wanted: a run allocates nothing.
///
/// Set inputs, [`run`](Machine::run), read outputs. Lanes of a fragment program are quads, in the order (0,0), (1,0), (0,1),
/// (1,1), y downward; lanes of a compute program are the invocations of one workgroup in the order of `local_index`.
#[derive(Debug)]
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) lanes: usize,
    pub(super) wave: usize,
    /// Slot `s` of lane `l` is at `s * lanes + l`.
    pub(super) slots: Vec<u64>,
    /// Word `w` of lane `l` is at `w * lanes + l`.
    pub(super) memory: Vec<u64>,
    pub(super) shared: Vec<u64>,
    masks: Vec<u64>,
    pub(super) active: Vec<u64>,
    pub(super) helpers: Vec<u64>,
    first_helpers: Vec<u64>,
    returns: Vec<u32>,
    /// For each resource the first of its entries, and their number.
    table: Vec<(usize, u32)>,
    entries: Vec<Option<Entry>>,
    revision: u64,
}

impl<'p> Machine<'p> {
    /// A machine of 1 to [`MAX_LANES`] lanes. A fragment program wants a multiple of 4.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for other numbers, and where the lanes would need too much memory.
    pub fn new(program: &'p Program, lanes: usize) -> Result<Self, Error> {
        if lanes == 0 || lanes > MAX_LANES {
            return Err(Error::TooLarge("lanes"));
        }
        let words = u64::from(program.slots) + u64::from(program.lane_words);
        if words * lanes as u64 + u64::from(program.shared_words) > MAX_WORDS {
            return Err(Error::TooLarge("values and variables of all lanes"));
        }
        let mut slots = Vec::with_capacity(program.slots as usize * lanes);
        for &word in &program.constants {
            slots.resize(slots.len() + lanes, word);
        }
        slots.resize(program.slots as usize * lanes, 0);
        let set = mask::words(lanes);
        let wave = match (program.options.wave_size, program.stage) {
            (Some(size), _) => size.clamp(1, 128) as usize,
            (None, Stage::Fragment) => 4,
            (None, _) => 32,
        };
        Ok(Self {
            program,
            lanes,
            wave,
            slots,
            memory: vec![0; program.lane_words as usize * lanes],
            shared: vec![0; program.shared_words as usize],
            masks: vec![0; program.masks as usize * set],
            active: vec![0; set],
            helpers: vec![0; set],
            first_helpers: vec![0; set],
            returns: Vec::new(),
            table: Vec::new(),
            entries: Vec::new(),
            revision: 0,
        })
    }

    /// A machine with a lane for every invocation of a workgroup.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn for_workgroup(program: &'p Program) -> Result<Self, Error> {
        let lanes = program.workgroup_size.iter().try_fold(1_u32, |all, &n| all.checked_mul(n));
        Self::new(program, lanes.unwrap_or(u32::MAX) as usize)
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    fn place(&self, interface: &Interface, component: usize, lane: usize) -> Option<usize> {
        let inside = component < interface.count && lane < self.lanes;
        inside.then(|| (interface.address as usize + component) * self.lanes + lane)
    }

    /// Sets one scalar of an input, as bits of its kind. Inputs stay until they are set again.
    #[inline]
    pub fn set(&mut self, input: &Interface, component: usize, lane: usize, bits: u64) {
        if let Some(place) = self.place(input, component, lane)
            && let Some(word) = self.memory.get_mut(place)
        {
            *word = bits;
        }
    }

    /// Sets the first scalars of an input, converted to its kind.
    pub fn set_f32(&mut self, input: &Interface, lane: usize, numbers: &[f32]) {
        for (component, number) in numbers.iter().enumerate() {
            let bits = eval::convert(Scalar::F32, input.kind, u64::from(number.to_bits()));
            self.set(input, component, lane, bits);
        }
    }

    /// Sets the first scalars of an input, converted to its kind.
    pub fn set_u32(&mut self, input: &Interface, lane: usize, numbers: &[u32]) {
        for (component, &number) in numbers.iter().enumerate() {
            self.set(input, component, lane, eval::convert(Scalar::U32, input.kind, u64::from(number)));
        }
    }

    /// One scalar of an output (or input), as bits of its kind; 0 where there is none.
    #[inline]
    pub fn get(&self, output: &Interface, component: usize, lane: usize) -> u64 {
        self.place(output, component, lane).and_then(|place| self.memory.get(place)).copied().unwrap_or(0)
    }

    /// The first four scalars of an output as f32; zeros where there are fewer.
    pub fn get_f32(&self, output: &Interface, lane: usize) -> [f32; 4] {
        std::array::from_fn(|component| {
            let bits = self.get(output, component, lane);
            f32::from_bits(eval::convert(output.kind, Scalar::F32, bits) as u32)
        })
    }

    /// Makes a lane a helper from the start, or not: it computes, and its stores and outputs count for nothing.
    pub fn set_helper(&mut self, lane: usize, helper: bool) {
        if lane < self.lanes {
            mask::set(&mut self.first_helpers, lane, helper);
        }
    }

    /// Whether the lane came through the last run: it was no helper, was not discarded, and did not terminate.
    pub fn is_live(&self, lane: usize) -> bool {
        mask::has(&self.active, lane) && !mask::has(&self.helpers, lane)
    }

    /// Runs the first `count` lanes.
    ///
    /// # Errors
    /// [`Error::Steps`] and [`Error::Unreachable`]. What was stored by then stays.
    pub fn run(&mut self, resources: &mut Resources, count: usize) -> Result<(), Error> {
        if self.revision != resources.revision {
            self.bind(resources);
        }
        let program = self.program;
        let fixed = program.constants.len() * self.lanes;
        self.slots[fixed..].fill(0);
        self.memory[program.input_words as usize * self.lanes..].fill(0);
        self.shared.fill(0);
        for (address, range) in &program.inits {
            let words = &program.init_words[range.start as usize..range.end as usize];
            for (word, &bits) in words.iter().enumerate() {
                let first = (*address as usize + word) * self.lanes;
                self.memory[first..first + self.lanes].fill(bits);
            }
        }
        mask::fill(&mut self.active, count.min(self.lanes));
        self.helpers.copy_from_slice(&self.first_helpers);
        self.masks.fill(0);
        self.returns.clear();
        self.execute(resources)
    }

    /// Runs one workgroup; its number and their count go to the built-ins.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn run_workgroup(
        &mut self,
        resources: &mut Resources,
        workgroup: [u32; 3],
        count: [u32; 3],
    ) -> Result<(), Error> {
        let program = self.program;
        let size = program.workgroup_size.map(|n| n.max(1));
        for input in &program.inputs {
            let Some(builtin) = input.io.builtin else { continue };
            for lane in 0..self.lanes {
                let index = lane as u32;
                let local = [index % size[0], index / size[0] % size[1], index / size[0] / size[1]];
                match builtin {
                    Builtin::LocalIndex => self.set_u32(input, lane, &[index]),
                    Builtin::LocalInvocation => self.set_u32(input, lane, &local),
                    Builtin::WorkgroupId => self.set_u32(input, lane, &workgroup),
                    Builtin::WorkgroupCount => self.set_u32(input, lane, &count),
                    Builtin::GlobalInvocation => {
                        let global = [0, 1, 2].map(|k| workgroup[k].wrapping_mul(size[k]).wrapping_add(local[k]));
                        self.set_u32(input, lane, &global);
                    }
                    _ => {}
                }
            }
        }
        self.run(resources, self.lanes)
    }

    /// Runs all workgroups of a dispatch, x fastest.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn dispatch(&mut self, resources: &mut Resources, count: [u32; 3]) -> Result<(), Error> {
        for z in 0..count[2] {
            for y in 0..count[1] {
                for x in 0..count[0] {
                    self.run_workgroup(resources, [x, y, z], count)?;
                }
            }
        }
        Ok(())
    }

    /// Looks up what is bound.
    fn bind(&mut self, resources: &Resources) {
        self.table.clear();
        self.entries.clear();
        for resource in &self.program.resources {
            let first = self.entries.len();
            let bound = match resource.binding {
                Some(binding) => resources.registers(binding).saturating_sub(binding.register),
                None => 1,
            };
            let count = resource.count.map_or(bound, |count| count.min(bound));
            for element in 0..count {
                let binding = resource.binding.map(|mut binding| {
                    binding.register += element;
                    binding
                });
                self.entries.push(resources.entry(binding));
            }
            self.table.push((first, count));
        }
        self.revision = resources.revision;
    }

    /// What the first word of a pointer to a buffer, or a handle, stands for.
    #[inline]
    pub(super) fn entry(&self, word: u64) -> Option<Entry> {
        let &(first, count) = self.table.get(((word >> 32) as usize).checked_sub(1)?)?;
        let element = word as u32;
        if element < count { *self.entries.get(first + element as usize)? } else { None }
    }

    /// A slot of a lane.
    #[inline]
    pub(super) fn slot(&self, slot: u32, lane: usize) -> u64 {
        self.slots[slot as usize * self.lanes + lane]
    }

    /// Sets a slot of a lane.
    #[inline]
    pub(super) fn set_slot(&mut self, slot: u32, lane: usize, bits: u64) {
        self.slots[slot as usize * self.lanes + lane] = bits;
    }

    /// Calls `each` for the active lanes.
    #[inline]
    pub(super) fn each(&mut self, mut each: impl FnMut(&mut Self, usize)) {
        let active = std::mem::take(&mut self.active);
        mask::for_each(&active, |lane| each(self, lane));
        self.active = active;
    }

    /// Calls `each` for the active lanes that are no helpers.
    #[inline]
    pub(super) fn each_live(&mut self, mut each: impl FnMut(&mut Self, usize)) {
        self.each(|machine, lane| {
            if !mask::has(&machine.helpers, lane) {
                each(machine, lane);
            }
        });
    }

    fn mask(&mut self, mask: u32) -> &mut [u64] {
        let words = self.active.len();
        &mut self.masks[mask as usize * words..][..words]
    }

    /// The active lanes go over to a mask.
    fn leave(&mut self, into: u32) {
        let words = self.active.len();
        let mask = &mut self.masks[into as usize * words..][..words];
        for (to, from) in mask.iter_mut().zip(&mut self.active) {
            *to |= std::mem::take(from);
        }
    }

    fn activate(&mut self, mask: u32) {
        let words = self.active.len();
        self.active.copy_from_slice(&self.masks[mask as usize * words..][..words]);
    }

    fn is_idle(&self) -> bool {
        mask::is_empty(&self.active)
    }

    fn is_full(&self) -> bool {
        self.active.iter().map(|word| word.count_ones() as usize).sum::<usize>() == self.lanes
    }

    fn execute(&mut self, resources: &mut Resources) -> Result<(), Error> {
        let program = self.program;
        let n = self.lanes;
        let mut left = (program.options.limits.steps / n as u64).max(1);
        let mut pc = program.start as usize;
        // Every index below was checked when the program was made.
        while let Some(inst) = program.code.get(pc) {
            pc += 1;
            left -= 1;
            if left == 0 {
                return Err(Error::Steps);
            }
            match *inst {
                Inst::Lane { f, out, a, b, c, count } => {
                    let [out, a, b, c, count] = [out, a, b, c, count].map(|k| k as usize * n);
                    for i in 0..count {
                        self.slots[out + i] = f(self.slots[a + i], self.slots[b + i], self.slots[c + i]);
                    }
                }
                Inst::LaneFlush { f, out, a, b, c, count, flush_out } => {
                    let [out, a, b, c, count] = [out, a, b, c, count].map(|k| k as usize * n);
                    for i in 0..count {
                        let [a, b, c] = [a, b, c].map(|k| eval::flush(Scalar::F32, self.slots[k + i]));
                        let result = f(a, b, c);
                        self.slots[out + i] = if flush_out { eval::flush(Scalar::F32, result) } else { result };
                    }
                }
                Inst::Convert { from, to, out, a, count } => {
                    let [out, a, count] = [out, a, count].map(|k| k as usize * n);
                    for i in 0..count {
                        self.slots[out + i] = eval::convert(from, to, self.slots[a + i]);
                    }
                }
                Inst::Select { out, condition, wide, yes, no, count } => {
                    let [out, condition, yes, no, count] = [out, condition, yes, no, count].map(|k| k as usize * n);
                    for i in 0..count {
                        let chosen = self.slots[condition + if wide { i } else { i % n }] != 0;
                        self.slots[out + i] = self.slots[if chosen { yes } else { no } + i];
                    }
                }
                Inst::Copy { out, a, count } => {
                    let [out, a, count] = [out, a, count].map(|k| k as usize * n);
                    self.slots.copy_within(a..a + count, out);
                }
                Inst::Eval(number) => self.eval(number),
                Inst::ExtractDyn { out, a, index, part, parts } => {
                    for lane in 0..n {
                        let i = self.slot(index, lane) as u32;
                        for word in 0..part {
                            let bits = if i < parts { self.slot(a + i * part + word, lane) } else { 0 };
                            self.set_slot(out + word, lane, bits);
                        }
                    }
                }
                Inst::InsertDyn { out, value, index, part, parts } => {
                    for lane in 0..n {
                        let i = self.slot(index, lane) as u32;
                        if i < parts {
                            for word in 0..part {
                                let bits = self.slot(value + word, lane);
                                self.set_slot(out + i * part + word, lane, bits);
                            }
                        }
                    }
                }
                Inst::Pointer { out, words } => {
                    for (word, bits) in words.into_iter().enumerate() {
                        let first = (out as usize + word) * n;
                        self.slots[first..first + n].fill(bits);
                    }
                }
                Inst::Access { out, base, steps: (first, last), handle } => {
                    let steps = &program.steps[first as usize..last as usize];
                    self.each(|machine, lane| machine.access(resources, out, base, steps, handle, lane));
                }
                Inst::Init { address, from, count } => self.init(address, from, count),
                Inst::LoadStatic { out, address, count } => {
                    let [out, address, count] = [out, address, count].map(|k| k as usize * n);
                    self.slots[out..out + count].copy_from_slice(&self.memory[address..address + count]);
                }
                Inst::StoreStatic { address, a, count } => self.store_static(address, a, count),
                Inst::LoadUniform { out, pointer, plan } => self.load_uniform(resources, out, pointer, plan),
                Inst::Load { memory, out, pointer, count, plan } => {
                    self.each(|machine, lane| machine.load(resources, memory, out, pointer, count, plan, lane));
                }
                Inst::Store { memory, pointer, a, count, plan } => {
                    self.each(|machine, lane| machine.store(resources, memory, pointer, a, count, plan, lane));
                }
                Inst::LoadRaw { out, pointer, offset, plan } => {
                    self.each(|machine, lane| machine.load_raw(resources, out, pointer, offset, plan, lane));
                }
                Inst::StoreRaw { pointer, offset, a, plan } => {
                    self.each_live(|machine, lane| machine.store_raw(resources, pointer, offset, a, plan, lane));
                }
                Inst::ArrayLength { out, pointer, stride } => {
                    self.each(|machine, lane| machine.array_length(resources, out, pointer, stride, lane));
                }
                Inst::Atomic(number) => {
                    let inst = &program.atomics[number as usize];
                    self.each(|machine, lane| machine.atomic(resources, inst, lane));
                }
                Inst::Counter { out, pointer, up } => {
                    self.each(|machine, lane| machine.counter(resources, out, pointer, up, lane));
                }
                Inst::Texture(number) => {
                    let inst = &program.textures[number as usize];
                    self.each(|machine, lane| machine.texture(resources, inst, lane));
                }
                Inst::Group(number) => self.group(&program.groups[number as usize]),
                Inst::Discard => {
                    for (helpers, &active) in self.helpers.iter_mut().zip(&self.active) {
                        *helpers |= active;
                    }
                }

                Inst::Moves { range: (first, last) } => self.moves(first as usize, last as usize),
                Inst::If { condition, join, other, to_else } => {
                    let first = condition as usize * n;
                    self.mask(join).fill(0);
                    self.mask(other).fill(0);
                    for word in 0..self.active.len() {
                        let mut yes = 0;
                        for (bit, &bits) in self.slots[first..first + n].iter().skip(word * 64).take(64).enumerate() {
                            yes |= u64::from(bits != 0) << bit;
                        }
                        let active = self.active[word];
                        self.mask(other)[word] = active & !yes;
                        self.active[word] = active & yes;
                    }
                    if self.is_idle() {
                        pc = to_else as usize;
                    }
                }
                Inst::Else { other, to_end } => {
                    self.activate(other);
                    if self.is_idle() {
                        pc = to_end as usize;
                    }
                }
                Inst::Join { mask, exit } => {
                    self.activate(mask);
                    if self.is_idle() {
                        pc = exit as usize;
                    }
                }
                Inst::Leave { into } => self.leave(into),
                Inst::Terminate => self.active.fill(0),
                Inst::Unreachable { span } => {
                    if !self.is_idle() {
                        return Err(Error::Unreachable(span));
                    }
                }
                Inst::Loop { exit, again } => {
                    self.mask(exit).fill(0);
                    self.mask(again).fill(0);
                }
                Inst::Continuing { again, to_end } => {
                    self.activate(again);
                    self.mask(again).fill(0);
                    if self.is_idle() {
                        pc = to_end as usize;
                    }
                }
                Inst::Back { to_body, to_end } => {
                    pc = if self.is_idle() { to_end } else { to_body } as usize;
                }
                Inst::Switch { selector, case, table, entry, join, fall } => {
                    let table = &program.switches[table as usize];
                    self.mask(join).fill(0);
                    self.mask(fall).fill(0);
                    for lane in 0..n {
                        let number = table.cases.get(&self.slot(selector, lane)).copied().unwrap_or(table.default);
                        self.set_slot(case, lane, u64::from(number));
                        if number == u32::MAX && mask::has(&self.active, lane) {
                            mask::set(&mut self.active, lane, false);
                            mask::set(self.mask(join), lane, true);
                        }
                    }
                    let words = self.active.len();
                    self.masks[entry as usize * words..][..words].copy_from_slice(&self.active);
                }
                Inst::Case { case, number, entry, fall, params, to_next } => {
                    self.activate(entry);
                    for lane in 0..n {
                        let here = mask::has(&self.active, lane) && self.slot(case, lane) == u64::from(number);
                        mask::set(&mut self.active, lane, here);
                        // Who did not fall through has nothing to hand on.
                        for param in params.first..params.first + if here { params.count } else { 0 } {
                            self.set_slot(param, lane, 0);
                        }
                    }
                    let words = self.active.len();
                    let fallen = &mut self.masks[fall as usize * words..][..words];
                    for (to, from) in self.active.iter_mut().zip(fallen) {
                        *to |= std::mem::take(from);
                    }
                    if self.is_idle() {
                        pc = to_next as usize;
                    }
                }
                Inst::Call { to, returned } => {
                    self.mask(returned).fill(0);
                    self.returns.push(pc as u32);
                    pc = to as usize;
                }
                Inst::Return { returned } => {
                    self.activate(returned);
                    match self.returns.pop() {
                        Some(to) => pc = to as usize,
                        None => return Ok(()),
                    }
                }
            }
        }
        Ok(())
    }

    /// Masked copies.
    fn moves(&mut self, first: usize, last: usize) {
        let (program, n, full) = (self.program, self.lanes, self.is_full());
        for copy in &program.moves[first..last] {
            let (to, from, count) = (copy.to as usize * n, copy.from as usize * n, copy.count as usize);
            if full {
                self.slots.copy_within(from..from + count * n, to);
            } else {
                let (active, slots) = (&self.active, &mut self.slots);
                for word in 0..count {
                    mask::for_each(active, |lane| slots[to + word * n + lane] = slots[from + word * n + lane]);
                }
            }
        }
    }

    /// An operation through the table's code, in all lanes.
    fn eval(&mut self, number: u32) {
        let program = self.program;
        let inst = &program.evals[number as usize];
        let mut words = [[0; 16]; 8];
        let mut out = [0; 32];
        for lane in 0..self.lanes {
            let mut operands = [Operand { shape: Shape::vector(Scalar::Bool, 0), lanes: &[] }; 8];
            for (&(slot, shape), words) in inst.operands.iter().zip(&mut words) {
                for (i, word) in words.iter_mut().take(shape.count()).enumerate() {
                    let bits = self.slot(slot + i as u32, lane);
                    *word = if inst.flush { eval::flush(shape.kind, bits) } else { bits };
                }
            }
            for ((operand, &(_, shape)), words) in operands.iter_mut().zip(&inst.operands).zip(&words) {
                *operand = Operand { shape, lanes: words };
            }
            // Verified operands fit; for others zeros are as good as anything.
            out.fill(0);
            let _ = eval::eval(inst.op, inst.attr, &operands[..inst.operands.len()], inst.result, &mut out);
            let mut words = out.iter();
            for slots in &inst.outs {
                for (i, &bits) in words.by_ref().take(slots.count as usize).enumerate() {
                    let bits = if inst.flush_out { eval::flush(inst.result.kind, bits) } else { bits };
                    self.set_slot(slots.first + i as u32, lane, bits);
                }
            }
        }
    }
}
