"""The things that one scene's picture shows, level by level, as small arrays: what `Things` are put together from.

Without torch, since the processes that read scenes need none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.inspector import Inspector, listed_words
from mereo.datasets.pictures import decode_png
from mereo.errors import BadInput
from mereo.training.seeing import LEVELS, Level, Seeing
from mereo.world import Attribute, World

__all__ = ["MOST", "SceneThings", "levels_of", "nearest", "things_of_row"]

MOST = 255
"""Things of one level in a scene: a pixel has a byte to say which of them it shows."""


class SceneThings(NamedTuple):
    """The n things of one level that a picture shows, in the order of the world's entities."""

    ids: NDArray[np.uint8]
    """(h, w): which of them a pixel shows, counted from 1, 0 for none."""
    entity: NDArray[np.int64]
    """(n,): its place in the world."""
    whole: NDArray[np.int64]
    """(n,): for a part the place of its object among the objects that are shown, -1 where there is none."""
    boxes: NDArray[np.float32]
    """(n, 4): column and row of the upper left corner, width and height, pixels."""
    words: dict[str, NDArray[np.int64]]
    """By attribute (n,)"""
    several: dict[str, NDArray[np.bool_]]
    """By attribute (n, v)"""
    numbers: dict[str, NDArray[np.float32]]
    """By name (n, d)"""


def things_of_row(
    row: Mapping[str, Any],
    inspector: Inspector,
    levels: Mapping[str, Level],
    size: tuple[int, int],
    seeing: Seeing | None = None,
) -> dict[str, SceneThings]:
    """By level the things of a scene row, whose `instances` are shrunk to a height and width."""
    world = inspector.world(row)
    stored = nearest(decode_png(row["instances"]["bytes"]), size)
    shown = inspector.instances(row, world)
    numbers = seeing.numbers(row, world) if seeing is not None else {}
    found: dict[str, SceneThings] = {}
    for name in LEVELS:
        if name not in levels:
            continue
        ids, entity = _shown(stored, shown, [k for k, one in enumerate(world.entities) if one.kind == name])
        if len(entity) > MOST:
            reason = f"shows {len(entity)} things of the level '{name}', more than the {MOST} that can be told apart"
            raise BadInput(reason, record=f"scene '{row.get('scene_id')}'")
        above = found["object"].entity if "object" in found else entity[:0]
        found[name] = SceneThings(
            ids=ids,
            entity=entity,
            whole=_wholes(world, entity, above),
            boxes=_boxes(ids, len(entity)),
            words={word: _words(world, entity, word, values) for word, values in levels[name].words.items()},
            several={word: _several(world, entity, word, values) for word, values in levels[name].several.items()},
            numbers={number: np.asarray(numbers[number], np.float32)[entity] for number in levels[name].numbers},
        )
    return found


def levels_of(worlds: Iterable[World]) -> dict[str, Level]:
    """What is told of the things in some worlds, by level: every attribute that one of them has.

    Where any word may be a value, those that occur are its values, in the order of the alphabet.
    """
    occur: dict[str, dict[str, set[str]]] = {}
    attributes: dict[str, Attribute] = {}
    for world in worlds:
        attributes |= world.vocabulary.attributes
        for entity in world.entities:
            if entity.kind in LEVELS:
                own = occur.setdefault(entity.kind, {})
                for name, value in entity.attributes.items():
                    own.setdefault(name, set()).update(listed_words(value))
    found = {}
    for level in (level for level in LEVELS if level in occur):
        values = {
            name: known.values or tuple(sorted(occur[level][name]))
            for name, known in attributes.items()
            if name in occur[level]
        }
        words = {name: own for name, own in values.items() if not attributes[name].multiple}
        several = {name: own for name, own in values.items() if attributes[name].multiple}
        found[level] = Level(words, several)
    return found


def nearest(pixels: NDArray[Any], size: tuple[int, int]) -> NDArray[Any]:
    """A picture at another height and width, each pixel that of the place where its center was."""
    if pixels.shape[:2] == size:
        return pixels
    rows, columns = (
        ((np.arange(now) + 0.5) * before / now).astype(np.intp)
        for before, now in zip(pixels.shape[:2], size, strict=True)
    )
    found: NDArray[Any] = pixels[rows[:, None], columns]
    return found


def _shown(
    stored: NDArray[Any], instances: Sequence[Sequence[int]], members: Sequence[int]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Which of some entities each pixel shows, counted from 1, and those of them that are seen at all.

    Where a pixel belongs to several, as to a part of a part, the one of the fewest instances has it.
    """
    most = max(int(stored.max(initial=0)), *(max(numbers, default=0) for numbers in instances), 0)
    owner = np.full(most + 1, -1, np.int64)
    for member in sorted(members, key=lambda k: -len(instances[k])):
        owner[list(instances[member])] = member
    owner[0] = -1
    there = np.unique(stored)
    entity = np.unique(owner[there])
    entity = entity[entity >= 0]
    number = np.zeros(most + 1, np.int64)
    number[there] = np.searchsorted(entity, owner[there]) + 1
    number[owner < 0] = 0
    return number.astype(np.uint8)[stored], entity


def _wholes(world: World, entity: NDArray[np.int64], objects: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place among the objects of what each entity is a part of, directly or as a part of a part."""
    places = {int(one): place for place, one in enumerate(objects)}
    found = []
    for one in entity:
        above = world.whole[one]
        while above is not None and above not in places:
            above = world.whole[above]
        found.append(-1 if above is None else places[above])
    return np.array(found, np.int64)


def _boxes(ids: NDArray[np.uint8], count: int) -> NDArray[np.float32]:
    """The box of every number from 1 on, each of which is in the picture."""
    edges = []
    for axis, extent in ((1, ids.shape[1]), (0, ids.shape[0])):
        seen = np.zeros((MOST + 1, extent), bool)
        along = np.arange(extent)
        seen[ids, along if axis else along[:, None]] = True
        own = seen[1 : count + 1]
        first = own.argmax(1)
        edges.append((first, extent - own[:, ::-1].argmax(1) - first))
    (left, across), (top, down) = edges
    return np.stack([left, top, across, down], 1).astype(np.float32)


def _words(world: World, entity: NDArray[np.int64], name: str, values: Sequence[str]) -> NDArray[np.int64]:
    number = {value: k for k, value in enumerate(values)}
    own = (listed_words(world.entities[k].attributes.get(name)) for k in entity)
    return np.array([number.get(words[0], -1) if words else -1 for words in own], np.int64)


def _several(world: World, entity: NDArray[np.int64], name: str, values: Sequence[str]) -> NDArray[np.bool_]:
    own = [set(listed_words(world.entities[k].attributes.get(name))) for k in entity]
    return np.array([[value in words for value in values] for words in own], bool).reshape(len(own), len(values))
