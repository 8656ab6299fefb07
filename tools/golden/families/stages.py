"""What lies around a shader: linking, defaults, clamps, built-ins, depth, fog, alpha test, vertex formats,
derivatives and interpolation."""

from build import ALMOST, EXACT, PS2_VERSIONS, again, constants, fmt, pass_ps, pass_vs, points, raw_case

FOG = (3e-3, 3e-3, "8-bit fog colour and table precision")
LOW = (1e-5, 1e-5, "interpolation")
ROW = [[(1, 2, 3, 4)], [(-1, 0.5, 7, 0)]]


def quad(width, height, attributes, order=(0, 1, 2, 3), kind=5, count=2):
    """Job lines of a triangle strip that covers the target: attributes = four lists (top left, top right, bottom
    left, bottom right) of float4 texture coordinates."""
    n = len(attributes[0])
    lines = [f"rt {width} {height} f32", "elem 0 0 3 0 0"]
    lines += [f"elem 0 {16 + 16 * k} 3 5 {k}" for k in range(n)] + [f"stride {16 + 16 * n}"]
    # half a pixel up and left, so that pixel centres (integers) lie inside
    x0, x1, y0, y1 = -1 - 1 / width, 1 - 1 / width, 1 + 1 / height, -1 + 1 / height
    corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)]
    for k in order:
        lines.append("vf " + fmt(corners[k] + (0, 1)) + "  " + "  ".join(fmt(a) for a in attributes[k]))
    return lines + [f"draw {kind} {count}"]


def defaults():
    out = []
    vs2 = "vs_2_0\ndcl_position v0\nmov oPos, v0\n"
    for name, ps in (("color0", "ps_2_0\ndcl v0\nmov r0, v0\nmov oC0, r0"), ("color1", "ps_2_0\ndcl v1\nmov r0, v1\nmov oC0, r0"),
                     ("texcoord3", "ps_2_0\ndcl t3\nmov r0, t3\nmov oC0, r0"), ("ps11-color0", "ps_1_1\nmov r0, v0"),
                     ("ps11-color1", "ps_1_1\nmov r0, v1"), ("ps14-color0", "ps_1_4\nmov r0, v0")):
        out.append(raw_case(f"unset-{name}", vs2, ps, points([[]]), f"{name} that no vertex shader wrote",
                            "defaults_color0_color1_texcoord", EXACT))
    vs3 = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n"
    for usage in ("color", "color1", "texcoord", "texcoord9", "tangent", "fog"):
        out.append(raw_case(f"unset-sm3-{usage}", vs3, f"ps_3_0\ndcl_{usage} v0\nmov oC0, v0", points([[]]),
                            f"{usage} that no vertex shader wrote, shader model 3", "defaults_sm3", EXACT))
    partial = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n{}\n"
    for name, line, ps in (
            ("texcoord", "mov oT0.xz, v1", "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0"),
            ("color0", "mov oD0.yw, v1", "ps_2_0\ndcl v0\nmov r0, v0\nmov oC0, r0"),
            ("color1", "mov oD1.xw, v1", "ps_2_0\ndcl v1\nmov r0, v1\nmov oC0, r0")):
        out.append(raw_case(f"partial-{name}", partial.format(line), ps, points([[(0.25, 0.5, 0.75, 0.125)]]),
                            f"some lanes of {name} unwritten", "defaults_color0_color1_texcoord", ALMOST))
    out.append(raw_case("partial-sm3-texcoord", "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\n"
                        "dcl_texcoord o1\nmov o0, v0\nmov o1.xz, v1\n", pass_ps("ps_3_0"), points(ROW),
                        "some lanes of an output unwritten", "defaults_sm3", ALMOST))
    return out


