"""A small Direct3D 9 that follows the specification sheet: runs a job of point primitives and gives its texels.

It exists to check the recordings and to compute the sheet's answer where Wine decides differently. A point covers
one pixel and its inputs are constant over it, so no rasteriser is needed; jobs with other primitives raise
`Unsupported` and are recorded unchecked.
"""

import math
import struct

import sheet_alu
import sheet_sm1
import sheet_texture
import tokens as T
from sheet_alu import INF, Rules, f32, mul, saturate

POSITION, PSIZE, TEXCOORD, COLOR, FOG = 0, 4, 5, 10, 11
ELEMENT_LANES = {0: 1, 1: 2, 2: 3, 3: 4}


class Unsupported(Exception):
    pass


class State:
    """Everything that job commands set."""

    def __init__(self):
        self.size = (64, 64)
        self.clear = [0.0] * 4
        self.f = {"vs": {}, "ps": {}}
        self.i = {"vs": {}, "ps": {}}
        self.b = {"vs": {}, "ps": {}}
        self.textures, self.samplers, self.tss = {}, {}, {}
        self.rs = {7: 0, 14: 1, 15: 0, 23: 4, 24: 0, 25: 8, 28: 0, 34: 0, 35: 0, 36: 0, 37: f_bits(1.0),
                   38: f_bits(1.0)}
        self.elements, self.stride, self.data = [], 16, b""
        self.color, self.depth = None, None

    def sampler(self, stage):
        return self.samplers.setdefault(stage, sheet_texture.Sampler())

    def tss_float(self, stage, state):
        return bits_f(self.tss.get((stage, state), 0))


def f_bits(f):
    return struct.unpack("<I", struct.pack("<f", f))[0]


def bits_f(w):
    return struct.unpack("<f", struct.pack("<I", w))[0]


def value(text):
    return f_bits(float(text[2:])) if text.startswith("f:") else int(text, 0)


