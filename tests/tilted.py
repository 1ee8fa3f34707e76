"""What a tilt gives away over whole records, as the gates of PTR count it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mereo.benchmarks.ptr.tilt import is_tilted, leaves_open, tilt_of, told_by_tilt


def tilt_tells(records: Iterable[Mapping[str, Any]]) -> float:
    tilts: dict[str, list[float]] = {"stable": [], "unstable": []}
    for thing in _things(records):
        tilts[thing["stability"]].append(tilt_of(thing["rotation"]))
    return told_by_tilt(tilts["stable"], tilts["unstable"])


def tilted_on_wheels(records: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """How many tilted and stable objects stand on wheels, and how many there are in all."""
    tilted = [t for t in _things(records) if t["stability"] == "stable" and is_tilted(t["rotation"])]
    return sum(thing["wheels"] for thing in tilted), len(tilted)


def leaning_in_doubt(records: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """How many tilted objects leave open whether they touch a wall, and how many there are in all."""
    found = [
        leaves_open(thing, record["size"])
        for record in records
        for thing in _things([record])
        if is_tilted(thing["rotation"])
    ]
    return sum(found), len(found)


def _things(records: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The objects of physical scenes."""
    return (thing for record in records if record["physical"] for thing in record["objects"])
