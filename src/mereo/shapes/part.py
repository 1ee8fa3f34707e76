"""A shape: one object as a tree of named parts whose leaves carry meshes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from mereo.shapes.joint import Joint
from mereo.shapes.mesh import Floats, Mesh, joined

__all__ = ["Part", "Shape"]


@dataclass(frozen=True, eq=False)
class Part:
    """A node of the tree: an inner part is made of its children, a leaf has a mesh."""

    name: str
    children: tuple[Part, ...] = ()
    mesh: Mesh | None = None
    pieces: tuple[Floats, ...] = ()
    """Convex pieces for collision, each as its (k, 3) corners; the shape's frame."""
    label: str = ""
    """The path of names from the root: `chair/chair_base/regular_leg_base/leg`."""
    id: int = -1
    """Its number within the shape, in the order of a walk from the root."""
    joint: Joint | None = None
    """How it moves against the part above it, if it does."""
    material: str = ""
    """What it is made of, where its maker chose; else its label tells (`physical.material_of`)."""

    def walk(self) -> Iterator[Part]:
        """This part and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self) -> Iterator[Part]:
        """The parts with meshes, this one or those below it."""
        return (part for part in self.walk() if part.mesh is not None)


@dataclass(frozen=True, eq=False)
class Shape:
    """One object: meters, z up, front towards -y, resting on z = 0."""

    category: str
    root: Part
    name: str = ""
    """What tells it from others of its category, such as `train-000012-3`."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """How it came about: family, split, choices."""

    @staticmethod
    def of(category: str, root: Part, *, name: str = "", facts: Mapping[str, Any] | None = None) -> Shape:
        """A shape whose parts are labeled and numbered by their place in the tree."""
        return Shape(category, _numbered(root, "", iter(range(1 << 30))), name, facts or {})

    def parts(self) -> Iterator[Part]:
        """All parts, parents first."""
        return self.root.walk()

    def leaves(self) -> list[Part]:
        """The parts with meshes, in order."""
        return list(self.root.leaves())

    def mesh(self) -> Mesh:
        """The whole surface."""
        return joined([leaf.mesh for leaf in self.leaves() if leaf.mesh is not None])[0]

    def bounds(self) -> Floats:
        """(2, 3) float: the lowest and the highest corner of the axis-aligned box."""
        return self._bounds

    @cached_property
    def _bounds(self) -> Floats:
        boxes = np.stack([leaf.mesh.bounds() for leaf in self.leaves() if leaf.mesh is not None])
        bounds = np.stack([boxes[:, 0].min(0), boxes[:, 1].max(0)])
        bounds.flags.writeable = False
        return bounds

    def __repr__(self) -> str:
        return f"{self.name or self.category}: {len(list(self.parts()))} parts, {len(self.leaves())} of them leaves"

    def __str__(self) -> str:
        """The tree of its parts, a line each."""
        lines = [f"{'  ' * part.label.count('/')}{part.id} {part.name}" for part in self.parts()]
        return "\n".join(lines)

    def _repr_png_(self) -> bytes:
        """How a notebook shows it: from the front and a little above, each kind of part in a color of its own."""
        from mereo.shapes.draw import draw_shape, png

        return png(draw_shape(self, clear=True))


def _numbered(part: Part, above: str, numbers: Iterator[int]) -> Part:
    label = f"{above}/{part.name}" if above else part.name
    number = next(numbers)
    return replace(
        part, label=label, id=number, children=tuple(_numbered(child, label, numbers) for child in part.children)
    )
