"""How sure a score is: 95% intervals and paired tests, by drawing scenes, because questions of one scene are alike.

Questions about one picture stand or fall together: whoever misses its only cylinder gets several of them wrong. Drawing
single questions would give intervals that are too narrow, so whole scenes are drawn, with all their questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.chance import generator

__all__ = [
    "DRAWS",
    "Difference",
    "Mean",
    "adjusted",
    "between",
    "difference",
    "drawn_scenes",
    "estimate",
    "means",
    "ratio",
]

DRAWS = 1000
"""Resamples of the scenes for an interval."""
_SIGNS = 9999
"""Sign patterns for a test, where there are few scenes; a tenth of it where there are many."""
_MANY = 4096
_CELLS = 1 << 22
"""Most numbers held at a time."""
_TAIL = 0.025

Floats = NDArray[np.float64]
Scenes = NDArray[np.int64]


class Mean(msgspec.Struct, frozen=True):
    """A mean with its 95% interval."""

    count: int
    value: float
    low: float
    high: float


class Difference(msgspec.Struct, frozen=True):
    """How much better the first of two runs is, on the same questions."""

    count: int
    value: float
    low: float
    high: float
    p: float
    """How often chance alone gives a difference as large."""


def means(
    scores: Sequence[Floats], members: Sequence[NDArray[np.bool_]], scenes: Scenes, *, seed: int = 0
) -> list[list[Mean]]:
    """For each set of members the mean of each kind of score over them, NaN where there is none.

    scores : each (n,) float, NaN for questions that this kind of score says nothing about
    members : each (n,) bool
    scenes : (n,) the scene of each question
    """
    size = int(scenes.max()) + 1 if len(scenes) else 0
    columns: list[NDArray[np.float32]] = []
    cells: list[tuple[Floats, Floats]] = []
    for inside in members:
        for score in scores:
            known = inside & ~np.isnan(score)
            counts = np.bincount(scenes[known], minlength=size).astype(np.float64)
            sums = np.bincount(scenes[known], weights=score[known], minlength=size).astype(np.float64)
            cells.append((sums, counts))
            columns += [sums.astype(np.float32), counts.astype(np.float32)]
    drawn = _resampled(np.stack(columns, 1), seed=seed) if columns else np.empty((DRAWS, 0), np.float32)
    found = [_mean(*cell, drawn[:, 2 * k], drawn[:, 2 * k + 1]) for k, cell in enumerate(cells)]
    return [found[k : k + len(scores)] for k in range(0, len(found), len(scores))]


def estimate(sums: Floats, value: Callable[[Floats], Floats], *, count: int, share: bool = True, seed: int = 0) -> Mean:
    """What follows from sums over scenes and is no mean of questions, such as F1, with its interval.

    sums : (scenes, k) what each scene adds
    value : from (n, k) to (n,), NaN where the sums tell nothing
    share : whether it lies between 0 and 1
    """
    whole = float(value(sums.sum(0, keepdims=True))[0]) if len(sums) else float("nan")
    drawn = value(_resampled(sums.astype(np.float32), seed=seed).astype(np.float64)) if len(sums) else np.empty(0)
    return between(whole, drawn, count=count, scenes=int(sums.any(1).sum()) if share else None)


def between(value: float, drawn: Floats, *, count: int, scenes: int | None) -> Mean:
    """A value with the interval that resamples of the scenes give.

    drawn : (DRAWS,) the value of each resample, NaN where it has none
    scenes : how many add to it, for a share: where all is right, or all wrong, these bound what can be excluded
    """
    known = drawn[~np.isnan(drawn)]
    if np.isnan(value) or not len(known):
        return Mean(0, float("nan"), float("nan"), float("nan"))
    if scenes and value in (0.0, 1.0) and (known == value).all():
        bound = _TAIL ** (1 / scenes)
        return Mean(count, value, bound, 1.0) if value else Mean(count, value, 0.0, 1 - bound)
    low, high = np.quantile(known, (_TAIL, 1 - _TAIL))
    return Mean(count, value, float(low), float(high))


def ratio(some: Floats, of: NDArray[Any]) -> Floats:
    """Some over all, NaN where there are none."""
    found: Floats = np.divide(some, of, out=np.full(some.shape, np.nan), where=of != 0)
    return found


def difference(one: Floats, other: Floats, scenes: Scenes, *, seed: int = 0) -> Difference:
    """Compare two runs by their scores on the same questions, scene by scene.

    The interval draws scenes; the test flips, scene by scene, which of the runs is which.
    """
    _, scenes = np.unique(scenes, return_inverse=True)
    size = int(scenes.max()) + 1
    gains = np.bincount(scenes, weights=one - other, minlength=size)
    counts = np.bincount(scenes, minlength=size).astype(np.float64)
    drawn = _resampled(np.stack([gains, counts], 1).astype(np.float32), seed=seed)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (_TAIL, 1 - _TAIL))
    total = float(gains.sum())
    unequal = gains[gains != 0]
    as_large = 0
    rng = generator(seed, "signs")
    draws = _SIGNS if len(unequal) <= _MANY else _SIGNS // 10
    for chunk in _chunks(max(len(unequal), 1), draws):
        signs = rng.integers(0, 2, (chunk, len(unequal)), dtype=np.int8) * 2.0 - 1.0
        as_large += int((np.abs(signs @ unequal) >= abs(total) - 1e-9).sum())
    value = total / len(scenes)
    return Difference(len(scenes), value, float(low), float(high), (as_large + 1) / (draws + 1))


def adjusted(chances: Sequence[float]) -> list[float]:
    """Chances of several tests as Holm's method corrects them for being several."""
    result = [0.0] * len(chances)
    worst = 0.0
    for rank, k in enumerate(sorted(range(len(chances)), key=lambda k: chances[k])):
        worst = max(worst, min(1.0, chances[k] * (len(chances) - rank)))
        result[k] = worst
    return result


