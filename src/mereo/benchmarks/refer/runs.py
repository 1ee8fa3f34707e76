"""Masks as runs, compared without ever becoming pixels.

A mask of 480x320 has some hundred runs and 153,600 pixels. COCO counts column by column; the counts are lengths of runs
of nothing and of something in turn, as numbers or packed into a string of printable characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput

__all__ = ["NOTHING", "Runs", "common", "packed", "read_counts", "shifted", "together"]

Ints = NDArray[np.int64]


class Runs(NamedTuple):
    """The stretches of pixels that belong to a mask, in COCO's order, none touching the next."""

    starts: Ints
    """(n,)"""
    ends: Ints
    """(n,), one past the last pixel."""

    @property
    def area(self) -> int:
        """How many pixels."""
        return int((self.ends - self.starts).sum())


NOTHING = Runs(np.empty(0, np.int64), np.empty(0, np.int64))


def read_counts(counts: str | Sequence[int], pixels: int) -> Runs:
    """The runs of a mask as COCO writes it. pixels : of the picture, which the counts must fill"""
    lengths = _unpacked(counts) if isinstance(counts, str) else np.asarray(counts, np.int64)
    if lengths.ndim != 1 or (len(lengths) and lengths.min() < 0) or int(lengths.sum()) != pixels:
        raise BadInput(f"are run lengths of {int(lengths.sum()):,} pixels, not of {pixels:,}", field="counts")
    ends = np.cumsum(lengths)
    starts, ends = ends[0:-1:2], ends[1::2]
    starts = starts[: len(ends)]
    there = ends > starts
    if not there.all():
        starts, ends = starts[there], ends[there]
    return _joined(starts, ends)


def _unpacked(text: str) -> Ints:
    """COCO's string: five bits a character, the lowest first, the sixth for more; from the third on differences."""
    try:
        letters = np.frombuffer(text.encode("ascii"), np.uint8).astype(np.int64) - 48
    except UnicodeEncodeError:
        raise BadInput("are not COCO's run lengths", field="counts") from None
    if not len(letters):
        return np.empty(0, np.int64)
    if letters.min() < 0 or letters.max() > 63 or letters[-1] & 32:
        raise BadInput("are not COCO's run lengths", field="counts")
    last = np.flatnonzero(letters & 32 == 0)
    first = np.concatenate([[0], last[:-1] + 1])
    place = np.arange(len(letters)) - np.repeat(first, last - first + 1)
    if place.max() > 11:
        raise BadInput("are not COCO's run lengths", field="counts")
    numbers = np.add.reduceat((letters & 31) << (5 * place), first)
    negative = letters[last] & 16 != 0
    numbers -= negative * (np.int64(1) << (5 * (last - first + 1)))
    numbers[1::2] = np.cumsum(numbers[1::2])
    numbers[2::2] = np.cumsum(numbers[2::2])
    return numbers


def packed(runs: Runs, pixels: int) -> str:
    """A mask as COCO's string."""
    edges = np.stack([runs.starts, runs.ends], 1).ravel()
    lengths = np.diff(np.concatenate([[0], edges, [pixels]]))
    if len(lengths) > 1 and not lengths[-1]:
        lengths = lengths[:-1]
    changes = lengths.copy()
    changes[3:] -= lengths[1:-2]
    letters = bytearray()
    for number in changes.tolist():
        more = True
        while more:
            bits = number & 31
            number >>= 5
            more = number != -1 if bits & 16 else number != 0
            letters.append((bits | 32 if more else bits) + 48)
    return letters.decode()


def common(one: Runs, other: Runs) -> int:
    """How many pixels two masks share."""
    if not len(one.starts) or not len(other.starts):
        return 0
    before = np.concatenate([[0], np.cumsum(one.ends - one.starts)])
    return int((_below(one, before, other.ends) - _below(one, before, other.starts)).sum())


def _below(runs: Runs, before: Ints, places: Ints) -> Ints:
    """How many pixels of a mask come before each place. before : how many come before each run"""
    run = np.searchsorted(runs.starts, places, side="right") - 1
    inside = np.minimum(places, runs.ends[run]) - runs.starts[run]
    counted: Ints = np.where(run >= 0, before[run] + inside, 0)
    return counted


def together(masks: Sequence[Runs]) -> Runs:
    """All pixels of several masks."""
    if not masks:
        return NOTHING
    if len(masks) == 1:
        return masks[0]
    starts, ends = (np.concatenate(edges) for edges in zip(*masks, strict=True))
    order = np.argsort(starts, kind="stable")
    return _joined(starts[order], np.maximum.accumulate(ends[order]) if len(ends) else ends)


def _joined(starts: Ints, ends: Ints) -> Runs:
    """Runs of which some touch or overlap, made one. starts, ends : both ascending"""
    if len(starts) < 2:
        return Runs(starts, ends)
    apart = starts[1:] > ends[:-1]
    if apart.all():
        return Runs(starts, ends)
    return Runs(starts[np.concatenate([[True], apart])], ends[np.concatenate([apart, [True]])])


def shifted(runs: Runs, by: int, *, width: int, height: int) -> Runs:
    """A mask moved to the right, as far as it stays in the picture."""
    starts, ends = runs.starts + by * height, runs.ends + by * height
    starts, ends = np.clip(starts, 0, width * height), np.clip(ends, 0, width * height)
    return Runs(starts[ends > starts], ends[ends > starts])
