"""Refrigerators: a cabinet of compartments, each closed by a door or a drawer, which PartNet also calls a door."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.outlines import Outline, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cylinder, hull, prism, tube, union
from mereo.shapes.style import Style

Handle = Callable[[float], Solid]
"""From a length to an upright handle around the origin, on a front at y = 0 that faces -y."""

_WALL, _TRAY = 0.07, 0.42
_GADGETS = ("side by side", "french", "four doors", "single")
_KINDS: dict[str, tuple[float, tuple[float, float], tuple[float, float]]] = {
    "single": (1.4, (0.55, 0.66), (1.4, 1.9)),
    "top freezer": (2.2, (0.55, 0.78), (1.4, 1.8)),
    "bottom freezer": (2.2, (0.55, 0.75), (1.6, 2.0)),
    "side by side": (2.0, (0.85, 0.95), (1.7, 1.85)),
    "french": (2.2, (0.83, 0.95), (1.7, 1.85)),
    "four doors": (1.0, (0.8, 0.95), (1.75, 1.9)),
    "drawers": (1.0, (0.6, 0.75), (1.7, 1.85)),
    "mini": (1.8, (0.44, 0.56), (0.5, 0.88)),
    "retro": (2.0, (0.55, 0.64), (1.2, 1.75)),
    "cooler": (1.6, (0.5, 0.8), (0.85, 1.95)),
}
"""How usual a kind is, and the bounds of its width and height."""


class _Bay(NamedTuple):
    """A compartment seen from the front: its middle and size, and where its door hinges: left, right or drawer."""

    x: float
    z: float
    width: float
    height: float
    hinge: str


@grammar("refrigerator")
def refrigerator(style: Style) -> Part:
    """The cabinet's front lies at y = 0, its doors before it; some have one open, so that shelves show."""
    kind = style.pick("kind", {name: weight for name, (weight, _, _) in _KINDS.items()})
    _, widths, heights = _KINDS[kind]
    width, depth = style.number("width", *widths), style.number("depth", 0.52, 0.66)
    height, (base, ground) = style.number("height", *heights), _base(style, kind, width, depth)
    sign = style.number("sign", 0.1, 0.2) if kind == "cooler" and height > 1.4 else 0.0
    bays = _bays(style, kind, width, ground, height - sign)
    opened = style.count("opened door", 0, len(bays) - 1) if style.maybe("opened", 0.4) else -1
    door, shelf = _door(style, kind), _shelf(style, kind, depth)
    doors = [door(bay, k == opened) for k, bay in enumerate(bays)]
    seen = [bay for k, bay in enumerate(bays) if kind == "cooler" or (k == opened and bay.hinge != "drawer")]
    shelves = [leaf("shelf", solid) for bay in seen for solid in shelf(bay)]
    frame = leaf("frame", _cabinet(style, kind, (width, depth, height), ground, bays, sign))
    interior = part("body_interior", shelves) if shelves else None
    return part("refrigerator", part("body", frame, doors, interior), base)


def _bays(style: Style, kind: str, width: float, low: float, high: float) -> list[_Bay]:
    """The compartments, row by row from below."""
    split, hinge = style.number("split", 0.27, 0.38), "left" if style.maybe("left hinge", 0.65) else "right"
    cold, drawers = "drawer" if style.maybe("freezer drawer", 0.6) else hinge, style.count("freezer drawers", 1, 2)
    small, pair = style.maybe("small freezer", 0.5), "left right"
    rows: dict[str, list[tuple[float, str]]] = {
        "top freezer": [(1 - split, hinge), (split, hinge)],
        "bottom freezer": [(split, cold), (1 - split, hinge)],
        "side by side": [(1, pair)],
        "french": [(split / drawers, "drawer")] * drawers + [(1 - split, pair)],
        "four doors": [(split + 0.1, pair), (0.9 - split, pair)],
        "drawers": [(0.2, "drawer"), (0.17, "drawer"), (0.63, pair if small else hinge)],
        "mini": [(0.68, hinge), (0.32, hinge)] if small else [(1, hinge)],
        "retro": [(0.72, hinge), (0.28, hinge)] if small else [(1, hinge)],
        "cooler": [(1, pair if width > 0.7 else hinge)],
    }
    uneven = style.number("left share", 0.38, 0.5) if kind == "side by side" else 0.5
    bays, bottom = [], low
    for share, hinges in rows.get(kind, [(1, hinge)]):
        tall, left = share * (high - low), -width / 2
        for name, wide in zip(hinges.split(), (uneven, 1 - uneven) if hinges == pair else (1.0,), strict=True):
            bays.append(_Bay(left + wide * width / 2, bottom + tall / 2, wide * width, tall, name))
            left += wide * width
        bottom += tall
    return bays


