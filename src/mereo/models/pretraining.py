"""What two streams learn before anything is asked: words that were hidden, and whether a caption is of the scene."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson, Memory
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.reasoners.co_attention import CoAttention
from mereo.models.sight import Sight
from mereo.models.words import Words

__all__ = ["HIDDEN", "Pretraining", "hidden_words"]

HIDDEN = 1
"""The number that stands for a hidden word: that of any word that is not known."""


class Pretraining(Learner):
    """Captions and scenes, as ViLBERT learns from them.

    question : (b, n) int64, captions · hidden : (b, n) bool, the words to be told · matched : (b,) bool, whether a
    caption is of its scene; of others no words are told
    """

    def __init__(self, words: Words, sight: Sight, reasoner: CoAttention, *, width: int, count: int):
        """count : how many words there are"""
        super().__init__()
        self.words, self.sight, self.reasoner = words, sight, reasoner
        self.told = nn.Sequential(nn.LayerNorm(width), mixed(width, width, count))
        self.fits = nn.Sequential(nn.LayerNorm(width), mixed(width, width, 1))
        self.reads = ("question", "hidden", "matched", *sight.reads)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Logits of words (b, n, count), and of whether captions fit (b,)."""
        seen, of = self.sight(batch), batch.get("scene_of")
        if of is not None:
            seen = Memory(seen.cells.index_select(0, of), seen.present.index_select(0, of))
        caption = batch["question"].masked_fill(batch["hidden"], HIDDEN)
        words, cells = self.reasoner.streams(self.words(caption), seen)
        thought = self.reasoner.at_last(words, cells, seen)
        return self.told(words[:, 1:]).float(), self.fits(thought.vector).squeeze(-1).float()

    def lesson(self, batch: Batch) -> Lesson:
        """Both tasks at once."""
        words, fits = self(batch)
        asked = batch["hidden"] & batch["matched"].unsqueeze(1) & (batch["question"] > 0)
        told, right = hidden_words(words, batch["question"], asked)
        matched = batch["matched"]
        losses = {
            "words": told,
            "matched": functional.binary_cross_entropy_with_logits(fits, matched.float()),
        }
        return Lesson(losses, {"words": right, "matched": ((fits > 0) == matched).float().mean()})


def hidden_words(logits: Tensor, text: Tensor, asked: Tensor) -> tuple[Tensor, Tensor]:
    """How far hidden words are from being told, and the share of them that is. text, asked : (b, n), int64 and bool"""
    right, count = torch.where(asked, text, -1), asked.sum().clamp(min=1)
    each = functional.cross_entropy(logits.flatten(0, 1), right.flatten(), ignore_index=-1, reduction="sum")
    return each / count, (logits.argmax(-1) == right).sum() / count
