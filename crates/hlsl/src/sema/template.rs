//! Templates (A4.11): an instance is the declaration read again in a namespace that gives the parameters their meaning.

use crate::ast::{Item, ItemKind, TemplateArg, TemplateParam, TypeExpr, TypeKind};
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::Expr;
use crate::sema::scope::{Storage, Symbol};
use crate::types::{self, Kind, Shape, Ty, Type};
use aquatint_base::{HashMap, Span};

/// A template.
pub(crate) struct Template<'a> {
    params: &'a [TemplateParam],
    item: &'a Item,
    namespace: usize,
    order: u32,
    of: Option<Ty>,
    instances: HashMap<Vec<Argument>, Option<Symbol>>,
}

/// An argument that an instance is made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Argument {
    /// A type.
    Type(Ty),
    /// A number.
    Value(i64),
}

impl<'a> Sema<'a> {
    /// A template in the namespace at hand.
    pub(crate) fn declare_template(&mut self, params: &'a [TemplateParam], item: &'a Item) {
        let name = match &item.kind {
            ItemKind::Function(decl) => decl.name,
            ItemKind::Alias(name, ..) => *name,
            ItemKind::Type(ty) => match self.tree.types.get(*ty).map(|t| &t.kind) {
                Some(TypeKind::Struct(decl)) => decl.name,
                _ => return,
            },
            _ => {
                self.error(&codes::AQ3040, item.span, "functions, structs and aliases can be templates".to_owned());
                return;
            }
        };
        let namespace = self.cur.namespace;
        let of = self.type_scopes.iter().find(|(_, scope)| **scope == namespace).map(|(ty, _)| *ty);
        self.templates.push(Template { params, item, namespace, order: self.order, of, instances: HashMap::default() });
        let index = self.templates.len() - 1;
        self.declare_in(namespace, name, Symbol::Template(index));
    }

    /// What an instance for some arguments declares.
    fn instantiate(&mut self, template: usize, args: Vec<Argument>, span: Span) -> Option<Symbol> {
        if let Some(known) = self.templates[template].instances.get(&args) {
            return *known;
        }
        if self.template_depth >= self.limits.template_depth || self.template_count >= self.limits.template_instances {
            self.error(&codes::AQ4005, span, "templates are instantiated too deep or too often".to_owned());
            return None;
        }
        self.template_count += 1;
        self.template_depth += 1;
        let (params, item, namespace, order, of) = {
            let t = &self.templates[template];
            (t.params, t.item, t.namespace, t.order, t.of)
        };
        let inner = self.new_namespace(namespace);
        let scopes = std::mem::take(&mut self.cur.scopes);
        let locals = std::mem::take(&mut self.cur.locals);
        let outer = std::mem::replace(&mut self.cur.namespace, inner);
        let before = (self.order, self.cur.order);
        // Names as they were where the template stands.
        self.order = order;
        self.cur.order = self.cur.order.max(order);
        for (param, arg) in params.iter().zip(&args) {
            let symbol = match *arg {
                Argument::Type(ty) => Symbol::Type(ty),
                Argument::Value(value) => {
                    let ty = param.value.map_or(types::INT, |ty| self.resolve_type(ty));
                    let kind = self.types.numeric(ty).map_or(Kind::Int, |(kind, _)| kind);
                    let scalar = self.scalar(kind);
                    let constant = aquatint_ir::Value::constant(self.module.constants.scalar(scalar, value as u64));
                    Symbol::Variable(self.add_variable(param.name, ty, param.span, Storage::Constant(constant)))
                }
            };
            self.order = 0;
            self.declare_in(inner, param.name, symbol);
            self.order = order;
        }
        let symbol = match &item.kind {
            ItemKind::Function(decl) => self.declare_function(decl, inner, of).map(Symbol::Function),
            ItemKind::Alias(_, _, ty) => Some(Symbol::Type(self.resolve_type(*ty))),
            ItemKind::Type(ty) => Some(Symbol::Type(self.resolve_type(*ty))),
            _ => None,
        };
        self.order = before.0;
        self.cur.order = before.1;
        self.cur.namespace = outer;
        self.cur.scopes = scopes;
        self.cur.locals = locals;
        self.template_depth -= 1;
        self.templates[template].instances.insert(args, symbol);
        symbol
    }

    /// The arguments that are written, then the defaults.
    fn explicit_arguments(
        &mut self,
        template: usize,
        args: &'a [TemplateArg],
        span: Span,
    ) -> Option<Vec<Option<Argument>>> {
        let params = self.templates[template].params;
        if args.len() > params.len() {
            let message = format!("the template has {} parameters, not {}", params.len(), args.len());
            self.error(&codes::AQ3040, span, message);
            return None;
        }
        let mut all = Vec::new();
        for (index, param) in params.iter().enumerate() {
            all.push(match args.get(index) {
                Some(&arg) => Some(self.argument(param, arg, span)?),
                None => None,
            });
        }
        Some(all)
    }