def linking():
    out = []
    rows = [[(-0.5, 0.25, 2, 1), (1, 2, 3, 4), (5, 6, 7, 8)]]
    for v, w in (("vs_1_1", "ps_2_0"), ("vs_2_0", "ps_2_0"), ("vs_2_x", "ps_2_x")):
        vs = f"{v}\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oD0, v1\nmov oD1, v2\n"
        for k in (0, 1):
            out.append(raw_case(f"{v}-od{k}-clamp", vs, f"{w}\ndcl v{k}\nmov r0, v{k}\nmov oC0, r0",
                                points([[(-0.5, 0.25, 2, 1), (0.5, 3, -1, 0.125)]]), f"oD{k} is clamped to [0, 1]",
                                "od_clamp_sm2", ALMOST))
    out.append(raw_case("vs_3_0-color-not-clamped", pass_vs("vs_3_0", 0, 1).replace("dcl_color v1", "dcl_texcoord v1"),
                        "ps_3_0\ndcl_color v0\nmov oC0, v0", points([[(-0.5, 0.25, 2, 100)]]),
                        "COLOR0 of shader model 3 is not clamped", "od_no_clamp_sm3", ALMOST))
    for v in ("vs_2_0",):
        vs = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_texcoord2 v3\nmov oPos, v0\n" + "".join(
            f"mov oT{k}, v{1 + k % 3}\n" for k in range(8))
        for k in range(8):
            out.append(raw_case(f"link-texcoord{k}", vs, f"ps_2_0\ndcl t{k}\nmov oC0, t{k}", points(rows),
                                f"oT{k} meets t{k}", "link_by_semantic_not_number", ALMOST))
    vs = ("vs_3_0\ndcl_position v5\ndcl_texcoord v9\ndcl_texcoord1 v2\ndcl_texcoord2 v0\ndcl_position o7\ndcl_tangent3 o0\n"
          "dcl_texcoord5 o3\ndcl_color1 o9\nmov o7, v5\nmov o0, v9\nmov o3, v2\nmov o9, v0\n")
    for name, usage in (("tangent3", "tangent3"), ("texcoord5", "texcoord5"), ("color1", "color1")):
        out.append(raw_case(f"link-sm3-{name}", vs, f"ps_3_0\ndcl_{usage} v4\nmov oC0, v4", points(rows),
                            "stages meet by semantic, register numbers mean nothing", "link_by_semantic_not_number",
                            ALMOST))
    out.append(raw_case("link-sm3-masks", pass_vs("vs_3_0", 1),
                        "ps_3_0\ndcl_texcoord v0.xy\nmov r0, c0\nmov r0.xy, v0\nmov oC0, r0",
                        constants("ps", {"c0": (9, 9, 9, 9)}) + points(ROW), "an input declared .xy", "link_masks", ALMOST))
    packed = ("vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_position o0\ndcl_texcoord3 o1.xy\n"
              "dcl_color o1.zw\nmov o0, v0\nmov o1.xy, v1\nmov o1.zw, v2\n")
    two = [[(1, 2, 3, 4), (5, 6, 0.5, 0.25)]]
    out.append(raw_case("packed-output-texcoord", packed, "ps_3_0\ndcl_texcoord3 v0.xy\nmov r0, c0\nmov r0.xy, v0\nmov oC0, r0",
                        points(two), "one output register holds two semantics, the first", "packed_output_semantics",
                        ALMOST, differs="knows only the last declaration of a register",
                        note="sheet 3.1: packed semantics work"))
    out.append(raw_case("packed-output-color", packed, "ps_3_0\ndcl_color v0.zw\nmov r0, c0\nmov r0.zw, v0\nmov oC0, r0",
                        points(two), "one output register holds two semantics, the second", "packed_output_semantics",
                        ALMOST))
    out.append(raw_case("packed-input", "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_position o0\n"
                        "dcl_texcoord o1\ndcl_texcoord1 o2\nmov o0, v0\nmov o1, v1\nmov o2, v2\n",
                        "ps_3_0\ndcl_texcoord v0.xy\ndcl_texcoord1 v0.zw\nmov oC0, v0", points(two),
                        "one input register holds two semantics", "packed_output_semantics", ALMOST,
                        differs="knows only the last declaration of a register", note="sheet 3.1: packed semantics work"))
    out.append(raw_case("split-semantic", "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_position o0\n"
                        "dcl_texcoord2 o1.xy\ndcl_texcoord2 o2.zw\nmov o0, v0\nmov o1.xy, v1\nmov o2.zw, v2\n",
                        "ps_3_0\ndcl_texcoord2 v0\nmov oC0, v0", points(two), "one semantic over two output registers",
                        "split_semantic", ALMOST))
    return out


