"""A convolutional trunk that is trained from scratch: pictures into maps of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.errors import UnknownName

__all__ = ["TRUNKS", "Trunk", "make_trunk"]

_MEAN, _SPREAD = (0.48, 0.46, 0.41), (0.23, 0.23, 0.23)
"""Of the colors of ordinary pictures, so that those of ours come out near 0 and 1."""


TRUNKS: dict[str, dict[str, Any]] = {
    "usual": {},
    "small": {"stem": 16, "stages": ((32, 1), (64, 1), (128, 1))},
}
"""By name how large a trunk is; the small one is for machines without a GPU."""


def make_trunk(name: str) -> Trunk:
    """A trunk by the name of its size."""
    if name not in TRUNKS:
        raise UnknownName("trunk", name, TRUNKS)
    return Trunk(**TRUNKS[name])


class Trunk(nn.Module):
    """A residual network. Each stage halves the picture once more, and so does the stem before them."""

    def __init__(self, *, stem: int = 32, stages: Sequence[tuple[int, int]] = ((64, 2), (128, 3), (256, 4))):
        """stages : channels and blocks of each; with three of them a cell of the map is 16 pixels wide"""
        super().__init__()
        self.mean: Tensor
        self.spread: Tensor
        self.register_buffer("mean", torch.tensor(_MEAN).view(3, 1, 1), persistent=False)
        self.register_buffer("spread", torch.tensor(_SPREAD).view(3, 1, 1), persistent=False)
        self.stem = nn.Sequential(
            *_convolved(3, stem, stride=2), nn.ReLU(inplace=True), *_convolved(stem, stem), nn.ReLU(inplace=True)
        )
        blocks: list[nn.Module] = []
        before = stem
        for channels, count in stages:
            for place in range(count):
                blocks.append(_Residual(before, channels, stride=2 if place == 0 else 1))
                before = channels
        self.blocks = nn.Sequential(*blocks)
        self.channels, self.stride = before, 2 ** (1 + len(stages))
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, pictures: Tensor) -> Tensor:
        """pictures : (s, 3, h, w) float, 0 to 1 · gives (s, channels, rows, columns)"""
        ready = ((pictures - self.mean) / self.spread).contiguous(memory_format=torch.channels_last)
        features: Tensor = self.blocks(self.stem(ready))
        return features


class _Residual(nn.Module):
    """Two convolutions beside a short cut."""

    def __init__(self, before: int, after: int, *, stride: int):
        super().__init__()
        self.first = nn.Sequential(*_convolved(before, after, stride=stride))
        self.again, self.norm = _convolved(after, after)
        self.short = nn.Identity() if stride == 1 and before == after else _Shorter(before, after, stride=stride)
        # A block begins as its short cut alone, with which deep trunks start to learn at once.
        nn.init.zeros_(self.norm.weight)

    def forward(self, features: Tensor) -> Tensor:
        beside = self.norm(self.again(functional.relu(self.first(features), inplace=True)))
        return functional.relu(self.short(features) + beside)


class _Shorter(nn.Sequential):
    """A short cut to fewer and deeper cells: their means, so that no pixel is passed over."""

    def __init__(self, before: int, after: int, *, stride: int):
        super().__init__(
            nn.AvgPool2d(stride, ceil_mode=True, count_include_pad=False), *_convolved(before, after, size=1)
        )


def _convolved(before: int, after: int, *, size: int = 3, stride: int = 1) -> tuple[nn.Conv2d, nn.BatchNorm2d]:
    made = nn.Conv2d(before, after, size, stride=stride, padding=size // 2, bias=False)
    nn.init.kaiming_normal_(made.weight, mode="fan_out", nonlinearity="relu")
    return made, nn.BatchNorm2d(after)
