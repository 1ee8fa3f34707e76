"""Doors in their frames: hinged, double, sliding, with panels, panes and slats. The wall is the plane y = 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from mereo.shapes.articulation import moved, sliding, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Span, leaves
from mereo.shapes.joint import shifted
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, box, cylinder, lathe, prism, tube, union
from mereo.shapes.style import Style

Pane = Callable[[float, float], list[Part]]
"""From width and height to the boards of a door around x = 0, from z = 0 up."""

_DEEP = 0.04
"""How thick a door is, meters."""


@grammar("door")
def door(style: Style) -> Part:
    """One leaf or two, hinged or on a rail, with handles and, nearly always, a frame around it."""
    kind = style.pick("kind", {"single": 4, "double": 1.6, "barn": 1, "patio": 1, "stable": 0.7, "saloon": 0.7})
    height = style.number("height", 1.95, 2.25)
    width = style.number("width", 0.7, 0.95) * (1 if kind in ("single", "barn", "stable") else 1.8)
    make = {"barn": _barn, "patio": _patio, "stable": _stable, "saloon": _saloon}.get(kind, _hinged)
    frame, doors = make(style, width, height)
    return part("door_set", frame, doors)


def _hinged(style: Style, width: float, height: float) -> tuple[Part | None, list[Part]]:
    """One leaf, or two that meet in the middle; some beneath an arch or a window."""
    arched = width < 1.1 and style.maybe("arched", 0.25)
    pane, handle = _pane(style, arched=arched), _handle(style)
    swing, left = style.number("swing", 20, 110) * style.maybe("open", 0.4), style.maybe("left hinge", 0.5)
    doors = []
    if width < 1.1:
        doors.append(_leaf(pane, handle, (-width / 2, width / 2), (0.006, height), left=left, swing=swing))
    else:
        both = style.maybe("both open", 0.5)
        doors.append(_leaf(pane, handle, (-width / 2, -0.001), (0.006, height), left=True, swing=swing))
        doors.append(_leaf(pane, handle, (0.001, width / 2), (0.006, height), left=False, swing=swing * both))
    if width < 1.1 and style.maybe("no frame", 0.12):
        return None, doors
    sides = (-width / 2, width / 2) if width > 1.1 else (-width / 2,) if left else (width / 2,)
    hinges = [(x, z) for x in sides for z in (0.25, 0.75 * height)]
    return leaf("outside_frame", _frame(style, width, height, hinges, arched=arched)), doors


def _leaf(
    pane: Pane, handle: Callable[[float, float], Part | None], xs: Span, zs: Span, *, left: bool, swing: float = 0.0
) -> Part:
    """A door between two sides, hinged on one of them. swing : degrees, towards the viewer"""
    wide, side = xs[1] - xs[0], 1 if left else -1
    body = part("door_body", (moved(board, shifted(sum(xs) / 2, z=zs[0])) for board in pane(wide, zs[1] - zs[0])))
    grip = handle(sum(xs) / 2 + side * (wide / 2 - 0.07), -side)
    hinge = (xs[0] if left else xs[1], -_DEEP / 2, 0)
    return turning(part("door", body, grip), (0, 0, -side), hinge, (0, 120), stands=swing)


def _pane(style: Style, *, arched: bool = False) -> Pane:
    """What the leaf of a door is: flush, panelled, of planks or slats, or of glass in bars."""
    kind = style.pick("pane", {"flush": 1, "panelled": 3, "planks": 1.2, "glazed": 2, "slats": 1, "porthole": 0.7})
    material = style.pick("board", {"wood": 2, "painted_wood": 2.5, "metal": 0.5})
    stile, rows, columns = style.number("stile", 0.09, 0.13), style.count("rows", 1, 4), style.count("columns", 1, 2)
    lower = style.number("lower panel", 0.25, 0.5) if style.maybe("solid below", 0.5) else 0.0
    brace = style.pick("brace", {"none": 1, "two": 1, "z": 1})

    def make(width: float, height: float) -> list[Part]:
        flat = _outline(width, height, arched=arched)
        top = height - (0.28 * width if arched else 0.0)
        holes = _openings(width, top, stile, rows, columns, lower if kind == "glazed" else 0.0)
        wide = min(width, 0.9)
        if kind == "porthole":
            hole = ellipse(0.45 * wide, 0.45 * wide).at(0, 0.72 * top)
            glass = cylinder(0.24 * wide, 0.008, (0, 0, -0.004)).turned(x=90).at(0, 0, 0.72 * top)
            return [leaf("surface_board", prism(flat.minus(hole), _DEEP, along="y"), material), _glass(glass)]
        if kind in ("glazed", "slats", "panelled"):
            cuts = [rectangle(b - a, d - c).at((a + b) / 2, (c + d) / 2) for (a, b), (c, d) in holes]
            frame = leaf("surface_board", prism(flat.minus(*cuts), _DEEP, along="y"), material)
            return [frame, *_fillings(kind, holes, material)]
        slab = prism(flat, _DEEP, along="y")
        if kind == "planks":
            slab = _planks(slab, width, top, brace)
        return [leaf("surface_board", slab, material)]

    return make


def _openings(
    width: float, height: float, stile: float, rows: int, columns: int, lower: float
) -> list[tuple[Span, Span]]:
    """What is let into a door, each by its sides and its foot and top."""
    columns = 1 if width < 0.55 else columns
    xs = np.linspace(stile - width / 2, width / 2 - stile, columns + 1)
    zs = np.linspace(max(1.6 * stile, lower * height), height - stile, rows + 1)
    gap = 0.3 * stile
    return [
        (
            (float(a) + gap * (k > 0), float(b) - gap * (k < columns - 1)),
            (float(c) + gap * (j > 0), float(d) - gap * (j < rows - 1)),
        )
        for k, (a, b) in enumerate(pairwise(xs))
        for j, (c, d) in enumerate(pairwise(zs))
    ]


def _fillings(kind: str, holes: list[tuple[Span, Span]], material: str) -> list[Part]:
    """Panes of glass, panels with a raised field, or slats that slope."""
    found = []
    for (a, b), (c, d) in holes:
        size, at = (b - a + 0.012, d - c + 0.012), ((a + b) / 2, 0.0, (c + d) / 2)
        if kind == "glazed":
            found.append(_glass(box((size[0], 0.006, size[1]), at)))
        elif kind == "panelled":
            field = box((max(size[0] - 0.08, 0.05), 0.03, max(size[1] - 0.08, 0.05)), at, bevel=0.006)
            found.append(leaf("surface_board", union(box((size[0], 0.014, size[1]), at), field), material))
        else:
            zs = np.linspace(c + 0.02, d - 0.02, max(round((d - c) / 0.06), 3))
            slat = box((size[0], 0.006, 0.05)).turned(x=-35)
            found += leaves("surface_board", [union(*(slat.at(at[0], 0, z) for z in zs))])
    return found


def _planks(slab: Solid, width: float, height: float, brace: str) -> Solid:
    """Grooves between boards, and battens across them."""
    xs = np.arange(-width / 2 + 0.12, width / 2 - 0.05, 0.12)
    grooved = slab.minus(*(box((0.006, 0.012, 3 * height), (x, -_DEEP / 2, 0)) for x in xs))
    battens = [box((width - 0.06, 0.02, 0.1), (0, -_DEEP / 2 - 0.006, z), bevel=0.003) for z in (0.25, height - 0.25)]
    if brace == "z":
        low, high = (-width / 2 + 0.1, -_DEEP / 2 - 0.007, 0.25), (width / 2 - 0.1, -_DEEP / 2 - 0.007, height - 0.25)
        battens.append(bar(low, high, 0.018, 0.09, facing=np.array([1.0, 0.0, -0.5])))
    return union(grooved, *battens) if brace != "none" else grooved


def _glass(solid: Solid) -> Part:
    return leaf("surface_board", solid, "glass")


def _frame(style: Style, width: float, height: float, hinges: Iterable[Span] = (), *, arched: bool = False) -> Solid:
    """Jambs and a lintel flush with the door's face, maybe with a sill and a crown. hinges : their places, x and z"""
    wide, deep = style.number("jamb", 0.06, 0.11), style.number("frame depth", 0.1, 0.18)
    top = height + 0.008
    outer = rectangle(width + 2 * wide, top + wide).at(0, (top + wide) / 2)
    inner = _outline(width + 0.006, top + 0.1, arched=arched).at(0, -0.1)
    crown, sill = style.maybe("crown", 0.3), style.maybe("sill", 0.4)
    posts = [box((wide, deep, top + wide), (side * (width + wide) / 2, 0, (top + wide) / 2)) for side in (-1, 1)]
    beam = box((width + 2 * wide, deep, wide), (0, 0, top + wide / 2))
    ring = prism(outer.minus(inner), deep, along="y")
    extra = [box((width + 2 * wide + 0.08, deep + 0.05, 0.05), (0, 0, top + wide + 0.02), bevel=0.008)] if crown else []
    extra += [box((width + 2 * wide - 0.01, deep - 0.02, 0.005), (0, 0, 0.0025))] if sill else []
    extra += [cylinder(0.007, 0.09, (x, -deep / 2 - 0.004, z)) for x, z in hinges]
    solid = union(ring, *extra) if extra else ring
    whole = Solid(solid.body, tuple(piece for each in (*posts, beam, *extra) for piece in each.pieces))
    return whole.at(y=deep / 2 - 0.018)


