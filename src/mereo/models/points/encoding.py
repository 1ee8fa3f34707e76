"""Clouds as codes: an auto-encoder that squeezes a shape into a few numbers, and makes its points again of these."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.models.points.layers import Shared
from mereo.models.points.neighbors import gathered

__all__ = ["NEAR", "ShapeCodes", "chamfer"]

NEAR = 0.05
"""A point is found again if one lies within so much of it; the whole cloud has radius 1."""


class ShapeCodes(Learner):
    """A PointNet that looks at a cloud as a whole, and layers that make points of what it saw.

    code : numbers that a cloud is squeezed into · points : how many are made of these
    """

    reads = ("cloud",)

    def __init__(self, *, width: int = 64, code: int = 128, points: int = 1024):
        super().__init__()
        self.each = Shared(3, width, 2 * width, 16 * width)
        self.narrow = nn.Sequential(nn.Linear(16 * width, 4 * width), nn.ReLU(), nn.Linear(4 * width, code))
        layers = [nn.Linear(code, 8 * width), nn.ReLU(), nn.Linear(8 * width, 16 * width), nn.ReLU()]
        self.widen = nn.Sequential(*layers, nn.Linear(16 * width, 3 * points))

    def lesson(self, batch: Batch) -> Lesson:
        """cloud : (b, n, 3)"""
        cloud = batch["cloud"]
        there, back = _ways(cloud, self.decoded(self.encoded(cloud)))
        return Lesson({"chamfer": (there.mean() + back.mean()) / 2}, {"near": (there < NEAR).float().mean()})

    def encoded(self, cloud: Tensor) -> Tensor:
        """(b, code) from (b, n, 3)"""
        code: Tensor = self.narrow(self.each(cloud).amax(1))
        return code

    def decoded(self, code: Tensor) -> Tensor:
        """(b, m, 3) from (b, code)"""
        points: Tensor = self.widen(code).unflatten(-1, (-1, 3))
        return points

    @torch.inference_mode()
    def ask(self, batch: Batch) -> Tensor:
        """(b, code) float: what clouds are squeezed into."""
        return self.encoded(batch["cloud"]).float()


def chamfer(clouds: Tensor, others: Tensor) -> Tensor:
    """(b,) how far clouds are from others: the mean way from a point of either to the nearest of the other.

    clouds : (b, n, 3) · others : (b, m, 3)
    """
    there, back = _ways(clouds, others)
    return (there.mean(1) + back.mean(1)) / 2


def _ways(clouds: Tensor, others: Tensor) -> tuple[Tensor, Tensor]:
    """(b, n) and (b, m): how far each point is from the other cloud. To learn, only the nearest points matter."""
    one, other = clouds.float(), others.float()
    with torch.no_grad():
        away = torch.cdist(one, other)
        there, back = away.argmin(2), away.argmin(1)
    return (one - gathered(other, there)).norm(dim=-1), (other - gathered(one, back)).norm(dim=-1)
