//! Pure operations, and those over quads and waves.

use super::{Frame, Translator};
use crate::interpret::Error;
use crate::interpret::program::{Arg, EvalInst, GroupInst, Inst, Slots};
use aquatint_ir::eval::{Shape, flushes, lane_fn};
use aquatint_ir::op::{Derivative, QuadLane, Rule, Wave};
use aquatint_ir::{Attr, InstId, Op, Scalar, Type, TypeId, Value};

impl<'m> Translator<'m> {
    pub(super) fn pure(&mut self, frame: &mut Frame<'m>, id: InstId) -> Result<(), Error> {
        let function = frame.function;
        let inst = function.insts[id];
        let operands = function.operands(id);
        let &[first, ..] = operands else { return Err(Error::Malformed("an operation without operands")) };
        let shape = Shape::of(&self.module.types, self.type_of(frame, first));
        if let Some(shape) = shape
            && let Some(f) = lane_fn(inst.op, shape.kind)
        {
            let out = self.define_result(frame, id)?;
            let mut slots = [0; 3];
            for (slot, &operand) in slots.iter_mut().zip(operands) {
                *slot = self.sized(frame, operand, out.count)?;
            }
            let [a, b, c] = slots;
            // Missing operands read the first one's slots, and the function ignores them.
            let (b, c) = (if operands.len() > 1 { b } else { a }, if operands.len() > 2 { c } else { a });
            let (out, count) = (out.first, out.count);
            self.emit(if self.flush && shape.kind == Scalar::F32 && flushes(inst.op) {
                let flush_out = !matches!(inst.op.row().rule, Rule::Compare(_) | Rule::Test(_));
                Inst::LaneFlush { f, out, a, b, c, count, flush_out }
            } else {
                Inst::Lane { f, out, a, b, c, count }
            });
            return Ok(());
        }
        match inst.op {
            Op::Construct => {
                let out = self.define_result(frame, id)?;
                let mut at = out.first;
                for &operand in operands {
                    let from = self.operand(frame, operand)?;
                    if at + from.count > out.first + out.count {
                        return Err(Error::Malformed("a construct of too many parts"));
                    }
                    self.emit(Inst::Copy { out: at, a: from.first, count: from.count });
                    at += from.count;
                }
                if at != out.first + out.count {
                    return Err(Error::Malformed("a construct of too few parts"));
                }
            }
            Op::Splat => {
                let (out, a) = (self.define_result(frame, id)?, self.sized(frame, first, 1)?);
                for i in 0..out.count {
                    self.emit(Inst::Copy { out: out.first + i, a, count: 1 });
                }
            }
            Op::Extract => {
                let Attr::Index(index) = inst.attr else { return Err(Error::Malformed("an extract without a number")) };
                // The part lies in the slots of the whole.
                let part = self.part(frame, first, index)?;
                let local = function.result(id).ok_or(Error::Malformed("an extract without a result"))?;
                if self.words_of(function.locals[local].ty)? != part.count {
                    return Err(Error::Malformed("an extract of another type"));
                }
                frame.slots[local.index()] = Some(part);
            }
            Op::Insert => {
                let (Attr::Index(index), &[_, value]) = (inst.attr, operands) else {
                    return Err(Error::Malformed("an insert without its parts"));
                };
                let part = self.part(frame, first, index)?;
                let whole = self.operand(frame, first)?;
                let out = self.define_result(frame, id)?;
                let value = self.sized(frame, value, part.count)?;
                if whole.count != out.count {
                    return Err(Error::Malformed("an insert of another type"));
                }
                self.emit(Inst::Copy { out: out.first, a: whole.first, count: out.count });
                self.emit(Inst::Copy { out: out.first + (part.first - whole.first), a: value, count: part.count });
            }
            Op::ExtractDyn => {
                let &[_, index] = operands else { return Err(Error::Malformed("an extract.dyn without an index")) };
                let (whole, part, parts) = self.parts(frame, first)?;
                let index = self.sized(frame, index, 1)?;
                let out = self.define_result(frame, id)?;
                if out.count != part {
                    return Err(Error::Malformed("an extract.dyn of another type"));
                }
                self.emit(Inst::ExtractDyn { out: out.first, a: whole.first, index, part, parts });
            }
            Op::InsertDyn => {
                let &[_, value, index] = operands else {
                    return Err(Error::Malformed("an insert.dyn without its parts"));
                };
                let (whole, part, parts) = self.parts(frame, first)?;
                let (value, index) = (self.sized(frame, value, part)?, self.sized(frame, index, 1)?);
                let out = self.define_result(frame, id)?;
                if out.count != whole.count {
                    return Err(Error::Malformed("an insert.dyn of another type"));
                }
                self.emit(Inst::Copy { out: out.first, a: whole.first, count: out.count });
                self.emit(Inst::InsertDyn { out: out.first, value, index, part, parts });
            }
            Op::Shuffle => {
                let Attr::Lanes(lanes) = inst.attr else { return Err(Error::Malformed("a shuffle without lanes")) };
                let (out, from) = (self.define_result(frame, id)?, self.operand(frame, first)?);
                if out.count != u32::from(lanes.count()) {
                    return Err(Error::Malformed("a shuffle of another size"));
                }
                for (i, &lane) in lanes.as_slice().iter().enumerate() {
                    if u32::from(lane) >= from.count {
                        return Err(Error::Malformed("a shuffle of a lane that does not exist"));
                    }
                    let (out, a) = (out.first + i as u32, from.first + u32::from(lane));
                    self.emit(Inst::Copy { out, a, count: 1 });
                }
            }
            Op::Select => {
                let &[_, yes, no] = operands else { return Err(Error::Malformed("a select without its values")) };
                let out = self.define_result(frame, id)?;
                let condition = self.operand(frame, first)?;
                let (yes, no) = (self.sized(frame, yes, out.count)?, self.sized(frame, no, out.count)?);
                let wide = condition.count > 1;
                if condition.count == 0 || (wide && condition.count < out.count) {
                    return Err(Error::Malformed("a select with a condition of another size"));
                }
                let (out, count) = (out.first, out.count);
                self.emit(Inst::Select { out, condition: condition.first, wide, yes, no, count });
            }
            Op::Convert => {
                let out = self.define_result(frame, id)?;
                let a = self.sized(frame, first, out.count)?;
                let to = self.result_shape(frame, id)?;
                let from = shape.ok_or(Error::Malformed("a convert of no number"))?;
                self.emit(Inst::Convert { from: from.kind, to: to.kind, out: out.first, a, count: out.count });
            }
            Op::Bitcast if shape.is_some_and(|s| Some(s.kind.bits()) == self.result_bits(frame, id)) => {
                // The same words under another name.
                let from = self.operand(frame, first)?;
                let local = function.result(id).ok_or(Error::Malformed("a bitcast without a result"))?;
                if self.words_of(function.locals[local].ty)? != from.count {
                    return Err(Error::Malformed("a bitcast of another size"));
                }
                frame.slots[local.index()] = Some(from);
            }
            _ => self.eval(frame, id)?,
        }
        Ok(())
    }

