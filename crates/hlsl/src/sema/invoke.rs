//! Call expressions and assignments (A9.17, A10).

use crate::ast::{ExprId, ExprKind, Path};
use crate::lower::operators::Binary;
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Expr, Node};
use crate::sema::scope::{Storage, Symbol};
use crate::types::{Family, Type};
use aquatint_base::{Name, Span};

impl<'a> Sema<'a> {
    pub(super) fn call_expr(&mut self, callee: ExprId, args: &'a [ExprId], span: Span) -> Expr {
        let tree = self.tree;
        let Some(target) = tree.exprs.get(callee) else { return Expr::error(span) };
        match &target.kind {
            ExprKind::Name(path) => {
                let args = self.arguments(args);
                self.cur.span = span;
                self.call_name(path, &args, span)
            }
            ExprKind::Member(base, path) => {
                let base = self.expr(*base);
                let args = self.arguments(args);
                self.cur.span = span;
                if base.is_error() {
                    return Expr::error(span);
                }
                let Some(&(name, _)) = path.parts.last() else { return Expr::error(span) };
                if let (&Node::Object(object), Type::Object { kind, .. }) = (&base.node, self.types.get(base.ty))
                    && !matches!(kind.row().family, Family::Constant | Family::TextureBuffer)
                {
                    let template = match path.args.as_deref() {
                        Some(&[first, ..]) => Some(self.template_type(first, span)),
                        _ => None,
                    };
                    let text = self.module.names.get(name).to_owned();
                    let args: Vec<Expr> = args.iter().map(|a| self.unwrap_block(a)).collect();
                    return self.method(object, base.ty, &text, &args, template, span);
                }
                let base = self.unwrap_block(&base);
                self.call_method(&base, name, &args, path.args.as_deref(), span)
            }
            _ => {
                let base = self.expr(callee);
                let args = self.arguments(args);
                if base.is_error() {
                    return base;
                }
                let name = self.module.names.intern("operator()");
                self.call_method(&base, name, &args, None, span)
            }
        }
    }

