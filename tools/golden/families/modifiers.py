"""Source modifiers, shifts, saturation, write masks, swizzles and predicates, a case a version and form."""

from build import ALMOST, EXACT, PS1_VERSIONS, PS2_VERSIONS, PS_VERSIONS, VS_VERSIONS, either, pixel_case

ROWS = [[(0.25, -0.5, 1, 0.75), (3, 2, 1, 0.5)], [(-1, 0.5, 0.125, 0), (0.5, 0.25, -1, 2)]]
PREDICATED = ["vs_2_x", "vs_3_0", "ps_2_x", "ps_3_0"]
COMPARISONS = ["gt", "eq", "ge", "lt", "ne", "le"]
COLOURS = str.maketrans("xyzw", "rgba")
IGNORED = "ignores predicates (7.1, 7.2)"


def source_modifiers():
    out = []
    for v in VS_VERSIONS + PS_VERSIONS:
        out.append(either(v)(f"{v}-neg", v, "add r0, IN0, -IN1", ROWS, "negated source",
                             "source_modifiers_all_fourteen", tolerance=EXACT))
    for v in PS1_VERSIONS:
        forms = ["IN0_bias", "-IN0_bias", "IN0_bx2", "-IN0_bx2", "1-IN0"]
        forms += ["IN0_x2", "-IN0_x2"] if v == "ps_1_4" else []
        for form in forms:
            name = form.replace("IN0", "").replace("1-", "complement").replace("-", "neg").replace("_", "-").strip("-")
            out.append(pixel_case(f"{v}-{name}", v, f"add r0, {form}, IN1", ROWS, f"source modifier {form}",
                                  "source_modifiers_all_fourteen negate_last", tolerance=ALMOST))
        out.append(pixel_case(f"{v}-bx2-alpha", v, "mov r0, IN1\nmov r0.a, -IN0_bx2.a", ROWS,
                              "modifier before replicated alpha", "negate_last", tolerance=EXACT))
        out.append(pixel_case(f"{v}-neg-constant", v, "mov r0, c0\nadd r0, r0, -c1", [[(0, 0, 0, 0)]],
                              "negated constant in ps_1_x", "modifier_on_constant_ps1",
                              table={"c0": (0.5, 0.25, 1, 0), "c1": (0.125, -2, 3, 0.5)}, tolerance=EXACT))
    for v in ("vs_3_0", "ps_3_0"):
        for form in ("IN0_abs", "-IN0_abs"):
            out.append(either(v)(f"{v}-{'neg' if form[0] == '-' else ''}abs-modifier", v, f"add r0, {form}, IN1", ROWS,
                                 f"source modifier {form}", "source_modifiers_all_fourteen negate_last",
                                 tolerance=EXACT))
        out.append(either(v)(f"{v}-abs-constant", v, "mul r0, c1_abs, IN0", ROWS, "abs of a constant", "",
                             table={"c1": (-1, 2, -3, 4)}, tolerance=EXACT))
        out.append(either(v)(f"{v}-abs-scalar", v, "rsq r0, -IN0_abs.y\nadd r0, r0, IN0_abs.zxyw", ROWS,
                             "abs with replicate and permuting swizzles", "", tolerance=ALMOST))
    return out


def results():
    out = []
    for v in PS1_VERSIONS:
        for shift in ("x2", "x4", "x8", "d2", "d4", "d8"):
            out.append(pixel_case(f"{v}-shift-{shift}", v, f"add_{shift} r0, IN0, IN1", ROWS, f"result shift _{shift}",
                                  "shift_all_six", tolerance=EXACT))
        for shift in ("x2", "d2"):
            out.append(pixel_case(f"{v}-shift-{shift}-sat", v, f"add_{shift}_sat r0, IN0, IN1", ROWS,
                                  "the shift comes before saturation", "shift_then_saturate", tolerance=EXACT))
    for v in PS_VERSIONS + ["vs_3_0"]:
        out.append(either(v)(f"{v}-sat", v, "add_sat r0, IN0, IN1", ROWS, "saturated sum",
                             "saturate_vs30" if v == "vs_3_0" else "", tolerance=EXACT))
        out.append(either(v)(f"{v}-sat-masked", v, "mov r0, IN1\nmov_sat r0.{m}, -IN0".replace(
            "{m}", "rgb" if v in PS1_VERSIONS[:3] else "xzw"), ROWS, "saturation of masked lanes only",
            tolerance=EXACT))
    for v in PS2_VERSIONS:
        out.append(pixel_case(f"{v}-pp", v, "mad_pp r0, IN0, IN1, IN0\nadd_sat_pp r0.w, r0, IN1", ROWS,
                              "partial precision changes nothing", tolerance=ALMOST))
    return out


