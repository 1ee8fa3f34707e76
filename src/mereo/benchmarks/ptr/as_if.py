"""Records as they would be if more were seen, for audits: what a question says must be as true of them.

`readings` makes worlds of what a scene may be taken for while questions are asked. This is another way to the same end,
by changing the record, so that neither hides a fault of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["Record", "bold", "faintly_seen", "whole"]

Record = Mapping[str, Any]


def whole(record: Record) -> Record:
    """As if all parts stood before the camera, in the light."""
    return {**record, "objects": [_plain(thing, record, hidden=True) for thing in record["objects"]]}


def bold(record: Record) -> Record:
    """As if the paint of parts could be told however little is seen of it, and whatever it looks like."""
    return {**record, "objects": [_plain(thing, record, hidden=False) for thing in record["objects"]]}


def faintly_seen(record: Record) -> Iterator[Record]:
    """As if some parts of a few pixels were seen: the largest, the two largest, … of each name, and all of them."""
    things = record["objects"]
    for number, thing in enumerate(things):
        for name in dict.fromkeys(part["part"] for part in thing["faint"]):
            faint = sorted((part for part in thing["faint"] if part["part"] == name), key=lambda part: -part["pixels"])
            for count in range(1, len(faint) + 1):
                yield _with(record, {number: faint[:count]})
    if sum(bool(thing["faint"]) for thing in things) > 1:
        yield _with(record, {number: thing["faint"] for number, thing in enumerate(things)})


def _with(record: Record, more: Mapping[int, Sequence[Any]]) -> Record:
    things = list(record["objects"])
    for number, parts in more.items():
        thing = things[number]
        left = [part for part in thing["faint"] if not any(part is one for one in parts)]
        things[number] = {**thing, "parts": [*thing["parts"], *parts], "faint": left}
    return {**record, "objects": things}


def _plain(thing: Mapping[str, Any], record: Record, *, hidden: bool) -> dict[str, Any]:
    """An object whose parts all show their paint on as many pixels as there are. hidden : whether all of its parts"""
    width, height = record["size"]
    paints = thing.get("colors", {})
    parts = [
        {"box": [0, 0, 0, 0], **part, "pixels": width * height, "color": part["color"] or paints.get(part["part"])}
        for part in (*thing["parts"], *((*thing["faint"], *thing["hidden"]) if hidden else ()))
    ]
    return {**thing, "parts": parts, **({"faint": [], "hidden": []} if hidden else {})}
