//! Bits and packing (B4).

use super::Call;
use crate::intrinsics::Special;
use crate::sema::Sema;
use crate::sema::codes;
use aquatint_ir::types::{self as ir, Scalar};
use aquatint_ir::{Attr, Op, Value};

impl Sema<'_> {
    pub(super) fn bits(&mut self, special: Special, call: &Call<'_>) -> Option<Value> {
        let x = *call.values.first()?;
        let at = |i: usize| call.values.get(i).copied().unwrap_or(x);
        Some(match special {
            Special::Bits(op) => {
                let result = self.each(op, &[x]);
                if op == Op::Reverse { result } else { self.bit_index(result, op) }
            }
            Special::Cast(kind) => {
                let to = self.scalar(kind);
                let from = match self.matrix_of(x) {
                    Some((scalar, ..)) => scalar,
                    None => self.lanes(x).0,
                };
                if from.bits() != to.bits() {
                    let message =
                        format!("'{}' takes elements of {} bits, not '{}'", call.name, to.bits(), call.group.0.name());
                    self.error(&codes::AQ3004, call.span, message);
                    return None;
                }
                self.bitcast(x, to)
            }
            Special::SplitDouble => {
                let words = self.value(Op::Bitcast, Attr::None, &[x], ir::vector(Scalar::U32, 2));
                let (low, high) = (self.extract(words, 0), self.extract(words, 1));
                self.assign_out(call, 1, low);
                self.assign_out(call, 2, high);
                return None;
            }
            Special::JoinDouble => {
                let lanes = self.lanes(x).1;
                let mut parts: Vec<Value> = Vec::new();
                for lane in 0..u32::from(lanes) {
                    let (low, high) = match lanes {
                        1 => (x, at(1)),
                        _ => (self.extract(x, lane), self.extract(at(1), lane)),
                    };
                    let words = self.vector_of(&[low, high]);
                    parts.push(self.value(Op::Bitcast, Attr::None, &[words], ir::scalar(Scalar::F64)));
                }
                self.vector_of(&parts)
            }
            Special::HalfToFloat => self.each_lane(x, Scalar::F32, |sema, lane| {
                let word = sema.convert_kind(lane, Scalar::U32);
                let both = sema.value(Op::UnpackHalf2x16, Attr::None, &[word], ir::vector(Scalar::F32, 2));
                sema.extract(both, 0)
            }),
            Special::FloatToHalf => self.each_lane(x, Scalar::U32, |sema, lane| {
                let lane = sema.convert_kind(lane, Scalar::F32);
                let zero = sema.number(Scalar::F32, 1, 0.0);
                let both = sema.vector_of(&[lane, zero]);
                sema.value(Op::PackHalf2x16, Attr::None, &[both], ir::U32)
            }),
            Special::Msad4 => self.value(Op::Msad4, Attr::None, &[x, at(1), at(2)], ir::vector(Scalar::U32, 4)),
            Special::AddUint64 => self.add_uint64(x, at(1), call)?,
            Special::Dot4Add(signed) => {
                let mut sum = at(2);
                for byte in 0..4 {
                    let (a, b) = (self.byte(x, byte, signed), self.byte(at(1), byte, signed));
                    let product = self.op(Op::IMul, &[a, b]);
                    sum = self.op(Op::IAdd, &[sum, product]);
                }
                sum
            }
            Special::Dot2Add => {
                let (a, b) = (self.convert_kind(x, Scalar::F32), self.convert_kind(at(1), Scalar::F32));
                let product = self.op(Op::FMul, &[a, b]);
                let (first, second) = (self.extract(product, 0), self.extract(product, 1));
                let sum = self.op(Op::FAdd, &[at(2), first]);
                self.op(Op::FAdd, &[sum, second])
            }
            Special::Pack { signed, clamp } => self.pack(x, signed, clamp),
            Special::Unpack { signed, narrow } => {
                let lanes: Vec<Value> = (0..4).map(|i| self.byte(x, i, signed)).collect();
                let all = self.vector_of(&lanes);
                match (narrow, signed) {
                    (false, _) => all,
                    (true, true) => self.convert_kind(all, Scalar::I16),
                    (true, false) => self.convert_kind(all, Scalar::U16),
                }
            }
            _ => return None,
        })
    }

    /// A bit count or index as uint; "none" stays all ones.
    fn bit_index(&mut self, value: Value, op: Op) -> Value {
        let kind = match self.matrix_of(value) {
            Some((kind, ..)) => kind,
            None => self.lanes(value).0,
        };
        match (kind, op) {
            (Scalar::U32, _) => value,
            (Scalar::I32, _) => self.bitcast(value, Scalar::U32),
            // All ones of 16 bits become all ones of 32 by the sign.
            (Scalar::U16, Op::FirstHigh | Op::FirstLow) => {
                let signed = self.bitcast(value, Scalar::I16);
                let wide = self.convert_kind(signed, Scalar::I32);
                self.bitcast(wide, Scalar::U32)
            }
            (Scalar::I16, _) => {
                let wide = self.convert_kind(value, Scalar::I32);
                self.bitcast(wide, Scalar::U32)
            }
            _ => self.convert_kind(value, Scalar::U32),
        }
    }

    /// Applies `f` to each scalar of a value of any shape.
    fn each_lane(&mut self, value: Value, kind: Scalar, mut f: impl FnMut(&mut Self, Value) -> Value + Copy) -> Value {
        if let Some((_, rows, _)) = self.matrix_of(value) {
            return self.by_rows(rows, &[value], |sema, row| sema.each_lane(row[0], kind, f));
        }
        let lanes = self.lanes(value).1;
        if lanes == 1 {
            return f(self, value);
        }
        let parts: Vec<Value> = (0..u32::from(lanes))
            .map(|i| {
                let lane = self.extract(value, i);
                f(self, lane)
            })
            .collect();
        self.construct(ir::vector(kind, lanes), &parts)
    }

    /// A byte of a word, extended to 32 bits.
    fn byte(&mut self, word: Value, index: u32, signed: bool) -> Value {
        let kind = if signed { Scalar::I32 } else { Scalar::U32 };
        let word = self.bitcast(word, kind);
        let (offset, count) = (self.u32(index * 8), self.u32(8));
        self.value(Op::BitsExtract, Attr::None, &[word, offset, count], ir::scalar(kind))
    }

    fn pack(&mut self, x: Value, signed: bool, clamp: bool) -> Value {
        let mut x = x;
        if clamp {
            let kind = self.lanes(x).0;
            let (low, high) = if signed { (-128.0, 127.0) } else { (0.0, 255.0) };
            if kind.is_signed() {
                let (low, high) = (self.like(x, low), self.like(x, high));
                x = self.op(Op::IClamp, &[x, low, high]);
            } else {
                let high = self.like(x, high);
                x = self.op(Op::IMin, &[x, high]);
            }
        }
        let words = self.convert_kind(x, Scalar::U32);
        let mut all = self.extract(words, 0);
        let mask = self.u32(0xFF);
        all = self.op(Op::And, &[all, mask]);
        for lane in 1..4 {
            let part = self.extract(words, lane);
            let (offset, count) = (self.u32(lane * 8), self.u32(8));
            all = self.value(Op::BitsInsert, Attr::None, &[all, part, offset, count], ir::U32);
        }
        all
    }

    /// Pairs of low and high words, with carry.
    fn add_uint64(&mut self, a: Value, b: Value, call: &Call<'_>) -> Option<Value> {
        let (a, b) = (self.convert_kind(a, Scalar::U32), self.convert_kind(b, Scalar::U32));
        let lanes = self.lanes(a).1;
        if lanes != 2 && lanes != 4 {
            self.error(&codes::AQ3004, call.span, "'AddUint64' takes uint2 or uint4".to_owned());
            return None;
        }
        let mut parts = Vec::new();
        for pair in 0..u32::from(lanes) / 2 {
            let (al, ah) = (self.extract(a, pair * 2), self.extract(a, pair * 2 + 1));
            let (bl, bh) = (self.extract(b, pair * 2), self.extract(b, pair * 2 + 1));
            let low = self.op(Op::IAdd, &[al, bl]);
            let carried = self.op(Op::ILt, &[low, al]);
            let carry = self.convert_kind(carried, Scalar::U32);
            let high = self.op(Op::IAdd, &[ah, bh]);
            let high = self.op(Op::IAdd, &[high, carry]);
            parts.extend([low, high]);
        }
        Some(self.vector_of(&parts))
    }
}
