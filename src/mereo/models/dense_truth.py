"""What is true of every pixel, worked out from the things of a scene: the truth that dense perception learns.

b scenes; k things of a level; h, w rows and columns.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.kinds import Batch

__all__ = ["LAYERS", "Layer", "Truth", "at_pixels", "counts_of", "heat_of", "truth_of"]

FARTHEST = 32.0
"""Pixels: things farther from each other than this do not get in each other's way."""
_NEAR_SHARE = 0.25
"""How much of the way to the next of its name a vote may be wrong without harm."""
_SHARPEST, _BLUNTEST = 1.0, 3.0
"""Pixels: the widths of the hills around centers."""
_REACH = 9
"""Pixels from a center to the edge of its hill."""
_MIDDLING = 1000.0
"""Pixels of a thing whose pixels count once; those of a smaller one count more, so that all things are learned."""
_LEAST, _MOST = 0.5, 6.0
_EMPTY = 0.3
"""What a pixel counts that is not near anything."""
_RIM = 5
"""Pixels around a thing, across, that count as much as its own, so that it is learned where it ends."""


class Layer(NamedTuple):
    """Things that share no pixels. Parts lie in parts, as bars in a back, so they make two layers."""

    name: str
    level: str
    """Whose words and numbers its things have."""
    named: bool
    """Whether there is a map of centers for each name: parts of an object are grouped name by name."""


LAYERS = (Layer("object", "object", False), Layer("part", "part", True), Layer("inner", "part", True))
"""Objects; parts that lie in no other part; parts that lie in a part."""


class Truth(NamedTuple):
    """What is true of the pixels of one layer."""

    ids: Tensor
    """(b, h, w) int64: the thing of its level that a pixel shows, counted from 1, 0 for none."""
    areas: Tensor
    """(b, k) float: pixels of each thing in this layer."""
    centers: Tensor
    """(b, k, 2) float: row and column of the middle of its pixels."""
    near: Tensor
    """(b, k) float, pixels: how wrong a vote for its center may be without harm, because of others of its name."""
    weights: Tensor
    """(b, h, w) float: how much a pixel counts for what it shows; 0 where it shows none."""
    around: Tensor
    """(b, h, w) float: how much it counts for whether it shows something."""


def truth_of(batch: Batch, layer: Layer, names: Tensor) -> Truth:
    """The truth of one layer. names : (b, k) int64, number of each thing's name, -1 for none"""
    ids = _ids(batch, layer)
    areas, centers = _middles(ids, names.shape[1])
    wholes = batch.get(f"{layer.level}_whole")
    near = _near(areas, centers, names if layer.named else None, wholes if layer.named else None)
    counts = (_MIDDLING / areas.clamp(min=1)).sqrt().clamp(_LEAST, _MOST)
    weights = at_pixels(counts, ids) * (ids > 0)
    around = functional.max_pool2d(weights[:, None], _RIM, 1, _RIM // 2)[:, 0].clamp(min=_EMPTY)
    return Truth(ids, areas, centers, near, weights, around)


def _ids(batch: Batch, layer: Layer) -> Tensor:
    """(b, h, w): which thing each pixel shows. A batch has in `ids` the innermost, and in `outer` what it lies in."""
    ids = batch[f"{layer.level}_ids"].long()
    outer = batch.get(f"{layer.level}_outer", ids).long()
    return torch.where(ids == outer, 0, ids) if layer.name == "inner" else outer


def counts_of(batch: Batch, objects: int, names: Tensor, values: int, least: float) -> Tensor:
    """(b, objects, values) float: how many parts of each name are seen of each object.

    names : (b, k) int64, number of each part's name, -1 for none · values : how many names there are
    least : the share of the picture from which on a part counts
    """
    ids = batch["part_ids"].long()
    outer, whole = batch.get("part_outer", batch["part_ids"]).long(), batch["part_whole"].long()
    inside = torch.where(ids == outer, 0, ids)
    areas = _middles(outer, names.shape[1])[0] + _middles(inside, names.shape[1])[0]
    seen = (areas >= least * ids.shape[1] * ids.shape[2]) & (areas > 0) & (whole >= 0) & (names >= 0)
    place = whole.clamp(min=0) * values + names.clamp(min=0)
    counts = torch.zeros(len(ids), objects * values, device=ids.device)
    return counts.scatter_add_(1, place, seen.float()).view(len(ids), objects, values)


def at_pixels(values: Tensor, ids: Tensor) -> Tensor:
    """(b, h, w, ...): what is true of the thing that a pixel shows; of the first thing where it shows none.

    values : (b, k, ...)
    """
    flat = (ids - 1).clamp(min=0).flatten(1)
    here = values[torch.arange(len(values), device=ids.device)[:, None], flat]
    return here.view(*ids.shape, *values.shape[2:])


def _middles(ids: Tensor, things: int) -> tuple[Tensor, Tensor]:
    """(b, k) and (b, k, 2): how many pixels things have, and the middle of these."""
    flat = ids.flatten(1)
    rows, columns = _grid(ids.shape[1], ids.shape[2], ids.device).flatten(1)
    sums = torch.zeros(len(ids), things + 1, 3, device=ids.device)
    each = torch.stack([torch.ones_like(rows), rows, columns], -1).expand(len(ids), -1, -1)
    sums.scatter_add_(1, flat[..., None].expand(-1, -1, 3), each)
    areas = sums[:, 1:, 0]
    return areas, sums[:, 1:, 1:] / areas.clamp(min=1)[..., None]


def _near(areas: Tensor, centers: Tensor, names: Tensor | None, wholes: Tensor | None) -> Tensor:
    """(b, k): a share of the way to the nearest thing that it could be taken for."""
    apart = torch.cdist(centers, centers)
    other = (areas > 0)[:, None, :] & ~torch.eye(areas.shape[1], dtype=torch.bool, device=areas.device)
    for same in (names, wholes):
        if same is not None:
            other = other & (same[:, :, None] == same[:, None, :])
    nearest = torch.where(other, apart, FARTHEST).amin(-1)
    return (_NEAR_SHARE * nearest).clamp(_SHARPEST, _NEAR_SHARE * FARTHEST)


def heat_of(truth: Truth, channel: Tensor, channels: int) -> Tensor:
    """(b, channels, h, w): a hill around every center, 1 at its top, in the channel (b, k) of its thing."""
    height, width = truth.ids.shape[1:]
    device = truth.ids.device
    step = torch.arange(-_REACH, _REACH + 1, device=device)
    top = truth.centers.round()
    spread = truth.near.clamp(_SHARPEST, _BLUNTEST)[..., None, None]
    squares = step[:, None] ** 2 + step**2
    hills = torch.exp(-squares / (2 * spread**2)) * ((truth.areas > 0) & (channel >= 0))[..., None, None]
    rows = top[..., 0, None, None] + step[:, None]
    columns = top[..., 1, None, None] + step
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    scene = torch.arange(len(top), device=device)[:, None, None, None]
    place = ((scene * channels + channel.clamp(min=0)[..., None, None]) * height + rows.long()) * width + columns.long()
    heat = torch.zeros(len(top) * channels * height * width, device=device)
    heat.scatter_reduce_(0, torch.where(inside, place, 0).flatten(), (hills * inside).flatten(), "amax")
    return heat.view(-1, channels, height, width)


def _grid(height: int, width: int, device: torch.device) -> Tensor:
    """(2, h, w) float: row and column of each pixel."""
    rows, columns = torch.arange(height, device=device), torch.arange(width, device=device)
    return torch.stack(torch.meshgrid(rows, columns, indexing="ij")).float()