def _outline(width: float, height: float, *, arched: bool) -> Outline:
    """A door seen from the front, its foot at the origin."""
    if not arched:
        return rectangle(width, height).at(0, height / 2)
    rise = 0.25 * width
    arc = [(width / 2 * np.cos(t), height - rise + rise * np.sin(t)) for t in np.linspace(0, np.pi, 17)]
    return polygon([(-width / 2, 0), (width / 2, 0), *arc])


def _handle(style: Style) -> Callable[[float, float], Part | None]:
    """A knob or lever that turns on a plate or rosette, on both faces of the door; or a bar to pull."""
    kind, at = (
        style.pick("handle", {"knob": 2, "lever": 3, "pull": 1.2, "ring": 0.6}),
        style.number("handle height", 0.95, 1.08),
    )
    long_plate, material = (
        style.maybe("long plate", 0.4),
        style.pick("handle material", {"metal": 4, "plastic": 0.5, "ceramic": 0.4}),
    )
    length, curved = style.number("handle length", 0.1, 0.14), style.maybe("curved lever", 0.4)
    tall = style.number("pull length", 0.25, 0.8)

    def make(x: float, side: float) -> Part:
        y = -_DEEP / 2
        back = box((0.045, 0.012, 0.22), (0, y - 0.003, -0.03), bevel=0.003) if long_plate else None
        rosette = back or lathe([(0.028, -0.003), (0.028, 0.006), (0.022, 0.009)], segments=20).turned(x=90).at(y=y)
        if kind == "pull":
            posts = [bar((0, y + 0.004, z), (0, y - 0.05, z), 0.018, round=True) for z in (-0.4 * tall, 0.4 * tall)]
            rod = bar((0, y - 0.05, -tall / 2), (0, y - 0.05, tall / 2), 0.024, round=True)
            return part("handle", leaf("fixed_part", _both(union(rod, *posts)).at(x, 0, at), "metal"))
        if kind == "knob":
            profile = [(0.01, -0.004), (0.01, 0.03), (0.024, 0.036), (0.029, 0.05), (0.02, 0.064)]
            solid = lathe(profile, segments=20).turned(x=90).at(y=y - 0.004)
        elif kind == "ring":
            turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
            path = np.stack([0.035 * np.sin(turns), np.full(20, y - 0.02), -0.03 - 0.035 * np.cos(turns)], 1)
            solid = union(
                tube(path, 0.005, segments=8, closed=True), bar((0, y, 0), (0, y - 0.024, 0), 0.016, round=True)
            )
        else:
            ends = [(0, y, 0), (0, y - 0.05, 0), (side * 0.3 * length, y - 0.055, 0.006 * curved)]
            tip = (side * length, y - 0.05, -0.012 * curved)
            solid = tube(bent([*ends, tip]), 0.0095, segments=10)
        fixed = leaf("fixed_part", _both(rosette).at(x, 0, at), "metal")
        movable = leaf("movable_part", _both(solid).at(x, 0, at), material)
        reach = (-60.0, 60.0) if kind != "lever" else ((0.0, 60.0) if side > 0 else (-60.0, 0.0))
        return part("handle", fixed, turning(movable, (0, 1, 0), (x, 0, at), reach))

    return make