def vertex_formats():
    out = []
    kinds = [(0, "float1", "vf 0.5"), (1, "float2", "vf 0.5 -2"), (2, "float3", "vf 0.5 -2 8"),
             (4, "d3dcolor", "vu 0x80FF4020"), (5, "ubyte4", "vu 0x04030201")]
    for kind, name, data in kinds:
        size = {0: 4, 1: 8, 2: 12}.get(kind, 4)
        for v in ("vs_1_1", "vs_3_0"):
            three = v == "vs_3_0"
            job = ["rt 1 1 f32", "elem 0 0 3 0 0", f"elem 0 16 {kind} 5 0", f"stride {16 + size}", "vf -1 1 0 1", data,
                   "draw 1 1"]
            out.append(raw_case(f"{v}-input-{name}", pass_vs(v, 1), pass_ps("ps_3_0" if three else "ps_2_0"), job,
                                f"a vertex element of type {name}", "", ALMOST))
    for v in ("vs_1_1", "vs_2_0", "vs_3_0"):
        three = v == "vs_3_0"
        vs = pass_vs(v, 1).replace("dcl_texcoord v1", "dcl_normal v1")
        out.append(raw_case(f"{v}-input-absent", vs, pass_ps("ps_3_0" if three else "ps_2_0"), points([[]]),
                            "an input that the vertex declaration lacks reads 0", "", EXACT,
                            note="sheet 3.2: (0,0,0,0)"))
        vs = ("{0}\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord v2\n" + ("dcl_position o0\ndcl_texcoord o1\n" if three
              else "") + "mov {1}, v0\nmov r0, v1\nadd {2}, r0, v2\n").format(v, "o0" if three else "oPos",
                                                                            "o1" if three else "oT0")
        out.append(raw_case(f"{v}-input-twice", vs, pass_ps("ps_3_0" if three else "ps_2_0"), points(ROW),
                            "one semantic declared on two registers", "", ALMOST,
                            differs="feeds one of the two registers", note="sheet 3.2: both read the element"))
    d3d8 = "vs_1_1\nmov oPos, v0\nadd oT0, v5, v7\n"
    job = ["rt 1 1 f32", "elem 0 0 3 0 0", "elem 0 16 3 10 0", "elem 0 32 3 5 0", "stride 48",
           "vf -1 1 0 1  1 2 3 4  10 20 30 40", "draw 1 1"]
    out.append(raw_case("vs_1_1-undeclared-inputs", d3d8, pass_ps("ps_2_0"), job, "inputs without dcl, Direct3D 8 style",
                        "vs11_undeclared_inputs_d3d8", EXACT, differs="refuses: no inputs without dcl",
                        note="sheet 3.2: v5 COLOR0, v7 TEXCOORD0"))
    return out


