"""Bottles: for wine, beer, milk, water, scent or soap, and jugs with a handle."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from mereo.files import read_toml
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.bottle.jugs import jug
from mereo.shapes.grammars.bottle.tops import topped
from mereo.shapes.grips import loop, strap
from mereo.shapes.joinery import sized
from mereo.shapes.part import Part
from mereo.shapes.solids import shell
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, formed

_WALLS = {"glass": 0.0032, "plastic": 0.0009, "metal": 0.001, "ceramic": 0.004}
"""Meters."""


@cache
def _kinds() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("kinds.toml"))


@grammar("bottle")
def bottle(style: Style) -> Part:
    """Bottles narrow to a neck, which something closes; jugs are open and held by a handle."""
    made = jug(style) if style.maybe("jug", 0.2) else _normal(style)
    return part("bottle", made)


def _normal(style: Style) -> Part:
    kind = style.pick("kind", {name: row["weight"] for name, row in _kinds().items()})
    row = _kinds()[kind]
    material, form = (style.pick(f"{name}", dict.fromkeys(row[f"{name}s"], 1.0)) for name in ("material", "form"))
    height, radius, (slim, long) = (
        style.number("height", *row["height"]),
        style.number("radius", *row["radius"]),
        row["neck"],
    )
    profile = sized(PROFILES.drawn(style, "profile", "bottle", row["profiles"]), radius, height)
    profile[-1] = (slim, profile[-1][1])
    wall, start = _WALLS[material], profile[-1][1]
    ease = None if form == "round" else (max(z for r, z in profile if r > 0.93 * radius), start)
    vessel = Vessel(profile, wall, 2 * wall + 0.003, formed(form), ease=ease)
    top = style.pick("top", dict.fromkeys(row["tops"], 1.0))
    high = long * height * style.number("neck length", 0.85, 1.15)
    neck = shell([(slim + 4e-4, start - 0.002), (slim + 4e-4, start + high)], max(wall, 0.0016))
    return part(
        "normal_bottle",
        leaf("body", vessel.solid(), material),
        leaf("neck", neck, material),
        topped(style, top, slim + 4e-4, start + high, material),
        _handle(style, kind, vessel, material),
    )


def _handle(style: Style, kind: str, vessel: Vessel, material: str) -> Part | None:
    """On the side of large bottles of plastic, and of some for water."""
    if kind != "detergent" and not (kind in ("water", "milk") and style.maybe("side handle", 0.15)):
        return None
    tall, z = 0.5 * vessel.rim, 0.52 * vessel.rim
    grip = strap(loop(tall, 0.042), 0.022, 0.014)
    return leaf("handle", grip.at(vessel.reach(z) - 0.004, 0, z), "metal" if material == "glass" else material)
