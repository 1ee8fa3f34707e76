"""Which parts can be taken for a line or a plane, and how lines and planes lie to each other (PTR, section 3.1).

Pairs of distant surface points are averaged into a line, triples into a plane; then more points tell whether most of
the part lies along it. Directions have no sense: a line that runs up also runs down. Parts of one name are judged
together, since who looks at four legs sees four lines or none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from mereo.errors import BadInput
from mereo.shapes.mesh import Floats, joined
from mereo.shapes.part import Part
from mereo.shapes.points import sample_mesh

__all__ = [
    "TOLERANCE_DEGREES",
    "GeometrySettings",
    "Line",
    "Plane",
    "Relation",
    "angle_between",
    "find_alike",
    "find_geometry",
    "relation",
]

Relation = Literal["perpendicular", "parallel"]

TOLERANCE_DEGREES = 11.5
"""How far from 0 or 90 degrees an angle may be, as in PTR."""


@dataclass(frozen=True)
class GeometrySettings:
    """When a part counts as a line or a plane."""

    samples: int = 1_000
    """Pairs or triples of points that are averaged."""
    checks: int = 2_500
    """Fresh points that are asked whether they conform."""
    distant: float = 0.5
    """The least distance of a pair, as a share of the longest seen."""
    wide: float = 0.3
    """The least area of a triple's triangle, as a share of the largest seen."""
    thickness: float = 0.1
    """How far off a point still conforms, as a share of the part's size: from a line, of the longest distance; from a
    plane, of the side of a square as large as the part. A board may thus be a fifth as thick as it is wide."""
    majority: float = 0.75
    """The share of points that must conform."""
    least: float = 0.5
    """The share of points of every single part that must conform where parts are judged together."""


@dataclass(frozen=True, eq=False)
class _Straight:
    """Where something straight lies.

    point : (3,) float, meters, in the middle of the part
    axis : (3,) float, unit, its largest component positive
    """

    point: Floats
    axis: Floats

    def moved(self, matrix: ArrayLike) -> Self:
        """The same under a rigid motion. matrix : (4, 4) float"""
        motion = np.asarray(matrix, np.float64)
        return type(self)(motion[:3, :3] @ self.point + motion[:3, 3], _upward(motion[:3, :3] @ self.axis))


class Line(_Straight):
    """A straight line along its axis."""

    @property
    def direction(self) -> Floats:
        """Its axis."""
        return self.axis


class Plane(_Straight):
    """A flat plane across its axis, such as a door, the ground or a wall."""

    @property
    def normal(self) -> Floats:
        """Its axis."""
        return self.axis


def find_geometry(
    part: Part, rng: np.random.Generator, *, settings: GeometrySettings | None = None
) -> Line | Plane | None:
    """What a part with negligible thickness would be: a line, else a plane, else neither.

    A part of several leaves is taken as one body, so give instances one by one: four legs are four lines.
    """
    chosen = settings or GeometrySettings()
    for kind in (Line, Plane):
        found, share = _fitted(part, kind, rng, chosen)
        if share >= chosen.majority:
            return found
    return None


def find_alike(
    parts: Sequence[Part],
    kind: type[Line] | type[Plane],
    rng: np.random.Generator,
    *,
    settings: GeometrySettings | None = None,
) -> list[Line | Plane]:
    """The line or plane of each of some parts that are alike; none where they are not of this kind taken together.

    One that hardly conforms, such as a drawer among doors, speaks for all of them.
    """
    chosen = settings or GeometrySettings()
    fitted = [_fitted(part, kind, rng, chosen) for part in parts]
    shares = [share for _, share in fitted]
    alike = np.mean(shares) >= chosen.majority and min(shares) >= chosen.least
    return [found for found, _ in fitted] if alike else []


