"""Masks as COCO's compressed run lengths, reckoned with by pycocotools without ever becoming pixels.

A mask of 480x320 has some hundred runs and 153,600 pixels. pycocotools believes whatever it is given: letters that are
no run lengths, or do not fill the picture, lead it into memory that is not its own. So only `encode` and `read` make an
`Encoded`, and all else is made of such.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NewType

import numpy as np

from mereo.errors import MissingExtra
from mereo.masks.pixels import Pixels
from mereo.masks.runs import MOST_PIXELS, BadMask, Ints, joined, unpacked

__all__ = ["Encoded", "areas", "decode", "encode", "read", "shared", "shifted", "union"]

Encoded = NewType("Encoded", dict[str, Any])
"""`size`, height and width, and `counts`, COCO's letters, which are known to be right. As JSON it is what COCO has."""

_AT_ONCE = 300
"""Masks that are checked in one go: enough that numpy is not called too often, few enough for a processor's cache."""
_COUNTED = 255
"""Masks that pycocotools counts in one go: it has a byte for their number."""


def encode(mask: Pixels) -> Encoded:
    """A mask as COCO's compressed run lengths. mask : (height, width)"""
    return _encoded(_coco().encode(np.asfortranarray(mask, np.uint8)))


def decode(written: Mapping[str, Any]) -> Pixels:
    """(height, width): the mask that was encoded, by whomever."""
    mask = _sized(written, 0)
    height, width = mask["size"]
    lengths, _ = _lengths([mask], 0)
    return np.repeat(np.arange(len(lengths)) % 2 == 1, lengths).reshape(width, height).T


def read(written: Sequence[Mapping[str, Any]]) -> list[Encoded]:
    """Masks that somebody wrote as COCO's run lengths, compressed or not: `size` and `counts` of each are checked.

    Runs of no length, which nobody needs, are taken out. Raises `BadMask` for what is no mask.
    """
    found = [_sized(mask, place) for place, mask in enumerate(written)]
    for begin in range(0, len(found), _AT_ONCE):
        lengths, first = _lengths(found[begin : begin + _AT_ONCE], begin)
        nothing = lengths == 0
        nothing[first] = False
        gaps = np.flatnonzero(np.logical_or.reduceat(nothing, first)).tolist()
        parts = np.split(lengths, first[1:]) if gaps else []
        for place in gaps:
            size = found[begin + place]["size"]
            found[begin + place] = _packed(joined(np.cumsum(parts[place]), math.prod(size)), size)
    return found


def _sized(written: Mapping[str, Any], place: int) -> Encoded:
    """A mask of a size that can be, with counts that are letters."""
    size, counts = written.get("size"), written.get("counts")
    match size:
        case [int(height), int(width)] if height > 0 and width > 0 and height * width <= MOST_PIXELS:
            pixels = height * width
        case _:
            raise BadMask(f"must be height and width of a picture, not {size}", field="size", place=place)
    if isinstance(counts, str):
        return Encoded({"size": [height, width], "counts": counts})
    if not isinstance(counts, list) or not counts or not all(isinstance(one, int) and one >= 0 for one in counts):
        raise BadMask(place=place)
    if sum(counts) != pixels:
        raise _misfit(counts, pixels, place)
    return _packed(np.array(counts, np.int64), [height, width])


def _lengths(masks: Sequence[Encoded], begin: int) -> tuple[Ints, Ints]:
    """The lengths of runs of all masks, and where those of each begin; they are known to fill their pictures.

    begin : the place of the first one
    """
    lengths, first = unpacked([mask["counts"] for mask in masks], begin)
    negative = np.minimum.reduceat(lengths, first) < 0
    if negative.any():
        raise BadMask(place=begin + int(negative.argmax()))
    pixels = np.array([math.prod(mask["size"]) for mask in masks], np.int64)
    # No length counts for more than what is too much, so that no sum can come full circle.
    most = np.repeat(pixels + 1, np.diff(first, append=len(lengths)))
    misfit = np.add.reduceat(np.minimum(lengths, most), first) != pixels
    if misfit.any():
        place = int(misfit.argmax())
        raise _misfit(np.split(lengths, first[1:])[place].tolist(), int(pixels[place]), begin + place)
    return lengths, first


def _misfit(lengths: Sequence[int], pixels: int, place: int) -> BadMask:
    return BadMask(f"are run lengths of {sum(lengths):,} pixels, not of {pixels:,}", place=place)


def areas(masks: Sequence[Encoded]) -> Ints:
    """(n,) how many pixels each mask has."""
    if not masks:
        return np.empty(0, np.int64)
    area, begins = _coco().area, range(0, len(masks), _COUNTED)
    return np.concatenate([area(list(masks[begin : begin + _COUNTED])) for begin in begins]).astype(np.int64)


def shared(ones: Sequence[Encoded], others: Sequence[Encoded]) -> Ints:
    """(n,) how many pixels each mask has in common with its partner."""
    merge = _coco().merge
    return areas([merge(_alike(pair), True) for pair in zip(ones, others, strict=True)])


def union(masks: Sequence[Encoded], *, size: Sequence[int]) -> Encoded:
    """All pixels of several masks. size : height and width, for where there are none"""
    if not masks:
        return _packed(np.array([math.prod(size)]), list(size))
    return masks[0] if len(masks) == 1 else _encoded(_coco().merge(_alike(masks)))


def _alike(masks: Sequence[Encoded]) -> list[Encoded]:
    if any(mask["size"] != masks[0]["size"] for mask in masks):
        raise ValueError("masks of pictures of different size")
    return list(masks)


def shifted(masks: Sequence[Encoded], by: int) -> list[Encoded]:
    """Masks moved to the right by so many pixels, as far as they stay in the picture."""
    found = []
    for begin in range(0, len(masks), _AT_ONCE):
        some = masks[begin : begin + _AT_ONCE]
        lengths, first = unpacked([mask["counts"] for mask in some])
        for mask, own in zip(some, np.split(lengths, first[1:]), strict=True):
            height, pixels = mask["size"][0], math.prod(mask["size"])
            edges = np.cumsum(own)[: len(own) // 2 * 2] + by * height
            found.append(_packed(joined(np.clip(edges, 0, pixels), pixels), mask["size"]))
    return found


def _packed(lengths: Ints, size: Sequence[int]) -> Encoded:
    """Lengths that fill the picture, as letters."""
    return _encoded(_coco().frPyObjects([{"size": size, "counts": lengths}], *size)[0])


def _encoded(made: Mapping[str, Any]) -> Encoded:
    return Encoded({"size": list(made["size"]), "counts": made["counts"].decode()})


def _coco() -> Any:
    try:
        from pycocotools import mask
    except ImportError:
        raise MissingExtra("masks", "scenes") from None
    return mask