    fn argument(&mut self, param: &TemplateParam, arg: TemplateArg, span: Span) -> Option<Argument> {
        match param.value {
            None => {
                let ty = self.template_type(arg, span);
                (ty != types::ERROR).then_some(Argument::Type(ty))
            }
            Some(_) => self.template_value(arg, span).map(Argument::Value),
        }
    }

    /// `S<args>` as a type.
    pub(crate) fn instantiate_type(&mut self, template: usize, args: &'a [TemplateArg], span: Span) -> Option<Ty> {
        let given = self.explicit_arguments(template, args, span)?;
        let all = self.with_defaults(template, given, span)?;
        match self.instantiate(template, all, span) {
            Some(Symbol::Type(ty)) => Some(ty),
            _ => None,
        }
    }

    fn with_defaults(&mut self, template: usize, given: Vec<Option<Argument>>, span: Span) -> Option<Vec<Argument>> {
        let params = self.templates[template].params;
        let mut all = Vec::new();
        for (param, arg) in params.iter().zip(given) {
            match (arg, param.default) {
                (Some(arg), _) => all.push(arg),
                (None, Some(default)) => all.push(self.argument(param, default, span)?),
                (None, None) => {
                    let name = self.module.names.get(param.name).to_owned();
                    self.error(&codes::AQ3040, span, format!("template argument '{name}' is missing"));
                    return None;
                }
            }
        }
        Some(all)
    }

    /// The function that a template gives for arguments; `None` where they do not fit, which only removes it.
    pub(crate) fn instantiate_function(
        &mut self,
        template: usize,
        explicit: Option<&'a [TemplateArg]>,
        args: &[Expr],
        span: Span,
    ) -> Option<usize> {
        let mut given = self.explicit_arguments(template, explicit.unwrap_or(&[]), span)?;
        let params = self.templates[template].params;
        let ItemKind::Function(decl) = &self.templates[template].item.kind else { return None };
        let tree = self.tree;
        for (variables, arg) in decl.params.iter().zip(args) {
            let Some(written) = tree.types.get(variables.ty) else { continue };
            let mut ty = self.read_type(arg);
            let dims = variables.declarators.first().map_or(0, |d| d.dims.len());
            for i in 0..dims {
                let Type::Array(element, length) = self.types.get(ty) else { break };
                let dim = variables.declarators.first().and_then(|d| d.dims.get(i)).copied().flatten();
                if let (Some(dim), Some(length)) = (dim, length)
                    && let Some(crate::ast::ExprKind::Name(path)) = tree.exprs.get(dim).map(|e| &e.kind)
                    && let [(name, _)] = path.parts.as_slice()
                    && let Some(at) = params.iter().position(|p| p.name == *name)
                {
                    given[at].get_or_insert(Argument::Value(i64::from(length)));
                }
                ty = element;
            }
            let ty = self.types.canonical(ty);
            self.deduce(params, written, ty, &mut given);
        }
        let complete = params.iter().zip(&given).all(|(p, g)| g.is_some() || p.default.is_some());
        if !complete {
            return None;
        }
        let all = self.with_defaults(template, given, span)?;
        match self.instantiate(template, all, span) {
            Some(Symbol::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// Finds what parameters a written type needs to be a given one.
    fn deduce(&self, params: &[TemplateParam], written: &TypeExpr, ty: Ty, given: &mut [Option<Argument>]) {
        let TypeKind::Named(path) = &written.kind else { return };
        let [(name, _)] = path.parts.as_slice() else { return };
        let Some(args) = &path.args else {
            if let Some(at) = params.iter().position(|p| p.name == *name && p.value.is_none()) {
                given[at].get_or_insert(Argument::Type(ty));
            }
            return;
        };
        let (element, sizes): (Ty, Vec<i64>) = match self.types.get(ty) {
            Type::Object { element, .. } => (element, Vec::new()),
            _ => match self.types.numeric(ty) {
                Some((kind, Shape::Vector(n))) => (types::scalar(kind), vec![i64::from(n)]),
                Some((kind, Shape::Matrix(r, c))) => (types::scalar(kind), vec![i64::from(r), i64::from(c)]),
                _ => return,
            },
        };
        for (index, arg) in args.iter().enumerate() {
            let inner = match *arg {
                TemplateArg::Type(inner) => self.tree.types.get(inner),
                TemplateArg::Expr(expr) => {
                    if let (Some(crate::ast::ExprKind::Name(path)), Some(&size)) =
                        (self.tree.exprs.get(expr).map(|e| &e.kind), index.checked_sub(1).and_then(|i| sizes.get(i)))
                        && let [(name, _)] = path.parts.as_slice()
                        && let Some(at) = params.iter().position(|p| p.name == *name)
                    {
                        given[at].get_or_insert(Argument::Value(size));
                    }
                    None
                }
            };
            let Some(inner) = inner else { continue };
            if index == 0 {
                self.deduce(params, inner, element, given);
            } else if let (TypeKind::Named(path), Some(&size)) = (&inner.kind, sizes.get(index - 1))
                && let [(name, _)] = path.parts.as_slice()
                && let Some(at) = params.iter().position(|p| p.name == *name)
            {
                given[at].get_or_insert(Argument::Value(size));
            }
        }
    }
}
