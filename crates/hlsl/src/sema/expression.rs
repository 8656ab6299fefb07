//! Expressions (A9): each is checked and lowered in one step.

use crate::ast::{ExprId, ExprKind, Path, Unary};
use crate::lower::operators::Binary;
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Expr, Node};
use crate::sema::scope::{Storage, Symbol};
use crate::token::FloatSuffix;
use crate::types::{self, Family, Kind, Ty, Type};
use aquatint_base::{Name, Span};
use aquatint_ir::types::{self as ir, Scalar};
use aquatint_ir::{Op, RegionId, Value};

impl<'a> Sema<'a> {
    /// Checks and lowers an expression.
    pub(crate) fn expr(&mut self, id: ExprId) -> Expr {
        let tree = self.tree;
        let Some(expr) = tree.exprs.get(id) else { return Expr::error(Span::NONE) };
        let span = expr.span;
        self.cur.span = span;
        match &expr.kind {
            ExprKind::Error => Expr::error(span),
            ExprKind::Int(literal) => {
                let value = literal.value;
                let kind = match (literal.long_long, literal.unsigned) {
                    (true, true) => Some(Kind::Uint64),
                    (true, false) => Some(Kind::Int64),
                    (false, true) if value > u64::from(u32::MAX) => Some(Kind::Uint64),
                    (false, true) => Some(Kind::Uint),
                    (false, false) if value > i64::MAX as u64 => Some(Kind::Uint64),
                    (false, false) => None,
                };
                match kind {
                    None => Expr { ty: types::scalar(Kind::LitInt), node: Node::Int(value as i64), span },
                    Some(kind) => {
                        let scalar = self.scalar(kind);
                        let value = Value::constant(self.module.constants.scalar(scalar, value));
                        Expr::value(types::scalar(kind), value, span)
                    }
                }
            }
            &ExprKind::Float(value, suffix) => {
                let kind = match suffix {
                    FloatSuffix::None => {
                        return Expr { ty: types::scalar(Kind::LitFloat), node: Node::Float(value), span };
                    }
                    FloatSuffix::Half if self.options.native16 => Kind::Half,
                    FloatSuffix::Half | FloatSuffix::Float => Kind::Float,
                    FloatSuffix::Double => Kind::Double,
                };
                let scalar = self.scalar(kind);
                let value = self.number(scalar, 1, value);
                Expr::value(types::scalar(kind), value, span)
            }
            &ExprKind::Char(value) => Expr { ty: types::scalar(Kind::LitInt), node: Node::Int(i64::from(value)), span },
            &ExprKind::Bool(value) => {
                let value = self.bool(value);
                Expr::value(types::BOOL, value, span)
            }
            ExprKind::String(_) => Expr { ty: types::STRING, node: Node::String, span },
            ExprKind::Name(path) => self.name_expr(path, span),
            ExprKind::This => match self.this_expr(span) {
                Some(this) => this,
                None => {
                    self.error(&codes::AQ3001, span, "'this' stands in methods only".to_owned());
                    Expr::error(span)
                }
            },
            ExprKind::Member(base, path) => {
                let base = self.expr(*base);
                self.member(&base, path, span)
            }
            ExprKind::Index(base, index) => {
                let base = self.expr(*base);
                let index = self.expr(*index);
                self.cur.span = span;
                self.index_any(&base, &index, span)
            }
            ExprKind::Call(callee, args) => self.call_expr(*callee, args, span),
            ExprKind::Construct(ty, args) => {
                let ty = self.resolve_type(*ty);
                let args: Vec<Expr> = args.iter().map(|&a| self.data_expr(a)).collect();
                self.cur.span = span;
                if args.is_empty() && ty != types::ERROR {
                    let message = format!("'{}' takes elements", self.ty_name(ty));
                    self.error(&codes::AQ3006, span, message);
                    return Expr::error(span);
                }
                self.construct_from(ty, &args, span)
            }
            ExprKind::Cast(ty, inner) => {
                let ty = self.resolve_type(*ty);
                let inner = self.data_expr(*inner);
                self.cur.span = span;
                self.cast(&inner, ty, span)
            }
            ExprKind::Unary(op, inner) => {
                let inner = self.data_expr(*inner);
                self.cur.span = span;
                self.unary(*op, &inner, span)
            }
            ExprKind::Postfix(up, inner) => {
                let inner = self.expr(*inner);
                if inner.is_error() {
                    return inner;
                }
                match self.step(&inner, *up, span) {
                    Some((before, _)) => Expr::value(self.types.canonical(inner.ty), before, span),
                    None => Expr::error(span),
                }
            }
            ExprKind::Binary(op @ (Binary::LogicalAnd | Binary::LogicalOr), a, b) => self.logical(*op, *a, *b, span),
            ExprKind::Binary(..) => self.binary_chain(id),
            ExprKind::Assign(op, target, source) => self.assignment(*op, *target, *source, span),
            ExprKind::Conditional(condition, yes, no) => self.conditional(*condition, *yes, *no, span),
            ExprKind::Comma(a, b) => {
                self.expr(*a);
                let b = self.expr(*b);
                Expr { span, ..b }
            }
            ExprKind::List(items) => {
                let items: Vec<Expr> = items.iter().map(|&i| self.data_expr(i)).collect();
                let failed = items.iter().any(Expr::is_error);
                if failed { Expr::error(span) } else { Expr { ty: types::VOID, node: Node::List(items), span } }
            }
            ExprKind::SizeofType(ty) => {
                let ty = self.resolve_type(*ty);
                self.size_of(ty, span)
            }
            ExprKind::SizeofExpr(inner) => {
                let ty = self.scratch(|sema| {
                    let inner = sema.data_expr(*inner);
                    sema.read_type(&inner)
                });
                self.size_of(ty, span)
            }
        }
    }

