"""RMI: a convolutional LSTM reads an expression word by word at every place of a picture (Liu et al. 2017).

At every place lies what is seen there, where it is, and what has been read so far; a cell with gates notes what it
makes of each word, and what it knows after the last one is the mask. b expressions, n words, d channels.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch
from mereo.models.referring.masks import Marking
from mereo.models.sight import Grid
from mereo.models.words import Words

__all__ = ["RMI"]


class RMI(Marking):
    """Reads and marks."""

    reads = ("picture", "scene_of", "question", "meant")

    def __init__(self, words: Words, sight: Grid, *, width: int, finer: int = 4):
        """finer : cells of a mask to a side of a cell of what is seen"""
        super().__init__()
        self.words, self.sight, self.finer = words, sight, finer
        self.seen, self.told = nn.Linear(width, 4 * width), nn.Linear(2 * width, 4 * width, bias=False)
        # The cell that reads looks at its neighbors, too: where others are is what most expressions speak of.
        self.before = nn.Conv2d(width, 4 * width, 3, padding=1, bias=False)
        self.norm = nn.GroupNorm(1, width)
        self.out = nn.Sequential(nn.Conv2d(width, width // 2, 3, padding=1), nn.ReLU())
        self.head = nn.Sequential(
            nn.Conv2d(width // 2, width // 4, 3, padding=1), nn.ReLU(), nn.Conv2d(width // 4, 1, 1)
        )

    def mark(self, batch: Batch) -> Tensor:
        """Masks of what was read."""
        numbers = _narrow(batch["question"])
        memory, question = self.sight(batch), self.words(numbers)
        assert memory.grid is not None
        known = self.words.known(numbers)
        seen = self.seen(memory.cells).mT.unflatten(2, memory.grid)[batch["scene_of"]]
        told = self.told(torch.cat([question.words, self.words.widened(known)], -1))
        state = seen.new_zeros(len(seen), seen.shape[1] // 4, *memory.grid)
        cell = state
        for word, present in zip(told.unbind(1), question.present.unbind(1), strict=True):
            there = present[:, None, None, None]
            gates = seen + word[:, :, None, None] + self.before(state)
            keep, take, give, new = gates.chunk(4, 1)
            read = torch.sigmoid(keep + 1) * cell + torch.sigmoid(take) * torch.tanh(new)
            cell = torch.where(there, read, cell)
            state = torch.where(there, torch.sigmoid(give) * torch.tanh(read), state)
        finer = functional.interpolate(self.out(self.norm(state)), scale_factor=float(self.finer), mode="bilinear")
        masks: Tensor = self.head(finer)[:, 0]
        return masks


def _narrow(question: Tensor) -> Tensor:
    """Words without the columns that no expression fills. A GPU would have to be waited for."""
    return question if question.is_cuda else question[:, : max(1, int((question > 0).sum(1).max()))]
