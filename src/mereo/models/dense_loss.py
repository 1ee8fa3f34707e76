"""How wrong dense perception is about the pixels of one layer."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.dense_truth import Layer, Truth, at_pixels, heat_of
from mereo.models.kinds import Batch
from mereo.models.told import Told, outer

__all__ = ["Foretold", "Lattice", "losses_of", "marks_of"]

_NAME, _WAY, _NEAR, _MIDDLE, _WORDS, _NUMBERS = 2.0, 0.1, 0.3, 0.5, 1.0, 1.0
"""What names, ways to the middle, room around it, middles, other words and numbers count against each other.

They share their features, and whoever pulls hardest gets them. Chosen by hand on a toy, several at a time: with ways
and middles stronger and words weaker, colors stayed at chance in 100 steps there.
"""
_CLOSE = 0.1
"""From where on errors of numbers, which are in meters or parts of a direction, no longer count by their squares."""


class Lattice(NamedTuple):
    """Of every cell of pictures one pixel, the same in all of them."""

    number: Tensor
    """() int64: which one, row by row. No number of Python's, for which code would be compiled anew."""
    cell: int
    """Rows and columns of pixels that a cell has."""

    def of(self, values: Tensor) -> Tensor:
        """(b, rows, columns): what there is of these pixels, 0 beyond the edge. values : (b, h, w)"""
        below, beside = (-extent % self.cell for extent in values.shape[1:])
        cells = functional.pad(values, (0, beside, 0, below)).unfold(1, self.cell, self.cell)
        each = cells.unfold(2, self.cell, self.cell).flatten(3)
        return each.index_select(3, self.number.view(1))[..., 0]


class Foretold(NamedTuple):
    """What a network tells of the pixels of one layer."""

    way: Tensor
    """(b, 2, h, w) float, pixels: rows and columns from here to the middle of the thing."""
    near: Tensor
    """(b, h, w) float: the logarithm of `Truth.near` of the thing, so that no middle is taken for two."""
    heat: Tensor
    """(b, names or 1, h, w), logits: whether the middle of a thing is here."""
    told: dict[str, Tensor]
    """`words_NAME`, `several_NAME` (b, values, h, w), logits, and `numbers_NAME` (b, d, h, w).

    The first of the words is the name, and the first of its values that there is nothing. Of the others there are,
    while a network learns, only those at the pixels of a `Lattice`.
    """


def losses_of(
    foretold: Foretold, truth: Truth, batch: Batch, layer: Layer, told: Told, *, lattice: Lattice | None = None
) -> dict[str, Tensor]:
    """Losses by name. A thing's pixels count by `Truth.weights`, so that large things do not drown small ones.

    lattice : the pixels that words but the name, and numbers, are told of; all where there is none
    """
    names = batch[f"{layer.level}_words_{told.name}"]
    losses = {
        "name": _NAME * _name_loss(foretold.told[f"words_{told.name}"], truth, names),
        "way": _WAY * _mean(_way_errors(foretold, truth), truth.weights),
        "near": _NEAR * _mean(_near_errors(foretold, truth), truth.weights),
        "middle": _MIDDLE
        * _middle_loss(foretold.heat.float(), truth, names if layer.named else torch.zeros_like(names)),
    }
    there = _There(truth.ids, truth.weights)
    if lattice is not None:
        there = _There(*map(lattice.of, there))
    words = [_word_loss(foretold, there, batch, layer, told, name) for name in told.words if name != told.name]
    words += [_several_loss(foretold, there, batch, layer, name) for name in told.several]
    if words:
        losses["words"] = _WORDS * torch.stack(words).sum()
    numbers = [_number_loss(foretold, there, batch, layer, told, name) for name in told.numbers]
    if numbers:
        losses["numbers"] = _NUMBERS * torch.stack(numbers).sum()
    return losses


