"""Pans: flat, of metal, with a long handle; some with lips to pour, a second grip or a lid."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import sliding
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grips import lid_with_grip, loop, stick, strap
from mereo.shapes.joinery import sized
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part
from mereo.shapes.profiles import curve
from mereo.shapes.solids import Solid, box, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import Form, Vessel, formed, rectangular, solid_of

_KINDS: dict[str, tuple[float, tuple[float, ...], tuple[float, float], tuple[float, float]]] = {
    "frying": (2.5, (0.66, 0, 0.74, 0, 0.84, 0.15, 0.97, 0.85, 1, 1), (0.1, 0.15), (0.3, 0.42)),
    "skillet": (1.5, (0.8, 0, 0.88, 0, 0.92, 0.1, 1, 1), (0.11, 0.15), (0.32, 0.42)),
    "saute": (1.4, (0.88, 0, 0.97, 0, 1, 0.08, 1, 0.5, 1, 1), (0.11, 0.14), (0.46, 0.6)),
    "wok": (1.4, (0.22, 0, 0.3, 0, 0.62, 0.14, 0.88, 0.55, 1, 1), (0.14, 0.18), (0.5, 0.62)),
    "crepe": (1.0, (0.9, 0, 0.94, 0, 0.96, 0.2, 1, 1), (0.11, 0.14), (0.13, 0.18)),
    "grill": (1.2, (0.88, 0, 0.94, 0, 0.96, 0.1, 1, 1), (0.11, 0.14), (0.3, 0.4)),
    "paella": (1.0, (0.76, 0, 0.82, 0, 0.86, 0.1, 1, 1), (0.15, 0.2), (0.25, 0.32)),
}
"""How usual a kind is, its profile as a curve, and bounds of its radius and of its height by that."""


@grammar("pan")
def pan(style: Style) -> Part:
    """The handle points to the right; pans for paella have two short ones."""
    kind = style.pick("kind", {name: row[0] for name, row in _KINDS.items()})
    _, numbers, radii, shares = _KINDS[kind]
    radius = style.number("radius", *radii)
    height = radius * style.number("height", *shares)
    wall = style.number("wall", 0.0016, 0.0025) * (1.6 if kind in ("skillet", "grill") else 1)
    form, lips = _form(style, kind)
    ease = (height, 0.55 * height) if lips else None
    vessel = Vessel(sized(curve(*numbers), radius, height), wall, wall + 0.001, form, ease=ease, segments=40)
    lid = _lid(style, vessel) if kind in ("saute", "wok", "frying") and not lips and style.maybe("lid", 0.3) else None
    food = [] if lid else _food(style, kind, vessel)
    return part("pan", leaf("container", _body(kind, vessel), "metal"), _handles(style, kind, vessel), lid, food)


def _form(style: Style, kind: str) -> tuple[Form, bool]:
    """From above; and whether it is that only at the rim, for lips to pour from on both sides."""
    if kind == "grill":
        return rectangular(0.95, 0.95, squareness=style.number("squareness", 5, 9)), False
    if kind in ("skillet", "saute", "frying") and style.maybe("lips", 0.7 if kind == "skillet" else 0.15):
        return _lipped, True
    return formed(
        style.pick("form", {"round": 5.0, "octagonal": 0.8, "oval": 0.6} if kind == "frying" else {"round": 1.0})
    ), False


def _lipped(turns: Floats) -> Floats:
    """Round, but for lips towards the front and the back."""
    off = np.abs(np.sin(turns - np.pi / 2))
    edge: Floats = 1 + 0.09 * np.exp(-((off / 0.16) ** 2))
    return edge


def _body(kind: str, vessel: Vessel) -> Solid:
    """A grill has ridges on its floor."""
    if kind != "grill":
        return vessel.solid()
    reach, z = 0.78 * vessel.radius(vessel.floor), vessel.floor
    ridges = [box((0.005, 2 * reach, 0.006), (x, 0, z + 0.001), bevel=0.001) for x in np.linspace(-reach, reach, 9)]
    return union(vessel.solid(), *ridges)


def _handles(style: Style, kind: str, vessel: Vessel) -> list[Part]:
    """A stick with a bare neck, or of one piece with the pan; and what helps to lift it on the left."""
    z, made = 0.7 * vessel.rim, style.pick("grip", {"plastic": 2.0, "wood": 1.5, "metal": 1.5, "rubber": 0.7})
    edge = vessel.reach(z) - 0.6 * vessel.wall
    wide = style.number("ear", 0.06, 0.09)
    ends = vessel.across(z, wide / 2) - 0.25 * vessel.wall
    bow = loop(wide, edge + 0.035 - ends, square=style.number("ear bend", 0.5, 0.85))
    ears = strap(bow, 0.01, 0.012).turned(x=90).at(ends, 0, z)
    if kind == "paella":
        return [part("handle", leaf("grip", each, "metal")) for each in (ears, ears.turned(z=180))]
    cast = kind == "skillet" and style.maybe("cast", 0.7)
    length = style.number("length", 0.13, 0.15) if cast else style.number("length", 0.17, 0.22)
    rise, width = style.number("rise", 0.01, 0.06), style.number("width", 0.022, 0.032)
    neck = 0.0 if cast else style.number("neck", 0.025, 0.07)
    held, stock = stick(edge, z, length=length, rise=rise, width=width, thick=0.011 if cast else 0.018, neck=neck)
    grip = leaf("grip", stock, "metal" if cast else made)
    found = [part("handle", grip, None if cast else leaf("connector", held, "metal"))]
    if kind in ("skillet", "saute", "wok", "grill") and style.maybe("helper", 0.5):
        found.append(part("handle", leaf("grip", ears.turned(z=180), "metal")))
    return found


def _lid(style: Style, vessel: Vessel) -> Part:
    """Of glass or metal, lying on the rim."""
    edge, made = vessel.radius(vessel.rim) + 0.002, style.pick("lid material", {"glass": 2.0, "metal": 1.0})
    design = style.pick("lid grip", {"ball": 1.0, "button": 1.5, "disc": 1.0, "strap": 1.0})
    wall = 0.0035 if made == "glass" else 0.0016
    dome, grip = lid_with_grip(design, edge, vessel.rim - 0.0005, tall=0.2 * edge, wall=wall, form=vessel.form)
    return sliding(part("lid", leaf("lid_surface", dome, made), leaf("handle", grip, "plastic")), (0, 0, 1), (0.0, 0.3))


def _food(style: Style, kind: str, vessel: Vessel) -> list[Part]:
    """Fried eggs, a pancake, or what fills the pan."""
    if kind == "grill" or not style.maybe("food", 0.35):
        return []
    floor, room = vessel.floor - 5e-4, float(vessel.inside()[0][0])
    if kind in ("wok", "paella", "saute"):
        return [leaf("containing_things", vessel.filling(0.55 * vessel.rim, crown=0.008), "plastic")]
    if kind == "crepe":
        return [
            leaf(
                "containing_things",
                solid_of([(0.82 * room, 0), (0.85 * room, 0.002), (0.83 * room, 0.004)]).at(z=floor),
                "rubber",
            )
        ]
    egg = union(
        solid_of([(0.045, 0), (0.044, 0.003), (0.04, 0.004)], form=formed("lobed")),
        solid_of([(0.019, 0.003), (0.017, 0.009), (0.009, 0.0125)], segments=20),
    )
    places = (
        [(-0.42 * room, 0.1 * room), (0.42 * room, -0.12 * room)]
        if room > 0.1 and style.maybe("two eggs", 0.5)
        else [(0.0, 0.0)]
    )
    return [leaf("containing_things", egg.at(x, y, floor), "plastic") for x, y in places]
