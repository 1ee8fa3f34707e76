"""Clouds changed a little, so that a network does not learn single shapes by heart. All on the device."""

from __future__ import annotations

import math

import torch
from torch import Tensor

__all__ = ["shaken"]

_STRETCH = 0.2
"""By how much each side is longer or shorter at most, as a logarithm."""
_TURN = math.radians(8)
"""How far shapes are turned about the vertical at most."""
_APART = 0.004
"""How far points are moved; the whole cloud has radius 1."""


def shaken(clouds: Tensor, chance: torch.Generator) -> Tensor:
    """Clouds stretched, turned a little about y, every other one mirrored left to right, and every point moved.

    clouds : (b, n, 3)
    """

    def drawn(*size: int) -> Tensor:
        """Numbers from -1 to 1."""
        return (2 * torch.rand(len(clouds), *size, generator=chance, device=chance.device) - 1).to(clouds)

    sides = (_STRETCH * drawn(3)).exp()
    mirrored = torch.where(drawn(1) < 0, -1.0, 1.0)
    sides = torch.cat([sides[:, :1] * mirrored, sides[:, 1:]], 1)
    angle = _TURN * drawn(1, 1)
    across, up, ahead = (clouds * sides[:, None]).split(1, -1)
    turned = [
        across * angle.cos() + ahead * angle.sin(),
        up,
        ahead * angle.cos() - across * angle.sin(),
    ]
    moved = torch.randn(clouds.shape, generator=chance, device=chance.device).to(clouds)
    return torch.cat(turned, -1) + _APART * moved
