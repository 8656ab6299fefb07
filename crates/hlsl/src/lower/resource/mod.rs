//! Resources: their globals, handles and elements, and calls of their methods.
//!
//! | module | holds |
//! |---|---|
//! | `texture` | B10 |
//! | `buffer` | B11 |

mod buffer;
mod texture;

use crate::intrinsics::{Method, methods};
use crate::layout::{Rule, Tables, Use};
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Base, Expr, Lock, Node, Object, Part, Place};
use crate::types::{self, Counter, Family, Kind, ObjectKind, Shape, Ty, Type};
use aquatint_base::{Name, Span};
use aquatint_ir::types::{self as ir, Access, Dim, Scalar, Space, TexelFormat, Texture, TextureKind};
use aquatint_ir::{Binding, GlobalId, GlobalKind, Value};

/// A resource of the file.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its name.
    pub name: Name,
    /// Its kind.
    pub kind: ObjectKind,
    /// Its element type; void where it has none.
    pub element: Ty,
    /// Elements of a resource array, flattened; `None` has no bound.
    pub count: Option<u32>,
    /// One global, or one for each element of an array of buffers.
    pub globals: Vec<GlobalId>,
    /// The rule of what lies in it.
    pub rule: Option<Rule>,
    /// Whether elements lie in a struct of their own, which says how a matrix lies.
    pub wrapped: bool,
}

