"""Soda cans: of thin metal, with a tab that lifts; slim, stout, ribbed, cut like diamonds, open or shut."""

from __future__ import annotations

from mereo.shapes.articulation import turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import sized
from mereo.shapes.outlines import ellipse
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, union
from mereo.shapes.style import Style
from mereo.shapes.turnery import PROFILES, Vessel, fluted, formed, polygonal, round_form, solid_of

_SIZES: dict[str, tuple[float, tuple[float, float], tuple[float, float]]] = {
    "standard": (3.0, (0.0325, 0.0335), (0.118, 0.124)),
    "sleek": (1.5, (0.028, 0.0295), (0.15, 0.158)),
    "slim": (1.5, (0.0262, 0.027), (0.13, 0.137)),
    "tall": (1.5, (0.0325, 0.0335), (0.164, 0.17)),
    "stout": (1.0, (0.0325, 0.034), (0.085, 0.092)),
    "king": (0.8, (0.041, 0.043), (0.185, 0.2)),
}
"""How usual a size is, and the bounds of its radius and height, meters."""


@grammar("soda_can")
def soda_can(style: Style) -> Part:
    """The tab lies on the lid and is left lifted on some that are open, a few with a straw."""
    size = style.pick("size", {name: row[0] for name, row in _SIZES.items()})
    _, radii, heights = _SIZES[size]
    radius, height = style.number("radius", *radii), style.number("height", *heights)
    profile = sized(PROFILES.drawn(style, "profile", "can"), radius, height)
    reliefs = {"plain": 5.0, "flutes": 1.0, "facets": 0.8, "diamonds": 0.8, "lobes": 0.5}
    relief = style.pick("relief", {"plain": 1.0} if style.choices["profile"] == "ringed" else reliefs)
    forms = {
        "plain": round_form,
        "flutes": fluted(14, 0.02),
        "facets": polygonal(8),
        "diamonds": formed("hexagonal"),
        "lobes": fluted(4, 0.05),
    }
    neck = (0.72 * height, 0.88 * height) if relief != "plain" else None
    vessel = Vessel(
        profile, 0.0003, profile[0][1] + 0.0006, forms[relief], 60.0 * (relief == "diamonds"), neck, segments=28
    )
    opened, edge = style.maybe("open", 0.4), vessel.radius(height)
    lid = solid_of(
        [
            (0.7 * edge, -0.005),
            (0.86 * edge, -0.0048),
            (0.95 * edge, -0.001),
            (1.02 * edge, -0.0005),
            (1.03 * edge, 0.0015),
            (0.99 * edge, 0.002),
            (0.9 * edge, -0.004),
            (0.5 * edge, -0.0042),
        ]
    )
    hole = board(ellipse(0.62 * edge, 0.8 * edge, segments=24), 0.02).at(0, -0.42 * edge, -0.01)
    made = leaf("lid", (lid.minus(hole) if opened else lid).at(z=height), "metal")
    straw = _straw(style, edge, height, vessel.floor) if opened and style.maybe("straw", 0.35) else None
    return part("soda_can", leaf("body", vessel.solid(), "metal"), made, _tab(style, edge, height, opened), straw)


def _tab(style: Style, edge: float, height: float, opened: bool) -> Part:
    """A plate with one hole or two on a rivet; it turns about the rivet's front edge."""
    design = style.pick("tab", {"round": 2.0, "two holes": 1.0, "ring": 1.0})
    outline = ellipse(0.62 * edge, style.number("tab length", 0.88, 1.02) * edge, segments=24)
    holes = {
        "round": [(0.3, 0.3, 0.22)],
        "two holes": [(0.3, 0.2, 0.28), (0.22, 0.16, -0.02)],
        "ring": [(0.44, 0.5, 0.16)],
    }
    plate = outline.minus(*(ellipse(w * edge, d * edge, segments=16).at(0, y * edge) for w, d, y in holes[design]))
    body = board(plate, 0.0012, (0, 0.22 * edge, height - 0.0024))
    rivet: Solid = solid_of(
        [(0.09 * edge, -0.0046), (0.09 * edge, -0.0022), (0.14 * edge, -0.0018), (0.1 * edge, -0.0006)], segments=14
    )
    whole = union(body, rivet.at(0, -0.06 * edge, height))
    lifted = style.number("lifted", 20, 75) if opened and style.maybe("tab up", 0.6) else 0.0
    hinge = (0, -0.12 * edge, height - 0.003)
    return turning(leaf("tab", whole, "metal"), (1, 0, 0), hinge, (0.0, 90.0), stands=lifted)


def _straw(style: Style, edge: float, height: float, floor: float) -> Part:
    """Through the hole, leaning to the back."""
    end = style.number("straw end", 0.05, 0.08)
    start, out = (0, 0.1 * edge, floor + 0.4 * height), (0, -0.45 * edge, height)
    slope = (out[1] - start[1]) / (out[2] - start[2])
    return leaf("straw", bar(start, (0, out[1] + slope * end, height + end), 0.0055, round=True, sides=12), "plastic")
