//! Textures and typed buffers (B10).

use crate::intrinsics::{Method, MethodRow};
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Base, Expr, Object};
use crate::types::{self, Family, Kind, ObjectKind, Shape, Ty};
use aquatint_base::Span;
use aquatint_ir::op::SampleAttr;
use aquatint_ir::types::{self as ir, Dim, Scalar};
use aquatint_ir::{Attr, Op, Value};
use smallvec::SmallVec;

impl Sema<'_> {
    /// Four components as the element type.
    fn texel(&mut self, four: Value, element: Ty) -> Value {
        match self.types.numeric(element) {
            Some((_, Shape::Vector(n))) => self.shuffle(four, &[0, 1, 2, 3][..usize::from(n)]),
            _ => self.extract(four, 0),
        }
    }

    pub(crate) fn load_texel(&mut self, base: &Base, element: Ty) -> Value {
        let Base::Texel { object, at, level, .. } = base else { return self.placeholder(element) };
        let Some(handle) = self.handle(*object) else { return self.placeholder(element) };
        let ty = ir::vector(self.texel_scalar(element), 4);
        let four = match (self.module.types.get(self.type_of(handle)), level) {
            (ir::Type::Texture(texture), _) if matches!(texture.kind, ir::TextureKind::Storage(..)) => {
                self.b().value(Op::ImageLoad, Attr::None, &[handle, *at], ty)
            }
            (_, Some(level)) => {
                let attr = Attr::Fetch(SampleAttr(SampleAttr::LEVEL));
                self.b().value(Op::Fetch, attr, &[handle, *at, *level], ty)
            }
            (_, None) => self.b().value(Op::Fetch, Attr::Fetch(SampleAttr(0)), &[handle, *at], ty),
        };
        self.texel(four, element)
    }

    pub(crate) fn store_texel(&mut self, base: &Base, value: Value, element: Ty) {
        let Base::Texel { object, at, .. } = base else { return };
        let Some(handle) = self.handle(*object) else { return };
        let kind = self.texel_scalar(element);
        let lanes = self.lanes(value).1;
        let four = match lanes {
            4 => value,
            _ => {
                // Missing components are 0 (B10.8).
                let mut parts: SmallVec<[Value; 4]> = SmallVec::new();
                parts.push(value);
                for _ in lanes..4 {
                    let zero = self.number(kind, 1, 0.0);
                    parts.push(zero);
                }
                self.construct(ir::vector(kind, 4), &parts)
            }
        };
        self.b().push(Op::ImageStore, Attr::None, &[handle, *at, four], &[]);
    }

    /// A constant offset in −8…7 (B10.1).
    fn offset(&mut self, arg: &Expr, dims: u8, constant: bool) -> Option<Value> {
        let ty = self.types.vector(Kind::Int, dims);
        let value = self.convert(arg, ty);
        if !constant {
            return Some(value);
        }
        let fits = value.as_constant().and_then(|id| {
            let constant = self.module.constants.get(id)?;
            Some((0..usize::from(dims)).all(|i| {
                let lane = constant.lane(i).unwrap_or(0) as u32 as i32;
                (-8..=7).contains(&lane)
            }))
        });
        match fits {
            Some(true) => Some(value),
            Some(false) => {
                self.error(&codes::AQ3058, arg.span, "an offset lies between -8 and 7".to_owned());
                None
            }
            None => {
                self.error(&codes::AQ3058, arg.span, "an offset is constant here".to_owned());
                None
            }
        }
    }

    pub(super) fn texture_method(
        &mut self,
        object: Object,
        kind: ObjectKind,
        element: Ty,
        row: &'static MethodRow,
        args: &[Expr],
        span: Span,
    ) -> Expr {
        match row.method {
            Method::Load => return self.load_method(object, kind, element, args, span),
            Method::SamplePosition => return self.sample_position(object, &args[0], span),
            _ => {}
        }
        let object_row = kind.row();
        let dims = object_row.dim.coordinates();
        let coordinates = dims + u8::from(object_row.arrayed);
        let mut sampler = None;
        let mut operands: SmallVec<[Value; 8]> = SmallVec::new();
        let mut offsets: SmallVec<[Value; 4]> = SmallVec::new();
        let mut clamp = None;
        let cube = object_row.dim == Dim::Cube;
        let letters: SmallVec<[char; 8]> = row.signature.chars().filter(|&c| c != '?' && !(cube && c == 'o')).collect();
        if cube && args.len() > letters.len() {
            self.error(&codes::AQ3004, span, format!("'{}' of a cube texture takes no offset and no status", row.name));
            return Expr::error(span);
        }
        let gathers = matches!(row.method, Method::Gather { .. });
        for (&letter, arg) in letters.iter().zip(args) {
            match letter {
                's' => {
                    let any = matches!(row.method, Method::LevelOfDetail(_));
                    sampler = self.sampler_argument(arg, (!any).then_some(false));
                }
                'S' => sampler = self.sampler_argument(arg, Some(true)),
                'c' => {
                    let ty = self.types.vector(Kind::Float, coordinates);
                    let value = self.convert(arg, ty);
                    operands.push(value);
                }
                'g' => {
                    let ty = self.types.vector(Kind::Float, dims);
                    let value = self.convert(arg, ty);
                    operands.push(value);
                }
                'o' => match self.offset(arg, dims, !gathers) {
                    Some(value) => offsets.push(value),
                    None => return Expr::error(span),
                },
                'k' => clamp = Some(self.convert(arg, types::FLOAT)),
                _ => {
                    let value = self.convert(arg, types::FLOAT);
                    operands.push(value);
                }
            }
        }
        let float4 = ir::vector(self.texel_scalar(element), 4);
        let (Some(handle), Some(sampler)) = (self.handle(object), sampler) else {
            let ty = match row.method {
                Method::Sample(flags) if flags & SampleAttr::COMPARE != 0 => types::FLOAT,
                Method::CompareLevelZero | Method::LevelOfDetail(_) => types::FLOAT,
                Method::Gather { compare: true, .. } => self.types.vector(Kind::Float, 4),
                Method::Gather { .. } => self.gathered(element),
                _ => element,
            };
            let value = self.placeholder(ty);
            return Expr::value(ty, value, span);
        };
        let mut all: SmallVec<[Value; 10]> = SmallVec::from_slice(&[handle, sampler]);
        match row.method {
            Method::LevelOfDetail(clamped) => {
                all.extend(operands);
                let both = self.b().value(Op::QueryLod, Attr::None, &all, ir::vector(Scalar::F32, 2));
                let value = self.extract(both, if clamped { 0 } else { 1 });
                Expr::value(types::FLOAT, value, span)
            }
            Method::Gather { component, compare } => {
                let mut flags = if compare { SampleAttr::COMPARE } else { 0 };
                all.extend(operands);
                match offsets.len() {
                    0 => {}
                    1 => flags |= SampleAttr::OFFSET,
                    4 => flags |= SampleAttr::OFFSETS,
                    n => {
                        self.error(&codes::AQ3006, span, format!("a gather takes one offset or four, not {n}"));
                        return Expr::error(span);
                    }
                }
                all.extend(offsets);
                let ty = if compare { self.types.vector(Kind::Float, 4) } else { self.gathered(element) };
                let held = if compare { ir::VEC4F } else { float4 };
                let value = self.b().value(Op::Gather, Attr::Gather(SampleAttr(flags), component), &all, held);
                Expr::value(ty, value, span)
            }
            Method::Sample(_) | Method::CompareLevelZero => {
                let mut flags = match row.method {
                    Method::Sample(flags) => flags,
                    _ => SampleAttr::COMPARE | SampleAttr::LEVEL,
                };
                if !float4_is_float(float4) {
                    let message =
                        format!("'{}' needs a texture of floats, not of '{}'", row.name, self.ty_name(element));
                    self.error(&codes::AQ3057, span, message);
                    return Expr::error(span);
                }
                all.extend(operands);
                if row.method == Method::CompareLevelZero {
                    let zero = self.number(Scalar::F32, 1, 0.0);
                    all.push(zero);
                }
                if let Some(&offset) = offsets.first() {
                    flags |= SampleAttr::OFFSET;
                    all.push(offset);
                }
                if let Some(clamp) = clamp {
                    flags |= SampleAttr::CLAMP;
                    all.push(clamp);
                }
                let compare = flags & SampleAttr::COMPARE != 0;
                let attr = Attr::Sample(SampleAttr(flags));
                let value = self.b().value(Op::Sample, attr, &all, if compare { ir::F32 } else { float4 });
                if compare {
                    return Expr::value(types::FLOAT, value, span);
                }
                let value = self.texel(value, element);
                let element = self.types.canonical(element);
                Expr::value(element, value, span)
            }
            _ => Expr::error(span),
        }
    }

    fn gathered(&mut self, element: Ty) -> Ty {
        let kind = self.types.numeric(element).map_or(Kind::Float, |(kind, _)| kind);
        self.types.vector(kind, 4)
    }

    /// `Load`: the level is the last coordinate of sampled textures, the sample an argument of multisampled ones.
    fn load_method(&mut self, object: Object, kind: ObjectKind, element: Ty, args: &[Expr], span: Span) -> Expr {
        let row = kind.row();
        let lanes = row.dim.coordinates() + u8::from(row.arrayed);
        let leveled = !row.writable && !row.multisampled && row.dim != Dim::Buffer;
        let first = &args[0];
        let given = lanes + u8::from(leveled);
        let unsigned = matches!(self.types.numeric(first.ty), Some((k, _)) if k.is_unsigned());
        let place_ty = self.types.vector(if unsigned { Kind::Uint } else { Kind::Int }, given);
        let place = self.convert(first, place_ty);
        let mut rest = &args[1..];
        let (mut at, mut level) = (place, None);
        if leveled {
            at = self.shuffle(place, &[0, 1, 2, 3][..usize::from(lanes)]);
            level = Some(self.extract(place, u32::from(lanes)));
        } else if row.multisampled {
            let Some((sample, others)) = rest.split_first() else {
                let message = "'Load' of a multisampled texture takes the sample".to_owned();
                self.error(&codes::AQ3006, span, message);
                return Expr::error(span);
            };
            level = Some(self.convert(sample, types::INT));
            rest = others;
        }
        if let Some((offset, others)) = rest.split_first() {
            if !others.is_empty() || row.writable || row.dim == Dim::Buffer {
                self.error(&codes::AQ3031, span, "'Load' with a status is not supported".to_owned());
                return Expr::error(span);
            }
            let dims = row.dim.coordinates();
            let ty = self.types.vector(Kind::Int, dims);
            let mut offset = self.convert(offset, ty);
            let kind = self.lanes(at).0;
            offset = self.convert_kind(offset, kind);
            if row.arrayed {
                let zero = self.number(kind, 1, 0.0);
                offset = self.construct(ir::vector(kind, lanes), &[offset, zero]);
            }
            at = self.op(Op::IAdd, &[at, offset]);
        }
        self.texel_place(object, element, false, at, level, span)
    }

    pub(super) fn get_dimensions(
        &mut self,
        object: Object,
        kind: ObjectKind,
        element: Ty,
        args: &[Expr],
        span: Span,
    ) -> Expr {
        let row = kind.row();
        let handle = self.handle(object);
        if row.family != Family::Texture {
            return self.buffer_dimensions(handle, object, kind, element, args, span);
        }
        let sizes =
            usize::from(if row.dim == Dim::Cube { 2 } else { row.dim.coordinates() }) + usize::from(row.arrayed);
        let leveled = !row.writable && !row.multisampled && row.dim != Dim::Buffer;
        let (level, outs, extra) = match (leveled, row.multisampled, args.len()) {
            (true, _, n) if n == sizes + 2 => (Some(&args[0]), &args[1..], true),
            (_, true, n) if n == sizes + 1 => (None, args, true),
            (_, false, n) if n == sizes => (None, args, false),
            _ => {
                let message = format!("'GetDimensions' of '{}' does not take {} arguments", row.name, args.len());
                self.error(&codes::AQ3006, span, message);
                return Expr::error(span);
            }
        };
        let level = match (level, leveled) {
            (Some(level), _) => Some(self.convert(level, types::UINT)),
            (None, true) => Some(self.u32(0)),
            (None, false) => None,
        };
        let Some(handle) = handle else { return Expr::void(span) };
        let operands: SmallVec<[Value; 2]> = std::iter::once(handle).chain(level).collect();
        let size = self.b().value(Op::QuerySize, Attr::None, &operands, ir::vector(Scalar::U32, sizes as u8));
        for (i, out) in outs.iter().take(sizes).enumerate() {
            let part = if sizes == 1 { size } else { self.extract(size, i as u32) };
            self.assign_converted(out, part, types::UINT);
        }
        if extra && let Some(out) = outs.get(sizes) {
            let op = if row.multisampled { Op::QuerySamples } else { Op::QueryLevels };
            let count = self.b().value(op, Attr::None, &[handle], ir::U32);
            self.assign_converted(out, count, types::UINT);
        }
        Expr::void(span)
    }

    /// The standard positions (B10.9), chosen by the number of samples.
    fn sample_position(&mut self, object: Object, index: &Expr, span: Span) -> Expr {
        let ty = self.types.vector(Kind::Float, 2);
        let index = self.convert(index, types::INT);
        let index = self.bitcast(index, Scalar::U32);
        let Some(handle) = self.handle(object) else {
            let value = self.placeholder(ty);
            return Expr::value(ty, value, span);
        };
        let count = self.b().value(Op::QuerySamples, Attr::None, &[handle], ir::U32);
        let held = ir::vector(Scalar::F32, 2);
        let mut result = self.zero(held);
        for (samples, places) in POSITIONS {
            let parts: Vec<Value> = places
                .iter()
                .map(|&(x, y)| {
                    let lanes = [x, y].map(|v| u64::from((f32::from(v) / 16.0).to_bits()));
                    Value::constant(self.module.constants.vector(Scalar::F32, &lanes))
                })
                .collect();
            let array = self.module.types.array(held, places.len() as u32);
            let table = self.construct(array, &parts);
            let place = self.value(Op::ExtractDyn, Attr::None, &[table, index], held);
            let wanted = self.u32(*samples);
            let here = self.op(Op::IEq, &[count, wanted]);
            result = self.select(here, place, result);
        }
        Expr::value(ty, result, span)
    }
}

fn float4_is_float(ty: ir::TypeId) -> bool {
    ir::lanes_of(ty).is_some_and(|(kind, _)| kind.is_float())
}

/// Sample positions in 1/16 pixel from the centre.
static POSITIONS: &[(u32, &[(i8, i8)])] = &[
    (2, &[(4, 4), (-4, -4)]),
    (4, &[(-2, -6), (6, -2), (-6, 2), (2, 6)]),
    (8, &[(1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)]),
    (
        16,
        &[
            (1, 1),
            (-1, -3),
            (-3, 2),
            (4, -1),
            (-5, -2),
            (2, 5),
            (5, 3),
            (3, -5),
            (-2, 6),
            (0, -7),
            (-4, -6),
            (-6, 4),
            (-8, 0),
            (7, -4),
            (6, 7),
            (-7, -8),
        ],
    ),
];
