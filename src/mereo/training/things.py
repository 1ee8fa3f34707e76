"""What the scenes of a split hold, as tables: for every level so many places, of which some are filled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.training.scene_things import SceneThings
from mereo.training.seeing import Level

__all__ = ["Things", "boxes_of", "things_together"]


class Things(NamedTuple):
    """The things of one level in s scenes, at most k in one: those of which at least one pixel is seen."""

    ids: Tensor
    """(s, h, w) uint8: which of them a pixel shows, counted from 1, 0 for none."""
    present: Tensor
    """(s, k) bool"""
    entity: Tensor
    """(s, k) int64: its place in the scene's world, -1 where there is none."""
    whole: Tensor
    """(s, k) int64: for a part the place of its object among the objects of its scene, -1 where there is none."""
    boxes: Tensor
    """(s, k, 4) float: column and row of the upper left corner, width and height, pixels."""
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


def boxes_of(ids: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """The boxes of numbers 1 to k in pictures, (b, k, 4) float, 0 where one is not seen; and (b, k) bool, which are.

    ids : (b, h, w) int64
    """
    height, width = ids.shape[1:]
    edges = []
    for extent, along in (
        (width, torch.arange(width, device=ids.device)),
        (height, torch.arange(height, device=ids.device)[:, None]),
    ):
        seen = torch.zeros(len(ids), (most + 1) * extent, dtype=torch.bool, device=ids.device)
        seen.scatter_(1, (ids * extent + along).flatten(1), True)
        own = seen.view(len(ids), most + 1, extent)[:, 1:].byte()
        first = own.argmax(2)
        edges.append((first, extent - own.flip(2).argmax(2) - first, own.amax(2) > 0))
    (left, across, seen), (top, down, _) = edges
    boxes = torch.stack([left, top, across, down], 2) * seen[..., None]
    return boxes.float(), seen
