"""What is known of an object in three dimensions: how large it is, and where its parts lie in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mereo.benchmarks.ptr.parts import ptr_parts
from mereo.scenes.assemble import kept_of, shape_of
from mereo.scenes.scene import ShapeRef
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part

__all__ = ["Outline", "outline_of"]


class Outline(NamedTuple):
    """An object by boxes, in its own frame: front towards -y, z up, meters; the middle of its own box is the origin."""

    extent: Floats
    """(3,) float: the sides of its box."""
    reach: Mapping[str, Floats]
    """By name of its parts (6,) float: the lower and the upper corner of the box around all of that name."""
    pieces: Mapping[str, int]
    """How many there are of each."""

    def scaled(self, scale: float) -> Outline:
        """The same object at another size."""
        return Outline(scale * self.extent, {name: scale * box for name, box in self.reach.items()}, self.pieces)


@lru_cache(maxsize=8192)
def outline_of(reference: ShapeRef) -> tuple[Outline, Floats]:
    """The outline of a shape, and the middle of its box in the frame of the shape, whose origin is at its foot."""

    def plain() -> dict[str, Any]:
        shape = shape_of(reference)
        low, high = _corners([shape.root])
        middle, named = (low + high) / 2, ptr_parts(shape)
        reach = {name: np.concatenate(_corners(each)) - np.tile(middle, 2) for name, each in named.items()}
        pieces = {name: len(each) for name, each in named.items()}
        return {"extent": high - low, "middle": middle, "reach": reach, "pieces": pieces}

    found = kept_of(reference, "outline", plain, code=Path(__file__).parent)
    return Outline(found["extent"], found["reach"], found["pieces"]), found["middle"]


def _corners(parts: Sequence[Part]) -> tuple[Floats, Floats]:
    """The lower and the upper corner of the box around some parts."""
    leaves = [leaf for part in parts for leaf in part.leaves()]
    points = np.concatenate([leaf.mesh.vertices for leaf in leaves if leaf.mesh is not None])
    return points.min(0), points.max(0)
