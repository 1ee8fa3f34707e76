"""What is false at face value or in doubt, a second time: plain rooms that are seen otherwise, with sets and loops."""

from __future__ import annotations

import re
from typing import Any

from mereo.programs import Program
from naive_parts import Nothing, Room, run

NUMBERS = ("total", "count_object", "sum", "minus")


class Colorful(Room):
    """Paints are told however little is seen of them, and whatever they look like."""

    def color(self, part: Any) -> Any:
        return self.part(part)["color"] or self.things[part[0]].get("colors", {}).get(self.name(part))


class Patchy(Room):
    """Lines are lines although others of their name are none."""

    def axis(self, part: Any) -> tuple[str, list[float]] | None:
        if isinstance(part, str):
            return super().axis(part)
        own = self.part(part)
        if "line" in own:
            return "line", own["line"]["direction"]
        return ("plane", own["plane"]["normal"]) if "plane" in own else None


class Careless(Room):
    """What is nearly parallel is parallel."""

    tolerance = 18.0


def doubts(program: Program, text: str, record: dict[str, Any]) -> set[str]:
    """The gates that a question breaks."""
    found = set()
    if not re.search("visible|you see|can see|be seen", text) and differs(
        program, record, everything(record), Colorful
    ):
        found.add("false")
    if any(differs(program, record, other, numbers=True) for other in fainter(record)):
        found.add("faint")
    for name, room in (("dim", Colorful), ("mixed", Patchy), ("rough", Careless)):
        if differs(program, record, record, room):
            found.add(name)
    return found


def everything(record: dict[str, Any]) -> dict[str, Any]:
    """A record in which all parts are seen."""
    things = []
    for thing in record["objects"]:
        parts = thing["parts"] + thing["faint"] + thing["hidden"]
        things.append({**thing, "parts": parts, "faint": [], "hidden": []})
    return {**record, "objects": things}


def fainter(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Records in which the largest faint parts of a name are seen, so many of them, or all of all names."""
    found = []
    every = {n: [p["part"] for p in thing["faint"]] for n, thing in enumerate(record["objects"])}
    for number, names in every.items():
        for name in set(names):
            found += [shown(record, {(number, name): count}) for count in range(1, names.count(name) + 1)]
    return [*found, shown(record, {(n, name): 99 for n, names in every.items() for name in names})]


def shown(record: dict[str, Any], counts: dict[tuple[int, str], int]) -> dict[str, Any]:
    things = []
    for number, thing in enumerate(record["objects"]):
        left: list[Any] = []
        more: list[Any] = []
        for part in sorted(thing["faint"], key=lambda part: -part["pixels"]):
            wanted = counts.get((number, part["part"]), 0)
            (more if sum(p["part"] == part["part"] for p in more) < wanted else left).append(part)
        things.append({**thing, "parts": thing["parts"] + more, "faint": left})
    return {**record, "objects": things}


def differs(
    program: Program, record: dict[str, Any], other: dict[str, Any], kind: type[Room] = Room, *, numbers: bool = False
) -> bool:
    """Whether the answer or a thing that is meant is another, or, if told so, a number on the way."""
    before = run(program, record)
    try:
        after = run(program, other, kind)
    except Nothing:
        return True
    told = ("unique", *(NUMBERS if numbers else ()))
    kept = [k for k, step in enumerate(program.steps) if step.function in told] + [-1]
    return any(before[k] != after[k] for k in kept)
