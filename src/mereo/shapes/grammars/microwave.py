"""Microwaves: a case with a room and a turntable behind a door with a window, and a panel of buttons or knobs.

PartNet has no label for knobs of microwaves; they count to the frame, each as a leaf of its own that turns.
"""

from __future__ import annotations

from mereo.shapes.appliances import buttons, cabinet, feet, framed_pane, knob_maker, pull_maker, spaced
from mereo.shapes.articulation import spinning, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Span, leaves
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box, cylinder, lathe, union
from mereo.shapes.style import Style

_KINDS: dict[str, tuple[float, Span, Span, Span]] = {
    "keypad": (3.0, (0.44, 0.56), (0.32, 0.42), (0.25, 0.32)),
    "dials": (2.2, (0.43, 0.5), (0.3, 0.38), (0.25, 0.29)),
    "retro": (1.6, (0.44, 0.5), (0.32, 0.38), (0.27, 0.32)),
    "hood": (1.4, (0.74, 0.77), (0.36, 0.42), (0.4, 0.44)),
    "drop": (1.6, (0.5, 0.6), (0.42, 0.5), (0.36, 0.46)),
    "below": (1.2, (0.44, 0.52), (0.32, 0.4), (0.29, 0.34)),
}
"""How usual a kind is, and the bounds of its width, depth and height."""
_HANDLES = {"round": 2.0, "square": 1.5, "bow": 1.5, "strip": 1.0, "none": 1.5}

Front = tuple[Span, Span]
"""A part of the front: left and right, low and high."""


@grammar("microwave")
def microwave(style: Style) -> Part:
    """The case's front lies at y = 0, door and controls before it; some stand open, so that the room shows."""
    kind = style.pick("kind", {name: weight for name, (weight, *_) in _KINDS.items()})
    names = ("width", "depth", "height")
    width, depth, height = (style.number(name, *span) for name, span in zip(names, _KINDS[kind][1:], strict=True))
    base, low = _base(style, kind, width, depth)
    thick, share = style.number("door thickness", 0.025, 0.038), style.number("control share", 0.2, 0.27)
    xs, zs = (-width / 2, width / 2), (low, low + height)
    door, panel = _fronts(kind, xs, zs, share)
    room = (door[0][0] + 0.035, door[0][1] - 0.035), (door[1][0] + 0.03, door[1][1] - 0.03)
    case = cabinet(xs, depth, zs, room, depth - 0.05, corner=0.045 if kind == "retro" else 0.01)
    shown, knobs = _controls(style, kind, panel, thick)
    if kind == "hood":
        shown += [
            box((width - 0.06, 0.01, 0.006), (0, -0.001, zs[1] - 0.014 * k - 0.02), bevel=0.002) for k in range(3)
        ]
    frame = leaf("frame", union(case, *shown))
    inside = part("body_interior", _tray(style, room, depth - 0.05))
    return part("microwave", part("body", frame, knobs, _door(style, kind, door, thick), inside), base)


def _fronts(kind: str, xs: Span, zs: Span, share: float) -> tuple[Front, Front]:
    """Where the door lies and where the controls do."""
    (left, right), (low, high) = xs, zs
    if kind == "drop":
        edge = high - share * (high - low)
        return (xs, (low + 0.05, edge)), (xs, (edge, high))
    if kind == "below":
        edge = low + share * (high - low)
        return (xs, (edge, high)), (xs, (low, edge))
    top = high - 0.065 if kind == "hood" else high
    edge = right - share * (right - left)
    inset = 0.03 if kind == "retro" else 0.0
    return ((left, edge), (low, top)), ((edge, right - inset / 3), (low + inset, top - inset))


def _door(style: Style, kind: str, front: Front, thick: float) -> Part:
    """A frame around a window, hinged at the left or below, with a handle at the far side."""
    (left, right), (low, high) = front
    wide, tall, x, z = right - left - 0.006, high - low - 0.006, (left + right) / 2, (low + high) / 2
    border = style.number("side border", 0.04, 0.075), style.number("border", 0.03, 0.06)
    frame, pane = framed_pane((wide, tall), thick, border, corner=0.04 if kind == "retro" else 0.008)
    made = [leaf("door_frame", frame.at(x, -0.001, z)), leaf("glass", pane.at(x, -0.001, z), "glass")]
    handle, reach = pull_maker(style, _HANDLES), style.number("reach", 0.5, 0.85)
    drops, swing = kind == "drop", style.number("swing", 35, 110)
    if drops:
        grip = handle(reach * wide).at(x, -thick, high - 0.024)
    else:
        grip = handle(reach * tall).turned(y=90).at(right - 0.026, -thick, z)
    if style.choices["handle"] != "none":
        made.append(leaf("handle", grip, "metal" if kind in ("hood", "drop") else "plastic"))
    stands = (min(swing, 85.0) if drops else swing) * style.maybe("open", 0.4)
    if drops:
        return turning(part("door", made), (1, 0, 0), (x, -thick / 2, low + 0.6 * thick), (0, 90), stands=stands)
    hinge = (left + 0.6 * thick, -thick / 2, z)
    return turning(part("door", made), (0, 0, -1), hinge, (0, 120), stands=stands)


