"""Our own perception: a network that tells for every pixel what it shows, from which objects and parts are grouped.

For each layer (objects, parts, parts within parts) a pixel has the name of what it shows, all other words and numbers
of that thing, and the way from here to its middle; maps of middles say how many things there are (Panoptic-DeepLab).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.dense_loss import Foretold, Lattice, losses_of, marks_of
from mereo.models.dense_mirror import with_second_look
from mereo.models.dense_truth import LAYERS, Layer, counts_of, truth_of
from mereo.models.grouping import Grouping, Instances, group
from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.models.pyramid import Pyramid
from mereo.models.told import Told

__all__ = ["Counted", "DensePerception", "Sighting", "with_room"]

_FAR = 16.0
"""Pixels that an output of 1 stands for, in ways to the middle."""
_RARE = -4.0
"""How unlikely a middle is before anything was learned, as a logit."""
_SOMETIMES = ("object_outer", "part_outer")
"""What is read where it is there."""
_PLACES = 256
"""A level's things have so many places while it learns by compiled code, or twice as many, and so on."""


class Counted(NamedTuple):
    """How parts are counted that are seen of an object."""

    name: str
    """What these numbers of an object are called, one for each name of parts."""
    least: float
    """The share of a picture from which on a part counts."""


class Sighting(NamedTuple):
    """What was found in one picture."""

    objects: Instances
    parts: Instances


class DensePerception(Learner):
    """Objects and their parts by pixels."""

    def __init__(
        self,
        told: Mapping[str, Told],
        *,
        width: int = 32,
        depth: int = 6,
        cell: int = 2,
        compiled: bool = False,
        counted: Counted | None = None,
        grouping: Grouping | None = None,
    ) -> None:
        """told : by level, `object` and perhaps `part`, what is told of its things

        width, depth, cell : of the `Pyramid`
        compiled : whether code is made for learning, which takes minutes before it begins
        counted : how parts are counted; None where nobody counts them
        """
        super().__init__()
        self.told, self.counted = dict(told), counted
        self.reads = ("picture", *(field for level in told for field in _fields(level, told[level])))
        if counted is not None:
            whole = self.told["object"]
            self.told["object"] = replace(whole, numbers={**whole.numbers, counted.name: self.told["part"].names})
        self.layers = tuple(layer for layer in LAYERS if layer.level in told)
        self.grouping = grouping or Grouping()
        self.pyramid = Pyramid(width, depth=depth, cell=cell)
        self.heads = nn.ModuleDict(
            {layer.name: _Head(self.pyramid.channels, self.told[layer.level], layer, cell) for layer in self.layers}
        )
        self.compiled = compiled
        self._teach = torch.compile(self._judged, dynamic=False) if compiled else self._judged

    def forward(self, picture: Tensor, lattice: Lattice | None = None) -> dict[str, Foretold]:
        """By layer, what is foretold of the pixels of pictures (b, 3, h, w).

        lattice : the pixels of which words and numbers are told; else of all
        """
        features, size = self.pyramid(picture), (picture.shape[2], picture.shape[3])
        return {name: head(features, size, lattice) for name, head in self.heads.items()}

    def lesson(self, batch: Batch) -> Lesson:
        """While it learns, words and numbers are told of one pixel of every cell, which changes by chance.

        All that a thing's pixels say is the same, and to be told everything of every pixel takes longer than to look.
        """
        own = {field: batch[field] for field in (*self.reads, *_SOMETIMES) if field in batch}
        if not self.training:
            return Lesson(*self._judged(own))
        number = torch.randint(self.pyramid.cell**2, ()).to(batch["picture"].device, non_blocking=True)
        return Lesson(*self._teach(with_room(own) if self.compiled else own, Lattice(number, self.pyramid.cell)))

    def _judged(self, batch: Batch, lattice: Lattice | None = None) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """Losses and marks."""
        foretold = self(batch["picture"], lattice)
        losses: dict[str, Tensor] = {}
        marks: dict[str, Tensor] = {}
        with torch.autocast(batch["picture"].device.type, enabled=False):
            batch = self._with_counts(batch)
            for layer in self.layers:
                told = self.told[layer.level]
                truth = truth_of(batch, layer, batch[f"{layer.level}_words_{told.name}"])
                own = losses_of(foretold[layer.name], truth, batch, layer, told, lattice=lattice)
                losses |= {f"{layer.name}_{name}": loss for name, loss in own.items()}
                marks |= marks_of(foretold[layer.name], truth, batch, layer, told)
        return losses, marks

    def _with_counts(self, batch: Batch) -> Batch:
        """A batch that tells how many parts are seen, where that is learned: guests may hide some."""
        if self.counted is None:
            return batch
        whole, part = self.told["object"], self.told["part"]
        objects, names = batch[f"object_words_{whole.name}"].shape[1], batch[f"part_words_{part.name}"]
        counts = counts_of(batch, objects, names, part.names, self.counted.least)
        return {**batch, f"object_numbers_{self.counted.name}": counts}

    @torch.inference_mode()
    def look(self, picture: Tensor) -> list[Sighting]:
        """What there is in pictures (b, 3, h, w). Looks as whoever has learned: call `eval` before."""
        foretold = self.foretell(picture)
        with torch.autocast(picture.device.type, enabled=False):
            found = group(foretold, self.told, self.grouping)
        return [Sighting(objects, parts) for objects, parts in found]

    def foretell(self, picture: Tensor) -> dict[str, Foretold]:
        """What is foretold of pictures, after a look at their mirrored ones too where a reflection is told."""
        first: dict[str, Foretold] = self(picture)
        if all(told.reflection is None for told in self.told.values()):
            return first
        second: dict[str, Foretold] = self(picture.flip(-1))
        told = {layer.name: self.told[layer.level] for layer in self.layers}
        return {name: with_second_look(first[name], second[name], told[name]) for name in first}

    def find(self, picture: Tensor, *, level: str = "object") -> list[tuple[Tensor, Tensor]]:
        """Masks (n, h, w) bool and scores (n,) of the things of one level, for each picture."""
        return [(one.masks, one.scores) for one in (getattr(each, f"{level}s") for each in self.look(picture))]


