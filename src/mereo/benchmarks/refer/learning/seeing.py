"""What is to be seen in pictures of CLEVR's solids, and the world that follows from what was seen.

Left, right, front and behind are told by the camera, so places are, too. Whoever speaks of the second from the left
knows that there is one, so orders are told also where two stand close by each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.refer.describe import VISIBLE
from mereo.datasets.columns import record_of
from mereo.training.seeing import Level, Mirror, Seeing, Seen, SeenThing, beside, standing
from mereo.world import Entity, Vocabulary, World, make_world

__all__ = ["ReferSeeing"]

_LOOKS = ("shape", "color", "material", "size")
_FAR = 11.0
"""About how far the middle of the stage is from the camera, in CLEVR's units of length."""
_WIDE = 6.0
"""What a picture's width counts as: columns are then told about as exactly as places."""
_APART = 1e3
"""By so much what was seen is drawn apart, so that no two things are too near each other to be in an order."""


class ReferSeeing(Seeing):
    """Knows how CLEVR's stage is looked at.

    place : where a solid stands, to the right and away from whoever looks, from the middle of the stage on
    order : the column in which it is seen, from the middle one on, and how far away that is
    """

    def __init__(self, vocabulary: Vocabulary):
        self._vocabulary = vocabulary
        self.levels: Mapping[str, Level] = {
            "object": Level(
                words={name: vocabulary.words(name) for name in (*_LOOKS, VISIBLE)},
                numbers={"place": 2, "order": 2},
                mirror=Mirror(numbers={"place": (-1, 2), "order": (-1, 2)}),
                looks=_LOOKS,
            )
        }

    def numbers(self, row: Mapping[str, Any], world: World) -> Mapping[str, NDArray[np.float32]]:
        """Where solids truly stand, and are seen; not known where a record does not tell it."""
        order = np.full((len(world), 2), np.nan, np.float32)
        for k, entity in enumerate(world.entities):
            pixel, picture = entity.numbers.get("pixel"), entity.numbers.get("picture")
            if isinstance(pixel, tuple) and isinstance(picture, tuple):
                order[k] = _WIDE * (pixel[0] / picture[0] - 0.5), pixel[2] - _FAR
        return {"place": standing(world, record_of(row).get("directions") or {}), "order": order}

    def world(self, seen: Seen) -> World:
        """Everything that was seen."""
        entities = [_entity(number, thing) for number, thing in enumerate(seen.objects)]
        return make_world(entities, self._vocabulary, related=beside(seen.objects))


def _entity(number: int, thing: SeenThing) -> Entity:
    words = {name: value for name, value in thing.words.items() if value is not None}
    column, depth = map(float, thing.numbers["order"])
    return Entity(
        id=str(number),
        attributes=words,
        numbers={"pixel": (_APART * column, 0.0, _APART * depth), "picture": (_WIDE, 1)},
    )
