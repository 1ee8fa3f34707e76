"""Which pixels of a scene row's picture show which entity.

The id picture of a row tells for every pixel which part instance it shows, counted from 1, and 0 for none; the instance
key tells of which object each instance is a part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.columns import key_of
from mereo.masks import Pixels

__all__ = ["masks_in", "masks_of", "object_instances", "overlaid"]


def masks_of(row: Mapping[str, Any], instances: int | Sequence[Sequence[int]]) -> list[Pixels] | None:
    """For each entity what is visible of it, (height, width); None where the row has no id picture.

    instances : for each entity the numbers of the part instances that show it; or how many entities there are, where
        object k of the instance key is entity k
    """
    if not row.get("instances"):
        return None
    from mereo.datasets.pictures import decode_png

    shown = object_instances(row, instances) if isinstance(instances, int) else instances
    return masks_in(decode_png(row["instances"]["bytes"]), shown)


def masks_in(ids: NDArray[Any], instances: Sequence[Sequence[int]]) -> list[Pixels]:
    """For each entity which pixels show one of its instances. ids : (height, width)"""
    places = ids.astype(np.intp)  # once, and not for every entity
    most = max((int(ids.max(initial=0)), *(max(numbers, default=0) for numbers in instances)))
    masks = []
    for numbers in instances:
        shows = np.zeros(most + 1, bool)
        shows[list(numbers)] = True
        masks.append(shows[places])
    return masks


def overlaid(masks: Sequence[Pixels]) -> tuple[NDArray[np.uint16], list[list[int]]]:
    """Masks that may overlap as one id picture (height, width), and for each mask the numbers that show it.

    Pixels that the same masks show are one instance, so nothing is lost: `masks_in` gives the masks back.
    """
    if not len(masks):
        raise ValueError("no masks have no size")
    flat = np.stack([mask.ravel() for mask in masks]).astype(bool)
    kinds, inverse = np.unique(np.packbits(flat, axis=0), axis=1, return_inverse=True)
    ids = inverse.ravel() + int(kinds[:, 0].any())  # what no mask shows comes first, if there is such
    if ids.max(initial=0) > np.iinfo(np.uint16).max:
        raise ValueError(f"{len(masks)} masks overlap in more ways than can be numbered")
    return ids.reshape(masks[0].shape).astype(np.uint16), [np.unique(ids[mask]).tolist() for mask in flat]


def object_instances(row: Mapping[str, Any], count: int) -> list[list[int]]:
    """For each of so many objects the numbers of its part instances."""
    owners = [owner for owner, _, _ in key_of(row)]
    return [[place + 1 for place, owner in enumerate(owners) if owner == number] for number in range(count)]
