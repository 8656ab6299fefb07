//! V004 of texture operations.

use super::Fault;
use super::ops::{COMPARED, Checked, Ctx, wrong};
use crate::codes;
use crate::function::Attr;
use crate::op::{AtomicOp, Op, SampleAttr};
use crate::types::{self, Access, Dim, F32, Scalar, Texture, TextureKind, Type, U32, lanes_of, vector};

impl Ctx<'_, '_> {
    pub(super) fn texture(&self) -> Result<Checked, Fault> {
        match (self.inst.op, self.inst.attr) {
            (Op::Sample, Attr::Sample(flags)) => self.sample(flags),
            (Op::Gather, Attr::Gather(flags, component)) => self.gather(flags, component),
            (Op::Fetch, Attr::Fetch(flags)) => self.fetch(flags),
            (Op::ImageAtomic, Attr::Atomic(op)) => self.image_atomic(op),
            (Op::ImageLoad | Op::ImageStore, Attr::None) => self.image(),
            (Op::QuerySize | Op::QueryLevels | Op::QuerySamples | Op::QueryLod, Attr::None) => self.query(),
            _ => wrong(format!("{} has not the attribute that it needs", self.inst.op.name())),
        }
    }

    /// The texture that is operand 0.
    fn handle(&self) -> Result<Texture, Fault> {
        match self.types().get(self.ty(0)) {
            Type::Texture(texture) => Ok(texture),
            _ => wrong("operand 0 is no texture"),
        }
    }

    /// A texture that can be filtered, the sampler that goes with it, and the coordinates.
    fn filtered(&self, compare: bool) -> Result<Texture, Fault> {
        let texture = self.handle()?;
        let kind = matches!(texture.kind, TextureKind::Sampled | TextureKind::Depth);
        if !kind || texture.multisampled || texture.dim == Dim::Buffer {
            return wrong("the texture is one that no sampler reads");
        }
        if self.types().get(self.ty(1)) != (Type::Sampler { comparison: compare }) {
            return wrong(if compare { "operand 1 is no comparison sampler" } else { "operand 1 is no sampler" });
        }
        self.operand_is(2, vector(Scalar::F32, texture.coordinates()))?;
        Ok(texture)
    }

    /// The operands that the flags add, from `at` on.
    fn flagged(&self, flags: SampleAttr, texture: Texture, at: usize) -> Result<(), Fault> {
        let mut at = at;
        let dims = texture.dim.coordinates();
        for (flag, name) in SampleAttr::NAMES {
            if !flags.has(flag) {
                continue;
            }
            let (count, ty) = match flag {
                SampleAttr::GRADIENT => (2, vector(Scalar::F32, dims)),
                SampleAttr::OFFSET => (1, vector(Scalar::I32, dims)),
                SampleAttr::OFFSETS => (4, vector(Scalar::I32, dims)),
                _ => (1, F32),
            };
            if matches!(flag, SampleAttr::OFFSET | SampleAttr::OFFSETS) && texture.dim == Dim::Cube {
                return wrong("cube textures take no offset");
            }
            for i in at..at + count {
                self.operand_is(i, ty)?;
                let fixed = flag == SampleAttr::OFFSET && self.inst.op != Op::Gather;
                if fixed && self.operands.get(i).is_some_and(|v| v.as_constant().is_none()) {
                    return wrong(format!("the {name} is no constant"));
                }
            }
            at += count;
        }
        Ok(())
    }

    fn allowed(&self, flags: SampleAttr, allowed: u8) -> Result<(), Fault> {
        if flags.0 & !allowed == 0 {
            return Ok(());
        }
        wrong(format!("{} has a flag that is not its own", self.inst.op.name()))
    }

    fn sample(&self, flags: SampleAttr) -> Result<Checked, Fault> {
        use SampleAttr as S;
        self.allowed(flags, S::COMPARE | S::BIAS | S::LEVEL | S::GRADIENT | S::OFFSET | S::CLAMP)?;
        let levels = [S::BIAS, S::LEVEL, S::GRADIENT].into_iter().filter(|&f| flags.has(f)).count();
        if levels > 1 || flags.has(S::LEVEL) && flags.has(S::CLAMP) {
            return wrong("sample takes one of bias, level and gradient, and no clamp with a level");
        }
        self.counts(3 + flags.operands(), 1)?;
        let texture = self.filtered(flags.has(S::COMPARE))?;
        if !texture.scalar.is_float() {
            return wrong("integer textures are not filtered");
        }
        self.flagged(flags, texture, 3)?;
        self.result_is(0, if flags.has(S::COMPARE) { COMPARED } else { vector(texture.scalar, 4) })
    }

    fn gather(&self, flags: SampleAttr, component: u8) -> Result<Checked, Fault> {
        use SampleAttr as S;
        self.allowed(flags, S::COMPARE | S::OFFSET | S::OFFSETS)?;
        if flags.has(S::OFFSET) && flags.has(S::OFFSETS) || component > 3 {
            return wrong("gather takes one component of four, and one offset or four");
        }
        self.counts(3 + flags.operands(), 1)?;
        let texture = self.filtered(flags.has(S::COMPARE))?;
        if !matches!(texture.dim, Dim::D2 | Dim::Cube) {
            return wrong("gather reads 2d and cube textures");
        }
        self.flagged(flags, texture, 3)?;
        self.result_is(0, vector(if flags.has(S::COMPARE) { Scalar::F32 } else { texture.scalar }, 4))
    }

