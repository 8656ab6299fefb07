//! Random numbers, the same on every machine, and resources full of them.
//!
//! A number is a function of a seed and of what it stands for, so two modules see the same ones however they order or name
//! their inputs.

use aquatint_exec::interpret::Resources;
use aquatint_exec::texture::{Address, Sampler, Shape, Texture};
use aquatint_ir::types::{Dim, MemberLayout, Texture as TextureType, Type, TypeId, Types};
use aquatint_ir::{Binding, Global, GlobalKind, Module, RegisterClass, Scalar, Space, eval};

/// A source of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The source for a seed and what the numbers stand for.
    pub fn new(seed: u64, what: &[u64]) -> Self {
        let mut random = Self(seed ^ 0x9E37_79B9_7F4A_7C15);
        for &word in what {
            random.0 = random.bits() ^ word.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        }
        random
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound.max(1) as u64) as usize
    }

    /// A number of 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    /// The bits of a scalar: zeros of both signs, infinities, NaN, denormals, the ends of the range, small whole numbers,
    /// ordinary ones, and sometimes any bits at all.
    pub fn scalar(&mut self, kind: Scalar) -> u64 {
        const SPECIAL: [f64; 16] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f32::MAX as f64,
            f32::MIN as f64,
            f32::MIN_POSITIVE as f64,
            // Denormals of f32.
            1e-40,
            -1.401_298_464_324_817e-45,
            1e30,
            -1e-30,
        ];
        let mask = if kind.bits() == 64 { u64::MAX } else { (1 << kind.bits()) - 1 };
        if kind == Scalar::Bool {
            return self.bits() & 1;
        }
        if kind.is_float() {
            let number = match self.below(8) {
                0 | 1 => SPECIAL[self.below(SPECIAL.len())],
                2 | 3 => self.below(9) as f64 - 4.0,
                4 => return self.bits() & mask,
                _ => f64::from(self.unit() * 4.0 - 2.0),
            };
            return eval::convert(Scalar::F64, kind, number.to_bits());
        }
        let number = match self.below(8) {
            0 => self.bits(),
            1 | 2 => (self.below(7) as u64).wrapping_sub(3),
            3 => self.below(40) as u64,
            _ => self.below(6) as u64,
        };
        number & mask
    }
}

/// Elements of a runtime array, where the buffer's length is ours to choose.
const RUNTIME_ELEMENTS: u32 = 9;
/// Most bytes of a buffer.
const MOST_BYTES: u64 = 1 << 18;

/// Resources for everything that the modules declare: buffers full of numbers of the kinds that lie there, textures,
/// samplers. What both declare is filled as the first says.
pub fn resources(modules: &[&Module], seed: u64) -> Resources {
    let mut all = Resources::new();
    let mut seen: Vec<Option<Binding>> = Vec::new();
    for module in modules {
        for (_, global) in module.globals.iter() {
            let binding = match global.kind {
                GlobalKind::Resource { binding, .. } => Some(binding),
                GlobalKind::Push => None,
                GlobalKind::Input(_) | GlobalKind::Output(_) | GlobalKind::Workgroup | GlobalKind::Private(_) => {
                    continue;
                }
            };
            if !seen.contains(&binding) {
                seen.push(binding);
                bind(&mut all, &module.types, global, binding, seed);
            }
        }
    }
    all
}

fn bind(all: &mut Resources, types: &Types, global: &Global, binding: Option<Binding>, seed: u64) {
    let Some(binding) = binding else {
        all.set_push(buffer(types, global.ty, seed, 99));
        return;
    };
    let (mut ty, mut count) = (global.ty, 1);
    while global.space == Space::Handle
        && let Type::Array { element, length, .. } = types.get(ty)
    {
        (ty, count) = (element, count * length.unwrap_or(2).min(16));
    }
    for element in 0..count {
        let binding = Binding { register: binding.register.saturating_add(element), ..binding };
        let key = u64::from(binding.register) << 8 | u64::from(binding.space) << 40 | binding.class as u64;
        match types.get(ty) {
            Type::Texture(texture) if texture.dim == Dim::Buffer => {
                let mut random = Random::new(seed, &[key]);
                let texel = |random: &mut Random| std::array::from_fn(|_| random.scalar(texture.scalar) as u32);
                all.set_texels(binding, (0..7).map(|_| texel(&mut random)).collect());
            }
            Type::Texture(texture) => {
                if let Some(texture) = self::texture(texture, &mut Random::new(seed, &[key])) {
                    all.set_texture(binding, texture);
                }
            }
            Type::Sampler { .. } => {
                let address = [Address::Wrap, Address::Clamp, Address::Mirror][Random::new(seed, &[key]).below(3)];
                let linear = Random::new(seed, &[key, 1]).below(2) == 0;
                all.set_sampler(binding, if linear { Sampler::linear(address) } else { Sampler::point(address) });
            }
            _ => all.set_buffer(binding, buffer(types, ty, seed, key)),
        }
    }
}

