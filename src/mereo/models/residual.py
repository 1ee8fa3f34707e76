"""ResNet-34 as He et al. have it, but that small crops are not halved twice before its first block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from torch import Tensor, nn

__all__ = ["DEPTH_34", "Residual"]

DEPTH_34 = (3, 4, 6, 3)
"""Blocks at each of four resolutions."""


class _Block(nn.Module):
    """Two convolutions, and a way around them."""

    def __init__(self, given: int, made: int, stride: int) -> None:
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(given, made, 3, stride, 1, bias=False),
            nn.BatchNorm2d(made),
            nn.ReLU(),
            nn.Conv2d(made, made, 3, 1, 1, bias=False),
            nn.BatchNorm2d(made),
        )
        same = stride == 1 and given == made
        around = (nn.Conv2d(given, made, 1, stride, bias=False), nn.BatchNorm2d(made))
        self.around = nn.Identity() if same else nn.Sequential(*around)
        self.end = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, self.end(self.path(x) + self.around(x)))


class Residual(nn.Sequential):
    """From (b, layers, h, w) to (b, `features`): what a crop shows, in numbers."""

    def __init__(self, layers: int, *, width: int = 32, blocks: Sequence[int] = DEPTH_34) -> None:
        self.features = width * 2 ** (len(blocks) - 1)
        made = [nn.Conv2d(layers, width, 3, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        given = width
        for place, count in enumerate(blocks):
            wide = width * 2**place
            for number in range(count):
                made.append(_Block(given, wide, 2 if place and not number else 1))
                given = wide
        super().__init__(*made, nn.AdaptiveAvgPool2d(1), nn.Flatten())
