"""Ordinals: the second from the left, the nearest, as the camera sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mereo.programs.failures import NothingReferred, NoValue
from mereo.programs.table import Function
from mereo.programs.types import OBJECT_SET, Type, value_type
from mereo.world import World

__all__ = ["SIDES", "Ranked", "order", "ordinal_function", "ranked"]

SIDES = {"left": (0, False), "right": (0, True), "front": (2, False)}
"""The place in `pixel` (column, row, depth) that an order goes by, and whether backwards."""

_ACROSS, _DEEP = 0.02, 0.1
"""How far two things must be apart for one to come before the other: in widths of the picture, in units of depth."""
_WIDTH = 480
"""Pixels of a picture whose width is not told: CLEVR's."""

Ranked = Callable[[World, int, str], Sequence[int | None]]
"""ranked(world, set, side): its members in order from that side; None at a place that a tie leaves open."""


def order(world: World, side: str) -> tuple[int, ...]:
    """All objects from one side, of two in the same place the one with the lower number first. Kept with the world.

    Nothing where it is not known of every object where it is seen.
    """
    key = ("order", side)
    if key not in world.memory:
        axis, backwards = SIDES[side]
        places = _places(world, axis)
        sign = -1 if backwards else 1
        world.memory[key] = tuple(sorted(places, key=lambda k: (sign * places[k], k)))
    found: tuple[int, ...] = world.memory[key]
    return found


def ranked(world: World, objects: int, side: str) -> list[int | None]:
    """The members of a set in order from one side; None where two are too near each other to tell."""
    axis, _ = SIDES[side]
    places = _places(world, axis)
    apart = _ACROSS * _width(world) if axis == 0 else _DEEP
    found = [member for member in order(world, side) if objects >> member & 1]
    told: list[int | None] = list(found)
    for place in range(len(found) - 1):
        if abs(places[found[place]] - places[found[place + 1]]) < apart:
            told[place] = told[place + 1] = None
    return told


def ordinal_function(
    numbers: Sequence[str], sides: Sequence[str], order_of: Ranked = ranked, objects: Type = OBJECT_SET
) -> Function:
    """`filter_ordinal[second, left](ObjectSet)`: the one at this place in the order."""
    words = tuple(numbers)

    def filter_ordinal(world: World, objects: int, number: str, side: str) -> int:
        members, place = order_of(world, objects, side), words.index(number)
        if objects and not members:
            raise NoValue("these are in no order")
        if place >= len(members):
            raise NothingReferred(f"there are only {len(members)}, so none is {number}")
        found = members[place]
        if found is None:
            raise NoValue(f"another is too near to tell which is {number}")
        return 1 << found

    values = value_type("OrdinalNumber", words), value_type("Side", tuple(sides))
    return Function("filter_ordinal", (objects,), values, objects, filter_ordinal, "the one at this place in the order")


def _places(world: World, axis: int) -> dict[int, float]:
    """Where every object is along one axis of the picture; nothing where that is not known of all."""
    key = ("pixel", axis)
    if key not in world.memory:
        pixels = {k: entity.numbers.get("pixel") for k, entity in enumerate(world.entities) if world.objects >> k & 1}
        known = all(isinstance(pixel, tuple | list) and len(pixel) == 3 for pixel in pixels.values())
        world.memory[key] = {k: pixel[axis] for k, pixel in pixels.items() if pixel} if known else {}
    places: dict[int, float] = world.memory[key]
    return places


def _width(world: World) -> float:
    picture = world.entities[0].numbers.get("picture") if world.entities else None
    return float(picture[0]) if isinstance(picture, tuple | list) and picture else _WIDTH
