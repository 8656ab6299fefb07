"""Flow control: if, ifc, rep, loop, break, call and their nesting, a case a construct and version."""

from build import EXACT, either

STATIC = ["vs_2_0", "vs_2_x", "vs_3_0", "ps_2_x", "ps_3_0"]
DYNAMIC = ["vs_2_x", "vs_3_0", "ps_2_x", "ps_3_0"]
LOOPS = ["vs_2_0", "vs_2_x", "vs_3_0", "ps_3_0"]
C = {"c0": (0, 1, 2, 3), "c1": (10, 20, 30, 40), "c2": (0.5, -1, 100, -100)}
ROWS = [[(1, 2, 3, 4), (2, 1, 3, 8)], [(-1, 5, 0, 2), (4, 5, 6, 7)]]
VALUES = [[(1, 2, 2, 0), (2, 1, 2, 0)], [(2, 1, 3, 0), (1, 5, 3, 0)], [(2, 0, 0, 0), (2, 0, 0, 0)],
          [(float("nan"), 0, 0, 0), (1, 0, 0, 0)]]
# Wine copies the outputs at the end of the last subroutine of the stream, so an empty one stands there and main
# calls it last; for everybody else that call does nothing.
LAST = "\nlabel l15\nret"
COMPARISONS = ["gt", "eq", "ge", "lt", "ne", "le"]


def end(version):
    return ("mov OUT, r0" if version.startswith("vs") else "mov oC0, r0") + "\ncall l15\nret"


