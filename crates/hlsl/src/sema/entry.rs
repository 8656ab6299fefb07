//! Entry points: what the stage gives becomes arguments, what the function gives becomes the stage's outputs (A7, A14).

use crate::sema::codes;
use crate::sema::function::{Mode, Param};
use crate::sema::options::IoOrder;
use crate::sema::system_values::{self, Meaning};
use crate::sema::{Current, Sema};
use crate::types::{self, Interpolation, Semantic, Shape, Ty, Type};
use aquatint_base::{HashSet, Span};
use aquatint_ir::types::{self as ir, Scalar, Space};
use aquatint_ir::{
    Attr, Builtin, DepthMode, EntryPoint, Function, GlobalId, GlobalKind, Io, Op, Sampling, Stage, Usage, Value,
};

/// A leaf of the interface: a scalar or vector with a semantic.
#[derive(Clone, Debug)]
struct Leaf {
    ty: Ty,
    semantic: Semantic,
    interpolation: Interpolation,
    location: Option<u32>,
    blend_index: u32,
    span: Span,
}

/// What goes down while a type is taken apart.
#[derive(Clone, Copy, Debug)]
struct Context {
    semantic: Option<Semantic>,
    interpolation: Interpolation,
    location: Option<u32>,
    blend_index: u32,
    span: Span,
}

/// Numbers of a parameter or result of an entry point at most: far more than any stage has room for, and a bound for what is done
/// for each.
const MAX_NUMBERS: u64 = 4096;

/// The interface of one entry point while it is built.
struct Interface {
    stage: Stage,
    input_locations: Vec<(Semantic, u32)>,
    output_locations: Vec<(Semantic, u32)>,
    distances: Vec<(Builtin, u32, Vec<Value>)>,
    depth: DepthMode,
    failed: bool,
}

