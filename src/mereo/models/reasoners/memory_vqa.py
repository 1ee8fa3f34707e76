"""Memory-VQA (Gao et al. 2022, CRIC): one look at items of knowledge, and with what they say one look at regions."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import attended, mean_of, mixed, shares
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["MemoryVQA"]


class MemoryVQA(Reasoner):
    """The question with the mean of what is seen chooses items; joined with these it chooses regions.

    Where no item was found the question goes on alone, and without any `items` there is only the second look.
    """

    def __init__(self, width: int, *, items: int = 0):
        """items : how many of the cells, the last ones, are items of knowledge"""
        super().__init__()
        self.items = items
        self.of_items, self.of_regions = _Look(width), _Look(width)
        self.known, self.meant = (nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width)) for _ in range(2))
        self.seen, self.joined = (nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width)) for _ in range(2))
        self.think = mixed(2 * width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Attention of both looks, each over all cells, which is 0 where it does not look."""
        count = memory.cells.shape[1] - self.items
        (regions, items), (there, found) = (one.split([count, self.items], 1) for one in memory[:2])
        asked, looked = question.whole, []
        if self.items:
            among = self.of_items(question.whole + mean_of(regions, there), items, found)
            known = self.known(attended(among, items)) * found.any(-1, keepdim=True)
            # The paper multiplies the two; one more keeps the question where the items say nothing about it.
            asked = self.meant(question.whole) * (1 + known)
            looked.append(torch.cat([torch.zeros_like(there, dtype=among.dtype), among], 1))
        at = self.of_regions(asked, regions, there)
        looked.append(torch.cat([at, torch.zeros_like(found, dtype=at.dtype)], 1))
        seen = self.seen(attended(at, regions)) * (1 + self.joined(asked))
        return Thought(self.think(torch.cat([seen, asked], -1)), torch.stack(looked, 1))


class _Look(nn.Module):
    """How much of a look each cell gets: cells by question, since a sum takes long to learn what goes with what."""

    def __init__(self, width: int):
        super().__init__()
        self.cell, self.asked = nn.Linear(width, width), nn.Linear(width, width, bias=False)
        self.bend, self.score = nn.Sequential(nn.LayerNorm(width), nn.GELU()), nn.Linear(width, 1)

    def forward(self, asked: Tensor, cells: Tensor, present: Tensor) -> Tensor:
        """(b, m). asked : (b, d) · cells : (b, m, d) · present : (b, m)"""
        beside = self.bend(self.cell(cells) * (1 + self.asked(asked).unsqueeze(1)))
        return shares(self.score(beside).squeeze(-1), present)
