"""Slips of the pen: words that nobody knows, but for a letter."""

from __future__ import annotations

from functools import cache

__all__ = ["corrections"]

_SHORTEST = 3
"""Words with fewer letters are as they are."""
_LONG = 7
"""Words with so many letters may be two slips away."""


def corrections(word: str, known: frozenset[str], kept: frozenset[str]) -> tuple[str, ...]:
    """The known words nearest to one that is not known; none where it is too far off, or is a word of its own.

    kept : words that mean something else, however near they are
    """
    if len(word) < _SHORTEST or word in kept or word.isdigit():
        return ()
    farthest = 2 if len(word) >= _LONG else 1
    near: dict[int, list[str]] = {}
    for other in known:
        if len(other) >= _SHORTEST and abs(len(other) - len(word)) <= farthest:
            distance = _distance(word, other, farthest)
            if distance <= farthest and (distance < farthest or distance == 1 or other[0] == word[0]):
                near.setdefault(distance, []).append(other)
    if not near:
        return ()
    # Whoever slips in the middle of a word rarely does at its ends, which tell one from many.
    return tuple(sorted(near[min(near)], key=lambda other: (other[-1] != word[-1], other[0] != word[0], other)))


@cache
def _distance(one: str, other: str, most: int) -> int:
    """How many letters must be changed, added, left out or exchanged with their neighbor; above most it is far."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]
