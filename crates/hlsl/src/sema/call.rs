//! Overload resolution and calls of user functions (A10, A11).

use crate::intrinsics;
use crate::intrinsics::Operation;
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::function::Mode;
use crate::sema::operand::{Expr, Node, Object, Place};
use crate::sema::scope::Storage;
use crate::types::{self, Cost, Type};
use aquatint_base::{Diagnostic, Name, Span};
use aquatint_ir::types::{self as ir};
use aquatint_ir::{Attr, Op, Value};

impl Sema<'_> {
    /// The cost of calling a function with arguments, or the reason why it cannot be.
    pub(crate) fn call_cost(&mut self, function: usize, args: &[Expr]) -> Result<Cost, String> {
        let total = self.functions[function].params.len();
        let required = self.functions[function].params.iter().take_while(|p| !p.defaulted).count();
        if args.len() < required || args.len() > total {
            let wanted = if required == total { total.to_string() } else { format!("{required} to {total}") };
            return Err(format!("it takes {wanted} arguments, not {}", args.len()));
        }
        let mut cost = Cost::ZERO;
        for (index, arg) in args.iter().enumerate() {
            let (ty, mode) = {
                let param = &self.functions[function].params[index];
                (param.ty, param.mode)
            };
            if arg.is_error() {
                continue;
            }
            let mut one = Some(Cost::ZERO);
            if mode != Mode::Out {
                one = match &arg.node {
                    Node::List(_) => None,
                    _ => self.argument_cost(arg, ty),
                };
            }
            if mode != Mode::In {
                if arg.as_place().is_none() && !matches!(arg.node, Node::Object(_)) {
                    return Err(format!("argument {} is no place that can be assigned", index + 1));
                }
                let back = self.types.conversion(ty, arg.ty);
                one = match (one, back) {
                    (Some(a), Some(b)) => Some(if mode == Mode::Out { b } else { a.max(b) }),
                    _ => None,
                };
            }
            match one {
                Some(one) => cost = cost.plus(one),
                None => {
                    return Err(format!(
                        "argument {} is '{}', which does not convert to '{}'",
                        index + 1,
                        self.ty_name(arg.ty),
                        self.ty_name(ty)
                    ));
                }
            }
        }
        Ok(cost)
    }

    fn argument_cost(&mut self, arg: &Expr, to: types::Ty) -> Option<Cost> {
        // `ConstantBuffer<S>` passes as its struct.
        if let (Node::Object(_), Type::Object { element, .. }) = (&arg.node, self.types.get(arg.ty))
            && element == to
            && !self.types.is_object(to)
        {
            return Some(Cost::ZERO);
        }
        self.types.conversion(arg.ty, to)
    }

    /// Calls the best of some functions, or an intrinsic of the name (A10.1).
    pub(crate) fn call_overloaded(
        &mut self,
        name: Name,
        functions: &[usize],
        args: &[Expr],
        this: Option<&Expr>,
        span: Span,
    ) -> Expr {
        if args.iter().any(Expr::is_error) {
            return Expr::error(span);
        }
        let text = self.module.names.get(name).to_owned();
        let mut best: Option<Cost> = None;
        let mut tied: Vec<usize> = Vec::new();
        let mut reasons: Vec<(Option<Span>, String)> = Vec::new();
        for &function in functions.iter().take(self.limits.overloads) {
            match self.call_cost(function, args) {
                Ok(cost) => match best {
                    Some(known) if known < cost => {}
                    Some(known) if known == cost => tied.push(function),
                    _ => {
                        best = Some(cost);
                        tied = vec![function];
                    }
                },
                Err(why) => reasons.push((Some(self.functions[function].span), why)),
            }
        }
        let mut intrinsic: Option<crate::lower::Resolved> = None;
        let rows = if this.is_none() { intrinsics::find(&text) } else { &[] };
        if best.is_none_or(|cost| cost != Cost::ZERO) {
            for row in rows {
                match row.operation {
                    Operation::Unsupported if best.is_none() => {
                        self.error(&codes::AQ3031, span, format!("'{text}' is not supported"));
                        return Expr::error(span);
                    }
                    Operation::Legacy(replacement) if best.is_none() => {
                        let diagnostic = Diagnostic::error(
                            &crate::parse::codes::AQ2006,
                            format!("'{text}' is a function of Direct3D 9"),
                        )
                        .at(span, "")
                        .help(format!("use {replacement}"));
                        self.diags.push(diagnostic);
                        return Expr::error(span);
                    }
                    _ => {}
                }
                match self.resolve_intrinsic(row, args) {
                    Ok(resolved) => {
                        let better = intrinsic.as_ref().is_none_or(|known| resolved.cost < known.cost);
                        if better && best.is_none_or(|cost| resolved.cost < cost) {
                            intrinsic = Some(resolved);
                        }
                    }
                    Err(why) => reasons.push((None, why)),
                }
            }
        }
        if let Some(resolved) = intrinsic {
            return self.emit_intrinsic(&resolved, args, span);
        }
        match tied.as_slice() {
            [function] => self.call(*function, args, this, span),
            [] => {
                let list: Vec<String> = args.iter().map(|a| self.ty_name(a.ty)).collect();
                let message = format!("no function '{text}' takes ({})", list.join(", "));
                let mut diagnostic = Diagnostic::error(&codes::AQ3004, message).at(span, "");
                for (place, why) in reasons.into_iter().take(8) {
                    diagnostic = match place {
                        Some(place) => diagnostic.at(place, why),
                        None => diagnostic.note(format!("the intrinsic '{text}': {why}")),
                    };
                }
                self.diags.push(diagnostic);
                Expr::error(span)
            }
            many => {
                let mut diagnostic =
                    Diagnostic::error(&codes::AQ3005, format!("the call of '{text}' is ambiguous")).at(span, "");
                for &function in many.iter().take(8) {
                    let signature = self.signature_text(function);
                    diagnostic = diagnostic.at(self.functions[function].span, signature);
                }
                self.diags.push(diagnostic);
                Expr::error(span)
            }
        }
    }

    /// A function's signature in messages.
    pub(crate) fn signature_text(&self, function: usize) -> String {
        let data = &self.functions[function];
        let params: Vec<String> = data.params.iter().map(|p| self.ty_name(p.ty)).collect();
        format!("{} {}({})", self.ty_name(data.result), self.module.names.get(data.name), params.join(", "))
    }

    /// Calls a function: arguments are copied in, out parameters out, in their order (A11.2).
    pub(crate) fn call(&mut self, function: usize, args: &[Expr], this: Option<&Expr>, span: Span) -> Expr {
        let data = self.functions[function].clone();
        let mut operands: Vec<Value> = Vec::new();
        let mut objects: Vec<Option<(Object, bool)>> = Vec::new();
        let mut back: Vec<(Value, types::Ty, Expr)> = Vec::new();
        let method = data.of.filter(|_| !data.is_static);
        if let Some(of) = method {
            let this = match this {
                Some(this) => this.clone(),
                None => match self.this_expr(span) {
                    Some(this) => this,
                    None => {
                        let message =
                            format!("'{}' is called on a value of its struct", self.module.names.get(data.name));
                        self.error(&codes::AQ3039, span, message);
                        return Expr::error(span);
                    }
                },
            };
            let value = self.convert_quietly(&this, of);
            let held = self.type_of(value);
            let copy = self.var(held);
            self.store_pointer(copy, value);
            operands.push(copy);
            if this.as_place().is_some_and(|p| p.lock.is_none()) && this.ty == of {
                back.push((copy, of, this));
            }
        }
        for (index, param) in data.params.iter().enumerate() {
            let arg = match args.get(index) {
                Some(arg) => arg.clone(),
                None => self.default_argument(function, index, span),
            };
            if self.types.is_object(param.ty) {
                match arg.node {
                    Node::Object(object) => {
                        objects.push(Some((object, object.index.is_some())));
                        if let Some(at) = object.index {
                            operands.push(self.convert_kind(at, aquatint_ir::Scalar::U32));
                        }
                    }
                    _ => {
                        if !arg.is_error() {
                            let message = format!("a resource is expected, not '{}'", self.ty_name(arg.ty));
                            self.error(&codes::AQ3039, arg.span, message);
                        }
                        return Expr::error(span);
                    }
                }
                continue;
            }
            if self.types.holds_objects(param.ty) {
                match arg.node {
                    Node::Record(variable) if param.mode == Mode::In && arg.ty == param.ty => {
                        self.record_arguments(variable, &mut objects, &mut operands);
                    }
                    _ => {
                        let message = "a struct that holds resources is passed in, and by its name".to_owned();
                        self.error(&codes::AQ3038, arg.span, message);
                        return Expr::error(span);
                    }
                }
                continue;
            }
            match param.mode {
                Mode::In => {
                    let arg = self.unwrap_block(&arg);
                    let value = self.convert(&arg, param.ty);
                    operands.push(value);
                }
                Mode::Out | Mode::InOut => {
                    if !self.check_assignable(&arg) {
                        return Expr::error(span);
                    }
                    let held = self.value_type(param.ty);
                    let copy = self.var(held);
                    if param.mode == Mode::InOut {
                        let value = self.convert(&arg, param.ty);
                        self.store_pointer(copy, value);
                    }
                    operands.push(copy);
                    back.push((copy, param.ty, arg));
                }
            }
        }
        let result = self.value_type(data.result);
        let value = if self.checking || objects.iter().flatten().any(|(o, _)| o.resource.is_none()) {
            (result != ir::VOID).then(|| self.opaque(result))
        } else {
            let Some(instance) = self.instance(function, &objects, self.cur.depth + usize::from(!objects.is_empty()))
            else {
                return Expr::error(span);
            };
            self.cur.calls.push((instance, span));
            let id = self.instances[instance].id;
            let results: &[ir::TypeId] = if result == ir::VOID { &[] } else { &[result] };
            let call = self.b().push(Op::Call, Attr::Function(id), &operands, results);
            (result != ir::VOID).then(|| self.b().result(call))
        };
        for (copy, ty, target) in back {
            let value = self.load_pointer(copy);
            self.assign_converted(&target, value, ty);
        }
        match value {
            Some(value) => {
                let ty = self.types.canonical(data.result);
                Expr::value(ty, value, span)
            }
            None if data.result == types::ERROR => Expr::error(span),
            None => Expr::void(span),
        }
    }

    /// The parts of a struct that holds objects, in order, as arguments.
    fn record_arguments(
        &mut self,
        variable: usize,
        objects: &mut Vec<Option<(Object, bool)>>,
        operands: &mut Vec<Value>,
    ) {
        let Storage::Record(parts) = self.variables[variable].storage.clone() else { return };
        for (_, part) in parts {
            match self.variables[part].storage.clone() {
                Storage::Object(object) => {
                    objects.push(Some((object, object.index.is_some())));
                    if let Some(at) = object.index {
                        let at = self.convert_kind(at, aquatint_ir::Scalar::U32);
                        operands.push(at);
                    }
                }
                Storage::Record(_) => self.record_arguments(part, objects, operands),
                _ => {
                    let value = self.variable(part, self.cur.span);
                    let value = self.read(&value);
                    operands.push(value);
                }
            }
        }
    }

    /// A value of an IR type that is not a constant, for functions that are only checked.
    pub(crate) fn opaque(&mut self, ty: ir::TypeId) -> Value {
        let pointer = self.var(ty);
        self.load_pointer(pointer)
    }

    /// `ConstantBuffer<S>` and `TextureBuffer<S>` as the struct that they hold.
    pub(crate) fn unwrap_block(&mut self, expr: &Expr) -> Expr {
        if let (&Node::Object(object), Type::Object { kind, .. }) = (&expr.node, self.types.get(expr.ty))
            && matches!(kind.row().family, types::Family::Constant | types::Family::TextureBuffer)
        {
            return self.block_place(object, expr.ty, expr.span);
        }
        expr.clone()
    }

    /// `this` in a method.
    pub(crate) fn this_expr(&mut self, span: Span) -> Option<Expr> {
        let (ty, pointer) = self.cur.this?;
        Some(Expr::place(ty, Place::pointer(pointer), span))
    }
}
