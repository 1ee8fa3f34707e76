"""Choosing a few of many questions that show as much as a few can."""

from __future__ import annotations

from collections import Counter

from mereo.chance import generator
from mereo.datasets.asked import Asked

__all__ = ["spread"]


def spread(asked: Asked, count: int) -> list[int]:
    """So many places: of every type one, then of every type another, each about a scene that had the fewest so far.

    They follow from the questions alone, and a larger number begins with all of a smaller one.
    """
    scenes = asked.scenes.tolist()
    waiting: dict[tuple[str, str], list[int]] = {}
    kinds = [*zip(asked.words("type"), asked.words("subtype"), strict=True)]
    for place in generator(0, "spread").permutation(len(asked)).tolist():
        waiting.setdefault(kinds[place], []).append(place)
    used: Counter[int] = Counter()
    found: list[int] = []
    while len(found) < min(count, len(asked)):
        for kind in sorted(kind for kind, places in waiting.items() if places):
            best = min(waiting[kind], key=lambda place: used[scenes[place]])
            waiting[kind].remove(best)
            used[scenes[best]] += 1
            found.append(best)
    return found[:count]
