"""Food boxes: cartons of cereal, milk and juice, boxes of pizza and eggs, take-away pails, lunch boxes and tubs."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import moved, spinning, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joint import about_axis
from mereo.shapes.part import Part
from mereo.shapes.skins import hollow, oval
from mereo.shapes.solids import Solid, bent, box, cushion, hull, lathe, sphere, tube, union
from mereo.shapes.style import Style

_CARD = 0.0015
"""How thick cardboard is, meters."""


@grammar("food_box")
def food_box(style: Style) -> Part:
    """A body and what closes it: flaps, a lid or a gable; what opens has a joint."""
    makers = {"cereal": _cereal, "milk": _milk, "juice": _juice, "pizza": _pizza, "eggs": _eggs}
    makers |= {"pail": _pail, "lunch": _lunch, "tub": _tub}
    weights = {"cereal": 2, "milk": 1.6, "juice": 1.2, "pizza": 1, "eggs": 0.8, "pail": 1, "lunch": 1.6, "tub": 1}
    return part("food_box", makers[style.pick("kind", weights)](style))


def _carton(size: tuple[float, float, float]) -> Solid:
    """A box of cardboard, open above."""
    wide, deep, high = size
    rows = [(0.05, 0.0), (0.985, 0.0), (1.0, 0.002), (1.0, high)]
    return hollow(oval(wide, deep, squareness=40, sides=24), rows, _CARD)


def _cereal(style: Style) -> list[Part]:
    """Tall and shallow, or small and broad; its flaps lie shut or stand open."""
    slim = style.maybe("slim", 0.65)
    wide, high = (
        (style.number("width", 0.15, 0.22), style.number("height", 0.22, 0.32))
        if slim
        else (style.number("width", 0.1, 0.16), style.number("height", 0.09, 0.16))
    )
    deep, stands = style.number("depth", 0.045, 0.075), style.pick("flaps", {"shut": 1.2, "ajar": 1, "open": 1})
    angle = {"shut": 0.0, "ajar": style.number("ajar", 20, 60), "open": style.number("opened", 110, 210)}[stands]
    flaps = _flaps((wide, deep, high), (0.96, 0.7), angle)
    return [leaf("body", _carton((wide, deep, high)), "cardboard"), part("closure", flaps)]


def _flaps(size: tuple[float, float, float], covers: tuple[float, float], angle: float) -> list[Part]:
    """Ears from both sides, and over them a flap from the front and one from the back.

    covers : how far these reach, as shares of the depth
    """
    (wide, deep, high), found = size, []
    under = 0.9 * angle if angle > 90 else 0.0
    for side, share in zip((-1, 1), covers, strict=True):
        reach, ear = share * deep, min(0.9 * deep, 0.42 * wide)
        low, top = high + 0.0003, high + 0.0017 - 0.0005 * side
        inner = box((ear, deep - 0.002, 0.0008), (side * (wide - ear) / 2, 0, low))
        outer = box((wide - 0.002, reach, 0.0008), (0, side * (deep - reach) / 2, top))
        for solid, axis, at, stands in (
            (inner, (0, side, 0), (side * wide / 2, 0, low), under),
            (outer, (-side, 0, 0), (0, side * deep / 2, top), angle),
        ):
            found.append(turning(leaf("flap", solid, "cardboard"), axis, at, (0, 220), stands=stands))
    return found


def _milk(style: Style) -> list[Part]:
    """A square column under a gable, with a cap on its slope."""
    wide, high = style.number("width", 0.062, 0.1), style.number("height", 0.12, 0.21)
    rise, fin = style.number("rise", 0.35, 0.5) * wide, style.number("fin", 0.012, 0.02)
    body = box((wide, wide, high), (0, 0, high / 2), bevel=0.002)
    half = wide / 2 - 0.001
    feet = [(x * half, y * half, high - 0.001) for x in (-1, 1) for y in (-1, 1)]
    ridge = [(x * half, y * 0.0015, high + rise) for x in (-1, 1) for y in (-1, 1)]
    seal = box((wide - 0.001, 0.003, fin), (0, 0, high + rise + fin / 2 - 0.002))
    gable = part("closure", leaf("gable", union(hull(np.array(feet + ridge)), seal), "cardboard"))
    parts = [leaf("body", body, "cardboard"), gable]
    if style.maybe("cap", 0.7):
        slope = float(np.degrees(np.arctan2(rise, wide / 2)))
        at = (0.0, -wide / 4 + 0.001, high + rise / 2 - 0.002)
        parts.append(_cap(style, at, slope))
    return parts


def _cap(style: Style, at: tuple[float, float, float], slope: float = 0.0) -> Part:
    """A screw cap on a slope that falls towards -y."""
    radius, tall = style.number("cap radius", 0.011, 0.016), style.number("cap height", 0.008, 0.014)
    knob = lathe(
        [
            (1.15 * radius, -0.004),
            (1.15 * radius, 0.002),
            (radius, 0.0024),
            (radius, tall),
            (0.85 * radius, tall + 0.001),
        ],
        segments=20,
    )
    solid = knob.turned(x=slope).at(*at)
    turn = np.radians(slope)
    return spinning(leaf("cap", solid, "plastic"), (0, -float(np.sin(turn)), float(np.cos(turn))), at)


def _juice(style: Style) -> list[Part]:
    """A brick with a straw, or a tall one whose slanted top has a cap."""
    if style.maybe("small", 0.5):
        wide, deep, high = (
            style.number("width", 0.045, 0.065),
            style.number("depth", 0.035, 0.045),
            style.number("height", 0.09, 0.13),
        )
        brick = box((wide, deep, high), (0, 0, high / 2), bevel=0.0015)
        x = 0.28 * wide * style.number("straw place", -1, 1)
        tip = (x + 0.018 * style.number("tip", -1, 1), 0, high + 0.055)
        straw = tube(bent([(x, 0, high - 0.01), (x, 0, high + 0.035), tip]), 0.0025, segments=8)
        ears = box((wide - 0.006, 0.002, 0.008), (0, 0.25 * deep, high + 0.002))
        return [leaf("body", union(brick, ears), "cardboard"), leaf("straw", straw, "plastic")]
    wide, deep, high = (
        style.number("width", 0.07, 0.095),
        style.number("depth", 0.06, 0.075),
        style.number("height", 0.19, 0.25),
    )
    drop = style.number("slant", 0.15, 0.45) * deep
    corners = [(x * wide / 2, y * deep / 2, z) for x in (-1, 1) for y in (-1, 1) for z in (0.0, high - drop * (y < 0))]
    slope = float(np.degrees(np.arctan2(drop, deep)))
    return [leaf("body", hull(np.array(corners)), "cardboard"), _cap(style, (0, -0.02 * deep, high - drop / 2), slope)]


def _pizza(style: Style) -> list[Part]:
    """Flat, with a lid that is hinged at its back."""
    wide, high = style.number("width", 0.26, 0.38), style.number("height", 0.035, 0.05)
    base = _carton((wide, wide, high - 0.0025))
    top = box((wide + 0.003, wide + 0.003, 0.002), (0, 0, high - 0.002))
    front = box((wide + 0.002, 0.0015, 0.8 * high), (0, -wide / 2 - 0.0015, 0.6 * high))
    cheeks = [
        box((0.0015, 0.9 * wide, 0.5 * high), (s * (wide / 2 + 0.001), -0.04 * wide, 0.74 * high)) for s in (-1, 1)
    ]
    angle = style.number("opened", 20, 110) * style.maybe("open", 0.5)
    lid = turning(
        leaf("lid", union(top, front, *cheeks), "cardboard"),
        (-1, 0, 0),
        (0, wide / 2, high - 0.002),
        (0, 180),
        stands=angle,
    )
    return [leaf("body", base, "cardboard"), part("closure", lid)]


def _eggs(style: Style) -> list[Part]:
    """A row or two of cups under a lid."""
    columns, rows, step = style.count("columns", 3, 6), style.count("rows", 1, 2) + 1, 0.046
    wide, deep, high = columns * step + 0.012, rows * step + 0.012, style.number("height", 0.03, 0.036)
    cups = [
        lathe([(0.013, 0.0), (0.0225, high), (0.021, high)], segments=16).at(
            (k - (columns - 1) / 2) * step, (j - (rows - 1) / 2) * step
        )
        for k in range(columns)
        for j in range(rows)
    ]
    tray = union(box((wide, deep, 0.006), (0, 0, high - 0.003), bevel=0.001), *cups)
    angle = style.number("opened", 40, 110) * style.maybe("open", 0.6)
    lid = _lid_shell(wide, deep, style.number("lid height", 0.028, 0.036)).at(z=high - 0.001)
    if angle and style.maybe("full", 0.7):
        eggs = [
            sphere(1.0, segments=14).scaled(0.0195, 0.0195, 0.026).at(x, y, high + 0.006)
            for x, y, _ in (cup.bounds().mean(0) for cup in cups)
        ]
        tray = union(tray, *eggs)
    cover = turning(leaf("lid", lid, "cardboard"), (-1, 0, 0), (0, deep / 2, high), (0, 180), stands=angle)
    return [leaf("body", tray, "cardboard"), part("closure", cover)]


def _lid_shell(wide: float, deep: float, high: float, thick: float = 0.002) -> Solid:
    """A hollow cover that stands on its rim, on z = 0."""
    shape = hollow(
        oval(wide, deep, squareness=12, sides=28), [(0.05, 0.0), (0.84, 0.0), (0.9, 0.1 * high), (1.0, high)], thick
    )
    return shape.mirrored("z").at(z=high)


def _pail(style: Style) -> list[Part]:
    """Narrower below, shut by flaps, with a wire to carry it by."""
    wide, high, taper = (
        style.number("width", 0.09, 0.12),
        style.number("height", 0.085, 0.12),
        style.number("taper", 0.68, 0.82),
    )
    deep = 0.85 * wide
    rows = [(0.05, 0.0), (0.98 * taper, 0.0), (taper, 0.002), (1.0, high)]
    body = hollow(oval(wide, deep, squareness=30, sides=24), rows, _CARD)
    angle = style.number("opened", 30, 140) * style.maybe("open", 0.5)
    flaps = _flaps((wide, deep, high), (0.8, 0.8), angle)
    parts = [leaf("body", body, "cardboard"), part("closure", flaps)]
    if style.maybe("wire", 0.7):
        turns = np.linspace(0, np.pi, 17)
        bow, low = wide / 2 + 0.001, 0.78 * high
        line = np.stack([bow * np.cos(turns), np.zeros(17), low + (0.7 * wide + high - low) * np.sin(turns)], 1)
        wire = turning(
            leaf("handle", tube(line, 0.0013, segments=8), "metal"),
            (1, 0, 0),
            (0, 0, low),
            (-90, 90),
            stands=style.number("wire lean", -50, 50),
        )
        parts.append(wire)
    return parts


def _lunch(style: Style) -> list[Part]:
    """Of plastic or metal, with a lid on hinges, latches, and maybe a handle."""
    wide, deep = style.number("width", 0.16, 0.24), style.number("depth", 0.11, 0.16)
    high, cover = style.number("height", 0.05, 0.085), style.number("lid height", 0.015, 0.04)
    square, material = (
        style.pick("plan", {"2": 0.6, "4": 1, "10": 1.5}),
        style.pick("material", {"plastic": 3, "metal": 1}),
    )
    plan = oval(wide, deep if square != "2" else wide, squareness=float(square), sides=32)
    deep = float(np.ptp(plan[:, 1]))
    thick = 0.001 if material == "metal" else 0.003
    base = hollow(plan, [(0.04, 0.0), (0.88, 0.0), (0.93, 0.005), (0.98, high)], thick)
    shape = hollow(1.02 * plan, [(0.04, 0.0), (0.9, 0.0), (0.97, 0.35 * cover), (1.0, cover)], thick)
    lid = leaf("lid", shape.mirrored("z").at(z=high + cover - 0.003), material)
    angle = style.number("opened", 30, 100) * style.maybe("open", 0.4)
    parts = [leaf("body", base, material)]
    parts.append(part("closure", turning(lid, (-1, 0, 0), (0, deep / 2, high), (0, 150), stands=angle)))
    if style.maybe("latches", 0.6):
        xs = (0.0,) if square == "2" else (-0.27 * wide, 0.27 * wide)
        clip = cushion((0.028, 0.008, 0.03), (0, -deep / 2 - 0.002, high - 0.008), squareness=6)
        parts += [leaf("latch", clip.at(x=x), "metal") for x in xs]
    if style.maybe("handle", 0.4) and not angle:
        rise, top = 0.028, high + cover - 0.006
        path = [(-0.045, 0, top), (-0.04, 0, top + rise), (0.04, 0, top + rise), (0.045, 0, top)]
        parts.append(leaf("handle", tube(bent(path), 0.005, segments=8), "plastic"))
    return parts


def _tub(style: Style) -> list[Part]:
    """Round or oval, of plastic or cardboard, with a lid that is pressed on."""
    wide, high, flare = (
        style.number("width", 0.09, 0.15),
        style.number("height", 0.06, 0.13),
        style.number("flare", 0.8, 1.0),
    )
    deep = wide * float(style.pick("stretch", {"1.0": 2, "0.7": 1}))
    material = style.pick("material", {"plastic": 1.5, "cardboard": 1})
    plan = oval(wide, deep, squareness=float(style.pick("plan", {"2": 2, "4": 1})), sides=32)
    base = hollow(plan, [(0.04, 0.0), (0.96 * flare, 0.0), (flare, 0.004), (1.0, high)], 0.0016)
    lid = (
        hollow(1.04 * plan, [(0.04, 0.0), (0.97, 0.0), (1.0, 0.003), (1.0, 0.012)], 0.0014)
        .mirrored("z")
        .at(z=high + 0.0016)
    )
    cover = leaf("lid", lid, material)
    if style.maybe("lid aside", 0.25):
        cover = moved(cover, about_axis((0, 1, 0), (wide / 2, 0, high), style.number("lid tilt", 8, 20)))
    return [leaf("body", base, material), part("closure", cover)]
