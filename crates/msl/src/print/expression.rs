//! Values as expressions, with no more parentheses than the language needs.

use super::operator::precedence as p;
use super::operator::{Infix, function_of, infix_of, lacks_half};
use super::types::lanes_name;
use super::{Body, Label};
use crate::raise::helpers::{Operand, helper_of};
use crate::raise::plan::Place;
use aquatint_ir::constants::ConstantValue;
use aquatint_ir::types::{Scalar, Type, lanes_of};
use aquatint_ir::{Attr, InstId, Op, Value, ValueKind};
use smallvec::SmallVec;

const LANES: [&str; 4] = ["x", "y", "z", "w"];

impl Body<'_, '_> {
    /// Writes a value. It binds at least as tightly as `min`; 0 is anything.
    pub(super) fn expr(&mut self, value: Value, min: u8) {
        match value.kind() {
            ValueKind::Constant(id) => self.file.constant(id, min > 0),
            ValueKind::Global(id) => self.push(self.interface().global(id)),
            ValueKind::Local(local) => {
                if let Some(&Label::Alias(other)) = self.labels.get(local.index()) {
                    return self.expr(other, min);
                }
                match (self.plan.place(local), self.function.def_inst(local)) {
                    (Place::Inline | Place::Free, Some(inst)) => self.inst(inst, min),
                    (Place::Path, _) => self.path(value),
                    _ => self.push_label(local),
                }
            }
        }
    }

    /// `name(operands)`.
    pub(super) fn call(&mut self, name: &str, operands: &[Value]) {
        self.push(name);
        self.push("(");
        self.list(operands);
        self.push(")");
    }

