"""Texture instructions of ps_1_1 to ps_1_4, bump environment, projection flags, co-issue, constants' clamp."""

from build import EXACT, PS1_VERSIONS, again, constants, fmt, pass_vs, pixel_case, points, raw_case

NZ = -0.0
OLD = PS1_VERSIONS[:3]
NEW = PS1_VERSIONS[1:3]  # ps_1_2 and ps_1_3
MIX = (1e-5, 1e-5, "interpolation and sums of products")


def grid(stage, n=4):
    """A 2D texture whose texels name their place: (x, y, x + 4y, 1) / 16."""
    return f"tex {stage} 2d {n} {n}  " + "  ".join(fmt((x / 16, y / 16, (x + n * y) / 16, 1))
                                                  for y in range(n) for x in range(n))


def one(stage, *texels):
    """A texture of one row."""
    return f"tex {stage} 2d {len(texels)} 1  " + "  ".join(fmt(t) for t in texels)


def cube(stage):
    """2 x 2 texels a face: (face, x, y, 1) / 8."""
    return f"tex {stage} cube 2  " + "  ".join(fmt((f / 8, x / 8, y / 8, 1))
                                               for f in range(6) for y in range(2) for x in range(2))


def volume(stage):
    return f"tex {stage} vol 2 2 2  " + "  ".join(fmt((x / 8, y / 8, z / 8, 1))
                                                  for z in range(2) for y in range(2) for x in range(2))


def case(name, version, body, rows, job, title, covers="", tolerance=MIX, after=(), **more):
    """`rows`: the coordinate sets of each point."""
    ps = version + "\n" + body
    return raw_case(f"{version}-{name}", pass_vs("vs_1_1", len(rows[0])), ps,
                    list(job) + points(rows) + list(after), title, covers, tolerance, **more)


PLACES = [[(0.125, 0.375, 0, 1)], [(0.625, 0.125, 0, 1)], [(0.875, 0.875, 0, 1)], [(1.375, -0.125, 0, 1)]]


