"""The options of a description hole: what it may denote, how likely, and by which words.

Options are grouped by what a search needs to know of them, the *key*. A search draws a key, and only when the whole
question stands are the words drawn. Drawing a key by the weight of its group and then a member is the same as drawing
among all options alike, as CLEVR's generator does, but a key that leads nowhere is dismissed with all its words.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from mereo.questions.describe import Description, Descriptions
from mereo.questions.rules import Rules
from mereo.questions.template import Describe, Goal

__all__ = ["GOALS", "Options", "Pick", "options"]

Pick = tuple[str | None, Description]
"""The words of one option: the relation, if there is one, and the description."""

_Group = tuple[str | None, float, Sequence[Description]]
"""Options of one weight and relation."""

_Weights = tuple[dict[Any, float], dict[Any, float]]
"""The number of options by key: those whose scope makes a difference, and those whose does not."""


def _unique(subset: int) -> int | None:
    return subset.bit_length() - 1 if subset and not subset & (subset - 1) else None


GOALS: dict[Goal, Callable[[int], Any]] = {
    "set": lambda subset: subset,
    "unique": _unique,
    "count": int.bit_count,
    "exist": bool,
}
"""What each goal makes of the described set; None where it cannot be used."""


class Options:
    """What one description hole may be filled with, for one value of its input."""

    __slots__ = (
        "_fitted",
        "_groups",
        "fancied",
        "fine",
        "goal",
        "known",
        "named",
        "needed",
        "nothing",
        "scopes",
        "total",
        "trivial",
        "unnamed",
        "weights",
    )

    def __init__(self, node: Describe, kept: Any, known: Descriptions, *, fine: bool, trivial_share: float):
        """
        kept : the input's value: a bit set, or with a relation the object that others are related to
        fine : keys tell apart which sets were denoted, not only what the goal makes of them: (subset, denoted set)
        """
        self.goal, self.fine, self.known = node.goal, fine, known
        self._groups: dict[Any, Sequence[_Group]] = {}
        self._fitted: dict[tuple[Any, tuple[Any, ...]], tuple[Sequence[Pick], Sequence[float]]] = {}
        self.unnamed, self.named, self.needed = node.unnamed, node.named, node.needed
        self.scopes: list[tuple[str | None, int]] = [(None, kept)]
        """The sets in which objects are described, each with the relation that leads there."""
        if node.relation is not None:
            world = known.world
            relations = node.describer.relations(world)
            self.scopes = [(name, world.related[name][kept] & world.objects) for name in relations]
        telling, trivial = self._weighed(node.unnamed, node.needed)
        self.trivial = 1.0
        """The weight of a description whose objects all lie in the scope already, against any other."""
        if node.relation is not None:
            self.trivial = self._trivial(node, kept, (telling, trivial), trivial_share) if trivial_share else 0.0
        self.weights: dict[Any, float] = telling
        """The weight of each key."""
        if self.trivial:
            for key, weight in trivial.items():
                telling[key] = telling.get(key, 0.0) + weight * self.trivial
        self.total = sum(self.weights.values())
        self.fancied = self._fancied(kept) if node.relation is None else 0
        """How many further options are descriptions out of thin air, so that "no" and "0" are answers too."""
        self.nothing = self.key(0, 0)
        """The key of a description that fits nothing here."""

    def key(self, subset: int, denoted: int) -> Any:
        """What a search needs to know of an option."""
        return (subset, denoted) if self.fine else GOALS[self.goal](subset)

    def fancied_key(self, description: Description) -> Any:
        """The key of any description in the one scope there is without a relation."""
        denoted = self.known.denoted(description)
        return self.key(denoted & self.scopes[0][1], denoted)

    def draw(self, key: Any, chance: random.Random) -> Pick:
        """The words of one option with this key: a walk over the options until their weights reach a random point."""
        at = chance.random() * self.weights[key]
        last: tuple[str | None, Sequence[Description]] | None = None
        for relation, weight, found in self._members(key):
            last = relation, found
            at -= weight * len(found)
            if at < 0:
                return relation, found[int(chance.random() * len(found))]
        assert last is not None, "a key without options was drawn"
        return last[0], last[1][-1]

    def draw_fitting(self, key: Any, chance: random.Random, beside: tuple[Any, ...]) -> Pick | None:
        """The words of one option with this key among those that may stand beside some words, if any does."""
        left, weights = self._fitted.get((key, beside)) or self._fitting(key, beside)
        return left[bisect(weights, chance.random() * weights[-1], 0, len(left) - 1)] if left else None

    def fits(self, key: Any, beside: tuple[Any, ...]) -> bool:
        """Whether any does."""
        known = self._fitted.get((key, beside))
        if known is not None:
            return bool(known[0])
        fits = self.known.describer.fitting(beside, self.known.world)
        return any(any(map(fits, found)) for _, _, found in self._members(key))

    def _fitting(self, key: Any, beside: tuple[Any, ...]) -> tuple[Sequence[Pick], Sequence[float]]:
        """Those options, and their weights added up."""
        fits = self.known.describer.fitting(beside, self.known.world)
        left = [
            ((relation, description), weight)
            for relation, weight, found in self._members(key)
            for description in found
            if fits(description)
        ]
        found = [pick for pick, _ in left], list(accumulate([weight for _, weight in left]))
        self._fitted[key, beside] = found
        return found

    def _members(self, key: Any) -> Sequence[_Group]:
        """The options with this key: relation, weight and descriptions of each group."""
        groups = self._groups.get(key)
        if groups is None:
            groups = self._groups[key] = list(self._sought(key))
        return groups

    def _sought(self, key: Any) -> Iterator[_Group]:
        goal, fine, everything = GOALS[self.goal], self.fine, self.known.world.objects
        groups = self.known.naming(self.needed, unnamed=self.unnamed)
        # Where only one subset gives this key, comparing is enough.
        one = key[0] if fine else 1 << key if self.goal == "unique" else key if self.goal == "set" else None
        for relation, scope in self.scopes:
            for denoted, descriptions in groups:
                subset = denoted & scope
                if (subset != one or (fine and denoted != key[1])) if one is not None else goal(subset) != key:
                    continue
                weight = self.trivial if relation is not None and subset == denoted else 1.0
                found: Sequence[Description] = descriptions
                if self.named and denoted == everything:
                    found = [description for description in descriptions if any(description)]
                if weight and found:
                    yield relation, weight, found

    def _weighed(self, unnamed: frozenset[str], needed: frozenset[str]) -> _Weights:
        """The number of options by key: those whose scope makes a difference, and those whose does not."""
        fine, key_of, counted = self.fine, GOALS[self.goal], self._counted(unnamed, needed)
        unique, zero = self.goal == "unique", self.goal != "set" or self.scopes[0][0] is None
        telling: dict[Any, float] = {}
        trivial: dict[Any, float] = {}
        for _, scope in self.scopes:
            for denoted, weight in counted:
                subset = denoted & scope
                if not subset:
                    if unique or not zero:
                        continue
                elif unique and subset & (subset - 1):
                    continue
                key = (subset, denoted) if fine else subset.bit_length() - 1 if unique else key_of(subset)
                table = trivial if subset == denoted else telling
                table[key] = table.get(key, 0.0) + weight
        return telling, trivial

    def _counted(self, unnamed: frozenset[str], needed: frozenset[str]) -> list[tuple[int, float]]:
        """Each set that can be denoted without naming some attributes, with the number of ways that may be said."""
        place = ("counted", unnamed, needed, self.named)
        found: list[tuple[int, float]] | None = self.known.tables.get(place)
        if found is None:
            bare = self.known.world.objects if self.named and not needed else None
            groups = self.known.naming(needed, unnamed=unnamed)
            sizes = [(bits, float(len(ways)) - (bits == bare)) for bits, ways in groups]
            found = self.known.tables[place] = [(bits, size) for bits, size in sizes if size]
        return found

    def _trivial(self, node: Describe, kept: Any, own: _Weights, share: float) -> float:
        """What a trivial option weighs, whatever must be named or not. own : the weights of the hole's own options"""
        place = ("trivial", node.goal, node.named, kept, share)
        weight: float | None = self.known.tables.get(place)
        if weight is None:
            fewer = node.unnamed or node.needed
            telling, trivial = self._weighed(frozenset(), frozenset()) if fewer else own
            weight = _trivial_weight(sum(telling.values()), sum(trivial.values()), share)
            self.known.tables[place] = weight
        return weight

    def _fancied(self, kept: int) -> int:
        """CLEVR's numbers: as many empty descriptions as others for `exist`, as single ones for counting."""
        if self.goal == "unique":
            return 0
        every = self.known.grouped(self.unnamed if self.known.fancied_open else frozenset())
        if self.goal == "exist":
            return sum([len(descriptions) for _, descriptions in every])
        return sum([len(descriptions) for bits, descriptions in every if (bits & kept).bit_count() == 1])


def _trivial_weight(telling: float, trivial: float, share: float) -> float:
    """What the trivial options must weigh so that they come out as a given share of all.

    CLEVR adds a random few of them; giving all of them a small weight makes each as likely as there.
    """
    return min(1.0, round(telling * share / (1 - share)) / trivial) if trivial else 0.0


def options(node: Describe, kept: Any, known: Descriptions, rules: Rules, *, fine: bool) -> Options:
    """The options of a hole for one value of its input, worked out once per world."""
    words = (node.unnamed, node.needed, node.named)
    place = (node.goal, node.relation is None, kept, words, fine, rules.trivial_share)
    table: Options | None = known.tables.get(place)
    if table is None:
        make = known.options or Options
        table = known.tables[place] = make(node, kept, known, fine=fine, trivial_share=rules.trivial_share)
    return table
