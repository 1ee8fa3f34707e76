"""The shape that fits best what was seen of an object."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mereo.benchmarks.ptr.learning.rebuild.library import Library
from mereo.benchmarks.ptr.learning.rebuild.outline import Outline
from mereo.scenes.scene import ShapeRef

__all__ = ["Fit", "fitting"]

_SIZE = 2.0
"""What a meter counts by which the whole is larger or smaller, against one by which a part's box is."""
_MISSING = 0.5
"""Meters that a name counts which only one of the two has."""
_NUMBER = 0.1
"""Meters that each part counts which one of the two has more; some are hidden, so it is not much."""


class Fit(NamedTuple):
    """A shape at the size that fits."""

    reference: ShapeRef
    scale: float
    misfit: float
    """Meters, summed over all that was compared."""


def fitting(seen: Outline, among: Library) -> Fit:
    """The nearest shape, each taken at the size at which its box has the volume of what was seen."""
    scale = np.exp(np.log(np.maximum(seen.extent, 0.02) / among.extent).mean(1))
    misfit = _SIZE * 2 * np.abs(scale[:, None] * among.extent / 2 - seen.extent / 2).sum(1)
    for place, name in enumerate(among.names):
        there, here = among.pieces[:, place], seen.pieces.get(name, 0)
        if here:
            off = np.abs(scale[:, None] * among.boxes[:, place] - seen.reach[name]).sum(1)
            misfit += np.where(there > 0, off + _NUMBER * np.abs(there - here), _MISSING)
        else:
            misfit += np.where(there > 0, _MISSING, 0.0)
    best = int(misfit.argmin())
    return Fit(among.references[best], float(scale[best]), float(misfit[best]))
