"""A picture as features of its cells: down to where one of them sees the whole picture, and up again (U-Net).

Parts of furniture are two pixels wide, so nothing is lost on the way: a cell is a pixel, or it is few pixels whose
colors it has one by one.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["Pyramid"]

_DOWN = ((1, 1), (2, 2), (4, 2), (8, 3), (12, 3), (12, 2))
"""Of each level, each half as large as the one before: how many widths of channels it has, and how many blocks."""
_UP = (2, 3, 4, 6, 8)
"""The widths on the way up, from the picture's own size on."""
_MEAN, _SPREAD = 0.5, 0.25
"""What a picture is normalized by."""


class Pyramid(nn.Module):
    """Features of a picture's cells, `channels` for each."""

    def __init__(self, width: int = 32, *, depth: int = len(_DOWN), cell: int = 1) -> None:
        """depth : levels on the way down; small pictures need fewer

        cell : its rows and columns of pixels; 2 saves the finest level, which has most of them
        """
        super().__init__()
        self.cell = cell
        first = (1, 2).index(cell)
        down, up_shares = _DOWN[first:depth], _UP[first : depth - 1]
        depth -= first
        sizes = [share * width for share, _ in down]
        self.channels = up_shares[0] * width
        self.stem = _Joined(3 * cell**2 + 2, sizes[0])
        self.down = nn.ModuleList(
            nn.Sequential(
                _Block(before, size, stride=1 + (level > 0)), *(_Block(size, size) for _ in range(blocks - 1))
            )
            for level, (before, size, (_, blocks)) in enumerate(zip([sizes[0], *sizes], sizes, down, strict=False))
        )
        self.whole = nn.Linear(sizes[-1], sizes[-1])
        up = [*(share * width for share in up_shares), sizes[-1]]
        self.merge = nn.ModuleList(_Joined(sizes[level] + up[level + 1], up[level]) for level in range(depth - 1))
        self.refine = nn.ModuleList(_Block(up[level], up[level]) for level in range(depth - 1))
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload] # torch's types know only one of the two

    def forward(self, picture: Tensor) -> Tensor:
        """(b, channels, h / cell, w / cell) of pictures (b, 3, h, w), 0 to 1; what is over makes a cell as well."""
        height, width = picture.shape[-2:]
        coarsest = self.cell * 2 ** len(self.merge)
        fill = (0, -width % coarsest, 0, -height % coarsest)
        seen = functional.pixel_unshuffle(functional.pad((picture - _MEAN) / _SPREAD, fill), self.cell)
        features = self.stem(torch.cat([seen, _places(seen)], 1).contiguous(memory_format=torch.channels_last))
        levels = []
        for stage in self.down:
            features = stage(features)
            levels.append(features)
        features = features + self.whole(features.mean((2, 3)))[:, :, None, None]
        for level in reversed(range(len(self.merge))):
            finer = functional.interpolate(features, scale_factor=2.0, mode="nearest")
            features = self.refine[level](self.merge[level](torch.cat([levels[level], finer], 1)))
        return cast(Tensor, features[:, :, : -(-height // self.cell), : -(-width // self.cell)])


def _places(picture: Tensor) -> Tensor:
    """(b, 2, h, w): row and column of each pixel, -1 to 1, because where things stand hangs on where they are seen."""
    rows, columns = (torch.linspace(-1, 1, size, device=picture.device) for size in picture.shape[-2:])
    return torch.stack(torch.meshgrid(rows, columns, indexing="ij")).to(picture).expand(len(picture), -1, -1, -1)


class _Joined(nn.Sequential):
    """A convolution over 3x3 pixels, normalized."""

    def __init__(self, given: int, made: int, *, stride: int = 1) -> None:
        super().__init__(nn.Conv2d(given, made, 3, stride, 1, bias=False), nn.BatchNorm2d(made), nn.ReLU(inplace=True))


class _Block(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, given: int, made: int, *, stride: int = 1) -> None:
        super().__init__()
        self.first = _Joined(given, made, stride=stride)
        self.second = nn.Sequential(nn.Conv2d(made, made, 3, padding=1, bias=False), nn.BatchNorm2d(made))
        nn.init.zeros_(cast(Tensor, self.second[1].weight))  # begins as if it were not there, which trains sooner
        narrow = given != made or stride > 1
        self.past = nn.Sequential(nn.AvgPool2d(stride), nn.Conv2d(given, made, 1)) if narrow else nn.Identity()

    def forward(self, features: Tensor) -> Tensor:
        return functional.relu(self.past(features) + self.second(self.first(features)))
