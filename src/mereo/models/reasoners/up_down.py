"""UP-DOWN: bottom-up and top-down attention (Anderson et al. 2018). One look at regions, led by the question."""

from __future__ import annotations

from torch import Tensor, nn

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import attended, shares
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["UpDown"]


class UpDown(Reasoner):
    """Where to look follows from each cell beside the question; what was seen is then joined with it.

    The paper's gated tanh hardly learned from scratch; a norm and GELU in its place do.
    """

    def __init__(self, width: int):
        super().__init__()
        self.cell, self.asked = nn.Linear(width, width), nn.Linear(width, width, bias=False)
        self.bend = nn.Sequential(nn.LayerNorm(width), nn.GELU())
        self.score = nn.Linear(width, 1)
        self.seen, self.meant = _bent(width), _bent(width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention of the one look."""
        beside: Tensor = self.bend(self.cell(memory.cells) + self.asked(question.whole).unsqueeze(1))
        weights = shares(self.score(beside).squeeze(-1), memory.present)
        seen = self.seen(attended(weights, memory.cells))
        return Thought(seen * (1 + self.meant(question.whole)), weights.unsqueeze(1))


def _bent(width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width), nn.GELU())
