"""What the pictures of a dataset truly show: every object with its box, mask, place and properties."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from mereo.benchmarks.shop.language import VISUAL
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import split_rows
from mereo.datasets.store import Manifest
from mereo.errors import BadInput
from mereo.masks import Box, Encoded, box_of, encode
from mereo.world import Entity

__all__ = ["Shown", "ShownThing", "shown_scenes"]


class ShownThing(NamedTuple):
    """An object that a picture shows."""

    entity: Entity
    box: Box
    mask: Encoded

    @property
    def place(self) -> tuple[float, float] | None:
        """Where on the table it stands, where that is known."""
        position = self.entity.numbers.get("position")
        return (position[0], position[1]) if isinstance(position, tuple) else None


class Shown(NamedTuple):
    """What the picture of one scene shows."""

    scene: str
    split: str
    size: tuple[int, int]
    """Height and width of the picture."""
    things: tuple[ShownThing, ...]


def shown_scenes(folder: Path, manifest: Manifest, eye: Inspector, splits: Collection[str]) -> Iterator[Shown]:
    """All scenes of some splits, without what cannot be seen at all; a dataset without masks is refused."""
    for row in split_rows(folder, manifest, splits, heavy=("instances",)):
        world = eye.world(row)
        if not world.vocabulary.attributes.keys() >= set(VISUAL):
            raise BadInput("shows no household objects", file=folder)
        masks = eye.masks(row, world)
        if not masks:
            raise BadInput("has no masks to judge by", file=folder, record=f"scene '{row['scene_id']}'")
        things = []
        for k, mask in sorted(masks.items()):
            box = box_of(mask)
            if box is not None:
                things.append(ShownThing(world.entities[k], box, encode(mask)))
        height, width = next(iter(masks.values())).shape
        yield Shown(row["scene_id"], row["split"], (height, width), tuple(things))
