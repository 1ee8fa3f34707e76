"""Objects in three dimensions as numbers that a network can tell of a picture, and what follows from such numbers.

of an object: middle : (3,) of its own box, from the camera's foot as it is turned, meters · across : (6,) its own x
axis without a sign · up, front : (3,) where its own top and front point · extent : (3,) the sides of its own box ·
room : (4,) the distances of the left, right and back walls from the camera's foot, and how the camera is turned

of a part: reach : (6,) the box around all parts of its name in the object's own frame, about its middle

Axes are told in the room's frame. A table turned by half a circle looks the same, so its front cannot be told; its own
x axis without a sign still can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.learning.axes import direction_of, unsigned
from mereo.benchmarks.ptr.learning.rebuild.outline import Outline, outline_of
from mereo.benchmarks.ptr.learning.rebuild.room import Sighted, Walls
from mereo.benchmarks.ptr.learning.votes import named
from mereo.benchmarks.ptr.parts import ptr_part_names
from mereo.benchmarks.ptr.world import VOCABULARY
from mereo.files import converted
from mereo.scenes.scene import ShapeRef, rotation_matrix
from mereo.shapes.mesh import Floats
from mereo.training.seeing import Seen, SeenThing

__all__ = ["sighted", "solid_numbers"]

_LEAST = 0.02
"""Meters: nothing is thinner."""


def solid_numbers(record: Mapping[str, Any]) -> tuple[list[dict[str, Floats]], list[list[Floats]]]:
    """For each object of a record its numbers, and those of each of its parts that are in the world."""
    right, behind = (np.array(record["directions"][side]) for side in ("right", "behind"))
    foot = np.array([*record["camera"]["position"][:2], 0.0])
    walls = {name: np.array(record["surfaces"][f"{name} wall"]["point"]) for name in ("left", "right", "back")}
    yaw = np.arctan2(-behind[0], behind[1])
    room = np.array([foot[0] - walls["left"][0], walls["right"][0] - foot[0], walls["back"][1] - foot[1], yaw])
    things, parts = [], []
    for thing in record["objects"]:
        reference = converted(thing["shape"], file=None, type=ShapeRef)
        outline, middle = outline_of(reference)
        outline, turn = outline.scaled(thing["scale"]), rotation_matrix(tuple(thing["rotation"]))
        away = np.array(thing["origin"]) + turn @ (thing["scale"] * middle) - foot
        things.append(
            {
                "middle": np.array([away @ right, away @ behind, away[2]]),
                "across": unsigned(turn[:, 0]),
                "up": turn[:, 2],
                "front": -turn[:, 1],
                "extent": outline.extent,
                "room": room,
            }
        )
        parts.append([outline.reach[part["part"]] for part in thing["parts"]])
    return things, parts


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
        found.append(Sighted(str(thing.words["category"]), place, _turn(thing), _outline(thing, own)))
    return found, walls


def _turn(thing: SeenThing) -> Floats:
    """(3, 3) float: the rotation whose axes are nearest to those that were told."""
    up = np.asarray(thing.numbers["up"], float)
    up = up / np.linalg.norm(up)
    across = direction_of(thing.numbers["across"])
    across = across - (across @ up) * up
    across /= np.linalg.norm(across)
    if np.cross(up, across) @ thing.numbers["front"] > 0:
        across = -across
    return np.column_stack([across, np.cross(up, across), up])


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
