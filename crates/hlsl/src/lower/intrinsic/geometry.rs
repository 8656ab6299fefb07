//! Geometry and matrices (B3).

use super::Call;
use crate::intrinsics::Special;
use crate::sema::Sema;
use crate::sema::codes;
use crate::types::{self, Kind, Shape, Ty};
use aquatint_ir::types::{self as ir, Scalar};
use aquatint_ir::{Attr, Op, Value};

impl Sema<'_> {
    pub(super) fn geometry(&mut self, special: Special, call: &Call<'_>) -> Option<Value> {
        let x = *call.values.first()?;
        let at = |i: usize| call.values.get(i).copied().unwrap_or(x);
        let scalar = self.lanes(x).1 == 1;
        Some(match special {
            Special::Dot => self.dot(x, at(1)),
            Special::Length if scalar => self.op(Op::FAbs, &[x]),
            Special::Length => self.op(Op::Length, &[x]),
            Special::Distance if scalar => {
                let difference = self.op(Op::FSub, &[x, at(1)]);
                self.op(Op::FAbs, &[difference])
            }
            Special::Distance => self.op(Op::Distance, &[x, at(1)]),
            Special::Normalize => self.op(Op::Normalize, &[x]),
            Special::Reflect => self.op(Op::Reflect, &[x, at(1)]),
            Special::Refract => {
                let kind = self.lanes(x).0;
                let eta = self.convert_kind(at(2), kind);
                let ty = self.type_of(x);
                self.value(Op::Refract, Attr::None, &[x, at(1), eta], ty)
            }
            Special::FaceForward => self.op(Op::FaceForward, &[x, at(1), at(2)]),
            Special::Lit => {
                // (1, max(l, 0), l < 0 || h < 0 ? 0 : pow(h, m), 1)
                let (l, h, m) = (x, at(1), at(2));
                let (zero, one) = (self.like(l, 0.0), self.like(l, 1.0));
                let diffuse = self.op(Op::FMax, &[l, zero]);
                let (dark, away) = (self.op(Op::FLt, &[l, zero]), self.op(Op::FLt, &[h, zero]));
                let none = self.op(Op::Or, &[dark, away]);
                let power = self.op(Op::Pow, &[h, m]);
                let specular = self.select(none, zero, power);
                self.vector_of(&[one, diffuse, specular, one])
            }
            Special::Dst => {
                let one = self.number(Scalar::F32, 1, 1.0);
                let (ay, by) = (self.extract(x, 1), self.extract(at(1), 1));
                let product = self.op(Op::FMul, &[ay, by]);
                let (az, bw) = (self.extract(x, 2), self.extract(at(1), 3));
                self.vector_of(&[one, product, az, bw])
            }
            Special::Determinant => match self.matrix_of(x) {
                Some((kind, ..)) => self.value(Op::Determinant, Attr::None, &[x], ir::scalar(kind)),
                None => x,
            },
            Special::ColorToBytes => {
                let swapped = self.shuffle(x, &[2, 1, 0, 3]);
                let factor = self.like(swapped, 255.001_953);
                let scaled = self.op(Op::FMul, &[swapped, factor]);
                self.convert_kind(scaled, Scalar::I32)
            }
            _ => return None,
        })
    }

    /// `dot` of any kind; scalars multiply.
    pub(crate) fn dot(&mut self, a: Value, b: Value) -> Value {
        let (kind, lanes) = self.lanes(a);
        if kind.is_float() {
            return if lanes == 1 { self.op(Op::FMul, &[a, b]) } else { self.op(Op::Dot, &[a, b]) };
        }
        let products = self.op(Op::IMul, &[a, b]);
        let mut sum = if lanes == 1 { products } else { self.extract(products, 0) };
        for lane in 1..lanes {
            let next = self.extract(products, u32::from(lane));
            sum = self.op(Op::IAdd, &[sum, next]);
        }
        sum
    }

    pub(super) fn transpose(&mut self, call: &Call<'_>) -> Option<(Value, Ty)> {
        let x = *call.values.first()?;
        let (kind, shape) = call.group;
        let Shape::Matrix(rows, columns) = shape else {
            if shape == Shape::Scalar {
                return Some((x, types::scalar(kind)));
            }
            self.error(&codes::AQ3004, call.span, "'transpose' takes a matrix".to_owned());
            return None;
        };
        let ty = self.types.matrix(kind, columns, rows);
        let value = match self.matrix_of(x) {
            Some((scalar, r, c)) => {
                let turned = self.matrix_type(scalar, c, r);
                self.value(Op::Transpose, Attr::None, &[x], turned)
            }
            None => x,
        };
        Some((value, ty))
    }

    /// The nine forms of `mul` (B3).
    pub(super) fn mul(&mut self, call: &Call<'_>) -> Option<(Value, Ty)> {
        let (&[a_ty, b_ty], &[a, b]) = (call.types, call.values.as_slice()) else { return None };
        let kind = call.group.0;
        let (_, sa) = self.types.numeric(a_ty)?;
        let (_, sb) = self.types.numeric(b_ty)?;
        let times = if kind.is_float() { Op::FMul } else { Op::IMul };
        use Shape::{Matrix, Scalar as One, Vector};
        let (inner_a, inner_b) = match (sa, sb) {
            (One, other) | (other, One) => {
                let (a, b) = (self.widen(a, sa, other), self.widen(b, sb, other));
                return Some((self.each(times, &[a, b]), self.types.of(kind, other)));
            }
            (Vector(n), Vector(m)) => (n, m),
            (Vector(n), Matrix(r, _)) => (n, r),
            (Matrix(_, c), Vector(n)) => (c, n),
            (Matrix(_, c), Matrix(r, _)) => (c, r),
        };
        if inner_a != inner_b {
            // Vectors lose what the other has not; anything else is an error.
            let message = format!("'mul' of '{}' and '{}': inner sizes differ", self.ty_name(a_ty), self.ty_name(b_ty));
            self.error(&codes::AQ3003, call.span, message);
            return None;
        }
        let (value, shape) = match (sa, sb) {
            (Vector(_), Vector(_)) => (self.dot(a, b), One),
            (Vector(_), Matrix(rows, columns)) => {
                (self.product(a, (1, rows), b, (rows, columns), kind), Vector(columns))
            }
            (Matrix(rows, columns), Vector(_)) => {
                (self.product(a, (rows, columns), b, (columns, 1), kind), Vector(rows))
            }
            (Matrix(rows, inner), Matrix(_, columns)) => {
                (self.product(a, (rows, inner), b, (inner, columns), kind), Matrix(rows, columns))
            }
            _ => return None,
        };
        // A vector of one element is a scalar.
        let shape = if shape == Vector(1) { One } else { shape };
        Some((value, self.types.of(kind, shape)))
    }

    fn widen(&mut self, value: Value, from: Shape, to: Shape) -> Value {
        if from == Shape::Scalar { self.splat_to(value, to) } else { value }
    }

    /// The matrix product, however its operands are held.
    fn product(&mut self, a: Value, sa: (u8, u8), b: Value, sb: (u8, u8), kind: Kind) -> Value {
        let (rows, columns) = (sa.0, sb.1);
        let (ma, mb) = (self.matrix_of(a), self.matrix_of(b));
        if kind.is_float() {
            match (ma, mb) {
                (Some(_), Some(_)) => {
                    let scalar = self.scalar(kind);
                    let ty = self.matrix_type(scalar, rows, columns);
                    return self.value(Op::MulMm, Attr::None, &[a, b], ty);
                }
                (Some(_), None) if columns == 1 => {
                    let ty = ir::vector(self.scalar(kind), rows);
                    return self.value(Op::MulMv, Attr::None, &[a, b], ty);
                }
                (None, Some(_)) if rows == 1 => {
                    let ty = ir::vector(self.scalar(kind), columns);
                    return self.value(Op::MulVm, Attr::None, &[a, b], ty);
                }
                _ => {}
            }
        }
        // Row by column, in order.
        let mut cells = Vec::new();
        for row in 0..rows {
            let line: Vec<Value> = (0..sa.1).map(|k| self.cell(a, sa.0, sa.1, row, k)).collect();
            let line = self.vector_of(&line);
            for column in 0..columns {
                let other: Vec<Value> = (0..sb.0).map(|k| self.cell(b, sb.0, sb.1, k, column)).collect();
                let other = self.vector_of(&other);
                cells.push(self.dot(line, other));
            }
        }
        self.scalars_to_shape(&cells, Shape::Matrix(rows, columns))
    }
}
