"""Relative addressing, constant files and their precedence, definitions, and register files at their ends."""

from build import (ALMOST, EXACT, PS2_VERSIONS, VS_VERSIONS, constants, either, pixel_case, points, raw_case,
                   vertex_case)

SM2 = ["vs_2_0", "vs_2_x", "vs_3_0"]
TABLE = {f"c{k}": (k, 10 * k, 100 * k, 1000 * k) for k in range(8, 20)}
INDEX = [[(x, 0, 0, 0)] for x in (0, 1, 2, 5)]


def relative():
    out = []
    out.append(vertex_case("vs_1_1-rel-const", "vs_1_1", "mov a0.x, IN0.x\nmov r0, c8[a0.x + 2]", INDEX,
                           "c[a0.x + n] without an index token", "vs11_implicit_a0 rel_const_no_ctab", table=TABLE,
                           tolerance=EXACT))
    for v in SM2:
        out.append(vertex_case(f"{v}-rel-const", v, "mova a0.x, IN0.x\nmov r0, c8[a0.x + 2]", INDEX,
                               "c[a0.x + n] with an index token", "rel_const_no_ctab", table=TABLE, tolerance=EXACT))
        out.append(vertex_case(f"{v}-rel-const-lanes", v,
                               "mova a0, IN0\nmov r0.x, c8[a0.y].x\nmov r0.y, -c9[a0.w].z\nmov r0.zw, c10[a0.z].yyxw",
                               [[(0, 1, 2, 3)], [(4, 3, 2, 1)]], "every lane of a0, swizzle and negation",
                               "vs20_explicit_a0_y", table=TABLE, tolerance=EXACT))
        out.append(vertex_case(f"{v}-rel-two-operands", v,
                               "mova a0.xy, IN0\nmov r1, c8[a0.x]\nadd r0, r1, c9[a0.y]\nmad r0, r0, c8[a0.x].x, r1",
                               [[(0, 1, 0, 0)], [(3, 2, 0, 0)]], "relative operands in arithmetic", table=TABLE,
                               tolerance=EXACT))
        out.append(vertex_case(f"{v}-rel-matrix", v, "mova a0.x, IN0.x\nmov r1, IN1\nm4x4 r0, r1, c8[a0.x]",
                               [[(0, 0, 0, 0), (1, 2, 3, 4)], [(4, 0, 0, 0), (1, -1, 0.5, 2)]],
                               "a matrix addressed relatively: index + row", "m4x4_relative_matrix", table=TABLE,
                               tolerance=ALMOST))
        out.append(vertex_case(f"{v}-rel-out-of-range", v, "mova a0.x, IN0.x\nmov r0, c10[a0.x]",
                               [[(1000, 0, 0, 0)], [(-20, 0, 0, 0)], [(2, 0, 0, 0)]],
                               "reads outside the file give 0", "rel_const_oor_negative rel_const_oor_high", table=TABLE,
                               tolerance=EXACT))
        out.append(vertex_case(f"{v}-rel-last", v, "mova a0.x, IN0.x\nmov r0, c250[a0.x]",
                               [[(5, 0, 0, 0)], [(6, 0, 0, 0)]], "c255 is the last, then 0", "rel_const_oor_high",
                               table={"c255": (1, 2, 3, 4)}, tolerance=EXACT,
                               differs="reads what lies behind its constants",
                               note="sheet 4.1: an index outside the file reads (0,0,0,0)"))
    for v in VS_VERSIONS:
        first = "mov a0.x, IN0.x" if v == "vs_1_1" else "mova a0.x, IN0.x"
        out.append(vertex_case(f"{v}-def-under-relative", v, f"{first}\nmov r0, c10[a0.x]",
                               [[(1, 0, 0, 0)], [(0, 0, 0, 0)], [(2, 0, 0, 0)]], "a def stays in force under relative addressing",
                               "def_under_relative", head="def c11, 1, 2, 3, 4",
                               table={"c10": (8,) * 4, "c11": (9,) * 4, "c12": (7,) * 4}, tolerance=EXACT))
    return out


