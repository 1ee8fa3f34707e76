"""Jugs: wide bottles with a handle and often a lip to pour from."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grips import ear, strap
from mereo.shapes.joinery import sized
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, shell
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Form, Vessel, formed

__all__ = ["jug"]


def jug(style: Style) -> Part:
    """The handle is on the right, the lip on the left."""
    profile = PROFILES.drawn(style, "profile", "jug")
    narrow = style.choices["profile"] in ("gallon", "growler")
    radius = style.number("radius", 0.06, 0.08)
    footed = style.choices["profile"] == "footed"
    height = radius * (0.7 * footed + style.number("height", 2.3, 3.1))
    usual = (
        {"plastic": 2.0, "glass": 1.0, "ceramic": 1.0}
        if narrow
        else {"ceramic": 3.0, "glass": 2.0, "metal": 1.0, "plastic": 1.0}
    )
    material = style.pick("material", usual)
    wall = {"plastic": 0.0016, "metal": 0.0014, "glass": 0.004}.get(material, 0.005)
    floor = 0.22 * height if footed else wall + 0.004
    corners = sized(profile, radius, height)
    if narrow:
        form = style.pick("form", {"round": 1.0, "square": 1.0, "octagonal": 0.6})
        vessel = Vessel(corners, wall, floor, formed(form), ease=(0.6 * height, 0.86 * height))
    else:
        vessel = Vessel(corners, wall, floor, _lip(style.number("lip", 0.15, 0.4)), ease=(height, 0.78 * height))
    return part(
        "jug",
        leaf("body", vessel.solid(), material),
        leaf(
            "handle",
            strap(_line(style, vessel, narrow), style.number("handle width", 0.014, 0.024), 0.01, ends=1.2),
            material,
        ),
        leaf("mouth", _mouth(vessel), material) if narrow else None,
    )


def _lip(out: float) -> Form:
    """Round, but for a lip to the left."""

    def form(turns: Floats) -> Floats:
        edge: Floats = 1 + out * np.exp(-(((turns - np.pi) / 0.3) ** 2))
        return edge

    return form


def _line(style: Style, vessel: Vessel, narrow: bool) -> Floats:
    """The middle of the handle."""
    ends = (0.5, 0.94) if narrow else (style.number("handle foot", 0.2, 0.35), style.number("handle top", 0.8, 0.9))
    foot, top = ((vessel.radius(z * vessel.rim) - 0.5 * vessel.wall, z * vessel.rim) for z in ends)
    design = "D" if narrow else style.pick("handle", {"C": 2.0, "ear": 2.0, "D": 1.0, "square": 1.0, "angled": 0.7})
    return ear(design, foot, top, out=0.016 if narrow else style.number("handle reach", 0.035, 0.05))


def _mouth(vessel: Vessel) -> Solid:
    edge, rim = vessel.radius(vessel.rim), vessel.rim
    return shell(
        [(edge + 4e-4, rim - 0.008), (edge + 0.003, rim - 0.006), (edge + 0.003, rim), (edge + 0.002, rim + 0.001)],
        0.004,
    )
