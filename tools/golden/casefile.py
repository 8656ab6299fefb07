"""Reading and writing `.case` files; the format is described in tests/golden/d3d9/README.md."""

import struct

FORMAT = "aquatint-golden-d3d9 1"
SECTIONS = ["vs", "vs.words", "ps", "ps.words", "job", "expect", "expect.wine"]


class Case:
    def __init__(self, name, title=""):
        self.name, self.title = name, title
        self.covers = []
        self.mode = ""          # both | strict | ieee
        self.tolerance = (1e-6, 2e-6, "interpolation of vertex values")
        self.wine_differs = ""  # reason
        self.wine_option = ""   # options under which [expect.wine] holds
        self.options = []       # options under which [expect] holds
        self.hand = {"vs": [], "ps": []}  # (line text, [words])
        self.version = {}       # stage -> version word written over the assembler's
        self.notes = []         # comment lines in front of [expect]
        self.text = {}          # "vs" | "ps" -> assembly text
        self.words = {}         # "vs" | "ps" -> [int]
        self.job = []
        self.expect = None      # {(x, y): (r, g, b, a)}
        self.wine = None


def number(v):
    """Nine significant digits, so that a 32-bit float survives."""
    if v != v:
        return "nan"
    if v in (float("inf"), float("-inf")):
        return "inf" if v > 0 else "-inf"
    return f"{v:.9g}"


def bits(f):
    return struct.unpack("<I", struct.pack("<f", f))[0]


def texels(lines):
    out = {}
    for line in lines:
        f = line.split()
        out[int(f[0]), int(f[1])] = tuple(float(v) for v in f[2:6])
    return out


def single(v):
    """`v` rounded to 32 bits: nine digits name a float, they are not the float."""
    try:
        return struct.unpack("<f", struct.pack("<f", v))[0]
    except OverflowError:
        return float("inf") if v > 0 else float("-inf")


def close(a, b, tolerance):
    absolute, relative = tolerance[0], tolerance[1]
    a, b = single(a), single(b)
    if a != a or b != b:
        return a != a and b != b
    if abs(a) == float("inf") or abs(b) == float("inf"):
        return a == b
    return abs(a - b) <= absolute + relative * abs(b)


def same(got, want, tolerance):
    """Whether two texel maps agree: the comparison that the README prescribes to every runner."""
    return got.keys() == want.keys() and all(
        close(g, w, tolerance) for k in want for g, w in zip(got[k], want[k]))


def read(path, name):
    case, section, body = Case(name), None, {}
    with open(path, encoding="utf-8") as file:
        for raw in file:
            line = raw.rstrip("\n")
            if line.startswith("[") and line.endswith("]"):
                section = line[1:-1]
                if section not in SECTIONS or section in body:
                    raise ValueError(f"{path}: bad section [{section}]")
                body[section] = []
            elif section:
                body[section].append(line)
            elif line and not line.startswith("#"):
                header(case, line, path)
    for stage in ("vs", "ps"):
        if stage in body:
            case.text[stage] = "\n".join(body[stage]).strip("\n") + "\n"
        if stage + ".words" in body:
            case.words[stage] = [int(w, 16) for line in body[stage + ".words"] for w in line.split()]
    case.job = [l for l in body.get("job", []) if l.strip()]
    plain = lambda k: [l for l in body[k] if l.strip() and not l.startswith("#")]
    if "expect" in body:
        case.notes = [l[1:].strip() for l in body["expect"] if l.startswith("#")]
        case.expect = texels(plain("expect"))
    if "expect.wine" in body:
        case.wine = texels(plain("expect.wine"))
    return case


def header(case, line, path):
    key, _, rest = line.partition(" ")
    if key == "format":
        if rest != FORMAT:
            raise ValueError(f"{path}: format {rest}")
    elif key == "title":
        case.title = rest
    elif key == "covers":
        case.covers += rest.split()
    elif key == "mode":
        case.mode = rest
    elif key == "tolerance":
        values, _, reason = rest.partition(":")
        f = values.split()
        case.tolerance = (float(f[1]), float(f[3]), reason.strip())
    elif key == "wine-differs":
        case.wine_differs = rest
    elif key == "wine-option":
        case.wine_option = rest
    elif key == "option":
        case.options.append(rest)
    elif key == "hand":
        stage, _, rest = rest.partition(" ")
        text, _, words = rest.rpartition(" = ")
        case.hand[stage].append((text.strip(), [int(w, 16) for w in words.split()]))
    elif key == "version":
        stage, word = rest.split()
        case.version[stage] = int(word, 16)
    else:
        raise ValueError(f"{path}: unknown header line {line}")


def write(case):
    out = [f"format {FORMAT}", f"title {case.title}"]
    if case.covers:
        out.append("covers " + " ".join(case.covers))
    out.append(f"mode {case.mode}")
    a, r, why = case.tolerance
    out.append(f"tolerance abs {a:g} rel {r:g}: {why}")
    out += [f"option {o}" for o in case.options]
    if case.wine_differs:
        out.append(f"wine-differs {case.wine_differs}")
    if case.wine_option:
        out.append(f"wine-option {case.wine_option}")
    for stage in ("vs", "ps"):
        if stage in case.version:
            out.append(f"version {stage} {case.version[stage]:08X}")
        for text, words in case.hand[stage]:
            out.append(f"hand {stage} {text} = " + " ".join(f"{w:08X}" for w in words))
    for stage in ("vs", "ps"):
        if stage in case.text:
            out += ["", f"[{stage}]", case.text[stage].strip("\n")]
        if stage in case.words:
            out += ["", f"[{stage}.words]"]
            words = [f"{w:08X}" for w in case.words[stage]]
            out += [" ".join(words[k:k + 12]) for k in range(0, len(words), 12)]
    out += ["", "[job]"] + case.job
    for name, values, notes in (("expect", case.expect, case.notes), ("expect.wine", case.wine, [])):
        if values is not None:
            out += ["", f"[{name}]"] + [f"# {n}" for n in notes]
            for (x, y), v in sorted(values.items(), key=lambda kv: (kv[0][1], kv[0][0])):
                out.append(f"{x} {y} " + " ".join(number(f) for f in v))
    return "\n".join(out) + "\n"