def built_ins():
    out = []
    vpos = "dcl vPos.xy"
    ps = f"ps_3_0\n{vpos}\ndef c0, 0, 1, 0.5, 0.25\nmov r0, c0.x\nmov r0.xy, vPos\nmov oC0, r0"
    hand = [("ps", vpos, "0200001F 80000000 90031000")]
    vs3 = pass_vs("vs_3_0", 0)
    for w, h in ((2, 2), (4, 4)):
        out.append(raw_case(f"vpos-{w}x{h}", vs3, ps, quad(w, h, [[]] * 4), "vPos is integer, y down",
                            "vpos_integer vpos_offscreen", EXACT, hand=hand))
    out.append(raw_case("vpos-points", vs3, ps, points([[]] * 8), "vPos of points", "vpos_integer", EXACT, hand=hand))
    vface = "dcl vFace"
    hand = [("ps", vface, "0200001F 80000000 900F1001")]
    face = f"ps_3_0\n{vface}\ndef c0, 0, 0, 0, 0\ndef c1, 1, 0.25, 0.5, 1\ndef c2, 0, 1, 0.75, 1\ncmp r0, vFace, c1, c2\nmov oC0, r0"
    for name, order in (("clockwise", (0, 1, 2, 3)), ("counter", (0, 2, 1, 3))):
        out.append(raw_case(f"vface-{name}", vs3, face, quad(2, 2, [[]] * 4, order), f"vFace of {name} triangles",
                            "vface_sign_cw", EXACT, hand=hand))
        branch = face.replace("cmp r0, vFace, c1, c2", "if_lt vFace, c0\nmov r0, c2\nelse\nmov r0, c1\nendif").replace(
            "vFace, c0", "vFace.x, c0.x")
        out.append(raw_case(f"vface-branch-{name}", vs3, branch, quad(2, 2, [[]] * 4, order),
                            f"a branch on vFace, {name} triangles", "vface_sign_cw", EXACT, hand=hand))
    out.append(raw_case("vface-points", vs3, face, points([[]]), "vFace of a point is positive", "vface_sign_cw", EXACT,
                        hand=hand))
    plane = [[(0, 0, 1, 3)], [(8, 0, 1, 3)], [(0, 16, 5, 3)], [(8, 16, 5, 3)]]
    for v in ("ps_2_x", "ps_3_0"):
        decl = "dcl_texcoord v0" if v == "ps_3_0" else "dcl t0"
        r = "v0" if v == "ps_3_0" else "t0"
        vs = pass_vs("vs_3_0" if v == "ps_3_0" else "vs_2_0", 1)
        for op in ("dsx", "dsy"):
            out.append(raw_case(f"{v}-{op}", vs, f"{v}\n{decl}\nmov r1, {r}\n{op} r0, r1\nmov oC0, r0", quad(4, 4, plane),
                                f"{op} of a plane: x grows 2 a pixel, y 4, z 1 a pixel down", "dsy_sign", LOW))
            out.append(raw_case(f"{v}-{op}-flat", vs, f"{v}\n{decl}\nmov r1, {r}.w\n{op} r0, r1\nmov oC0, r0", quad(2, 2, plane),
                                f"{op} of a uniform value is 0", "", LOW))
        out.append(raw_case(f"{v}-interpolation", vs, f"{v}\n{decl}\nmov r0, {r}\nmov oC0, r0", quad(4, 4, plane),
                            "linear interpolation over a quad; the target's first pixel is half a pixel inside", "",
                            LOW))
    out.append(raw_case("ps_3_0-texld-linear-quad", pass_vs("vs_3_0", 1), "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n"
                        "texld r0, v0, s0\nmov oC0, r0", ["tex 0 2d 2 2  0 0 0 1  1 0 2 1  0 1 4 1  1 1 6 1", "samp 0 5 2",
                        "samp 0 6 2", "samp 0 1 3", "samp 0 2 3"] + quad(4, 4, [[(0, 0, 0, 1)], [(1, 0, 0, 1)], [(0, 1, 0, 1)],
                        [(1, 1, 0, 1)]]), "a linear magnification over a quad", "", (2e-3, 2e-3, "filter weights")))
    return out


def depth():
    out = []
    first = [[(d, 0, 0, 0)] for d in (0.49, 0.51, 0, 1, -3, 7, 0.25, 0.75)]
    second = [[(0.5, 0, 0, 0)]] * 8
    for v in PS2_VERSIONS:
        three = v == "ps_3_0"
        text = f"{v}\n{'dcl_texcoord v0' if three else 'dcl t0'}\nmov r0, c0\nmov oC0, r0\nmov r1, {'v0' if three else 't0'}\n" \
               "mov oDepth, r1.x"
        out.append(raw_case(f"{v}-odepth", pass_vs("vs_3_0" if three else "vs_2_0", 1), text,
                            ["rs 7 1"] + constants("ps", {"c0": (1, 0, 0, 1)}) + points(first)
                            + constants("ps", {"c0": (0, 1, 0, 1)}) + again(second),
                            "oDepth: a second draw at 0.5 shows where the first was farther", "", EXACT))
    text = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0"
    z = [0, 0.25, 0.5, 0.75, 0.49, 0.51, 1, 0.125]
    out.append(raw_case("depth-test-less-equal", pass_vs("vs_2_0", 1), text,
                        ["rs 7 1"] + points([[(k, 1, 0, 1)] for k in range(8)], z=z)
                        + again([[(k, 2, 0, 1)] for k in range(8)], z=[0.5] * 8),
                        "depth from the position, two draws", "", EXACT))
    return out


