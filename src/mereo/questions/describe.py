"""All the ways to describe objects of a world, worked out once per world.

A description names some attributes: `(None, "red", None, "cube")` is a red cube of any size and material. What it
denotes is a set of entities. Descriptions that denote the same set are interchangeable for a search, which therefore
goes over the few sets and not over the many descriptions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, product
from typing import Any

from mereo.world import Vocabulary, World, members

__all__ = ["Describer", "Description", "Descriptions"]

Description = tuple[Any, ...]
"""One value, or None for unnamed, for each attribute of the describer."""


@dataclass(frozen=True)
class Describer:
    """Which attributes of objects descriptions may name, in the order of the program's filters.

    A benchmark whose objects are described in other ways, by their parts say, brings a describer of its own.
    """

    attributes: tuple[str, ...]
    vocabulary: Vocabulary
    relate: str = "relate"
    """The function that goes from an object to those in a relation to it."""
    ending: str = ""
    """What the language adds to the names of `count` and `exist`."""

    def goal(self, goal: str) -> str:
        """The function that a described set is used by."""
        return goal if goal == "unique" else goal + self.ending

    def relations(self, world: World) -> tuple[str, ...]:
        """The relations in which objects of this world may be described."""
        return world.vocabulary.relations

    def goes_with(self, description: Description, words: Iterable[str], world: World) -> bool:
        """Whether a description may stand in a question beside words that were chosen for it: it must not say them."""
        return not any(word in description for word in words)

    def descriptions(self, world: World) -> Descriptions:
        """The descriptions of a world, worked out on first use and kept with it."""
        key = (Describer, self.attributes)
        if key not in world.memory:
            world.memory[key] = Descriptions(self, world)
        kept: Descriptions = world.memory[key]
        return kept

    def steps(self, description: Description) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The functions, with their literals, that narrow a set down to what is described."""
        for attribute, value in zip(self.attributes, description, strict=True):
            if value is not None:
                yield f"filter_{attribute}", (value,)

    def names(self, description: Description) -> dict[str, Any]:
        """The attributes that a description names, with their values."""
        pairs = zip(self.attributes, description, strict=True)
        return {attribute: value for attribute, value in pairs if value is not None}

    def narrow(self, world: World, scope: int, denoted: Any) -> int:
        """What of a scope is described. denoted : what the description denotes, as its options' keys have it"""
        bits: int = scope & denoted
        return bits

    def drawn(self, chance: random.Random, world: World) -> Description:
        """A description out of thin air, which most likely denotes nothing."""
        draw = chance.random
        return tuple([words[int(draw() * len(words))] for words in self._drawable])

    @cached_property
    def _drawable(self) -> list[tuple[str | None, ...]]:
        """For each attribute all its values, and None."""
        return [(*self.vocabulary.attributes[attribute].values, None) for attribute in self.attributes]


class Descriptions:
    """Every description that fits some object of one world, and what it denotes."""

    options: Any = None
    """What draws up options from these descriptions, where the usual `Options` would not do."""

    def __init__(self, describer: Describer, world: World):
        self.describer, self.world = describer, world
        self.tables: dict[Any, Any] = {}
        """Whatever options a search has drawn up from these descriptions."""
        self._denotes: dict[Description, int] = {}
        self._naming: list[tuple[frozenset[str], dict[Description, int]]] = []
        """The descriptions that name just these attributes."""
        attributes = describer.attributes
        objects = [(1 << i, [world.value[attribute][i] for attribute in attributes]) for i in members(world.objects)]
        for mask in product((False, True), repeat=len(attributes)):
            denotes: dict[Description, int] = {}
            for bit, values in objects:
                description = tuple([value if named else None for value, named in zip(values, mask, strict=True)])
                denotes[description] = denotes.get(description, 0) | bit
            self._naming.append((frozenset(compress(attributes, mask)), denotes))
            self._denotes |= denotes
        self._grouped: dict[frozenset[str], list[tuple[int, tuple[Description, ...]]]] = {}

    def denoted(self, description: Description) -> int:
        """The entities that fit a description."""
        return self._denotes.get(description, 0)

    def grouped(self, unnamed: frozenset[str]) -> list[tuple[int, tuple[Description, ...]]]:
        """Each set that can be denoted without naming these attributes, with all the descriptions of it."""
        known = self._grouped.get(unnamed)
        if known is None:
            groups: dict[int, list[Description]] = {}
            for named, denotes in self._naming:
                if named.isdisjoint(unnamed):
                    for description, bits in denotes.items():
                        groups.setdefault(bits, []).append(description)
            known = self._grouped[unnamed] = [(bits, tuple(found)) for bits, found in groups.items()]
        return known
