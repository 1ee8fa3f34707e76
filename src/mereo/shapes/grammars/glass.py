"""Glasses to drink from, without a stem: tumblers, pints, tall ones with a foot; some with a drink, ice and a straw."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import around, sized
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, box
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, formed, solid_of

_KINDS: dict[str, tuple[float, tuple[str, ...], tuple[float, float], tuple[float, float]]] = {
    "tumbler": (2.0, ("tumbler", "barrel", "conical"), (0.036, 0.044), (0.085, 0.11)),
    "old fashioned": (1.5, ("highball", "tumbler", "barrel"), (0.04, 0.046), (0.08, 0.095)),
    "highball": (1.5, ("highball", "conical", "stepped"), (0.029, 0.036), (0.13, 0.17)),
    "beer": (1.5, ("pint", "weizen", "pilsner"), (0.039, 0.046), (0.14, 0.22)),
    "cocktail": (1.2, ("hurricane", "stepped", "conical"), (0.038, 0.046), (0.14, 0.19)),
    "stemless": (1.0, ("stemless",), (0.042, 0.048), (0.095, 0.12)),
    "shot": (0.8, ("conical", "tumbler", "highball"), (0.021, 0.027), (0.05, 0.075)),
}
"""How usual a kind is, its profiles, and the bounds of its radius and height."""


@grammar("glass")
def glass(style: Style) -> Part:
    """All of it is glass but for what is in it."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, profiles, radii, heights = _KINDS[kind]
    radius, height = style.number("radius", *radii), style.number("height", *heights)
    profile = sized(PROFILES.drawn(style, "profile", "glass", profiles), radius, height)
    cut = {"round": 3.0, "octagonal": 1.0, "ribbed": 0.8, "square": 0.6, "hexagonal": 0.5, "scalloped": 0.5}
    form = style.pick(
        "form", cut if kind in ("tumbler", "old fashioned", "highball", "shot") else {"round": 4.0, "octagonal": 0.8}
    )
    smooth = form != "round" and style.maybe("smooth rim", 0.5)
    wall = style.number("wall", 0.0018, 0.003)
    stands = style.choices["profile"] in ("pilsner", "weizen")
    floor = 0.14 * height if stands else style.number("floor", 0.004, 0.014)
    ease = (0.55 * height, 0.7 * height) if smooth else None
    vessel = Vessel(profile, wall, floor, formed(form), ease=ease, segments=36)
    base = leaf("base", _foot(vessel.radius(0.0)), "glass") if kind == "cocktail" or style.maybe("foot", 0.15) else None
    things = _things(style, kind, vessel)
    return part(
        "glass", leaf("body", vessel.solid(), "glass"), base, part("containing_things", things) if things else None
    )


def _foot(radius: float) -> Solid:
    """A short stem and a disc under the body, whose lowest millimeter it holds."""
    profile = [(1.25, -0.95), (1.3, -0.88), (1.2, -0.8), (0.45, -0.62), (0.32, -0.35), (0.6, 0.0)]
    return solid_of([(radius * r, 0.03 * z + 0.001) for r, z in profile])


def _things(style: Style, kind: str, vessel: Vessel) -> list[Part]:
    """A drink, cubes of ice in it, a straw on the rim."""
    if not style.maybe("drink", 0.5):
        return []
    level = vessel.floor + (vessel.rim - vessel.floor) * style.number("level", 0.45, 0.85)
    made = [leaf("liquid", vessel.filling(level), "plastic")]
    edge = float(np.interp(level, *vessel.inside().T[::-1]))
    if kind != "shot" and style.maybe("ice", 0.4):
        size = min(0.02, 0.55 * edge)
        for k, turn in enumerate(around(style.count("cubes", 1, 3), 20)):
            cube = box((size, size, size), bevel=0.002).turned(x=12 + 20 * k, y=9, z=31 * k)
            made.append(leaf("ice", cube.at(0.42 * edge, 0, level + 0.1 * size).turned(z=turn), "glass"))
    if kind in ("highball", "cocktail", "tumbler") and style.maybe("straw", 0.5):
        rim = float(vessel.inside()[-1][0]) - 0.0045
        slope = (rim + 0.35 * vessel.inside()[0][0]) / (vessel.rim - level + 0.03)
        end = vessel.rim + style.number("straw end", 0.03, 0.06)
        start = (rim - slope * (vessel.rim - level + 0.01), 0, level - 0.01)
        made.append(
            leaf(
                "straw", bar(start, (rim + slope * (end - vessel.rim), 0, end), 0.0065, round=True, sides=12), "plastic"
            )
        )
    return made
