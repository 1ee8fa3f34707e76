"""What several networks are made of: attention that leaves out what is not there, and the layers of transformers."""

from __future__ import annotations

from contextlib import AbstractContextManager
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["Attention", "Block", "FeedForward", "attended", "exactly", "heads_of", "mean_of", "mixed", "shares"]


def shares(scores: Tensor, present: Tensor) -> Tensor:
    """A softmax over the last axis that gives nothing to what is absent. scores, present : (..., m)

    Where nothing at all is present everything is given alike, so that no row is ever NaN.
    """
    lowest = torch.finfo(torch.float32).min / 2
    return scores.float().masked_fill(~present, lowest).softmax(-1)


def attended(weights: Tensor, cells: Tensor) -> Tensor:
    """The weighted sum of cells. weights : (b, m) · cells : (b, m, d) · gives (b, d)"""
    return (weights.to(cells.dtype).unsqueeze(1) @ cells).squeeze(1)


def mean_of(cells: Tensor, present: Tensor) -> Tensor:
    """The mean of the cells that are there. cells : (b, m, d) · present : (b, m) · gives (b, d)"""
    return attended(present / present.sum(-1, keepdim=True).clamp(min=1), cells)


def exactly(cells: Tensor) -> AbstractContextManager[object]:
    """Have matrices multiplied as they are on the device of some cells, where half of the digits would not do."""
    return torch.autocast(cells.device.type, enabled=False)


def mixed(*sizes: int) -> nn.Sequential:
    """Layers of these sizes, each but the last with a norm and GELU after it."""
    layers: list[nn.Module] = []
    for before, after in pairwise(sizes[:-1]):
        layers += [nn.Linear(before, after), nn.LayerNorm(after), nn.GELU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


def heads_of(width: int) -> int:
    """How many heads share a width: as many as are at least 32 wide each, and alike."""
    return max(heads for heads in range(1, max(1, width // 32) + 1) if width % heads == 0)


class Attention(nn.Module):
    """Attention with several heads of askers to what is told."""

    def __init__(self, width: int, *, heads: int):
        super().__init__()
        self.heads = heads
        self.ask, self.tell = nn.Linear(width, width), nn.Linear(width, 2 * width)
        self.out = nn.Linear(width, width)

    def forward(self, askers: Tensor, told: Tensor, present: Tensor) -> Tensor:
        """askers : (b, n, d) · told : (b, m, d) · gives (b, n, d)

        present : (b, m) bool, or (b, n, m) where it is not the same for all askers
        """
        queries, keys, values = self._split(askers, told)
        # Where nothing is there all is looked at, since a softmax over nothing is NaN.
        allowed = present | ~present.any(-1, keepdim=True)
        allowed = allowed[:, None] if allowed.ndim == 3 else allowed[:, None, None]
        return self._joined(functional.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed))

    def looking(self, askers: Tensor, told: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        """The same, and where every asker looked: (b, n, m), the mean of the heads."""
        queries, keys, values = self._split(askers, told)
        scores = queries @ keys.transpose(-1, -2) / queries.shape[-1] ** 0.5
        weights = shares(scores, present[:, None, None])
        return self._joined(weights.to(values.dtype) @ values), weights.mean(1)

    def _split(self, askers: Tensor, told: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        keys, values = self.tell(told).chunk(2, dim=-1)
        queries, keys, values = (
            one.unflatten(-1, (self.heads, -1)).transpose(1, 2) for one in (self.ask(askers), keys, values)
        )
        return queries, keys, values

    def _joined(self, found: Tensor) -> Tensor:
        joined: Tensor = self.out(found.transpose(1, 2).flatten(2))
        return joined


class FeedForward(nn.Sequential):
    """What a transformer does to each place by itself, with the norm before it."""

    def __init__(self, width: int, *, wider: int = 4):
        super().__init__(
            nn.LayerNorm(width), nn.Linear(width, wider * width), nn.GELU(), nn.Linear(wider * width, width)
        )


class Block(nn.Module):
    """A layer of a pre-norm transformer: every place looks at all places, or at those of another stream."""

    def __init__(self, width: int, *, heads: int, dropout: float = 0.0):
        super().__init__()
        self.norm, self.attention = nn.LayerNorm(width), Attention(width, heads=heads)
        self.forth = FeedForward(width)
        self.drop = nn.Dropout(dropout)

    def forward(self, places: Tensor, present: Tensor, other: Tensor | None = None) -> Tensor:
        """places : (b, n, d) · other : (b, m, d), what is looked at, the places themselves if None

        present : (b, n or m) bool, of what is looked at, or for each place (b, n, n or m)
        """
        ready = self.norm(places)
        places = places + self.drop(self.attention(ready, ready if other is None else other, present))
        changed: Tensor = places + self.drop(self.forth(places))
        return changed

    def looking(self, places: Tensor, present: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """The same, and where every place looked: (b, n, m)."""
        found, weights = self.attention.looking(self.norm(places), other, present)
        places = places + self.drop(found)
        return places + self.drop(self.forth(places)), weights
