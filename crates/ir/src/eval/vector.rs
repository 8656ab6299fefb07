//! Operations on whole scalars, vectors and matrices.

use super::float::{self, Float, mul_legacy};
use super::half::F16;
use super::integer::{bits_extract, bits_insert};
use super::{convert, f16_from_f64, lane_fn};
use crate::constants::mask;
use crate::function::Attr;
use crate::op::Op;
use crate::types::{Scalar, Type, TypeId, Types};

/// The shape of a scalar, vector or matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Shape {
    /// Kind of one lane.
    pub kind: Scalar,
    /// Rows of a matrix; 0 for a scalar or vector.
    pub rows: u8,
    /// Lanes of a scalar (1) or vector (2 to 4), or of one row of a matrix.
    pub columns: u8,
}

impl Shape {
    /// Of a scalar (1) or vector (2 to 4 lanes).
    pub const fn vector(kind: Scalar, lanes: u8) -> Self {
        Self { kind, rows: 0, columns: lanes }
    }

    /// Of a type; `None` unless it is a scalar, vector or matrix.
    pub fn of(types: &Types, ty: TypeId) -> Option<Self> {
        match types.get(ty) {
            Type::Scalar(kind) => Some(Self::vector(kind, 1)),
            Type::Vector(kind, lanes) => Some(Self::vector(kind, lanes)),
            Type::Matrix { scalar, rows, columns } => Some(Self { kind: scalar, rows, columns }),
            _ => None,
        }
    }

    /// The number of scalars, at most 16 for legal types.
    pub const fn count(self) -> usize {
        self.columns as usize * if self.rows == 0 { 1 } else { self.rows as usize }
    }

    /// The number of scalars of one part: 1 of a vector, a row of a matrix.
    const fn part(self) -> usize {
        if self.rows == 0 { 1 } else { self.columns as usize }
    }
}

/// An operand of [`eval`].
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    /// Its shape.
    pub shape: Shape,
    /// Its scalars, [`Shape::count`] of them; a matrix in row order.
    pub lanes: &'a [u64],
}