def _controls(style: Style, kind: str, front: Front, thick: float) -> tuple[list[Solid], list[Part]]:
    """A panel flush with the door, with a display and buttons, or with knobs that turn."""
    (left, right), (low, high) = front
    wide, tall, x, z = right - left - 0.006, high - low - 0.006, (left + right) / 2, (low + high) / 2
    panel = box((wide, thick + 0.003, tall), (x, 0.0015 - thick / 2, z), bevel=0.005)
    level, y = wide > tall, -thick
    display = style.maybe("display", 0.8 if kind in ("keypad", "hood") else 0.4)
    if kind in ("keypad", "hood") or (kind == "below" and style.maybe("keys", 0.5)):
        rows, columns = (2, style.count("keys across", 5, 9)) if level else (style.count("key rows", 4, 6), 3)
        room = (0.45 * wide, 0.8 * tall) if level else (0.8 * wide, 0.5 * tall)
        keys = buttons(columns, rows, (room[0] / columns, room[1] / rows), round=style.maybe("round keys", 0.25))
        shown = [panel, keys.at(x + (0.2 * wide if level else 0), y, z - (0 if level else 0.06 * tall))]
        shown.append(_shown(level, display, x, y, z, wide, tall))
        if not level:
            shown.append(box((0.8 * wide, 0.012, 0.1 * tall), (x, y, low + 0.09 * tall), bevel=0.003))
        return shown, []
    count = style.count("knobs", 2, 3) if level else 2
    radius = 0.32 * tall if level else min(0.26 * wide, 0.13 * tall)
    make, step = knob_maker(style), 0.22 * wide if level else 0.34 * tall
    places = [(x + s, z) if level else (x, z + s - 0.03 * tall) for s in spaced(count, step)]
    knobs = [
        spinning(leaf("frame", make(radius).at(px, y, pz), "plastic"), (0, -1, 0), (px, y, pz)) for px, pz in places
    ]
    return [panel, *([] if level else [_shown(level, display, x, y, z, wide, tall)])], knobs


def _shown(level: bool, display: bool, x: float, y: float, z: float, wide: float, tall: float) -> Solid:
    """A display, or in its place a badge."""
    size = (0.2 * wide, 0.5 * tall) if level else (0.74 * wide, 0.1 * tall)
    if not display:
        size = size[0] / 2, size[1] / 2
    place = (x - 0.28 * wide, y, z) if level else (x, y, z + 0.4 * tall)
    return box((size[0], 0.006, size[1]), place, bevel=0.002)


def _tray(style: Style, room: Front, deep: float) -> Part:
    """A turntable of glass, or a flat one that lies still."""
    (left, right), (low, _) = room
    x, y = (left + right) / 2, deep / 2
    radius = min(0.46 * (right - left), 0.44 * deep)
    if style.maybe("flatbed", 0.2):
        plate = box((right - left - 0.02, deep - 0.03, 0.006), (x, y, low + 0.006), bevel=0.002)
        return leaf("tray", plate, "ceramic")
    dish = lathe([(0.3 * radius, 0.0), (0.94 * radius, 0.001), (radius, 0.009), (radius, 0.013)])
    dish = union(cylinder(0.02, 0.02, (0, 0, -0.012)), dish).minus(cylinder(0.92 * radius, 0.02, (0, 0, 0.006)))
    return spinning(leaf("tray", dish.at(x, y, low + 0.01), "glass"), (0, 0, 1), (x, y, low))


def _base(style: Style, kind: str, width: float, depth: float) -> tuple[Part | None, float]:
    """Four feet, if any; and how high the case stands on them."""
    if kind == "hood" or not style.maybe("feet", 0.8):
        return None, 0.0
    high, radius = style.number("foot height", 0.01, 0.022), style.number("foot", 0.012, 0.02)
    made = feet(width / 2 - 0.05, (0.04, depth - 0.04), high, radius, square=style.maybe("square feet", 0.3))
    return part("base", part("foot_base", leaves("foot", made))), high