impl Sema<'_> {
    /// Lowers an entry point of a stage: `function` is its index.
    pub(crate) fn lower_entry(&mut self, function: usize, stage: Stage) {
        let data = self.functions[function].clone();
        let name = data.name;
        let text = self.module.names.get(name).to_owned();
        for param in &data.params {
            if self.types.holds_objects(param.ty) {
                let message =
                    format!("parameter '{}' of entry point '{text}' is no data", self.module.names.get(param.name));
                self.error(&codes::AQ3065, param.span, message);
                return;
            }
        }
        if self.types.holds_objects(data.result) {
            self.error(&codes::AQ3065, data.span, format!("the result of entry point '{text}' is no data"));
            return;
        }
        let all = data.params.iter().filter(|p| !p.uniform).map(|p| (p.ty, p.span));
        for (ty, span) in all.chain([(data.result, data.span)]) {
            // An array of structs without members has elements all the same.
            let size = self.types.leaves(ty).max(self.types.innermost(ty).1);
            if size > MAX_NUMBERS {
                let ty = self.ty_name(ty);
                let message = format!("'{ty}' holds {size} numbers; {MAX_NUMBERS} go into an entry point at most");
                self.error(&codes::AQ3065, span, message);
                return;
            }
        }
        let workgroup = match (stage, data.attributes.numthreads) {
            (Stage::Compute, Some(size)) => size,
            (Stage::Compute, None) => {
                let message = format!("compute entry point '{text}' has no numthreads attribute");
                self.error(&codes::AQ3020, data.span, message);
                return;
            }
            _ => [1; 3],
        };
        let Some(instance) = self.instance(function, &[], 0) else { return };
        let before = self.begin(Function::new(name, ir::VOID), data.span);
        let mut interface = Interface {
            stage,
            input_locations: Vec::new(),
            output_locations: Vec::new(),
            distances: Vec::new(),
            depth: DepthMode::Any,
            failed: false,
        };
        self.assign_locations(&mut interface, &data.params, &data, true);
        self.assign_locations(&mut interface, &data.params, &data, false);
        let mut args = Vec::new();
        let mut outs = Vec::new();
        let uniforms = self.uniform_params.get(&function).cloned();
        for (index, param) in data.params.iter().enumerate() {
            let context = context_of(param);
            let held = self.value_type(param.ty);
            if let Some((resource, places)) = &uniforms
                && let Some(field) = places.get(index).copied().flatten()
            {
                let object = crate::sema::operand::Object { resource: Some(*resource), index: None };
                let block_ty = self.types.intern(Type::Object {
                    kind: types::ObjectKind::ConstantBuffer,
                    element: self.resources[*resource].element,
                });
                let block = self.block_place(object, block_ty, param.span);
                let value = self.field(&block, field, param.span);
                let value = self.read(&value);
                args.push(value);
                continue;
            }
            let value = match param.mode {
                Mode::In | Mode::InOut => Some(self.input(&mut interface, param.ty, &mut { context })),
                Mode::Out => None,
            };
            match param.mode {
                Mode::In => args.extend(value),
                Mode::Out | Mode::InOut => {
                    let copy = self.var(held);
                    if let Some(value) = value {
                        self.store_pointer(copy, value);
                    }
                    args.push(copy);
                    outs.push((copy, param.ty, context));
                }
            }
        }
        self.entry_statics.push(self.cur.function.regions[self.cur.region].insts.len());
        let result_ty = self.value_type(data.result);
        let id = self.instances[instance].id;
        let results: &[ir::TypeId] = if result_ty == ir::VOID { &[] } else { &[result_ty] };
        let call = self.b().push(Op::Call, Attr::Function(id), &args, results);
        if data.result != types::VOID {
            let value = self.b().result(call);
            let context = Context {
                semantic: data.semantic,
                interpolation: Interpolation::default(),
                location: data.location,
                blend_index: 0,
                span: data.span,
            };
            self.output(&mut interface, value, data.result, &mut { context });
        }
        for (copy, ty, mut context) in outs {
            let value = self.load_pointer(copy);
            self.output(&mut interface, value, ty, &mut context);
        }
        self.store_distances(&mut interface);
        self.b().terminate(Op::Return, &[]);
        let wrapper = self.finish(before);
        let unique = self.unique_function_name(&text);
        let mut function = wrapper.function;
        function.name = unique;
        let id = self.module.functions.push(function);
        self.entries.push((self.module.entry_points.len(), instance, data.span));
        self.module.entry_points.push(EntryPoint {
            name,
            stage,
            function: id,
            workgroup_size: workgroup,
            depth: interface.depth,
            early_tests: data.attributes.early && stage == Stage::Fragment,
        });
    }

    fn assign_locations<B>(
        &mut self,
        interface: &mut Interface,
        params: &[Param],
        function: &crate::sema::function::Function<B>,
        input: bool,
    ) {
        let mut leaves = Vec::new();
        if !input && function.result != types::VOID {
            let context = Context {
                semantic: function.semantic,
                interpolation: Interpolation::default(),
                location: function.location,
                blend_index: 0,
                span: function.span,
            };
            self.leaves_of_interface(function.result, &mut { context }, &mut leaves);
        }
        for param in params.iter().filter(|p| !p.uniform) {
            let goes = match param.mode {
                Mode::In => input,
                Mode::Out => !input,
                Mode::InOut => true,
            };
            if goes {
                self.leaves_of_interface(param.ty, &mut context_of(param), &mut leaves);
            }
        }
        let mut located: Vec<&Leaf> = Vec::new();
        let mut seen = HashSet::default();
        for leaf in &leaves {
            if !seen.insert((leaf.semantic.name, leaf.semantic.index)) {
                let name = self.semantic_text(leaf.semantic);
                let way = if input { "inputs" } else { "outputs" };
                self.error(&codes::AQ3023, leaf.span, format!("two {way} have the semantic '{name}'"));
                interface.failed = true;
            }
            if self.meaning(leaf.semantic, interface.stage, input) == Meaning::Located {
                located.push(leaf);
            }
        }
        if self.options.io_order == IoOrder::Alphabetical {
            let names = &self.module.names;
            located.sort_by(|a, b| {
                (names.get(a.semantic.name), a.semantic.index).cmp(&(names.get(b.semantic.name), b.semantic.index))
            });
        }
        let explicit = located.iter().filter(|l| l.location.is_some()).count();
        if explicit != 0 && explicit != located.len() {
            let way = if input { "inputs" } else { "outputs" };
            self.error(&codes::AQ3025, function.span, format!("some {way} have a location and others have none"));
            interface.failed = true;
        }
        let mut next = 0;
        let mut places = Vec::new();
        for leaf in located {
            let location = leaf.location.unwrap_or(next);
            places.push((leaf.semantic, location));
            let wide = matches!(self.types.numeric(leaf.ty), Some((k, s)) if k.width() == 64 && !k.is_literal() && s.count() > 2);
            next = location.saturating_add(1 + u32::from(wide));
        }
        match input {
            true => interface.input_locations = places,
            false => interface.output_locations = places,
        }
    }

    fn semantic_text(&self, semantic: Semantic) -> String {
        format!("{}{}", self.module.names.get(semantic.name).to_uppercase(), semantic.index)
    }

    fn meaning(&self, semantic: Semantic, stage: Stage, input: bool) -> Meaning {
        let name = self.module.names.get(semantic.name);
        let name = match self.options.legacy_semantics {
            true => system_values::legacy(name, stage, input).unwrap_or(name),
            false => name,
        };
        system_values::meaning(name, stage, input)
    }

    /// Goes through a type depth first, in the order of declarations (A7.3).
    fn leaves_of_interface(&mut self, ty: Ty, context: &mut Context, out: &mut Vec<Leaf>) {
        match self.types.get(ty) {
            Type::Array(element, length) => {
                for _ in 0..length.unwrap_or(0) {
                    self.leaves_of_interface(element, context, out);
                }
            }
            Type::Struct(id) => {
                for field in self.types.structs[id].fields.clone() {
                    let mut inner = below(context, &field);
                    self.leaves_of_interface(field.ty, &mut inner, out);
                    above(context, &inner);
                }
            }
            Type::Matrix { kind, rows, columns, .. } => {
                let row = self.types.vector(kind, columns);
                for _ in 0..rows {
                    self.leaves_of_interface(row, context, out);
                }
            }
            _ => {
                if let Some(leaf) = leaf(ty, context) {
                    out.push(leaf);
                }
            }
        }
    }

    /// The value that the stage gives for a type.
    fn input(&mut self, interface: &mut Interface, ty: Ty, context: &mut Context) -> Value {
        let held = self.value_type(ty);
        let parts: Vec<Value> = match self.types.get(ty) {
            Type::Array(element, length) => {
                (0..length.unwrap_or(0)).map(|_| self.input(interface, element, context)).collect()
            }
            Type::Struct(id) => {
                let mut parts = Vec::new();
                for (index, field) in self.types.structs[id].fields.clone().into_iter().enumerate() {
                    if self.member_index(ty, index).is_none() {
                        continue;
                    }
                    let mut inner = below(context, &field);
                    parts.push(self.input(interface, field.ty, &mut inner));
                    above(context, &inner);
                }
                parts
            }
            Type::Matrix { kind, rows, columns, .. } => {
                let row = self.types.vector(kind, columns);
                let lines: Vec<Value> = (0..rows).map(|_| self.input(interface, row, context)).collect();
                if rows == 1 || columns == 1 {
                    return if rows == 1 { lines[0] } else { self.vector_of(&lines) };
                }
                lines
            }
            _ => {
                return match leaf(ty, context) {
                    Some(leaf) => self.input_leaf(interface, &leaf),
                    None => {
                        self.no_semantic(interface, ty, context);
                        self.placeholder(ty)
                    }
                };
            }
        };
        self.construct(held, &parts)
    }

    fn no_semantic(&mut self, interface: &mut Interface, ty: Ty, context: &Context) {
        if ty != types::ERROR {
            let message = format!("this '{}' of an entry point has no semantic", self.ty_name(ty));
            self.error(&codes::AQ3022, context.span, message);
        }
        interface.failed = true;
    }

    fn wrong_semantic(&mut self, interface: &mut Interface, leaf: &Leaf, meaning: Meaning, input: bool) {
        let name = self.semantic_text(leaf.semantic);
        let way = if input { "an input" } else { "an output" };
        let message = match meaning {
            Meaning::Unknown => {
                let lower = self.module.names.get(leaf.semantic.name).to_owned();
                let near = crate::sema::nearest(&lower, system_values::names())
                    .map_or(String::new(), |near| format!("; did you mean '{}'?", near.to_uppercase()));
                format!("there is no system value '{name}'{near}")
            }
            Meaning::OtherStage => format!("'{name}' belongs to a stage that is not supported"),
            _ => format!("'{name}' is not {way} of a {} stage", interface.stage.name()),
        };
        self.error(&codes::AQ3024, leaf.span, message);
        interface.failed = true;
    }

    /// The input or output of a built-in: the one that there is, or a new one.
    fn builtin_global(&mut self, builtin: Builtin, ty: ir::TypeId, semantic: Semantic, space: Space) -> GlobalId {
        if let Some(global) = self.module.find_builtin(builtin, space) {
            return global;
        }
        let io = self.named(Io::built_in(builtin), semantic);
        let (way, kind) = match space {
            Space::Input => ("in", GlobalKind::Input(io)),
            _ => ("out", GlobalKind::Output(io)),
        };
        self.module.add_global(&format!("{way}.{}", builtin.name()), ty, space, kind)
    }

    fn input_leaf(&mut self, interface: &mut Interface, leaf: &Leaf) -> Value {
        let meaning = self.meaning(leaf.semantic, interface.stage, true);
        let Some((kind, shape)) = self.types.numeric(leaf.ty) else { return self.placeholder(leaf.ty) };
        let lanes = shape.count();
        let scalar = self.scalar(kind);
        match meaning {
            Meaning::Builtin(builtin, ty) => {
                let global = self.builtin_global(builtin, ty, leaf.semantic, Space::Input);
                let mut value = self.load_pointer(Value::global(global));
                let (_, given) = ir::lanes_of(ty).unwrap_or((Scalar::U32, 1));
                if lanes > given {
                    self.wrong_type(interface, leaf);
                    return self.placeholder(leaf.ty);
                }
                // A scalar where a vector is expected is its prefix (A7.7).
                value = self.shuffle(value, &[0, 1, 2, 3][..usize::from(lanes)]);
                self.convert_kind(value, scalar)
            }
            Meaning::Located => {
                let location = interface
                    .input_locations
                    .iter()
                    .find(|(s, _)| (s.name, s.index) == (leaf.semantic.name, leaf.semantic.index))
                    .map_or(0, |l| l.1);
                let stored = if scalar == Scalar::Bool { Scalar::U32 } else { scalar };
                let io = self.io_at(location, leaf, interface.stage == Stage::Fragment, stored);
                let name = format!("in.{}", self.semantic_text(leaf.semantic).to_lowercase());
                let ty = ir::vector(stored, lanes);
                let global = self.module.add_global(&name, ty, Space::Input, GlobalKind::Input(io));
                self.module.globals[global].span = leaf.span;
                let value = self.load_pointer(Value::global(global));
                self.convert_kind(value, scalar)
            }
            other => {
                self.wrong_semantic(interface, leaf, other, true);
                self.placeholder(leaf.ty)
            }
        }
    }

    fn wrong_type(&mut self, interface: &mut Interface, leaf: &Leaf) {
        let message = format!("'{}' cannot be '{}'", self.semantic_text(leaf.semantic), self.ty_name(leaf.ty));
        self.error(&codes::AQ3024, leaf.span, message);
        interface.failed = true;
    }

    fn named(&mut self, io: Io, semantic: Semantic) -> Io {
        Io { usage: Some(Usage { name: semantic.name, index: semantic.index }), ..io }
    }

    fn io_at(&mut self, location: u32, leaf: &Leaf, varying: bool, kind: Scalar) -> Io {
        let mut io = self.named(Io::at(location), leaf.semantic);
        let modifiers = leaf.interpolation;
        io.blend_index = leaf.blend_index;
        if modifiers.flat && (modifiers.linear || modifiers.centroid || modifiers.sample) {
            let message = "'nointerpolation' excludes other interpolation modifiers".to_owned();
            self.error(&codes::AQ3024, leaf.span, message);
        }
        if modifiers.linear {
            io.interpolation = aquatint_ir::Interpolation::Linear;
        }
        if modifiers.flat || (varying && !matches!(kind, Scalar::F16 | Scalar::F32)) {
            io.interpolation = aquatint_ir::Interpolation::Flat;
        }
        if modifiers.centroid {
            io.sampling = Sampling::Centroid;
        }
        if modifiers.sample {
            io.sampling = Sampling::Sample;
        }
        io
    }

    fn output(&mut self, interface: &mut Interface, value: Value, ty: Ty, context: &mut Context) {
        match self.types.get(ty) {
            Type::Array(element, length) => {
                for i in 0..length.unwrap_or(0) {
                    let part = self.extract(value, i);
                    self.output(interface, part, element, context);
                }
            }
            Type::Struct(id) => {
                for (index, field) in self.types.structs[id].fields.clone().into_iter().enumerate() {
                    let Some(member) = self.member_index(ty, index) else { continue };
                    let part = self.extract(value, member);
                    let mut inner = below(context, &field);
                    self.output(interface, part, field.ty, &mut inner);
                    above(context, &inner);
                }
            }
            Type::Matrix { kind, rows, columns, .. } => {
                let row = self.types.vector(kind, columns);
                for r in 0..rows {
                    let part = match Shape::Matrix(rows, columns).held() {
                        Shape::Scalar => value,
                        Shape::Vector(_) if rows == 1 => value,
                        _ => self.extract(value, u32::from(r)),
                    };
                    self.output(interface, part, row, context);
                }
            }
            _ => match leaf(ty, context) {
                Some(leaf) => self.output_leaf(interface, value, &leaf),
                None => self.no_semantic(interface, ty, context),
            },
        }
    }

    fn output_leaf(&mut self, interface: &mut Interface, value: Value, leaf: &Leaf) {
        let meaning = self.meaning(leaf.semantic, interface.stage, false);
        let (scalar, lanes) = self.lanes(value);
        match meaning {
            Meaning::Builtin(builtin, ty) => self.builtin_output(interface, builtin, ty, value, leaf),
            Meaning::Depth(mode) => {
                interface.depth = mode;
                self.builtin_output(interface, Builtin::FragDepth, ir::F32, value, leaf);
            }
            Meaning::Distances(builtin) => {
                let value = self.convert_kind(value, Scalar::F32);
                let mut parts = Vec::new();
                let shape = if lanes == 1 { Shape::Scalar } else { Shape::Vector(lanes) };
                self.shape_leaves(value, shape, &mut parts);
                interface.distances.push((builtin, leaf.semantic.index, parts));
            }
            Meaning::Target | Meaning::Located => {
                let location = match meaning {
                    Meaning::Target => leaf.semantic.index,
                    _ => interface
                        .output_locations
                        .iter()
                        .find(|(s, _)| (s.name, s.index) == (leaf.semantic.name, leaf.semantic.index))
                        .map_or(0, |l| l.1),
                };
                if meaning == Meaning::Target && location > 7 {
                    self.wrong_semantic(interface, leaf, Meaning::Invalid, false);
                    return;
                }
                let stored = if scalar == Scalar::Bool { Scalar::U32 } else { scalar };
                let io = self.io_at(location, leaf, interface.stage == Stage::Vertex, stored);
                let name = format!("out.{}", self.semantic_text(leaf.semantic).to_lowercase());
                let ty = ir::vector(stored, lanes);
                let global = self.module.add_global(&name, ty, Space::Output, GlobalKind::Output(io));
                self.module.globals[global].span = leaf.span;
                let value = self.convert_kind(value, stored);
                self.store_pointer(Value::global(global), value);
            }
            other => self.wrong_semantic(interface, leaf, other, false),
        }
    }

    fn builtin_output(
        &mut self,
        interface: &mut Interface,
        builtin: Builtin,
        ty: ir::TypeId,
        value: Value,
        leaf: &Leaf,
    ) {
        let (kind, lanes) = ir::lanes_of(ty).unwrap_or((Scalar::F32, 1));
        if self.lanes(value).1 != lanes {
            self.wrong_type(interface, leaf);
            return;
        }
        let global = self.builtin_global(builtin, ty, leaf.semantic, Space::Output);
        let value = self.convert_kind(value, kind);
        self.store_pointer(Value::global(global), value);
    }

    /// Distances are sorted by their index and put together (D7.5).
    fn store_distances(&mut self, interface: &mut Interface) {
        for builtin in [Builtin::ClipDistance, Builtin::CullDistance] {
            let mut parts: Vec<(u32, Vec<Value>)> =
                interface.distances.iter().filter(|d| d.0 == builtin).map(|d| (d.1, d.2.clone())).collect();
            if parts.is_empty() {
                continue;
            }
            parts.sort_by_key(|p| p.0);
            let all: Vec<Value> = parts.into_iter().flat_map(|p| p.1).collect();
            let ty = self.module.types.array(ir::F32, all.len() as u32);
            let name = format!("out.{}", builtin.name());
            let kind = GlobalKind::Output(Io::built_in(builtin));
            let global = self.module.add_global(&name, ty, Space::Output, kind);
            for (i, value) in all.into_iter().enumerate() {
                let to = self.access_at(Value::global(global), i as u32);
                self.store_pointer(to, value);
            }
        }
    }

    /// Starts a function; what was being built is returned, to be given back to [`Sema::finish`].
    pub(crate) fn begin(&mut self, function: Function, span: Span) -> Current {
        let region = function.body;
        std::mem::replace(&mut self.cur, Current::new(function, region, span))
    }

    /// Ends a function, and goes on with the one before.
    pub(crate) fn finish(&mut self, before: Current) -> Current {
        std::mem::replace(&mut self.cur, before)
    }
}

