"""Links: the rigid bodies of a shape that moves. What lies between two joints is one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mereo.errors import BadInput
from mereo.shapes.articulation import joints, posed
from mereo.shapes.draw import part_color
from mereo.shapes.joint import Joint, Vector
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.part import Part, Shape
from mereo.shapes.physical import MassProperties, collision_pieces, friction_of, mass_of, material_of
from mereo.shapes.solids import hull

__all__ = ["Body", "Limits", "Link", "digits", "links_of"]

_WITHOUT_BODY = MassProperties(1e-3, np.zeros(3), 1e-7 * np.eye(3))
"""What a link weighs that only joins two others: engines want to divide by it."""
_SLOWED = 2.0
"""By which share of its speed what moves is slowed in a second."""


class Body(NamedTuple):
    """A mesh of a link, in the link's frame, and the leaf that it shows or stands for when things collide."""

    name: str
    mesh: Mesh
    color: Floats
    """(4,) float: red, green, blue and how little light goes through, 0 to 1."""
    friction: float


class Limits(NamedTuple):
    """The range of a joint in radians or meters, and where it stands."""

    low: float
    high: float
    at: float


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body and the joint by which it moves against another; the shape is at rest."""

    name: str
    part: Part
    """What moves: the part with the joint, or the root."""
    leaves: tuple[Part, ...]
    """Those that belong to no link below it."""
    above: Link | None
    joint: Joint | None
    stands: float
    """Where the joint was left, degrees or meters."""
    colors: Mapping[str, Floats]
    """By label, (3,) float, 0 to 255."""

    @property
    def origin(self) -> Vector:
        """Where its frame lies: on its joint's axis, along the shape's axes. Shape's frame, meters."""
        return self.joint.origin if self.joint else (0.0, 0.0, 0.0)

    def offset(self) -> Floats:
        """(3,) float: from the frame of the link above to its own."""
        return np.subtract(self.origin, self.above.origin if self.above else (0.0, 0.0, 0.0))

    def limits(self) -> Limits:
        """The range of its joint; without end for what spins."""
        assert self.joint is not None
        share = 1.0 if self.joint.kind == "slide" else math.pi / 180
        return Limits(share * self.joint.low, share * self.joint.high, share * self.stands)

    @cached_property
    def seen(self) -> tuple[Body, ...]:
        """What is seen of it, a mesh for each leaf."""
        return tuple(self._body(f"leaf-{leaf.id}", leaf.mesh, leaf) for leaf in self.leaves if leaf.mesh)

    @cached_property
    def pieces(self) -> tuple[Body, ...]:
        """The convex pieces that it collides with."""
        found = collision_pieces(_together(self.leaves))
        return tuple(
            self._body(f"leaf-{self.leaves[place].id}-{number}", hull(corners).mesh(), self.leaves[place])
            for number, (place, corners) in enumerate(found)
        )

    def _body(self, name: str, mesh: Mesh, leaf: Part) -> Body:
        inside = Mesh.of(mesh.vertices - self.origin, mesh.faces)
        color = np.append(self.colors[leaf.label] / 255, 0.4 if material_of(leaf).name == "glass" else 1.0)
        return Body(name, inside, color, friction_of(leaf))

    def mass(self) -> MassProperties:
        """How its weight is spread, in its own frame."""
        if not self.leaves:
            return _WITHOUT_BODY
        mass, center, inertia = mass_of(_together(self.leaves))
        return MassProperties(mass, center - self.origin, inertia)

    def damping(self) -> float:
        """Newton seconds per meter, or newton meter seconds per radian, so that what is let go comes to rest."""
        assert self.joint is not None
        mass, center, inertia = mass_of(_together(tuple(self.part.leaves())))
        if self.joint.kind == "slide":
            return _SLOWED * mass
        axis, arm = np.asarray(self.joint.axis), center - self.origin
        about = axis @ inertia @ axis + mass * (arm @ arm - (arm @ axis) ** 2)
        return float(_SLOWED * about)


def _together(leaves: tuple[Part, ...]) -> Shape:
    return Shape("link", Part("link", leaves))


def links_of(shape: Shape) -> list[Link]:
    """The links of a shape at rest, each after the one that it moves against."""
    known = joints(shape)
    if not known:
        raise BadInput("has no joints: nothing in it moves", record=shape.name or shape.category)
    rest = posed(shape, dict.fromkeys(known, 0.0))
    labels = dict.fromkeys(leaf.label for leaf in rest.leaves())
    colors = {label: part_color(number) for number, label in enumerate(labels)}
    return list(_links(rest.root, None, {number: joint.at for number, joint in known.items()}, colors))


def _links(part: Part, above: Link | None, stands: Mapping[int, float], colors: Mapping[str, Floats]) -> Iterator[Link]:
    name = f"{part.name}_{part.id}" if above else "base"
    leaves = tuple(leaf for leaf in _fixed(part) if leaf.mesh is not None)
    here = Link(name, part, leaves, above, part.joint if above else None, stands.get(part.id, 0.0), colors)
    yield here
    for moving in _moving(part):
        yield from _links(moving, here, stands, colors)


def _fixed(part: Part) -> Iterator[Part]:
    """A part and those below it that do not move against it."""
    yield part
    for child in part.children:
        if child.joint is None:
            yield from _fixed(child)


def _moving(part: Part) -> Iterator[Part]:
    """The nearest parts below a part that move against it."""
    for child in part.children:
        if child.joint is not None:
            yield child
        else:
            yield from _moving(child)


def digits(values: Iterable[float]) -> str:
    """Numbers as models hold them."""
    return " ".join(f"{float(value):.9g}" for value in values)
