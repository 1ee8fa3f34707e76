"""`ptr_official`: the 57 functions of PTR's generator, with its answers also where these are defects.

Our own language for parts does the right thing; this one exists so that official files verify to the last step. What
the generator calls invalid is a `NoValue` here. One of its rules is about whole descriptions and not about any
function: see `narrows` in the module of options.

A node's `{part: number}`, `{part: color}` and `[color, [r, g, b]]` are two literals each, and its inputs "ground",
"left wall" and "back wall" are steps of a 58th function, `surface`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mereo.benchmarks.ptr.official.geometry_functions import geometric_relations, geometry_of_parts
from mereo.benchmarks.ptr.official.part_functions import part_queries, same_functions
from mereo.benchmarks.ptr.official.types import (
    CATEGORY,
    COLOR,
    DIRECTION,
    MOST,
    PART,
    RELATION,
    RELATIONS,
    at_most,
    no_value,
    thing_of,
)
from mereo.benchmarks.ptr.official.world import VOCABULARY, official_scene
from mereo.programs import (
    BOOLEAN,
    INTEGER,
    OBJECT,
    OBJECT_SET,
    Function,
    Language,
    integer_functions,
    set_functions,
)
from mereo.world import World, members

__all__ = ["LANGUAGE"]


def _set_functions() -> Iterable[Function]:
    """CLEVR's own, except that counting ends at nine."""

    def count(world: World, objects: int) -> int:
        return at_most(objects.bit_count())

    for row in set_functions(RELATION):
        if row.name == "count":
            yield Function("count", row.inputs, (), INTEGER, count, f"how many objects there are; fails above {MOST}")
        else:
            yield row


def _filters() -> Iterable[Function]:
    def by_category(world: World, objects: int, category: str) -> int:
        narrowed = objects & world.having["category"][category]
        # So that nobody says "chairs" where all are: also where the set is empty already.
        return narrowed if narrowed != objects else no_value("naming the category leaves the set as it is")

    def by_part(world: World, objects: int, part: str) -> int:
        return objects & world.having["part"][part]

    def by_number(world: World, objects: int, part: str, number: int) -> int:
        return objects & official_scene(world).numbered.get((part, number), 0)

    def by_color(world: World, objects: int, part: str, color: str) -> int:
        return objects & official_scene(world).colored.get((part, color), 0)

    def by_stability(word: str) -> Callable[[World, int], int]:
        def by_word(world: World, objects: int) -> int:
            known = world.having["stability"]
            if objects & ~(known["yes"] | known["no"]):
                no_value("it is not known of all objects whether they are stable")
            return objects & known[word]

        return by_word

    sets, rows = (
        (OBJECT_SET,),
        (
            ("object-category", (CATEGORY,), by_category, "the objects of this category; fails if it narrows nothing"),
            ("part-category", (PART,), by_part, "the objects that show this part"),
            ("part-count", (PART, INTEGER), by_number, "the objects that show just so many of a part"),
            ("color", (PART, COLOR), by_color, "the objects that show a part in this color"),
            ("stability", (), by_stability("yes"), "the objects that stand stably"),
            ("unstability", (), by_stability("no"), "the objects that would fall"),
        ),
    )
    for name, values, call, about in rows:
        yield Function(f"filter_{name}", sets, values, OBJECT_SET, call, about)


def _physics_queries() -> Iterable[Function]:
    def stability(word: str) -> Callable[[World, int], bool]:
        def is_so(world: World, referent: int) -> bool:
            known = world.value["stability"][referent]
            return bool(known == word) if known else no_value("it is not known whether the object is stable")

        return is_so

    def change(world: World, referent: int, direction: str) -> bool:
        return direction in (thing_of(world, referent).changes or ())

    def direction(world: World, referent: int) -> str:
        # Listed once for each of two distances, so that a direction that works at both is no answer.
        changes = thing_of(world, referent).changes or ()
        return changes[0] if len(changes) == 1 else no_value(f"{len(changes)} changes would make the object stable")

    one = (OBJECT,)
    yield Function("query_stability", one, (), BOOLEAN, stability("yes"), "whether the object stands stably")
    yield Function("query_unstability", one, (), BOOLEAN, stability("no"), "whether the object would fall")
    about = "whether moving it in this direction would make it stable; no where that is not known"
    yield Function("query_change", one, (DIRECTION,), BOOLEAN, change, about)
    about = "the direction in which it must be moved to be stable; fails unless just one is listed, once"
    yield Function("query_direction", one, (), DIRECTION, direction, about)


def _comparisons() -> Iterable[Function]:
    def equal(world: World, one: Any, other: Any) -> bool:
        return bool(one == other)

    yield from integer_functions()
    types = {"part-color": COLOR, "part-count": INTEGER, "part-category": PART, "object-category": CATEGORY}
    for name, type in types.items():
        about = f"whether both are the same {name.replace('-', ' ')}"
        yield Function(f"equal_{name}", (type, type), (), BOOLEAN, equal, about, equality=True)


def _arithmetic() -> Iterable[Function]:
    def total(world: World, one: int, other: int) -> int:
        return at_most(one + other)

    def more(world: World, one: int, other: int) -> int:
        return one - other if one >= other else no_value("the first number is smaller")

    def less(world: World, one: int, other: int) -> int:
        return other - one if one <= other else no_value("the first number is larger")

    two = (INTEGER, INTEGER)
    yield Function("sum", two, (), INTEGER, total, f"both numbers together; fails above {MOST}")
    yield Function("minus_more", two, (), INTEGER, more, "how many more the first is; fails if it is less")
    yield Function("minus_less", two, (), INTEGER, less, "how many fewer the first is; fails if it is more")


def _positional_relations() -> Iterable[Function]:
    def relation(world: World, one: int, other: int) -> tuple[str, ...]:
        return tuple([name for name, table in world.related.items() if table[one] >> other & 1])

    def alike(world: World, names: tuple[str, ...], referent: int) -> int:
        # No relation at all fits everything, and the pair that the analogy is to is not left out.
        found = world.objects & ~(1 << referent)
        for name in names:
            found &= world.related[name][referent]
        return found

    def category(world: World, names: tuple[str, ...], referent: int) -> str:
        found = members(alike(world, names, referent))
        return str(world.value["category"][found[0]]) if len(found) == 1 else no_value("there is not one such object")

    def count(world: World, names: tuple[str, ...], referent: int) -> int:
        return alike(world, names, referent).bit_count()

    def exist(world: World, names: tuple[str, ...], referent: int) -> bool:
        return alike(world, names, referent) != 0

    about = "where the second object is, seen from the first, in the order of the scene's relations"
    yield Function("query_positional-relation", (OBJECT, OBJECT), (), RELATIONS, relation, about)
    inputs, other = (RELATIONS, OBJECT), "that is there, seen from this one"
    name = "query_positional-analogy"
    yield Function(f"{name}-category", inputs, (), CATEGORY, category, f"the category of the one object {other}")
    yield Function(f"{name}-count", inputs, (), INTEGER, count, f"the number of objects {other}")
    yield Function(f"{name}-exist", inputs, (), BOOLEAN, exist, f"whether there is an object {other}")


LANGUAGE = Language.of(
    "ptr_official",
    VOCABULARY,
    [
        *_set_functions(),
        *_filters(),
        *same_functions(),
        *part_queries(),
        *_physics_queries(),
        *_comparisons(),
        *_arithmetic(),
        *geometry_of_parts(),
        *geometric_relations(),
        *_positional_relations(),
    ],
    about="PTR's official files, to the letter: objects and their visible parts, geometry, stability, analogies",
)