fn texture(ty: TextureType, random: &mut Random) -> Option<Texture> {
    let mut shape = match ty.dim {
        Dim::D1 => Shape::d1(5),
        Dim::D2 => Shape::d2(5, 3),
        Dim::D3 => Shape::d3(3, 2, 2),
        Dim::Cube => Shape::cube(3),
        Dim::Buffer => return None,
    };
    let faces = if ty.dim == Dim::Cube { 6 } else { 1 };
    if ty.arrayed {
        shape = shape.with_layers(2);
    }
    if ty.multisampled {
        shape = shape.with_samples(4);
    }
    let texels = shape.extent.width * shape.extent.height * shape.extent.depth * shape.layers * shape.samples * faces;
    let storage = matches!(ty.kind, aquatint_ir::types::TextureKind::Storage(..));
    if !ty.multisampled && !storage {
        shape = shape.with_all_levels();
    }
    let scalars = 4 * texels as usize;
    if !ty.scalar.is_float() {
        let data: Vec<u32> = (0..scalars).map(|_| random.scalar(ty.scalar) as u32).collect();
        return Texture::from_u32(shape, &data).ok();
    }
    let data: Vec<f32> = (0..scalars).map(|_| random.unit()).collect();
    let mut made = Texture::from_f32(shape, &data).ok()?;
    if shape.levels > 1 {
        made.generate_mips();
    }
    Some(made)
}

/// The bytes of a buffer that holds a type.
pub fn buffer(types: &Types, ty: TypeId, seed: u64, key: u64) -> Vec<u8> {
    let size = size_of(types, ty, None, 0).min(MOST_BYTES).next_multiple_of(16);
    let mut bytes = vec![0; size as usize];
    let mut random = Random::new(seed, &[key]);
    fill(types, ty, None, 0, &mut bytes, &mut random, 0);
    bytes
}

/// Types nest no deeper in a module that verifies.
const MOST_NESTING: usize = 64;

fn size_of(types: &Types, ty: TypeId, layout: Option<MemberLayout>, nesting: usize) -> u64 {
    if nesting > MOST_NESTING {
        return 0;
    }
    match types.get(ty) {
        Type::Scalar(kind) => u64::from(kind.bytes()),
        Type::Vector(kind, lanes) => u64::from(kind.bytes()) * u64::from(lanes),
        Type::Matrix { scalar, rows, columns } => {
            let (lines, length) = lines(rows, columns, layout);
            let line = u64::from(scalar.bytes()) * u64::from(length);
            u64::from(matrix_stride(layout, line as u32)) * u64::from(lines)
        }
        Type::Array { element, length, stride } => {
            u64::from(stride.max(4)) * u64::from(length.unwrap_or(RUNTIME_ELEMENTS))
                + if stride == 0 { size_of(types, element, layout, nesting + 1) } else { 0 }
        }
        Type::Struct(id) => {
            let Some(data) = types.structs.get(id) else { return 0 };
            let end = |member: &aquatint_ir::types::Member| {
                let offset = member.layout.map_or(0, |layout| layout.offset);
                u64::from(offset) + size_of(types, member.ty, member.layout, nesting + 1)
            };
            data.members.iter().map(end).max().unwrap_or(0).max(u64::from(data.size))
        }
        Type::Void | Type::Pointer { .. } | Type::Texture(_) | Type::Sampler { .. } => 0,
    }
}

fn lines(rows: u8, columns: u8, layout: Option<MemberLayout>) -> (u8, u8) {
    if layout.is_none_or(|layout| layout.row_major) { (rows, columns) } else { (columns, rows) }
}

fn matrix_stride(layout: Option<MemberLayout>, line: u32) -> u32 {
    layout.map_or(line, |layout| layout.matrix_stride.max(line))
}

fn fill(
    types: &Types,
    ty: TypeId,
    layout: Option<MemberLayout>,
    at: u64,
    bytes: &mut [u8],
    random: &mut Random,
    nesting: usize,
) {
    if nesting > MOST_NESTING || at >= bytes.len() as u64 {
        return;
    }
    let mut put = |kind: Scalar, at: u64| {
        let bits = random.scalar(kind).to_le_bytes();
        let length = kind.bytes() as usize;
        if let Some(place) = bytes.get_mut(at as usize..at as usize + length) {
            place.copy_from_slice(&bits[..length]);
        }
    };
    match types.get(ty) {
        Type::Scalar(kind) => put(kind, at),
        Type::Vector(kind, lanes) => (0..u64::from(lanes)).for_each(|k| put(kind, at + k * u64::from(kind.bytes()))),
        Type::Matrix { scalar, rows, columns } => {
            let (lines, length) = lines(rows, columns, layout);
            let size = u64::from(scalar.bytes());
            let stride = u64::from(matrix_stride(layout, scalar.bytes() * u32::from(length)));
            for line in 0..u64::from(lines) {
                (0..u64::from(length)).for_each(|k| put(scalar, at + line * stride + k * size));
            }
        }
        Type::Array { element, length, stride } => {
            for index in 0..length.unwrap_or(RUNTIME_ELEMENTS) {
                let place = at + u64::from(index) * u64::from(stride.max(4));
                if place >= bytes.len() as u64 {
                    break;
                }
                fill(types, element, layout, place, bytes, random, nesting + 1);
            }
        }
        Type::Struct(id) => {
            let members = types.structs.get(id).map(|data| data.members.clone()).unwrap_or_default();
            for member in members {
                let offset = u64::from(member.layout.map_or(0, |layout| layout.offset));
                fill(types, member.ty, member.layout, at + offset, bytes, random, nesting + 1);
            }
        }
        Type::Void | Type::Pointer { .. } | Type::Texture(_) | Type::Sampler { .. } => {}
    }
}

/// What an executor may have changed: the buffers and textures of read-write registers.
pub fn is_written(binding: Binding) -> bool {
    binding.class == RegisterClass::U
}
