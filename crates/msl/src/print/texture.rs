//! Textures, quads, waves, bytes of buffers (sheets B10, D5).

use super::types::lanes_name;
use super::{Body, operator::precedence as p};
use aquatint_ir::op::{QuadLane, Wave};
use aquatint_ir::types::{Dim, Scalar, Texture, TextureKind, Type, lanes_of};
use aquatint_ir::{Attr, InstId, Op, SampleAttr, Value};

const LANES: [&str; 4] = ["x", "xy", "xyz", "xyzw"];

impl Body<'_, '_> {
    /// The rest of the operations that are expressions.
    pub(super) fn texture(&mut self, id: InstId, min: u8) {
        let function = self.function;
        let inst = &function.insts[id];
        let operands = function.operands(id);
        match (inst.op, inst.attr) {
            (Op::Sample, Attr::Sample(flags)) => self.sample(id, operands, flags),
            (Op::Gather, Attr::Gather(flags, component)) => self.gather(operands, flags, component),
            (Op::Fetch, Attr::Fetch(flags)) => self.fetch(id, operands, flags),
            (Op::ImageLoad, _) => self.fetch(id, operands, SampleAttr(0)),
            (Op::QuerySize, _) => self.query_size(id, operands),
            (Op::QueryLevels, _) => self.method(operands, ".get_num_mip_levels()"),
            (Op::QuerySamples, _) => self.method(operands, ".get_num_samples()"),
            (Op::QueryLod, _) => self.query_lod(operands),
            (Op::QuadOp, Attr::Quad(lane)) => self.quad(operands, lane),
            (Op::WaveOp, Attr::Wave(wave)) => self.wave(operands, wave, min),
            (Op::LoadBytes, _) => self.load_bytes(id, operands),
            // The check refuses everything else.
            _ => self.push("unsupported"),
        }
    }

    fn texture_type(&self, handle: Value) -> Option<Texture> {
        match self.file.module.types.get(self.type_of(handle)) {
            Type::Texture(texture) => Some(texture),
            _ => None,
        }
    }

    fn method(&mut self, operands: &[Value], method: &str) {
        if let Some(&handle) = operands.first() {
            self.handle(handle);
            self.push(method);
        }
    }

    fn handle(&mut self, handle: Value) {
        self.expr(handle, p::POSTFIX);
    }

    /// Coordinates for sampling: the layer is an argument of its own (sheet B10.3).
    fn coordinates(&mut self, texture: Texture, value: Value) {
        if !texture.arrayed {
            return self.expr(value, 0);
        }
        let plain = usize::from(texture.dim.coordinates());
        self.swizzle(value, &[0, 1, 2][..plain.min(3)]);
        self.push(", uint(rint(max(");
        self.swizzle(value, &[plain as u8]);
        self.push(", 0.0f)))");
    }

    /// Cuts a result of four lanes to what the instruction gives.
    fn cut(&mut self, id: InstId) {
        let lanes = self.function.result(id).and_then(|l| lanes_of(self.function.locals[l].ty)).map_or(4, |(_, n)| n);
        if lanes < 4 {
            self.push(".");
            self.push(LANES[usize::from(lanes) - 1]);
        }
    }

    fn sample(&mut self, id: InstId, operands: &[Value], flags: SampleAttr) {
        let &[handle, sampler, coordinates, ref rest @ ..] = operands else { return };
        let Some(texture) = self.texture_type(handle) else { return };
        let mut rest = rest.iter().copied();
        let depth = texture.kind == TextureKind::Depth;
        let compare = flags.has(SampleAttr::COMPARE);
        let widen = depth && !compare;
        if widen {
            self.push("float4(");
        }
        self.handle(handle);
        self.push(if compare { ".sample_compare(" } else { ".sample(" });
        self.expr(sampler, 0);
        self.push(", ");
        self.coordinates(texture, coordinates);
        if compare {
            self.extra(&mut rest, ", ", "");
        }
        // A 1D texture has one level: what chooses among levels is dropped.
        let levels = texture.dim != Dim::D1;
        if flags.has(SampleAttr::BIAS) {
            self.extra_if(levels, &mut rest, ", bias(", ")");
        }
        if flags.has(SampleAttr::LEVEL) {
            self.extra_if(levels, &mut rest, ", level(", ")");
        }
        if flags.has(SampleAttr::GRADIENT) {
            let open = match texture.dim {
                Dim::Cube => ", gradientcube(",
                Dim::D3 => ", gradient3d(",
                _ => ", gradient2d(",
            };
            self.extra_if(levels, &mut rest, open, "");
            self.extra_if(levels, &mut rest, ", ", ")");
        }
        let offset = if flags.has(SampleAttr::OFFSET) { rest.next() } else { None };
        if flags.has(SampleAttr::CLAMP) {
            self.extra_if(levels, &mut rest, ", min_lod_clamp(", ")");
        }
        if let Some(offset) = offset {
            self.push(", ");
            self.expr(offset, 0);
        }
        self.push(")");
        if widen {
            self.push(", 0.0f, 0.0f, 1.0f)");
        }
        if !compare {
            self.cut(id);
        }
    }

