//! From a module to a [`Program`].
//!
//! First the functions that the entry point reaches are found, in an order that shows recursion, and every constant and
//! global that they mention gets its slots or its place. Then each function is written out once, region by region; labels
//! become positions at the end.

mod control;
mod global;
mod pointer;
mod pure;
mod texture;

use super::program::{Inst, Label, MaskId, Move, Program, Slots};
use super::{Error, Options};
use aquatint_base::{Arena, HashMap, Id};
use aquatint_ir::walk::Walk;
use aquatint_ir::{
    Attr, ConstantId, ConstantValue, Denormals, Function, FunctionId, Inst as IrInst, InstId, LocalId, Module, Op,
    Stage, Struct, Type, TypeId, Value, ValueKind,
};
use pointer::{Place, StaticPointer};

/// Most slots, words of memory, leaves of buffer layouts, or instructions of a program.
const MAX_ITEMS: u64 = 1 << 22;
/// Deepest nesting of types, constants and regions.
const MAX_DEPTH: usize = 256;

pub(super) fn translate(module: &Module, entry: &str, options: Options) -> Result<Program, Error> {
    let entry = module.entry(entry).ok_or_else(|| Error::NoEntry(entry.to_owned()))?;
    if module.functions.get(entry.function).is_none() {
        return Err(Error::Malformed("the entry point has no function"));
    }
    let program = Program {
        stage: entry.stage,
        workgroup_size: entry.workgroup_size,
        early_tests: entry.early_tests,
        options,
        code: Vec::new(),
        start: 0,
        moves: Vec::new(),
        evals: Vec::new(),
        textures: Vec::new(),
        groups: Vec::new(),
        atomics: Vec::new(),
        steps: Vec::new(),
        plans: Vec::new(),
        leaves: Vec::new(),
        switches: Vec::new(),
        constants: Vec::new(),
        slots: 0,
        masks: 0,
        lane_words: 0,
        input_words: 0,
        shared_words: 0,
        inits: Vec::new(),
        init_words: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        resources: Vec::new(),
        returned: 0,
    };
    let mut translator = Translator {
        module,
        program,
        labels: Vec::new(),
        words: HashMap::default(),
        plans: HashMap::default(),
        members: HashMap::default(),
        constants: HashMap::default(),
        globals: HashMap::default(),
        functions: HashMap::default(),
        flush: module.denormals == Denormals::Flush,
    };
    let functions = translator.reach(entry.function)?;
    translator.globals(&functions)?;
    translator.constants(&functions)?;
    translator.program.slots = translator.program.constants.len() as u32;
    for &id in &functions {
        translator.declare(id)?;
    }
    for &id in &functions {
        translator.function(id)?;
    }
    translator.finish(entry.function)
}

/// What calls need to know of a function.
#[derive(Clone)]
struct Callee {
    entry: Label,
    params: Vec<Slots>,
    result: Slots,
    returned: MaskId,
}

struct Translator<'m> {
    module: &'m Module,
    program: Program,
    /// Positions of labels.
    labels: Vec<u32>,
    words: HashMap<TypeId, u32>,
    plans: HashMap<TypeId, u32>,
    /// For each struct the words before each of its members.
    members: HashMap<Id<Struct>, Vec<u32>>,
    constants: HashMap<ConstantId, Slots>,
    globals: HashMap<aquatint_ir::GlobalId, Place>,
    functions: HashMap<FunctionId, Callee>,
    flush: bool,
}

/// The function that is being written.
struct Frame<'m> {
    function: &'m Function,
    /// Slots of each local, once it is defined.
    slots: Vec<Option<Slots>>,
    /// Locals that are pointers to one known place.
    pointers: HashMap<LocalId, StaticPointer>,
    owners: Vec<control::Owner>,
    result: Slots,
    returned: MaskId,
}

impl<'m> Translator<'m> {
    /// The functions that the entry reaches, callees first.
    fn reach(&self, entry: FunctionId) -> Result<Vec<FunctionId>, Error> {
        let mut order = Vec::new();
        // True while its callees are visited.
        let mut open: HashMap<FunctionId, bool> = HashMap::default();
        let mut stack = vec![(entry, self.callees(entry)?)];
        open.insert(entry, true);
        while let Some((id, callees)) = stack.last_mut() {
            match callees.pop() {
                Some(callee) => match open.get(&callee) {
                    Some(true) => return Err(Error::Malformed("a function calls itself")),
                    Some(false) => {}
                    None => {
                        open.insert(callee, true);
                        let callees = self.callees(callee)?;
                        stack.push((callee, callees));
                    }
                },
                None => {
                    open.insert(*id, false);
                    order.push(*id);
                    stack.pop();
                }
            }
        }
        Ok(order)
    }

