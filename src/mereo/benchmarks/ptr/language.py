"""PTR's language: Tables 3, 4 and 5 of the paper, and a few rows that they imply.

A part set holds instances: four legs are four parts. Concepts are those of a part's name, so a set that is asked for
its one category, or is the referent of a geometric relation, must hold parts of one name of one object.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

from mereo.benchmarks.ptr.world import FOUR_SIDES, GEOMETRIC, SPATIAL, SURFACES, VOCABULARY
from mereo.programs import (
    BOOLEAN,
    INTEGER,
    INTEGER_SET,
    OBJECT,
    OBJECT_SET,
    PART_SET,
    Function,
    Language,
    integer_functions,
    set_functions,
    value_type,
)
from mereo.programs.failures import NothingReferred, NoValue, SeveralReferred
from mereo.world import World, members

__all__ = ["LANGUAGE", "MOST"]

MOST = 10
"""The largest number that may be an answer."""

CATEGORY = value_type("ObjectCategory", VOCABULARY.attributes["category"].values)
PART_CATEGORY = value_type("PartCategory", VOCABULARY.attributes["part"].values)
COLOR = value_type("Color", VOCABULARY.attributes["color"].values)
STABILITY = value_type("Stability", VOCABULARY.attributes["stability"].values)
CHANGE = value_type("PossibleChange", VOCABULARY.attributes["change"].values)
KIND = value_type("Geometry", VOCABULARY.attributes["geometry"].values)
SPATIAL_RELATION = value_type("SpatialRelation", SPATIAL)
GEOMETRIC_RELATION = value_type("GeometricRelation", GEOMETRIC)
SURFACE = value_type("Surface", SURFACES)


def _unknown() -> NoReturn:
    raise NoValue("what is stable is not known: the scene is not a physical one")


def _filter_category(world: World, objects: int, category: str) -> int:
    return objects & world.having["category"][category]


def _filter_stability(world: World, objects: int, stability: str) -> int:
    known = world.having["stability"]
    return objects & known[stability] if not objects & ~(known["stable"] | known["unstable"]) else _unknown()


def _query_category(world: World, thing: int) -> str:
    return world.value["category"][thing]  # type: ignore[no-any-return]


def _same_category(world: World, thing: int) -> int:
    return world.having["category"][world.value["category"][thing]] & ~(1 << thing)


def _equal(world: World, one: str, other: str) -> bool:
    return one == other


def _is_stability(world: World, thing: int, stability: str) -> bool:
    return bool((world.value["stability"][thing] or _unknown()) == stability)


def _changes(world: World, thing: int) -> tuple[str, ...]:
    """The directions in which an unstable object may be moved to become stable."""
    if world.value["stability"][thing] != "unstable":
        raise NoValue("only an unstable object can be made stable")
    return world.value["change"][thing] or ()


def _possible_change(world: World, thing: int) -> str:
    changes = _changes(world, thing)
    if len(changes) != 1:
        raise NoValue(f"there are {len(changes)} directions that would make the object stable, not one")
    return changes[0]


def _is_possible_change(world: World, thing: int, change: str) -> bool:
    return change in _changes(world, thing)


def _object_analogy(world: World, one: int, other: int, third: int) -> int:
    sides = [side for side in FOUR_SIDES if world.related[side][one] >> other & 1]
    if not sides:
        raise NoValue("the first two objects are in no spatial relation")
    found = world.objects & ~(1 << third)
    for side in sides:
        found &= world.related[side][third]
    return found


def _expand(world: World, objects: int) -> int:
    parts = 0
    for thing in members(objects):
        parts |= world.parts[thing]
    return parts


def _own(world: World, thing: int) -> int:
    return world.parts[thing]


def _intersect(world: World, one: int, other: int) -> int:
    return one & other


def _surface(world: World, surface: str) -> int:
    return 1 << world.index(surface)


def _exist(world: World, parts: int) -> bool:
    return parts != 0


def _filter_part(world: World, parts: int, part: str) -> int:
    return parts & world.having["part"][part]


def _filter_color(world: World, parts: int, color: str) -> int:
    return parts & world.having["color"][color]


def _filter_geometry(world: World, parts: int, kind: str) -> int:
    return parts & world.having["geometry"][kind]


def _count(world: World, parts: int) -> tuple[int, ...]:
    return tuple([(parts & own).bit_count() for own in world.parts[: world.objects.bit_length()]])


def _total(world: World, numbers: tuple[int, ...]) -> int:
    return sum(numbers)


def _filter_exist(world: World, parts: int) -> int:
    return sum([1 << thing for thing, own in enumerate(world.parts[: world.objects.bit_length()]) if own & parts])


def _filter_count(world: World, numbers: tuple[int, ...], number: int) -> int:
    return sum([1 << thing for thing, own in enumerate(numbers) if own == number])


def _one(world: World, parts: int, attribute: str, called: str) -> str:
    """The one value that all parts of a set share."""
    if not parts:
        raise NothingReferred("there is no such part")
    values = world.value[attribute]
    first = values[parts.bit_length() - 1]
    if first is None:
        raise NoValue(f"the part has no single {called}")
    if parts & ~world.having[attribute][first]:
        raise SeveralReferred(f"the parts are of more than one {called}")
    return first  # type: ignore[no-any-return]


def _query_part(world: World, parts: int) -> str:
    return _one(world, parts, "part", "category")


def _query_color(world: World, parts: int) -> str:
    return _one(world, parts, "color", "color")


def _same_color(world: World, parts: int) -> int:
    return world.having["color"][_one(world, parts, "color", "color")] & ~parts


def _same_count(world: World, parts: int) -> int:
    whole = _whole(world, parts)
    named = world.having["part"][_one(world, parts, "part", "category")]
    numbers = _count(world, named)
    return _filter_count(world, numbers, numbers[whole]) & ~(1 << whole)


def _whole(world: World, parts: int) -> int:
    """The one object that the parts belong to."""
    whole = world.whole[parts.bit_length() - 1] if parts else None
    if whole is None:
        raise NothingReferred("there is no such part")
    if parts & ~world.parts[whole]:
        raise SeveralReferred("the parts belong to more than one object")
    return whole


def _referent(world: World, parts: int) -> str:
    """Whether parts of one name of one object, or a surface, are lines or planes."""
    if not parts & world.kinds.get("surface", 0):
        _whole(world, parts)
        _query_part(world, parts)
    return _one(world, parts, "geometry", "geometry")


def _as_geometry(world: World, parts: int) -> int:
    _referent(world, parts)
    return parts


def _relate_part(world: World, parts: int, relation: str) -> int:
    kind = relation.partition(" ")[0].partition("-")[2]
    if _referent(world, parts) != kind:
        raise NoValue(f"the part is no {kind}")
    return _related(world, parts, relation)


def _related(world: World, parts: int, relation: str) -> int:
    """The parts that stand in a relation to every one of a set."""
    found, table = world.kinds.get("part", 0), world.related[relation]
    for part in members(parts):
        found &= table[part]
    return found


def _part_analogy(world: World, one: int, other: int, third: int) -> int:
    pair = f"{_referent(world, other)}-{_referent(world, one)}"
    for relation in (f"{pair} parallel", f"{pair} perpendicular"):
        table = world.related[relation]
        if all(table[part] & other == other for part in members(one)):
            return _relate_part(world, third, relation)
    raise NoValue("the first two parts are neither parallel nor perpendicular")


def _sum(world: World, one: int, other: int) -> int:
    if one + other > MOST:
        raise NoValue(f"the sum is more than {MOST}")
    return one + other


def _minus(world: World, one: int, other: int) -> int:
    if one < other:
        raise NoValue("the difference is less than 0")
    return one - other


def _object_functions() -> Iterator[Function]:
    """Table 3."""
    shared = {function.name: function for function in set_functions(SPATIAL_RELATION)}
    yield shared["scene"]
    yield shared["unique"]
    yield replace(shared["relate"], name="relate_object")
    yield replace(shared["count"], name="count_object")
    yield replace(shared["exist"], name="exist_object")
    one_set, one = (OBJECT_SET,), (OBJECT,)
    yield Function(
        "filter_object_category", one_set, (CATEGORY,), OBJECT_SET, _filter_category, "the objects of this category"
    )
    yield Function(
        "filter_stability", one_set, (STABILITY,), OBJECT_SET, _filter_stability, "the objects that are so stable"
    )
    yield Function(
        "query_object_category", one, (), CATEGORY, _query_category, "the object's category", asks="category"
    )
    about = "the one direction in which moving the unstable object would make it stable"
    yield Function("query_possible_change", one, (), CHANGE, _possible_change, about)
    yield Function("query_is_stability", one, (STABILITY,), BOOLEAN, _is_stability, "whether the object is so stable")
    about = "whether moving the unstable object in this direction would make it stable"
    yield Function("query_is_possible_change", one, (CHANGE,), BOOLEAN, _is_possible_change, about)
    about = "the other objects of the same category"
    yield Function("same_object_category", one, (), OBJECT_SET, _same_category, about, asks="category")
    about = "whether both categories are the same"
    yield Function("equal_object_category", (CATEGORY, CATEGORY), (), BOOLEAN, _equal, about, equality=True)
    about = "the objects that lie to the third as the second lies to the first"
    yield Function("query_object_analogy", (OBJECT, OBJECT, OBJECT), (), OBJECT_SET, _object_analogy, about)


def _part_functions() -> Iterator[Function]:
    """Table 4, and how one gets from an object to its own parts, from numbers to a number, and to ground and walls."""
    parts = (PART_SET,)
    yield Function("expand_parts", (OBJECT_SET,), (), PART_SET, _expand, "the visible parts of all the objects")
    yield Function("own_parts", (OBJECT,), (), PART_SET, _own, "the visible parts of one object")
    yield Function("intersect_parts", (PART_SET, PART_SET), (), PART_SET, _intersect, "the parts in both sets")
    yield Function("surface", (), (SURFACE,), PART_SET, _surface, "the ground or a wall, as a plane")
    about = "the parts, which must be lines or planes of one name of one object"
    yield Function("as_geometry", parts, (), PART_SET, _as_geometry, about)
    about = "the parts that are in this geometric relation to the part"
    yield Function("relate_part", parts, (GEOMETRIC_RELATION,), PART_SET, _relate_part, about)
    yield Function("exist_part", parts, (), BOOLEAN, _exist, "whether there is any part")
    yield Function("filter_part_category", parts, (PART_CATEGORY,), PART_SET, _filter_part, "the parts of this name")
    yield Function("filter_part_color", parts, (COLOR,), PART_SET, _filter_color, "the parts of this color")
    about = "the parts that are lines, or planes"
    yield Function("filter_part_geometry", parts, (KIND,), PART_SET, _filter_geometry, about)
    yield Function("count_part", parts, (), INTEGER_SET, _count, "for every object how many of the parts are its own")
    yield Function("total", (INTEGER_SET,), (), INTEGER, _total, "all the numbers together")
    yield Function("filter_part_exist", parts, (), OBJECT_SET, _filter_exist, "the objects that have any of the parts")
    about = "the objects whose number is this"
    yield Function("filter_part_count", (INTEGER_SET,), (INTEGER,), OBJECT_SET, _filter_count, about)
    yield Function("query_part_category", parts, (), PART_CATEGORY, _query_part, "the name that the parts share")
    yield Function("query_part_color", parts, (), COLOR, _query_color, "the color that the parts share")
    yield Function("same_part_color", parts, (), PART_SET, _same_color, "the other parts of the color that they share")
    about = "the other objects that have as many parts of that name"
    yield Function("same_part_count", parts, (), OBJECT_SET, _same_count, about)
    about = "whether both names are the same"
    yield Function("equal_part_category", (PART_CATEGORY, PART_CATEGORY), (), BOOLEAN, _equal, about, equality=True)
    about = "whether both colors are the same"
    yield Function("equal_part_color", (COLOR, COLOR), (), BOOLEAN, _equal, about, equality=True)
    about = "the parts that lie to the third as the second lies to the first"
    yield Function("query_part_analogy", (PART_SET, PART_SET, PART_SET), (), PART_SET, _part_analogy, about)


def _number_functions() -> Iterator[Function]:
    """Table 5."""
    yield from integer_functions()
    yield Function("sum", (INTEGER, INTEGER), (), INTEGER, _sum, f"both numbers together; fails beyond {MOST}")
    yield Function("minus", (INTEGER, INTEGER), (), INTEGER, _minus, "the first less the second; fails below 0")


LANGUAGE = Language.of(
    "ptr",
    VOCABULARY,
    [*_object_functions(), *_part_functions(), *_number_functions()],
    about="PTR: furniture made of parts, their colors, numbers, places, lines and planes, and what would fall",
)
