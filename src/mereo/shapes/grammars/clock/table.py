"""Clocks without a pendulum: each is a case with a face, and perhaps something that it stands on."""

from __future__ import annotations

import math

from mereo.shapes.appliances import feet, soft, spaced
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.clock.faces import digits, hands_maker, ticked
from mereo.shapes.joinery import around, leaves
from mereo.shapes.outlines import Outline, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cylinder, lathe, prism, sphere, tube, union
from mereo.shapes.style import Style

__all__ = ["alarm", "carriage", "desk", "digital", "mantel", "wall"]

_ROUND = 32


def _regular(sides: int, radius: float) -> Outline:
    """A figure of equal sides that stands on one of them."""
    turns = [math.radians(turn - 90 + 180 / sides) for turn in around(sides)]
    return polygon([(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns])


def _clock_body(
    style: Style, case: Solid, dial: Outline, radius: float, deep: float, z: float, *, more: list[Solid], material: str
) -> Part:
    """A case from y = -deep to 0 whose face is let into its front, with hands before it.

    dial : the face, around the place (0, z); radius : of the circle that the hands stay in; more : on the case
    """
    sunk = min(0.4 * deep, 0.018)
    hole = board(dial, 0.2).turned(x=90).at(0, sunk - deep, z)
    frame = union(case, *more).minus(hole, pieces=[case, *more])
    face = ticked(style, dial.grown(0.0008), radius, 0.006).at(0, sunk - deep + 0.003, z)
    hands = hands_maker(style)("surface", 0.95 * radius, 0.0, sunk - deep - 0.003, z)
    return part("clock_body", leaf("frame", frame, material), leaf("surface", face, "painted_wood"), hands)


def wall(style: Style) -> list[Part]:
    """A round, square, six- or eight-sided face in a rim, a sunburst, or a face between square corners."""
    radius, deep = style.number("radius", 0.1, 0.22), style.number("depth", 0.03, 0.055)
    rim = radius * style.number("rim", 0.06, 0.2)
    outlines = {
        "round": ellipse(2 * radius, 2 * radius, segments=_ROUND),
        "square": rectangle(2 * radius, 2 * radius, corner=0.25 * radius),
        "octagon": _regular(8, radius),
        "hexagon": _regular(6, radius),
        "rays": ellipse(2 * radius, 2 * radius, segments=_ROUND),
        "panel": rectangle(2 * radius, 2.9 * radius, corner=0.01),
    }
    kind = style.pick("wall clock", {"round": 2, "square": 1, "octagon": 1, "hexagon": 0.7, "rays": 1.3, "panel": 0.9})
    outline, more = outlines[kind], []
    if kind == "rays":
        count, reach = 2 * style.count("rays", 6, 12), style.number("ray", 1.5, 1.9) * radius
        ray = bar(
            (0, -deep / 2, 0.9 * radius),
            (0, -deep / 2, reach),
            0.1 * radius,
            0.012,
            taper=style.number("ray end", 0.3, 1.6),
        )
        short = bar((0, -deep / 2, 0.9 * radius), (0, -deep / 2, 0.8 * reach), 0.07 * radius, 0.01)
        more = [
            (ray if k % 2 == 0 or count < 16 else short).turned(y=turn)
            for k, turn in enumerate(around(count, 180 / count))
        ]
    inner = ellipse(2 * (radius - rim), 2 * (radius - rim), segments=_ROUND)
    face, z = (inner, 0.4 * radius) if kind == "panel" else (outline.grown(-rim), 0.0)
    case = soft(outline, deep, min(0.4 * rim, 0.4 * deep), steps=3).turned(x=90)
    reach = (radius - rim) * (0.86 if kind in ("octagon", "hexagon") else 1.0)
    made = style.pick("material", {"plastic": 1.5, "metal": 1, "wood": 1.5})
    return [_clock_body(style, case, face, reach, deep, z, more=more, material=made)]


def desk(style: Style) -> list[Part]:
    """A drum on a pedestal, or a round face on two feet."""
    radius, deep = style.number("radius", 0.045, 0.09), style.number("depth", 0.03, 0.05)
    stands = style.pick("stand", {"block": 1, "stem": 1, "feet": 1})
    lift = radius + (style.number("stem", 0.03, 0.08) if stands == "stem" else 0.012)
    sides = style.pick("case", {"round": 2, "square": 1, "octagon": 1})
    outlines = {"round": ellipse(2 * radius, 2 * radius, segments=_ROUND), "octagon": _regular(8, 1.05 * radius)}
    outline = outlines.get(sides) or rectangle(2 * radius, 2 * radius, corner=0.012)
    case = soft(outline, deep, 0.2 * deep, foot=0.2 * deep, steps=2).turned(x=90).at(z=lift)
    inner = ellipse(1.64 * radius, 1.64 * radius, segments=_ROUND)
    body = _clock_body(
        style,
        case,
        inner,
        0.82 * radius,
        deep,
        lift,
        more=[],
        material=style.pick("material", {"metal": 1, "wood": 1, "plastic": 1}),
    )
    if stands == "feet":
        foot = bar((0, -deep / 2, 0.3 * radius), (0, -deep / 2, 0), 0.02, round=True, taper=0.7)
        turned = [foot.turned(y=-side * 12).at(x=side * 0.55 * radius) for side in (-1, 1)]
        plates = [
            box((0.03, 0.9 * deep, 0.006), (side * 0.55 * radius, -deep / 2, 0.003), bevel=0.001) for side in (-1, 1)
        ]
        under = [union(leg.at(z=-float(leg.bounds()[0, 2])), plate) for leg, plate in zip(turned, plates, strict=True)]
        return [body, part("base", part("foot_base", leaves("foot", under)))]
    low = box((1.9 * radius, 1.5 * deep, 0.014), (0, -deep / 2, 0.007), bevel=0.003)
    if stands == "stem":
        plate = lathe(
            [(0.75 * radius, 0), (0.75 * radius, 0.008), (0.2 * radius, 0.018), (0.12 * radius, lift - 0.9 * radius)]
        ).at(y=-deep / 2)
        low = plate
    return [body, part("base", part("surface_base", leaf("base_surface", low)))]


def alarm(style: Style) -> list[Part]:
    """A drum on two splayed feet, with two bells, a hammer and a handle on top."""
    radius, deep = style.number("radius", 0.04, 0.07), style.number("depth", 0.035, 0.055)
    lift, y = 1.22 * radius, -deep / 2
    case = (
        soft(ellipse(2 * radius, 2 * radius, segments=_ROUND), deep, 0.25 * deep, foot=0.25 * deep, steps=2)
        .turned(x=90)
        .at(z=lift)
    )
    bell = lathe(
        [
            (0.44 * radius, 0),
            (0.42 * radius, 0.12 * radius),
            (0.28 * radius, 0.28 * radius),
            (0.08 * radius, 0.34 * radius),
        ],
        segments=20,
    )
    bell = union(bell, bar((0, 0, -0.24 * radius), (0, 0, 0.42 * radius), 0.08 * radius, round=True, sides=10)).at(
        z=1.13 * radius
    )
    spread = style.number("bells apart", 28, 38)
    more = [bell.turned(y=side * spread).at(0, y, lift) for side in (-1, 1)]
    more.append(
        union(
            bar((0, y, lift + 0.9 * radius), (0, y, lift + 1.36 * radius), 0.06 * radius),
            sphere(0.1 * radius, (0, y, lift + 1.36 * radius), segments=12),
        )
    )
    if style.maybe("handle", 0.7):
        top, x = lift + 1.85 * radius, 1.4 * radius * math.sin(math.radians(spread))
        more.append(
            tube(
                bent(
                    [(-x, y, lift + 1.3 * radius), (-0.9 * x, y, top), (0.9 * x, y, top), (x, y, lift + 1.3 * radius)]
                ),
                0.045 * radius,
                segments=8,
            )
        )
    body = _clock_body(
        style,
        case,
        ellipse(1.7 * radius, 1.7 * radius, segments=_ROUND),
        0.85 * radius,
        deep,
        lift,
        more=more,
        material="metal",
    )
    foot = union(
        bar((0, 0, -0.85 * radius), (0, 0, -1.3 * radius), 0.16 * radius, round=True, taper=0.7),
        sphere(0.13 * radius, (0, 0, -1.3 * radius), segments=12),
    )
    under = [
        foot.turned(y=side * 35 + turn).at(0, place, lift)
        for place, turn in ((0.25 * y, 0), (1.75 * y, 0))
        for side in (-1, 1)
    ]
    return [body, part("base", part("foot_base", leaves("foot", under)))]


def carriage(style: Style) -> list[Part]:
    """An upright case with a handle, on feet or on a plate."""
    wide, tall, deep = (
        style.number("width", 0.08, 0.13),
        style.number("height", 0.12, 0.18),
        style.number("depth", 0.06, 0.09),
    )
    lift = 0.018
    case = box((wide, deep, tall), (0, -deep / 2, lift + tall / 2), bevel=0.005)
    slab = box((wide + 0.02, deep + 0.02, 0.012), (0, -deep / 2, 0), bevel=0.003)
    more = [slab.at(z=lift + tall)]
    top = lift + tall + 0.004
    arch = [
        (-0.3 * wide, -deep / 2, top),
        (-0.34 * wide, -deep / 2, top + 0.045),
        (0.34 * wide, -deep / 2, top + 0.045),
        (0.3 * wide, -deep / 2, top),
    ]
    more.append(tube(bent(arch), 0.004, segments=8))
    radius = 0.4 * wide
    inner = style.pick("face", {"round": 1, "square": 1})
    dial = ellipse(2 * radius, 2 * radius, segments=_ROUND) if inner == "round" else rectangle(0.84 * wide, 0.6 * tall)
    body = _clock_body(
        style,
        case,
        dial,
        radius,
        deep,
        lift + 0.56 * tall,
        more=more,
        material=style.pick("material", {"metal": 2, "wood": 1}),
    )
    if style.maybe("feet", 0.5):
        under = [solid.at(y=-deep / 2) for solid in feet(0.4 * wide, (-0.36 * deep, 0.36 * deep), lift, 0.01)]
        return [body, part("base", part("foot_base", leaves("foot", under)))]
    plate = box((wide + 0.03, deep + 0.03, lift + 0.002), (0, -deep / 2, lift / 2 + 0.001), bevel=0.004)
    return [body, part("base", part("surface_base", leaf("base_surface", plate)))]


def mantel(style: Style) -> list[Part]:
    """A wooden block with an arch, a gable or shoulders like a hat, on a broad plate."""
    radius, deep = style.number("radius", 0.06, 0.1), style.number("depth", 0.07, 0.11)
    lift = 0.02
    shape = style.pick("block", {"hat": 1.4, "arch": 1, "gable": 1, "lancet": 0.7})
    half = radius * (style.number("spread", 2.0, 2.8) if shape == "hat" else 1.3)
    turns = [math.radians(180 * k / 14) for k in range(15)]
    dome = [(1.25 * radius * math.cos(turn), 1.2 * radius + 1.25 * radius * math.sin(turn)) for turn in turns]
    shoulders = [
        (half, 0),
        (half, 0.35 * radius),
        (0.4 * half + 0.9 * radius, 0.5 * radius),
        (1.4 * radius, 0.85 * radius),
    ]
    outlines = {
        "hat": polygon([*shoulders, *dome, *((-x, z) for x, z in reversed(shoulders))]),
        "arch": polygon(
            [
                (half, 0),
                (half, 1.2 * radius),
                *((half * math.cos(t), 1.2 * radius + half * math.sin(t)) for t in turns[1:-1]),
                (-half, 1.2 * radius),
                (-half, 0),
            ]
        ),
        "gable": polygon([(half, 0), (half, 2.3 * radius), (0, 3.1 * radius), (-half, 2.3 * radius), (-half, 0)]),
        "lancet": polygon(
            [
                (half, 0),
                (half, 1.5 * radius),
                (0.7 * half, 2.5 * radius),
                (0, 3.3 * radius),
                (-0.7 * half, 2.5 * radius),
                (-half, 1.5 * radius),
                (-half, 0),
            ]
        ),
    }
    case = board(outlines[shape], deep).turned(x=90).at(z=lift - 0.002)
    z = lift + (1.2 if shape in ("hat", "arch") else 1.35) * radius
    body = _clock_body(
        style, case, ellipse(2 * radius, 2 * radius, segments=_ROUND), radius, deep, z, more=[], material="wood"
    )
    plate = box((2 * half + 0.03, deep + 0.03, lift), (0, -deep / 2, lift / 2), bevel=0.005)
    return [body, part("base", part("surface_base", leaf("base_surface", plate, "wood")))]


def digital(style: Style) -> list[Part]:
    """A box, a wedge or a lying drum with a screen of digits."""
    wide, tall = style.number("width", 0.12, 0.24), style.number("height", 0.06, 0.1)
    deep, shape = (
        style.number("depth", 0.04, 0.08),
        style.pick("shape", {"box": 1.4, "wedge": 1, "drum": 0.8, "flip": 1}),
    )
    stands = style.pick("stand", {"none": 1, "feet": 1, "plate": 0.7})
    lift = 0.0 if stands == "none" else 0.012
    if shape == "wedge":
        side = polygon([(0, 0), (0, 0.4 * tall), (-0.55 * deep, tall), (-deep, tall), (-deep, 0)])
        case = prism(side, wide, along="x").at(z=lift)
    elif shape == "drum":
        deep = tall
        case = cylinder(tall / 2, wide, bevel=0.006).turned(y=90).at(-wide / 2, -tall / 2, lift + tall / 2)
        cut = box((wide - 0.03, 0.2 * tall, tall), (0, -tall, lift + tall / 2))
        case = case.minus(cut, pieces=[case])
        deep = 0.9 * tall
    else:
        case = (
            soft(rectangle(wide, tall, corner=0.012, segments=16), deep, 0.008, foot=0.008, steps=2)
            .turned(x=90)
            .at(z=lift + tall / 2)
        )
    z, time = lift + tall / 2, f"{style.count('hours', 0, 23):02d}{style.count('minutes', 0, 59):02d}"
    inner = wide - 0.034, tall * (0.55 if shape == "drum" else 0.68)
    windows = [(x, 0.47 * inner[0]) for x in spaced(2, 0.5 * inner[0])] if shape == "flip" else [(0.0, inner[0])]
    frame = case.minus(*(box((w, 0.01, inner[1]), (x, -deep, z)) for x, w in windows), pieces=[case])
    plates = [box((w + 0.001, 0.006, inner[1] + 0.001), (x, 0.006 - deep, z)) for x, w in windows]
    shown = [solid.at(0, 0.002 - deep, z) for solid in digits(time, 0.94 * inner[0], 0.8 * inner[1])]
    if style.maybe("button", 0.5) and shape in ("box", "flip"):
        frame = union(frame, box((0.3 * wide, 0.4 * deep, 0.01), (0, -deep / 2, lift + tall), bevel=0.003))
    screens = [leaf("screen", union(*plates, *shown))] if shape != "flip" else _flaps(plates, shown)
    made = style.pick("material", {"plastic": 2, "wood": 1, "metal": 0.6})
    body = part("clock_body", leaf("frame", frame, made), screens)
    if stands == "none":
        return [body]
    middle = tall / 2 if shape == "drum" else deep / 2
    if stands == "feet":
        under = [
            solid.at(y=-middle)
            for solid in feet(0.4 * wide, (-0.34 * deep, 0.34 * deep), lift + 0.004 * (shape == "drum"), 0.008)
        ]
        return [body, part("base", part("foot_base", leaves("foot", under)))]
    plate = box((0.8 * wide, 1.1 * deep, lift + 0.003), (0, -middle, lift / 2 + 0.0015), bevel=0.003)
    return [body, part("base", part("surface_base", leaf("base_surface", plate)))]


def _flaps(plates: list[Solid], shown: list[Solid]) -> list[Part]:
    """A screen for the hours and one for the minutes, the colon left out."""
    sides = [[solid for solid in shown if side * float(solid.bounds().mean(0)[0]) > 0.004] for side in (-1, 1)]
    return [leaf("screen", union(plate, *own)) for plate, own in zip(plates, sides, strict=True)]
