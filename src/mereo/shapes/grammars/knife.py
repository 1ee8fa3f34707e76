"""Knives of the kitchen, the table, the woods and the pocket, and daggers; each lies on its side, tip towards +x."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mereo.files import read_toml
from mereo.shapes.articulation import sliding, turning
from mereo.shapes.cutlery import Line, blade, grip, laid
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.outlines import polygon
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, board, box, cushion, cylinder, sphere, union
from mereo.shapes.style import Style

_STAINLESS = {"flat", "teardrop", "waisted"}
"""Handles of table knives, most of which are of one piece with the blade."""


@cache
def _table(group: str) -> dict[str, Any]:
    found: dict[str, Any] = read_toml(Path(__file__).with_suffix(".toml"))[group]
    return found


@grammar("knife")
def knife(style: Style) -> Part:
    """A blade side and a handle side; the blades of pocket knives and cutters go into their handles."""
    kind = style.pick("kind", {"fixed": 5, "folding": 1.1, "cutter": 0.8, "dagger": 2})
    makers = {"fixed": _fixed, "folding": _folding, "cutter": _cutter, "dagger": _dagger}
    name = "dagger" if kind == "dagger" else "knife"
    return laid(part("cutting_instrument", part(name, *makers[kind](style))))


def _fixed(style: Style) -> tuple[Part, Part]:
    """What kitchens, tables and hunters have."""
    kind = style.pick("blade", {name: row["weight"] for name, row in _table("knives").items()})
    row = _table("knives")[kind]
    length, height = style.number("length", *row["length"]), style.number("height", *row["height"])
    handle = _handle(style, style.pick("handle", dict.fromkeys(row["handles"], 1.0)))
    thick, teeth = style.number("thickness", *row["thick"]), row.get("teeth", 0)
    steel = "ceramic" if kind in ("santoku", "paring") and style.maybe("white blade", 0.2) else "metal"
    edge = blade(row["spine"], row["edge"], (length, height, thick), grind=0.4, teeth=teeth)
    top = min(0.42 * handle.high, 0.5 * height)
    solids = {"blade": edge.at(-0.004, top)}
    if style.maybe("bolster", row["bolster"]):
        deep = min(height, 0.9 * handle.high)
        solids["bolster"] = cushion((0.016, deep, 0.8 * handle.thick), (0.002, 0, 0), squareness=4)
    if kind == "cleaver" and style.maybe("hole", 0.6):
        hole = cylinder(0.006, 0.02, (length - 0.025, top - 0.016, -0.01))
        solids["blade"] = solids["blade"].minus(hole)
    sides = [leaf("blade", solids["blade"], steel)]
    sides += [leaf("bolster", solids["bolster"], "metal")] if "bolster" in solids else []
    guard = _crossbar(style, handle) if style.maybe("guard", row.get("guard", 0.0)) else None
    butt = leaf("butt", _cap(style, handle), "metal") if style.maybe("butt", row["butt"]) else None
    return part("blade_side", sides), part("handle_side", guard, handle.leaf(), butt)


def _dagger(style: Style) -> tuple[Part, Part]:
    """Sharp on both sides, with a crossbar and a pommel."""
    rows = _table("daggers")
    kind = style.pick("blade", {name: row["weight"] for name, row in rows.items()})
    half: Line = rows[kind]["half"]
    size = (
        style.number("length", 0.16, 0.34),
        style.number("height", 0.03, 0.045),
        style.number("thickness", 0.005, 0.007),
    )
    handle = _handle(style, style.pick("handle", {"ribbed": 2, "cylinder": 1, "tapered": 1, "spindle": 1}))
    edge = blade(half, [(x, -y) for x, y in half], size, back=0.05, grind=0.5)
    guard = _crossbar(style, handle) if style.maybe("guard", 0.9) else None
    butt = leaf("butt", _cap(style, handle), "metal") if style.maybe("butt", 0.85) else None
    return part("blade_side", leaf("blade", edge.at(-0.004), "metal")), part("handle_side", guard, handle.leaf(), butt)


class _Handle:
    """A handle from x = 0 towards -x, with what it is made of."""

    def __init__(self, solid: Solid, size: tuple[float, float, float], material: str, end: float):
        self.solid, self.material, self.end = solid, material, end
        self.length, self.high, self.thick = size

    def leaf(self) -> Part:
        """The part."""
        return leaf("handle", self.solid, self.material)


def _handle(style: Style, kind: str) -> _Handle:
    row = _table("handles")["cylinder" if kind == "spindle" else kind]
    long = (
        style.number("handle length", 0.085, 0.105) if kind in _STAINLESS else style.number("handle length", 0.1, 0.13)
    )
    size = long, style.number("handle height", *row["height"]), style.number("handle thickness", *row["thick"])
    made = {"metal": 3.0, "plastic": 0.6} if kind in _STAINLESS else {"wood": 2.0, "plastic": 2.0, "metal": 0.4}
    material = style.pick("handle material", made)
    low, high = row["low"], row["high"]
    if kind == "spindle":
        low, high = [[0, -0.3], [0.5, -0.62], [1, -0.3]], [[0, 0.3], [0.5, 0.62], [1, 0.3]]
    solid = grip(low, high, size, squareness=row["squareness"])
    if row.get("rivets"):
        pins = [cylinder(0.0035, size[2] + 0.0012).at(-x * long, 0, -size[2] / 2 - 0.0006) for x in (0.2, 0.5, 0.8)]
        solid = union(solid, *pins)
    return _Handle(solid, size, material, size[1] * (low[-1][1] + high[-1][1]) / 2)


def _crossbar(style: Style, handle: _Handle) -> Part:
    """A guard: straight, curved towards the tip, or a disk."""
    kind, wide = style.pick("guard kind", {"bar": 2, "curved": 1.5, "oval": 1, "balls": 1}), 0.7 * handle.thick
    reach = handle.high * style.number("guard reach", 0.75, 1.5)
    if kind == "oval":
        solid = cushion((0.008, 1.7 * handle.high, 1.2 * handle.thick), squareness=3)
    elif kind == "curved":
        ys = np.linspace(-reach, reach, 13)
        front = [(0.004 + 0.35 * y * y / reach, y) for y in ys]
        back = [(-0.006 + 0.3 * y * y / reach, y) for y in ys[::-1]]
        solid = board(polygon([*back[::-1], *front[::-1]][::-1]), wide).at(z=-wide / 2)
    else:
        solid = box((0.01, 2 * reach, wide), bevel=0.002)
        if kind == "balls":
            solid = union(solid, *(sphere(0.55 * wide, (0, s * reach, 0), segments=16) for s in (-1, 1)))
    return leaf("guard", solid, "metal")


def _cap(style: Style, handle: _Handle) -> Solid:
    """What ends a handle: a ball, a disk or a cap."""
    kind = style.pick("butt kind", {"ball": 1, "cap": 1.5, "disk": 1})
    high, thick, x, y = handle.high, handle.thick, -handle.length, handle.end
    if kind == "ball":
        return cushion((1.1 * high, 1.1 * high, 1.25 * thick), (x - 0.3 * high, y, 0), squareness=2)
    if kind == "disk":
        return cushion((0.009, 1.35 * high, 1.3 * thick), (x, y, 0), squareness=4)
    return cushion((0.02, 1.12 * high, 1.08 * thick), (x, y, 0), squareness=5)


def _folding(style: Style) -> tuple[Part, Part]:
    """A pocket knife: shut, the spine of its blade closes the slot."""
    long, high = style.number("handle length", 0.09, 0.12), style.number("handle height", 0.022, 0.028)
    thick, row = (
        style.number("handle thickness", 0.012, 0.017),
        _table("handles")[style.pick("handle", {"tapered": 1, "contoured": 1, "cylinder": 1})],
    )
    material = style.pick("handle material", {"wood": 2, "plastic": 2, "metal": 1})
    size = long * style.number("blade share", 0.7, 0.8), 0.62 * high, 0.0026
    shape = _table("knives")[style.pick("blade", {"hunting": 1, "paring": 1, "santoku": 0.7, "steak": 0.5})]
    pivot, slot = -0.009, box((long, high, 0.0034), (-0.55 * long, -0.5 * high + 0.24 * high, 0))
    body = grip(row["low"], row["high"], (long, high, thick), squareness=3)
    halves = [body.scaled(z=0.35).at(z=s * 0.325 * thick) for s in (-1, 1)]
    frame = body.minus(slot.at(x=0.06 * long), pieces=halves)
    pin = cylinder(0.004, thick + 0.001, (pivot, 0, -thick / 2 - 0.0005))
    edge = blade(shape["spine"], shape["edge"], size, grind=0.4).at(pivot - 0.006, 0.42 * size[1])
    shut = edge.at(-pivot).turned(z=-180).at(pivot)
    stands = style.pick("opened", {"180": 3, "140": 1, "100": 1})
    side = turning(
        part("blade_side", leaf("blade", shut, "metal")), (0, 0, 1), (pivot, 0, 0), (0, 180), stands=float(stands)
    )
    return side, part("handle_side", leaf("handle", union(frame, pin), material))


def _cutter(style: Style) -> tuple[Part, Part]:
    """A flat body with a blade that is pushed out of it."""
    long, high = style.number("handle length", 0.13, 0.16), style.number("handle height", 0.022, 0.032)
    thick, reach = style.number("handle thickness", 0.011, 0.017), style.number("reach", 0.04, 0.07)
    tall, bulge = 0.62 * high, style.number("bulge", 0.0, 0.35)
    low = [[0, -0.4], [0.3, -0.45 - bulge * 0.4], [0.6, -0.45], [0.85, -0.5 - bulge], [1, -0.4]]
    body = grip(low, [[0, 0.4], [0.15, 0.5], [0.9, 0.5], [1, 0.35]], (long, high, thick), squareness=5)
    slot = box((1.9 * long, tall + 0.001, 0.0016))
    halves = [body.scaled(z=0.42).at(z=s * 0.29 * thick) for s in (-1, 1)]
    frame = body.minus(slot, pieces=halves)
    outline = polygon(
        [(-0.85 * long, -tall / 2), (-0.004, -tall / 2), (-0.004 - 0.8 * tall, tall / 2), (-0.85 * long, tall / 2)]
    )
    sheet = leaf("blade", board(outline, 0.001).at(z=-0.0005), "metal")
    thumb = leaf(
        "bolster", box((0.02, 0.3 * high, 0.006), (-0.68 * long, 0, thick / 2 - 0.0012), bevel=0.0015), "plastic"
    )
    side = sliding(part("blade_side", sheet, thumb), (1, 0, 0), (0.0, 0.075), stands=reach)
    return side, part("handle_side", leaf("handle", frame, style.pick("handle material", {"plastic": 3, "metal": 1})))
