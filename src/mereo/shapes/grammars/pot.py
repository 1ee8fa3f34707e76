"""Cooking pots: with two ears or a stick to hold them by, and most with a lid that lifts."""

from __future__ import annotations

from mereo.shapes.articulation import sliding
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grips import ear, lid_with_grip, loop, stick, strap
from mereo.shapes.joinery import sized
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bent, tube
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, formed

_KINDS: dict[str, tuple[float, tuple[str, ...], dict[str, float], tuple[float, float], tuple[float, float]]] = {
    "stock pot": (1.6, ("straight", "rolled"), {"metal": 1}, (0.11, 0.15), (1.3, 1.9)),
    "casserole": (2.0, ("straight", "rolled", "flaring"), {"metal": 2, "glass": 0.6}, (0.1, 0.13), (0.8, 1.1)),
    "dutch oven": (1.5, ("bellied", "straight"), {"ceramic": 1, "metal": 1}, (0.11, 0.14), (0.85, 1.1)),
    "saucepan": (2.0, ("straight", "rolled", "flaring"), {"metal": 1}, (0.075, 0.105), (0.9, 1.3)),
    "cauldron": (1.0, ("cauldron",), {"metal": 1}, (0.11, 0.15), (1.2, 1.5)),
    "clay pot": (1.0, ("bellied", "cauldron"), {"ceramic": 1}, (0.1, 0.13), (0.95, 1.3)),
    "roaster": (0.9, ("straight", "rolled"), {"metal": 2, "ceramic": 1}, (0.11, 0.14), (0.7, 0.9)),
}
"""How usual a kind is, its profiles, what it is made of, and bounds of its radius and of its height by that."""


@grammar("pot")
def pot(style: Style) -> Part:
    """The ears are on the left and right, a stick on the right."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, profiles, materials, radii, shares = _KINDS[kind]
    material, radius = style.pick("material", materials), style.number("radius", *radii)
    height = radius * style.number("height", *shares)
    profile = sized(PROFILES.drawn(style, "profile", "cookware", profiles), radius, height)
    wall = {"ceramic": 0.006, "glass": 0.005}.get(material, 0.0022)
    form = {"roaster": "oval"}.get(kind) or style.pick("form", {"round": 8.0, "square": 0.8, "octagonal": 0.6})
    vessel = Vessel(profile, wall, wall + 0.003, formed(form), segments=36)
    food = vessel.filling(height * style.number("level", 0.5, 0.8))
    covered = style.maybe("covered", 0.7)
    return part(
        "cooking_pot",
        part("body", leaf("container", vessel.solid(), material), _handles(style, kind, vessel, material)),
        _lid(style, vessel, material) if covered else None,
        leaf("containing_things", food, "plastic") if not covered and style.maybe("food", 0.6) else None,
    )


def _handles(style: Style, kind: str, vessel: Vessel, material: str) -> list[Part]:
    """A stick, or two of a kind: loops that lie or stand, ears, lugs; a cauldron hangs by its bail."""
    z = vessel.rim * style.number("handle height", 0.72, 0.84)
    edge, grip = vessel.reach(z) - 0.6 * vessel.wall, style.pick("grip", {"metal": 2.0, "plastic": 1.5, "wood": 1.0})
    if kind == "saucepan":
        size = style.number("stick", 0.15, 0.2)
        held, stock = stick(
            edge,
            z,
            length=size,
            rise=style.number("rise", 0.0, 0.04),
            width=0.026,
            thick=0.017,
            neck=style.number("neck", 0.02, 0.05),
        )
        return [leaf("handle", stock, grip), leaf("handle", held, "metal")]
    if kind == "cauldron" and style.maybe("bail", 0.6):
        return [leaf("handle", _bail(vessel, edge, z), "metal")]
    design = style.pick("ears", {"lying": 3.0, "standing": 1.5, "lugs": 1.0 + 2.0 * (kind == "dutch oven")})
    solid = _ear(style, design, vessel, edge, z)
    made = material if design == "lugs" or material != "metal" else grip
    return [leaf("handle", each, made) for each in (solid, solid.turned(z=180))]


def _ear(style: Style, design: str, vessel: Vessel, edge: float, z: float) -> Solid:
    """On the right."""
    wide, out = style.number("ear width", 0.06, 0.085), style.number("ear reach", 0.03, 0.045)
    if design == "standing":
        foot, top = ((vessel.reach(h * vessel.rim) - 0.6 * vessel.wall, h * vessel.rim) for h in (0.5, 0.86))
        return strap(ear("C", foot, top, out=out), 0.02, 0.009)
    ends = vessel.across(z, wide / 2) - 0.25 * vessel.wall
    if design == "lugs":
        return strap(loop(wide, edge + 0.8 * out - ends, square=0.5), 0.014, 0.02).turned(x=90).at(ends, 0, z + 0.006)
    return strap(loop(wide, edge + out - ends), 0.011, 0.011).turned(x=90).at(ends, 0, z)


def _bail(vessel: Vessel, edge: float, z: float) -> Solid:
    """A bow of wire over the rim from one side to the other."""
    top = vessel.rim + 0.75 * edge
    side = [(edge - 0.001, z), (edge + 0.014, z), (edge + 0.012, z + 0.02), (0.9 * edge, top), (0.3 * edge, 1.03 * top)]
    path = [*((-x, 0.0, h) for x, h in side), *((x, 0.0, h) for x, h in reversed(side))]
    return tube(bent(path), 0.0035, segments=10)


def _lid(style: Style, vessel: Vessel, material: str) -> Part:
    """Of the pot's own material or of glass, lying on the rim."""
    kinds = {"ball": 1.5, "button": 1.5, "disc": 1.0, "strap": 1.5, "cone": 0.7}
    tall = vessel.radius(vessel.rim) * style.number("lid height", 0.12, 0.32)
    clear = material == "metal" and style.maybe("glass lid", 0.4)
    made = "glass" if clear else material
    wall = {"metal": 0.0018, "glass": 0.0035}.get(made, 0.005)
    dome, grip = lid_with_grip(
        style.pick("lid grip", kinds),
        vessel.radius(vessel.rim) + 0.002,
        vessel.rim - 0.0005,
        tall=tall,
        wall=wall,
        form=vessel.form,
    )
    knob = leaf("handle", grip, style.pick("knob material", {"plastic": 1.5, "metal": 1.5, "wood": 0.8}))
    return sliding(part("lid", leaf("lid_surface", dome, made), knob), (0, 0, 1), (0.0, 0.3))
