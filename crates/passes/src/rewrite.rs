//! The two ways in which passes edit a function: a table of replaced values that one sweep applies, and regions that are
//! built anew, instruction by instruction.
//!
//! Both rest on one fact of structured regions: walked in order, every use of a value comes after its definition. So one
//! sweep forward finds all operands already replaced, and a replacement is never itself replaced later.

use crate::Changed;
use crate::paths::settle_paths;
use aquatint_base::Arena;
use aquatint_ir::constants::Constants;
use aquatint_ir::function::Slice;
use aquatint_ir::module::{Denormals, Parts, value_type};
use aquatint_ir::types::{TypeId, Types};
use aquatint_ir::{Attr, Builder, Function, Global, InstId, LocalId, Module, Op, RegionId, Value};
use smallvec::SmallVec;

/// The tables of a module, borrowed apart from its functions.
pub(crate) struct Tables<'m> {
    pub types: &'m mut Types,
    pub constants: &'m mut Constants,
    pub globals: &'m Arena<Global>,
    pub denormals: Denormals,
}

impl Tables<'_> {
    /// The type of a value.
    #[inline]
    pub fn type_of(&self, function: &Function, value: Value) -> TypeId {
        value_type(Parts { constants: self.constants, globals: self.globals }, function, value)
    }
}

