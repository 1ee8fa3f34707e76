"""One piece of knowledge, and how pieces of it become one."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

__all__ = ["Item", "merged", "normalized"]

_UNITS = 1_000_000
"""Weights are added up as whole millionths: a sum of floats depends on the order, and the order of a dump is chance."""


class Item(msgspec.Struct, frozen=True, order=True):
    """Head, relation and tail, as in `fork, UsedFor, lift food`; who says so, and how much is to be said for it."""

    head: str
    relation: str
    tail: str
    source: str = ""
    weight: float = 1.0


def normalized(text: str) -> str:
    """A name or phrase as all are written here: lower case, words apart by one space."""
    return " ".join(text.replace("_", " ").lower().split())


def merged(items: Iterable[Item]) -> tuple[Item, ...]:
    """Each fact once, in order, with the weights of all that say it. Of several sources it names the first by name."""
    found: dict[tuple[str, str, str], tuple[int, str]] = {}
    for item in items:
        key, units = (item.head, item.relation, item.tail), round(item.weight * _UNITS)
        before = found.get(key)
        found[key] = (before[0] + units, min(before[1], item.source)) if before else (units, item.source)
    return tuple(Item(*key, source, units / _UNITS) for key, (units, source) in sorted(found.items()))
