//! Types and constants.

use super::Encoder;
use aquatint_ir::types::{self, Access, Dim, Scalar, Space, TexelFormat, Texture, TextureKind, Type, TypeId};
use aquatint_ir::{ConstantId, ConstantValue};
use spirv::{Capability, Decoration, ImageFormat, Op, StorageClass};

/// The storage class of an address space.
pub fn storage_class(space: Space) -> StorageClass {
    match space {
        Space::Function => StorageClass::Function,
        Space::Private => StorageClass::Private,
        Space::Workgroup => StorageClass::Workgroup,
        Space::Uniform => StorageClass::Uniform,
        Space::Storage => StorageClass::StorageBuffer,
        Space::Push => StorageClass::PushConstant,
        Space::Input => StorageClass::Input,
        Space::Output => StorageClass::Output,
        Space::Handle => StorageClass::UniformConstant,
    }
}

impl Encoder<'_> {
    /// The id of a type.
    pub fn ty(&mut self, ty: TypeId) -> u32 {
        let index = ty.index();
        if self.types[index] != 0 {
            return self.types[index];
        }
        let id = match self.module.types.get(ty) {
            Type::Void => self.declare(Op::TypeVoid, &[]),
            Type::Scalar(kind) => self.scalar_type(kind),
            Type::Vector(kind, lanes) => {
                let scalar = self.ty(types::scalar(kind));
                self.declare(Op::TypeVector, &[scalar, u32::from(lanes)])
            }
            // Rows become SPIR-V's columns; products were split before.
            Type::Matrix { scalar, rows, columns } => {
                let row = self.ty(types::vector(scalar, columns));
                if scalar.is_float() && rows > 1 && columns > 1 {
                    self.declare(Op::TypeMatrix, &[row, u32::from(rows)])
                } else {
                    // SPIR-V has no such matrices. They never lie in buffers: `check` saw to that.
                    let length = self.u32_constant(u32::from(rows));
                    self.declare(Op::TypeArray, &[row, length])
                }
            }
            Type::Array { element, length, stride } => {
                let element = self.ty(element);
                let id = match length {
                    Some(length) => {
                        let length = self.u32_constant(length);
                        self.declare(Op::TypeArray, &[element, length])
                    }
                    None => self.declare(Op::TypeRuntimeArray, &[element]),
                };
                if stride != 0 {
                    self.decorations.op(Op::Decorate, &[id, Decoration::ArrayStride as u32, stride]);
                }
                id
            }
            Type::Struct(id) => self.struct_type(id),
            Type::Pointer { space, pointee } => {
                let pointee = self.ty(pointee);
                self.pointer(storage_class(space), pointee)
            }
            Type::Texture(texture) => self.image_type(texture),
            // Both kinds of sampler are one SPIR-V type.
            Type::Sampler { .. } => {
                if self.sampler == 0 {
                    self.sampler = self.declare(Op::TypeSampler, &[]);
                }
                self.sampler
            }
        };
        self.types[index] = id;
        id
    }

    pub(super) fn declare(&mut self, op: Op, operands: &[u32]) -> u32 {
        let id = self.id();
        self.declarations.op2(op, &[id], operands);
        id
    }

    fn scalar_type(&mut self, kind: Scalar) -> u32 {
        match kind {
            Scalar::F16 => self.capability(Capability::Float16),
            Scalar::F64 => self.capability(Capability::Float64),
            Scalar::I16 | Scalar::U16 => self.capability(Capability::Int16),
            Scalar::I64 | Scalar::U64 => self.capability(Capability::Int64),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => {}
        }
        match kind {
            Scalar::Bool => self.declare(Op::TypeBool, &[]),
            kind if kind.is_float() => {
                self.float_widths |= kind.bits();
                self.declare(Op::TypeFloat, &[kind.bits()])
            }
            kind => self.declare(Op::TypeInt, &[kind.bits(), u32::from(kind.is_signed())]),
        }
    }

    fn struct_type(&mut self, id: aquatint_base::Id<types::Struct>) -> u32 {
        if self.structs[id.index()] != 0 {
            return self.structs[id.index()];
        }
        let module = self.module;
        let members: Vec<u32> = module.types.structs[id].members.iter().map(|m| self.ty(m.ty)).collect();
        let result = self.declare(Op::TypeStruct, &members);
        let item = &module.types.structs[id];
        self.name(result, module.names.get(item.name));
        for (index, member) in item.members.iter().enumerate() {
            let index = index as u32;
            if self.options.names {
                self.names.op_text(Op::MemberName, &[result, index], module.names.get(member.name), &[]);
            }
            if let Some(layout) = member.layout {
                self.decorations.op(Op::MemberDecorate, &[result, index, Decoration::Offset as u32, layout.offset]);
                if layout.matrix_stride != 0 {
                    let major = if layout.row_major { Decoration::ColMajor } else { Decoration::RowMajor };
                    self.decorations.op(Op::MemberDecorate, &[result, index, major as u32]);
                    self.decorations.op(
                        Op::MemberDecorate,
                        &[result, index, Decoration::MatrixStride as u32, layout.matrix_stride],
                    );
                }
            }
        }
        self.structs[id.index()] = result;
        result
    }

    /// The id of a pointer type.
    pub fn pointer(&mut self, class: StorageClass, pointee: u32) -> u32 {
        if let Some(&id) = self.pointers.get(&(class as u32, pointee)) {
            return id;
        }
        let id = self.declare(Op::TypePointer, &[class as u32, pointee]);
        self.pointers.insert((class as u32, pointee), id);
        id
    }

    fn image_type(&mut self, texture: Texture) -> u32 {
        let sampled = self.ty(types::scalar(texture.scalar));
        let storage = matches!(texture.kind, TextureKind::Storage(..));
        let dim = match texture.dim {
            Dim::D1 => {
                self.capability(if storage { Capability::Image1D } else { Capability::Sampled1D });
                spirv::Dim::Dim1D
            }
            Dim::D2 => spirv::Dim::Dim2D,
            Dim::D3 => spirv::Dim::Dim3D,
            Dim::Cube => {
                if texture.arrayed {
                    self.capability(if storage { Capability::ImageCubeArray } else { Capability::SampledCubeArray });
                }
                spirv::Dim::DimCube
            }
            Dim::Buffer => {
                self.capability(if storage { Capability::ImageBuffer } else { Capability::SampledBuffer });
                spirv::Dim::DimBuffer
            }
        };
        let format = match texture.kind {
            TextureKind::Storage(format, access) => {
                if format == TexelFormat::Any {
                    if access != Access::Write {
                        self.capability(Capability::StorageImageReadWithoutFormat);
                    }
                    if access != Access::Read {
                        self.capability(Capability::StorageImageWriteWithoutFormat);
                    }
                } else if !is_basic(format) {
                    self.capability(Capability::StorageImageExtendedFormats);
                }
                image_format(format)
            }
            TextureKind::Sampled | TextureKind::Depth => ImageFormat::Unknown,
        };
        if texture.multisampled && storage {
            self.capability(Capability::StorageImageMultisample);
        }
        let operands = [
            sampled,
            dim as u32,
            u32::from(texture.kind == TextureKind::Depth),
            u32::from(texture.arrayed),
            u32::from(texture.multisampled),
            if storage { 2 } else { 1 },
            format as u32,
        ];
        if let Some(&id) = self.images.get(&operands) {
            return id;
        }
        let id = self.declare(Op::TypeImage, &operands);
        self.images.insert(operands, id);
        id
    }

    /// The id of the sampled-image type of an image type.
    pub fn sampled_image(&mut self, image: u32) -> u32 {
        if let Some(&id) = self.sampled_images.get(&image) {
            return id;
        }
        let id = self.declare(Op::TypeSampledImage, &[image]);
        self.sampled_images.insert(image, id);
        id
    }

    /// The type of the two results of `frexp`, `modf`, `iadd.carry`, `isub.borrow`.
    pub fn result_pair(&mut self, first: u32, second: u32) -> u32 {
        if let Some(&id) = self.results.get(&(first, second)) {
            return id;
        }
        let id = self.declare(Op::TypeStruct, &[first, second]);
        self.results.insert((first, second), id);
        id
    }

    /// The id of a function type.
    pub fn function_type(&mut self, signature: &[u32]) -> u32 {
        if let Some(&id) = self.function_types.get(signature) {
            return id;
        }
        let id = self.declare(Op::TypeFunction, signature);
        self.function_types.insert(signature.to_vec(), id);
        id
    }

    /// The id of a constant of the module.
    pub fn constant(&mut self, constant: ConstantId) -> u32 {
        let index = constant.index();
        if self.constants[index] != 0 {
            return self.constants[index];
        }
        let module = self.module;
        let item = &module.constants[constant];
        let ty = self.ty(item.ty);
        let id = match &item.value {
            ConstantValue::Scalar(bits) => {
                let kind = types::lanes_of(item.ty).map_or(Scalar::U32, |(kind, _)| kind);
                self.scalar_constant(kind, *bits)
            }
            ConstantValue::Vector(lanes) => {
                let (kind, count) = types::lanes_of(item.ty).unwrap_or((Scalar::F32, 4));
                let parts: Vec<u32> =
                    lanes[..usize::from(count)].iter().map(|&bits| self.scalar_constant(kind, bits)).collect();
                self.constant_op(Op::ConstantComposite, ty, &parts)
            }
            ConstantValue::Composite(parts) => {
                let parts: Vec<u32> = parts.iter().map(|&part| self.constant(part)).collect();
                self.constant_op(Op::ConstantComposite, ty, &parts)
            }
            ConstantValue::Zero => self.null(ty),
        };
        self.constants[index] = id;
        id
    }

    pub(super) fn constant_op(&mut self, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        self.declarations.op2(op, &[ty, id], operands);
        id
    }

    /// The id of a scalar constant, declared once: the module's own are interned, and those that the encoder makes are few.
    pub fn scalar_constant(&mut self, kind: Scalar, bits: u64) -> u32 {
        if let Some(&id) = self.scalars.get(&(kind, bits)) {
            return id;
        }
        let ty = self.ty(types::scalar(kind));
        let id = match kind {
            Scalar::Bool => self.constant_op(if bits == 0 { Op::ConstantFalse } else { Op::ConstantTrue }, ty, &[]),
            _ if kind.bits() == 64 => self.constant_op(Op::Constant, ty, &[bits as u32, (bits >> 32) as u32]),
            // Narrow signed literals are sign-extended in their word (SPIR-V 2.2.1).
            Scalar::I16 => self.constant_op(Op::Constant, ty, &[bits as u16 as i16 as i32 as u32]),
            _ => self.constant_op(Op::Constant, ty, &[bits as u32]),
        };
        self.scalars.insert((kind, bits), id);
        id
    }

    /// A u32 constant.
    pub fn u32_constant(&mut self, number: u32) -> u32 {
        self.scalar_constant(Scalar::U32, u64::from(number))
    }

    /// The zero of a type, by the type's SPIR-V id.
    pub fn null(&mut self, ty: u32) -> u32 {
        if let Some(&id) = self.nulls.get(&ty) {
            return id;
        }
        let id = self.constant_op(Op::ConstantNull, ty, &[]);
        self.nulls.insert(ty, id);
        id
    }
}

