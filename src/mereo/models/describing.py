"""Readers of pages: what a text says about a thing, in the light of what the thing looks like (SHOP-VRB).

b pages; n words; l numbers that tell how a thing looks: of every attribute how likely each value is, side by side.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.words import Words

__all__ = ["PageReader"]

_DOUBTED = 0.3
"""The share of looks that are hidden while it learns: they tell most, and whoever leans on them alone reads nothing."""


class PageReader(Learner):
    """Says what a page tells. A BiLSTM reads its words; where it comes as a vector already, that is taken as it is.

    words : by attribute how many values it has, of which one holds · several : of which any number hold
    alone : the same as words, for what is told by the page alone, whatever the thing looks like
    looks : how many numbers tell how a thing looks · pages : how many words there are, or numbers of a vector
    """

    def __init__(
        self,
        words: Mapping[str, int],
        several: Mapping[str, int],
        *,
        alone: Mapping[str, int],
        looks: int,
        pages: int,
        width: int = 128,
        given: bool = False,
        dropout: float = 0.3,
    ) -> None:
        """given : whether pages come as vectors (b, pages) float, as of a frozen language model, and not as words"""
        super().__init__()
        self.words, self.several, self.alone = dict(words), dict(several), dict(alone)
        self.page: nn.Module = mixed(pages, width, width) if given else Words(pages, width, dropout=dropout)
        self.given = given
        self.drop, self.doubt = nn.Dropout(dropout), nn.Dropout(_DOUBTED)
        both = {**words, **several}
        self.heads = nn.ModuleDict({name: nn.Linear(width + looks, size) for name, size in both.items()})
        self.blind = nn.ModuleDict({name: nn.Linear(width, size) for name, size in alone.items()})
        told = [f"words_{name}" for name in (*words, *alone)] + [f"several_{name}" for name in several]
        self.reads = ("page", "looks", *told)

    def forward(self, batch: Batch) -> dict[str, Tensor]:
        """By attribute (b, values), logits.

        page : (b, n) int64, numbers of words, 0 where there are none, or (b, pages) float · looks : (b, l) float
        """
        whole = self.drop(self.page(batch["page"]) if self.given else self.page(batch["page"]).whole)
        both = torch.cat([whole, self.doubt(batch["looks"])], 1)
        said = {name: head(both).float() for name, head in self.heads.items()}
        return said | {name: head(whole).float() for name, head in self.blind.items()}

    def lesson(self, batch: Batch) -> Lesson:
        """What is not known of a thing, -1, teaches nothing. Of labels the mark is how often all of them are right."""
        said = self(batch)
        losses, marks = {}, {}
        for name in (*self.words, *self.alone):
            right = batch[f"words_{name}"]
            known = (right >= 0).sum().clamp(min=1)
            losses[name] = functional.cross_entropy(said[name], right, ignore_index=-1, reduction="sum") / known
            marks[name] = (said[name].argmax(1) == right).sum() / known
        for name in self.several:
            true = batch[f"several_{name}"]
            losses[name] = functional.binary_cross_entropy_with_logits(said[name], true.float()) * true.shape[1] ** 0.5
            marks[name] = ((said[name] > 0) == true).all(1).float().mean()
        return Lesson(losses, marks)

    @torch.inference_mode()
    def tell(self, batch: Batch) -> dict[str, Tensor]:
        """By attribute (b, values) float: how likely each value is. Reads as whoever has learned."""
        self.eval()
        return {name: one.sigmoid() if name in self.several else one.softmax(1) for name, one in self(batch).items()}