def cases():
    out = []

    def case(version, name, body, title, covers="", table=None, rows=ROWS, tolerance=EXACT, **more):
        every = dict(C)
        every.update(table or {})
        out.append(either(version)(f"{version}-{name}", version, body, rows, title, covers, table=every,
                                   tolerance=tolerance, **more))
    for v in STATIC:
        for b in (0, 1):
            case(v, f"if-b-{b}", "mov r0, IN0\nif b2\nadd r0, r0, IN1\nelse\nsub r0, r0, IN1\nendif\nmul r0, r0, c0.z",
                 f"if/else on a bool constant of {b}", table={"b2": b})
        case(v, "if-not-b", "mov r0, IN0\nif !b1\nadd r0, r0, c1\nendif\nif !b2\nadd r0, r0, c1.w\nendif",
             "if on a negated bool constant", table={"b1": 1, "b2": 0}, covers="source_modifiers_all_fourteen")
        case(v, "if-nested", "mov r0, IN0\nif b0\nif b1\nadd r0, r0, c1\nelse\nadd r0, r0, c2\nif b0\nmul r0, r0, c0.z\n"
             "endif\nendif\nelse\nmov r0, c0\nendif", "three levels of if", table={"b0": 1, "b1": 0})
        case(v, "defb", "if b0\nmov r0, IN0\nelse\nmov r0, IN1\nendif\nif b1\nadd r0, r0, c1\nendif",
             "defb wins over the application's value", "defb_nonzero_is_true", head="defb b0, true\ndefb b1, false",
             table={"b0": 0, "b1": 1})
        case(v, "rep", "mov r0, IN0\nrep i0\nadd r0, r0, IN1\nendrep", "rep runs i0.x times", table={"i0": (3, 7, 7, 0)})
        for n in (0, -3, 1):
            case(v, f"rep-{'minus3' if n < 0 else n}", "mov r0, IN0\nrep i1\nadd r0, r0, IN1\nendrep",
                 f"rep with count {n}", "loop_count_zero", table={"i1": (n, 0, 0, 0)})
        case(v, "defi", "mov r0, IN0\nrep i0\nadd r0, r0, IN1\nendrep", "defi wins over the application's value",
             "defi_negative", head="defi i0, 2, -1, 0, 0", table={"i0": (5, 0, 0, 0)})
        case(v, "call", "mov r0, IN0\nmov r1, IN1\ncall l0\ncall l0", "a subroutine shares the caller's registers",
             "call_shares_temps_and_al", tail=end(v) + "\nlabel l0\nadd r0, r0, r1\nmul r0, r0, c0.z\nret" + LAST)
        case(v, "callnz", "mov r0, IN0\nmov r1, IN1\ncallnz l1, b0\ncallnz l1, !b0\ncallnz l2, b1\ncallnz l2, !b1",
             "conditional calls", "callnz_not_bool", table={"b0": 1, "b1": 0},
             tail=end(v) + "\nlabel l1\nadd r0, r0, r1\nret\nlabel l2\nmul r0, r0, r1\nret" + LAST)
        case(v, "call-order", "mov r0, IN0\nmov r1, IN1\ncall l2\ncall l1", "labels in an order of their own; a call from a subroutine",
             "label_order", tail=end(v) + "\nlabel l2\nadd r0, r0, c1\ncall l1\nret\nlabel l1\nmul r0, r0, r1\nret" + LAST)
    for v in LOOPS:
        table = {"c10": [10] * 4, "c11": [100] * 4, "c12": [1000] * 4, "c13": [1e4] * 4, "c14": [1e5] * 4}
        if v.startswith("vs"):
            case(v, "loop-negative-step", "mov r0, c0.x\nloop aL, i0\nadd r0, r0, c[aL]\nendloop",
                 "loop {3,12,-1} sums c12, c11, c10", "loop_step_zero_negative al_relative_token_identity_swizzle",
                 table={"i0": (3, 12, -1, 0), **table})
            case(v, "loop-step-zero", "mov r0, c0.x\nloop aL, i0\nadd r0, r0, c[aL]\nendloop",
                 "loop {3,12,0} stays on c12", "loop_step_zero_negative", table={"i0": (3, 12, 0, 0), **table})
            case(v, "loop-step-two", "mov r0, c0.x\nloop aL, i0\nadd r0, r0, c2[aL]\nendloop",
                 "loop {3,8,2} on c2[aL]: c10, c12, c14", table={"i0": (3, 8, 2, 0), **table})
            case(v, "loop-nested", "mov r0, c0.x\nloop aL, i0\nadd r0, r0, c[aL]\nloop aL, i1\nmad r0, c[aL], c0.z, r0\n"
                 "endloop\nadd r0, r0, c[aL]\nendloop", "aL of the outer loop returns after the inner one",
                 "nested_al_restored", table={"i0": (2, 10, 1, 0), "i1": (2, 12, 1, 0), **table})
            case(v, "rep-inside-loop", "mov r0, c0.x\nloop aL, i0\nrep i1\nadd r0, r0, c[aL]\nendrep\nendloop",
                 "a rep inside a loop keeps aL", "rep_inside_loop_keeps_al",
                 table={"i0": (2, 10, 1, 0), "i1": (3, 0, 0, 0), **table})
            case(v, "loop-call", "mov r0, c0.x\nloop aL, i0\ncall l0\nendloop", "aL is visible in a subroutine",
                 "call_shares_temps_and_al", differs="refuses: aL is unknown in its subroutines",
                 note="sheet 2.7: aL of the caller's loop is visible inside; c10 + c12 + c14", table={"i0": (3, 10, 2, 0), **table},
                 tail=end(v) + "\nlabel l0\nadd r0, r0, c[aL]\nret" + LAST)
            case(v, "loop-defi", "mov r0, c0.x\nloop aL, i0\nadd r0, r0, c[aL]\nendloop",
                 "a loop counter from defi, aL constant at translation", "loop_const_index_al",
                 head="defi i0, 4, 10, 1, 0", table=table)
        for n in (0, -2):
            case(v, f"loop-count-{abs(n)}", "mov r0, IN0\nloop aL, i0\nadd r0, r0, IN1\nendloop",
                 f"loop with count {n}", "loop_count_zero", table={"i0": (n, 3, 1, 0)})
        case(v, "loop-count", "mov r0, IN0\nloop aL, i0\nadd r0, r0, IN1\nendloop", "a plain loop",
             table={"i0": (5, 0, 1, 0)})
    for v in DYNAMIC:
        for kind in COMPARISONS:
            case(v, f"if-{kind}", f"if_{kind} IN0.x, IN1.x\nmov r0, c1\nelse\nmov r0, c2\nendif", f"if_{kind}, NaN included",
                 rows=VALUES)
            case(v, f"break-{kind}", f"mov r0, IN0\nrep i0\nadd r0, r0, c0.y\nbreak_{kind} r0.x, IN1.y\nadd r0, r0, c0.z\n"
                 "endrep", f"break_{kind} in a rep", "breakc_all_six", table={"i0": (4, 0, 0, 0)},
                 rows=[[(1, 2, 3, 4), (0, 2, 0, 0)], [(0, 2, 3, 4), (0, 4, 0, 0)], [(-3, 0, 0, 0), (0, -2, 0, 0)],
                       [(5, 0, 0, 0), (0, 6.5, 0, 0)]])
        case(v, "break", "mov r0, IN0\nrep i0\nadd r0, r0, c0.y\nif_gt r0.x, IN1.y\nbreak\nendif\nadd r0, r0, c0.y\nendrep\n"
             "add r0, r0, c1", "break inside an if leaves the rep", table={"i0": (6, 0, 0, 0)})
        case(v, "break-ne-self", "mov r0, IN0\nrep i0\nadd r0, r0, c0.y\nif_ge r0.x, IN1.w\nbreak_ne c2.w, -c2.w\nendif\n"
             "endrep", "the compiler's unconditional break", "break_ne_x_minus_x", table={"i0": (255, 0, 0, 0)})
        case(v, "rep-nested", "mov r0, IN0\nrep i0\nadd r0, r0, c0.y\nrep i1\nadd r0, r0, c1\nbreak_gt r0.x, c2.z\nendrep\n"
             "endrep", "break leaves the inner rep only", table={"i0": (3, 0, 0, 0), "i1": (4, 0, 0, 0)})
        case(v, "if-nan-swizzle", "if_lt IN0.y, -IN1.z\nmov r0, c1\nelse\nif_ge IN0.w, IN1.w\nmov r0, c2\nelse\nmov r0, c0\n"
             "endif\nendif", "if_lt with swizzles and a negated source",
             rows=[[(0, -5, 0, 1), (0, 0, 4, 2)], [(0, -3, 0, 2), (0, 0, 4, 2)], [(0, -3, 0, 1), (0, 0, 4, 2)]])
        gone = "refuses: has no p0 in flow control (7.1)"
        p = "sheet 2.7: p0 decides"
        setp = "setp_gt p0, IN0, IN1\n"
        for form, name in (("p0.x", "p0"), ("!p0.y", "not-p0"), ("p0.w", "p0-w")):
            case(v, f"if-{name}", f"{setp}if {form}\nmov r0, c1\nelse\nmov r0, c2\nendif", f"if {form}", differs=gone,
                 note=p, covers="predicate_not_swizzled_masked",
                 rows=[[(1, 2, 3, 9), (2, 1, 3, 8)], [(3, 0, 0, 2), (1, 5, 6, 7)]])
            case(v, f"breakp-{name}", f"mov r0, IN0\nrep i0\nadd r0, r0, c0.y\nsetp_gt p0, r0, IN1\nbreakp {form}\n"
                 "add r0, r0, c0.y\nendrep", f"breakp {form}", "breakp_not", differs=gone, note=p,
                 table={"i0": (5, 0, 0, 0)}, rows=[[(1, 2, 3, 2), (6, -1, 3, 8)], [(3, 0, 0, 2), (1, -3, 6, 7)]])
            case(v, f"callnz-{name}", f"mov r0, IN0\n{setp}callnz l0, {form}", f"callnz {form}", "callnz_p0",
                 differs=gone, note=p, rows=[[(1, 2, 3, 9), (2, 1, 3, 8)], [(3, 0, 0, 2), (1, 5, 6, 7)]],
                 tail=end(v) + "\nlabel l0\nadd r0, r0, c1\nret" + LAST)
        case(v, "ret-inside-if", "mov r0, IN0\nmov r1, IN1\ncall l0\nadd r0, r0, c0", "ret inside an if returns at once",
             "ret_inside_if", differs="ignores ret inside if", note="sheet 1.15: ret inside an if means return now", rows=[[(1, 2, 3, 4), (2, 0, 0, 0)], [(3, 2, 3, 4), (2, 0, 0, 0)]],
             tail=end(v) + "\nlabel l0\nif_lt r0.x, r1.x\nadd r0, r0, c1\nret\nendif\nadd r0, r0, c2\nret" + LAST)
        case(v, "ret-main", "mov r0, IN0", "a main program that ends in ret", "code_after_ret",
             tail=end(v).replace("call l15\n", ""))
    return out
