"""From tokens to meanings: each way in which the grammar allows them is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from mereo.questions.free.chart import Found, Reached, Rule, Taken, parsed
from mereo.questions.free.lexicon import Form
from mereo.questions.free.tokens import Cut

__all__ = ["Lost", "Meant", "meanings"]

_MOST = 24
"""How many meanings of one stretch are kept, the cheapest."""


class Lost(Exception):
    """There are too many ways to understand a sentence."""


class Meant(NamedTuple):
    """A meaning and what it costs: how far it is from the first that comes to mind."""

    cost: float
    value: Any


class _Several(tuple[Any, ...]):
    """What the children of a symbol mean that means nothing by itself."""


Action = Callable[..., Any]
"""Takes what the children of a rule mean, and gives a value, a pair of a value and its cost, or a list of these; None
where it makes no sense."""


def meanings(cut: Cut, actions: Mapping[str, Action], tries: Iterator[Any]) -> list[Meant]:
    """All that some tokens may mean, the cheapest first; `Lost` where that takes more tries than are left."""
    found = parsed(cut)
    return [] if found is None else _Walk(actions, tries).symbol(found)


class _Walk:
    """Works out the symbols that were found, each once."""

    def __init__(self, actions: Mapping[str, Action], tries: Iterator[Any]):
        self.actions, self.tries = actions, tries
        self.known: dict[Found, list[Meant]] = {}

    def symbol(self, found: Found) -> list[Meant]:
        """What a symbol may mean."""
        if found not in self.known:
            self.known[found] = []  # a symbol that is made of itself means nothing new
            costs: dict[Any, float] = {}
            for rule, end in sorted(_rules(found), key=_order):
                for children in self._children(end):
                    if next(self.tries, None) is None:
                        raise Lost
                    for cost, value in self._applied(rule, children):
                        costs[value] = min(cost, costs.get(value, cost))
            self.known[found] = sorted((Meant(cost, value) for value, cost in costs.items()), key=_cost)[:_MOST]
        return self.known[found]

    def _children(self, end: Reached) -> Iterator[tuple[Meant, ...]]:
        """Each combination of what the children of a rule may mean."""
        for children in _sequences(end):
            yield from product(*map(self._child, children))

    def _child(self, child: Found | Taken) -> Sequence[Meant]:
        if isinstance(child, Taken):
            return [Meant(0.0, value) for value in child.values]
        return self.symbol(child)

    def _applied(self, rule: Rule, children: tuple[Meant, ...]) -> Iterator[Meant]:
        values = [value for child in children for value in _told(child.value) if value is not None]
        cost = sum(child.cost for child in children)
        if rule.hands_on:
            yield Meant(cost, _Several(values))
            return
        if rule.meant_by is None:
            if len(values) == 1:
                yield Meant(cost, values[0])
            elif not values:
                yield Meant(cost, None)
            return
        action = self.actions[rule.meant_by]
        if not getattr(action, "agrees", False):
            values = [value for value in values if not isinstance(value, Form)]
        made = action(*values)
        for one in made if isinstance(made, list) else [made]:
            value, more = one if isinstance(one, tuple) and not hasattr(one, "_fields") else (one, 0.0)
            if value is not None:
                yield Meant(cost + more, value)


def _told(value: Any) -> Iterable[Any]:
    return value if isinstance(value, _Several) else (value,)


def _rules(found: Found) -> Iterator[tuple[Rule, Reached]]:
    """The rules by which a symbol was found, each with how its end was reached."""
    return ((rule, end) for end in found.ends for rule in end.place.ends)


def _sequences(end: Reached) -> Iterator[tuple[Found | Taken, ...]]:
    """The children of a rule in order, for each way in which its end was reached."""
    if not end.ways:
        yield ()
    for before, child in sorted(end.ways, key=_shortest_last):
        for children in _sequences(before):
            yield (*children, child)


def _shortest_last(way: tuple[Reached, Found | Taken]) -> int:
    """Of equally likely readings the one comes first whose words belong to those nearest before them."""
    return -way[0].end


def _order(made: tuple[Rule, Reached]) -> int:
    return made[0].order


def _cost(meant: Meant) -> float:
    return meant.cost
