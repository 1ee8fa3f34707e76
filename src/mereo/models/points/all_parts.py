"""Semantic segmentation of shapes of all categories, at all levels, by one network."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.points.layers import Backbone
from mereo.models.points.segmenting import Labels

__all__ = ["AllPartLabels"]


class AllPartLabels(Labels):
    """The parts of all categories at every level: one backbone, and a head for each category and level.

    counts : by category, and there by level, how many parts there are; 0 where a category lacks the level
    compiled : whether code is made for learning, which takes minutes before it begins
    """

    covering = True
    there: Tensor
    """(categories, levels, most) bool: which parts there are; tables of heads are as wide as the widest."""

    def __init__(
        self, backbone: Backbone, counts: Sequence[Sequence[int]], *, dropout: float = 0.5, compiled: bool = False
    ):
        super().__init__()
        self.backbone, self.dropout = backbone, nn.Dropout(dropout)
        sizes = torch.tensor(counts, device="cpu")
        most = int(sizes.max())
        self.register_buffer("there", torch.arange(most, device="cpu") < sizes[..., None], persistent=False)
        self.heads = nn.Parameter(torch.randn(*sizes.shape, most, backbone.channels) * backbone.channels**-0.5)
        self.leanings = nn.Parameter(torch.zeros(*sizes.shape, most))
        self.reads = (*dict.fromkeys((*backbone.reads, "category", "labels")),)
        self._teach = torch.compile(self.judged, dynamic=False) if compiled else self.judged

    def lesson(self, batch: Batch) -> Lesson:
        """As of any labels, while it learns by compiled code where that is wanted."""
        own = {name: batch[name] for name in self.reads}
        return Lesson(*(self._teach if self.training else self.judged)(own))

    def true(self, batch: Batch) -> Tensor:
        """labels : (b, levels, n), 0 also where a category lacks a level"""
        return batch["labels"].transpose(1, 2).long()

    def told(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """(b, n, levels, most): parts that a category does not have are as unlikely as can be."""
        cells, besides = self.backbone(batch)
        kinds = batch["category"]
        heads = self.heads[kinds].flatten(1, 2).transpose(1, 2)
        logits = (self.dropout(cells) @ heads).unflatten(-1, self.there.shape[1:]).float() + self.leanings[kinds, None]
        return logits.masked_fill(~self.there[kinds, None], torch.finfo(logits.dtype).min / 2), besides
