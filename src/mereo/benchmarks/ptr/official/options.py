"""How PTR's generator describes objects: by category, a part, how many of it, and its color.

A description is `(category, part, number, color)`, of which number and color are of the part. Which ones a scene
offers is worked out once for each scene, from the template that is tried first: if that one asks for a number, no
description names a number, in any of the scene's questions.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from mereo.benchmarks.ptr.official.scene import WORDS
from mereo.benchmarks.ptr.official.world import official_scene
from mereo.files import read_toml
from mereo.programs import Program
from mereo.world import World

__all__ = [
    "ATTRIBUTES",
    "GENERATOR",
    "Description",
    "OfficialDescriptions",
    "OfficialOption",
    "filters",
    "narrowed",
    "narrows",
    "shared_parts",
]

GENERATOR = read_toml(Path(__file__).with_name("words.toml"))

ATTRIBUTES = ("object-category", "part-category", "part-count", "color")
"""What descriptions name, called as the templates' holes are."""

Description = tuple[str | None, str | None, int | None, str | None]

_NAMINGS = [naming for naming in product((False, True), repeat=4) if naming[1] or not (naming[2] or naming[3])]
"""Number and color are named only with the part that they are of."""
_TRIVIAL = 0.1
"""The share of relations that leave the described set as it is. Hardly any survives the test of whether its relation is
needed."""


class OfficialOption(NamedTuple):
    """One way to fill the hole of a description."""

    relation: str | None
    description: Description
    denoted: int
    """Of the scope, what the whole description fits."""
    scope: int


def shared_parts(world: World) -> frozenset[str]:
    """The parts that objects of several categories have in this scene, so that "thing" does not give itself away."""
    present = {thing.category for thing in official_scene(world).things}
    pairs = GENERATOR["common"]["pairs"]
    lonely = {part for part, pair in pairs.items() if len(present.intersection(pair)) == 1}
    return frozenset(GENERATOR["common"]["parts"]) - lonely


class OfficialDescriptions:
    """The descriptions that a scene offers."""

    def __init__(self, world: World, *, numbers: bool, nothing: bool):
        """
        numbers : whether descriptions may name the number of a part
        nothing : whether a description may name nothing at all
        """
        self.world, self.common = world, shared_parts(world)
        self.denotes: dict[Description, int] = {}
        rules = GENERATOR["descriptions"]
        for i, thing in enumerate(official_scene(world).things):
            for part, (color, _) in thing.paints.items():
                for naming in _NAMINGS:
                    if self._offers(part, naming, rules, numbers=numbers) and (nothing or any(naming)):
                        by_category, by_part, by_number, by_color = naming
                        named = (
                            thing.category if by_category else None,
                            part if by_part else None,
                            thing.count(part) if by_number else None,
                            color if by_color else None,
                        )
                        self.denotes[named] = self.denotes.get(named, 0) | 1 << i

    def _offers(self, part: str, naming: tuple[bool, ...], rules: dict[str, list[str]], *, numbers: bool) -> bool:
        category, by_part, by_number, by_color = naming
        if by_number and (not numbers or part in rules["not_numbered"]):
            return False
        idle = part in rules["telling_nothing"] or (not by_number and part in rules["telling_nothing_unnumbered"])
        if category and by_part and not by_color and idle:
            return False
        return category or not by_part or part in self.common

    def options(self, scope: int) -> list[OfficialOption]:
        """All descriptions, of objects of a set; also those that fit none of them."""
        return [OfficialOption(None, description, bits & scope, scope) for description, bits in self.denotes.items()]

    def related(
        self, scopes: Iterable[tuple[str, int]], *, unique: bool, chance: random.Random
    ) -> list[OfficialOption]:
        """Descriptions of what stands in a relation: never of nothing, and few whose relation makes no difference."""
        telling: list[OfficialOption] = []
        trivial: list[OfficialOption] = []
        for relation, scope in scopes:
            for description, bits in self.denotes.items():
                denoted = bits & scope
                if denoted.bit_count() == 1 if unique else denoted:
                    option = OfficialOption(relation, description, denoted, scope)
                    (trivial if denoted == bits else telling).append(option)
        few = round(len(telling) * _TRIVIAL / (1 - _TRIVIAL))
        return telling + chance.sample(trivial, min(few, len(trivial)))

    def fancied(self, scope: int, count: float, chance: random.Random) -> Iterator[OfficialOption]:
        """Descriptions that the scene does not offer, most of which fit nothing, so that "no" and "0" are answers."""
        pool: list[Description] = []
        for category in (*WORDS["categories"], None):
            parts = WORDS["categories"][category] if category else GENERATOR["common"]["parts"]
            pool.append((category, None, None, None))
            for described, *_ in self.denotes:
                if described == category:
                    pool.append((category, chance.choice(parts), None, chance.choice(WORDS["colors"])))
        pool += [(*known[:3], chance.choice(WORDS["colors"])) for known in self.denotes if known[1]]
        chance.shuffle(pool)
        new = [description for description in dict.fromkeys(pool) if description not in self.denotes]
        for description in new[: -int(-count // 1)]:
            yield OfficialOption(None, description, 0, scope)


def filters(description: Description) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """The functions, with their literals, that narrow a set down to what is described."""
    category, part, number, color = description
    if category is not None:
        yield "filter_object-category", (category,)
    if part is not None:
        yield "filter_part-category", (part,)
        if number is not None:
            yield "filter_part-count", (part, number)
        if color is not None:
            yield "filter_color", (part, color)


def narrowed(world: World, scope: int, description: Description) -> int | None:
    """What of a set is described, or None where the generator would not say it.

    Naming the category must leave something out, and so must, after the category, all that is said of a part.
    """
    category, part, number, color = description
    found, scene = scope, official_scene(world)
    if category is not None:
        found &= world.having["category"][category]
        if found == scope:
            return None
    if part is None:
        return found
    described = found & world.having["part"][part]
    if number is not None:
        described &= scene.numbered.get((part, number), 0)
    if color is not None:
        described &= scene.colored.get((part, color), 0)
    return None if category is not None and described and described == found else described


_PART_FILTERS = ("filter_part-category", "filter_part-count", "filter_color")


def narrows(program: Program, values: Collection[int]) -> bool:
    """Whether the last filter by a part leaves something else than the last filter by category did.

    The generator's rule for all that it runs in one go. While it builds a question that is one description, and
    `narrowed` says the same; when it tests whether a relation is needed it is the whole program. It throws the question
    away, but the outputs of steps stay as they are. A finished file is never run in one go, so that a program in it may
    well break the rule: that is why no function of the language knows it.
    """
    by_category = by_part = 0
    for step, value in zip(program.steps, values, strict=True):
        if step.function == "filter_object-category":
            by_category = value
        elif step.function in _PART_FILTERS:
            by_part = value
    return not by_category or by_category != by_part
