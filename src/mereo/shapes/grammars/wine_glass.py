"""Wine glasses: a container on a stem on a base, for red, white, sparkling wine and for cocktails."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import sized
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, formed, solid_of

_KINDS: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "red": ((0.036, 0.046), (0.09, 0.12), (0.07, 0.11)),
    "white": ((0.03, 0.038), (0.08, 0.1), (0.07, 0.1)),
    "tulip": ((0.032, 0.04), (0.08, 0.1), (0.06, 0.09)),
    "flute": ((0.022, 0.029), (0.12, 0.16), (0.06, 0.1)),
    "martini": ((0.05, 0.06), (0.055, 0.07), (0.08, 0.11)),
    "coupe": ((0.044, 0.054), (0.045, 0.06), (0.07, 0.1)),
    "goblet": ((0.036, 0.044), (0.08, 0.11), (0.03, 0.06)),
    "balloon": ((0.036, 0.044), (0.075, 0.095), (0.02, 0.05)),
    "trumpet": ((0.03, 0.038), (0.12, 0.15), (0.05, 0.08)),
    "margarita": ((0.05, 0.06), (0.07, 0.09), (0.06, 0.09)),
}
"""Bounds of the container's radius and height and of the stem's height."""


@grammar("wine_glass")
def wine_glass(style: Style) -> Part:
    """All of it is glass but for the wine; a few goblets are of metal."""
    kind = style.pick("kind", dict.fromkeys(_KINDS, 1.0))
    radii, heights, stems = _KINDS[kind]
    radius, height, stem = (
        style.number("radius", *radii),
        style.number("height", *heights),
        style.number("stem", *stems),
    )
    material = "metal" if kind == "goblet" and style.maybe("silver", 0.3) else "glass"
    form = style.pick(
        "form",
        {"round": 5.0, "octagonal": 1.0, "ribbed": 0.8}
        if kind in ("goblet", "coupe", "white", "flute")
        else {"round": 1.0},
    )
    base, foot = _base(style, kind, radius)
    start = foot + stem
    profile = [(r, z + start) for r, z in sized(PROFILES.group("wine_glass")[kind], radius, height)]
    floor = start + {"martini": 0.006, "trumpet": 0.02}.get(kind, 0.004)
    ease = (start + 0.6 * height, start + 0.75 * height) if style.maybe("smooth rim", 0.5) else None
    vessel = Vessel(profile, style.number("wall", 0.0012, 0.002), floor, formed(form), ease=ease, segments=40)
    level = floor + (vessel.rim - floor) * style.number("level", 0.25, 0.6)
    wine = leaf("containing_things", vessel.filling(level), "plastic") if style.maybe("wine", 0.45) else None
    pole = leaf("stem", _stem(style, profile[0][0], foot, start), material)
    return part("wine_glass", leaf("container", vessel.solid(), material), pole, leaf("base", base, material), wine)


def _base(style: Style, kind: str, radius: float) -> tuple[Solid, float]:
    """A disc that rises to its middle, a cone, steps or a square; and how high its middle is."""
    wide = max(radius * style.number("base", 0.85, 1.0), 0.031)
    design = style.pick("base shape", {"disc": 3.0, "cone": 1.5, "steps": 0.8, "square": 0.6})
    profiles = {
        "disc": [(0.98, 0), (1, 0.0015), (0.6, 0.004), (0.25, 0.007), (0.12, 0.01)],
        "cone": [(0.98, 0), (1, 0.0015), (0.5, 0.01), (0.15, 0.02)],
        "steps": [(0.98, 0), (1, 0.001), (1, 0.005), (0.7, 0.006), (0.7, 0.01), (0.4, 0.011), (0.3, 0.016)],
        "square": [(0.98, 0), (1, 0.001), (1, 0.006), (0.3, 0.008), (0.15, 0.012)],
    }
    made = solid_of(
        [(wide * r, z) for r, z in profiles[design]], form=formed("square" if design == "square" else "round")
    )
    return made, profiles[design][-1][1] - 0.001


def _stem(style: Style, top: float, low: float, high: float) -> Solid:
    """Plain, drawn, with one knot or several, or twisted."""
    thin, long = style.number("stem radius", 0.003, 0.0045), high - low
    design = style.pick("stem shape", {"plain": 3.0, "knot": 1.0, "knots": 0.8, "cone": 1.0, "faceted": 0.8})
    shapes = {
        "plain": [(1.5, 0), (1, 0.15), (1, 0.85)],
        "knot": [(1.5, 0), (1, 0.2), (1.1, 0.42), (2.6, 0.5), (1.1, 0.58), (1, 0.85)],
        "knots": [(1.5, 0), (1, 0.1), (1.9, 0.2), (1, 0.3), (2.5, 0.42), (1, 0.55), (1.7, 0.65), (1, 0.75)],
        "cone": [(1.2, 0), (1, 0.3), (1.8, 0.9)],
        "faceted": [(1.6, 0), (1.3, 0.2), (1.5, 0.5), (1.3, 0.85)],
    }
    profile = [(thin * r, low + long * z) for r, z in shapes[design]] + [(max(top, 1.2 * thin), high + 0.001)]
    form, turn = ("hexagonal", 40.0) if design == "faceted" else ("round", 0.0)
    return solid_of(profile, form=formed(form), twist=turn, segments=24)
