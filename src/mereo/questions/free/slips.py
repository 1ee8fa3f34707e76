"""Slips of the pen: words that nobody knows, but for a letter, or that are written as they sound."""

from __future__ import annotations

from functools import lru_cache

from mereo.questions.free.english import ENGLISH

__all__ = ["corrections", "sounding_alike"]

_KEPT = 1 << 16
"""Results that are kept at most: a server hears words of strangers without end."""
_SHORTEST = 3
"""Words with fewer letters are as they are."""
_LONG = 7
"""Words with so many letters may be two slips away."""
_SOUNDED = 4
"""Words with fewer letters sound like too many others; those with as many must sound just so."""
_NEAR, _FAR = 0.5, 1.0
"""How far a word may be by its sounds from the one that is meant, and how far a long one."""
_SOUNDS: tuple[tuple[str, str], ...] = tuple(map(tuple, ENGLISH["sounds"]["alike"]))
"""Letters, and the sound that they are written for; the first first."""
_VOWELS = frozenset(ENGLISH["sounds"]["vowels"])
_SILENT, _SEVERAL = ENGLISH["sounds"]["silent"]


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


def sounding_alike(word: str, known: frozenset[str], kept: frozenset[str], *, exactly: bool) -> tuple[str, ...]:
    """The known words that sound nearest to one that is written by ear: "menny", "sfere"; none where it is too far off.

    kept : words that mean something else, however near they are
    exactly : whether only words will do that sound just so
    """
    heard = _heard(word)
    if len(word) < _SOUNDED or word in kept or not word.isalpha():
        return ()
    farthest = 0.0 if exactly or len(word) == _SOUNDED else _FAR if len(word) >= _LONG else _NEAR
    near: dict[float, list[str]] = {}
    for other in known:
        sounds = _heard(other)
        if len(other) >= _SHORTEST and sounds[0] == heard[0] and abs(len(sounds) - len(heard)) <= farthest:
            distance = _unlike(heard, sounds)
            if distance <= farthest:
                near.setdefault(distance, []).append(other)
    return tuple(sorted(near[min(near)])) if near else ()


@lru_cache(_KEPT)
def _heard(word: str) -> str:
    """A word by its sounds: letters that sound alike as one, none said twice, and none at the end that is silent."""
    for written, sound in _SOUNDS:
        word = word.replace(written, sound)
    once = "".join(letter for place, letter in enumerate(word) if letter != word[place - 1 : place])
    several = once.removesuffix(_SEVERAL)
    short = len(once) <= _SHORTEST
    return once if short else once.removesuffix(_SILENT) if several == once else several + _SEVERAL[-1]


@lru_cache(_KEPT)
def _unlike(one: str, other: str) -> float:
    """How far words are apart by their sounds: a vowel in the place of another is half as far as another sound."""
    last = [float(length) for length in range(len(other) + 1)]
    for i, sound in enumerate(one, 1):
        row = [float(i)]
        for j, wanted in enumerate(other, 1):
            vowels = sound in _VOWELS and wanted in _VOWELS
            changed = 0.0 if sound == wanted else 0.5 if vowels else 1.0
            row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + changed))
        last = row
    return last[-1]


@lru_cache(_KEPT)
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