def fog_and_alpha():
    out = []
    vs = "{0}\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n{1}mov oT0, v1\n"
    ps = "{0}\ndcl t0\nmov r0, t0\nmov oC0, r0"
    rows = [[(1, 0.5, 0.25, 0.75)], [(0, 1, 2, 0.25)]]
    fog = ["rs 28 1", "rs 34 0x0000FF00"]
    out.append(raw_case("fog-unset", vs.format("vs_2_0", ""), "ps_2_0\ndcl t0\ndef c0, 1, 1, 1, 1\nmov r0, c0\nmov oC0, r0",
                        fog + points(rows[:1]), "fog on, oFog unset: fully fogged", "ofog_unset_full_fog", EXACT))
    for v, w in (("vs_1_1", "ps_2_0"), ("vs_2_0", "ps_2_x")):
        for x in (0.25, 1, -2, 5):
            name = str(x).replace("-", "minus").replace(".", "")
            out.append(raw_case(f"{v}-ofog-{name}", vs.format(v, f"mov oFog, c0.x\n"), ps.format(w),
                                fog + constants("vs", {"c0": (x, 0, 0, 0)}) + points(rows), f"vertex fog factor {x}",
                                "ofog_clamp fog_alpha_untouched fog_after_shader_ps2_not_ps3", FOG))
    out.append(raw_case("ps_1_1-fog", "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oFog, c0.x\nmov oD0, v1\n",
                        "ps_1_1\nmov r0, v0", fog + constants("vs", {"c0": (0.5, 0, 0, 0)}) + points([[(1, 0.5, 0.25, 0.75)]]),
                        "vertex fog after a ps_1_1", "fog_after_shader_ps2_not_ps3", FOG))
    out.append(raw_case("ps_3_0-fog", pass_vs("vs_3_0", 1), pass_ps("ps_3_0"), fog + points(rows),
                        "a ps_3_0 gets no fog", "fog_after_shader_ps2_not_ps3", EXACT))
    for mode, name in ((1, "exp"), (2, "exp2"), (3, "linear")):
        z = [0, 0.25, 0.5, 1]
        out.append(raw_case(f"table-fog-{name}", vs.format("vs_2_0", ""), ps.format("ps_2_0"),
                            fog + [f"rs 35 {mode}", "rs 36 f:0.125", "rs 37 f:0.75", "rs 38 f:1.5"]
                            + points([[(1, 0.5, 0.25, 0.75)]] * 4, z=z), f"table fog {name} of depth",
                            "fog_alpha_untouched", FOG))
    names = ["never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always"]
    alphas = [[(1, 2, 3, a / 255)] for a in (0, 99, 100, 101, 255)]
    for k, name in enumerate(names):
        for v in ("ps_2_0", "ps_3_0"):
            shaders = (pass_vs("vs_2_0", 1), pass_ps("ps_2_0")) if v == "ps_2_0" else (pass_vs("vs_3_0", 1), pass_ps("ps_3_0"))
            picked = alphas if name not in ("equal", "less-equal", "not-equal", "greater-equal") else \
                [a for j, a in enumerate(alphas) if j != 2]
            out.append(raw_case(f"{v}-alpha-test-{name}", *shaders,
                                ["rs 15 1", "rs 24 100", f"rs 25 {k + 1}"] + points(picked),
                                f"alpha test {name}, reference 100", "alpha_test_eight_functions", ALMOST))
    flat = ("vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oD0, v1\nmov oD1, v1\nmov oT0, v1\n")
    # one triangle over the whole 4 x 4 target, twice as wide and high as it
    job = ["rs 9 1", "rt 4 4 f32", "elem 0 0 3 0 0", "elem 0 16 3 5 0", "stride 32",
           "vf -1.25 1.25 0 1  0.5 0.25 0 1", "vf 2.75 1.25 0 1  2.5 0.25 0 1", "vf -1.25 -2.75 0 1  0.5 2.25 0 1",
           "draw 4 1"]
    for name, r in (("color0", "v0"), ("color1", "v1"), ("texcoord", "t0")):
        out.append(raw_case(f"flat-{name}", flat, f"ps_2_0\ndcl {r}\nmov r0, {r}\nmov oC0, r0", job,
                            f"flat shading and {name}: colours are the first vertex's", "flat_shading_only_colors", LOW))
    return out


