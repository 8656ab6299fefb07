"""texld, texldp, texldb, texldl and texldd on 2D, cube and volume textures; filters, addressing, texkill."""

from build import ALMOST, EXACT, PS2_VERSIONS, constants, pass_ps, pass_vs, points, raw_case
from families.shader1 import SIX, cube, grid, one, volume

FINE = (2e-3, 2e-3, "filter weights may have 8 bits")
DIFFERENT_INPUTS = [[(0.125, 0.375, 0, 1)], [(0.625, 0.125, 0, 1)], [(0.875, 0.875, 0, 1)], [(0.375, 0.625, 0, 1)]]


def case(name, version, body, rows, job, title, covers="", kind="2d", tolerance=ALMOST, after=(), dcls=None, **more):
    """`body` with IN0.. for coordinates, ends in oC0."""
    three = version == "ps_3_0"
    lines = [version]
    for k in range(len(rows[0])):
        lines.append(f"dcl_texcoord{k or ''} v{k}" if three else f"dcl t{k}")
    lines += [f"dcl_{kind} s0"] if dcls is None else dcls
    text = "\n".join(lines + [body]) + "\n"
    for k in range(len(rows[0])):
        text = text.replace(f"IN{k}", f"v{k}" if three else f"t{k}")
    return raw_case(f"{version}-{name}", pass_vs("vs_3_0" if three else "vs_2_0", len(rows[0])), text,
                    list(job) + points(rows) + list(after), title, covers, tolerance, **more)


LOOK = "texld r0, IN0, s0\nmov oC0, r0"


