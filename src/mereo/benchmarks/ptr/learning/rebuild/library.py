"""The shapes that one may take for what was seen: a prior over furniture, drawn from our grammars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.learning.rebuild.outline import outline_of
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.parts import ptr_part_names
from mereo.scenes.scene import ShapeRef
from mereo.shapes.mesh import Floats

__all__ = ["Library", "library", "shelved"]

FAMILIES = 300
"""Designs of each category, of those to train on. More are nearer to what is seen, and take longer to make."""


class Library(NamedTuple):
    """The shapes of one category as tables: f shapes, p names of parts."""

    names: tuple[str, ...]
    references: tuple[ShapeRef, ...]
    extent: Floats
    """(f, 3) float, meters."""
    pieces: NDArray[np.int64]
    """(f, p): how many parts of each name."""
    boxes: Floats
    """(f, p, 6) float: the box around all parts of a name; zeros where there are none."""


@lru_cache(maxsize=16)
def library(category: str, families: int = FAMILIES, seed: int = 0) -> Library:
    """One shape of each of the first families to train on that PTR takes for its category."""
    needed = NUMBERS["objects"]["needs"].get(category, ())
    references = [ShapeRef(category, seed, "train", family) for family in range(families)]
    return shelved(category, [one for one in references if outline_of(one)[0].reach.keys() >= set(needed)])


def shelved(category: str, references: Sequence[ShapeRef]) -> Library:
    """Some shapes as a library."""
    names = ptr_part_names(category)
    outlines = [outline_of(reference)[0] for reference in references]
    pieces = np.array([[one.pieces.get(name, 0) for name in names] for one in outlines]).reshape(-1, len(names))
    boxes = np.array([[one.reach.get(name, np.zeros(6)) for name in names] for one in outlines]).reshape(
        -1, len(names), 6
    )
    return Library(names, tuple(references), np.array([one.extent for one in outlines]), pieces, boxes)
