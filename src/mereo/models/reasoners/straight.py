"""SF: straight to the facts (Narasimhan and Schwing 2018). The one item that fits best, and the question, tell all."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import attended, mean_of, mixed, shares
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["Straight"]


class Straight(Reasoner):
    """Question and picture choose one of the items; what the picture shows is not looked at again.

    Choosing one has no slope, so learning takes that of the shares that all items have.
    """

    def __init__(self, width: int, *, items: int):
        """items : how many of the cells, the last ones, are items of knowledge"""
        super().__init__()
        self.items = items
        self.asked, self.seen, self.item = (nn.Linear(width, width) for _ in range(3))
        self.score = nn.Sequential(nn.LayerNorm(width), nn.GELU(), nn.Linear(width, 1))
        self.think = mixed(2 * width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention to the one item."""
        count = memory.cells.shape[1] - self.items
        (regions, items), (there, found) = (one.split([count, self.items], 1) for one in memory[:2])
        wanted = self.asked(question.whole) + self.seen(mean_of(regions, there))
        scores = self.score(self.item(items) * (1 + wanted.unsqueeze(1))).squeeze(-1)
        soft = shares(scores, found)
        best = functional.one_hot(soft.argmax(-1), self.items).to(soft.dtype)
        chosen = best + soft - soft.detach()
        known = attended(chosen, items) * found.any(-1, keepdim=True)
        looked = torch.cat([torch.zeros_like(there, dtype=best.dtype), best], 1).unsqueeze(1)
        return Thought(self.think(torch.cat([known, question.whole], -1)), looked)
