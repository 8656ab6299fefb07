"""Corner values of the arithmetic opcodes: infinities, NaN, zeros, and the recorded answers of the sheet's 7.2."""

from build import ALMOST, EXACT, MESA, PS1_VERSIONS, PS2_VERSIONS, VS_VERSIONS, either, pixel_case, vertex_case

INF, NAN, NZ = float("inf"), float("nan"), -0.0
BIG = 3.40282347e38
EACH = "{0} r0.x, IN0.x\n{0} r0.y, IN0.y\n{0} r0.z, IN0.z\n{0} r0.w, IN0.w"
SM2 = ["vs_2_0", "vs_2_x", "vs_3_0"]
TINY = (1e-6, 1e-5, "powers of tiny values fall below the normal range")
ALL = VS_VERSIONS + PS2_VERSIONS

# name, opcode, rows, covers, versions, tolerance
SCALARS = [
    ("rcp-zero", "rcp", [[(0, NZ, -2, 2)]], "rcp_zero_pos_neg", ALL, MESA),
    ("rcp-one", "rcp", [[(1, INF, -INF, 4)], [(-1, 1, 0.5, 1)]], "rcp_one_exact rcp_inf", ALL, EXACT),
    ("rsq-zero", "rsq", [[(0, -2, 2, NZ)], [(1, 4, -4, INF)]], "rsq_zero rsq_negative", ALL, MESA),
    ("log-zero", "log", [[(0, -2, 2, 0.5)], [(1, -0.25, NZ, 1024)]], "log_zero log_negative", ALL, MESA),
    ("exp-range", "exp", [[(-2, 200, -INF, INF)], [(1.75, 1, -200, 127)]], "exp_overflow", ALL, MESA),
    ("frc-negative", "frc", [[(-2, -0.5, 0.5, -0.25)], [(7.75, -7.75, 0, 1)]], "frc_negative",
     SM2 + PS2_VERSIONS, EXACT),
]

ZERO_TIMES = [
    ("mul", "mul r0, IN0, IN1", [[(0, INF, NAN, 2), (INF, 0, 0, 3)], [(NZ, -INF, 0, NAN), (-INF, 0, NAN, 0)]],
     "mul_zero_inf mul_zero_nan"),
    ("mad", "mad r0, IN0, IN1, IN2", [[(0, INF, NAN, 2), (INF, 0, 0, 3), (5, 6, 7, 8)]], "mad_zero_inf"),
    ("dp3", "dp3 r0, IN0, IN1", [[(0, 1, 2, NAN), (INF, 3, 4, NAN)], [(1, 1, 1, 0), (1, 2, 3, INF)],
                                 [(0, 0, 0, 0), (INF, NAN, -INF, 0)]], "dp3_w_ignored"),
    ("dp4", "dp4 r0, IN0, IN1", [[(0, 1, 2, 3), (NAN, 3, 4, 5)], [(0, 0, 0, 0), (INF, NAN, -INF, NAN)]],
     "dp4_zero_nan"),
    ("m4x4", "mov r1, IN0\nm4x4 r0, r1, c4", [[(0, 1, 2, 1)], [(1, 0, 0, 0)]], "m4x4_zero_inf"),
]
INFINITE_MATRIX = {"c4": (INF, 2, 3, 4), "c5": (-INF, 1, 0, 2), "c6": (1, 1, 1, 1), "c7": (2, INF, 0, 1)}

