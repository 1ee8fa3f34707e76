"""What backbones are made of: what each of them says of itself, and layers that all points share."""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn

from mereo.models.kinds import Batch
from mereo.models.points.pyramid import Look, Rise, names_of

__all__ = ["Backbone", "Shared", "highest"]


class Backbone(nn.Module):
    """Features of points. b clouds of n points"""

    channels: int
    """How many it gives for each point."""
    rises: tuple[Rise, ...] = ()
    """The pyramid that it looks at, if it does."""
    looks: tuple[Look, ...] = ()
    """Which of the nearest points it looks at on floors of that pyramid, if it does."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The fields that a batch must have."""
        return ("cloud", *names_of(self.rises, self.looks))

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """(b, n, channels) features, and a number that is to become small besides."""
        raise NotImplementedError


class Shared(nn.Module):
    """The same layers for every point, each with a norm over all points of the batch. (..., d) to (..., e)"""

    def __init__(self, *sizes: int, bent: type[nn.Module] = nn.ReLU):
        super().__init__()
        layers: list[nn.Module] = []
        for before, after in pairwise(sizes):
            layers += [nn.Linear(before, after, bias=False), nn.BatchNorm1d(after), bent()]
        self.layers = nn.Sequential(*layers)

    def forward(self, cells: Tensor) -> Tensor:
        """cells : (..., d)"""
        found: Tensor = self.layers(cells.reshape(-1, cells.shape[-1]))
        return found.view(*cells.shape[:-1], -1)


def highest(cells: Tensor) -> Tensor:
    """(b, n, d) of (b, n, k, d): whose gradient goes to the first of those that are equal.

    To go to all of them they are looked for again, and compiled code, where they have more digits then, finds none and
    divides by how many were found.
    """
    return cells.max(2).values
