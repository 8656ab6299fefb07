//! Parts of values and places: members, swizzles, elements; assignment (A9.12 to A9.14, A9.17).

use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Base, Expr, Lock, Node, Object, Part, Place};
use crate::types::{self, Kind, Shape, Ty, Type};
use aquatint_base::{Name, Span};
use aquatint_ir::{Op, Value};
use smallvec::SmallVec;

impl Sema<'_> {
    /// Whether an expression may be assigned to; says why not (AQ3007).
    pub(crate) fn check_assignable(&mut self, target: &Expr) -> bool {
        let why = match &target.node {
            Node::Error => return false,
            Node::Place(place) => match (place.lock, &place.part) {
                (Some(Lock::Const), _) => "it is const",
                (Some(Lock::ReadOnly), _) => "it is read-only",
                (None, Part::Lanes { lanes, .. }) => {
                    let mut seen = 0u8;
                    for &lane in lanes {
                        if seen & (1 << lane) != 0 {
                            let message = "a component is written twice".to_owned();
                            self.error(&codes::AQ3009, target.span, message);
                            return false;
                        }
                        seen |= 1 << lane;
                    }
                    return true;
                }
                (None, Part::Cells { cells, .. }) => {
                    if cells.iter().enumerate().any(|(i, cell)| cells[..i].contains(cell)) {
                        self.error(&codes::AQ3009, target.span, "an element is written twice".to_owned());
                        return false;
                    }
                    return true;
                }
                (None, _) => return true,
            },
            _ => "it is no place",
        };
        self.error(&codes::AQ3007, target.span, format!("this cannot be assigned to: {why}"));
        false
    }

    /// Assigns a value of a type to a place, converted.
    pub(crate) fn assign_converted(&mut self, target: &Expr, value: Value, from: Ty) {
        if !self.check_assignable(target) {
            return;
        }
        let Some(place) = target.as_place().cloned() else { return };
        let value = self.convert_value(value, from, target.ty);
        self.store(&place, value, target.ty);
    }

    /// `target = source`; gives the place.
    pub(crate) fn assign(&mut self, target: &Expr, source: &Expr, span: Span) -> Expr {
        if target.is_error() || source.is_error() {
            return Expr::error(span);
        }
        if !self.check_assignable(target) {
            return Expr::error(span);
        }
        let value = self.convert(source, target.ty);
        let Some(place) = target.as_place().cloned() else { return Expr::error(span) };
        self.store(&place, value, target.ty);
        Expr { ty: target.ty, node: Node::Place(Box::new(place)), span }
    }

    /// One step into what lies at a place; `None` for a texel.
    fn stepped(&mut self, base: &Base, step: Value) -> Option<Base> {
        match base {
            Base::Pointer(pointer) => Some(Base::Pointer(self.access(*pointer, step))),
            Base::Chosen { resource, which, steps } => {
                let mut steps = steps.clone();
                steps.push(step);
                Some(Base::Chosen { resource: *resource, which: *which, steps })
            }
            Base::Texel { .. } => None,
        }
    }

    /// A field of a struct, by its number.
    pub(crate) fn field(&mut self, base: &Expr, index: usize, span: Span) -> Expr {
        let Some((_, data)) = self.types.structure(base.ty) else { return Expr::error(span) };
        let Some(field) = data.fields.get(index) else { return Expr::error(span) };
        let (ty, bits, precise) = (field.ty, field.bits, field.precise);
        let Some(member) = self.member_index(base.ty, index) else {
            // No data: an empty struct.
            let held = self.value_type(ty);
            let pointer = self.var(held);
            return Expr::place(ty, Place::pointer(pointer), span);
        };
        let kind = self.types.numeric(ty).map_or(Kind::Uint, |(kind, _)| kind);
        match &base.node {
            Node::Place(place) if place.part == Part::Whole => {
                let step = self.u32(member);
                let Some(base) = self.stepped(&place.base, step) else { return Expr::error(span) };
                let mut part = Place { base, ..(**place).clone() };
                part.precise |= precise;
                if let Some(bits) = bits {
                    part.part = Part::Bits { kind, low: bits.low, width: bits.width };
                }
                Expr::place(ty, part, span)
            }
            _ => {
                let value = self.read(base);
                let part = self.extract(value, member);
                match bits {
                    None => Expr::value(ty, part, span),
                    Some(bits) => {
                        let held = self.type_of(part);
                        let pointer = self.var(held);
                        self.store_pointer(pointer, part);
                        let place = Place {
                            part: Part::Bits { kind, low: bits.low, width: bits.width },
                            lock: Some(Lock::Const),
                            ..Place::pointer(pointer)
                        };
                        Expr::place(ty, place, span)
                    }
                }
            }
        }
    }

    /// `base.name` where the base is a scalar, vector or matrix.
    pub(crate) fn swizzle(&mut self, base: &Expr, name: Name, span: Span) -> Expr {
        let Some((kind, shape)) = self.types.numeric(base.ty) else { return Expr::error(span) };
        let text = self.module.names.get(name).to_owned();
        match (shape, self.types.get(base.ty)) {
            (Shape::Matrix(rows, columns), _) => match cells(&text, rows, columns) {
                Ok(cells) => self.matrix_swizzle(base, kind, rows, columns, cells, span),
                Err(why) => self.bad_swizzle(base, &text, why, span),
            },
            _ => match lanes(&text, shape.count()) {
                Ok(lanes) => self.vector_swizzle(base, kind, shape.count(), lanes, span),
                Err(why) => self.bad_swizzle(base, &text, why, span),
            },
        }
    }

    fn bad_swizzle(&mut self, base: &Expr, text: &str, why: &str, span: Span) -> Expr {
        let message = match why {
            "" => format!("'{}' has no member '{text}'", self.ty_name(base.ty)),
            why => format!("swizzle '.{text}' {why} for '{}'", self.ty_name(base.ty)),
        };
        self.error(&codes::AQ3008, span, message);
        Expr::error(span)
    }

    fn vector_swizzle(&mut self, base: &Expr, kind: Kind, of: u8, lanes: SmallVec<[u8; 4]>, span: Span) -> Expr {
        let literal = matches!(base.node, Node::Int(_) | Node::Float(_));
        if let (true, 1) = (literal, lanes.len()) {
            return Expr { span, ..base.clone() };
        }
        let kind = if literal {
            match base.node {
                Node::Int(n) => types::kind::resolve_int(n),
                _ => kind.resolved(),
            }
        } else {
            kind
        };
        let ty = self.types.vector(kind, lanes.len() as u8);
        if let Node::Place(place) = &base.node {
            let part = match &place.part {
                Part::Whole => Some(Part::Lanes { kind, of, lanes: lanes.clone() }),
                // A swizzle of a swizzle composes (A9.12).
                Part::Lanes { kind, of, lanes: inner } => Some(Part::Lanes {
                    kind: *kind,
                    of: *of,
                    lanes: lanes.iter().map(|&l| inner.get(usize::from(l)).copied().unwrap_or(0)).collect(),
                }),
                Part::Cells { kind, rows, columns, cells } => Some(Part::Cells {
                    kind: *kind,
                    rows: *rows,
                    columns: *columns,
                    cells: lanes.iter().map(|&l| cells.get(usize::from(l)).copied().unwrap_or((0, 0))).collect(),
                }),
                Part::Dynamic { .. } | Part::Bits { .. } if lanes.len() == 1 => Some(place.part.clone()),
                Part::Dynamic { .. } | Part::Bits { .. } => None,
            };
            if let Some(part) = part {
                return Expr::place(ty, Place { part, ..(**place).clone() }, span);
            }
        }
        let value = match literal {
            true => self.convert_quietly(base, types::scalar(kind)),
            false => self.read(base),
        };
        let value = self.shuffle(value, &lanes);
        Expr::value(ty, value, span)
    }

    fn matrix_swizzle(
        &mut self,
        base: &Expr,
        kind: Kind,
        rows: u8,
        columns: u8,
        cells: SmallVec<[(u8, u8); 4]>,
        span: Span,
    ) -> Expr {
        let ty = self.types.vector(kind, cells.len() as u8);
        if let Node::Place(place) = &base.node
            && place.part == Part::Whole
            && matches!(place.base, Base::Pointer(_))
        {
            let part = Part::Cells { kind, rows, columns, cells };
            return Expr::place(ty, Place { part, ..(**place).clone() }, span);
        }
        let value = self.read(base);
        let parts: SmallVec<[Value; 4]> = cells.iter().map(|&(r, c)| self.cell(value, rows, columns, r, c)).collect();
        let value = self.vector_of(&parts);
        Expr::value(ty, value, span)
    }

    /// `base[index]` of an array, vector or matrix (A9.14).
    pub(crate) fn index(&mut self, base: &Expr, index: &Expr, span: Span) -> Expr {
        if base.is_error() || index.is_error() {
            return Expr::error(span);
        }
        match (&base.node, self.types.get(base.ty)) {
            (&Node::Object(object), Type::Array(element, length)) => {
                return self.object_array(object, element, length, index, span);
            }
            (&Node::Object(object), _) => return self.object_element(object, base.ty, index, span),
            _ => {}
        }
        let (element, count) = match self.types.get(base.ty) {
            Type::Array(element, length) => (element, length.unwrap_or(u32::MAX)),
            Type::Vector(kind, n) => (types::scalar(kind), u32::from(n)),
            Type::Matrix { kind, rows, columns, .. } => (self.types.vector(kind, columns), u32::from(rows)),
            // A row of an N x 1 matrix, and `T1`.
            Type::Scalar(kind) => (types::scalar(kind), 1),
            _ => {
                let message = format!("'{}' has no elements to index", self.ty_name(base.ty));
                self.error(&codes::AQ3015, span, message);
                return Expr::error(span);
            }
        };
        let Some(at) = self.index_value(index) else { return Expr::error(span) };
        let fixed = self.constant_int(at);
        if let Some(fixed) = fixed
            && !(0..i64::from(count)).contains(&fixed)
        {
            let message = format!("index {fixed} is outside '{}' of {count} elements", self.ty_name(base.ty));
            self.error(&codes::AQ3010, index.span, message);
            return Expr::error(span);
        }
        match self.types.get(base.ty) {
            Type::Array(..) => self.array_element(base, element, at, span),
            Type::Vector(kind, n) => self.vector_element(base, kind, n, at, fixed, span),
            Type::Matrix { kind, rows, columns, .. } => {
                self.matrix_row(base, (kind, rows, columns), element, at, fixed, span)
            }
            Type::Scalar(_) => Expr { span, ..base.clone() },
            _ => Expr::error(span),
        }
    }

    /// An index as a 32-bit integer.
    pub(crate) fn index_value(&mut self, index: &Expr) -> Option<Value> {
        let (kind, shape) = match self.types.numeric(index.ty) {
            Some(found) => found,
            None => {
                let message = format!("an index is an integer, not '{}'", self.ty_name(index.ty));
                self.error(&codes::AQ3015, index.span, message);
                return None;
            }
        };
        if shape.count() != 1 {
            let message = format!("an index is a scalar, not '{}'", self.ty_name(index.ty));
            self.error(&codes::AQ3015, index.span, message);
            return None;
        }
        let to = match kind {
            kind if kind.is_unsigned() => types::UINT,
            _ => types::INT,
        };
        Some(self.convert(index, to))
    }

    fn array_element(&mut self, base: &Expr, element: Ty, at: Value, span: Span) -> Expr {
        if let Node::Place(place) = &base.node
            && place.part == Part::Whole
            && let Some(base) = self.stepped(&place.base, at)
        {
            return Expr::place(element, Place { base, ..(**place).clone() }, span);
        }
        let value = self.read(base);
        let part = self.dynamic(value, at);
        Expr::value(element, part, span)
    }

    fn vector_element(&mut self, base: &Expr, kind: Kind, n: u8, at: Value, fixed: Option<i64>, span: Span) -> Expr {
        if let Some(fixed) = fixed {
            return self.vector_swizzle(base, kind, n, SmallVec::from_slice(&[fixed as u8 & 3]), span);
        }
        if let Node::Place(place) = &base.node
            && place.part == Part::Whole
        {
            let part = Part::Dynamic { kind, of: n, index: at };
            return Expr::place(types::scalar(kind), Place { part, ..(**place).clone() }, span);
        }
        let value = self.read(base);
        let part = self.dynamic(value, at);
        Expr::value(types::scalar(kind), part, span)
    }

    fn matrix_row(
        &mut self,
        base: &Expr,
        (kind, rows, columns): (Kind, u8, u8),
        row: Ty,
        at: Value,
        fixed: Option<i64>,
        span: Span,
    ) -> Expr {
        match Shape::Matrix(rows, columns).held() {
            // One row: it is the whole. One element: likewise.
            _ if rows == 1 => Expr { ty: row, ..base.clone() },
            Shape::Vector(n) => {
                // N x 1: a row is one element of what is held as a vector.
                let vector = self.types.vector(kind, n);
                let as_vector = Expr { ty: vector, ..base.clone() };
                self.vector_element(&as_vector, kind, n, at, fixed, span)
            }
            _ => {
                if let Node::Place(place) = &base.node
                    && place.part == Part::Whole
                    && let Some(base) = self.stepped(&place.base, at)
                {
                    return Expr::place(row, Place { base, ..(**place).clone() }, span);
                }
                let value = self.read(base);
                let part = self.dynamic(value, at);
                Expr::value(row, part, span)
            }
        }
    }

    /// `objects[i]`: one of an array of resources, or of a part of it.
    fn object_array(&mut self, object: Object, element: Ty, length: Option<u32>, index: &Expr, span: Span) -> Expr {
        let Some(at) = self.index_value(index) else { return Expr::error(span) };
        if let (Some(fixed), Some(length)) = (self.constant_int(at), length)
            && !(0..i64::from(length)).contains(&fixed)
        {
            let message = format!("index {fixed} is outside an array of {length} resources");
            self.error(&codes::AQ3010, index.span, message);
            return Expr::error(span);
        }
        let at = self.convert_kind(at, aquatint_ir::Scalar::U32);
        // The inner dimensions are flattened.
        let mut inner = 1u32;
        let mut ty = element;
        while let Type::Array(of, length) = self.types.get(ty) {
            inner = inner.saturating_mul(length.unwrap_or(1));
            ty = of;
        }
        let mut flat = at;
        if inner != 1 {
            let inner = self.u32(inner);
            flat = self.op(Op::IMul, &[flat, inner]);
        }
        if let Some(before) = object.index {
            flat = self.op(Op::IAdd, &[before, flat]);
        }
        Expr { ty: element, node: Node::Object(Object { index: Some(flat), ..object }), span }
    }

    /// The name of a type in messages.
    pub(crate) fn ty_name(&self, ty: Ty) -> String {
        self.types.display(ty, &self.module.names)
    }
}

