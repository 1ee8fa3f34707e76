"""Pieces of pictures, cut out around things on the device where the pictures lie.

b things; c layers of a picture; h, w rows and columns. A box is column and row of its first pixel, width and height.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

__all__ = ["boxes_around", "crop", "widened"]

_SMALLEST = 8.0
"""Pixels across the smallest crop: of less, nobody could tell what it is."""


def boxes_around(masks: Tensor) -> Tensor:
    """(b, 4) float: the smallest boxes around masks (b, h, w) bool; all of the picture around an empty one."""
    edges = []
    for axis in (1, 2):
        seen = masks.any(axis)
        seen = seen | ~seen.any(1, keepdim=True)
        first = seen.byte().argmax(1)
        edges += [first, seen.shape[1] - seen.flip(1).byte().argmax(1) - first]
    left, across, top, down = edges
    return torch.stack([left, top, across, down], 1).float()


def widened(boxes: Tensor, factor: float) -> Tensor:
    """(b, 4): boxes with the same middles, so many times as wide and high."""
    extent = boxes[:, 2:] * factor
    return torch.cat([boxes[:, :2] + (boxes[:, 2:] - extent) / 2, extent], 1)


def crop(layers: Tensor, boxes: Tensor, size: int, *, margin: float) -> Tensor:
    """(b, c, size, size): a square around the middle of each box; what lies outside the picture is 0.

    layers : (b, c, h, w) float · margin : beyond the box, on each side, as a share of its larger side

    Twice as many places are looked up each way, and averaged, so that thin parts of large things do not get lost.
    """
    height, width = layers.shape[2:]
    side = (boxes[:, 2:].amax(1) * (1 + 2 * margin)).clamp(min=_SMALLEST)
    middle = boxes[:, :2] + boxes[:, 2:] / 2
    step = (torch.arange(2 * size, device=boxes.device) + 0.5) / (2 * size) - 0.5
    columns, rows = (middle[:, axis, None] + side[:, None] * step for axis in (0, 1))
    grid = torch.stack(
        [
            (2 * columns / width - 1)[:, None, :].expand(-1, 2 * size, -1),
            (2 * rows / height - 1)[:, :, None].expand(-1, -1, 2 * size),
        ],
        -1,
    )
    return functional.avg_pool2d(functional.grid_sample(layers, grid.to(layers.dtype), align_corners=False), 2)