/// Runs `edit` on every function.
pub(crate) fn each_function(
    module: &mut Module,
    mut edit: impl FnMut(&mut Tables<'_>, &mut Function) -> bool,
) -> Changed {
    let Module { types, constants, globals, functions, denormals, .. } = module;
    let mut tables = Tables { types, constants, globals, denormals: *denormals };
    let mut changed = Changed::No;
    for (_, function) in functions.iter_mut() {
        changed |= edit(&mut tables, function).into();
    }
    changed
}

/// Runs `edit` with a builder on every function that `wanted` picks.
pub(crate) fn build_functions(
    module: &mut Module,
    mut wanted: impl FnMut(&Function) -> bool,
    mut edit: impl FnMut(&mut Builder<'_>) -> bool,
) -> Changed {
    let mut changed = Changed::No;
    for id in module.functions.ids() {
        if wanted(&module.functions[id]) {
            changed |= Builder::edit(module, id, &mut edit).into();
        }
    }
    changed
}

/// What each local is replaced by, if it is.
pub(crate) struct Replacements {
    to: Vec<Option<Value>>,
    any: bool,
    /// Whether a step of a path became a constant.
    paths: bool,
}

impl Replacements {
    /// None yet, for the locals of the function.
    pub fn new(function: &Function) -> Self {
        Self { to: vec![None; function.locals.len()], any: false, paths: false }
    }

    /// None yet; the table grows when the first is entered.
    pub const fn lazy() -> Self {
        Self { to: Vec::new(), any: false, paths: false }
    }

    /// Enters a replacement. `value` is final: not itself a replaced local.
    pub fn set(&mut self, local: LocalId, value: Value) {
        if self.to.len() <= local.index() {
            self.to.resize(local.index() + 1, None);
        }
        if let Some(slot) = self.to.get_mut(local.index()) {
            *slot = Some(value);
        }
        self.any = true;
    }

    /// The value that stands for `value`.
    #[inline]
    pub fn get(&self, value: Value) -> Value {
        match value.as_local() {
            Some(local) => self.to.get(local.index()).copied().flatten().unwrap_or(value),
            None => value,
        }
    }

    /// Rewrites the operands of an instruction; to be done once an instruction.
    #[inline]
    pub fn rewrite(&mut self, function: &mut Function, inst: InstId) {
        if self.any {
            let mut constant = false;
            for operand in function.operands_mut(inst) {
                let value = self.get(*operand);
                constant |= value != *operand && value.as_constant().is_some();
                *operand = value;
            }
            self.paths |= constant && function.insts[inst].op == Op::Access;
        }
    }

    /// Makes paths legal that got a constant step: the last thing of a pass that replaces values by constants.
    pub fn settle(
        &self,
        types: &mut Types,
        constants: &mut Constants,
        globals: &Arena<Global>,
        function: &mut Function,
    ) {
        if self.paths {
            settle_paths(types, constants, globals, function);
        }
    }
}

/// What becomes of an instruction in [`expand`].
pub(crate) enum Fate {
    /// It stays.
    Keep,
    /// It goes; these values stand for its results.
    Replace(SmallVec<[Value; 2]>),
}

impl Fate {
    /// The instruction goes and one value stands for its result.
    pub fn value(value: Value) -> Self {
        Fate::Replace(SmallVec::from_slice(&[value]))
    }

    /// The instruction goes; it has no results.
    pub fn gone() -> Self {
        Fate::Replace(SmallVec::new())
    }
}

/// Builds every region of the function anew. `visit` sees each instruction in order with its operands already replaced;
/// what it appends goes before, with the span, the precision and the relaxation of the instruction. Linear, and
/// recursion goes as deep as regions nest.
pub(crate) fn expand(builder: &mut Builder<'_>, visit: &mut dyn FnMut(&mut Builder<'_>, InstId) -> Fate) -> bool {
    let body = builder.function.body;
    let mut replace = Replacements::new(builder.function);
    let mut changed = false;
    expand_region(builder, body, &mut replace, visit, &mut changed);
    builder.enter(body);
    replace.settle(builder.types, builder.constants, builder.globals, builder.function);
    changed
}

fn expand_region(
    builder: &mut Builder<'_>,
    region: RegionId,
    replace: &mut Replacements,
    visit: &mut dyn FnMut(&mut Builder<'_>, InstId) -> Fate,
    changed: &mut bool,
) {
    let old = std::mem::take(&mut builder.function.regions[region].insts);
    builder.function.regions[region].insts.reserve(old.len());
    for inst in old {
        replace.rewrite(builder.function, inst);
        let data = builder.function.insts[inst];
        builder.enter(region);
        builder.span_of(inst);
        builder.set_precise(data.precise);
        let first_new = builder.function.insts.len();
        match visit(builder, inst) {
            Fate::Keep => {
                builder.function.regions[region].insts.push(inst);
                for owned in data.regions.range() {
                    expand_region(builder, builder.function.owned[owned], replace, visit, changed);
                }
            }
            Fate::Replace(values) => {
                *changed = true;
                for (local, &value) in builder.function.results(inst).zip(&values) {
                    replace.set(local, value);
                    rename(builder.function, local, value);
                }
            }
        }
        if data.relaxed {
            for new in first_new..builder.function.insts.len() {
                builder.function.insts[InstId::new(new)].relaxed = true;
            }
        }
    }
}

/// The source's name goes to the value that replaces the one that had it, unless that has one.
pub(crate) fn rename(function: &mut Function, from: LocalId, to: Value) {
    if function.names.is_empty() {
        return;
    }
    if let Some(to) = to.as_local()
        && let Some(&name) = function.names.get(&from)
    {
        function.names.remove(&from);
        function.names.entry(to).or_insert(name);
    }
}

/// Rewrites an instruction in place; its results stay. Whether it was anything else before.
pub(crate) fn become_op(function: &mut Function, inst: InstId, op: Op, attr: Attr, operands: &[Value]) -> bool {
    let data = &mut function.insts[inst];
    let same = data.op == op && data.attr == attr;
    if same && function.operands[data.operands.range()] == *operands {
        return false;
    }
    data.op = op;
    data.attr = attr;
    if operands.len() <= data.operands.len as usize {
        data.operands.len = operands.len() as u32;
        let range = data.operands.range();
        function.operands[range].copy_from_slice(operands);
    } else {
        data.operands = Slice { start: function.operands.len() as u32, len: operands.len() as u32 };
        function.operands.extend_from_slice(operands);
    }
    true
}
