//! Turns local variables into values: `var`, `load`, `store` and the `access` paths between them go, and results of `if`,
//! `loop` and `switch`, carried values of loops and parameters of cases take their place.
//!
//! A variable is promoted when every use is a load or a store of it, or of a lane or row of it (by a constant or dynamic
//! index). Each structured instruction hands out the variables that are stored to within it. That is at most the stores
//! times the depth of nesting; where it would come to many more operands than there are instructions, as in a switch of
//! many cases that each store to many variables, these variables stay in memory. Otherwise linear.
//!
//! A case that is reached by falling through and by its selector has to know which: it gets a bool parameter, true where
//! the case before falls into it, and selects between the parameter and the value from before the switch.

use crate::Changed;
use crate::op_set::OpSet;
use crate::rewrite::{Replacements, build_functions, rename};
use aquatint_ir::function::Slice;
use aquatint_ir::types::{self, Type, TypeId};
use aquatint_ir::walk::{Step, Walk};
use aquatint_ir::{Attr, Builder, Def, Function, InstId, Local, LocalId, Module, Op, RegionId, Value};
use smallvec::SmallVec;
use std::mem;

/// Promotes the local variables whose pointers go nowhere.
pub fn mem2reg(module: &mut Module) -> Changed {
    build_functions(
        module,
        |function| OpSet::at_most(function).has(Op::Var),
        |builder| {
            let mut vars = Vars::find(builder);
            if !vars.all.iter().any(|v| v.promoted) {
                return false;
            }
            vars.find_modified(builder.function);
            if !vars.all.iter().any(|v| v.promoted) {
                return false;
            }
            let replace = Replacements::new(builder.function);
            let body = builder.function.body;
            let mut promote = Promote { builder, vars, replace };
            promote.region(body, Targets::default());
            let replace = promote.replace;
            builder.enter(body);
            replace.settle(builder.types, builder.constants, builder.globals, builder.function);
            true
        },
    )
}

/// No variable.
const NONE: u32 = u32::MAX;

struct Var {
    ty: TypeId,
    promoted: bool,
    /// The structured instruction that the variable is defined in, or [`NONE`].
    within: u32,
    /// Its value at the present place; `None` is zero.
    current: Option<Value>,
}

struct Vars {
    all: Vec<Var>,
    /// The variable that each local is a pointer into, or [`NONE`].
    of: Vec<u32>,
    /// For each structured instruction the variables that it stores to, in `sets`.
    modified: Vec<Slice>,
    sets: Vec<u32>,
}

impl Vars {
    /// Finds the variables, and which of them can be promoted by their uses.
    fn find(builder: &Builder<'_>) -> Self {
        let function = &*builder.function;
        let mut vars =
            Vars { all: Vec::new(), of: vec![NONE; function.locals.len()], modified: Vec::new(), sets: Vec::new() };
        let mut owners: Vec<u32> = Vec::new();
        let mut last = NONE;
        for step in Walk::new(function) {
            let inst = match step {
                Step::Inst(inst) => inst,
                Step::Enter(_, depth) => {
                    owners.truncate(depth);
                    owners.push(last);
                    continue;
                }
                Step::Leave(_) => {
                    // The next region, if there is one, belongs to the same instruction.
                    last = owners.pop().unwrap_or(NONE);
                    continue;
                }
            };
            last = inst.index() as u32;
            let operands = function.operands(inst);
            match function.insts[inst].op {
                Op::Var => {
                    if let Some(local) = function.result(inst)
                        && let Type::Pointer { pointee, .. } = builder.types.get(function.locals[local].ty)
                    {
                        vars.of[local.index()] = vars.all.len() as u32;
                        let within = owners.last().copied().unwrap_or(NONE);
                        vars.all.push(Var { ty: pointee, promoted: true, within, current: None });
                    }
                }
                Op::Access => {
                    let base = operands.first().map_or(NONE, |&v| vars.of(v));
                    for &index in operands.iter().skip(1) {
                        vars.demote(index);
                    }
                    if base != NONE
                        && let (Some(&pointer), Some(result)) = (operands.first(), function.result(inst))
                    {
                        // Aggregates are another pass's.
                        let inside = match builder.types.get(builder.type_of(pointer)) {
                            Type::Pointer { pointee, .. } => {
                                matches!(builder.types.get(pointee), Type::Vector(..) | Type::Matrix { .. })
                            }
                            _ => false,
                        };
                        vars.all[base as usize].promoted &= inside;
                        vars.of[result.index()] = base;
                    }
                }
                Op::Load => {}
                Op::Store => operands.iter().skip(1).for_each(|&v| vars.demote(v)),
                _ => operands.iter().for_each(|&v| vars.demote(v)),
            }
        }
        vars
    }

