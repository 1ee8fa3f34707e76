"""SpiderCNN: convolutions over the nearest points, whose filters are polynomials of where these lie."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch
from mereo.models.points.layers import Backbone, Shared
from mereo.models.points.neighbors import gathered, in_steps
from mereo.models.points.pyramid import Look

__all__ = ["SpiderCNN"]

_FILTERS = 3
"""Polynomials of each layer."""
_HIGHEST = 2
"""How many of the highest values of each feature stand for the whole cloud."""


class SpiderCNN(Backbone):
    """Four layers of convolutions on the cloud itself, and all they found beside the whole of it.

    width : 64 is the size of the paper · around : how many points each looks at, itself among them
    """

    looks = (Look(0, 0, 16),)

    def __init__(self, width: int = 64, around: int = 16):
        super().__init__()
        self.looks = (Look(0, 0, around),)
        sizes = [3, max(1, width // 2), width, 2 * width, 4 * width]
        self.layers = nn.ModuleList(_Spider(before, after, around) for before, after in pairwise(sizes))
        every = sum(sizes[1:])
        self.both = nn.Sequential(
            Shared((1 + _HIGHEST) * every, 4 * width),
            nn.Dropout(0.2),
            Shared(4 * width, 4 * width),
            nn.Dropout(0.2),
            Shared(4 * width, 2 * width),
        )
        self.channels = 2 * width

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features of each point beside those of all."""
        points, around = batch["cloud"], batch[self.looks[0].name]
        away = in_steps(gathered(points, around) - points[:, :, None])
        terms = torch.stack([*_terms(away / 2)], -1)  # the farthest at about 1, so that its cube is no larger
        known = [points]
        for layer in self.layers:
            known.append(layer(known[-1], around, terms))
        cells = torch.cat(known[1:], -1)
        whole = cells.topk(min(_HIGHEST, cells.shape[1]), dim=1).values.expand(-1, _HIGHEST, -1).flatten(1)[:, None]
        return self.both(torch.cat([cells, whole.expand(-1, cells.shape[1], -1)], -1)), points.new_zeros(())


def _terms(away: Tensor) -> Iterator[Tensor]:
    """The twenty products of up to three coordinates. away : (..., 3)"""
    yield torch.ones_like(away[..., 0])
    for degree in (1, 2, 3):
        for axes in combinations_with_replacement(range(3), degree):
            yield away[..., axes].prod(-1)


class _Spider(nn.Module):
    """One layer: a weight for each of the nearest by its rank, times polynomials of where it lies."""

    def __init__(self, before: int, after: int, around: int):
        super().__init__()
        self.filters = nn.Linear(20, _FILTERS)
        self.out = Shared(around * before * _FILTERS, after)

    def forward(self, cells: Tensor, around: Tensor, terms: Tensor) -> Tensor:
        """(b, n, e). cells : (b, n, d) · around : (b, n, k) · terms : (b, n, k, 20)"""
        weights = self.filters(terms)
        seen = gathered(cells.to(weights.dtype), around)
        found: Tensor = self.out((seen[..., None] * weights[..., None, :]).flatten(2))
        return found
