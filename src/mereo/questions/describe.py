"""All the ways to describe objects of a world, worked out as they are needed and kept with it.

A description names some attributes: `(None, "red", None, "cube")` is a red cube of any size and material. What it
denotes is a set of entities: those that have all that is named. An object that lacks an attribute is left out by
whatever names it, and one with two colors is denoted by either. Descriptions that denote the same set are
interchangeable for a search, which therefore goes over the few sets and not over the many descriptions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import Any

from mereo.world import Vocabulary, World, members

__all__ = ["Describer", "Description", "Descriptions", "forget_descriptions"]

Description = tuple[Any, ...]
"""One value, or None for unnamed, for each attribute of the describer."""

_COMBINATIONS = 1024
"""How many combinations of attributes are looked at where nobody says how many a description may name."""


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
    most: int | None = None
    """How many attributes a description names at most; None for all of them, or of more than ten for a few."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words for attributes whose values are not listed, to draw descriptions from that may fit nothing."""

    def goal(self, goal: str) -> str:
        """The function that a described set is used by."""
        return goal if goal == "unique" else goal + self.ending

    def relations(self, world: World) -> tuple[str, ...]:
        """The relations in which objects of this world may be described."""
        return world.vocabulary.relations

    def goes_with(self, description: Description, words: Iterable[str], world: World) -> bool:
        """Whether a description may stand in a question beside words that were chosen for it: it must not say them."""
        return not any(word in description for word in words)

    def fitting(self, words: Iterable[str], world: World) -> Callable[[Description], bool]:
        """The same as a function of the description, for many of them."""
        return lambda description: self.goes_with(description, words, world)

    def can_tell(self, what: str) -> bool:
        """Whether descriptions could tell something, so that it makes sense to demand that one does not."""
        return what in self.attributes

    def leaves_open(self, description: Description, unnamed: frozenset[str]) -> bool:
        """Whether a description does not tell what it must leave out: it must not name it."""
        pairs = zip(self.attributes, description, strict=True)
        return all(value is None or attribute not in unnamed for attribute, value in pairs)

    def alike(self, one: Description, other: Description) -> bool:
        """Whether two descriptions are too much alike to stand in one question."""
        return False

    def descriptions(self, world: World) -> Descriptions:
        """The descriptions of a world, worked out on first use and kept with it."""
        key = (Describer, self.attributes, self.limit)
        kept: Descriptions | None = world.memory.get(key)
        if kept is None:
            kept = world.memory[key] = Descriptions(self, world)
        return kept

    def steps(self, description: Description) -> Iterable[tuple[str, tuple[Any, ...]]]:
        """The functions, with their literals, that narrow a set down to what is described."""
        pairs = zip(self._filters, description, strict=True)
        return [(function, (value,)) for function, value in pairs if value is not None]

    @cached_property
    def _filters(self) -> tuple[str, ...]:
        return tuple(f"filter_{attribute}" for attribute in self.attributes)

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
        draw, drawable = chance.random, self._closed or [(*self.sayable(a, world), None) for a in self.attributes]
        if self.limit == len(drawable):
            return tuple([words[int(draw() * len(words))] for words in drawable])
        named = chance.sample(range(len(drawable)), int(draw() * (self.limit + 1)))
        return tuple([chance.choice(words[:-1] or words) if k in named else None for k, words in enumerate(drawable)])

    def fancied(self, chance: random.Random, world: World, unnamed: frozenset[str]) -> Description | None:
        """The same; nothing where what was drawn tells what must be left out."""
        description = self.drawn(chance, world)
        return description if self.leaves_open(description, unnamed) else None

    def sayable(self, attribute: str, world: World) -> tuple[str, ...]:
        """The words for an attribute: all its values, else those that are given for it, else those of this world."""
        listed = self.vocabulary.attributes[attribute].values or self.words.get(attribute)
        return listed or tuple(_having(world, attribute))

    @cached_property
    def _closed(self) -> list[tuple[str | None, ...]] | None:
        """For each attribute all its values, and None, if these are known without a world."""
        listed = [self.vocabulary.attributes[name].values or self.words.get(name, ()) for name in self.attributes]
        return [(*values, None) for values in listed] if all(listed) else None

    @cached_property
    def limit(self) -> int:
        """How many attributes a description names at most."""
        size = len(self.attributes)
        if self.most is not None:
            return min(self.most, size)
        within = [most for most in range(size + 1) if sum(comb(size, k) for k in range(most + 1)) <= _COMBINATIONS]
        return max(within[-1], 1) if size else 0

    def namings(self, unnamed: frozenset[str]) -> tuple[tuple[int, ...], ...]:
        """The places of the attributes that a description may name together, leaving out some."""
        known = self._namings.get(unnamed)
        if known is None:
            free = [k for k, name in enumerate(self.attributes) if name not in unnamed]
            known = self._namings[unnamed] = tuple(_choices(free, self.limit))
        return known

    @cached_property
    def _namings(self) -> dict[frozenset[str], tuple[tuple[int, ...], ...]]:
        return {}


