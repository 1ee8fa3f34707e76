"""Functions that most languages share, to be put into a function table.

Each body is a single `return` where it can be: see `generate`. Failing is a call, so that it stays an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from mereo.programs.failures import NothingReferred, NoValue, SeveralReferred
from mereo.programs.table import Function
from mereo.programs.types import BOOLEAN, INTEGER, OBJECT, OBJECT_SET, Type
from mereo.world import Attribute, World, bits_of

__all__ = ["attribute_functions", "integer_functions", "set_functions"]


def _refuse(bits: int) -> NoReturn:
    if bits:
        raise SeveralReferred(f"expected exactly one, and {bits.bit_count()} are referred to")
    raise NothingReferred("expected exactly one, and nothing is referred to")


def _no_value(attribute: str) -> NoReturn:
    raise NoValue(f"the entity has no single {attribute}")


def _scene(world: World) -> int:
    return world.objects


def _unique(world: World, objects: int) -> int:
    return objects.bit_length() - 1 if objects and not objects & (objects - 1) else _refuse(objects)


def _relate(world: World, referent: int, relation: str) -> int:
    return world.related[relation][referent] & world.objects


def _union(world: World, one: int, other: int) -> int:
    return one | other


def _intersect(world: World, one: int, other: int) -> int:
    return one & other


def _count(world: World, objects: int) -> int:
    return objects.bit_count()


def _exist(world: World, objects: int) -> bool:
    return objects != 0


def _equal(world: World, one: Any, other: Any) -> bool:
    return bool(one == other)


def _less(world: World, one: int, other: int) -> bool:
    return one < other


def _greater(world: World, one: int, other: int) -> bool:
    return one > other


def set_functions(relation: Type) -> Iterable[Function]:
    """Looking, pointing, combining and counting objects."""
    yield Function("scene", (), (), OBJECT_SET, _scene, "all objects")
    yield Function("unique", (OBJECT_SET,), (), OBJECT, _unique, "the one object of the set; fails unless there is one")
    yield Function("relate", (OBJECT,), (relation,), OBJECT_SET, _relate, "the objects in this relation to the object")
    yield Function("union", (OBJECT_SET, OBJECT_SET), (), OBJECT_SET, _union, "the objects in either set")
    yield Function("intersect", (OBJECT_SET, OBJECT_SET), (), OBJECT_SET, _intersect, "the objects in both sets")
    yield Function("count", (OBJECT_SET,), (), INTEGER, _count, "how many objects there are")
    yield Function("exist", (OBJECT_SET,), (), BOOLEAN, _exist, "whether there is any object")
    yield Function(
        "equal_object", (OBJECT, OBJECT), (), BOOLEAN, _equal, "whether both are the same object", equality=True
    )


def integer_functions() -> Iterable[Function]:
    """Comparing counts."""
    yield Function(
        "equal_integer", (INTEGER, INTEGER), (), BOOLEAN, _equal, "whether the numbers are equal", equality=True
    )
    yield Function("less_than", (INTEGER, INTEGER), (), BOOLEAN, _less, "whether the first number is less")
    yield Function("greater_than", (INTEGER, INTEGER), (), BOOLEAN, _greater, "whether the first number is greater")


def attribute_functions(attribute: Attribute, type: Type, *, several: Type | None = None) -> Iterable[Function]:
    """Filtering by an attribute, asking for it, comparing it, and finding others that share it.

    several : the type of all values of an entity together, which is then what query gives and equal compares; without
        it, to ask for an attribute of which an entity has several values is a `NoValue`
    """
    name = attribute.name
    asked = type if several is None else several

    def filter_by(world: World, objects: int, value: str) -> int:
        return objects & world.having[name][value]

    def query(world: World, referent: int) -> Any:
        return world.value[name][referent] or _no_value(name)

    def query_one(world: World, referent: int) -> str:
        return _only(world.value[name][referent], name)

    def same(world: World, referent: int) -> int:
        return world.having[name].get(world.value[name][referent], 0) & world.objects & ~(1 << referent)

    def same_all(world: World, referent: int) -> int:
        return _alike(world.value[name], referent) & world.objects & ~(1 << referent)

    about = f"the objects of the set that have this {name}"
    yield Function(f"filter_{name}", (OBJECT_SET,), (type,), OBJECT_SET, filter_by, about)
    call: Callable[..., Any] = query_one if attribute.multiple and several is None else query
    yield Function(f"query_{name}", (OBJECT,), (), asked, call, f"the object's {name}", name)
    call, about = same_all if attribute.multiple else same, f"the other objects of the same {name}"
    yield Function(f"same_{name}", (OBJECT,), (), OBJECT_SET, call, about, name)
    about = f"whether both are the same {name}"
    yield Function(f"equal_{name}", (asked, asked), (), BOOLEAN, _equal, about, equality=True)


def _only(values: tuple[str, ...] | None, attribute: str) -> str:
    return values[0] if values and len(values) == 1 else _no_value(attribute)


def _alike(values: Sequence[tuple[str, ...] | None], referent: int) -> int:
    """Those that have all the values that one has, in the same order; none where it has none."""
    own = values[referent]
    return bits_of(i for i, other in enumerate(values) if other == own) if own else 0
