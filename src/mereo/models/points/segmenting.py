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


def _missed(logits: Tensor, label: Tensor) -> Tensor:
    """How far what is told of parts is from covering them: 1 less the IoU of likelihoods, over the parts of each shape.

    A small part weighs as much as a large one, as it does in the measure.

    logits : (b, n, ..., parts) · label : (b, n, ...) int64, from 1; 0 for unlabeled points
    """
    known = (label > 0)[..., None]
    likely = logits.float().softmax(-1) * known
    true = nn.functional.one_hot((label - 1).clamp(min=0), logits.shape[-1]) * known
    both, there = (likely * true).sum(1), true.sum(1)
    covered = both / (likely.sum(1) + there - both).clamp(min=1e-6)
    return ((1 - covered) * (there > 0)).sum() / (there > 0).sum().clamp(min=1)


class Labels(Learner):
    """Tells the part of every point. Unlabeled points teach nothing, and no point is ever told to be one."""

    covering = False
    """Whether to cover parts is to be learned, besides what each point is of."""

    @abstractmethod
    def told(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """(b, n, ..., parts) logits, and a number that is to become small besides."""

    @abstractmethod
    def true(self, batch: Batch) -> Tensor:
        """(b, n, ...) int64: the parts of points, from 1; 0 for unlabeled points."""

    def lesson(self, batch: Batch) -> Lesson:
        """How surprising the true parts are."""
        return Lesson(*self.judged(batch))

    def judged(self, batch: Batch) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """Losses and marks."""
        logits, besides = self.told(batch)
        true = self.true(batch)
        loss, right = _judged(logits, true)
        missed = {"missed": _missed(logits, true)} if self.covering else {}
        return {"label": loss, "turned": besides, **missed}, {"points": right}

    @torch.inference_mode()
    def ask(self, batch: Batch) -> Tensor:
        """(b, n, ..., parts) float: how likely each part is, which sum to 1."""
        return self.told(batch)[0].float().softmax(-1)


class PartLabels(Labels):
    """The parts of one category at one level. parts : how many there are · covering : as in `Labels`"""

    def __init__(self, backbone: Backbone, *, parts: int, dropout: float = 0.5, covering: bool = False):
        super().__init__()
        self.covering = covering
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
