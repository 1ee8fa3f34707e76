"""What makes features of the points of a cloud: PointNet and PointNet++, and all backbones by name.

b clouds of n points; every backbone says how many `channels` it gives for each point.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch
from mereo.models.points.layers import Backbone, Shared
from mereo.models.points.neighbors import gathered
from mereo.models.points.pointcnn import PointCNN
from mereo.models.points.pyramid import USUAL, Floor, Rise, floors_of
from mereo.models.points.spider import SpiderCNN
from mereo.models.points.tokens import PointTokens
from mereo.models.points.transformer import PointTransformer

__all__ = ["BACKBONES", "Backbone", "PointNet", "PointNet2"]


class Transform(nn.Module):
    """PointNet's T-Net: a matrix that turns the features of a whole cloud, at first the one that changes nothing."""

    def __init__(self, size: int, width: int):
        super().__init__()
        self.size = size
        self.points, self.whole = Shared(size, width, 2 * width, 8 * width), Shared(8 * width, 4 * width)
        self.matrix = nn.Linear(4 * width, size * size)
        nn.init.zeros_(self.matrix.weight)
        nn.init.zeros_(self.matrix.bias)

    def forward(self, cells: Tensor) -> Tensor:
        """(b, d, d). cells : (b, n, d)"""
        turned: Tensor = self.matrix(self.whole(self.points(cells).amax(1))).unflatten(-1, (self.size, self.size))
        return torch.eye(self.size, device=cells.device, dtype=turned.dtype) + turned


class PointNet(Backbone):
    """Every point by itself, beside the whole cloud: the highest of each feature over all its points.

    width : 64 is the size of the paper
    """

    def __init__(self, width: int = 64):
        super().__init__()
        self.turn, self.turn_features = Transform(3, width), Transform(width, width)
        self.first, self.second = Shared(3, width, width), Shared(width, width, 2 * width, 16 * width)
        self.both = Shared(17 * width, 8 * width, 4 * width, 2 * width)
        self.channels = 2 * width

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features of each point beside those of all."""
        points = batch["cloud"]
        cells = self.first(points @ self.turn(points))
        matrix = self.turn_features(cells)
        cells = cells @ matrix
        whole = self.second(cells).amax(1, keepdim=True).expand(-1, cells.shape[1], -1)
        skewed = matrix.float() @ matrix.float().transpose(1, 2) - torch.eye(matrix.shape[-1], device=matrix.device)
        return self.both(torch.cat([cells, whole], -1)), 0.001 * skewed.square().sum((1, 2)).mean()


class PointNet2(Backbone):
    """Balls of points, and balls of these, each seen as a small PointNet; and back down with what was known there.

    width : 64 is the size of the paper
    """

    rises: tuple[Rise, ...] = USUAL

    def __init__(self, width: int = 64, rises: Sequence[Rise] = USUAL):
        super().__init__()
        self.rises = tuple(rises)
        sizes = [0, *(width * 2 ** (k + 1) for k in range(len(rises)))]  # features on each floor, none at first
        self.up = nn.ModuleList(Shared(3 + below, above // 2, above // 2, above) for below, above in pairwise(sizes))
        self.whole = Shared(3 + sizes[-1], 4 * width, 8 * width, 16 * width)
        self.top = Shared(sizes[-1] + 16 * width, 4 * width, 4 * width)
        self.down = nn.ModuleList()
        carried = 4 * width
        for below in reversed(sizes[:-1]):
            self.down.append(Shared(carried + (below or 3), 2 * width, 2 * width))
            carried = 2 * width
        self.channels = carried

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features of each point, from all floors."""
        points = batch["cloud"]
        floors = floors_of(batch, self.rises)
        places, known = [points], [points]
        for number, (floor, up) in enumerate(zip(floors, self.up, strict=True)):
            cells = known[-1] if number else None
            places.append(gathered(places[-1], floor.centers))
            seen = (gathered(places[-2], floor.around) - places[-1][:, :, None]) / self.rises[number].radius
            known.append(_raised(seen, cells, floor, up))
        whole = self.whole(torch.cat([places[-1], known[-1]], -1)).amax(1, keepdim=True)
        cells = self.top(torch.cat([known[-1], whole.expand(-1, known[-1].shape[1], -1)], -1))
        for floor, below, down in zip(reversed(floors), reversed(known[:-1]), self.down, strict=True):
            carried = (gathered(cells, floor.back.places) * floor.back.shares[..., None].to(cells.dtype)).sum(2)
            cells = down(torch.cat([carried, below.to(carried.dtype)], -1))
        return cells, points.new_zeros(())


def _raised(seen: Tensor, cells: Tensor | None, floor: Floor, up: nn.Module) -> Tensor:
    """(b, m, e): what is around each center.

    seen : (b, m, k, 3) the points there, seen from the center, with the ball's radius as 1: the averages that norms
        keep would take hundreds of steps to come down to numbers as small as balls are
    cells : (b, n, d) features of the points below
    """
    if cells is not None:
        seen = torch.cat([seen.to(cells.dtype), gathered(cells, floor.around)], -1)
    found: Tensor = up(seen).amax(2)
    return found


BACKBONES: dict[str, type[PointNet | PointNet2 | SpiderCNN | PointCNN | PointTransformer | PointTokens]] = {
    "pointnet": PointNet,
    "pointnet2": PointNet2,
    "spidercnn": SpiderCNN,
    "pointcnn": PointCNN,
    "ptv3": PointTransformer,
    "tokens": PointTokens,
}
"""By name, which is that of a row too where there is one for single categories."""
