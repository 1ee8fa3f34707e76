"""PointCNN: convolutions over the nearest points, which a matrix that follows from where they lie puts into order."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch
from mereo.models.points.layers import Backbone, Shared
from mereo.models.points.neighbors import gathered, in_steps
from mereo.models.points.pyramid import Look, Rise, places_of

__all__ = ["AUTHORS", "PointCNN", "Step"]


class Step(NamedTuple):
    """One floor up, and back down."""

    left: int
    """How many points are left."""
    up: tuple[int, int]
    """How many points below each of them looks at, and that it takes only every so many-th of the nearest."""
    down: tuple[int, int]
    """The same for each point below that looks up."""
    wider: int
    """How many times as many channels as on the ground there are."""


AUTHORS = (Step(768, (12, 2), (8, 6), 1), Step(384, (16, 2), (12, 6), 2), Step(128, (16, 6), (16, 6), 4))
"""As its authors segment the parts of ShapeNet."""
_FIRST, _LAST = Look(0, 0, 8), Look(0, 0, 8, 4)
"""How points look at each other on the ground, before all other floors and after them."""


def _ups(steps: Sequence[Step]) -> list[Look]:
    return [Look(number + 1, number, *step.up) for number, step in enumerate(steps)]


def _downs(steps: Sequence[Step]) -> list[Look]:
    return [Look(number, number + 1, *step.down) for number, step in enumerate(steps)][::-1]


class PointCNN(Backbone):
    """Convolutions up to ever fewer points, and down to all of them with what was known there.

    width : 64 is the size of the paper
    """

    rises = tuple(Rise(step.left) for step in AUTHORS)
    looks = (_FIRST, *_ups(AUTHORS), *_downs(AUTHORS), _LAST)

    def __init__(self, width: int = 64, steps: Sequence[Step] = AUTHORS):
        super().__init__()
        ups, downs = _ups(steps), _downs(steps)
        self.rises = tuple(Rise(step.left) for step in steps)
        self.looks = (_FIRST, *ups, *downs, _LAST)
        sizes = [4 * width, *(4 * width * step.wider for step in steps)]  # of each floor
        self.first = _Convolution(0, sizes[0], _FIRST.seen, lifted=sizes[0] // 2, times=4)
        self.up, self.down, self.join = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for look in ups:
            below, above = sizes[look.at], sizes[look.of]
            times = ceil(above / below)
            self.up.append(_Convolution(below, above, look.seen, lifted=below // 4, times=times))
        self.where = Shared(3, sizes[-1] // 4, sizes[-1] // 4, bent=nn.ELU)
        carried = sizes[-1] + sizes[-1] // 4
        for look in [*downs, _LAST]:
            below = sizes[look.of]
            self.down.append(_Convolution(carried, below, look.seen, lifted=sizes[look.at] // 4, times=1))
            self.join.append(Shared(2 * below, below, bent=nn.ELU))
            carried = below
        self.out = Shared(carried, carried, carried, bent=nn.ELU)
        self.channels = carried

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features of each point, from all floors."""
        floors = places_of(batch, self.rises)
        known = [self.first(None, batch[_FIRST.name], floors[0], floors[0])]
        rising, falling = self.looks[1 : len(floors)], self.looks[len(floors) :]
        for look, up in zip(rising, self.up, strict=True):
            known.append(up(known[-1], batch[look.name], floors[look.at], floors[look.of]))
        where: Tensor = self.where(floors[-1])
        cells = torch.cat([where, known[-1]], -1)
        for look, down, join in zip(falling, self.down, self.join, strict=True):
            carried = down(cells, batch[look.name], floors[look.at], floors[look.of])
            cells = join(torch.cat([carried, known[look.of]], -1))
        return self.out(cells), batch["cloud"].new_zeros(())


class _Convolution(nn.Module):
    """X-Conv: the nearest points with features of where they lie, weighed and ordered by a matrix, and convolved.

    lifted : how many features tell where a point lies · times : how many weights each feature has
    """

    def __init__(self, before: int, after: int, around: int, *, lifted: int, times: int):
        super().__init__()
        self.around = around
        self.lift = Shared(3, lifted, lifted, bent=nn.ELU)
        self.order = nn.Sequential(
            Shared(3 * around, around**2, bent=nn.ELU), _ByColumn(around), nn.ELU(), _ByColumn(around)
        )
        weights = torch.empty(around, lifted + before, times)
        self.weights = nn.Parameter(nn.init.normal_(weights, std=around**-0.5))
        self.out = Shared((lifted + before) * times, after, bent=nn.ELU)

    def forward(self, cells: Tensor | None, places: Tensor, below: Tensor, above: Tensor) -> Tensor:
        """(b, m, e). cells : (b, n, d) features of the points below · places : (b, m, k) where to look among them

        below : (b, n, 3) · above : (b, m, 3), those who look
        """
        away = in_steps(gathered(below, places) - above[:, :, None])
        seen = self.lift(away)
        if cells is not None:
            seen = torch.cat([seen, gathered(cells, places).to(seen.dtype)], -1)
        ordered = self.order(away.flatten(2)).unflatten(-1, (self.around, self.around)) @ seen
        found: Tensor = self.out(torch.einsum("bmkd,kdt->bmdt", ordered, self.weights.to(ordered.dtype)).flatten(2))
        return found


class _ByColumn(nn.Module):
    """A line for every column of a square matrix, with a norm over all points. (b, m, k * k) to the same"""

    def __init__(self, around: int):
        super().__init__()
        self.around = around
        self.weights = nn.Parameter(nn.init.normal_(torch.empty(around, around, around), std=around**-0.5))
        self.norm = nn.BatchNorm1d(around**2)

    def forward(self, matrices: Tensor) -> Tensor:
        """matrices : (b, m, k * k)"""
        square = matrices.unflatten(-1, (self.around, self.around))
        turned = torch.einsum("bmkc,kcj->bmjc", square, self.weights.to(square.dtype))
        found: Tensor = self.norm(turned.flatten(0, 1).flatten(1))
        return found.view(matrices.shape)
