"""What all that chooses one of some boxes has in common: a learner that scores candidates, and what it is told of each.

b expressions, g scenes, k candidates, d numbers each.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.sight import points_in_boxes
from mereo.models.trunk import Trunk

__all__ = ["Candidates", "Choosing", "Regarded", "choice_loss", "chosen_right"]

_SAMPLES = 4
"""Rows and columns of points at which a box is looked at."""


class Regarded(NamedTuple):
    """What is known of the candidates of g scenes."""

    points: Tensor
    """(g, k, p, d): what is seen at some points of each."""
    whole: Tensor
    """(g, k, d): what is seen of it, and around it."""
    where: Tensor
    """(g, k, d): its own place and size, and how the others lie around it."""
    apart: Tensor
    """(g, k, k, 5): from each to each, in its own widths and heights, and how much larger that one is."""
    present: Tensor
    """(g, k) bool"""


class Candidates(nn.Module):
    """Looks at the boxes of pictures."""

    def __init__(self, trunk: Trunk, width: int):
        super().__init__()
        self.trunk = trunk
        self.seen = nn.Sequential(nn.Linear(trunk.channels, width), nn.LayerNorm(width), nn.GELU())
        self.around = mixed(2 * width, width, width)
        self.where = mixed(5, width, width)
        self.beside = mixed(5, width, width)

    def forward(self, batch: Batch) -> Regarded:
        """batch : `picture`, `boxes` and `boxes_present`"""
        height, width = batch["picture"].shape[-2:]
        present = batch["boxes_present"]
        boxes = batch["boxes"].nan_to_num() / batch["boxes"].new_tensor([width, height, width, height])
        features = self.trunk(batch["picture"])
        points = self.seen(points_in_boxes(features, boxes, _SAMPLES).permute(0, 2, 3, 1))
        scene = self.seen(features.mean((2, 3)))[:, None].expand(-1, boxes.shape[1], -1)
        whole = self.around(torch.cat([points.mean(2), scene], -1))
        apart = _apart(boxes)
        others = self.beside(apart).masked_fill(~present[:, None, :, None], -1e4).amax(2)
        corners = torch.cat(
            [boxes[..., :2], boxes[..., :2] + boxes[..., 2:], boxes[..., 2:].prod(-1, keepdim=True)], -1
        )
        return Regarded(points, whole, self.where(2 * corners - 1) + others, apart, present)


def _apart(boxes: Tensor) -> Tensor:
    """(g, k, k, 5)"""
    sizes = boxes[..., 2:].clamp(min=1e-3)
    middle = boxes[..., :2] + sizes / 2
    way = (middle[:, None] - middle[:, :, None]) * 4
    return torch.cat([way, way.sign(), (sizes.prod(-1)[:, None] / sizes.prod(-1)[:, :, None]).log()[..., None]], -1)


class Choosing(Learner):
    """Chooses one of the candidates of a picture for each expression."""

    @abstractmethod
    def scores(self, batch: Batch) -> Tensor:
        """(b, k) float: how well each fits; lowest where there is none."""

    def lesson(self, batch: Batch) -> Lesson:
        """How unlikely the one is that is meant."""
        scores = self.scores(batch)
        return Lesson(
            {"choice": choice_loss(scores, batch["target"])}, {"right": chosen_right(scores, batch["target"])}
        )


def choice_loss(scores: Tensor, target: Tensor) -> Tensor:
    """Cross-entropy of the candidate that is meant; what means none or several teaches nothing."""
    one = target.sum(1) == 1
    loss = functional.cross_entropy(scores.float(), target.float().argmax(1), reduction="none")
    return (loss * one).sum() / one.sum().clamp(min=1)


def chosen_right(scores: Tensor, target: Tensor) -> Tensor:
    """The share of expressions with one target whose best candidate it is."""
    one = target.sum(1) == 1
    right = target.gather(1, scores.argmax(1, keepdim=True))[:, 0] & one
    return right.sum() / one.sum().clamp(min=1)