    fn result_bits(&self, frame: &Frame<'_>, id: InstId) -> Option<u32> {
        let local = frame.function.result(id)?;
        Shape::of(&self.module.types, frame.function.locals[local].ty).map(|shape| shape.kind.bits())
    }

    fn result_shape(&self, frame: &Frame<'_>, id: InstId) -> Result<Shape, Error> {
        let local = frame.function.result(id).ok_or(Error::Malformed("an operation without its result"))?;
        Shape::of(&self.module.types, frame.function.locals[local].ty)
            .ok_or(Error::Malformed("a result that is no number"))
    }

    /// The slots of one part of a value.
    fn part(&mut self, frame: &Frame<'_>, value: Value, index: u32) -> Result<Slots, Error> {
        let ty = self.type_of(frame, value);
        let whole = self.operand(frame, value)?;
        let part = self.module.types.step(ty, index).ok_or(Error::Malformed("a part that does not exist"))?;
        let count = self.words_of(part)?;
        let offset = self.words_before(ty, index)?;
        if offset + count > whole.count {
            return Err(Error::Malformed("a part that does not exist"));
        }
        Ok(Slots { first: whole.first + offset, count })
    }

    /// The words of a value before its part `index`.
    pub(super) fn words_before(&mut self, ty: TypeId, index: u32) -> Result<u32, Error> {
        match self.module.types.get(ty) {
            Type::Vector(..) => Ok(index),
            Type::Matrix { columns, .. } => Ok(index * u32::from(columns)),
            Type::Array { element, .. } => {
                let words = u64::from(self.words_of(element)?) * u64::from(index);
                u32::try_from(words).map_err(|_| Error::TooLarge("a type"))
            }
            Type::Struct(id) => {
                if !self.members.contains_key(&id) {
                    let module = self.module;
                    let members = module.types.structs.get(id).map_or(&[][..], |s| &s.members);
                    let mut sums = vec![0];
                    let mut sum = 0;
                    for member in members {
                        sum += self.words_of(member.ty)?;
                        sums.push(sum);
                    }
                    self.members.insert(id, sums);
                }
                let sums = self.members.get(&id).and_then(|sums| sums.get(index as usize));
                sums.copied().ok_or(Error::Malformed("a member that does not exist"))
            }
            _ => Err(Error::Malformed("a part of a value without parts")),
        }
    }

