//! Copies of instructions and regions, into the same function or another one.

use aquatint_base::Span;
use aquatint_ir::types::TypeId;
use aquatint_ir::{Attr, Builder, Function, InstId, LocalId, RegionId, Value};
use smallvec::SmallVec;

/// How a copy differs from what it is a copy of.
pub(crate) trait Policy {
    /// Emits `inst` in another way than as it is, and returns true; or returns false.
    fn emit(&mut self, cloner: &mut Cloner<'_>, builder: &mut Builder<'_>, inst: InstId) -> bool;
}

/// Copies parts of `source` to where a builder stands.
pub(crate) struct Cloner<'s> {
    pub source: &'s Function,
    /// What each local of the source is in the copy; itself, where nothing is entered.
    map: Vec<Option<Value>>,
    /// Into another function: the last position that was copied, in the source and in the copy.
    spans: Option<(u32, u32)>,
    names: bool,
}

impl<'s> Cloner<'s> {
    /// Within one function, of which `source` is a snapshot.
    pub fn within(source: &'s Function) -> Self {
        Self { source, map: vec![None; source.locals.len()], spans: None, names: !source.names.is_empty() }
    }

    /// Into another function.
    pub fn into_other(source: &'s Function) -> Self {
        Self { spans: Some((0, 0)), ..Self::within(source) }
    }

    /// The number in the copy of a position of the source. Only what is used is copied: in a chain of calls, whole tables
    /// would add up from each function to the next.
    fn span(&mut self, target: &mut Function, span: u32) -> u32 {
        match &mut self.spans {
            Some((from, to)) => {
                if *from != span {
                    target.spans.push(self.source.spans.get(span as usize).copied().unwrap_or(Span::NONE));
                    (*from, *to) = (span, target.spans.len() as u32 - 1);
                }
                *to
            }
            None => span,
        }
    }

    /// What a value of the source is in the copy.
    pub fn value(&self, value: Value) -> Value {
        match value.as_local() {
            Some(local) => self.map.get(local.index()).copied().flatten().unwrap_or(value),
            None => value,
        }
    }

    /// The operands of an instruction, in the copy.
    pub fn operands(&self, inst: InstId) -> SmallVec<[Value; 8]> {
        self.source.operands(inst).iter().map(|&v| self.value(v)).collect()
    }

    /// Enters what a local of the source is in the copy.
    pub fn set(&mut self, builder: &mut Builder<'_>, local: LocalId, value: Value) {
        if let Some(slot) = self.map.get_mut(local.index()) {
            *slot = Some(value);
        }
        if self.names
            && let (Some(&name), Some(to)) = (self.source.names.get(&local), value.as_local())
        {
            builder.function.names.entry(to).or_insert(name);
        }
    }

    /// Copies instructions in order.
    pub fn insts(&mut self, builder: &mut Builder<'_>, insts: &[InstId], policy: &mut dyn Policy) {
        for &inst in insts {
            if !policy.emit(self, builder, inst) {
                self.inst(builder, inst, &[], policy);
            }
        }
    }

    /// Copies one instruction, with more results behind its own.
    pub fn inst(
        &mut self,
        builder: &mut Builder<'_>,
        inst: InstId,
        more: &[TypeId],
        policy: &mut dyn Policy,
    ) -> InstId {
        let source = self.source;
        let data = source.insts[inst];
        let attr = match data.attr {
            Attr::Cases(cases) => Attr::Cases(builder.function.cases.push(source.cases[cases].clone())),
            other => other,
        };
        let operands = self.operands(inst);
        let mut regions: SmallVec<[RegionId; 4]> = SmallVec::new();
        for &region in source.regions_of(inst) {
            let new = self.region(builder, region, policy);
            regions.push(new);
        }
        let types: SmallVec<[TypeId; 4]> =
            source.results(inst).map(|local| source.locals[local].ty).chain(more.iter().copied()).collect();
        let new = builder.push_structured(data.op, attr, &operands, &types, &regions);
        let span = self.span(builder.function, data.span);
        let made = &mut builder.function.insts[new];
        made.precise = data.precise;
        made.relaxed = data.relaxed;
        made.span = span;
        let first = made.results.start as usize;
        for (index, local) in source.results(inst).enumerate() {
            self.set(builder, local, Value::local(LocalId::new(first + index)));
        }
        new
    }

    /// Copies a region with its parameters.
    pub fn region(&mut self, builder: &mut Builder<'_>, region: RegionId, policy: &mut dyn Policy) -> RegionId {
        let source = self.source;
        let types: SmallVec<[TypeId; 8]> = source.params(region).map(|local| source.locals[local].ty).collect();
        let new = builder.new_region(&types);
        for (index, local) in source.params(region).enumerate() {
            let param = builder.param(new, index);
            self.set(builder, local, param);
        }
        let outside = builder.enter(new);
        self.insts(builder, &source.regions[region].insts, policy);
        builder.enter(outside);
        new
    }
}