def _both(solid: Solid) -> Solid:
    """The same on either face of a door, joined through it."""
    spindle = box((0.008, _DEEP, 0.008))
    return union(solid, solid.mirrored("y"), spindle)


def _barn(style: Style, width: float, height: float) -> tuple[Part | None, list[Part]]:
    """A door that hangs on rollers from a rail before the opening."""
    pane, handle = _pane(style), _pull(style)
    body = part("door_body", pane(width, height))
    hangers = [box((0.05, 0.012, 0.24), (side * 0.3 * width, -0.026, height + 0.02)) for side in (-1, 1)]
    wheel = cylinder(0.045, 0.02, bevel=0.003).turned(x=90)
    rollers = [wheel.at(side * 0.3 * width, -0.006, height + 0.105) for side in (-1, 1)]
    fixed = leaves("fixed_part", [union(hanger, roller) for hanger, roller in zip(hangers, rollers, strict=True)])
    moving = part("door", body, part("handle", fixed, handle(0.42 * width)))
    rail = box((1.9 * width, 0.012, 0.05), (-0.45 * width, -0.014, height + 0.038))
    wall = _frame(style, 0.96 * width, height - 0.01)
    back = wall.at(y=0.06)
    bolts = [
        bar((x, -0.014, height + 0.038), (x, 0.1, height + 0.038), 0.02, round=True)
        for x in (-0.3 * width, 0.3 * width)
    ]
    frame = leaf("outside_frame", union(back, rail, *bolts))
    gone = width * style.number("slid", 0.2, 0.85) * style.maybe("open", 0.45)
    return frame, [sliding(moving, (-1, 0, 0), (0, 0.9 * width), stands=gone)]


