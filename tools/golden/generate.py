"""All generated golden cases, family by family. `record.py --generate` records them."""

from families import arithmetic, corners, flow, limits, modifiers, shader1, stages, textures


def cases():
    out = []
    for family in (arithmetic, corners, modifiers, flow, limits, shader1, textures, stages):
        out += family.cases()
    names = [c.name for c in out]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise ValueError(f"two cases of one name: {sorted(twice)}")
    return out