    fn extra(&mut self, rest: &mut impl Iterator<Item = Value>, open: &str, close: &str) {
        if let Some(value) = rest.next() {
            self.push(open);
            self.expr(value, 0);
            self.push(close);
        }
    }

    fn extra_if(&mut self, wanted: bool, rest: &mut impl Iterator<Item = Value>, open: &str, close: &str) {
        if wanted {
            self.extra(rest, open, close);
        } else {
            rest.next();
        }
    }

    fn gather(&mut self, operands: &[Value], flags: SampleAttr, component: u8) {
        let &[handle, sampler, coordinates, ref rest @ ..] = operands else { return };
        let Some(texture) = self.texture_type(handle) else { return };
        let mut rest = rest.iter().copied();
        let compare = flags.has(SampleAttr::COMPARE);
        self.handle(handle);
        self.push(if compare { ".gather_compare(" } else { ".gather(" });
        self.expr(sampler, 0);
        self.push(", ");
        self.coordinates(texture, coordinates);
        if compare {
            self.extra(&mut rest, ", ", "");
        }
        let cube = texture.dim == Dim::Cube;
        if flags.has(SampleAttr::OFFSET) {
            self.extra(&mut rest, ", ", "");
        } else if !cube && texture.kind != TextureKind::Depth && component > 0 {
            self.push(", int2(0)");
        }
        if texture.kind != TextureKind::Depth && component > 0 {
            self.push(", component::");
            self.push(["x", "y", "z", "w"][usize::from(component) & 3]);
        }
        self.push(")");
    }

    fn fetch(&mut self, id: InstId, operands: &[Value], flags: SampleAttr) {
        let &[handle, coordinates, ref rest @ ..] = operands else { return };
        let Some(texture) = self.texture_type(handle) else { return };
        let depth = texture.kind == TextureKind::Depth;
        let mut rest = rest.iter().copied();
        let level = if flags.has(SampleAttr::LEVEL) { rest.next() } else { None };
        let offset = if flags.has(SampleAttr::OFFSET) { rest.next() } else { None };
        if depth {
            self.push("float4(");
        }
        self.handle(handle);
        self.push(".read(");
        self.texel(texture, coordinates, offset);
        if let Some(level) = level.filter(|_| texture.dim != Dim::D1 && texture.dim != Dim::Buffer) {
            self.push(", uint(");
            self.expr(level, 0);
            self.push(")");
        }
        self.push(if depth { "), 0.0f, 0.0f, 1.0f)" } else { ")" });
        self.cut(id);
    }

    /// Integer coordinates: unsigned ones, the layer as an argument of its own.
    pub(super) fn texel(&mut self, texture: Texture, coordinates: Value, offset: Option<Value>) {
        let plain = texture.dim.coordinates();
        self.push(lanes_name(Scalar::U32, plain));
        self.push("(");
        self.expr(
            coordinates,
            if texture.arrayed {
                p::POSTFIX
            } else if offset.is_some() {
                p::SUM
            } else {
                0
            },
        );
        if texture.arrayed {
            self.push(".");
            self.push(LANES[usize::from(plain) - 1]);
        }
        if let Some(offset) = offset {
            self.push(" + ");
            self.expr(offset, p::SUM + 1);
        }
        self.push(")");
        if texture.arrayed {
            self.push(", uint(");
            self.swizzle(coordinates, &[plain]);
            self.push(")");
        }
    }

