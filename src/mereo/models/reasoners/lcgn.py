"""LCGN: language-conditioned graph network (Hu et al. 2019). Cells send each other messages that the words ask for."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import attended, mixed, shares
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["LCGN"]


class LCGN(Reasoner):
    """Each cell keeps what it shows and gathers what surrounds it, in rounds; then the question looks once.

    What the words ask for scales by (1 + gate) and the context is normed: with bare products nothing was learned.
    """

    def __init__(self, width: int, *, steps: int = 4):
        super().__init__()
        self.steps = nn.ModuleList(nn.Linear(width, width) for _ in range(steps))
        self.word = nn.Linear(width, 1)
        self.round = _Round(width)
        self.context = nn.Parameter(0.02 * torch.randn(width))
        self.joined = nn.Sequential(nn.Linear(2 * width, width), nn.LayerNorm(width), nn.GELU())
        self.asked, self.score = nn.Linear(width, width), nn.Linear(width, 1)
        self.think = mixed(2 * width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention of the look at the end."""
        cells, context = memory.cells, self.context.expand_as(memory.cells)
        for step in self.steps:
            wanted = self.word(question.words * step(question.whole).unsqueeze(1)).squeeze(-1)
            command = attended(shares(wanted, question.present), question.words)
            context = self.round(cells, context, command, memory.present)
        known = self.joined(torch.cat([cells, context], -1))
        scores = self.score(known * (1 + self.asked(question.whole)).unsqueeze(1)).squeeze(-1)
        weights = shares(scores, memory.present)
        seen = attended(weights, known)
        return Thought(self.think(torch.cat([seen, question.whole], -1)), weights.unsqueeze(1))


class _Round(nn.Module):
    """One exchange of messages between all cells."""

    def __init__(self, width: int):
        super().__init__()
        self.local, self.around = nn.Linear(width, width), nn.Linear(width, width)
        self.gets, self.gives, self.says = (nn.Linear(3 * width, width) for _ in range(3))
        self.edge, self.message = nn.Linear(width, width), nn.Linear(width, width)
        self.update, self.norm = nn.Linear(2 * width, width), nn.LayerNorm(width)

    def forward(self, cells: Tensor, context: Tensor, command: Tensor, present: Tensor) -> Tensor:
        """cells, context : (b, m, d) · command : (b, d) · gives the new context"""
        joint = torch.cat([cells, context, self.local(cells) * self.around(context)], -1)
        sent = self.gives(joint) * (1 + self.edge(command)).unsqueeze(1)
        scores = self.gets(joint) @ sent.transpose(1, 2) / sent.shape[-1] ** 0.5
        said = self.says(joint) * (1 + self.message(command)).unsqueeze(1)
        heard = shares(scores, present.unsqueeze(1)).to(said.dtype) @ said
        changed: Tensor = self.norm(context + self.update(torch.cat([context, heard], -1)))
        return changed