/// Computes a pure operation into `out`. `result` is the shape of the first result; the second of `frexp`, `modf`,
/// `iadd.carry` and `isub.borrow` follows the first in `out`.
///
/// `None`, with nothing or a part written, for operations that are not pure ones on scalars, vectors and matrices, and for
/// operands that do not fit the operation.
pub fn eval(op: Op, attr: Attr, operands: &[Operand<'_>], result: Shape, out: &mut [u64]) -> Option<()> {
    let first = operands.first()?;
    for operand in operands {
        if operand.lanes.len() < operand.shape.count() {
            return None;
        }
    }
    if out.len() < result.count() {
        return None;
    }
    if let Some(f) = lane_fn(op, first.shape.kind) {
        let lane = |operand: usize, lane: usize| match operands.get(operand) {
            Some(o) => o.lanes.get(lane).copied(),
            None => Some(0),
        };
        for (i, out) in out.iter_mut().enumerate().take(result.count()) {
            *out = f(lane(0, i)?, lane(1, i)?, lane(2, i)?);
        }
        return Some(());
    }
    match op {
        Op::Construct | Op::Splat | Op::Extract | Op::Insert | Op::ExtractDyn | Op::InsertDyn | Op::Shuffle => {
            moves(op, attr, operands, result, out)
        }
        Op::Select | Op::Convert | Op::Bitcast | Op::Transpose | Op::Any | Op::All => shapes(op, operands, result, out),
        Op::PackHalf2x16
        | Op::UnpackHalf2x16
        | Op::PackSnorm4x8
        | Op::UnpackSnorm4x8
        | Op::PackUnorm4x8
        | Op::UnpackUnorm4x8
        | Op::PackSnorm2x16
        | Op::UnpackSnorm2x16
        | Op::PackUnorm2x16
        | Op::UnpackUnorm2x16 => packs(op, first.lanes, out),
        Op::IAddCarry | Op::ISubBorrow | Op::BitsExtract | Op::BitsInsert | Op::Msad4 => integers(op, operands, out),
        _ => match first.shape.kind {
            Scalar::F16 => floats::<F16>(op, operands, result, out),
            Scalar::F32 => floats::<f32>(op, operands, result, out),
            Scalar::F64 => floats::<f64>(op, operands, result, out),
            _ => None,
        },
    }
}

/// Operations that only move lanes.
fn moves(op: Op, attr: Attr, operands: &[Operand<'_>], result: Shape, out: &mut [u64]) -> Option<()> {
    let first = operands.first()?;
    let out = out.get_mut(..result.count())?;
    let dynamic = |operand: usize| operands.get(operand)?.lanes.first().map(|&index| index as u32 as usize);
    match (op, attr) {
        (Op::Construct, _) => {
            let mut lanes = operands.iter().flat_map(|o| o.lanes.iter().take(o.shape.count()));
            for out in out.iter_mut() {
                *out = *lanes.next()?;
            }
        }
        (Op::Splat, _) => out.fill(*first.lanes.first()?),
        (Op::Extract, Attr::Index(index)) => {
            let part = first.shape.part();
            out.copy_from_slice(first.lanes.get(index as usize * part..)?.get(..out.len())?);
        }
        (Op::ExtractDyn, _) => {
            let (part, index) = (first.shape.part(), dynamic(1)?);
            if out.len() != part {
                return None;
            }
            match index < first.shape.count() / part.max(1) {
                true => out.copy_from_slice(first.lanes.get(index * part..(index + 1) * part)?),
                false => out.fill(0),
            }
        }
        (Op::Insert, Attr::Index(_)) | (Op::InsertDyn, _) => {
            let index = if let Attr::Index(index) = attr { index as usize } else { dynamic(2)? };
            out.copy_from_slice(first.lanes.get(..out.len())?);
            let (part, value) = (first.shape.part(), operands.get(1)?);
            if index < first.shape.count() / part.max(1) {
                out.get_mut(index * part..(index + 1) * part)?.copy_from_slice(value.lanes.get(..part)?);
            }
        }
        (Op::Shuffle, Attr::Lanes(lanes)) => {
            for (out, &lane) in out.iter_mut().zip(lanes.as_slice()) {
                *out = *first.lanes.get(usize::from(lane))?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Operations on any kind whose result has another kind or arrangement.
fn shapes(op: Op, operands: &[Operand<'_>], result: Shape, out: &mut [u64]) -> Option<()> {
    let first = operands.first()?;
    let out = out.get_mut(..result.count())?;
    match op {
        Op::Select => {
            let (yes, no) = (operands.get(1)?, operands.get(2)?);
            for (i, out) in out.iter_mut().enumerate() {
                let condition = if first.shape.count() == 1 { first.lanes.first() } else { first.lanes.get(i) };
                *out = *if *condition? != 0 { yes.lanes.get(i)? } else { no.lanes.get(i)? };
            }
        }
        Op::Convert => {
            for (out, &bits) in out.iter_mut().zip(first.lanes) {
                *out = convert(first.shape.kind, result.kind, bits);
            }
        }
        Op::Bitcast => bitcast(first, result, out)?,
        Op::Transpose => {
            let (rows, columns) = (usize::from(result.rows), usize::from(result.columns));
            for row in 0..rows {
                for column in 0..columns {
                    *out.get_mut(row * columns + column)? = *first.lanes.get(column * rows + row)?;
                }
            }
        }
        Op::Any => *out.first_mut()? = u64::from(first.lanes.iter().take(first.shape.count()).any(|&lane| lane != 0)),
        Op::All => *out.first_mut()? = u64::from(first.lanes.iter().take(first.shape.count()).all(|&lane| lane != 0)),
        _ => return None,
    }
    Some(())
}

/// The same bits, lane 0 lowest.
fn bitcast(from: &Operand<'_>, result: Shape, out: &mut [u64]) -> Option<()> {
    let (from_bits, to_bits) = (from.shape.kind.bits(), result.kind.bits());
    if from_bits as usize * from.shape.count() != to_bits as usize * result.count() {
        return None;
    }
    if from_bits == to_bits {
        out.copy_from_slice(from.lanes.get(..out.len())?);
    } else if from_bits < to_bits {
        let parts = (to_bits / from_bits) as usize;
        for (out, parts) in out.iter_mut().zip(from.lanes.chunks(parts)) {
            *out = parts.iter().rev().fold(0, |all, &part| all << from_bits | part);
        }
    } else {
        let parts = (from_bits / to_bits) as usize;
        for (out, &whole) in out.chunks_mut(parts).zip(from.lanes) {
            for (i, out) in out.iter_mut().enumerate() {
                *out = mask(result.kind, whole >> (i as u32 * to_bits));
            }
        }
    }
    Some(())
}

fn packs(op: Op, lanes: &[u64], out: &mut [u64]) -> Option<()> {
    let single = |bits: u64| f32::from_bits(bits as u32);
    let word = |width: u32, field: &dyn Fn(f32) -> u64| {
        let ones = (1 << width) - 1;
        lanes.iter().rev().fold(0, |all, &lane| all << width | field(single(lane)) & ones)
    };
    // A NaN passes `clamp` and becomes 0 by the cast.
    let snorm = |scale: f32| move |x: f32| (x.clamp(-1.0, 1.0) * scale).round_ties_even() as i32 as u64;
    let unorm = |scale: f32| move |x: f32| (x.clamp(0.0, 1.0) * scale).round_ties_even() as u64;
    let mut unpack = |count: usize, value: &dyn Fn(u64) -> f32| {
        let (&word, width) = (lanes.first()?, 32 / count);
        for (i, out) in out.get_mut(..count)?.iter_mut().enumerate() {
            *out = u64::from(value(word >> (i * width)).to_bits());
        }
        Some(())
    };
    let word = match op {
        Op::PackHalf2x16 => word(16, &|x| u64::from(f16_from_f64(f64::from(x)))),
        Op::PackSnorm4x8 => word(8, &snorm(127.0)),
        Op::PackUnorm4x8 => word(8, &unorm(255.0)),
        Op::PackSnorm2x16 => word(16, &snorm(32767.0)),
        Op::PackUnorm2x16 => word(16, &unorm(65535.0)),
        Op::UnpackHalf2x16 => {
            let (&word, [x, y]) = (lanes.first()?, out.get_mut(..2)?) else { return None };
            [*x, *y] = [word, word >> 16].map(|half| convert(Scalar::F16, Scalar::F32, half & 0xFFFF));
            return Some(());
        }
        Op::UnpackSnorm4x8 => return unpack(4, &|bits| (f32::from(bits as i8) / 127.0).max(-1.0)),
        Op::UnpackUnorm4x8 => return unpack(4, &|bits| f32::from(bits as u8) / 255.0),
        Op::UnpackSnorm2x16 => return unpack(2, &|bits| (f32::from(bits as i16) / 32767.0).max(-1.0)),
        Op::UnpackUnorm2x16 => return unpack(2, &|bits| f32::from(bits as u16) / 65535.0),
        _ => return None,
    };
    *out.first_mut()? = word & 0xFFFF_FFFF;
    Some(())
}

fn integers(op: Op, operands: &[Operand<'_>], out: &mut [u64]) -> Option<()> {
    let first = operands.first()?;
    let (kind, count) = (first.shape.kind, first.shape.count());
    // A scalar offset or count serves all lanes.
    let lane = |operand: usize, i: usize| {
        let operand = operands.get(operand)?;
        operand.lanes.get(if operand.shape.count() == 1 { 0 } else { i }).copied()
    };
    for i in 0..count {
        let a = lane(0, i)?;
        match op {
            Op::IAddCarry | Op::ISubBorrow => {
                let b = lane(1, i)?;
                let value = if op == Op::IAddCarry { a.wrapping_add(b) } else { a.wrapping_sub(b) };
                let value = mask(kind, value);
                // A sum that wrapped is below both operands.
                let wrapped = if op == Op::IAddCarry { value < a } else { a < b };
                *out.get_mut(i)? = value;
                *out.get_mut(count + i)? = u64::from(wrapped);
            }
            Op::BitsExtract => {
                *out.get_mut(i)? = bits_extract(kind.bits(), kind.is_signed(), a, lane(1, i)?, lane(2, i)?);
            }
            Op::BitsInsert => *out.get_mut(i)? = bits_insert(kind.bits(), a, lane(1, i)?, lane(2, i)?, lane(3, i)?),
            _ => {}
        }
    }
    if op == Op::Msad4 {
        let reference = (*first.lanes.first()? as u32).to_le_bytes();
        let &[low, high] = operands.get(1)?.lanes.get(..2)? else { return None };
        let source = (low & 0xFFFF_FFFF | high << 32).to_le_bytes();
        for (i, (out, &sum)) in out.iter_mut().zip(operands.get(2)?.lanes).enumerate().take(4) {
            let differences = reference.iter().zip(source.get(i..)?);
            let added = differences.filter(|(r, _)| **r != 0).map(|(r, s)| u64::from(r.abs_diff(*s))).sum::<u64>();
            *out = (sum + added) & 0xFFFF_FFFF;
        }
    }
    Some(())
}

/// Up to 16 numbers of a float kind.
struct Numbers<T> {
    lanes: [T; 16],
    count: usize,
}

impl<T: Float> Numbers<T> {
    fn of(operand: Option<&Operand<'_>>) -> Option<Self> {
        let operand = operand?;
        let count = operand.shape.count();
        let mut lanes = [T::round(0.0); 16];
        for (to, &from) in lanes.get_mut(..count)?.iter_mut().zip(operand.lanes) {
            *to = T::get(from);
        }
        Some(Self { lanes, count })
    }

    fn slice(&self) -> &[T] {
        &self.lanes[..self.count]
    }
}

/// The sum of products from lane 0 up.
#[inline]
fn sum_of<T: Float>(products: impl Iterator<Item = T>) -> T {
    products.reduce(|sum, product| sum + product).unwrap_or_else(|| T::round(0.0))
}

fn dot<T: Float>(a: &[T], b: &[T]) -> T {
    sum_of(a.iter().zip(b).map(|(&a, &b)| a * b))
}

fn dot_legacy<T: Float>(a: &[T], b: &[T]) -> T {
    sum_of(a.iter().zip(b).map(|(&a, &b)| mul_legacy(a, b)))
}

fn write<T: Float>(out: &mut [u64], numbers: impl Iterator<Item = T>) {
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = number.put();
    }
}

/// Vector and matrix operations of floats.
fn floats<T: Float>(op: Op, operands: &[Operand<'_>], result: Shape, out: &mut [u64]) -> Option<()> {
    let a = &Numbers::<T>::of(operands.first())?;
    let b = &Numbers::<T>::of(operands.get(1));
    let a_shape = operands.first()?.shape;
    let (zero, one) = (T::round(0.0), T::round(1.0));
    // What an operation of two or three operands needs, or `None` from here.
    let b = || b.as_ref().map(Numbers::slice);
    let a = a.slice();
    match op {
        Op::Dot => write(out, [dot(a, b()?)].into_iter()),
        Op::DotLegacy => write(out, [dot_legacy(a, b()?)].into_iter()),
        Op::Length => write(out, [dot(a, a).sqrt()].into_iter()),
        Op::Distance => {
            let mut difference = [zero; 16];
            difference.iter_mut().zip(a.iter().zip(b()?)).for_each(|(d, (&a, &b))| *d = a - b);
            let difference = difference.get(..a.len())?;
            write(out, [dot(difference, difference).sqrt()].into_iter());
        }
        Op::Normalize => {
            let scale = float::rsqrt(dot(a, a));
            write(out, a.iter().map(|&x| x * scale));
        }
        Op::NrmD3d9 => {
            let xyz = a.get(..a.len().min(3))?;
            let square = dot_legacy(xyz, xyz);
            let scale = float::rsqrt_d3d9(square);
            let lane = |&x: &T| if square == zero { zero } else { mul_legacy(x, scale) };
            write(out, a.iter().map(lane));
        }
        Op::Reflect => {
            let n = b()?;
            let twice = T::round(2.0) * dot(n, a);
            write(out, a.iter().zip(n).map(|(&i, &n)| i - twice * n));
        }
        Op::Refract => {
            let n = b()?;
            let eta = *Numbers::<T>::of(operands.get(2))?.slice().first()?;
            let d = dot(n, a);
            let k = one - eta * eta * (one - d * d);
            let along = eta * d + k.sqrt();
            let lane = |(&i, &n): (&T, &T)| if k < zero { zero } else { eta * i - along * n };
            write(out, a.iter().zip(n).map(lane));
        }
        Op::FaceForward => {
            let facing = dot(b()?, Numbers::<T>::of(operands.get(2))?.slice()) < zero;
            // The bits, so that a NaN keeps its own.
            for (out, &n) in out.iter_mut().zip(operands.first()?.lanes).take(a.len()) {
                *out = if facing { n } else { n ^ T::SIGN };
            }
        }
        Op::Cross | Op::CrossLegacy => {
            let (&[x, y, z], &[u, v, w]) = (a, b()?) else { return None };
            let mul = if op == Op::Cross { |a: T, b: T| a * b } else { |a: T, b: T| mul_legacy(a, b) };
            let lanes = [mul(y, w) - mul(z, v), mul(z, u) - mul(x, w), mul(x, v) - mul(y, u)];
            write(out, lanes.into_iter());
        }
        Op::LitD3d9 => {
            let &[x, y, _, w] = a else { return None };
            let bound = T::round(127.9961);
            let power = if w >= bound {
                bound
            } else if w > T::round(-127.9961) {
                w
            } else {
                T::round(-127.9961)
            };
            let lit = if x > zero && y > zero { float::pow(y, power) } else { zero };
            write(out, [one, if x > zero { x } else { zero }, lit, one].into_iter());
        }
        Op::DstD3d9 => {
            let (&[_, y, z, _], &[_, v, _, w]) = (a, b()?) else { return None };
            write(out, [one, mul_legacy(y, v), z, w].into_iter());
        }
        Op::Ldexp => {
            let exponents = operands.get(1)?;
            for (i, (out, &x)) in out.iter_mut().zip(a).enumerate() {
                let n = exponents.lanes.get(if exponents.shape.count() == 1 { 0 } else { i })?;
                *out = float::ldexp(x, *n as i32).put();
            }
        }
        Op::Frexp | Op::Modf => {
            let (first, second) = out.split_at_mut_checked(a.len())?;
            for ((first, second), &x) in first.iter_mut().zip(second.get_mut(..a.len())?).zip(a) {
                if op == Op::Frexp {
                    let (fraction, exponent) = float::frexp(x);
                    (*first, *second) = (fraction.put(), u64::from(exponent as u32));
                } else {
                    let (fraction, whole) = float::modf(x);
                    (*first, *second) = (fraction.put(), whole.put());
                }
            }
        }
        Op::MulMv => {
            let v = b()?;
            write(out, a.chunks(v.len().max(1)).map(|row| dot(row, v)));
        }
        Op::MulVm => {
            let (m, columns) = (b()?, usize::from(result.columns));
            write(out, (0..columns).map(|c| product_sum(a, m.get(c..).unwrap_or_default(), columns)));
        }
        Op::MulMm => {
            let (m, inner, columns) = (b()?, usize::from(a_shape.columns), usize::from(result.columns));
            let rows = a.chunks(inner.max(1));
            write(
                out,
                rows.flat_map(|row| {
                    (0..columns).map(move |c| product_sum(row, m.get(c..).unwrap_or_default(), columns))
                }),
            );
        }
        Op::Determinant => {
            let side = usize::from(a_shape.columns);
            if side * side != a.len() {
                return None;
            }
            *out.first_mut()? = determinant(a, side).put();
        }
        _ => return None,
    }
    Some(())
}

/// The sum of `row[i] * column[i * stride]`, in order.
fn product_sum<T: Float>(row: &[T], column: &[T], stride: usize) -> T {
    sum_of(row.iter().zip(column.iter().step_by(stride.max(1))).map(|(&a, &b)| a * b))
}

/// By expansion along the first row, each operation rounded.
fn determinant<T: Float>(m: &[T], side: usize) -> T {
    let at = |row: usize, column: usize| m[row * side + column];
    let two = |r: [usize; 2], c: [usize; 2]| at(r[0], c[0]) * at(r[1], c[1]) - at(r[0], c[1]) * at(r[1], c[0]);
    let three = |r: [usize; 3], c: [usize; 3]| {
        at(r[0], c[0]) * two([r[1], r[2]], [c[1], c[2]]) - at(r[0], c[1]) * two([r[1], r[2]], [c[0], c[2]])
            + at(r[0], c[2]) * two([r[1], r[2]], [c[0], c[1]])
    };
    match side {
        2 => two([0, 1], [0, 1]),
        3 => three([0, 1, 2], [0, 1, 2]),
        4 => {
            let minor = |c: [usize; 3]| three([1, 2, 3], c);
            at(0, 0) * minor([1, 2, 3]) - at(0, 1) * minor([0, 2, 3]) + at(0, 2) * minor([0, 1, 3])
                - at(0, 3) * minor([0, 1, 2])
        }
        _ => at(0, 0),
    }
}
