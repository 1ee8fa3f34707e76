"""Stacking by reckoning: what an object would stand on, and how well its weight lies over that, without simulating.

Seen from above, flat tops and soles are figures. Where they overlap one holds the other, and what is held stays if its
weight lies within the hull of that. Simulating is for what is promising.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mereo.scenes.assemble import pose_matrix
from mereo.scenes.layout import covered
from mereo.scenes.physics import mass_properties, pieces_of
from mereo.scenes.scene import Placed
from mereo.shapes.mesh import Floats

__all__ = ["Sole", "Top", "held", "sole_of", "steady", "top_of"]

_LEVEL = 0.006
"""Meters: what is no more out of level is flat."""
_SPECK = 1e-6
"""Square meters: less holds nothing."""


class Top(NamedTuple):
    """The largest flat top of an object that nothing covers, figures as seen from above, meters, world frame."""

    height: float
    flat: Any
    higher: Any
    """What rises above it: a headboard, the back of a chair."""


class Sole(NamedTuple):
    """What an object stands on, figures as seen from above, meters, world frame."""

    height: float
    flat: Any
    whole: Any
    """What all of the object covers."""
    weight: Floats
    """(2,) float: where its weight lies."""
    mass: float
    """Kilograms."""


def top_of(placed: Placed) -> Top:
    """Where something could stand on an object."""
    pieces = _pieces(placed)
    tops = [float(piece[:, 2].max()) for piece in pieces]
    found = []
    for height in sorted(set(tops)):
        near = [piece for piece, top in zip(pieces, tops, strict=True) if -_LEVEL < top - height <= 0]
        level = covered(piece[piece[:, 2] > height - _LEVEL] for piece in near)
        higher = covered(piece for piece, top in zip(pieces, tops, strict=True) if top - height > 0)
        found.append(Top(height, level - higher, higher))
    return max(found, key=lambda top: float(top.flat.area()))


def sole_of(placed: Placed) -> Sole:
    """What an object stands on."""
    pieces, properties = _pieces(placed), mass_properties(placed.shape)
    height = min(float(piece[:, 2].min()) for piece in pieces)
    level = [piece[piece[:, 2] < height + _LEVEL] for piece in pieces if piece[:, 2].min() < height + _LEVEL]
    weight = (pose_matrix(placed.pose, placed.scale) @ [*properties.center, 1.0])[:2]
    return Sole(height, covered(level), covered(pieces), weight, properties.mass * placed.scale**3)


def held(sole: Sole, top: Top, offset: Sequence[float] | Floats) -> float | None:
    """Meters by which the weight of one object, moved by an offset (x, y), lies within what the other holds of it.

    Negative where it lies beyond, and endlessly so where nothing is below; None where it would run into what is higher.
    """
    x, y = float(offset[0]), float(offset[1])
    if not (sole.whole.translate((x, y)) ^ top.higher).is_empty():
        return None
    return _within(sole.weight + (x, y), sole.flat.translate((x, y)) ^ top.flat)


def steady(below: Sole, above: Sole, offset: Sequence[float] | Floats) -> float:
    """Meters by which the weight of both objects, the upper moved by an offset (x, y), lies within the lower's sole."""
    weights = np.array([below.weight, above.weight + np.asarray(offset)[:2]])
    return _within(np.average(weights, axis=0, weights=[below.mass, above.mass]), below.flat)


def _within(point: Floats, figure: Any) -> float:
    """How far a point lies within the hull of a figure; outside it is negative."""
    if figure.area() < _SPECK:
        return -np.inf
    (outline,) = figure.hull().to_polygons()
    along = np.roll(outline, -1, 0) - outline
    away = point - outline
    inside = (along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]) / np.linalg.norm(along, axis=1)
    return float(inside.min())


def _pieces(placed: Placed) -> list[Floats]:
    """The corners of an object's convex pieces, world frame, meters. Each (k, 3) float"""
    matrix = pose_matrix(placed.pose, placed.scale)
    return [piece.corners @ matrix[:3, :3].T + matrix[:3, 3] for piece in pieces_of(placed.shape)]
