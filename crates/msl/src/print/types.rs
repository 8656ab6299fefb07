//! Types and structs (sheets C6, C7, D3, D4).

use super::File;
use crate::reach::{Flags, Reach};
use crate::{Naming, Options};
use aquatint_base::{Id, Name};
use aquatint_ir::Module;
use aquatint_ir::types::{
    Access, Dim, Member, MemberLayout, Scalar, Space, Struct, Texture, TextureKind, Type, TypeId, lanes_of,
};
use smallvec::SmallVec;
use std::fmt::Write as _;

/// By kind: the names of the scalar and its vectors.
const NAMES: [[&str; 4]; 10] = [
    ["bool", "bool2", "bool3", "bool4"],
    ["short", "short2", "short3", "short4"],
    ["ushort", "ushort2", "ushort3", "ushort4"],
    ["int", "int2", "int3", "int4"],
    ["uint", "uint2", "uint3", "uint4"],
    ["long", "long2", "long3", "long4"],
    ["ulong", "ulong2", "ulong3", "ulong4"],
    ["half", "half2", "half3", "half4"],
    ["float", "float2", "float3", "float4"],
    ["double", "double2", "double3", "double4"],
];

/// The name of a scalar or vector.
pub(super) fn lanes_name(kind: Scalar, lanes: u8) -> &'static str {
    NAMES[kind as usize][usize::from(lanes.clamp(1, 4)) - 1]
}

/// How a member of a buffer struct is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// As its (packed) type, arrays with their elements side by side.
    Side,
    /// As an array of wrapper structs with a member `v`.
    Wrapped,
    /// As bytes of that size: the last element's padding holds other members.
    Bytes(u32),
}

/// Which structs hold plain vectors: blocks of the Direct3D 9 profile whose members are whole registers.
pub(super) fn plain_structs(module: &Module, reach: &Reach, options: &Options) -> Flags {
    let mut result = Flags::from_elem(false, module.types.structs.len());
    if options.naming != Naming::Direct3d9 {
        return result;
    }
    for &global in reach.globals() {
        if let Type::Struct(id) = module.types.get(module.globals[global].ty)
            && let Some(s) = module.types.structs.get(id)
        {
            let aligned = |ty: TypeId, offset: u32| match leaf(module, ty) {
                Some((Scalar::Bool, _)) => false,
                Some((_, 4)) => offset.is_multiple_of(16),
                Some((_, 2)) => offset.is_multiple_of(8),
                other => other.is_some(),
            };
            result[id.index()] = s.size.is_multiple_of(16)
                && s.members.iter().all(|m| m.layout.is_some_and(|l| aligned(m.ty, l.offset)));
        }
    }
    result
}

/// The scalar or vector that a type is an array of.
fn leaf(module: &Module, mut ty: TypeId) -> Option<(Scalar, u8)> {
    while let Type::Array { element, .. } = module.types.get(ty) {
        ty = element;
    }
    lanes_of(ty)
}

/// The bytes that the text's form of a type takes.
pub(crate) fn size_of(module: &Module, ty: TypeId) -> u32 {
    match module.types.get(ty) {
        Type::Scalar(kind) => kind.bytes(),
        Type::Vector(kind, lanes) => kind.bytes() * u32::from(lanes),
        Type::Matrix { scalar, rows, columns } => scalar.bytes() * u32::from(rows) * u32::from(columns),
        Type::Array { length, stride, .. } => stride.saturating_mul(length.unwrap_or(0)),
        Type::Struct(id) => module.types.structs.get(id).map_or(0, |s| s.size),
        Type::Void | Type::Pointer { .. } | Type::Texture(_) | Type::Sampler { .. } => 0,
    }
}

/// The bytes that member `index` takes in the text's form.
pub(crate) fn extent(module: &Module, s: &Struct, index: usize) -> u32 {
    let Some(member) = s.members.get(index) else { return 0 };
    let size = match form(module, s, index) {
        Form::Bytes(size) => return size,
        Form::Side | Form::Wrapped => size_of(module, member.ty),
    };
    match (module.types.get(member.ty), member.layout) {
        (Type::Matrix { scalar, rows, columns }, Some(layout)) => {
            let (lines, width) = if layout.row_major { (rows, columns) } else { (columns, rows) };
            let last = scalar.bytes() * u32::from(width);
            u32::from(lines - 1).saturating_mul(layout.matrix_stride).saturating_add(last)
        }
        _ => size,
    }
}