def definitions():
    out = []
    for v in VS_VERSIONS + PS2_VERSIONS + ["ps_1_1", "ps_1_4"]:
        out.append(either(v)(f"{v}-def-overrides-api", v, "mov r0, c1\nadd r0, r0, c2", [[(0, 0, 0, 0)]],
                             "def wins over the application's constant", "def_overrides_api",
                             head="def c1, 0.5, 0.25, -0.5, 1", table={"c1": (0.75,) * 4, "c2": (0.125,) * 4},
                             tolerance=EXACT))
        out.append(either(v)(f"{v}-unset-constant", v, "mov r0, c3\nadd r0, r0, c2", [[(0, 0, 0, 0)]],
                             "a constant that nobody set is 0", table={"c2": (0.125, 0.25, 0.5, 1)}, tolerance=EXACT))
    for v in VS_VERSIONS + PS2_VERSIONS:
        out.append(either(v)(f"{v}-constant-not-clamped", v, "mov r0, c1", [[(0, 0, 0, 0)]],
                             "constants pass unchanged", "vs_constant_not_clamped",
                             table={"c1": (-200, 3e30, 1.5, -1e-20)}, tolerance=EXACT))
    for v in ("vs_2_0", "vs_3_0", "ps_2_0", "ps_3_0"):
        out.append(either(v)(f"{v}-def-specials", v, "mov r0, c1", [[(0, 0, 0, 0)]],
                             "a def holds infinities", head="def c1, 1, 2, 3, 4",
                             hand=[(v[:2], "def c1, 1, 2, 3, 4", "05000051 A00F0001 7F800000 FF800000 3F800000 7F7FFFFF")],
                             tolerance=EXACT))
        out.append(either(v)(f"{v}-last-constant", v, f"mov r0, c{LAST_C[v]}", [[(0, 0, 0, 0)]],
                             "the last constant register", table={f"c{LAST_C[v]}": (1, 2, 3, 4)}, tolerance=EXACT))
    last = "def c1, 5, 6, 7, 8"
    for v in ("vs_2_0", "ps_3_0"):
        out.append(either(v)(f"{v}-def-last-wins", v, "mov r0, c1", [[(0, 0, 0, 0)]], "the last def of a register wins",
                             "def_last_wins", head=f"def c1, 1, 2, 3, 4\n{last}",
                             hand=[(v[:2], "def c1, 1, 2, 3, 4", "05000051 A00F0001 3F800000 40000000 40400000 40800000"),
                                   (v[:2], last, "05000051 A00F0001 40A00000 40C00000 40E00000 41000000")],
                             tolerance=EXACT, differs="refuses: two defs of one register"))
    return out


LAST_C = {"vs_2_0": 255, "vs_3_0": 255, "ps_2_0": 31, "ps_3_0": 223}


def wide():
    """The _sw versions: Wine takes none of them, the words are from the sheet's 1.4 and 1.5."""
    out = []
    refuses = "refuses: no software versions (7.1)"
    words = {"vs_2_sw": 0xFFFE02FF, "vs_3_sw": 0xFFFE03FF, "ps_2_sw": 0xFFFF02FF, "ps_3_sw": 0xFFFF03FF}
    for v, word in words.items():
        base = v.replace("2_sw", "2_x").replace("3_sw", "3_0")
        tests = [("c2049", 2049), ("c4100", 4100), ("c8191", 8191), ("c300", 300)]
        body, hand, table = "mov r0, c1", [], {"c1": (1, 1, 1, 1)}
        for k, (name, number) in enumerate(tests):
            line = f"add r0, r0, {name}"
            bank, rest = divmod(number, 2048)
            kind = [2, 11, 12, 13][bank]
            token = 0x80E40000 | rest | (kind & 7) << 28 | (kind & 0x18) << 8
            body += "\n" + line
            hand.append((v[:2], line, f"03000002 800F0000 80E40000 {token:08X}"))
            table[name] = tuple(2.0 ** k * x for x in (1, 10, 100, 1000))
        case = either(base)(f"{v}-const-banks", base, body, [[(0, 0, 0, 0)]],
                            "constants of the four banks: the bank is part of the number",
                            "const_banks_2049_4100_8191 version_sw_minor", table=table, hand=hand, tolerance=EXACT,
                            differs=refuses, note="sheet 1.10: c2049 = type 11 number 1, c4100 = type 12 number 4, ...")
        stage = v[:2]
        case.text[stage] = case.text[stage].replace(base, v, 1)
        case.version[stage] = word
        out.append(case)
    for v in ("vs_2_sw", "vs_3_sw"):
        base = v.replace("2_sw", "2_x").replace("3_sw", "3_0")
        line = "mov r0, c2047[a0.x]"
        case = vertex_case(f"{v}-rel-across-banks", base, f"mova a0.x, IN0.x\n{line}",
                           [[(0, 0, 0, 0)], [(1, 0, 0, 0)], [(6144, 0, 0, 0)], [(6145, 0, 0, 0)]],
                           "an index runs across the banks, then out of the file",
                           "const_banks_2049_4100_8191 rel_const_oor_high",
                           table={"c2047": (1, 2, 3, 4), "c2048": (5, 6, 7, 8), "c8191": (9, 10, 11, 12)},
                           hand=[("vs", line, "03000001 800F0000 A0E427FF B0000000")], tolerance=EXACT,
                           differs=refuses, note="sheet 4.1: index = number + a0.x, 0 outside")
        case.text["vs"] = case.text["vs"].replace(base, v, 1)
        case.version["vs"] = words[v]
        out.append(case)
    return out


