"""The types of `ptr_official`, and what its functions share."""

from __future__ import annotations

from typing import NoReturn

from mereo.benchmarks.ptr.official.geometry import SURFACES
from mereo.benchmarks.ptr.official.scene import WORDS, Thing
from mereo.benchmarks.ptr.official.world import VOCABULARY, official_scene
from mereo.programs import NoValue, Type, value_type
from mereo.world import World

__all__ = [
    "CATEGORY",
    "COLOR",
    "DIRECTION",
    "GEOMETRIC_RELATION",
    "GEOMETRY",
    "MOST",
    "PART",
    "RELATION",
    "RELATIONS",
    "RGB",
    "SURFACE",
    "at_most",
    "no_value",
    "thing_of",
]

CATEGORY = value_type("Category", tuple(WORDS["categories"]))
PART = value_type("Part", tuple(WORDS["parts"]))
COLOR = value_type("Color", tuple(WORDS["colors"]))
DIRECTION = value_type("Direction", tuple(WORDS["directions"]))
RELATION = value_type("Relation", VOCABULARY.relations)
SURFACE = value_type("Surface", tuple(SURFACES))
RGB = Type("RGB", "any")
GEOMETRY = Type("Geometry", "any")
GEOMETRIC_RELATION = Type("GeometricRelation", "values")
RELATIONS = Type("Relations", "values")

MOST = 9
"""The largest number that can be counted; more is no answer."""


def no_value(reason: str) -> NoReturn:
    """What the generator calls invalid."""
    raise NoValue(reason)


def at_most(number: int) -> int:
    """A number that can be an answer."""
    return number if number <= MOST else no_value(f"{number} is more than {MOST}")


def thing_of(world: World, referent: int) -> Thing:
    """What is known of an object."""
    return official_scene(world).things[referent]