/// How member `index` is declared.
pub(super) fn form(module: &Module, s: &Struct, index: usize) -> Form {
    let Some(member) = s.members.get(index) else { return Form::Side };
    let Type::Array { element, length, stride } = module.types.get(member.ty) else { return Form::Side };
    let nested = matches!(module.types.get(element), Type::Array { .. } | Type::Matrix { .. });
    if stride == size_of(module, element) && !nested {
        return Form::Side;
    }
    let offset = member.layout.map_or(0, |l| l.offset);
    let total = stride.saturating_mul(length.unwrap_or(1));
    let limit = match s.members.get(index + 1).and_then(|m| m.layout) {
        Some(next) => next.offset,
        None => s.size,
    };
    if length.is_none() || offset.saturating_add(total) <= limit {
        return Form::Wrapped;
    }
    let last = size_of(module, element);
    Form::Bytes(total.saturating_sub(stride).saturating_add(last))
}

/// Whether the elements of a bare array, or of arrays in it, lie further apart than they are long: the buffer is then
/// declared as bytes, and an element is found by its offset. Matrices and structs have their own padding.
pub(super) fn is_spread(module: &Module, mut array: TypeId) -> bool {
    let mut spread = false;
    if leaf(module, array).is_some() {
        while let Type::Array { element, stride, .. } = module.types.get(array) {
            spread |= stride != size_of(module, element);
            array = element;
        }
    }
    spread
}

/// How the member `v` of the wrapper around an array's element is declared.
pub(super) fn element_form(module: &Module, element: TypeId, stride: u32, layout: Option<MemberLayout>) -> Form {
    form(module, &wrapper_struct(element, stride, layout), 0)
}

fn wrapper_struct(element: TypeId, stride: u32, layout: Option<MemberLayout>) -> Struct {
    let layout = layout.map(|l| MemberLayout { offset: 0, ..l });
    Struct { name: Name::EMPTY, members: vec![Member { name: Name::EMPTY, ty: element, layout }], size: stride }
}

/// Structs in the order of their declarations.
type Wanted = SmallVec<[Id<Struct>; 8]>;

