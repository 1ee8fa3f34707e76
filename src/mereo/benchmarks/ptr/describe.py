"""How PTR refers to objects: by category and by one kind of part, its number and its color.

"The chair with two red arms" has all four. Without the category only those parts may be named that several categories
of the scene share, or the part would tell it; and where the category is named, the part must tell the object from
others of that category, or it would be idle.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from mereo.benchmarks.ptr.parts import ptr_part_names
from mereo.benchmarks.ptr.world import SPATIAL, VOCABULARY, WORDS
from mereo.questions.describe import Describer, Description, Descriptions
from mereo.world import World, members

__all__ = ["DESCRIBER", "PartDescriber", "common_parts", "denoted"]

ATTRIBUTES = ("category", "part", "count", "color")
_CATEGORIES = VOCABULARY.words("category")
_COLORS = VOCABULARY.words("color")
_PARTS = VOCABULARY.words("part")
_SINGLE = frozenset(WORDS["speech"]["single"])
_PLAIN = frozenset(WORDS["speech"]["plain"])
_COUNTS = (1, 2, 2, 3, 4, 4, 5, 6)
"""Numbers of parts that are asked about out of thin air: those that furniture tends to have."""


def common_parts(world: World) -> frozenset[str]:
    """The parts that objects of at least two categories in this scene may have."""
    key = (PartDescriber, "common")
    if key not in world.memory:
        present = [category for category in _CATEGORIES if world.having["category"][category]]
        names = [name for category in present for name in ptr_part_names(category)]
        world.memory[key] = frozenset(name for name in names if names.count(name) > 1)
    common: frozenset[str] = world.memory[key]
    return common


@dataclass(frozen=True)
class PartDescriber(Describer):
    """Describes objects by what they are and what they are made of."""

    categories: tuple[str, ...] = _CATEGORIES
    """The categories that may be named."""
    parts: tuple[str, ...] = _PARTS
    """The parts that may be named."""

    def relations(self, world: World) -> tuple[str, ...]:
        """The four sides, and above and below where anything stands on anything."""
        key = (PartDescriber, "relations")
        if key not in world.memory:
            world.memory[key] = tuple(name for name in SPATIAL if any(world.related[name]))
        found: tuple[str, ...] = world.memory[key]
        return found

    def goes_with(self, description: Description, words: Iterable[str], world: World) -> bool:
        """It must not say the words, nor leave to an uncommon part of a thing to tell its category."""
        common = common_parts(world) if description[0] is None else ()
        for word in words:
            if word in description or (description[0] is None and word in _PARTS and word not in common):
                return False
        return True

    def alike(self, one: Description, other: Description) -> bool:
        """Whether both name a part with the same number or in the same color."""
        return (
            one[1] is not None
            and one[1] == other[1]
            and any(value is not None and value == again for value, again in zip(one[2:], other[2:], strict=True))
        )

    def descriptions(self, world: World) -> _PartDescriptions:
        """The descriptions of a world, worked out on first use and kept with it."""
        key = (PartDescriber, self.categories, self.parts)
        if key not in world.memory:
            world.memory[key] = _PartDescriptions(self, world)
        kept: _PartDescriptions = world.memory[key]
        return kept

    def steps(self, description: Description) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """From the objects to their parts and back."""
        category, part, count, color = description
        if category is not None:
            yield "filter_object_category", (category,)
        if part is None:
            return
        yield "expand_parts", ()
        yield "filter_part_category", (part,)
        if color is not None:
            yield "filter_part_color", (color,)
        if count is None:
            yield "filter_part_exist", ()
        else:
            yield "count_part", ()
            yield "filter_part_count", (count,)

    def drawn(self, chance: random.Random, world: World) -> Description:
        """What fits something here, with one word exchanged: it says as much, and most likely of nothing."""
        fitting = self.descriptions(world).every
        if not fitting:
            return (None, None, None, None)
        description = chance.choice(fitting)
        place = chance.choice([place for place, value in enumerate(description) if value is not None])
        words = [word for word in self._instead(place, description, world) if word != description[place]]
        if not words:
            return description
        changed = (*description[:place], chance.choice(words), *description[place + 1 :])
        category, part, count, color = changed
        always = _PLAIN if category is None or count is not None else _PLAIN.union(WORDS["always"][category])
        idle = color is None and part in always
        return description if idle else changed

    def _instead(self, place: int, description: Description, world: World) -> Iterable[Any]:
        """What could stand at a place of a description of sensible furniture."""
        category, part, count, _ = description
        if place == 0:
            return [name for name in self.categories if part is None or part in ptr_part_names(name)]
        if place == 1:
            possible = ptr_part_names(category) if category else common_parts(world)
            return [name for name in self.parts if name in possible and (count is None or name not in _SINGLE)]
        return _COUNTS if place == 2 else _COLORS


class _PartDescriptions(Descriptions):
    """Every admissible description of the objects of one world."""

    def __init__(self, describer: PartDescriber, world: World):
        self.describer, self.world = describer, world
        self.tables: dict[Any, Any] = {}
        self._all = {
            description: bits
            for description, bits in _admissible(world).items()
            if description[0] in (None, *describer.categories) and description[1] in (None, *describer.parts)
        }
        self._grouped: dict[frozenset[str], list[tuple[int, tuple[Description, ...]]]] = {}
        self.every = [description for description in self._all if any(description)]
        """All that says something."""
        self._agreed: tuple[Sequence[World], _PartDescriptions] | None = None

    def agreed(self, others: Sequence[World]) -> _PartDescriptions:
        """Those of them that denote the same in other readings of the world."""
        if self._agreed is None or self._agreed[0] is not others:
            kept = copy(self)
            kept.tables, kept._grouped = {}, {}
            kept._all = self._all
            for denotes in map(_denoted, others):
                kept._all = {said: bits for said, bits in kept._all.items() if denotes.get(said, 0) == bits}
            self._agreed = others, kept
        return self._agreed[1]

    def denoted(self, description: Description) -> int:
        """The objects that fit a description, admissible or not."""
        return denoted(self.world, description)

    def grouped(self, unnamed: frozenset[str]) -> list[tuple[int, tuple[Description, ...]]]:
        """Each set that can be denoted without naming these attributes, with all the descriptions of it."""
        known = self._grouped.get(unnamed)
        if known is None:
            silent = [ATTRIBUTES.index(attribute) for attribute in unnamed]
            groups: dict[int, list[Description]] = {}
            for description, bits in self._all.items():
                if all(description[place] is None for place in silent):
                    groups.setdefault(bits, []).append(description)
            known = self._grouped[unnamed] = [(bits, tuple(found)) for bits, found in groups.items()]
        return known


def denoted(world: World, description: Description) -> int:
    """The objects of a world that fit a description, admissible or not."""
    category, part, count, color = description
    found = world.objects
    if category is not None:
        found &= world.having["category"][category]
    if part is None:
        return found
    parts = world.having["part"][part]
    if color is not None:
        parts &= world.having["color"][color]
    fitting = 0
    for thing in members(found):
        own = (world.parts[thing] & parts).bit_count()
        if own == count or (count is None and own):
            fitting |= 1 << thing
    return fitting


def _denoted(world: World) -> dict[Description, int]:
    """What could be said of the objects of a world, and whom it denotes."""
    denotes: dict[Description, int] = {(None, None, None, None): world.objects}
    for thing in members(world.objects):
        category, bit = world.value["category"][thing], 1 << thing
        for description in _of(world, thing, category):
            denotes[description] = denotes.get(description, 0) | bit
    return denotes


def _admissible(world: World) -> dict[Description, int]:
    """What may be said of the objects of a world, and whom it denotes."""
    denotes, common = _denoted(world), common_parts(world)
    return {description: bits for description, bits in denotes.items() if _telling(description, bits, denotes, common)}


def _of(world: World, thing: int, category: str) -> Iterator[Description]:
    """All that could be said of one object."""
    yield (category, None, None, None)
    seen: dict[str, list[Any]] = {}
    for part in members(world.parts[thing]):
        seen.setdefault(world.value["part"][part], []).append(world.value["color"][part])
    for name, colors in seen.items():
        for who in (category, None):
            yield (who, name, None, None)
            yield (who, name, len(colors), None)
            for color in dict.fromkeys(color for color in colors if color is not None):
                yield (who, name, None, color)
                yield (who, name, colors.count(color), color)


def _telling(description: Description, bits: int, denotes: dict[Description, int], common: frozenset[str]) -> bool:
    """Whether a description says no more than it needs, and nothing that gives a category away."""
    category, part, count, color = description
    if part is None:
        return True
    if count is not None and (part in _SINGLE or count > 10):
        return False
    if color is None and part in _PLAIN:
        return False
    if category is None:
        return part in common
    if color is None and count is None and part in WORDS["always"][category]:
        return False
    return bits != denotes[category, None, None, None]


DESCRIBER = PartDescriber(ATTRIBUTES, VOCABULARY, relate="relate_object", ending="_object")
