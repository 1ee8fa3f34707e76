"""How sure the scores of a set of shapes are: the same scores of shapes that are drawn with replacement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.iou import Overlaps, mean_of, scores_of
from mereo.benchmarks.partnet.precision import POINTS, Matches, average_precision, falling
from mereo.evaluation.intervals import Mean, between, drawn_scenes, ratio

__all__ = ["Resampled", "averaged", "resampled_iou", "resampled_precision"]

Floats = NDArray[np.float64]


class Resampled(NamedTuple):
    """A score, and what it is in each resample of the shapes."""

    value: float
    drawn: Floats
    """(DRAWS,) NaN where a resample has none."""
    shapes: int
    """How many shapes there are."""

    @property
    def mean(self) -> Mean:
        """The score with its 95% interval."""
        return between(self.value, self.drawn, count=self.shapes, scenes=self.shapes)


def averaged(some: Sequence[Resampled]) -> Resampled:
    """The mean of several scores, each of which was resampled by itself; those that say nothing are left out."""
    told = [one for one in some if not np.isnan(one.value)]
    if not told:
        return Resampled(float("nan"), np.empty(0), 0)
    drawn = np.nanmean([np.where(np.isnan(one.drawn), one.value, one.drawn) for one in told], axis=0)
    return Resampled(float(np.mean([one.value for one in told])), drawn, sum(one.shapes for one in told))


def resampled_iou(overlaps: Overlaps, shapes: Floats) -> tuple[Resampled, Resampled]:
    """Part and shape mean of IoU. shapes : (s,) the mean of each shape"""
    parts = []
    for weights in _draws(len(shapes)):
        pooled = ratio(weights @ overlaps.shared, weights @ overlaps.joined)
        parts.append(_row_means(pooled))
    drawn = np.concatenate(parts) if parts else np.empty(0)
    return Resampled(scores_of(overlaps).part_mean, drawn, len(shapes)), _of_shapes(shapes)


def resampled_precision(
    matches: Sequence[Matches], truths: NDArray[np.int64], shapes: Floats
) -> tuple[Resampled, Resampled]:
    """Part and shape mean of average precision. truths : (s, c); shapes : (s,) the mean of each shape"""
    owner = np.repeat(np.arange(len(matches)), [len(one.hit) for one in matches])
    hit, label, sure = (np.concatenate(columns) for columns in zip(*matches, strict=True))
    whole, drawn = [], []
    for part in np.flatnonzero(truths.sum(0)).tolist():
        own = np.flatnonzero(label == part)
        own = own[falling(sure[own])]
        whole.append(average_precision(hit[own], int(truths[:, part].sum())))
        drawn.append(_drawn_precision(hit[own], owner[own], truths[:, part]))
    value = mean_of(np.array(whole, np.float64))
    return Resampled(value, _row_means(np.array(drawn).T) if drawn else np.empty(0), len(shapes)), _of_shapes(shapes)


def _drawn_precision(hit: NDArray[np.bool_], owner: NDArray[np.int64], truths: NDArray[np.int64]) -> Floats:
    """(DRAWS,) the average precision of a part in each resample. hit, owner : by falling confidence"""
    found = []
    for weights in _draws(len(truths)):
        own, there = weights[:, owner], weights @ truths
        hits, all_of_it = np.cumsum(own * hit, 1), np.cumsum(own, 1)
        best = np.maximum.accumulate((hits / np.maximum(all_of_it, 1))[:, ::-1], 1)[:, ::-1]
        best = np.concatenate([best, np.zeros((len(best), 1))], 1)
        reached = np.take_along_axis(best, _first(POINTS * hits, there[:, None] * np.arange(1, POINTS + 1)), 1)
        scores = (1.0 + reached.sum(1)) / (POINTS + 1)
        said = all_of_it[:, -1] > 0 if len(hit) else np.zeros(len(weights), bool)
        found.append(np.where(there > 0, np.where(said, scores, 0.0), np.nan))
    return np.concatenate(found)


def _first(rows: Floats, wanted: Floats) -> NDArray[np.int64]:
    """(n, k) in each row the place of the first number that is at least as large as each wanted one, m if none is.

    rows : (n, m), each rising, none below 0; wanted : (n, k). One search for all, in rows that stand one on the other.
    """
    count, width = rows.shape
    step = np.arange(count)[:, None] * (max(rows.max(initial=0), wanted.max(initial=0)) + 1)
    found = np.searchsorted((rows + step).ravel(), (wanted + step).ravel()).reshape(wanted.shape)
    return np.asarray(found - np.arange(count)[:, None] * width)


def _of_shapes(shapes: Floats) -> Resampled:
    known = np.flatnonzero(~np.isnan(shapes))
    parts = [ratio(weights[:, known] @ shapes[known], weights[:, known].sum(1)) for weights in _draws(len(shapes))]
    return Resampled(mean_of(shapes), np.concatenate(parts) if parts else np.empty(0), len(known))


def _draws(size: int) -> Iterator[Floats]:
    return (weights.astype(np.float64) for weights in drawn_scenes(size)) if size else iter(())


def _row_means(table: Floats) -> Floats:
    """(n,) the mean of what is known in each row, NaN where nothing is. table : (n, c)"""
    known = ~np.isnan(table)
    return ratio(np.where(known, table, 0.0).sum(1), known.sum(1))
