"""Pictures changed a little, so that a network does not learn single pixels by heart.

All on the device, each scene of a batch by its own chance. Where questions are asked nothing is mirrored, since left
and right are asked about; and light and tint vary no more than those of rendered rooms do, since colors are asked
about.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

__all__ = ["MIRRORED", "STILL", "VISITED", "Change", "View", "draw_view", "looked_at", "recolored", "repainted"]

_PAINT = 2.0
"""How much lighter or darker the ground is made at most, its red, green and blue each by themselves."""


@dataclass(frozen=True)
class Change:
    """How much is changed, at most."""

    shift: float = 0.02
    """Of the width, to each side. Where places in space are learned, less is better: they do not move along."""
    zoom: float = 0.03
    """Of the size, larger or smaller."""
    light: float = 0.1
    """Of the brightness, up or down."""
    contrast: float = 0.1
    tint: float = 0.03
    """Of each of red, green and blue."""
    mirror: float = 0.0
    """The share of pictures whose left and right are exchanged, with all that is told of their things."""
    guests: float = 0.0
    """The share of objects that are seen in another scene as well, see `training/guests.py`."""
    ground: float = 0.0
    """The share of pictures in which whatever shows no thing has another color."""

    @property
    def moves(self) -> bool:
        """Whether anything is seen elsewhere."""
        return bool(self.shift or self.zoom or self.mirror)


STILL = Change(shift=0.0, zoom=0.0)
"""Only light and tint are changed."""
MIRRORED = Change(shift=0.0, zoom=0.0, mirror=0.5)
"""Light and tint are changed, and every other picture is mirrored."""
VISITED = Change(shift=0.0, zoom=0.0, mirror=0.5, guests=0.15)
"""The same, and in about every other scene there is an object of another one."""


@dataclass(frozen=True)
class View:
    """Which pixel of the stored picture is seen at each place of the one that is shown."""

    rows: Tensor
    """(g, h) int64"""
    columns: Tensor
    """(g, w) int64"""
    mirrored: Tensor | None = None
    """(g,) bool; None where none is."""


def draw_view(count: int, size: tuple[int, int], change: Change, chance: torch.Generator, device: torch.device) -> View:
    """Views by chance: shifted, zoomed, perhaps mirrored. What lies outside the picture looks like its nearest edge."""
    drawn = (2 * torch.rand(count, 3, generator=chance, device=chance.device) - 1).to(device)
    zoom = 1 + change.zoom * drawn[:, :1]
    shift = (change.shift * size[1] * drawn[:, 1:]).round()
    rows, columns = (
        ((torch.arange(extent, device=device) + 0.5 - extent / 2) * zoom + extent / 2 + shift[:, axis, None])
        .floor()
        .clamp(0, extent - 1)
        .long()
        for axis, extent in enumerate(size)
    )
    if not change.mirror:
        return View(rows, columns)
    mirrored = (torch.rand(count, generator=chance, device=chance.device) < change.mirror).to(device)
    return View(rows, torch.where(mirrored[:, None], columns.flip(1), columns), mirrored)


def looked_at(stored: Tensor, scenes: Tensor, view: View | None) -> Tensor:
    """Some scenes of stored pictures or ids, seen as a view has it. stored : (s, h, w) or (s, 3, h, w)"""
    picked = stored[scenes]
    if view is None:
        return picked
    each = (len(scenes), *(1 for _ in picked.shape[1:-2]))
    rows, columns = view.rows.view(*each, -1, 1), view.columns.view(*each, 1, -1)
    return picked.gather(-2, rows.expand_as(picked)).gather(-1, columns.expand_as(picked))


def recolored(picture: Tensor, change: Change, chance: torch.Generator) -> Tensor:
    """Pictures in another light. picture : (g, 3, h, w) float, 0 to 1; and so is what comes out"""
    drawn = (2 * torch.rand(len(picture), 5, 1, 1, generator=chance, device=chance.device) - 1).to(picture.device)
    light, contrast, tint = drawn[:, :1], drawn[:, 1:2], drawn[:, 2:]
    gain = (1 + change.light * light) * (1 + change.tint * tint)
    steep = 1 + change.contrast * contrast
    middle = picture.mean((1, 2, 3), keepdim=True)
    # Both in one pass: a picture is read and written once.
    return torch.addcmul((1 - steep) * middle * gain, picture, steep * gain).clamp_(0, 1)


def repainted(picture: Tensor, behind: Tensor, change: Change, chance: torch.Generator) -> Tensor:
    """Pictures whose ground has another color in some. picture : as above · behind : (g, h, w) bool, shows no thing"""
    drawn = torch.rand(len(picture), 4, 1, 1, generator=chance, device=chance.device).to(picture.device)
    gain = torch.where(drawn[:, :1] < change.ground, _PAINT ** (2 * drawn[:, 1:] - 1), 1.0)
    return torch.where(behind[:, None], (picture * gain).clamp_(max=1), picture)