    fn query_size(&mut self, id: InstId, operands: &[Value]) {
        let Some(&handle) = operands.first() else { return };
        let Some(texture) = self.texture_type(handle) else { return };
        let result = self.function.result(id).map_or(aquatint_ir::types::U32, |l| self.function.locals[l].ty);
        let level = operands.get(1).copied().filter(|_| !matches!(texture.dim, Dim::D1 | Dim::Buffer));
        let several = lanes_of(result).is_some_and(|(_, lanes)| lanes > 1);
        if several {
            self.type_name(result);
            self.push("(");
        }
        let names: &[&str] = match texture.dim {
            Dim::D1 | Dim::Buffer => &["width"],
            Dim::D2 | Dim::Cube => &["width", "height"],
            Dim::D3 => &["width", "height", "depth"],
        };
        for (i, name) in names.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.handle(handle);
            self.push(".get_");
            self.push(name);
            self.push("(");
            if let Some(level) = level {
                self.expr(level, 0);
            }
            self.push(")");
        }
        if texture.arrayed {
            self.push(", ");
            self.handle(handle);
            self.push(".get_array_size()");
        }
        if several {
            self.push(")");
        }
    }

    fn query_lod(&mut self, operands: &[Value]) {
        let &[handle, sampler, coordinates, ..] = operands else { return };
        self.push("float2(");
        for (i, method) in [".calculate_clamped_lod(", ".calculate_unclamped_lod("].iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.handle(handle);
            self.push(method);
            self.expr(sampler, 0);
            self.push(", ");
            self.expr(coordinates, 0);
            self.push(")");
        }
        self.push(")");
    }

    fn quad(&mut self, operands: &[Value], lane: QuadLane) {
        let (name, last) = match lane {
            QuadLane::AcrossX => ("quad_shuffle_xor(", ", 1)"),
            QuadLane::AcrossY => ("quad_shuffle_xor(", ", 2)"),
            QuadLane::Diagonal => ("quad_shuffle_xor(", ", 3)"),
            QuadLane::At => ("quad_broadcast(", ")"),
            QuadLane::Any => ("quad_any(", ")"),
            QuadLane::All => ("quad_all(", ")"),
        };
        self.push(name);
        if lane == QuadLane::At
            && let &[value, at] = operands
        {
            self.expr(value, 0);
            self.push(", ushort(");
            self.expr(at, 0);
            self.push(")");
        } else {
            self.list(operands);
        }
        self.push(last);
    }

    fn wave(&mut self, operands: &[Value], wave: Wave, _min: u8) {
        let name = match wave {
            Wave::IsFirst => "simd_is_first",
            Wave::AnyTrue => "simd_any",
            Wave::AllTrue => "simd_all",
            Wave::ReadFirst => "simd_broadcast_first",
            Wave::Sum => "simd_sum",
            Wave::Product => "simd_product",
            Wave::And => "simd_and",
            Wave::Or => "simd_or",
            Wave::Xor => "simd_xor",
            Wave::Min => "simd_min",
            Wave::Max => "simd_max",
            Wave::PrefixSum => "simd_prefix_exclusive_sum",
            Wave::PrefixProduct => "simd_prefix_exclusive_product",
            Wave::ReadAt => {
                let &[value, at] = operands else { return };
                self.push("simd_shuffle(");
                self.expr(value, 0);
                self.push(", ushort(");
                self.expr(at, 0);
                return self.push("))");
            }
            // The check refuses the others.
            _ => "unsupported",
        };
        self.call(name, operands);
    }

    fn load_bytes(&mut self, id: InstId, operands: &[Value]) {
        let &[pointer, offset] = operands else { return };
        let ty = self.function.result(id).map_or(aquatint_ir::types::U32, |l| self.function.locals[l].ty);
        self.type_name(ty);
        self.push("(");
        self.bytes(pointer, offset, ty, true);
        self.push(")");
    }

    /// A place in a buffer of bytes.
    pub(super) fn bytes(&mut self, pointer: Value, offset: Value, ty: aquatint_ir::TypeId, read: bool) {
        let writable = pointer
            .as_global()
            .and_then(|g| self.file.module.globals.get(g))
            .is_some_and(|g| matches!(g.kind, aquatint_ir::GlobalKind::Resource { writable: true, .. }));
        let space = if read && !writable { "const device " } else { "device " };
        self.push("*(");
        self.push(space);
        self.file.buffer_type(ty, false);
        self.push("*)((");
        self.push(space);
        self.push("uchar*)");
        self.path(pointer);
        self.push(" + ");
        self.expr(offset, p::SUM + 1);
        self.push(")");
    }
}
