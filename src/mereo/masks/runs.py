"""Masks as lengths of runs: of nothing and of something in turn, nothing first.

COCO counts column by column, CLEVR-Ref+ row by row. COCO packs the lengths into letters, which are unpacked here for
many masks in one go, because whoever hands letters to pycocotools must know that they fill the picture.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput
from mereo.masks.pixels import Pixels

__all__ = [
    "MOST_PIXELS",
    "BadMask",
    "Ints",
    "counts_of",
    "joined",
    "mask_of_row_runs",
    "row_lengths",
    "row_runs",
    "unpacked",
]

Ints = NDArray[np.int64]

MOST_PIXELS = 1 << 26
"""Of the largest picture: of larger ones pycocotools may write a letter more than it has room for."""
_LONGEST = 6
"""Letters that one number may have: as many as 29 bits and a sign take."""


def counts_of(mask: Pixels) -> list[int]:
    """A mask as COCO's uncompressed counts: lengths of runs, column by column."""
    lengths: list[int] = _lengths(mask.ravel(order="F")).tolist()
    return lengths


def row_runs(mask: Pixels) -> str:
    """A mask as CLEVR-Ref+ writes it: lengths of runs, row by row, with commas between them."""
    return ",".join(map(str, _lengths(mask.ravel()).tolist()))


def _lengths(flat: Pixels) -> Ints:
    edges = np.flatnonzero(np.diff(flat, prepend=False))
    return np.diff(edges, prepend=0, append=flat.size)


def row_lengths(text: str) -> list[int]:
    """The lengths of runs that CLEVR-Ref+ wrote."""
    try:
        return [int(length) for length in text.split(",")]
    except (ValueError, AttributeError):
        raise BadInput("must be run lengths, as '12,3,4'") from None


def mask_of_row_runs(text: str, *, width: int, height: int) -> Pixels:
    """(height, width): the mask that CLEVR-Ref+ wrote."""
    lengths = row_lengths(text)
    if width * height > MOST_PIXELS:
        raise BadInput(f"is of {width}x{height} pixels, more than the {MOST_PIXELS:,} that a mask may have")
    if min(lengths) < 0 or sum(lengths) != width * height:
        raise BadInput(f"covers {sum(lengths)} pixels, the picture has {width * height}")
    return np.repeat(np.arange(len(lengths)) % 2 == 1, lengths).reshape(height, width)


class BadMask(BadInput):
    """What was to be read is no mask."""

    def __init__(self, reason: str = "are not COCO's run lengths", *, field: str = "counts", place: int):
        super().__init__(reason, field=field)
        self.place = place
        """Which of those that were read."""


def unpacked(texts: Sequence[str], begin: int = 0) -> tuple[Ints, Ints]:
    """The lengths of runs of all masks in COCO's letters, and where those of each begin; some may be negative.

    A letter has five bits of a number, the lowest come first, and a sixth bit says that more follow. The last letter
    brings the sign. From the fourth number on, what is written is the difference to the length two before.

    begin : the place of the first mask, for complaints
    """
    for place, text in enumerate(texts):
        if not text or not text.isascii():
            raise BadMask(place=begin + place)
    sizes = np.array([len(text) for text in texts], np.int64)
    ends = np.cumsum(sizes)
    letters = np.frombuffer("".join(texts).encode(), np.uint8) - np.uint8(48)
    last = np.flatnonzero(letters < 32)
    width = np.diff(last, prepend=-1)
    bad = letters > 63
    bad[ends - 1] |= letters[ends - 1] > 31
    bad[last[width > _LONGEST]] = True
    if bad.any():
        raise BadMask(place=begin + int(np.searchsorted(ends, bad.argmax(), side="right")))
    numbers = (letters[last].astype(np.int64) ^ 16) - 16
    for back in range(1, int(width.max(initial=1))):
        longer = np.flatnonzero(width > back)
        numbers[longer] = 32 * numbers[longer] + (letters[last[longer] - back] & 31)
    first = np.searchsorted(last, ends - sizes)
    return _summed(numbers, first), first


def _summed(numbers: Ints, first: Ints) -> Ints:
    """Lengths from differences. first : where each mask begins"""
    lengths = np.empty_like(numbers)
    for side in (0, 1):
        lengths[side::2] = np.cumsum(numbers[side::2])
    # So far the sums go through all masks. In each, those of its second number, its fourth and so on begin after the
    # last number of the mask before; those of its third and so on begin after its first, which stands alone.
    own, before = lengths[first], np.where(first > 0, lengths[first - 1], 0)
    ends = np.append(first[1:], len(numbers))
    for side in (0, 1):
        many = (ends + 1 - side) // 2 - (first + 1 - side) // 2
        lengths[side::2] -= np.repeat(np.where(first % 2 == side, own, before), many)
    lengths[first] = numbers[first]
    return lengths


def joined(edges: Ints, pixels: int) -> Ints:
    """The lengths of runs between edges, each of which turns the mask on or off. Two at one place undo each other.

    edges : (n,) pixels before each, 0 to all of the picture, in any order
    """
    places, times = np.unique(edges, return_counts=True)
    kept: Ints = places[(times % 2 == 1) & (places < pixels)]
    return np.diff(kept, prepend=0, append=pixels)
