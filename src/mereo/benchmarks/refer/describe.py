"""Descriptions for referring expressions: attributes, and an ordinal or a word on visibility, never both.

"The second of the red cubes from the left" depends on the set it is said of, not only on the world. And what is drawn
first is how many shall be left: each possible number of survivors is equally likely, and then each way to describe so
many. Options are counted in groups, as everywhere: a search sees sets, and words are drawn last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mereo.benchmarks.refer.ordinals import Ranked
from mereo.questions.describe import Describer, Description, Descriptions
from mereo.questions.template import Describe
from mereo.world import World

__all__ = ["NUMBER", "SIDE", "VISIBLE", "ReferringDescriber", "ReferringDescriptions"]

NUMBER, SIDE, VISIBLE = "ordinal_number", "ordinal_direction", "visible"
"""What a description may name besides attributes, in this order and after them."""

Ordinals = dict[int, list[tuple[str, str]]]
"""Members of a set, each with the ordinals (number and side) that single it out."""


@dataclass(frozen=True)
class ReferringDescriber(Describer):
    """How entities are referred to. attributes : the plain ones, then `NUMBER`, `SIDE` and `VISIBLE`"""

    draw_up: Callable[..., Any] = field(kw_only=True)
    """draw_up(hole, its input, descriptions, …): what draws up the options of a hole."""
    base: Describer | None = None
    """What describes by the plain attributes, where that is more than naming their values."""
    numbers: tuple[str, ...] = ()
    """The words for first, second, …"""
    sides: tuple[str, ...] = ()
    """The words for where counting begins."""
    ranked: Ranked = field(default=lambda world, bits, side: ())
    visible: Callable[[World], Mapping[str, int]] = field(default=lambda world: {})
    """The entities by visibility; nothing where it cannot be told of every one, or tells none apart."""
    by_kind: bool = True
    """Whether plain descriptions, ordinals and words on visibility are equally likely, or each single option is."""
    idle_ordinals: bool = False
    """Whether an ordinal may come after a relation that makes no difference to it."""
    false_premise: bool = False
    """Whether sets are to be described that are empty."""

    @cached_property
    def plain(self) -> Describer:
        """The attributes alone."""
        if self.base is not None:
            return self.base
        names = tuple(name for name in self.attributes if name not in (NUMBER, SIDE, VISIBLE))
        return Describer(names, self.vocabulary, most=self.most, words=self.words)

    def descriptions(self, world: World) -> Descriptions:
        """The descriptions of a world, worked out on first use and kept with it."""
        kind = (self.by_kind, self.idle_ordinals, self.false_premise, bool(self.numbers))
        key = (ReferringDescriber, self.attributes, id(self.base), kind)
        if key not in world.memory:
            world.memory[key] = ReferringDescriptions(self, world)
        kept: Descriptions = world.memory[key]
        return kept

    def steps(self, description: Description) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The functions, with their literals, that narrow a set down to what is described."""
        *plain, number, side, visible = description
        yield from self.plain.steps(tuple(plain))
        if number is not None:
            yield "filter_ordinal", (number, side)
        if visible is not None:
            yield "filter_visible", (visible,)

    def relations(self, world: World) -> tuple[str, ...]:
        """The relations in which objects of this world may be described."""
        return self.plain.relations(world)

    def goes_with(self, description: Description, words: Iterable[str], world: World) -> bool:
        """Whether a description may stand in an expression beside words that were chosen for it."""
        return self.plain.goes_with(description[:-3], words, world)

    def narrow(self, world: World, scope: int, denoted: Any) -> int:
        """What of a scope is described; nothing where there is no such place in the order."""
        if isinstance(denoted, int):
            return scope & denoted
        bits, number, side = denoted
        order = self.ranked(world, scope & bits, side)
        place = self.numbers.index(number)
        found = order[place] if place < len(order) else None
        return 0 if found is None else 1 << found


class ReferringDescriptions(Descriptions):
    """What can be said of the entities of one world."""

    def __init__(self, describer: ReferringDescriber, world: World):
        self.describer: ReferringDescriber = describer
        self.world, self.tables = world, {}
        self.plain = describer.plain.descriptions(world)
        self.visible = describer.visible(world)
        self._ordinals: dict[int, Ordinals] = {}
        self._telling: dict[tuple[int, int], Ordinals] = {}

    def options(self, node: Describe, kept: Any, known: Descriptions, **settings: Any) -> Any:
        """The options of a hole, as the describer has them drawn up."""
        return self.describer.draw_up(node, kept, known, **settings)

    def grouped(self, unnamed: frozenset[str]) -> list[tuple[int, tuple[Description, ...]]]:
        """Each set that attributes alone denote, with all the descriptions of it; these name attributes only."""
        return self.plain.grouped(unnamed - {NUMBER, SIDE, VISIBLE})

    def telling(self, subset: int, denoted: int) -> Ordinals:
        """The ordinals of a subset that would single out another one in the whole set that is denoted."""
        found = self._telling.get((subset, denoted))
        if found is None:
            whole = self.ordinals(denoted)
            found = self._telling[subset, denoted] = {
                member: [way for way in ways if way not in whole.get(member, ())]
                for member, ways in self.ordinals(subset).items()
            }
        return found

    def ordinals(self, bits: int) -> Ordinals:
        """Each member of a set with all the ordinals that single it out; a set of one has none."""
        found = self._ordinals.get(bits)
        if found is None:
            found = self._ordinals[bits] = {}
            if bits & (bits - 1):
                numbers = self.describer.numbers
                for side in self.describer.sides:
                    order = self.describer.ranked(self.world, bits, side)
                    for number, member in zip(numbers, order, strict=False):
                        if member is not None:
                            found.setdefault(member, []).append((number, side))
        return found
