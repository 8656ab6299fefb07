"""Every arithmetic opcode of the sheet's table 2.3 in each version that has it, on ordinary values."""

from build import ALMOST, EXACT, MESA, PS1_VERSIONS, PS2_VERSIONS, PS_VERSIONS, VS_VERSIONS, either, pixel_case

SUM = (1e-6, 2e-6, "order and contraction of sums")
ROWS1 = [[(0.5, -1.5, 2, 0.25)], [(-0.75, 1, 3, -4)], [(0.125, 8, -2.5, 1)], [(1, -0.0625, 0.75, 16)]]
ROWS2 = [[(0.5, -1.5, 2, 0.25), (3, 0.5, -1, 2)], [(-0.75, 1, 3, -4), (-0.75, 4, 0.5, 8)],
         [(0.125, 8, -2.5, 1), (2, 2, 2, 1)], [(1, -0.0625, 0.75, 16), (0.25, -8, 1, 0.5)]]
ROWS3 = [a + [b] for a, b in zip(ROWS2, [(1, 2, 3, 4), (0.5, -0.5, 0.25, -0.25), (10, -10, 20, 0), (-1, 0, 1, 2)])]
UNIT3 = [[(0.25, 0.5, 0.75, 1), (1, 0.5, 0.25, 0.125), (0.5, 0.25, 1, 0.75)],
         [(0, 1, 0.5, 0.125), (0.375, 0.625, 0.875, 0.5), (0.0625, 0.75, 0.25, 1)]]
MATRIX = {"c4": (1, 2, 3, 4), "c5": (-1, 0.5, 0.25, 2), "c6": (0, 1, -1, 0.5), "c7": (2, -2, 4, 1)}
SM2 = ["vs_2_0", "vs_2_x", "vs_3_0"]
EACH = "{0} r0.x, IN0.x\n{0} r0.y, IN0.y\n{0} r0.z, IN0.z\n{0} r0.w, IN0.w"

# name, body, rows, versions, tolerance
LANES = [
    ("mov", "mov r0, IN0", ROWS1, VS_VERSIONS + PS_VERSIONS, EXACT),
    ("add", "add r0, IN0, IN1", ROWS2, VS_VERSIONS + PS_VERSIONS, EXACT),
    ("sub", "sub r0, IN0, IN1", ROWS2, VS_VERSIONS + PS_VERSIONS, EXACT),
    ("mul", "mul r0, IN0, IN1", ROWS2, VS_VERSIONS + PS_VERSIONS, EXACT),
    ("mad", "mad r0, IN0, IN1, IN2", ROWS3, VS_VERSIONS + PS_VERSIONS, SUM),
    ("rcp", EACH.format("rcp"), ROWS1, VS_VERSIONS + PS2_VERSIONS, MESA),
    ("rsq", EACH.format("rsq"), ROWS1, VS_VERSIONS + PS2_VERSIONS, MESA),
    ("dp3", "dp3 r0, IN0, IN1", ROWS2, VS_VERSIONS + PS_VERSIONS, SUM),
    ("dp4", "dp4 r0, IN0, IN1", ROWS2, VS_VERSIONS + PS_VERSIONS[1:], SUM),
    ("min", "min r0, IN0, IN1", ROWS2, VS_VERSIONS + PS2_VERSIONS, EXACT),
    ("max", "max r0, IN0, IN1", ROWS2, VS_VERSIONS + PS2_VERSIONS, EXACT),
    ("slt", "slt r0, IN0, IN1", ROWS2, VS_VERSIONS, EXACT),
    ("sge", "sge r0, IN0, IN1", ROWS2, VS_VERSIONS, EXACT),
    ("exp", EACH.format("exp"), ROWS1, VS_VERSIONS + PS2_VERSIONS, MESA),
    ("log", EACH.format("log"), ROWS1, VS_VERSIONS + PS2_VERSIONS, MESA),
    ("lit", "lit r0, IN0", ROWS1 + [[(0.5, 0.5, 9, 3)], [(2, 3, -1, 2.5)], [(0.25, -1, 0, 4)]], VS_VERSIONS, MESA),
    ("dst", "dst r0, IN0, IN1", ROWS2, VS_VERSIONS, EXACT),
    ("lrp", "lrp r0, IN0, IN1, IN2", UNIT3, SM2 + PS_VERSIONS, SUM),
    ("frc", "frc r0.xy, IN0\nmov r0.zw, IN0", ROWS1, ["vs_1_1"], ALMOST),
    ("frc", "frc r0, IN0", ROWS1, SM2 + PS2_VERSIONS, ALMOST),
    ("abs", "abs r0, IN0", ROWS1, SM2 + PS2_VERSIONS, EXACT),
    ("crs", "mov r0, IN0\ncrs r0.xyz, IN0, IN1", ROWS2, SM2 + PS2_VERSIONS, SUM),
    ("nrm", "mov r0, IN0\nmov r1, IN1\nnrm r0.xyz, r1", ROWS2, SM2 + PS2_VERSIONS, MESA),
    ("pow", "pow r0.x, IN0.x, IN1.x\npow r0.y, IN0.y, IN1.y\npow r0.z, IN0.z, IN1.z\npow r0.w, IN0.w, IN1.w",
     ROWS2, SM2 + PS2_VERSIONS, MESA),
    ("expp", "expp r0, IN0.x", ROWS1, VS_VERSIONS, (1e-3, 1e-3, "the sheet asks for 10 bits")),
    ("logp", EACH.format("logp"), ROWS1, VS_VERSIONS, (1e-3, 1e-3, "the sheet asks for 10 bits")),
    ("cmp", "cmp r0, IN0, IN1, IN2", ROWS3, PS_VERSIONS[1:], EXACT),
    ("dp2add", "mov r1, IN2\ndp2add r0, IN0, IN1, r1.z", ROWS3, PS2_VERSIONS, SUM),
]


