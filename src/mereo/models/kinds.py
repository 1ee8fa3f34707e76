"""What the parts of a model hand to each other.

b examples, n words, m cells of memory, d numbers each.
"""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

__all__ = ["Batch", "Lesson", "Memory", "Question", "Thought"]

Batch = dict[str, Tensor]
"""Examples by field, on one device. Which fields there are, and what they mean, stands in `training/fields.py`."""


class Question(NamedTuple):
    """Words that were read."""

    words: Tensor
    """(b, n, d): what each word means here."""
    whole: Tensor
    """(b, d): what they say together."""
    present: Tensor
    """(b, n) bool: which words there are; the others only fill up."""


class Memory(NamedTuple):
    """What can be looked at: cells of a picture, regions, slots, items of knowledge."""

    cells: Tensor
    """(b, m, d)"""
    present: Tensor
    """(b, m) bool"""
    grid: tuple[int, int] | None = None
    """Rows and columns, where the cells are those of a picture, row by row."""


class Thought(NamedTuple):
    """What a reasoner came to."""

    vector: Tensor
    """(b, d)"""
    attention: Tensor | None = None
    """(b, s, m): where it looked in each of its s steps; sums to 1 over the cells."""
    read: Tensor | None = None
    """(b, s, n): which words it chose in each of them; sums to 1 over the words."""


class Lesson(NamedTuple):
    """What a network made of a batch while it learns."""

    losses: dict[str, Tensor]
    """Numbers that are to become small, by name; learning descends their sum."""
    marks: dict[str, Tensor]
    """How well it did, by name: shares from 0 to 1 that are shown, and not learned from."""