def _cabinet(
    style: Style, kind: str, size: tuple[float, float, float], ground: float, bays: list[_Bay], sign: float
) -> Solid:
    """Hollow behind each door; a worktop, a sign, hinge caps and a compressor at the back stand out."""
    width, depth, top = size
    height, middle = top - ground, (top + ground) / 2
    corner = style.number("corner", 0.06, 0.1) if kind == "retro" else 0.012
    body = prism(rectangle(width, height, corner=corner), depth, along="y").at(0, depth / 2, middle)
    solids = [box((0.8 * width, 0.06, 0.2), (0, depth + 0.02, ground + 0.14), bevel=0.01)]
    if kind == "mini" and style.maybe("worktop", 0.5):
        solids.append(box((width + 0.02, depth + 0.07, 0.03), (0, depth / 2 - 0.035, top + 0.014), bevel=0.006))
    elif kind != "retro" and style.maybe("hinge caps", 0.5):
        ends = [{"left": -1, "right": 1}[bay.hinge] for bay in bays if bay.hinge != "drawer"]
        solids += [box((0.07, 0.1, 0.024), (s * (width / 2 - 0.045), 0.04, top + 0.01), bevel=0.006) for s in ends]
    if sign:
        solids.append(box((width, 0.08, sign), (0, -0.035, top - sign / 2), bevel=0.012))
    cavities = []
    for bay in bays:
        cavities.append(box((bay.width - _WALL, 2 * (depth - _WALL), bay.height - _WALL), (bay.x, 0, bay.z)))
    walls = [box((0.035, depth, height), (s * (width / 2 - 0.0175), depth / 2, middle)) for s in (-1, 1)]
    walls += [box((width, depth, 0.035), (0, depth / 2, z)) for z in (ground + 0.0175, top - 0.0175)]
    walls += [box((width, _WALL, height), (0, depth - _WALL / 2, middle)), *solids]
    return union(body, *solids).minus(*cavities, pieces=walls)


