//! Constant folding and algebraic simplification.
//!
//! Pure operations on constants are computed by [`aquatint_ir::eval`], which is also the interpreter's meaning, so a folded
//! value and a computed one are the same bits. The algebra holds for every operand, NaN, infinities and both zeros
//! included: `x * 1` is x, `x + -0` is x, but `x * 0` is not 0 and `x + 0` is not x. So it holds for precise operations as
//! well. What would let a denormal through that the operation flushes is left alone in modules that flush. Only the payload
//! and sign of a NaN may differ from the unfolded computation. One sweep, linear.

use crate::Changed;
use crate::rewrite::{Replacements, Tables, become_op, each_function, rename};
use aquatint_ir::constants::ConstantValue;
use aquatint_ir::eval::{self, Operand, Shape};
use aquatint_ir::module::Denormals;
use aquatint_ir::types::{self, Scalar, Type, TypeId};
use aquatint_ir::{Attr, ConstantId, Effect, Function, InstId, LocalId, Module, Op, RegionId, Value, ValueKind};
use smallvec::SmallVec;
use std::mem;

mod algebra;

/// Computes what is constant and simplifies what has a constant or repeated operand.
pub fn fold(module: &mut Module) -> Changed {
    each_function(module, |tables, function| {
        let mut state = State { tables, replace: Replacements::lazy(), changed: false };
        state.region(function, function.body);
        let State { tables, replace, changed, .. } = state;
        replace.settle(tables.types, tables.constants, tables.globals, function);
        changed
    })
}

struct State<'a, 'm> {
    tables: &'a mut Tables<'m>,
    replace: Replacements,
    changed: bool,
}

/// What a rule makes of an instruction.
enum Simpler {
    /// Its result is this value.
    Is(Value),
    /// It becomes another operation, of which the rules are asked again.
    Becomes(Op, Attr, SmallVec<[Value; 4]>),
}

impl Simpler {
    fn op(op: Op, operands: &[Value]) -> Option<Self> {
        Some(Simpler::Becomes(op, Attr::None, SmallVec::from_slice(operands)))
    }
}

/// A rule makes an operation simpler, so a chain of them is short; this bounds a pair that would undo each other.
const REWRITES: usize = 8;

impl State<'_, '_> {
    fn region(&mut self, function: &mut Function, region: RegionId) {
        let mut insts = mem::take(&mut function.regions[region].insts);
        let mut kept = 0;
        for index in 0..insts.len() {
            let inst = insts[index];
            self.replace.rewrite(function, inst);
            if function.insts[inst].op.effect() == Effect::Pure && self.visit(function, inst) {
                continue;
            }
            for owned in function.insts[inst].regions.range() {
                self.region(function, function.owned[owned]);
            }
            insts[kept] = inst;
            kept += 1;
        }
        insts.truncate(kept);
        function.regions[region].insts = insts;
    }

    /// Whether the instruction's results were replaced.
    fn visit(&mut self, function: &mut Function, inst: InstId) -> bool {
        for _ in 0..REWRITES {
            if function.operands(inst).iter().all(|v| v.as_constant().is_some()) && self.constant(function, inst) {
                self.changed = true;
                return true;
            }
            match self.simplify(function, inst) {
                None => return false,
                Some(Simpler::Is(value)) => {
                    if let Some(local) = function.result(inst) {
                        self.replace.set(local, value);
                        rename(function, local, value);
                    }
                    self.changed = true;
                    return true;
                }
                Some(Simpler::Becomes(op, attr, operands)) => {
                    if !become_op(function, inst, op, attr, &operands) {
                        return false;
                    }
                    self.changed = true;
                }
            }
        }
        false
    }

    /// Whether the results were replaced by constants.
    fn constant(&mut self, function: &mut Function, inst: InstId) -> bool {
        let data = function.insts[inst];
        let locals = data.results.range();
        if data.op == Op::Var || locals.is_empty() || data.operands.len == 0 {
            return false;
        }
        let types: SmallVec<[TypeId; 2]> = locals.clone().map(|l| function.locals[LocalId::new(l)].ty).collect();
        let values = compute(self.tables, data.op, data.attr, &function.operands[data.operands.range()], &types);
        let Some(values) = values else { return false };
        for (local, id) in locals.zip(values) {
            self.replace.set(LocalId::new(local), Value::constant(id));
        }
        true
    }
}

/// Lanes of the largest matrix.
const LANES: usize = 16;

