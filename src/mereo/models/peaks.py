"""The tops of hills in maps of middles.

b pictures; c maps each; h, w rows and columns; k tops at most.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

__all__ = ["Peaks", "find_peaks"]

_AROUND = tuple((down, across) for down in (-1, 0, 1) for across in (-1, 0, 1))
"""A pixel and its neighbors, as steps."""
_ALONG = (0.25, 0.5, 0.75)
"""Where one looks for a valley on the way from one top to another."""


class Peaks(NamedTuple):
    """Tops, highest first; those that are not present only fill up."""

    present: Tensor
    """(b, k) bool"""
    heights: Tensor
    """(b, k) float"""
    channels: Tensor
    """(b, k) int64: in which map."""
    places: Tensor
    """(b, k, 2) float: row and column, between pixels where the slopes say so."""


def find_peaks(heat: Tensor, *, least: float, most: int, valley: float, reach: float) -> Peaks:
    """The tops of maps.

    A top is as high as all its neighbors and at least as high as `least`. A hill may have several by chance: a top from
    which one comes to a higher one, at most `reach` pixels away, without going down below `valley` of its own height,
    belongs to the other's hill. heat : (b, c, h, w), 0 to 1; most : tops of one picture
    """
    heights, channels, pixels = _ranked(heat, _tops(heat, least), most)
    alone = (heights > 0) & ~_on_other_hills(heat, heights, channels, pixels, valley, reach)
    return Peaks(alone, heights, channels, _between_pixels(heat, channels, pixels))


def _tops(heat: Tensor, least: float) -> Tensor:
    """(t, 4): picture, map, row and column of all tops. Few pixels are high enough, so only these are looked at."""
    picture, channel, row, column = places = (heat >= least).nonzero(as_tuple=True)
    own = heat[places]
    highest = own
    for down, across in _AROUND:
        beside = (row + down).clamp(0, heat.shape[2] - 1), (column + across).clamp(0, heat.shape[3] - 1)
        highest = torch.maximum(highest, heat[picture, channel, *beside])
    return torch.stack(places, 1)[own == highest]


def _ranked(heat: Tensor, tops: Tensor, most: int) -> tuple[Tensor, Tensor, Tensor]:
    """(b, k), (b, k) and (b, k, 2): heights, maps and pixels of the tops of each picture, highest first; 0 fills up."""
    height = heat[tops[:, 0], tops[:, 1], tops[:, 2], tops[:, 3]]
    order = height.argsort(descending=True, stable=True)
    order = order[tops[order, 0].argsort(stable=True)]
    tops, height = tops[order], height[order]
    counts = torch.bincount(tops[:, 0], minlength=len(heat))
    rank = torch.arange(len(tops), device=heat.device) - (counts.cumsum(0) - counts)[tops[:, 0]]
    used = max(1, min(most, int(counts.max()))) if len(heat) else 1
    tops, height, rank = tops[rank < used], height[rank < used], rank[rank < used]
    heights = heat.new_zeros(len(heat), used)
    heights[tops[:, 0], rank] = height
    where = torch.zeros(len(heat), used, 3, dtype=torch.int64, device=heat.device)
    where[tops[:, 0], rank] = tops[:, 1:]
    return heights, where[..., 0], where[..., 1:]


def _on_other_hills(
    heat: Tensor, heights: Tensor, channels: Tensor, pixels: Tensor, valley: float, reach: float
) -> Tensor:
    """(b, k) bool: whether there is a higher top of the same map that no valley lies before."""
    one, other = pixels[:, :, None].float(), pixels[:, None].float()
    order = torch.arange(heights.shape[1], device=heat.device)
    higher = (order[:, None] > order) & (heights[:, None] > 0)
    close = higher & (channels[:, :, None] == channels[:, None]) & ((one - other).norm(dim=-1) <= reach)
    picture, low, high = close.nonzero(as_tuple=True)
    first, last = pixels[picture, low].float(), pixels[picture, high].float()
    crossed = torch.stack([(first + share * (last - first)).round().long() for share in _ALONG])
    lowest = heat[picture, channels[picture, low], crossed[..., 0], crossed[..., 1]].amin(0)
    joined = torch.zeros_like(heights, dtype=torch.bool)
    same = lowest >= valley * heights[picture, low]
    joined[picture[same], low[same]] = True
    return joined


def _between_pixels(heat: Tensor, channels: Tensor, pixels: Tensor) -> Tensor:
    """(b, k, 2): the middle of the 3x3 pixels around each top, by their heights."""
    padded = functional.pad(heat, (1, 1, 1, 1))
    picture = torch.arange(len(heat), device=heat.device)[:, None]
    total, moved = torch.zeros_like(pixels[..., 0], dtype=heat.dtype), torch.zeros_like(pixels, dtype=heat.dtype)
    for down, across in _AROUND:
        here = padded[picture, channels, pixels[..., 0] + 1 + down, pixels[..., 1] + 1 + across]
        total = total + here
        moved = moved + here[..., None] * here.new_tensor([down, across])
    return pixels + moved / total.clamp(min=1e-6)[..., None]
