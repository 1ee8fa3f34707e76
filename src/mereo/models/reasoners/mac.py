"""MAC: memory, attention and composition (Hudson and Manning 2018). A chain of cells that control, read and write."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import attended, mixed, shares
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["MAC"]


class MAC(Reasoner):
    """In each step the control chooses words, the read looks where these and the memory so far say, the write notes it.

    All steps share their weights but for how each takes the question.
    """

    def __init__(self, width: int, *, steps: int = 12, dropout: float = 0.15):
        super().__init__()
        self.steps = nn.ModuleList(nn.Linear(width, width) for _ in range(steps))
        self.control, self.read, self.write = _Control(width), _Read(width), _Write(width)
        self.first_control, self.first_memory = (nn.Parameter(0.02 * torch.randn(width)) for _ in range(2))
        self.drop = dropout
        self.think = mixed(2 * width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention of every step to cells and words."""
        known = self.read.prepared(memory.cells)
        control = self.first_control.expand_as(question.whole)
        noted = self.first_memory.expand_as(question.whole)
        keep = self._kept(noted)
        looked, read = [], []
        for step in self.steps:
            chosen = self.control(control, step(question.whole), question)
            control = attended(chosen, question.words)
            weights = shares(self.read(control, noted * keep, *known), memory.present)
            noted = self.write(noted, attended(weights, memory.cells))
            looked.append(weights)
            read.append(chosen)
        vector = self.think(torch.cat([noted, question.whole], -1))
        return Thought(vector, torch.stack(looked, 1), torch.stack(read, 1))

    def _kept(self, noted: Tensor) -> Tensor:
        """What of the memory is not dropped, the same in all steps: one that changed would wash the memory out."""
        return functional.dropout(torch.ones_like(noted), self.drop, self.training)


class _Control(nn.Module):
    """Which words matter in this step."""

    def __init__(self, width: int):
        super().__init__()
        self.joined, self.score = nn.Linear(2 * width, width), nn.Linear(width, 1)

    def forward(self, control: Tensor, asked: Tensor, question: Question) -> Tensor:
        """(b, n): shares of the words."""
        wanted = self.joined(torch.cat([control, asked], -1))
        scores = self.score(question.words * wanted.unsqueeze(1)).squeeze(-1)
        return shares(scores, question.present)


class _Read(nn.Module):
    """Where to look: at cells that go with the memory, or of their own, and with the control.

    The paper joins [memory * cell, cell] by one layer. The half of it that sees only the cell is the same in every
    step and worked out once.
    """

    def __init__(self, width: int):
        super().__init__()
        self.cell, self.noted = nn.Linear(width, width), nn.Linear(width, width)
        self.together, self.alone = nn.Linear(width, width, bias=False), nn.Linear(width, width)
        self.score = nn.Linear(width, 1)

    def prepared(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """What every step needs of the cells, twice (b, m, d)."""
        return self.cell(cells), self.alone(cells)

    def forward(self, control: Tensor, noted: Tensor, cells: Tensor, alone: Tensor) -> Tensor:
        """(b, m): scores."""
        both = self.together(cells * self.noted(noted).unsqueeze(1)) + alone
        scores: Tensor = self.score(functional.elu(both * control.unsqueeze(1)))
        return scores.squeeze(-1)


class _Write(nn.Module):
    """What was read, noted beside what was known."""

    def __init__(self, width: int):
        super().__init__()
        self.joined, self.norm = nn.Linear(2 * width, width), nn.LayerNorm(width)

    def forward(self, noted: Tensor, read: Tensor) -> Tensor:
        written: Tensor = self.norm(noted + self.joined(torch.cat([read, noted], -1)))
        return written