def old(v):
    out = []

    def add(*a, **k):
        out.append(case(a[0], v, *a[1:], **k))
    add("tex", "tex t0\nmov r0, t0", PLACES, [grid(0)], "tex samples its own coordinate set")
    add("tex-two-stages", "tex t0\ntex t1\nadd r0, t0, t1", [a + b for a, b in zip(PLACES, PLACES[::-1])],
        [grid(0), one(1, (1, 2, 3, 4), (5, 6, 7, 8))], "two stages")
    add("tex-four-stages", "tex t0\ntex t1\ntex t2\ntex t3\nmad r0, t0, t1, t2\nadd r0, r0, t3", [PLACES[0] * 4],
        [one(0, (1, 2, 3, 4)), one(1, (2, 3, 4, 5)), one(2, (0.5, 0.25, 1, 2)), one(3, (10, 20, 30, 40))],
        "four stages")
    add("tex-unbound", "tex t0\nmov r0, t0", PLACES[:1], [], "an unbound sampler gives opaque black", "sampler_unbound",
        tolerance=EXACT)
    add("texcoord", "texcoord t0\nmov r0, t0", [[(-1, 0.25, 2, 5)], [(0.5, 1, 0, -3)], [(1.5, -0.5, 0.75, 0)]], [],
        "texcoord clamps to [0, 1], w is 1", "texcoord_clamp_w1", differs="clamps w instead of setting it to 1",
        note="sheet 2.5: (clamp01(u), clamp01(v), clamp01(w), 1)")
    for count in (2, 3, 4):
        add(f"tex-projected-count{count}", "tex t0\nmov r0, t0",
            [[(0.25, 2, 4, 8)], [(3, 4, 8, 16)], [(1, 2, 1, 1)]],
            [grid(0), f"tss 0 24 {256 + count}"], f"PROJECTED with {count} coordinates divides by the last",
            "tex_projected_count2_3_4", differs="divides by w for every count" if count < 4 else "",
            note=f"sheet 2.5: COUNT{count} divides by coordinate {count}")
    add("tex-projected-cube", "tex t0\nmov r0, t0", [[(1, 0.5, -0.5, 4)], [(0.5, -3, 0.25, -2)]],
        [cube(0), "tss 0 24 259"], "PROJECTED is ignored for a cube", "tex_projected_cube_ignored")
    add("tex-cube", "tex t0\nmov r0, t0", [[p] for p in SIX], [cube(0)], "six faces of a cube")
    add("tex-volume", "tex t0\nmov r0, t0", [[(0.25, 0.75, 0.25, 1)], [(0.75, 0.25, 0.75, 1)]], [volume(0)],
        "tex of a volume")
    add("texkill", "texkill t0\nmov r0, c0", [[(1, 1, 1, -1)], [(-1, 1, 1, 1)], [(1, -0.125, 1, 1)], [(1, 1, -2, 1)],
        [(0, 0, 0, 0)], [(1, 2, 3, 4)]], constants("ps", {"c0": (1, 0.5, 0.25, 0.125)}),
        "texkill tests u, v and w of the coordinate, not q", "texkill_tn_vs_register texkill_four_lanes")
    add("texkill-after-tex", "tex t0\ntexkill t1\nmov r0, t0", [[(0.125, 0.125, 0, 1), (1, -1, 0, 1)],
        [(0.625, 0.125, 0, 1), (1, 1, 0, 1)]], [grid(0)], "texkill beside a texture read", "texkill_tn_vs_register")
    bump = ["tss 1 7 f:0.25", "tss 1 8 f:-0.5", "tss 1 9 f:0.125", "tss 1 10 f:0.375"]
    base = [[(0.25, 0.25, 0, 1), (0.375, 0.625, 0, 1)], [(0.75, 0.25, 0, 1), (0.125, 0.875, 0, 1)]]
    maps = [one(0, (1, 0.5, 0.5, 1), (-1, 0.25, 0.25, 1)), grid(1)]
    add("texbem", "tex t0\ntexbem t1, t0\nmov r0, t1", base, maps + bump, "the bump matrix's order",
        "texbem_matrix_order")
    for axis, element in enumerate(("tss 1 7 f:0.25", "tss 1 8 f:0.25", "tss 1 9 f:0.25", "tss 1 10 f:0.25")):
        add(f"texbem-{axis // 2}{axis % 2}", "tex t0\ntexbem t1, t0\nmov r0, t1",
            [[(0.5, 0.5, 0, 1), (0.375, 0.375, 0, 1)]], [one(0, (1, 2, 0, 1)), grid(1), element],
            f"bump matrix element {axis // 2}{axis % 2} alone", "texbem_matrix_order")
    lum = ["tss 1 22 f:0.5", "tss 1 23 f:0.25"]
    add("texbeml", "tex t0\ntexbeml t1, t0\nmov r0, t1", base, maps + bump + lum, "bump with luminance",
        "texbeml_luminance_alpha")
    add("texbeml-unclamped", "tex t0\ntexbeml t1, t0\nmov r0, t1", base,
        maps + bump + ["tss 1 22 f:4", "tss 1 23 f:0.5"], "a luminance factor above 1", "texbeml_luminance_alpha")
    add("texreg2ar", "tex t0\ntexreg2ar t1, t0\nmov r0, t1", [[(0.25, 0, 0, 1), (0, 0, 0, 1)],
        [(0.75, 0, 0, 1), (0, 0, 0, 1)]], [one(0, (0.125, 9, 9, 0.625), (0.875, 9, 9, 0.375)), grid(1)],
        "a dependent read at (a, r)", "texreg2ar_gb_rgb")
    add("texreg2gb", "tex t0\ntexreg2gb t1, t0\nmov r0, t1", [[(0.25, 0, 0, 1), (0, 0, 0, 1)],
        [(0.75, 0, 0, 1), (0, 0, 0, 1)]], [one(0, (9, 0.125, 0.625, 9), (9, 0.875, 0.375, 9)), grid(1)],
        "a dependent read at (g, b)", "texreg2ar_gb_rgb")
    source = one(0, (0.5, 0.25, 1, 9), (-0.5, 1, 0.25, 9))
    near = [(0.25, 0, 0, 1), (0.75, 0, 0, 1)]
    m2 = [[near[k], (0.25 + k / 2, 0.5, 0, 7), (0, 0.5, 0.25, 7)] for k in range(2)]
    add("texm3x2tex", "tex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2", m2, [source, grid(2)],
        "two rows, then a 2D read", "texm3x2tex")
    add("texm3x2tex-bx2", "tex t0\ntexm3x2pad t1, t0_bx2\ntexm3x2tex t2, t0_bx2\nmov r0, t2", m2,
        [one(0, (0.75, 0.625, 1, 9), (0.25, 1, 0.625, 9)), grid(2)], "two rows with _bx2 sources", "texm3x2tex")
    m3 = [[near[k], (1, 0.25, 0.5, -1), (0.5, -1 + k, 0.25, 0.5), (0.25, 0.5, k - 0.75, 0.75)] for k in range(2)]
    add("texm3x3tex", "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3", m3,
        [source, cube(3)], "three rows, then a cube read", "texm3x3tex_volume")
    vol = [[near[k], (0.5, 0, 0.25, -1), (0.25, 0.5, 0, 0.5), (0, 0.25 + k / 4, 0.5, 0.75)] for k in range(2)]
    add("texm3x3tex-volume", "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\nmov r0, t3", vol,
        [source, volume(3)], "three rows, then a volume read", "texm3x3tex_volume")
    for n, eye in enumerate([(0.25, 0.5, 1), (-1, 0.25, 0.5)]):
        add(f"texm3x3spec-{n}", "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0\nmov r0, t3", m3,
            [source, cube(3)] + constants("ps", {"c0": eye + (0,)}), "reflection about the normal, eye from a constant",
            "texm3x3spec")
    add("texm3x3vspec", "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3vspec t3, t0\nmov r0, t3", m3,
        [source, cube(3)], "reflection, eye from the w of the coordinates", "texm3x3vspec_eye_from_w")
    add("texm3x3spec-null", "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0\nmov r0, t3", m3[:1],
        [one(0, (0, 0, 0, 0)), cube(3)] + constants("ps", {"c0": (0.25, -1, 0.5, 0)}),
        "a null normal reflects into -E", "texm3x3spec", differs="normalises the null normal",
        note="sheet 2.5: N.N = 0 gives R = -E")
    if v != "ps_1_1":
        add("texreg2rgb", "tex t0\ntexreg2rgb t1, t0\nmov r0, t1", [[near[0], near[0]], [near[1], near[1]]],
            [one(0, (0.125, 0.625, 0.25, 9), (0.875, 0.375, 0.75, 9)), grid(1)], "a dependent read at (r, g, b)",
            "texreg2ar_gb_rgb")
        add("texreg2rgb-cube", "tex t0\ntexreg2rgb t1, t0\nmov r0, t1", [[near[0], near[0]], [near[1], near[1]]],
            [one(0, (1, 0.5, -0.25, 9), (-0.25, 0.5, -1, 9)), cube(1)], "a dependent read of a cube",
            "texreg2ar_gb_rgb")
        add("texdp3", "tex t0\ntexdp3 t1, t0\nmov r0, t1", [[near[0], (0.5, 0.25, 0.125, 9)],
            [near[1], (1, -2, 4, 9)]], [source], "texdp3 replicates a dot product", "texdp3")
        add("texdp3tex", "tex t0\ntexdp3tex t1, t0\nmov r0, t1", [[near[0], (0.5, 0.25, 0.0625, 9)],
            [near[1], (-0.25, 0.5, 0, 9)]], [source, one(1, *[(k / 8, k, 2 * k, 1) for k in range(4)])],
            "texdp3tex reads a row of texels", "texdp3tex")
        add("texm3x3", "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov r0, t3", m3, [source],
            "three rows as a colour, alpha 1", "texm3x3")
    if v == "ps_1_3":
        first = [[near[0], (d, 0, 0, 0), (w, 0, 0, 0)] for d, w in
                 ((0.49, 1), (0.51, 1), (1, 4), (3, 4), (5, 0), (-1, 2), (9, 2), (-3, -4))]
        second = [[near[0], (0.5, 0, 0, 0), (1, 0, 0, 0)]] * 8
        add("texm3x2depth", "tex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, c0", first,
            [one(0, (1, 0, 0, 0)), "rs 7 1"] + constants("ps", {"c0": (1, 0, 0, 1)}),
            "depth row0 / row1: a second draw at 0.5 shows where the first was farther", "texm3x2depth_w_zero",
            after=constants("ps", {"c0": (0, 1, 0, 1)}) + again(second))
    return out


