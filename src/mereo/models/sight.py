"""Pictures into memory: a cell for each patch, one for all of it, or vectors that are given.

A memory says which fields of a batch it `reads`, and has one row for each scene. Its fields, s scenes:

picture : (s, 3, h, w) float, 0 to 1 · channels : (s, c, any, any) float, what else is known of a picture's places, as
`part_channels` gives · vectors : (s, k, c) float · vectors_present : (s, k) bool
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Memory
from mereo.models.layers import mixed
from mereo.models.trunk import Trunk

__all__ = ["Given", "Grid", "Nothing", "Pooled", "Sight", "cells_of", "part_channels", "place_codes"]

_WAVES = 4
"""Doublings of the slowest wave in which a place is told."""
CODES = 2 + 4 * _WAVES
"""Numbers that tell a place."""


class Sight(nn.Module, ABC):
    """Whatever makes a memory of the scenes of a batch."""

    reads: tuple[str, ...]

    @abstractmethod
    def forward(self, batch: Batch) -> Memory:
        """One row for each scene."""


class Nothing(Sight):
    """No memory at all, for whoever only reads: one empty cell."""

    reads = ()

    def __init__(self, width: int):
        super().__init__()
        self.width = width

    def forward(self, batch: Batch) -> Memory:
        """One row for each question."""
        cells = batch["question"].new_zeros((len(batch["question"]), 1, self.width), dtype=torch.float32)
        return Memory(cells, cells.new_ones(cells.shape[:2], dtype=torch.bool))


class Grid(Sight):
    """The cells of a trunk's map, each with its place, and with further channels where there are some."""

    def __init__(self, trunk: Trunk, width: int, *, extra: int = 0):
        """extra : how many further channels the field `channels` has"""
        super().__init__()
        self.reads = ("picture", "channels") if extra else ("picture",)
        self.trunk, self.extra = trunk, extra
        self.telling = _Telling(trunk.channels + extra, width)

    def forward(self, batch: Batch) -> Memory:
        """A cell for each patch of the picture, row by row."""
        features = self.trunk(batch["picture"])
        rows, columns = features.shape[-2:]
        if self.extra:
            known = functional.adaptive_avg_pool2d(batch["channels"], (rows, columns))
            features = torch.cat([features, known.to(features.dtype)], 1)
        cells = self.telling(features.flatten(2).transpose(1, 2), cell_places(rows, columns, features.device))
        return Memory(cells, _all_there(cells), (rows, columns))


class Pooled(Sight):
    """One cell for the whole picture: the mean of the trunk's map."""

    reads = ("picture",)

    def __init__(self, trunk: Trunk, width: int):
        super().__init__()
        self.trunk = trunk
        self.telling = nn.Sequential(mixed(trunk.channels, width, width), nn.LayerNorm(width))

    def forward(self, batch: Batch) -> Memory:
        """A single cell."""
        cells = self.telling(self.trunk(batch["picture"]).mean((2, 3))).unsqueeze(1)
        return Memory(cells, _all_there(cells))


class Given(Sight):
    """Vectors that somebody else worked out: slots, regions, objects with their attributes."""

    reads = ("vectors", "vectors_present")

    def __init__(self, channels: int, width: int):
        super().__init__()
        self.telling = nn.Sequential(mixed(channels, width, width), nn.LayerNorm(width))

    def forward(self, batch: Batch) -> Memory:
        """A cell for each vector."""
        return Memory(self.telling(batch["vectors"]), batch["vectors_present"])


class _Telling(nn.Module):
    """Features and places into cells."""

    def __init__(self, channels: int, width: int):
        super().__init__()
        self.what, self.where = nn.Linear(channels, width), nn.Linear(CODES, width)
        self.forth = nn.Sequential(nn.LayerNorm(width), nn.GELU(), nn.Linear(width, width), nn.LayerNorm(width))

    def forward(self, features: Tensor, places: Tensor) -> Tensor:
        """features : (s, m, c) · places : (m, 2)"""
        cells: Tensor = self.forth(self.what(features) + self.where(place_codes(places)))
        return cells


def cell_places(rows: int, columns: int, device: torch.device) -> Tensor:
    """(rows * columns, 2): column and row of each cell's middle, from -1 to 1."""
    down, across = ((torch.arange(count, device=device) + 0.5) * (2 / count) - 1 for count in (rows, columns))
    return torch.cartesian_prod(down, across).flip(-1)


def place_codes(places: Tensor) -> Tensor:
    """(..., CODES): places as themselves and in waves, so that near and far can be told apart. places : (..., 2)"""
    waves = torch.pi * 2.0 ** torch.arange(-1, _WAVES - 1, device=places.device)
    angles = (places.unsqueeze(-1) * waves).flatten(-2)
    return torch.cat([places, angles.sin(), angles.cos()], -1)


def points_in_boxes(features: Tensor, boxes: Tensor, samples: int) -> Tensor:
    """(s, c, k, samples²): a map at evenly spread points of each box.

    features : (s, c, rows, columns) · boxes : (s, k, 4), left, top, width and height as shares of the picture
    """
    spread = (torch.arange(samples, device=boxes.device) + 0.5) / samples
    within = torch.cartesian_prod(spread, spread).flip(-1)
    points = boxes[:, :, None, :2] + boxes[:, :, None, 2:] * within
    return functional.grid_sample(features, (points * 2 - 1).to(features.dtype), align_corners=False)


def cells_of(ids: Tensor, count: int, grid: tuple[int, int]) -> Tensor:
    """(s, count, rows, columns): which share of each cell each thing covers.

    ids : (s, h, w) any whole numbers, the thing that a pixel shows, counted from 1, 0 for none
    """
    scenes, height, width = ids.shape
    rows, columns = grid
    down = torch.arange(height, device=ids.device) * rows // height
    across = torch.arange(width, device=ids.device) * columns // width
    cell = (down[:, None] * columns + across).flatten()
    where = ids.long().flatten(1) * (rows * columns) + cell
    found = torch.zeros(scenes, (count + 1) * rows * columns, device=ids.device)
    found.scatter_add_(1, where, found.new_ones(()).expand_as(where))
    pixels = torch.zeros(rows * columns, device=ids.device).scatter_add_(0, cell, found.new_ones(()).expand_as(cell))
    return found.view(scenes, count + 1, rows, columns)[:, 1:] / pixels.view(rows, columns)


def part_channels(covered: Tensor, attributes: Tensor) -> Tensor:
    """(s, 1 + c, rows, columns): how much of each cell is parts, and the attributes of these by their share.

    What MAC(P) sees besides the picture. covered : (s, k, rows, columns) float, as `cells_of` gives, or soft masks ·
    attributes : (s, k, c) float, of every part how likely each value of its attributes is, 0 where there is no part
    """
    some = attributes.new_ones((*attributes.shape[:2], 1))
    return torch.einsum("skrw,skc->scrw", covered, torch.cat([some, attributes], -1))


def _all_there(cells: Tensor) -> Tensor:
    return cells.new_ones(cells.shape[:2], dtype=torch.bool)
