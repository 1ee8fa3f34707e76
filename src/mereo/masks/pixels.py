"""Masks as arrays of pixels, and the boxes around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Box", "Pixels", "box_of", "box_overlap"]

Pixels = NDArray[np.bool_]
"""(height, width): whether a pixel belongs to the mask."""
Box = tuple[float, float, float, float]
"""Column and row of the first pixel, width and height."""


def box_of(mask: Pixels) -> tuple[int, int, int, int] | None:
    """The smallest box around a mask; None where it is empty."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return None
    left, top = int(columns[0]), int(rows[0])
    return left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1


def box_overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Intersection over union of two boxes: left, top, width, height."""
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = across * down
    return both / (one[2] * one[3] + other[2] * other[3] - both)
