"""The specification sheet's arithmetic (sections 2.1, 2.2 and 2.4) as plain Python, one function per rule.

Values are Python floats rounded to 32 bits after every operation. `Rules` selects the float option (default or
`Ieee`), and whether Wine's known departures from the sheet are imitated (to explain what Wine answered).
"""

import math
import struct

FLT_MAX = 3.4028234663852886e38
INF = float("inf")
NAN = float("nan")


class Rules:
    def __init__(self, ieee=False, wine=False, options=()):
        self.ieee, self.wine = ieee, wine
        self.scalar_w = wine or "scalar_lane=w" in options
        self.first_cnd = "coissued_cnd=first" in options


def f32(x):
    if x != x or abs(x) == INF:
        return x
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def add(a, b):
    return f32(a + b)


def mul(rules, a, b):
    if not rules.ieee and (a == 0 or b == 0):
        return 0.0
    return f32(a * b)


def dot(rules, a, b, n):
    total = mul(rules, a[0], b[0])
    for k in range(1, n):
        total = add(total, mul(rules, a[k], b[k]))
    return total


def saturate(x):
    return (x if x < 1 else 1.0) if x > 0 else 0.0


def rcp(rules, x):
    if x == 0:
        return math.copysign(INF, x) if rules.ieee else FLT_MAX
    return f32(1 / x) if x == x else x


def rsq(rules, x):
    x = abs(x)
    if x == 0:
        return INF if rules.ieee else FLT_MAX
    return f32(1 / math.sqrt(x)) if x < INF else 0.0 if x == INF else x


def exp2(rules, x):
    if x != x:
        return x
    if x >= 128:
        return INF if rules.ieee else FLT_MAX
    return f32(2.0 ** x) if x > -200 else 0.0


def log2(rules, x):
    x = abs(x)
    if x == 0:
        return -INF if rules.ieee else -FLT_MAX
    return f32(math.log2(x)) if x < INF else x


def power(rules, x, y):
    x = abs(x)
    if x != x or y != y:
        return NAN
    if y == 0:
        return 1.0
    if x == 0:
        return 0.0 if y > 0 else INF if rules.ieee else FLT_MAX
    try:
        value = f32(x ** y)
    except OverflowError:
        value = INF
    return value if rules.ieee else min(value, FLT_MAX)


def frac(x):
    if x != x or abs(x) == INF:
        return NAN
    return min(f32(x - math.floor(x)), 1 - 2.0 ** -24)


def compare(kind, a, b):
    return {1: a > b, 2: a == b, 3: a >= b, 4: a < b, 5: a != b, 6: a <= b}[kind]


def lit(x, y, w):
    power_of = max(-127.9961, min(127.9961, w)) if w == w else w
    z = 0.0
    if x > 0 and y > 0:
        z = f32(math.pow(y, power_of)) if power_of == power_of else NAN
    return [1.0, x if x > 0 else 0.0, z, 1.0]


def reflect(rules, n, e):
    """2 (N.E)/(N.N) N - E of texm3x3spec and texm3x3vspec; N.N = 0 gives -E."""
    ne, nn = dot(rules, n, e, 3), dot(rules, n, n, 3)
    scale = 0.0 if nn == 0 else 2 * ne / nn
    return [f32(scale * n[k] - e[k]) for k in range(3)]


