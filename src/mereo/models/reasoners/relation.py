"""RN: relation network (Santoro et al. 2017). All pairs of cells are asked, and their replies summed up."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import mixed
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["Relation"]


class Relation(Reasoner):
    """Every pair of cells beside the question through the same layers; the mean over pairs is thought about.

    The first of these layers is worked out for each of the three by itself and added up, which is the same as joining
    them and takes as many cells, not pairs. Large grids are made coarser first, because pairs grow with their square.
    """

    def __init__(self, width: int, *, coarsest: tuple[int, int] = (6, 8)):
        super().__init__()
        self.coarsest = coarsest
        self.one, self.other = nn.Linear(width, width), nn.Linear(width, width, bias=False)
        self.asked = nn.Linear(width, width, bias=False)
        self.pair = nn.Sequential(nn.GELU(), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.think = mixed(width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Without attention."""
        cells, present = self._coarser(memory)
        one, other = self.one(cells) + self.asked(question.whole).unsqueeze(1), self.other(cells)
        replies = self.pair(one.unsqueeze(2) + other.unsqueeze(1)).flatten(1, 2)
        both = (present.unsqueeze(2) & present.unsqueeze(1)).flatten(1)
        return Thought(self.think(_mean(replies, both)))

    def _coarser(self, memory: Memory) -> tuple[Tensor, Tensor]:
        if memory.grid is None or (memory.grid[0] <= self.coarsest[0] and memory.grid[1] <= self.coarsest[1]):
            return memory.cells, memory.present
        picture = memory.cells.view(len(memory.cells), *memory.grid, -1).permute(0, 3, 1, 2)
        cells = functional.adaptive_avg_pool2d(picture, self.coarsest).flatten(2).transpose(1, 2)
        return cells, memory.present.new_ones(cells.shape[:2])


def _mean(replies: Tensor, both: Tensor) -> Tensor:
    return (replies * both.unsqueeze(-1)).sum(1) / both.sum(1, keepdim=True).clamp(min=1)
