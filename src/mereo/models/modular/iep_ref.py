"""IEP-Ref: a program whose functions are small convolutional networks, and a mask at its end (Liu et al. 2019).

The picture becomes a map of features; every step of a program makes a map of others, all of one size, and `Segment`
makes a mask of the last one. Since all maps are alike, it makes masks of the others, too, which shows step by step what
a program does. Unlike in the paper the trunk is ours and learned with the rest, cells know where they are, maps are
normalized within each step, and masks are drawn at a quarter of the picture's size and not at all of it.

b programs of at most s steps, g scenes, d channels, rows x columns of cells.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch
from mereo.models.modular.bank import Bank, groups_of
from mereo.models.modular.layout import Layout, execute_together, lay_out
from mereo.models.modular.modules import Module
from mereo.models.referring.masks import Marking
from mereo.models.sight import CODES, cell_places, place_codes
from mereo.models.trunk import Trunk

__all__ = ["IepRef", "Unary"]

_NOTHING = -10.0
"""What is said of the pixels where there is no program."""


class IepRef(Marking):
    """Runs programs on pictures."""

    reads = ("picture", "scene_of", "steps", "meant")
    steady = False  # every batch has other numbers of steps for a module

    def __init__(self, trunk: Trunk, modules: Sequence[Module], *, width: int = 128, finer: int = 4):
        """finer : cells of a mask to a side of a cell of the trunk"""
        super().__init__()
        self.trunk = trunk
        self.preprocess = nn.Sequential(
            nn.Conv2d(trunk.channels + CODES, width, 3, padding=1), _norm(width), nn.ReLU(), Unary(width)
        )
        self.bank = Bank([own.inputs for own in modules], width)
        self.segment = Segment(width, finer=finer)

    def mark(self, batch: Batch) -> Tensor:
        """Masks of what programs come to."""
        values, layout = self._run(batch)
        return self._masks(values, layout.ends)

    def mark_steps(self, batch: Batch) -> Tensor:
        """(b, s, rows, columns): masks of every step of every program."""
        values, layout = self._run(batch)
        if not len(values):
            return values.new_full((*layout.steps.shape, 1, 1), _NOTHING, dtype=torch.float32)
        found: Tensor = self.segment(values).float()[layout.steps.clamp(min=0)]
        return torch.where((layout.steps >= 0)[..., None, None], found, _NOTHING)

    def _run(self, batch: Batch) -> tuple[Tensor, Layout]:
        """The maps of all steps that are run, and which of them is which."""
        features = self.trunk(batch["picture"])
        rows, columns = features.shape[-2:]
        codes = place_codes(cell_places(rows, columns, features.device)).T.view(1, CODES, rows, columns)
        seen = torch.cat([features, codes.to(features.dtype).expand(len(features), -1, -1, -1)], 1)
        layout = lay_out(batch["steps"], batch["scene_of"])
        start = self.preprocess(seen)
        values = execute_together(lambda steps, inputs: self.bank(steps.modules, *inputs), layout, start)
        return torch.cat(values) if values else start[:0], layout

    def _masks(self, values: Tensor, places: Tensor) -> Tensor:
        """(b, rows, columns), of nothing where there is no step."""
        if not len(values):
            return values.new_full((len(places), 1, 1), _NOTHING, dtype=torch.float32)
        masks = self.segment(values.index_select(0, places.clamp(min=0))).float()
        return torch.where((places >= 0)[:, None, None], masks, _NOTHING)


def _norm(width: int) -> nn.GroupNorm:
    return nn.GroupNorm(groups_of(width), width)


class Unary(nn.Module):
    """One map into another: two convolutions beside a short cut."""

    def __init__(self, width: int):
        super().__init__()
        self.beside = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1), _norm(width), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1)
        )
        self.norm = _norm(width)

    def forward(self, features: Tensor) -> Tensor:
        """(n, d, rows, columns)"""
        return functional.relu(features + self.norm(self.beside(features)))


class Segment(nn.Module):
    """A map into a mask, whose cells are finer."""

    def __init__(self, width: int, *, finer: int):
        super().__init__()
        self.finer = finer
        # Bilinear maps are the same before and after a convolution of single cells, and half as wide they are cheaper.
        self.before = nn.Sequential(Unary(width), nn.Conv2d(width, width // 2, 1))
        self.after = nn.Sequential(
            nn.ReLU(), nn.Conv2d(width // 2, width // 4, 1), nn.ReLU(), nn.Conv2d(width // 4, 1, 1)
        )

    def forward(self, features: Tensor) -> Tensor:
        """(n, rows, columns), of finer cells."""
        finer = functional.interpolate(self.before(features), scale_factor=float(self.finer), mode="bilinear")
        masks: Tensor = self.after(finer)[:, 0]
        return masks