def masks():
    out = []
    every = ["".join("xyzw"[k] for k in range(4) if m >> k & 1) for m in range(1, 16)]
    for v in VS_VERSIONS + ["ps_2_0", "ps_2_x", "ps_3_0", "ps_1_4"]:
        one = v == "ps_1_4"
        table, body = {}, "mov r0, IN0"
        for k, mask in enumerate(every):
            if one and k >= 8:
                break
            table[f"c{k}"] = [(2.0 ** -(k + 1) if one else 2.0 ** k)] * 4
            body += f"\nadd r0.{mask.translate(COLOURS) if one else mask}, r0, c{k}"
        out.append(either(v)(f"{v}-masks", v, body, [[(0, 0, 0, 0)], [(1, 2, 3, 4)]],
                             "write masks: each adds its own power of two to its lanes", table=table,
                             tolerance=EXACT))
    table = {f"c{k}": [2.0 ** -(k + 1)] * 4 for k in range(8)}
    rest = "".join(f"\nadd r0.{m.translate(COLOURS)}, r0, c{k}"
                   for k, m in enumerate(every[8:]))
    out.append(pixel_case("ps_1_4-masks-alpha", "ps_1_4", "mov r0, IN0" + rest, [[(0, 0, 0, 0)], [(1, 2, 3, 4)]],
                          "write masks with alpha", table=table, tolerance=EXACT))
    for v in PS1_VERSIONS[:3]:
        out.append(pixel_case(f"{v}-masks", v, "mov r0, IN0\nadd r0.rgb, r0, c0\nadd r0.a, r0, c1\nadd r0.rgba, r0, c2",
                              [[(0, 0, 0, 0)], [(1, 2, 3, 4)]], "the three write masks of ps_1_1",
                              table={f"c{k}": [2.0 ** -(k + 1)] * 4 for k in range(3)}, tolerance=EXACT))
    return out


def swizzles():
    out = []
    lists = [["xyzw", "yzxw", "zxyw", "wzyx", "xxxx"], ["yyyy", "zzzz", "wwww", "xyxy", "zwzw"],
             ["yxwz", "xxyz", "wxyz", "zzxx", "ywwy"], ["xzyw", "wwxy", "yzwx", "zyzy", "xwwx"]]
    for v in VS_VERSIONS + ["ps_2_x", "ps_3_0"]:
        for n, some in enumerate(lists):
            body = "mov r0, IN0." + some[0]
            for s in some[1:]:
                body += f"\nmad r0, r0, c0.x, IN0.{s}"
            out.append(either(v)(f"{v}-swizzle-{n}", v, body, [[(1, 2, 4, 8)], [(3, 5, 7, 9)]],
                                 "five swizzles, a hexadecimal digit each", table={"c0": (16, 0, 0, 0)},
                                 tolerance=EXACT))
    for n, some in enumerate([["xxxx", "yyyy", "zzzz", "wwww"], ["yzxw", "zxyw", "wzyx"]]):
        body = "mov r1, IN0\nmov r0, r1." + some[0]
        for s in some[1:]:
            body += f"\nmad r0, r0, c0.x, r1.{s}"
        out.append(pixel_case(f"ps_2_0-swizzle-{n}", "ps_2_0", body, [[(1, 2, 4, 8)], [(3, 5, 7, 9)]],
                              "the swizzles of ps_2_0, a hexadecimal digit each", table={"c0": (16, 0, 0, 0)},
                              tolerance=EXACT))
    out.append(pixel_case("ps_1_4-swizzle", "ps_1_4",
                          "mov r0, IN0.r\nmad r0, r0, IN1, IN0.g\nmad r0, r0, IN1, IN0.b\nmad r0, r0, IN1, IN0.a",
                          [[(1, 2, 4, 8), (16, 16, 16, 16)]], "replicates of ps_1_4", tolerance=EXACT))
    for v in PS1_VERSIONS[:3]:
        out.append(pixel_case(f"{v}-swizzle", v, "mov r0, IN0.a\nmad r0.a, r0, IN1.b, IN0.b",
                              [[(1, 2, 4, 8), (16, 16, 16, 16)], [(1, 0.5, 0.25, 3), (1, 2, 3, 4)]],
                              "alpha replicate; blue replicate into alpha", tolerance=EXACT))
    return out