impl Sema<'_> {
    pub(crate) fn layout_tables(&mut self) -> (&mut crate::layout::Layouts, Tables<'_>) {
        (&mut self.layouts, Tables { types: &self.types, ir: &mut self.module.types, names: &mut self.module.names })
    }

    /// A type under a rule; a message where it has no layout.
    pub(crate) fn lay_out(&mut self, ty: Ty, rule: Rule, span: Span) -> Option<crate::layout::Laid> {
        let (layouts, mut tables) = self.layout_tables();
        let laid = layouts.of(&mut tables, ty, rule);
        match laid {
            Ok(laid) => Some(laid),
            Err(error) => {
                self.layout_error(error, ty, span);
                None
            }
        }
    }

    pub(crate) fn layout_error(&mut self, error: crate::layout::Error, ty: Ty, span: Span) {
        use crate::layout::Error;
        let name = self.ty_name(ty);
        match error {
            Error::TooLarge => self.error(&codes::AQ4009, span, format!("'{name}' is larger than 256 MiB")),
            Error::Misaligned(_) => {
                self.error(&codes::AQ3044, span, format!("an offset in '{name}' is not aligned for its member"));
            }
            Error::Overlap(_) => {
                self.error(&codes::AQ3044, span, format!("two members of '{name}' overlap, which is not supported"));
            }
            Error::NoData => {
                self.error(&codes::AQ3057, span, format!("'{name}' cannot lie in a buffer"));
            }
        }
    }

    /// Makes the globals of a resource. `count` is that of the array, if it is one.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn add_resource(
        &mut self,
        name: Name,
        span: Span,
        kind: ObjectKind,
        element: Ty,
        array: Option<Option<u32>>,
        register: u32,
        space: u32,
    ) -> Option<usize> {
        let row = kind.row();
        let binding = |register| Binding { class: row.class(), register, space };
        let text = self.module.names.get(name).to_owned();
        let mut resource = Resource {
            name,
            kind,
            element,
            count: array.unwrap_or(Some(1)),
            globals: Vec::new(),
            rule: None,
            wrapped: false,
        };
        let (ty, ir_space, counter) = match row.family {
            Family::Texture => (self.texture_type(kind, element, span)?, Space::Handle, false),
            Family::Sampler => {
                (self.module.types.intern(ir::Type::Sampler { comparison: false }), Space::Handle, false)
            }
            Family::ComparisonSampler => {
                (self.module.types.intern(ir::Type::Sampler { comparison: true }), Space::Handle, false)
            }
            Family::Bytes => {
                let words = ir::Type::Array { element: ir::U32, length: None, stride: 4 };
                (self.module.types.intern(words), Space::Storage, false)
            }
            Family::Structured => {
                let rule = self.options.layout.rule(Use::Structured);
                resource.rule = Some(rule);
                let laid = self.lay_out(element, rule, span)?;
                if laid.size > 2048 {
                    let message = format!("an element of '{text}' takes {} bytes, more than 2048", laid.size);
                    self.warning(&codes::AQ3231, span, message);
                }
                let mut ty = laid.ty;
                let mut stride = laid.size.next_multiple_of(laid.align.max(1));
                if laid.matrix.is_some() {
                    let member =
                        ir::Member { name: self.module.names.intern("value"), ty, layout: Some(laid.member(0)) };
                    let wanted = format!("{text}_element");
                    let (layouts, mut tables) = self.layout_tables();
                    let struct_name = layouts.struct_name(&mut tables, &wanted);
                    let wrapper = ir::Struct { name: struct_name, members: vec![member], size: laid.size };
                    let id = self.module.types.structs.push(wrapper);
                    ty = self.module.types.intern(ir::Type::Struct(id));
                    stride = laid.size;
                    resource.wrapped = true;
                }
                let array = ir::Type::Array { element: ty, length: None, stride: stride.max(1) };
                (self.module.types.intern(array), Space::Storage, row.counter != Counter::Plain)
            }
            Family::Constant | Family::TextureBuffer => {
                let of = if row.family == Family::Constant { Use::Constant } else { Use::TextureBuffer };
                let rule = self.options.layout.rule(of);
                resource.rule = Some(rule);
                let Type::Struct(id) = self.types.get(element) else {
                    let message = format!("'{}' holds a struct, not '{}'", row.name, self.ty_name(element));
                    self.error(&codes::AQ3057, span, message);
                    return None;
                };
                let fields = self.types.structs[id].fields.clone();
                let block_name = match self.module.names.get(self.types.structs[id].name) {
                    "" => text.clone(),
                    name => name.to_owned(),
                };
                let (layouts, mut tables) = self.layout_tables();
                let laid = layouts.block(&mut tables, &format!("{block_name}_cb"), &fields, rule, true);
                match laid {
                    Ok(laid) => {
                        let space = if row.family == Family::Constant { Space::Uniform } else { Space::Storage };
                        (laid.ty, space, false)
                    }
                    Err(error) => {
                        self.layout_error(error, element, span);
                        return None;
                    }
                }
            }
            Family::Unsupported => {
                let message = format!("'{}' is not supported", row.name);
                self.error(&codes::AQ3031, span, message);
                return None;
            }
        };
        let kind_at = |register| GlobalKind::Resource { binding: binding(register), writable: row.writable, counter };
        if ir_space == Space::Handle {
            let ty = match array {
                Some(length) => self.module.types.intern(ir::Type::Array { element: ty, length, stride: 0 }),
                None => ty,
            };
            let id = self.module.add_global(&text, ty, ir_space, kind_at(register));
            self.module.globals[id].span = span;
            resource.globals.push(id);
        } else {
            let count = match array {
                None => 1,
                Some(Some(n)) => n.min(4096),
                Some(None) => {
                    self.error(&codes::AQ3038, span, format!("'{text}': an array of buffers has a bound"));
                    return None;
                }
            };
            for i in 0..count {
                let name = if array.is_some() { format!("{text}.{i}") } else { text.clone() };
                let id = self.module.add_global(&name, ty, ir_space, kind_at(register.saturating_add(i)));
                self.module.globals[id].span = span;
                resource.globals.push(id);
            }
        }
        self.resources.push(resource);
        Some(self.resources.len() - 1)
    }

    fn texture_type(&mut self, kind: ObjectKind, element: Ty, span: Span) -> Option<ir::TypeId> {
        let row = kind.row();
        let texel = match self.types.numeric(element) {
            Some((kind, Shape::Scalar | Shape::Vector(_)))
                if !matches!(kind, Kind::Bool | Kind::Int64 | Kind::Uint64 | Kind::Double) =>
            {
                self.scalar(kind)
            }
            _ => {
                let message = format!(
                    "'{}' cannot be a texel of '{}': scalars and vectors of up to 32-bit numbers can",
                    self.ty_name(element),
                    row.name
                );
                self.error(&codes::AQ3057, span, message);
                return None;
            }
        };
        let texture = Texture {
            dim: row.dim,
            arrayed: row.arrayed,
            multisampled: row.multisampled,
            scalar: texel,
            kind: match row.writable {
                true => TextureKind::Storage(self.texel_format(element), Access::ReadWrite),
                false => TextureKind::Sampled,
            },
        };
        Some(self.module.types.intern(ir::Type::Texture(texture)))
    }

    /// The format that a storage texture's element implies: one component of 32 bits allows atomics and loads.
    fn texel_format(&self, element: Ty) -> TexelFormat {
        match self.types.numeric(element) {
            Some((Kind::Float, Shape::Scalar)) => TexelFormat::R32f,
            Some((Kind::Int, Shape::Scalar)) => TexelFormat::R32i,
            Some((Kind::Uint, Shape::Scalar)) => TexelFormat::R32ui,
            _ => TexelFormat::Any,
        }
    }

    /// The handle or pointer of an object; `None` in functions that are only checked, and after a message.
    pub(crate) fn handle(&mut self, object: Object) -> Option<Value> {
        let resource = &self.resources[object.resource?];
        let Some(index) = object.index else { return resource.globals.first().map(|&g| Value::global(g)) };
        let first = *resource.globals.first()?;
        if self.module.globals[first].space == Space::Handle {
            return Some(self.access(Value::global(first), index));
        }
        let (name, span) = (resource.name, self.cur.span);
        let count = resource.globals.len();
        match self.constant_int(index).and_then(|i| usize::try_from(i).ok()) {
            Some(i) if i < count => object.resource.map(|r| Value::global(self.resources[r].globals[i])),
            Some(i) => {
                let message = format!("index {i} is outside '{}' of {count} buffers", self.module.names.get(name));
                self.error(&codes::AQ3010, span, message);
                None
            }
            None => {
                let message =
                    format!("'{}' is an array of buffers: its index must be constant", self.module.names.get(name));
                self.error(&codes::AQ3038, span, message);
                None
            }
        }
    }

    /// A part of one of an array of buffers whose index is not constant (A16.2).
    fn chosen(&mut self, object: Object, steps: &[Value]) -> Option<Base> {
        let (resource, which) = (object.resource?, object.index?);
        let first = *self.resources[resource].globals.first()?;
        if self.module.globals[first].space == Space::Handle || self.constant_int(which).is_some() {
            return None;
        }
        Some(Base::Chosen { resource, which, steps: steps.iter().copied().collect() })
    }

    /// What `ConstantBuffer<S>` and `TextureBuffer<S>` hold, as a place.
    pub(crate) fn block_place(&mut self, object: Object, ty: Ty, span: Span) -> Expr {
        let Type::Object { element, .. } = self.types.get(ty) else { return Expr::error(span) };
        let rule = object.resource.and_then(|r| self.resources[r].rule);
        if let Some(base) = self.chosen(object, &[]) {
            let place = Place { base, part: Part::Whole, rule, lock: Some(Lock::ReadOnly), precise: false };
            return Expr::place(element, place, span);
        }
        let Some(pointer) = self.handle(object) else {
            let value = self.placeholder(element);
            return Expr::value(element, value, span);
        };
        let place = Place { rule, lock: Some(Lock::ReadOnly), ..Place::pointer(pointer) };
        Expr::place(element, place, span)
    }

    /// `b[i]` of a structured buffer, `t[p]` of a texture or typed buffer (A5.4).
    pub(crate) fn object_element(&mut self, object: Object, ty: Ty, index: &Expr, span: Span) -> Expr {
        let Type::Object { kind, element } = self.types.get(ty) else { return Expr::error(span) };
        let row = kind.row();
        match row.family {
            Family::Structured if row.counter == Counter::Plain => {
                let index = self.convert(index, types::UINT);
                self.structured_element(object, element, row.writable, index, span)
            }
            Family::Texture if row.dim != Dim::Cube => {
                let lanes = row.dim.coordinates() + u8::from(row.arrayed);
                let wanted = self.types.vector(Kind::Uint, lanes);
                let signed = matches!(self.types.numeric(index.ty), Some((k, _)) if !k.is_unsigned());
                let wanted = if signed { self.types.vector(Kind::Int, lanes) } else { wanted };
                let at = self.convert(index, wanted);
                let level = (!row.writable && row.dim != Dim::Buffer).then(|| self.u32(0));
                self.texel_place(object, element, row.writable, at, level, span)
            }
            _ => {
                let message = format!("'{}' has no elements to index", self.ty_name(ty));
                self.error(&codes::AQ3039, span, message);
                Expr::error(span)
            }
        }
    }

    pub(crate) fn texel_place(
        &mut self,
        object: Object,
        element: Ty,
        writable: bool,
        at: Value,
        level: Option<Value>,
        span: Span,
    ) -> Expr {
        let place = Place {
            base: Base::Texel { object, at, level, element },
            part: Part::Whole,
            rule: None,
            lock: (!writable).then_some(Lock::ReadOnly),
            precise: false,
        };
        Expr::place(element, place, span)
    }

    pub(crate) fn structured_element(
        &mut self,
        object: Object,
        element: Ty,
        writable: bool,
        index: Value,
        span: Span,
    ) -> Expr {
        let zero = self.u32(0);
        let steps = [index, zero];
        let wrapped = object.resource.is_some_and(|r| self.resources[r].wrapped);
        if let Some(resource) = object.resource
            && let Some(base) = self.chosen(object, &steps[..if wrapped { 2 } else { 1 }])
        {
            let (rule, lock) = (self.resources[resource].rule, (!writable).then_some(Lock::ReadOnly));
            return Expr::place(element, Place { base, part: Part::Whole, rule, lock, precise: false }, span);
        }
        let Some(buffer) = self.handle(object) else {
            let value = self.placeholder(element);
            return if writable {
                let held = self.type_of(value);
                let pointer = self.var(held);
                Expr::place(element, Place::pointer(pointer), span)
            } else {
                Expr::value(element, value, span)
            };
        };
        let resource = object.resource.map(|r| &self.resources[r]);
        let (rule, wrapped) = resource.map_or((None, false), |r| (r.rule, r.wrapped));
        let mut pointer = self.access(buffer, index);
        if wrapped {
            pointer = self.access_at(pointer, 0);
        }
        let lock = (!writable).then_some(Lock::ReadOnly);
        Expr::place(element, Place { rule, lock, ..Place::pointer(pointer) }, span)
    }

    /// Calls a method (A5.3).
    pub(crate) fn method(
        &mut self,
        object: Object,
        ty: Ty,
        name: &str,
        args: &[Expr],
        template: Option<Ty>,
        span: Span,
    ) -> Expr {
        let Type::Object { kind, element } = self.types.get(ty) else {
            self.error(&codes::AQ3039, span, "an array of objects has no methods".to_owned());
            return Expr::error(span);
        };
        let Some(row) = methods::find(kind.row(), name) else {
            let near = crate::sema::nearest(name, methods::names(kind.row()));
            let mut message = format!("'{}' has no method '{name}'", self.ty_name(ty));
            if let Some(near) = near {
                message.push_str(&format!("; did you mean '{near}'?"));
            }
            self.error(&codes::AQ3017, span, message);
            return Expr::error(span);
        };
        if args.iter().any(Expr::is_error) {
            return Expr::error(span);
        }
        let required = row.signature.split('?').next().map_or(0, str::len);
        let most = row.signature.len() - usize::from(row.signature.contains('?'));
        let open = row.signature.starts_with('>') || row.method == Method::Load;
        if args.len() < required || (!open && args.len() > most) {
            if args.len() == most + 1
                && matches!(row.method, Method::Sample(_) | Method::LoadBytes(_) | Method::LoadElement)
            {
                self.error(&codes::AQ3031, span, format!("'{name}' with a status is not supported"));
                return Expr::error(span);
            }
            let wanted = if required == most { most.to_string() } else { format!("{required} to {most}") };
            let message = format!("'{name}' takes {wanted} arguments, not {}", args.len());
            self.error(&codes::AQ3006, span, message);
            return Expr::error(span);
        }
        self.note_stage(row.name, row.stages, span);
        match row.method {
            Method::Unsupported => {
                self.error(&codes::AQ3031, span, format!("'{name}' is not supported"));
                Expr::error(span)
            }
            Method::Sample(_)
            | Method::CompareLevelZero
            | Method::Gather { .. }
            | Method::Load
            | Method::LevelOfDetail(_)
            | Method::SamplePosition => self.texture_method(object, kind, element, row, args, span),
            Method::GetDimensions => self.get_dimensions(object, kind, element, args, span),
            _ => self.buffer_method(object, kind, element, row, args, template, span),
        }
    }

    /// A sampler argument: `comparison` says which kind is wanted (B10.7).
    pub(crate) fn sampler_argument(&mut self, arg: &Expr, comparison: Option<bool>) -> Option<Value> {
        let (Node::Object(object), Type::Object { kind, .. }) = (&arg.node, self.types.get(arg.ty)) else {
            let message = format!("a sampler is expected, not '{}'", self.ty_name(arg.ty));
            self.error(&codes::AQ3039, arg.span, message);
            return None;
        };
        let found = match kind.row().family {
            Family::Sampler => false,
            Family::ComparisonSampler => true,
            _ => {
                let message = format!("a sampler is expected, not '{}'", self.ty_name(arg.ty));
                self.error(&codes::AQ3039, arg.span, message);
                return None;
            }
        };
        if comparison.is_some_and(|wanted| wanted != found) {
            let wanted = if found { "SamplerState" } else { "SamplerComparisonState" };
            let message = format!("'{wanted}' is expected, not '{}'", self.ty_name(arg.ty));
            self.error(&codes::AQ3059, arg.span, message);
            return None;
        }
        self.handle(*object)
    }

    /// The scalar of a texture's texels.
    pub(crate) fn texel_scalar(&self, element: Ty) -> Scalar {
        self.types.numeric(element).map_or(Scalar::F32, |(kind, _)| self.scalar(kind))
    }
}
