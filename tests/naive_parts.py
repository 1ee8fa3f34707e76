"""PTR's functions a second time, from the tables of the paper alone: slow, over plain records, with sets and loops.

An object is its place in the record, a part is (object, place), a surface is its name. What has no value is `Nothing`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mereo.programs import Program

DEAD_ZONE = 0.2
SIDES = ("left", "right", "front", "behind")


class Nothing(Exception):
    """There is no value."""


def need(condition: object) -> None:
    if not condition:
        raise Nothing


class Room:
    """A record, asked plainly."""

    tolerance = 7.0

    def __init__(self, record: dict[str, Any]):
        self.record, self.things = record, record["objects"]
        self.every = set(range(len(self.things)))

    def part(self, part: tuple[int, int]) -> dict[str, Any]:
        found: dict[str, Any] = self.things[part[0]]["parts"][part[1]]
        return found

    def parts(self, thing: int) -> set[Any]:
        return {(thing, k) for k in range(len(self.things[thing]["parts"]))}

    def all_parts(self) -> set[Any]:
        return set().union(*[self.parts(thing) for thing in self.every])

    def color(self, part: Any) -> Any:
        thing, width_height = self.things[part[0]], self.record["size"]
        own = [p["pixels"] for p in thing["parts"] + thing["faint"] if p["part"] == self.name(part)]
        return self.part(part)["color"] if max(own) / math.prod(width_height) * 480 * 320 >= 60 else None

    def name(self, part: Any) -> Any:
        return self.part(part)["part"]

    def axis(self, part: Any) -> tuple[str, list[float]] | None:
        if isinstance(part, str):
            return "plane", self.record["surfaces"][part]["normal"]
        entry = self.part(part)
        thing = self.things[part[0]]
        alike = [p for p in thing["parts"] + thing["faint"] + thing["hidden"] if p["part"] == entry["part"]]
        if any(("line" in p, "plane" in p) != ("line" in entry, "plane" in entry) for p in alike):
            return None
        if "line" in entry:
            return "line", entry["line"]["direction"]
        return ("plane", entry["plane"]["normal"]) if "plane" in entry else None

    def lies(self, thing: int, side: str, other: int) -> bool:
        """Whether a thing lies on a side of another."""
        if side in ("above", "below"):
            upper, lower = (thing, other) if side == "above" else (other, thing)
            under = list(self.things[upper]["on"])
            for below in under:
                under += [more for more in self.things[below]["on"] if more not in under]
            return lower in under and lower != upper
        here, there = self.things[thing]["position"], self.things[other]["position"]
        way = self.record["directions"][side]
        return bool(sum((a - b) * d for a, b, d in zip(here, there, way, strict=True)) > DEAD_ZONE)

    def geometric(self, part: Any, other: Any) -> str | None:
        """How a part lies to another: its kind, the other's, and parallel or perpendicular."""
        one, two = self.axis(part), self.axis(other)
        if one is None or two is None or part == other:
            return None
        norms = math.hypot(*one[1]) * math.hypot(*two[1])
        cosine = abs(sum(a * b for a, b in zip(one[1], two[1], strict=True))) / norms
        angle = math.degrees(math.acos(min(1.0, cosine)))
        if one[0] != two[0]:
            angle = 90 - angle
        if angle <= self.tolerance:
            return f"{one[0]}-{two[0]} parallel"
        return f"{one[0]}-{two[0]} perpendicular" if angle >= 90 - self.tolerance else None

    def stability(self, thing: int) -> str:
        known = self.things[thing].get("stability")
        need(known)
        return str(known)

    def changes(self, thing: int) -> list[str]:
        need(self.things[thing].get("stability") == "unstable")
        return list(self.things[thing]["changes"])

    def shared(self, values: list[Any]) -> Any:
        need(values and all(value == values[0] for value in values) and values[0] is not None)
        return values[0]

    def referent(self, parts: set[Any]) -> str:
        """The kind of parts of one name of one object."""
        need(parts)
        if not any(isinstance(part, str) for part in parts):
            self.shared([part[0] for part in parts])
            self.shared([self.name(part) for part in parts])
        axes = [self.axis(part) for part in parts]
        return str(self.shared([axis and axis[0] for axis in axes]))

    def as_geometry(self, parts: set[Any]) -> set[Any]:
        self.referent(parts)
        return parts

    def relate_part(self, parts: set[Any], relation: str) -> set[Any]:
        need(self.referent(parts) == relation.split()[0].split("-")[1])
        return {part for part in self.all_parts() if all(self.geometric(part, other) == relation for other in parts)}

    def analogy(self, one: set[Any], other: set[Any], third: set[Any]) -> set[Any]:
        kinds = self.referent(one), self.referent(other)
        how = {self.geometric(b, a) for a in one for b in other}
        need(len(how) == 1 and None not in how)
        need(self.referent(third) == kinds[0])
        return self.relate_part(third, how.pop() or "")


