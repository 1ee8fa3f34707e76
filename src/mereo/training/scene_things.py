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
    """(h, w): which of them a pixel shows, counted from 1, 0 for none; the smallest, where one lies within another."""
    entity: NDArray[np.int64]
    """(n,): its place in the world."""
    whole: NDArray[np.int64]
    """(n,): for a part the place of its object among the objects that are shown, -1 where there is none."""
    within: NDArray[np.int64]
    """(n,): the place of the thing of the same level that it lies within, -1 where there is none."""
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
    stored = nearest(decode_png(row["instances"]["bytes"]), size).astype(np.intp)  # once, and not for every look-up
    most = int(stored.max(initial=0))
    edges = _edges(stored, most)
    instances = inspector.instances(row, world)
    shown = [[number for number in own if number in edges] for own in instances]
    numbers = seeing.numbers(row, world) if seeing is not None else {}
    further = seeing.words(row, world) if seeing is not None else {}
    found: dict[str, SceneThings] = {}
    for name in LEVELS:
        if name not in levels:
            continue
        members = [k for k, one in enumerate(world.entities) if one.kind == name and shown[k]]
        if len(members) > MOST:
            reason = f"shows {len(members)} things of the level '{name}', more than the {MOST} that can be told apart"
            raise BadInput(reason, record=f"scene '{row.get('scene_id')}'")
        above = found["object"].entity if "object" in found else np.empty(0, np.int64)
        entity, told = np.array(members, np.int64), levels[name]
        number, within = _nested([instances[k] for k in members], most)
        found[name] = SceneThings(
            ids=number[stored],
            entity=entity,
            whole=_wholes(world, members, above),
            within=within,
            boxes=_boxes(edges, [shown[k] for k in members]),
            words={
                word: _words([(further.get(word) or _values(world, word))[k] for k in members], values)
                for word, values in told.words.items()
            },
            several={word: _several(world, members, word, values) for word, values in told.several.items()},
            numbers={number: np.asarray(numbers[number], np.float32)[entity] for number in told.numbers},
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


def _edges(stored: NDArray[np.intp], most: int) -> dict[int, tuple[int, int, int, int]]:
    """By instance that a picture shows its first column and row, and those after its last."""
    found = []
    for axis, extent in ((1, stored.shape[1]), (0, stored.shape[0])):
        seen = np.zeros((most + 1, extent), bool)
        along = np.arange(extent)
        seen[stored, along if axis else along[:, None]] = True
        found.append((seen.argmax(1), extent - seen[:, ::-1].argmax(1), seen.any(1)))
    (left, right, there), (top, bottom, _) = found
    table = np.stack([left, top, right, bottom], 1).tolist()
    return {number: tuple(table[number]) for number in np.flatnonzero(there).tolist() if number}


def _boxes(edges: Mapping[int, tuple[int, int, int, int]], shown: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    """(n, 4): the boxes around all instances of each thing."""
    found = []
    for numbers in shown:
        left, top, right, bottom = zip(*(edges[number] for number in numbers), strict=True)
        found.append((min(left), min(top), max(right) - min(left), max(bottom) - min(top)))
    return np.array(found, np.float32).reshape(-1, 4)


def _nested(instances: Sequence[Sequence[int]], most: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """(most + 1,): by instance the smallest thing that has it, counted from 1; and (n,): what each thing lies within.

    Who consists of the same as another, as an arm of a single bar, lies within it if he comes after it.
    """
    number, owner = np.zeros(most + 1, np.uint8), dict[int, int]()
    within = np.full(len(instances), -1, np.int64)
    for k in sorted(range(len(instances)), key=lambda k: -len(instances[k])):
        # The largest come first, so whoever has all of its instances by now is the smallest around it.
        around = {owner.get(one, -1) for one in instances[k]}
        within[k] = around.pop() if len(around) == 1 else -1
        owner |= dict.fromkeys(instances[k], k)
    for one, k in owner.items():
        if one <= most:
            number[one] = k + 1
    return number, within


def _wholes(world: World, members: Sequence[int], objects: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place among the objects of what each entity is a part of, directly or as a part of a part."""
    places = {int(one): place for place, one in enumerate(objects)}
    found = []
    for one in members:
        above = world.whole[one]
        while above is not None and above not in places:
            above = world.whole[above]
        found.append(-1 if above is None else places[above])
    return np.array(found, np.int64)


def _values(world: World, name: str) -> list[Any]:
    """What an attribute is for each entity of a world."""
    return [entity.attributes.get(name) for entity in world.entities]


def _words(own: Sequence[Any], values: Sequence[str]) -> NDArray[np.int64]:
    number = {value: k for k, value in enumerate(values)}
    listed = (listed_words(one) for one in own)
    return np.array([number.get(words[0], -1) if words else -1 for words in listed], np.int64)


def _several(world: World, members: Sequence[int], name: str, values: Sequence[str]) -> NDArray[np.bool_]:
    own = [set(listed_words(world.entities[k].attributes.get(name))) for k in members]
    return np.array([[value in words for value in values] for words in own], bool).reshape(len(own), len(values))
