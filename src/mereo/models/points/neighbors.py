"""Which points of a cloud belong together: the farthest apart, the nearest, those in a ball.

All take and give batches on one device. b clouds of n points, m centers among or beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

__all__ = ["Between", "between", "farthest", "gathered", "in_ball", "in_steps", "nearest", "spread_out"]

_MOST = 1 << 26
"""Distances that are held at a time."""


def farthest(points: Tensor, count: int) -> Tensor:
    """(b, count) int64: points one by one, beginning with the first, each as far as can be from those before it.

    points : (b, n, 3)
    """
    clouds = torch.arange(len(points), device=points.device)
    away = torch.full(points.shape[:2], torch.inf, dtype=points.dtype, device=points.device)
    chosen = [torch.zeros_like(clouds)]
    while len(chosen) < count:  # a GPU waits for its orders here, so there are as few as can be
        here = points[clouds, chosen[-1]]
        away = torch.minimum(away, (points - here[:, None]).square_().sum(-1))
        chosen.append(away.argmax(-1))
    return torch.stack(chosen, 1)


def nearest(points: Tensor, centers: Tensor, count: int) -> Tensor:
    """(b, m, count) int64: the points nearest to each center, the nearest first.

    points : (b, n, 3) · centers : (b, m, 3)
    """
    return _for_some(points, centers, lambda away: away.topk(count, largest=False).indices)


def spread_out(points: Tensor, centers: Tensor, count: int, every: int) -> Tensor:
    """(b, m, count) int64: of the points nearest to each center every so many-th, beginning with the nearest.

    Where there are too few points, those that are there are spread as evenly as can be, and repeated if they must be.
    """
    reach = min(count * every, points.shape[1])
    chosen = torch.arange(count, device=points.device) * reach // count
    return _for_some(points, centers, lambda away: away.topk(reach, largest=False).indices[..., chosen])


def in_ball(points: Tensor, centers: Tensor, radius: float, count: int) -> Tensor:
    """(b, m, count) int64: the first points that lie within a radius of each center, in the order of the cloud.

    Where there are fewer, the first stands for the others too; each center must lie on a point.
    """
    size = points.shape[1]
    number = torch.arange(size, dtype=torch.int32, device=points.device)

    def first_inside(away: Tensor) -> Tensor:
        ranks = torch.where(away <= radius**2, number, size)
        first = ranks.topk(min(count, size), largest=False).values.long()
        first = torch.nn.functional.pad(first, (0, max(0, count - size)), value=size)
        return torch.where(first == size, first[..., :1], first)

    return _for_some(points, centers, first_inside)


def in_steps(away: Tensor) -> Tensor:
    """Where neighbors lie, with their mean distance in each cloud as 1: layers learn slowly from small numbers.

    away : (b, m, k, 3), seen from those whose neighbors they are
    """
    step: Tensor = away.norm(dim=-1, keepdim=True).mean((1, 2), keepdim=True)
    return away / step.clamp(min=1e-6)


class Between(NamedTuple):
    """How features of centers are carried over to points: by the nearest three, the nearer the more.

    places : (b, n, 3) int64, among the centers · shares : (b, n, 3) float, which sum to 1
    """

    places: Tensor
    shares: Tensor


def between(points: Tensor, centers: Tensor) -> Between:
    """Where points lie between centers. points : (b, n, 3) · centers : (b, m, 3)"""
    places = nearest(centers, points, min(3, centers.shape[1]))
    away = (gathered(centers, places) - points[:, :, None]).square().sum(-1)
    near = 1 / (away + 1e-8)
    return Between(places, near / near.sum(-1, keepdim=True))


def gathered(cells: Tensor, places: Tensor) -> Tensor:
    """The cells at some places. cells : (b, n, d) · places : (b, ...) int64 · gives (b, ..., d)"""
    flat = places.flatten(1).long()
    found: Tensor = cells.gather(1, flat[..., None].expand(-1, -1, cells.shape[-1])).unflatten(1, places.shape[1:])
    return found


def _for_some(points: Tensor, centers: Tensor, chosen: Callable[[Tensor], Tensor]) -> Tensor:
    """What is chosen by the squared distances of points to centers, for some clouds or centers at a time."""
    clouds = max(1, _MOST // (points.shape[1] * centers.shape[1]))
    step = max(1, _MOST // (points.shape[1] * clouds))
    found = []
    for own, there in zip(points.split(clouds), centers.split(clouds), strict=True):
        found.append(torch.cat([chosen(_squared(own, some)) for some in there.split(step, 1)], 1))
    return torch.cat(found)


def _squared(points: Tensor, centers: Tensor) -> Tensor:
    """(b, m, n) squared distances, counted from differences: products of large numbers would round near points away."""
    x, y, z = (centers[:, :, None, axis] - points[:, None, :, axis] for axis in range(3))
    return x.square_().add_(y.square_()).add_(z.square_())