OTHERS = [
    ("lrp-zero-inf", "lrp r0, IN0, IN1, IN2", [[(0, 0, 1, 0.5), (INF, NAN, 4, 2), (1, 2, 0, 0)]], "lrp_extremes",
     SM2 + PS2_VERSIONS, EXACT),
    ("lrp-extremes", "lrp r0, IN0, IN1, IN2",
     [[(0, 1, 2, -1), (10, 20, 30, 40), (1, 2, 3, 4)], [(0.5, 0.25, 0, 1), (8, 8, 8, 8), (0, 0, 0, 0)]],
     "lrp_extremes", SM2 + PS2_VERSIONS + PS1_VERSIONS, ALMOST),
    ("min-nan", "min r0, IN0, IN1", [[(NAN, 1, NAN, 3), (2, NAN, NAN, 4)]], "min_max_nan_left_right", ALL, EXACT),
    ("max-nan", "max r0, IN0, IN1", [[(NAN, 1, NAN, 3), (2, NAN, NAN, 4)]], "min_max_nan_left_right", ALL, EXACT),
    ("slt-nan", "slt r0, IN0, IN1", [[(NAN, 1, NAN, 3), (2, NAN, NAN, 4)]], "slt_nan", VS_VERSIONS, EXACT),
    ("sge-nan", "sge r0, IN0, IN1", [[(NAN, 1, NAN, 4), (2, NAN, NAN, 4)]], "slt_nan", VS_VERSIONS, EXACT),
    ("pow-corners", "pow r0.x, IN0.x, IN1.x\npow r0.y, IN0.y, IN1.y\npow r0.z, IN0.z, IN1.z\npow r0.w, IN0.w, IN1.w",
     [[(0, -2, 2, 0), (0, 3, 0, 2)], [(1, -2, 10, 1), (-1, 0.5, 50, 7)], [(0.5, 1, -3, 4), (-2, -5, 2, -0.5)]],
     "pow_zero_zero pow_neg_base", SM2 + PS2_VERSIONS, MESA),
    ("pow-zero-neg-exp", "pow r0, IN0.x, IN1.x", [[(0, 0, 0, 0), (-1, 0, 0, 0)], [(0, 0, 0, 0), (-0.5, 0, 0, 0)]],
     "pow_zero_neg_exp", SM2 + PS2_VERSIONS, MESA),
    ("nrm-zero", "mov r0, IN1\nmov r1, IN0\nnrm r0.xyz, r1", [[(0, 0, 0, 5), (1, 2, 3, 4)],
                                                           [(-2, 2, 3, NZ), (1, 2, 3, 4)]],
     "nrm_zero", SM2 + PS2_VERSIONS, MESA),
    ("nrm-w", "mov r1, IN0\nnrm r0, r1", [[(3, 4, 12, 26)], [(-2, 2, 3, NZ)]], "nrm_w", SM2 + PS2_VERSIONS, MESA),
    ("dst-masks", "mov r0, IN1\ndst r0.yw, IN0, IN1", [[(1, 2, 3, 4), (5, 6, 7, 8)]], "dst_masks", VS_VERSIONS,
     EXACT),
    ("dst-7.2", "dst r0, IN0, IN1", [[(1, 2, 3, 4), (5, 6, 7, 8)], [(9, 0, 3, 4), (5, INF, 7, 8)]], "dst_masks",
     VS_VERSIONS, EXACT),
    ("lit-corners", "lit r0, IN0",
     [[(0.5, 0.5, 9, 200)], [(0.5, 0, 9, 0)], [(-0.5, 0.5, 9, 2)], [(0.5, 2, 9, -200)], [(0.5, 1, 9, 500)],
      [(0.5, -1, 9, 2)], [(2, 3, 9, 2)], [(-1, 2, 9, 0)]],
     "lit_power_clamp lit_zero_zero lit_negative_x", VS_VERSIONS, TINY),
    ("lit-x-zero", "lit r0, IN0", [[(0, 4, 9, 2)]], "lit_negative_x", VS_VERSIONS, MESA),
    ("lit-power-zero", "lit r0, IN0", [[(2, 3, 9, 0)]], "lit_zero_zero", VS_VERSIONS, MESA),
    ("lit-masked", "mov r0, IN1\nlit r0.yz, IN0", [[(0.5, 3, 9, 2), (7, 7, 7, 7)]], "", VS_VERSIONS, MESA),
    ("crs-masked", "mov r0, IN0\nmov r1, IN1\nmov r2, IN0\ncrs r0.xz, r2, r1", [[(1, 2, 3, 4), (5, -6, 7, 8)]],
     "crs_w_untouched", SM2 + PS2_VERSIONS, EXACT),
    ("crs-swizzled", "mov r0, IN0\nmov r1, IN1\nmov r2, IN0\ncrs r0.xyz, r2.zxyw, r1.yzxw",
     [[(1, 2, 3, 4), (5, -6, 7, 8)]], "crs_w_untouched", SM2 + PS2_VERSIONS, EXACT),
    ("m3x3-alias", "mov r0, IN0\nm3x3 r0.xyz, r0, c4", [[(1, 2, 3, 4)], [(-1, 0.5, 2, 8)]],
     "m4x3_dst_aliases_src0 m3x3_partial_mask", ALL, ALMOST),
    ("m4x3-alias", "mov r0, IN0\nm4x3 r0.xyz, r0, c4", [[(1, 2, 3, 4)], [(-1, 0.5, 2, 8)]],
     "m4x3_dst_aliases_src0", ALL, ALMOST),
    ("m4x4-temps", "mov r2, IN0\nmov r3, IN1\nmov r4, IN0\nmov r5, IN1\nmov r1, IN1\nm4x4 r0, r1, r2",
     [[(1, 2, 3, 4), (2, 0.5, -1, 1)]], "", ALL, ALMOST),
]
PLAIN_MATRIX = {"c4": (1, 2, 3, 4), "c5": (-1, 0.5, 0.25, 2), "c6": (0, 1, -1, 0.5), "c7": (2, -2, 4, 1)}


