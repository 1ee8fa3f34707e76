"""Bowls: for soup, rice, salad or fruit, of clay, wood, glass, steel or plastic."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import around, sized
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, sphere, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, formed, solid_of

_WALLS = {"ceramic": 0.0045, "metal": 0.0012, "glass": 0.0045, "plastic": 0.0028, "wood": 0.009}
"""Meters."""
_KINDS: dict[str, tuple[float, dict[str, float], tuple[str, ...], tuple[float, float], tuple[float, float]]] = {
    "cereal": (
        2.5,
        {"ceramic": 3, "plastic": 1},
        ("round", "coupe", "flared", "straight"),
        (0.065, 0.085),
        (0.7, 0.95),
    ),
    "rice": (1.5, {"ceramic": 3, "wood": 1}, ("round", "flared", "ramen"), (0.05, 0.062), (0.95, 1.2)),
    "ramen": (1.5, {"ceramic": 3, "plastic": 1}, ("ramen", "conical"), (0.085, 0.11), (0.7, 0.9)),
    "soup plate": (1.2, {"ceramic": 1}, ("rimmed",), (0.1, 0.125), (0.36, 0.5)),
    "salad": (2.0, {"wood": 3, "glass": 1.5, "ceramic": 1}, ("round", "coupe", "closing"), (0.11, 0.16), (0.6, 0.85)),
    "mixing": (1.5, {"metal": 3, "plastic": 1, "glass": 1}, ("lipped",), (0.1, 0.15), (0.85, 1.1)),
    "fruit": (1.5, {"ceramic": 1, "glass": 2, "wood": 1}, ("flared", "conical", "coupe"), (0.12, 0.17), (0.45, 0.65)),
    "pet": (1.0, {"metal": 2, "plastic": 1, "ceramic": 1}, ("skirted",), (0.08, 0.12), (0.45, 0.6)),
    "rose": (1.0, {"glass": 2, "ceramic": 1}, ("closing", "bulb"), (0.07, 0.11), (1.1, 1.4)),
}
"""How usual a kind is, what it is made of, its profiles, the bounds of its radius, and of its height by the radius."""


@grammar("bowl")
def bowl(style: Style) -> Part:
    """A container on a bottom, which is a ring, a pedestal, feet or nothing; and what is in it."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, materials, profiles, radii, shares = _KINDS[kind]
    material = style.pick("material", materials)
    radius = style.number("radius", *radii)
    height = radius * style.number("height", *shares)
    profile = sized(PROFILES.drawn(style, "profile", "bowl", profiles), radius, height)
    wall, form = _WALLS[material], _form(style, kind)
    floor = 0.4 * height if kind == "pet" else wall + 0.002
    vessel = Vessel(profile, wall, floor, formed(form), segments=40)
    bottom, raised = _bottom(style, kind, vessel)
    things = _things(style, kind, vessel)
    return part(
        "bowl",
        leaf("container", vessel.solid().at(z=raised), material),
        leaf("bottom", bottom, material) if bottom else None,
        [leaf("containing_things", solid.at(z=raised), made) for solid, made in things],
    )


def _form(style: Style, kind: str) -> str:
    usual: dict[str, float] = {"round": 8.0, "square": 1.0, "octagonal": 0.7, "scalloped": 1.0, "lobed": 0.6}
    shaped = {
        "fruit": usual | {"round": 3.0, "oval": 1.5},
        "salad": usual | {"oval": 1.0},
        "cereal": usual,
        "rose": usual,
    }
    return style.pick("form", shaped.get(kind, {"round": 1.0}))


def _bottom(style: Style, kind: str, vessel: Vessel) -> tuple[Solid | None, float]:
    """What it stands on, and how high it is raised; it runs a little into the container."""
    shown = kind in ("fruit", "rose", "cereal")
    kinds = {"ring": 4.0, "none": 2.0, "pedestal": 1.5 * (kind == "fruit") + 0.6 * shown, "feet": 0.8 * shown}
    design = style.pick("bottom", {"none": 1.0} if kind == "pet" else kinds)
    foot, high = vessel.radius(0.0), style.number("bottom height", 0.006, 0.014)
    sunk = high + 0.0015
    if design == "ring":
        width = 0.92 * foot
        return solid_of([(0.6 * width, 0.002), (0.62 * width, 0.0), (0.9 * width, 0.0), (width, sunk)]), high
    if design == "pedestal":
        high = vessel.rim * style.number("pedestal", 0.35, 0.8)
        stem, spread = 0.35 * foot, 1.25 * foot
        profile = [(0.97, 0.0), (1.0, 0.04), (0.9, 0.14), (0.45, 0.3), (0.3, 0.6), (0.4, 0.85), (0.65, 1.0)]
        return solid_of([(max(spread * r, stem), (high + 0.0015) * z) for r, z in profile]), high
    if design == "feet":
        count, size = style.count("feet", 3, 4), style.number("foot size", 0.01, 0.016)
        feet = [sphere(size, (0.95 * foot, 0, 0), segments=16).turned(z=turn) for turn in around(count, 45)]
        disc = solid_of([(0.8 * foot, 0.3 * size), (0.8 * foot, size + 0.0015)])
        return union(disc, *feet).at(z=size), 2 * size
    return None, 0.0


def _things(style: Style, kind: str, vessel: Vessel) -> list[tuple[Solid, str]]:
    """Soup, a heap of rice, fruit, or nothing."""
    wanted = {"fruit": {"fruit": 1.5}, "rice": {"heap": 1.5, "liquid": 0.4}, "pet": {"heap": 0.6, "liquid": 0.6}}
    design = style.pick("things", {"none": 1.2, **wanted.get(kind, {"liquid": 0.8, "heap": 0.4})})
    level = vessel.floor + (vessel.rim - vessel.floor) * style.number("level", 0.45, 0.8)
    if design == "liquid":
        return [(vessel.filling(level), "plastic")]
    if design == "heap":
        return [(vessel.filling(level, crown=0.3 * vessel.radius(level)), "plastic")]
    if design == "fruit":
        return [(solid, "rubber") for solid in _fruit(style, vessel)]
    return []


def _fruit(style: Style, vessel: Vessel) -> list[Solid]:
    """Balls side by side, one upon the others."""
    size, count = style.number("fruit size", 0.03, 0.036), style.count("fruits", 3, 4)
    ring, inside = 1.02 * size / np.sin(np.pi / count), vessel.inside()
    heights = np.linspace(vessel.floor, vessel.rim, 60)
    apart = ring - np.interp(heights, inside[:, 1], inside[:, 0])
    touching = np.abs(apart) < size
    rests = heights[touching] + np.sqrt(size**2 - apart[touching] ** 2)
    low = max(vessel.floor + size, float(rests.max(initial=0.0))) - 0.001
    balls = [sphere(size, (ring, 0, low), segments=20).turned(z=turn) for turn in around(count)]
    return [*balls, sphere(size, (0, 0, low + np.sqrt(4 * size**2 - ring**2) - 0.001), segments=20)]
