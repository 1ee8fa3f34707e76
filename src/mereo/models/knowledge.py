"""Items of knowledge as cells of memory, which a question finds beside what it is about.

b questions; i items in all, of which each question has at most c; n words.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.answering import Answering, Reply
from mereo.models.kinds import Batch, Lesson, Memory
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.words import Words

__all__ = ["Items", "Knowing", "Relations"]


class Items(nn.Module):
    """Items into cells: the words of the head, the relation and the words of the tail, joined.

    The words of an end are added up. A recurrent reader would read thousands of items anew for every batch.
    """

    def __init__(self, head: Tensor, relation: Tensor, tail: Tensor, *, words: int, relations: int, width: int):
        """head, tail : (i, n) int64, numbers of words, 0 where there are none · relation : (i,) int64"""
        super().__init__()
        for name, table in (("head", head), ("relation", relation), ("tail", tail)):
            # What is known belongs to the data and not to the network, so it does not go into its file.
            self.register_buffer(name, table, persistent=False)
        self.words = nn.Embedding(words, width, padding_idx=0)
        self.kinds = nn.Embedding(relations, width)
        self.joined = nn.Sequential(mixed(3 * width, width, width), nn.LayerNorm(width))

    def forward(self, found: Tensor) -> Memory:
        """A cell for each item that a question found. found : (b, c) int64, numbers of items, -1 for none"""
        head, tail = (functional.normalize(self.words(own).sum(1), dim=-1) for own in (self.head, self.tail))
        scale = head.shape[-1] ** 0.5  # of what a norm leaves
        cells = self.joined(torch.cat([head * scale, self.kinds(self.relation), tail * scale], -1))
        return Memory(cells[found.clamp(min=0)], found >= 0)


class Knowing(Answering):
    """Answers questions by what is seen and by the items that they find (`items`), which stand after it in memory."""

    def __init__(self, *parts: Any, items: Items, **settings: Any):
        """parts, settings : as of `Answering`"""
        super().__init__(*parts, **settings)
        self.items = items
        self.reads = (*self.reads, "items")

    def ask(self, batch: Batch) -> Reply:
        """Logits of all answers; attention is over regions and then items."""
        seen, of = self.sight(batch), batch.get("scene_of")
        if of is not None:
            seen = Memory(seen.cells.index_select(0, of), seen.present.index_select(0, of))
        known = self.items(batch["items"])
        both = Memory(torch.cat([seen.cells, known.cells], 1), torch.cat([seen.present, known.present], 1))
        thought = self.reasoner(self.words(batch["question"]), both)
        return Reply(self.head(thought.vector).float(), thought)

    def lesson(self, batch: Batch) -> Lesson:
        """As of whoever answers; nobody says which items are to be looked at."""
        if "looked" in batch:
            batch = {**batch, "looked": functional.pad(batch["looked"], (0, batch["items"].shape[1]))}
        return super().lesson(batch)


class Relations(Learner):
    """Which relations of knowledge a question asks by: `relations` (b, r) bool, any number of them."""

    reads = ("question", "relations")

    def __init__(self, words: Words, *, width: int, relations: int):
        super().__init__()
        self.words, self.head = words, mixed(width, width, relations)

    def forward(self, question: Tensor) -> Tensor:
        """(b, r): logits. question : (b, n) int64"""
        logits: Tensor = self.head(self.words(question).whole)
        return logits.float()

    def lesson(self, batch: Batch) -> Lesson:
        """Each relation by itself."""
        said, right = self(batch["question"]), batch["relations"]
        loss = functional.binary_cross_entropy_with_logits(said, right.float(), reduction="none").sum(1).mean()
        return Lesson({"relations": loss}, {"relations": ((said > 0) == right).all(1).float().mean()})
