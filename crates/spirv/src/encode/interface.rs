//! Globals, their decorations, and the entry point.

use super::Encoder;
use super::types::storage_class;
use super::words::Words;
use crate::Environment;
use aquatint_ir::types::{self, Access, Scalar, Space, Texture, TextureKind, Type};
use aquatint_ir::{Builtin, Denormals, DepthMode, GlobalId, GlobalKind, Interpolation, Io, Sampling, Stage};
use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

impl Encoder<'_> {
    /// The id of the variable of a global.
    pub fn global(&mut self, global: GlobalId) -> u32 {
        let index = global.index();
        if self.globals[index] != 0 {
            return self.globals[index];
        }
        let module = self.module;
        let item = &module.globals[global];
        self.narrow_storage(item.ty, item.space);
        let class = storage_class(item.space);
        let pointee = self.ty(item.ty);
        let pointer = self.pointer(class, pointee);
        let id = self.id();
        let initial = match item.kind {
            GlobalKind::Private(first) => Some(match module.spec_constants.iter().find(|s| s.global == global) {
                Some(spec) => self.spec_constant(spec),
                None => match first {
                    Some(constant) => self.constant(constant),
                    None => self.null(pointee),
                },
            }),
            _ => None,
        };
        self.declarations.op2(Op::Variable, &[pointer, id, class as u32], initial.as_slice());
        self.globals[index] = id;
        self.name(id, module.names.get(item.name));
        match item.kind {
            GlobalKind::Input(io) | GlobalKind::Output(io) => self.decorate_io(id, item.space, &io, item.ty),
            GlobalKind::Resource { binding, writable, .. } => {
                self.decorations.op(Op::Decorate, &[id, Decoration::DescriptorSet as u32, binding.space]);
                let number = self.options.binding(binding.class, binding.register);
                self.decorations.op(Op::Decorate, &[id, Decoration::Binding as u32, number]);
                if matches!(item.space, Space::Uniform | Space::Storage) {
                    self.block(pointee);
                }
                let access = match self.element_of(item.ty) {
                    Type::Texture(Texture { kind: TextureKind::Storage(_, access), .. }) => Some(access),
                    _ if item.space == Space::Storage && !writable => Some(Access::Read),
                    _ => None,
                };
                match access {
                    Some(Access::Read) => self.decorations.op(Op::Decorate, &[id, Decoration::NonWritable as u32]),
                    Some(Access::Write) => self.decorations.op(Op::Decorate, &[id, Decoration::NonReadable as u32]),
                    Some(Access::ReadWrite) | None => {}
                }
            }
            GlobalKind::Push => self.block(pointee),
            GlobalKind::Workgroup | GlobalKind::Private(_) => {}
        }
        id
    }

    /// 16-bit scalars outside of the invocation need a capability of their own, by where they lie.
    fn narrow_storage(&mut self, ty: aquatint_ir::TypeId, space: Space) {
        let capability = match space {
            Space::Uniform => Capability::UniformAndStorageBuffer16BitAccess,
            Space::Storage => Capability::StorageBuffer16BitAccess,
            Space::Push => Capability::StoragePushConstant16,
            Space::Input | Space::Output => Capability::StorageInputOutput16,
            Space::Function | Space::Private | Space::Workgroup | Space::Handle => return,
        };
        let module = self.module;
        let mut stack = smallvec::SmallVec::<[aquatint_ir::TypeId; 8]>::from_slice(&[ty]);
        while let Some(ty) = stack.pop() {
            match module.types.get(ty) {
                Type::Scalar(kind) | Type::Vector(kind, _) | Type::Matrix { scalar: kind, .. } if kind.bits() == 16 => {
                    return self.capability(capability);
                }
                Type::Array { element, .. } => stack.push(element),
                Type::Struct(id) => stack.extend(module.types.structs[id].members.iter().map(|m| m.ty)),
                _ => {}
            }
        }
    }

    /// Marks a struct type as a block, once.
    fn block(&mut self, ty: u32) {
        if !self.blocks.contains(&ty) {
            self.blocks.push(ty);
            self.decorations.op(Op::Decorate, &[ty, Decoration::Block as u32]);
        }
    }

    /// The type of the elements of an array of handles; other types are their own.
    fn element_of(&self, ty: aquatint_ir::TypeId) -> Type {
        match self.module.types.get(ty) {
            Type::Array { element, .. } => self.module.types.get(element),
            other => other,
        }
    }

    fn spec_constant(&mut self, spec: &aquatint_ir::SpecConstant) -> u32 {
        let item = &self.module.constants[spec.default];
        let ty = self.ty(item.ty);
        let bits = item.lane(0).unwrap_or(0);
        let kind = types::lanes_of(item.ty).map_or(Scalar::U32, |(kind, _)| kind);
        let id = match kind {
            Scalar::Bool => {
                self.constant_op(if bits == 0 { Op::SpecConstantFalse } else { Op::SpecConstantTrue }, ty, &[])
            }
            _ if kind.bits() == 64 => self.constant_op(Op::SpecConstant, ty, &[bits as u32, (bits >> 32) as u32]),
            Scalar::I16 => self.constant_op(Op::SpecConstant, ty, &[bits as u16 as i16 as i32 as u32]),
            _ => self.constant_op(Op::SpecConstant, ty, &[bits as u32]),
        };
        self.decorations.op(Op::Decorate, &[id, Decoration::SpecId as u32, spec.id]);
        id
    }

    fn decorate_io(&mut self, id: u32, space: Space, io: &Io, ty: aquatint_ir::TypeId) {
        let decorate = |e: &mut Self, decoration: Decoration, operands: &[u32]| {
            e.decorations.op2(Op::Decorate, &[id, decoration as u32], operands);
        };
        if let Some(builtin) = io.builtin {
            let number = self.builtin(builtin, space);
            decorate(self, Decoration::BuiltIn, &[number as u32]);
            if io.invariant {
                decorate(self, Decoration::Invariant, &[]);
            }
            let integer = matches!(self.element_of(ty), Type::Scalar(k) | Type::Vector(k, _) if k.is_integer());
            if self.stage == Stage::Fragment && space == Space::Input && integer {
                decorate(self, Decoration::Flat, &[]);
            }
            return;
        }
        decorate(self, Decoration::Location, &[io.location.unwrap_or(0)]);
        if io.blend_index != 0 {
            decorate(self, Decoration::Index, &[io.blend_index]);
        }
        let varying = (self.stage == Stage::Fragment && space == Space::Input)
            || (self.stage == Stage::Vertex && space == Space::Output);
        if !varying {
            return;
        }
        let whole = matches!(self.module.types.get(ty), Type::Scalar(k) | Type::Vector(k, _) if !k.is_float());
        match io.interpolation {
            Interpolation::Perspective if !whole => {}
            Interpolation::Linear if !whole => decorate(self, Decoration::NoPerspective, &[]),
            _ => decorate(self, Decoration::Flat, &[]),
        }
        match io.sampling {
            Sampling::Center => {}
            Sampling::Centroid => decorate(self, Decoration::Centroid, &[]),
            Sampling::Sample => {
                self.capability(Capability::SampleRateShading);
                decorate(self, Decoration::Sample, &[]);
            }
        }
    }

    /// Writing the layer or viewport in the vertex stage: one capability for each from SPIR-V 1.5 on, before that an
    /// extension's for both.
    fn layered(&mut self, capability: Capability) {
        if self.options.environment >= Environment::Vulkan1_2 {
            self.capability(capability);
        } else {
            self.capability(Capability::ShaderViewportIndexLayerEXT);
            self.extension("SPV_EXT_shader_viewport_index_layer");
        }
    }

    fn builtin(&mut self, builtin: Builtin, space: Space) -> BuiltIn {
        match builtin {
            Builtin::Position if space == Space::Input => BuiltIn::FragCoord,
            Builtin::Position => BuiltIn::Position,
            Builtin::PointSize => BuiltIn::PointSize,
            Builtin::ClipDistance => {
                self.capability(Capability::ClipDistance);
                BuiltIn::ClipDistance
            }
            Builtin::CullDistance => {
                self.capability(Capability::CullDistance);
                BuiltIn::CullDistance
            }
            Builtin::VertexIndex => BuiltIn::VertexIndex,
            Builtin::InstanceIndex => BuiltIn::InstanceIndex,
            Builtin::BaseVertex => {
                self.capability(Capability::DrawParameters);
                BuiltIn::BaseVertex
            }
            Builtin::BaseInstance => {
                self.capability(Capability::DrawParameters);
                BuiltIn::BaseInstance
            }
            Builtin::FrontFacing => BuiltIn::FrontFacing,
            Builtin::PointCoord => BuiltIn::PointCoord,
            Builtin::SampleIndex => {
                self.capability(Capability::SampleRateShading);
                BuiltIn::SampleId
            }
            Builtin::SampleMask => BuiltIn::SampleMask,
            Builtin::PrimitiveId => {
                self.capability(Capability::Geometry);
                BuiltIn::PrimitiveId
            }
            Builtin::Barycentric => BuiltIn::BaryCoordKHR,
            Builtin::Layer => {
                if self.stage == Stage::Vertex {
                    self.layered(Capability::ShaderLayer);
                } else {
                    self.capability(Capability::Geometry);
                }
                BuiltIn::Layer
            }
            Builtin::ViewportIndex => {
                if self.stage == Stage::Vertex {
                    self.layered(Capability::ShaderViewportIndex);
                } else {
                    self.capability(Capability::MultiViewport);
                }
                BuiltIn::ViewportIndex
            }
            Builtin::ViewIndex => {
                self.capability(Capability::MultiView);
                BuiltIn::ViewIndex
            }
            Builtin::FragDepth => BuiltIn::FragDepth,
            Builtin::FragStencil => {
                self.capability(Capability::StencilExportEXT);
                self.extension("SPV_EXT_shader_stencil_export");
                BuiltIn::FragStencilRefEXT
            }
            Builtin::GlobalInvocation => BuiltIn::GlobalInvocationId,
            Builtin::WorkgroupId => BuiltIn::WorkgroupId,
            Builtin::LocalInvocation => BuiltIn::LocalInvocationId,
            Builtin::LocalIndex => BuiltIn::LocalInvocationIndex,
            Builtin::WorkgroupCount => BuiltIn::NumWorkgroups,
        }
    }

    /// The entry point and its execution modes.
    pub fn entry_words(&mut self, index: usize, function: u32) -> Words {
        let module = self.module;
        let entry = &module.entry_points[index];
        // Unread inputs and outputs stay in the interface: it is part of what the shader promises. With several entry
        // points nothing says whose they are.
        let mut interface = Vec::new();
        let all = self.options.environment > Environment::Vulkan1_1;
        let alone = module.entry_points.len() == 1;
        for (id, global) in module.globals.iter() {
            let is_io = matches!(global.space, Space::Input | Space::Output);
            if alone && is_io && global.io().is_some_and(|io| io.location.is_some()) {
                self.global(id);
            }
            if self.globals[id.index()] != 0 && (is_io || all) {
                interface.push(self.globals[id.index()]);
            }
        }
        let mut words = Words::with_capacity(32 + interface.len());
        let model = match entry.stage {
            Stage::Vertex => ExecutionModel::Vertex,
            Stage::Fragment => ExecutionModel::Fragment,
            Stage::Compute => ExecutionModel::GLCompute,
        };
        words.op_text(Op::EntryPoint, &[model as u32, function], module.names.get(entry.name), &interface);
        match entry.stage {
            Stage::Vertex => {}
            Stage::Fragment => {
                words.op(Op::ExecutionMode, &[function, ExecutionMode::OriginUpperLeft as u32]);
                if entry.early_tests {
                    words.op(Op::ExecutionMode, &[function, ExecutionMode::EarlyFragmentTests as u32]);
                }
                let depth = module.find_builtin(Builtin::FragDepth, Space::Output);
                if depth.is_some_and(|id| self.globals[id.index()] != 0) {
                    words.op(Op::ExecutionMode, &[function, ExecutionMode::DepthReplacing as u32]);
                    match entry.depth {
                        DepthMode::Any => {}
                        DepthMode::Greater => {
                            words.op(Op::ExecutionMode, &[function, ExecutionMode::DepthGreater as u32]);
                        }
                        DepthMode::Less => words.op(Op::ExecutionMode, &[function, ExecutionMode::DepthLess as u32]),
                    }
                }
            }
            Stage::Compute => {
                // Zero is no size; the verifier refuses it.
                let [x, y, z] = entry.workgroup_size;
                words.op(Op::ExecutionMode, &[function, ExecutionMode::LocalSize as u32, x, y, z]);
            }
        }
        self.float_modes(function, &mut words);
        words
    }

    /// Execution modes of `SPV_KHR_float_controls`, for the float widths that the module has.
    fn float_modes(&mut self, function: u32, words: &mut Words) {
        if !self.options.float_controls {
            return;
        }
        let mut modes = smallvec::SmallVec::<[(ExecutionMode, Capability, u32); 4]>::new();
        for width in [16, 32, 64] {
            if self.float_widths & width != 0 {
                modes.push((ExecutionMode::SignedZeroInfNanPreserve, Capability::SignedZeroInfNanPreserve, width));
            }
        }
        match self.module.denormals {
            Denormals::Keep if self.float_widths & 32 != 0 => {
                modes.push((ExecutionMode::DenormPreserve, Capability::DenormPreserve, 32));
            }
            Denormals::Flush if self.float_widths & 32 != 0 => {
                modes.push((ExecutionMode::DenormFlushToZero, Capability::DenormFlushToZero, 32));
            }
            Denormals::Any | Denormals::Keep | Denormals::Flush => {}
        }
        for &(mode, capability, width) in &modes {
            self.capability(capability);
            words.op(Op::ExecutionMode, &[function, mode as u32, width]);
        }
        if !modes.is_empty() && self.options.environment < Environment::Vulkan1_2 {
            self.extension("SPV_KHR_float_controls");
        }
    }

    /// A handle's value: textures and samplers are loaded where they are used.
    pub fn load_handle(&mut self, pointer: u32, ty: u32) -> u32 {
        let id = self.id();
        self.functions.op(Op::Load, &[ty, id, pointer]);
        id
    }

    /// The class of the variable that a global is.
    pub fn class_of(&self, global: GlobalId) -> StorageClass {
        storage_class(self.module.globals[global].space)
    }
}
