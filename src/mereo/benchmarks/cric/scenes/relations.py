"""How things of an own scene stand to each other, as a person would say it, and what only some would say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from mereo.benchmarks.cric.scenes.things import FLOOR, Standing, footing, grown, hull_points
from mereo.scenes.observe import Observation, directions
from mereo.scenes.scene import Scene

__all__ = ["Found", "relations_of"]

_NEAR, _NEARLY = 0.45, 0.9
"""Up to how much of their mean width things are next to each other, and up to how much some would say so."""
_WIDTHS = (0.08, 0.7)
"""Between what the width of a thing lies that others are near to, meters."""
_BESIDE, _PARTLY = 0.3, 0.7
"""Up to which share of the narrower one two things that are beside each other lie in the same columns, and up to which
some would still say that they are."""
_ASIDE, _SLANT = 0.35, 2.5
"""How many times as far aside as away a thing is at least that is left or right of another, and how many times as far
aside at most of which some would say that it is before or behind."""
_STRAIGHT = 1.2
"""How many times as far aside as away a thing is at most that everybody would say is before or behind another."""
_LEVEL, _JOINED = 0.05, 0.06
"""Meters: tops no more out of level and no farther apart are one surface."""
_CLOSE = 18 / 480
"""How near boxes of things on different surfaces lie, as a share of the picture's width, for some to relate them."""
_WHOLLY, _BARELY = 0.85, 0.15
"""From which share of it on a thing is under another, and up to which it is not."""


class Found(NamedTuple):
    """One relation between places in the scene."""

    subject: int
    predicate: str
    object: int
    sure: bool


@dataclass(frozen=True)
class _Figure:
    """A thing as relations see it."""

    foot: Any
    width: float
    across: tuple[float, float]
    """Between what it lies along the picture's right, meters."""
    away: tuple[float, float]
    """And along the way from the viewer."""
    high: float
    columns: tuple[float, float]
    rows: tuple[float, float]

    @property
    def middle(self) -> tuple[float, float]:
        """Along both, meters."""
        return sum(self.across) / 2, sum(self.away) / 2


def relations_of(things: Sequence[Standing], scene: Scene, seen: Observation) -> list[Found]:
    """All relations, each with whether everybody would state it."""
    figures = [_figure(thing, scene, seen, number) for number, thing in enumerate(things)]
    surfaces = _surfaces(things, figures)
    found = [*_held(things)]
    for one, other in combinations(range(len(things)), 2):
        if one in _holders(things, other) or other in _holders(things, one):
            continue
        found += _beneath(figures, things, one, other)
        if any(each.predicate == "under" and {each.subject, each.object} == {one, other} for each in found):
            continue
        together = surfaces[one] == surfaces[other]
        found += _beside(figures, one, other, together=together, close=_close(figures[one], figures[other], scene))
    return found


def _figure(thing: Standing, scene: Scene, seen: Observation, number: int) -> _Figure:
    sides, hull, foot = directions(scene), hull_points(thing.placed), footing(thing.placed)
    across, away = (hull @ np.array(sides[name]) for name in ("right", "behind"))
    left, top, wide, tall = seen.objects[number].box or (0, 0, 0, 0)
    return _Figure(
        foot,
        float(np.clip(np.sqrt(foot.area()), *_WIDTHS)),
        (float(across.min()), float(across.max())),
        (float(away.min()), float(away.max())),
        float(hull[:, 2].max()),
        (left, left + wide),
        (top, top + tall),
    )


def _surfaces(things: Sequence[Standing], figures: Sequence[_Figure]) -> list[tuple[int, str]]:
    """For each thing the surface that it stands on: its holder, or the first of holders that are joined to one."""
    joined = list(range(len(things)))
    tops: dict[int, float] = {}
    for thing in things:
        if thing.holder != FLOOR and things[thing.holder].holder == FLOOR:
            tops[thing.holder] = float(hull_points(thing.placed)[:, 2].min())
    for one, other in combinations(sorted(tops), 2):
        near = _within(figures[one], figures[other], _JOINED)
        if abs(tops[one] - tops[other]) < _LEVEL and near:
            joined[other] = joined[one]
    return [(FLOOR if thing.holder == FLOOR else joined[thing.holder], thing.how) for thing in things]


def _holders(things: Sequence[Standing], number: int) -> list[int]:
    """What a thing stands on, what that stands on, and so on."""
    found = []
    while (number := things[number].holder) != FLOOR:
        found.append(number)
    return found


def _held(things: Sequence[Standing]) -> Iterator[Found]:
    for number, thing in enumerate(things):
        for step, holder in enumerate(_holders(things, number)):
            yield Found(number, "on" if step else thing.how, holder, sure=not step)
            if step or thing.how == "on":
                yield Found(holder, "under", number, sure=not step)


def _beneath(figures: Sequence[_Figure], things: Sequence[Standing], one: int, other: int) -> Iterator[Found]:
    """What stands on the floor under something."""
    if things[one].holder != FLOOR or things[other].holder != FLOOR:
        return
    low, high = sorted((one, other), key=lambda number: figures[number].high)
    share = (figures[low].foot ^ figures[high].foot).area() / max(figures[low].foot.area(), 1e-9)
    if share > _BARELY:
        yield Found(low, "under", high, sure=share > _WHOLLY)


def _beside(figures: Sequence[_Figure], one: int, other: int, *, together: bool, close: bool) -> Iterator[Found]:
    """Whether two things are near, and on which side of each other they are.

    together : whether they stand on one surface; of others some would say so where they are close in the picture
    """
    if not together and not close:
        return
    first, second = figures[one], figures[other]
    width = (first.width + second.width) / 2
    if _within(first, second, _NEARLY * width):
        sure = together and _within(first, second, _NEAR * width)
        yield from (Found(one, "next to", other, sure), Found(other, "next to", one, sure))
    right, behind = np.subtract(second.middle, first.middle).tolist()
    left_one, right_one = (one, other) if right > 0 else (other, one)
    over = _overlap(first.columns, second.columns)
    if over < _PARTLY:
        sure = together and over < _BESIDE and abs(right) > _ASIDE * abs(behind)
        yield from (Found(left_one, "left of", right_one, sure), Found(right_one, "right of", left_one, sure))
    near, far = (one, other) if behind > 0 else (other, one)
    over = _overlap(first.away, second.away)
    if over < _PARTLY and abs(right) < _SLANT * abs(behind):
        sure = together and over < _BESIDE and abs(right) < _STRAIGHT * abs(behind)
        yield from (Found(near, "in front of", far, sure), Found(far, "behind", near, sure))


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How much of the shorter of two spans lies within the other, as a share; negative where they are apart."""
    shorter = min(one[1] - one[0], other[1] - other[0])
    return (min(one[1], other[1]) - max(one[0], other[0])) / max(shorter, 1e-9)


def _within(one: _Figure, other: _Figure, meters: float) -> bool:
    """Whether two things are no farther apart than so much, as seen from above."""
    left, front, right, back = one.foot.bounds()
    its_left, its_front, its_right, its_back = other.foot.bounds()
    if max(its_left - right, left - its_right, its_front - back, front - its_back) > meters:
        return False
    return not (grown(one.foot, meters) ^ other.foot).is_empty()


def _close(one: _Figure, other: _Figure, scene: Scene) -> bool:
    """Whether two things are near each other in the picture."""
    most = _CLOSE * scene.camera.width
    return all(
        max(first[0], second[0]) - min(first[1], second[1]) < most
        for first, second in ((one.columns, other.columns), (one.rows, other.rows))
    )
