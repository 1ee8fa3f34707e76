"""Annotations of one shape made comparable, however their annotators cut it: by points on the shape as it came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.annotation.geometry.blobs import read_mesh
from mereo.annotation.home import Home
from mereo.annotation.state import State
from mereo.chance import generator
from mereo.shapes.mesh import Floats, joined
from mereo.shapes.points import sample_mesh

__all__ = ["NOTHING", "Comparison", "Sample", "compared", "pieces_of_points", "sampled"]

POINTS = 2_000
"""On every shape."""
_DENSER = 8
"""So many times as many points stand for the surface of pieces that were cut."""
NOTHING = ""
"""The path of what was given to no part."""

Numbers = NDArray[np.int64]


class Sample(NamedTuple):
    """Points on a shape, uniform over its area.

    points : (n, 3) float, the shape's frame
    piece : (n,) int, the number of the piece that each lies on
    """

    points: Floats
    piece: Numbers


class Comparison(NamedTuple):
    """Two annotations of one shape beside each other."""

    same: float
    """The share of the area that both call the same."""
    differing: tuple[Mapping[int, float], Mapping[int, float]]
    """For either, by piece the share of its area that the other calls otherwise."""


def sampled(home: Home, pieces: Mapping[int, str], *, seed: int, count: int = POINTS) -> Sample:
    """Points on the pieces of a shape. pieces : by number the digits of each mesh"""
    numbers = np.array(list(pieces), np.int64)
    mesh, source = joined([read_mesh(home, digits) for digits in pieces.values()])
    found = sample_mesh(mesh, count, generator(seed, "agreement"))
    return Sample(found.points, numbers[source[found.faces]])


def pieces_of_points(sample: Sample, state: State, home: Home) -> Numbers:
    """(n,) the piece of an annotation that each point belongs to: of those cut from its own, the nearest."""
    found = sample.piece.copy()
    for origin in sorted(set(state.origin.values()) - state.pieces.keys()):
        own = np.flatnonzero(sample.piece == origin)
        cut = {piece: digits for piece, digits in state.pieces.items() if state.origin.get(piece) == origin}
        if len(own):
            found[own] = _nearest(sample.points[own], cut, home)
    return found


def _nearest(points: Floats, pieces: Mapping[int, str], home: Home) -> Numbers:
    from scipy.spatial import KDTree

    dense = sampled(home, pieces, seed=0, count=_DENSER * POINTS)
    _, place = KDTree(dense.points).query(points)
    nearest: Numbers = dense.piece[place]
    return nearest


def paths_of_points(pieces: Numbers, state: State) -> NDArray[np.str_]:
    """(n,) the path of the part that each point is given to. pieces : (n,) of this annotation"""
    paths = {piece: state.path(part) for piece, part in state.owner.items()}
    return np.array([paths.get(piece, NOTHING) for piece in pieces.tolist()], np.str_)


def compared(sample: Sample, one: State, other: State, home: Home) -> Comparison:
    """Two annotations of the shape that the points lie on."""
    pieces = [pieces_of_points(sample, state, home) for state in (one, other)]
    paths = [paths_of_points(own, state) for own, state in zip(pieces, (one, other), strict=True)]
    unlike = paths[0] != paths[1]
    first, second = (_shares(own, unlike) for own in pieces)
    return Comparison(1.0 - float(unlike.mean()), (first, second))


def _shares(pieces: Numbers, unlike: NDArray[np.bool_]) -> dict[int, float]:
    return {piece: float(unlike[pieces == piece].mean()) for piece in np.unique(pieces).tolist()}