/// Computes a pure operation on constants; `None` where an operand is not constant, and for types that are neither
/// scalars, vectors nor matrices, but for moves of their parts. `types` are those of the results.
pub(crate) fn compute(
    tables: &mut Tables<'_>,
    op: Op,
    attr: Attr,
    operands: &[Value],
    types: &[TypeId],
) -> Option<SmallVec<[ConstantId; 2]>> {
    let ids: SmallVec<[ConstantId; 4]> = operands.iter().map(|v| v.as_constant()).collect::<Option<_>>()?;
    let &ty = types.first()?;
    let Some(result) = Shape::of(tables.types, ty) else {
        return compute_part(tables, op, attr, &ids, ty).map(|id| SmallVec::from_slice(&[id]));
    };
    let mut lanes: SmallVec<[[u64; LANES]; 4]> = SmallVec::new();
    let mut shapes: SmallVec<[Shape; 4]> = SmallVec::new();
    for &id in &ids {
        let Some(shape) = tables.constants.get(id).and_then(|c| Shape::of(tables.types, c.ty)) else {
            return compute_part(tables, op, attr, &ids, ty).map(|id| SmallVec::from_slice(&[id]));
        };
        let mut bits = [0; LANES];
        lanes_of_constant(tables, id, shape, &mut bits)?;
        lanes.push(bits);
        shapes.push(shape);
    }
    let flushes = tables.denormals == Denormals::Flush && eval::flushes(op);
    if flushes {
        for (lanes, shape) in lanes.iter_mut().zip(&shapes) {
            lanes.iter_mut().for_each(|bits| *bits = eval::flush(shape.kind, *bits));
        }
    }
    let operands: SmallVec<[Operand<'_>; 4]> =
        lanes.iter().zip(&shapes).map(|(lanes, &shape)| Operand { shape, lanes }).collect();
    let mut out = [0; 2 * LANES];
    let count = result.count();
    eval::eval(op, attr, &operands, result, out.get_mut(..count * types.len())?)?;
    let mut values = SmallVec::new();
    for (index, &ty) in types.iter().enumerate() {
        let shape = Shape::of(tables.types, ty)?;
        let lanes = out.get_mut(index * count..)?.get_mut(..shape.count())?;
        if flushes {
            lanes.iter_mut().for_each(|bits| *bits = eval::flush(shape.kind, *bits));
        }
        values.push(constant_of_lanes(tables, ty, shape, lanes)?);
    }
    Some(values)
}

/// Moves of parts of arrays and structs.
fn compute_part(tables: &mut Tables<'_>, op: Op, attr: Attr, ids: &[ConstantId], ty: TypeId) -> Option<ConstantId> {
    match (op, attr, ids) {
        (Op::Extract, Attr::Index(index), &[from]) => tables.constants.step(tables.types, from, index),
        (Op::ExtractDyn, _, &[from, index]) => {
            let index = tables.constants.get(index)?.lane(0)? as u32;
            match tables.constants.step(tables.types, from, index) {
                Some(part) => Some(part),
                None => Some(tables.constants.zero(ty)),
            }
        }
        (Op::Construct, _, parts) if matches!(tables.types.get(ty), Type::Array { .. } | Type::Struct(_)) => {
            Some(tables.constants.composite(ty, parts))
        }
        _ => None,
    }
}

fn lanes_of_constant(tables: &Tables<'_>, id: ConstantId, shape: Shape, out: &mut [u64; LANES]) -> Option<()> {
    let to = out.get_mut(..shape.count())?;
    match &tables.constants.get(id)?.value {
        ConstantValue::Scalar(bits) => *to.first_mut()? = *bits,
        ConstantValue::Vector(lanes) => to.iter_mut().zip(lanes).for_each(|(to, &from)| *to = from),
        ConstantValue::Zero => to.fill(0),
        ConstantValue::Composite(rows) => {
            for (row, &id) in rows.iter().enumerate() {
                let row_constant = tables.constants.get(id)?;
                for column in 0..usize::from(shape.columns) {
                    *to.get_mut(row * usize::from(shape.columns) + column)? = row_constant.lane(column)?;
                }
            }
        }
    }
    Some(())
}

fn constant_of_lanes(tables: &mut Tables<'_>, ty: TypeId, shape: Shape, lanes: &[u64]) -> Option<ConstantId> {
    if shape.rows == 0 {
        return Some(tables.constants.vector(shape.kind, lanes));
    }
    let rows: SmallVec<[ConstantId; 4]> =
        lanes.chunks(usize::from(shape.columns)).map(|row| tables.constants.vector(shape.kind, row)).collect();
    Some(tables.constants.composite(ty, &rows))
}

impl State<'_, '_> {
    /// The bits that all lanes of a scalar or vector constant have.
    #[inline]
    fn uniform(&self, value: Value) -> Option<(Scalar, u64)> {
        let ValueKind::Constant(id) = value.kind() else { return None };
        let constant = self.tables.constants.get(id)?;
        let (kind, count) = types::lanes_of(constant.ty)?;
        let first = constant.lane(0)?;
        let same = (1..usize::from(count)).all(|lane| constant.lane(lane) == Some(first));
        same.then_some((kind, first))
    }

    fn result_type(&self, function: &Function, inst: InstId) -> Option<TypeId> {
        function.result(inst).map(|local| function.locals[local].ty)
    }

    /// The constant whose lanes all have the bits, in the shape of a scalar or vector type.
    fn splat(&mut self, ty: TypeId, bits: u64) -> Option<Value> {
        let (kind, lanes) = types::lanes_of(ty)?;
        Some(Value::constant(self.tables.constants.vector(kind, &[bits; 4][..usize::from(lanes)])))
    }

    /// The operation and operands that define a value.
    fn def<'f>(&self, function: &'f Function, value: Value) -> Option<(Op, &'f [Value])> {
        let inst = function.def_inst(value.as_local()?)?;
        let data = &function.insts[inst];
        Some((data.op, &function.operands[data.operands.range()]))
    }

    /// Whether a float value may pass an operation of the module unchanged: not where denormals are flushed.
    fn passes(&self, kind: Scalar) -> bool {
        kind != Scalar::F32 || self.tables.denormals != Denormals::Flush
    }
}
