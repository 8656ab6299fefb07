//! Whether Metal can do it: every diagnostic of this writer comes from here, and what passes is written without another
//! question. Linear in what the entry reaches.

use crate::codes;
use crate::order::Order;
use crate::raise::name_interface::{Table, builtin_attribute, indices, table_of};
use crate::reach::{Flags, Reach, reach};
use crate::{Naming, Options, VERTEX_BUFFER_INDEX};
use aquatint_base::{Code, Diagnostic, Diags, Span};
use aquatint_ir::op::{QuadLane, Wave};
use aquatint_ir::types::{Dim, Scalar, Space, TextureKind, Type, TypeId, lanes_of};
use aquatint_ir::walk::Step;
use aquatint_ir::{Attr, Builtin, Function, GlobalId, GlobalKind, InstId, Module, Op, SampleAttr, Stage, Value};
use smallvec::SmallVec;

/// Regions within regions.
const DEPTH: usize = 128;
/// Functions times globals: each function gets what it needs as parameters.
const NEEDS: usize = 1 << 24;
/// Types within types.
const TYPE_DEPTH: usize = 64;

struct State<'a> {
    module: &'a Module,
    options: &'a Options,
    stage: Stage,
    reach: &'a Reach,
    diags: &'a mut Diags,
    types: Flags,
}

/// Finds the entry and what it reaches, and refuses what has no Metal form.
pub(crate) fn check(module: &Module, entry: &str, options: &Options, diags: &mut Diags) -> Option<Reach> {
    let Some(point) = module.entry(entry) else {
        let known: Vec<&str> = module.entry_points.iter().map(|e| module.name(e.name)).collect();
        diags.push(
            Diagnostic::error(&codes::NO_ENTRY, format!("there is no entry point named '{entry}'"))
                .note(format!("the module has: {}", known.join(", "))),
        );
        return None;
    };
    let before = diags.errors();
    if module.functions.len().saturating_mul(module.globals.len()) > NEEDS {
        let message = format!("{} functions with {} globals", module.functions.len(), module.globals.len());
        diags.push(Diagnostic::error(&codes::NEEDS, message));
        return None;
    }
    let reach = reach(module, point, indices(module, options));
    let mut state = State {
        module,
        options,
        stage: point.stage,
        reach: &reach,
        diags: &mut *diags,
        types: Flags::from_elem(false, module.types.len()),
    };
    state.entry();
    state.globals();
    for (&id, order) in reach.functions.iter().zip(&reach.orders) {
        if let Some(function) = module.functions.get(id) {
            state.function(function, order);
        }
    }
    (diags.errors() == before).then_some(reach)
}

