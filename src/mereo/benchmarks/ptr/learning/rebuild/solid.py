"""Objects in three dimensions as words and numbers that a network can tell of a picture, and what follows from them.

of an object: turned, leaning, tilt : how it is turned in the room, see `posed` · middle : (3,) of its own box, from the
camera's foot as it is turned, meters · extent : (3,) the sides of its own box · room : (4,) the distances of the left,
right and back walls from the camera's foot, and how the camera is turned

of a part: reach : (6,) the box around all parts of its name in the object's own frame, about its middle · own_axis :
(6,) of a line or plane, in the object's own frame, where a leg is a leg however the table is turned
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mereo.benchmarks.ptr.learning.rebuild.outline import Outline, outline_of
from mereo.benchmarks.ptr.learning.rebuild.posed import posed, turn_of
from mereo.benchmarks.ptr.learning.rebuild.room import Sighted, Walls
from mereo.benchmarks.ptr.learning.votes import named
from mereo.benchmarks.ptr.parts import ptr_part_names
from mereo.benchmarks.ptr.world import VOCABULARY
from mereo.files import converted
from mereo.scenes.scene import ShapeRef, rotation_matrix
from mereo.shapes.mesh import Floats
from mereo.training.seeing import Seen, SeenThing

__all__ = ["Solid", "is_in_space", "sighted", "solids_of"]

_LEAST = 0.02
"""Meters: nothing is thinner."""


class Solid(NamedTuple):
    """One object of a record in three dimensions."""

    words: dict[str, str]
    numbers: dict[str, Floats]
    turn: Floats
    """(3, 3) float: the rotation from its own frame to the room's."""
    reach: list[Floats]
    """(6,) float each: of its parts that are in the world."""


def solids_of(record: Mapping[str, Any]) -> list[Solid]:
    """The objects of a record."""
    right, behind = (np.array(record["directions"][side]) for side in ("right", "behind"))
    foot = np.array([*record["camera"]["position"][:2], 0.0])
    walls = {name: np.array(record["surfaces"][f"{name} wall"]["point"]) for name in ("left", "right", "back")}
    yaw = np.arctan2(-behind[0], behind[1])
    room = np.array([foot[0] - walls["left"][0], walls["right"][0] - foot[0], walls["back"][1] - foot[1], yaw])
    found = []
    for thing in record["objects"]:
        reference = converted(thing["shape"], file=None, type=ShapeRef)
        outline, middle = outline_of(reference)
        outline, turn = outline.scaled(thing["scale"]), rotation_matrix(tuple(thing["rotation"]))
        away = np.array(thing["origin"]) + turn @ (thing["scale"] * middle) - foot
        turned, leaning, tilt = posed(turn)
        numbers = {
            "middle": np.array([away @ right, away @ behind, away[2]]),
            "tilt": np.array([tilt]),
            "extent": outline.extent,
            "room": room,
        }
        reach = [outline.reach[part["part"]] for part in thing["parts"]]
        found.append(Solid({"turned": turned, "leaning": leaning}, numbers, turn, reach))
    return found


def is_in_space(seen: Seen) -> bool:
    """Whether something was seen, and of all of it how it lies in three dimensions."""
    return bool(seen.objects) and all({"room", "middle", "extent"} <= thing.numbers.keys() for thing in seen.objects)


def sighted(seen: Seen) -> tuple[list[Sighted], Walls]:
    """What was seen, in three dimensions."""
    room = np.mean([thing.numbers["room"] for thing in seen.objects], 0)
    walls = Walls(*map(float, room))
    turned = np.array([[np.cos(walls.yaw), np.sin(walls.yaw)], [-np.sin(walls.yaw), np.cos(walls.yaw)]])
    found = []
    for number, thing in enumerate(seen.objects):
        own = [part for part in seen.parts if part.whole == number]
        middle = np.asarray(thing.numbers["middle"], float)
        place = np.array([*(middle[:2] @ turned), middle[2]])
        turn = turn_of(thing.words, thing.numbers.get("tilt"))
        found.append(Sighted(str(thing.words["category"]), place, turn, _outline(thing, own)))
    return found, walls


def _outline(thing: SeenThing, parts: Sequence[SeenThing]) -> Outline:
    """The boxes of an object and its parts; those of a name are averaged, since each of them tells the same."""
    told: dict[str, list[Floats]] = {}
    for part in parts:
        name = named(part, "part", VOCABULARY.words("part"), among=ptr_part_names(str(thing.words["category"])))
        if name is not None and "reach" in part.numbers:
            told.setdefault(name, []).append(np.asarray(part.numbers["reach"], float))
    reach = {name: np.mean(boxes, 0) for name, boxes in told.items()}
    pieces = {name: len(boxes) for name, boxes in told.items()}
    return Outline(np.maximum(np.asarray(thing.numbers["extent"], float), _LEAST), reach, pieces)
