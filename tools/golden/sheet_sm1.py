"""Texture instructions of ps_1_1 to ps_1_4 (sheet 2.5) for the machine of `sheet.py`."""

from sheet_alu import add, dot, f32, mul, reflect, saturate

M00, M01, M10, M11, LSCALE, LOFFSET, TTFF = 7, 8, 9, 10, 22, 23, 24


def bump(m, stage, base, rg):
    k = [m.state.tss_float(stage, s) for s in (M00, M01, M10, M11)]
    mm = lambda a, b: mul(m.rules, a, b)
    return [add(base[0], add(mm(k[0], rg[0]), mm(k[2], rg[1]))),
            add(base[1], add(mm(k[1], rg[0]), mm(k[3], rg[1])))] + list(base[2:])


def projected(m, stage, c):
    """TEXTURETRANSFORMFLAGS of ps_1_1 to ps_1_3: divide by the last coordinate of the count; not on a cube."""
    flags = m.state.tss.get((stage, TTFF), 0)
    texture = m.state.textures.get(stage)
    if not flags & 256 or texture and texture.kind == "cube":
        return c
    by = {2: c[1], 3: c[2]}.get(flags & 255, c[3])
    return [f32(x / by) for x in c]


def kill(m, v):
    m.killed = m.killed or any(x < 0 for x in v[:3])


def execute(m, ins):
    """Runs `ins` if it is a texture instruction; False otherwise."""
    name, d = ins.name, ins.dst
    if name == "phase":
        return True
    if m.version == (1, 4):
        return execute_14(m, ins)
    if name not in ("tex", "texcoord", "texkill") and not name.startswith("tex"):
        return False
    n = d.num
    T = m.coord[n]
    s = [m.read(o) for o in ins.srcs]
    fetch = lambda c: [f32(v) for v in m.state.sampler(n).sample(m.state.textures.get(n), c)]
    row = lambda: dot(m.rules, T, s[0], 3)
    if name == "tex":
        out = fetch(projected(m, n, T))
    elif name == "texcoord":
        out = [saturate(v) for v in T[:3]] + [1.0]
    elif name == "texkill":
        kill(m, T)
        return True
    elif name in ("texbem", "texbeml"):
        out = fetch(bump(m, n, projected(m, n, T), s[0]))
        if name == "texbeml":
            k = add(mul(m.rules, s[0][2], m.state.tss_float(n, LSCALE)), m.state.tss_float(n, LOFFSET))
            if m.rules.wine:
                k = saturate(k)
            out = [mul(m.rules, v, k) for v in out[:3]] + [out[3] if m.rules.wine else mul(m.rules, out[3], k)]
    elif name == "texreg2ar":
        out = fetch([s[0][3], s[0][0], 0.0, 0.0])
    elif name == "texreg2gb":
        out = fetch([s[0][1], s[0][2], 0.0, 0.0])
    elif name == "texreg2rgb":
        out = fetch(s[0])
    elif name == "texdp3":
        out = [row()] * 4
    elif name == "texdp3tex":
        out = fetch([row(), 0.0, 0.0, 0.0])
    elif name in ("texm3x2pad", "texm3x3pad"):
        m.rows.append((n, row()))
        return True
    else:
        rows = [v for _, v in m.rows] + [row()]
        pads = [k for k, _ in m.rows]
        m.rows = []
        if name == "texm3x2depth":
            z, w = rows
            m.depth_out = 1.0 if w == 0 else min(1.0, max(0.0, z / w))
            return True
        if name in ("texm3x2tex", "texm3x3tex"):
            out = fetch(rows + [0.0])
        elif name == "texm3x3":
            out = rows + [1.0]
        else:
            e = s[1] if name == "texm3x3spec" else [m.coord[k][3] for k in pads + [n]]
            out = fetch(reflect(m.rules, rows, e))
    m.store(ins, out)
    return True


def execute_14(m, ins):
    name = ins.name
    if name == "texkill":
        kill(m, m.register(ins.dst.type, ins.dst.num))
    elif name == "texdepth":
        r, g = m.r[5][:2]
        m.depth_out = 1.0 if g == 0 else min(1.0, max(0.0, r / g))
    elif name == "bem":
        s = [m.read(o) for o in ins.srcs]
        m.store(ins, bump(m, ins.dst.num, s[0][:2], s[1]) + [None, None])
    elif name == "texcrd":
        m.store(ins, m.read(ins.srcs[0])[:3] + [None])
    elif name == "texld":
        n = ins.dst.num
        c = m.read(ins.srcs[0])
        m.store(ins, [f32(v) for v in m.state.sampler(n).sample(m.state.textures.get(n), c)])
    else:
        return False
    return True