def alu(rules, op, version, s, mask, rows=None):
    """Result lanes of opcode `op` (a name). `s`: source values after swizzle and modifier; `rows`: a matrix's rows."""
    m = lambda a, b: mul(rules, a, b)
    lane = (lambda k: s[k][3]) if rules.scalar_w else (lambda k: s[k][0])
    lanes = lambda f: [f(k) for k in range(4)]
    one = lambda v: [v] * 4
    if op == "mov":
        return list(s[0])
    if op == "add":
        return lanes(lambda k: add(s[0][k], s[1][k]))
    if op == "sub":
        return lanes(lambda k: add(s[0][k], -s[1][k]))
    if op == "mul":
        return lanes(lambda k: m(s[0][k], s[1][k]))
    if op == "mad":
        return lanes(lambda k: add(m(s[0][k], s[1][k]), s[2][k]))
    if op == "min":
        return lanes(lambda k: s[0][k] if s[0][k] < s[1][k] else s[1][k])
    if op == "max":
        return lanes(lambda k: s[0][k] if s[0][k] >= s[1][k] else s[1][k])
    if op == "slt":
        return lanes(lambda k: float(s[0][k] < s[1][k]))
    if op == "sge":
        return lanes(lambda k: float(s[0][k] >= s[1][k]))
    if op == "abs":
        return lanes(lambda k: abs(s[0][k]))
    if op == "frc":
        return lanes(lambda k: frac(s[0][k]))
    if op == "lrp":
        return lanes(lambda k: add(s[2][k], m(s[0][k], add(s[1][k], -s[2][k]))))
    if op == "dp3":
        return one(dot(rules, s[0], s[1], 3))
    if op == "dp4":
        return one(dot(rules, s[0], s[1], 4))
    if op == "dp2add":
        return one(add(dot(rules, s[0], s[1], 2), s[2][0]))
    if op in ("m4x4", "m4x3", "m3x4", "m3x3", "m3x2"):
        return [dot(rules, s[0], row, int(op[1])) for row in rows] + [0.0] * (4 - len(rows))
    if op == "crs":
        a, b = s
        return [add(m(a[1], b[2]), -m(a[2], b[1])), add(m(a[2], b[0]), -m(a[0], b[2])),
                add(m(a[0], b[1]), -m(a[1], b[0])), None]
    if op == "dst":
        return [1.0, m(s[0][1], s[1][1]), s[0][2], s[1][3]]
    if op == "lit":
        return lit(s[0][0], s[0][1], s[0][3])
    if op == "nrm":
        count = [k for k in range(3) if mask >> k & 1] if rules.wine else [0, 1, 2]
        f = 0.0
        for k in count:
            f = add(f, m(s[0][k], s[0][k]))
        if rules.wine and f == 0:
            return list(s[0])
        if f == 0:
            return lanes(lambda k: m(s[0][k], INF if rules.ieee else FLT_MAX))
        r = f32(1 / math.sqrt(f)) if f < INF else 0.0
        return lanes(lambda k: m(s[0][k], r))
    if op == "pow":
        return one(power(rules, s[0][0], s[1][0]))
    if op == "rcp":
        return one(rcp(rules, lane(0)))
    if op == "rsq":
        return one(rsq(rules, lane(0)))
    if op in ("exp", "log"):
        return one((exp2 if op == "exp" else log2)(rules, lane(0)))
    if op == "logp":
        return one(log2(rules, lane(0)))
    if op == "expp":
        v = lane(0)
        if version >= (2, 0):
            return one(exp2(rules, v))
        return [exp2(rules, math.floor(v)), frac(v), exp2(rules, v), 1.0]
    if op == "sgn":
        return lanes(lambda k: -1.0 if s[0][k] < 0 else 0.0 if s[0][k] == 0 else 1.0)
    if op == "sincos":
        return [f32(math.cos(lane(0))), f32(math.sin(lane(0))), None, None]
    if op == "cmp":
        return lanes(lambda k: s[1][k] if s[0][k] >= 0 else s[2][k])
    if op == "cnd":
        if version == (1, 4):
            return lanes(lambda k: s[1][k] if s[0][k] > 0.5 else s[2][k])
        return lanes(lambda k: s[1][k] if s[0][3] > 0.5 else s[2][k])
    if op in ("dsx", "dsy"):
        return one(0.0)
    raise NotImplementedError(op)


def modify(mod, v, wide):
    """A source modifier on swizzled lanes `v`; `wide` is the register before the swizzle (dz and dw divide by it)."""
    if mod in (9, 10):
        by = wide[2] if mod == 9 else wide[3]
        return [v[0] / by if by else 1.0, v[1] / by if by else 1.0, v[2], v[3]]
    f = {0: lambda x: x, 1: lambda x: -x, 2: lambda x: x - 0.5, 3: lambda x: -(x - 0.5), 4: lambda x: 2 * x - 1,
         5: lambda x: -(2 * x - 1), 6: lambda x: 1 - x, 7: lambda x: 2 * x, 8: lambda x: -2 * x, 11: abs,
         12: lambda x: -abs(x)}[mod]
    return [f32(f(x)) for x in v]
