"""Bread: tin loaves, round and long ones, rings and plaits, some with slices cut."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import cut, level_ring
from mereo.shapes.part import Part
from mereo.shapes.skins import loft
from mereo.shapes.solids import Solid, tube, union
from mereo.shapes.style import Style

_KINDS = {"tin": 2.0, "split tin": 1.0, "oval": 1.5, "round": 1.5, "baguette": 1.5, "plait": 1.0}


@grammar("bread_loaf")
def bread_loaf(style: Style) -> Part:
    """The loaf lies along x; slices are cut from its right end and lie or stand beside it."""
    kind = style.pick("kind", _KINDS)
    if kind == "plait":
        return part("bread_loaf", part("loaf", leaf("crust", _plait(style), "bread")))
    long, wide, tall = _size(style, kind)
    body = _tin(long, wide, tall, dent=kind == "split tin") if "tin" in kind else _free(long, wide, tall)
    count = style.count("slices", 1, 4) if style.maybe("cut", 0.55) else 0
    scores = _scores(style, kind, (long, wide, tall)) if "tin" not in kind else []
    if not count:
        return part("bread_loaf", part("loaf", leaf("crust", body, "bread"), _marked(scores, 1.0)))
    at, thick = style.number("cut at", 0.05, 0.28) * long, style.number("slice", 0.011, 0.018)
    loaf = part("loaf", _opened(body, -1.0, at, (wide, tall)), _marked(scores, at - 0.005))
    flat = style.maybe("slices lie", 0.5)
    return part("bread_loaf", loaf, _slices(body, at, thick, count, tall, flat=flat))


def _size(style: Style, kind: str) -> tuple[float, float, float]:
    """Length, width, height."""
    if kind == "baguette":
        return (
            style.number("length", 0.45, 0.62),
            style.number("width", 0.055, 0.075),
            style.number("height", 0.045, 0.06),
        )
    if kind == "round":
        across = style.number("width", 0.19, 0.26)
        return across, 0.97 * across, style.number("height", 0.09, 0.13)
    if kind == "oval":
        return (
            style.number("length", 0.26, 0.36),
            style.number("width", 0.12, 0.16),
            style.number("height", 0.085, 0.12),
        )
    return style.number("length", 0.22, 0.32), style.number("width", 0.1, 0.125), style.number("height", 0.1, 0.14)


def _free(long: float, wide: float, tall: float) -> Solid:
    """A loaf baked without a tin: flat below, domed above."""
    rises = [(0.8, 0.0), (0.94, 0.08), (1.0, 0.28), (0.96, 0.52), (0.84, 0.74), (0.6, 0.91), (0.32, 0.985), (0.05, 1.0)]
    slim = min(1.0, wide / long)  # a long loaf is dome-shaped across, not along
    rings = []
    for share, z in rises:
        along = 1 - (1 - share) * slim
        rings.append(level_ring(along * long, share * wide, z * tall, squareness=2.2, segments=36))
    return loft(rings, blocks=1)


def _tin(long: float, wide: float, tall: float, *, dent: bool) -> Solid:
    """Straight walls that widen a little, and a crown that swells over the tin, split along its middle for some."""
    side = [
        (0.42, 0.0),
        (0.46, 0.03),
        (0.475, 0.5),
        (0.48, 0.62),
        (0.53, 0.68),
        (0.54, 0.78),
        (0.48, 0.9),
        (0.34, 0.98),
    ]
    crown = [(0.14, 1.0), (0.02, 0.9 if dent else 1.005)]
    half = [(y * wide, z * tall) for y, z in [*side, *crown]]
    outline = np.array([*half, *((-y, z) for y, z in reversed(half))])
    ends = [(-0.5, 0.88), (-0.49, 0.95), (-0.46, 1.0), (0.46, 1.0), (0.49, 0.95), (0.5, 0.88)]
    middle = np.array([0.0, 0.45 * tall])
    rings = []
    for x, share in ends:
        ring = middle + share * (outline - middle)
        ring[:, 1] = np.maximum(ring[:, 1], 0.0 if share == 1.0 else 0.002)
        rings.append(np.column_stack([np.full(len(ring), x * long), ring]))
    return loft(rings, blocks=1)


def _opened(body: Solid, way: float, at: float, across: tuple[float, float]) -> list[Part]:
    """What is left of a loaf on one side of a cut: its crust, and the crumb, which stands out of it a little."""
    crust = cut(body, (way, 0, 0), way * at)
    inner = _inner(body, across)
    crumb = cut(cut(inner, (way, 0, 0), way * (at - way * 0.001)), (-way, 0, 0), -way * (at + way * 0.006))
    return [leaf("crust", crust, "bread"), leaf("crumb", crumb, "bread")]


def _inner(body: Solid, across: tuple[float, float]) -> Solid:
    """The crumb of a whole loaf: smaller by the crust."""
    wide, tall = across
    by, up = 1 - 0.009 / wide, 1 - 0.009 / tall
    return body.at(z=-tall / 2).scaled(1.0, by, up).at(z=tall / 2)


def _slices(body: Solid, at: float, thick: float, count: int, tall: float, *, flat: bool) -> list[Part]:
    """Slices that stand a step away from the loaf, or have fallen over, each onto the last."""
    low, high = at + 0.001, at + thick
    wide = float(np.ptp(body.bounds()[:, 1]))
    inner = cut(cut(_inner(body, (wide, tall)), (1, 0, 0), low), (-1, 0, 0), -high).at(x=-low)
    crust = cut(cut(body, (1, 0, 0), low), (-1, 0, 0), -high).at(x=-low).minus(inner)
    crumb = inner.at(x=-thick / 2).scaled(1 + 0.0016 / thick, 1.0, 1.0).at(x=thick / 2)

    def put(solid: Solid, number: int) -> Solid:
        step = number * thick
        if flat:  # the loaf's side of the slice looks up, each slice a little farther out
            return solid.turned(y=90).at(at + 0.001 + 0.03 * number, 0.01 * (number % 2), thick + step)
        return solid.at(at + 0.0015 + step)

    bodies = {"crust": crust, "crumb": crumb}
    return [part("slice", [leaf(name, put(solid, k), "bread") for name, solid in bodies.items()]) for k in range(count)]


def _scores(style: Style, kind: str, size: tuple[float, float, float]) -> list[tuple[float, Solid]]:
    """Where the baker's blade opened the crust: ridges on the dome, with the farthest x that each reaches."""
    long, wide, _ = size
    design = style.pick("scores", {"cross": 1.5, "square": 1, "one": 1} if kind == "round" else {"slant": 2, "one": 1})
    lines: list[tuple[Floats, Floats]] = []
    reach = 0.36 * wide
    if design == "slant":
        for x in np.linspace(-0.36, 0.36, 5 if kind == "baguette" else 4) * long:
            lean = 0.06 * long if kind == "baguette" else 0.2 * wide
            lines.append((np.array([x - lean, -0.6 * reach]), np.array([x + lean, 0.6 * reach])))
    elif design == "one":
        lines.append((np.array([-0.36 * long, 0.0]), np.array([0.36 * long, 0.0])))
    elif design == "cross":
        lines += [(np.array([-reach, 0.0]), np.array([reach, 0.0])), (np.array([0.0, -reach]), np.array([0.0, reach]))]
    else:
        q = 0.55 * reach
        lines += [(np.array([-reach, s * q]), np.array([reach, s * q])) for s in (-1.0, 1.0)]
        lines += [(np.array([s * q, -reach]), np.array([s * q, reach])) for s in (-1.0, 1.0)]
    return [(float(max(a[0], b[0])), _ridge(a, b, size)) for a, b in lines]