    /// `a + b - c * …`: chains lean to the left and may be long, so they are not walked by recursion.
    pub(super) fn binary_chain(&mut self, id: ExprId) -> Expr {
        let tree = self.tree;
        let mut chain: Vec<(Binary, ExprId, Span)> = Vec::new();
        let mut at = id;
        while let Some(expr) = tree.exprs.get(at)
            && let ExprKind::Binary(op, a, b) = &expr.kind
            && !matches!(op, Binary::LogicalAnd | Binary::LogicalOr)
        {
            chain.push((*op, *b, expr.span));
            at = *a;
        }
        let mut left = self.data_expr(at);
        for (op, right, span) in chain.into_iter().rev() {
            // What the right side changes is not seen by the left (A9.18).
            let a = self.settled(left, right);
            let b = self.data_expr(right);
            self.cur.span = span;
            left = match self.operator_overload(op, &a, &b, span) {
                Some(result) => result,
                None => self.binary(op, &a, &b, span),
            };
        }
        left
    }

    /// An expression that is used as data: constant buffers of a struct are the struct.
    pub(crate) fn data_expr(&mut self, id: ExprId) -> Expr {
        let expr = self.expr(id);
        self.unwrap_block(&expr)
    }

    /// A place is read before what may change it is evaluated; what has no effects leaves it alone.
    pub(super) fn settled(&mut self, a: Expr, after: ExprId) -> Expr {
        if a.as_place().is_none() || !self.may_change(after, 0) {
            return a;
        }
        let value = self.read(&a);
        Expr::value(a.ty, value, a.span)
    }

    /// Whether evaluating an expression may write memory.
    pub(super) fn may_change(&self, id: ExprId, depth: usize) -> bool {
        let tree = self.tree;
        if depth > 32 {
            return true;
        }
        let more = |id: &ExprId| self.may_change(*id, depth + 1);
        match tree.exprs.get(id).map(|e| &e.kind) {
            None => false,
            Some(kind) => match kind {
                ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Postfix(..) => true,
                ExprKind::Unary(op, e) => matches!(op, Unary::Increment | Unary::Decrement) || more(e),
                ExprKind::Member(e, _) | ExprKind::Cast(_, e) => more(e),
                ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => more(a) || more(b),
                ExprKind::Conditional(a, b, c) => more(a) || more(b) || more(c),
                ExprKind::Construct(_, all) | ExprKind::List(all) => all.iter().any(more),
                _ => false,
            },
        }
    }