fn context_of(param: &Param) -> Context {
    Context {
        semantic: param.semantic,
        interpolation: param.interpolation,
        location: param.location,
        blend_index: 0,
        span: param.span,
    }
}

/// What a field of a struct is given: the semantic of what holds it wins (A7.3).
fn below(context: &Context, field: &types::Field) -> Context {
    let interpolation = if field.interpolation.is_default() { context.interpolation } else { field.interpolation };
    Context {
        semantic: context.semantic.or(field.semantic),
        interpolation,
        location: context.location.or(field.location),
        blend_index: field.blend_index.unwrap_or(context.blend_index),
        span: field.span,
    }
}

/// Indices that a field used up count on in what holds it.
fn above(context: &mut Context, inner: &Context) {
    if context.semantic.is_some() {
        context.semantic = inner.semantic;
    }
    if context.location.is_some() {
        context.location = inner.location;
    }
}

/// The next leaf; the index counts on.
fn leaf(ty: Ty, context: &mut Context) -> Option<Leaf> {
    let semantic = context.semantic?;
    let leaf = Leaf {
        ty,
        semantic,
        interpolation: context.interpolation,
        location: context.location,
        blend_index: context.blend_index,
        span: context.span,
    };
    if let Some(semantic) = &mut context.semantic {
        semantic.index = semantic.index.saturating_add(1);
    }
    if let Some(location) = &mut context.location {
        *location = location.saturating_add(1);
    }
    Some(leaf)
}
