"""What is known as items without any blank, complete and closed: as CRIC's own files hold it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from mereo.benchmarks.cric.lore import BLANK, EVENTS, Lore, Query, closed_lore

__all__ = ["WholeItem", "items_of_lore", "lore_of_whole_items"]

WholeItem = tuple[str, str, str]
"""Head, relation and tail."""


def items_of_lore(lore: Lore, names: Iterable[str]) -> list[WholeItem]:
    """All that is surely known of these names, item by item, in an order that never changes."""
    wanted = frozenset(names)
    found = {(name, "IsA", category) for category, held in lore.categories.items() for name in held.true & wanted}
    for query, held in lore.facts.items():
        for name in held.true & wanted:
            head, tail = (end.replace(BLANK, name) for end in (query.head, query.tail))
            found.add((head, query.relation, tail))
    return sorted(found)


def lore_of_whole_items(items: Iterable[WholeItem], names: Iterable[str]) -> Lore:
    """What items tell that are complete and closed, word by word: `items_of_lore` gives them, and so does CRIC.

    A query is filled by a name if the item with this name in its blank is there. Nothing is inherited.
    """
    wanted = frozenset(names)
    facts: dict[Query, set[str]] = defaultdict(set)
    categories: dict[str, set[str]] = defaultdict(set)
    for head, relation, tail in items:
        if relation == "IsA":
            categories[tail].add(head)
        elif relation not in EVENTS:
            facts[Query(BLANK, relation, tail)].add(head)
        else:
            words = tail.split()
            for first, last in combinations(range(len(words) + 1), 2):
                name = " ".join(words[first:last])
                if name in wanted:
                    opened = " ".join((*words[:first], BLANK, *words[last:]))
                    facts[Query(head, relation, opened)].add(name)
    return closed_lore(facts, categories, wanted)
