"""Sets of entities as Python integers: bit i set means entity i is a member."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["bits_of", "members"]


def bits_of(indices: Iterable[int]) -> int:
    """The set that holds these entity indices."""
    bits = 0
    for index in indices:
        bits |= 1 << index
    return bits


def members(bits: int) -> list[int]:
    """The entity indices in a set, ascending."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
