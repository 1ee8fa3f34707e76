"""Clocks with digits."""

from __future__ import annotations

from mereo.shapes.appliances import feet, soft, spaced
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.clock.faces import digits
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, box, cylinder, prism, union
from mereo.shapes.style import Style

__all__ = ["digital"]


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