SIX = [(1, 0.5, -0.5, 1), (-1, 0.5, 0.25, 1), (0.5, 1, -0.25, 1), (-0.5, -1, 0.25, 1), (0.25, -0.5, 1, 1),
       (0.5, 0.25, -1, 1)]


def new():
    out = []

    def add(*a, **k):
        out.append(case(a[0], "ps_1_4", *a[1:], **k))
    add("texld", "texld r0, t0", PLACES, [grid(0)], "texld samples the stage of its destination")
    add("texld-stage", "texld r3, t0\nmov r0, r3", PLACES, [grid(3), grid(0, 2)], "the stage is the destination's number")
    add("texld-unbound", "texld r0, t0", PLACES[:1], [], "an unbound sampler", "sampler_unbound", tolerance=EXACT)
    add("texld-cube", "texld r0, t0.xyz", [[p] for p in SIX], [cube(0)], "six faces of a cube")
    add("texld-volume", "texld r0, t0.xyw", [[(0.25, 0.75, 9, 0.25)], [(0.75, 0.25, 9, 0.75)]], [volume(0)],
        ".xyw takes w as the third coordinate", "texld14_dw_xyw")
    add("texld-dw", "texld r0, t0_dw.xyw", [[(0.5, 1.5, 9, 4)], [(1.75, 0.25, 9, 2)]], [grid(0)], "projection by w",
        "texld14_dw_xyw")
    add("texld-dz", "texld r0, t0_dz.xyz", [[(0.5, 1.5, 4, 9)], [(1.75, 0.25, 2, 9)]], [grid(0)], "projection by z",
        "texld14_dz_zero_divisor")
    add("texld-dz-phase2", "texcrd r1.rgb, t0\nphase\ntexld r0, r1_dz", [[(0.5, 1.5, 4, 9)], [(1.75, 0.25, 2, 9)]],
        [grid(0)], "projection by z of a register in phase 2", "texld14_dz_zero_divisor")
    add("texld-dz-zero", "texld r0, t0_dz.xyz", [[(0.125, 0.125, 0, 9)]],
        [grid(0), "samp 0 1 3", "samp 0 2 3"], "projection by zero gives the coordinate 1", "texld14_dz_zero_divisor",
        differs="divides plainly (7.1)", note="sheet 2.2: divisor 0 gives 1.0 for both, here the last texel under clamp")
    add("texcrd-dw-zero", "texcrd r0.rg, t0_dw.xyw\nmov r0.ba, c0", [[(0.25, 0.5, 2, 0)]],
        constants("ps", {"c0": (0, 0, 0, 0)}), "texcrd: division by zero gives 1", "texcrd_dw",
        differs="divides plainly (7.1)", note="sheet 2.2: divisor 0 gives 1.0 for both")
    add("texld-projected-flag", "texld r0, t0", [[(0.625, 0.375, 0, 2)]], [grid(0), "tss 0 24 260"],
        "TEXTURETRANSFORMFLAGS means nothing in ps_1_4", "ps14_ignores_projected")
    add("texcrd", "texcrd r0.rgb, t0\nmov r0.a, c0",
        [[(-1, 0.25, 2, 5)], [(1.5, -8, 0.75, 0)]], constants("ps", {"c0": (0.5,) * 4}), "texcrd does not clamp",
        "texcrd_no_clamp")
    add("texcrd-xyw", "texcrd r0.rgb, t0.xyw\nmov r0.a, c0", [[(-1, 0.25, 2, 5)]],
        constants("ps", {"c0": (0.5,) * 4}), "texcrd .xyw", "texcrd_no_clamp")
    add("texcrd-dw", "texcrd r0.rg, t0_dw.xyw\nmov r0.ba, c0", [[(-1, 0.25, 2, 4)], [(3, 5, 9, 2)]],
        constants("ps", {"c0": (0.5,) * 4}), "texcrd with division by w", "texcrd_dw")
    add("texkill", "texcrd r1.rgb, t0\nphase\ntexkill r1\nmov r0, c0",
        [[(1, 1, 1, -1)], [(-1, 1, 1, 1)], [(1, -0.125, 1, 1)], [(1, 1, -2, 1)], [(0, 0, 0, 0)]],
        constants("ps", {"c0": (1, 0.5, 0.25, 0.125)}), "texkill tests the register's x, y, z",
        "texkill_tn_vs_register texkill_four_lanes")
    add("texkill-modified", "texcrd r1.rgb, t0\nsub r1.rgb, r1, c0\nphase\ntexkill r1\nmov r0, c0",
        [[(1, 1, 1, 1)], [(0.25, 1, 1, 1)], [(1, 0.25, 1, 1)]], constants("ps", {"c0": (0.5, 0.5, 0.5, 1)}),
        "texkill of a computed value", "texkill_tn_vs_register")
    add("phase", "texcrd r1.rgb, t0\nmul r1.rgb, r1, c0\nphase\ntexld r0, r1", [[(0.25, 0.75, 0, 1)],
        [(1.25, 0.25, 0, 1)]], [grid(0)] + constants("ps", {"c0": (0.5, 0.5, 0.5, 0.5)}),
        "a dependent read across the phase marker", "phase_required_order")
    add("phase-alpha", "texld r0, t0\ntexld r1, t0\nmov r1.a, c0.b\nphase\nmov r0, r1", PLACES[:2],
        [grid(0), grid(1)] + constants("ps", {"c0": (0.5, 0.25, 0.75, 1)}), "alpha is kept across phases",
        "phase_alpha_kept")
    bump = [f"tss {s} {k} f:{x}" for s, m in ((2, (0.25, -0.5, 0.125, 0.375)), (0, (9, 9, 9, 9)))
            for k, x in zip((7, 8, 9, 10), m)]
    add("bem", "texcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r2.rg, r0, r1\nmov r2.b, c0\nphase\nmov r0.rgb, r2\nmov r0.a, c0",
        [[(0.5, 0.25, 1, 1), (1, 0.5, 1, 1)], [(-1, 2, 1, 1), (-2, 4, 1, 1)]],
        bump + constants("ps", {"c0": (0.5,) * 4}), "bem uses the matrix of its destination's stage",
        "bem_stage_of_destination")
    first = [[(r, g, 0, 1)] for r, g in ((0.49, 1), (0.51, 1), (0.125, 0.5), (0.375, 0.5), (5, 0), (-1, 0.5),
                                       (-0.25, -0.5), (0.75, 1))]
    add("texdepth", "texcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0", first,
        ["rs 7 1"] + constants("ps", {"c0": (1, 0, 0, 1)}),
        "depth r / g: a second draw at 0.4 shows where the first was farther", "texdepth_clamp_zero_neg",
        after=constants("ps", {"c0": (0, 1, 0, 1)}) + again([[(0.4, 1, 0, 1)]] * 8))
    return out


