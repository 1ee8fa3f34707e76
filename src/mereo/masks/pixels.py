"""Masks as arrays of pixels, and the boxes around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Box", "Pixels", "box_of", "box_overlap", "boxes_overlap", "stretched"]

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


def stretched(pixels: NDArray[Any], size: tuple[int, ...]) -> NDArray[Any]:
    """A mask or a picture of ids at another height and width: each pixel as the one that lies there."""
    if pixels.shape == size:
        return pixels
    rows, columns = (np.arange(new) * old // new for new, old in zip(size, pixels.shape, strict=True))
    found: NDArray[Any] = pixels[np.ix_(rows, columns)]
    return found


def box_overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Intersection over union of two boxes: left, top, width, height."""
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = across * down
    return both / (one[2] * one[3] + other[2] * other[3] - both)


def boxes_overlap(
    ones: Iterable[Sequence[float]], others: Iterable[Sequence[float]], *, width: int, height: int
) -> float:
    """Intersection over union of what two lists of boxes cover of a picture, in whole pixels; 1 where both cover none.

    What lies outside the picture, or has no extent, covers nothing.
    """
    one, other = (_covered(boxes, width, height) for boxes in (ones, others))
    joined = int((one | other).sum())
    return int((one & other).sum()) / joined if joined else 1.0


def _covered(boxes: Iterable[Sequence[float]], width: int, height: int) -> Pixels:
    covered = np.zeros((height, width), bool)
    for left, top, across, down in boxes:
        columns, rows = (
            slice(*(round(min(max(edge, 0), most)) for edge in (first, first + extent)))
            for first, extent, most in ((left, across, width), (top, down, height))
        )
        covered[rows, columns] = True
    return covered
