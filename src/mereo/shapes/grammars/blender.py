"""Blenders: a motor in a foot, and a jar with blades on it."""

from __future__ import annotations

import math

import numpy as np

from mereo.shapes.appliances import feet, knob_maker, soft, spaced
from mereo.shapes.articulation import sliding, spinning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Span, around, leaves, sized
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, box, cylinder, hull, lathe, shell, tube, union
from mereo.shapes.style import Style

_FOOT = {
    "drum": [(1.0, 0.0), (1.0, 0.7), (0.86, 1.0)],
    "cone": [(1.0, 0.0), (0.96, 0.15), (0.6, 0.9), (0.58, 1.0)],
    "bell": [(1.0, 0.0), (0.98, 0.2), (0.8, 0.45), (0.62, 0.7), (0.58, 1.0)],
    "hive": [(1.0, 0.0), (1.0, 0.24), (0.92, 0.27), (0.92, 0.5), (0.82, 0.53), (0.82, 0.76), (0.7, 0.79), (0.68, 1.0)],
}
"""Radius and height of feet from the lathe, from below to above, as shares."""
_KINDS = {"jar": 2.6, "square": 2.0, "cup": 1.0, "retro": 1.4}


@grammar("blender")
def blender(style: Style) -> Part:
    """Round or square in plan, all of it about the z axis; buttons and knobs face -y."""
    kind = style.pick("kind", _KINDS)
    radius, lift = style.number("radius", 0.075, 0.1) * (0.75 if kind == "cup" else 1.0), 0.008
    tall = style.number("foot", 0.09, 0.13) if kind in ("cup", "square") else style.number("foot", 0.13, 0.19)
    frame, neck, front = _motor(style, kind, radius, tall)
    frame = frame.at(z=lift)
    made = [
        leaf("frame", frame, style.pick("material", {"": 1, "plastic": 1.3})),
        *_controls(style, kind, front, tall, lift),
    ]
    base = part("base", leaves("foot", feet(0.55 * radius, (-0.55 * radius, 0.55 * radius), lift, 0.012)))
    return part("blender", part("body", made), _jar(style, kind, neck, tall + lift), base)


def _motor(style: Style, kind: str, radius: float, tall: float) -> tuple[Solid, float, Span]:
    """The foot on z = 0, how wide its top is, and where its front lies low down and high up."""
    square = kind == "square" or (kind == "jar" and style.maybe("square foot", 0.4))
    if square:
        top = style.number("foot top", 0.72, 0.95)
        low, high = (
            rectangle(2 * size * radius, 2 * size * radius, corner=0.3 * radius, segments=20) for size in (1.0, top)
        )
        rings = [
            np.pad(ring.corners()[0], ((0, 0), (0, 1)), constant_values=z)
            for ring, z in ((low, 0.0), (low, 0.2 * tall), (high, tall))
        ]
        return hull(np.concatenate(rings)), top * radius, (-radius, -radius)
    shapes = {"retro": {"hive": 1, "bell": 1}, "cup": {"drum": 1}}.get(kind, {"drum": 1, "cone": 1.2, "bell": 1})
    profile = _FOOT[style.pick("foot shape", shapes)]
    at = [float(np.interp(z, [p[1] for p in profile], [p[0] for p in profile])) for z in (0.2, 0.45)]
    return lathe(sized(profile, radius, tall)), profile[-1][0] * radius, (-radius * at[0], -radius * at[1])


def _controls(style: Style, kind: str, front: Span, tall: float, lift: float) -> list[Part]:
    """A knob, buttons in a row, or both; a blender with a cup is pressed down instead."""
    if kind == "cup" and style.maybe("no controls", 0.5):
        return []
    design = style.pick("controls", {"knob": 1.4, "buttons": 1.2, "both": 1.0})
    z, y = lift + 0.22 * tall, front[0]
    made = []
    if design != "buttons":
        place = (0.0, y + 0.002, z + (0.0 if design == "knob" else 0.13 * tall))
        radius = min(0.024, 0.16 * tall)
        made.append(spinning(leaf("knob", knob_maker(style)(radius).at(*place), "plastic"), (0, -1, 0), place))
    if design != "knob":
        count = style.count("buttons", 2, 6)
        for x in spaced(count, 0.017):
            bend = y + (abs(y) - math.sqrt(max(y * y - x * x, 0))) * (0.0 if kind == "square" else 1.0)
            key = box(
                (0.012, 0.012, 0.012), (x, bend + 0.002, z - (0.0 if design == "buttons" else 0.1 * tall)), bevel=0.002
            )
            made.append(sliding(leaf("button", key, "plastic"), (0, 1, 0), (0, 0.003)))
    return made


