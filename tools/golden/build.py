"""Pieces that the generated cases are made of.

Most cases draw a list of points, one pixel each, into a float target: a point's inputs are constant over its pixel,
so that any value, infinities too, reaches the shader unharmed. Point k is pixel (k mod width, k div width).
"""

from casefile import Case, number

VS_VERSIONS = ["vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0"]
PS1_VERSIONS = ["ps_1_1", "ps_1_2", "ps_1_3", "ps_1_4"]
PS2_VERSIONS = ["ps_2_0", "ps_2_x", "ps_3_0"]
PS_VERSIONS = PS1_VERSIONS + PS2_VERSIONS
EXACT = (0.0, 0.0, "exact")
ALMOST = (1e-6, 2e-6, "interpolation of vertex values, rounding of sums")
MESA = (1e-6, 1e-5, "transcendental functions of the recording driver")
POSITION, TEXCOORD, COLOR = 0, 5, 10


def fmt(values):
    return " ".join(number(v) for v in values)


def target(count):
    width = 1 if count == 1 else 2 if count == 2 else 4
    rows = -(-count // width)
    return width, 1 if rows == 1 else 2 if rows == 2 else 4


def points(rows, size=None, draw=True, extra=(), z=None):
    """Job lines for one point per row; a row is a list of float4 TEXCOORD0.. values. `extra`: (usage, index)
    pairs that stand in for TEXCOORDn in order."""
    width, height = size or target(len(rows))
    attributes = len(rows[0]) if rows else 0
    usages = list(extra) + [(TEXCOORD, k) for k in range(len(extra), attributes)]
    lines = [f"rt {width} {height} f32", "elem 0 0 3 0 0"]
    for k, (usage, index) in enumerate(usages[:attributes]):
        lines.append(f"elem 0 {16 + 16 * k} 3 {usage} {index}")
    lines.append(f"stride {16 + 16 * attributes}")
    for k, row in enumerate(rows):
        x, y = 2 * (k % width) / width - 1, 1 - 2 * (k // width) / height
        depth = z[k] if z else 0
        lines.append("vf " + "  ".join([fmt((x, y, depth, 1))] + [fmt(v) for v in row]))
    if draw:
        lines.append(f"draw 1 {len(rows)}")
    return lines


def again(rows, size=None, z=None):
    """Vertex and draw lines alone, for a second draw with the same elements."""
    return points(rows, size, z=z)[3 + len(rows[0]):]


def raw_case(name, vs, ps, job, title, covers="", tolerance=ALMOST, **more):
    """A case whose shaders and job are written out."""
    case = make(name, title, covers, tolerance, **more)
    case.text = {"vs": vs.strip("\n") + "\n", "ps": ps.strip("\n") + "\n"}
    case.job = list(job)
    return case


def constants(stage, table):
    """vsf, vsi, vsb (psf ...) lines; keys "c3", "i0", "b1"."""
    prefix = "v" if stage == "vs" else "p"
    out = []
    for key, value in table.items():
        kind = {"c": "f", "i": "i", "b": "b"}[key[0]]
        values = [value] if kind == "b" else value
        text = fmt(values) if kind == "f" else " ".join(str(int(v)) for v in values)
        out.append(f"{prefix}s{kind} {key[1:]} {text}")
    return out


def usage_name(usage, index):
    return {0: "position", 5: "texcoord", 10: "color"}[usage] + (str(index) if index else "")


def pass_vs(version, count, colors=0):
    """A vertex shader that hands TEXCOORD0.. (and COLOR0..) on to the pixel shader."""
    three = version == "vs_3_0"
    lines = [version, "dcl_position v0"]
    semantics = [(TEXCOORD, k) for k in range(count)] + [(COLOR, k) for k in range(colors)]
    for k, s in enumerate(semantics):
        lines.append(f"dcl_{usage_name(*s)} v{k + 1}")
    if three:
        lines.append("dcl_position o0")
        lines += [f"dcl_{usage_name(*s)} o{k + 1}" for k, s in enumerate(semantics)]
    lines.append(f"mov {'o0' if three else 'oPos'}, v0")
    for k, (usage, index) in enumerate(semantics):
        out = f"o{k + 1}" if three else f"{'oT' if usage == TEXCOORD else 'oD'}{index}"
        lines.append(f"mov {out}, v{k + 1}")
    return "\n".join(lines) + "\n"


def pass_ps(version):
    if version == "ps_3_0":
        return "ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n"
    return "ps_2_0\ndcl t0\nmov oC0, t0\n"


def body_lines(body):
    return [l.strip() for l in body.strip().splitlines() if l.strip()]


def make(name, title, covers, tolerance, differs="", note="", hand=(), option="", options=()):
    if "\n" in title + differs + note:
        raise ValueError(f"{name}: a header of more than one line")
    case = Case(name, title)
    case.covers = covers.split()
    case.tolerance = tolerance
    case.wine_differs = differs
    case.wine_option = option
    case.options = list(options)
    if note:
        case.notes = [note]
    for stage, text, words in hand:
        case.hand[stage].append((text, [int(w, 16) for w in words.split()]))
    return case


def vertex_case(name, version, body, rows, title, covers="", table=None, tolerance=ALMOST, tail="mov OUT, r0",
                head="", job=(), **more):
    """`body` computes r0 from IN0, IN1, ...; `head`: declarations; OUT is the texture coordinate output."""
    case = make(name, title, covers, tolerance, **more)
    three = version == "vs_3_0"
    attributes = len(rows[0])
    lines = [version, "dcl_position v0"]
    lines += [f"dcl_{usage_name(TEXCOORD, k)} v{k + 1}" for k in range(attributes)]
    if three:
        lines += ["dcl_position o0", "dcl_texcoord o1"]
    lines += body_lines(head)
    lines.append(f"mov {'o0' if three else 'oPos'}, v0")
    lines += body_lines(body) + body_lines(tail)
    text = "\n".join(lines) + "\n"
    for k in range(attributes):
        text = text.replace(f"IN{k}", f"v{k + 1}")
    case.text["vs"] = text.replace("OUT", "o1" if three else "oT0")
    case.text["ps"] = pass_ps("ps_3_0" if three else "ps_2_0")
    case.job = list(job) + constants("vs", table or {}) + points(rows)
    return case


def pixel_case(name, version, body, rows, title, covers="", table=None, tolerance=ALMOST, tail=None, head="",
               job=(), textures=(), **more):
    """As vertex_case. Inputs are texture coordinates; in ps_1_x the texels of one float texture an input."""
    case = make(name, title, covers, tolerance, **more)
    job = list(job) + list(textures)
    attributes = len(rows[0])
    one = version.startswith("ps_1")
    width, height = target(len(rows))
    registers = []
    lines = [version]
    if one:
        for k in range(attributes):
            texels = [row[k] for row in rows] + [(0, 0, 0, 0)] * (width * height - len(rows))
            job.append(f"tex {k} 2d {width} {height}  " + "  ".join(fmt(t) for t in texels))
        rows = [[((k % width + 0.5) / width, (k // width + 0.5) / height, 0, 1)] * attributes
                for k in range(len(rows))]
        registers = [f"r{k + 1}" if version == "ps_1_4" else f"t{k}" for k in range(attributes)]
    else:
        registers = [f"v{k}" if version == "ps_3_0" else f"t{k}" for k in range(attributes)]
        for k, r in enumerate(registers):
            lines.append(f"dcl_{usage_name(TEXCOORD, k)} {r}" if version == "ps_3_0" else f"dcl {r}")
    lines += body_lines(head)
    if one:
        for k in range(attributes):
            lines.append(f"texld r{k + 1}, t{k}" if version == "ps_1_4" else f"tex t{k}")
            if version == "ps_1_4":  # the sampler of ps_1_4 is the destination's number
                job[-attributes + k] = job[-attributes + k].replace(f"tex {k} ", f"tex {k + 1} ", 1)
    lines += body_lines(body)
    if tail is None:
        tail = "" if one else "mov oC0, r0"
    lines += body_lines(tail)
    text = "\n".join(lines) + "\n"
    for k, r in enumerate(registers):
        text = text.replace(f"IN{k}", r)
    case.text["vs"] = pass_vs("vs_3_0" if version == "ps_3_0" else "vs_2_0", attributes)
    case.text["ps"] = text
    case.job = job + constants("ps", table or {}) + points(rows)
    return case


def either(version):
    return vertex_case if version.startswith("vs") else pixel_case
