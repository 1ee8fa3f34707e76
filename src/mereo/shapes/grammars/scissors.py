"""Scissors: two blades that cross at a screw, each with its handle; they lie, shut or open, tips towards +x."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import turning
from mereo.shapes.cutlery import Line, blade, laid
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.part import Part
from mereo.shapes.skins import oval
from mereo.shapes.solids import Solid, bar, bent, box, hull, lathe, tube, union
from mereo.shapes.style import Style

_BLADES: dict[str, tuple[Line, Line]] = {
    "pointed": ([[0, 0.55], [0.15, 0.6], [0.7, 0.25], [1, -0.28]], [[0, -0.5], [0.3, -0.4], [1, -0.36]]),
    "blunt": ([[0, 0.55], [0.2, 0.55], [0.85, 0.4], [1, 0.0]], [[0, -0.5], [0.9, -0.42], [1, -0.2]]),
    "broad": ([[0, 0.6], [0.2, 0.85], [0.7, 0.6], [1, -0.2]], [[0, -0.5], [0.3, -0.45], [1, -0.36]]),
    "slender": ([[0, 0.5], [0.3, 0.3], [1, -0.15]], [[0, -0.5], [0.3, -0.35], [1, -0.25]]),
    "beak": ([[0, 0.6], [0.4, 1.2], [0.8, 0.8], [1, -0.1]], [[0, -0.5], [0.4, -0.1], [0.8, -0.15], [1, -0.3]]),
}
"""Spine and edge from the screw to the tip, as shares of the blade's length and height."""
_KINDS: dict[str, tuple[float, tuple[float, float], tuple[str, ...]]] = {
    "office": (2.2, (0.085, 0.12), ("pointed", "slender")),
    "offset": (2.0, (0.09, 0.13), ("pointed", "broad")),
    "kitchen": (1.4, (0.08, 0.11), ("broad", "blunt")),
    "forged": (1.6, (0.05, 0.12), ("slender", "pointed", "broad")),
    "barber": (1.2, (0.07, 0.1), ("slender",)),
    "school": (1.2, (0.055, 0.075), ("blunt",)),
    "shears": (1.4, (0.045, 0.07), ("beak", "broad")),
}
"""How usual a kind is, the bounds of a blade's length, and its blades."""


@grammar("scissors")
def scissors(style: Style) -> Part:
    """Built shut: the first half has its blade in the upper layer, its handle towards -y; the other is turned over."""
    kind = style.pick("kind", {name: weight for name, (weight, _, _) in _KINDS.items()})
    _, lengths, shapes = _KINDS[kind]
    length, shape = style.number("length", *lengths), style.pick("blade", dict.fromkeys(shapes, 1.0))
    height, thick = length * style.number("height", 0.14, 0.19), style.number("thickness", 0.0014, 0.0022)
    teeth = 18 if kind in ("kitchen", "office") and style.maybe("teeth", 0.35) else 0
    edge = blade(*_BLADES[shape], (length, height, thick), grind=0.35, teeth=teeth)
    grips, root = _grips(style, kind, length, thick)
    round_root, end = oval(1.24 * height, 1.24 * height), oval(0.5 * height, 0.5 * height, sides=8) + root
    tang = hull(
        np.concatenate(
            [
                np.column_stack([flat, np.full(len(flat), z)])
                for flat in (round_root, end)
                for z in (-0.45 * thick, 0.45 * thick)
            ]
        )
    )
    steel = union(edge, tang).at(z=thick / 2 + 0.0001)
    metal = kind in ("forged", "barber") or (kind == "kitchen" and style.maybe("metal handles", 0.3))
    material = "metal" if metal else "plastic"
    opened = (0.5 if kind == "shears" else 1.0) * style.number("angle", 6, 38) * style.maybe("open", 0.6)
    halves = []
    for sign, handle in zip((1, -1), grips, strict=True):
        turn = 0 if sign == 1 else 180
        leaves = leaf("blade", steel.turned(x=turn), "metal"), leaf("handle", handle.turned(x=turn), material)
        half = part("blade_handle_set", *leaves)
        halves.append(turning(half, (0, 0, sign), (0, 0, 0), (0, 45), stands=opened))
    return laid(part("scissors", halves, leaf("screw", _screw(style, height, thick), "metal")))


