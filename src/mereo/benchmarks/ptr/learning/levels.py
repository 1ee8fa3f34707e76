"""What is told of the objects and of the parts in PTR's pictures."""

from __future__ import annotations

from collections.abc import Mapping

from mereo.benchmarks.ptr.learning.rebuild.numbers import OBJECT_NUMBERS, OBJECT_WORDS, PART_NUMBERS
from mereo.benchmarks.ptr.parts import ptr_categories, ptr_part_names
from mereo.benchmarks.ptr.world import VOCABULARY
from mereo.training.seeing import Level

__all__ = ["AXES", "LEVELS", "NEITHER", "PARTS_OF"]

NEITHER = "none"
"""The geometry of a part that is neither a line nor a plane. In true words it has none."""
AXES = {"line": "direction", "plane": "normal"}
"""What the record of a line and of a plane calls its axis."""

LEVELS: Mapping[str, Level] = {
    "object": Level(
        words={name: VOCABULARY.words(name) for name in ("category", "stability")} | OBJECT_WORDS,
        several={"change": VOCABULARY.words("change")},
        numbers={"place": 3, "support": 3, **OBJECT_NUMBERS},
    ),
    "part": Level(
        words={
            "part": VOCABULARY.words("part"),
            "color": VOCABULARY.words("color"),
            "geometry": (*VOCABULARY.words("geometry"), NEITHER),
        },
        numbers={"axis": 6, **PART_NUMBERS},
    ),
}
"""place : the middle of an object · support : from there to the middle of what it stands on, zeros for the ground ·
axis : the direction of a line or the normal of a plane, as `axes.unsigned` tells it · all others as `rebuild.solid` has
them"""

PARTS_OF: Mapping[str, tuple[str, ...]] = {category: ptr_part_names(category) for category in ptr_categories()}
"""By category of objects the names that their parts can have."""
