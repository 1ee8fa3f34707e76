"""What else a PTR scene may be taken for: by an eye that sees more or less, and by who knows what is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.told import check_record
from mereo.benchmarks.ptr.world import world_of
from mereo.questions.readings import Readings

__all__ = ["ptr_readings"]


def ptr_readings(record: Mapping[str, Any]) -> Readings:
    """The readings of a scene's record."""
    check_record(record)
    objects = record["objects"]
    every = [[*thing["faint"], *thing["hidden"]] for thing in objects]
    return Readings(tuple(_by_eye(record)), world_of(record, more=every, dim=True))


def _by_eye(record: Mapping[str, Any]) -> Iterator[Any]:
    """Worlds that differ from the certain one in what is in doubt: faint parts, dim colors, odd lines, rough angles."""
    objects = record["objects"]
    for number, thing in enumerate(objects):
        for name in dict.fromkeys(part["part"] for part in thing["faint"]):
            faint = sorted((p for p in thing["faint"] if p["part"] == name), key=lambda part: -part["pixels"])
            for count in range(1, len(faint) + 1):
                yield world_of(record, more=[faint[:count] if k == number else [] for k in range(len(objects))])
    if any(thing["faint"] for thing in objects):
        yield world_of(record, more=[thing["faint"] for thing in objects], dim=True)
    yield world_of(record, dim=True)
    yield world_of(record, mixed=True)
    yield world_of(record, within=NUMBERS["angles"]["surely_not"])