    fn callees(&self, id: FunctionId) -> Result<Vec<FunctionId>, Error> {
        let function = self.module.functions.get(id).ok_or(Error::Malformed("a call of no function"))?;
        check_tables(function)?;
        let mut callees: Vec<_> = Walk::new(function)
            .insts()
            .filter_map(|inst| if let Attr::Function(callee) = function.insts[inst].attr { Some(callee) } else { None })
            .collect();
        callees.sort_unstable();
        callees.dedup();
        Ok(callees)
    }

    /// Gives every constant that the functions mention its slots.
    fn constants(&mut self, functions: &[FunctionId]) -> Result<(), Error> {
        for &id in functions {
            let function = &self.module.functions[id];
            for inst in Walk::new(function).insts() {
                for value in function.operands(inst) {
                    if let Some(id) = value.as_constant() {
                        self.constant(id)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn constant(&mut self, id: ConstantId) -> Result<(), Error> {
        if self.constants.contains_key(&id) {
            return Ok(());
        }
        let first = self.program.constants.len();
        let mut words = std::mem::take(&mut self.program.constants);
        let result = self.flatten(id, &mut words);
        self.program.constants = words;
        let count = result?;
        if self.program.constants.len() as u64 > MAX_ITEMS {
            return Err(Error::TooLarge("constants"));
        }
        self.constants.insert(id, Slots { first: first as u32, count });
        Ok(())
    }

    /// Appends the scalars of a constant, and gives their number.
    fn flatten(&mut self, id: ConstantId, out: &mut Vec<u64>) -> Result<u32, Error> {
        let constant = self.module.constants.get(id).ok_or(Error::Malformed("a constant that does not exist"))?;
        let count = self.words_of(constant.ty)?;
        let end = out.len() + count as usize;
        // An explicit stack: the depth of a constant is its type's, which `words_of` bounds, but its breadth is input.
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let constant = self.module.constants.get(id).ok_or(Error::Malformed("a constant that does not exist"))?;
            let part = self.words_of(constant.ty)? as usize;
            match &constant.value {
                ConstantValue::Scalar(bits) => out.push(*bits),
                ConstantValue::Vector(lanes) => out.extend(lanes.iter().take(part)),
                ConstantValue::Zero => out.resize((out.len() + part).min(end + 1), 0),
                ConstantValue::Composite(parts) => stack.extend(parts.iter().rev()),
            }
            if out.len() > end {
                return Err(Error::Malformed("a constant larger than its type"));
            }
        }
        if out.len() == end { Ok(count) } else { Err(Error::Malformed("a constant smaller than its type")) }
    }

    /// Scalars of a type; words of a pointer or handle.
    fn words_of(&mut self, ty: TypeId) -> Result<u32, Error> {
        self.words_at(ty, 0)
    }

    fn words_at(&mut self, ty: TypeId, depth: usize) -> Result<u32, Error> {
        if let Some((_, lanes)) = aquatint_ir::types::lanes_of(ty) {
            return Ok(u32::from(lanes));
        }
        if let Some(&words) = self.words.get(&ty) {
            return Ok(words);
        }
        if depth > MAX_DEPTH {
            return Err(Error::TooLarge("nesting of types"));
        }
        let words = match self.module.types.get(ty) {
            Type::Void => 0,
            Type::Scalar(_) => 1,
            Type::Vector(_, lanes) => u64::from(lanes),
            Type::Matrix { rows, columns, .. } => u64::from(rows) * u64::from(columns),
            Type::Pointer { .. } => u64::from(super::program::POINTER_WORDS),
            Type::Texture(_) | Type::Sampler { .. } => 1,
            Type::Array { .. } if self.module.types.is_handle(ty) => 1,
            Type::Array { element, length, .. } => {
                u64::from(self.words_at(element, depth + 1)?) * u64::from(length.unwrap_or(0))
            }
            Type::Struct(id) => {
                let module = self.module;
                let members = module.types.structs.get(id).map_or(&[][..], |s| &s.members);
                let mut sum = 0;
                for member in members {
                    sum += u64::from(self.words_at(member.ty, depth + 1)?);
                }
                sum
            }
        };
        if words > MAX_ITEMS {
            return Err(Error::TooLarge("a type"));
        }
        self.words.insert(ty, words as u32);
        Ok(words as u32)
    }

    /// New slots.
    fn allocate(&mut self, count: u32) -> Result<Slots, Error> {
        let first = self.program.slots;
        let end = u64::from(first) + u64::from(count);
        if end > MAX_ITEMS {
            return Err(Error::TooLarge("values"));
        }
        self.program.slots = end as u32;
        Ok(Slots { first, count })
    }

    /// New words of lane memory.
    fn lane_memory(&mut self, count: u32) -> Result<u32, Error> {
        let first = self.program.lane_words;
        let end = u64::from(first) + u64::from(count);
        if end > MAX_ITEMS {
            return Err(Error::TooLarge("variables"));
        }
        self.program.lane_words = end as u32;
        Ok(first)
    }

    fn mask(&mut self) -> MaskId {
        self.program.masks += 1;
        self.program.masks - 1
    }

    fn label(&mut self) -> Label {
        self.labels.push(0);
        self.labels.len() as u32 - 1
    }

    fn place(&mut self, label: Label) {
        self.labels[label as usize] = self.program.code.len() as u32;
    }

    fn emit(&mut self, inst: Inst) {
        self.program.code.push(inst);
    }

    fn declare(&mut self, id: FunctionId) -> Result<(), Error> {
        let function = &self.module.functions[id];
        let mut params = Vec::new();
        for param in function.params(function.body) {
            let words = self.words_of(function.locals[param].ty)?;
            params.push(self.allocate(words)?);
        }
        let words = self.words_of(function.result)?;
        let callee = Callee { entry: self.label(), params, result: self.allocate(words)?, returned: self.mask() };
        self.functions.insert(id, callee);
        Ok(())
    }

    fn function(&mut self, id: FunctionId) -> Result<(), Error> {
        let module = self.module;
        let function = &module.functions[id];
        let Some(callee) = self.functions.get(&id).cloned() else { return Err(Error::Malformed("a call")) };
        let mut frame = Frame {
            function,
            slots: vec![None; function.locals.len()],
            pointers: HashMap::default(),
            owners: Vec::new(),
            result: callee.result,
            returned: callee.returned,
        };
        for (param, slots) in function.params(function.body).zip(&callee.params) {
            frame.slots[param.index()] = Some(*slots);
        }
        self.place(callee.entry);
        let end = self.label();
        self.region(&mut frame, function.body, end, 0)?;
        self.place(end);
        self.emit(Inst::Return { returned: callee.returned });
        Ok(())
    }

    /// Labels become positions.
    fn finish(mut self, entry: FunctionId) -> Result<Program, Error> {
        let Some(callee) = self.functions.get(&entry) else { return Err(Error::Malformed("no entry")) };
        if !callee.params.is_empty() {
            return Err(Error::Malformed("an entry point with parameters"));
        }
        let labels = &self.labels;
        let resolve = |label: &mut Label| *label = labels[*label as usize];
        for inst in &mut self.program.code {
            match inst {
                Inst::If { to_else: label, .. }
                | Inst::Else { to_end: label, .. }
                | Inst::Join { exit: label, .. }
                | Inst::Continuing { to_end: label, .. }
                | Inst::Case { to_next: label, .. }
                | Inst::Call { to: label, .. } => resolve(label),
                Inst::Back { to_body, to_end } => {
                    resolve(to_body);
                    resolve(to_end);
                }
                _ => {}
            }
        }
        self.program.start = labels[callee.entry as usize];
        self.program.returned = callee.returned;
        Ok(self.program)
    }

    /// The slots of an operand. A pointer to a known place is put into slots here.
    fn operand(&mut self, frame: &Frame<'_>, value: Value) -> Result<Slots, Error> {
        if let Some(pointer) = self.static_pointer(frame, value) {
            let slots = self.allocate(super::program::POINTER_WORDS)?;
            self.emit(Inst::Pointer { out: slots.first, words: pointer.words() });
            return Ok(slots);
        }
        match value.kind() {
            ValueKind::Local(id) => {
                frame.slots.get(id.index()).copied().flatten().ok_or(Error::Malformed("a value before its definition"))
            }
            ValueKind::Constant(id) => {
                self.constants.get(&id).copied().ok_or(Error::Malformed("a constant that does not exist"))
            }
            ValueKind::Global(id) => match self.globals.get(&id) {
                Some(&Place::Handle(slot)) => Ok(Slots { first: slot, count: 1 }),
                _ => Err(Error::Malformed("a global that does not exist")),
            },
        }
    }

    /// An operand of at least `words` slots.
    fn sized(&mut self, frame: &Frame<'_>, value: Value, words: u32) -> Result<u32, Error> {
        let slots = self.operand(frame, value)?;
        if slots.count < words {
            return Err(Error::Malformed("an operand smaller than the operation takes"));
        }
        Ok(slots.first)
    }

    fn type_of(&self, frame: &Frame<'_>, value: Value) -> TypeId {
        self.module.type_of(frame.function, value)
    }

    /// New slots for a local.
    fn define(&mut self, frame: &mut Frame<'_>, local: LocalId) -> Result<Slots, Error> {
        let ty = frame.function.locals.get(local).ok_or(Error::Malformed("a value that does not exist"))?.ty;
        let words = self.words_of(ty)?;
        let slots = self.allocate(words)?;
        frame.slots[local.index()] = Some(slots);
        Ok(slots)
    }

    /// New slots for the only result of an instruction.
    fn define_result(&mut self, frame: &mut Frame<'_>, inst: InstId) -> Result<Slots, Error> {
        let local = frame.function.result(inst).ok_or(Error::Malformed("an operation without its result"))?;
        self.define(frame, local)
    }

    /// Masked copies of values to slots.
    fn moves(&mut self, frame: &Frame<'_>, values: &[Value], to: &[Slots]) -> Result<(), Error> {
        if values.len() != to.len() {
            return Err(Error::Malformed("a wrong number of values handed on"));
        }
        let mut moves = Vec::with_capacity(values.len());
        for (&value, to) in values.iter().zip(to) {
            let from = self.operand(frame, value)?;
            if from.count != to.count {
                return Err(Error::Malformed("a value of another type handed on"));
            }
            if to.count > 0 {
                moves.push(Move { to: to.first, from: from.first, count: to.count });
            }
        }
        if !moves.is_empty() {
            let first = self.program.moves.len() as u32;
            self.program.moves.extend(moves);
            self.emit(Inst::Moves { range: (first, self.program.moves.len() as u32) });
        }
        Ok(())
    }

    /// One instruction.
    fn inst(&mut self, frame: &mut Frame<'m>, id: InstId, exit: Label, depth: usize) -> Result<(), Error> {
        if self.program.code.len() as u64 > MAX_ITEMS {
            return Err(Error::TooLarge("the code"));
        }
        let inst: IrInst = frame.function.insts[id];
        match inst.op {
            Op::If
            | Op::Loop
            | Op::Switch
            | Op::Yield
            | Op::Break
            | Op::Continue
            | Op::Next
            | Op::Fallthrough
            | Op::Return
            | Op::Terminate
            | Op::Unreachable
            | Op::Discard
            | Op::Call => self.control(frame, id, exit, depth),
            Op::Barrier => Ok(()),
            Op::Var
            | Op::Access
            | Op::Load
            | Op::Store
            | Op::LoadBytes
            | Op::StoreBytes
            | Op::ArrayLength
            | Op::Atomic
            | Op::CounterAdd => self.memory(frame, id),
            Op::Sample
            | Op::Gather
            | Op::Fetch
            | Op::ImageLoad
            | Op::ImageStore
            | Op::ImageAtomic
            | Op::QuerySize
            | Op::QueryLevels
            | Op::QuerySamples
            | Op::QueryLod => self.texture(frame, id),
            Op::Ddx | Op::Ddy | Op::QuadOp | Op::WaveOp => self.group(frame, id),
            _ => self.pure(frame, id),
        }
    }

    fn is_fragment(&self) -> bool {
        self.program.stage == Stage::Fragment
    }
}

/// What [`Walk`] and [`Function::operands`] index without looking.
fn check_tables(function: &Function) -> Result<(), Error> {
    const BAD: Error = Error::Malformed("a function's tables do not fit together");
    let inside =
        |slice: aquatint_ir::function::Slice, len: usize| u64::from(slice.start) + u64::from(slice.len) <= len as u64;
    fn known<T>(arena: &Arena<T>, id: Id<T>) -> bool {
        arena.contains(id)
    }
    let insts_fit = function.insts.as_slice().iter().all(|inst| {
        inside(inst.operands, function.operands.len())
            && inside(inst.results, function.locals.len())
            && inside(inst.regions, function.owned.len())
    });
    let regions_fit = function.regions.as_slice().iter().all(|region| {
        inside(region.params, function.locals.len()) && region.insts.iter().all(|&id| known(&function.insts, id))
    });
    let owned_fit = function.owned.iter().all(|&id| known(&function.regions, id));
    if !(insts_fit && regions_fit && owned_fit && known(&function.regions, function.body)) {
        return Err(BAD);
    }
    // A region that two instructions own, or that owns itself, would never end.
    let mut seen = vec![false; function.regions.len()];
    for step in Walk::new(function) {
        if let aquatint_ir::walk::Step::Enter(region, _) = step
            && std::mem::replace(&mut seen[region.index()], true)
        {
            return Err(Error::Malformed("a region with two owners"));
        }
    }
    Ok(())
}
