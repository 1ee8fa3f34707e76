"""Points in the order in which curves that fill space come by them, so that what is near in space is mostly near there.

Two curves, z-order and Hilbert's, each with its axes in two orders: what one of them parts, another keeps together. The
orders follow from where points lie, not from the order in which they are given; only points in one cell of the grid, of
which a thousand lie beside each other, stay as they were.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

__all__ = ["CURVES", "Orders", "cells_of", "codes_of", "hilbert", "orders_of", "z_order"]

CURVES = 4
"""How many orders there are."""
_BITS = 10
"""Of each coordinate, so that a code of three fits 32 bits."""
_AXES = ((0, 1, 2), (1, 0, 2))
_APART = ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249))
"""How far bits are moved, half of them at a time, and which are kept, until two lie free between any two of them."""


class Orders(NamedTuple):
    """Clouds along the curves, Hilbert's first.

    places : (b, CURVES, n) int64, the points one after the other · ranks : (b, CURVES, n) int64, when each point comes
    """

    places: Tensor
    ranks: Tensor


def orders_of(codes: Tensor) -> Orders:
    """How the curves come by points. codes : (b, CURVES, n)"""
    places = codes.argsort(dim=-1, stable=True)
    along = torch.arange(codes.shape[-1], device=codes.device).expand_as(places)
    return Orders(places, torch.empty_like(places).scatter_(-1, places, along))


@torch.no_grad()
def codes_of(points: Tensor) -> Tensor:
    """(b, CURVES, n) int32: how far along the curves points lie. points : (b, n, 3), coordinates from -1 to 1"""
    cells = torch.stack([cells_of(points, _BITS)[..., axes] for axes in _AXES], 1)
    return torch.cat([hilbert(cells, _BITS), z_order(cells)], 1)


def cells_of(points: Tensor, bits: int) -> Tensor:
    """(..., 3) int32: the cell of a grid in which each point lies, 2^bits to an axis; what lies outside is moved in."""
    side = 2**bits
    cells: Tensor = ((points.float() + 1) * (side / 2)).floor().clamp(0, side - 1).int()
    return cells


def z_order(cells: Tensor) -> Tensor:
    """(...) int32: how far along the z-order curve cells lie: the bits of their coordinates in turn.

    cells : (..., 3), coordinates of at most ten bits
    """
    for by, kept in _APART:
        cells = (cells | (cells << by)) & kept
    return (cells[..., 0] << 2) | (cells[..., 1] << 1) | cells[..., 2]


def hilbert(cells: Tensor, bits: int) -> Tensor:
    """(...) int32: how far along Hilbert's curve cells lie, of which each touches the next. cells : (..., 3)

    By Skilling's method: each cube, from the largest, is turned and mirrored as the curve goes through it, until the
    z-order of what has become of the coordinates is that of the curve.
    """
    axes = [axis.clone() for axis in cells.unbind(-1)]
    for bit in range(bits - 1, 0, -1):
        lower = (1 << bit) - 1
        for axis in axes:
            beyond = (axis >> bit) & 1 == 1
            swapped = ((axes[0] ^ axis) & lower).masked_fill_(beyond, 0)
            axis ^= swapped
            axes[0] ^= swapped.masked_fill_(beyond, lower)
    axes[1] ^= axes[0]
    axes[2] ^= axes[1]
    mirrored = torch.zeros_like(axes[0])
    for bit in range(bits - 1, 0, -1):
        mirrored ^= ((axes[2] >> bit) & 1) * ((1 << bit) - 1)
    return z_order(torch.stack(axes, -1) ^ mirrored[..., None])