def counts(room: Room, parts: set[Any]) -> list[int]:
    return [len(parts & room.parts(thing)) for thing in sorted(room.every)]


def object_analogy(room: Room, one: int, other: int, third: int) -> set[int]:
    sides = [side for side in SIDES if room.lies(other, side, one)]
    need(sides)
    return {thing for thing in room.every - {third} if all(room.lies(thing, side, third) for side in sides)}


def unique(things: set[int]) -> int:
    need(len(things) == 1)
    return next(iter(things))


def one_change(room: Room, thing: int) -> str:
    changes = room.changes(thing)
    need(len(changes) == 1)
    return changes[0]


def bounded(value: int) -> int:
    need(0 <= value <= 10)
    return value


def same_count(room: Room, parts: set[Any]) -> set[int]:
    whole = room.shared([part[0] for part in parts])
    name = room.shared([room.name(part) for part in parts])
    numbers = counts(room, {part for part in room.all_parts() if room.name(part) == name})
    return {thing for thing in room.every - {whole} if numbers[thing] == numbers[whole]}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "scene": lambda r: set(r.every),
    "unique": lambda r, s: unique(s),
    "relate_object": lambda r, o, rel: {t for t in r.every if t != o and r.lies(t, rel, o)},
    "count_object": lambda r, s: len(s),
    "exist_object": lambda r, s: bool(s),
    "filter_object_category": lambda r, s, c: {t for t in s if r.things[t]["category"] == c},
    "filter_stability": lambda r, s, v: {t for t in s if r.stability(t) == v},
    "query_object_category": lambda r, o: r.things[o]["category"],
    "query_possible_change": one_change,
    "query_is_stability": lambda r, o, v: r.stability(o) == v,
    "query_is_possible_change": lambda r, o, v: v in r.changes(o),
    "same_object_category": lambda r, o: {
        t for t in r.every if t != o and r.things[t]["category"] == r.things[o]["category"]
    },
    "equal_object_category": lambda r, a, b: a == b,
    "query_object_analogy": object_analogy,
    "expand_parts": lambda r, s: set().union(*[r.parts(t) for t in s]),
    "own_parts": lambda r, o: r.parts(o),
    "intersect_parts": lambda r, a, b: a & b,
    "surface": lambda r, name: {name},
    "as_geometry": lambda r, p: r.as_geometry(p),
    "relate_part": lambda r, p, rel: r.relate_part(p, rel),
    "exist_part": lambda r, p: bool(p),
    "filter_part_category": lambda r, p, name: {q for q in p if r.name(q) == name},
    "filter_part_color": lambda r, p, color: {q for q in p if r.color(q) == color},
    "filter_part_geometry": lambda r, p, kind: {q for q in p if (r.axis(q) or ("",))[0] == kind},
    "count_part": counts,
    "total": lambda r, numbers: sum(numbers),
    "filter_part_exist": lambda r, p: {q[0] for q in p},
    "filter_part_count": lambda r, numbers, n: {t for t in r.every if numbers[t] == n},
    "query_part_category": lambda r, p: r.shared([r.name(q) for q in p]),
    "query_part_color": lambda r, p: r.shared([r.color(q) for q in p]),
    "same_part_color": lambda r, p: {q for q in r.all_parts() - p if r.color(q) == r.shared([r.color(x) for x in p])},
    "same_part_count": same_count,
    "equal_part_category": lambda r, a, b: a == b,
    "equal_part_color": lambda r, a, b: a == b,
    "query_part_analogy": lambda r, a, b, c: r.analogy(a, b, c),
    "equal_integer": lambda r, a, b: a == b,
    "less_than": lambda r, a, b: a < b,
    "greater_than": lambda r, a, b: a > b,
    "sum": lambda r, a, b: bounded(a + b),
    "minus": lambda r, a, b: bounded(a - b),
}


def run(program: Program, record: dict[str, Any], kind: type[Room] = Room) -> list[Any]:
    """The value of every step."""
    room = kind(record)
    values: list[Any] = []
    for step in program.steps:
        values.append(FUNCTIONS[step.function](room, *[values[i] for i in step.inputs], *step.values))
    return values


def entities(value: Any, record: dict[str, Any]) -> Any:
    """A step's value as the executor shows it: sorted ids where it is a set of objects or parts."""
    names = [f"{thing['category']}-{number}" for number, thing in enumerate(record["objects"])]

    def called(entity: Any) -> str:
        if isinstance(entity, str):
            return entity
        if isinstance(entity, int):
            return names[entity]
        whole, place = entity
        own = record["objects"][whole]["parts"]
        number = sum(other["part"] == own[place]["part"] for other in own[: place + 1])
        return f"{names[whole]}/{own[place]['part'].replace(' ', '-')}-{number}"

    return sorted(map(called, value)) if isinstance(value, set) else value
