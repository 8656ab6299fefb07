//! Types as written become types (A4, A5).

use crate::ast::{self, Modifier, Modifiers, Path, TemplateArg, TypeKind};
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::scope::Symbol;
use crate::types::{self, Kind, ObjectKind, Ty, Type};
use aquatint_base::Span;

impl<'a> Sema<'a> {
    /// A type as written.
    pub(crate) fn resolve_type(&mut self, id: ast::TypeId) -> Ty {
        let tree = self.tree;
        let Some(ty) = tree.types.get(id) else { return types::ERROR };
        self.row_default = ty.row_major.unwrap_or(self.options.row_major);
        match &ty.kind {
            TypeKind::Error => types::ERROR,
            TypeKind::Named(path) => self.resolve_named(path, ty.span),
            TypeKind::Struct(decl) => self.declare_struct(decl),
            TypeKind::Enum(decl) => self.declare_enum(decl),
            TypeKind::Array(inner, dims) => {
                let inner = self.resolve_type(*inner);
                self.array_of(inner, dims, None, ty.span)
            }
        }
    }

    /// The type of a declaration: its modifiers may say how a matrix lies.
    pub(crate) fn resolve_declared(&mut self, id: ast::TypeId, modifiers: Modifiers, span: Span) -> Ty {
        let ty = self.resolve_type(id);
        let (row, column) = (modifiers.has(Modifier::RowMajor), modifiers.has(Modifier::ColumnMajor));
        if row && column {
            self.error(&codes::AQ3015, span, "'row_major' and 'column_major' contradict each other".to_owned());
            return ty;
        }
        if row || column {
            return match self.oriented(ty, row) {
                Some(ty) => ty,
                None => {
                    if ty != types::ERROR {
                        let message = format!("'{}' has no orientation: it is no matrix", self.ty_name(ty));
                        self.error(&codes::AQ3015, span, message);
                    }
                    ty
                }
            };
        }
        ty
    }

    fn oriented(&mut self, ty: Ty, row_major: bool) -> Option<Ty> {
        match self.types.get(ty) {
            Type::Matrix { kind, rows, columns, .. } => {
                Some(self.types.intern(Type::Matrix { kind, rows, columns, row_major }))
            }
            Type::Array(element, length) => {
                let element = self.oriented(element, row_major)?;
                Some(self.types.intern(Type::Array(element, length)))
            }
            _ => None,
        }
    }

    fn resolve_named(&mut self, path: &'a Path, span: Span) -> Ty {
        if let ([(name, _)], false) = (path.parts.as_slice(), path.global) {
            let text = self.module.names.get(*name).to_owned();
            if let Some(ty) = self.built_in(&text, path, span) {
                return ty;
            }
        }
        match self.resolve_path_symbol(path) {
            Some(Symbol::Type(ty)) => ty,
            Some(Symbol::Template(template)) => {
                let args = path.args.as_deref().unwrap_or(&[]);
                match self.instantiate_type(template, args, span) {
                    Some(ty) => ty,
                    None => types::ERROR,
                }
            }
            Some(_) => {
                let text = self.path_text(path);
                self.error(&codes::AQ3001, span, format!("'{text}' is no type"));
                types::ERROR
            }
            None => {
                let text = self.path_text(path);
                let legacy = match text.as_str() {
                    "sampler1D" => Some("Texture1D and SamplerState"),
                    "sampler2D" => Some("Texture2D and SamplerState"),
                    "sampler3D" => Some("Texture3D and SamplerState"),
                    "samplerCUBE" => Some("TextureCube and SamplerState"),
                    "texture" | "Texture" => Some("Texture2D, or the type of the dimension that is meant"),
                    _ => None,
                };
                if let Some(instead) = legacy {
                    let message = format!("'{text}' is a type of Direct3D 9: use {instead}");
                    self.error(&crate::parse::codes::AQ2006, span, message);
                    return types::ERROR;
                }
                self.error(&codes::AQ3001, span, format!("there is no type '{text}'"));
                types::ERROR
            }
        }
    }

    pub(crate) fn path_text(&self, path: &Path) -> String {
        path.parts.iter().map(|p| self.module.names.get(p.0)).collect::<Vec<_>>().join("::")
    }

    /// What a path names, functions aside; the first of several.
    pub(crate) fn resolve_path_symbol(&mut self, path: &Path) -> Option<Symbol> {
        self.resolve_path(path).first().copied()
    }