def cases():
    out = []
    for name, op, rows, covers, versions, tolerance in SCALARS:
        for v in versions:
            body = EACH.format(op) if op != "frc" else "frc r0, IN0"
            table, inputs = None, rows
            if v.startswith("ps") and any(str(x) == "-0.0" for row in rows for x in row[0]):
                # interpolation turns -0 into 0: in a pixel shader the values come from a constant
                table, body, inputs = {"c0": rows[0][0]}, body.replace("IN0", "c0"), [[(0, 0, 0, 0)]]
            out.append(either(v)(f"{v}-{name}", v, body, inputs, f"{op} of corner values", covers,
                                 table=table, tolerance=tolerance))
    for op, body, rows, covers in ZERO_TIMES:
        for v in ALL:
            out.append(either(v)(f"{v}-{op}-zero-inf", v, body, rows, f"{op}: zero times infinity and NaN", covers,
                                 table=INFINITE_MATRIX if op == "m4x4" else None, tolerance=EXACT))
    for name, body, rows, covers, versions, tolerance in OTHERS:
        for v in versions:
            table = PLAIN_MATRIX if name.startswith("m") and "alias" in name else None
            differs = ""
            if name in DIFFERENT:
                differs = DIFFERENT[name]
            out.append(either(v)(f"{v}-{name}", v, body, rows, name.replace("-", " "), covers, table=table,
                                 tolerance=tolerance, differs=differs, note=NOTES.get(name, "")))
    return out + singles()


ALIAS = "writes each row's result before it reads for the next row"
DIFFERENT = {"min-nan": "minimum of a number and NaN is the number on the recording driver",
             "max-nan": "maximum of a number and NaN is the number on the recording driver",
             "m3x3-alias": ALIAS, "m4x3-alias": ALIAS,
             "pow-zero-neg-exp": "0 to a negative power is 0 on the recording driver",
             "lit-x-zero": "tests x >= 0 instead of x > 0",
             "lit-power-zero": "power 0 gives 0 instead of 1"}
NOTES = {"min-nan": "sheet 2.4: s0 < s1 ? s0 : s1, so NaN on either side gives s1",
         "max-nan": "sheet 2.4: s0 >= s1 ? s0 : s1, so NaN on either side gives s1",
         "m3x3-alias": "sheet 2.2, 2.4: all rows are complete before the write, d may equal s0",
         "m4x3-alias": "sheet 2.2, 2.4: all rows are complete before the write, d may equal s0",
         "pow-zero-neg-exp": "sheet 2.4: 0^(y<0) = FLT_MAX",
         "lit-x-zero": "sheet 2.4: z = (x > 0 and y > 0) ? y^p : 0",
         "lit-power-zero": "sheet 2.4: z = y^p with x > 0, y > 0: 3^0 = 1"}


