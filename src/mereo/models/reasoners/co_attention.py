"""Co-attention of two streams, as ViLBERT has it (Lu et al. 2019): words look at cells, and cells at words."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import Block, heads_of, mixed
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["CoAttention"]


class CoAttention(Reasoner):
    """Either stream looks at the other and then at itself, in layers; at the end the question looks at the cells."""

    def __init__(self, width: int, *, layers: int = 3, dropout: float = 0.1):
        super().__init__()
        self.layers = nn.ModuleList(_Layer(width, dropout=dropout) for _ in range(layers))
        self.last, self.norm = Block(width, heads=heads_of(width)), nn.LayerNorm(width)
        self.think = mixed(2 * width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention of the look at the end."""
        return self.at_last(*self.streams(question, memory), memory)

    def streams(self, question: Question, memory: Memory) -> tuple[Tensor, Tensor]:
        """What both have come to: the question as a whole and its words (b, 1 + n, d), and the cells (b, m, d)."""
        whole = question.whole.unsqueeze(1)
        words, there = torch.cat([whole, question.words], 1), torch.cat([_one(question.present), question.present], 1)
        cells = memory.cells
        for layer in self.layers:
            words, cells = layer(words, there, cells, memory.present)
        return words, self.norm(cells)

    def at_last(self, words: Tensor, cells: Tensor, memory: Memory) -> Thought:
        """The look at the end."""
        asked = words[:, :1]
        seen, weights = self.last.looking(asked, memory.present, cells)
        return Thought(self.think(torch.cat([seen, asked], -1).squeeze(1)), weights)


class _Layer(nn.Module):
    """Across, then within, for both streams."""

    def __init__(self, width: int, *, dropout: float):
        super().__init__()
        made = (Block(width, heads=heads_of(width), dropout=dropout) for _ in range(4))
        self.words_to_cells, self.cells_to_words, self.among_words, self.among_cells = made
        self.told_words, self.told_cells = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, words: Tensor, there: Tensor, cells: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        read, seen = self.told_words(words), self.told_cells(cells)
        words, cells = self.words_to_cells(words, present, seen), self.cells_to_words(cells, there, read)
        return self.among_words(words, there), self.among_cells(cells, present)


def _one(present: Tensor) -> Tensor:
    return torch.ones_like(present[:, :1])
