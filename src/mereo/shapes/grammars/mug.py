"""Mugs: cups with a handle, of clay, steel, glass, plastic or wood, and often with a drink in them."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grips import ear, strap
from mereo.shapes.joinery import sized
from mereo.shapes.part import Part
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, formed

_WALLS = {"ceramic": 0.0042, "metal": 0.0012, "glass": 0.0045, "plastic": 0.003, "wood": 0.007}
"""Meters."""
_KINDS: dict[str, tuple[float, dict[str, float], tuple[str, ...], tuple[float, float], tuple[float, float]]] = {
    "coffee": (
        4.0,
        {"ceramic": 4, "plastic": 0.7, "glass": 0.5},
        ("straight", "tapered", "barrel", "waisted", "narrowing"),
        (0.037, 0.046),
        (0.085, 0.105),
    ),
    "cup": (2.0, {"ceramic": 3, "glass": 1}, ("cup", "tulip", "footed"), (0.04, 0.05), (0.06, 0.085)),
    "bellied": (1.5, {"ceramic": 1}, ("belly", "barrel", "tulip"), (0.042, 0.05), (0.085, 0.11)),
    "enamel": (1.6, {"metal": 1}, ("rolled",), (0.038, 0.05), (0.07, 0.09)),
    "beer": (1.5, {"glass": 3, "ceramic": 1}, ("straight", "narrowing", "barrel"), (0.042, 0.05), (0.13, 0.18)),
    "tankard": (1.0, {"wood": 2, "metal": 1.4}, ("hooped", "narrowing"), (0.045, 0.055), (0.12, 0.16)),
    "soup": (1.0, {"ceramic": 3, "plastic": 1}, ("straight", "cup", "tapered"), (0.055, 0.065), (0.06, 0.075)),
    "espresso": (
        1.0,
        {"ceramic": 3, "metal": 1, "glass": 1},
        ("straight", "tapered", "cup"),
        (0.028, 0.033),
        (0.05, 0.06),
    ),
}
"""How usual a kind is, what it is made of, its profiles, and the bounds of its radius and height."""


@grammar("mug")
def mug(style: Style) -> Part:
    """The handle points to the right; some have two, some none of the drink."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, materials, profiles, radii, heights = _KINDS[kind]
    material = style.pick("material", materials)
    radius, height = style.number("radius", *radii), style.number("height", *heights)
    profile = sized(PROFILES.drawn(style, "profile", "mug", profiles), radius, height)
    wall = _WALLS[material] * (1.4 if kind in ("beer", "soup") else 1)
    floor = wall + 0.002 + (0.2 * height if "footed" in style.choices["profile"] else 0)
    vessel = Vessel(profile, wall, floor, formed(_form(style, kind)))
    level, crown = height * style.number("level", 0.6, 0.88), 0.006 * style.maybe("foam", 0.3)
    drink = (
        leaf("containing_things", vessel.filling(level, crown=crown), "plastic") if style.maybe("drink", 0.45) else None
    )
    return part("mug", leaf("body", vessel.solid(), material), _handles(style, kind, vessel, material), drink)


def _form(style: Style, kind: str) -> str:
    """Most are round; glass for beer is cut, and some clay is square or ribbed."""
    usual: dict[str, dict[str, float]] = {
        "coffee": {"round": 6, "square": 1.2, "ribbed": 0.8, "octagonal": 1.0},
        "beer": {"octagonal": 2, "round": 1, "ribbed": 1},
    }
    return style.pick("form", usual.get(kind, {"round": 5, "ribbed": 0.6 if kind == "cup" else 0.01}))


def _handles(style: Style, kind: str, vessel: Vessel, material: str) -> list[Part]:
    """One on the right, or one on either side of a mug for soup."""
    lines = {"C": 3.0, "D": 1.5, "ear": 2.0, "square": 1.2, "angled": 0.8, "ring": 1.0}
    design = style.pick("handle", {"C": 2.0, "ear": 1.0, "D": 2.0} if kind in ("enamel", "tankard") else lines)
    low, high = style.number("handle foot", 0.2, 0.32), style.number("handle top", 0.72, 0.86)
    if design == "ring":
        low, high = (low + high) / 2 - 0.13, (low + high) / 2 + 0.17
    out, thin = style.number("handle reach", 0.024, 0.034), material == "metal"
    out *= {"espresso": 0.7, "beer": 1.25, "tankard": 1.25}.get(kind, 1.0)
    thick, width = style.number("handle thickness", 0.007, 0.0095), style.number("handle width", 0.009, 0.017)
    if thin:
        thick, width = 0.0025, max(width, 0.013)
    foot, top = ((vessel.reach(z * vessel.rim) - 0.6 * vessel.wall, z * vessel.rim) for z in (low, high))
    solid = strap(ear(design, foot, top, out=out), width, thick, ends=1.0 if thin else style.number("flare", 1.0, 1.35))
    both = kind == "soup" and style.maybe("two handles", 0.5)
    made = "metal" if thin else material
    return [leaf("handle", each, made) for each in ([solid, solid.turned(z=180)] if both else [solid])]