def singles():
    out = []
    for v in SM2 + PS2_VERSIONS:
        out.append(either(v)(
            f"{v}-nrm-partial-mask", v, "mov r0, IN0\nmov r1, IN0\nnrm r0.xy, r1", [[(3, 4, 12, 26)]],
            "nrm takes its length over x, y and z whatever the mask", "nrm_partial_mask", tolerance=MESA,
            differs="takes the length of the masked lanes (7.2): .6, .8",
            note="sheet 2.4: 3/13 and 4/13, the length is always over x, y, z"))
        out.append(either(v)(
            f"{v}-pow-scalar-lane", v, "pow r0, IN0, IN1", [[(2, 3, 4, 5), (3, 2, 1, 0)]],
            "pow without replicate swizzle reads x", "scalar_no_replicate_swizzle", tolerance=MESA))
    for v in ALL:
        for op in ("rcp", "rsq", "exp", "log"):
            out.append(either(v)(
                f"{v}-{op}-scalar-lane", v, f"{op} r0, IN0", [[(1, 2, 4, 8)]],
                f"{op} without replicate swizzle reads x", "scalar_no_replicate_swizzle", tolerance=MESA,
                differs="reads the w selector (7.2)", option="scalar_lane=w", note="sheet 2.4: the x selector"))
    out.append(vertex_case(
        "vs_1_1-expp-1.75", "vs_1_1", "expp r0, IN0.x", [[(1.75, 0, 0, 0)], [(-0.25, 0, 0, 0)], [(3, 0, 0, 0)]],
        "expp of vs_1_1: four different lanes", "expp_vs11_partial", tolerance=(1e-3, 1e-3, "10 bits")))
    out.append(vertex_case(
        "vs_1_1-expp-masked", "vs_1_1", "mov r0, IN1\nexpp r0.yz, IN0.w", [[(9, 9, 9, 1.75), (5, 6, 7, 8)]],
        "expp of vs_1_1 writes masked lanes only", "expp_vs11_masked", tolerance=(1e-3, 1e-3, "10 bits")))
    for v in VS_VERSIONS:
        out.append(vertex_case(
            f"{v}-logp-corners", v, "logp r0, IN0.x", [[(-2, 0, 0, 0)], [(0, 0, 0, 0)], [(8, 0, 0, 0)]],
            "logp is replicated, of the magnitude", "logp_vs11", tolerance=(1e-3, 1e-3, "10 bits")))
    for v in SM2:
        out.append(vertex_case(
            f"{v}-expp-replicate", v, "expp r0, IN0.y", [[(9, 1.75, 9, 9)], [(9, 130, 9, 9)], [(9, -3, 9, 9)]],
            "expp is 2^v in every lane", "expp_vs20_replicate", tolerance=(1e-3, 1e-3, "10 bits")))
    table = {f"c{10 + k}": (k, k, k, k) for k in range(-3, 4)}
    out.append(vertex_case(
        "vs_1_1-mov-a0-floor", "vs_1_1", "mov a0.x, IN0.x\nmov r0, c10[a0.x]",
        [[(x, 0, 0, 0)] for x in (-1.6, -0.4, 0.5, 1.6, -2, 2.99, 0, 1)], "mov to a0.x takes the floor",
        "mov_a0_floor_table vs11_implicit_a0", table=table, tolerance=EXACT))
    for v in SM2:
        out.append(vertex_case(
            f"{v}-mova-rounding", v, "mova a0.x, IN0.x\nmov r0, c10[a0.x]",
            [[(x, 0, 0, 0)] for x in (-1.6, -0.4, 0.4, 1.6, -2.4, 2.4, 0, 1)], "mova rounds to nearest",
            "mova_rounding_table", table=table, tolerance=EXACT))
        out.append(vertex_case(
            f"{v}-mova-ties", v, "mova a0.x, IN0.x\nmov r0, c10[a0.x]",
            [[(x, 0, 0, 0)] for x in (0.5, 1.5, 2.5, -0.5, -1.5, -2.5)], "mova rounds ties to even",
            "mova_ties", table=table, tolerance=EXACT))
        out.append(vertex_case(
            f"{v}-mova-huge", v, "mova a0.x, IN0.x\nmov r0, c10[a0.x]",
            [[(x, 0, 0, 0)] for x in (1e30, -1e30, INF, -INF)], "mova saturates, and such an index reads 0",
            "mova_huge_nan", table=table, tolerance=EXACT))
        out.append(vertex_case(
            f"{v}-mova-nan", v, "mova a0.x, IN0.x\nmov r0, c11[a0.x]", [[(NAN, 0, 0, 0)]], "mova of NaN is 0",
            "mova_huge_nan", table=table, tolerance=EXACT))
    for v in PS2_VERSIONS:
        out.append(pixel_case(
            f"{v}-cmp-corners", v, "cmp r0, c0, IN0, IN1", [[(1, 2, 3, 4), (5, 6, 7, 8)]],
            "cmp: -0 is not less than 0, NaN is neither", "cmp_negative_zero cmp_nan",
            table={"c0": (NZ, NAN, -1e-30, 0)}, tolerance=EXACT))
        out.append(pixel_case(
            f"{v}-sat-corners", v, "mov_sat r0, IN0", [[(NAN, INF, -INF, 0.5)], [(-3, 4, -0.5, 0.25)]],
            "saturate: NaN is 0", "sat_nan", tolerance=EXACT))
        out.append(pixel_case(
            f"{v}-dp2add-zero-inf", v, "mov r1, IN2\ndp2add r0, IN0, IN1, r1.w",
            [[(3, 4, NAN, NAN), (1, 2, NAN, NAN), (1, 2, 3, 26)], [(0, 4, 0, 0), (INF, 2, 0, 0), (0, 0, 0, 1)]],
            "dp2add: z and w ignored; zero times infinity", "dp2add_replicate", tolerance=EXACT))
    out.append(vertex_case(
        "vs_3_0-sat-corners", "vs_3_0", "mov_sat r0, IN0", [[(NAN, INF, -INF, 0.5)], [(-3, 4, -0.5, 0.25)]],
        "saturate in a vertex shader", "sat_nan saturate_vs30", tolerance=EXACT))
    for v in PS1_VERSIONS[1:]:
        out.append(pixel_case(
            f"{v}-cmp-corners", v, "cmp r0, IN0, IN1, c0", [[(NAN, -1e-20, 0, 1), (5, 6, 7, 8)]],
            "cmp of zero, tiny and NaN", "cmp_negative_zero cmp_nan", table={"c0": (0.5, 0.25, 0.125, 1)},
            tolerance=EXACT))
    return out
