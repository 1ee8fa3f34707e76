"""What PartNet's measures check of what they are given: as many shapes, as many points, labels that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mereo.errors import BadInput

__all__ = ["checked_labels", "same_points", "same_shapes"]


def same_shapes(truth: Sequence[Any], predicted: Sequence[Any]) -> None:
    """Complain if there are not as many predictions as shapes."""
    if len(truth) != len(predicted):
        raise BadInput(f"there are {len(truth):,} shapes, and predictions for {len(predicted):,}")


def same_points(truth: ArrayLike, predicted: ArrayLike, number: int) -> None:
    """Complain if a prediction is over other points than its shape has. number : the shape's"""
    true, said = np.shape(truth), np.shape(predicted)
    if true != said:
        raise BadInput(f"has labels of shape {true}, its prediction of shape {said}", record=f"shape {number}")


def checked_labels(labels: ArrayLike, most: int, number: int) -> NDArray[np.int64]:
    """Labels of a shape as whole numbers from 0 to the last that there is. number : the shape's"""
    found = np.asarray(labels)
    if found.ndim != 1 or found.dtype.kind not in "iub":
        raise BadInput("labels are not one whole number for each", record=f"shape {number}")
    if len(found) and not 0 <= int(found.min()) <= int(found.max()) <= most:
        wrong = int(found.min()) if found.min() < 0 else int(found.max())
        raise BadInput(f"the label {wrong} is not between 0 and {most}", record=f"shape {number}")
    return found.astype(np.int64)
