//! Splits matrix arithmetic into vector arithmetic on rows, for targets without matrices of our kind (rows first, every
//! scalar kind, one row or column) or without our order of operations.
//!
//! `mul.mv` becomes a dot product a row, `mul.vm` a sum of scaled rows, `mul.mm` that for each row; `transpose`,
//! `determinant` and arithmetic, conversions and selects of whole matrices go the same way. Loads, stores, `construct` and
//! `extract` of rows stay: they move, and [`combine_shuffles`](crate::combine_shuffles()) shortens them. Each matrix
//! operation becomes at most some forty; linear.

use crate::Changed;
use crate::expand_vector_ops::{part, vector_type};
use crate::rewrite::{Fate, build_functions, expand};
use aquatint_ir::types::{self, Scalar, Type};
use aquatint_ir::{Attr, Builder, Module, Op, TypeId, Value};
use smallvec::SmallVec;

/// Splits operations on matrices.
pub fn split_matrices(module: &mut Module) -> Changed {
    if !module.types.iter_more().any(|(_, ty)| matches!(ty, Type::Matrix { .. })) {
        return Changed::No;
    }
    build_functions(
        module,
        |_| true,
        |builder| {
            expand(builder, &mut |builder, inst| {
                let data = builder.function.insts[inst];
                let operands: SmallVec<[Value; 4]> = SmallVec::from_slice(builder.function.operands(inst));
                let ty = builder.function.result(inst).map(|local| builder.function.locals[local].ty);
                let Some(ty) = ty else { return Fate::Keep };
                split(builder, data.op, data.attr, &operands, ty).map_or(Fate::Keep, Fate::value)
            })
        },
    )
}

#[derive(Clone, Copy)]
struct Shape {
    kind: Scalar,
    rows: u8,
    columns: u8,
}

fn shape(builder: &Builder<'_>, ty: TypeId) -> Option<Shape> {
    match builder.types.get(ty) {
        Type::Matrix { scalar, rows, columns } => Some(Shape { kind: scalar, rows, columns }),
        _ => None,
    }
}

/// The rows of a matrix value; those of one that was just built are its parts.
fn rows(builder: &mut Builder<'_>, matrix: Value, shape: Shape) -> SmallVec<[Value; 4]> {
    let ty = vector_type(shape.kind, shape.columns);
    if let Some(inst) = matrix.as_local().and_then(|local| builder.function.def_inst(local))
        && builder.function.insts[inst].op == Op::Construct
        && builder.function.operands(inst).len() == usize::from(shape.rows)
        && builder.function.operands(inst).iter().all(|&row| builder.type_of(row) == ty)
    {
        return SmallVec::from_slice(builder.function.operands(inst));
    }
    (0..shape.rows).map(|row| part(builder, matrix, u32::from(row), ty)).collect()
}

fn lane(builder: &mut Builder<'_>, vector: Value, index: u8) -> Value {
    if builder.lanes_of(vector).1 == 1 { vector } else { builder.extract(vector, u32::from(index)) }
}

fn dot(builder: &mut Builder<'_>, a: Value, b: Value) -> Value {
    let (kind, lanes) = builder.lanes_of(a);
    if lanes > 1 && kind.is_float() {
        return builder.op(Op::Dot, &[a, b]);
    }
    let (mul, add) = arithmetic(kind);
    let products = builder.op(mul, &[a, b]);
    let mut sum = lane(builder, products, 0);
    for index in 1..lanes {
        let product = lane(builder, products, index);
        sum = builder.op(add, &[sum, product]);
    }
    sum
}

const fn arithmetic(kind: Scalar) -> (Op, Op) {
    if kind.is_float() { (Op::FMul, Op::FAdd) } else { (Op::IMul, Op::IAdd) }
}

/// A row vector times the rows of a matrix: scaled rows, summed from the first.
fn combine(builder: &mut Builder<'_>, vector: Value, rows: &[Value]) -> Option<Value> {
    let mut sum = None;
    for (index, &row) in rows.iter().enumerate() {
        let (kind, columns) = builder.lanes_of(row);
        let (mul, add) = arithmetic(kind);
        let factor = lane(builder, vector, index as u8);
        let factor = builder.splat(factor, columns);
        let scaled = builder.op(mul, &[factor, row]);
        sum = Some(match sum {
            None => scaled,
            Some(sum) => builder.op(add, &[sum, scaled]),
        });
    }
    sum
}

