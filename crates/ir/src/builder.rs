//! Building and editing functions.
//!
//! A [`Builder`] borrows the module's tables and one function that was taken out of it ([`Builder::edit`]), and appends to
//! a current region. Result types follow the op table's rules; wrong operands give a module that the verifier refuses.

use crate::constants::{ConstantId, Constants};
use crate::function::{
    Attr, Cases, Def, Function, FunctionId, Inst, InstId, Local, LocalId, Region, RegionId, Slice, Value,
};
use crate::globals::Global;
use crate::module::{Module, Parts, value_type};
use crate::op::{Lanes, Op, Rule};
use crate::types::{self, Scalar, Space, Type, TypeId, Types};
use aquatint_base::{Arena, Id, Name, Names, Span};

/// Appends instructions to a region of a function.
pub struct Builder<'m> {
    /// The module's types.
    pub types: &'m mut Types,
    /// The module's constants.
    pub constants: &'m mut Constants,
    /// The module's globals.
    pub globals: &'m mut Arena<Global>,
    /// The module's names.
    pub names: &'m mut Names,
    /// The function.
    pub function: &'m mut Function,
    region: RegionId,
    span: u32,
    precise: bool,
}

impl<'m> Builder<'m> {
    /// Runs `edit` on a builder at the end of the body of `function`.
    pub fn edit<R>(module: &mut Module, function: FunctionId, edit: impl FnOnce(&mut Builder<'_>) -> R) -> R {
        let mut taken = std::mem::replace(&mut module.functions[function], Function::placeholder());
        let result = edit(&mut Builder::new(module, &mut taken));
        module.functions[function] = taken;
        result
    }

    /// A builder at the end of the body of `function`, which is not in the module's table at this time.
    pub fn new(module: &'m mut Module, function: &'m mut Function) -> Self {
        let region = function.body;
        Self {
            types: &mut module.types,
            constants: &mut module.constants,
            globals: &mut module.globals,
            names: &mut module.names,
            function,
            region,
            span: 0,
            precise: false,
        }
    }

    /// The region that instructions go to.
    pub fn region(&self) -> RegionId {
        self.region
    }

    /// Makes `region` the one that instructions go to, and returns the one before.
    pub fn enter(&mut self, region: RegionId) -> RegionId {
        std::mem::replace(&mut self.region, region)
    }

    /// A new empty region with parameters of the given types.
    pub fn new_region(&mut self, params: &[TypeId]) -> RegionId {
        let region = self.function.regions.push(Region::default());
        self.set_params(region, params);
        region
    }

    /// Gives a region its parameters.
    pub fn set_params(&mut self, region: RegionId, params: &[TypeId]) {
        let start = self.function.locals.len() as u32;
        for (index, &ty) in params.iter().enumerate() {
            self.function.locals.push(Local { ty, def: Def::Param(region, index as u16) });
        }
        self.function.regions[region].params = Slice { start, len: params.len() as u32 };
    }

    /// The parameters of a region as values.
    pub fn param(&self, region: RegionId, index: usize) -> Value {
        Value::local(Id::new(self.function.regions[region].params.start as usize + index))
    }

    /// Instructions from now on come from `span`.
    pub fn set_span(&mut self, span: Span) {
        let last = self.function.spans.len() - 1;
        if self.function.spans[last] != span {
            self.function.spans.push(span);
        }
        self.span = self.function.spans.len() as u32 - 1;
    }

    /// Instructions from now on come from where `inst` does.
    pub fn span_of(&mut self, inst: InstId) {
        self.span = self.function.insts[inst].span;
    }

    /// Whether float instructions from now on are precise. Returns what it was.
    pub fn set_precise(&mut self, precise: bool) -> bool {
        std::mem::replace(&mut self.precise, precise)
    }

    /// The type of a value.
    #[inline]
    pub fn type_of(&self, value: Value) -> TypeId {
        value_type(Parts { constants: self.constants, globals: self.globals }, self.function, value)
    }

    /// Kind and lane count of a scalar or vector value; `(f32, 1)` for others, which the verifier then reports.
    #[inline]
    pub fn lanes_of(&self, value: Value) -> (Scalar, u8) {
        types::lanes_of(self.type_of(value)).unwrap_or((Scalar::F32, 1))
    }

    /// Names a local value.
    pub fn name(&mut self, value: Value, name: Name) {
        if let Some(local) = value.as_local() {
            self.function.names.insert(local, name);
        }
    }

    /// Creates an instruction that is in no region yet, with results of the given types.
    pub fn create(
        &mut self,
        op: Op,
        attr: Attr,
        operands: &[Value],
        results: &[TypeId],
        regions: &[RegionId],
    ) -> InstId {
        let function = &mut *self.function;
        let id: InstId = Id::new(function.insts.len());
        let operand_slice = Slice { start: function.operands.len() as u32, len: operands.len() as u32 };
        function.operands.extend_from_slice(operands);
        let result_slice = Slice { start: function.locals.len() as u32, len: results.len() as u32 };
        for (index, &ty) in results.iter().enumerate() {
            function.locals.push(Local { ty, def: Def::Result(id, index as u16) });
        }
        let region_slice = Slice { start: function.owned.len() as u32, len: regions.len() as u32 };
        function.owned.extend_from_slice(regions);
        function.insts.push(Inst {
            op,
            precise: self.precise && !op.is_structured(),
            relaxed: false,
            attr,
            operands: operand_slice,
            results: result_slice,
            regions: region_slice,
            span: self.span,
        })
    }

    /// Appends an instruction with results of the given types.
    pub fn push(&mut self, op: Op, attr: Attr, operands: &[Value], results: &[TypeId]) -> InstId {
        let id = self.create(op, attr, operands, results, &[]);
        self.function.regions[self.region].insts.push(id);
        id
    }

    /// Appends a structured instruction that owns `regions`.
    pub fn push_structured(
        &mut self,
        op: Op,
        attr: Attr,
        operands: &[Value],
        results: &[TypeId],
        regions: &[RegionId],
    ) -> InstId {
        let id = self.create(op, attr, operands, results, regions);
        self.function.regions[self.region].insts.push(id);
        id
    }

    /// The first result of an instruction as a value.
    pub fn result(&self, inst: InstId) -> Value {
        self.result_at(inst, 0)
    }

    /// Result `index` of an instruction as a value.
    pub fn result_at(&self, inst: InstId, index: usize) -> Value {
        Value::local(LocalId::new(self.function.insts[inst].results.start as usize + index))
    }

    /// Appends an instruction with one result of the given type.
    #[inline]
    pub fn value(&mut self, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Value {
        let id = self.push(op, attr, operands, &[ty]);
        self.result(id)
    }

    /// Appends an operation whose result type follows from its operands by the op table's rule.
    ///
    /// # Panics
    /// For operations whose rule is [`Rule::Special`]: those have a method of their own, or go through
    /// [`Builder::value`].
    #[inline]
    pub fn op(&mut self, op: Op, operands: &[Value]) -> Value {
        let ty = self.type_of(operands[0]);
        let result = match op.row().rule {
            Rule::Same(..) => ty,
            Rule::Compare(_) | Rule::Test(_) => {
                types::lanes_of(ty).map_or(types::BOOL, |(_, lanes)| types::vector(Scalar::Bool, lanes))
            }
            Rule::Reduce(_) | Rule::Length(_) => {
                types::lanes_of(ty).map_or(types::F32, |(kind, _)| types::scalar(kind))
            }
            Rule::AnyAll => types::BOOL,
            Rule::Special => panic!("{op:?} has no rule that gives its result type"),
        };
        self.value(op, Attr::None, operands, result)
    }

    /// A constant as a value.
    pub fn constant(&self, id: ConstantId) -> Value {
        Value::constant(id)
    }

    /// An f32 constant.
    pub fn f32(&mut self, number: f32) -> Value {
        Value::constant(self.constants.scalar(Scalar::F32, u64::from(number.to_bits())))
    }

    /// A u32 constant.
    pub fn u32(&mut self, number: u32) -> Value {
        Value::constant(self.constants.scalar(Scalar::U32, u64::from(number)))
    }

    /// An i32 constant.
    pub fn i32(&mut self, number: i32) -> Value {
        Value::constant(self.constants.scalar(Scalar::I32, u64::from(number as u32)))
    }

    /// A bool constant.
    pub fn bool(&mut self, value: bool) -> Value {
        Value::constant(self.constants.scalar(Scalar::Bool, u64::from(value)))
    }

    /// An f32 vector constant (or scalar, for one lane).
    pub fn vec_f32(&mut self, lanes: &[f32]) -> Value {
        let mut bits = [0; 4];
        for (to, from) in bits.iter_mut().zip(lanes) {
            *to = u64::from(from.to_bits());
        }
        Value::constant(self.constants.vector(Scalar::F32, &bits[..lanes.len().min(4)]))
    }

    /// A float constant whose lanes are all `number`, in the shape of `ty`.
    pub fn splat_f32(&mut self, number: f32, lanes: u8) -> Value {
        self.vec_f32(&[number; 4][..usize::from(lanes.clamp(1, 4))])
    }

    /// The zero of a type.
    pub fn zero(&mut self, ty: TypeId) -> Value {
        Value::constant(self.constants.zero(ty))
    }

    /// Loads through a pointer.
    pub fn load(&mut self, pointer: Value) -> Value {
        let ty = match self.types.get(self.type_of(pointer)) {
            Type::Pointer { pointee, .. } => pointee,
            _ => types::VOID,
        };
        self.value(Op::Load, Attr::None, &[pointer], ty)
    }

    /// Stores through a pointer.
    pub fn store(&mut self, pointer: Value, value: Value) {
        self.push(Op::Store, Attr::None, &[pointer, value], &[]);
    }

    /// A new local variable of the type; its pointer.
    pub fn var(&mut self, ty: TypeId) -> Value {
        let pointer = self.types.pointer(Space::Function, ty);
        self.value(Op::Var, Attr::None, &[], pointer)
    }

    /// A pointer to a part: one step.
    pub fn access(&mut self, base: Value, index: Value) -> Value {
        let base_ty = self.type_of(base);
        let fixed = index.as_constant().and_then(|c| self.constants[c].lane(0)).map_or(0, |bits| bits as u32);
        let ty = match self.types.get(base_ty) {
            Type::Pointer { space, pointee } => {
                // Past the end of an array is legal: it reads zero.
                let past_end = match self.types.get(pointee) {
                    Type::Struct(_) => None,
                    _ => self.types.step(pointee, 0),
                };
                let part = self.types.step(pointee, fixed).or(past_end).unwrap_or(types::VOID);
                self.types.pointer(space, part)
            }
            // An array of handles: the step gives the handle.
            _ => self.types.step(base_ty, fixed).unwrap_or(types::VOID),
        };
        self.value(Op::Access, Attr::None, &[base, index], ty)
    }

    /// A part of a vector, matrix, array or struct value.
    pub fn extract(&mut self, value: Value, index: u32) -> Value {
        let ty = self.types.step(self.type_of(value), index).unwrap_or(types::VOID);
        self.value(Op::Extract, Attr::Index(index), &[value], ty)
    }

    /// `value` with one part replaced.
    pub fn insert(&mut self, value: Value, part: Value, index: u32) -> Value {
        let ty = self.type_of(value);
        self.value(Op::Insert, Attr::Index(index), &[value, part], ty)
    }

    /// Lanes of a vector; the vector itself where that is all of it in order.
    pub fn shuffle(&mut self, value: Value, lanes: &[u8]) -> Value {
        let (kind, count) = self.lanes_of(value);
        let wanted = Lanes::new(lanes);
        if wanted.is_identity() && wanted.count() == count {
            return value;
        }
        if count == 1 {
            return self.splat(value, wanted.count());
        }
        if let [one] = lanes {
            return self.extract(value, u32::from(*one));
        }
        self.value(Op::Shuffle, Attr::Lanes(wanted), &[value], types::vector(kind, wanted.count()))
    }

    /// A scalar in every lane of a vector.
    pub fn splat(&mut self, value: Value, lanes: u8) -> Value {
        let (kind, _) = self.lanes_of(value);
        if lanes == 1 {
            return value;
        }
        self.value(Op::Splat, Attr::None, &[value], types::vector(kind, lanes))
    }

    /// A vector, matrix, array or struct from its parts.
    pub fn construct(&mut self, ty: TypeId, parts: &[Value]) -> Value {
        self.value(Op::Construct, Attr::None, parts, ty)
    }

    /// `condition ? yes : no`.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let ty = self.type_of(yes);
        self.value(Op::Select, Attr::None, &[condition, yes, no], ty)
    }

    /// The value as another scalar kind, in the same shape.
    pub fn convert(&mut self, value: Value, kind: Scalar) -> Value {
        let (from, lanes) = self.lanes_of(value);
        if from == kind {
            return value;
        }
        self.value(Op::Convert, Attr::None, &[value], types::vector(kind, lanes))
    }

    /// The same bits as another scalar kind of the same width, in the same shape.
    pub fn bitcast(&mut self, value: Value, kind: Scalar) -> Value {
        let (from, lanes) = self.lanes_of(value);
        if from == kind {
            return value;
        }
        self.value(Op::Bitcast, Attr::None, &[value], types::vector(kind, lanes))
    }

    /// Ends the current region.
    pub fn terminate(&mut self, op: Op, operands: &[Value]) {
        self.push(op, Attr::None, operands, &[]);
    }

    /// Appends an `if` on two regions that the caller fills.
    pub fn push_if(&mut self, condition: Value, then: RegionId, other: RegionId, results: &[TypeId]) -> InstId {
        self.push_structured(Op::If, Attr::None, &[condition], results, &[then, other])
    }

    /// Appends a `loop` whose body has `first.len()` parameters.
    pub fn push_loop(&mut self, first: &[Value], body: RegionId, continuing: RegionId, results: &[TypeId]) -> InstId {
        self.push_structured(Op::Loop, Attr::None, first, results, &[body, continuing])
    }

    /// Appends a `switch`, one entry of `cases` a region.
    pub fn push_switch(&mut self, selector: Value, cases: Cases, regions: &[RegionId], results: &[TypeId]) -> InstId {
        let cases = self.function.cases.push(cases);
        self.push_structured(Op::Switch, Attr::Cases(cases), &[selector], results, regions)
    }
}
