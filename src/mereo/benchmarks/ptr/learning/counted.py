"""How many parts an object has, where who looks counted them besides finding them one by one.

Parts that touch are taken for one, and small ones are overlooked; but all pixels of an object have a say in how many
legs are seen of it. Where they are clear about that, it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from typing import Any

__all__ = ["as_counted"]

_CLEAR = 0.3
"""How far from a whole number one is at most who is clear about it."""

Parts = list[dict[str, Any]]


def as_counted(seen: Parts, faint: Parts, counts: Mapping[str, float]) -> tuple[Parts, Parts]:
    """The parts of an object that are seen and those that hardly are, as many as were counted.

    Where there are too few, the surest of those that hardly are seen are. Where there are none of these, those of the
    name that are there stand for others too, which look like them. Where there are too many, the least sure are hardly
    seen. None is left of a name only where none was found.
    """
    found: tuple[Parts, Parts] = ([], [])
    for name in dict.fromkeys(part["part"] for part in (*seen, *faint)):
        sure, unsure = ([part for part in some if part["part"] == name] for some in (seen, faint))
        number = _number(counts.get(name, 0.0), len(sure))
        every = [*_surest(sure), *_surest(unsure)]
        found[0].extend(islice(cycle(every), number))
        found[1].extend(every[number:])
    return found


def _number(counted: float, found: int) -> int:
    """Of how many one is clear, if that is any; else as many as were found."""
    return round(counted) if abs(counted - round(counted)) <= _CLEAR and round(counted) > 0 else found


def _surest(parts: Sequence[dict[str, Any]]) -> Parts:
    return sorted(parts, key=lambda part: -part["score"])
