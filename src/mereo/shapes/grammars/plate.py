"""Plates: flat or deep, with a rim or without, round, square, oval or scalloped."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import Form, Vessel, fluted, hoop, polygonal, rectangular, round_form

_WALLS = {"ceramic": 0.0042, "plastic": 0.002, "metal": 0.001, "glass": 0.004, "wood": 0.009}
"""Meters."""
_FORMS: dict[str, tuple[float, Form]] = {
    "round": (6.0, round_form),
    "square": (1.4, rectangular(0.92, 0.92, squareness=6)),
    "oblong": (1.2, rectangular(1.12, 0.72, squareness=6)),
    "oval": (1.2, rectangular(1.2, 0.8, squareness=2)),
    "octagonal": (0.9, polygonal(8)),
    "scalloped": (0.9, fluted(10, 0.03)),
    "triangular": (0.5, fluted(3, 0.1)),
}


@grammar("plate")
def plate(style: Style) -> Part:
    """A shallow container, the rim around it, and the ring it stands on."""
    material = style.pick("material", {"ceramic": 5.0, "plastic": 1.0, "metal": 0.8, "glass": 1.0, "wood": 1.2})
    size = style.pick("size", {"dinner": 3.0, "dessert": 2.0, "saucer": 1.0, "platter": 1.0})
    radius = style.number(
        "radius",
        *{"dinner": (0.12, 0.145), "dessert": (0.09, 0.11), "saucer": (0.065, 0.08), "platter": (0.15, 0.18)}[size],
    )
    name = style.pick("form", {name: weight for name, (weight, _) in _FORMS.items()})
    design = style.pick("design", {"rimmed": 3.0, "coupe": 2.0, "deep": 1.0, "walled": 1.0, "divided": 0.8})
    wall, form = _WALLS[material], _FORMS[name][1]
    lift = style.number("foot", 0.003, 0.006) if style.maybe("bottom", 0.7) else 0.0
    well, vessel = _well(style, design, radius, wall, form)
    rim = None
    if design in ("rimmed", "deep", "divided"):
        (inner, z), rise = well, style.number("rim slope", 0.08, 0.3) * (radius - well[0])
        corners = [
            (inner - 0.0015, z - wall),
            (0.5 * (inner + radius), z - wall + 0.35 * rise),
            (radius, z - wall + rise),
        ]
        rim = leaf("rim", hoop(corners, (0.0, -0.85 * wall), form=form, segments=40).at(z=lift), material)
    body = vessel.solid()
    if design == "divided":
        body = union(body, *_walls(well[0], wall, well[1]))
    foot = vessel.radius(0.0)
    ring = hoop([(0.86 * foot, 0.0), (0.9 * foot, lift + 0.001)], 0.12 * foot, form=form)
    return part(
        "plate", leaf("container", body.at(z=lift), material), rim, leaf("bottom", ring, material) if lift else None
    )


def _well(style: Style, design: str, radius: float, wall: float, form: Form) -> tuple[tuple[float, float], Vessel]:
    """Where the flat part ends, and what lies within."""
    share, deep = style.number("well", 0.64, 0.76), style.number("depth", 0.012, 0.018)
    if design == "coupe":
        profile = [(0.5, 0), (0.62, 0.05), (0.82, 0.3), (0.95, 0.75), (1, 1.1)]
        share = 1.0
    elif design == "walled":
        profile = [(0.9, 0), (0.97, 0.12), (0.99, 0.5), (1, 1.5)]
        share = 1.0
    else:
        deep *= 1.9 if design == "deep" else 1.0
        profile = [(0.8, 0), (0.9, 0.1), (0.96, 0.4), (1, 1)]
    corners = [(share * radius * r, deep * z) for r, z in profile]
    return corners[-1], Vessel(corners, wall, wall + 4e-4, form, segments=40)


def _walls(radius: float, wall: float, top: float) -> list[Solid]:
    """Two low walls that make three fields."""
    low, high, reach = 0.6 * wall, 0.8 * top, 0.86 * radius
    ridge = bar((0, 0.001, (low + high) / 2), (0, -0.8 * radius, (low + high) / 2), 0.006, high - low)
    across = bar((-0.88 * reach, 0, (low + high) / 2), (0.88 * reach, 0, (low + high) / 2), 0.006, 1.03 * (high - low))
    return [ridge, across]