def _door(style: Style, kind: str) -> Callable[[_Bay, bool], Part]:
    """Fronts of one kind with handles of one kind, for doors and drawers."""
    fronts = {"flat": 2.0, "soft": 1.5, "bowed": 1.5, "panelled": 0.7, "grooved": 0.5}
    front = {"cooler": "window", "retro": "round"}.get(kind) or style.pick("front", fronts)
    thick, border = style.number("door thickness", 0.05, 0.075), style.number("border", 0.05, 0.09)
    bow = style.number("bow", 0.015, 0.035) if front == "bowed" else 0.0
    swing, pulled = style.number("swing", 30, 115), style.number("pulled", 0.12, 0.28)
    handle, inset = _handle(style, kind), style.number("handle inset", 0.045, 0.07)
    stretch, badge = style.number("handle length", 0.2, 0.85), style.maybe("badge", 0.8 if kind == "retro" else 0.3)
    gadget = style.pick("gadget", {"none": 2, "dispenser": 2, "screen": 1}) if kind in _GADGETS else "none"

    def slab(width: float, height: float) -> Solid:
        """From y = -thick to 0, around the origin."""
        if front == "round":
            return _pillow(rectangle(width, height, corner=0.09), thick)
        if front == "soft":
            return _pillow(rectangle(width, height, corner=0.02), thick)
        if front == "window":
            frame = rectangle(width, height).minus(rectangle(width - 2 * border, height - 2.4 * border, corner=0.02))
            return prism(frame, thick, along="y").at(y=-thick / 2)
        if front == "bowed":
            u = np.linspace(-1, 1, 13)
            arc = [(x * width / 2, -thick - bow * (1 - x**2)) for x in u]
            return board(polygon([*arc, (width / 2, 0), (-width / 2, 0)]), height, (0, 0, -height / 2), bevel=0.006)
        body = box((width, thick, height), (0, -thick / 2, 0), bevel=0.008)
        if front == "panelled":
            return body.minus(box((width - 2 * border, 0.03, height - 2 * border), (0, -thick, 0)))
        if front == "grooved":
            xs = np.arange(-width / 2 + 0.06, width / 2 - 0.03, 0.06)
            return body.minus(*(box((0.008, 0.012, height - 0.04), (x, -thick, 0)) for x in xs))
        return body

    def furnished(body: Solid, height: float) -> Solid:
        """With what may stand out from an upper front or be let into it."""
        y, solids = -thick - bow, []
        if gadget == "dispenser" and height > 0.8:
            body = body.minus(box((0.22, 0.09, 0.3), (0, y, 0.08), bevel=0.01))
            solids += [box((0.26, 0.02, 0.1), (0, y, 0.29)), box((0.05, 0.04, 0.08), (0, y + 0.03, 0.2))]
        if gadget == "screen" and height > 0.8:
            solids.append(box((0.28, 0.02, 0.42), (0, y, 0.12), bevel=0.006))
        if badge and front != "window":
            solids.append(box((0.14, 0.016, 0.03), (0, y, height / 2 - 0.09), bevel=0.004))
        return union(body, *solids)

    def make(bay: _Bay, opened: bool) -> Part:
        width, height, side = bay.width - 0.006, bay.height - 0.006, {"left": 1, "right": -1}.get(bay.hinge, 0)
        body, x = slab(width, height), side * (width / 2 - inset)
        if side >= 0 and height > 0.3 and bay.z > 0.6:
            body = furnished(body, height)
        if opened and side:
            inside = _racks(width, height) if front != "window" else []
            body = union(body, *inside, *_hinges(-side * width / 2, height))
        elif not side:
            body = union(body, _tray(width, height))
        reach = max(min(stretch * height, height - 0.12), 0.14) if side else 0.6 * width
        play = (height - reach) / 2 - 0.05
        z = float(np.clip(1.05 - bay.z, -play, play)) if side else height / 2 - inset
        grip = handle(reach).turned(y=0 if side else 90).at(x, -thick - bow * (1 - (2 * x / width) ** 2), z)
        solids = {"door_frame": body, "handle": grip}
        whole = part("door", [leaf(name, solid.at(bay.x, 0, bay.z)) for name, solid in solids.items()])
        if not side:
            return sliding(whole, (0, -1, 0), (0, 0.8 * _TRAY), stands=pulled * opened)
        hinge = (bay.x - side * width / 2, 0, 0)
        return turning(whole, (0, 0, -side), hinge, (0, 120), stands=swing * opened)

    return make


def _pillow(outline: Outline, thick: float) -> Solid:
    """A front from y = -thick to 0 whose rim is rounded towards -y."""
    radius = 0.6 * thick
    rims = [np.column_stack([outline.corners()[0], np.zeros(len(outline.corners()[0]))])]
    for turn in np.linspace(0, np.pi / 2, 5):
        rim = outline.grown(-radius * (1 - np.cos(turn))).corners()[0]
        rims.append(np.column_stack([rim, np.full(len(rim), thick - radius * (1 - np.sin(turn)))]))
    return hull(np.concatenate(rims)).turned(x=90)


def _racks(width: float, height: float) -> list[Solid]:
    """Open boxes on the inside of a door, for bottles."""
    rack = box((width - 0.16, 0.09, 0.09), (0, 0.043, 0)).minus(box((width - 0.18, 0.075, 0.09), (0, 0.043, 0.01)))
    return [rack.at(z=z) for z in np.arange(0.14 - height / 2, height / 2 - 0.12, 0.27)]


def _hinges(x: float, height: float) -> list[Solid]:
    return [cylinder(0.01, 0.05, (x, 0, s * (height / 2 - 0.06) - 0.025)) for s in (-1, 1)]


def _tray(width: float, height: float) -> Solid:
    """The box of a drawer behind its front, on the floor of its compartment."""
    wide, tall = width - _WALL - 0.004, 0.6 * height
    y, z = _TRAY / 2 - 0.003, (_WALL + tall - height) / 2 - 0.001
    return box((wide, _TRAY, tall), (0, y, z)).minus(box((wide - 0.02, _TRAY - 0.02, tall), (0, y, z + 0.01)))


