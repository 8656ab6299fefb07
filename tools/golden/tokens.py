"""Direct3D 9 shader words: decoding, and the counts that the coverage table is made of.

Written from the specification sheet (sections 1.2 to 1.10 and 2.3), independently of the Rust decoder, so that
the two can disagree. Good input is assumed: this reads what an assembler wrote, not hostile files.
"""

import struct

# name, has destination, source count (None: by the length word)
OPS = {
    0: ("nop", 0, 0), 1: ("mov", 1, 1), 2: ("add", 1, 2), 3: ("sub", 1, 2), 4: ("mad", 1, 3), 5: ("mul", 1, 2),
    6: ("rcp", 1, 1), 7: ("rsq", 1, 1), 8: ("dp3", 1, 2), 9: ("dp4", 1, 2), 10: ("min", 1, 2), 11: ("max", 1, 2),
    12: ("slt", 1, 2), 13: ("sge", 1, 2), 14: ("exp", 1, 1), 15: ("log", 1, 1), 16: ("lit", 1, 1),
    17: ("dst", 1, 2), 18: ("lrp", 1, 3), 19: ("frc", 1, 1), 20: ("m4x4", 1, 2), 21: ("m4x3", 1, 2),
    22: ("m3x4", 1, 2), 23: ("m3x3", 1, 2), 24: ("m3x2", 1, 2), 25: ("call", 0, 1), 26: ("callnz", 0, 2),
    27: ("loop", 0, 2), 28: ("ret", 0, 0), 29: ("endloop", 0, 0), 30: ("label", 0, 1), 31: ("dcl", 0, 0),
    32: ("pow", 1, 2), 33: ("crs", 1, 2), 34: ("sgn", 1, None), 35: ("abs", 1, 1), 36: ("nrm", 1, 1),
    37: ("sincos", 1, None), 38: ("rep", 0, 1), 39: ("endrep", 0, 0), 40: ("if", 0, 1), 41: ("ifc", 0, 2),
    42: ("else", 0, 0), 43: ("endif", 0, 0), 44: ("break", 0, 0), 45: ("breakc", 0, 2), 46: ("mova", 1, 1),
    47: ("defb", 0, 0), 48: ("defi", 0, 0), 64: ("texcoord", 1, 0), 65: ("texkill", 1, 0), 66: ("tex", 1, 0),
    67: ("texbem", 1, 1), 68: ("texbeml", 1, 1), 69: ("texreg2ar", 1, 1), 70: ("texreg2gb", 1, 1),
    71: ("texm3x2pad", 1, 1), 72: ("texm3x2tex", 1, 1), 73: ("texm3x3pad", 1, 1), 74: ("texm3x3tex", 1, 1),
    76: ("texm3x3spec", 1, 2), 77: ("texm3x3vspec", 1, 1), 78: ("expp", 1, 1), 79: ("logp", 1, 1),
    80: ("cnd", 1, 3), 81: ("def", 0, 0), 82: ("texreg2rgb", 1, 1), 83: ("texdp3tex", 1, 1),
    84: ("texm3x2depth", 1, 1), 85: ("texdp3", 1, 1), 86: ("texm3x3", 1, 1), 87: ("texdepth", 1, 0),
    88: ("cmp", 1, 3), 89: ("bem", 1, 2), 90: ("dp2add", 1, 3), 91: ("dsx", 1, 1), 92: ("dsy", 1, 1),
    93: ("texldd", 1, 4), 94: ("setp", 1, 2), 95: ("texldl", 1, 2), 96: ("breakp", 0, 1), 0xFFFD: ("phase", 0, 0),
}
CMP = {1: "gt", 2: "eq", 3: "ge", 4: "lt", 5: "ne", 6: "le"}
MODS = ["none", "neg", "bias", "-bias", "bx2", "-bx2", "1-x", "x2", "-x2", "dz", "dw", "abs", "-abs", "not"]
SHIFTS = {1: "x2", 2: "x4", 3: "x8", 15: "d2", 14: "d4", 13: "d8"}
R, V, C, A, RAST, OD, OT, I, OC, ODEPTH, S = range(11)
B, AL, MISC, LABEL, PRED = 14, 15, 17, 18, 19


