"""Displays: monitors and television sets, flat, curved or with a picture tube, each on a stand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mereo.shapes.appliances import soft, spaced
from mereo.shapes.articulation import turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Span, corners, leaves
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, curved_panel, cylinder, hull, sphere, union
from mereo.shapes.style import Style


class _Kind(NamedTuple):
    """How usual it is, the bounds of its width, of its height by its width, and of the room below it."""

    weight: float
    width: Span
    share: Span
    room: Span


_KINDS = {
    "monitor": _Kind(3.0, (0.42, 0.66), (0.56, 0.68), (0.07, 0.16)),
    "curved": _Kind(1.4, (0.68, 0.9), (0.4, 0.48), (0.07, 0.14)),
    "upright": _Kind(1.0, (0.28, 0.36), (1.5, 1.75), (0.05, 0.12)),
    "one piece": _Kind(1.6, (0.48, 0.64), (0.7, 0.8), (0.08, 0.14)),
    "double": _Kind(1.2, (0.42, 0.52), (0.58, 0.66), (0.1, 0.18)),
    "television": _Kind(2.4, (0.7, 1.45), (0.56, 0.6), (0.03, 0.09)),
    "tube": _Kind(1.8, (0.34, 0.5), (0.8, 0.92), (0.025, 0.05)),
    "old television": _Kind(1.4, (0.45, 0.65), (0.66, 0.78), (0.12, 0.3)),
}


_FIXED = ("television", "old television")
"""Kinds that do not tilt on their stands."""


@grammar("display")
def display(style: Style) -> Part:
    """The back of the panel lies at y = 0, the screen faces -y; panels tilt about a level axis at their middle."""
    name = style.pick("kind", {name: kind.weight for name, kind in _KINDS.items()})
    kind = _KINDS[name]
    width, room = style.number("width", *kind.width), style.number("room below", *kind.room)
    height = width * style.number("height", *kind.share)
    middle = room + height / 2
    bodies = {"tube": _tube, "old television": _tube, "curved": _curved}
    tilt = style.number("tilt", -4, 14) if name not in ("tube", *_FIXED) else 0.0
    frame, screen = bodies.get(name, _flat)(style, name, width, height)
    screens = []
    for x in spaced(2, width + 0.012) if name == "double" else [0.0]:
        made = part("display_screen", leaf("frame", frame.at(x, 0, middle)), leaf("screen", screen.at(x, 0, middle)))
        reach = (-3.0, 8.0) if name == "tube" else (-5.0, 20.0)
        screens.append(made if name in _FIXED else turning(made, (-1, 0, 0), (x, 0.01, middle), reach, stands=tilt))
    supports, surfaces = _stand(style, name, width, height, room)
    base = part("surface_base", leaves("base_support", supports), leaves("surface", surfaces))
    return part("display", screens, part("base", base))


def _flat(style: Style, name: str, width: float, height: float) -> tuple[Solid, Solid]:
    """A slab with a rim around the screen, thicker where its electronics are; one in one piece has a chin."""
    thick, rim = style.number("thickness", 0.018, 0.045), style.number("rim", 0.006, 0.03)
    corner = min(style.number("corner", 0.003, 0.02), 3 * rim)
    chin = 0.18 * height if name == "one piece" else rim + style.number("chin", 0.0, 0.02)
    body = soft(
        rectangle(width, height, corner=corner, segments=16), thick, 0.15 * thick, foot=0.4 * thick, steps=2
    ).turned(x=90)
    wide, tall, z = width - 2 * rim, height - rim - chin, (chin - rim) / 2
    hump = style.number("hump", 0.015, 0.05)
    back = (
        soft(rectangle(0.6 * width, 0.5 * height, corner=0.02, segments=12), hump, 0.6 * hump, steps=2)
        .turned(x=-90)
        .at(0, -0.003, -0.05 * height)
    )
    frame = union(body, back).minus(box((wide, 0.006, tall), (0, -thick, z)))
    return frame, box((wide + 0.001, 0.004, tall + 0.001), (0, 0.0035 - thick, z))


def _curved(style: Style, name: str, width: float, height: float) -> tuple[Solid, Solid]:
    """A panel whose ends come forward."""
    bow, rim = style.number("bow", 0.03, 0.07), style.number("rim", 0.008, 0.018)
    panel = curved_panel(width, height, 0.024, bow=bow).at(y=-bow - 0.012, z=-height / 2)
    hump = box((0.32 * width, 0.05, 0.5 * height), (0, 0.006, 0), bevel=0.015)
    flat = (width - 2 * rim) / width
    pane = curved_panel(width - 2 * rim, height - 3 * rim, 0.006, bow=bow * flat**2)
    return union(panel, hump), pane.at(y=-bow - 0.025 + bow * (1 - flat**2), z=-height / 2 + 1.8 * rim)


def _tube(style: Style, name: str, width: float, height: float) -> tuple[Solid, Solid]:
    """A deep body that narrows behind a bezel, before it a screen that bulges; an old set is a box with knobs."""
    deep, rim = width * style.number("depth", 0.65, 0.95), style.number("rim", 0.03, 0.05)
    old = name == "old television"
    corner = style.number("corner", 0.02, 0.07) if old else 0.015
    side = style.number("speaker", 0.16, 0.26) * width if old else 0.0
    bezel = soft(rectangle(width, height, corner=corner, segments=20), 0.6 * deep if old else 0.1, 0.014, steps=2)
    tail = 0.55 * width, 0.55 * height
    near, far = rectangle(0.94 * width, 0.94 * height).corners()[0], rectangle(*tail).corners()[0] - (0, 0.08 * height)
    rear = hull(
        np.concatenate([np.column_stack([near, np.full(4, 0.01)]), np.column_stack([far, np.full(4, -0.5 * deep)])])
    )
    wide, tall = width - 2 * rim - side, height - 2 * rim
    hole = board(rectangle(wide, tall, corner=0.03, segments=16), 0.06).turned(x=90).at(-side / 2, 0, 0)
    front = float(bezel.bounds()[1, 2])
    solids = [bezel.turned(x=90), rear.turned(x=90)]
    if old:
        spots = [0.3 * height, 0.12 * height]
        solids += [
            cylinder(0.24 * side, 0.03, (0, 0, -0.004), bevel=0.004)
            .turned(x=90)
            .at(width / 2 - 0.55 * side - 0.012, -front, z)
            for z in spots
        ]
        solids += [
            box((0.62 * side, 0.012, 0.012), (width / 2 - 0.55 * side - 0.012, -front, -0.1 * height - 0.03 * k))
            for k in range(5)
            if 0.1 * height + 0.03 * k < 0.42 * height
        ]
        solids += _antenna(style, height)
    screen = _bulge(wide + 0.002, tall + 0.002).at(-side / 2, 0.016 - front, 0)
    return union(*solids).minus(hole.at(y=0.03 - front)), screen


def _bulge(width: float, height: float) -> Solid:
    """A screen that stands out towards -y in its middle."""
    u = np.linspace(-1, 1, 9)
    x, z = (grid.ravel() for grid in np.meshgrid(u, u))
    front = np.column_stack([x * width / 2, -0.012 * (2 - x**2 - z**2), z * height / 2])
    return hull(np.concatenate([front, front * (1, 0, 1) + (0, 0.006, 0)]))


def _antenna(style: Style, height: float) -> list[Solid]:
    """Two rods that spread from a knob, if any."""
    if not style.maybe("antenna", 0.6):
        return []
    rods = [
        bar((0, -0.06, height / 2), (x, -0.06, height / 2 + 0.28), 0.006, round=True, sides=8) for x in (-0.16, 0.2)
    ]
    return [*rods, sphere(0.03, (0, -0.06, height / 2), segments=16)]


def _stand(style: Style, name: str, width: float, height: float, room: float) -> tuple[list[Solid], list[Solid]]:
    """What holds the panel, and what lies on the table."""
    if name == "television" and style.maybe("two feet", 0.6):
        return _two_feet(style, width, room)
    if name == "old television":
        return _legs(width, room)
    if name == "tube":
        foot = style.number("foot", 0.5, 0.66) * width
        plate = board(ellipse(foot, foot, segments=28), 0.018, (0, 0.02, 0), bevel=0.005)
        return [cylinder(0.3 * foot, room + 0.004, (0, 0.02, 0.012), top=0.36 * foot)], [plate]
    top, y = room + height * style.number("held at", 0.35, 0.5), 0.035
    outline = _foot(
        style, max(0.42 * width if name != "upright" else 0.7 * width, 0.18), style.number("foot depth", 0.17, 0.25)
    )
    plate = board(outline, style.number("foot thickness", 0.008, 0.016), (0, 0.02, 0))
    design = style.pick("neck", {"post": 2, "round": 1.5, "leaning": 1.2, "twin": 1, "sheet": 1.2})
    wide = style.number("neck width", 0.04, 0.09)
    if design == "round":
        neck = cylinder(0.3 * wide, top, (0, y + 0.03, 0.002))
    elif design == "leaning":
        neck = bar((0, 0.09, 0.004), (0, y, top), wide, 0.016)
    elif design == "twin":
        neck = union(*(cylinder(0.009, top, (x, y + 0.02, 0.002)) for x in spaced(2, wide + 0.03)))
    else:
        neck = box(
            (wide if design == "post" else 2 * wide, 0.03 if design == "post" else 0.01, top),
            (0, y + 0.02, top / 2 + 0.003),
        )
    reach = 2 * width + 0.012 if name == "double" else 0.0
    arm = box((max(reach - 0.6 * width, wide + 0.02), 0.05, 0.05), (0, y - 0.005, top - 0.02), bevel=0.006)
    return [union(neck, arm)], [plate]


def _foot(style: Style, wide: float, deep: float) -> Outline:
    """Seen from above: a plate, a disk, a ring with an opening, or a V."""
    design = style.pick("foot", {"plate": 1.5, "round": 1, "half": 1, "vee": 1.2, "open": 0.8})
    if design == "round":
        return ellipse(wide, max(deep, 0.8 * wide))
    if design == "half":
        return ellipse(wide, 1.6 * deep).minus(rectangle(2 * wide, deep).at(0, 0.95 * deep))
    if design == "vee":
        return polygon(
            [
                (0, 0.5 * deep),
                (-0.5 * wide, -0.5 * deep),
                (-0.42 * wide, -0.6 * deep),
                (0, 0.12 * deep),
                (0.42 * wide, -0.6 * deep),
                (0.5 * wide, -0.5 * deep),
            ]
        ).plus(rectangle(0.1, 0.6 * deep, corner=0.01).at(0, 0.25 * deep))
    if design == "open":
        return rectangle(wide, deep, corner=0.02).minus(rectangle(wide - 0.06, deep - 0.11, corner=0.01).at(0, -0.02))
    return rectangle(wide, deep, corner=0.01)


def _two_feet(style: Style, width: float, room: float) -> tuple[list[Solid], list[Solid]]:
    """A foot near each end: a bar across, or a spread pair of legs."""
    deep, spread = style.number("foot depth", 0.2, 0.3), style.number("feet apart", 0.5, 0.84)
    foot, post = (
        box((0.025, deep, 0.012), (0, -0.01, 0.006), bevel=0.003),
        box((0.02, 0.018, room + 0.06), (0, -0.008, (room + 0.06) / 2)),
    )
    if style.maybe("spread", 0.5):
        sides = [bar((0, y, 0.006), (0, -0.008, room + 0.02), 0.02, 0.014) for y in (-0.45 * deep, 0.4 * deep)]
        post = union(*sides)
        foot = union(*(box((0.024, 0.03, 0.008), (0, y, 0.004), bevel=0.002) for y in (-0.45 * deep, 0.4 * deep)))
    places = spaced(2, spread * width)
    return [post.at(x=x) for x in places], [foot.at(x=x) for x in places]


def _legs(width: float, room: float) -> tuple[list[Solid], list[Solid]]:
    """Four splayed legs under a board."""
    y = -0.2 * width
    plate = box((0.9 * width, 0.4 * width, 0.02), (0, y, room - 0.006), bevel=0.004)
    legs = []
    for side, end in corners(1, 1):
        top = (0.36 * width * side, y + 0.15 * width * end, room - 0.006)
        legs.append(bar(top, (0.44 * width * side, y + 0.26 * width * end, 0), 0.03, round=True, taper=0.6))
    return legs, [plate]