def _handle(style: Style, kind: str) -> Handle:
    """A round or square bar on two studs, a bow, a grip plate, a strip along the edge, or a lever."""
    kinds = {"round": 2.0, "square": 1.5, "bow": 1.5, "plate": 1.0, "strip": 1.0}
    design = style.pick("handle", {"lever": 2.0, "bow": 1.0, "round": 1.0} if kind == "retro" else kinds)
    thick, out = style.number("handle thickness", 0.016, 0.026), style.number("handle reach", 0.035, 0.055)

    def make(length: float) -> Solid:
        end = length / 2
        if design == "bow":
            arc = [(0, 0.02, -end), (0, -0.6 * out, -0.92 * end), (0, -out, -0.5 * end)]
            return tube(bent([*arc, *((0, y, -z) for _, y, z in reversed(arc))]), thick / 2, segments=10)
        if design == "plate":
            plate = box((0.05, 0.014, min(length, 0.3)), bevel=0.004)
            return union(plate, bar((0, -0.012, -0.12), (0, -0.012, 0.12), 0.014, 0.03, bevel=0.004))
        if design == "strip":
            return box((0.022, 0.05, length), (0, -0.01, 0), bevel=0.008)
        if design == "lever":
            stem = cylinder(0.03, 0.05, bevel=0.008).turned(x=90).at(y=0.01)
            arm = bar((0, -out, 0.03), (0, -out - 0.01, -0.19), 0.034, 0.018, taper=0.6, bevel=0.005)
            return union(stem, arm, bar((0, 0, 0.01), (0, -out, 0.01), 0.026, round=True))
        grip = bar((0, -out, -end), (0, -out, end), thick, round=design == "round", bevel=0.004)
        studs = [
            bar((0, 0.02, z), (0, -out, z), 0.8 * thick, round=design == "round") for z in (0.04 - end, end - 0.04)
        ]
        return union(grip, *studs)

    return make


def _shelf(style: Style, kind: str, depth: float) -> Callable[[_Bay], list[Solid]]:
    """Sheets with a raised front edge, or wire racks."""
    wire, gap = style.maybe("wire", 0.8 if kind == "cooler" else 0.25), style.number("shelf gap", 0.22, 0.32)
    deep = depth - _WALL - 0.1

    def make(bay: _Bay) -> list[Solid]:
        wide, inside = bay.width - _WALL + 0.004, bay.height - _WALL
        solid = union(box((wide, deep, 0.01)), box((wide, 0.014, 0.026), (0, -deep / 2, 0), bevel=0.003))
        if wire:
            rods = [
                bar((-wide / 2, y, 0), (wide / 2, y, 0), 0.012, round=True, sides=8) for y in (-deep / 2, 0, deep / 2)
            ]
            for x in np.linspace(-0.48, 0.48, 15) * wide:
                rods.append(bar((x, -deep / 2, 0), (x, deep / 2, 0), 0.006, round=True, sides=6))
            solid = union(*rods)
        count = max(round(inside / gap) - 1, 1)
        heights = bay.z - inside / 2 + inside * (np.arange(count) + 1) / (count + 1)
        return [solid.at(bay.x, depth - _WALL - deep / 2 - 0.002, z) for z in heights]

    return make


def _base(style: Style, kind: str, width: float, depth: float) -> tuple[Part | None, float]:
    """Feet, or a set-back plinth with slots, or nothing; and how high the cabinet stands on it."""
    retro = kind == "retro"
    design = style.pick("base", {"feet": 2.0, "plinth": 0.4 if kind in ("retro", "mini") else 2.0, "none": 0.4})
    if design == "none":
        return None, 0.0
    if design == "plinth":
        high = style.number("plinth", 0.05, 0.1)
        slots = [box((width - 0.16, 0.03, 0.008), (0, 0.03, z)) for z in np.arange(0.02, high - 0.01, 0.018)]
        body = box((width - 0.03, depth - 0.04, high + 0.004), (0, depth / 2 + 0.01, high / 2 + 0.002))
        return part("base", part("surface_base", leaf("surface", body.minus(*slots)))), high
    high = style.number("feet", *((0.07, 0.16) if retro else (0.015, 0.05)))
    thick, out = style.number("foot thickness", 0.03, 0.05), style.number("splay", 0, 0.03) if retro else 0.0
    feet = []
    for sx, y, sy in [(sx, y, sy) for sx in (-1, 1) for y, sy in ((0.05, -1), (depth - 0.05, 1))]:
        x = sx * (width / 2 - 0.06)
        foot = bar((x, y, high + 0.004), (x + out * sx, y + out * sy, 0), thick, round=True, taper=0.75)
        feet.append(leaf("foot", foot))
    return part("base", part("foot_base", feet)), high
