"""ViLBERT+ERNIE (Gao et al. 2022, CRIC): two streams look, and what a third reader knows leads the look at the end.

That reader learns from all items of knowledge before: whole ends of items are hidden, as ERNIE has it (Sun et al.
2020), since of "ice cream" one word is easily told by the other.

b questions or items; c items that a question found; i items in all; n words of an item; d wide.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from mereo.models.answering import Answering, Reply
from mereo.models.kinds import Batch, Lesson, Memory, Question
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.pretraining import HIDDEN, hidden_words
from mereo.models.reasoners.co_attention import CoAttention
from mereo.models.words import Words

__all__ = ["ItemReader", "Recalling", "WellRead"]


class ItemReader(nn.Module):
    """A transformer over the words of all items that a question found, one item after the other."""

    texts: Tensor

    def __init__(self, texts: Tensor, *, words: int, width: int, layers: int = 3, dropout: float = 0.1):
        """texts : (i, n) int64, numbers of words, 0 where there are no more · words : how many numbers there are"""
        super().__init__()
        # What is known belongs to the data and not to the network, so it does not go into its file.
        self.register_buffer("texts", texts, persistent=False)
        self.words = Words(words, width, reader="transformer", layers=layers, dropout=dropout)

    def forward(self, found: Tensor) -> Tensor:
        """(b, d): what the first word has come to. found : (b, c) int64, numbers of items, -1 for none"""
        told = self.texts[found.clamp(min=0)].masked_fill((found < 0).unsqueeze(-1), 0).flatten(1)
        first = told[:, :1].clamp(min=HIDDEN)  # who found nothing reads one word that says nothing
        read: Question = self.words(torch.cat([first, told[:, 1:]], 1))
        return read.words[:, 0]


class Recalling(Learner):
    """Tells what is hidden of items: `text` (b, n) int64, and `hidden` (b, n) bool, which of it."""

    reads = ("text", "hidden")

    def __init__(self, items: ItemReader, *, width: int, count: int):
        """count : how many words there are"""
        super().__init__()
        self.items = items
        self.told = mixed(width, width, count)

    def forward(self, batch: Batch) -> Tensor:
        """(b, n, count): logits of words."""
        text = batch["text"].masked_fill(batch["hidden"], HIDDEN)
        logits: Tensor = self.told(self.items.words(text).words)
        return logits.float()

    def lesson(self, batch: Batch) -> Lesson:
        """The hidden words, each by itself."""
        loss, right = hidden_words(self(batch), batch["text"], batch["hidden"] & (batch["text"] > 0))
        return Lesson({"words": loss}, {"words": right})


class WellRead(Answering):
    """Answers questions by what two streams see and read, led by the items that were found (`items`)."""

    reasoner: CoAttention

    def __init__(self, *parts: Any, items: ItemReader, width: int, **settings: Any):
        """parts, settings : as of `Answering`, with co-attention for its reasoner"""
        super().__init__(*parts, width=width, **settings)
        self.items = items
        self.known = nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width))
        self.reads = (*self.reads, "items")

    def ask(self, batch: Batch) -> Reply:
        """Logits of all answers; attention is over regions."""
        seen, of = self.sight(batch), batch.get("scene_of")
        if of is not None:
            seen = Memory(seen.cells.index_select(0, of), seen.present.index_select(0, of))
        words, cells = self.reasoner.streams(self.words(batch["question"]), seen)
        # The paper multiplies the two; one more keeps the question where the items say nothing about it.
        led = words[:, :1] * (1 + self.known(self.items(batch["items"])).unsqueeze(1))
        thought = self.reasoner.at_last(led, cells, seen)
        return Reply(self.head(thought.vector).float(), thought)