def common(v):
    out = []

    def add(*a, **k):
        out.append(case(a[0], v, *a[1:], **k))
    add("texld", LOOK, DIFFERENT_INPUTS, [grid(0)], "texld of a 2D texture, point filter")
    add("texld-cube", LOOK, [[p] for p in SIX], [cube(0)], "texld of a cube", kind="cube")
    add("texld-volume", LOOK, [[(x, y, z, 1)] for x in (0.25, 0.75) for y in (0.25, 0.75) for z in (0.25, 0.75)],
        [volume(0)], "texld of a volume", kind="volume")
    add("texld-unbound", LOOK, DIFFERENT_INPUTS[:1], [], "an unbound sampler gives opaque black", "sampler_unbound",
        tolerance=EXACT)
    add("texld-unbound-cube", LOOK, [[SIX[0]]], [], "an unbound cube sampler", "sampler_unbound", kind="cube",
        tolerance=EXACT)
    add("texld-unbound-volume", LOOK, [[SIX[0]]], [], "an unbound volume sampler", "sampler_unbound", kind="volume",
        tolerance=EXACT)
    outside = [[(-0.375, 0.125, 0, 1)], [(1.375, 0.625, 0, 1)], [(0.625, -1.125, 0, 1)], [(0.125, 2.625, 0, 1)]]
    for mode, word in ((1, "wrap"), (2, "mirror"), (3, "clamp"), (4, "border")):
        job = [grid(0), f"samp 0 1 {mode}", f"samp 0 2 {mode}"] + (["samp 0 4 0x80FF4000"] if mode == 4 else [])
        add(f"texld-{word}", LOOK, outside, job, f"address mode {word}", tolerance=(2e-3, 1e-5, "8-bit border colour")
            if mode == 4 else ALMOST)
    add("texld-mixed-address", LOOK, outside, [grid(0), "samp 0 1 3", "samp 0 2 2"], "clamp across, mirror down")
    middle = [[(0.25, 0.25, 0, 1)], [(0.5, 0.375, 0, 1)], [(0.3125, 0.6875, 0, 1)], [(0.96875, 0.5, 0, 1)]]
    for mode, word in ((1, "wrap"), (3, "clamp")):
        add(f"texld-linear-{word}", LOOK, middle, [grid(0), "samp 0 5 2", "samp 0 6 2", f"samp 0 1 {mode}",
            f"samp 0 2 {mode}"], f"linear filter, {word}", tolerance=FINE)
    add("texld-linear-volume", LOOK, [[(0.5, 0.375, 0.5, 1)], [(0.3125, 0.5, 0.625, 1)]],
        [volume(0), "samp 0 5 2", "samp 0 6 2"], "linear filter of a volume", kind="volume", tolerance=FINE)
    add("texld-masked", "mov r0, c0\ntexld r0.xz, IN0, s0\nmov oC0, r0" if v == "ps_3_0" else
        "mov r0, c0\ntexld r1, IN0, s0\nmov r0.xz, r1\nmov oC0, r0", DIFFERENT_INPUTS,
        [grid(0)] + constants("ps", {"c0": (9, 8, 7, 6)}), "a write mask")
    add("texld-dependent", "texld r0, IN0, s0\nmul r0, r0, c0\ntexld r1, r0, s1\nadd r1, r1, c1\nmov oC0, r1",
        DIFFERENT_INPUTS, [grid(0), grid(1, 2)] + constants("ps", {"c0": (4, 4, 1, 1), "c1": (0.5, 0, -1, 2)}),
        "a dependent read", dcls=["dcl_2d s0", "dcl_2d s1"])
    add("texld-two-samplers", "texld r0, IN0, s3\ntexld r1, IN0, s7\nmad r0, r0, r1, r1\nmov oC0, r0",
        DIFFERENT_INPUTS, [grid(3), one(7, (1, 2, 3, 4), (5, 6, 7, 8))], "samplers 3 and 7",
        dcls=["dcl_2d s3", "dcl_2d s7"])
    add("texldp", "texldp r0, IN0, s0\nmov oC0, r0", [[(0.5, 1.5, 9, 4)], [(1.25, 0.25, 9, 2)], [(-0.125, 0.25, 9, -1)]],
        [grid(0)], "texldp divides by w")
    add("texldp-volume", "texldp r0, IN0, s0\nmov oC0, r0", [[(0.5, 1.5, 0.5, 2)], [(3, 1, 3, 4)]], [volume(0)],
        "texldp of a volume divides x, y and z", kind="volume")
    add("texldp-cube", "texldp r0, IN0, s0\nmov oC0, r0", [[(2, 1, -1, 2)], [(1, -6, 0.5, 4)]], [cube(0)],
        "texldp of a cube keeps the direction for w > 0", "texldp_cube", kind="cube")
    add("texldp-cube-negative", "texldp r0, IN0, s0\nmov oC0, r0", [[(2, 1, -1, -2)]], [cube(0)],
        "texldp of a cube with w < 0 turns the direction around", "texldp_cube", kind="cube",
        differs="does not divide for a cube (2.5)", note="sheet 2.5: divide")
    add("texldb", "texldb r0, IN0, s0\nmov oC0, r0", [[(0.125, 0.375, 9, 0)], [(0.625, 0.125, 9, -5)]], [grid(0)],
        "texldb with one level", "texldb_clamp")
    add("texkill", "mov r0, IN0\ntexkill r0\nmov r0, c0\nmov oC0, r0" if v == "ps_3_0" else
        "texkill IN0\nmov r0, c0\nmov oC0, r0",
        [[(1, 1, 1, -1)], [(-1, 1, 1, 1)], [(1, -0.125, 1, 1)], [(1, 1, -2, 1)], [(0, 0, 0, 0)], [(1, 2, 3, 4)],
         [(float("nan"), 1, 1, 1)], [(float("inf"), 1, 1, -float("inf"))]],
        constants("ps", {"c0": (1, 0.5, 0.25, 0.125)}), "texkill tests all four lanes; NaN does not kill",
        "texkill_four_lanes")
    add("texkill-minus-zero", "mov r0, c1\ntexkill r0\nmov r0, c0\nmov oC0, r0", DIFFERENT_INPUTS[:1],
        constants("ps", {"c0": (1, 0.5, 0.25, 0.125), "c1": (-0.0, -0.0, 0, -0.0)}), "-0 does not kill",
        "texkill_minus_zero", tolerance=EXACT)
    add("texkill-masked", "mov r0, IN0\ntexkill r0.xy\nmov r0, c0\nmov oC0, r0", [[(1, 1, -1, -1)]],
        constants("ps", {"c0": (1, 0.5, 0.25, 0.125)}), "a masked texkill tests the masked lanes",
        "texkill_four_lanes", differs="ignores the mask (2.6)", note="sheet 2.6: tested lanes are the write mask")
    add("sampler-undeclared", "texld r0, IN0, s0\nmov oC0, r0", DIFFERENT_INPUTS, [grid(0)],
        "a sampler without dcl is 2D", "sampler_undeclared", dcls=[], differs="refuses: samplers without dcl",
        note="sheet 1.8: the kind is the option's or 2D")
    return out