def run_job(words, job, rules: Rules):
    """Texels that the job leaves: {(x, y): (r, g, b, a)}; `words`: stage name -> bytecode words."""
    state = State()
    programs = {stage: T.decode(w) for stage, w in words.items()}
    for line in job:
        f = line.split("#")[0].split()
        if not f:
            continue
        key = f[0]
        if key == "rt":
            state.size = int(f[1]), int(f[2])
        elif key == "clear":
            state.clear = [float(v) for v in f[1:5]]
        elif key in ("vsf", "psf"):
            v = [f32(float(x)) for x in f[2:]]
            for k in range(0, len(v), 4):
                state.f[stage_of(key)][int(f[1]) + k // 4] = v[k:k + 4]
        elif key in ("vsi", "psi"):
            state.i[stage_of(key)][int(f[1])] = [int(v) for v in f[2:6]]
        elif key in ("vsb", "psb"):
            state.b[stage_of(key)][int(f[1])] = bool(int(f[2]))
        elif key == "tex":
            state.textures[int(f[1])] = sheet_texture.Texture(f[2:])
        elif key == "samp":
            state.sampler(int(f[1])).state[int(f[2])] = value(f[3])
        elif key == "rs":
            state.rs[int(f[1])] = value(f[2])
        elif key == "tss":
            state.tss[int(f[1]), int(f[2])] = value(f[3])
        elif key == "elem":
            state.elements.append([int(v) for v in f[1:6]])
        elif key == "stride":
            state.stride = int(f[1])
        elif key == "vf":
            state.data += b"".join(struct.pack("<f", f32(float(v))) for v in f[1:])
        elif key == "vu":
            state.data += b"".join(struct.pack("<I", int(v, 0)) for v in f[1:])
        elif key == "draw":
            draw(state, programs, int(f[1]), int(f[2]), rules)
        else:
            raise Unsupported(key)
    return state.color


def stage_of(key):
    return "vs" if key[0] == "v" else "ps"


def draw(state, programs, primitive, count, rules):
    width, height = state.size
    if state.color is None:
        cells = [(x, y) for y in range(height) for x in range(width)]
        state.color = {c: tuple(state.clear) for c in cells}
        state.depth = {c: 1.0 for c in cells}
    if primitive != 1 or set(programs) != {"vs", "ps"}:
        raise Unsupported("primitives other than points")
    for n in range(count):
        outputs = Vertex(programs["vs"], state, rules, n).run()
        position = outputs.get((POSITION, 0), [0, 0, 0, 1])
        position = [0.0 if p is None else p for p in position]
        w = position[3]
        pixel = (math.floor((position[0] / w + 1) * width / 2 + 0.5),
                 math.floor((1 - position[1] / w) * height / 2 + 0.5))
        if pixel in state.color:
            shader = Pixel(programs["ps"], state, rules, outputs, pixel)
            shader.run()
            if not shader.killed:
                output_merge(state, pixel, shader, outputs, position[2] / w)
    state.data = b""


def output_merge(state, pixel, shader, outputs, z):
    """Fog, alpha test, depth test, write (sheet 3.7). Alpha is compared at 8 bits."""
    color = [0.0 if c is None else c for c in shader.color()]
    rs = state.rs
    if rs[28] and shader.version < (3, 0):
        if rs[35] == 0:
            factor = outputs.get((FOG, 0), [0.0])[0] or 0.0
        else:
            start, end, density = (bits_f(rs[k]) for k in (36, 37, 38))
            factor = {1: lambda: math.exp(-z * density), 2: lambda: math.exp(-(z * density) ** 2),
                      3: lambda: (end - z) / (end - start)}[rs[35]]()
        factor = 1.0 if factor != factor else saturate(factor)
        fog = [(rs[34] >> s & 255) / 255 for s in (16, 8, 0)]
        color[:3] = [fog[k] + factor * (color[k] - fog[k]) for k in range(3)]
    if rs[15]:
        a, ref = round(saturate(color[3]) * 255), rs[24]
        if not [False, a < ref, a == ref, a <= ref, a > ref, a != ref, a >= ref, True][rs[25] - 1]:
            return
    if rs[7]:
        d = shader.depth_out
        depth = min(1.0, max(0.0, z if d is None else d))
        old = state.depth[pixel]
        if not [False, depth < old, depth == old, depth <= old, depth > old, depth != old, depth >= old,
                True][rs[23] - 1]:
            return
        if rs[14]:
            state.depth[pixel] = depth
    state.color[pixel] = tuple(color)


class Machine:
    """Registers and control flow that both stages share."""

    def __init__(self, program, state, rules, stage):
        word, self.code = program
        self.version = (word >> 8 & 0xFF, word & 0xFF)
        if self.version[1] == 0xFF:
            self.version = (self.version[0], 2)
            self.wide = True
        else:
            self.wide = False
        self.state, self.rules, self.stage = state, rules, stage
        self.r = {}
        self.a0, self.al, self.p0 = [0] * 4, 0, [False] * 4
        self.f, self.i, self.b = {}, {}, {}
        self.dcls = []
        for ins in self.code:
            if ins.name == "def":
                self.f[ins.dst.num] = T.floats(ins.data)
            elif ins.name == "defi":
                self.i[ins.dst.num] = [w - (1 << 32) if w >> 31 else w for w in ins.data]
            elif ins.name == "defb":
                self.b[ins.dst.num] = bool(ins.data[0])
            elif ins.name == "dcl":
                self.dcls.append((ins.data[0], ins.dst))
        self.code = [i for i in self.code if i.name not in ("def", "defi", "defb", "dcl", "nop")]
        self.killed = False

    def constant(self, n):
        size = 8192 if self.wide else 256 if self.stage == "vs" else 224 if self.version[0] == 3 else 32
        if not 0 <= n < size:
            return [0.0] * 4
        v = self.f.get(n, self.state.f[self.stage].get(n, [0.0] * 4))
        if self.stage == "ps" and self.version[0] == 1:
            v = [max(-1.0, min(1.0, x)) for x in v]
        return v

    def index(self, operand):
        n = operand.num
        if operand.rel:
            n += self.al if operand.rel.type == T.AL else self.a0[operand.rel.swz[0]]
        elif operand.rel_flag:
            n += self.a0[0]
        return n

    def register(self, kind, n):
        if kind == T.R:
            return list(self.r.get(n, [0.0] * 4))
        if kind == T.C:
            return list(self.constant(n))
        raise Unsupported(f"register type {kind}")

    def read(self, operand, step=0):
        wide = self.register(operand.type, self.index(operand) + step)
        return sheet_alu.modify(operand.mod, [wide[k] for k in operand.swz], wide)

    def truth(self, operand):
        if operand.type == T.B:
            v = self.b.get(operand.num, self.state.b[self.stage].get(operand.num, False))
        else:
            v = self.p0[operand.swz[0]]
        return v != (operand.mod == 13)

    def written(self, ins):
        """Lanes that the mask and the predicate (which Wine ignores) let through; p0 as it is before the write."""
        lanes = [k for k in range(4) if ins.dst.mask >> k & 1]
        if ins.pred and not self.rules.wine:
            lanes = [k for k in lanes if self.p0[ins.pred.swz[k]] != (ins.pred.mod == 13)]
        return lanes

    def store(self, ins, values):
        dst = ins.dst
        old = self.target(dst)
        for k in self.written(ins):
            if values[k] is None:
                continue
            v = values[k]
            if dst.shift:
                v = mul(self.rules, v, 2.0 ** dst.shift)
            old[k] = saturate(v) if dst.sat else v
        return old

    def target(self, dst):
        if dst.type == T.R:
            return self.r.setdefault(dst.num, [0.0] * 4)
        raise Unsupported(f"write to register type {dst.type}")

    def matching(self):
        """Partner positions of every block opcode, and labels."""
        self.ends, self.labels, stack = {}, {}, []
        for at, ins in enumerate(self.code):
            if ins.op in (40, 41, 27, 38):
                stack.append(at)
            elif ins.op == 42:
                self.ends[stack.pop()] = at
                stack.append(at)
            elif ins.op in (43, 29, 39):
                self.ends[stack.pop()] = at
            elif ins.op == 30:
                self.labels[ins.srcs[0].num] = at

    def run(self):
        self.matching()
        at, calls, loops, steps = 0, [], [], 0
        while at < len(self.code):
            ins = self.code[at]
            steps += 1
            if steps > 100000:
                raise Unsupported("endless loop")
            at += 1
            op = ins.op
            leave = False
            if op in (40, 41):
                yes = self.truth(ins.srcs[0]) if op == 40 else self.compare(ins)
                if not yes:
                    at = self.ends[at - 1] + 1
            elif op == 42:
                at = self.ends[at - 1] + 1
            elif op in (27, 38):
                reg = ins.srcs[-1].num
                count = self.i.get(reg, self.state.i[self.stage].get(reg, [0] * 4))
                if count[0] <= 0:
                    at = self.ends[at - 1] + 1
                else:
                    loops.append([at, self.ends[at - 1], count[0], self.al, count[2] if op == 27 else 0])
                    if op == 27:
                        self.al = count[1]
            elif op in (29, 39):
                top = loops[-1]
                top[2] -= 1
                self.al += top[4]
                if top[2] > 0:
                    at = top[0]
                else:
                    self.al = loops.pop()[3] if op == 29 else (loops.pop(), self.al)[1]
            elif op == 43:
                pass
            elif op == 44:
                leave = True
            elif op == 45:
                leave = self.compare(ins)
            elif op == 96:
                leave = self.truth(ins.srcs[0])
            elif op in (25, 26):
                if op == 25 or self.truth(ins.srcs[1]):
                    calls.append((at, len(loops)))
                    at = self.labels[ins.srcs[0].num] + 1
            elif op == 28:
                if not calls:
                    break
                at, depth = calls.pop()
                del loops[depth:]
            elif op == 30:
                break
            else:
                self.execute(at - 1, ins)
            if leave:
                top = loops.pop()
                at = top[1] + 1
                if self.code[top[1]].op == 29:
                    self.al = top[3]
        return self.results()

    def results(self):
        return None

    def compare(self, ins):
        return sheet_alu.compare(ins.ctrl & 7, self.read(ins.srcs[0])[0], self.read(ins.srcs[1])[0])

    def matrix(self, ins):
        count = {"m4x4": 4, "m4x3": 3, "m3x4": 4, "m3x3": 3, "m3x2": 2}[ins.name]
        return [self.read(ins.srcs[1], k) for k in range(count)]

    def evaluate(self, ins):
        rows = self.matrix(ins) if ins.op in range(20, 25) else None
        sources = [self.read(s) for s in (ins.srcs[:1] if rows else ins.srcs)]
        return sheet_alu.alu(self.rules, ins.name, self.version, sources, ins.dst.mask, rows)

    def execute(self, at, ins):
        if ins.op == 94:
            a, b = self.read(ins.srcs[0]), self.read(ins.srcs[1])
            for k in self.written(ins):
                self.p0[k] = sheet_alu.compare(ins.ctrl & 7, a[k], b[k])
        elif ins.op == 46 or ins.dst and ins.dst.type == T.A and self.stage == "vs":
            v = self.read(ins.srcs[0])
            for k in self.written(ins):
                x = saturate(v[k]) if ins.dst.sat else v[k]
                x = 0.0 if x != x else max(-2.0 ** 31, min(2.0 ** 31 - 1, x))
                self.a0[k] = math.floor(x) if self.version[0] == 1 else round(x)
        else:
            self.store(ins, self.evaluate(ins))

    def sampled(self, ins, source, coord, lod=-100.0):
        stage = source if isinstance(source, int) else source.num
        texel = self.state.sampler(stage).sample(self.state.textures.get(stage), coord, lod)
        texel = [f32(v) for v in texel]
        if self.version[0] == 3:
            texel = [texel[k] for k in source.swz]
        return texel


class Vertex(Machine):
    def __init__(self, program, state, rules, n):
        super().__init__(program, state, rules, "vs")
        self.v, self.o = {}, {}
        for word, dst in self.dcls:
            if dst.type == T.V:
                self.v[dst.num] = self.fetch(word & 31, word >> 16 & 15, n)
        if not any(d.type == T.V for _, d in self.dcls):
            d3d8 = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (10, 0), (10, 1)] + [(5, k) for k in range(8)] + [(0, 1)]
            self.v = {k: self.fetch(*s, n) for k, s in enumerate(d3d8)}

    def fetch(self, usage, index, n):
        for _, offset, kind, u, i in self.state.elements:
            if (u, i) == (usage, index):
                at = n * self.state.stride + offset
                if kind in ELEMENT_LANES:
                    lanes = ELEMENT_LANES[kind]
                    got = list(struct.unpack_from(f"<{lanes}f", self.state.data, at))
                    return got + [0.0, 0.0, 0.0, 1.0][lanes:]
                if kind == 4:
                    b = self.state.data[at:at + 4]
                    return [f32(b[k] / 255) for k in (2, 1, 0, 3)]
                if kind == 5:
                    return [float(b) for b in self.state.data[at:at + 4]]
                raise Unsupported("element type")
        return [0.0] * 4

    def register(self, kind, n):
        if kind == T.V:
            return list(self.v.get(n, [0.0] * 4))
        return super().register(kind, n)

    def target(self, dst):
        if dst.type in (T.RAST, T.OD, T.OT):
            return self.o.setdefault((dst.type, self.index(dst)), [None] * 4)
        return super().target(dst)

    def execute(self, at, ins):
        if ins.op == 95:
            c = self.read(ins.srcs[0])
            stage = ins.srcs[1].num + 257
            texel = self.state.sampler(stage).sample(self.state.textures.get(stage), c, c[3])
            self.store(ins, [texel[k] for k in ins.srcs[1].swz])
        else:
            super().execute(at, ins)

    def results(self):
        out = {}
        if self.version[0] == 3:
            for word, dst in self.dcls:
                if dst.type == T.OT and (T.OT, dst.num) in self.o:
                    lanes = out.setdefault((word & 31, word >> 16 & 15), [None] * 4)
                    for k in range(4):
                        if dst.mask >> k & 1:
                            lanes[k] = self.o[T.OT, dst.num][k]
            return out
        names = {(T.RAST, 0): (POSITION, 0), (T.RAST, 1): (FOG, 0), (T.RAST, 2): (PSIZE, 0)}
        for (kind, n), v in self.o.items():
            key = names.get((kind, n)) or ((COLOR if kind == T.OD else TEXCOORD), n)
            clamp = key[0] in (COLOR, FOG)
            out[key] = [None if x is None else saturate(x) if clamp else x for x in v]
        return out


