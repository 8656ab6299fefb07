//! Pixel control, barriers, interlocked operations, waves and quads (B5 to B8).

use super::Call;
use crate::intrinsics::{Operation, Special, Stages};
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Base, Lock, Part};
use crate::types::{self, Kind, Shape, Ty};
use aquatint_ir::op::{AtomicOp, Barrier, QuadLane, Wave};
use aquatint_ir::types::{self as ir, Scalar, Space};
use aquatint_ir::{Attr, Op, Value};

impl Sema<'_> {
    pub(super) fn pixel(&mut self, special: Special, call: &Call<'_>) -> Option<Value> {
        let first = call.values.first().copied();
        Some(match special {
            Special::Fwidth => {
                let x = first?;
                let mut sum = None;
                for op in [Op::Ddx, Op::Ddy] {
                    let slope = self.derivative(op, aquatint_ir::op::Derivative::Default, x);
                    let size = self.each(Op::FAbs, &[slope]);
                    sum = Some(match sum {
                        None => size,
                        Some(before) => self.each(Op::FAdd, &[before, size]),
                    });
                }
                sum?
            }
            Special::Clip => {
                let x = first?;
                let zero = self.like(x, 0.0);
                let below = self.each(Op::FLt, &[x, zero]);
                let any = self.all_any(Op::Any, below);
                let (then, other) = (self.new_region(), self.new_region());
                let before = self.enter(then);
                self.emit_discard();
                self.enter(other);
                self.b().terminate(Op::Yield, &[]);
                self.enter(before);
                self.b().push_if(any, then, other, &[]);
                return None;
            }
            Special::Identity => first?,
            Special::IsHelperLane => self.bool(false),
            Special::SameInWave => {
                let x = first?;
                self.wave_each(Wave::AllEqual, x, None)
            }
            _ => return None,
        })
    }

    /// Ends the invocation, or makes it a helper (A12.4). The region must be closed or go on accordingly.
    pub(crate) fn emit_discard(&mut self) {
        if self.options.demote_discard {
            self.b().push(Op::Discard, Attr::None, &[], &[]);
            self.b().terminate(Op::Yield, &[]);
        } else {
            self.b().terminate(Op::Terminate, &[]);
        }
    }

    fn derivative(&mut self, op: Op, kind: aquatint_ir::op::Derivative, x: Value) -> Value {
        match self.matrix_of(x) {
            Some((_, rows, _)) => self.by_rows(rows, &[x], |sema, row| sema.derivative(op, kind, row[0])),
            None => {
                let ty = self.type_of(x);
                self.b().value(op, Attr::Derivative(kind), &[x], ty)
            }
        }
    }

    /// A wave operation on a value of any shape; structs do not occur.
    fn wave_each(&mut self, wave: Wave, x: Value, lane: Option<Value>) -> Value {
        if let Some((_, rows, _)) = self.matrix_of(x) {
            return self.by_rows(rows, &[x], |sema, row| sema.wave_each(wave, row[0], lane));
        }
        let (kind, lanes) = self.lanes(x);
        // Truth values travel as integers (B8.1).
        if kind == Scalar::Bool && matches!(wave, Wave::ReadAt | Wave::ReadFirst | Wave::AllEqual) {
            let number = self.convert_kind(x, Scalar::U32);
            let moved = self.wave_each(wave, number, lane);
            return self.convert_kind(moved, Scalar::Bool);
        }
        let result = match wave {
            Wave::AllEqual => ir::vector(Scalar::Bool, lanes),
            _ => self.type_of(x),
        };
        let operands: smallvec::SmallVec<[Value; 2]> = std::iter::once(x).chain(lane).collect();
        self.b().value(Op::WaveOp, Attr::Wave(wave), &operands, result)
    }

    fn quad_each(&mut self, quad: QuadLane, x: Value, lane: Option<Value>) -> Value {
        if let Some((_, rows, _)) = self.matrix_of(x) {
            return self.by_rows(rows, &[x], |sema, row| sema.quad_each(quad, row[0], lane));
        }
        let kind = self.lanes(x).0;
        if kind == Scalar::Bool && !matches!(quad, QuadLane::Any | QuadLane::All) {
            let number = self.convert_kind(x, Scalar::U32);
            let moved = self.quad_each(quad, number, lane);
            return self.convert_kind(moved, Scalar::Bool);
        }
        let ty = self.type_of(x);
        let operands: smallvec::SmallVec<[Value; 2]> = std::iter::once(x).chain(lane).collect();
        self.b().value(Op::QuadOp, Attr::Quad(quad), &operands, ty)
    }

    pub(super) fn group_operation(&mut self, operation: Operation, call: &Call<'_>, ty: Ty) -> Option<Value> {
        let first = call.values.first().copied();
        match operation {
            Operation::Derivative(op, kind) => Some(self.derivative(op, kind, first?)),
            Operation::Wave(wave) => Some(match wave {
                Wave::LaneCount | Wave::LaneIndex | Wave::IsFirst => {
                    let result = self.value_type(ty);
                    self.b().value(Op::WaveOp, Attr::Wave(wave), &[], result)
                }
                Wave::Ballot => self.b().value(Op::WaveOp, Attr::Wave(wave), &[first?], ir::vector(Scalar::U32, 4)),
                Wave::CountBits | Wave::PrefixCountBits => {
                    self.b().value(Op::WaveOp, Attr::Wave(wave), &[first?], ir::U32)
                }
                _ => self.wave_each(wave, first?, call.values.get(1).copied()),
            }),
            Operation::Quad(quad) => Some(self.quad_each(quad, first?, call.values.get(1).copied())),
            Operation::Barrier(execution, workgroup, device) => {
                let barrier = Barrier { execution, workgroup, storage: device, texture: device };
                self.b().push(Op::Barrier, Attr::Barrier(barrier), &[], &[]);
                None
            }
            Operation::Interlocked(op, float_bits) => {
                self.interlocked(op, float_bits, call);
                None
            }
            _ => None,
        }
    }

    /// `InterlockedX(dst, …)` (B7): the destination is the real place.
    fn interlocked(&mut self, op: AtomicOp, float_bits: bool, call: &Call<'_>) {
        let Some(dst) = call.args.first() else { return };
        if dst.is_error() {
            return;
        }
        let Some((kind, shape)) = self.types.numeric(dst.ty) else { return };
        let exchanges = matches!(op, AtomicOp::Exchange | AtomicOp::CompareExchange);
        let fits = match kind {
            Kind::Int | Kind::Uint | Kind::Int64 | Kind::Uint64 => !float_bits,
            Kind::Float => op == AtomicOp::Exchange || (float_bits && exchanges),
            _ => false,
        };
        if shape != Shape::Scalar || !fits {
            let message = format!("'{}' does not work on '{}'", call.name, self.ty_name(dst.ty));
            self.error(&codes::AQ3015, dst.span, message);
            return;
        }
        let Some(place) = dst.as_place().cloned() else { return };
        let values: Vec<Value> = call.args[1..]
            .iter()
            .zip(&call.values[1..])
            .take(if op == AtomicOp::CompareExchange { 2 } else { 1 })
            .map(|(arg, _)| self.convert_quietly(arg, types::scalar(kind)))
            .collect();
        let result = match self.atomic(op, &place, kind, &values) {
            Some(old) => old,
            None => {
                let message = format!(
                    "the destination of '{}' is neither groupshared nor an element of a writable buffer or texture",
                    call.name
                );
                self.error(&codes::AQ3007, dst.span, message);
                return;
            }
        };
        let out = 1 + values.len();
        if let Some(arg) = call.args.get(out) {
            self.assign_converted(arg, result, types::scalar(kind));
        }
    }

    /// An atomic operation on a place; `None` where that is no such place.
    pub(crate) fn atomic(
        &mut self,
        op: AtomicOp,
        place: &crate::sema::operand::Place,
        kind: Kind,
        values: &[Value],
    ) -> Option<Value> {
        let scalar = self.scalar(kind);
        match &place.base {
            Base::Pointer(pointer) => {
                let mut pointer = *pointer;
                match &place.part {
                    Part::Whole => {}
                    Part::Lanes { lanes, of, .. } => match (lanes.as_slice(), of) {
                        ([_], 1) => {}
                        ([lane], _) => pointer = self.access_at(pointer, u32::from(*lane)),
                        _ => return None,
                    },
                    Part::Dynamic { index, .. } => pointer = self.access(pointer, *index),
                    Part::Cells { .. } | Part::Bits { .. } => return None,
                }
                if place.lock == Some(Lock::ReadOnly)
                    || place.lock == Some(Lock::Const)
                    || !matches!(self.space_of(pointer), Space::Storage | Space::Workgroup)
                {
                    return None;
                }
                let operands: Vec<Value> = std::iter::once(pointer).chain(values.iter().copied()).collect();
                Some(self.b().value(Op::Atomic, Attr::Atomic(op), &operands, ir::scalar(scalar)))
            }
            Base::Chosen { .. } => None,
            Base::Texel { object, at, .. } => {
                if place.part != Part::Whole || place.lock.is_some() {
                    return None;
                }
                let handle = self.handle(*object)?;
                let operands: Vec<Value> = [handle, *at].into_iter().chain(values.iter().copied()).collect();
                Some(self.b().value(Op::ImageAtomic, Attr::Atomic(op), &operands, ir::scalar(scalar)))
            }
        }
    }

    /// The stages that the function may run in, for a construct that only compute has.
    pub(crate) fn note_compute(&mut self, name: &'static str, span: aquatint_base::Span) {
        self.note_stage(name, Stages::Compute, span);
    }
}