impl File<'_> {
    /// The name of a type as a value.
    pub(super) fn type_name(&mut self, ty: TypeId) {
        if let Some((kind, lanes)) = lanes_of(ty) {
            return self.out.push_str(lanes_name(kind, lanes));
        }
        match self.module.types.get(ty) {
            Type::Matrix { scalar, rows, columns } => {
                let _ = write!(self.out, "{}{rows}x{columns}", lanes_name(scalar, 1));
            }
            Type::Array { element, length, .. } => {
                if self.module.types.is_handle(element) {
                    self.out.push_str("array<");
                } else {
                    self.out.push_str("AqArray<");
                }
                self.type_name(element);
                let _ = write!(self.out, ", {}>", length.unwrap_or(1));
            }
            Type::Struct(id) => {
                self.out.push_str(self.raised.interface.struct_name(id));
            }
            Type::Texture(texture) => self.texture_name(texture),
            Type::Sampler { .. } => self.out.push_str("sampler"),
            Type::Pointer { pointee, .. } => self.type_name(pointee),
            Type::Void | Type::Scalar(_) | Type::Vector(..) => self.out.push_str("void"),
        }
    }

    fn texture_name(&mut self, texture: Texture) {
        let depth = texture.kind == TextureKind::Depth;
        self.out.push_str(if depth { "depth" } else { "texture" });
        self.out.push_str(match texture.dim {
            Dim::D1 => "1d",
            Dim::D2 => "2d",
            Dim::D3 => "3d",
            Dim::Cube => "cube",
            Dim::Buffer => "_buffer",
        });
        if texture.multisampled {
            self.out.push_str("_ms");
        }
        if texture.arrayed {
            self.out.push_str("_array");
        }
        let _ = write!(self.out, "<{}", lanes_name(texture.scalar, 1));
        match texture.kind {
            TextureKind::Storage(_, Access::Read) => self.out.push_str(", access::read"),
            TextureKind::Storage(_, Access::Write) => self.out.push_str(", access::write"),
            TextureKind::Storage(_, Access::ReadWrite) => self.out.push_str(", access::read_write"),
            TextureKind::Sampled if texture.dim == Dim::Buffer => self.out.push_str(", access::read"),
            TextureKind::Sampled | TextureKind::Depth => {}
        }
        self.out.push('>');
    }

    /// The type of something in a buffer: packed vectors, bools as 32 bits.
    pub(super) fn buffer_type(&mut self, ty: TypeId, plain: bool) {
        match lanes_of(ty) {
            Some((kind, lanes)) => {
                let kind = if kind == Scalar::Bool { Scalar::U32 } else { kind };
                if lanes > 1 && !(plain && lanes != 3) {
                    self.out.push_str("packed_");
                }
                self.out.push_str(lanes_name(kind, lanes));
            }
            None => self.type_name(ty),
        }
    }

    /// The structs of values that the functions reached use, innermost first.
    pub(super) fn value_structs(&mut self) {
        let mut wanted = Flags::from_elem(false, self.module.types.structs.len());
        let mut order = Wanted::new();
        for &id in &self.reach.functions {
            let function = &self.module.functions[id];
            for (_, local) in function.locals.iter().filter(|(_, l)| lanes_of(l.ty).is_none()) {
                self.want(local.ty, &mut wanted, &mut order);
            }
        }
        for &id in self.reach.globals() {
            if matches!(self.module.globals[id].space, Space::Private | Space::Workgroup) {
                self.want(self.module.globals[id].ty, &mut wanted, &mut order);
            }
        }
        for id in order {
            if self.module.types.structs.get(id).is_some_and(|s| s.members.iter().all(|m| m.layout.is_none())) {
                self.value_struct(id);
            }
        }
    }

    fn want(&self, ty: TypeId, wanted: &mut [bool], order: &mut Wanted) {
        match self.module.types.get(ty) {
            Type::Array { element, .. } => self.want(element, wanted, order),
            Type::Pointer { pointee, .. } => self.want(pointee, wanted, order),
            Type::Struct(id) if wanted.get(id.index()) == Some(&false) => {
                wanted[id.index()] = true;
                for member in &self.module.types.structs[id].members {
                    self.want(member.ty, wanted, order);
                }
                order.push(id);
            }
            _ => {}
        }
    }

    fn value_struct(&mut self, id: Id<Struct>) {
        let module = self.module;
        let interface = &self.raised.interface;
        self.all(&["struct ", interface.struct_name(id), " {\n"]);
        for (index, member) in module.types.structs[id].members.iter().enumerate() {
            self.out.push_str("    ");
            self.type_name(member.ty);
            self.all(&[" ", interface.member(id, index), ";\n"]);
        }
        self.out.push_str("};\n\n");
    }

    /// The structs of the buffers that the entry reaches, innermost first, with their checks.
    pub(super) fn buffer_structs(&mut self) {
        let mut wanted = Flags::from_elem(false, self.module.types.structs.len());
        let mut order = Wanted::new();
        for &id in self.reach.globals() {
            if matches!(self.module.globals[id].space, Space::Uniform | Space::Storage | Space::Push) {
                self.want(self.module.globals[id].ty, &mut wanted, &mut order);
            }
        }
        for &id in &order {
            self.buffer_struct(id);
        }
        if self.options.naming == Naming::Sheet && !order.is_empty() {
            self.layout_checks(&order);
        }
    }

    fn buffer_struct(&mut self, id: Id<Struct>) {
        let module = self.module;
        let Some(s) = module.types.structs.get(id) else { return };
        let interface = &self.raised.interface;
        let name = interface.struct_name(id);
        let plain = self.plain.get(id.index()) == Some(&true);
        for (index, member) in s.members.iter().enumerate() {
            if form(module, s, index) == Form::Wrapped {
                self.wrapper(name, interface.member(id, index), member.ty, member.layout, plain);
            }
        }
        self.all(&["struct ", name, " {\n"]);
        let (mut at, mut pads) = (0, 0);
        for (index, member) in s.members.iter().enumerate() {
            let offset = member.layout.map_or(at, |l| l.offset);
            self.pad(&mut at, offset, &mut pads);
            at = offset.saturating_add(self.member(name, s, index, interface.member(id, index), plain, &mut pads));
        }
        self.pad(&mut at, s.size, &mut pads);
        self.out.push_str("};\n\n");
    }

    fn pad(&mut self, at: &mut u32, to: u32, pads: &mut u32) {
        if *at < to {
            let _ = writeln!(self.out, "    uchar pad{pads}[{}];", to - *at);
            *pads += 1;
            *at = to;
        }
    }

    /// Declares a member and returns its size.
    fn member(&mut self, owner: &str, s: &Struct, index: usize, name: &str, plain: bool, pads: &mut u32) -> u32 {
        let module = self.module;
        let member = s.members[index];
        let layout = member.layout.unwrap_or(MemberLayout { offset: 0, matrix_stride: 0, row_major: false });
        match (module.types.get(member.ty), form(module, s, index)) {
            (Type::Array { .. }, Form::Bytes(size)) => {
                let _ = writeln!(self.out, "    uchar {name}[{size}];");
                size
            }
            (Type::Array { length, stride, .. }, Form::Wrapped) => {
                let count = length.unwrap_or(1);
                let _ = writeln!(self.out, "    {owner}_{name}_elem {name}[{count}];");
                stride.saturating_mul(count)
            }
            (Type::Array { element, length, stride }, Form::Side) => {
                self.out.push_str("    ");
                self.buffer_type(element, plain);
                let count = length.unwrap_or(1);
                self.all(&[" ", name, "["]);
                self.number(count);
                self.out.push_str("];\n");
                stride.saturating_mul(count)
            }
            (Type::Matrix { scalar, rows, columns }, _) => self.lines(name, scalar, rows, columns, layout, plain, pads),
            _ => {
                self.out.push_str("    ");
                self.buffer_type(member.ty, plain);
                let _ = writeln!(self.out, " {name};");
                size_of(module, member.ty)
            }
        }
    }

    /// Declares the lines of a matrix and returns their size.
    #[allow(clippy::too_many_arguments)]
    fn lines(
        &mut self,
        name: &str,
        scalar: Scalar,
        rows: u8,
        columns: u8,
        layout: MemberLayout,
        plain: bool,
        pads: &mut u32,
    ) -> u32 {
        let (lines, width) = if layout.row_major { (rows, columns) } else { (columns, rows) };
        let size = scalar.bytes() * u32::from(width);
        let mut at = 0;
        for line in 0..lines {
            self.pad(&mut at, u32::from(line) * layout.matrix_stride, pads);
            self.out.push_str("    ");
            self.buffer_type(aquatint_ir::types::vector(scalar, width), plain);
            let _ = writeln!(self.out, " {name}_l{line};");
            at = at.saturating_add(size);
        }
        at
    }

    /// The struct around an array element that is shorter than its stride.
    fn wrapper(&mut self, owner: &str, name: &str, ty: TypeId, layout: Option<MemberLayout>, plain: bool) {
        let module = self.module;
        let Type::Array { element, stride, .. } = module.types.get(ty) else { return };
        let inner = wrapper_struct(element, stride, layout);
        let own = format!("{owner}_{name}");
        if form(module, &inner, 0) == Form::Wrapped {
            self.wrapper(&format!("{own}_elem"), "v", element, layout, plain);
        }
        let _ = writeln!(self.out, "struct {own}_elem {{");
        let mut pads = 0;
        let mut at = self.member(&format!("{own}_elem"), &inner, 0, "v", plain, &mut pads);
        self.pad(&mut at, stride, &mut pads);
        self.out.push_str("};\n");
    }

    fn layout_checks(&mut self, order: &[Id<Struct>]) {
        let module = self.module;
        self.out.push_str("#ifdef AQUATINT_CHECK_LAYOUT\n");
        for &id in order {
            let s = &module.types.structs[id];
            let interface = &self.raised.interface;
            let name = interface.struct_name(id);
            let _ = writeln!(self.out, "static_assert(sizeof({name}) == {}, \"{name}\");", s.size);
            for (index, member) in s.members.iter().enumerate() {
                let Some(layout) = member.layout else { continue };
                let field = interface.member(id, index);
                let line = if matches!(module.types.get(member.ty), Type::Matrix { .. }) { "_l0" } else { "" };
                let _ = writeln!(
                    self.out,
                    "static_assert(__builtin_offsetof({name}, {field}{line}) == {}, \"{name}.{field}\");",
                    layout.offset
                );
            }
        }
        self.out.push_str("#endif\n\n");
    }

    /// Whether arrays are moved about as values, so that array variables must be structs.
    pub(super) fn has_array_values(&self) -> bool {
        let is_array = |ty: TypeId| matches!(self.module.types.get(ty), Type::Array { .. });
        let in_struct = |s: &Struct| s.members.iter().any(|m| m.layout.is_none() && is_array(m.ty));
        self.raised.plans.len() > 1
            || self.raised.plans.iter().any(|p| p.array_values)
            || self.module.types.structs.iter().any(|(_, s)| in_struct(s))
    }
}
