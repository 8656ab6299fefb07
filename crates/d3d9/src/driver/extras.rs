//! The driver's uniform block: register b1 of each stage.
//!
//! | byte | pixel stage | vertex stage |
//! |---|---|---|
//! | 0 | f32 alpha reference, 0–255 | vec4: half-pixel offset x and y in clip units, 0, 0 |
//! | 4 | f32 fog enable (not read) | |
//! | 16 | vec4 fog colour | vec4: point size minimum, maximum, default, 0 |
//! | 32 | vec4 fog start, end, density, 0 | array of 6 vec4: user clip planes |
//! | 48 | array of 16 vec4: of each stage (BUMPENVMAT00, 01, 10, 11), (LSCALE, LOFFSET, 0, 0) | |
//! | size | 304 | 128 |
//!
//! The first 32 bytes of the pixel block are what the runtime's pixel extras are (runtime sheet 7.2).

use aquatint_base::Span;
use aquatint_ir::types::{self, Member, MemberLayout, Scalar, Space, Struct, Type, TypeId};
use aquatint_ir::{Binding, Builder, Global, GlobalId, GlobalKind, RegisterClass};

/// Member of the pixel block: alpha reference.
pub const ALPHA_REF: u32 = 0;
/// Member of the pixel block: fog colour.
pub const FOG_COLOR: u32 = 2;
/// Member of the pixel block: fog start, end, density.
pub const FOG_RANGE: u32 = 3;
/// Member of the pixel block: bump data, two vectors a stage.
pub const BUMP: u32 = 4;
/// Size of the pixel block in bytes.
pub const PIXEL_BYTES: u32 = 304;
/// Member of the vertex block: half-pixel offset.
pub const HALF_PIXEL: u32 = 0;
/// Member of the vertex block: point size minimum, maximum, default.
pub const POINT_SIZE: u32 = 1;
/// Member of the vertex block: user clip planes.
pub const CLIP_PLANES: u32 = 2;
/// Size of the vertex block in bytes.
pub const VERTEX_BYTES: u32 = 128;

/// Enters the pixel stage's block.
pub fn declare(b: &mut Builder<'_>) -> GlobalId {
    let bump = array(b, 16);
    let members = [
        ("alpha_ref", types::F32, 0),
        ("fog_enable", types::F32, 4),
        ("fog_color", types::VEC4F, 16),
        ("fog_range", types::VEC4F, 32),
        ("bump", bump, 48),
    ];
    block(b, "PixelExtras", &members, PIXEL_BYTES, 1)
}

/// Enters the vertex stage's block.
pub fn declare_vertex(b: &mut Builder<'_>) -> GlobalId {
    let planes = array(b, 6);
    let members = [("half_pixel", types::VEC4F, 0), ("point_size", types::VEC4F, 16), ("clip_planes", planes, 32)];
    block(b, "VertexExtras", &members, VERTEX_BYTES, 0)
}

/// The block of either stage, if the module has one already.
pub fn find(b: &Builder<'_>) -> Option<GlobalId> {
    b.globals
        .iter()
        .find(|(_, g)| {
            g.space == Space::Uniform
                && g.binding().is_some_and(|binding| binding.class == RegisterClass::B && binding.register == 1)
        })
        .map(|(id, _)| id)
}

fn array(b: &mut Builder<'_>, length: u32) -> TypeId {
    b.types.intern(Type::Array { element: types::vector(Scalar::F32, 4), length: Some(length), stride: 16 })
}

fn block(b: &mut Builder<'_>, name: &str, members: &[(&str, TypeId, u32)], size: u32, space: u32) -> GlobalId {
    let members = members
        .iter()
        .map(|&(name, ty, offset)| Member {
            name: b.names.intern(name),
            ty,
            layout: Some(MemberLayout { offset, matrix_stride: 0, row_major: false }),
        })
        .collect();
    let struct_name = b.names.intern(name);
    let id = b.types.structs.push(Struct { name: struct_name, members, size });
    let ty = b.types.intern(Type::Struct(id));
    let value_ty = b.types.pointer(Space::Uniform, ty);
    let binding = Binding { class: RegisterClass::B, register: 1, space };
    let kind = GlobalKind::Resource { binding, writable: false, counter: false };
    let name = b.names.intern("extras");
    b.globals.push(Global { name, ty, value_ty, space: Space::Uniform, kind, span: Span::NONE })
}
