"""The functions of `ptr_official` about the parts of one object: their colors, numbers and directions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mereo.benchmarks.ptr.official.geometry import Geometry, described
from mereo.benchmarks.ptr.official.scene import Thing
from mereo.benchmarks.ptr.official.types import (
    CATEGORY,
    COLOR,
    GEOMETRY,
    MOST,
    PART,
    RGB,
    at_most,
    no_value,
    thing_of,
)
from mereo.benchmarks.ptr.official.world import official_scene
from mereo.programs import INTEGER, OBJECT, OBJECT_SET, Function
from mereo.world import World

__all__ = ["part_queries", "same_functions"]


def same_functions() -> Iterable[Function]:
    """Finding others that are alike in category, or in a part."""

    def category(world: World, referent: int) -> int:
        return world.having["category"][world.value["category"][referent]] & ~(1 << referent)

    def by_part(known_of: Callable[[Thing], Any], what: str) -> Callable[[World, int, str], int]:
        def same(world: World, referent: int, part: str) -> int:
            things = official_scene(world).things
            others = [i for i, other in enumerate(things) if i != referent and part in known_of(other)]
            own = known_of(things[referent]).get(part)
            if others and own is None:
                no_value(f"the {what} of this part is not known of the object itself")
            return sum(1 << i for i in others if known_of(things[i])[part] == own)

        return same

    color, count = by_part(lambda thing: thing.paints, "color"), by_part(lambda thing: thing.counts, "number")
    about = "the others of its category"
    yield Function("same_object-category", (OBJECT,), (), OBJECT_SET, category, about, "category")
    about = "the others of which this part is of the same color, name and numbers alike"
    yield Function("same_part-color", (OBJECT,), (PART,), OBJECT_SET, color, about)
    about = "the others that show just as many of this part; only of parts that are counted"
    yield Function("same_part-count", (OBJECT,), (PART,), OBJECT_SET, count, about)


def part_queries() -> Iterable[Function]:
    """Asking for the category of an object and for what is known of its parts."""

    def category(world: World, referent: int) -> str:
        return str(world.value["category"][referent])

    def color(world: World, referent: int, part: str) -> str:
        paint = thing_of(world, referent).paints.get(part)
        return str(paint[0]) if paint else no_value(f"the object shows no {part}")

    def count(world: World, referent: int, part: str) -> int:
        number = thing_of(world, referent).counts.get(part)
        return at_most(number) if number is not None else no_value(f"the object has no number of {part}")

    def part(world: World, referent: int, color: str) -> str:
        thing = thing_of(world, referent)
        found = [part for part, paint in thing.paints.items() if paint[0] == color]
        # Also what PTR has no name for, such as handles, may not have this color besides.
        if len(found) != 1 or thing.painted.count(color) > 1:
            no_value(f"there is not one {color} part of the object")
        return found[0]

    def geometry(world: World, referent: int, color: str, rgb: Any) -> Geometry:
        thing = thing_of(world, referent)
        # The generator means to look at all that the object is made of here too, but compares in vain.
        found = [part for part, paint in thing.paints.items() if paint == [color, rgb]]
        if len(found) != 1:
            no_value(f"there is not one {color} part of the object")
        return described(thing, found[0], referent) or no_value(f"the {found[0]} is neither a line nor a plane")

    one = (OBJECT,)
    yield Function("query_object-category", one, (), CATEGORY, category, "the object's category", "category")
    yield Function("query_part-color", one, (PART,), COLOR, color, "the color of a part of the object")
    about = f"how many of a part the object shows; fails above {MOST} and for parts that are not counted"
    yield Function("query_part-count", one, (PART,), INTEGER, count, about)
    about = "the one part of this color; fails if anything else of the object is of that color"
    yield Function("query_part-category", one, (COLOR,), PART, part, about)
    about = "the one visible part of this color as a line or a plane"
    yield Function("query_part-geometry", one, (COLOR, RGB), GEOMETRY, geometry, about)