def newer(v):
    out = []

    def add(*a, **k):
        out.append(case(a[0], v, *a[1:], **k))
    add("texldd", "texldd r0, IN0, s0, c0, c1\nmov oC0, r0", DIFFERENT_INPUTS,
        [grid(0)] + constants("ps", {"c0": (0.01, 0, 0, 0), "c1": (0, 0.01, 0, 0)}), "texldd with small gradients")
    add("texldd-minify", "texldd r0, IN0, s0, c0, c1\nmov oC0, r0",
        [[(0.25, 0.25, 0, 1)], [(0.5, 0.625, 0, 1)]],
        [grid(0), "samp 0 5 1", "samp 0 6 2"] + constants("ps", {"c0": (2, 0, 0, 0), "c1": (0, 2, 0, 0)}),
        "texldd with large gradients takes the minification filter", tolerance=FINE)
    add("texldd-cube", "texldd r0, IN0, s0, c0, c1\nmov oC0, r0", [[p] for p in SIX[:4]],
        [cube(0)] + constants("ps", {"c0": (0.01, 0, 0, 0), "c1": (0, 0.01, 0, 0)}), "texldd of a cube", kind="cube")
    add("texldd-volume", "texldd r0, IN0, s0, c0, c1\nmov oC0, r0", [[(0.25, 0.75, 0.25, 1)], [(0.75, 0.25, 0.75, 1)]],
        [volume(0)] + constants("ps", {"c0": (0.01, 0, 0, 0), "c1": (0, 0.01, 0, 0)}), "texldd of a volume",
        kind="volume")
    add("texldd-in-branch", "mov r0, c2\nif_gt IN0.x, c2.x\ntexldd r0, IN0, s0, c0, c1\nelse\ntexldd r0, IN0.yxzw, s0, c0, c1\n"
        "endif\nmov oC0, r0", DIFFERENT_INPUTS,
        [grid(0)] + constants("ps", {"c0": (0.01, 0, 0, 0), "c1": (0, 0.01, 0, 0), "c2": (0.5, 0, 0, 0)}),
        "texldd in divergent flow", "texldd_in_branch")
    setp = "setp_gt p0, IN0, c0\nmov r0, c1\n(p0.x) texld r0, IN0, s0\nmov oC0, r0"
    add("texld-predicated", setp, DIFFERENT_INPUTS,
        [grid(0)] + constants("ps", {"c0": (0.5, 0, 0, 0), "c1": (9, 8, 7, 6)}), "a predicated texld",
        "predicate_after_destination", differs="ignores predicates (7.1, 7.2)", note="sheet 2.7")
    add("texkill-predicated", "mov r0, IN0\nsetp_gt p0, IN1, c1\n(p0) texkill r0\nmov r0, c0\nmov oC0, r0",
        [[(-1, 1, 1, 1), (1, 0, 0, 0)], [(-1, 1, 1, 1), (0, 1, 1, 1)], [(1, 1, -1, 1), (0, 0, 1, 0)]],
        constants("ps", {"c0": (1, 0.5, 0.25, 0.125), "c1": (0.5, 0.5, 0.5, 0.5)}),
        "a predicated texkill tests the lanes whose predicate holds", "texkill_predicated",
        differs="ignores predicates (7.1, 7.2)", note="sheet 2.6: only lanes whose predicate holds",
        hand=[("ps", "(p0) texkill r0", "12000041 800F0000 B0E41000")])
    return out


