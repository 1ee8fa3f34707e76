"""What the scenes of a split hold, as tables: for every level so many places, of which some are filled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mereo.training.scene_things import SceneThings
from mereo.training.seeing import Level

__all__ = ["Things", "around", "boxes_of", "things_together"]


class Things(NamedTuple):
    """The things of one level in s scenes, at most k in one: those of which at least one pixel is seen."""

    ids: Tensor
    """(s, h, w) uint8: which of them a pixel shows, counted from 1, 0 for none; the smallest, where one lies within
    another. A thing of which only those within it are seen has no pixel here, and is present all the same."""
    present: Tensor
    """(s, k) bool"""
    entity: Tensor
    """(s, k) int64: its place in the scene's world, -1 where there is none."""
    whole: Tensor
    """(s, k) int64: for a part the place of its object among the objects of its scene, -1 where there is none."""
    within: Tensor
    """(s, k) int64: the place of the thing of the same level that it lies within, as a bar in a backrest, -1 where
    there is none. The pixels of a thing are its own and those of all within it."""
    boxes: Tensor
    """(s, k, 4) float: around all its pixels; column and row of the upper left corner, width and height, pixels."""
    words: dict[str, Tensor]
    """By attribute (s, k) int64: the number of the value, -1 where it has none."""
    several: dict[str, Tensor]
    """By attribute (s, k, v) bool: which of the values."""
    numbers: dict[str, Tensor]
    """By name (s, k, d) float, NaN where they are not known."""


def things_together(
    scenes: Sequence[SceneThings], level: Level, *, size: tuple[int, int], device: torch.device
) -> Things:
    """The things of all scenes of a split as one table."""
    most = max((len(scene.entity) for scene in scenes), default=0)
    filled = np.array([[k < len(scene.entity) for k in range(most)] for scene in scenes], bool)
    filled = filled.reshape(len(scenes), most)
    ids = torch.empty(len(scenes), *size, dtype=torch.uint8, device=device)
    for place, scene in enumerate(scenes):
        ids[place] = torch.from_numpy(scene.ids)

    def table(rows: list[NDArray[Any]], shape: tuple[int, ...], fill: Any, kind: Any) -> Tensor:
        found = np.full((*filled.shape, *shape), fill, kind)
        if rows:
            found[filled] = np.concatenate(rows)
        return torch.from_numpy(found).to(device)

    return Things(
        ids=ids,
        present=torch.from_numpy(filled).to(device),
        entity=table([scene.entity for scene in scenes], (), -1, np.int64),
        whole=table([scene.whole for scene in scenes], (), -1, np.int64),
        within=table([scene.within for scene in scenes], (), -1, np.int64),
        boxes=table([scene.boxes for scene in scenes], (4,), 0, np.float32),
        words={name: table([scene.words[name] for scene in scenes], (), -1, np.int64) for name in level.words},
        several={
            name: table([scene.several[name] for scene in scenes], (len(values),), False, np.bool_)
            for name, values in level.several.items()
        },
        numbers={
            name: table([scene.numbers[name] for scene in scenes], (count,), np.nan, np.float32)
            for name, count in level.numbers.items()
        },
    )


def around(ids: Tensor, within: Tensor) -> Tensor:
    """(b, h, w) int64: the number of what the thing at a pixel lies within, 0 for none.

    ids : (b, h, w) int64 · within : (b, k) int64
    """
    table = functional.pad(within + 1, (1, 0))
    return table.gather(1, ids.flatten(1)).view_as(ids)


def boxes_of(layers: Sequence[Tensor], most: int) -> tuple[Tensor, Tensor]:
    """The boxes of numbers 1 to k in pictures, (b, k, 4) float, 0 where one is not seen; and (b, k) bool, which are.

    layers : each (b, h, w) int64; a thing is where any of them says so
    """
    (count, height, width), device = layers[0].shape, layers[0].device
    edges = []
    for extent, shape in ((width, (1, width)), (height, (height, 1))):
        along = torch.arange(extent, device=device).view(shape)
        marks = torch.zeros(count, (most + 1) * extent, dtype=torch.bool, device=device)
        for ids in layers:
            marks.scatter_(1, (ids * extent + along).flatten(1), True)
        own = marks.view(count, most + 1, extent)[:, 1:].byte()
        first = own.argmax(2)
        edges.append((first, extent - own.flip(2).argmax(2) - first, own.amax(2) > 0))
    (left, across, seen), (top, down, _) = edges
    return torch.stack([left, top, across, down], 2).float() * seen[..., None], seen