def _jar(style: Style, kind: str, neck: float, low: float) -> Part:
    """A collar, the blades above it, and the jar with handle and lid; it is lifted off as a whole."""
    collar_high = style.number("collar", 0.025, 0.04)
    radius = min(neck, 0.07) * style.number("jar foot", 0.82, 0.98)
    collar = lathe([(1.06 * radius, -0.002), (1.06 * radius, 0.6 * collar_high), (0.96 * radius, collar_high)]).at(
        z=low
    )
    bottom = low + collar_high - 0.006
    height = style.number("jar height", 0.1, 0.15) if kind == "cup" else style.number("jar height", 0.17, 0.23)
    flare = style.number("flare", 0.95, 1.1) if kind == "cup" else style.number("flare", 1.15, 1.45)
    material = style.pick("jar material", {"glass": 2, "plastic": 1})
    made = [leaf("collar", collar, "plastic"), spinning(_blade(radius, bottom), (0, 0, 1), (0, 0, bottom))]
    if kind == "cup":
        dome = [
            (radius, 0.0),
            (flare * radius, 0.45 * height),
            (0.94 * flare * radius, 0.85 * height),
            (0.6 * radius, height),
            (0.004, 1.02 * height),
        ]
        made.append(leaf("container", shell(dome, 0.0025, sectors=8).at(z=bottom), material))
        return sliding(part("jar", made), (0, 0, 1), (0, 0.25))
    wide = flare * radius
    square = kind == "square" or style.maybe("square jar", 0.3)
    body = (
        _square_jar(radius, wide, height)
        if square
        else _round_jar(radius, wide, height, 8 if style.maybe("facets", 0.4) else 28)
    )
    made.append(leaf("container", body.at(z=bottom), material))
    made.append(
        leaf(
            "handle", _handle(style, radius, wide, height).at(z=bottom), "plastic" if material == "plastic" else "glass"
        )
    )
    top = bottom + height
    outline = rectangle(1.84 * wide, 1.84 * wide, corner=0.3 * wide, segments=20)
    cover = (
        soft(outline, 0.026, 0.008)
        if square
        else lathe([(0.93 * wide, 0.0), (1.03 * wide, 0.008), (1.03 * wide, 0.016), (0.7 * wide, 0.028)])
    )
    lid = [leaf("lid_surface", cover.at(z=top - 0.006), "rubber")]
    if style.maybe("cap", 0.75):
        size = style.number("cap size", 0.018, 0.028)
        lid.append(leaf("knob", cylinder(size, 0.026, (0, 0, top + 0.014), top=0.9 * size, bevel=0.004), "plastic"))
    made.append(sliding(part("lid", lid), (0, 0, 1), (0, 0.1)))
    return sliding(part("jar", made), (0, 0, 1), (0, 0.3))


def _blade(radius: float, low: float) -> Part:
    """Four blades on a hub, two of them bent up."""
    hub = cylinder(0.16 * radius, 0.03, (0, 0, low - 0.002))
    blades = []
    for number, turn in enumerate(around(4)):
        up = 0.014 if number % 2 else -0.002
        blades.append(
            bar((0, 0, low + 0.02), (0.62 * radius, 0, low + 0.02 + up), 0.012, 0.003, taper=0.4).turned(z=turn)
        )
    return leaf("blade", union(hub, *blades), "metal")


def _round_jar(low: float, high: float, height: float, sides: int) -> Solid:
    profile = [(0.004, 0.0), (low, 0.0), (0.5 * (low + high), 0.5 * height), (high, height)]
    return shell(profile, 0.003, segments=sides, sectors=8)


def _square_jar(low: float, high: float, height: float) -> Solid:
    """Four walls that lean out and a floor."""

    def block(inset: float, floor: float, top: float) -> Floats:
        rings = []
        for size, z in ((low, 0.0), (high, 1.0)):
            ring = rectangle(1.8 * size - 2 * inset, 1.8 * size - 2 * inset, corner=0.25 * size, segments=16).corners()[
                0
            ]
            rings.append(np.pad(ring, ((0, 0), (0, 1)), constant_values=top if z else floor))
        return np.concatenate(rings)

    walls = []
    for turn in around(4):
        corners = [
            (x * size, (y - 0.004 * inner) * 1.0, z)
            for size, z in ((low, 0.0), (high, height))
            for x in (-0.9, 0.9)
            for inner in (0, 1)
            for y in (0.9 * size,)
        ]
        walls.append(hull(np.array(corners)).turned(z=turn))
    floor = box((1.7 * low, 1.7 * low, 0.004), (0, 0, 0.002))
    return hull(block(0.0, 0.0, height)).minus(hull(block(0.003, 0.004, height + 0.001)), pieces=[*walls, floor])


def _handle(style: Style, low: float, high: float, height: float) -> Solid:
    """A bow at the side, closed or open below."""
    reach, thick = style.number("handle reach", 0.04, 0.055), style.number("handle", 0.007, 0.01)
    ends = [0.9 * (low + share * (high - low)) - 0.002 for share in (0.88, 0.25)]
    x = ends[0] + reach
    path = [(ends[0], 0, 0.88 * height), (x, 0, 0.92 * height), (x, 0, 0.2 * height), (ends[1], 0, 0.25 * height)]
    if style.maybe("open handle", 0.3):
        path = [(ends[0], 0, 0.86 * height), (x, 0, 0.9 * height), (x, 0, 0.6 * height), (0.97 * x, 0, 0.22 * height)]
    return tube(bent(path), thick, segments=10).scaled(y=1.5)
