"""RMI: a convolutional LSTM reads an expression word by word at every place of a picture (Liu et al. 2017).

At every place lies what is seen there, where it is, and what has been read so far; a cell with gates notes what it
makes of each word, and what it knows after the last one is the mask. b expressions, n words, d channels.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch
from mereo.models.referring.masks import Marking
from mereo.models.sight import Grid
from mereo.models.words import Words

__all__ = ["RMI"]

_TOGETHER = 32
"""By so many at a time expressions are left aside that have been read to their end."""


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
        lengths = (batch["question"] > 0).sum(1)
        order = lengths.argsort(descending=True, stable=True)
        state = self._read(batch, order, _reading(lengths))[order.argsort()]
        finer = functional.interpolate(self.out(self.norm(state)), scale_factor=float(self.finer), mode="bilinear")
        masks: Tensor = self.head(finer)[:, 0]
        return masks

    def _read(self, batch: Batch, order: Tensor, reading: Sequence[int]) -> Tensor:
        """(b, d, rows, columns): what is known when all is read, in that order.

        order : (b,) expressions, the longest first · reading : for each word how many are read on
        """
        numbers = batch["question"][order, : max(1, len(reading))]
        memory, question = self.sight(batch), self.words(numbers)
        assert memory.grid is not None
        known = self.words.known(numbers)
        seen = self.seen(memory.cells).mT.unflatten(2, memory.grid)[batch["scene_of"][order]]
        told = self.told(torch.cat([question.words, self.words.widened(known)], -1))
        state = seen.new_zeros(len(seen), seen.shape[1] // 4, *memory.grid)
        cell, over = state, list[Tensor]()
        for place, count in enumerate(reading):
            if count < len(state):
                over.append(state[count:])
                state, cell, seen = state[:count], cell[:count], seen[:count]
            there = question.present[:count, place, None, None, None]
            gates = seen + told[:count, place, :, None, None] + self.before(state)
            keep, take, give, new = gates.chunk(4, 1)
            read = torch.sigmoid(keep + 1) * cell + torch.sigmoid(take) * torch.tanh(new)
            cell = torch.where(there, read, cell)
            state = torch.where(there, torch.sigmoid(give) * torch.tanh(read), state)
        return torch.cat([state, *reversed(over)])


def _reading(lengths: Tensor) -> list[int]:
    """For each word how many expressions have so many, rounded up, so that layers see few sizes. lengths : (b,)

    A device has to be waited for to know that, once; and half of the work is spared and more: most expressions have a
    dozen words, and of any three hundred one has forty.
    """
    counts = torch.bincount(lengths).flip(0).cumsum(0).flip(0)[1:].tolist()
    return [min(len(lengths), -(-count // _TOGETHER) * _TOGETHER) for count in counts]
