"""How much pieces of a shape are like the parts of another one: by where they are in it, how large, and how full."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mereo.annotation.geometry.places import Place, child_places
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Floats, Mesh

__all__ = ["Boxes", "Known", "apart", "boxes_of", "known_shapes", "together"]

_WEIGHTS = np.array([1.0] * 6 + [0.5] * 4 + [0.3])
"""Of the place and the size in the box of the shape, of the size and area as such, and of how full the own box is."""


class Boxes(NamedTuple):
    """What is looked at of the pieces of one shape.

    low, high : (n, 3) float, corners
    areas : (n,) float
    """

    low: Floats
    high: Floats
    areas: Floats


class Known(NamedTuple):
    """A shape of a grammar: how its leaves look, and what they are."""

    looks: Floats
    labels: tuple[str, ...]
    places: tuple[Place, ...]


def boxes_of(meshes: Sequence[Mesh]) -> Boxes:
    """The boxes around some meshes, and their areas."""
    return Boxes(
        np.array([mesh.triangles.min((0, 1)) for mesh in meshes]),
        np.array([mesh.triangles.max((0, 1)) for mesh in meshes]),
        np.array([float(mesh.face_areas().sum()) for mesh in meshes]),
    )


def looks_of(boxes: Boxes) -> Floats:
    """(n, 11) float: what is compared of each piece. Places and sizes are shares of the box around all of them."""
    bottom = boxes.low.min(0)
    whole = np.maximum(boxes.high.max(0) - bottom, 1e-12)
    sizes = boxes.high - boxes.low
    middles = ((boxes.low + boxes.high) / 2 - bottom) / whole
    shares = np.sqrt(boxes.areas / (boxes.areas.sum() or 1.0))
    walls = 2 * (sizes * np.roll(sizes, 1, axis=1)).sum(1)
    full = boxes.areas / np.maximum(walls, 1e-12)
    looks: Floats = _WEIGHTS * np.column_stack([middles, sizes / whole, sizes / whole.max(), shares, full])
    return looks


def together(boxes: Boxes, rows: Sequence[int]) -> Boxes:
    """The boxes with some of them as one, which is the last."""
    others = np.setdiff1d(np.arange(len(boxes.areas)), rows)
    low = np.vstack([boxes.low[others], boxes.low[rows].min(0)])
    high = np.vstack([boxes.high[others], boxes.high[rows].max(0)])
    return Boxes(low, high, np.append(boxes.areas[others], boxes.areas[rows].sum()))


def apart(boxes: Boxes, known: Known) -> Floats:
    """(n, k) float: how far each piece is from each leaf."""
    found: Floats = np.linalg.norm(looks_of(boxes)[:, None] - known.looks[None], axis=2)
    return found


@lru_cache(maxsize=8)
def known_shapes(category: str, count: int) -> tuple[Known, ...]:
    """Shapes that a grammar makes."""
    return tuple(_known(category, family) for family in range(count))


def _known(category: str, family: int) -> Known:
    shape = make_shape(category, seed=0, family=family)
    leaves = [(part, place) for part, place in child_places(shape.root) if part.mesh is not None]
    boxes = boxes_of([part.mesh for part, _ in leaves if part.mesh is not None])
    return Known(looks_of(boxes), tuple(part.label for part, _ in leaves), tuple(place for _, place in leaves))
