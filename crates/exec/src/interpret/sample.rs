//! Texture operations.

use super::atomic::combine;
use super::machine::Machine;
use super::mask;
use super::program::{Arg, TextureInst};
use super::resources::{Entry, Image, Resources, default_sampler, unbound};
use crate::texture::{Coord, Detail, Dimension, Sampler, Texture};
use aquatint_ir::eval::{convert, f16_from_f64, f16_to_f64};
use aquatint_ir::types::{Dim, TexelFormat};
use aquatint_ir::{Op, Scalar};

const fn dimension(dim: Dim) -> Dimension {
    match dim {
        Dim::D1 | Dim::Buffer => Dimension::D1,
        Dim::D2 => Dimension::D2,
        Dim::D3 => Dimension::D3,
        Dim::Cube => Dimension::Cube,
    }
}

/// A texel or footprint: floats, or bits.
enum Texel {
    Float([f32; 4]),
    Bits([u32; 4]),
}

impl Machine<'_> {
    /// A component of an operand as f32; 0 beyond its lanes.
    fn number(&self, arg: Arg, component: u32, lane: usize) -> f32 {
        if component >= arg.lanes {
            return 0.0;
        }
        let bits = self.slot(arg.slot + component, lane);
        f32::from_bits(convert(arg.kind, Scalar::F32, bits) as u32)
    }

    /// A component of an operand as a signed integer, clamped; 0 beyond its lanes.
    fn integer(&self, arg: Arg, component: u32, lane: usize) -> i32 {
        if component >= arg.lanes {
            return 0;
        }
        let bits = self.slot(arg.slot + component, lane);
        let wide = match arg.kind {
            Scalar::U64 => i64::try_from(bits).unwrap_or(i64::MAX),
            kind => convert(kind, Scalar::I64, bits) as i64,
        };
        wide.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }

    fn image<'r>(&self, resources: &'r Resources, word: u64) -> Option<&'r Image> {
        match self.entry(word)? {
            Entry::Image(index) => resources.images.get(index),
            _ => None,
        }
    }

    fn sampled<'r>(&self, resources: &'r Resources, inst: &TextureInst, lane: usize) -> &'r Texture {
        match self.image(resources, self.slot(inst.texture, lane)) {
            Some(Image::Texture(texture)) => texture,
            _ => unbound(dimension(inst.ty.dim)),
        }
    }

    fn sampler<'r>(&self, resources: &'r Resources, inst: &TextureInst, lane: usize) -> &'r Sampler {
        match self.entry(self.slot(inst.sampler, lane)) {
            Some(Entry::Sampler(index)) => resources.samplers.get(index).unwrap_or_else(|| default_sampler()),
            _ => default_sampler(),
        }
    }

    fn offset(&self, arg: Option<Arg>, lane: usize) -> [i32; 3] {
        arg.map_or([0; 3], |arg| [0, 1, 2].map(|axis| self.integer(arg, axis, lane)))
    }

    fn coord(&self, inst: &TextureInst, lane: usize) -> Coord {
        let Some(coords) = inst.coords else { return Coord::default() };
        let axes = u32::from(inst.ty.dim.coordinates());
        let at = [0, 1, 2].map(|axis| if axis < axes { self.number(coords, axis, lane) } else { 0.0 });
        let layer = if inst.ty.arrayed { self.number(coords, axes, lane) } else { 0.0 };
        Coord { at, layer, offset: self.offset(inst.offset, lane) }
    }

    fn detail(&self, inst: &TextureInst, lane: usize) -> Detail {
        let optional = |arg: Option<Arg>| arg.map_or(0.0, |arg| self.number(arg, 0, lane));
        if let Some(level) = inst.level {
            return Detail::Level(self.number(level, 0, lane));
        }
        if let Some(gradient) = inst.gradient {
            let [ddx, ddy] = gradient.map(|arg| [0, 1, 2].map(|axis| self.number(arg, axis, lane)));
            return Detail::Gradient { ddx, ddy, bias: optional(inst.bias), min_lod: optional(inst.clamp) };
        }
        let quad = lane & !3;
        if inst.implicit && quad + 3 < self.lanes {
            let at = [0, 1, 2, 3].map(|k| self.coord(inst, quad + k));
            return Detail::of_quad(&at, optional(inst.bias), optional(inst.clamp));
        }
        Detail::ZERO
    }

    fn put(&mut self, inst: &TextureInst, lane: usize, texel: &Texel) {
        let Some(out) = inst.out else { return };
        for component in 0..out.lanes {
            let part = component as usize & 3;
            let bits = match texel {
                Texel::Float(rgba) => convert(Scalar::F32, out.kind, u64::from(rgba[part].to_bits())),
                Texel::Bits(rgba) if out.kind.bits() == 64 => {
                    if part == 0 {
                        u64::from(rgba[0]) | u64::from(rgba[1]) << 32
                    } else {
                        0
                    }
                }
                Texel::Bits(rgba) => aquatint_ir::constants::mask(out.kind, u64::from(rgba[part])),
            };
            self.set_slot(out.slot + component, lane, bits);
        }
    }

    fn put_words(&mut self, inst: &TextureInst, lane: usize, words: &[u32]) {
        let Some(out) = inst.out else { return };
        for component in 0..out.lanes {
            let word = words.get(component as usize).copied().unwrap_or(0);
            self.set_slot(out.slot + component, lane, convert(Scalar::U32, out.kind, u64::from(word)));
        }
    }

    pub(super) fn texture(&mut self, resources: &mut Resources, inst: &TextureInst, lane: usize) {
        match inst.op {
            Op::Sample => {
                let texel = self.sample(resources, inst, lane);
                self.put(inst, lane, &texel);
            }
            Op::Gather => {
                let texel = self.gather(resources, inst, lane);
                self.put(inst, lane, &texel);
            }
            Op::Fetch | Op::ImageLoad => {
                let bits = self.fetch(resources, inst, lane);
                let texel = match inst.ty.scalar.is_float() {
                    true => Texel::Float(bits.map(f32::from_bits)),
                    false => Texel::Bits(bits),
                };
                self.put(inst, lane, &texel);
            }
            Op::ImageStore => self.store_texel(resources, inst, lane),
            Op::ImageAtomic => self.atomic_texel(resources, inst, lane),
            Op::QueryLod => {
                let (texture, sampler) = (self.sampled(resources, inst, lane), self.sampler(resources, inst, lane));
                let lod = texture.query_lod(sampler, &self.coord(inst, lane), &self.detail(inst, lane));
                self.put(inst, lane, &Texel::Float([lod.level, lod.lambda, 0.0, 0.0]));
            }
            _ => self.query(resources, inst, lane),
        }
    }

    fn sample(&self, resources: &Resources, inst: &TextureInst, lane: usize) -> Texel {
        let (texture, sampler) = (self.sampled(resources, inst, lane), self.sampler(resources, inst, lane));
        let (at, detail) = (self.coord(inst, lane), self.detail(inst, lane));
        if let Some(compare) = inst.compare {
            let reference = self.number(compare, 0, lane);
            return Texel::Float([texture.sample_compare(sampler, &at, &detail, reference); 4]);
        }
        if inst.ty.scalar.is_float() {
            Texel::Float(texture.sample(sampler, &at, &detail))
        } else {
            Texel::Bits(texture.sample_bits(sampler, &at, &detail))
        }
    }

    fn gather(&self, resources: &Resources, inst: &TextureInst, lane: usize) -> Texel {
        let (texture, sampler) = (self.sampled(resources, inst, lane), self.sampler(resources, inst, lane));
        let component = usize::from(inst.component);
        let one = |at: &Coord| match inst.compare {
            Some(compare) => texture.gather_compare(sampler, at, self.number(compare, 0, lane)).map(f32::to_bits),
            None => texture.gather_bits(sampler, at, component),
        };
        let at = self.coord(inst, lane);
        let bits = match inst.offsets {
            // The last of a footprint is its (0, 0) texel.
            Some(offsets) => offsets.map(|offset| one(&Coord { offset: self.offset(Some(offset), lane), ..at })[3]),
            None => one(&at),
        };
        if inst.ty.scalar.is_float() || inst.compare.is_some() {
            Texel::Float(bits.map(f32::from_bits))
        } else {
            Texel::Bits(bits)
        }
    }

    /// Integer coordinates and the layer.
    fn texel_at(&self, inst: &TextureInst, lane: usize) -> ([i32; 3], i32) {
        let Some(coords) = inst.coords else { return ([0; 3], 0) };
        let axes = u32::from(inst.ty.dim.coordinates());
        let offset = self.offset(inst.offset, lane);
        let at = [0, 1, 2].map(|axis| match axis < axes {
            true => self.integer(coords, axis, lane).saturating_add(offset[axis as usize]),
            false => 0,
        });
        // A cube's third coordinate is the face when it is addressed by texels.
        let face = if inst.ty.dim == Dim::Cube { at[2] } else { 0 };
        let layer = if inst.ty.arrayed { self.integer(coords, axes, lane) } else { 0 };
        match inst.ty.dim {
            Dim::Cube => ([at[0], at[1], 0], layer.saturating_mul(6).saturating_add(face)),
            _ => (at, layer),
        }
    }

    /// A texel as bits: of floats where the type says so, whatever is bound.
    fn fetch(&self, resources: &Resources, inst: &TextureInst, lane: usize) -> [u32; 4] {
        let (at, layer) = self.texel_at(inst, lane);
        if inst.ty.dim == Dim::Buffer
            && let Some(Image::Texels(texels)) = self.image(resources, self.slot(inst.texture, lane))
        {
            return usize::try_from(at[0]).ok().and_then(|i| texels.get(i)).copied().unwrap_or([0; 4]);
        }
        let texture = self.sampled(resources, inst, lane);
        let last = inst.level.map_or(0, |level| self.integer(level, 0, lane));
        let (level, sample) = if inst.ty.multisampled { (0, last) } else { (last, 0) };
        if inst.ty.scalar.is_float() {
            texture.fetch_sample(at, layer, level, sample).map(f32::to_bits)
        } else {
            texture.fetch_bits(at, layer, level, sample)
        }
    }

    /// The image to change.
    fn image_mut<'r>(&self, resources: &'r mut Resources, word: u64) -> Option<&'r mut Image> {
        match self.entry(word)? {
            Entry::Image(index) => resources.images.get_mut(index),
            _ => None,
        }
    }

    fn write_texel(&self, resources: &mut Resources, inst: &TextureInst, lane: usize, texel: [u32; 4]) -> bool {
        let (at, layer) = self.texel_at(inst, lane);
        match self.image_mut(resources, self.slot(inst.texture, lane)) {
            Some(Image::Texture(texture)) => texture.store_bits(at, layer, 0, 0, texel),
            Some(Image::Texels(texels)) => match usize::try_from(at[0]).ok().and_then(|index| texels.get_mut(index)) {
                Some(place) => {
                    *place = texel;
                    true
                }
                None => false,
            },
            None => false,
        }
    }

    fn store_texel(&mut self, resources: &mut Resources, inst: &TextureInst, lane: usize) {
        let Some(value) = inst.value else { return };
        if mask::has(&self.helpers, lane) {
            return;
        }
        let component = |k: u32| if k < value.lanes { self.slot(value.slot + k, lane) } else { 0 };
        let texel = if value.kind.is_float() {
            [0, 1, 2, 3].map(|k| convert(value.kind, Scalar::F32, component(k)) as u32)
        } else if value.kind.bits() == 64 {
            let word = component(0);
            [word as u32, (word >> 32) as u32, 0, 0]
        } else if value.kind.is_signed() {
            [0, 1, 2, 3].map(|k| convert(value.kind, Scalar::I32, component(k)) as u32)
        } else {
            [0, 1, 2, 3].map(|k| component(k) as u32)
        };
        self.write_texel(resources, inst, lane, quantise(inst.format, texel));
    }

    fn atomic_texel(&mut self, resources: &mut Resources, inst: &TextureInst, lane: usize) {
        let (Some(value), Some((op, comparand))) = (inst.value, inst.atomic) else { return };
        let kind = value.kind;
        let mut before = 0;
        if !mask::has(&self.helpers, lane) {
            let texel = self.fetch(resources, inst, lane);
            let wide = kind.bits() == 64;
            before = u64::from(texel[0]) | if wide { u64::from(texel[1]) << 32 } else { 0 };
            let comparand = comparand.map_or(0, |arg| self.slot(arg.slot, lane));
            let after = combine(op, kind, before, comparand, self.slot(value.slot, lane));
            let high = if wide { (after >> 32) as u32 } else { texel[1] };
            if !self.write_texel(resources, inst, lane, [after as u32, high, texel[2], texel[3]]) {
                before = 0;
            }
        }
        if let Some(out) = inst.out {
            self.set_slot(out.slot, lane, before);
        }
    }

    fn query(&mut self, resources: &Resources, inst: &TextureInst, lane: usize) {
        if let (Op::QuerySize, Some(Image::Texels(texels))) =
            (inst.op, self.image(resources, self.slot(inst.texture, lane)))
        {
            let count = u32::try_from(texels.len()).unwrap_or(u32::MAX);
            return self.put_words(inst, lane, &[count]);
        }
        let texture = self.sampled(resources, inst, lane);
        match inst.op {
            Op::QueryLevels => self.put_words(inst, lane, &[texture.levels()]),
            Op::QuerySamples => self.put_words(inst, lane, &[texture.shape().samples]),
            _ => {
                let level = inst.level.map_or(0, |level| self.slot(level.slot, lane) as u32);
                let size = texture.size(level);
                let mut words = [size.width, size.height, size.depth, 0];
                let axes = dimension(inst.ty.dim).axes();
                // The layer count comes last, and is 0 with the rest where the level does not exist.
                words[axes] = if inst.ty.arrayed && size.width > 0 { texture.shape().layers } else { 0 };
                let used = axes + usize::from(inst.ty.arrayed);
                self.put_words(inst, lane, &words[..used.min(4)]);
            }
        }
    }
}