def _ridge(start: Floats, end: Floats, size: tuple[float, float, float]) -> Solid:
    """A torn edge along the top of a loaf that was baked free."""
    long, wide, tall = size
    flat = start + np.linspace(0, 1, 9)[:, None] * (end - start)
    slim = min(1.0, wide / long)
    out = np.hypot(
        np.maximum(np.abs(flat[:, 0]) - (1 - slim) * long / 2, 0) / (slim * long / 2), flat[:, 1] / (wide / 2)
    )
    high = tall * (0.28 + 0.72 * np.sqrt(np.maximum(1 - out.clip(0, 1) ** 2.2, 0.0)))
    girth = np.array([0.25, 0.6, 0.9, 1, 1, 1, 0.9, 0.6, 0.25]) * min(0.09 * wide, 0.011)
    return tube(np.column_stack([flat, high - 0.45 * girth]), girth, segments=8)


def _marked(scores: list[tuple[float, Solid]], until: float) -> list[Part]:
    return [leaf("score", solid, "bread") for far, solid in scores if far < until]


def _plait(style: Style) -> Solid:
    """Three strands that cross again and again, pressed flat below."""
    long, thick = style.number("length", 0.26, 0.38), style.number("strand", 0.026, 0.034)
    waves = style.count("crossings", 2, 3)
    along = np.linspace(0, 1, 36)
    swell = np.sin(np.pi * (0.08 + 0.84 * along)) ** 0.6
    strands = []
    for k in range(3):
        turn = 2 * np.pi * (waves * along + k / 3)
        y, z = 1.1 * thick * np.sin(turn) * swell, thick * (0.85 + 0.35 * np.sin(2 * turn) * swell)
        strands.append(tube(np.column_stack([(along - 0.5) * long, y, z]), thick * swell, segments=10))
    return cut(union(*strands), (0, 0, 1), 0.2 * thick)
