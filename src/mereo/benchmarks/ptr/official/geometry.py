"""Lines and planes as PTR's generator compares them, its defects included.

Two directions are at right angles if their dot product is less than 0.2, which is within 11.5 degrees, and alike if
they differ by less than 0.2. The second test minds the sign: a direction and its opposite, which are the same line or
plane, are not alike. A plane is given by its normal, so a line is parallel to a plane if the two directions are at
right angles, and perpendicular to it if they are alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from mereo.benchmarks.ptr.official.scene import Thing

__all__ = ["SURFACES", "Geometry", "Kind", "Relation", "count_of", "described", "is_flat", "matching", "related"]

Kind = Literal["line", "plane"]
Relation = Literal["perpendicular", "parallel"]

_TOLERANCE = 0.2
_NONE = 10_000.0
"""A number as large as this stands in the direction of a part that is neither a line nor a plane."""


class Geometry(NamedTuple):
    """A part as a line or a plane."""

    kind: Kind
    direction: tuple[Any, ...]
    """Three numbers, or a tuple with one tuple of them, just as the scene has it."""
    thing: int | None
    """The object it is a part of; None for a surface of the room."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """The three numbers."""
        return _unwrapped(self.direction)


SURFACES = {
    "ground": Geometry("plane", (0, 0, 1.0), None),
    "left wall": Geometry("plane", (1.0, 0, 0), None),
    "back wall": Geometry("plane", (0, 1.0, 0), None),
}
"""What may stand for a part in a program. There is no right wall."""


def described(thing: Thing, part: str, index: int) -> Geometry | None:
    """A part as a line or else as a plane, even if its numbers mean that it is neither."""
    for kind, directions in (("line", thing.lines), ("plane", thing.planes)):
        if part in directions:
            direction = tuple(tuple(n) if isinstance(n, list) else n for n in directions[part])
            return Geometry(kind, direction, index)  # type: ignore[arg-type]
    return None


def is_flat(vector: Any) -> bool:
    """Whether a part is a line or plane at all."""
    numbers = _unwrapped(vector)
    return max(numbers) < _NONE and min(numbers) > -_NONE


def related(one: Geometry, other: Geometry) -> Relation | None:
    """How two parts lie to each other.

    The generator's test for right angles also asks that the largest number of the second direction be exactly zero, as
    it is in (0, -1, 0) and in hardly any other. So two lines are found to be parallel, a line and a plane to be
    perpendicular, and nearly everything else to be neither. That a part is no line is seen by large numbers, not by
    large negative ones.
    """
    first, second = one.numbers, other.numbers
    across, alike = _named(one.kind == other.kind)
    found: Relation | None = None
    if _at_right_angles(first, second) and max(second) == 0 and max(first) < _NONE:
        found = across
    if _alike(first, second) and max(second) < _NONE and max(first) < _NONE:
        found = alike
    return found


def matching(thing: Thing, kind: Kind, relation: Relation, referent: Geometry) -> list[str]:
    """The parts of an object that are lines or planes and lie so to a referent, visible or not."""
    across, _ = _named(kind == referent.kind)
    fits = _at_right_angles if relation == across else _alike
    directions: Mapping[str, Any] = thing.lines if kind == "line" else thing.planes
    own = referent.numbers
    return [part for part, d in directions.items() if fits(own, _unwrapped(d)) and is_flat(d)]


def count_of(thing: Thing, parts: list[str]) -> int:
    """How many instances parts have: those that are counted, and one of each that is only visible."""
    return sum(thing.counts.get(part, int(part in thing.paints)) for part in parts)


def _named(same_kind: bool) -> tuple[Relation, Relation]:
    """What directions at right angles, and directions alike, mean for parts of the same or of different kinds."""
    return ("perpendicular", "parallel") if same_kind else ("parallel", "perpendicular")


def _unwrapped(vector: Any) -> tuple[float, ...]:
    return tuple(vector[0] if len(vector) == 1 else vector)


def _at_right_angles(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return abs(sum(a * b for a, b in zip(one, other, strict=True))) < _TOLERANCE


def _alike(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return math.dist(one, other) < _TOLERANCE