    /// Integer coordinates, operand `i`.
    fn texel(&self, i: usize, texture: Texture) -> Result<(), Fault> {
        match self.lanes(i) {
            Some((Scalar::I32 | Scalar::U32, lanes)) if lanes == texture.coordinates() => Ok(()),
            _ => wrong(format!("operand {i} is not the {} integer coordinates of a texel", texture.coordinates())),
        }
    }

    fn whole(&self, i: usize) -> Result<(), Fault> {
        match self.lanes(i) {
            Some((Scalar::I32 | Scalar::U32, 1)) => Ok(()),
            _ => wrong(format!("operand {i} is no 32-bit integer")),
        }
    }

    fn fetch(&self, flags: SampleAttr) -> Result<Checked, Fault> {
        use SampleAttr as S;
        self.allowed(flags, S::LEVEL | S::OFFSET)?;
        let texture = self.handle()?;
        if matches!(texture.kind, TextureKind::Storage(..)) || texture.dim == Dim::Cube {
            return wrong("fetch reads sampled textures other than cubes");
        }
        if texture.multisampled && !flags.has(S::LEVEL) || texture.dim == Dim::Buffer && flags.0 != 0 {
            return wrong("fetch takes a sample number of a multisampled texture, and nothing of a buffer");
        }
        self.counts(2 + flags.operands(), 1)?;
        self.texel(1, texture)?;
        let level = flags.has(S::LEVEL);
        if level {
            self.whole(2)?;
        }
        self.flagged(SampleAttr(flags.0 & S::OFFSET), texture, 2 + usize::from(level))?;
        self.result_is(0, vector(texture.scalar, 4))
    }

    fn storage(&self) -> Result<(Texture, Access), Fault> {
        let texture = self.handle()?;
        let TextureKind::Storage(_, access) = texture.kind else { return wrong("operand 0 is no storage texture") };
        self.texel(1, texture)?;
        Ok((texture, access))
    }

    fn image(&self) -> Result<Checked, Fault> {
        if self.inst.op == Op::ImageLoad {
            self.counts(2, 1)?;
            let (texture, access) = self.storage()?;
            if access == Access::Write {
                return wrong("the texture is declared for stores only");
            }
            return self.result_is(0, vector(texture.scalar, 4));
        }
        self.counts(3, 0)?;
        let (texture, access) = self.storage()?;
        self.operand_is(2, vector(texture.scalar, 4))?;
        if access == Access::Read {
            return Err((&codes::V008, "the texture is declared for loads only".to_owned()));
        }
        Ok(Checked::Nothing)
    }

    fn image_atomic(&self, op: AtomicOp) -> Result<Checked, Fault> {
        self.counts(if op == AtomicOp::CompareExchange { 4 } else { 3 }, 1)?;
        let (texture, access) = self.storage()?;
        let ty = types::scalar(texture.scalar);
        self.atomic_kind(op, ty)?;
        for i in 2..self.operands.len() {
            self.operand_is(i, ty)?;
        }
        self.result_is(0, ty)?;
        if access != Access::ReadWrite {
            return Err((&codes::V008, "the texture is not declared for loads and stores".to_owned()));
        }
        Ok(Checked::Nothing)
    }

    fn query(&self) -> Result<Checked, Fault> {
        let texture = self.handle()?;
        let storage = matches!(texture.kind, TextureKind::Storage(..));
        let leveled = !storage && !texture.multisampled && texture.dim != Dim::Buffer;
        match self.inst.op {
            Op::QuerySize => {
                self.counts(1 + usize::from(leveled), 1)?;
                if leveled {
                    self.whole(1)?;
                }
                let faces = if texture.dim == Dim::Cube { 2 } else { texture.dim.coordinates() };
                self.result_is(0, vector(Scalar::U32, faces + u8::from(texture.arrayed)))
            }
            Op::QueryLevels => {
                self.counts(1, 1)?;
                if !leveled {
                    return wrong("the texture has no levels");
                }
                self.result_is(0, U32)
            }
            Op::QuerySamples => {
                self.counts(1, 1)?;
                if !texture.multisampled {
                    return wrong("the texture has no samples");
                }
                self.result_is(0, U32)
            }
            _ => {
                self.counts(3, 1)?;
                if !leveled || !matches!(self.types().get(self.ty(1)), Type::Sampler { .. }) {
                    return wrong("query.lod takes a texture with levels and a sampler");
                }
                // The layer does not matter, so both forms of the coordinates mean the same.
                let dims = texture.dim.coordinates();
                match lanes_of(self.ty(2)) {
                    Some((Scalar::F32, n)) if n == dims || n == texture.coordinates() => {}
                    _ => return wrong("operand 2 is not the coordinates"),
                }
                self.result_is(0, vector(Scalar::F32, 2))
            }
        }
    }
}
