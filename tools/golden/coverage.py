"""The coverage table of the golden cases, counted from the recorded words and not from what files claim."""

import tokens

START, END = "<!-- coverage: written by record.py --coverage -->", "<!-- end of coverage -->"
VERSIONS = ["vs_1_1", "vs_2_0", "vs_2_x", "vs_2_sw", "vs_3_0", "vs_3_sw", "ps_1_1", "ps_1_2", "ps_1_3", "ps_1_4",
            "ps_2_0", "ps_2_x", "ps_2_sw", "ps_3_0", "ps_3_sw"]


def table(cases):
    ops, mods, results, masks, covers, other = {}, {}, {}, {}, {}, {}

    def count(where, key, version):
        where.setdefault(key, {}).setdefault(version, set()).add(case.name)
    for case in cases:
        for name in case.covers:
            covers.setdefault(name, set()).add(case.name)
        for words in case.words.values():
            word, code = tokens.decode(words)
            version = tokens.version_name(word)
            for ins in code:
                count(ops, ins.name, version)
                if ins.pred:
                    count(other, "predicate", version)
                if ins.coissue:
                    count(other, "co-issue", version)
                if ins.dst and ins.name not in ("dcl", "def", "defi", "defb"):
                    mask = "".join("xyzw"[k] for k in range(4) if ins.dst.mask >> k & 1)
                    count(masks, "." + mask, version)
                    if ins.dst.sat:
                        count(results, "_sat", version)
                    if ins.dst.word >> 21 & 1:
                        count(results, "_pp", version)
                    if ins.dst.shift:
                        count(results, "_" + tokens.SHIFTS[ins.dst.shift & 15], version)
                    if ins.dst.rel:
                        count(other, "relative destination", version)
                for s in ins.srcs:
                    count(mods, tokens.MODS[s.mod], version)
                    if s.rel_flag:
                        kind = {1: "v", 2: "c", 6: "o"}.get(s.type, "?")
                        by = "aL" if s.rel and s.rel.type == 15 else "a0"
                        count(other, f"{kind}[{by}]", version)
    out = [f"{len(cases)} cases: " + ", ".join(
        f"{sum(c.mode == m for c in cases)} `{m}`" for m in ("both", "strict", "ieee"))
        + f"; {sum(bool(c.wine_differs) for c in cases)} where the sheet decides differently from Wine.", ""]
    used = [v for v in VERSIONS if any(v in row for row in ops.values())]
    for title, where in (("Opcode", ops), ("Source modifier", mods), ("Result modifier", results),
                         ("Write mask", masks), ("Other", other)):
        out += [f"| {title} | " + " | ".join(used) + " |", "|---" * (len(used) + 1) + "|"]
        for key in sorted(where):
            out.append(f"| {key} | " + " | ".join(str(len(where[key][v])) if v in where[key] else ""
                                                 for v in used) + " |")
        out.append("")
    out += ["| Named edge case | Cases |", "|---|---|"]
    out += [f"| {name} | {len(covers[name])} |" for name in sorted(covers)]
    return "\n".join(out)


def write(cases, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(START)
    after = rest.split(END)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{START}\n{table(cases)}\n{END}{after}")