    /// A value with its slots, words a part, and number of parts.
    fn parts(&mut self, frame: &Frame<'_>, value: Value) -> Result<(Slots, u32, u32), Error> {
        let ty = self.type_of(frame, value);
        let whole = self.operand(frame, value)?;
        let part = match self.module.types.get(ty) {
            Type::Vector(..) => 1,
            Type::Matrix { columns, .. } => u32::from(columns),
            Type::Array { element, .. } => self.words_of(element)?,
            _ => return Err(Error::Malformed("a dynamic part of a value without such")),
        };
        Ok((whole, part, whole.count.checked_div(part).unwrap_or(0)))
    }

    /// What has no instruction of its own goes through the table's code.
    fn eval(&mut self, frame: &mut Frame<'m>, id: InstId) -> Result<(), Error> {
        const BAD: Error = Error::Malformed("an operation on values that are no numbers");
        let function = frame.function;
        let inst = function.insts[id];
        let mut operands = Vec::new();
        for &operand in function.operands(id) {
            let shape = Shape::of(&self.module.types, self.type_of(frame, operand)).ok_or(BAD)?;
            operands.push((self.sized(frame, operand, shape.count() as u32)?, shape));
        }
        let result = self.result_shape(frame, id)?;
        let mut outs = Vec::new();
        let mut held = 0;
        for local in function.results(id) {
            let slots = self.define(frame, local)?;
            held += slots.count;
            outs.push(slots);
        }
        // Sixteen numbers are the most that a value has, and two results the most that an operation has.
        if held > 32 || operands.iter().any(|(_, shape)| shape.count() > 16) || operands.len() > 8 {
            return Err(BAD);
        }
        let kind = operands.first().map_or(Scalar::Bool, |(_, shape)| shape.kind);
        let flush = self.flush && kind == Scalar::F32 && flushes(inst.op);
        let number = self.program.evals.len() as u32;
        let flush_out = flush && result.kind == Scalar::F32;
        self.program.evals.push(EvalInst { op: inst.op, attr: inst.attr, operands, result, outs, flush, flush_out });
        self.emit(Inst::Eval(number));
        Ok(())
    }