def three():
    out = []

    def add(*a, **k):
        out.append(case(a[0], "ps_3_0", *a[1:], **k))
    add("texldl", "texldl r0, IN0, s0\nmov oC0, r0", [[(0.125, 0.375, 9, 0)], [(0.625, 0.125, 9, 3)],
        [(0.875, 0.875, 9, -2)]], [grid(0)], "texldl with one level", "texldl_negative_lod")
    add("texldl-filters", "texldl r0, IN0, s0\nmov oC0, r0", [[(0.25, 0.5, 9, 2)], [(0.3125, 0.5, 9, -2)]],
        [grid(0), "samp 0 5 1", "samp 0 6 2"], "a positive lod minifies, a negative one magnifies",
        "texldl_negative_lod", tolerance=FINE)
    add("texldl-cube", "texldl r0, IN0, s0\nmov oC0, r0", [[p[:3] + (0,)] for p in SIX], [cube(0)], "texldl of a cube",
        kind="cube")
    add("texldl-volume", "texldl r0, IN0, s0\nmov oC0, r0", [[(0.25, 0.75, 0.25, 0)], [(0.75, 0.25, 0.75, 0)]],
        [volume(0)], "texldl of a volume", kind="volume")
    for swizzle in ("wzyx", "xxxx", "yxwz"):
        add(f"sampler-swizzle-{swizzle}", f"texld r0, IN0, s0.{swizzle}\nmov oC0, r0", DIFFERENT_INPUTS,
            [grid(0)], "a sampler's swizzle permutes the result", "sampler_swizzle_sm3_applied")
    add("sampler-swizzle-masked", "mov r0, c0\ntexld r0.yw, IN0, s0.zwyx\nmov oC0, r0", DIFFERENT_INPUTS,
        [grid(0)] + constants("ps", {"c0": (9, 8, 7, 6)}), "swizzle of the result, then the write mask",
        "sampler_swizzle_sm3_applied")
    add("texld-coordinate-swizzle", "texld r0, IN0.zyxw, s0\nmov oC0, r0", [[(9, 0.375, 0.125, 1)],
        [(9, 0.625, 0.875, 1)]], [grid(0)], "a swizzled coordinate")
    add("texld-coordinate-constant", "texld r0, c0, s0\nmov oC0, r0", DIFFERENT_INPUTS[:1],
        [grid(0)] + constants("ps", {"c0": (0.625, 0.125, 0, 1)}), "a constant as coordinate")
    add("texld-to-output", "texld oC0, IN0, s0", DIFFERENT_INPUTS, [grid(0)], "texld straight into oC0")
    add("sampler-1d", "texld r0, IN0, s0\nmov oC0, r0", DIFFERENT_INPUTS, [one(0, (1, 2, 3, 4), (5, 6, 7, 8))],
        "a 1D sampler", "sampler_1d", dcls=["dcl_1d s0"], hand=[("ps", "dcl_1d s0", "0200001F 88000000 A00F0800")],
        differs="refuses: no 1D samplers")
    out.append(raw_case(
        "vs_3_0-texldl", "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_2d s0\ndcl_position o0\ndcl_texcoord o1\n"
        "mov o0, v0\ntexldl r0, v1, s0\nmov o1, r0\n", pass_ps("ps_3_0"),
        [grid(257)] + points([[(0.125, 0.375, 0, 0)], [(0.625, 0.125, 0, 0)], [(0.875, 0.875, 0, 0)]]),
        "a vertex texture: sampler 0 is the API's 257", tolerance=EXACT))
    return out


def cases():
    out = []
    for v in PS2_VERSIONS:
        out += common(v)
    for v in ("ps_2_x", "ps_3_0"):
        out += newer(v)
    out += three()
    out.append(case("sampler-swizzle", "ps_2_0", "texld r0, t0, s0.wzyx\nmov oC0, r0", DIFFERENT_INPUTS, [grid(0)],
                    "a sampler's swizzle means nothing in ps_2_0", "sampler_swizzle_ps2_ignored",
                    differs="applies it", note="sheet 2.5: in ps_2 ignored",
                    hand=[("ps", "texld r0, t0, s0.wzyx", "03000042 800F0000 B0E40000 A01B0800")]))
    out.append(case("texld-to-output", "ps_2_0", "texld oC0, t0, s0", DIFFERENT_INPUTS, [grid(0)],
                    "texld straight into oC0", "texld_to_oC0_ps20",
                    hand=[("ps", "texld oC0, t0, s0", "03000042 800F0800 B0E40000 A0E40800")]))
    return out
