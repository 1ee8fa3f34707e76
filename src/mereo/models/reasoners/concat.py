"""CNN+LSTM: the mean of the picture beside the question."""

from __future__ import annotations

import torch

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import mean_of, mixed
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["Concat"]


class Concat(Reasoner):
    """Question and picture side by side into a few layers."""

    def __init__(self, width: int):
        super().__init__()
        self.think = mixed(2 * width, width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """All cells alike."""
        seen = mean_of(memory.cells, memory.present)
        return Thought(self.think(torch.cat([question.whole, seen], -1)))
