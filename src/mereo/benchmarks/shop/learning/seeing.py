"""What is to be seen in pictures of household objects, and the world that follows from what was seen and read.

Left, right, front and behind are told by the camera, so places are, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.learning.levels import LEVELS, SEEN
from mereo.datasets.columns import record_of
from mereo.training.seeing import Level, Seeing, Seen, SeenThing, beside, standing
from mereo.world import Entity, World, make_world

__all__ = ["ShopSeeing", "world_of_things"]


class ShopSeeing(Seeing):
    """Knows how tables with household objects are looked at."""

    levels: Mapping[str, Level] = LEVELS

    def numbers(self, row: Mapping[str, Any], world: World) -> Mapping[str, NDArray[np.float32]]:
        """Where objects truly stand; not known where a record does not tell how it was looked at."""
        sides = record_of(row).get("directions") or {}
        coords = np.full((len(world), SEEN.numbers["coords"]), np.nan, np.float32)
        for k, entity in enumerate(world.entities):
            position = entity.numbers.get("position")
            if isinstance(position, tuple):
                coords[k] = position[:2]
        return {"place": standing(world, sides), "coords": coords}

    def world(self, seen: Seen) -> World:
        """Everything that was seen, with what was read about it."""
        return world_of_things(seen.objects)


def world_of_things(things: Sequence[SeenThing]) -> World:
    """A world of these things alone. What nobody read about a thing it does not have."""
    entities = [_entity(number, thing) for number, thing in enumerate(things)]
    return make_world(entities, VOCABULARY, related=beside(things))


def _entity(number: int, thing: SeenThing) -> Entity:
    words = {name: thing.words.get(name) for name in (*VISUAL, *TEXTUAL)}
    return Entity(id=str(number), attributes={name: value for name, value in words.items() if value is not None})