fn split(builder: &mut Builder<'_>, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Option<Value> {
    match (op, operands) {
        (Op::MulMv, &[matrix, vector]) => {
            let of = shape(builder, builder.type_of(matrix))?;
            let rows = rows(builder, matrix, of);
            let lanes: SmallVec<[Value; 4]> = rows.iter().map(|&row| dot(builder, row, vector)).collect();
            Some(if let [one] = lanes[..] { one } else { builder.construct(ty, &lanes) })
        }
        (Op::MulVm, &[vector, matrix]) => {
            let of = shape(builder, builder.type_of(matrix))?;
            let rows = rows(builder, matrix, of);
            combine(builder, vector, &rows)
        }
        (Op::MulMm, &[a, b]) => {
            let (of_a, of_b) = (shape(builder, builder.type_of(a))?, shape(builder, builder.type_of(b))?);
            let (rows_a, rows_b) = (rows(builder, a, of_a), rows(builder, b, of_b));
            let products: Option<SmallVec<[Value; 4]>> =
                rows_a.iter().map(|&row| combine(builder, row, &rows_b)).collect();
            Some(builder.construct(ty, &products?))
        }
        (Op::Transpose, &[matrix]) => {
            let of = shape(builder, builder.type_of(matrix))?;
            let rows = rows(builder, matrix, of);
            let row_type = vector_type(of.kind, of.rows);
            let mut columns: SmallVec<[Value; 4]> = SmallVec::new();
            for column in 0..of.columns {
                let lanes: SmallVec<[Value; 4]> = rows.iter().map(|&row| lane(builder, row, column)).collect();
                columns.push(if let [one] = lanes[..] { one } else { builder.construct(row_type, &lanes) });
            }
            Some(builder.construct(ty, &columns))
        }
        (Op::Determinant, &[matrix]) => determinant(builder, matrix),
        (Op::Var | Op::Load | Op::Construct | Op::Extract | Op::Insert | Op::ExtractDyn | Op::InsertDyn, _) => None,
        (Op::Call | Op::If | Op::Loop | Op::Switch | Op::Bitcast, _) => None,
        _ => by_rows(builder, op, attr, operands, ty),
    }
}

/// Operations that work scalar by scalar: arithmetic, comparisons, conversions, selects.
fn by_rows(builder: &mut Builder<'_>, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Option<Value> {
    let of = shape(builder, ty)?;
    let row_type = vector_type(of.kind, of.columns);
    let mut split: SmallVec<[SmallVec<[Value; 4]>; 4]> = SmallVec::new();
    for &operand in operands {
        split.push(match shape(builder, builder.type_of(operand)) {
            Some(of) => rows(builder, operand, of),
            // The condition of a select.
            None => SmallVec::from_elem(operand, usize::from(of.rows)),
        });
    }
    let mut made: SmallVec<[Value; 4]> = SmallVec::new();
    for row in 0..usize::from(of.rows) {
        let operands: Option<SmallVec<[Value; 4]>> = split.iter().map(|rows| rows.get(row).copied()).collect();
        made.push(builder.value(op, attr, &operands?, row_type));
    }
    Some(builder.construct(ty, &made))
}

/// By expansion along the first row, in the order of the op table's meaning.
fn determinant(builder: &mut Builder<'_>, matrix: Value) -> Option<Value> {
    let of = shape(builder, builder.type_of(matrix))?;
    if of.rows != of.columns {
        return None;
    }
    let mut at: SmallVec<[SmallVec<[Value; 4]>; 4]> = SmallVec::new();
    for row in rows(builder, matrix, of) {
        at.push((0..of.columns).map(|column| lane(builder, row, column)).collect());
    }
    let side = usize::from(of.rows);
    Some(minor(builder, &at, 0, &[0, 1, 2, 3][..side]))
}

/// The determinant of the rows from `row` on and the given columns.
fn minor(builder: &mut Builder<'_>, at: &[SmallVec<[Value; 4]>], row: usize, columns: &[usize]) -> Value {
    if let &[column] = columns {
        return at[row][column];
    }
    let mut sum: Option<Value> = None;
    for (index, &column) in columns.iter().enumerate() {
        let rest: SmallVec<[usize; 4]> = columns.iter().copied().filter(|&c| c != column).collect();
        let inner = minor(builder, at, row + 1, &rest);
        let term = builder.op(Op::FMul, &[at[row][column], inner]);
        sum = Some(match sum {
            None => term,
            Some(sum) => builder.op(if index % 2 == 1 { Op::FSub } else { Op::FAdd }, &[sum, term]),
        });
    }
    sum.unwrap_or_else(|| builder.zero(types::F32))
}
