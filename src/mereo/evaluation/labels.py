"""How well several labels at once are told: F1 of each, averaged over labels, and of all together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mereo.evaluation.intervals import Mean, estimate, ratio

__all__ = ["macro_f1", "micro_f1"]

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


def macro_f1(true: Labels, said: Labels, scenes: NDArray[np.int64]) -> Mean:
    """The mean of the F1 of every label that is true of something or said of something; no other has any.

    true, said : (n, labels); scenes : (n,) counted from 0
    """

    def value(sums: Floats) -> Floats:
        f1 = _f1(*np.split(sums, 3, axis=1))
        return ratio(np.nansum(f1, 1), (~np.isnan(f1)).sum(1))

    return estimate(_counted(true, said, scenes), value, count=len(true))


def micro_f1(true: Labels, said: Labels, scenes: NDArray[np.int64]) -> Mean:
    """F1 of all labels counted together. true, said : (n, labels); scenes : (n,) counted from 0"""

    def value(sums: Floats) -> Floats:
        return _f1(*(part.sum(1) for part in np.split(sums, 3, axis=1)))

    return estimate(_counted(true, said, scenes), value, count=len(true))


def _counted(true: Labels, said: Labels, scenes: NDArray[np.int64]) -> Floats:
    """(scenes, 3 labels): how often each label is rightly said, wrongly said, and left out, scene by scene."""
    each = np.concatenate([true & said, ~true & said, true & ~said], axis=1)
    sums = np.zeros((int(scenes.max()) + 1 if len(scenes) else 0, each.shape[1]))
    np.add.at(sums, scenes, each)
    return sums


def _f1(right: Floats, wrong: Floats, missed: Floats) -> Floats:
    """2 right / (2 right + wrong + missed), NaN where there is nothing."""
    return ratio(2 * right, 2 * right + wrong + missed)