    fn of(&self, value: Value) -> u32 {
        value.as_local().and_then(|local| self.of.get(local.index())).copied().unwrap_or(NONE)
    }

    fn demote(&mut self, value: Value) {
        let index = self.of(value) as usize;
        if let Some(var) = self.all.get_mut(index) {
            var.promoted = false;
        }
    }

    /// The promoted variable that a pointer leads into.
    fn promoted(&self, value: Value) -> Option<usize> {
        let index = self.of(value) as usize;
        self.all.get(index).filter(|v| v.promoted).map(|_| index)
    }

    /// Finds what each structured instruction stores to, and demotes what would cost too much.
    fn find_modified(&mut self, function: &Function) {
        struct Frame {
            inst: InstId,
            set: Vec<u32>,
            exits: usize,
            insts: usize,
            falls: bool,
        }
        const OPERANDS_PER_INST: usize = 32;
        if !function.insts.as_slice().iter().any(|i| i.op.is_structured()) {
            return;
        }
        self.modified = vec![Slice::default(); function.insts.len()];
        let mut frames: Vec<Frame> = Vec::new();
        for step in Walk::new(function) {
            let inst = match step {
                Step::Inst(inst) => inst,
                Step::Enter(..) => continue,
                Step::Leave(region) => {
                    let ends = |f: &mut Frame| function.regions_of(f.inst).last() == Some(&region);
                    let Some(mut frame) = frames.pop_if(ends) else { continue };
                    frame.set.sort_unstable();
                    frame.set.dedup();
                    let costly = frame.set.len() * (frame.exits + 1) > OPERANDS_PER_INST * (frame.insts + 1);
                    let start = self.sets.len() as u32;
                    for &var in &frame.set {
                        let data = &mut self.all[var as usize];
                        data.promoted &= !costly && (!frame.falls || types::lanes_of(data.ty).is_some());
                        if data.within != frame.inst.index() as u32 {
                            self.sets.push(var);
                        }
                    }
                    let set = Slice { start, len: self.sets.len() as u32 - start };
                    self.modified[frame.inst.index()] = set;
                    if let Some(parent) = frames.last_mut() {
                        parent.insts += frame.insts;
                        parent.set.extend_from_slice(&self.sets[set.range()]);
                    }
                    continue;
                }
            };
            let op = function.insts[inst].op;
            if let Some(frame) = frames.last_mut() {
                frame.insts += 1;
                match op {
                    Op::Store => {
                        let pointer = function.operands(inst).first().copied();
                        if let Some(var) = pointer.and_then(|p| self.promoted(p)) {
                            frame.set.push(var as u32);
                        }
                    }
                    Op::Yield | Op::Next => frame.exits += 1,
                    Op::Fallthrough => {
                        frame.exits += 1;
                        frame.falls = true;
                    }
                    Op::Break | Op::Continue => {
                        if let Some(around) = frames.iter_mut().rev().find(|f| function.insts[f.inst].op == Op::Loop) {
                            around.exits += 1;
                        }
                    }
                    _ => {}
                }
            }
            if op.is_structured() {
                frames.push(Frame { inst, set: Vec::new(), exits: 0, insts: 0, falls: false });
            }
        }
    }

    /// The promoted variables among those that a structured instruction stores to.
    fn set(&self, slice: Slice) -> impl Iterator<Item = usize> + '_ {
        self.sets[slice.range()].iter().map(|&v| v as usize).filter(|&v| self.all[v].promoted)
    }
}

/// Where the terminators of a region lead to, by the variables that go along.
#[derive(Clone, Copy, Default)]
struct Targets {
    /// The instruction that owns the region.
    owner: Slice,
    /// The innermost loop.
    around: Slice,
}

struct Promote<'b, 'm> {
    builder: &'b mut Builder<'m>,
    vars: Vars,
    replace: Replacements,
}

impl Promote<'_, '_> {
    fn region(&mut self, region: RegionId, targets: Targets) {
        let old = mem::take(&mut self.builder.function.regions[region].insts);
        self.builder.function.regions[region].insts = Vec::with_capacity(old.len());
        self.builder.enter(region);
        for inst in old {
            self.replace.rewrite(self.builder.function, inst);
            if self.visit(inst, targets) {
                self.builder.function.regions[region].insts.push(inst);
                if self.builder.function.insts[inst].op.is_structured() {
                    self.structured(inst, targets);
                    self.builder.enter(region);
                }
            }
        }
    }

