//! Appending instructions: every operation whose operands are constants is computed at once, with the arithmetic that the
//! interpreter uses (A15.2), so that constant expressions are constants without a walk of their own.

use crate::sema::Sema;
use aquatint_ir::eval::{self, Operand, Shape};
use aquatint_ir::types::{self, Scalar, Space, Type, TypeId};
use aquatint_ir::{Attr, Builder, ConstantId, ConstantValue, Op, RegionId, Rule, Value};
use smallvec::SmallVec;

/// Scalars of the largest matrix.
const LANES: usize = 16;

impl Sema<'_> {
    /// A builder at the place that lowering is at.
    pub(crate) fn b(&mut self) -> Builder<'_> {
        let mut b = Builder::new(&mut self.module, &mut self.cur.function);
        b.enter(self.cur.region);
        b.set_span(self.cur.span);
        b.set_precise(self.cur.precise);
        b
    }

    /// The IR type of a value.
    pub(crate) fn type_of(&self, value: Value) -> TypeId {
        self.module.type_of(&self.cur.function, value)
    }

    /// Kind and lanes of a scalar or vector value.
    pub(crate) fn lanes(&self, value: Value) -> (Scalar, u8) {
        types::lanes_of(self.type_of(value)).unwrap_or((Scalar::F32, 1))
    }

    /// Rows, columns and kind of a matrix value.
    pub(crate) fn matrix_of(&self, value: Value) -> Option<(Scalar, u8, u8)> {
        match self.module.types.get(self.type_of(value)) {
            Type::Matrix { scalar, rows, columns } => Some((scalar, rows, columns)),
            _ => None,
        }
    }

    /// The IR matrix type.
    pub(crate) fn matrix_type(&mut self, scalar: Scalar, rows: u8, columns: u8) -> TypeId {
        self.module.types.intern(Type::Matrix { scalar, rows, columns })
    }

    /// Makes instructions go to `region`; returns where they went before.
    pub(crate) fn enter(&mut self, region: RegionId) -> RegionId {
        std::mem::replace(&mut self.cur.region, region)
    }

    /// A new region without parameters.
    pub(crate) fn new_region(&mut self) -> RegionId {
        self.b().new_region(&[])
    }

    /// An instruction with one result, or the constant that it is.
    pub(crate) fn value(&mut self, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Value {
        if let Some(folded) = self.folded(op, attr, operands, ty) {
            return folded;
        }
        self.b().value(op, attr, operands, ty)
    }

    /// An operation on scalars and vectors whose result type follows from its row.
    pub(crate) fn op(&mut self, op: Op, operands: &[Value]) -> Value {
        let Some(&first) = operands.first() else { return self.b().u32(0) };
        let ty = self.type_of(first);
        let result = match op.row().rule {
            Rule::Compare(_) | Rule::Test(_) => types::vector(Scalar::Bool, self.lanes(first).1),
            Rule::Reduce(_) | Rule::Length(_) => types::scalar(self.lanes(first).0),
            Rule::AnyAll => types::BOOL,
            Rule::Same(..) | Rule::Special => ty,
        };
        self.value(op, Attr::None, operands, result)
    }

    /// An operation on each element; matrices go row by row.
    pub(crate) fn each(&mut self, op: Op, operands: &[Value]) -> Value {
        let Some(&first) = operands.first() else { return self.b().u32(0) };
        match self.matrix_of(first) {
            Some((_, rows, _)) => self.by_rows(rows, operands, |sema, row| sema.op(op, row)),
            None => self.op(op, operands),
        }
    }

    /// Applies `f` to the rows of matrices, and puts the rows of the results together.
    pub(crate) fn by_rows(
        &mut self,
        rows: u8,
        operands: &[Value],
        mut f: impl FnMut(&mut Self, &[Value]) -> Value,
    ) -> Value {
        let mut results: SmallVec<[Value; 4]> = SmallVec::new();
        for row in 0..rows {
            let parts: SmallVec<[Value; 4]> = operands
                .iter()
                .map(|&v| if self.matrix_of(v).is_some() { self.extract(v, u32::from(row)) } else { v })
                .collect();
            results.push(f(self, &parts));
        }
        let (kind, columns) = results.first().map_or((Scalar::F32, 1), |&r| self.lanes(r));
        let ty = self.matrix_type(kind, rows, columns);
        self.construct(ty, &results)
    }

    pub(crate) fn extract(&mut self, value: Value, index: u32) -> Value {
        let of = self.type_of(value);
        let Some(ty) = self.module.types.step(of, index) else { return value };
        if let Some(id) = value.as_constant()
            && let Some(part) = self.module.constants.step(&self.module.types, id, index)
        {
            return Value::constant(part);
        }
        self.value(Op::Extract, Attr::Index(index), &[value], ty)
    }

    pub(crate) fn insert(&mut self, value: Value, part: Value, index: u32) -> Value {
        let ty = self.type_of(value);
        self.value(Op::Insert, Attr::Index(index), &[value, part], ty)
    }

    pub(crate) fn construct(&mut self, ty: TypeId, parts: &[Value]) -> Value {
        if let [one] = parts
            && self.type_of(*one) == ty
        {
            return *one;
        }
        let ids: Option<SmallVec<[ConstantId; 8]>> = parts.iter().map(|v| v.as_constant()).collect();
        if let Some(ids) = ids
            && matches!(self.module.types.get(ty), Type::Array { .. } | Type::Struct(_))
        {
            return Value::constant(self.module.constants.composite(ty, &ids));
        }
        self.value(Op::Construct, Attr::None, parts, ty)
    }

    pub(crate) fn splat(&mut self, value: Value, lanes: u8) -> Value {
        let (kind, n) = self.lanes(value);
        if lanes <= 1 || n != 1 {
            return value;
        }
        self.value(Op::Splat, Attr::None, &[value], types::vector(kind, lanes))
    }

    pub(crate) fn shuffle(&mut self, value: Value, lanes: &[u8]) -> Value {
        let (kind, count) = self.lanes(value);
        if lanes.len() == usize::from(count) && lanes.iter().enumerate().all(|(i, &l)| i as u8 == l) {
            return value;
        }
        match (count, lanes) {
            (1, _) => self.splat(value, lanes.len() as u8),
            (_, [one]) => self.extract(value, u32::from(*one)),
            _ => {
                let attr = Attr::Lanes(aquatint_ir::Lanes::new(lanes));
                self.value(Op::Shuffle, attr, &[value], types::vector(kind, lanes.len() as u8))
            }
        }
    }

    pub(crate) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let ty = self.type_of(yes);
        if let Some(id) = condition.as_constant()
            && let Some(bits) = self.module.constants.get(id).and_then(|c| c.lane(0))
            && self.lanes(condition).1 == 1
        {
            return if bits != 0 { yes } else { no };
        }
        self.value(Op::Select, Attr::None, &[condition, yes, no], ty)
    }

    /// Another scalar kind, same shape.
    pub(crate) fn convert_kind(&mut self, value: Value, to: Scalar) -> Value {
        let of = self.type_of(value);
        let ty = match self.module.types.get(of) {
            Type::Matrix { rows, columns, scalar } if scalar != to => self.matrix_type(to, rows, columns),
            Type::Scalar(kind) | Type::Vector(kind, _) if kind != to => types::vector(to, self.lanes(value).1),
            _ => return value,
        };
        self.value(Op::Convert, Attr::None, &[value], ty)
    }

    /// The same bits as another kind of the same width; matrices row by row.
    pub(crate) fn bitcast(&mut self, value: Value, to: Scalar) -> Value {
        match self.matrix_of(value) {
            Some((kind, rows, _)) if kind != to => self.by_rows(rows, &[value], |sema, row| sema.bitcast(row[0], to)),
            Some(_) => value,
            None => {
                let (kind, lanes) = self.lanes(value);
                if kind == to {
                    return value;
                }
                self.value(Op::Bitcast, Attr::None, &[value], types::vector(to, lanes))
            }
        }
    }

    /// A constant of a kind whose lanes are all that number.
    pub(crate) fn number(&mut self, kind: Scalar, lanes: u8, number: f64) -> Value {
        let bits = number_bits(kind, number);
        let all = [bits; 4];
        Value::constant(self.module.constants.vector(kind, &all[..usize::from(lanes.clamp(1, 4))]))
    }

    pub(crate) fn u32(&mut self, number: u32) -> Value {
        Value::constant(self.module.constants.scalar(Scalar::U32, u64::from(number)))
    }

    pub(crate) fn bool(&mut self, value: bool) -> Value {
        Value::constant(self.module.constants.scalar(Scalar::Bool, u64::from(value)))
    }

    pub(crate) fn zero(&mut self, ty: TypeId) -> Value {
        Value::constant(self.module.constants.zero(ty))
    }

    /// A new local variable; it stands at the head of the function, so that loops do not make it anew.
    pub(crate) fn var(&mut self, ty: TypeId) -> Value {
        self.b().var(ty)
    }

    pub(crate) fn load_pointer(&mut self, pointer: Value) -> Value {
        self.b().load(pointer)
    }

    pub(crate) fn store_pointer(&mut self, pointer: Value, value: Value) {
        self.b().store(pointer, value);
    }

    pub(crate) fn access(&mut self, base: Value, index: Value) -> Value {
        self.b().access(base, index)
    }

    pub(crate) fn access_at(&mut self, base: Value, index: u32) -> Value {
        let index = self.u32(index);
        self.access(base, index)
    }

    /// What a pointer points to.
    pub(crate) fn pointee(&self, pointer: Value) -> TypeId {
        match self.module.types.get(self.type_of(pointer)) {
            Type::Pointer { pointee, .. } => pointee,
            _ => types::VOID,
        }
    }

    /// The space that a pointer points to.
    pub(crate) fn space_of(&self, pointer: Value) -> Space {
        match self.module.types.get(self.type_of(pointer)) {
            Type::Pointer { space, .. } => space,
            _ => Space::Handle,
        }
    }

    /// The bits of a scalar constant.
    pub(crate) fn constant_bits(&self, value: Value) -> Option<(Scalar, u64)> {
        let constant = self.module.constants.get(value.as_constant()?)?;
        let (kind, lanes) = types::lanes_of(constant.ty)?;
        (lanes == 1).then(|| constant.lane(0).map(|bits| (kind, bits)))?
    }

    /// A scalar integer or bool constant as a number.
    pub(crate) fn constant_int(&self, value: Value) -> Option<i64> {
        let (kind, bits) = self.constant_bits(value)?;
        Some(match kind {
            Scalar::I16 => i64::from(bits as i16),
            Scalar::I32 => i64::from(bits as i32),
            _ if kind.is_float() => return None,
            _ => bits as i64,
        })
    }

    fn folded(&mut self, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Option<Value> {
        if operands.is_empty() || operands.len() > 8 || operands.iter().any(|v| v.as_constant().is_none()) {
            return None;
        }
        let result = Shape::of(&self.module.types, ty)?;
        let mut lanes: SmallVec<[[u64; LANES]; 4]> = SmallVec::new();
        let mut shapes: SmallVec<[Shape; 4]> = SmallVec::new();
        for value in operands {
            let id = value.as_constant()?;
            let shape = Shape::of(&self.module.types, self.module.constants.get(id)?.ty)?;
            let mut bits = [0; LANES];
            self.constant_lanes(id, shape, &mut bits)?;
            lanes.push(bits);
            shapes.push(shape);
        }
        let operands: SmallVec<[Operand<'_>; 4]> =
            lanes.iter().zip(&shapes).map(|(lanes, &shape)| Operand { shape, lanes }).collect();
        let mut out = [0; 2 * LANES];
        eval::eval(op, attr, &operands, result, &mut out)?;
        Some(self.constant_of(ty, result, out.get(..result.count())?))
    }

    fn constant_lanes(&self, id: ConstantId, shape: Shape, out: &mut [u64; LANES]) -> Option<()> {
        let columns = usize::from(shape.columns);
        match &self.module.constants.get(id)?.value {
            ConstantValue::Scalar(bits) => out[0] = *bits,
            ConstantValue::Vector(lanes) => out[..4].copy_from_slice(lanes),
            ConstantValue::Zero => {}
            ConstantValue::Composite(rows) => {
                for (row, &id) in rows.iter().enumerate() {
                    let row_constant = self.module.constants.get(id)?;
                    for column in 0..columns {
                        *out.get_mut(row * columns + column)? = row_constant.lane(column)?;
                    }
                }
            }
        }
        Some(())
    }

    /// A constant from its lanes, in row order.
    pub(crate) fn constant_of(&mut self, ty: TypeId, shape: Shape, lanes: &[u64]) -> Value {
        if shape.rows == 0 {
            return Value::constant(self.module.constants.vector(shape.kind, lanes));
        }
        let rows: SmallVec<[ConstantId; 4]> = lanes
            .chunks(usize::from(shape.columns.max(1)))
            .map(|row| self.module.constants.vector(shape.kind, row))
            .collect();
        Value::constant(self.module.constants.composite(ty, &rows))
    }
}

/// The bits of a number in a kind; what does not fit saturates.
pub(crate) fn number_bits(kind: Scalar, number: f64) -> u64 {
    match kind {
        Scalar::F64 => number.to_bits(),
        _ => eval::convert(Scalar::F64, kind, number.to_bits()),
    }
}
