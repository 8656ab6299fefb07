//! Arithmetic, rounding, comparison, exponentials, trigonometry (B1, B2).

use super::Call;
use crate::intrinsics::Special;
use crate::sema::Sema;
use crate::sema::codes;
use crate::types::{self, Shape, Ty};
use aquatint_ir::types::{self as ir, Scalar};
use aquatint_ir::{Attr, Op, Value};

impl Sema<'_> {
    pub(super) fn math(&mut self, special: Special, call: &Call<'_>) -> Option<Value> {
        let kind = call.group.0;
        let x = *call.values.first()?;
        let at = |i: usize| call.values.get(i).copied().unwrap_or(x);
        Some(match special {
            Special::Abs if kind.is_float() => self.each(Op::FAbs, &[x]),
            Special::Abs if kind.is_unsigned() => x,
            Special::Abs => self.each(Op::IAbs, &[x]),
            Special::Sign if kind.is_float() => {
                let sign = self.each(Op::FSign, &[x]);
                self.convert_kind(sign, Scalar::I32)
            }
            Special::Sign if kind.is_unsigned() => {
                let zero = self.like(x, 0.0);
                let positive = self.each(Op::INe, &[x, zero]);
                self.convert_kind(positive, Scalar::I32)
            }
            Special::Sign => {
                let sign = self.each(Op::ISign, &[x]);
                self.convert_kind(sign, Scalar::I32)
            }
            // Also where low is above high (B1): max, then min.
            Special::Clamp if kind.is_float() => self.each(Op::FClamp, &[x, at(1), at(2)]),
            Special::Clamp => self.each(Op::IClamp, &[x, at(1), at(2)]),
            Special::Modf => {
                let whole = self.each(Op::Trunc, &[x]);
                let fraction = self.each(Op::FSub, &[x, whole]);
                let group = self.types.of(kind, call.group.1);
                let wanted = *call.types.get(1)?;
                let converted = self.convert_value(whole, group, wanted);
                self.assign_out(call, 1, converted);
                fraction
            }
            Special::Frexp => {
                let (fraction, exponent) = self.frexp(x);
                self.assign_out(call, 1, exponent);
                fraction
            }
            Special::Ldexp => {
                let power = self.each(Op::Exp2, &[at(1)]);
                self.each(Op::FMul, &[x, power])
            }
            Special::Lerp => self.each(Op::Mix, &[x, at(1), at(2)]),
            Special::Mad if kind.is_float() => {
                // Precise code keeps two roundings; elsewhere either is allowed, and the separate operations are what
                // every target has.
                let product = self.each(Op::FMul, &[x, at(1)]);
                self.each(Op::FAdd, &[product, at(2)])
            }
            Special::Mad => {
                let product = self.each(Op::IMul, &[x, at(1)]);
                self.each(Op::IAdd, &[product, at(2)])
            }
            Special::Fma => self.each(Op::Fma, &[x, at(1), at(2)]),
            Special::IsNormal => self.is_normal(x),
            Special::Scale(bits) => {
                let factor = self.like(x, f64::from(f32::from_bits(bits)));
                self.each(Op::FMul, &[x, factor])
            }
            Special::LogicalAnd => self.each(Op::And, &[x, at(1)]),
            Special::LogicalOr => self.each(Op::Or, &[x, at(1)]),
            Special::All | Special::Any => {
                let truth = self.convert_kind(x, Scalar::Bool);
                let op = if special == Special::All { Op::All } else { Op::Any };
                self.all_any(op, truth)
            }
            Special::Log10 => {
                let log = self.each(Op::Log2, &[x]);
                let factor = self.like(x, std::f64::consts::LOG10_2);
                self.each(Op::FMul, &[log, factor])
            }
            Special::Sincos => {
                let sine = self.each(Op::Sin, &[x]);
                self.assign_out(call, 1, sine);
                let cosine = self.each(Op::Cos, &[x]);
                self.assign_out(call, 2, cosine);
                return None;
            }
            _ => return None,
        })
    }

    /// `all` and `any` of a bool scalar, vector or matrix.
    pub(crate) fn all_any(&mut self, op: Op, truth: Value) -> Value {
        match self.matrix_of(truth) {
            Some((_, rows, _)) => {
                let mut result = None;
                for row in 0..rows {
                    let line = self.extract(truth, u32::from(row));
                    let one = self.op(op, &[line]);
                    result = Some(match result {
                        None => one,
                        Some(before) => self.op(if op == Op::All { Op::And } else { Op::Or }, &[before, one]),
                    });
                }
                result.unwrap_or(truth)
            }
            None if self.lanes(truth).1 == 1 => truth,
            None => self.op(op, &[truth]),
        }
    }

    fn frexp(&mut self, x: Value) -> (Value, Value) {
        if let Some((kind, rows, columns)) = self.matrix_of(x) {
            let (mut fractions, mut exponents) = (Vec::new(), Vec::new());
            for row in 0..rows {
                let line = self.extract(x, u32::from(row));
                let (fraction, exponent) = self.frexp(line);
                fractions.push(fraction);
                exponents.push(exponent);
            }
            let ty = self.matrix_type(kind, rows, columns);
            return (self.construct(ty, &fractions), self.construct(ty, &exponents));
        }
        let (kind, lanes) = self.lanes(x);
        let ty = self.type_of(x);
        let inst = self.b().push(Op::Frexp, Attr::None, &[x], &[ty, ir::vector(Scalar::I32, lanes)]);
        let (fraction, exponent) = (self.b().result_at(inst, 0), self.b().result_at(inst, 1));
        // The exponent is float-typed (B1).
        (fraction, self.convert_kind(exponent, kind))
    }

    /// On the bit pattern: false for zero, denormals, infinity and NaN.
    fn is_normal(&mut self, x: Value) -> Value {
        if let Some((_, rows, _)) = self.matrix_of(x) {
            return self.by_rows(rows, &[x], |sema, row| sema.is_normal(row[0]));
        }
        let (kind, _) = self.lanes(x);
        let (unsigned, mask, least) = match kind {
            Scalar::F16 => (Scalar::U16, f64::from(0x7C00u32), f64::from(0x0400u32)),
            Scalar::F64 => (Scalar::U64, 0x7FF0_0000_0000_0000u64 as f64, 0x0010_0000_0000_0000u64 as f64),
            _ => (Scalar::U32, f64::from(0x7F80_0000u32), f64::from(0x0080_0000u32)),
        };
        let bits = self.bitcast(x, unsigned);
        let mask = self.like(bits, mask);
        let exponent = self.op(Op::And, &[bits, mask]);
        let least = self.like(bits, least);
        let above = self.op(Op::IGe, &[exponent, least]);
        let below = self.op(Op::ILt, &[exponent, mask]);
        self.op(Op::And, &[above, below])
    }

    /// `select(c, t, f)`: the values combine, the condition has their shape or is scalar.
    pub(super) fn select_intrinsic(&mut self, call: &Call<'_>) -> Option<(Value, Ty)> {
        let [condition, yes, no] = call.args else { return None };
        self.select_values(condition, yes, no, call.span)
    }

    /// `c ? t : f` on values that are both computed (A9.11, B1).
    pub(crate) fn select_values(
        &mut self,
        condition: &crate::sema::operand::Expr,
        yes: &crate::sema::operand::Expr,
        no: &crate::sema::operand::Expr,
        span: aquatint_base::Span,
    ) -> Option<(Value, Ty)> {
        let Some((_, condition_shape)) = self.types.numeric(condition.ty) else {
            let message = format!("a condition is a bool or a vector of them, not '{}'", self.ty_name(condition.ty));
            self.error(&codes::AQ3034, condition.span, message);
            return None;
        };
        let Some(mut ty) = self.common_type(yes, no) else {
            let message = format!("'{}' and '{}' have no common type", self.ty_name(yes.ty), self.ty_name(no.ty));
            self.error(&codes::AQ3003, span, message);
            return None;
        };
        let truth_ty = self.types.of(types::Kind::Bool, condition_shape);
        let mut truth = self.convert_quietly(condition, truth_ty);
        if condition_shape != Shape::Scalar {
            let Some((kind, shape)) = self.types.numeric(ty) else {
                self.error(&codes::AQ3034, condition.span, "a struct is selected by a scalar condition".to_owned());
                return None;
            };
            // Scalar results widen to the shape of the condition.
            let shape = if shape == Shape::Scalar { condition_shape } else { shape };
            if shape.held() != condition_shape.held() {
                let message =
                    format!("the condition is '{}', the values are '{}'", self.ty_name(condition.ty), self.ty_name(ty));
                self.error(&codes::AQ3003, span, message);
                return None;
            }
            ty = self.types.of(kind, shape);
        }
        let (yes, no) = (self.convert(yes, ty), self.convert(no, ty));
        if let (Some((_, rows, _)), Some((_, columns))) = (self.matrix_of(yes), Some(self.lanes(truth))) {
            let _ = columns;
            if self.matrix_of(truth).is_some() {
                let value = self.by_rows(rows, &[truth, yes, no], |sema, row| sema.select(row[0], row[1], row[2]));
                return Some((value, ty));
            }
        }
        if self.lanes(truth).1 > 1 && self.matrix_of(yes).is_none() && self.lanes(yes).1 == 1 {
            truth = self.extract(truth, 0);
        }
        Some((self.select(truth, yes, no), ty))
    }
}
