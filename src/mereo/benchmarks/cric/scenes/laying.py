"""Tables laid for a meal: plates, cutlery and something to drink from before each seat, and chairs."""

from __future__ import annotations

import numpy as np

from mereo.benchmarks.cric.scenes.furnishing import Furnisher
from mereo.benchmarks.cric.scenes.things import footing, hull_points, placed_at, shifted
from mereo.shapes.mesh import Floats

__all__ = ["lay"]

_CHAIRS = ("back", "left", "right")
"""Sides of a table at which a chair does not stand before it."""
_CHAIR, _CHAIR_GAP = 0.45, (0.02, 0.12)
"""How often a side has a chair, and how far that stands from the table. Meters"""
_LAID_OFF = 0.012
"""Meters by which things lie off their places."""
_DRINKS = ("mug", "drinking glass", "wine glass", "teacup")
_CUTLERY = ("fork", "knife", "spoon")
_MISSING = 0.2
"""How often a piece of cutlery is missing."""
_MEALS = (
    (("plate", 0.0, 0.17), ("fork", 0.19, 0.17), ("knife", -0.18, 0.17)),
    (("plate", 0.0, 0.17), ("fork", 0.19, 0.17), ("knife", -0.18, 0.17)),
    (("bowl of soup", 0.0, 0.17), ("spoon", -0.15, 0.17)),
)
"""What is laid, each with how far to the left and how far inwards from the edge, meters."""
_DRINK = (-0.19, 0.33)


def lay(maker: Furnisher) -> None:
    """Lay the table, which is the first thing of a scene, for one to three, and put chairs at it."""
    left, front, right, back = footing(maker.things[0].placed).bounds()
    x, y = (left + right) / 2, (front + back) / 2
    sides = {"front": (x, front, 180.0), "back": (x, back, 0.0), "left": (left, y, 90.0), "right": (right, y, -90.0)}
    for side in maker.chance.sample(sorted(sides), maker.chance.randint(1, 3)):
        _lay(maker, *sides[side])
    for side in _CHAIRS:
        if maker.chance.random() < _CHAIR:
            _seat(maker, *sides[side])


def _lay(maker: Furnisher, x: float, y: float, turn: float) -> None:
    """Lay one place at a point of the table's edge. turn : degrees by which who sits there is turned"""
    outwards = _outwards(turn)
    left = np.array([outwards[1], -outwards[0]])
    meal = maker.chance.choice(_MEALS)
    for kind, aside, inwards in (*meal, (maker.chance.choice(_DRINKS), *_DRINK)):
        if kind in _CUTLERY and maker.chance.random() < _MISSING:
            continue
        off = np.array([maker.chance.uniform(-_LAID_OFF, _LAID_OFF) for _ in range(2)])
        place = (x, y) - inwards * outwards + aside * left + off
        way = turn + 90 + maker.chance.uniform(-5, 5) if kind in _CUTLERY else maker.turn(kind)
        model = maker.model(kind, on=maker.things[0].placed)
        maker.stand_on(0, kind, placed_at(model, float(place[0]), float(place[1]), 0.0, way))


def _seat(maker: Furnisher, x: float, y: float, turn: float) -> None:
    """A chair that looks at the table from a point of its edge."""
    outwards = _outwards(turn)
    placed = placed_at(maker.model("chair"), 0.0, 0.0, 0.0, turn + maker.turn("chair") / 2)
    gap = maker.chance.uniform(*_CHAIR_GAP)
    off = (gap - float((hull_points(placed)[:, :2] @ outwards).min())) * outwards
    placed = shifted(placed, x + float(off[0]), y + float(off[1]))
    if maker.clear(placed, _CHAIR_GAP[0] / 2):
        maker.add("chair", placed)


def _outwards(turn: float) -> Floats:
    """(2,) float: from the table to who sits at it, where a chair turned so looks at the table."""
    radians = np.radians(turn)
    return np.array([-np.sin(radians), np.cos(radians)])
