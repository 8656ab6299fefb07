//! Conversions: implicit with their warnings, casts, constructors, brace lists (A6.5, A9.4, A9.6, A9.15, A9.16).

use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Expr, Node};
use crate::types::convert::Change;
use crate::types::kind::narrows;
use crate::types::{self, Kind, Shape, Ty, Type};
use aquatint_base::Span;
use aquatint_ir::Value;
use aquatint_ir::types::{self as ir, Scalar};
use smallvec::SmallVec;

impl Sema<'_> {
    /// The value of an expression as another type, by an implicit conversion. Where there is none, a message is given and
    /// the zero of the type returned.
    pub(crate) fn convert(&mut self, expr: &Expr, to: Ty) -> Value {
        if expr.is_error() || to == types::ERROR {
            return self.placeholder(to);
        }
        if let Node::List(_) = expr.node {
            return self.initialise(expr, to);
        }
        if self.types.conversion(expr.ty, to).is_none() || matches!(expr.node, Node::Void | Node::Object(_)) {
            let (found, wanted) = (self.ty_name(expr.ty), self.ty_name(to));
            let message = match expr.ty == types::VOID {
                true => format!("an expression of type void has no value, '{wanted}' is expected"),
                false => format!("no implicit conversion from '{found}' to '{wanted}'"),
            };
            let code = if expr.ty == types::VOID { &codes::AQ3061 } else { &codes::AQ3003 };
            self.error(code, expr.span, message);
            return self.placeholder(to);
        }
        self.warn_conversion(expr, to);
        self.convert_quietly(expr, to)
    }

    /// A value of a type that stands for one that could not be made.
    pub(crate) fn placeholder(&mut self, ty: Ty) -> Value {
        let held = self.value_type(ty);
        if held == ir::VOID { self.u32(0) } else { self.zero(held) }
    }

    fn warn_conversion(&mut self, expr: &Expr, to: Ty) {
        let (Some((from, shape)), Some((kind, target))) = (self.types.numeric(expr.ty), self.types.numeric(to)) else {
            return;
        };
        if shape.to(target) == Some(Change::Truncate) {
            let message = format!("implicit truncation of '{}' to '{}'", self.ty_name(expr.ty), self.ty_name(to));
            self.warning(&codes::AQ3201, expr.span, message);
        }
        let constant = matches!(&expr.node, Node::Value(v) if v.as_constant().is_some());
        if narrows(from, kind) && !constant {
            let message =
                format!("conversion from '{}' to '{}' may lose value", self.ty_name(expr.ty), self.ty_name(to));
            self.warning(&codes::AQ3202, expr.span, message);
        }
    }

    /// The value as another type, without messages; the zero where there is no conversion.
    pub(crate) fn convert_quietly(&mut self, expr: &Expr, to: Ty) -> Value {
        // A literal takes the kind that it is given, rounded once (A9.6).
        if let Some((kind, shape)) = self.types.numeric(to) {
            let scalar = self.scalar(kind);
            let literal = match expr.node {
                Node::Int(number) => Some(int_bits(scalar, number)),
                Node::Float(number) => Some(super::emit::number_bits(scalar, number)),
                _ => None,
            };
            if let Some(bits) = literal {
                let one = Value::constant(self.module.constants.scalar(scalar, bits));
                return self.splat_to(one, shape);
            }
        }
        let value = self.read(expr);
        let from = self.read_type(expr);
        self.convert_value(value, from, to)
    }

    /// A scalar in every element of a shape.
    pub(crate) fn splat_to(&mut self, value: Value, shape: Shape) -> Value {
        match shape.held() {
            Shape::Scalar => value,
            Shape::Vector(n) => self.splat(value, n),
            Shape::Matrix(rows, columns) => {
                let kind = self.lanes(value).0;
                let row = self.splat(value, columns);
                let ty = self.matrix_type(kind, rows, columns);
                let parts: SmallVec<[Value; 4]> = SmallVec::from_elem(row, usize::from(rows));
                self.construct(ty, &parts)
            }
        }
    }

    /// A value of one numeric type as another: kind, then shape. Shapes that do not convert implicitly are taken in row
    /// order as far as they go, as casts do.
    pub(crate) fn convert_value(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        let (Some((_, shape)), Some((kind, target))) = (self.types.numeric(from), self.types.numeric(to)) else {
            // A struct to its base: the first leaves.
            return if self.types.canonical(from) == self.types.canonical(to) {
                value
            } else {
                self.leafwise(value, from, to)
            };
        };
        let scalar = self.scalar(kind);
        let shaped = if shape == target { value } else { self.reshape(value, shape, target) };
        self.convert_scalars(shaped, scalar)
    }

    fn convert_scalars(&mut self, value: Value, to: Scalar) -> Value {
        self.convert_kind(value, to)
    }

    /// Another shape: splat, truncation, or the elements in row order.
    fn reshape(&mut self, value: Value, from: Shape, to: Shape) -> Value {
        use Shape::{Matrix, Scalar, Vector};
        if from.held() == to.held() {
            return value;
        }
        match (from.held(), to.held()) {
            (Scalar, _) => self.splat_to(value, to),
            (Vector(_), Scalar) => self.extract(value, 0),
            (Vector(a), Vector(b)) if b <= a => self.shuffle(value, &[0, 1, 2, 3][..usize::from(b)]),
            (Matrix(..), Scalar) => {
                let row = self.extract(value, 0);
                self.extract(row, 0)
            }
            (Matrix(r, c), Matrix(s, d)) if s <= r && d <= c => {
                let rows: SmallVec<[Value; 4]> = (0..s)
                    .map(|row| {
                        let line = self.extract(value, u32::from(row));
                        self.shuffle(line, &[0, 1, 2, 3][..usize::from(d)])
                    })
                    .collect();
                let kind = self.lanes(rows[0]).0;
                let ty = self.matrix_type(kind, s, d);
                self.construct(ty, &rows)
            }
            (Matrix(r, c), Vector(n)) if matches!(to, Matrix(1, _)) && n <= c && r > 0 => {
                let line = self.extract(value, 0);
                self.shuffle(line, &[0, 1, 2, 3][..usize::from(n)])
            }
            (Matrix(r, _), Vector(n)) if matches!(to, Matrix(_, 1)) && n <= r => {
                let parts: SmallVec<[Value; 4]> = (0..n)
                    .map(|row| {
                        let line = self.extract(value, u32::from(row));
                        self.extract(line, 0)
                    })
                    .collect();
                self.vector_of(&parts)
            }
            _ => {
                let mut leaves = Vec::new();
                self.shape_leaves(value, from, &mut leaves);
                leaves.resize(usize::from(to.count()).max(1), leaves.last().copied().unwrap_or(value));
                self.scalars_to_shape(&leaves, to)
            }
        }
    }

    /// The scalars of a value in row order.
    pub(crate) fn shape_leaves(&mut self, value: Value, shape: Shape, out: &mut Vec<Value>) {
        match shape.held() {
            Shape::Scalar => out.push(value),
            Shape::Vector(n) => {
                for i in 0..n {
                    let part = self.extract(value, u32::from(i));
                    out.push(part);
                }
            }
            Shape::Matrix(rows, columns) => {
                for row in 0..rows {
                    let line = self.extract(value, u32::from(row));
                    for column in 0..columns {
                        let part = self.extract(line, u32::from(column));
                        out.push(part);
                    }
                }
            }
        }
    }

    /// A value of a shape from its scalars in row order.
    pub(crate) fn scalars_to_shape(&mut self, leaves: &[Value], shape: Shape) -> Value {
        match shape.held() {
            Shape::Scalar | Shape::Vector(_) => self.vector_of(&leaves[..leaves.len().min(usize::from(shape.count()))]),
            Shape::Matrix(rows, columns) => {
                let lines: SmallVec<[Value; 4]> = leaves
                    .chunks(usize::from(columns))
                    .take(usize::from(rows))
                    .map(|row| self.vector_of(row))
                    .collect();
                let kind = self.lanes(lines[0]).0;
                let ty = self.matrix_type(kind, rows, columns);
                self.construct(ty, &lines)
            }
        }
    }

    /// The leaves of a value: each number with its kind.
    pub(crate) fn leaves_of(&mut self, value: Value, ty: Ty, out: &mut Vec<(Value, Kind)>) {
        if let Some((kind, shape)) = self.types.numeric(ty) {
            let mut scalars = Vec::new();
            self.shape_leaves(value, shape, &mut scalars);
            out.extend(scalars.into_iter().map(|v| (v, kind)));
            return;
        }
        match self.types.get(ty) {
            Type::Array(element, length) => {
                for i in 0..length.unwrap_or(0) {
                    let part = self.extract(value, i);
                    self.leaves_of(part, element, out);
                }
            }
            Type::Struct(_) => {
                for (i, member) in self.members(ty).into_iter().enumerate() {
                    let part = self.extract(value, i as u32);
                    self.leaves_of(part, member, out);
                }
            }
            _ => {}
        }
    }

    /// A value of a type from leaves, of which it takes as many as it has.
    pub(crate) fn leaves_to_type(&mut self, leaves: &mut std::slice::Iter<'_, (Value, Kind)>, ty: Ty) -> Value {
        if let Some((kind, shape)) = self.types.numeric(ty) {
            let scalar = self.scalar(kind);
            let parts: Vec<Value> = (0..shape.count())
                .map(|_| match leaves.next() {
                    Some(&(value, _)) => self.convert_kind(value, scalar),
                    None => self.number(scalar, 1, 0.0),
                })
                .collect();
            return self.scalars_to_shape(&parts, shape);
        }
        let held = self.value_type(ty);
        let parts: Vec<Value> = match self.types.get(ty) {
            Type::Array(element, length) => {
                (0..length.unwrap_or(0)).map(|_| self.leaves_to_type(leaves, element)).collect()
            }
            Type::Struct(_) => self.members(ty).into_iter().map(|m| self.leaves_to_type(leaves, m)).collect(),
            _ => return self.placeholder(ty),
        };
        self.construct(held, &parts)
    }

    fn leafwise(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        let mut leaves = Vec::new();
        self.leaves_of(value, from, &mut leaves);
        self.leaves_to_type(&mut leaves.iter(), to)
    }

    /// `(T)e` (A9.15).
    pub(crate) fn cast(&mut self, expr: &Expr, to: Ty, span: Span) -> Expr {
        if expr.is_error() || to == types::ERROR {
            return Expr::error(span);
        }
        if to == types::VOID {
            return Expr::void(span);
        }
        if let Node::Object(object) = expr.node {
            if expr.ty == to {
                return Expr { ty: to, node: Node::Object(object), span };
            }
            return self.no_cast(expr, to, span);
        }
        if let (Some((_, from)), Some((_, target))) = (self.types.numeric(expr.ty), self.types.numeric(to)) {
            let fits = match (from, target) {
                (Shape::Scalar, _) => true,
                (Shape::Matrix(r, c), Shape::Matrix(s, d)) => (s <= r && d <= c) || r * c == s * d,
                (Shape::Vector(_), Shape::Matrix(..)) | (Shape::Matrix(..), Shape::Vector(_)) => {
                    from.count() == target.count() || from.to(target).is_some()
                }
                _ => target.count() <= from.count(),
            };
            if !fits {
                return self.no_cast(expr, to, span);
            }
            let value = self.convert_quietly(expr, to);
            let to = self.types.canonical(to);
            return Expr::value(to, value, span);
        }
        if self.types.holds_objects(to) || matches!(expr.node, Node::Void | Node::String | Node::List(_)) {
            return self.no_cast(expr, to, span);
        }
        let wanted = self.types.leaves(to);
        if wanted > u64::from(u32::from(u16::MAX)) {
            // Too many to name one by one: only the zero, which needs no leaves.
            if matches!(expr.node, Node::Int(0)) {
                let value = self.placeholder(to);
                return Expr::value(to, value, span);
            }
            return self.no_cast(expr, to, span);
        }
        let from = self.read_type(expr);
        if matches!(expr.node, Node::Int(0)) {
            let value = self.placeholder(to);
            return Expr::value(to, value, span);
        }
        let value = self.read(expr);
        let mut leaves = Vec::new();
        self.leaves_of(value, from, &mut leaves);
        if leaves.len() == 1 {
            // A scalar fills every leaf.
            leaves.resize(wanted as usize, leaves[0]);
        }
        if (leaves.len() as u64) < wanted {
            return self.no_cast(expr, to, span);
        }
        let value = self.leaves_to_type(&mut leaves.iter(), to);
        Expr::value(to, value, span)
    }

    fn no_cast(&mut self, expr: &Expr, to: Ty, span: Span) -> Expr {
        let message = format!("'{}' cannot be cast to '{}'", self.ty_name(expr.ty), self.ty_name(to));
        self.error(&codes::AQ3003, span, message);
        Expr::error(span)
    }

    /// `T(a, b, …)` (A9.15).
    pub(crate) fn construct_from(&mut self, to: Ty, args: &[Expr], span: Span) -> Expr {
        if args.iter().any(Expr::is_error) || to == types::ERROR {
            return Expr::error(span);
        }
        if let [one] = args
            && (!matches!(self.types.numeric(to), Some((_, Shape::Vector(_) | Shape::Matrix(..))))
                || matches!(self.types.numeric(one.ty), Some((_, Shape::Scalar)))
                || self.types.leaves(one.ty) != self.types.leaves(to))
        {
            let many = self.types.leaves(one.ty) > self.types.leaves(to);
            if many && self.types.numeric(to).is_some_and(|(_, s)| s != Shape::Scalar) {
                self.warn_conversion(one, to);
            }
            return self.cast(one, to, span);
        }
        let Some((kind, shape)) = self.types.numeric(to) else {
            let message = format!("'{}' has no constructor of {} arguments", self.ty_name(to), args.len());
            self.error(&codes::AQ3006, span, message);
            return Expr::error(span);
        };
        let scalar = self.scalar(kind);
        let mut leaves = Vec::new();
        for arg in args {
            let Some((_, arg_shape)) = self.types.numeric(arg.ty) else {
                let message = format!("'{}' has no elements for '{}'", self.ty_name(arg.ty), self.ty_name(to));
                self.error(&codes::AQ3003, arg.span, message);
                return Expr::error(span);
            };
            let target = self.types.of(kind, arg_shape);
            let value = self.convert_quietly(arg, target);
            self.shape_leaves(value, arg_shape, &mut leaves);
        }
        if leaves.len() != usize::from(shape.count()) {
            let message = format!("'{}' takes {} elements, not {}", self.ty_name(to), shape.count(), leaves.len());
            self.error(&codes::AQ3006, span, message);
            return Expr::error(span);
        }
        let leaves: Vec<Value> = leaves.into_iter().map(|v| self.convert_kind(v, scalar)).collect();
        let value = self.scalars_to_shape(&leaves, shape);
        let to = self.types.canonical(to);
        Expr::value(to, value, span)
    }

    /// A brace list as a type: all its leaves in order fill all leaves of the type (A6.5).
    pub(crate) fn initialise(&mut self, list: &Expr, to: Ty) -> Value {
        let mut leaves = Vec::new();
        if !self.list_leaves(list, &mut leaves) {
            return self.placeholder(to);
        }
        let wanted = self.types.leaves(to);
        if leaves.len() as u64 != wanted {
            let message =
                format!("the initialiser has {} elements, '{}' takes {wanted}", leaves.len(), self.ty_name(to));
            self.error(&codes::AQ3016, list.span, message);
            return self.placeholder(to);
        }
        // Literals are converted where they go, so that they are rounded once.
        let mut at = leaves.iter();
        self.exprs_to_type(&mut at, to)
    }

    fn exprs_to_type(&mut self, leaves: &mut std::slice::Iter<'_, Expr>, ty: Ty) -> Value {
        if let Some((kind, shape)) = self.types.numeric(ty) {
            let parts: Vec<Value> = (0..shape.count())
                .map(|_| match leaves.next() {
                    Some(leaf) => {
                        self.warn_conversion(leaf, types::scalar(kind));
                        self.convert_quietly(leaf, types::scalar(kind))
                    }
                    None => self.u32(0),
                })
                .collect();
            return self.scalars_to_shape(&parts, shape);
        }
        let held = self.value_type(ty);
        let parts: Vec<Value> = match self.types.get(ty) {
            Type::Array(element, length) => {
                (0..length.unwrap_or(0)).map(|_| self.exprs_to_type(leaves, element)).collect()
            }
            Type::Struct(_) => self.members(ty).into_iter().map(|m| self.exprs_to_type(leaves, m)).collect(),
            _ => return self.placeholder(ty),
        };
        self.construct(held, &parts)
    }

    /// The leaves of a brace list; whether all have a value.
    pub(crate) fn list_leaves(&mut self, list: &Expr, out: &mut Vec<Expr>) -> bool {
        match &list.node {
            Node::Error => false,
            Node::List(items) => items.iter().all(|item| self.list_leaves(item, out)),
            Node::Int(_) | Node::Float(_) => {
                out.push(list.clone());
                true
            }
            Node::Value(_) | Node::Place(_) => {
                let value = self.read(list);
                let mut leaves = Vec::new();
                self.leaves_of(value, list.ty, &mut leaves);
                if out.len() + leaves.len() > self.limits.initialiser_leaves {
                    self.error(&codes::AQ4014, list.span, "an initialiser has too many elements".to_owned());
                    return false;
                }
                out.extend(leaves.into_iter().map(|(v, kind)| Expr::value(types::scalar(kind), v, list.span)));
                true
            }
            Node::Void | Node::String | Node::Object(_) | Node::Record(_) | Node::Levels(..) => {
                let message = format!("'{}' is no element of an initialiser", self.ty_name(list.ty));
                self.error(&codes::AQ3003, list.span, message);
                false
            }
        }
    }

    /// A scalar truth value (A12.1); `what` has it.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Value {
        if expr.is_error() {
            return self.bool(false);
        }
        match self.types.numeric(expr.ty) {
            Some((_, shape)) if shape.count() == 1 => self.convert_quietly(expr, types::BOOL),
            _ => {
                let message = format!("a condition is a scalar, not '{}'", self.ty_name(expr.ty));
                self.error(&codes::AQ3034, expr.span, message);
                self.bool(false)
            }
        }
    }
}

/// The bits of a literal int in a kind.
pub(crate) fn int_bits(kind: Scalar, number: i64) -> u64 {
    match kind {
        Scalar::Bool => u64::from(number != 0),
        _ if kind.is_float() => aquatint_ir::eval::convert(Scalar::I64, kind, number as u64),
        _ => number as u64,
    }
}
