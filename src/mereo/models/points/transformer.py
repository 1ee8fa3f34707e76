"""PTv3-lite: a point transformer after the third of that name, without kernels of its own.

Points stand in the order of a curve that fills space. There attention is that of windows, pooling joins points that
follow each other, and nobody looks for neighbors. Blocks take turns at the curves, while learning in an order that is
drawn anew each time, so that no border between windows stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch
from mereo.models.layers import FeedForward, heads_of, mixed
from mereo.models.points.curves import CURVES, Orders, codes_of, orders_of
from mereo.models.points.layers import Backbone, Shared, highest
from mereo.models.points.neighbors import gathered, in_steps

__all__ = ["PointTransformer", "highest_in_runs", "in_windows", "out_of_windows"]

_RUN = 4
"""How many points that follow each other become one: about those of a cell twice as wide, as clouds are surfaces."""
_REACH = 2
"""How far along a curve, forth and back, a point knows those beside it."""


class PointTransformer(Backbone):
    """Blocks on ever fewer points, and down to all of them with what was known there.

    width : of the ground, twice as much on every floor · window : points that look at each other
    depths : the blocks of each floor on the way up; on the way down there is one · kinds : where a field `category`
        tells which of so many kinds of shapes a cloud is
    """

    def __init__(
        self, width: int = 64, *, window: int = 256, depths: Sequence[int] = (2, 2, 4, 2), kinds: int | None = None
    ):
        super().__init__()
        sizes = [width * 2**floor for floor in range(len(depths))]
        half = max(1, width // 2)
        self.beside, self.first = Shared(3, half, half), Shared(3 + half, width, bent=nn.GELU)
        self.kinds = nn.Embedding(kinds, width) if kinds is not None else None
        self.up = nn.ModuleList(
            nn.Sequential(*(_Block(size, window) for _ in range(depth)))
            for size, depth in zip(sizes, depths, strict=True)
        )
        self.join = nn.ModuleList(Shared(size, 2 * size, bent=nn.GELU) for size in sizes[:-1])
        self.carry = nn.ModuleList(Shared(2 * size, size, bent=nn.GELU) for size in sizes[:-1])
        self.keep = nn.ModuleList(Shared(size, size, bent=nn.GELU) for size in sizes[:-1])
        self.down = nn.ModuleList(_Block(size, window) for size in sizes[:-1])
        self.last = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU())
        self.channels = 2 * width

    @property
    def reads(self) -> tuple[str, ...]:
        """The cloud, and its category where that is to be told."""
        return ("cloud",) if self.kinds is None else ("cloud", "category")

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features of each point, from all floors."""
        points, codes = batch["cloud"], codes_of(batch["cloud"])
        orders = orders_of(codes)
        cells = self.first(torch.cat([points, highest(self.beside(_beside(points, orders)))], -1))
        if self.kinds is not None:
            cells = cells + self.kinds(batch["category"])[:, None]
        floors: list[_Ground] = []
        for floor, blocks in enumerate(self.up):
            if floor:
                floors.append(_Ground(points, orders, cells))
                cells = highest_in_runs(self.join[floor - 1](cells), orders)
                points = _in_runs(points, orders).mean(2)
                codes = _in_runs(codes.transpose(1, 2), orders)[:, :, _RUN // 2].transpose(1, 2)
                orders = orders_of(codes)
            cells = self._through(blocks.children(), cells, points, orders)
        for floor in reversed(range(len(floors))):
            below = floors[floor]
            carried = gathered(self.carry[floor](cells), below.orders.ranks[:, 0] // _RUN)
            cells = self.keep[floor](below.cells) + carried
            cells = self._through([self.down[floor]], cells, below.points, below.orders)
        return self.last(cells), batch["cloud"].new_zeros(())

    def _through(self, blocks: Iterable[nn.Module], cells: Tensor, points: Tensor, orders: Orders) -> Tensor:
        """Cells after some blocks, each along another curve."""
        drawn = torch.randperm if self.training else torch.arange
        turns = drawn(CURVES, device=cells.device)  # nobody has to know them but the device
        places, ranks = orders.places.index_select(1, turns), orders.ranks.index_select(1, turns)
        for number, block in enumerate(blocks):
            cells = block(cells, points, places[:, number % CURVES], ranks[:, number % CURVES])
        return cells


class _Ground(NamedTuple):
    """A floor that was left, to come back to."""

    points: Tensor
    orders: Orders
    cells: Tensor


def _beside(points: Tensor, orders: Orders) -> Tensor:
    """(b, n, 2 * _REACH * CURVES, 3): points before and after each along the curves, seen from it, about 1 away."""
    found = []
    for places, ranks in zip(orders.places.unbind(1), orders.ranks.unbind(1), strict=True):
        along = gathered(points, places)
        ends = [along[:, :1]] * _REACH, [along[:, -1:]] * _REACH
        longer = torch.cat([*ends[0], along, *ends[1]], 1)
        steps = [longer[:, step : step + points.shape[1]] for step in range(2 * _REACH + 1) if step != _REACH]
        found.append(gathered((torch.stack(steps, 2) - along[:, :, None]).flatten(2), ranks).unflatten(-1, (-1, 3)))
    return in_steps(torch.cat(found, 2))


def _in_runs(cells: Tensor, orders: Orders) -> Tensor:
    """(b, m, _RUN, d): cells that follow each other along Hilbert's curve; the last one fills up."""
    along = gathered(cells, orders.places[:, 0])
    short = -along.shape[1] % _RUN
    runs: Tensor = torch.cat([along, along[:, -1:].expand(-1, short, -1)], 1).unflatten(1, (-1, _RUN))
    return runs


def highest_in_runs(cells: Tensor, orders: Orders) -> Tensor:
    """(b, m, d): of cells that follow each other what is highest in each channel."""
    return highest(_in_runs(cells, orders))


def in_windows(line: Tensor, size: int) -> Tensor:
    """(b, w, size, d): a line cut into windows, of which the last goes as far back as it must to be full.

    line : (b, n, d), n at least the size
    """
    whole = (line.shape[1] - 1) // size * size
    return torch.cat([line[:, :whole].unflatten(1, (-1, size)), line[:, None, -size:]], 1)


def out_of_windows(windows: Tensor, count: int) -> Tensor:
    """(b, count, d): the line that was cut; of what stands in two windows, as the first has it."""
    whole = (windows.shape[1] - 1) * windows.shape[2]
    return torch.cat([windows[:, :-1].flatten(1, 2), windows[:, -1, whole - count :]], 1)


class _Block(nn.Module):
    """What lies beside each point along a curve, attention in windows of that curve, and each point by itself."""

    def __init__(self, width: int, window: int):
        super().__init__()
        self.window, self.heads = window, heads_of(width)
        self.steps = nn.Parameter(torch.randn(2 * _REACH + 1, width) * 0.2)
        self.where = mixed(3, width, width)
        self.norm, self.ask, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.forth = FeedForward(width)

    def forward(self, cells: Tensor, points: Tensor, places: Tensor, ranks: Tensor) -> Tensor:
        """cells : (b, n, d) · points : (b, n, 3) · places, ranks : (b, n), one of the orders · gives (b, n, d)"""
        along, there = gathered(cells, places), gathered(points, places)
        longer = functional.pad(along, (0, 0, _REACH, _REACH))
        along = along + sum(longer[:, k : k + along.shape[1]] * step for k, step in enumerate(self.steps))
        along = along + self._looked(self.norm(along), there)
        along = along + self.forth(along)
        return gathered(along, ranks)

    def _looked(self, along: Tensor, points: Tensor) -> Tensor:
        """What each sees in its window, where it knows how points lie about the middle of it."""
        count = along.shape[1]
        size = min(self.window, count)
        there = in_windows(points, size)
        there = (there - there.mean(2, keepdim=True)) * (count / size) ** 0.5
        seen = in_windows(along, size) + self.where(there)
        parts = self.ask(seen).flatten(0, 1).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2)
        told: Tensor = self.out(out_of_windows(found.unflatten(0, (len(along), -1)), count))
        return told