impl State<'_> {
    fn error(&mut self, code: &'static Code, span: Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(code, message);
        self.diags.push(if span.is_none() { diagnostic } else { diagnostic.at(span, "") });
    }

    fn entry(&mut self) {
        if self.stage == Stage::Compute {
            let size: u64 = self.reach.entry.workgroup_size.iter().map(|&n| u64::from(n)).product();
            if size > 1024 {
                self.error(
                    &codes::WORKGROUP_SIZE,
                    Span::NONE,
                    format!("a threadgroup of {size} threads; Metal's largest has 1024"),
                );
            }
        }
    }

    fn globals(&mut self) {
        let reach = self.reach;
        let mut attributes = 0u32;
        // Vertex attributes come out of a buffer as well.
        let fetches = self.stage == Stage::Vertex
            && self.options.naming == Naming::Sheet
            && reach.globals().iter().any(|&g| {
                let global = &self.module.globals[g];
                global.space == Space::Input && global.io().is_some_and(|io| io.location.is_some())
            });
        let mut workgroup = 0u64;
        for &id in reach.globals() {
            let Some(global) = self.module.globals.get(id) else { continue };
            let span = global.span;
            self.ty(global.ty, span);
            match global.kind {
                GlobalKind::Input(io) | GlobalKind::Output(io) => {
                    if let Some(builtin) = io.builtin {
                        self.builtin(builtin, global.space, span);
                    } else {
                        attributes += u32::from(global.space == Space::Input);
                        self.io_type(id);
                    }
                }
                GlobalKind::Resource { .. } | GlobalKind::Push => self.resource(id, reach.indices[id.index()], fetches),
                GlobalKind::Workgroup => {
                    workgroup = workgroup.saturating_add(u64::from(crate::print::size_of(self.module, global.ty)));
                }
                GlobalKind::Private(_) => {}
            }
        }
        if self.stage == Stage::Vertex && attributes > 31 {
            self.error(&codes::IO_TYPE, Span::NONE, format!("{attributes} vertex attributes; Metal has 31"));
        }
        if workgroup > 32768 {
            self.error(
                &codes::WORKGROUP_MEMORY,
                Span::NONE,
                format!("{workgroup} bytes of threadgroup memory; Metal has 32768"),
            );
        }
    }

    fn builtin(&mut self, builtin: Builtin, space: Space, span: Span) {
        if builtin == Builtin::CullDistance {
            return self.error(&codes::CULL_DISTANCE, span, "cull distances have no form in Metal");
        }
        if builtin_attribute(builtin, self.stage, space).is_none() {
            self.error(
                &codes::SYSTEM_VALUE,
                span,
                format!("'{}' has no attribute in a {} function", builtin.name(), self.stage.name()),
            );
        }
    }

    fn io_type(&mut self, id: GlobalId) {
        let module = self.module;
        let global = &module.globals[id];
        let location = global.io().and_then(|io| io.location).unwrap_or(0);
        let name = module.name(global.name);
        let span = global.span;
        match lanes_of(global.ty) {
            Some((kind, _)) if kind.bits() < 64 => {}
            _ => self.error(&codes::IO_TYPE, span, format!("'{name}' is no 16- or 32-bit scalar or vector")),
        }
        if self.stage == Stage::Vertex && global.space == Space::Input && location > 30 {
            self.error(&codes::IO_TYPE, span, format!("'{name}' is attribute {location}; Metal's last is 30"));
        }
    }

    fn resource(&mut self, id: GlobalId, index: u32, fetches: bool) {
        let module = self.module;
        let global = &module.globals[id];
        let (span, name) = (global.span, module.name(global.name));
        let Some((table, count)) = table_of(self.module, global) else { return };
        if global.space == Space::Handle
            && let Type::Array { element, length, .. } = self.module.types.get(global.ty)
        {
            if length.is_none() {
                return self.error(&codes::UNBOUNDED, span, format!("'{name}' is an array without a length"));
            }
            if matches!(self.module.types.get(element), Type::Array { .. }) {
                return self.error(&codes::NO_FORM, span, format!("'{name}' is an array of arrays of handles"));
            }
        }
        let counter = u32::from(matches!(global.kind, GlobalKind::Resource { counter: true, .. }));
        let last = u64::from(index) + u64::from(count.max(1)) - 1 + u64::from(counter);
        let (limit, word) = match table {
            Table::Buffer => (31, "buffer"),
            Table::Texture => (128, "texture"),
            Table::Sampler => (16, "sampler"),
        };
        if last >= limit {
            return self.error(
                &codes::INDEX_LIMIT,
                span,
                format!("'{name}' reaches {word} index {last}; Metal's last is {}", limit - 1),
            );
        }
        if table == Table::Buffer && fetches && last >= u64::from(VERTEX_BUFFER_INDEX) {
            self.error(
                &codes::INDEX_LIMIT,
                span,
                format!("'{name}' is at buffer index {last}, which carries the vertex attributes"),
            );
        }
    }

    /// Looks at a type once.
    fn ty(&mut self, ty: TypeId, span: Span) {
        if lanes_of(ty).is_some_and(|(kind, _)| kind != Scalar::F64) || self.types.get(ty.index()) == Some(&true) {
            return;
        }
        let mut stack = SmallVec::<[(TypeId, usize); 8]>::from_slice(&[(ty, 0)]);
        while let Some((ty, depth)) = stack.pop() {
            if depth > TYPE_DEPTH {
                return self.error(&codes::TYPE_NESTING, span, format!("a type nests more than {TYPE_DEPTH} deep"));
            }
            match self.types.get_mut(ty.index()) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            match self.module.types.get(ty) {
                Type::Scalar(Scalar::F64) | Type::Vector(Scalar::F64, _) => {
                    self.error(&codes::WIDE, span, "Metal has no double");
                }
                Type::Matrix { scalar, .. } if !scalar.is_float() || scalar == Scalar::F64 => {
                    let code = if scalar == Scalar::F64 { &codes::WIDE } else { &codes::INTEGER_MATRIX };
                    self.error(code, span, format!("Metal has no matrices of {}", scalar.name()));
                }
                Type::Matrix { rows, columns, .. } if rows < 2 || columns < 2 => {
                    self.error(&codes::NO_FORM, span, "a matrix of one row or column is a vector in Metal");
                }
                Type::Array { element, .. } => stack.push((element, depth + 1)),
                Type::Pointer { pointee, .. } => stack.push((pointee, depth + 1)),
                Type::Struct(id) => {
                    if let Some(s) = self.module.types.structs.get(id) {
                        stack.extend(s.members.iter().map(|m| (m.ty, depth + 1)));
                        self.overlaps(id, span);
                    }
                }
                Type::Texture(t) if t.kind == TextureKind::Depth && !matches!(t.dim, Dim::D2 | Dim::Cube) => {
                    self.error(&codes::COMPARE_DIMENSION, span, format!("no depth textures of kind {}", t.dim.name()));
                }
                _ => {}
            }
        }
    }

    /// Members that share bytes cannot be members of one struct in Metal.
    fn overlaps(&mut self, id: aquatint_base::Id<aquatint_ir::Struct>, span: Span) {
        let s = &self.module.types.structs[id];
        let mut end = 0u32;
        for (index, member) in s.members.iter().enumerate() {
            let Some(layout) = member.layout else { continue };
            if layout.offset < end {
                let name = self.module.name(member.name).to_owned();
                return self.error(&codes::OVERLAP, span, format!("'{name}' overlaps the member before it"));
            }
            end = layout.offset.saturating_add(crate::print::extent(self.module, s, index));
        }
    }

    fn function(&mut self, function: &Function, order: &Order) {
        let mut depth = 0;
        for step in order.iter() {
            match step {
                Step::Enter(..) => {
                    depth += 1;
                    if depth > DEPTH {
                        let message = format!("control flow nests more than {DEPTH} deep");
                        return self.error(&codes::NESTING, Span::NONE, message);
                    }
                }
                Step::Leave(_) => depth -= 1,
                Step::Inst(id) => self.inst(function, id),
            }
        }
    }

    fn inst(&mut self, function: &Function, id: InstId) {
        let inst = &function.insts[id];
        for result in function.results(id) {
            let ty = function.locals[result].ty;
            if lanes_of(ty).is_none_or(|(kind, _)| kind == Scalar::F64) {
                self.ty(ty, function.span(id));
            }
        }
        let operands = function.operands(id);
        match inst.op {
            // The bulk of a shader: nothing to ask.
            Op::FAdd | Op::FMulLegacy | Op::FmaLegacy | Op::Shuffle | Op::Extract | Op::Access => {}
            Op::Load | Op::Store => self.memory(function, id, operands),
            Op::LoadBytes | Op::StoreBytes => {
                let ty = match inst.op {
                    Op::LoadBytes => function.result(id).map(|l| function.locals[l].ty),
                    _ => operands.get(2).map(|&v| self.module.type_of(function, v)),
                };
                if !ty.and_then(lanes_of).is_some_and(|(kind, _)| kind != Scalar::Bool && kind.bits() < 64) {
                    self.no_form(function, id, "bytes of a buffer as anything but 16- and 32-bit numbers");
                }
            }
            Op::Construct => {
                if let Some(result) = function.result(id)
                    && let Type::Struct(s) = self.module.types.get(function.locals[result].ty)
                    && self.module.types.structs.get(s).is_some_and(|s| s.members.iter().any(|m| m.layout.is_some()))
                {
                    self.no_form(function, id, "a value of a struct with a memory layout");
                }
            }
            Op::ArrayLength => {
                self.error(&codes::ARRAY_LENGTH, function.span(id), "the length of a buffer cannot be asked for");
            }
            Op::ImageAtomic => {
                self.error(&codes::TEXTURE_ATOMIC, function.span(id), "an atomic on a texture");
            }
            Op::Atomic => {
                let wide = operands
                    .last()
                    .and_then(|&v| lanes_of(self.module.type_of(function, v)))
                    .is_some_and(|(kind, lanes)| kind.bits() != 32 || lanes != 1 || kind.is_float());
                if wide {
                    self.error(&codes::WIDE, function.span(id), "an atomic on anything but a 32-bit integer");
                }
            }
            Op::Barrier if self.stage != Stage::Compute => {
                let message = format!("a barrier in a {} function", self.stage.name());
                self.error(&codes::FRAGMENT_BARRIER, function.span(id), message);
            }
            Op::Sample | Op::Gather => self.sampling(function, id, operands),
            Op::WaveOp => self.wave(function, id),
            Op::QuadOp => {
                let any_all = matches!(inst.attr, Attr::Quad(QuadLane::Any | QuadLane::All | QuadLane::At));
                if self.stage == Stage::Vertex {
                    self.error(&codes::VERTEX_WAVE, function.span(id), "a quad operation in a vertex function");
                } else if !any_all && operands.is_empty() {
                    self.no_form(function, id, "a quad operation without an operand");
                }
            }
            Op::DotLegacy
            | Op::LrpLegacy
            | Op::CrossLegacy
            | Op::RcpD3d9
            | Op::RSqrtD3d9
            | Op::Exp2D3d9
            | Op::Log2D3d9
            | Op::PowD3d9
            | Op::NrmD3d9
            | Op::LitD3d9
            | Op::DstD3d9
            | Op::FractD3d9
            | Op::MinD3d9
            | Op::MaxD3d9
            | Op::SgnD3d9 => {
                let lanes = operands.first().and_then(|&v| lanes_of(self.module.type_of(function, v)));
                let short = inst.op == Op::NrmD3d9 && lanes.is_some_and(|(_, lanes)| lanes < 3);
                if lanes.is_none_or(|(kind, _)| kind != Scalar::F32) || short {
                    self.no_form(function, id, "Direct3D 9 arithmetic on anything but floats");
                }
            }
            _ => {}
        }
    }

    fn no_form(&mut self, function: &Function, id: InstId, what: &str) {
        let message = format!("{what} ('{}') has no form in Metal", function.insts[id].op.name());
        self.error(&codes::NO_FORM, function.span(id), message);
    }

    /// Whole arrays and runs cannot be copied out of buffers, and matrices there cannot be stored in one go.
    fn memory(&mut self, function: &Function, id: InstId, operands: &[Value]) {
        let Some(&pointer) = operands.first() else { return };
        let Type::Pointer { space, pointee } = self.module.types.get(self.module.type_of(function, pointer)) else {
            return self.no_form(function, id, "access through what is no pointer");
        };
        if !matches!(space, Space::Uniform | Space::Storage | Space::Push | Space::Input | Space::Output) {
            return;
        }
        match self.module.types.get(pointee) {
            Type::Array { .. } => self.no_form(function, id, "a copy of a whole array in a buffer or stage struct"),
            Type::Matrix { .. } if function.insts[id].op == Op::Store => {
                self.no_form(function, id, "a store of a matrix to a buffer");
            }
            Type::Struct(_) if function.insts[id].op == Op::Store => {
                self.no_form(function, id, "a store of a struct to a buffer");
            }
            _ => {}
        }
    }

    fn sampling(&mut self, function: &Function, id: InstId, operands: &[Value]) {
        let inst = &function.insts[id];
        let span = function.span(id);
        let Some(&handle) = operands.first() else { return };
        let Type::Texture(texture) = self.module.types.get(self.module.type_of(function, handle)) else {
            return self.no_form(function, id, "sampling of what is no texture");
        };
        let (flags, component) = match inst.attr {
            Attr::Sample(flags) => (flags, 0),
            Attr::Gather(flags, component) => (flags, component),
            _ => return,
        };
        let depth = texture.kind == TextureKind::Depth;
        if flags.has(SampleAttr::COMPARE) && !depth {
            let message = format!("comparison sampling of a texture of kind {}", texture.dim.name());
            self.error(&codes::COMPARE_DIMENSION, span, message);
        }
        if flags.has(SampleAttr::OFFSET) && !matches!(texture.dim, Dim::D2 | Dim::D3) {
            self.error(&codes::OFFSET_DIMENSION, span, format!("a texel offset on kind {}", texture.dim.name()));
        }
        if flags.has(SampleAttr::OFFSETS) {
            self.no_form(function, id, "a gather with four offsets");
        }
        let constant = |v: &Value| v.as_constant().is_some();
        let clamp = usize::from(flags.has(SampleAttr::CLAMP));
        if flags.has(SampleAttr::OFFSET) && !operands.iter().rev().nth(clamp).is_some_and(constant) {
            self.error(&codes::OFFSET_CONSTANT, span, "a texel offset that is not constant");
        }
        if inst.op == Op::Gather && depth && component > 0 {
            self.error(&codes::GATHER_DEPTH, span, "a gather of another channel than red from a depth texture");
        }
        let levels = SampleAttr::LEVEL | SampleAttr::BIAS | SampleAttr::GRADIENT;
        if texture.dim == Dim::D1 && flags.has(levels) {
            self.diags
                .push(Diagnostic::warning(&codes::LEVEL_DROPPED, "the level of a 1D texture is dropped").at(span, ""));
        }
    }

    fn wave(&mut self, function: &Function, id: InstId) {
        let Attr::Wave(wave) = function.insts[id].attr else { return };
        if self.stage == Stage::Vertex {
            return self.error(&codes::VERTEX_WAVE, function.span(id), "a wave operation in a vertex function");
        }
        let wide = function
            .operands(id)
            .first()
            .and_then(|&v| lanes_of(self.module.type_of(function, v)))
            .is_some_and(|(kind, _)| kind.bits() == 64);
        if wide {
            return self.error(&codes::WIDE, function.span(id), "a wave operation on 64 bits");
        }
        let known = matches!(
            wave,
            Wave::IsFirst
                | Wave::AnyTrue
                | Wave::AllTrue
                | Wave::ReadFirst
                | Wave::ReadAt
                | Wave::Sum
                | Wave::Product
                | Wave::And
                | Wave::Or
                | Wave::Xor
                | Wave::Min
                | Wave::Max
                | Wave::PrefixSum
                | Wave::PrefixProduct
        );
        if !known {
            self.no_form(function, id, wave.name());
        }
    }
}