    pub(super) fn list(&mut self, operands: &[Value]) {
        for (i, &operand) in operands.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.expr(operand, 0);
        }
    }

    /// Writes the single result of an instruction in full.
    pub(super) fn inst(&mut self, id: InstId, min: u8) {
        let function = self.function;
        let inst = &function.insts[id];
        let operands = function.operands(id);
        let result = function.result(id).map_or(aquatint_ir::types::VOID, |l| function.locals[l].ty);
        let Some(&first) = operands.first() else { return self.special(id, min) };
        let first_ty = self.type_of(first);
        let (kind, lanes) = lanes_of(first_ty).unwrap_or((Scalar::F32, 1));
        let operand = || Operand { kind, lanes, result: lanes_of(result).map_or(kind, |(kind, _)| kind) };
        if let Some(helper) = helper_of(inst.op, self.file.options.strict, operand) {
            return match inst.op {
                Op::IsNan => self.bit_test(first, lanes, " > 0x7F800000u", p::RELATION, min),
                Op::IsInf => self.bit_test(first, lanes, " == 0x7F800000u", p::EQUALITY, min),
                Op::IsFinite => self.bit_test(first, lanes, " < 0x7F800000u", p::RELATION, min),
                _ => self.call(helper.name(), operands),
            };
        }
        match inst.op {
            Op::FDiv if inst.precise => return self.call_of_floats("precise::divide", operands, kind, lanes),
            Op::Sqrt if inst.precise => return self.call_of_floats("precise::sqrt", operands, kind, lanes),
            Op::RSqrt if inst.precise => return self.call_of_floats("precise::rsqrt", operands, kind, lanes),
            Op::Rcp if inst.precise => {
                let half = kind == Scalar::F16;
                if half {
                    self.push(lanes_name(kind, lanes));
                    self.push("(");
                }
                self.push("precise::divide(");
                self.one(if half { Scalar::F32 } else { kind }, lanes);
                self.push(", ");
                self.as_floats(first, kind, lanes);
                return self.push(if half { "))" } else { ")" });
            }
            Op::IAdd | Op::ISub | Op::IMul if self.file.options.strict && kind.is_signed() => {
                return self.wrapping(inst.op, operands, kind, lanes);
            }
            _ => {}
        }
        if let (Op::FMul | Op::FDiv, Type::Matrix { rows, .. }) = (inst.op, self.file.module.types.get(first_ty)) {
            return self.by_rows(result, operands, rows, if inst.op == Op::FMul { " * " } else { " / " });
        }
        if let (Some(operator), &[a, b]) = (infix_of(inst.op, kind), operands) {
            return self.infix(&operator, inst.op, a, b, lanes, min);
        }
        if let Some(name) = function_of(inst.op) {
            if lacks_half(inst.op) {
                return self.call_of_floats(name, operands, kind, lanes);
            }
            return self.call(name, operands);
        }
        self.special(id, min);
    }

    /// A call of a function that Metal has for `float` alone: halves go through it as floats. Of the functions of
    /// `precise::` that is exact: a quotient or root of halves, rounded to 24 bits first, rounds to the same half.
    fn call_of_floats(&mut self, name: &str, operands: &[Value], kind: Scalar, lanes: u8) {
        if kind != Scalar::F16 {
            return self.call(name, operands);
        }
        self.push(lanes_name(Scalar::F16, lanes));
        self.push("(");
        self.push(name);
        for (i, &operand) in operands.iter().enumerate() {
            self.push(if i == 0 { "(" } else { ", " });
            self.as_floats(operand, kind, lanes);
        }
        self.push("))");
    }

    /// A value of floats, or of halves converted to them.
    fn as_floats(&mut self, value: Value, kind: Scalar, lanes: u8) {
        if kind != Scalar::F16 {
            return self.expr(value, 0);
        }
        self.push(lanes_name(Scalar::F32, lanes));
        self.push("(");
        self.expr(value, 0);
        self.push(")");
    }

    /// Matrices by components, row by row: the language's own operator is the matrix product.
    fn by_rows(&mut self, ty: aquatint_ir::TypeId, operands: &[Value], rows: u8, operator: &str) {
        self.type_name(ty);
        for row in 0..u32::from(rows) {
            self.push(if row == 0 { "(" } else { ", " });
            for (i, &operand) in operands.iter().enumerate() {
                self.push(if i == 0 { "" } else { operator });
                self.expr(operand, p::POSTFIX);
                self.push("[");
                self.file.number(row);
                self.push("]");
            }
        }
        self.push(")");
    }

    fn infix(&mut self, operator: &Infix, op: Op, a: Value, b: Value, lanes: u8, min: u8) {
        let brackets = operator.own < min;
        if brackets {
            self.push("(");
        }
        // Beside a vector a scalar stands for a vector of it, but one of the two must be a vector.
        let (left, right) = match (lanes > 1, self.splat_of(a), self.splat_of(b)) {
            (true, _, Some(b)) => (None, Some(b)),
            (true, Some(a), None) => (Some(a), None),
            _ => (None, None),
        };
        match left {
            Some(splat) => self.splat(splat, operator.left),
            None => self.expr(a, operator.left),
        }
        self.push(operator.text);
        let shift = matches!(op, Op::Shl | Op::Shr);
        // A constant count within the width needs no mask; one past it does (and a short would be promoted first).
        let (kind, lanes) = lanes_of(self.type_of(b)).unwrap_or((Scalar::U32, 1));
        let fits = |count: Option<u64>| count.is_some_and(|count| count < u64::from(kind.bits()));
        let constant = b.as_constant().and_then(|id| self.file.module.constants.get(id));
        let fixed_shift = shift && constant.is_some_and(|c| (0..usize::from(lanes)).all(|lane| fits(c.lane(lane))));
        if shift && !fixed_shift {
            let bits = lanes_of(self.type_of(b)).map_or(32, |(kind, _)| kind.bits());
            self.push("(");
            self.expr(b, p::UNARY);
            self.push(if bits == 64 {
                " & 63"
            } else if bits == 16 {
                " & 15"
            } else {
                " & 31"
            });
            self.push(if lanes_of(self.type_of(b)).is_some_and(|(k, _)| k.is_signed()) { ")" } else { "u)" });
        } else {
            match right {
                Some(splat) => self.splat(splat, operator.right),
                None => self.expr(b, operator.right),
            }
        }
        if brackets {
            self.push(")");
        }
    }

    /// If a vector holds one scalar in all lanes: that scalar, as a value or as bits.
    fn splat_of(&self, value: Value) -> Option<Splat> {
        match value.kind() {
            ValueKind::Constant(id) => {
                let constant = self.file.module.constants.get(id)?;
                let (kind, count) = lanes_of(constant.ty)?;
                match &constant.value {
                    ConstantValue::Vector(lanes) if lanes[1..usize::from(count)].iter().all(|&l| l == lanes[0]) => {
                        Some(Splat::Bits(kind, lanes[0]))
                    }
                    _ => None,
                }
            }
            ValueKind::Local(local) => {
                let inst = self.function.def_inst(local)?;
                let inlined = matches!(self.plan.place(local), Place::Inline | Place::Free);
                let splat = self.function.insts[inst].op == Op::Splat;
                (inlined && splat).then(|| self.function.operands(inst).first().copied().map(Splat::Value)).flatten()
            }
            ValueKind::Global(_) => None,
        }
    }

    fn splat(&mut self, splat: Splat, min: u8) {
        match splat {
            Splat::Bits(kind, bits) => super::literal::scalar(&mut self.file.out, kind, bits, true),
            Splat::Value(value) => self.expr(value, min),
        }
    }

    fn one(&mut self, kind: Scalar, lanes: u8) {
        if lanes > 1 {
            self.push(lanes_name(kind, lanes));
            self.push("(");
        }
        self.push(if kind == Scalar::F16 { "1.0h" } else { "1.0f" });
        if lanes > 1 {
            self.push(")");
        }
    }

    fn bit_test(&mut self, value: Value, _lanes: u8, test: &str, own: u8, min: u8) {
        if own < min {
            self.push("(");
        }
        self.call("aq_bits", &[value]);
        self.push(test);
        if own < min {
            self.push(")");
        }
    }

    /// Signed arithmetic that wraps (sheet D15.5).
    fn wrapping(&mut self, op: Op, operands: &[Value], kind: Scalar, lanes: u8) {
        let unsigned = match kind {
            Scalar::I16 => Scalar::U16,
            Scalar::I64 => Scalar::U64,
            _ => Scalar::U32,
        };
        let (to, from) = (lanes_name(kind, lanes), lanes_name(unsigned, lanes));
        self.push("as_type<");
        self.push(to);
        // 16-bit operands are promoted, so the sum is cut back.
        self.push(if kind == Scalar::I16 && lanes == 1 { ">(ushort(" } else { ">(" });
        for (i, &operand) in operands.iter().enumerate() {
            if i > 0 {
                self.push(match op {
                    Op::IAdd => " + ",
                    Op::ISub => " - ",
                    _ => " * ",
                });
            }
            self.push("as_type<");
            self.push(from);
            self.push(">(");
            self.expr(operand, 0);
            self.push(")");
        }
        self.push(if kind == Scalar::I16 && lanes == 1 { "))" } else { ")" });
    }

    /// Operations with a form of their own.
    fn special(&mut self, id: InstId, min: u8) {
        let function = self.function;
        let inst = &function.insts[id];
        let operands = function.operands(id);
        let result = function.result(id).map_or(aquatint_ir::types::VOID, |l| function.locals[l].ty);
        match (inst.op, operands, inst.attr) {
            (Op::Load, &[pointer], _) => self.load(pointer, min),
            (Op::Extract, &[value], Attr::Index(index)) => self.extract(value, index),
            (Op::Shuffle, &[value], Attr::Lanes(lanes)) => self.swizzle(value, lanes.as_slice()),
            (Op::ExtractDyn, &[value, index], _) => {
                self.expr(value, p::POSTFIX);
                let array = matches!(self.file.module.types.get(self.type_of(value)), Type::Array { .. });
                self.push(if array { ".e[" } else { "[" });
                self.expr(index, 0);
                self.push("]");
            }
            (Op::Insert, ..) => self.insert_chain(id),
            (Op::Splat, &[value], _) => {
                self.type_name(result);
                self.push("(");
                self.expr(value, 0);
                self.push(")");
            }
            (Op::Construct, parts, _) => self.construct(result, parts),
            (Op::Select, &[condition, yes, no], _) => self.select(condition, yes, no, min),
            (Op::FNeg | Op::INeg, &[value], _) => {
                if min > p::UNARY {
                    self.push("(");
                }
                self.push("-");
                self.expr(value, p::POSTFIX);
                if min > p::UNARY {
                    self.push(")");
                }
            }
            (Op::Not, &[value], _) => {
                let bool = lanes_of(result).is_some_and(|(kind, _)| kind == Scalar::Bool);
                if min > p::UNARY {
                    self.push("(");
                }
                self.push(if bool { "!" } else { "~" });
                self.expr(value, p::POSTFIX);
                if min > p::UNARY {
                    self.push(")");
                }
            }
            (Op::Rcp, &[value], _) => {
                if min > p::PRODUCT {
                    self.push("(");
                }
                let kind = lanes_of(result).map_or(Scalar::F32, |(kind, _)| kind);
                self.push(if kind == Scalar::F16 { "1.0h / " } else { "1.0f / " });
                self.expr(value, p::PRODUCT + 1);
                if min > p::PRODUCT {
                    self.push(")");
                }
            }
            (Op::Convert, &[value], _) => self.convert(value, result, min),
            (Op::Bitcast, &[value], _) => {
                self.push("as_type<");
                self.type_name(result);
                self.push(">(");
                self.expr(value, 0);
                self.push(")");
            }
            (Op::PackHalf2x16, &[value], _) => {
                self.push("as_type<uint>(half2(");
                self.expr(value, 0);
                self.push("))");
            }
            (Op::UnpackHalf2x16, &[value], _) => {
                self.push("float2(as_type<half2>(");
                self.expr(value, 0);
                self.push("))");
            }
            (Op::ISign, &[value], _) => {
                let zero = lanes_of(result).map_or((Scalar::I32, 1), |t| t);
                self.push("clamp(");
                self.expr(value, 0);
                for bound in [u64::MAX, 1] {
                    self.push(", ");
                    self.type_name(result);
                    self.push("(");
                    let bits = aquatint_ir::constants::mask(zero.0, bound);
                    super::literal::scalar(&mut self.file.out, zero.0, bits, false);
                    self.push(")");
                }
                self.push(")");
            }
            (Op::IsNan, ..) => self.call("isnan", operands),
            (Op::IsInf, ..) => self.call("isinf", operands),
            (Op::IsFinite, ..) => self.call("isfinite", operands),
            (Op::MulMv | Op::MulVm | Op::MulMm, &[a, b], _) => {
                // The IR's rows are Metal's columns, so the factors change places (sheet D3.1).
                if min > p::PRODUCT {
                    self.push("(");
                }
                self.expr(b, p::PRODUCT);
                self.push(" * ");
                self.expr(a, p::PRODUCT + 1);
                if min > p::PRODUCT {
                    self.push(")");
                }
            }
            _ => self.texture(id, min),
        }
    }

    /// Lanes of a vector. Lanes of lanes are written as one swizzle.
    pub(super) fn swizzle(&mut self, value: Value, lanes: &[u8]) {
        let mut wanted: SmallVec<[u8; 4]> = lanes.into();
        let mut base = value;
        while let Some(local) = base.as_local() {
            if let Some(&Label::Alias(other)) = self.labels.get(local.index()) {
                base = other;
                continue;
            }
            let open = matches!(self.plan.place(local), Place::Inline | Place::Free);
            let Some(inst) = self.function.def_inst(local).filter(|_| open) else { break };
            let (Op::Shuffle, Attr::Lanes(inner), &[from]) =
                (self.function.insts[inst].op, self.function.insts[inst].attr, self.function.operands(inst))
            else {
                break;
            };
            for lane in &mut wanted {
                *lane = inner.as_slice().get(usize::from(*lane)).copied().unwrap_or(0);
            }
            base = from;
        }
        self.expr(base, p::POSTFIX);
        let width = lanes_of(self.type_of(base)).map_or(1, |(_, lanes)| lanes);
        if wanted.len() == usize::from(width) && wanted.iter().enumerate().all(|(i, &lane)| i == usize::from(lane)) {
            return;
        }
        self.push(".");
        for lane in wanted {
            self.push(LANES[usize::from(lane) & 3]);
        }
    }

    fn extract(&mut self, value: Value, index: u32) {
        if matches!(self.file.module.types.get(self.type_of(value)), Type::Vector(..)) {
            return self.swizzle(value, &[index as u8 & 3]);
        }
        self.expr(value, p::POSTFIX);
        match self.file.module.types.get(self.type_of(value)) {
            Type::Struct(id) => {
                self.push(".");
                self.push(self.interface().member(id, index as usize));
            }
            Type::Array { .. } => {
                self.push(".e[");
                self.file.number(index);
                self.push("]");
            }
            _ => {
                self.push("[");
                self.file.number(index);
                self.push("]");
            }
        }
    }

    /// A vector with lanes replaced: `float4(v.x, new, v.zw)`. Replacements of replacements are written as one.
    fn insert_chain(&mut self, id: InstId) {
        let mut parts: [Option<Value>; 4] = [None; 4];
        let mut inst = id;
        let base = loop {
            let &[base, part] = self.function.operands(inst) else { return };
            if let Attr::Index(lane) = self.function.insts[inst].attr
                && let Some(slot) = parts.get_mut(lane as usize)
            {
                slot.get_or_insert(part);
            }
            let next = base.as_local().filter(|&l| self.plan.place(l) == Place::Inline);
            match next.and_then(|l| self.function.def_inst(l)) {
                Some(next) if self.function.insts[next].op == Op::Insert => inst = next,
                _ => break base,
            }
        };
        let ty = self.type_of(base);
        let (kind, count) = lanes_of(ty).unwrap_or((Scalar::F32, 1));
        self.type_name(ty);
        self.push("(");
        let constant = base.as_constant().and_then(|c| self.file.module.constants.get(c));
        let mut lane = 0;
        while lane < usize::from(count) {
            if lane > 0 {
                self.push(", ");
            }
            match (parts[lane], constant) {
                (Some(part), _) => self.expr(part, 0),
                (None, Some(constant)) => {
                    let bits = constant.lane(lane).unwrap_or(0);
                    super::literal::scalar(&mut self.file.out, kind, bits, false);
                }
                (None, None) => {
                    self.expr(base, p::POSTFIX);
                    self.push(".");
                    self.push(LANES[lane]);
                    while lane + 1 < usize::from(count) && parts[lane + 1].is_none() {
                        lane += 1;
                        self.push(LANES[lane]);
                    }
                }
            }
            lane += 1;
        }
        self.push(")");
    }

    fn construct(&mut self, ty: aquatint_ir::TypeId, parts: &[Value]) {
        self.type_name(ty);
        let (open, close) = match self.file.module.types.get(ty) {
            Type::Array { .. } => ("{{", "}}"),
            Type::Struct(_) => ("{", "}"),
            _ => ("(", ")"),
        };
        self.push(open);
        let vector = matches!(self.file.module.types.get(ty), Type::Vector(..));
        let scalar = |v: Value| lanes_of(self.type_of(v)).is_some_and(|(_, lanes)| lanes == 1);
        let same = vector && parts.len() > 1 && parts.iter().all(|&v| v == parts[0]) && scalar(parts[0]);
        self.list(&parts[..if same { 1 } else { parts.len() }]);
        self.push(close);
    }

    fn select(&mut self, condition: Value, yes: Value, no: Value, min: u8) {
        let lanes = lanes_of(self.type_of(condition)).map_or(1, |(_, lanes)| lanes);
        if lanes > 1 {
            return self.call("select", &[no, yes, condition]);
        }
        let brackets = min >= p::TERNARY;
        if brackets {
            self.push("(");
        }
        self.expr(condition, p::LOGIC_OR);
        self.push(" ? ");
        self.expr(yes, 1);
        self.push(" : ");
        self.expr(no, 1);
        if brackets {
            self.push(")");
        }
    }

    fn convert(&mut self, value: Value, to: aquatint_ir::TypeId, min: u8) {
        let (from, lanes) = lanes_of(self.type_of(value)).unwrap_or((Scalar::F32, 1));
        let kind = lanes_of(to).map_or(Scalar::F32, |(kind, _)| kind);
        if kind == Scalar::Bool {
            let brackets = min > p::EQUALITY;
            if brackets {
                self.push("(");
            }
            self.expr(value, p::EQUALITY + 1);
            self.push(" != ");
            if lanes > 1 {
                self.push(lanes_name(from, lanes));
                self.push("(");
            }
            super::literal::scalar(&mut self.file.out, from, 0, false);
            self.push(if lanes > 1 { ")" } else { "" });
            if brackets {
                self.push(")");
            }
            return;
        }
        self.type_name(to);
        self.push("(");
        self.expr(value, 0);
        self.push(")");
    }
}

/// A scalar that stands for a vector.
#[derive(Clone, Copy)]
enum Splat {
    Bits(Scalar, u64),
    Value(Value),
}