def _screw(style: Style, height: float, thick: float) -> Solid:
    """What holds the blades together: round or six-sided, with or without a slot."""
    radius, tall = height * style.number("screw", 0.26, 0.4), 2 * thick + 0.0016
    if style.maybe("nut", 0.3):
        return lathe([(radius, -tall / 2), (radius, tall / 2)], segments=6)
    solid = lathe([(radius, -tall / 2), (radius, 0.4 * tall), (0.85 * radius, tall / 2)], segments=20)
    return solid.minus(box((3 * radius, 0.25 * radius, 0.001), (0, 0, tall / 2))) if style.maybe("slot", 0.6) else solid


def _grips(style: Style, kind: str, length: float, thick: float) -> tuple[list[Solid], tuple[float, float]]:
    """Both handles, each as if it were the first, and where the tang ends within them."""
    rod = style.number("rod", 0.0034, 0.0046) * {"forged": 0.55, "barber": 0.5, "school": 0.9}.get(kind, 1.0)
    size = (
        style.number("loop", 0.046, 0.06)
        if kind not in ("forged", "barber", "school")
        else style.number("loop", 0.03, 0.04)
    )
    if kind == "shears":
        lever = _lever(style.number("lever", 0.09, 0.12), style.number("bulge", 0.006, 0.014))
        return [lever, lever], (-0.02, -0.009)
    stem = {"forged": 0.45 * length, "barber": 0.5 * length}.get(kind, 0.022 + 0.1 * length)
    wide, square = size * style.number("roundness", 0.58, 0.95), style.number("squareness", 2.0, 3.2)
    slant = style.number("slant", 0, 14)
    first, root = _loop(stem, size, wide, rod, square, slant)
    second = first
    if kind == "offset":
        second = _loop(stem, size * style.number("longer", 1.35, 1.7), wide, rod, square, slant)[0]
    if kind == "barber" and style.maybe("finger rest", 0.8):
        second = union(first, _rest(stem + size, wide, rod))
    return [first, second], root


def _loop(
    stem: float, long: float, wide: float, rod: float, square: float, slant: float
) -> tuple[Solid, tuple[float, float]]:
    """A ring for fingers beside the middle line with a neck to it, and where the neck meets the ring."""
    plan = oval(long, wide, squareness=square, sides=24)
    turn, hinge = np.radians(slant), np.array([-stem, -rod - 0.0006])
    path = plan + (-long / 2, -wide / 2)
    path = path @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + hinge
    path = np.column_stack([path, np.zeros(len(path))])
    x, y, _ = path[np.argmax(path[:, 0] + 0.4 * path[:, 1])]
    neck = bar(
        (0.55 * x, 0.55 * y - 0.0012 - 0.4 * rod, 0), (x - 0.001, y, 0), 2 * rod, 2.2 * rod, round=True, sides=10
    )
    ring = tube(path, rod, segments=8, closed=True)
    thirds = tuple(np.concatenate(ring.pieces[k : k + 3]) for k in range(0, len(ring.pieces), 3))
    return union(Solid(ring.body, thirds), neck), (float(x), float(y))


def _rest(end: float, wide: float, rod: float) -> Solid:
    """The hook behind a barber's ring, for the little finger."""
    y = -0.6 * wide
    path = [(-end + 0.001, y, 0), (-end - 0.012, y - 0.002, 0), (-end - 0.02, y - 0.012, 0)]
    return tube(bent(path), rod, segments=8)


def _lever(long: float, bulge: float) -> Solid:
    """What the hand closes around, without a ring."""
    path = [
        (-0.012, -0.006, 0),
        (-0.03, -0.013, 0),
        (-0.4 * long, -0.013 - bulge, 0),
        (-0.75 * long, -0.016 - bulge, 0),
    ]
    return tube(bent([*path, (-long, -0.012, 0)]), 0.0058, segments=10)
