"""Dishwashers: a hollow case with racks behind a door that drops, or with two drawers.

PartNet has no label for racks and knobs of dishwashers; they count to the frame, each as a leaf of its own that moves.
"""

from __future__ import annotations

from collections.abc import Callable

from mereo.shapes.appliances import basket, buttons, cabinet, feet, knob_maker, pull_maker, slab
from mereo.shapes.articulation import sliding, spinning, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Span, leaves
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box, union
from mereo.shapes.style import Style

_KINDS: dict[str, tuple[float, Span, Span, Span]] = {
    "standard": (3.0, (0.59, 0.61), (0.54, 0.6), (0.81, 0.88)),
    "slim": (1.6, (0.44, 0.46), (0.54, 0.6), (0.81, 0.88)),
    "worktop": (1.8, (0.58, 0.62), (0.56, 0.62), (0.82, 0.88)),
    "counter": (1.6, (0.5, 0.56), (0.44, 0.5), (0.42, 0.5)),
    "drawers": (1.6, (0.59, 0.61), (0.54, 0.6), (0.81, 0.88)),
}
"""How usual a kind is, and the bounds of its width, depth and height."""
_FRONTS = {"flat": 2, "soft": 1, "framed": 1.4, "grooved": 0.6, "bowed": 0.8}
_HANDLES = {"round": 2, "square": 1.5, "bow": 1.5, "strip": 1, "grip": 1.2}
_STANDS = {"shut": 3, "ajar": 0.8, "down": 1.6}
_DOWN = 90.0
"""Degrees of a door that lies level."""

_HANDLE = 0.065
"""How far from the ground a door must turn to lie on none of its handles."""

Door = Callable[..., list[Part]]
"""From its lower and upper edge, and what is fixed behind it, to the leaves of a door that is shut."""


@grammar("dishwasher")
def dishwasher(style: Style) -> Part:
    """The case's front lies at y = 0, its doors before it; some stand open, so that racks show."""
    kind = style.pick("kind", {name: weight for name, (weight, *_) in _KINDS.items()})
    names = ("width", "depth", "height")
    width, depth, height = (style.number(name, *span) for name, span in zip(names, _KINDS[kind][1:], strict=True))
    base, low = _base(style, kind, width, depth)
    thick = style.number("door thickness", 0.035, 0.05)
    door = _door(style, width, thick)
    if kind == "drawers":
        return part("dishwasher", part("body", _drawers(style, door, width, depth, (low, height))), base)
    fascia = style.number("fascia", 0.09, 0.14) if style.maybe("controls above", 0.6) else 0.012
    shown, knobs = _controls(style, width, thick, (height - fascia, height)) if fascia > 0.05 else ([], [])
    if kind == "worktop":
        shown.append(box((width + 0.02, depth + thick, 0.03), (0, (depth - thick) / 2, height + 0.014), bevel=0.005))
    sill = max(low, _HANDLE)
    room = (0.04 - width / 2, width / 2 - 0.04), (sill + 0.06, height - fascia - 0.02)
    frame = cabinet((-width / 2, width / 2), depth, (low, height), room, depth - 0.06, corner=0.008)
    stands = {"shut": 0.0, "ajar": style.number("ajar", 20, 60), "down": _DOWN}[style.pick("door", _STANDS)]
    hinge = (0, -thick / 2, sill + thick / 2)
    swung = turning(part("door", door(sill, height - fascia)), (1, 0, 0), hinge, (0, _DOWN), stands=stands)
    racks = _racks(style, room, depth - 0.07, out=stands == _DOWN, single=kind == "counter")
    return part("dishwasher", part("body", leaf("frame", union(frame, *shown)), knobs, swung, racks), base)


def _door(style: Style, width: float, thick: float) -> Door:
    """Fronts of one design with handles of one design."""
    design, handle, reach = style.pick("front", _FRONTS), pull_maker(style, _HANDLES), style.number("reach", 0.3, 0.85)

    def make(low: float, high: float, *behind: Solid) -> list[Part]:
        wide, tall, z = width - 0.008, high - low - 0.008, (low + high) / 2
        bow = 0.025 * (1 - reach**2) if design == "bowed" else 0.0
        drop = 0.06 * min(wide, tall) if design == "framed" else min(0.06, 0.16 * tall)
        grip = handle(reach * wide).at(0, -thick - bow, z + tall / 2 - drop)
        body = union(slab(design, wide, tall, thick).at(0, -0.001, z), *behind)
        return [leaf("door_frame", body), leaf("handle", grip, "metal")]

    return make


