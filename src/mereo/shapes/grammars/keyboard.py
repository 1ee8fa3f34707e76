"""Keyboards: a frame and its keys, each of which can be pressed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mereo.shapes.appliances import spaced
from mereo.shapes.articulation import moved, sliding
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joint import about_axis
from mereo.shapes.keys import keys_of
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cylinder, hull, lathe, prism, tube, union
from mereo.shapes.style import Style

_PITCH = 0.019
"""From key to key, meters."""
_KINDS = {"slim": 2, "classic": 2, "bare": 1.6, "home computer": 1, "typewriter": 1.2, "bent": 1.4, "halves": 1.2}
_LAYOUTS = {"full": 1.2, "media": 0.6, "tenkeyless": 1.4, "compact": 2.2, "column": 1.2}

KeyMaker = Callable[[float], Part]
"""From a key's width to the key, its middle over the origin, its foot at z = 0."""


@grammar("keyboard")
def keyboard(style: Style) -> Part:
    """Made level, with the face that keys stand on at z = 0, and then raised at the back."""
    kind = style.pick("kind", _KINDS)
    slope, key = style.number("slope", 2, 7), _key(style, kind)
    raised = about_axis((1, 0, 0), (0, 0, 0), slope)
    if kind in ("bent", "halves"):
        frames, places = _in_two(style, kind, slope)
    else:
        layout = style.pick("layout", _LAYOUTS)
        across, away = keys_of(layout)[1]
        frames, places = [_frame(style, kind, across * _PITCH, away * _PITCH, slope)], {layout: np.eye(4)}
    keys = [_placed(layout, key, raised @ place) for layout, place in places.items()]
    return part("keyboard", [moved(leaf("frame", frame), raised) for frame in frames], *keys)


def _placed(layout: str, key: KeyMaker, place: Floats) -> list[Part]:
    """Keys at their places, those of one width made once. place : (4, 4) float, what moves all of them"""
    found, _ = keys_of(layout)
    made = {width: key(width) for width in dict.fromkeys(one.width for one in found)}
    parts = []
    for one in found:
        matrix = place.copy()
        matrix[:3, 3] += place[:3, :3] @ (_PITCH * one.x, _PITCH * one.y, 0.0)
        parts.append(moved(made[one.width], matrix))
    return parts


def _key(style: Style, kind: str) -> KeyMaker:
    """Keys of one design: flat tiles, caps that narrow upwards, or round ones on stems."""
    design = {"typewriter": "round", "slim": "tile"}.get(kind) or style.pick("keys", {"cap": 3, "tile": 1, "dish": 1})
    high = 0.0035 if design == "tile" else style.number("key height", 0.007, 0.011)
    fill, narrow = style.number("key fill", 0.82, 0.94), style.number("key taper", 0.6, 0.78)

    def make(width: float) -> Part:
        wide, deep = _PITCH * (width - 1 + fill), _PITCH * fill
        if design == "round" and width < 1.4:
            solid = lathe(
                [(0.003, -0.002), (0.003, high - 0.002), (deep / 2, high), (deep / 2, high + 0.003)], segments=14
            )
        elif design in ("tile", "round"):
            tall = high + 0.003 if design == "round" else high
            solid = board(rectangle(wide, deep, corner=0.003, segments=12), tall + 0.002, (0, 0, -0.002))
        else:
            inset = (1 - narrow) * deep / 2
            top = rectangle(wide - 2 * inset, deep - 2 * inset, corner=0.4 * inset * (design == "dish"), segments=8)
            points = [np.pad(rectangle(wide, deep).corners()[0], ((0, 0), (0, 1)), constant_values=-0.002)]
            points.append(np.pad(top.corners()[0] + (0, 0.0006), ((0, 0), (0, 1)), constant_values=high))
            solid = hull(np.concatenate(points))
        return sliding(leaf("key", solid, "plastic"), (0, 0, -1), (0, 0.003))

    return make


