//! Reading and writing places: variables, buffers under their layout, texels, and parts of them.

use crate::sema::Sema;
use crate::sema::operand::{Base, Expr, Node, Part, Place};
use crate::types::{self, Kind, Shape, Ty, Type};
use aquatint_ir::types::{self as ir, Scalar, Space, TypeId};
use aquatint_ir::{Attr, Op, Value};
use smallvec::SmallVec;

/// Arrays longer than this are copied by a loop.
const UNROLLED: u32 = 16;

impl Sema<'_> {
    /// The IR type in which a value of the type is held.
    pub(crate) fn value_type(&mut self, ty: Ty) -> TypeId {
        let mut tables =
            crate::layout::Tables { types: &self.types, ir: &mut self.module.types, names: &mut self.module.names };
        self.layouts.value(&mut tables, ty)
    }

    /// The IR scalar of a kind.
    pub(crate) fn scalar(&self, kind: Kind) -> Scalar {
        kind.scalar(self.layouts.native16)
    }

    /// The value of an expression, which is data. Literals become concrete (A9.6).
    pub(crate) fn read(&mut self, expr: &Expr) -> Value {
        match &expr.node {
            Node::Value(value) => *value,
            Node::Int(number) => {
                let kind = crate::types::kind::resolve_int(*number);
                let scalar = self.scalar(kind);
                Value::constant(self.module.constants.scalar(scalar, *number as u64))
            }
            Node::Float(number) => self.number(Scalar::F32, 1, *number),
            Node::Place(place) => self.load(place, expr.ty),
            Node::Error
            | Node::Void
            | Node::String
            | Node::Object(_)
            | Node::List(_)
            | Node::Record(_)
            | Node::Levels(..) => {
                let ty = self.value_type(expr.ty);
                if ty == ir::VOID { self.u32(0) } else { self.zero(ty) }
            }
        }
    }

    /// The type that [`Sema::read`] gives an expression: literals become concrete.
    pub(crate) fn read_type(&self, expr: &Expr) -> Ty {
        match expr.node {
            Node::Int(number) => types::scalar(crate::types::kind::resolve_int(number)),
            Node::Float(_) => types::FLOAT,
            _ => expr.ty,
        }
    }

    /// Reads a place that holds a value of the type.
    pub(crate) fn load(&mut self, place: &Place, ty: Ty) -> Value {
        if let Base::Chosen { .. } = place.base {
            let held = self.value_type(ty);
            let result = self.var(held);
            self.choose(place, |sema, place| {
                let value = sema.load(place, ty);
                sema.store_pointer(result, value);
            });
            return self.load_pointer(result);
        }
        match &place.part {
            Part::Whole => match &place.base {
                Base::Pointer(pointer) => self.load_typed(*pointer, ty),
                Base::Texel { element, .. } => self.load_texel(&place.base, *element),
                Base::Chosen { .. } => self.placeholder(ty),
            },
            Part::Lanes { kind, of, lanes } => {
                if let (Base::Pointer(pointer), [one]) = (&place.base, lanes.as_slice())
                    && *of > 1
                    && self.space_of(*pointer) != Space::Function
                {
                    let part = self.access_at(*pointer, u32::from(*one));
                    return self.load_scalar(part, *kind);
                }
                let all = self.load_vector(place, *kind, *of);
                self.shuffle(all, lanes)
            }
            Part::Cells { kind, rows, columns, cells } => {
                let matrix = self.types.matrix(*kind, *rows, *columns);
                let whole = Place { part: Part::Whole, ..place.clone() };
                let all = self.load(&whole, matrix);
                let parts: SmallVec<[Value; 4]> =
                    cells.iter().map(|&(r, c)| self.cell(all, *rows, *columns, r, c)).collect();
                self.vector_of(&parts)
            }
            Part::Bits { kind, low, width } => {
                let whole = Place { part: Part::Whole, ..place.clone() };
                let unit = self.load(&whole, types::scalar(*kind));
                let scalar = self.lanes(unit).0;
                let top = scalar.bits().saturating_sub(low + width);
                // The sign comes with an arithmetic shift.
                let (left, right) =
                    (self.number(scalar, 1, f64::from(top)), self.number(scalar, 1, f64::from(top + low)));
                let high = self.op(Op::Shl, &[unit, left]);
                self.op(Op::Shr, &[high, right])
            }
            Part::Dynamic { kind, of, index } => {
                if let Base::Pointer(pointer) = place.base {
                    let part = self.access(pointer, *index);
                    return self.load_scalar(part, *kind);
                }
                let all = self.load_vector(place, *kind, *of);
                self.dynamic(all, *index)
            }
        }
    }

    /// A number in memory, as values hold it: bool lies in buffers as a word (C1.4).
    fn load_scalar(&mut self, pointer: Value, kind: Kind) -> Value {
        let value = self.load_pointer(pointer);
        let scalar = self.scalar(kind);
        self.convert_kind(value, scalar)
    }

    /// Writes a number as the memory holds it.
    fn store_scalar(&mut self, pointer: Value, value: Value) {
        let lies = self.pointee(pointer);
        let value = match self.module.types.get(lies) {
            ir::Type::Scalar(kind) | ir::Type::Vector(kind, _) | ir::Type::Matrix { scalar: kind, .. } => {
                self.convert_kind(value, kind)
            }
            _ => value,
        };
        self.store_pointer(pointer, value);
    }

    /// A part by a dynamic index; zero out of range.
    pub(crate) fn dynamic(&mut self, value: Value, index: Value) -> Value {
        let of = self.type_of(value);
        if let Some(fixed) = self.constant_int(index)
            && let Ok(fixed) = u32::try_from(fixed)
            && self.module.types.step(of, fixed).is_some()
        {
            return self.extract(value, fixed);
        }
        match self.module.types.step(of, 0) {
            Some(part) => self.value(Op::ExtractDyn, Attr::None, &[value, index], part),
            None => value,
        }
    }

    fn load_vector(&mut self, place: &Place, kind: Kind, of: u8) -> Value {
        let ty = self.types.vector(kind, of);
        let whole = Place { part: Part::Whole, ..place.clone() };
        self.load(&whole, ty)
    }

    /// An element of a matrix value, however it is held (A4.3).
    pub(crate) fn cell(&mut self, matrix: Value, rows: u8, columns: u8, row: u8, column: u8) -> Value {
        match Shape::Matrix(rows, columns).held() {
            Shape::Scalar => matrix,
            Shape::Vector(_) => self.extract(matrix, u32::from(row.max(column))),
            Shape::Matrix(..) => {
                let line = self.extract(matrix, u32::from(row));
                self.extract(line, u32::from(column))
            }
        }
    }

    /// A vector of scalars, or the scalar.
    pub(crate) fn vector_of(&mut self, parts: &[Value]) -> Value {
        match parts {
            [one] => *one,
            [] => self.u32(0),
            _ => {
                let kind = self.lanes(parts[0]).0;
                self.construct(ir::vector(kind, parts.len().min(4) as u8), parts)
            }
        }
    }

    /// Reads what a pointer points to, in the form in which values are held.
    pub(crate) fn load_typed(&mut self, pointer: Value, ty: Ty) -> Value {
        let held = self.value_type(ty);
        let lies = self.pointee(pointer);
        if held == lies {
            return self.load_pointer(pointer);
        }
        if let Some((kind, _)) = self.types.numeric(ty)
            && !matches!(self.module.types.get(lies), ir::Type::Array { .. })
        {
            return self.load_scalar(pointer, kind);
        }
        if let Some((kind, lanes)) = ir::lanes_of(held) {
            // A matrix of one line whose elements lie apart.
            let parts: SmallVec<[Value; 4]> = (0..u32::from(lanes))
                .map(|i| {
                    let part = self.access_at(pointer, i);
                    let part = self.load_pointer(part);
                    self.convert_kind(part, kind)
                })
                .collect();
            return self.vector_of(&parts);
        }
        match self.types.get(ty) {
            Type::Array(element, length) => {
                let length = length.unwrap_or(0);
                if length > UNROLLED {
                    let copy = self.var(held);
                    self.copy_loop(length, |sema, index| {
                        let (from, to) = (sema.access(pointer, index), sema.access(copy, index));
                        let value = sema.load_typed(from, element);
                        sema.store_pointer(to, value);
                    });
                    return self.load_pointer(copy);
                }
                let parts: Vec<Value> = (0..length)
                    .map(|i| {
                        let part = self.access_at(pointer, i);
                        self.load_typed(part, element)
                    })
                    .collect();
                self.construct(held, &parts)
            }
            Type::Struct(_) => {
                let members = self.members(ty);
                let parts: Vec<Value> = members
                    .iter()
                    .enumerate()
                    .map(|(i, &member)| {
                        let part = self.access_at(pointer, i as u32);
                        self.load_typed(part, member)
                    })
                    .collect();
                self.construct(held, &parts)
            }
            _ => self.zero(held),
        }
    }

    /// Writes what a pointer points to.
    pub(crate) fn store_typed(&mut self, pointer: Value, value: Value, ty: Ty) {
        let held = self.type_of(value);
        let lies = self.pointee(pointer);
        if held == lies {
            return self.store_pointer(pointer, value);
        }
        if self.types.numeric(ty).is_some() && !matches!(self.module.types.get(lies), ir::Type::Array { .. }) {
            return self.store_scalar(pointer, value);
        }
        if let Some((_, lanes)) = ir::lanes_of(held) {
            for i in 0..u32::from(lanes) {
                let (to, part) = (self.access_at(pointer, i), self.extract(value, i));
                self.store_scalar(to, part);
            }
            return;
        }
        match self.types.get(ty) {
            Type::Array(element, length) => {
                let length = length.unwrap_or(0);
                if length > UNROLLED {
                    let copy = self.var(held);
                    self.store_pointer(copy, value);
                    self.copy_loop(length, |sema, index| {
                        let (from, to) = (sema.access(copy, index), sema.access(pointer, index));
                        let value = sema.load_pointer(from);
                        sema.store_typed(to, value, element);
                    });
                    return;
                }
                for i in 0..length {
                    let (to, part) = (self.access_at(pointer, i), self.extract(value, i));
                    self.store_typed(to, part, element);
                }
            }
            Type::Struct(_) => {
                for (i, member) in self.members(ty).into_iter().enumerate() {
                    let (to, part) = (self.access_at(pointer, i as u32), self.extract(value, i as u32));
                    self.store_typed(to, part, member);
                }
            }
            _ => {}
        }
    }

    /// The types of the members that a struct has in the IR: fields that hold data, one for each unit of bitfields.
    pub(crate) fn members(&self, ty: Ty) -> Vec<Ty> {
        let Type::Struct(id) = self.types.get(ty) else { return Vec::new() };
        self.types.member_fields(&self.types.structs[id].fields).map(|(_, field)| field.ty).collect()
    }

    /// The number that a field's member has in the IR; `None` for a field that holds no data.
    pub(crate) fn member_index(&self, ty: Ty, field: usize) -> Option<u32> {
        let Type::Struct(id) = self.types.get(ty) else { return None };
        let fields = &self.types.structs[id].fields;
        if self.types.leaves(fields.get(field)?.ty) == 0 {
            return None;
        }
        // A bitfield is in the last member up to it: that of its unit.
        let upto = self.types.member_fields(fields).take_while(|(index, _)| *index <= field).count();
        (upto as u32).checked_sub(1)
    }

    /// `for (i = 0; i < length; i++) body(i)`.
    pub(crate) fn copy_loop(&mut self, length: u32, body: impl FnOnce(&mut Self, Value)) {
        let counter = self.var(ir::U32);
        let zero = self.u32(0);
        self.store_pointer(counter, zero);
        let (inside, continuing) = (self.new_region(), self.new_region());
        let before = self.enter(inside);
        let index = self.load_pointer(counter);
        let end = self.u32(length);
        let done = self.op(Op::IGe, &[index, end]);
        let (leave, stay) = (self.new_region(), self.new_region());
        self.enter(leave);
        self.b().terminate(Op::Break, &[]);
        self.enter(stay);
        self.b().terminate(Op::Yield, &[]);
        self.enter(inside);
        self.b().push_if(done, leave, stay, &[]);
        body(self, index);
        self.b().terminate(Op::Continue, &[]);
        self.enter(continuing);
        let index = self.load_pointer(counter);
        let one = self.u32(1);
        let next = self.op(Op::IAdd, &[index, one]);
        self.store_pointer(counter, next);
        self.b().terminate(Op::Next, &[]);
        self.enter(before);
        self.b().push_loop(&[], inside, continuing, &[]);
    }

    /// Writes a value of the type to a place. The caller has checked that it may.
    pub(crate) fn store(&mut self, place: &Place, value: Value, ty: Ty) {
        let precise = self.cur.precise;
        self.cur.precise |= place.precise;
        self.store_part(place, value, ty);
        self.cur.precise = precise;
    }

    /// Does something with the buffer that is chosen: a switch over all of them; nothing out of range.
    fn choose(&mut self, place: &Place, mut each: impl FnMut(&mut Self, &Place)) {
        let Base::Chosen { resource, which, steps } = &place.base else { return };
        let globals = self.resources[*resource].globals.clone();
        let cases: Vec<(aquatint_ir::Case, Value)> = globals
            .iter()
            .enumerate()
            .map(|(i, &global)| (aquatint_ir::Case { values: vec![i as u64], default: false }, Value::global(global)))
            .collect();
        self.emit_switch(*which, false, cases, |sema, buffer| {
            let mut pointer = buffer;
            for &step in steps {
                pointer = sema.access(pointer, step);
            }
            let one = Place { base: Base::Pointer(pointer), ..place.clone() };
            each(sema, &one);
            sema.jump(Op::Yield, &[]);
        });
    }

    fn store_part(&mut self, place: &Place, value: Value, ty: Ty) {
        if let Base::Chosen { .. } = place.base {
            self.choose(place, |sema, place| sema.store(place, value, ty));
            return;
        }
        match &place.part {
            Part::Whole => match &place.base {
                Base::Pointer(pointer) => self.store_typed(*pointer, value, ty),
                Base::Texel { element, .. } => self.store_texel(&place.base, value, *element),
                Base::Chosen { .. } => {}
            },
            Part::Lanes { kind, of, lanes } => {
                if let Base::Pointer(pointer) = place.base
                    && *of > 1
                    && self.space_of(pointer) != Space::Function
                {
                    // Only what is named is touched (B11).
                    for (i, &lane) in lanes.iter().enumerate() {
                        let to = self.access_at(pointer, u32::from(lane));
                        let part = if lanes.len() == 1 { value } else { self.extract(value, i as u32) };
                        self.store_scalar(to, part);
                    }
                    return;
                }
                let whole = Place { part: Part::Whole, ..place.clone() };
                let vector = self.types.vector(*kind, *of);
                let mut all = match usize::from(*of) == lanes.len() {
                    true => value,
                    false => self.load(&whole, vector),
                };
                if *of == 1 {
                    all = value;
                } else if usize::from(*of) == lanes.len() {
                    // All lanes are written: the inverse of the swizzle.
                    let mut inverse = [0u8; 4];
                    for (i, &lane) in lanes.iter().enumerate() {
                        inverse[usize::from(lane & 3)] = i as u8;
                    }
                    all = self.shuffle(value, &inverse[..lanes.len()]);
                } else {
                    for (i, &lane) in lanes.iter().enumerate() {
                        let part = if lanes.len() == 1 { value } else { self.extract(value, i as u32) };
                        all = self.insert(all, part, u32::from(lane));
                    }
                }
                self.store(&whole, all, vector);
            }
            Part::Cells { kind, rows, columns, cells } => {
                let Base::Pointer(pointer) = place.base else { return };
                let _ = kind;
                for (i, &(row, column)) in cells.iter().enumerate() {
                    let part = if cells.len() == 1 { value } else { self.extract(value, i as u32) };
                    let to = match Shape::Matrix(*rows, *columns).held() {
                        Shape::Scalar => pointer,
                        Shape::Vector(_) => self.access_at(pointer, u32::from(row.max(column))),
                        Shape::Matrix(..) => {
                            let line = self.access_at(pointer, u32::from(row));
                            self.access_at(line, u32::from(column))
                        }
                    };
                    self.store_scalar(to, part);
                }
            }
            Part::Bits { kind, low, width } => {
                let whole = Place { part: Part::Whole, ..place.clone() };
                let unit_ty = types::scalar(*kind);
                let unit = self.load(&whole, unit_ty);
                let (low, width) = (self.u32(*low), self.u32(*width));
                let of = self.type_of(unit);
                let merged = self.value(Op::BitsInsert, Attr::None, &[unit, value, low, width], of);
                self.store(&whole, merged, unit_ty);
            }
            Part::Dynamic { kind, of, index } => match place.base {
                Base::Pointer(pointer) => {
                    let to = self.access(pointer, *index);
                    self.store_scalar(to, value);
                }
                Base::Chosen { .. } => {}
                Base::Texel { .. } => {
                    let whole = Place { part: Part::Whole, ..place.clone() };
                    let vector = self.types.vector(*kind, *of);
                    let all = self.load(&whole, vector);
                    let ty = self.type_of(all);
                    let merged = self.value(Op::InsertDyn, Attr::None, &[all, value, *index], ty);
                    self.store(&whole, merged, vector);
                }
            },
        }
    }
}
