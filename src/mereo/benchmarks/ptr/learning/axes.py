"""Directions without a sign: a line points both ways, and a plane has two normals.

An axis is told by the six numbers of its outer product with itself, xx, yy, zz, xy, xz and yz, which are the same for
both signs. They can be averaged, and a network can learn them without jumps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["direction_of", "unsigned"]

_ROWS, _COLUMNS = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]


def unsigned(axis: ArrayLike) -> NDArray[np.float32]:
    """(..., 6) float: directions without their sign. axis : (..., 3) float, of any length but zero"""
    given = np.asarray(axis, np.float64)
    unit = given / np.linalg.norm(given, axis=-1, keepdims=True)
    product: NDArray[np.float32] = (unit[..., _ROWS] * unit[..., _COLUMNS]).astype(np.float32)
    return product


def direction_of(numbers: ArrayLike) -> NDArray[np.float64]:
    """(3,) float: the unit direction nearest to what is told of one. numbers : (6,), or (3,) for one with its sign"""
    told = np.asarray(numbers, np.float64)
    product = np.outer(told, told) if len(told) == 3 else np.empty((3, 3))
    if len(told) == 6:
        product[_ROWS, _COLUMNS] = product[_COLUMNS, _ROWS] = told
    direction: NDArray[np.float64] = np.linalg.eigh(product)[1][:, -1]
    return direction
