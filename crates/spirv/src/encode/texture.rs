//! Images and samplers.

use super::Encoder;
use aquatint_ir::types::{self, Texture, TextureKind, Type};
use aquatint_ir::{Attr, Function, Inst, InstId, Op as IrOp, SampleAttr, Stage, Value};
use smallvec::SmallVec;
use spirv::{Capability, ImageOperands, Op};

impl Encoder<'_> {
    fn texture_of(&self, function: &Function, value: Value) -> Option<Texture> {
        match self.module.types.get(self.module.type_of(function, value)) {
            Type::Texture(texture) => Some(texture),
            _ => None,
        }
    }

    /// Writes a texture operation.
    pub fn texture(&mut self, function: &Function, id: InstId, inst: &Inst) {
        let values: SmallVec<[Value; 8]> = function.operands(id).iter().copied().collect();
        let Some(texture) = self.texture_of(function, values[0]) else { return };
        let image = self.value(values[0]);
        match inst.op {
            IrOp::Sample | IrOp::Gather | IrOp::QueryLod => self.sampled(function, id, inst, &values, image),
            IrOp::Fetch => {
                let coordinates = self.value(values[1]);
                let Attr::Fetch(flags) = inst.attr else { return };
                let mut rest = values[2..].iter();
                let mut mask = ImageOperands::NONE;
                let mut more = SmallVec::<[u32; 3]>::new();
                if flags.has(SampleAttr::LEVEL)
                    && let Some(&level) = rest.next()
                {
                    mask |= if texture.multisampled { ImageOperands::SAMPLE } else { ImageOperands::LOD };
                    more.push(self.value(level));
                }
                if flags.has(SampleAttr::OFFSET)
                    && let Some(&offset) = rest.next()
                {
                    // Operands follow in the order of their bits: ConstOffset stands between Lod and Sample.
                    mask |= ImageOperands::CONST_OFFSET;
                    let offset = self.value(offset);
                    if texture.multisampled { more.insert(0, offset) } else { more.push(offset) }
                }
                let mut operands = SmallVec::<[u32; 6]>::from_slice(&[image, coordinates]);
                if mask != ImageOperands::NONE {
                    operands.push(mask.bits());
                    operands.extend_from_slice(&more);
                }
                self.simple(function, id, inst, Op::ImageFetch, &operands);
            }
            IrOp::ImageLoad => {
                let coordinates = self.value(values[1]);
                self.simple(function, id, inst, Op::ImageRead, &[image, coordinates]);
            }
            IrOp::ImageStore => {
                let (coordinates, texel) = (self.value(values[1]), self.value(values[2]));
                self.functions.op(Op::ImageWrite, &[image, coordinates, texel]);
            }
            IrOp::QuerySize => {
                self.capability(Capability::ImageQuery);
                let plain = texture.multisampled
                    || matches!(texture.kind, TextureKind::Storage(..))
                    || texture.dim == types::Dim::Buffer;
                match values.get(1) {
                    Some(&level) if !plain => {
                        let level = self.value(level);
                        self.simple(function, id, inst, Op::ImageQuerySizeLod, &[image, level]);
                    }
                    _ => self.simple(function, id, inst, Op::ImageQuerySize, &[image]),
                }
            }
            IrOp::QueryLevels => {
                self.capability(Capability::ImageQuery);
                self.simple(function, id, inst, Op::ImageQueryLevels, &[image]);
            }
            _ => {
                self.capability(Capability::ImageQuery);
                self.simple(function, id, inst, Op::ImageQuerySamples, &[image]);
            }
        }
    }

    fn sampled(&mut self, function: &Function, id: InstId, inst: &Inst, values: &[Value], image: u32) {
        let sampler = self.value(values[1]);
        let image_ty = self.module.type_of(function, values[0]);
        let image_ty = self.ty(image_ty);
        let combined_ty = self.sampled_image(image_ty);
        let combined = self.id();
        self.functions.op(Op::SampledImage, &[combined_ty, combined, image, sampler]);
        let coordinates = self.value(values[2]);
        if inst.op == IrOp::QueryLod {
            self.capability(Capability::ImageQuery);
            return self.simple(function, id, inst, Op::ImageQueryLod, &[combined, coordinates]);
        }
        let (flags, component) = match inst.attr {
            Attr::Sample(flags) => (flags, 0),
            Attr::Gather(flags, component) => (flags, component),
            _ => (SampleAttr(0), 0),
        };
        let mut rest = values[3..].iter().copied();
        let reference = match flags.has(SampleAttr::COMPARE) {
            true => rest.next().map(|v| self.value(v)),
            false => None,
        };
        let mut mask = ImageOperands::NONE;
        let mut more = SmallVec::<[u32; 6]>::new();
        let mut next = |e: &mut Self, more: &mut SmallVec<[u32; 6]>| {
            if let Some(value) = rest.next() {
                let id = e.value(value);
                more.push(id);
            }
        };
        let mut explicit = false;
        if flags.has(SampleAttr::BIAS) {
            mask |= ImageOperands::BIAS;
            next(self, &mut more);
        }
        if flags.has(SampleAttr::LEVEL) {
            mask |= ImageOperands::LOD;
            explicit = true;
            next(self, &mut more);
        }
        if flags.has(SampleAttr::GRADIENT) {
            mask |= ImageOperands::GRAD;
            explicit = true;
            next(self, &mut more);
            next(self, &mut more);
        }
        if flags.has(SampleAttr::OFFSET) {
            mask |= ImageOperands::CONST_OFFSET;
            next(self, &mut more);
        }
        if flags.has(SampleAttr::OFFSETS) {
            mask |= ImageOperands::CONST_OFFSETS;
            let mut four = SmallVec::<[u32; 6]>::new();
            for _ in 0..4 {
                next(self, &mut four);
            }
            more.push(self.offsets(&four));
            self.capability(Capability::ImageGatherExtended);
        }
        if flags.has(SampleAttr::CLAMP) {
            mask |= ImageOperands::MIN_LOD;
            self.capability(Capability::MinLod);
            next(self, &mut more);
        }
        if inst.op == IrOp::Sample && !explicit && self.stage != Stage::Fragment {
            // Without derivatives, level 0; its operand stands before all that may already be there but the bias.
            mask |= ImageOperands::LOD;
            explicit = true;
            if mask.contains(ImageOperands::MIN_LOD) {
                mask.remove(ImageOperands::MIN_LOD);
                more.pop();
            }
            let at = usize::from(flags.has(SampleAttr::BIAS));
            more.insert(at, self.scalar_constant(types::Scalar::F32, 0));
            if at == 1 {
                mask.remove(ImageOperands::BIAS);
                more.remove(0);
            }
        }
        let mut operands = SmallVec::<[u32; 10]>::from_slice(&[combined, coordinates]);
        operands.extend(reference);
        let op = match (inst.op, reference.is_some(), explicit) {
            (IrOp::Gather, true, _) => Op::ImageDrefGather,
            (IrOp::Gather, false, _) => {
                operands.push(self.u32_constant(u32::from(component)));
                Op::ImageGather
            }
            (_, false, false) => Op::ImageSampleImplicitLod,
            (_, false, true) => Op::ImageSampleExplicitLod,
            (_, true, false) => Op::ImageSampleDrefImplicitLod,
            (_, true, true) => Op::ImageSampleDrefExplicitLod,
        };
        if mask != ImageOperands::NONE {
            operands.push(mask.bits());
            operands.extend_from_slice(&more);
        }
        self.simple(function, id, inst, op, &operands);
    }

    /// The four offsets of a gather as a constant array.
    fn offsets(&mut self, four: &[u32]) -> u32 {
        let element = self.ty(types::vector(types::Scalar::I32, 2));
        let length = self.u32_constant(4);
        let ty = self.declare(Op::TypeArray, &[element, length]);
        let id = self.id();
        self.declarations.op2(Op::ConstantComposite, &[ty, id], four);
        id
    }
}
