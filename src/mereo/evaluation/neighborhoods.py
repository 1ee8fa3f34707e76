"""t-SNE: vectors as places in a plane, so that neighbors stay neighbors. Exact, for some thousands of vectors.

Van der Maaten and Hinton's method: how likely two vectors are neighbors is to be as likely in the plane, where far away
counts for little. It begins with the two main directions of the vectors, so the same vectors give the same picture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput

__all__ = ["FEWEST", "likely_neighbors", "neighborhoods", "pull"]

Floats = NDArray[np.float64]

FEWEST = 4
"""Vectors that are needed at least."""
_HALVINGS = 60
_STEPS, _EXAGGERATED, _TIMES = 750, 250, 12.0
"""Steps in all, the first ones in which neighbors pull more, and how many times as much."""
_LEAST = 1e-12


def neighborhoods(vectors: NDArray[np.floating], *, perplexity: float = 30.0) -> Floats:
    """(n, 2) places in a plane, around the origin.

    vectors : (n, d) · perplexity : about how many neighbors each has; at most a third of the others
    """
    if len(vectors) < FEWEST:
        raise BadInput(f"there are {len(vectors)} vectors, and a picture of neighborhoods needs {FEWEST}")
    likely = likely_neighbors(vectors, perplexity=min(perplexity, (len(vectors) - 1) / 3))
    likely = (likely + likely.T) / (2 * len(vectors))
    places = _main_directions(vectors) * 1e-4
    rate = max(len(vectors) / _TIMES, 50.0)
    speed, gains = np.zeros_like(places), np.ones_like(places)
    for step in range(_STEPS):
        early = step < _EXAGGERATED
        slope = pull(places, likely * (_TIMES if early else 1.0))
        gains = np.where(np.sign(slope) != np.sign(speed), gains + 0.2, np.maximum(gains * 0.8, 0.01))
        speed = (0.5 if early else 0.8) * speed - rate * gains * slope
        places = places + speed
        places -= places.mean(0)
    return places


def likely_neighbors(vectors: NDArray[np.floating], *, perplexity: float) -> Floats:
    """(n, n) how likely each vector takes another for its neighbor; rows sum to 1, and are of this perplexity."""
    away = _squared(np.asarray(vectors, np.float64))
    np.fill_diagonal(away, np.inf)
    away -= away.min(1, keepdims=True)
    low, high = np.full(len(away), 0.0), np.full(len(away), np.inf)
    sharp = 1.0 / np.maximum(np.median(np.where(np.isinf(away), 0.0, away), axis=1), _LEAST)
    for _ in range(_HALVINGS):
        likely = np.exp(-away * sharp[:, None])
        likely /= likely.sum(1, keepdims=True)
        surprise = -(likely * np.log(np.maximum(likely, _LEAST))).sum(1)
        wide = surprise > np.log(perplexity)
        low, high = np.where(wide, sharp, low), np.where(wide, high, sharp)
        sharp = np.where(np.isinf(high), 2 * sharp, (low + high) / 2)
    found: Floats = likely
    return found


def pull(places: Floats, likely: Floats) -> Floats:
    """(n, 2) the slope of how unlike neighborhoods in the plane are to the likely ones, over all pairs of which both
    sum to 1; where the likely ones sum to more, neighbors pull as much harder."""
    near = 1.0 / (1.0 + _squared(places))
    np.fill_diagonal(near, 0.0)
    force = (likely - near / near.sum()) * near
    slope: Floats = 4.0 * (force.sum(1, keepdims=True) * places - force @ places)
    return slope


def _squared(places: Floats) -> Floats:
    """(n, n) squared distances."""
    square = np.square(places).sum(1)
    away: Floats = np.maximum(square[:, None] + square[None] - 2 * places @ places.T, 0.0)
    return away


def _main_directions(vectors: NDArray[np.floating]) -> Floats:
    """(n, 2) vectors along the two directions in which they vary most, the first with a deviation of 1."""
    centered = np.asarray(vectors, np.float64) - np.mean(vectors, axis=0, dtype=np.float64)
    wide = np.pad(centered, ((0, 0), (0, max(0, 2 - centered.shape[1]))))
    left, sizes, _ = np.linalg.svd(wide, full_matrices=False)
    along = left[:, :2] * sizes[:2]
    signs = np.sign(along[np.abs(along).argmax(0), [0, 1]])
    flat: Floats = along * np.where(signs == 0, 1.0, signs) / max(float(along[:, 0].std()), _LEAST)
    return flat