def _drawers(style: Style, door: Door, width: float, depth: float, zs: Span) -> list[Part]:
    """Two drawers above each other, each a tub behind a front; one may stand out."""
    out = style.number("drawn", 0.15, 0.3) * style.maybe("a drawer out", 0.5)
    low, high = zs
    wide, deep, middle = width - 0.07, depth - 0.1, (low + high) / 2
    room = (-wide / 2, wide / 2), (low + 0.03, high - 0.03)
    made = [leaf("frame", cabinet((-width / 2, width / 2), depth, zs, room, depth - 0.06, corner=0.008))]
    for bottom, top, stands in ((low, middle, 0.0), (middle, high, out)):
        tall = top - bottom - 0.09
        tub = box((wide - 0.01, deep, tall), (0, deep / 2 - 0.004, bottom + 0.045 + tall / 2))
        tub = tub.minus(tub.scaled(0.96, 0.96).at(0, 0.02 * deep, 0.02))
        made.append(sliding(part("door", door(bottom, top, tub)), (0, -1, 0), (0, 0.4), stands=stands))
    return made


def _controls(style: Style, width: float, thick: float, zs: Span) -> tuple[list[Solid], list[Part]]:
    """A strip over the door with a display, buttons and perhaps a knob that turns."""
    tall, z = zs[1] - zs[0], sum(zs) / 2
    strip = box((width, thick + 0.003, tall), (0, -thick / 2 + 0.0015, z), bevel=0.004)
    row = buttons(style.count("buttons", 3, 7), 1, (0.034, 0.03), round=style.maybe("round buttons", 0.4))
    shown, made = [strip, row.at(0.22 * width, -thick, z)], []
    if style.maybe("display", 0.7):
        shown.append(box((0.1, 0.006, 0.03), (-0.08 * width, -thick, z), bevel=0.001))
    if style.maybe("dial", 0.6):
        dial = knob_maker(style)(0.3 * tall).at(-0.34 * width, -thick, z)
        made.append(spinning(leaf("frame", dial, "plastic"), (0, -1, 0), (-0.34 * width, -thick, z)))
    return shown, made


def _racks(style: Style, room: tuple[Span, Span], deep: float, *, out: bool, single: bool) -> list[Part]:
    """Baskets of wire that can be drawn out over the open door."""
    (left, right), (low, high) = room
    rack = basket(right - left - 0.02, deep - 0.03, 0.26 * (high - low), (7, 6, 1)).at(y=deep / 2)
    drawn = style.number("rack out", 0.08, 0.3) if out else 0.0
    spots = [low + 0.012] if single else [low + 0.012, low + 0.52 * (high - low)]
    places = zip(spots, (drawn, 0.4 * drawn), strict=False)
    return [sliding(leaf("frame", rack.at(z=z), "metal"), (0, -1, 0), (0, 0.35), stands=s) for z, s in places]


def _base(style: Style, kind: str, width: float, depth: float) -> tuple[Part | None, float]:
    """Feet, feet behind a kick plate, or a set-back plinth; and how high the case stands on it."""
    design = style.pick("base", {"feet": 2.0, "plate": 0.0 if kind == "counter" else 1.5, "plinth": 1.5, "none": 0.3})
    high = style.number("base height", 0.02, 0.03) if kind == "counter" else style.number("base height", 0.05, 0.11)
    if design == "none":
        return None, 0.0
    if design == "plinth":
        solid = box((width - 0.03, depth - 0.05, high + 0.003), (0, depth / 2 + 0.02, high / 2 + 0.0015))
        return part("base", part("surface_base", leaf("surface", solid))), high
    under = leaves("foot", feet(width / 2 - 0.05, (0.06, depth - 0.05), high, 0.02))
    plate = box((width - 0.02, 0.012, high), (0, 0.05, high / 2 + 0.002)) if design == "plate" else None
    return part("base", part("foot_base", under, leaf("surface", plate) if plate else None)), high