def version_name(word):
    stage = "vs" if word >> 16 == 0xFFFE else "ps"
    minor = word & 0xFF
    major = word >> 8 & 0xFF
    text = "x" if (major, minor) == (2, 1) else "sw" if minor == 255 else str(minor)
    return f"{stage}_{major}_{text}"


class Operand:
    """A destination or source token, with its relative-address token (another Operand) if it has one."""

    def __init__(self, word):
        self.word = word
        self.type = (word >> 28 & 7) | (word >> 8 & 0x18)
        self.num = word & 0x7FF
        if self.type in (11, 12, 13):
            self.num += (self.type - 10) * 2048
            self.type = C
        self.rel_flag = bool(word & 0x2000)
        self.rel = None
        self.mask = word >> 16 & 15
        self.sat = bool(word >> 20 & 1)
        self.shift = (word >> 24 & 15) - 16 * (word >> 27 & 1)
        self.swz = [word >> (16 + 2 * k) & 3 for k in range(4)]
        self.mod = word >> 24 & 15


class Instr:
    def __init__(self, word):
        self.word = word
        self.op = word & 0xFFFF
        self.ctrl = word >> 16 & 0xFF
        self.coissue = bool(word >> 30 & 1)
        self.dst = self.pred = None
        self.srcs = []
        self.data = []  # def, defi, defb values; dcl's usage word
        self.name = OPS.get(self.op, (f"op{self.op}", 0, 0))[0]


def decode(words):
    """Returns (version word, [Instr])."""
    version = words[0]
    major, minor = version >> 8 & 0xFF, version & 0xFF
    vertex = version >> 16 == 0xFFFE
    at, out = 1, []
    while words[at] != 0xFFFF:
        word = words[at]
        at += 1
        if word & 0xFFFF == 0xFFFE:
            at += word >> 16 & 0x7FFF
            continue
        ins = Instr(word)
        _, has_dst, nsrc = OPS[ins.op]
        length = word >> 24 & 15
        if ins.op == 0xFFFD:
            out.append(ins)
            continue
        if ins.op == 66:
            nsrc = 0 if major < 2 and minor < 4 else 1 if major < 2 else 2
            ins.name = "tex" if nsrc == 0 else "texld"
            if major >= 2:
                ins.name = {0: "texld", 1: "texldp", 2: "texldb"}[ins.ctrl & 3]
        elif ins.op == 64 and minor == 4:
            ins.name, nsrc = "texcrd", 1
        if ins.op in CMPS:
            ins.name = CMPS[ins.op] + "_" + CMP[ins.ctrl & 7]
        if ins.op == 31:
            ins.data, ins.dst = [words[at]], Operand(words[at + 1])
            at += 2
        elif ins.op in (81, 48, 47):
            n = 1 if ins.op == 47 else 4
            ins.dst, ins.data = Operand(words[at]), words[at + 1:at + 1 + n]
            at += 1 + n
        else:
            if nsrc is None:
                nsrc = length - 1 - (word >> 28 & 1) if major >= 2 else 3
            end = at + length

            def operand():
                nonlocal at
                o = Operand(words[at])
                at += 1
                if o.rel_flag and not (vertex and major == 1):
                    o.rel = Operand(words[at])
                    at += 1
                return o
            if has_dst:
                ins.dst = operand()
            if word >> 28 & 1:
                ins.pred = operand()
            ins.srcs = [operand() for _ in range(nsrc)]
            if major >= 2 and at != end:
                raise ValueError(f"{ins.name}: length {length} does not fit its operands")
        out.append(ins)
    return version, out


CMPS = {41: "if", 45: "break", 94: "setp"}


def floats(data):
    return [struct.unpack("<f", struct.pack("<I", w))[0] for w in data]
