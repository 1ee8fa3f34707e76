"""PTR's worlds: objects made of parts, the surfaces of the room, and how all of these lie to each other.

Objects come first, then the ground and the walls, then the visible parts, instance by instance. What cannot be seen
beyond doubt is not in the world, so nothing can be asked about it; `readings` tells what else a scene may be taken for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.numbers import CLEAR_COLOR, NUMBERS
from mereo.benchmarks.ptr.told import check_record
from mereo.files import read_toml
from mereo.world import Attribute, Entity, Vocabulary, World, along, bits_of, make_world

__all__ = ["FOUR_SIDES", "GEOMETRIC", "SPATIAL", "SURFACES", "VOCABULARY", "WORDS", "ptr_world", "world_of"]

WORDS = read_toml(Path(__file__).with_name("vocabulary.toml"))
SPATIAL: tuple[str, ...] = tuple(WORDS["spatial"])
GEOMETRIC: tuple[str, ...] = tuple(WORDS["geometric"])
SURFACES: tuple[str, ...] = tuple(WORDS["surfaces"])
FOUR_SIDES = SPATIAL[:4]
"""The relations along the ground, as the camera sees them."""

VOCABULARY = Vocabulary.of(
    [
        *(Attribute(name, tuple(values)) for name, values in WORDS["attributes"].items()),
        *(Attribute(name, tuple(values), multiple=True) for name, values in WORDS["several"].items()),
    ],
    relations=(*SPATIAL, *GEOMETRIC),
)

DEAD_ZONE = 0.2
"""How far one object must be beyond another to stand in a relation to it, meters: PTR's and CLEVR's."""

_AXES = {"line": "direction", "plane": "normal"}
"""What the record of a line and of a plane calls its axis."""


def ptr_world(record: Mapping[str, Any]) -> World:
    """The world that a scene's record tells of: what is beyond doubt."""
    check_record(record)
    return world_of(record)


def world_of(
    record: Mapping[str, Any],
    *,
    more: Sequence[Sequence[Mapping[str, Any]]] = (),
    dim: bool = False,
    mixed: bool = False,
    within: float = NUMBERS["angles"]["surely"],
) -> World:
    """A world of a record that has been checked. Whatever it has more comes last, so that all else keeps its place.

    more : parts of each object besides those that are seen beyond doubt
    dim : whether colors count of which little is seen, or which look like others
    mixed : whether lines and planes count that not all parts of their name are
    within : degrees off parallel and perpendicular up to which lines and planes are so
    """
    objects = record["objects"]
    names = [f"{thing['category']}-{number}" for number, thing in enumerate(objects)]
    entities = [*map(_object, names, objects)]
    axes: dict[int, Any] = {}
    for name in SURFACES:
        axes[len(entities)] = record["surfaces"][name]["normal"]
        entities.append(Entity(name, "surface", {"geometry": "plane"}))
    least = 0.0 if dim else CLEAR_COLOR * record["size"][0] * record["size"][1]
    unclear = [_unclear(thing, least, mixed=mixed) for thing in objects]
    count: Counter[tuple[str, str]] = Counter()
    for parts in ([thing["parts"] for thing in objects], more):
        for thing, whole, own, (no_color, no_axis) in zip(objects, names, parts, unclear, strict=False):
            for part in own:
                name = part["part"]
                count[whole, name] += 1
                attributes = {"part": name}
                color = part["color"] or (thing.get("colors", {}).get(name) if dim else None)
                if color is not None and name not in no_color:
                    attributes["color"] = color
                for kind, axis in _AXES.items():
                    if kind in part and name not in no_axis:
                        attributes["geometry"] = kind
                        axes[len(entities)] = part[kind][axis]
                entity_id = f"{whole}/{name.replace(' ', '-')}-{count[whole, name]}"
                numbers = {"box": part["box"]} if "box" in part else {}
                entities.append(Entity(entity_id, "part", attributes, whole, numbers))
    related = {**_spatial(record, len(entities)), **_geometric(entities, axes, within)}
    return make_world(entities, VOCABULARY, related=related)


def _unclear(thing: Mapping[str, Any], least: float, *, mixed: bool) -> tuple[set[str], set[str]]:
    """The names of an object's parts whose color is in doubt, and those of which only some are lines or planes."""
    largest: dict[str, int] = {}
    kinds: dict[str, set[str]] = {}
    for part in (*thing["parts"], *thing["faint"], *thing["hidden"]):
        name = part["part"]
        largest[name] = max(part["pixels"], largest.get(name, 0))
        kinds.setdefault(name, set()).add(next((kind for kind in _AXES if kind in part), ""))
    no_color = {name for name, pixels in largest.items() if pixels < least}
    return no_color, set() if mixed else {name for name, found in kinds.items() if len(found) > 1}


def _object(name: str, thing: Mapping[str, Any]) -> Entity:
    attributes: dict[str, Any] = {"category": thing["category"]}
    if thing.get("stability"):
        attributes |= {"stability": thing["stability"], "change": tuple(thing.get("changes", ()))}
    numbers = {"position": thing["position"], "pixel": thing["pixel"], "box": thing["box"]}
    return Entity(name, "object", attributes, numbers=numbers)


def _spatial(record: Mapping[str, Any], size: int) -> dict[str, tuple[int, ...]]:
    """The relations between objects; above is what stands on something, at whatever height."""
    objects = record["objects"]
    rest = (0,) * (size - len(objects))
    positions = [thing["position"] for thing in objects]
    tables = {name: along(positions, record["directions"][name], margin=DEAD_ZONE) + rest for name in FOUR_SIDES}
    above, below = [0] * size, [0] * size
    for number in range(len(objects)):
        for under in _supports(objects, number):
            above[under] |= 1 << number
            below[number] |= 1 << under
    return {**tables, "above": tuple(above), "below": tuple(below)}


def _supports(objects: Sequence[Mapping[str, Any]], number: int) -> set[int]:
    """Everything that an object stands on, one upon the other."""
    found: set[int] = set()
    waiting = list(objects[number].get("on", ()))
    while waiting:
        under = waiting.pop()
        if under not in found and under != number:
            found.add(under)
            waiting += objects[under].get("on", ())
    return found


def _geometric(entities: Sequence[Entity], axes: Mapping[int, Any], within: float) -> dict[str, tuple[int, ...]]:
    """The relations between lines and planes as `shapes.geometry.relation` tells them, all at once.

    axes : by entity, the direction of a line or the normal of a plane
    """
    tables = {name: [0] * len(entities) for name in GEOMETRIC}
    numbers = np.array([*axes])
    planes = np.array([entities[number].attributes["geometry"] == "plane" for number in numbers])
    lengths = np.array([*axes.values()], float)
    lengths /= np.linalg.norm(lengths, axis=1, keepdims=True)
    angles = np.degrees(np.arccos(np.clip(np.abs(lengths @ lengths.T), 0.0, 1.0)))
    angles = np.where(planes[:, None] != planes, 90.0 - angles, angles)
    found = {"parallel": angles <= within, "perpendicular": angles >= 90.0 - within}
    kinds = {"line": ~planes, "plane": planes}
    for name, table in tables.items():
        pair, how = name.split(" ")
        own, other = pair.split("-")
        both = found[how] & kinds[other][:, None] & kinds[own]
        np.fill_diagonal(both, False)
        if both.any():
            for row in np.flatnonzero(both.any(1)):
                table[numbers[row]] = bits_of(map(int, numbers[both[row]]))
    return {name: tuple(table) for name, table in tables.items()}