    pub(super) fn size_of(&mut self, ty: Ty, span: Span) -> Expr {
        if ty == types::ERROR {
            return Expr::error(span);
        }
        match self.lay_out(ty, crate::layout::Rule::Natural, span) {
            Some(laid) => {
                let value = self.u32(laid.size);
                Expr::value(types::UINT, value, span)
            }
            None => Expr::error(span),
        }
    }

    /// Runs something whose instructions go nowhere.
    pub(crate) fn scratch<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let nowhere = self.new_region();
        let before = self.enter(nowhere);
        let dead = self.cur.dead;
        let result = run(self);
        self.cur.dead = dead;
        self.enter(before);
        result
    }

    /// A constant integer; a message where it is none (A15).
    pub(crate) fn constant_expr(&mut self, id: ExprId) -> Option<i64> {
        let value = self.scratch(|sema| sema.data_expr(id));
        if value.is_error() {
            return None;
        }
        let number = self.scratch(|sema| sema.constant_number(&value));
        if number.is_none() {
            self.error(&codes::AQ3013, value.span, "a constant integer is expected".to_owned());
        }
        number
    }

    /// The number that a constant is.
    pub(crate) fn constant_number(&mut self, value: &Expr) -> Option<i64> {
        match value.node {
            Node::Int(number) => Some(number),
            Node::Float(number) => Some(number as i64),
            Node::Value(v) => match self.constant_int(v) {
                Some(n) => Some(n),
                None => {
                    let (kind, bits) = self.constant_bits(v)?;
                    Some(aquatint_ir::eval::convert(kind, Scalar::I64, bits) as i64)
                }
            },
            _ => None,
        }
    }

    pub(super) fn unary(&mut self, op: Unary, inner: &Expr, span: Span) -> Expr {
        if inner.is_error() {
            return Expr::error(span);
        }
        match op {
            Unary::Plus => self.plus(inner, span),
            Unary::Minus => self.negate(inner, span),
            Unary::Not => self.not(inner, span),
            Unary::Complement => self.complement(inner, span),
            Unary::Increment | Unary::Decrement => match self.step(inner, op == Unary::Increment, span) {
                Some(_) => Expr { span, ..inner.clone() },
                None => Expr::error(span),
            },
        }
    }

    /// A name: local, member of `this`, then namespaces.
    pub(super) fn name_expr(&mut self, path: &'a Path, span: Span) -> Expr {
        if let ([(name, _)], false) = (path.parts.as_slice(), path.global) {
            if let Some(Symbol::Variable(variable)) = self.lookup_local(*name) {
                return self.variable(variable, span);
            }
            if let Some((ty, _)) = self.cur.this
                && let Some(field) = self.field_index(ty, *name)
                && let Some(this) = self.this_expr(span)
            {
                return self.field(&this, field, span);
            }
        }
        match self.resolve_path_symbol(path) {
            Some(Symbol::Variable(variable)) => self.variable(variable, span),
            Some(_) => {
                let text = self.path_text(path);
                self.error(&codes::AQ3039, span, format!("'{text}' is no value"));
                Expr::error(span)
            }
            None => self.undeclared(path, span),
        }
    }

    pub(super) fn field_index(&self, ty: Ty, name: Name) -> Option<usize> {
        let (_, data) = self.types.structure(ty)?;
        data.fields.iter().rposition(|f| f.name == name)
    }

    /// Says that a name is not declared, once a function, and what may have been meant.
    pub(super) fn undeclared(&mut self, path: &Path, span: Span) -> Expr {
        let text = self.path_text(path);
        let Some(&(name, _)) = path.parts.last() else { return Expr::error(span) };
        let mut message = format!("'{text}' is not declared");
        if self.declared_later(name) {
            message.push_str(" before this place");
        } else {
            let near = {
                let locals = self.cur.locals.iter().filter(|l| !l.1.is_empty()).map(|l| *l.0);
                let globals = self.namespaces.iter().flat_map(|n| n.names.keys().copied());
                let mut all: Vec<&str> = locals.chain(globals).map(|n| self.module.names.get(n)).collect();
                all.sort_unstable();
                super::nearest(&text, all.into_iter()).map(str::to_owned)
            };
            if let Some(near) = near {
                message.push_str(&format!("; did you mean '{near}'?"));
            }
        }
        self.error(&codes::AQ3001, span, message);
        // Declared as an error from here on, so that it is said once a scope (F1.6).
        let variable = self.add_variable(name, types::ERROR, span, Storage::Error);
        if path.parts.len() == 1 && !self.cur.scopes.is_empty() {
            self.declare_local(name, Symbol::Variable(variable));
        }
        Expr::error(span)
    }

    /// `base.name`.
    pub(super) fn member(&mut self, base: &Expr, path: &'a Path, span: Span) -> Expr {
        let Some(&(name, name_span)) = path.parts.last() else { return Expr::error(span) };
        if base.is_error() {
            return Expr::error(span);
        }
        self.cur.span = span;
        if let Node::Record(variable) = base.node {
            let Some(field) = self.field_index(base.ty, name) else { return self.no_member(base, name, name_span) };
            if let Storage::Record(parts) = self.variables[variable].storage.clone()
                && let Some(&(_, part)) = parts.iter().find(|p| p.0 == field)
            {
                return self.variable(part, span);
            }
            return Expr::error(span);
        }
        if let (&Node::Object(object), Type::Object { kind, .. }) = (&base.node, self.types.get(base.ty)) {
            let row = kind.row();
            if matches!(row.family, Family::Constant | Family::TextureBuffer) {
                let block = self.block_place(object, base.ty, base.span);
                return self.member(&block, path, span);
            }
            let text = self.module.names.get(name);
            let levels = row.family == Family::Texture
                && !row.writable
                && ((text == "mips" && !row.multisampled) || (text == "sample" && row.multisampled));
            if levels {
                return Expr { ty: base.ty, node: Node::Levels(object, None), span };
            }
            return self.no_member(base, name, name_span);
        }
        match self.types.get(base.ty) {
            Type::Struct(_) => match self.field_index(base.ty, name) {
                Some(field) => self.field(base, field, span),
                None => {
                    // A static member.
                    if let Some(&scope) = self.type_scopes.get(&base.ty)
                        && let Some(&Symbol::Variable(variable)) = self.lookup_in(scope, name).first()
                    {
                        return self.variable(variable, span);
                    }
                    self.no_member(base, name, name_span)
                }
            },
            Type::Scalar(_) | Type::Vector(..) | Type::Matrix { .. } => self.swizzle(base, name, span),
            _ => self.no_member(base, name, name_span),
        }
    }

    pub(super) fn no_member(&mut self, base: &Expr, name: Name, span: Span) -> Expr {
        let text = self.module.names.get(name).to_owned();
        let mut message = format!("'{}' has no member '{text}'", self.ty_name(base.ty));
        if let Some((_, data)) = self.types.structure(base.ty) {
            let names = data.fields.iter().map(|f| self.module.names.get(f.name));
            if let Some(near) = super::nearest(&text, names) {
                message.push_str(&format!("; did you mean '{near}'?"));
            }
        }
        self.error(&codes::AQ3017, span, message);
        Expr::error(span)
    }

    pub(super) fn index_any(&mut self, base: &Expr, index: &Expr, span: Span) -> Expr {
        if base.is_error() || index.is_error() {
            return Expr::error(span);
        }
        if let Node::Levels(object, level) = base.node {
            let Type::Object { kind, element } = self.types.get(base.ty) else { return Expr::error(span) };
            let row = kind.row();
            return match level {
                None => {
                    let level = self.convert(index, types::UINT);
                    Expr { ty: base.ty, node: Node::Levels(object, Some(level)), span }
                }
                Some(level) => {
                    let lanes = row.dim.coordinates() + u8::from(row.arrayed);
                    let ty = self.types.vector(Kind::Uint, lanes);
                    let at = self.convert(index, ty);
                    self.texel_place(object, element, false, at, Some(level), span)
                }
            };
        }
        if matches!(self.types.get(base.ty), Type::Struct(_)) {
            let name = self.module.names.intern("operator[]");
            return self.call_method(base, name, std::slice::from_ref(index), None, span);
        }
        let base = match self.types.get(base.ty) {
            Type::Object { .. } => base.clone(),
            _ => self.unwrap_block(base),
        };
        self.index(&base, index, span)
    }

    /// `&&`, `||` (A9.10).
    pub(super) fn logical(&mut self, op: Binary, a: ExprId, b: ExprId, span: Span) -> Expr {
        let left = self.data_expr(a);
        if self.options.hv < 2021 {
            let right = self.data_expr(b);
            self.cur.span = span;
            return self.binary(op, &left, &right, span);
        }
        let vector = |sema: &Self, e: &Expr| sema.types.numeric(e.ty).is_some_and(|(_, s)| s.count() > 1);
        if left.is_error() {
            self.scratch(|sema| sema.data_expr(b));
            return Expr::error(span);
        }
        if vector(self, &left) {
            return self.vector_logical(op, left.ty, b, span);
        }
        if self.types.numeric(left.ty).is_none() {
            let right = self.data_expr(b);
            return self.binary(op, &left, &right, span);
        }
        let condition = self.condition(&left);
        let and = op == Binary::LogicalAnd;
        if let Some(known) = self.constant_int(condition) {
            // What decides alone leaves the other out.
            if (known != 0) != and {
                let right = self.scratch(|sema| sema.data_expr(b));
                if vector(self, &right) {
                    return self.vector_logical(op, right.ty, b, span);
                }
                return Expr::value(types::BOOL, condition, span);
            }
            let right = self.data_expr(b);
            if vector(self, &right) {
                return self.vector_logical(op, right.ty, b, span);
            }
            let value = self.condition(&right);
            return Expr::value(types::BOOL, value, span);
        }
        let region = self.new_region();
        let before = self.enter(region);
        let right = self.data_expr(b);
        if vector(self, &right) {
            self.enter(before);
            return self.vector_logical(op, right.ty, b, span);
        }
        let value = self.condition(&right);
        self.cur.span = span;
        if self.cur.function.regions[region].insts.is_empty() && self.cur.region == region {
            // Nothing happens there: both may be computed.
            self.enter(before);
            let value = self.op(if and { Op::And } else { Op::Or }, &[condition, value]);
            return Expr::value(types::BOOL, value, span);
        }
        let end = self.cur.region;
        self.enter(before);
        let result = self.var(ir::BOOL);
        let first = self.bool(!and);
        self.store_pointer(result, first);
        self.enter(end);
        self.store_pointer(result, value);
        self.b().terminate(Op::Yield, &[]);
        self.enter(before);
        let (other, _) = self.region(Op::Yield, |_| {});
        let (then, other) = if and { (region, other) } else { (other, region) };
        self.b().push_if(condition, then, other, &[]);
        let value = self.load_pointer(result);
        Expr::value(types::BOOL, value, span)
    }

    pub(super) fn vector_logical(&mut self, op: Binary, ty: Ty, _other: ExprId, span: Span) -> Expr {
        let fix = if op == Binary::LogicalAnd { "and(a, b)" } else { "or(a, b)" };
        let message = format!("'{}' takes scalars, not '{}': use {fix}", op.text(), self.ty_name(ty));
        self.error(&codes::AQ3033, span, message);
        Expr::error(span)
    }

    /// `c ? a : b` (A9.10, A9.11).
    pub(super) fn conditional(&mut self, condition: ExprId, yes: ExprId, no: ExprId, span: Span) -> Expr {
        let test = self.data_expr(condition);
        let vector = self.types.numeric(test.ty).is_some_and(|(_, s)| s.count() > 1);
        if vector && self.options.hv >= 2021 {
            let message =
                format!("'?:' takes a scalar condition, not '{}': use select(c, a, b)", self.ty_name(test.ty));
            self.error(&codes::AQ3033, test.span, message);
            return Expr::error(span);
        }
        if self.options.hv < 2021 {
            let (yes, no) = (self.data_expr(yes), self.data_expr(no));
            if test.is_error() || yes.is_error() || no.is_error() {
                return Expr::error(span);
            }
            self.cur.span = span;
            return match self.select_values(&test, &yes, &no, span) {
                Some((value, ty)) => Expr::value(ty, value, span),
                None => Expr::error(span),
            };
        }
        let truth = self.condition(&test);
        if let Some(known) = self.constant_int(truth)
            && !test.is_error()
        {
            let (taken, other) = if known != 0 { (yes, no) } else { (no, yes) };
            let left = self.scratch(|sema| sema.data_expr(other));
            let value = self.expr(taken);
            if let Node::Object(_) = value.node {
                return value;
            }
            let value = self.unwrap_block(&value);
            if left.is_error() || value.is_error() {
                return Expr::error(span);
            }
            let Some(ty) = self.common_type(&value, &left) else { return self.no_common(&value, &left, span) };
            let value = self.convert(&value, ty);
            return Expr::value(ty, value, span);
        }
        let before = self.cur.region;
        let (then, other) = (self.new_region(), self.new_region());
        self.enter(then);
        let yes = self.data_expr(yes);
        let then_end = self.cur.region;
        self.enter(other);
        let no = self.data_expr(no);
        let other_end = self.cur.region;
        self.cur.span = span;
        if yes.is_error() || no.is_error() || test.is_error() {
            self.enter(before);
            return Expr::error(span);
        }
        if matches!(yes.node, Node::Object(_)) || matches!(no.node, Node::Object(_)) {
            self.enter(before);
            let message = "the resource that this gives depends on a value that is not constant".to_owned();
            self.error(&codes::AQ3038, span, message);
            return Expr::error(span);
        }
        if yes.ty == types::VOID && no.ty == types::VOID && !matches!(yes.node, Node::List(_)) {
            self.finish_branch(then_end);
            self.finish_branch(other_end);
            self.enter(before);
            self.b().push_if(truth, then, other, &[]);
            return Expr::void(span);
        }
        let Some(ty) = self.common_type(&yes, &no) else {
            self.enter(before);
            return self.no_common(&yes, &no, span);
        };
        self.enter(then_end);
        let a = self.convert(&yes, ty);
        self.enter(other_end);
        let b = self.convert(&no, ty);
        let pure = [then, other].iter().all(|&r| self.cur.function.regions[r].insts.is_empty());
        if pure && then_end == then && other_end == other {
            self.enter(before);
            let value = self.select(truth, a, b);
            return Expr::value(ty, value, span);
        }
        let held = self.value_type(ty);
        self.enter(then_end);
        self.b().terminate(Op::Yield, &[a]);
        self.enter(other_end);
        self.b().terminate(Op::Yield, &[b]);
        self.enter(before);
        let inst = self.b().push_if(truth, then, other, &[held]);
        let value = self.b().result(inst);
        Expr::value(ty, value, span)
    }

    pub(super) fn finish_branch(&mut self, region: RegionId) {
        let before = self.enter(region);
        self.b().terminate(Op::Yield, &[]);
        self.enter(before);
    }

    pub(super) fn no_common(&mut self, a: &Expr, b: &Expr, span: Span) -> Expr {
        let message = format!("'{}' and '{}' have no common type", self.ty_name(a.ty), self.ty_name(b.ty));
        self.error(&codes::AQ3003, span, message);
        Expr::error(span)
    }
}