def marks_of(foretold: Foretold, truth: Truth, batch: Batch, layer: Layer, told: Told) -> dict[str, Tensor]:
    """Shares of the pixels that show something whose name is right, and whose way leads to no other thing's middle."""
    said = foretold.told[f"words_{told.name}"].argmax(1)
    names = at_pixels(batch[f"{layer.level}_words_{told.name}"] + 1, truth.ids)
    shown = (truth.ids > 0).float()
    return {
        f"{layer.name}_name": _mean((said == names).float(), shown),
        f"{layer.name}_way": _mean((_way_errors(foretold, truth) < 1).float(), shown),
    }


def _mean(values: Tensor, weights: Tensor) -> Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def _name_loss(said: Tensor, truth: Truth, names: Tensor) -> Tensor:
    """Whether there is something, and what. Things without a name teach nothing."""
    true = torch.where(truth.ids > 0, at_pixels(names + 1, truth.ids), 0)
    nameless = (truth.ids > 0) & (true == 0)
    return _mean(functional.cross_entropy(said.float(), true, reduction="none"), truth.around * ~nameless)


def _way_errors(foretold: Foretold, truth: Truth) -> Tensor:
    """(b, h, w): how far ways end from the middle, measured by how far would do harm; smooth at 0."""
    height, width = truth.ids.shape[1:]
    rows = torch.arange(height, device=truth.ids.device)[:, None]
    columns = torch.arange(width, device=truth.ids.device)
    centers = at_pixels(truth.centers, truth.ids)
    true = torch.stack([centers[..., 0] - rows, centers[..., 1] - columns], 1)
    apart = (foretold.way - true) / at_pixels(truth.near, truth.ids)[:, None]
    return functional.smooth_l1_loss(apart, torch.zeros_like(apart), reduction="none").sum(1)


def _near_errors(foretold: Foretold, truth: Truth) -> Tensor:
    return functional.smooth_l1_loss(foretold.near, at_pixels(truth.near.log(), truth.ids), reduction="none")


def _middle_loss(said: Tensor, truth: Truth, channel: Tensor) -> Tensor:
    """CenterNet's focal loss: tops of hills must be found, and slopes are wrong the less the nearer they are to one."""
    heat = heat_of(truth, channel, said.shape[1])
    top = heat == 1
    chance = said.sigmoid()
    found = -((1 - chance) ** 2) * functional.logsigmoid(said)
    invented = -((1 - heat) ** 4) * chance**2 * functional.logsigmoid(-said)
    return torch.where(top, found, invented).sum() / top.sum().clamp(min=1)


class _There(NamedTuple):
    """Of some pixels what they show, and how much that counts."""

    ids: Tensor
    weights: Tensor


def _word_loss(foretold: Foretold, there: _There, batch: Batch, layer: Layer, told: Told, name: str) -> Tensor:
    words = batch[f"{layer.level}_words_{name}"]
    if name in told.absent:
        words = torch.where(words < 0, told.absent[name], words)
    true = at_pixels(words, there.ids)
    said = foretold.told[f"words_{name}"].float()
    loss = functional.cross_entropy(said, true.clamp(min=0), reduction="none")
    return _mean(loss, there.weights * (true >= 0))


def _several_loss(foretold: Foretold, there: _There, batch: Batch, layer: Layer, name: str) -> Tensor:
    true = at_pixels(batch[f"{layer.level}_several_{name}"].float(), there.ids).movedim(-1, 1)
    said = foretold.told[f"several_{name}"].float()
    return _mean(functional.binary_cross_entropy_with_logits(said, true, reduction="none").mean(1), there.weights)


def _number_loss(foretold: Foretold, there: _There, batch: Batch, layer: Layer, told: Told, name: str) -> Tensor:
    given = batch[f"{layer.level}_numbers_{name}"].float()
    known = given.isfinite().all(-1)
    clean = torch.where(known[..., None], given, 1.0)
    true = at_pixels(outer(clean) if name in told.signless else clean, there.ids).movedim(-1, 1)
    said = foretold.told[f"numbers_{name}"].float()
    errors = functional.smooth_l1_loss(said, true, reduction="none", beta=_CLOSE).mean(1)
    return _mean(errors, there.weights * at_pixels(known, there.ids))