class Pixel(Machine):
    def __init__(self, program, state, rules, varyings, pixel):
        super().__init__(program, state, rules, "ps")
        self.varyings, self.pixel = varyings, pixel
        self.oc, self.depth_out, self.rows = {}, None, []
        self.t = {k: self.varying(TEXCOORD, k) for k in range(8)}
        self.coord = {k: list(v) for k, v in self.t.items()}
        self.inputs = {}
        if self.version[0] < 3:
            self.inputs = {k: self.varying(COLOR, k) for k in range(2)}
        else:
            for word, dst in self.dcls:
                if dst.type == T.V:
                    have = self.inputs.setdefault(dst.num, [0.0] * 4)
                    got = self.varying(word & 31, word >> 16 & 15)
                    for k in range(4):
                        if dst.mask >> k & 1:
                            have[k] = got[k]
        self.pending = None

    def varying(self, usage, index):
        v = self.varyings.get((usage, index), [None] * 4)
        unset = 1.0 if (usage, index) == (COLOR, 0) and self.version[0] < 3 else 0.0
        return [unset if x is None else x for x in v]

    def register(self, kind, n):
        if kind == T.V:
            return list(self.inputs.get(n, [0.0] * 4))
        if kind == T.A:
            return list(self.t[n])
        if kind == T.MISC:
            return [float(self.pixel[0]), float(self.pixel[1]), 0.0, 0.0] if n == 0 else [1.0] * 4
        return super().register(kind, n)

    def target(self, dst):
        if dst.type == T.A:
            return self.t[dst.num]
        if dst.type in (T.OC, T.ODEPTH):
            return self.oc.setdefault((dst.type, dst.num), [None] * 4)
        return super().target(dst)

    def color(self):
        if self.version[0] == 1:
            return self.r.get(0, [0.0] * 4)
        return self.oc.get((T.OC, 0), [0.0] * 4)

    def results(self):
        depth = self.oc.get((T.ODEPTH, 0))
        if depth:
            self.depth_out = next(v for v in depth if v is not None)

    def execute(self, at, ins):

        if self.version[0] == 1 and sheet_sm1.execute(self, ins):
            return
        if ins.op == 65:
            v = self.register(ins.dst.type, ins.dst.num)
            if any(v[k] < 0 for k in (range(4) if self.rules.wine else self.written(ins))):
                self.killed = True
        elif ins.op in (66, 93, 95):
            self.texld(ins)
        elif at + 1 < len(self.code) and self.code[at + 1].coissue:
            # both halves of a pair read before either writes (2.2); Wine runs them in order
            if self.rules.wine:
                self.store(ins, self.evaluate(ins))
            else:
                self.pending = (ins, self.evaluate(ins))
        elif ins.coissue and self.pending:
            first, values = self.pending
            self.pending = None
            mine = self.evaluate(ins)
            self.store(first, values)
            if ins.name == "cnd" and self.rules.first_cnd and ins.dst.mask != 8:
                mine = self.read(ins.srcs[1])
            self.store(ins, mine)
        else:
            super().execute(at, ins)

    def texld(self, ins):
        c = self.read(ins.srcs[0])
        lod = -100.0
        if ins.name == "texldp":
            texture = self.state.textures.get(ins.srcs[1].num)
            if not (self.rules.wine and texture and texture.kind == "cube"):
                c = [x / c[3] if c[3] else math.copysign(INF, x) for x in c]
        elif ins.name == "texldl":
            lod = c[3]
        elif ins.name == "texldd":
            texture = self.state.textures.get(ins.srcs[1].num)
            n = texture.size[0] if texture else 1
            slope = max(math.hypot(*self.read(ins.srcs[k])[:texture.dims if texture else 2]) for k in (2, 3))
            lod = math.log2(slope * n) if slope else -100.0
        self.store(ins, self.sampled(ins, ins.srcs[1], c, lod))
