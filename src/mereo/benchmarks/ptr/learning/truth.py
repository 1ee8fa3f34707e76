"""What an eye without fault would see of a scene row: the ceiling of everything that answers by what it sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.world import ptr_world
from mereo.datasets.columns import record_of
from mereo.datasets.seen import masks_of
from mereo.masks import Pixels
from mereo.training.seeing import Seen, SeenThing
from mereo.world import World

__all__ = ["seen_of_truth"]


def seen_of_truth(row: Mapping[str, Any]) -> Seen:
    """The true masks, words and numbers of a scene row. Without a picture masks are as large, but not as shaped."""
    record = record_of(row)
    world = ptr_world(record)
    masks = masks_of(row, instances_of(row)) if row.get("instances") else _counted_masks(record, world)
    assert masks is not None
    numbers, words = PtrSeeing().numbers(row, world), PtrSeeing().words(row, world)

    def seen(k: int) -> SeenThing:
        known = {name: column[k] for name, column in numbers.items() if not np.isnan(column[k]).any()}
        said = {name: column[k] for name, column in words.items() if column[k] is not None}
        return SeenThing(masks[k], {**world.entities[k].attributes, **said}, known, world.whole[k])

    width, height = record["size"]
    kinds = {kind: [k for k, entity in enumerate(world.entities) if entity.kind == kind] for kind in ("object", "part")}
    return Seen((height, width), [seen(k) for k in kinds["object"]], [seen(k) for k in kinds["part"]])


def _counted_masks(record: Mapping[str, Any], world: World) -> list[Pixels]:
    """As many pixels as each entity was counted to have, from the upper left corner of its box on."""
    width, height = record["size"]
    things = record["objects"]
    told = [*things, *([{}] * (len(world) - len(things) - sum(len(thing["parts"]) for thing in things)))]
    told += [part for thing in things for part in thing["parts"]]
    masks = []
    for one in told:
        mask = np.zeros((height, width), bool)
        if one.get("pixels"):
            left, top, across, down = one["box"]
            inside = np.arange(across * down).reshape(down, across) < one["pixels"]
            mask[top : top + down, left : left + across] = inside
        masks.append(mask)
    return masks