def _choices(places: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """All ways to choose up to so many of some places; those without the first place come first."""
    if not places or not most:
        yield ()
        return
    yield from _choices(places[1:], most)
    for rest in _choices(places[1:], most - 1):
        yield (places[0], *rest)


def _having(world: World, attribute: str) -> dict[str, int]:
    """The values that objects of a world have, in the order of the objects, with those that have them."""
    key = (Descriptions, attribute)
    kept: dict[str, int] | None = world.memory.get(key)
    if kept is None:
        kept = world.memory[key] = {}
        values = world.value[attribute]
        for i in members(world.objects):
            value, bit = values[i], 1 << i
            if value is not None:
                for one in value if isinstance(value, tuple) else (value,):
                    kept[one] = kept.get(one, 0) | bit
    return kept


class Descriptions:
    """Every description that fits some object of one world, and what it denotes."""

    options: Any = None
    """What draws up options from these descriptions, where the usual `Options` would not do."""
    fancied_open = False
    """Whether there are as many descriptions out of thin air as leave out what they must, and not as in all, of which
    most are then drawn in vain."""

    def __init__(self, describer: Describer, world: World):
        self.describer, self.world = describer, world
        self.tables: dict[Any, Any] = {}
        """Whatever options a search has drawn up from these descriptions."""
        self._having = [_having(world, attribute) for attribute in describer.attributes]
        nothing: Description = (None,) * len(describer.attributes)
        self._naming: dict[tuple[int, ...], list[tuple[int, Description]]] = {
            (): [(world.objects, nothing)] if world.objects else []
        }
        """The descriptions that name just these attributes, by their places, with what each denotes."""
        self._grouped: dict[frozenset[str], list[tuple[int, tuple[Description, ...]]]] = {}

    def agreed(self, others: Sequence[World]) -> Descriptions:
        """Those of them that denote the same in other readings of the world; all where nobody looks."""
        return self

    def denoted(self, description: Description) -> int:
        """The entities that fit a description."""
        bits = self.world.objects
        for value, having in zip(description, self._having, strict=True):
            if value is not None:
                bits &= having.get(value, 0)
        return bits

    def grouped(self, unnamed: frozenset[str]) -> list[tuple[int, tuple[Description, ...]]]:
        """Each set that can be denoted without naming these attributes, with all the descriptions of it."""
        known = self._grouped.get(unnamed)
        if known is None:
            groups: dict[int, list[Description]] = {}
            for named in self.describer.namings(unnamed):
                for bits, description in self._naming.get(named) or self._named(named):
                    if bits in groups:
                        groups[bits].append(description)
                    else:
                        groups[bits] = [description]
            known = self._grouped[unnamed] = [(bits, tuple(found)) for bits, found in groups.items()]
        return known

    def naming(self, needed: frozenset[str], *, unnamed: frozenset[str]) -> list[tuple[int, tuple[Description, ...]]]:
        """Those of them that name all attributes that are needed."""
        every = self.grouped(unnamed)
        if not needed:
            return every
        place = ("naming", needed, unnamed)
        known: list[tuple[int, tuple[Description, ...]]] | None = self.tables.get(place)
        if known is None:
            names = self.describer.names
            kept = [(bits, tuple([one for one in found if needed <= names(one).keys()])) for bits, found in every]
            known = self.tables[place] = [(bits, found) for bits, found in kept if found]
        return known

    def _named(self, named: tuple[int, ...]) -> list[tuple[int, Description]]:
        """The descriptions that name just these attributes: those that name all but the last, each narrowed by it."""
        known = self._naming.get(named)
        if known is None:
            last = named[-1]
            rest, values = (None,) * (len(self._having) - last - 1), self._having[last].items()
            known = [
                (both, description[:last] + (value,) + rest)
                for bits, description in self._named(named[:-1])
                for value, having in values
                if (both := bits & having)
            ]
            if len(named) > 1:  # a single attribute's values are in that order already
                known.sort(key=_lowest)
            self._naming[named] = known
        return known


def forget_descriptions(world: World) -> None:
    """Let go of what was worked out about a world. It holds the world, too, so that both would stay until the garbage
    collector comes by, which takes the longer the more there is."""
    for key in [key for key, kept in world.memory.items() if isinstance(kept, Descriptions)]:
        world.memory.pop(key).tables.clear()


def _lowest(denotes: tuple[int, Description]) -> int:
    """The first object that is denoted, by whose order descriptions are listed."""
    return denotes[0] & -denotes[0]