def outputs():
    out = []
    for v, op in (("ps_2_0", "add oC0, t0, c0"), ("ps_2_x", "mul oC0, t0, c0"), ("ps_3_0", "mad oC0, v0, c0, c1")):
        three = v == "ps_3_0"
        out.append(raw_case(f"{v}-output-by-arithmetic", pass_vs("vs_3_0" if three else "vs_2_0", 1),
                            f"{v}\n{'dcl_texcoord v0' if three else 'dcl t0'}\n{op}",
                            constants("ps", {"c0": (0.5, 2, -1, 4), "c1": (1, 1, 1, 1)}) + points(ROW),
                            "arithmetic straight into oC0", "oC0_written_by_add", ALMOST))
    out.append(raw_case("ps_3_0-output-twice", pass_vs("vs_3_0", 1), "ps_3_0\ndcl_texcoord v0\nmov oC0, c0\nmov oC0.xz, v0\n"
                        "mov oC0.w, c1", constants("ps", {"c0": (9, 8, 7, 6), "c1": (5, 5, 5, 5)}) + points(ROW),
                        "several partial writes accumulate", "oC_partial_write", ALMOST))
    out.append(raw_case("vs_2_0-output-twice", "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, c0\n"
                        "mov oT0.yw, v1\nadd oT0.x, v1, c0\n", pass_ps("ps_2_0"),
                        constants("vs", {"c0": (9, 8, 7, 6)}) + points(ROW), "several partial writes accumulate", "",
                        ALMOST))
    for v, vs, line in (("ps_3_0", "vs_3_0", "dcl_texcoord_centroid v0"), ("ps_2_0", "vs_2_0", "dcl_centroid t0"),
                        ("ps_2_x", "vs_2_0", "dcl_pp t0")):
        r = line[-2:]
        out.append(raw_case(f"{v}-{line.split()[0].split('_')[-1]}-input", pass_vs(vs, 1),
                            f"{v}\n{line}\nmov r0, {r}\nmov oC0, r0", points(ROW),
                            "a modifier on an input's declaration", "centroid_dcl", ALMOST))
    out.append(raw_case("link-vs3-ps2", pass_vs("vs_3_0", 1), pass_ps("ps_2_0"), points(ROW),
                        "a vs_3_0 with a ps_2_0", "link_vs3_ps2", ALMOST))
    matrix = {"c0": (0.5, 0, 0, -0.5), "c1": (0, -1, 0, 0), "c2": (0, 0, 1, 0), "c3": (0, 0, 0, 1)}
    for v in ("vs_1_1", "vs_2_0", "vs_3_0"):
        three = v == "vs_3_0"
        vs = pass_vs(v, 1).replace(f"mov {'o0' if three else 'oPos'}, v0", f"m4x4 {'o0' if three else 'oPos'}, v0, c0")
        out.append(raw_case(f"{v}-position-matrix", vs, pass_ps("ps_3_0" if three else "ps_2_0"),
                            constants("vs", matrix) + ["rt 4 4 f32"] + [l for l in points(
                                [[(k, k, k, 1)] for k in range(4)], (4, 4)) if not l.startswith("rt")],
                            "the position goes through a matrix", "", ALMOST))
        vs = pass_vs(v, 1)
        job = ["rt 4 1 f32", "elem 0 0 3 0 0", "elem 0 16 3 5 0", "stride 32", "vf -2 2 0 2  1 2 3 4", "vf 0 8 0 8  5 6 7 8",
               "draw 1 2"]
        out.append(raw_case(f"{v}-position-w", vs, pass_ps("ps_3_0" if three else "ps_2_0"), job,
                            "a position with w other than 1", "", ALMOST))
    return out


def cases():
    return defaults() + linking() + vertex_formats() + built_ins() + depth() + fog_and_alpha() + outputs()