def _pull(style: Style) -> Callable[[float], Part]:
    """An upright bar to push and pull by."""
    long = style.number("pull length", 0.2, 0.5)

    def make(x: float) -> Part:
        y = -_DEEP / 2
        posts = [
            bar((x, y + 0.004, 1 + z), (x, y - 0.045, 1 + z), 0.018, round=True) for z in (-0.4 * long, 0.4 * long)
        ]
        rod = bar((x, y - 0.045, 1 - long / 2), (x, y - 0.045, 1 + long / 2), 0.022, round=True)
        return leaf("fixed_part", union(rod, *posts), "metal")

    return make


def _patio(style: Style, width: float, height: float) -> tuple[Part | None, list[Part]]:
    """Two wide panes of glass in one frame; the front one slides before the other."""
    bars, pull = style.count("bars", 0, 3), _pull(style)
    stile, material = (
        style.number("stile", 0.05, 0.09),
        style.pick("board", {"metal": 2, "painted_wood": 1, "plastic": 1}),
    )
    half, tall = width / 2 + 0.03, height - 0.02

    def panel(x: float, y: float, *, grip: bool) -> Part:
        zs = np.linspace(1.3 * stile, tall - stile, bars + 2)
        holes = [rectangle(half - 2 * stile, b - a - 0.02).at(0, (a + b) / 2) for a, b in pairwise(zs)]
        rim = prism(rectangle(half, tall).at(0, tall / 2).minus(*holes), _DEEP, along="y")
        glass = box((half - 2 * stile + 0.01, 0.006, tall - 2 * stile), (0, 0, tall / 2))
        body = part("door_body", leaf("surface_board", rim.at(x, y, 0.012), material), _glass(glass.at(x, y, 0.012)))
        side = 1 if x < 0 else -1
        hand = part("handle", moved(pull(x - side * (half / 2 - stile / 2)), shifted(y=y))) if grip else None
        return part("door", body, hand)

    front, back = panel(-width / 4, -0.022, grip=True), panel(width / 4, 0.022, grip=False)
    gone = width / 2 * style.number("slid", 0.2, 0.9) * style.maybe("open", 0.5)
    track = box((width + 0.04, 0.095, 0.014), (0, 0, 0.007))
    frame = leaf("outside_frame", union(_frame(style, width + 0.03, height).at(y=-0.035), track))
    return frame, [sliding(front, (1, 0, 0), (0, 0.45 * width), stands=min(gone, 0.45 * width)), back]


def _stable(style: Style, width: float, height: float) -> tuple[Part | None, list[Part]]:
    """Two halves, one above the other, each on hinges of its own."""
    cut, pane, handle = height * style.number("cut", 0.5, 0.6), _pane(style), _handle(style)
    left, swing = style.maybe("left hinge", 0.5), style.number("swing", 20, 100) * style.maybe("open", 0.6)
    low = _leaf(pane, handle, (-width / 2, width / 2), (0.006, cut - 0.002), left=left)
    high = _leaf(pane, lambda x, side: None, (-width / 2, width / 2), (cut + 0.002, height), left=left, swing=swing)
    side = -width / 2 if left else width / 2
    hinges = [(side, z) for z in (0.15, cut - 0.25, cut + 0.15, height - 0.25)]
    return leaf("outside_frame", _frame(style, width, height, hinges)), [low, high]


def _saloon(style: Style, width: float, height: float) -> tuple[Part | None, list[Part]]:
    """Two short leaves that swing both ways, high above the ground."""
    pane, low, tall = _pane(style), style.number("foot", 0.4, 0.6), style.number("leaf height", 0.8, 1.1)
    width *= 0.7
    swing = style.number("swing", 15, 80) * style.maybe("open", 0.5)
    hinges = [(x, z) for x in (-width / 2, width / 2) for z in (low + 0.08, low + tall - 0.17)]
    frame, doors = leaf("outside_frame", _frame(style, width, height, hinges)), []
    for left, xs in ((True, (-width / 2, -0.002)), (False, (0.002, width / 2))):
        doors.append(_leaf(pane, lambda x, side: None, xs, (low, low + tall), left=left, swing=swing))
    return frame, doors