    pub(super) fn arguments(&mut self, args: &'a [ExprId]) -> Vec<Expr> {
        let mut all: Vec<Expr> = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            let value = self.expr(arg);
            // Arguments are evaluated from left to right, places stay places for out parameters.
            let _ = index;
            all.push(value);
        }
        all
    }

    pub(super) fn call_name(&mut self, path: &'a Path, args: &[Expr], span: Span) -> Expr {
        let Some(&(name, _)) = path.parts.last() else { return Expr::error(span) };
        let single = path.parts.len() == 1 && !path.global;
        if single && let Some(Symbol::Variable(variable)) = self.lookup_local(name) {
            let base = self.variable(variable, span);
            if base.is_error() {
                return base;
            }
            let operator = self.module.names.intern("operator()");
            return self.call_method(&base, operator, args, None, span);
        }
        let symbols = self.resolve_path(path);
        let mut functions: Vec<usize> = Vec::new();
        let mut templates: Vec<usize> = Vec::new();
        for symbol in &symbols {
            match *symbol {
                Symbol::Function(index) => functions.push(index),
                Symbol::Template(index) => templates.push(index),
                Symbol::Type(ty) => return self.construct_from(ty, args, span),
                Symbol::Variable(variable) => {
                    let base = self.variable(variable, span);
                    if base.is_error() {
                        return base;
                    }
                    let operator = self.module.names.intern("operator()");
                    return self.call_method(&base, operator, args, None, span);
                }
                Symbol::Namespace(_) => {}
            }
        }
        if args.iter().any(Expr::is_error) {
            return Expr::error(span);
        }
        let text = self.module.names.get(name).to_owned();
        if functions.is_empty() && templates.is_empty() && crate::intrinsics::find(&text).is_empty() {
            return self.undeclared_function(path, name, span);
        }
        for template in templates {
            if let Some(function) = self.instantiate_function(template, path.args.as_deref(), args, span) {
                functions.push(function);
            }
        }
        self.call_overloaded(name, &functions, args, None, span)
    }

    pub(super) fn undeclared_function(&mut self, path: &Path, name: Name, span: Span) -> Expr {
        let text = self.path_text(path);
        let mut message = format!("there is no function '{text}'");
        if self.declared_later(name) {
            message = format!("function '{text}' is declared after this place");
        } else {
            let mut all: Vec<&str> =
                self.namespaces.iter().flat_map(|n| n.names.keys()).map(|&n| self.module.names.get(n)).collect();
            all.sort_unstable();
            let intrinsics = crate::intrinsics::functions::FUNCTIONS.iter().map(|row| row.name);
            if let Some(near) = super::nearest(&text, all.into_iter().chain(intrinsics)) {
                message.push_str(&format!("; did you mean '{near}'?"));
            }
        }
        self.error(&codes::AQ3001, path.span, message);
        Expr::error(span)
    }

    /// `base.name(args)` on a struct.
    pub(super) fn call_method(
        &mut self,
        base: &Expr,
        name: Name,
        args: &[Expr],
        template: Option<&'a [crate::ast::TemplateArg]>,
        span: Span,
    ) -> Expr {
        let symbols = match self.type_scopes.get(&base.ty) {
            Some(&scope) => {
                let order = std::mem::replace(&mut self.cur.order, u32::MAX);
                let found = self.lookup_in(scope, name);
                self.cur.order = order;
                found
            }
            None => Vec::new(),
        };
        let mut functions = Vec::new();
        for symbol in symbols {
            match symbol {
                Symbol::Function(index) => functions.push(index),
                Symbol::Template(index) => {
                    if let Some(function) = self.instantiate_function(index, template, args, span) {
                        functions.push(function);
                    }
                }
                _ => {}
            }
        }
        if functions.is_empty() {
            let text = self.module.names.get(name).to_owned();
            let message = format!("'{}' has no method '{text}'", self.ty_name(base.ty));
            self.error(&codes::AQ3017, span, message);
            return Expr::error(span);
        }
        self.call_overloaded(name, &functions, args, Some(base), span)
    }

    pub(super) fn assignment(&mut self, op: Option<Binary>, target: ExprId, source: ExprId, span: Span) -> Expr {
        let left = self.expr(target);
        if let Node::Object(_) = left.node {
            let right = self.expr(source);
            return self.assign_object(target, &left, &right, span);
        }
        if let Node::Record(to) = left.node {
            let right = self.expr(source);
            let parts = match &self.variables[to].storage {
                Storage::Record(parts) => parts.clone(),
                _ => Vec::new(),
            };
            match right.node {
                Node::Record(from) if right.ty == left.ty => self.copy_record(from, &parts),
                _ if right.is_error() => {}
                _ => {
                    let message = format!("'{}' is assigned to '{}'", self.ty_name(right.ty), self.ty_name(left.ty));
                    self.error(&codes::AQ3039, span, message);
                }
            }
            return Expr::void(span);
        }
        let precise = self.cur.precise;
        self.cur.precise |= left.as_place().is_some_and(|p| p.precise);
        let right = self.data_expr(source);
        self.cur.span = span;
        let right = match op {
            None => right,
            Some(op) => {
                if left.is_error() || right.is_error() {
                    self.cur.precise = precise;
                    return Expr::error(span);
                }
                let result = match self.operator_overload(op, &left, &right, span) {
                    Some(result) => result,
                    None => self.binary(op, &left, &right, span),
                };
                // The result goes back without a warning of its own: what lost something was the operator.
                if !result.is_error() && self.types.conversion(result.ty, left.ty).is_some() {
                    let value = self.convert_quietly(&result, left.ty);
                    Expr::value(left.ty, value, span)
                } else {
                    result
                }
            }
        };
        let result = self.assign(&left, &right, span);
        self.cur.precise = precise;
        result
    }

    /// The variable that an expression names: a name, or a member of a struct that holds objects.
    pub(super) fn object_variable(&mut self, id: ExprId) -> Option<usize> {
        let tree = self.tree;
        match &tree.exprs.get(id)?.kind {
            ExprKind::Name(path) => match self.resolve_path_symbol(path) {
                Some(Symbol::Variable(variable)) => Some(variable),
                _ => None,
            },
            ExprKind::Member(base, path) => {
                let base = self.object_variable(*base)?;
                let &(name, _) = path.parts.last()?;
                let field = self.field_index(self.variables[base].ty, name)?;
                match &self.variables[base].storage {
                    Storage::Record(parts) => parts.iter().find(|p| p.0 == field).map(|p| p.1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `texture = other` of locals: from here on the name means the other resource (A16.1).
    pub(super) fn assign_object(&mut self, target: ExprId, left: &Expr, right: &Expr, span: Span) -> Expr {
        let Node::Object(object) = right.node else {
            if !right.is_error() {
                let message = format!("'{}' is assigned to '{}'", self.ty_name(right.ty), self.ty_name(left.ty));
                self.error(&codes::AQ3039, span, message);
            }
            return Expr::error(span);
        };
        let variable = self.object_variable(target).filter(|v| self.object_slots.contains_key(v));
        match variable {
            Some(variable) if left.ty == right.ty => {
                self.rebind(variable, object, span);
                Expr::void(span)
            }
            _ => {
                self.error(&codes::AQ3007, span, "this resource cannot be assigned to".to_owned());
                Expr::error(span)
            }
        }
    }

    /// An operator that a struct defines (A11.5).
    pub(super) fn operator_overload(&mut self, op: Binary, a: &Expr, b: &Expr, span: Span) -> Option<Expr> {
        if a.is_error() || !matches!(self.types.get(a.ty), Type::Struct(_)) {
            return None;
        }
        let name = self.module.names.intern(&format!("operator{}", op.text()));
        let scope = *self.type_scopes.get(&a.ty)?;
        if self.lookup_in(scope, name).is_empty() {
            return None;
        }
        Some(self.call_method(a, name, std::slice::from_ref(b), None, span))
    }
}