def with_room(batch: Batch) -> Batch:
    """The same things with empty places after them, so that code which was compiled for some scenes serves others."""
    found = dict(batch)
    for name, field in batch.items():
        if name != "picture" and not name.endswith(("_ids", "_outer")):
            none = torch.nan if field.is_floating_point() else False if field.dtype == torch.bool else -1
            sides = (0, 0) * (field.dim() - 2)
            found[name] = functional.pad(field, (*sides, 0, -field.shape[1] % _PLACES), value=none)
    return found


def _fields(level: str, told: Told) -> list[str]:
    """The fields of a batch that tell of a level. Parts around parts are in `part_outer`, where there are any."""
    kinds = {"words": told.words, "several": told.several, "numbers": told.numbers}
    own = [f"{level}_{kind}_{name}" for kind, names in kinds.items() for name in names]
    return [f"{level}_ids", *([f"{level}_whole"] if level == "part" else []), *own]


class _Head(nn.Module):
    """From features of cells to what is foretold of their pixels in one layer."""

    def __init__(self, channels: int, told: Told, layer: Layer, cell: int) -> None:
        super().__init__()
        self.cell = cell
        self.everywhere = {
            f"words_{told.name}": told.names + 1,
            "way": 2,
            "near": 1,
            "heat": told.names if layer.named else 1,
        }
        """Numbers of channels that all pixels have, by which they are grouped."""
        self.besides = {
            **{f"words_{name}": size for name, size in told.words.items() if name != told.name},
            **{f"several_{name}": size for name, size in told.several.items()},
            **{f"numbers_{name}": told.learned(name) for name in told.numbers},
        }
        self.mix = nn.Sequential(nn.Conv2d(channels, channels, 1, bias=False), nn.BatchNorm2d(channels), nn.ReLU())
        self.say = nn.Conv2d(channels, sum(self.everywhere.values()) * cell**2, 1)
        self.tell = nn.Conv2d(channels, sum(self.besides.values()) * cell**2, 1)
        with torch.no_grad():
            for made in (self.say, self.tell):
                cast(Tensor, made.bias).zero_()
            cast(Tensor, self.say.bias)[-self.everywhere["heat"] * cell**2 :] = _RARE

    def forward(self, features: Tensor, size: tuple[int, int], lattice: Lattice | None) -> Foretold:
        """size : height and width of the picture"""
        mixed = self.mix(features)
        each = _by_name(self._pixels(self.say(mixed), size), self.everywhere)
        way, near, heat = each.pop("way").float() * _FAR, each.pop("near")[:, 0].float(), each.pop("heat")
        told = self._pixels(self.tell(mixed), size) if lattice is None else self._of_one(mixed, lattice)
        return Foretold(way, near, heat, each | _by_name(told, self.besides))

    def _pixels(self, said: Tensor, size: tuple[int, int]) -> Tensor:
        """What is said of cells as said of their pixels."""
        return functional.pixel_shuffle(said, self.cell)[:, :, : size[0], : size[1]]

    def _of_one(self, mixed: Tensor, lattice: Lattice) -> Tensor:
        """What `tell` says of one pixel of every cell."""
        each, number = sum(self.besides.values()), lattice.number.view(1)
        weight = self.tell.weight.view(each, self.cell**2, -1, 1, 1).index_select(1, number)[:, 0]
        bias = cast(Tensor, self.tell.bias).view(each, self.cell**2).index_select(1, number)[:, 0]
        return functional.conv2d(mixed, weight, bias)


def _by_name(said: Tensor, sizes: Mapping[str, int]) -> dict[str, Tensor]:
    return dict(zip(sizes, said.split(list(sizes.values()), 1), strict=True))