/// The lanes that a swizzle names.
fn lanes(text: &str, count: u8) -> Result<SmallVec<[u8; 4]>, &'static str> {
    let mut lanes = SmallVec::new();
    let mut sets = [false; 2];
    for c in text.chars() {
        let (set, lane) = match c {
            'x' => (0, 0),
            'y' => (0, 1),
            'z' => (0, 2),
            'w' => (0, 3),
            'r' => (1, 0),
            'g' => (1, 1),
            'b' => (1, 2),
            'a' => (1, 3),
            _ => return Err(""),
        };
        sets[set] = true;
        lanes.push(lane);
    }
    if lanes.is_empty() || lanes.len() > 4 {
        return Err("has more than four letters");
    }
    if sets == [true, true] {
        return Err("mixes two sets of letters");
    }
    if lanes.iter().any(|&l| l >= count) {
        return Err("is out of range");
    }
    Ok(lanes)
}

/// The elements that a matrix swizzle names (A9.13).
fn cells(text: &str, rows: u8, columns: u8) -> Result<SmallVec<[(u8, u8); 4]>, &'static str> {
    let mut cells = SmallVec::new();
    let mut zero_based = None;
    let mut rest = text;
    while !rest.is_empty() {
        let Some(after) = rest.strip_prefix('_') else { return Err("") };
        let (zero, digits) = match after.strip_prefix('m') {
            Some(digits) => (true, digits),
            None => (false, after),
        };
        if zero_based.is_some_and(|before| before != zero) {
            return Err("mixes two forms");
        }
        zero_based = Some(zero);
        let bytes = digits.as_bytes();
        let (Some(&r), Some(&c)) = (bytes.first(), bytes.get(1)) else { return Err("") };
        let first = if zero { b'0' } else { b'1' };
        if !r.is_ascii_digit() || !c.is_ascii_digit() {
            return Err("");
        }
        let (row, column) = (r.wrapping_sub(first), c.wrapping_sub(first));
        if row >= rows || column >= columns {
            return Err("is out of range");
        }
        cells.push((row, column));
        rest = &digits[2..];
    }
    if cells.len() > 4 {
        return Err("names more than four elements");
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a9_12_swizzles() {
        assert_eq!(lanes("wzyx", 4).map(|l| l.to_vec()), Ok(vec![3, 2, 1, 0]));
        assert_eq!(lanes("rgb", 3).map(|l| l.to_vec()), Ok(vec![0, 1, 2]));
        assert!(lanes("xg", 4).is_err());
        assert!(lanes("z", 2).is_err());
        assert!(lanes("xxxxx", 4).is_err());
    }

    #[test]
    fn a9_13_matrix_swizzles() {
        assert_eq!(cells("_m00_m12", 3, 3).map(|l| l.to_vec()), Ok(vec![(0, 0), (1, 2)]));
        assert_eq!(cells("_11_44", 4, 4).map(|l| l.to_vec()), Ok(vec![(0, 0), (3, 3)]));
        assert!(cells("_m00_11", 4, 4).is_err());
        assert!(cells("_14", 3, 3).is_err());
        assert!(cells("_01", 3, 3).is_err());
    }
}
