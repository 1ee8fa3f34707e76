"""Table, desk and floor lamps, chandeliers, pendants, wall lamps and street lamps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.outlines import ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import (
    Solid,
    bar,
    bent,
    board,
    box,
    cylinder,
    hull,
    lathe,
    prism,
    ring,
    shell,
    sphere,
    tube,
    union,
)
from mereo.shapes.style import Style

_Profile = list[tuple[float, float]]
_Move = Callable[[Solid], Solid]
_Head = Callable[[_Move], Part]
"""A lamp head that is made once and can be put in several places."""
_Standing = tuple[list[Part], list[Part]]
"""The body of a standing lamp and its units."""


def _edged(*numbers: float) -> _Profile:
    """A profile from radii and heights by turns."""
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _curved(*numbers: float) -> _Profile:
    """The same with its corners rounded."""
    line = bent([(radius, 0.0, height) for radius, height in _edged(*numbers)])
    return [(float(radius), float(height)) for radius, _, height in line]


def _ball(start: float, end: float) -> _Profile:
    """A sphere of radius 1 between two heights."""
    turns = np.linspace(np.arccos(1 - start), np.arccos(1 - end), 13)
    return [(float(np.sin(turn)), float(1 - np.cos(turn))) for turn in turns]


_FITTED = {
    "drum": _edged(1, 0, 1, 1.3),
    "tapered": _edged(1, 0, 0.8, 1.2),
    "empire": _edged(1, 0, 0.5, 1.1),
    "coolie": _edged(1.1, 0, 0.25, 0.85),
    "bell": _curved(1, 0, 0.84, 0.12, 0.66, 0.36, 0.55, 0.7, 0.5, 1.2),
    "barrel": _curved(0.72, 0, 0.95, 0.26, 1.03, 0.65, 0.95, 1.04, 0.72, 1.3),
    "pagoda": _curved(1.1, 0, 0.7, 0.22, 0.45, 0.6, 0.4, 1),
    "tall": _edged(0.6, 0, 0.6, 1.9),
}
"""Shades open at both ends, by the radius and height of their outside."""
_HUNG = {
    "dome": [(radius, height - 1) for radius, height in _ball(1, 1.98)],
    "cone": _edged(1, 0, 0.1, 0.85),
    "cloche": _curved(1, 0, 0.97, 0.4, 0.84, 0.85, 0.5, 1.2, 0.12, 1.3),
    "saucer": _curved(1.3, 0, 1.3, 0.12, 0.4, 0.42, 0.15, 0.5, 0.14, 0.8),
    "factory": _curved(1.1, 0, 1.1, 0.14, 0.6, 0.38, 0.26, 0.48, 0.22, 0.9, 0.1, 0.93),
    "trumpet": _curved(0.9, 0, 0.5, 0.2, 0.3, 0.7, 0.22, 1.2, 0.18, 1.6),
    "tube": _edged(0.45, 0, 0.45, 2.15, 0.2, 2.25),
    "drop": _curved(0.5, 0, 0.9, 0.25, 1.05, 0.65, 0.86, 1.1, 0.35, 1.55, 0.16, 1.8),
    "globe": _ball(0.1, 1.98),
}
"""Shades that hang, nearly closed above."""
_UPRIGHT = {
    "tulip": _curved(0.25, 0, 0.72, 0.2, 0.74, 0.65, 0.72, 1.1, 1, 1.4),
    "bowl": _curved(0.12, 0, 0.7, 0.05, 1, 0.3, 1.15, 0.6),
    "globe": _ball(0.04, 1.998),
    "fan": _edged(0.12, 0, 1, 1.1),
    "chimney": _edged(0.2, 0, 0.6, 0.1, 0.6, 1.9),
    "flower": _curved(0.2, 0, 0.5, 0.2, 0.45, 0.7, 0.65, 1.2, 1.1, 1.3),
}
"""Shades that stand, nearly closed below."""
_BODIES = {
    "gourd": _curved(0.6, 0, 1, 0.14, 1.05, 0.3, 0.7, 0.5, 0.35, 0.6, 0.65, 0.72, 0.58, 0.86, 0.25, 1),
    "jar": _curved(0.55, 0, 0.6, 0.08, 0.9, 0.4, 1.05, 0.66, 0.95, 0.88, 0.4, 0.93, 0.42, 1),
    "baluster": _curved(0.9, 0, 0.9, 0.06, 0.3, 0.1, 0.5, 0.2, 1.1, 0.36, 0.8, 0.5, 0.3, 0.72, 0.5, 0.85, 0.3, 1),
    "candlestick": _curved(0.8, 0, 0.5, 0.06, 0.3, 0.14, 0.6, 0.2, 0.2, 0.3, 0.2, 0.7, 0.5, 0.76, 0.2, 0.84, 0.35, 1),
    "ball": [(radius, height / 2) for radius, height in _ball(0.06, 1.92)],
    "cone": _edged(1, 0, 0.22, 1),
    "column": _edged(0.7, 0, 0.7, 1),
    "bottle": _curved(0.9, 0, 1, 0.06, 1, 0.5, 0.9, 0.66, 0.3, 0.74, 0.3, 1),
    "hourglass": _curved(1, 0, 0.8, 0.2, 0.2, 0.5, 0.8, 0.8, 0.95, 1),
    "rings": [(r, (k + z) / 5) for k in range(5) for r, z in _edged(0.5, 0, 0.9, 0.3, 0.9, 0.6, 0.5, 0.9)],
    "urn": _curved(0.7, 0, 0.7, 0.06, 0.3, 0.12, 0.3, 0.2, 1, 0.5, 1.1, 0.75, 0.5, 0.8, 0.66, 0.9, 0.3, 1),
}
"""Turned bodies, by shares of their radius and height."""
_FEET = {
    "dome": _curved(1, 0, 0.97, 0.5, 0.8, 1.3, 0.45, 1.6),
    "step": _edged(1, 0, 1, 0.6, 0.75, 0.63, 0.75, 1.1, 0.45, 1.2, 0.4, 1.5),
    "bell": _curved(1, 0, 1, 0.5, 0.5, 0.8, 0.2, 1.7, 0.15, 2.4),
    "disc": _edged(0.97, 0, 1, 0.15, 1, 0.85, 0.97, 1),
}
_CANOPIES = {
    "dome": _curved(0.15, 0, 0.7, 0.15, 0.95, 0.4, 1, 0.6),
    "disc": _edged(0.95, 0, 1, 0.06, 1, 0.3),
    "cup": _curved(0.25, 0, 0.9, 0.2, 1, 0.9, 1, 1.1),
}
_POSTS = {
    "plain": _edged(1, 0, 0.6, 1),
    "cast": _edged(1.5, 0, 1.5, 0.1, 1.1, 0.13, 1.4, 0.16, 0.9, 0.19, 0.7, 0.86, 1.0, 0.88, 0.7, 0.9, 0.6, 1),
    "fluted": _edged(1.2, 0, 1.2, 0.04, 0.9, 0.05, 0.65, 1),
}
_PLINTHS = {
    "step": (8, _edged(3.2, 0, 3.2, 0.1, 2.4, 0.12, 2.4, 0.24, 1.6, 0.3)),
    "flange": (24, _edged(2.8, 0, 2.8, 0.04, 1.6, 0.08)),
    "block": (4, _edged(3.2, 0, 2.7, 0.3)),
}
"""Sides and profile of what a post stands on."""
_ROOFS = {
    "pointed": _edged(1.12, 0, 1.12, 0.06, 0.35, 0.75, 0.12, 0.85, 0.14, 1.0, 0.0, 1.25),
    "curved": _curved(1.15, 0, 1.15, 0.06, 0.6, 0.2, 0.3, 0.6, 0.2, 0.95, 0.1, 1.05, 0.0, 1.3),
    "domed": _curved(1.1, 0, 1.1, 0.1, 0.95, 0.45, 0.55, 0.7, 0.15, 0.8, 0.15, 0.95, 0.0, 1.05),
}
_BULBS = {
    "pear": _curved(0.016, 0.034, 0.032, 0.07, 0.033, 0.1, 0.018, 0.115, 0.0, 0.115),
    "candle": _curved(0.011, 0.034, 0.02, 0.055, 0.013, 0.085, 0.0, 0.105),
    "ball": _curved(0.014, 0.034, 0.04, 0.045, 0.048, 0.08, 0.036, 0.118, 0.0, 0.12),
}


@grammar("lamp")
def lamp(style: Style) -> Part:
    """Something that holds one head or many, each with a shade, a bulb or both."""
    kind = style.pick("kind", {"table": 4, "floor": 3, "pendant": 2.4, "chandelier": 2.4, "wall": 2.2, "street": 2})
    if kind in ("pendant", "chandelier"):
        return part("lamp", part("ceiling_lamp", _pendant(style) if kind == "pendant" else _chandelier(style)))
    if kind in ("wall", "street"):
        return part("lamp", _wall_lamp(style) if kind == "wall" else _street_lamp(style))
    return part("lamp", _standing(style, floor=kind == "floor"))


def _sized(profile: _Profile, radius: float, height: float) -> _Profile:
    return [(radius * r, height * z) for r, z in profile]


def _any(style: Style, name: str, table: dict[str, _Profile], kinds: Iterable[str] = ()) -> _Profile:
    return table[style.pick(name, dict.fromkeys(kinds or table, 1.0))]


def _around(count: int, start: float = 0.0) -> Iterator[float]:
    """Directions, in degrees."""
    return (start + 360 * k / count for k in range(count))


def _put(x: float = 0.0, y: float = 0.0, z: float = 0.0, *, tilt: float = 0.0, turn: float = 0.0) -> _Move:
    """Tilted towards +x, moved, and turned about the middle of the lamp."""
    return lambda solid: solid.turned(y=-tilt).at(x, y, z).turned(z=turn)


def _rod(start: tuple[float, ...], end: tuple[float, ...], thick: float) -> Solid:
    return bar(start, end, thick, round=True, sides=12)


def _bow(*path: tuple[float, float, float], thick: float) -> Solid:
    """A rod bent through points."""
    return tube(bent(path, rounds=3), thick / 2, segments=10)


def _faceted(profile: _Profile, thick: float, sides: int) -> Solid:
    """A shell with a flat side to the front, or a round one if the sides are many."""
    return shell(profile, thick, segments=sides, sectors=sides // 2).turned(z=90 - 180 / sides)


def _bulb(kind: str, size: float) -> Solid:
    """A bulb in its socket, which stands on the origin."""
    return lathe(_sized([(0.016, -0.004), (0.016, 0.034), *_BULBS[kind]], size, size), segments=14)


def _head(shade: Solid | None, **others: Solid | None) -> _Head:
    """A head of a shade and other parts by name."""

    def placed(move: _Move) -> Part:
        cover = part("lamp_cover", leaf("lamp_shade", move(shade))) if shade else None
        return part("lamp_head", cover, [leaf(name, move(solid)) for name, solid in others.items() if solid])

    return placed


def _hung_head(style: Style, low: float, high: float, *kinds: str, bulb: bool = True) -> _Head:
    """A shade around a bulb, hanging from the origin."""
    profile, sides = _any(style, "shade", _HUNG, kinds), int(style.pick("shade sides", {"28": 6, "6": 1, "4": 0.7}))
    radius, stretch = style.number("shade radius", low, high), style.number("shade stretch", 0.85, 1.15)
    profile = [(max(r, 0.013), z) for r, z in _sized(profile, radius, radius * stretch)]
    wall = _faceted(profile, min(0.004, 0.05 * radius), sides).at(z=-profile[-1][1])
    shade = union(wall, cylinder(0.019, 0.032, (0, 0, -0.012), top=0.012))
    kind = style.pick("bulb", {"pear": 2, "ball": 1})
    sizes = [min(1.3, 9 * radius) * share for share in (1.0, 0.85, 0.7, 0.55, 0.4)]
    size = next((size for size in sizes if _fits(_sized(_BULBS[kind], size, size), profile)), sizes[-1])
    lit = _bulb(kind, size).turned(x=180)
    return _head(shade, light_bulb=lit if bulb else None)


def _fits(bulb: _Profile, shade: _Profile) -> bool:
    """Whether a bulb that hangs from the top of a shade stays inside of it."""
    radii, heights = zip(*shade, strict=True)
    return all(radius < np.interp(heights[-1] - depth, heights, radii, left=1.0) for radius, depth in bulb)


def _upright_head(style: Style, low: float, high: float, *, bulb: bool = True) -> _Head:
    """A shade around a bulb, standing on the origin."""
    profile, stretch = _any(style, "shade", _UPRIGHT), style.number("shade stretch", 0.85, 1.15)
    radius = style.number("shade radius", low, high)
    wall = shell(_sized(profile, radius, radius * stretch), min(0.004, 0.05 * radius))
    shade = union(wall, cylinder(0.016, 0.016, (0, 0, -0.01), top=radius * profile[0][0] + 0.003))
    return _head(shade, light_bulb=_bulb("pear", float(np.clip(10 * radius, 0.4, 1.2))) if bulb else None)


def _fitted_head(style: Style, radius: float) -> _Head:
    """A shade open at both ends, which a wire frame with a finial holds around a bulb on the origin."""
    radius *= style.number("shade radius", 0.85, 1.15)
    sides = int(style.pick("shade sides", {"28": 5, "4": 1, "6": 0.7, "8": 0.7}))
    profile = _sized(_any(style, "shade", _FITTED), radius, radius * style.number("shade stretch", 0.9, 1.2))
    height, top = profile[-1][1], float(profile[-1][0] * np.cos(np.pi / sides)) - 0.003
    hub = max(0.14, 0.75 * height)
    shade = _faceted(profile, 0.003, sides).at(z=hub + 0.015 - height)
    spokes = [bar((0, 0, hub), (top, 0, hub), 0.004, round=True, sides=6).turned(z=turn) for turn in _around(3)]
    harp = [(-0.02, 0, 0.01), (-0.055, 0, 0.03), (-0.055, 0, hub), (0.055, 0, hub), (0.055, 0, 0.03), (0.02, 0, 0.01)]
    wires = union(ring(top, 0.005, (0, 0, hub), segments=6), *spokes, tube(bent(harp), 0.002, segments=6))
    finial = lathe(_curved(0.008, 0, 0.004, 0.012, 0.014, 0.018, 0.012, 0.03, 0.0, 0.042), segments=12).at(z=hub)
    bulb = _bulb(style.pick("bulb", {"pear": 3, "ball": 1}), 1.0)
    kept = finial if style.maybe("finial", 0.6) else None
    return _head(shade, light_bulb=bulb, lamp_wireframe_fitter=wires, lamp_finial=kept)


def _holistic(solid: Solid) -> Part:
    return part("lamp_base", part("lamp_holistic_base", leaf("lamp_base_part", solid)))


def _unit(head: Part, *, arm: Solid | None = None, curved: bool = False, connector: Solid | None = None) -> Part:
    name = "lamp_arm_curved_bar" if curved else "lamp_arm_straight_bar"
    joint = [leaf("connector", connector)] if connector else None
    return part("lamp_unit", joint, [part("lamp_arm", leaf(name, arm))] if arm else None, head)


def _standing(style: Style, *, floor: bool) -> Part:
    """A base, a body and one or several heads."""
    makers = {"shaded": _shaded, "tripod": _tripod, "jointed": _jointed, "arched": _arched, "torch": _torch}
    makers |= {"tree": _tree, "panel": _panel, "vase": _vase, "mushroom": _mushroom, "banker": _banker}
    tall = {"shaded": 2, "tripod": 1.4, "jointed": 0.9, "arched": 1.3, "torch": 1.2, "tree": 1.2, "panel": 0.6}
    small = {"vase": 4, "shaded": 1.5, "tripod": 0.8, "jointed": 1.5, "arched": 0.8, "torch": 0.8, "panel": 0.8}
    design = style.pick("design", tall if floor else small | {"mushroom": 0.8, "banker": 0.8})
    size = style.number("size", 2.8, 3.4) if floor else style.number("size", 0.85, 1.2)
    if design == "tripod":
        base, low = _legs(style, size * style.number("stance", 0.2, 0.38))
    else:
        base, low = _foot(style, (0.14 if floor else 0.08) * style.number("foot", 0.9, 1.3))
    body, units = makers[design](style, low - 0.002, size)
    cord = None
    if design != "tripod" and style.maybe("cord", 0.35):
        path = [(0, 0.05, 0.004), (0, 0.2, 0.004), (0.12, 0.26, 0.004), (0.05, 0.42, 0.004), (0.2, 0.5, 0.004)]
        cord = part("power_cord", leaf("cord", tube(bent(path, rounds=3), 0.0035, segments=8)))
    return part("table_or_floor_lamp", cord, part("lamp_body", body), units, base)


def _foot(style: Style, radius: float) -> tuple[Part, float]:
    """A heavy foot, and the height of its top."""
    kind = style.pick("foot kind", {"disc": 3, "square": 1.5, "dome": 1.5, "step": 1, "bell": 1, "oval": 0.6})
    thick = style.number("foot height", 0.014, 0.035)
    if kind in _FEET:
        solid = lathe(_sized(_FEET[kind], radius, thick))
    else:
        outline = ellipse(2.4 * radius, 1.7 * radius) if kind == "oval" else rectangle(1.8 * radius, 1.8 * radius)
        solid = board(outline, thick, bevel=0.004)
    return _holistic(solid), float(solid.bounds()[1, 2])


def _legs(style: Style, height: float) -> tuple[Part, float]:
    """Three or four legs that meet in one place, and its height."""
    reach, thick = height * style.number("leg reach", 0.35, 0.6), style.number("leg", 0.012, 0.018) + 0.02 * height
    leg = bar((0.01, 0, height), (reach, 0, 0), thick, round=style.maybe("round legs", 0.6), taper=0.7)
    legs = [leaf("leg", leg.turned(z=turn)) for turn in _around(style.count("legs", 3, 4), 90)]
    return part("lamp_base", part("lamp_leg_base", legs)), height - 0.01


def _neck(z: float, *, low: float = 0.0) -> Solid:
    """Between a body and the socket 0.035 above it."""
    profile = _edged(0.02, low - 0.003, 0.022, 0.006, 0.011, 0.012, 0.011, 0.03, 0.018, 0.037)
    return lathe(profile, segments=16).at(z=z)


def _shaded(style: Style, low: float, size: float) -> _Standing:
    """A pole, or several, under a large shade."""
    top, thick = low + size * style.number("pole height", 0.3, 0.4), style.number("pole", 0.01, 0.022) * size**0.4
    kind = style.pick("pole kind", {"round": 2, "square": 1, "beads": 1, "bundle": 0.8, "turned": 1})
    rod = bar((0, 0, low), (0, 0, top), thick, round=kind != "square")
    poles = [rod]
    if kind == "bundle":
        poles = [_rod((thick, 0, low), (thick, 0, top), 0.6 * thick).turned(z=turn) for turn in _around(3)]
    elif kind == "beads":
        places = [low + share * (top - low) for share in (0.15, 0.5, 0.85)]
        poles = [union(rod, *(sphere(1.4 * thick, (0, 0, z), segments=16) for z in places))]
    elif kind == "turned":
        poles = [lathe(_sized(_BODIES["candlestick"], 2 * thick, top - low)).at(z=low)]
    head = _fitted_head(style, 0.14 + 0.03 * size)(_put(z=top + 0.035))
    return [leaf("lamp_pole", pole) for pole in poles], [_unit(head, connector=_neck(top))]


def _tripod(style: Style, low: float, size: float) -> _Standing:
    knot = leaf("lamp_body_solid", cylinder(0.035, 0.07, (0, 0, low - 0.03), bevel=0.006))
    head = _fitted_head(style, 0.13 + 0.035 * size)(_put(z=low + 0.075))
    return [knot], [_unit(head, connector=_neck(low + 0.04))]


def _vase(style: Style, low: float, size: float) -> _Standing:
    """A turned, faceted or blocky body under a shade."""
    kind = style.pick("body", dict.fromkeys(_BODIES, 1.0) | {"block": 1.2})
    height, radius = size * style.number("body height", 0.2, 0.32), size * style.number("body radius", 0.055, 0.095)
    sides = int(style.pick("body sides", {"28": 5, "8": 1, "6": 1, "4": 1}))
    if kind == "block":
        solid = box((1.5 * radius, 1.5 * radius, height), (0, 0, low + height / 2), bevel=0.01)
    else:
        solid = lathe(_sized(_BODIES[kind], radius, radius * 2 if kind == "ball" else height), segments=sides).at(z=low)
    top = float(solid.bounds()[1, 2])
    head = _fitted_head(style, max(0.14, 1.7 * radius))(_put(z=top + 0.035))
    return [leaf("lamp_body_solid", solid)], [_unit(head, connector=_neck(top))]


def _panel(style: Style, low: float, size: float) -> _Standing:
    """One or two upright slabs under a shade."""
    height, width = size * style.number("body height", 0.24, 0.36), 0.14 * size**0.4 * style.number("slab", 0.7, 1.2)
    ups = np.linspace(-0.5, 0.5, 25)
    edge = np.stack([(0.32 + 0.14 * np.sin(10 * ups)) * width, ups * height], 1)
    outlines = {
        "plain": rectangle(width, height, corner=0.006),
        "oval": ellipse(1.2 * width, height),
        "arch": rectangle(width, height, corner=0.49 * width),
        "wave": polygon([*edge, *(edge[::-1] * (-1, 1))]),
        "hole": rectangle(width, height, corner=0.02).minus(ellipse(0.5 * width, 0.6 * height)),
    }
    slab = prism(outlines[style.pick("slab kind", dict.fromkeys(outlines, 1.0))], 0.02, along="y")
    ys = (-0.022, 0.022) if style.maybe("two slabs", 0.4) else (0.0,)
    slabs = [leaf("lamp_body_vertical_panel", slab.at(0, y, low + height / 2 - 0.004)) for y in ys]
    top = low + height - 0.008
    plate = union(_neck(top), box((0.03, 0.06, 0.008), (0, 0, top + 0.003)))
    return slabs, [_unit(_fitted_head(style, 0.12 + 0.03 * size)(_put(z=top + 0.035)), connector=plate)]


def _torch(style: Style, low: float, size: float) -> _Standing:
    """A pole that holds a bowl or a globe up."""
    top = low + (style.number("pole height", 1.3, 1.7) if size > 2 else style.number("pole height", 0.05, 0.22))
    pole = bar((0, 0, low), (0, 0, top), 0.026, round=True, taper=style.number("taper", 0.6, 1.0))
    head = _upright_head(style, 0.1, 0.17)(_put(z=top + 0.035))
    return [leaf("lamp_pole", pole)], [_unit(head, connector=_neck(top))]


def _mushroom(style: Style, low: float, size: float) -> _Standing:
    """A stout stem with a dome over it."""
    height, radius = size * style.number("body height", 0.22, 0.34), size * style.number("body radius", 0.05, 0.08)
    profile = _any(style, "body", _BODIES, ("cone", "column", "hourglass", "baluster"))
    stem = lathe(_sized([(min(r, 1.15 - z), z) for r, z in profile], radius, height)).at(z=low)
    head = _hung_head(style, 0.4 * height, 0.65 * height, "dome", "cloche", "cone", bulb=False)
    return [leaf("lamp_body_solid", stem)], [_unit(head(_put(z=low + height)))]


def _trough(length: float, radius: float) -> Solid:
    """Half a hollow cylinder along x, open below, with closed ends."""
    lower = rectangle(1, 1).at(0, -0.5)
    outer, inner = ellipse(2 * radius, 1.9 * radius), ellipse(1.88 * radius, 1.78 * radius)
    ends = [prism(outer.minus(lower), 0.004, along="x").at(side * length / 2) for side in (-1, 1)]
    return union(prism(outer.minus(inner, lower), length, along="x"), *ends)


def _banker(style: Style, low: float, size: float) -> _Standing:
    """A trough across a pole."""
    top, radius = low + size * style.number("pole height", 0.24, 0.34), style.number("shade radius", 0.055, 0.08)
    pole = lathe(_sized(_any(style, "pole", _BODIES, ("candlestick", "column")), 0.024, top - low)).at(z=low)
    bulb = _bulb("pear", 0.8).turned(y=90).at(z=0.5 * radius)
    head = _head(_trough(style.number("shade length", 0.22, 0.34), radius), light_bulb=bulb)(_put(z=top))
    stem = _rod((0, 0, top - 0.01), (0, 0, top + 0.92 * radius), 0.014)
    return [leaf("lamp_pole", pole)], [_unit(head, connector=stem)]


def _jointed(style: Style, low: float, size: float) -> _Standing:
    """Two arms with joints, of one bar or two, and a head that can be turned."""
    leans = np.radians([-style.number("lower lean", 10, 35), style.number("upper lean", 35, 75)])
    lengths = [size * style.number("lower arm", 0.26, 0.36), size**0.6 * style.number("upper arm", 0.22, 0.32)]
    steps = [(length * np.sin(lean), 0.0, length * np.cos(lean)) for lean, length in zip(leans, lengths, strict=True)]
    spots = np.cumsum([(0.0, 0.0, low + 0.015), *steps], 0)
    thick, straight = style.number("arm", 0.009, 0.014) * size**0.3, style.maybe("round bars", 0.6)
    ys = (-1.1 * thick, 1.1 * thick) if style.maybe("twin bars", 0.5) else (0.0,)
    joint = cylinder(1.5 * thick, 4 * thick, (0, 0, -2 * thick)).turned(x=90)
    arms = []
    for start, end in pairwise(spots):
        bars = [bar(start + (0, y, 0), end + (0, y, 0), thick, round=straight) for y in ys]
        bars[0] = union(bars[0], joint.at(*start))
        arms.append(part("lamp_arm", [leaf("lamp_arm_straight_bar", solid) for solid in bars]))
    x, _, z = spots[-1]
    head = _hung_head(style, 0.07, 0.1, "dome", "cone", "cloche", "factory", "trumpet")
    placed = head(_put(x, 0, z - 0.012, tilt=style.number("head tilt", 5, 40)))
    return [part("lamp_body_jointed", arms)], [_unit(placed, connector=joint.at(x, 0, z))]


def _arched(style: Style, low: float, size: float) -> _Standing:
    """A pole that ends in a bow with a hanging head, or in a level arm."""
    top, reach = low + size * style.number("pole height", 0.26, 0.38), size * style.number("reach", 0.16, 0.3)
    crest, thick = top + size * style.number("over", 0.1, 0.2), 0.014 * size**0.5
    end, curved = crest - size * style.number("drop", 0.08, 0.2), style.maybe("bow", 0.65)
    head = _hung_head(style, 0.065 * size**0.7, 0.1 * size**0.7)
    if curved:
        arm = _bow((0, 0, top - 0.02), (0, 0, crest), (reach, 0, crest), (reach, 0, end), thick=thick)
    else:
        top, end = crest, crest - 0.02 - 0.5 * thick
        arm = _rod((-0.3 * reach, 0, crest - 0.02), (reach + thick, 0, crest - 0.02), thick)
    pole = leaf("lamp_pole", _rod((0, 0, low), (0, 0, top), 1.5 * thick))
    return [pole], [_unit(head(_put(reach, 0, end - 0.012)), arm=arm, curved=curved)]


def _tree(style: Style, low: float, size: float) -> _Standing:
    """A pole with several heads on arms."""
    top, curved = low + size * style.number("pole height", 0.42, 0.52), style.maybe("curved arms", 0.5)
    spread, reach = style.number("spread", 0.0, 0.5), style.number("reach", 0.16, 0.3)
    hung = style.maybe("hanging heads", 0.5)
    head = _hung_head(style, 0.07, 0.1) if hung else _upright_head(style, 0.06, 0.09)
    sway, rise, lift = (0.12, -0.02, -0.012) if hung else (-0.08, 0.12, 0.008)
    path = [(0, 0, 0), (0.6 * reach, 0, sway), (reach, 0, sway), (reach, 0, rise)]
    arm = _bow(*path, thick=0.014) if curved else _rod(path[0], path[-1], 0.012)
    count, units = style.count("heads", 2, 5), []
    for place, turn in enumerate(_around(count, style.number("turn", 0, 90))):
        start = top - 0.02 - spread * place / count
        move = _put(reach, 0, start + rise + lift, turn=turn)
        units.append(_unit(head(move), arm=arm.turned(z=turn).at(z=start), curved=curved))
    return [leaf("lamp_pole", _rod((0, 0, low), (0, 0, top), 0.024))], units


def _chain(length: float) -> Solid:
    """Links that hang from the origin."""
    count = max(3, round(length / 0.038))
    pitch, turns = length / count, np.linspace(0, 2 * np.pi, 10, endpoint=False)
    oval = np.stack([0.011 * np.cos(turns), 0 * turns, (0.5 * pitch + 0.003) * np.sin(turns)], 1)
    link = tube(oval, 0.003, segments=6, closed=True)
    return union(*(link.turned(z=90 * (k % 2)).at(z=-(k + 0.5) * pitch) for k in range(count)))


def _canopy(style: Style) -> Part:
    """What covers the hole in the ceiling, its upper side at z = 0."""
    radius = style.number("canopy radius", 0.045, 0.075)
    solid = lathe(_sized(_any(style, "canopy", _CANOPIES), radius, radius))
    return _holistic(solid.at(z=-solid.bounds()[1, 2]))


def _pendant(style: Style) -> Part:
    """One or several heads on cords or chains."""
    count = int(style.pick("heads", {"1": 5, "2": 0.5, "3": 1.5, "5": 0.5}))
    length, chained = style.number("length", 0.3, 0.7), style.maybe("chain", 0.35)
    head = _hung_head(style, 0.1, 0.22) if count == 1 else _hung_head(style, 0.06, 0.11)
    if count == 1:
        spots, base = [(0.0, 0.0)], _canopy(style)
    elif count > 2 and style.maybe("cluster", 0.5):
        spots = [(0.17 * np.cos(turn), 0.17 * np.sin(turn)) for turn in np.radians(list(_around(count)))]
        base = _holistic(cylinder(0.22, 0.03, (0, 0, -0.03), bevel=0.004))
    else:
        spots = [((place - (count - 1) / 2) * 0.28, 0.0) for place in range(count)]
        base = _holistic(box((0.28 * count, 0.09, 0.03), (0, 0, -0.015), bevel=0.004))
    uneven = style.number("uneven", 0.0, 0.3) if count > 1 else 0.0
    cords, units = [], []
    for place, (x, y) in enumerate(spots):
        end = -length * (1 + uneven * (2 * place % 3 - 1))
        rope = _chain(-end).at(x, y, -0.01) if chained else _rod((x, y, -0.01), (x, y, end), 0.006)
        cords += [] if chained else [leaf("cord", rope)]
        hung = head(_put(x, y, end - 0.012))
        units.append(part("pendant_lamp_unit", [leaf("chain", rope)] if chained else None, hung))
    return part("pendant_lamp", [part("power_cord", cords)] if cords else None, units, base)


def _branch(arm: Solid, head: Part) -> Part:
    return part("lamp_unit", leaf("lamp_arm", arm), head)


def _chandelier(style: Style) -> Part:
    """Many heads around a body that hangs on a chain or two."""
    design = style.pick("design", {"crown": 2.5, "tiers": 1, "droop": 1.2, "wheel": 1.2, "sputnik": 1, "beam": 1})
    drop, radius = style.number("drop", 0.2, 0.45), style.number("radius", 0.26, 0.42)
    chains = [leaf("chain", _chain(drop).at(z=-0.01))]
    if design == "beam":
        width = 2.6 * radius
        chains = [leaf("chain", _chain(drop).at(x, 0, -0.01)) for x in (-0.3 * width, 0.3 * width)]
        base = _holistic(box((0.75 * width, 0.07, 0.03), (0, 0, -0.015), bevel=0.004))
        body, groups = _beam(style, -drop, width)
    else:
        base = _canopy(style)
        makers = {"wheel": _wheel, "sputnik": _sputnik}
        make = makers.get(design, partial(_crown, design=design))
        body, groups = make(style, -drop, radius)
    units = [part("lamp_unit_group", group) for group in groups]
    return part("chandelier", units, leaf("lamp_body", body), chains, base)


_Hanging = tuple[Solid, list[list[Part]]]
"""The body of a chandelier and its groups of units."""


def _crown(style: Style, z: float, radius: float, *, design: str) -> _Hanging:
    """Curved arms around a turned body, with heads that stand or hang at their tips, in one tier or two."""
    height, hung = style.number("body height", 0.25, 0.42), design == "droop"
    profile = _any(style, "body", _BODIES, ("baluster", "urn", "candlestick", "gourd", "ball"))
    body = lathe(_sized(profile, style.number("body radius", 0.045, 0.07), height)).at(z=z - height)
    head = _hung_head(style, 0.055, 0.09) if hung else _light(style)
    count, depth = style.count("heads", 3 if hung else 5, 8), style.number("depth", 0.1, 0.2)

    def tier(count: int, reach: float, start: float) -> list[Part]:
        sway, rise, lift = (depth, -0.04, -0.012) if hung else (-depth, 0.06, 0.003)
        path = [(0.01, 0, 0), (0.35 * reach, 0, sway), (reach, 0, sway), (reach, 0, rise)]
        arm = _bow(*path, thick=0.016).at(z=start)
        move = partial(_put, reach, 0, start + rise + lift)
        return [_branch(arm.turned(z=turn), head(move(turn=turn))) for turn in _around(count)]

    groups = [tier(count, radius, z - 0.75 * height)]
    if design == "tiers":
        groups.append(tier(max(3, count // 2), 0.55 * radius, z - 0.1 * height + 0.08))
    return body, groups


def _wheel(style: Style, z: float, radius: float) -> _Hanging:
    """Lights on a level ring."""
    low, spokes = z - style.number("body height", 0.15, 0.4), style.count("spokes", 3, 6)
    bars = [_rod((0, 0, low), (radius, 0, low), 0.018).turned(z=turn) for turn in _around(spokes)]
    body = union(ring(radius, 0.035, (0, 0, low), segments=8), *bars, _rod((0, 0, low - 0.03), (0, 0, z), 0.035))
    head, post = _light(style), _rod((radius, 0, low), (radius, 0, low + 0.05), 0.03)
    turns = list(_around(style.count("heads", 6, 10)))
    return body, [[_branch(post.turned(z=turn), head(_put(radius, 0, low + 0.052, turn=turn))) for turn in turns]]


def _sputnik(style: Style, z: float, radius: float) -> _Hanging:
    """Rods in all directions from a ball."""
    size, count = style.number("globes", 0.7, 1.1), style.count("rays", 9, 16)
    globe = shell(_sized(_ball(0.04, 1.998), 0.055 * size, 0.055 * size), 0.003)
    head = _head(None, light_bulb=_bulb("ball", size)) if style.maybe("bare bulbs", 0.5) else _head(globe)
    rod = _rod((0, 0, 0.05 - radius), (0, 0, 0.003), 0.009)
    units = []
    for place in range(count):
        polar = float(np.degrees(np.arccos(0.8 - 1.7 * (place + 0.5) / count)))

        def move(solid: Solid, polar: float = polar, turn: float = 137.5 * place) -> Solid:
            return solid.at(z=radius).turned(y=polar, z=turn).at(z=z - 0.06)

        units.append(_branch(move(rod), head(move)))
    return sphere(0.07, (0, 0, z - 0.06)), [units]


def _beam(style: Style, z: float, width: float) -> _Hanging:
    """A row of hanging heads under a beam."""
    count, end = style.count("heads", 3, 5), z - style.number("rod", 0.08, 0.25)
    head, step = _hung_head(style, 0.06, 0.095), 0.92 * width / count
    xs = [(place - (count - 1) / 2) * step for place in range(count)]
    units = [_branch(_rod((x, 0, z), (x, 0, end), 0.01), head(_put(x, 0, end - 0.012))) for x in xs]
    return box((width, 0.04, 0.04), (0, 0, z), bevel=0.004), [units]


def _light(style: Style) -> _Head:
    """A candle, bare or under a little shade, or an upright glass."""
    kind = style.pick("light", {"candle": 2, "shaded candle": 1.5, "glass": 2})
    if kind == "glass":
        return _upright_head(style, 0.05, 0.075)
    candle = union(cylinder(0.03, 0.008, top=0.036), cylinder(0.011, 0.09), _bulb("candle", 0.8).at(z=0.085))
    if kind == "candle":
        return _head(None, light_bulb=candle)
    profile, radius = (
        _any(style, "shade", _FITTED, ("empire", "drum", "bell")),
        style.number("shade radius", 0.055, 0.08),
    )
    spokes = [_rod((0, 0, 0.14), (0.9 * radius, 0, 0.1), 0.003).turned(z=turn) for turn in _around(3)]
    return _head(union(shell(_sized(profile, radius, radius), 0.003).at(z=0.09), *spokes), light_bulb=candle)


def _wall_lamp(style: Style) -> Part:
    """A plate on the wall, which is at y = 0, and one or several heads before it."""
    makers = {"scroll": _scroll, "barn": _barn, "swing": _swing, "sconce": _sconce, "tube": _tube_light}
    makers |= {"picture": _picture_light, "vanity": _vanity}
    weights = {"scroll": 2, "barn": 1.2, "swing": 1, "sconce": 1.2, "tube": 1.2, "picture": 0.8, "vanity": 1.2}
    wide, high = style.number("plate width", 0.08, 0.12), style.number("plate height", 0.11, 0.2)
    outlines = {"round": ellipse(wide, wide), "oval": ellipse(wide, high), "plate": rectangle(wide, high, corner=0.01)}
    outlines["rounded"] = rectangle(0.8 * wide, high, corner=0.04)
    plate = board(outlines[style.pick("plate", dict.fromkeys(outlines, 1.0))], 0.022, bevel=0.005).turned(x=90)
    body, units = makers[style.pick("design", weights)](style)
    return part("wall_lamp", [leaf("lamp_body", body)] if body else None, units, _holistic(plate))


_Mounted = tuple[Solid | None, list[Part]]
"""The body of a wall lamp, if it has one, and its units."""


def _scroll(style: Style) -> _Mounted:
    """Arms that swing down and up again to standing heads."""
    count, reach = int(style.pick("heads", {"1": 2, "2": 1.5, "3": 0.6})), style.number("reach", 0.13, 0.2)
    rise, sag = style.number("rise", 0.02, 0.1), style.number("sag", 0.05, 0.12)
    arm = _bow((0, -0.015, 0), (0, -0.4 * reach, -sag), (0, -reach, -sag), (0, -reach, rise), thick=0.014)
    head, turns = (
        _upright_head(style, 0.05, 0.085 if count == 1 else 0.06, bulb=False),
        [(k - (count - 1) / 2) * 50 for k in range(count)],
    )
    spindle = lathe(_sized(_BODIES["baluster"], 0.028, 0.2)).at(0, -0.035, -0.1)
    put = partial(_put, 0, -reach, rise + 0.008)
    units = [_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=True) for turn in turns]
    return spindle if style.maybe("spindle", 0.5) else None, units


def _barn(style: Style) -> _Mounted:
    """A goose neck that reaches over a hanging shade."""
    reach, rise = style.number("reach", 0.22, 0.4), style.number("rise", 0.08, 0.2)
    path = [(0, -0.015, 0), (0, -0.3 * reach, 0.02), (0, -0.4 * reach, rise + 0.05), (0, -reach, rise + 0.08)]
    head = _hung_head(style, 0.09, 0.14, "factory", "dome", "cone", "cloche", "saucer", bulb=False)
    arm = _bow(*path, (0, -reach, rise - 0.06), thick=0.018)
    return None, [_unit(head(_put(0, -reach, rise - 0.072)), arm=arm, curved=True)]


def _swing(style: Style) -> _Mounted:
    """Two straight bars with a joint between them."""
    reach, bend = style.number("reach", 0.2, 0.36), style.number("bend", -0.14, 0.14)
    root, elbow, tip = (0, -0.015, 0), (bend, -0.45 * reach, 0), (0, -reach, 0)
    joints = [cylinder(0.012, 0.04, (x, y, -0.02)) for x, y, _ in (elbow, tip)]
    head = _hung_head(style, 0.06, 0.1, "cone", "cloche", "dome", "tube", "drop", "globe", bulb=False)
    arm = union(_rod(root, elbow, 0.012), _rod(elbow, tip, 0.012), *joints)
    return None, [_unit(head(_put(0, -reach, -0.026)), arm=arm)]


def _sconce(style: Style) -> _Mounted:
    """Half a bowl against the wall."""
    radius, stretch = style.number("shade radius", 0.1, 0.17), style.number("shade stretch", 0.9, 1.3)
    profile = _sized(_any(style, "shade", _UPRIGHT, ("bowl", "fan")), radius, radius * stretch)
    whole = shell(profile, 0.005).minus(box((1, 1, 1), (0, 0.5, 0)))
    half = Solid(whole.body, tuple(piece for piece in whole.pieces if piece[:, 1].mean() < 0))
    low = 0.03 - profile[-1][1]
    strap = _rod((0, -0.022, 0.02), (0, -0.022, low + 0.002), 0.02)
    return strap, [_unit(_head(half)(_put(0, -0.018, low)))]


def _tube_light(style: Style) -> _Mounted:
    """An upright tube, open above and below, on a block."""
    radius, length = style.number("shade radius", 0.035, 0.06), style.number("length", 0.14, 0.36)
    sides, waist = int(style.pick("sides", {"28": 2, "4": 1, "6": 0.5})), style.number("waist", 0.8, 1.25)
    gap, flat = style.number("gap", 0.0, 0.05), float(np.cos(np.pi / sides))
    profile = _edged(radius, 0, radius * waist, length / 2, radius, length)
    shade = _faceted(profile, 0.004, sides)
    block = box((0.035, 0.035 + gap, 0.05), (0, -0.032 - gap / 2, 0), bevel=0.004)
    return block, [_unit(_head(shade)(_put(0, -0.046 - gap - radius * waist * flat, -length / 2)))]


def _picture_light(style: Style) -> _Mounted:
    """A trough on a goose neck."""
    reach, radius = style.number("reach", 0.12, 0.2), style.number("shade radius", 0.035, 0.06)
    arm = _bow((0, -0.015, 0), (0, -0.03, 0.1), (0, -reach, 0.1), (0, -reach, 0.92 * radius), thick=0.014)
    head = _head(_trough(style.number("length", 0.3, 0.6), radius))(_put(0, -reach, 0))
    return None, [_unit(head, arm=arm, curved=True)]


def _vanity(style: Style) -> _Mounted:
    """A row of heads on a level bar, as above a bathroom mirror."""
    count, step = style.count("heads", 2, 4), style.number("step", 0.16, 0.24)
    hung = style.maybe("hanging heads", 0.5)
    head = (_hung_head if hung else _upright_head)(style, 0.045, 0.07, bulb=False)
    rail = box((count * step, 0.03, 0.035), (0, -0.033, 0), bevel=0.004)
    units = []
    for x in ((place - (count - 1) / 2) * step for place in range(count)):
        end = -0.04 if hung else 0.03
        arm = union(_rod((x, -0.04, 0), (x, -0.1, 0), 0.014), _rod((x, -0.1, -0.005), (x, -0.1, end), 0.014))
        units.append(_unit(head(_put(x, -0.1, end - 0.012 if hung else end + 0.008)), arm=arm))
    return rail, units


def _street_lamp(style: Style) -> Part:
    """A post on a plinth, with lanterns, globes, bells or heads that reach over a road."""
    design = style.pick("design", {"lantern": 2.5, "globe": 1.2, "bell": 1.2, "road": 1.0})
    height = style.number("height", 4.0, 6.0) if design == "road" else style.number("height", 2.0, 3.0)
    thick = style.number("post", 0.05, 0.075)
    kind = style.pick("post kind", dict.fromkeys(_POSTS, 1.0) | {"square": 0.7})
    if kind == "square":
        post = bar((0, 0, 0.05), (0, 0, height), 2 * thick, taper=0.8)
    else:
        sides = 8 if kind == "fluted" else 20
        post = lathe(_sized(_POSTS[kind], thick, height - 0.05), segments=sides).at(z=0.05)
    sides, profile = _PLINTHS[style.pick("plinth", dict.fromkeys(_PLINTHS, 1.0))]
    plinth = lathe(_sized(profile, thick, 1.0), segments=sides).turned(z=90 - 180 / sides)
    if design in ("road", "bell"):
        units = (_over_road if design == "road" else _crooks)(style, height)
    else:
        units = _candelabra(style, height, (_lantern if design == "lantern" else _globe)(style))
    return part("street_lamp", leaf("lamp_post", post), leaf("street_lamp_base", plinth), units)


def _candelabra(style: Style, height: float, head: _Head) -> list[Part]:
    """One head on the post, several on arms around it, or both."""
    count = int(style.pick("heads", {"0": 2, "2": 1.2, "3": 1, "4": 0.6}))
    first = [_unit(head(_put(z=height + 0.06)))]
    if count == 0:
        return first
    reach, low = style.number("reach", 0.35, 0.6), height - style.number("below", 0.15, 0.4)
    curved = style.maybe("curved arms", 0.6)
    path = [(0, 0, low), (0.3 * reach, 0, low - 0.25), (reach, 0, low - 0.2), (reach, 0, low + 0.1)]
    arm = _bow(*path, thick=0.04)
    if not curved:
        arm = union(_rod(path[0], (reach + 0.02, 0, low), 0.045), _rod((reach, 0, low - 0.04), path[-1], 0.05))
    put = partial(_put, reach, 0, low + 0.16)
    units = [_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=curved) for turn in _around(count)]
    return first + units if style.maybe("one on top", 0.5) else units


def _crooks(style: Style, height: float) -> list[Part]:
    """One or two bows with bells that hang from them."""
    reach, rise, count = style.number("reach", 0.35, 0.7), style.number("rise", 0.3, 0.6), style.count("heads", 1, 2)
    profile = _any(style, "shade", _HUNG, ("cloche", "factory", "saucer", "trumpet", "dome"))
    radius, crest = style.number("shade radius", 0.16, 0.26), height + rise
    shade = shell(_sized(profile, radius, radius), 0.005).at(z=-radius * profile[-1][1])
    holder = lathe(_edged(0.06, -0.03, 0.06, 0.02, 0.03, 0.04, 0.03, 0.08), segments=16)
    head = _head(shade, light_bulb=_bulb("pear", 1.5).turned(x=180).at(z=-0.025), lamp_cover_holder=holder)
    arm = _bow((0, 0, height - 0.05), (0, 0, crest), (reach, 0, crest), (reach, 0, height + 0.05), thick=0.045)
    put = partial(_put, reach, 0, height)
    return [_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=True) for turn in _around(count)]


def _over_road(style: Style, height: float) -> list[Part]:
    """One or two flat heads at the ends of long arms."""
    reach, rise, count = style.number("reach", 0.8, 1.5), style.number("rise", 0.2, 0.8), style.count("heads", 1, 2)
    length, width = style.number("head length", 0.5, 0.75), style.number("head width", 0.2, 0.3)
    curved, slab = style.maybe("curved arms", 0.5), style.maybe("slab heads", 0.5)
    holder, lens = box((length, width, 0.06), bevel=0.01), box((0.85 * length, 0.85 * width, 0.02), (0, 0, -0.035))
    if not slab:
        egg = sphere(0.5, segments=24).mesh().vertices
        holder = hull(egg[egg[:, 2] > -1e-9] * (length, width, 0.18))
        lens = hull(egg[egg[:, 2] < 1e-9] * (0.7 * length, 0.8 * width, 0.2))
    end = height + (rise if curved else 0.2 * rise)
    arm = _bow((0, 0, height - 0.3), (0, 0, end), (0.3 * reach, 0, end), (reach, 0, end), thick=0.06)
    if not curved:
        arm = bar((0, 0, height - 0.06), (reach, 0, end), 0.08, round=not slab, taper=0.7)
    head = _head(lens, lamp_cover_holder=holder)
    put = partial(_put, reach + 0.45 * length, 0, end)
    return [_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=curved) for turn in _around(count)]


def _globe(style: Style) -> _Head:
    """Milk glass in a cup that reaches down to what carries it."""
    profile, radius = (
        _any(style, "shade", _UPRIGHT, ("globe", "tulip", "chimney")),
        style.number("shade radius", 0.15, 0.24),
    )
    shade = shell(_sized(profile, radius, radius), 0.005).at(z=-0.01)
    holder = lathe(_edged(0.035, -0.08, 0.035, -0.04, 0.4 * radius, 0.0, 0.42 * radius, 0.02), segments=20)
    return _head(shade, light_bulb=_bulb("pear", 1.6).at(z=0.015), lamp_cover_holder=holder)


def _lantern(style: Style) -> _Head:
    """Glass between bars, a floor and a roof, on a holder that reaches down to what carries it."""
    sides = int(style.pick("lantern sides", {"4": 2, "6": 1.5, "8": 0.6}))
    radius = style.number("lantern radius", 0.13, 0.2)
    height, low = style.number("lantern height", 0.28, 0.45), radius * style.number("lantern floor", 0.5, 0.95)
    half = 90 - 180 / sides
    roof = lathe(_sized(_any(style, "roof", _ROOFS), radius, radius), segments=sides).turned(z=half).at(z=height)
    rib = bar((low, 0, 0.01), (radius, 0, height + 0.005), 0.018)
    floor = lathe(_edged(0.7 * low, -0.025, 1.05 * low, 0.0, 1.05 * low, 0.02), segments=sides).turned(z=half)
    glass = _faceted(_edged(0.98 * low, 0.01, 0.98 * radius, height + 0.005), 0.005, sides)
    holder = lathe(_edged(0.035, -0.08, 0.03, -0.05, 0.06, -0.03, 0.06, -0.018), segments=16)
    bulb = _bulb("pear", 1.6).at(z=0.02)

    def placed(move: _Move) -> Part:
        ribs = [leaf("lamp_cover_frame_bar", move(rib.turned(z=turn))) for turn in _around(sides, half)]
        top, bottom = leaf("lamp_cover_frame_top", move(roof)), leaf("lamp_cover_frame_bottom", move(floor))
        frame = part("lamp_cover_frame", top, bottom, ribs)
        cover = part("lamp_cover", part("lantern_lamp_cover", frame, leaf("lamp_cover_glass", move(glass))))
        return part("lamp_head", cover, leaf("light_bulb", move(bulb)), leaf("lamp_cover_holder", move(holder)))

    return placed
