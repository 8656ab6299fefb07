//! Texture operations: which operand is what.

use super::{Frame, Translator};
use crate::interpret::Error;
use crate::interpret::program::{Arg, Inst, TextureInst};
use aquatint_ir::op::AtomicOp;
use aquatint_ir::types::{TexelFormat, TextureKind};
use aquatint_ir::{Attr, InstId, Op, SampleAttr, Type, Value};

/// Operands, one after the other.
struct Operands<'a>(std::slice::Iter<'a, Value>);

impl Operands<'_> {
    fn next(&mut self) -> Result<Value, Error> {
        self.0.next().copied().ok_or(Error::Malformed("a texture operation with too few operands"))
    }
}

impl<'m> Translator<'m> {
    pub(super) fn texture(&mut self, frame: &mut Frame<'m>, id: InstId) -> Result<(), Error> {
        let function = frame.function;
        let inst = function.insts[id];
        let mut operands = Operands(function.operands(id).iter());
        let texture = operands.next()?;
        let Type::Texture(ty) = self.module.types.get(self.type_of(frame, texture)) else {
            return Err(Error::Malformed("a texture operation on no texture"));
        };
        let mut to = TextureInst {
            op: inst.op,
            ty,
            texture: self.sized(frame, texture, 1)?,
            sampler: 0,
            coords: None,
            compare: None,
            bias: None,
            level: None,
            gradient: None,
            offset: None,
            offsets: None,
            clamp: None,
            value: None,
            atomic: None,
            format: match ty.kind {
                TextureKind::Storage(format, _) => format,
                TextureKind::Sampled | TextureKind::Depth => TexelFormat::Any,
            },
            component: 0,
            out: None,
            implicit: false,
        };
        let samples = matches!(inst.op, Op::Sample | Op::Gather | Op::QueryLod);
        if samples {
            let sampler = operands.next()?;
            if !matches!(self.module.types.get(self.type_of(frame, sampler)), Type::Sampler { .. }) {
                return Err(Error::Malformed("a sample without a sampler"));
            }
            to.sampler = self.sized(frame, sampler, 1)?;
        }
        let queries = matches!(inst.op, Op::QuerySize | Op::QueryLevels | Op::QuerySamples);
        if !queries {
            let coords = self.arg(frame, operands.next()?)?;
            // `query.lod` may leave the layer out.
            let needed = if inst.op == Op::QueryLod { ty.dim.coordinates() } else { ty.coordinates() };
            if coords.lanes < u32::from(needed) || coords.kind.is_float() != samples {
                return Err(Error::Malformed("texture coordinates of another type"));
            }
            to.coords = Some(coords);
        }
        match (inst.op, inst.attr) {
            (Op::Sample, Attr::Sample(flags)) => {
                self.flags(frame, &mut to, flags, &mut operands)?;
                to.implicit = self.is_fragment() && to.level.is_none() && to.gradient.is_none();
            }
            (Op::Gather, Attr::Gather(flags, component)) => {
                self.flags(frame, &mut to, flags, &mut operands)?;
                to.component = component.min(3);
            }
            (Op::Fetch, Attr::Fetch(flags)) => self.flags(frame, &mut to, flags, &mut operands)?,
            (Op::Sample | Op::Gather | Op::Fetch, Attr::None) => {
                to.implicit = self.is_fragment() && inst.op == Op::Sample;
            }
            (Op::QueryLod, _) => to.implicit = self.is_fragment(),
            (Op::ImageStore, _) => to.value = Some(self.arg(frame, operands.next()?)?),
            (Op::ImageAtomic, Attr::Atomic(op)) => {
                let comparand = match op {
                    AtomicOp::CompareExchange => Some(self.arg(frame, operands.next()?)?),
                    _ => None,
                };
                to.value = Some(self.arg(frame, operands.next()?)?);
                to.atomic = Some((op, comparand));
            }
            (Op::QuerySize, _) => {
                if let Ok(level) = operands.next() {
                    to.level = Some(self.arg(frame, level)?);
                }
            }
            (Op::ImageLoad | Op::QueryLevels | Op::QuerySamples, _) => {}
            _ => return Err(Error::Malformed("a texture operation without its attribute")),
        }
        if let Some(result) = function.result(id) {
            let kind = aquatint_ir::types::lanes_of(function.locals[result].ty);
            let (kind, lanes) = kind.ok_or(Error::Malformed("a texture result that is no number"))?;
            let slots = self.define(frame, result)?;
            to.out = Some(Arg { slot: slots.first, lanes: u32::from(lanes), kind });
        }
        let number = self.program.textures.len() as u32;
        self.program.textures.push(to);
        self.emit(Inst::Texture(number));
        Ok(())
    }

    /// The operands that the flags announce, in the order of [`SampleAttr::NAMES`].
    fn flags(
        &mut self,
        frame: &Frame<'_>,
        to: &mut TextureInst,
        flags: SampleAttr,
        operands: &mut Operands<'_>,
    ) -> Result<(), Error> {
        for (flag, _) in SampleAttr::NAMES {
            if !flags.has(flag) {
                continue;
            }
            let arg = self.arg(frame, operands.next()?)?;
            let float = !matches!(flag, SampleAttr::OFFSET | SampleAttr::OFFSETS | SampleAttr::LEVEL);
            if float && !arg.kind.is_float() {
                return Err(Error::Malformed("a texture operand of another type"));
            }
            match flag {
                SampleAttr::COMPARE => to.compare = Some(arg),
                SampleAttr::BIAS => to.bias = Some(arg),
                SampleAttr::LEVEL => to.level = Some(arg),
                SampleAttr::GRADIENT => to.gradient = Some([arg, self.arg(frame, operands.next()?)?]),
                SampleAttr::OFFSET => to.offset = Some(arg),
                SampleAttr::CLAMP => to.clamp = Some(arg),
                _ => {
                    let mut all = [arg; 4];
                    for one in all.iter_mut().skip(1) {
                        *one = self.arg(frame, operands.next()?)?;
                    }
                    to.offsets = Some(all);
                }
            }
        }
        Ok(())
    }
}
