"""What an eye could take otherwise about lines and planes that a program speaks of, counted in the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mereo.benchmarks.ptr.as_if import Record
from mereo.benchmarks.ptr.numbers import CLEAR_COLOR
from mereo.benchmarks.ptr.world import SURFACES
from mereo.programs import Program, Step

__all__ = ["Doubts", "Seen", "line_doubts", "seen_parts"]

_ANALOGY = "query_part_analogy"


class Seen(NamedTuple):
    """A part that is seen beyond doubt, or a surface of the room."""

    thing: int
    name: str
    color: str | None
    dim: bool
    """Whether too little is seen of all parts of its name and object to tell their color."""
    mixed: bool
    """Whether other parts of its name and object are of another kind."""
    kind: str = ""
    """line or plane"""
    axis: Sequence[float] = ()


class Doubts(NamedTuple):
    """Whether a program asks about what is in doubt."""

    rough: bool
    """Parts that are nearly parallel or nearly perpendicular."""
    mixed: bool
    """Lines and planes of which not all parts of their name are."""


def seen_parts(record: Record) -> dict[int, Seen]:
    """By the number of their entity: after the objects come ground and walls, then parts as the record has them."""
    things, least = record["objects"], CLEAR_COLOR * record["size"][0] * record["size"][1]
    found = [Seen(-1, name, None, False, False, "plane", record["surfaces"][name]["normal"]) for name in SURFACES]
    for number, thing in enumerate(things):
        for part in thing["parts"]:
            name = part["part"]
            alike = [one for kind in ("parts", "faint", "hidden") for one in thing[kind] if one["part"] == name]
            dim = max(one["pixels"] for one in alike) < least
            mixed = len({_axis(one)[:1] for one in alike}) > 1
            found.append(Seen(number, name, None if dim else part["color"], dim, mixed, *_axis(part)))
    return dict(enumerate(found, len(things)))


def _axis(part: Mapping[str, Any]) -> tuple[()] | tuple[str, Sequence[float]]:
    """Whether a part is a line or a plane, and its direction or normal; nothing where it is neither."""
    if "line" in part:
        return "line", part["line"]["direction"]
    return ("plane", part["plane"]["normal"]) if "plane" in part else ()


def line_doubts(
    program: Program, referred: Sequence[Sequence[int]], seen: Mapping[int, Seen], *, surely: float, surely_not: float
) -> Doubts:
    """Whether lines and planes in doubt matter to a program.

    referred : for every step the numbers of the entities that it refers to
    surely, surely_not : degrees off a relation up to which it holds, and from which on it does not
    """
    rough = mixed = False
    for place, step in enumerate(program.steps):
        if step.function == "as_geometry":  # what lies to others in some way
            mixed |= any(seen[part].mixed for part in referred[place])
        if step.function not in ("relate_part", _ANALOGY):
            continue
        own, how = _relation(step, referred, seen)
        others = [seen[part] for part in referred[step.inputs[-1]]]
        for user, found, among in _uses(program, place, referred, seen):
            alike = {part for part in among if seen[part].kind == own}
            off = {part: max(_off(seen[part], other, how) for other in others) for part in alike}
            called = [seen[part] for part in found]
            telling = [part for part in alike - found if _tells(user, seen[part], called)]
            mixed |= any(seen[part].mixed and off[part] <= surely for part in telling)
            rough |= any(not seen[part].mixed and surely < off[part] <= surely_not for part in telling)
            rough |= any(off.get(part, 0.0) > surely for part in found)
    return Doubts(rough, mixed)


def _relation(step: Step, referred: Sequence[Sequence[int]], seen: Mapping[int, Seen]) -> tuple[str, str]:
    """What parts in the relation are, and whether they are parallel or perpendicular."""
    if step.function != _ANALOGY:
        pair, _, how = str(step.values[0]).partition(" ")
        return pair.partition("-")[0], how
    one, other = (seen[referred[place][0]] for place in step.inputs[:2])
    return other.kind, min(("parallel", "perpendicular"), key=lambda how: _off(one, other, how))


def _uses(
    program: Program, place: int, referred: Sequence[Sequence[int]], seen: Mapping[int, Seen]
) -> Iterator[tuple[str, set[int], set[int]]]:
    """Who takes what is in a relation: the function, what it is given, and the parts that were looked through."""
    everything = {part for part, one in seen.items() if one.thing >= 0}
    for number, step in enumerate(program.steps):
        if place not in step.inputs:
            continue
        if step.function != "intersect_parts":
            yield step.function, set(referred[place]), everything
            continue
        among = next(one for one in step.inputs if one != place)
        if program.steps[among].function == "filter_part_geometry":
            among = program.steps[among].inputs[0]
        for user in program.steps[number + 1 :]:
            if number in user.inputs:
                yield user.function, set(referred[number]), set(referred[among])


def _tells(user: str, part: Seen, found: Sequence[Seen]) -> bool:
    """Whether what a function gives would be another with one more part."""
    if user == "exist_part":
        return not found
    if user == "query_part_color":
        return part.color is None or part.color not in {one.color for one in found}
    return user != "query_part_category" or part.name not in {one.name for one in found}


def _off(one: Seen, other: Seen, how: str) -> float:
    """Degrees by which two lines or planes miss being parallel, or perpendicular."""
    first, second = (np.asarray(each.axis, float) / np.linalg.norm(each.axis) for each in (one, other))
    angle = float(np.degrees(np.arccos(min(1.0, abs(first @ second)))))
    angle = 90.0 - angle if one.kind != other.kind else angle
    return angle if how == "parallel" else 90.0 - angle
