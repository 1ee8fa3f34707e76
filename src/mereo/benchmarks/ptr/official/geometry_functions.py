"""The functions of `ptr_official` about how parts of different objects lie to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mereo.benchmarks.ptr.official.geometry import SURFACES, Geometry, Kind, Relation, count_of, matching, related
from mereo.benchmarks.ptr.official.scene import Thing
from mereo.benchmarks.ptr.official.types import (
    COLOR,
    GEOMETRIC_RELATION,
    GEOMETRY,
    MOST,
    SURFACE,
    at_most,
    no_value,
    thing_of,
)
from mereo.benchmarks.ptr.official.world import official_scene
from mereo.programs import BOOLEAN, INTEGER, OBJECT, Function
from mereo.world import World

__all__ = ["geometric_relations", "geometry_of_parts"]


def geometry_of_parts() -> Iterable[Function]:
    """The twelve questions for parts of an object that lie so to a part of another."""

    def matches(kind: Kind, relation: Relation) -> Callable[[World, int, Geometry], tuple[Thing, list[str]]]:
        def find(world: World, referent: int, geometry: Geometry) -> tuple[Thing, list[str]]:
            things = official_scene(world).things
            thing, other, category = things[referent], geometry.thing, world.value["category"][referent]
            if category == "Cart" or (kind == "line" and category == "Refrigerator"):
                no_value(f"a {category.lower()} has no {kind} that is asked about")
            if other == referent or not thing.geometric or (other is not None and not things[other].geometric):
                no_value("the geometry of both is not that of two objects to ask about")
            return thing, matching(thing, kind, relation, geometry)

        return find

    def rows(kind: Kind, relation: Relation) -> Iterable[Function]:
        find = matches(kind, relation)

        def count(world: World, referent: int, geometry: Geometry) -> int:
            return at_most(count_of(*find(world, referent, geometry)))

        def exist(world: World, referent: int, geometry: Geometry) -> bool:
            return count_of(*find(world, referent, geometry)) > 0

        def color(world: World, referent: int, geometry: Geometry) -> str:
            thing, parts = find(world, referent, geometry)
            # Hidden parts count among those that must be one, and then there is no color to see.
            if len(parts) != 1 or parts[0] not in thing.paints:
                no_value(f"there is not one {kind} that is {relation}, and visible")
            return str(thing.paints[parts[0]][0])

        inputs, what = (OBJECT, GEOMETRY), f"parts of the object are {kind}s {relation} to the other"
        yield Function(f"count_{relation}_{kind}", inputs, (), INTEGER, count, f"how many {what}; fails above {MOST}")
        yield Function(f"exist_{relation}_{kind}", inputs, (), BOOLEAN, exist, f"whether any visible {what}")
        about = f"the color of the one kind of part that is a {kind} {relation} to the other"
        yield Function(f"query_{relation}_{kind}_color", inputs, (), COLOR, color, about)

    kinds: tuple[Kind, ...] = ("line", "plane")
    relations: tuple[Relation, ...] = ("perpendicular", "parallel")
    for relation in relations:
        for kind in kinds:
            yield from rows(kind, relation)


def geometric_relations() -> Iterable[Function]:
    """How two parts lie to each other, and which others lie likewise."""

    def surface(world: World, name: str) -> Geometry:
        return SURFACES[name]

    def relation(world: World, one: Geometry, other: Geometry) -> tuple[str, str, str]:
        if other.thing is None:
            no_value("only the first of the two may be a surface of the room")
        found = related(one, other)
        return (one.kind, other.kind, found) if found else no_value("the two are neither perpendicular nor parallel")

    def lies(word: str) -> Callable[[World, tuple[str, str, str]], bool]:
        def is_so(world: World, found: tuple[str, str, str]) -> bool:
            return found[2] == word

        return is_so

    def analogous(world: World, found: Any, geometry: Geometry, referent: int) -> tuple[Thing, list[str]]:
        thing = thing_of(world, referent)
        one, other, relation = found
        if geometry.kind != one or not thing.geometric:
            no_value("there is no analogy: the parts are of different kinds, or there is no geometry to ask about")
        return thing, matching(thing, other, relation, geometry)

    def color(world: World, found: Any, geometry: Geometry, referent: int) -> str:
        thing, parts = analogous(world, found, geometry, referent)
        visible = [part for part in parts if part in thing.paints]
        return str(thing.paints[visible[0]][0]) if len(visible) == 1 else no_value("there is not one such visible part")

    def count(world: World, found: Any, geometry: Geometry, referent: int) -> int:
        return at_most(count_of(*analogous(world, found, geometry, referent)))

    yield Function("surface", (), (SURFACE,), GEOMETRY, surface, "a surface of the room; a word among inputs in files")
    about = "how two parts lie to each other; hardly ever finds lines perpendicular, or a line parallel to a plane"
    yield Function("query_geometric-relation", (GEOMETRY, GEOMETRY), (), GEOMETRIC_RELATION, relation, about)
    for word in ("perpendicular", "parallel"):
        yield Function(word, (GEOMETRIC_RELATION,), (), BOOLEAN, lies(word), f"whether the relation is {word}")
    inputs, about = (GEOMETRIC_RELATION, GEOMETRY, OBJECT), "parts of the object to which the part lies likewise"
    yield Function("query_geometric-analogy-color", inputs, (), COLOR, color, f"the color of the one kind of {about}")
    yield Function("query_geometric-analogy-count", inputs, (), INTEGER, count, f"how many {about}; fails above {MOST}")
