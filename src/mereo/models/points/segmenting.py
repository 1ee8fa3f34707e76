"""Semantic segmentation of clouds: which part each point belongs to."""

from __future__ import annotations

from abc import abstractmethod

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.models.points.layers import Backbone

__all__ = ["Labels", "PartLabels"]


def _judged(logits: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
    """How surprising labels are, and the share of points that are told rightly; both only of those that have one.

    logits : (..., parts) · label : (...) int64, from 1; 0 for unlabeled points
    """
    known, wanted = label > 0, (label - 1).clamp(min=0)
    surprise = nn.functional.cross_entropy(logits.float().flatten(0, -2), wanted.flatten(), reduction="none")
    count = known.sum().clamp(min=1)
    return (surprise * known.flatten()).sum() / count, ((logits.argmax(-1) == wanted) & known).sum() / count


class Labels(Learner):
    """Tells the part of every point. Unlabeled points teach nothing, and no point is ever told to be one."""

    @abstractmethod
    def told(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """(b, n, ..., parts) logits, and a number that is to become small besides."""

    @abstractmethod
    def true(self, batch: Batch) -> Tensor:
        """(b, n, ...) int64: the parts of points, from 1; 0 for unlabeled points."""

    def lesson(self, batch: Batch) -> Lesson:
        """How surprising the true parts are."""
        logits, besides = self.told(batch)
        loss, right = _judged(logits, self.true(batch))
        return Lesson({"label": loss, "turned": besides}, {"points": right})

    @torch.inference_mode()
    def ask(self, batch: Batch) -> Tensor:
        """(b, n, ..., parts) float: how likely each part is, which sum to 1."""
        return self.told(batch)[0].float().softmax(-1)


class PartLabels(Labels):
    """The parts of one category at one level. parts : how many there are"""

    def __init__(self, backbone: Backbone, *, parts: int, dropout: float = 0.5):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Sequential(nn.Dropout(dropout), nn.Linear(backbone.channels, parts))
        self.reads = (*backbone.reads, "label")

    def told(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """(b, n, parts)"""
        cells, besides = self.backbone(batch)
        return self.head(cells), besides

    def true(self, batch: Batch) -> Tensor:
        """label : (b, n) int64"""
        return batch["label"]