    /// An operand as slots of a kind.
    pub(super) fn arg(&mut self, frame: &Frame<'_>, value: Value) -> Result<Arg, Error> {
        let shape = Shape::of(&self.module.types, self.type_of(frame, value))
            .ok_or(Error::Malformed("an operand that is no number"))?;
        let slots = self.operand(frame, value)?;
        if (slots.count as usize) < shape.count() {
            return Err(Error::Malformed("an operand smaller than its type"));
        }
        Ok(Arg { slot: slots.first, lanes: shape.count() as u32, kind: shape.kind })
    }

    /// `ddx`, `ddy`, `quad`, `wave`.
    pub(super) fn group(&mut self, frame: &mut Frame<'m>, id: InstId) -> Result<(), Error> {
        let function = frame.function;
        let inst = function.insts[id];
        let mut args = Vec::new();
        for &operand in function.operands(id) {
            args.push(self.arg(frame, operand)?);
        }
        let out = self.define_result(frame, id)?;
        let (a, b) = (args.first().copied(), args.get(1).copied());
        let group = match (inst.op, inst.attr) {
            (Op::Ddx | Op::Ddy, attr) => {
                let a = a.filter(|a| a.lanes == out.count).ok_or(Error::Malformed("a derivative of nothing"))?;
                if !a.kind.is_float() {
                    return Err(Error::Malformed("a derivative of no float"));
                }
                let fine = attr == Attr::Derivative(Derivative::Fine);
                let vertical = inst.op == Op::Ddy;
                GroupInst::Derivative { out: out.first, a: a.slot, count: out.count, kind: a.kind, vertical, fine }
            }
            (Op::QuadOp, Attr::Quad(lane)) => {
                let a = a.filter(|a| a.lanes == out.count).ok_or(Error::Malformed("a quad operation on nothing"))?;
                if lane == QuadLane::At && b.is_none() {
                    return Err(Error::Malformed("a quad read without a lane"));
                }
                GroupInst::Quad { lane, out: out.first, a, index: b.map(|b| b.slot) }
            }
            (Op::WaveOp, Attr::Wave(wave)) => {
                check_wave(wave, out, a, b)?;
                GroupInst::Wave { wave, out, a, b }
            }
            _ => return Err(Error::Malformed("a group operation without its attribute")),
        };
        let number = self.program.groups.len() as u32;
        self.program.groups.push(group);
        self.emit(Inst::Group(number));
        Ok(())
    }
}

/// Operand and result sizes as the attribute's line in the op table says.
fn check_wave(wave: Wave, out: Slots, a: Option<Arg>, b: Option<Arg>) -> Result<(), Error> {
    let lanes = |arg: Option<Arg>| arg.map_or(0, |arg| arg.lanes);
    let fits = match wave {
        Wave::IsFirst | Wave::LaneIndex | Wave::LaneCount => out.count == 1,
        Wave::AnyTrue | Wave::AllTrue | Wave::CountBits | Wave::PrefixCountBits => lanes(a) == 1 && out.count == 1,
        Wave::Ballot => lanes(a) == 1 && out.count == 4,
        Wave::Match => lanes(a) >= 1 && out.count == 4,
        Wave::ReadAt => lanes(a) == out.count && lanes(b) == 1,
        Wave::MultiPrefixCountBits => lanes(a) == 1 && lanes(b) == 4 && out.count == 1,
        Wave::MultiPrefixSum
        | Wave::MultiPrefixProduct
        | Wave::MultiPrefixAnd
        | Wave::MultiPrefixOr
        | Wave::MultiPrefixXor => lanes(a) == out.count && lanes(b) == 4,
        Wave::AllEqual
        | Wave::ReadFirst
        | Wave::Sum
        | Wave::Product
        | Wave::And
        | Wave::Or
        | Wave::Xor
        | Wave::Min
        | Wave::Max
        | Wave::PrefixSum
        | Wave::PrefixProduct => lanes(a) == out.count,
    };
    if fits { Ok(()) } else { Err(Error::Malformed("a wave operation on values of another size")) }
}