def _frame(style: Style, kind: str, across: float, away: float, slope: float) -> Solid:
    """What the keys stand on, its face at z = 0: a thin sheet, a tray with a rim, a bare plate, or a whole computer."""
    side, rise = style.number("side", 0.006, 0.022), math.tan(math.radians(slope))
    if kind in ("slim", "bare"):
        thick, edge = (0.008, side) if kind == "slim" else (0.012, 0.005)
        plate = board(rectangle(across + 2 * edge, away + 2 * edge, corner=0.012 if kind == "slim" else 0.002), thick)
        tall = thick + (0.9 * away + edge) * rise
        props = [(0.0, 0.96 * across)] if kind == "slim" else [(x, 0.03) for x in spaced(2, 0.8 * across)]
        legs = [box((wide, 0.014, tall - 0.004), (x, 0.4 * away, -tall / 2 - 0.002), bevel=0.002) for x, wide in props]
        return union(plate.at(z=-thick), *legs)
    rear = style.number("rear", 0.02, 0.05) if kind == "classic" else style.number("rear", 0.07, 0.13)
    rest = style.number("palm rest", 0.05, 0.08) if kind == "classic" and style.maybe("palms rest", 0.35) else side
    step = 0.006 if kind == "classic" else 0.018
    front, back = -away / 2 - rest, away / 2 + rear
    low = -0.014 - (back - front) * rise
    face = [(-away / 2 - 0.004, 0.004), (away / 2 + 0.004, 0.004), (away / 2 + 0.01, step)]
    profile = polygon([(front, -0.014), (back, low), (back, step), *reversed(face), (front, 0.001)])
    body = prism(profile, across + 2 * side, along="x")
    well = box((across + 0.006, away + 0.006, 0.02), (0, 0, 0.0095))
    parts = [
        body.minus(
            well,
            pieces=[_wedge(rectangle(across + 2 * side, back - front).at(0, (front + back) / 2).corners()[0], slope)],
        )
    ]
    if kind == "home computer":
        y = away / 2 + rear / 2 + 0.005
        slots = [box((0.3 * across, 0.004, 0.008), (0.3 * across, y + s, step)) for s in spaced(5, 0.011)]
        parts = [parts[0].minus(*slots)]
    elif kind == "typewriter":
        y = away / 2 + 0.55 * rear
        roll = bar((-0.46 * across, y, 0.024), (0.46 * across, y, 0.024), 0.032, round=True)
        ends = [
            cylinder(0.02, 0.014, bevel=0.003).turned(y=90).at(x, y, 0.024)
            for x in (0.46 * across, -0.46 * across - 0.014)
        ]
        parts += [roll, *ends]
    return union(*parts)


def _in_two(style: Style, kind: str, slope: float) -> tuple[list[Solid], dict[str, Floats]]:
    """Two halves, turned towards the hands: on one bent frame, or apart with a cable between them."""
    turn, rim = style.number("turn", 6, 14), style.number("rim", 0.008, 0.02)
    apart = style.number("apart", 0.07, 0.14) if kind == "halves" else style.number("apart", 0.02, 0.035)
    rest = style.number("palm rest", 0.05, 0.075) * style.maybe("palms rest", 0.6)
    borders, places = [], {}
    for layout, side in (("left", -1), ("right", 1)):
        wide, deep = (_PITCH * size for size in keys_of(layout)[1])
        place, lean = about_axis((0, 0, 1), (0, 0, 0), side * turn), math.radians(turn)
        place[0, 3] = side * (apart / 2 + wide / 2 * math.cos(lean) + deep / 2 * math.sin(lean))
        places[layout] = place
        border = (
            rectangle(wide + 2 * rim, deep + 2 * rim + rest, corner=0.015, segments=16).at(0, -rest / 2).corners()[0]
        )
        borders.append(border @ place[:2, :2].T + place[:2, 3])
    if kind == "bent":
        return [_wedge(np.concatenate(borders), slope)], places
    x = apart / 2 + 0.02
    cable = tube(
        bent([(-x, 0.02, -0.006), (-0.3 * x, 0.06, -0.006), (0.3 * x, 0.06, -0.006), (x, 0.02, -0.006)]),
        0.003,
        segments=8,
    )
    return [*(_wedge(border, slope) for border in borders), cable], places


def _wedge(border: Floats, slope: float) -> Solid:
    """A convex block under z = 0 whose underside is level once the slope is given to it. border : (k, 2) float"""
    under = -0.012 - math.tan(math.radians(slope)) * (border[:, 1] - border[:, 1].min())
    return hull(np.concatenate([np.column_stack([border, np.zeros(len(border))]), np.column_stack([border, under])]))