def shared():
    out = []
    for v in PS1_VERSIONS:
        none = [[(0, 0, 0, 0)]]
        out.append(pixel_case(f"{v}-constant-clamp-api", v, "mov r0, c1", none, "constants are clamped to [-1, 1]",
                              "ps1_constant_clamp_api", table={"c1": (-2, 2, 3, NZ)}, tolerance=EXACT))
        out.append(pixel_case(f"{v}-constant-clamp-def", v, "mov r0, c1", none, "def is clamped to [-1, 1]",
                              "ps1_constant_clamp_def", head="def c1, 3, -3, 0.5, 1.5", tolerance=EXACT))
        out.append(pixel_case(f"{v}-mov-x4", v, "mov_x4 r0, c0", none, "a shifted constant exceeds 1",
                              "shift_all_six", table={"c0": (1, 1, 1, 1)}, tolerance=EXACT))
        out.append(pixel_case(f"{v}-add-x4", v, "mov r0, c1\nadd_x4 r0, r0, c1", none, "a sum, shifted",
                              "ps1_constant_clamp_api", table={"c1": (-2, 2, 0.25, 0)}, tolerance=EXACT))
        if v == "ps_1_4":
            out.append(pixel_case(
                f"{v}-cnd", v, "cnd r0, IN0, IN1, IN2", [[(0.4, 0.5, 0.6, float("nan")), (1, 2, 3, 4), (5, 6, 7, 8)]],
                "cnd of ps_1_4 is a lane's own", "cnd_per_version cnd_half_is_false cnd_nan", tolerance=EXACT))
        else:
            out.append(pixel_case(
                f"{v}-cnd", v, "mov r0, IN0\ncnd r0, r0.a, IN1, IN2",
                [[(9, 9, 9, a), (1, 2, 3, 4), (5, 6, 7, 8)] for a in (0.4, 0.5, 1, 0.51)],
                "cnd below ps_1_4 asks r0.a", "cnd_per_version cnd_half_is_false", tolerance=EXACT))
        pair = "add r0.rgb, IN0, IN1\n+mul r0.a, IN0, IN1"
        out.append(pixel_case(f"{v}-coissue", v, pair, [[(1, 2, 3, 4), (5, 6, 7, 8)]], "a co-issued pair", "",
                              tolerance=EXACT))
        swap = "mov r0, IN0\nmov r1, IN1\nmov r0.rgb, r1\n+mov r1.a, r0.a\nadd r0, r0, r1"
        out.append(pixel_case(f"{v}-coissue-swap", v, swap, [[(1, 2, 3, 4), (5, 6, 7, 8)]],
                              "a pair that reads each other's register, other lanes", "coissue_reads_before_writes",
                              tolerance=EXACT))
        read = "mov r0, IN0\nmov r0.rgb, IN1\n+mov r0.a, r0.b"
        out.append(pixel_case(f"{v}-coissue-parallel", v, read, [[(1, 2, 3, 4), (5, 6, 7, 8)]],
                              "both halves of a pair read before either writes", "coissue_reads_before_writes",
                              tolerance=EXACT, differs="runs a pair in order (2.2)",
                              note="sheet 2.2: a pair runs in parallel, r0.b is the old one"))
    for v in OLD:
        body = "mov r0, IN0\ncnd r0.rgb, r0.a, IN1, IN2\n+mov r0.a, IN1.a"
        second = "mov r0, IN0\nmov r0.a, IN0.a\nmov r1.a, IN0.a\n+cnd r0.rgb, r0.a, IN1, IN2"
        rows = [[(9, 9, 9, a), (1, 2, 3, 4), (5, 6, 7, 8)] for a in (0.25, 0.75)]
        out.append(pixel_case(f"{v}-coissue-cnd", v, body, rows, "cnd as the first of a pair", tolerance=EXACT))
        out.append(pixel_case(f"{v}-coissued-cnd", v, second, rows, "cnd with the co-issue bit: normal by default",
                              "coissue_cnd_quirk_option", tolerance=EXACT, differs="has the hardware's quirk",
                              option="coissued_cnd=first", note="sheet 2.4: normal semantics by default"))
        out.append(pixel_case(f"{v}-coissued-cnd-first", v, second, rows,
                              "cnd with the co-issue bit under the hardware's quirk", "coissue_cnd_quirk_option",
                              tolerance=EXACT, options=["coissued_cnd=first"],
                              note="sheet 2.4: such a cnd selects s1"))
    return out


def cases():
    out = []
    for v in OLD:
        out += old(v)
    return out + new() + shared()
