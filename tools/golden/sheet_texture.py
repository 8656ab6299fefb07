"""Texture lookups of the oracle's job textures (one level, 32-bit float texels): what a sampler returns.

Used to check what Wine drew; the rules are the sheet's section 2.5 and the Direct3D sampler states.
"""

import math

UNBOUND = [0.0, 0.0, 0.0, 1.0]
WRAP, MIRROR, CLAMP, BORDER = 1, 2, 3, 4


class Texture:
    def __init__(self, fields):
        """`fields`: the words of a job's `tex` line after the stage."""
        self.kind = fields[0]
        n = {"2d": 2, "cube": 1, "vol": 3}[self.kind]
        size = [int(v) for v in fields[1:1 + n]]
        values = [float(v) for v in fields[1 + n:]]
        texels = [values[k:k + 4] for k in range(0, len(values), 4)]
        if self.kind == "cube":
            per = size[0] * size[0]
            self.size = (size[0], size[0], 1)
            self.faces = [texels[f * per:(f + 1) * per] for f in range(6)]
        else:
            self.size = tuple(size) + (1,) * (3 - n)
            self.faces = [texels]
        self.dims = 3 if self.kind == "vol" else 2


class Sampler:
    def __init__(self):
        self.state = {1: WRAP, 2: WRAP, 3: WRAP, 4: 0, 5: 1, 6: 1, 7: 0, 8: 0}

    def sample(self, texture, coord, lod=-100.0):
        if texture is None:
            return list(UNBOUND)
        c, face = list(coord), 0
        if texture.kind == "cube":
            face, c = cube_face(coord)
        linear = self.state[5 if lod <= 0 else 6] == 2
        address = [self.state[k + 1] for k in range(3)]
        if texture.kind == "cube":
            address = [CLAMP] * 3
        axes = []
        for k in range(texture.dims):
            n = texture.size[k]
            t = c[k] * n if math.isfinite(c[k]) else 0.0
            if not linear:
                axes.append([(place(math.floor(t), n, address[k]), 1.0)])
            else:
                base = math.floor(t - 0.5)
                w = t - 0.5 - base
                axes.append([(place(base, n, address[k]), 1 - w), (place(base + 1, n, address[k]), w)])
        if texture.dims == 2:
            axes.append([(0, 1.0)])
        out = [0.0] * 4
        for x, wx in axes[0]:
            for y, wy in axes[1]:
                for z, wz in axes[2]:
                    if None in (x, y, z):
                        texel = self.border()
                    else:
                        texel = texture.faces[face][(z * texture.size[1] + y) * texture.size[0] + x]
                    for k in range(4):
                        out[k] += wx * wy * wz * texel[k]
        return out

    def border(self):
        c = self.state[4]
        return [(c >> s & 255) / 255 for s in (16, 8, 0, 24)]


def place(i, n, mode):
    """Texel index of position i along an axis of n texels; None: the border colour."""
    if mode == WRAP:
        return i % n
    if mode == MIRROR:
        i %= 2 * n
        return i if i < n else 2 * n - 1 - i
    if mode == BORDER and not 0 <= i < n:
        return None
    return max(0, min(n - 1, i))


def cube_face(v):
    x, y, z = v[:3]
    a = [abs(x), abs(y), abs(z)]
    big = max(a)
    if a[0] == big:
        face, s, t = (0, -z, -y) if x >= 0 else (1, z, -y)
    elif a[1] == big:
        face, s, t = (2, x, z) if y >= 0 else (3, x, -z)
    else:
        face, s, t = (4, x, -y) if z >= 0 else (5, -x, -y)
    if big == 0:
        return face, [0.5, 0.5, 0]
    return face, [(s / big + 1) / 2, (t / big + 1) / 2, 0]