    /// Everything that a path names.
    pub(crate) fn resolve_path(&mut self, path: &Path) -> Vec<Symbol> {
        let Some((&(last, _), first)) = path.parts.split_last() else { return Vec::new() };
        if first.is_empty() {
            if path.global {
                return self.lookup_in(0, last);
            }
            if let Some(symbol) = self.lookup_local(last) {
                return vec![symbol];
            }
            return self.lookup_global(last);
        }
        let mut scope = path.global.then_some(0);
        for &(name, _) in first {
            let found = match scope {
                Some(at) => self.lookup_in(at, name),
                None => match self.lookup_local(name) {
                    Some(symbol) => vec![symbol],
                    None => self.lookup_global(name),
                },
            };
            scope = match found.first() {
                Some(&Symbol::Namespace(at)) => Some(at),
                Some(&Symbol::Type(ty)) => self.type_scopes.get(&ty).copied(),
                _ => None,
            };
            if scope.is_none() {
                return Vec::new();
            }
        }
        scope.map_or(Vec::new(), |at| self.lookup_in(at, last))
    }

    /// A built-in type by its spelling.
    fn built_in(&mut self, text: &str, path: &'a Path, span: Span) -> Option<Ty> {
        match text {
            "void" => return Some(types::VOID),
            "string" => {
                self.error(&codes::AQ3051, span, "there are no values of type string".to_owned());
                return Some(types::ERROR);
            }
            "vector" | "matrix" => return Some(self.vector_template(text == "matrix", path, span)),
            "uint8_t4_packed" | "int8_t4_packed" => return Some(types::UINT),
            _ => {}
        }
        if let Some((kind, rest)) = split_kind(text) {
            let digits = rest.as_bytes();
            let size = |d: u8| (b'1'..=b'4').contains(&d).then(|| d - b'0');
            let kind = match text.starts_with("half") {
                true if self.options.native16 => Kind::Half,
                _ => self.kind(kind, span),
            };
            return match *digits {
                [] => Some(types::scalar(kind)),
                [n] => size(n).map(|n| self.types.intern(Type::Vector(kind, n))).map(|ty| self.one_vector(ty)),
                [r, b'x', c] => match (size(r), size(c)) {
                    (Some(rows), Some(columns)) => {
                        let row_major = self.row_default;
                        Some(self.types.intern(Type::Matrix { kind, rows, columns, row_major }))
                    }
                    _ => None,
                },
                _ => None,
            };
        }
        let kind = ObjectKind::from_name(text)?;
        let row = kind.row();
        let element = match (row.takes_element(), path.args.as_deref()) {
            (false, _) => types::VOID,
            (true, None | Some([])) => self.types.vector(Kind::Float, 4),
            (true, Some([first, ..])) => self.template_type(*first, span),
        };
        if element == types::ERROR {
            return Some(types::ERROR);
        }
        Some(self.types.intern(Type::Object { kind, element }))
    }

    /// `T1` is `T`.
    fn one_vector(&mut self, ty: Ty) -> Ty {
        self.types.canonical(ty)
    }

    fn kind(&mut self, kind: Kind, span: Span) -> Kind {
        let native16 = self.options.native16;
        match kind {
            Kind::Int16 | Kind::Uint16 if !native16 => {
                self.error(&codes::AQ3047, span, format!("'{}' needs 16-bit types enabled", kind.name()));
                if kind == Kind::Int16 { Kind::Int } else { Kind::Uint }
            }
            Kind::Half if !native16 => {
                self.error(&codes::AQ3047, span, "'float16_t' needs 16-bit types enabled".to_owned());
                Kind::Float
            }
            kind => kind,
        }
    }

    fn vector_template(&mut self, matrix: bool, path: &'a Path, span: Span) -> Ty {
        let args = path.args.as_deref().unwrap_or(&[]);
        let element = match args.first() {
            Some(&arg) => self.template_type(arg, span),
            None => types::FLOAT,
        };
        let kind = match self.types.get(element) {
            Type::Scalar(kind) => kind,
            Type::Error => return types::ERROR,
            _ => {
                let message = format!("'{}' is no element of a vector", self.ty_name(element));
                self.error(&codes::AQ3040, span, message);
                return types::ERROR;
            }
        };
        let mut sizes = [4u8; 2];
        for (size, &arg) in sizes.iter_mut().zip(args.get(1..).unwrap_or(&[])) {
            let Some(value) = self.template_value(arg, span) else { return types::ERROR };
            match u8::try_from(value) {
                Ok(n @ 1..=4) => *size = n,
                _ => {
                    self.error(&codes::AQ3014, span, format!("a size of {value} is not between 1 and 4"));
                    return types::ERROR;
                }
            }
        }
        let wanted = if matrix { 3 } else { 2 };
        if !args.is_empty() && args.len() != wanted {
            self.error(&codes::AQ3040, span, format!("{wanted} template arguments are expected, not {}", args.len()));
            return types::ERROR;
        }
        if matrix {
            let row_major = self.row_default;
            self.types.intern(Type::Matrix { kind, rows: sizes[0], columns: sizes[1], row_major })
        } else {
            self.types.vector(kind, sizes[0])
        }
    }