    /// Whether the instruction stays.
    fn visit(&mut self, inst: InstId, targets: Targets) -> bool {
        let function = &*self.builder.function;
        let first = function.operands(inst).first().copied();
        match function.insts[inst].op {
            Op::Var => {
                let Some(result) = function.result(inst) else { return true };
                let Some(var) = self.vars.promoted(Value::local(result)) else { return true };
                self.vars.all[var].current = first;
                false
            }
            Op::Access => first.and_then(|p| self.vars.promoted(p)).is_none(),
            Op::Load => {
                let (Some(pointer), Some(result)) = (first, function.result(inst)) else { return true };
                let Some(var) = self.vars.promoted(pointer) else { return true };
                self.builder.span_of(inst);
                let mut value = self.current(var);
                for index in self.path(pointer) {
                    value = self.extract(value, index);
                }
                self.replace.set(result, value);
                rename(self.builder.function, result, value);
                false
            }
            Op::Store => {
                let &[pointer, value] = function.operands(inst) else { return true };
                let Some(var) = self.vars.promoted(pointer) else { return true };
                self.builder.span_of(inst);
                let path = self.path(pointer);
                let whole = self.current_unless(var, path.is_empty());
                let value = self.insert(whole, &path, value);
                self.vars.all[var].current = Some(value);
                self.name_after(pointer, value);
                false
            }
            Op::Yield | Op::Next => {
                self.append(inst, None, targets.owner);
                true
            }
            Op::Fallthrough => {
                let fell = self.builder.bool(true);
                self.append(inst, Some(fell), targets.owner);
                true
            }
            Op::Break | Op::Continue => {
                self.append(inst, None, targets.around);
                true
            }
            _ => true,
        }
    }

    fn current(&mut self, var: usize) -> Value {
        match self.vars.all[var].current {
            Some(value) => value,
            None => {
                let zero = self.builder.zero(self.vars.all[var].ty);
                self.vars.all[var].current = Some(zero);
                zero
            }
        }
    }

    fn current_unless(&mut self, var: usize, overwritten: bool) -> Option<Value> {
        (!overwritten).then(|| self.current(var))
    }

    /// The steps from a promoted variable to a pointer into it.
    fn path(&self, pointer: Value) -> SmallVec<[Value; 2]> {
        let function = &*self.builder.function;
        let mut path: SmallVec<[Value; 2]> = SmallVec::new();
        let mut at = pointer;
        while let Some(inst) = at.as_local().and_then(|l| function.def_inst(l))
            && function.insts[inst].op == Op::Access
            && let [base, steps @ ..] = function.operands(inst)
        {
            path.insert_from_slice(0, steps);
            at = *base;
        }
        path
    }

    /// The number of a constant step.
    fn fixed(&self, index: Value) -> Option<u32> {
        let bits = self.builder.constants.get(index.as_constant()?)?.lane(0)?;
        Some(bits as u32)
    }

    fn part_type(&self, whole: Value, index: u32) -> Option<TypeId> {
        self.builder.types.step(self.builder.type_of(whole), index)
    }

    fn extract(&mut self, whole: Value, index: Value) -> Value {
        match self.fixed(index) {
            Some(number) => match self.part_type(whole, number) {
                Some(_) => self.builder.extract(whole, number),
                // Out of range reads zero.
                None => {
                    let part = self.part_type(whole, 0).unwrap_or(types::VOID);
                    self.builder.zero(part)
                }
            },
            None => {
                let part = self.part_type(whole, 0).unwrap_or(types::VOID);
                self.builder.value(Op::ExtractDyn, Attr::None, &[whole, index], part)
            }
        }
    }

    /// `whole` with the part at the path replaced; `None` where the path is empty.
    fn insert(&mut self, whole: Option<Value>, path: &[Value], value: Value) -> Value {
        let (Some(whole), Some((&index, rest))) = (whole, path.split_first()) else { return value };
        let part = if rest.is_empty() {
            value
        } else {
            let inner = self.extract(whole, index);
            self.insert(Some(inner), rest, value)
        };
        match self.fixed(index) {
            Some(number) if self.part_type(whole, number).is_some() => self.builder.insert(whole, part, number),
            // Out of range is dropped.
            Some(_) => whole,
            None => {
                let ty = self.builder.type_of(whole);
                self.builder.value(Op::InsertDyn, Attr::None, &[whole, part, index], ty)
            }
        }
    }

    /// A value that is stored to a named variable takes the name, if it has none.
    fn name_after(&mut self, pointer: Value, value: Value) {
        let names = &mut self.builder.function.names;
        if let (false, Some(from), Some(to)) = (names.is_empty(), pointer.as_local(), value.as_local())
            && let Some(&name) = names.get(&from)
        {
            names.entry(to).or_insert(name);
        }
    }

