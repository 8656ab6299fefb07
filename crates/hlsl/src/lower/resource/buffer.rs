//! Structured and byte-address buffers (B11).

use crate::intrinsics::{Method, MethodRow};
use crate::layout::Rule;
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Expr, Node, Object};
use crate::types::{self, Family, Kind, ObjectKind, Shape, Ty, Type};
use aquatint_base::Span;
use aquatint_ir::op::AtomicOp;
use aquatint_ir::types::{self as ir, Scalar};
use aquatint_ir::{Attr, GlobalKind, Op, Value};

impl Sema<'_> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn buffer_method(
        &mut self,
        object: Object,
        kind: ObjectKind,
        element: Ty,
        row: &'static MethodRow,
        args: &[Expr],
        template: Option<Ty>,
        span: Span,
    ) -> Expr {
        let writable = kind.row().writable;
        match row.method {
            Method::LoadElement => {
                let index = self.convert(&args[0], types::UINT);
                let mut place = self.structured_element(object, element, writable, index, span);
                if let Node::Place(place) = &mut place.node {
                    // What `Load` returns is a value.
                    place.lock = Some(crate::sema::operand::Lock::ReadOnly);
                }
                place
            }
            Method::Increment | Method::Decrement => {
                let value = self.counter(object, row.method == Method::Increment);
                Expr::value(types::UINT, value, span)
            }
            Method::Append => {
                let value = self.convert(&args[0], element);
                let slot = self.counter(object, true);
                let place = self.structured_element(object, element, true, slot, span);
                if let Node::Place(place) = &place.node {
                    self.store(place, value, element);
                }
                Expr::void(span)
            }
            Method::Consume => {
                let slot = self.counter(object, false);
                let place = self.structured_element(object, element, true, slot, span);
                let value = self.read(&place);
                Expr::value(element, value, span)
            }
            Method::LoadBytes(count) => {
                let ty = match (count, template) {
                    (0, Some(ty)) => ty,
                    (0, None) => types::UINT,
                    (n, _) => self.types.vector(Kind::Uint, n),
                };
                let offset = self.convert(&args[0], types::UINT);
                if ty == types::ERROR {
                    return Expr::error(span);
                }
                let Some(buffer) = self.handle(object) else {
                    let value = self.placeholder(ty);
                    return Expr::value(ty, value, span);
                };
                if self.types.holds_objects(ty) || self.lay_out(ty, Rule::Natural, span).is_none() {
                    let message = format!("'{}' cannot be loaded from a buffer", self.ty_name(ty));
                    self.error(&codes::AQ3057, span, message);
                    return Expr::error(span);
                }
                let value = self.load_bytes(buffer, offset, ty);
                let ty = self.types.canonical(ty);
                Expr::value(ty, value, span)
            }
            Method::StoreBytes(count) => {
                let ty = match (count, template) {
                    (0, Some(ty)) => ty,
                    (0, None) => self.read_type(&args[1]),
                    (n, _) => self.types.vector(Kind::Uint, n),
                };
                let offset = self.convert(&args[0], types::UINT);
                let value = self.convert(&args[1], ty);
                let Some(buffer) = self.handle(object) else { return Expr::void(span) };
                if self.types.holds_objects(ty) || self.lay_out(ty, Rule::Natural, span).is_none() {
                    let message = format!("'{}' cannot be stored to a buffer", self.ty_name(ty));
                    self.error(&codes::AQ3057, span, message);
                    return Expr::error(span);
                }
                self.store_bytes(buffer, offset, value, ty);
                Expr::void(span)
            }
            Method::Interlocked(op, _, float_bits) => self.interlocked_bytes(object, op, float_bits, args, span),
            _ => Expr::error(span),
        }
    }

    /// The counter up (its old value) or down (its new value).
    fn counter(&mut self, object: Object, up: bool) -> Value {
        let Some(buffer) = self.handle(object) else { return self.u32(0) };
        if let Some(id) = buffer.as_global()
            && let GlobalKind::Resource { counter, .. } = &mut self.module.globals[id].kind
        {
            *counter = true;
        }
        self.b().value(Op::CounterAdd, Attr::Counter(up), &[buffer], ir::U32)
    }

    pub(super) fn buffer_dimensions(
        &mut self,
        handle: Option<Value>,
        object: Object,
        kind: ObjectKind,
        element: Ty,
        args: &[Expr],
        span: Span,
    ) -> Expr {
        let structured = kind.row().family == Family::Structured;
        let wanted = if structured { 2 } else { 1 };
        if args.len() != wanted {
            let message = format!("'GetDimensions' takes {wanted} arguments here, not {}", args.len());
            self.error(&codes::AQ3006, span, message);
            return Expr::error(span);
        }
        let Some(buffer) = handle else { return Expr::void(span) };
        let mut count = self.b().value(Op::ArrayLength, Attr::None, &[buffer], ir::U32);
        if structured {
            self.assign_converted(&args[0], count, types::UINT);
            let rule = object.resource.and_then(|r| self.resources[r].rule).unwrap_or(Rule::Natural);
            let stride = self.lay_out(element, rule, span).map_or(0, |l| l.size.next_multiple_of(l.align.max(1)));
            let stride = self.u32(stride);
            self.assign_converted(&args[1], stride, types::UINT);
        } else {
            let four = self.u32(4);
            count = self.op(Op::IMul, &[count, four]);
            self.assign_converted(&args[0], count, types::UINT);
        }
        Expr::void(span)
    }

    fn at(&mut self, offset: Value, more: u32) -> Value {
        if more == 0 {
            return offset;
        }
        let more = self.u32(more);
        self.op(Op::IAdd, &[offset, more])
    }

    /// A value in natural layout at a byte offset.
    fn load_bytes(&mut self, buffer: Value, offset: Value, ty: Ty) -> Value {
        if let Some((kind, shape)) = self.types.numeric(ty) {
            let scalar = self.scalar(kind);
            if let (Type::Matrix { row_major, .. }, Shape::Matrix(rows, columns)) = (self.types.get(ty), shape) {
                let cells: Vec<Value> = (0..rows)
                    .flat_map(|r| (0..columns).map(move |c| (r, c)))
                    .map(|(r, c)| {
                        let place = if row_major { r * columns + c } else { c * rows + r };
                        let offset = self.at(offset, u32::from(place) * scalar.bytes());
                        self.load_number(buffer, offset, scalar, 1)
                    })
                    .collect();
                return self.scalars_to_shape(&cells, shape);
            }
            return self.load_number(buffer, offset, scalar, shape.count());
        }
        let held = self.value_type(ty);
        let parts: Vec<Value> = match self.types.get(ty) {
            Type::Array(element, length) => {
                let stride =
                    self.lay_out(element, Rule::Natural, Span::NONE).map_or(4, |l| l.size.next_multiple_of(l.align));
                (0..length.unwrap_or(0))
                    .map(|i| {
                        let offset = self.at(offset, i.saturating_mul(stride));
                        self.load_bytes(buffer, offset, element)
                    })
                    .collect()
            }
            Type::Struct(_) => {
                let offsets = self.natural_offsets(ty);
                self.members(ty)
                    .into_iter()
                    .zip(offsets)
                    .map(|(member, at)| {
                        let offset = self.at(offset, at);
                        self.load_bytes(buffer, offset, member)
                    })
                    .collect()
            }
            _ => return self.placeholder(ty),
        };
        self.construct(held, &parts)
    }

    fn natural_offsets(&mut self, ty: Ty) -> Vec<u32> {
        let Some(laid) = self.lay_out(ty, Rule::Natural, Span::NONE) else { return Vec::new() };
        match self.module.types.get(laid.ty) {
            ir::Type::Struct(id) => {
                self.module.types.structs[id].members.iter().map(|m| m.layout.map_or(0, |l| l.offset)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The word at a byte offset, as a place; lower bits of the offset do not count (B11).
    fn word(&mut self, buffer: Value, offset: Value) -> Value {
        let two = self.u32(2);
        let index = self.op(Op::Shr, &[offset, two]);
        self.access(buffer, index)
    }

    /// How far a half word at a byte offset stands from bit 0 of its word.
    fn half_shift(&mut self, offset: Value) -> Value {
        let (mask, three) = (self.u32(2), self.u32(3));
        let odd = self.op(Op::And, &[offset, mask]);
        self.op(Op::Shl, &[odd, three])
    }

    /// A scalar or vector, word by word.
    fn load_number(&mut self, buffer: Value, offset: Value, scalar: Scalar, lanes: u8) -> Value {
        let stored = if scalar == Scalar::Bool { Scalar::U32 } else { scalar };
        let mut parts: Vec<Value> = Vec::new();
        for lane in 0..u32::from(lanes) {
            let offset = self.at(offset, lane * stored.bytes());
            let place = self.word(buffer, offset);
            let word = self.load_pointer(place);
            parts.push(match stored.bits() {
                16 => {
                    let shift = self.half_shift(offset);
                    let shifted = self.op(Op::Shr, &[word, shift]);
                    let half = self.convert_kind(shifted, Scalar::U16);
                    self.bitcast(half, stored)
                }
                64 => {
                    let next = self.at(offset, 4);
                    let place = self.word(buffer, next);
                    let high = self.load_pointer(place);
                    let both = self.vector_of(&[word, high]);
                    self.value(Op::Bitcast, Attr::None, &[both], ir::scalar(stored))
                }
                _ => self.bitcast(word, stored),
            });
        }
        let value = self.vector_of(&parts);
        self.convert_kind(value, scalar)
    }

    fn store_number(&mut self, buffer: Value, offset: Value, value: Value) {
        let value = if self.lanes(value).0 == Scalar::Bool { self.convert_kind(value, Scalar::U32) } else { value };
        let (kind, lanes) = self.lanes(value);
        for lane in 0..u32::from(lanes) {
            let part = if lanes == 1 { value } else { self.extract(value, lane) };
            let offset = self.at(offset, lane * kind.bytes());
            let place = self.word(buffer, offset);
            match kind.bits() {
                16 => {
                    // The other half of the word stays, also where another invocation writes it at the same time.
                    let half = self.bitcast(part, Scalar::U16);
                    let half = self.convert_kind(half, Scalar::U32);
                    let (shift, ones) = (self.half_shift(offset), self.u32(0xFFFF));
                    let bits = self.op(Op::Shl, &[half, shift]);
                    let mask = self.op(Op::Shl, &[ones, shift]);
                    let rest = self.op(Op::Not, &[mask]);
                    self.b().value(Op::Atomic, Attr::Atomic(AtomicOp::And), &[place, rest], ir::U32);
                    self.b().value(Op::Atomic, Attr::Atomic(AtomicOp::Or), &[place, bits], ir::U32);
                }
                64 => {
                    let words = self.value(Op::Bitcast, Attr::None, &[part], ir::vector(Scalar::U32, 2));
                    let (low, high) = (self.extract(words, 0), self.extract(words, 1));
                    self.store_pointer(place, low);
                    let next = self.at(offset, 4);
                    let place = self.word(buffer, next);
                    self.store_pointer(place, high);
                }
                _ => {
                    let word = self.bitcast(part, Scalar::U32);
                    self.store_pointer(place, word);
                }
            }
        }
    }

    fn store_bytes(&mut self, buffer: Value, offset: Value, value: Value, ty: Ty) {
        if let Some((kind, shape)) = self.types.numeric(ty) {
            let scalar = self.scalar(kind);
            if let (Type::Matrix { row_major, .. }, Shape::Matrix(rows, columns)) = (self.types.get(ty), shape) {
                for r in 0..rows {
                    for c in 0..columns {
                        let place = if row_major { r * columns + c } else { c * rows + r };
                        let offset = self.at(offset, u32::from(place) * scalar.bytes());
                        let cell = self.cell(value, rows, columns, r, c);
                        self.store_number(buffer, offset, cell);
                    }
                }
                return;
            }
            return self.store_number(buffer, offset, value);
        }
        match self.types.get(ty) {
            Type::Array(element, length) => {
                let stride =
                    self.lay_out(element, Rule::Natural, Span::NONE).map_or(4, |l| l.size.next_multiple_of(l.align));
                for i in 0..length.unwrap_or(0) {
                    let (offset, part) = (self.at(offset, i.saturating_mul(stride)), self.extract(value, i));
                    self.store_bytes(buffer, offset, part, element);
                }
            }
            Type::Struct(_) => {
                let offsets = self.natural_offsets(ty);
                for (i, (member, at)) in self.members(ty).into_iter().zip(offsets).enumerate() {
                    let (offset, part) = (self.at(offset, at), self.extract(value, i as u32));
                    self.store_bytes(buffer, offset, part, member);
                }
            }
            _ => {}
        }
    }

    fn interlocked_bytes(&mut self, object: Object, op: AtomicOp, float_bits: bool, args: &[Expr], span: Span) -> Expr {
        let offset = self.convert(&args[0], types::UINT);
        let operands = if op == AtomicOp::CompareExchange { 2 } else { 1 };
        let value_ty = if float_bits { types::FLOAT } else { types::UINT };
        let values: Vec<Value> = args[1..]
            .iter()
            .take(operands)
            .map(|arg| {
                let value = self.convert(arg, value_ty);
                self.bitcast(value, Scalar::U32)
            })
            .collect();
        let Some(buffer) = self.handle(object) else { return Expr::void(span) };
        let two = self.u32(2);
        let index = self.op(Op::Shr, &[offset, two]);
        let pointer = self.access(buffer, index);
        let all: Vec<Value> = std::iter::once(pointer).chain(values).collect();
        let old = self.b().value(Op::Atomic, Attr::Atomic(op), &all, ir::U32);
        if let Some(out) = args.get(1 + operands) {
            let old = if float_bits { self.bitcast(old, Scalar::F32) } else { old };
            self.assign_converted(out, old, value_ty);
        }
        Expr::void(span)
    }
}
