"""The options of a hole in a referring expression, by how many entities each leaves.

Every possible number of survivors weighs the same, and within it every kind of description or every single one. As in
`options`, a search draws keys and words come last.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mereo.benchmarks.refer.describe import NUMBER, SIDE, VISIBLE, ReferringDescriptions
from mereo.questions.describe import Description
from mereo.questions.options import GOALS, Pick
from mereo.questions.template import Describe
from mereo.world import World

__all__ = ["ReferringOptions", "scopes_of"]


@dataclass(frozen=True)
class _Few:
    """Options of one hole that lead to one key: as many as there are descriptions, each of the same weight."""

    weight: float
    relation: str | None
    descriptions: Sequence[Description]
    end: tuple[str | None, str | None, str | None]
    """Ordinal number and side, and visibility."""


class ReferringOptions:
    """What one hole may be filled with, for one value of its input."""

    fancied = 0
    nothing = object()

    def __init__(
        self, node: Describe, kept: Any, known: ReferringDescriptions, *, fine: bool, trivial_share: float
    ) -> None:
        self.known, self.goal, self.named, self.fine = known, node.goal, node.named, fine
        self.trivial = node.relation is None or trivial_share > 0
        """Whether a relation may leave the described set as it is; all of them are as likely as any other then."""
        self.groups = known.grouped(node.unnamed)
        self.ordinal = not node.unnamed & {NUMBER, SIDE}
        self.telling = not self.trivial and not known.describer.idle_ordinals
        """Whether ordinals must need the relation, too."""
        self.visible: Mapping[str, int] = {} if VISIBLE in node.unnamed else known.visible
        self.scopes = scopes_of(node, kept, known.world)
        self.share: dict[tuple[int, str], float] = {}
        """The weight of one option, by the number of survivors and the kind of description."""
        self.weights: dict[Any, float] = {}
        """The weight of each key."""
        self._weigh()
        self.total = sum(self.weights.values())

    def key(self, subset: int, denoted: Any) -> Any:
        """What a search needs to know of an option."""
        return (subset, denoted) if self.fine else GOALS[self.goal](subset)

    def fancied_key(self, description: Description) -> Any:
        """None is ever drawn out of thin air."""
        raise AssertionError("a referring expression was fancied")

    def _counted(self) -> dict[tuple[int, str], dict[Any, int]]:
        """The number of options by survivors, kind and key."""
        counts: dict[tuple[int, str], dict[Any, int]] = {}
        unique, everything, key = self.goal == "unique", self.known.world.objects, self.key
        for _, scope in self.scopes:
            sets: dict[int, int] = {}
            for bits, descriptions in self.groups:
                subset, many = bits & scope, len(descriptions)
                if not subset:
                    continue
                if self.fine or self.telling:
                    self._count_ordinals(counts, subset, many, bits)
                else:
                    sets[subset] = sets.get(subset, 0) + many
                for kind, seen in (("plain", -1), *(("visible", seen) for seen in self.visible.values())):
                    left, denoted = subset & seen, bits & seen
                    if not left or (unique and left & (left - 1)) or (left == denoted and not self.trivial):
                        continue
                    own = many - (kind == "plain" and self.named and bits == everything)
                    if own:
                        table = counts.setdefault((left.bit_count(), kind), {})
                        place = key(left, denoted)
                        table[place] = table.get(place, 0) + own
            for subset, many in sets.items():
                self._count_ordinals(counts, subset, many, None)
        return counts

    def _count_ordinals(
        self, counts: dict[tuple[int, str], dict[Any, int]], subset: int, many: int, bits: int | None
    ) -> None:
        """Ordinals leave one, whatever relation came before. bits : what is denoted, where that matters"""
        if not self.ordinal or not subset & (subset - 1):
            return
        table = counts.setdefault((1, "ordinal"), {})
        for member, ways in self._ordinals(subset, bits).items():
            if not ways:
                continue
            if not self.fine:
                place = self.key(1 << member, None)
                table[place] = table.get(place, 0) + many * len(ways)
            else:
                for number, side in ways:
                    place = self.key(1 << member, (bits, number, side))
                    table[place] = table.get(place, 0) + many

    def _ordinals(self, subset: int, denoted: int | None) -> Mapping[int, Sequence[tuple[str, str]]]:
        known = self.known
        return known.telling(subset, denoted) if self.telling and denoted is not None else known.ordinals(subset)

    def _weigh(self) -> None:
        """Every number of survivors weighs the same; within it every kind does, or every option."""
        counts = self._counted()
        totals = {place: sum(table.values()) for place, table in counts.items()}
        for place, table in counts.items():
            alike = [total for (survivors, _), total in totals.items() if survivors == place[0] and total]
            if not totals[place]:
                continue
            weighs = 1 / (len(alike) * totals[place]) if self.known.describer.by_kind else 1 / sum(alike)
            self.share[place] = weighs
            for key, number in table.items():
                self.weights[key] = self.weights.get(key, 0.0) + number * weighs

    def draw_fitting(self, key: Any, chance: random.Random, beside: tuple[Any, ...]) -> Pick | None:
        """The words of one option with this key among those that may stand beside some words, if any does."""
        fits = self.known.describer.fitting(beside, self.known.world)
        left = [
            (few.weight, few.relation, (*description, *few.end))
            for few in self._leading_to(key)
            for description in few.descriptions
            if fits((*description, *few.end))
        ]
        if not left:
            return None
        _, relation, description = chance.choices(left, [weight for weight, _, _ in left])[0]
        return relation, description

    def draw(self, key: Any, chance: random.Random) -> Pick:
        """The words of one option with this key."""
        found = list(self._leading_to(key))
        at = chance.random() * sum(few.weight * len(few.descriptions) for few in found)
        for few in found:
            at -= few.weight * len(few.descriptions)
            if at < 0:
                break
        description = few.descriptions[int(chance.random() * len(few.descriptions))]
        return few.relation, (*description, *few.end)

    def _leading_to(self, key: Any) -> Iterator[_Few]:
        """All options that a key stands for."""
        everything = self.known.world.objects
        wanted = key[0] if self.fine else 1 << key if self.goal == "unique" else key
        single = not wanted & (wanted - 1)
        for relation, scope in self.scopes:
            for bits, descriptions in self.groups:
                subset = bits & scope
                if subset & wanted != wanted:
                    continue
                for kind, word, seen in (("plain", None, -1), *(("visible", *item) for item in self.visible.items())):
                    left, denoted = subset & seen, bits & seen
                    if left != wanted or (left == denoted and not self.trivial) or self.key(left, denoted) != key:
                        continue
                    own = descriptions
                    if kind == "plain" and self.named and bits == everything:
                        own = tuple(description for description in descriptions if any(description))
                    if own:
                        yield _Few(self.share[left.bit_count(), kind], relation, own, (None, None, word))
                if single and self.ordinal and subset & (subset - 1):
                    share = self.share.get((1, "ordinal"), 0.0)
                    for number, side in self._ordinals(subset, bits).get(wanted.bit_length() - 1, ()):
                        if self.key(wanted, (bits, number, side)) == key:
                            yield _Few(share, relation, descriptions, (number, side, None))


def scopes_of(node: Describe, kept: Any, world: World) -> list[tuple[str | None, int]]:
    """Among which entities a hole describes some, each scope with the relation that leads there."""
    if node.relation is None:
        return [(None, kept)]
    relations = node.describer.relations(world)
    return [(name, world.related[name][kept] & world.objects) for name in relations]