    /// A template argument as a type.
    pub(crate) fn template_type(&mut self, arg: TemplateArg, span: Span) -> Ty {
        match arg {
            TemplateArg::Type(ty) => self.resolve_type(ty),
            TemplateArg::Expr(expr) => {
                // A name may have read as a value.
                let tree = self.tree;
                if let Some(ast::ExprKind::Name(path)) = tree.exprs.get(expr).map(|e| &e.kind) {
                    return self.resolve_named(path, path.span);
                }
                self.error(&codes::AQ3040, span, "a type is expected as template argument".to_owned());
                types::ERROR
            }
        }
    }

    /// A template argument as a number.
    pub(crate) fn template_value(&mut self, arg: TemplateArg, span: Span) -> Option<i64> {
        match arg {
            TemplateArg::Expr(expr) => self.constant_expr(expr),
            TemplateArg::Type(ty) => {
                let tree = self.tree;
                // A name may have read as a type.
                if let Some(TypeKind::Named(path)) = tree.types.get(ty).map(|t| &t.kind)
                    && let Some(Symbol::Variable(variable)) = self.resolve_path_symbol(path)
                {
                    let value = self.variable(variable, span);
                    return self.constant_number(&value);
                }
                self.error(&codes::AQ3040, span, "a number is expected as template argument".to_owned());
                None
            }
        }
    }

    /// The dimensions of a declarator around a type; `first` is the length where the first is left open.
    pub(crate) fn array_of(&mut self, ty: Ty, dims: &'a [Option<ast::ExprId>], first: Option<u32>, span: Span) -> Ty {
        if ty == types::ERROR {
            return ty;
        }
        if dims.len() > self.limits.array_dimensions {
            let message = format!("an array has more than {} dimensions", self.limits.array_dimensions);
            self.error(&codes::AQ4011, span, message);
            return types::ERROR;
        }
        if !dims.is_empty() && ty == types::VOID {
            self.error(&codes::AQ3061, span, "there are no arrays of void".to_owned());
            return types::ERROR;
        }
        let mut ty = ty;
        for (index, dim) in dims.iter().enumerate().rev() {
            let length = match dim {
                Some(expr) => match self.constant_expr(*expr) {
                    Some(n) if n > i64::from(self.limits.array_elements) => {
                        let message = format!("an array of {n} elements is larger than {}", self.limits.array_elements);
                        self.error(&codes::AQ4011, span, message);
                        return types::ERROR;
                    }
                    Some(n) if n > 0 => Some(n as u32),
                    Some(n) => {
                        self.error(&codes::AQ3014, span, format!("an array of {n} elements has no elements"));
                        return types::ERROR;
                    }
                    None => return types::ERROR,
                },
                None if index == 0 && first.is_some() => first,
                None if index == 0 && self.types.is_object(ty) => None,
                None => {
                    self.error(&codes::AQ3014, span, "an array without initialiser has a size".to_owned());
                    return types::ERROR;
                }
            };
            ty = self.types.intern(Type::Array(ty, length));
            if self.types.depth(ty) > types::MAX_DEPTH {
                self.error(&codes::AQ4009, span, "a type nests too deep".to_owned());
                return types::ERROR;
            }
        }
        ty
    }
}

/// The element kind that a spelling starts with, and the rest.
fn split_kind(text: &str) -> Option<(Kind, &str)> {
    const KINDS: &[(&str, Kind)] = &[
        ("min16float", Kind::Min16Float),
        ("min10float", Kind::Min16Float),
        ("min16int", Kind::Min16Int),
        ("min12int", Kind::Min16Int),
        ("min16uint", Kind::Min16Uint),
        ("float16_t", Kind::Half),
        ("float32_t", Kind::Float),
        ("float64_t", Kind::Double),
        ("uint16_t", Kind::Uint16),
        ("uint32_t", Kind::Uint),
        ("uint64_t", Kind::Uint64),
        ("int16_t", Kind::Int16),
        ("int32_t", Kind::Int),
        ("int64_t", Kind::Int64),
        ("double", Kind::Double),
        ("float", Kind::Float),
        ("dword", Kind::Uint),
        ("bool", Kind::Bool),
        ("half", Kind::Float),
        ("uint", Kind::Uint),
        ("int", Kind::Int),
    ];
    KINDS.iter().find_map(|&(name, kind)| text.strip_prefix(name).map(|rest| (kind, rest)))
}
