"""Own shapes among PTR's objects: which of them it can use, and how they are drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.parts import ptr_categories, ptr_parts
from mereo.errors import BadInput
from mereo.shapes.objects import OwnShapes, read_objects
from mereo.shapes.part import Shape

__all__ = ["drawn_own", "ptr_objects", "told_own"]


def ptr_objects(path: Path, wanted: Mapping[str, Sequence[str]]) -> tuple[OwnShapes, ...]:
    """The own shapes of a TOML file. wanted : by split the categories of its objects, all where none is named"""
    from mereo.shapes.grammar import SPLITS

    weights = {split: len(SPLITS[split]) for split in NUMBERS["objects"]["families"]}
    groups = read_objects(path, categories=ptr_categories(), weights=weights, check=_fault)
    for group in groups:
        for split, categories in wanted.items():
            if (not categories or group.category in categories) and not group.shapes.get(split):
                reason = f"no {group.category} is left for {split}: give more, or say which belong to it"
                raise BadInput(reason, file=path, field=f"objects.{group.group}.splits")
    return groups


def _fault(shape: Shape) -> str | None:
    """Why PTR cannot ask about a shape, if it cannot."""
    names, least = list(ptr_parts(shape)), NUMBERS["view"]["names"]
    if len(names) >= least:
        return None
    return f"has {' and '.join(names) or 'none'} of the parts that PTR asks about, and must have {least} kinds of them"


def drawn_own(own: Sequence[OwnShapes], category: str, split: str, rng: np.random.Generator) -> str | None:
    """The name of an own shape as often as its group's share says; None where the grammar is to make one."""
    groups = [group for group in own if group.category == category]
    if not groups:
        return None  # without a draw, so that what has no own shapes is as it was
    among = np.cumsum([group.share for group in groups])
    at = int(np.searchsorted(among, rng.random(), side="right"))
    if at == len(groups):
        return None
    names = groups[at].shapes[split]
    return names[int(rng.integers(len(names)))]


def told_own(own: Sequence[OwnShapes]) -> str:
    """Own shapes in a few words, which differ where anything about them does."""
    names = {name for group in own for names in group.shapes.values() for name in names}
    digits = hashlib.sha256(msgspec.json.encode(own, order="sorted")).hexdigest()[:16]
    return f"{len(names)} shapes ({digits})"