def matrices():
    out = []
    for name, mask in (("m4x4", ""), ("m4x3", ".xyz"), ("m3x4", ""), ("m3x3", ".xyz"), ("m3x2", ".xy")):
        for version in VS_VERSIONS + PS2_VERSIONS:
            body = f"mov r0, IN1\nmov r1, IN0\n{name} r0{mask}, r1, c4"
            out.append(either(version)(
                f"{version}-{name}", version, body, ROWS2, f"{name} with a constant matrix; unmasked lanes stay",
                covers="m3x3_partial_mask" if name == "m3x3" else "", table=MATRIX, tolerance=SUM))
    return out


def special():
    out = []
    out.append(either("vs_2_0")("vs_2_0-sgn", "vs_2_0", "mov r1, IN0\nmov r2, IN0\nsgn r0, IN0, r1, r2",
                                ROWS1 + [[(-5, 0, -0.0, 3)]], "sgn with its two scratch sources",
                                "sgn_three_sources sgn_neg_zero", tolerance=EXACT))
    out.append(either("vs_2_x")("vs_2_x-sgn", "vs_2_x", "mov r1, IN0\nmov r2, IN0\nsgn r0, IN0, r1, r2",
                                ROWS1 + [[(-5, 0, -0.0, 3)]], "sgn with its two scratch sources",
                                "sgn_three_sources sgn_neg_zero", tolerance=EXACT))
    out.append(either("vs_3_0")("vs_3_0-sgn", "vs_3_0", "sgn r0, v1", ROWS1 + [[(-5, 0, -0.0, 3)]],
                                "sgn with one source", "sgn_one_source_vs30 sgn_neg_zero", tolerance=EXACT,
                                hand=[("vs", "sgn r0, v1", "02000022 800F0000 90E40001")]))
    out.append(either("vs_3_0")("vs_3_0-sgn3", "vs_3_0", "mov r1, IN0\nmov r2, IN0\nsgn r0, IN0, r1, r2", ROWS1,
                                "sgn with three sources", "sgn_three_sources", tolerance=EXACT))
    angles = [[(0.5, -1, 0, 0)], [(3, 2, 0, 0)], [(-3.125, 1.5, 0, 0)], [(0, 0.78125, 0, 0)]]
    coefficients = {"c0": (-1.5500992e-06, -2.1701389e-05, 0.0026041667, 0.00026041668),
                    "c1": (-0.020833334, -0.125, 1, 0.5)}
    where = (1e-5, 1e-5, "sin and cos of the recording driver")
    for version in ("vs_2_0", "vs_2_x"):
        for mask in ("xy", "x", "y"):
            out.append(either(version)(
                f"{version}-sincos-{mask}", version,
                f"mov r1, IN0\nsincos r1.{mask}, IN0.y, c0, c1\nmov r0.xyzw, r1.xyyw\nmov r0.z, IN0.z", angles,
                f"sincos .{mask} with its two constants", "sincos_sm2_three_sources sincos_mask_x_y_xy",
                table=coefficients, tolerance=where))
    for version in ("ps_2_0", "ps_2_x"):
        for mask, bits in (("xy", "3"), ("x", "1"), ("y", "2")):
            text = f"sincos r1.{mask}, t0.y, c0, c1"
            out.append(pixel_case(
                f"{version}-sincos-{mask}", version,
                f"mov r1, IN0\n{text}\nmov r0.xyw, r1\nmov r0.z, IN0.x", angles,
                f"sincos .{mask} with its two constants", "sincos_sm2_three_sources sincos_mask_x_y_xy",
                table=coefficients, tolerance=where,
                hand=[("ps", text, f"04000025 800{bits}0001 B0550000 A0E40000 A0E40001")]))
    for version in ("vs_3_0", "ps_3_0"):
        for mask in ("xy", "x", "y"):
            out.append(either(version)(
                f"{version}-sincos-{mask}", version, f"mov r0, IN0\nsincos r0.{mask}, IN0.y", angles,
                f"sincos .{mask} with one source", "sincos_sm3_one_source sincos_mask_x_y_xy", tolerance=where))
    for version in VS_VERSIONS + PS2_VERSIONS:
        out.append(either(version)(f"{version}-nop", version, "mov r0, IN0\nnop\nadd r0, r0, IN0\nnop", ROWS1,
                                   "nop changes nothing", tolerance=EXACT))
    for version in PS1_VERSIONS:
        out.append(pixel_case(f"{version}-nop", version, "mov r0, IN0\nnop\nadd r0, r0, IN0", ROWS1,
                              "nop changes nothing", tolerance=EXACT))
    for version in ("vs_2_0", "vs_2_x", "vs_3_0"):
        table = {f"c{10 + k}": (k, 10 * k, 100 * k, -k) for k in range(-3, 4)}
        out.append(either(version)(
            f"{version}-mova", version, "mova a0, IN0\nmov r0.x, c10[a0.x].x\nmov r0.y, c10[a0.y].x\n"
            "mov r0.z, c10[a0.z].x\nmov r0.w, c10[a0.w].x", [[(-1.6, -0.4, 0.6, 1.6)], [(2.4, 2.6, -2.6, 0)]],
            "mova rounds to nearest in every lane", "mova_rounding_table vs20_explicit_a0_y", table=table,
            tolerance=EXACT))
    return out


def cases():
    out = []
    for name, body, rows, versions, tolerance in LANES:
        for version in versions:
            covers = {"dp3": "dp3_w_ignored", "dp2add": "dp2add_replicate", "crs": "crs_w_untouched",
                      "frc": "frc_negative", "expp": "expp_vs20_replicate", "logp": "logp_vs11",
                      "mov": "vs_constant_not_clamped"}.get(name, "")
            out.append(either(version)(f"{version}-{name}", version, body, rows, f"{name} on ordinary values",
                                       covers if name != "mov" else "", tolerance=tolerance))
    return out + matrices() + special()
