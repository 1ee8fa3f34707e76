"""Which of the found boxes stands for which thing: the cheapest way to pair them off (Kuhn's Hungarian method).

Boxes are center column, center row, width and height, as shares of the picture. b examples, q boxes that were found,
k things.
"""

from __future__ import annotations

import torch
from torch import Tensor

__all__ = ["centered", "generalized_overlap", "matched", "overlap"]


def centered(boxes: Tensor, size: tuple[int, int]) -> Tensor:
    """(..., 4): boxes of left, top, width and height in pixels by their centers. size : rows and columns"""
    height, width = size
    share = boxes / boxes.new_tensor([width, height, width, height])
    return torch.cat([share[..., :2] + share[..., 2:] / 2, share[..., 2:]], -1)


def overlap(one: Tensor, other: Tensor) -> Tensor:
    """The area that boxes share over that which they cover together. one, other : (..., 4), shapes that broadcast"""
    shared, covered, _ = _areas(one, other)
    return shared / covered


def generalized_overlap(one: Tensor, other: Tensor) -> Tensor:
    """The same less the empty share of the box around both, so that boxes apart are told near from far (GIoU)."""
    shared, covered, around = _areas(one, other)
    return shared / covered - (around - covered) / around


def _areas(one: Tensor, other: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of what both share, of what they cover together, and of the box around both."""
    (first, last), (begin, end) = _corners(one.float()), _corners(other.float())
    shared = (torch.minimum(last, end) - torch.maximum(first, begin)).clamp(min=0).prod(-1)
    around = (torch.maximum(last, end) - torch.minimum(first, begin)).prod(-1).clamp(min=1e-9)
    covered = (last - first).prod(-1) + (end - begin).prod(-1) - shared
    return shared, covered.clamp(min=1e-9), around


def _corners(boxes: Tensor) -> tuple[Tensor, Tensor]:
    return boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2


@torch.no_grad()
def matched(cost: Tensor, present: Tensor) -> Tensor:
    """(b, k) int64: the place of the box that stands for each thing, -1 where there is none.

    cost : (b, q, k), what it costs to take a box for a thing · present : (b, k) bool. Where there are more things than
    boxes, the dearest things go without.
    """
    from scipy.optimize import linear_sum_assignment

    # All at once to the processor: one wait for the device, not one for each example.
    costs, there = cost.float().nan_to_num(1e6, 1e6, -1e6).cpu().numpy(), present.cpu().numpy()
    found = torch.full(present.shape, -1, dtype=torch.int64)
    for example, (own, some) in enumerate(zip(costs, there, strict=True)):
        things = some.nonzero()[0]
        boxes, chosen = linear_sum_assignment(own[:, things])
        found[example, things[chosen]] = torch.from_numpy(boxes)
    return found.to(cost.device, non_blocking=True)
