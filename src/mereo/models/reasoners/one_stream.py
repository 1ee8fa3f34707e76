"""OneStream: words and cells in one pre-norm transformer with a token that gathers the answer."""

from __future__ import annotations

import torch
from torch import nn

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import Block, heads_of
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["OneStream"]


class OneStream(Reasoner):
    """Everything looks at everything; in the last layer only the answer's token does, since only it is read."""

    def __init__(self, width: int, *, layers: int = 5, dropout: float = 0.1):
        super().__init__()
        self.answer = nn.Parameter(0.02 * torch.randn(width))
        self.kinds = nn.Parameter(0.02 * torch.randn(2, width))
        heads = heads_of(width)
        self.blocks = nn.ModuleList(Block(width, heads=heads, dropout=dropout) for _ in range(layers - 1))
        self.told, self.last, self.norm = nn.LayerNorm(width), Block(width, heads=heads), nn.LayerNorm(width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention of the answer's token to the cells in the last layer."""
        answer = self.answer + question.whole.unsqueeze(1)
        stream = torch.cat([answer, question.words + self.kinds[0], memory.cells + self.kinds[1]], 1)
        present = torch.cat([question.present.new_ones((len(stream), 1)), question.present, memory.present], 1)
        for block in self.blocks:
            stream = block(stream, present)
        told, weights = self.last.looking(stream[:, :1], present, self.told(stream))
        cells = weights[..., -memory.cells.shape[1] :]
        return Thought(self.norm(told).squeeze(1), cells / cells.sum(-1, keepdim=True).clamp(min=1e-6))