def files():
    out = []
    rows = [[(k, 0, 0, 0), (1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)] for k in (0, 1, 2)]
    out.append(vertex_case("vs_3_0-rel-input", "vs_3_0", "mova a0.x, IN0.x\nmov r0, v2[a0.x]", rows,
                           "v[a0.x + n]", "rel_input_vs30_a0", tolerance=EXACT))
    out.append(vertex_case("vs_3_0-rel-input-swizzle", "vs_3_0", "mova a0.x, IN0.x\nmov r0, -v2[a0.x].wzyx", rows,
                           "v[a0.x + n] with swizzle and negation", "rel_input_vs30_a0", tolerance=EXACT))
    vs = ("vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_position o0\ndcl_texcoord o1\n"
          "dcl_texcoord1 o2\ndcl_texcoord2 o3\nmov o0, v0\nmov o1, v2\nmov o2, v2\nmov o3, v2\nmova a0.x, v1.x\n"
          "mov o1[a0.x], v1\n")
    for k in range(3):
        ps = f"ps_3_0\ndcl_texcoord{k or ''} v0\nmov oC0, v0\n"
        out.append(raw_case(f"vs_3_0-rel-output-{k}", vs, ps,
                            points([[(i, 7, 8, 9), (-1, -2, -3, -4)] for i in range(3)]),
                            f"o[a0.x + 1], output {k} looked at", "rel_output_vs30", EXACT))
    pred = vs.replace("mov o1[a0.x], v1", "setp_gt p0, v1, v2\n(p0) mov o1[a0.x], v1")
    for k in range(2):
        out.append(raw_case(f"vs_3_0-rel-output-predicated-{k}", pred, f"ps_3_0\ndcl_texcoord{k or ''} v0\nmov oC0, v0\n",
                            points([[(i, 7, -8, 9), (0.5, 8, -9, -4)] for i in range(2)]),
                            "the predicate token follows the relative one", "predicate_with_relative_dst", EXACT,
                            differs="ignores predicates (7.1, 7.2)", note="sheet 1.7, 2.7"))
    for n, start in ((1, 0), (2, 1)):
        ps = ("ps_3_0\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\nmov r0, c0\nloop aL, i0\nadd r0, r0, v0[aL]\n"
              "endloop\nmov oC0, r0\n")
        vs3 = ("vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_texcoord2 v3\ndcl_position o0\n"
               "dcl_texcoord o1\ndcl_texcoord1 o2\ndcl_texcoord2 o3\nmov o0, v0\nmov o1, v1\nmov o2, v2\nmov o3, v3\n")
        out.append(raw_case(f"ps_3_0-rel-input-{n}", vs3, ps,
                            constants("ps", {"i0": (2, start, 1, 0)})
                            + points([[(1, 2, 3, 4), (10, 20, 30, 40), (100, 200, 300, 400)]]),
                            "v[aL] in a pixel shader", "rel_input_ps30", EXACT))
    for v in VS_VERSIONS + PS2_VERSIONS:
        out.append(either(v)(f"{v}-unwritten-temp", v, "mov r0, IN0\nmov r0.xy, r7\nadd r0, r0, r6", [[(1, 2, 3, 4)]],
                             "a temporary that was never written reads 0", "undeclared_temp_reads_zero",
                             tolerance=EXACT, differs="refuses: such registers are undefined there",
                             note="sheet 1.12: before any write, value 0"))
    out.append(pixel_case("ps_3_0-const-loop", "ps_3_0", "mov r0, c0\nloop aL, i0\nadd r0, r0, c1\nendloop",
                          [[(0, 0, 0, 0)]], "a loop over nothing relative", table={"c0": (1, 2, 3, 4), "c1": (1, 1, 2, 2),
                                                                                 "i0": (4, 9, -3, 0)},
                          tolerance=EXACT))
    for v in VS_VERSIONS:
        out.append(vertex_case(f"{v}-matrix-past-end", v, "mov r1, IN0\nm4x4 r0, r1, c254", [[(1, 2, 3, 4)]],
                               "matrix rows past the constant file read 0", "matrix_past_file_end",
                               table={"c254": (1, 2, 3, 4), "c255": (5, 6, 7, 8)}, tolerance=EXACT,
                               differs="refuses: rows past the file"))
    return out


def cases():
    return relative() + definitions() + wide() + files()
