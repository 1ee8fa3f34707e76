"""The gates of PTR: what an audit counts over a whole set, and how much of it there may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mereo.benchmarks.ptr.looks import Looks
from mereo.benchmarks.ptr.tilt import is_tilted, leaves_open, tilt_of, told_by_tilt
from mereo.benchmarks.ptr.truth import GATES, Truth
from mereo.datasets.columns import record_of
from mereo.datasets.gates import Gate, Row, Tell, Watch
from mereo.datasets.guessing import Guessing
from mereo.datasets.repeats import Repeats
from mereo.programs import parse_program

__all__ = ["ptr_watches"]

_MOST: dict[str, float] = GATES["most"]
_ENOUGH = 100
"""How many there must be of something for a share to say something."""


def ptr_watches(*, pictures: bool) -> list[Watch]:
    """All who look at PTR's rows. pictures : whether at pictures, too"""
    across = {column: _MOST[column] for column in ("program", "question")}
    return [
        Truth(),
        *([Looks()] if pictures else []),
        Repeats(within=0, across=across),
        CountingAll(),
        Tilt(),
        Guessing(most=_MOST["guessed"]),
    ]


class CountingAll(Watch):
    """The share of questions that count all objects, among those that count objects."""

    def __init__(self) -> None:
        self._of = self._all = 0
        self._program = str(parse_program("count_object(scene())"))

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Count them."""
        counting = [question for question in questions if question["subtype"] == "count-object"]
        self._of += len(counting)
        self._all += sum(question["program"] == self._program for question in counting)

    def gates(self) -> Iterator[Gate]:
        """The share."""
        found = self._all / self._of if self._of >= _ENOUGH else None
        name = "count-object that counts everything"
        yield Gate(name=name, found=found, most=_MOST["counting_all"], of=self._of, unit="share")


class Tilt(Watch):
    """What the tilt of objects tells of their stability."""

    def __init__(self) -> None:
        self._tilts: dict[str, list[float]] = {"stable": [], "unstable": []}
        self._wheels = Tell("stable objects that stand tilted on wheels")
        self._touching = Tell("tilted objects that leave open whether they touch a wall")

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Note the tilts of objects that are known to be stable or not."""
        record = record_of(scene)
        for number, thing in enumerate(record["objects"]):
            stability = thing.get("stability")
            if stability not in self._tilts or "rotation" not in thing:
                continue
            self._tilts[stability].append(tilt_of(thing["rotation"]))
            where = f"object {number} of {scene['scene_id']}"
            if not is_tilted(thing["rotation"]) or "gaps" not in thing:
                continue
            self._touching.add(leaves_open(thing, record["size"]), where)
            if stability == "stable":
                self._wheels.add(thing["wheels"], where)

    def gates(self) -> Iterator[Gate]:
        """What would roll away, what is not seen to touch or to be free, and how often a guess by tilt is right."""
        yield self._wheels.gate()
        yield self._touching.gate()
        stable, unstable = self._tilts["stable"], self._tilts["unstable"]
        found = told_by_tilt(stable, unstable) if min(len(stable), len(unstable)) >= _ENOUGH else None
        of = len(stable) + len(unstable)
        yield Gate(name="stability told by tilt alone", found=found, most=_MOST["tilt"], of=of, unit="share")