    /// Appends the values of the variables to the operands of an instruction.
    fn append(&mut self, inst: InstId, first: Option<Value>, set: Slice) {
        if set.len == 0 {
            return;
        }
        let mut values: SmallVec<[Value; 16]> = SmallVec::from_slice(self.builder.function.operands(inst));
        let before = values.len();
        let vars: SmallVec<[usize; 16]> = self.vars.set(set).collect();
        for &var in &vars {
            if values.len() == before {
                values.extend(first);
            }
            let value = self.current(var);
            values.push(value);
        }
        let function = &mut *self.builder.function;
        let start = function.operands.len() as u32;
        function.operands.extend_from_slice(&values);
        function.insts[inst].operands = Slice { start, len: values.len() as u32 };
    }

    fn structured(&mut self, inst: InstId, around: Targets) {
        let set = self.vars.modified.get(inst.index()).copied().unwrap_or_default();
        let vars: SmallVec<[usize; 16]> = self.vars.set(set).collect();
        let data = self.builder.function.insts[inst];
        let owned = data.regions.range();
        if data.op == Op::Loop {
            self.append(inst, None, set);
            let targets = Targets { owner: set, around: set };
            for index in owned {
                let region = self.builder.function.owned[index];
                let first = self.add_params(region, false, &vars);
                for (i, &var) in vars.iter().enumerate() {
                    self.vars.all[var].current = Some(Value::local(LocalId::new(first + i)));
                }
                self.region(region, targets);
            }
        } else {
            let before: SmallVec<[Value; 16]> = vars.iter().map(|&var| self.current(var)).collect();
            let targets = Targets { owner: set, ..around };
            let mut falls = false;
            for index in owned {
                let region = self.builder.function.owned[index];
                for (&var, &value) in vars.iter().zip(&before) {
                    self.vars.all[var].current = Some(value);
                }
                let fallen = mem::replace(&mut falls, self.falls(region));
                if fallen && !vars.is_empty() {
                    self.enter_fallen(region, &vars, &before);
                }
                self.region(region, targets);
            }
        }
        if vars.is_empty() {
            return;
        }
        let types: SmallVec<[TypeId; 16]> = vars.iter().map(|&v| self.vars.all[v].ty).collect();
        let old = data.results;
        let results = self.extend(old, &types, |index| Def::Result(inst, index));
        self.builder.function.insts[inst].results = results;
        for (i, &var) in vars.iter().enumerate() {
            self.vars.all[var].current = Some(Value::local(LocalId::new((results.start + old.len) as usize + i)));
        }
    }

    fn falls(&self, region: RegionId) -> bool {
        let function = &*self.builder.function;
        function.terminator(region).is_some_and(|t| function.insts[t].op == Op::Fallthrough)
    }

    /// The start of a case that another one falls into.
    fn enter_fallen(&mut self, region: RegionId, vars: &[usize], before: &[Value]) {
        let first = self.add_params(region, true, vars);
        let fell = Value::local(LocalId::new(first));
        let old = mem::take(&mut self.builder.function.regions[region].insts);
        self.builder.enter(region);
        for (i, (&var, &before)) in vars.iter().zip(before).enumerate() {
            let param = Value::local(LocalId::new(first + 1 + i));
            self.vars.all[var].current = Some(self.builder.select(fell, param, before));
        }
        self.builder.function.regions[region].insts.extend(old);
    }

    /// Gives a region a parameter for each variable, and a bool before them. Returns the index of the first new local.
    fn add_params(&mut self, region: RegionId, flag: bool, vars: &[usize]) -> usize {
        let old = self.builder.function.regions[region].params;
        if vars.is_empty() {
            return 0;
        }
        let flag = flag.then_some(types::BOOL);
        let types: SmallVec<[TypeId; 16]> = flag.into_iter().chain(vars.iter().map(|&v| self.vars.all[v].ty)).collect();
        let params = self.extend(old, &types, |index| Def::Param(region, index));
        self.builder.function.regions[region].params = params;
        (params.start + old.len) as usize
    }

    /// A new slice of locals: those of the old one, which are replaced, and more.
    fn extend(&mut self, old: Slice, more: &[TypeId], def: impl Fn(u16) -> Def) -> Slice {
        let function = &mut *self.builder.function;
        let start = function.locals.len() as u32;
        for index in old.range() {
            let ty = function.locals[LocalId::new(index)].ty;
            let new = function.locals.push(Local { ty, def: def((index - old.start as usize) as u16) });
            self.replace.set(LocalId::new(index), Value::local(new));
            rename(function, LocalId::new(index), Value::local(new));
        }
        for (index, &ty) in more.iter().enumerate() {
            function.locals.push(Local { ty, def: def((old.len as usize + index) as u16) });
        }
        Slice { start, len: old.len + more.len() as u32 }
    }
}