def _chunks(width: int, draws: int) -> list[int]:
    rows = max(1, min(draws, _CELLS // width))
    return [min(rows, draws - start) for start in range(0, draws, rows)]


def _resampled(columns: NDArray[np.float32], *, seed: int) -> NDArray[np.float32]:
    """(DRAWS, k): the columns' sums over as many scenes as there are, drawn with replacement. columns : (scenes, k)"""
    return np.concatenate([weights @ columns for weights in drawn_scenes(len(columns), seed=seed)])


def drawn_scenes(size: int, *, seed: int = 0) -> Iterator[NDArray[np.float32]]:
    """How often each of so many scenes is drawn, DRAWS times with replacement, some times at once. Each (some, size)"""
    rng = generator(seed, "scenes")
    for chunk in _chunks(size, DRAWS):
        drawn = rng.integers(0, size, (chunk, size), dtype=np.int64)
        drawn += np.arange(chunk)[:, None] * size
        yield np.bincount(drawn.ravel(), minlength=chunk * size).astype(np.float32).reshape(chunk, size)


def _mean(sums: Floats, counts: Floats, drawn_sums: NDArray[np.float32], drawn_counts: NDArray[np.float32]) -> Mean:
    count, total = int(counts.sum()), float(sums.sum())
    if not count:
        return Mean(0, float("nan"), float("nan"), float("nan"))
    value = total / count
    asked = int((counts > 0).sum())
    # Where all are right, or all wrong, every draw says the same; what so many scenes can exclude is then exact.
    if np.array_equal(sums, counts):
        return Mean(count, value, _TAIL ** (1 / asked), 1.0)
    if not total:
        return Mean(count, value, 0.0, 1 - _TAIL ** (1 / asked))
    there = drawn_counts > 0
    low, high = np.quantile(drawn_sums[there] / drawn_counts[there], (_TAIL, 1 - _TAIL))
    return Mean(count, value, float(low), float(high))
