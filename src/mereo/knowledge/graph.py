"""Knowledge that can be looked things up in: what is said of a thing, and of which things something is true."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from heapq import nsmallest

from mereo.knowledge.item import Item, merged
from mereo.knowledge.relations import CATEGORY, TAXONOMY, relations

__all__ = ["HELD", "Knowledge", "MemoryKnowledge", "Named"]

Named = str | Collection[str] | None
"""A name, any of several, or whatever there is."""
HELD = (CATEGORY, TAXONOMY)
"""The relations along which a category's facts go down to what belongs to it."""


class Knowledge(ABC):
    """A graph of items. Where it lies makes no difference to its answers, which come in alphabetical order."""

    @abstractmethod
    def items(self, *, head: Named = None, relation: Named = None, tail: Named = None) -> tuple[Item, ...]:
        """All items with these heads, relations and tails, in order."""

    @abstractmethod
    def __len__(self) -> int:
        """How many items there are."""

    @abstractmethod
    def named(self, words: str, *, most: int) -> tuple[tuple[str, int], ...]:
        """The heads and tails that hold these words, with how many items each is in.

        What is exactly so comes first, then what begins so, then what is in more items. Names are in lower case.
        """

    def heads(self, relation: str, tail: str) -> tuple[str, ...]:
        """What a fact is stated of."""
        return tuple(item.head for item in self.items(relation=relation, tail=tail))

    def tails(self, head: str, relation: str) -> tuple[str, ...]:
        """What is stated of a thing."""
        return tuple(item.tail for item in self.items(head=head, relation=relation))

    def categories(self, entity: str) -> tuple[str, ...]:
        """What a thing is in everybody's words, the nearest first: its categories, theirs, and so on."""
        return tuple(self._reached(entity, (CATEGORY,)))

    def kinds(self, entity: str) -> tuple[str, ...]:
        """The same with the names of taxonomy."""
        return tuple(self._reached(entity, HELD))

    def satisfy(self, relation: str, tail: str) -> tuple[str, ...]:
        """All that a fact is true of: what it is stated of and, where it is inherited, all that belong to that."""
        found = new = set(self.heads(relation, tail))
        while new and relations()[relation].inherited:
            new = {item.head for item in self.items(relation=HELD, tail=sorted(new))} - found
            found = found | new
        return tuple(sorted(found))

    def _reached(self, entity: str, by: Sequence[str]) -> list[str]:
        """What lies above a thing, level by level."""
        found, level = [entity], [entity]
        while level:
            above = {item.tail for item in self.items(head=level, relation=by)}
            level = sorted(above.difference(found))
            found += level
        return found[1:]


class MemoryKnowledge(Knowledge):
    """Knowledge that fits into memory, with an index either way."""

    def __init__(self, items: Iterable[Item]):
        self._items = merged(items)
        self._of_head: dict[str, list[Item]] = defaultdict(list)
        self._of_tail: dict[str, list[Item]] = defaultdict(list)
        self._heads: dict[tuple[str, str], tuple[str, ...]] = {}
        for item in self._items:
            self._of_head[item.head].append(item)
            self._of_tail[item.tail].append(item)

    def items(self, *, head: Named = None, relation: Named = None, tail: Named = None) -> tuple[Item, ...]:
        """By the narrower of the two indices that can be used."""
        heads, wanted, tails = _names(head), _names(relation), _names(tail)
        if heads is not None:
            found = [item for name in heads for item in self._of_head.get(name, ())]
        elif tails is not None:
            found = [item for name in tails for item in self._of_tail.get(name, ())]
        else:
            found = list(self._items)
        return tuple(
            sorted(
                item
                for item in found
                if (wanted is None or item.relation in wanted) and (tails is None or item.tail in tails)
            )
        )

    def heads(self, relation: str, tail: str) -> tuple[str, ...]:
        """Looked up once, since questions ask the same again and again."""
        known = self._heads.get((relation, tail))
        if known is None:
            known = self._heads[relation, tail] = super().heads(relation, tail)
        return known

    def named(self, words: str, *, most: int) -> tuple[tuple[str, int], ...]:
        """By looking at every name."""
        found = ((name, count) for name, count in self._names.items() if words in name)
        order = nsmallest(most, found, key=lambda one: (one[0] != words, not one[0].startswith(words), -one[1], one[0]))
        return tuple(order)

    @cached_property
    def _names(self) -> Counter[str]:
        return Counter(name for item in self._items for name in {item.head, item.tail})

    def __len__(self) -> int:
        return len(self._items)


def _names(given: Named) -> frozenset[str] | None:
    return None if given is None else frozenset([given] if isinstance(given, str) else given)
