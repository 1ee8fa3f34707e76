"""Slots: a picture taken apart into a few vectors, learned by painting the picture again (Locatello et al. 2020).

Slots compete for the cells of a picture, round after round; each then paints a picture of its own with a mask, and the
masks share every pixel out among the slots. b pictures, k slots, m cells, d numbers each.

In the paper slots start from chance. Here every slot learns where it starts (Jia et al. 2023), so that whoever looks
twice at one picture sees the same. Whether that also parts them sooner has not been settled.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson, Memory
from mereo.models.learner import Learner

__all__ = ["Painted", "SlotAttention", "Slots", "fitting_size"]

_GROWTH = 3
"""How often the small sheet that painting begins with is doubled."""


class Painted(NamedTuple):
    """What slots make of pictures, h rows and w columns."""

    whole: Tensor
    """(b, 3, h, w), 0 to 1: the picture painted again."""
    each: Tensor
    """(b, k, 3, h, w): what every slot paints."""
    masks: Tensor
    """(b, k, h, w): how much of a pixel belongs to every slot; sums to 1 over the slots."""


def fitting_size(height: int, width: int, *, pixels: int = 64 * 96) -> tuple[int, int]:
    """Rows and columns of about so many pixels, nearly in the proportions of a picture, that can be halved as often."""
    coarse = 2**_GROWTH
    scale = (pixels / (height * width)) ** 0.5 / coarse
    return max(1, round(height * scale)) * coarse, max(1, round(width * scale)) * coarse


class Slots(Learner):
    """Takes pictures apart.

    size : rows and columns that pictures are shrunk to, which can be halved `growth` times
    """

    reads: tuple[str, ...] = ("picture",)

    def __init__(
        self,
        *,
        slots: int = 14,
        width: int = 64,
        rounds: int = 3,
        size: tuple[int, int] = (64, 96),
        growth: int = _GROWTH,
    ):
        super().__init__()
        self.size, self.width = size, width
        self.look = _Look(width)
        self.attention = SlotAttention(slots, width, rounds)
        self.paint = _Paint(width, size, growth)
        self.apply(_even)

    def lesson(self, batch: Batch) -> Lesson:
        """How far the painted picture is from the picture."""
        picture = self.shrunk(batch["picture"])
        slots, _ = self.attention(self.look(picture))
        painted = self.paint(slots).whole
        lost = functional.mse_loss(painted.float(), picture.float())
        spread = (picture - picture.mean((0, 2, 3), keepdim=True)).float().pow(2).mean().clamp(min=1e-6)
        return Lesson({"painting": lost}, {"explained": (1 - lost.detach() / spread).clamp(min=0)})

    def slots(self, picture: Tensor) -> Memory:
        """Slots as cells that can be looked at. picture : (b, 3, h, w), 0 to 1"""
        slots, _ = self.attention(self.look(self.shrunk(picture)))
        return Memory(slots, torch.ones(slots.shape[:2], dtype=torch.bool, device=slots.device))

    def painted(self, picture: Tensor) -> Painted:
        """What slots make of pictures, to be looked at. picture : (b, 3, h, w), 0 to 1"""
        return Painted(*(one.float().clamp(0, 1) for one in self.paint(self.slots(picture).cells)))

    def shrunk(self, picture: Tensor) -> Tensor:
        """Pictures of the size that is painted."""
        if picture.shape[-2:] == self.size:
            return picture
        return functional.interpolate(picture, self.size, mode="bilinear", antialias=True, align_corners=False)


class SlotAttention(nn.Module):
    """Slots that compete for cells."""

    def __init__(self, slots: int, width: int, rounds: int):
        super().__init__()
        self.rounds = rounds
        self.start = nn.Parameter(torch.randn(slots, width))
        self.before, self.between, self.after = (nn.LayerNorm(width) for _ in range(3))
        self.keys, self.values, self.queries = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.update = nn.GRUCell(width, width)
        self.think = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """Slots (b, k, d), and how much of every cell each took (b, k, m). cells : (b, m, d)"""
        with torch.autocast(cells.device.type, enabled=False):  # small numbers are added up over many cells
            return self._compete(self.before(cells.float()))

    def _compete(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        keys, values = self.keys(cells) * cells.shape[-1] ** -0.5, self.values(cells)
        slots = self.start.expand(len(cells), -1, -1)
        shares = keys.new_zeros(0)
        for _ in range(self.rounds):
            shares = (self.queries(self.between(slots)) @ keys.mT).softmax(1)
            taken = (shares + 1e-8) / (shares + 1e-8).sum(-1, keepdim=True) @ values
            slots = self.update(taken.flatten(0, 1), slots.flatten(0, 1)).view_as(taken)
            slots = slots + self.think(self.after(slots))
        return slots, shares


class _Look(nn.Module):
    """(b, 3, h, w) -> (b, h w / 4, d): what is seen where."""

    def __init__(self, width: int):
        super().__init__()
        self.see = nn.Sequential(
            *(nn.Conv2d(3, width, 5, padding=2), nn.GELU()),
            *(nn.Conv2d(width, width, 5, padding=2, stride=2), nn.GELU()),
            *(nn.Conv2d(width, width, 5, padding=2), nn.GELU()),
            *(nn.Conv2d(width, width, 5, padding=2), nn.GELU()),
            _Where(width),
        )
        self.think = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))

    def forward(self, picture: Tensor) -> Tensor:
        seen: Tensor = self.think(self.see(picture * 2 - 1).flatten(2).mT)
        return seen


class _Paint(nn.Module):
    """(b, k, d) -> Painted: every slot fills a small sheet alike, which then grows to the picture's size."""

    def __init__(self, width: int, size: tuple[int, int], growth: int):
        super().__init__()
        self.sheet = (size[0] >> growth, size[1] >> growth)
        grow = [nn.ConvTranspose2d(width, width, 5, stride=2, padding=2, output_padding=1) for _ in range(growth)]
        self.draw = nn.Sequential(
            _Where(width),
            # What is where follows from slot and place together, and is worked out while the sheet is small.
            *(nn.Conv2d(width, 2 * width, 1), nn.GELU(), nn.Conv2d(2 * width, width, 1), nn.GELU()),
            *(layer for one in grow for layer in (one, nn.GELU())),
            nn.Conv2d(width, 4, 3, padding=1),
        )

    def forward(self, slots: Tensor) -> Painted:
        sheets = slots.flatten(0, 1)[:, :, None, None].expand(-1, -1, *self.sheet)
        drawn = self.draw(sheets).unflatten(0, slots.shape[:2])
        each, masks = drawn[:, :, :3] * 0.5 + 0.5, drawn[:, :, 3].float().softmax(1)
        return Painted((each * masks[:, :, None]).sum(1), each, masks)


class _Where(nn.Module):
    """Adds to every cell where it lies: its distance from each side of the picture, as its numbers take it."""

    def __init__(self, width: int):
        super().__init__()
        self.mix = nn.Linear(4, width)

    def forward(self, cells: Tensor) -> Tensor:
        down, across = (torch.linspace(0, 1, size, device=cells.device) for size in cells.shape[-2:])
        rows, columns = torch.meshgrid(down, across, indexing="ij")
        where: Tensor = self.mix(torch.stack([rows, 1 - rows, columns, 1 - columns], -1))
        return cells + where.movedim(-1, 0)


def _even(layer: nn.Module) -> None:
    """Begin with weights that neither fade nor swell: what slots differ in must reach their masks."""
    if isinstance(layer, nn.Linear | nn.Conv2d | nn.ConvTranspose2d):
        nn.init.xavier_uniform_(layer.weight)
        if layer.bias is not None:
            nn.init.zeros_(layer.bias)
