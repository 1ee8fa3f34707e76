"""What can be asked about how a robot's hand would take hold of objects, and what would be in its way.

An object's record may have a `grasp`, as `mereo.scenes.grasping.grasp_records` gives it: null where no hand can take
the object, and missing only in files of others. Of that a world knows two more attributes. `grip` is the kind of part;
`reach` is `free` where the object can be lifted right away, `blocked` where something is in the way, and `too heavy`
where the hand could not hold it. What no hand can take has neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import msgspec

from mereo.errors import BadInput
from mereo.files import converted
from mereo.programs import BOOLEAN, OBJECT, OBJECT_SET, Function, NoValue
from mereo.world import World, bits_of, members

__all__ = ["Ways", "grasp_functions", "read_grasps", "with_grasps"]

Vector = tuple[float, float, float]


class _Grasp(msgspec.Struct, frozen=True):
    """A grasp as a record tells it; camera frame, meters."""

    grip: str
    point: Vector
    approach: Vector
    closing: Vector
    width: float
    free: bool
    blockers: tuple[int, ...] = ()
    holds: bool = True

    @property
    def reach(self) -> str:
        return "too heavy" if not self.holds else "free" if self.free else "blocked"


def read_grasps(objects: Sequence[Any]) -> list[_Grasp | None]:
    """The grasp of each object's record, if it has one; whatever cannot be is refused."""
    return list(_grasps(objects))


def _grasps(objects: Sequence[Any]) -> Iterator[_Grasp | None]:
    for number, thing in enumerate(objects):
        told = thing.get("grasp") if isinstance(thing, dict) else None
        if told is None:
            yield None
            continue
        record = f"object {number}"
        try:
            grasp = converted(told, file=None, type=_Grasp)
        except BadInput as error:
            where = ".".join(["grasp", *([error.field] if error.field else [])])
            raise BadInput(error.reason, record=record, field=where) from None
        for other in grasp.blockers:
            if not 0 <= other < len(objects) or other == number:
                raise BadInput(f"there is no other object {other}", record=record, field="grasp.blockers")
        if grasp.free and (grasp.blockers or not grasp.holds):
            raise BadInput("is free although something hinders it", record=record, field="grasp.free")
        yield grasp


def with_grasps(objects: Sequence[Any], grasps: Sequence[_Grasp | None]) -> list[Any]:
    """Objects' records with what their grasps say in fields of their own."""
    found = zip(objects, grasps, strict=True)
    return [thing if grasp is None else {**thing, "grip": grasp.grip, "reach": grasp.reach} for thing, grasp in found]


@dataclass(frozen=True)
class Ways:
    """What is in the way of a hand."""

    blockers: tuple[int, ...]
    """For each object those in the way of the hand that reaches for it, as a set."""
    held: int
    """The objects that the hand could hold."""

    @staticmethod
    def of(grasps: Sequence[_Grasp | None]) -> Ways:
        """What the grasps of all objects say."""
        held = bits_of(number for number, grasp in enumerate(grasps) if grasp is not None and grasp.holds)
        return Ways(tuple(bits_of(grasp.blockers) if grasp else 0 for grasp in grasps), held)

    def kept(self, places: Sequence[int]) -> Ways:
        """What is still known when only the objects at these places are left."""
        now = {old: new for new, old in enumerate(places)}

        def renumbered(bits: int) -> int:
            return bits_of(now[old] for old in members(bits) if old in now)

        return Ways(tuple(renumbered(self.blockers[old]) for old in places), renumbered(self.held))


def _no_grasp() -> NoReturn:
    raise NoValue("no hand can take hold of the entity")


def _blockers(world: World, target: int) -> int:
    return world.fact(Ways).blockers[target] & world.objects if world.value["grip"][target] else _no_grasp()


def _unhindered_by(world: World, referent: int) -> int:
    ways = world.fact(Ways)
    hindered = bits_of(target for target, blockers in enumerate(ways.blockers) if blockers >> referent & 1)
    return ways.held & world.objects & ~hindered & ~(1 << referent)


def _hinders(world: World, referent: int, target: int) -> bool:
    return bool(_blockers(world, target) >> referent & 1)


def _graspable(world: World, target: int) -> bool:
    return bool(world.having["reach"]["free"] >> target & 1)


def grasp_functions() -> Iterator[Function]:
    """The functions about hands and what is in their way."""
    about = "the objects in the way of a hand that reaches for the object"
    yield Function("blockers", (OBJECT,), (), OBJECT_SET, _blockers, about)
    about = "the other objects that a hand could lift, and that this one is not in the way of"
    yield Function("unhindered_by", (OBJECT,), (), OBJECT_SET, _unhindered_by, about)
    about = "whether the first object is in the way of a hand that reaches for the second"
    yield Function("hinders", (OBJECT, OBJECT), (), BOOLEAN, _hinders, about)
    about = "whether the object can be lifted right away"
    yield Function("graspable", (OBJECT,), (), BOOLEAN, _graspable, about)