def _fitted(
    part: Part, kind: type[Line] | type[Plane], rng: np.random.Generator, settings: GeometrySettings
) -> tuple[Line | Plane, float]:
    """The line or plane that fits a part best, and the share of its surface that conforms to it."""
    mesh, _ = joined([leaf.mesh for leaf in part.leaves() if leaf.mesh is not None])
    drawn, asked = np.split(sample_mesh(mesh, settings.samples + settings.checks, rng).points, [settings.samples])
    found: Line | Plane
    if kind is Line:
        found, size = _average_line(drawn, rng, settings)
        off = np.linalg.norm(np.cross(asked - found.point, found.axis), axis=1)
    else:
        found, size = _average_plane(drawn, rng, settings)
        off = np.abs((asked - found.point) @ found.axis)
    return found, float(np.mean(off <= settings.thickness * size))


def angle_between(one: Line | Plane, other: Line | Plane) -> float:
    """Degrees between them, from 0 to 90: 0 for a line that runs along a plane, 90 for one that pierces it squarely."""
    across = abs(float(one.axis @ other.axis))
    along = float(np.linalg.norm(np.cross(one.axis, other.axis)))
    angle = math.degrees(math.atan2(along, across))
    return angle if type(one) is type(other) else 90 - angle


def relation(
    one: Line | Plane, other: Line | Plane, *, tolerance_degrees: float = TOLERANCE_DEGREES
) -> Relation | None:
    """How two lines or planes lie to each other, if in either way; it does not matter which comes first."""
    if not 0 <= tolerance_degrees < 45:
        raise BadInput(f"the tolerance of a geometric relation lies from 0 to 45 degrees, not at {tolerance_degrees}")
    angle = angle_between(one, other)
    if angle <= tolerance_degrees:
        return "parallel"
    return "perpendicular" if angle >= 90 - tolerance_degrees else None


def _average_line(points: Floats, rng: np.random.Generator, settings: GeometrySettings) -> tuple[Line, float]:
    """The mean of lines through two distant points each, and the longest distance."""
    pairs, length = _spread(points, 2, _length, settings.distant, rng, settings.samples)
    directions = pairs[:, 1] - pairs[:, 0]
    return Line(pairs.mean((0, 1)), _average_axis(directions)), length


def _average_plane(points: Floats, rng: np.random.Generator, settings: GeometrySettings) -> tuple[Plane, float]:
    """The mean of planes through three distant points each, and the side of a square twice the largest triangle."""
    triples, area = _spread(points, 3, _area, settings.wide, rng, settings.samples)
    normals = np.cross(triples[:, 1] - triples[:, 0], triples[:, 2] - triples[:, 0])
    return Plane(triples.mean((0, 1)), _average_axis(normals)), math.sqrt(2 * area)


def _spread(
    points: Floats,
    size: int,
    measure: Callable[[Floats], Floats],
    share: float,
    rng: np.random.Generator,
    count: int,
) -> tuple[Floats, float]:
    """Random tuples of points that measure at least a share of the largest seen, which also comes back.

    points : (n, 3) float
    result : (count or fewer, size, 3) float, at least one
    """
    drawn = points[rng.integers(len(points), size=(20 * count, size))]
    measured = measure(drawn)
    largest = float(measured.max())
    return drawn[measured >= share * largest][:count], largest


def _length(pairs: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(pairs[:, 1] - pairs[:, 0], axis=1)
    return lengths


def _area(triples: Floats) -> Floats:
    cross = np.cross(triples[:, 1] - triples[:, 0], triples[:, 2] - triples[:, 0])
    areas: Floats = np.linalg.norm(cross, axis=1) / 2
    return areas


def _average_axis(vectors: Floats) -> Floats:
    """The mean of directions without sense: all are first turned to the side of the longest. (3,) float, unit"""
    lengths = np.linalg.norm(vectors, axis=1)
    axes = vectors / lengths[:, None]
    signs = np.where(axes @ axes[lengths.argmax()] < 0, -1.0, 1.0)
    mean = (axes * signs[:, None]).mean(0)
    return _upward(mean / np.linalg.norm(mean))


def _upward(axis: Floats) -> Floats:
    """The one of a direction and its opposite whose largest component is positive."""
    return axis if axis[np.abs(axis).argmax()] > 0 else -axis
