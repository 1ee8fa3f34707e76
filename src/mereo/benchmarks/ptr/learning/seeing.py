"""What is to be seen in PTR's pictures, and the world that follows from what was seen.

Places are told as the camera has them: from its foot on the ground, x to its right, y away from it, z up, meters. So
left, right, front and behind are the same directions in every picture. Axes are told in the room's frame, in which
ground and walls are the same in every picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.learning.axes import unsigned
from mereo.benchmarks.ptr.learning.levels import AXES, LEVELS, PARTS_OF
from mereo.benchmarks.ptr.learning.rebuild.numbers import OBJECT_NUMBERS, OBJECT_WORDS
from mereo.benchmarks.ptr.learning.rebuild.solid import solids_of
from mereo.benchmarks.ptr.learning.recorded import record_of_seen
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.world import SURFACES, world_of
from mereo.datasets.columns import record_of
from mereo.masks import Pixels
from mereo.training.seeing import Level, Seeing, Seen
from mereo.world import World

__all__ = ["PtrSeeing"]

_WITHIN = (NUMBERS["angles"]["surely"] + NUMBERS["angles"]["surely_not"]) / 2
"""Degrees. Nothing is asked about angles between the two, so halfway leaves the most room for errors of seeing."""


class PtrSeeing(Seeing):
    """Knows how PTR's rooms are looked at."""

    levels: Mapping[str, Level] = LEVELS
    parts_of: Mapping[str, tuple[str, ...]] = PARTS_OF

    def numbers(self, row: Mapping[str, Any], world: World) -> Mapping[str, NDArray[np.float32]]:
        """The true places, supports and axes, and what rooms are rebuilt by."""
        record = record_of(row)
        found = {
            name: np.full((len(world), wide), np.nan, np.float32)
            for level in self.levels.values()
            for name, wide in level.numbers.items()
        }
        places = _places(record)
        found["place"][: len(places)] = places
        found["support"][: len(places)] = [
            places[thing["on"][0]] - place if thing["on"] else np.zeros(3)
            for place, thing in zip(places, record["objects"], strict=True)
        ]
        parts = [k for k, entity in enumerate(world.entities) if entity.kind == "part"]
        told = [part for thing in record["objects"] for part in thing["parts"]]
        solids = solids_of(record)
        for name in OBJECT_NUMBERS:
            found[name][: len(solids)] = [solid.numbers[name] for solid in solids]
        if parts:
            found["reach"][parts] = [box for solid in solids for box in solid.reach]
        turns = [solid.turn for solid, thing in zip(solids, record["objects"], strict=True) for _ in thing["parts"]]
        for k, part, turn in zip(parts, told, turns, strict=True):
            kind = world.entities[k].attributes.get("geometry")
            if isinstance(kind, str):
                axis = np.array(part[kind][AXES[kind]])
                found["axis"][k], found["own_axis"][k] = unsigned(axis), unsigned(axis @ turn)
        return found

    def words(self, row: Mapping[str, Any], world: World) -> Mapping[str, Sequence[str | None]]:
        """How objects are turned."""
        solids = solids_of(record_of(row))
        rest = [None] * (len(world) - len(solids))
        return {name: [*(solid.words[name] for solid in solids), *rest] for name in OBJECT_WORDS}

    def world(self, seen: Seen) -> World:
        """Whatever is large enough counts; what the parts of a name share is voted on by all of them."""
        return world_of(record_of_seen(seen), within=_WITHIN)

    def shown(self, seen: Seen) -> list[Pixels]:
        """The pixels of objects and of the parts that count; those of ground and walls nobody looks for."""
        things = record_of_seen(seen)["objects"]
        parts = [seen.parts[part["seen"]].mask for thing in things for part in thing["parts"]]
        return [*(thing.mask for thing in seen.objects), *(np.zeros(seen.size, bool) for _ in SURFACES), *parts]

    def readings(self, seen: Seen) -> Iterator[World]:
        """The world that follows, and others for questions that cannot be so in it, the likelier first.

        Who asks about parts that are not there has perhaps seen smaller ones. Who asks where a thing must move says
        thereby that it is unstable, and that one way will do.
        """
        yield self.world(seen)
        record = record_of_seen(seen)
        things = record["objects"]
        yield world_of(record, within=_WITHIN, more=[thing["faint"] for thing in things], dim=True)
        moved = [{**thing, "stability": "unstable", "changes": [thing["likeliest"]]} for thing in things]
        yield world_of({**record, "objects": moved}, within=_WITHIN, dim=True)


def _places(record: Mapping[str, Any]) -> NDArray[np.float64]:
    """(objects, 3) float: the middles of objects from the camera's foot, as it is turned."""
    sides = np.array([record["directions"]["right"], record["directions"]["behind"], (0.0, 0.0, 1.0)])
    foot = np.array([*record["camera"]["position"][:2], 0.0])
    middles = np.array([thing["position"] for thing in record["objects"]]).reshape(-1, 3)
    places: NDArray[np.float64] = (middles - foot) @ sides.T
    return places
