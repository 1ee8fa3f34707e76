"""What all that finds parts one by one has in common: true masks over the points of clouds, and how masks overlap.

b clouds of n points, k true parts, q masks that are found.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.kinds import Batch
from mereo.models.layers import exactly

__all__ = ["TRUTH", "Parts", "found_share", "point_kinds", "relaxed_iou", "true_parts"]

TRUTH = ("instance", "part")
"""The fields of a batch that `true_parts` reads."""


class Parts(NamedTuple):
    """The true parts of clouds."""

    masks: Tensor
    """(b, k, n) float, 0 or 1: the points of each."""
    kind: Tensor
    """(b, k) int64: what each is, from 0; -1 where there are no more."""

    @property
    def present(self) -> Tensor:
        """(b, k) bool"""
        return self.kind >= 0


def true_parts(batch: Batch) -> Parts:
    """The true parts of a batch.

    instance : (b, n) int64, the number of each point's part among those of its cloud, from 1; 0 for points of none
    part : (b, k) int64, what each of them is, from 0; -1 where there are no more
    """
    numbers = torch.arange(1, batch["part"].shape[1] + 1, device=batch["part"].device)
    return Parts((batch["instance"][:, None] == numbers[:, None]).float(), batch["part"])


def relaxed_iou(found: Tensor, true: Tensor) -> Tensor:
    """(b, q, k): what soft masks share over what they cover together. found : (b, q, n), 0 to 1 · true : (b, k, n)"""
    with exactly(found):
        both = found @ true.mT
    return both / (found.sum(-1)[..., None] + true.sum(-1)[:, None] - both).clamp(min=1e-6)


def point_kinds(batch: Batch) -> Tensor:
    """(b, n) int64: what the part of each point is, from 0; -1 for points of none. Fields as in `true_parts`"""
    return functional.pad(batch["part"], (1, 0), value=-1).gather(1, batch["instance"])


@torch.no_grad()
def found_share(found: Tensor, parts: Parts) -> Tensor:
    """The share of true parts that some mask covers by half. found : (b, q, n) bool"""
    covered = relaxed_iou(found.float(), parts.masks).amax(1) > 0.5
    return (covered & parts.present).sum() / parts.present.sum().clamp(min=1)
