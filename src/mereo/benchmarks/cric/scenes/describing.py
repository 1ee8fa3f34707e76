"""What a person would say of one thing of an own scene: its name, its color, what it is made of, open or closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from mereo.benchmarks.cric.scenes.kinds import kinds
from mereo.benchmarks.cric.scenes.paints import Said, color_words, material_words
from mereo.files import converted, read_toml
from mereo.knowledge import entities
from mereo.scenes.scene import Paint, Placed
from mereo.shapes.joint import Joint
from mereo.shapes.part import Part, Shape

__all__ = ["Words", "looks_of", "loose", "name_of_kind", "name_of_part", "sizes_of", "state_of_part", "state_of_whole"]

_MOST, _SOME = 0.65, 0.25
"""From which share of the visible pixels on a color is that of the thing, and from which on some would say it."""
_FEW = 0.1
"""From which share on some would say it of a thing that has no one color."""
_OPEN, _SHUT = 0.3, 0.02
"""From which share of its way on a door is plainly open, and up to which it is plainly closed."""
_LARGER, _PERHAPS = 1.4, 1.15
"""How many times as long a thing is that everybody calls larger, and one that some do."""


class Words(NamedTuple):
    """By kind the words that everybody says, and those that only some do."""

    said: Mapping[str, tuple[str, ...]]
    unclear: Mapping[str, tuple[str, ...]]


class _Opens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wholes: tuple[str, ...]
    parts: tuple[str, ...]


class _LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: frozenset[str]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    loose: dict[str, str]
    opens: _Opens
    left_out: _LeftOut


@cache
def _file() -> _File:
    file = Path(__file__).with_name("words.toml")
    return converted(read_toml(file), file=file, type=_File)


def loose() -> Mapping[str, str]:
    """Parts that can be taken away, by name: how they stand to the whole."""
    return _file().loose


@cache
def _by_shape() -> Mapping[str, str]:
    return {entity.shape: entity.name for entity in entities().values() if entity.shape}


@cache
def _by_label() -> Mapping[str, str]:
    return {end: entity.name for entity in entities().values() for end in entity.labels}


def name_of_kind(kind: str) -> str:
    """What knowledge calls things of a kind."""
    return _by_shape()[kinds()[kind].category]


@cache
def name_of_part(label: str) -> str | None:
    """What knowledge calls a part, where it has a name that people would point at it by."""
    steps = label.split("/")
    ends = ("/".join(steps[first:]) for first in range(len(steps)))
    name = next((name for end in ends if (name := _by_label().get(end))), None)
    return None if name in _file().left_out.parts else name


def looks_of(placed: Placed, pixels: Iterable[tuple[str, int]]) -> Words:
    """The color and the material of a thing or a part. pixels : of each visible leaf, with its label"""
    count: Counter[Paint] = Counter()
    for label, number in pixels:
        count[placed.paint(label)] += number
    color = _agreed(count, color_words)
    material = _agreed(count, material_words)
    return _words(color=color, material=material)


def _agreed(count: Mapping[Paint, int], words: Callable[[Paint], Said]) -> Said:
    """The word for what covers most, if something does, and all other words that somebody could have for it."""
    whole, by_word = sum(count.values()), Counter[str]()
    for paint, number in count.items():
        by_word[words(paint).word] += number
    word = next((word for word, number in by_word.items() if word and number >= _MOST * whole), "")
    also: dict[str, None] = {}
    for paint, number in count.items():
        if number >= (_SOME if word else _FEW) * whole:
            said = words(paint)
            also |= dict.fromkeys((said.word, *said.also))
    return Said(word, tuple(each for each in also if each and each != word))


def _words(**kinds_of: Said) -> Words:
    return Words(
        {kind: (said.word,) for kind, said in kinds_of.items() if said.word},
        {kind: said.also for kind, said in kinds_of.items() if said.also},
    )


def state_of_part(part: Part, name: str) -> Words:
    """Whether a door, a drawer or a lid is open."""
    if name not in _file().opens.parts or part.joint is None or (name == "lid" and part.joint.kind != "hinge"):
        return Words({}, {})
    return _words(state=_state([_way(part.joint)]))


def state_of_whole(shape: Shape, name: str) -> Words:
    """Whether a thing with doors, or one that is folded, is open."""
    if name not in _file().opens.wholes:
        return Words({}, {})
    names = ("screen_side", "front", "door")
    ways = [_way(part.joint) for part in shape.parts() if part.joint is not None and part.name in names]
    return _words(state=_state(ways)) if ways else Words({}, {})


def _way(joint: Joint) -> float:
    """How far a joint is open, as a share of its way."""
    return abs(joint.at) / max(abs(joint.low), abs(joint.high))


def _state(ways: list[float]) -> Said:
    if max(ways) <= _SHUT:
        return Said("closed")
    return Said("open") if max(ways) >= _OPEN else Said("", ("open", "closed"))


def sizes_of(lengths: Mapping[int, float]) -> dict[int, Words]:
    """Which of several things of one name are large and which are small. lengths : by place, meters"""
    longest, shortest = max(lengths.values()), min(lengths.values())
    if longest < _PERHAPS * shortest:
        return {}
    found = {}
    for number, length in lengths.items():
        large, small = length * _PERHAPS > longest, length < _PERHAPS * shortest
        word = "large" if large and not small else "small" if small and not large else ""
        sure = word and longest >= _LARGER * shortest
        found[number] = _words(size=Said(word) if sure else Said("", (word,) if word else ("large", "small")))
    return found
