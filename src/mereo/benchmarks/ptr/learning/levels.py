"""What is told of the objects and of the parts in PTR's pictures."""

from __future__ import annotations

from collections.abc import Mapping

from mereo.benchmarks.ptr.learning.rebuild.numbers import (
    LEANS,
    OBJECT_NUMBERS,
    OBJECT_WORDS,
    PART_NUMBERS,
    TURNS,
    UPRIGHT,
)
from mereo.benchmarks.ptr.parts import ptr_categories, ptr_part_names
from mereo.benchmarks.ptr.world import VOCABULARY
from mereo.training.seeing import Level, Mirror

__all__ = ["AXES", "LEVELS", "NEITHER", "PARTS_OF"]

NEITHER = "none"
"""The geometry of a part that is neither a line nor a plane. In true words it has none."""
AXES = {"line": "direction", "plane": "normal"}
"""What the record of a line and of a plane calls its axis."""

_SIDES = {"left": "right", "right": "left"}


def _opposite(degrees: str, axis: int) -> str:
    """An angle on the other side of an axis, which is an angle as well."""
    return degrees if degrees == UPRIGHT else str((2 * axis - int(degrees)) % 360)


_OBJECTS_MIRRORED = Mirror(
    words={
        "turned": tuple(_opposite(degrees, 0) for degrees in TURNS),
        "leaning": tuple(_opposite(degrees, 90) for degrees in LEANS),
        "change": tuple(_SIDES.get(side, side) for side in VOCABULARY.words("change")),
    },
    numbers=dict.fromkeys(("place", "support", "middle"), (-1, 2, 3)) | {"room": (2, 1, 3, -4)},
)
_PARTS_MIRRORED = Mirror(
    numbers={"axis": (1, 2, 3, -4, -5, 6), "own_axis": (1, 2, 3, -4, -5, 6), "reach": (-4, 2, 3, -1, 5, 6)}
)

LEVELS: Mapping[str, Level] = {
    "object": Level(
        words={name: VOCABULARY.words(name) for name in ("category", "stability")} | OBJECT_WORDS,
        several={"change": VOCABULARY.words("change")},
        numbers={"place": 3, "support": 3, **OBJECT_NUMBERS},
        mirror=_OBJECTS_MIRRORED,
        looks=("category",),
    ),
    "part": Level(
        words={
            "part": VOCABULARY.words("part"),
            "color": VOCABULARY.words("color"),
            "geometry": (*VOCABULARY.words("geometry"), NEITHER),
        },
        numbers={"axis": 6, **PART_NUMBERS},
        mirror=_PARTS_MIRRORED,
        looks=("part", "color", "geometry"),
    ),
}
"""place : the middle of an object · support : from there to the middle of what it stands on, zeros for the ground ·
axis : the direction of a line or the normal of a plane, as `axes.unsigned` tells it · all others as `rebuild.solid` has
them"""

PARTS_OF: Mapping[str, tuple[str, ...]] = {category: ptr_part_names(category) for category in ptr_categories()}
"""By category of objects the names that their parts can have."""