fn is_basic(format: TexelFormat) -> bool {
    use TexelFormat::*;
    matches!(
        format,
        Rgba32f
            | Rgba16f
            | R32f
            | Rgba8
            | Rgba8Snorm
            | Rgba32i
            | Rgba16i
            | Rgba8i
            | R32i
            | Rgba32ui
            | Rgba16ui
            | Rgba8ui
            | R32ui
    )
}

fn image_format(format: TexelFormat) -> ImageFormat {
    match format {
        TexelFormat::Any => ImageFormat::Unknown,
        TexelFormat::Rgba32f => ImageFormat::Rgba32f,
        TexelFormat::Rgba16f => ImageFormat::Rgba16f,
        TexelFormat::Rg32f => ImageFormat::Rg32f,
        TexelFormat::Rg16f => ImageFormat::Rg16f,
        TexelFormat::R11fG11fB10f => ImageFormat::R11fG11fB10f,
        TexelFormat::R32f => ImageFormat::R32f,
        TexelFormat::R16f => ImageFormat::R16f,
        TexelFormat::Rgba16 => ImageFormat::Rgba16,
        TexelFormat::Rgb10A2 => ImageFormat::Rgb10A2,
        TexelFormat::Rg16 => ImageFormat::Rg16,
        TexelFormat::Rg8 => ImageFormat::Rg8,
        TexelFormat::R16 => ImageFormat::R16,
        TexelFormat::R8 => ImageFormat::R8,
        TexelFormat::Rgba8 => ImageFormat::Rgba8,
        TexelFormat::Rgba16Snorm => ImageFormat::Rgba16Snorm,
        TexelFormat::Rg16Snorm => ImageFormat::Rg16Snorm,
        TexelFormat::Rg8Snorm => ImageFormat::Rg8Snorm,
        TexelFormat::R16Snorm => ImageFormat::R16Snorm,
        TexelFormat::R8Snorm => ImageFormat::R8Snorm,
        TexelFormat::Rgba8Snorm => ImageFormat::Rgba8Snorm,
        TexelFormat::Rgba32i => ImageFormat::Rgba32i,
        TexelFormat::Rgba16i => ImageFormat::Rgba16i,
        TexelFormat::Rgba8i => ImageFormat::Rgba8i,
        TexelFormat::R32i => ImageFormat::R32i,
        TexelFormat::Rg32i => ImageFormat::Rg32i,
        TexelFormat::Rg16i => ImageFormat::Rg16i,
        TexelFormat::Rg8i => ImageFormat::Rg8i,
        TexelFormat::R16i => ImageFormat::R16i,
        TexelFormat::R8i => ImageFormat::R8i,
        TexelFormat::Rgba32ui => ImageFormat::Rgba32ui,
        TexelFormat::Rgba16ui => ImageFormat::Rgba16ui,
        TexelFormat::Rgba8ui => ImageFormat::Rgba8ui,
        TexelFormat::R32ui => ImageFormat::R32ui,
        TexelFormat::Rgb10A2ui => ImageFormat::Rgb10a2ui,
        TexelFormat::Rg32ui => ImageFormat::Rg32ui,
        TexelFormat::Rg16ui => ImageFormat::Rg16ui,
        TexelFormat::Rg8ui => ImageFormat::Rg8ui,
        TexelFormat::R16ui => ImageFormat::R16ui,
        TexelFormat::R8ui => ImageFormat::R8ui,
        TexelFormat::R64ui => ImageFormat::R64ui,
        TexelFormat::R64i => ImageFormat::R64i,
    }
}