/// A texel as the format holds it.
fn quantise(format: TexelFormat, texel: [u32; 4]) -> [u32; 4] {
    let (channels, bits) = format.channels_bits();
    let Some(kind) = format.scalar() else { return texel };
    let mut out = [0, 0, 0, if kind.is_float() { 1.0_f32.to_bits() } else { 1 }];
    for (channel, (to, &from)) in out.iter_mut().zip(&texel).enumerate().take(usize::from(channels)) {
        // The alpha of the 10-bit formats has 2 bits, the blue of r11g11b10f one less than the others.
        let bits = match (format, channel) {
            (TexelFormat::Rgb10A2 | TexelFormat::Rgb10A2ui, 3) => 2,
            (TexelFormat::R11fG11fB10f, 2) => 10,
            _ => bits,
        };
        *to = match kind {
            Scalar::F32 => float_channel(format, bits, f32::from_bits(from)).to_bits(),
            Scalar::I32 if bits < 32 => ((from << (32 - bits)) as i32 >> (32 - bits)) as u32,
            Scalar::U32 if bits < 32 => from & ((1 << bits) - 1),
            _ => from,
        };
    }
    if kind.bits() == 64 { [texel[0], texel[1], 0, 1] } else { out }
}

fn float_channel(format: TexelFormat, bits: u8, x: f32) -> f32 {
    use TexelFormat::{
        R8Snorm, R11fG11fB10f, R16Snorm, R16f, R32f, Rg8Snorm, Rg16Snorm, Rg16f, Rg32f, Rgba8Snorm, Rgba16Snorm,
        Rgba16f, Rgba32f,
    };
    let most = |bits: u8| ((1_u32 << bits) - 1) as f32;
    let x_or_zero = if x.is_nan() { 0.0 } else { x };
    match format {
        Rgba32f | Rg32f | R32f => x,
        Rgba16f | Rg16f | R16f => f16_to_f64(f16_from_f64(f64::from(x))) as f32,
        R11fG11fB10f => small_float(x, bits - 5),
        R8Snorm | Rg8Snorm | Rgba8Snorm | R16Snorm | Rg16Snorm | Rgba16Snorm => {
            let most = most(bits - 1);
            (x_or_zero.clamp(-1.0, 1.0) * most).round_ties_even() / most
        }
        _ => (x_or_zero.clamp(0.0, 1.0) * most(bits)).round_ties_even() / most(bits),
    }
}

/// An unsigned float of 5 exponent bits and that many fraction bits, to nearest even. Negative numbers become 0.
fn small_float(x: f32, fraction: u8) -> f32 {
    if x.is_nan() || x.is_infinite() {
        return if x > 0.0 || x.is_nan() { x } else { 0.0 };
    }
    let x = f64::from(x.max(0.0));
    let exponent = ((x.to_bits() >> 52) as i32 - 1023).max(-14);
    let unit = 2.0_f64.powi(exponent - i32::from(fraction));
    let largest = 65536.0 - 2.0_f64.powi(15 - i32::from(fraction));
    ((x / unit).round_ties_even() * unit).min(largest) as f32
}