def predicates():
    """wined3d ignores predicates, so every answer here is the sheet's (2.7)."""
    out = []
    note = "sheet 2.7: lane i is written where p0.swizzle[i], negated by !, holds"
    setp = "setp_gt p0, IN0, IN1"
    forms = [("plain", "(p0) mov r0, IN1"), ("not", "(!p0) mov r0, IN1"),
             ("replicate", "(p0.y) mov r0, IN1"), ("swizzle", "(p0.yxwz) mov r0, IN1"),
             ("not-swizzle", "(!p0.wzyx) add r0.xzw, IN0, IN1"), ("masked", "(p0) mul r0.yw, IN0, IN1"),
             ("alu-chain", "(p0) add r0, r0, IN1\n(!p0.x) mad r0.xyz, IN0, IN1, r0")]
    rows = [[(1, 2, 3, 4), (4, 1, 5, 2)], [(-1, 8, 0, 0), (-2, 9, -1, 0)]]
    for v in PREDICATED:
        for name, line in forms:
            out.append(either(v)(
                f"{v}-predicate-{name}", v, f"mov r0, IN0\n{setp}\n{line}", rows, f"predicated write, {name}",
                "predicate_after_destination predicate_not_swizzled_masked", tolerance=EXACT, differs=IGNORED,
                note=note))
        for kind in COMPARISONS:
            out.append(either(v)(
                f"{v}-setp-{kind}", v, f"mov r0, c0\nsetp_{kind} p0, IN0, IN1\n(p0) mov r0, c1",
                [[(1, 2, 2, -0.0), (2, 1, 2, 0)], [(-1, float("nan"), 5, 3), (-2, 1, 5, 4)]],
                f"setp_{kind} a lane, NaN included", "setp_partial_mask_keeps_rest",
                table={"c0": (0, 0, 0, 0), "c1": (1, 1, 1, 1)}, tolerance=EXACT, differs=IGNORED,
                note="sheet 2.1: comparisons are IEEE, ne is true for NaN"))
        out.append(either(v)(
            f"{v}-setp-partial-mask", v,
            "setp_gt p0, IN0, IN1\nsetp_lt p0.xz, IN0, IN1\nmov r0, c0\n(p0) mov r0, c1", rows,
            "setp writes the lanes of its mask, the others keep their value", "setp_partial_mask_keeps_rest",
            table={"c0": (0, 0, 0, 0), "c1": (1, 1, 1, 1)}, tolerance=EXACT, differs=IGNORED, note=note))
        out.append(either(v)(
            f"{v}-predicated-setp", v,
            "setp_gt p0, IN0, IN1\n(p0.x) setp_lt p0.yzw, IN0, IN1\nmov r0, c0\n(p0) mov r0, c1", rows,
            "a predicated setp", "predicate_not_swizzled_masked",
            table={"c0": (0, 0, 0, 0), "c1": (1, 1, 1, 1)}, tolerance=EXACT, differs=IGNORED, note=note))
        out.append(either(v)(
            f"{v}-predicate-initial-false", v, "mov r0, IN0\n(p0) mov r0, IN1\n(!p0.x) add r0.w, r0, IN1", rows,
            "p0 is false before any setp", "p0_initial_false", tolerance=EXACT, differs=IGNORED,
            note="sheet 2.4: p0 starts false"))
        out.append(either(v)(
            f"{v}-predicate-sat", v, f"mov r0, IN0\n{setp}\n(p0) mov_sat r0, IN1" if v != "vs_2_x" else
            f"mov r0, IN0\n{setp}\n(p0) mov r0, -IN1", rows, "a predicated instruction with a modifier",
            "predicate_not_swizzled_masked", tolerance=EXACT, differs=IGNORED, note=note))
    for v in ("vs_2_x", "vs_3_0"):
        out.append(either(v)(
            f"{v}-predicate-output", v, f"mov r0, IN0\n{setp}\nmov OUT, IN0\n(p0.yyzz) mov OUT, IN1", rows,
            "a predicated output write", "predicate_not_swizzled_masked", tail="", tolerance=EXACT, differs=IGNORED,
            note=note))
        out.append(either(v)(
            f"{v}-predicate-mova", v, f"{setp}\nmova a0.xy, IN1\n(p0) mova a0.xy, IN0\nmov r0, c10[a0.x]\n"
            "mov r0.y, c10[a0.y]", rows[:1], "a predicated mova", "", table={f"c{10 + k}": [k] * 4 for k in range(5)},
            tolerance=EXACT, differs=IGNORED, note=note))
    out.append(either("ps_2_x")(
        "ps_2_x-predicate-output", "ps_2_x", f"mov r0, IN0\n{setp}\n(p0) mov r0, IN1", rows,
        "a predicated write that feeds the output", "", tolerance=EXACT, differs=IGNORED, note=note))
    out.append(either("ps_3_0")(
        "ps_3_0-predicate-output", "ps_3_0", f"{setp}\nmov oC0, IN0\n(!p0.xxzz) mov oC0, IN1", rows,
        "a predicated colour write", "oC_partial_write", tail="", tolerance=EXACT, differs=IGNORED, note=note))
    return out


def cases():
    return source_modifiers() + results() + masks() + swizzles() + predicates()
