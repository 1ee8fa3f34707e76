"""FiLM: feature-wise linear modulation (Perez et al. 2018). The question sets scale and shift of every layer."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Memory, Question, Thought
from mereo.models.layers import mean_of, mixed
from mereo.models.reasoners.reasoner import Reasoner

__all__ = ["FiLM"]


class FiLM(Reasoner):
    """Residual blocks over the cells, each told by the question what to let through.

    Neighbors on a picture's grid see each other; cells without a grid are each by themselves until they are pooled.
    """

    def __init__(self, width: int, *, steps: int = 4):
        super().__init__()
        self.told = nn.Linear(width, steps * 2 * width)
        self.blocks = nn.ModuleList(_Modulated(width) for _ in range(steps))
        self.pooled = nn.Linear(width, width)
        self.think = mixed(2 * width, width, width)

    def forward(self, question: Question, memory: Memory) -> Thought:
        """Without attention."""
        cells = memory.cells
        for block, told in zip(self.blocks, self.told(question.whole).chunk(len(self.blocks), -1), strict=True):
            cells = block(cells, *told.unsqueeze(1).chunk(2, -1), grid=memory.grid)
        cells = functional.relu(self.pooled(cells))
        highest = cells.masked_fill(~memory.present.unsqueeze(-1), 0).amax(1)
        return Thought(self.think(torch.cat([highest, mean_of(cells, memory.present)], -1)))


class _Modulated(nn.Module):
    """A block: mix the channels, look at the neighbors, then scale and shift as the question says."""

    def __init__(self, width: int):
        super().__init__()
        self.mix, self.neighbors = nn.Linear(width, width), nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.LayerNorm(width, elementwise_affine=False)

    def forward(self, cells: Tensor, scale: Tensor, shift: Tensor, *, grid: tuple[int, int] | None) -> Tensor:
        mixed_cells = functional.relu(self.mix(cells))
        changed = self.norm(self._seen(mixed_cells, grid))
        return mixed_cells + functional.relu(changed * (1 + scale) + shift)

    def _seen(self, cells: Tensor, grid: tuple[int, int] | None) -> Tensor:
        if grid is None:
            return functional.linear(cells, self.neighbors.weight[:, :, 1, 1], self.neighbors.bias)
        # Cells lie row by row with their channels innermost: as a picture that is channels_last, without a copy.
        picture = cells.view(len(cells), *grid, -1).permute(0, 3, 1, 2)
        seen: Tensor = self.neighbors(picture)
        return seen.permute(0, 2, 3, 1).flatten(1, 2)
