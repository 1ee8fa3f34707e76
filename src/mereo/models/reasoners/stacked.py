"""SAN: stacked attention (Yang et al. 2016). The question looks, takes in what it saw, and looks again."""

from __future__ import annotations

import torch
from torch import nn

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import attended, shares
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["Stacked"]


class Stacked(Reasoner):
    """So many looks, one after the other."""

    def __init__(self, width: int, *, steps: int = 2):
        super().__init__()
        self.looks = nn.ModuleList(_Look(width) for _ in range(steps))
        self.norm = nn.LayerNorm(width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention of every look."""
        asked, looked = question.whole, []
        for look in self.looks:
            weights = shares(look(asked, memory.cells), memory.present)
            asked = asked + attended(weights, memory.cells)
            looked.append(weights)
        return Thought(self.norm(asked), torch.stack(looked, 1))


class _Look(nn.Module):
    """How much each cell has to do with what is asked."""

    def __init__(self, width: int):
        super().__init__()
        self.cell, self.asked = nn.Linear(width, width), nn.Linear(width, width, bias=False)
        self.score = nn.Linear(width, 1)

    def forward(self, asked: torch.Tensor, cells: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self.score(torch.tanh(self.cell(cells) + self.asked(asked).unsqueeze(1)))
        return scores.squeeze(-1)
