"""How own scenes are furnished: what stands in a row against the wall, in the middle, on the floor and under tables."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import numpy as np

from mereo.benchmarks.cric.scenes.kinds import Model, drawn_model, kinds
from mereo.benchmarks.cric.scenes.paints import lost_on
from mereo.benchmarks.cric.scenes.plans import Plan
from mereo.benchmarks.cric.scenes.stage import BACK
from mereo.benchmarks.cric.scenes.things import (
    FLOOR,
    Standing,
    footing,
    footing_below,
    grown,
    hull_points,
    placed_at,
    shifted,
)
from mereo.benchmarks.cric.scenes.tops import Board
from mereo.scenes.scene import Paint, Placed, Scene
from mereo.shapes.label_pattern import fits
from mereo.shapes.mesh import Floats

__all__ = ["Furnisher"]

_WALL_GAP, _FLOOR_GAP, _UNDER_GAP = 0.02, 0.07, 0.02
"""Meters from the wall, between things on the floor, and between a table and what stands under it."""
_BEFORE = (0.0, 2.3)
"""Meters before the back wall within which things stand on the floor."""
_MIDDLE = (1.25, 1.6)
"""Meters before the back wall at which what stands in the middle has its back."""
_UNDER = 0.6
"""How often something stands under a table."""
_HIDES, _TALL = 0.35, 0.5
"""What is so much of another's width before it, and of its height, hides it."""
_TRIES = 16
_SHARED = frozenset({"silver", "clear", "oak", "walnut"})
"""Colors that several things of a kind may have."""
_TOPS = ("**/countertop", "**/board", "**/top_panel", "**/blanket", "**/mattress", "**/seat_single_surface")
"""The parts whose color is that of a thing's top."""


class Furnisher:
    """A scene that is being furnished."""

    def __init__(self, plan: Plan, split: str, chance: random.Random):
        self.plan, self.split, self.chance = plan, split, chance
        self.things: list[Standing] = []
        self.used: Counter[str] = Counter()
        self._boards: dict[int, Board] = {}

    def model(self, kind: str, *, on: Placed | None = None) -> Model:
        """A thing of a kind that is not lost on what it stands on and not colored as others of its kind."""
        lost = set(lost_on(_top_paint(on))) if on else set()
        for thing in self.things:
            if thing.kind == kind:
                lost |= {paint.name for paint in thing.placed.paints.values()} - _SHARED
        return drawn_model(kind, self.split, self.chance, lost=lost)

    def turn(self, kind: str) -> float:
        """Degrees by which a thing of a kind is turned by chance."""
        most = kinds()[kind].turn
        return self.chance.uniform(-most, most)

    def add(self, kind: str, placed: Placed, holder: int = FLOOR, how: str = "on") -> int:
        """Keep a thing in its place, which is returned."""
        self.things.append(Standing(kind, placed, holder, how))
        self.used[kind] += 1
        return len(self.things) - 1

    def board(self, number: int) -> Board:
        """The top of a thing."""
        if number not in self._boards:
            self._boards[number] = Board(self.things[number].placed)
        return self._boards[number]

    def stand_on(self, number: int, kind: str, placed: Placed) -> bool:
        """Stand a thing on another just where it is, if it has its place there."""
        board = self.board(number)
        placed = board.standing(placed)
        if not board.fits(placed):
            return False
        board.take(placed)
        self.add(kind, placed, number)
        return True

    def clear(self, placed: Placed, gap: float, *, but: int = FLOOR) -> bool:
        """Whether a thing keeps its distance from all that stands on the floor, one of them perhaps left out."""
        own = grown(footing(placed), gap)
        others = (thing for number, thing in enumerate(self.things) if thing.holder == FLOOR and number != but)
        return all((own ^ footing(thing.placed)).is_empty() for thing in others)

    def across(self) -> tuple[float, float]:
        """Between what all that stands there lies, meters along x."""
        bounds = [footing(thing.placed).bounds() for thing in self.things]
        return min(bound[0] for bound in bounds), max(bound[2] for bound in bounds)

    def row(self) -> None:
        """Furniture in a row against the back wall."""
        models = [self.model(kind) for options in self.plan.row if (kind := self.chance.choice(options))]
        if self.chance.random() < 0.5:
            models.reverse()
        edge, found = 0.0, []
        for model in models:
            placed = placed_at(model, 0.0, 0.0, 0.0, self._facing(model.kind, 0.0))
            left, _, right, back = footing(placed).bounds()
            gap = self.chance.uniform(*self.plan.gaps)
            found.append((model.kind, shifted(placed, edge + gap - left, BACK - _WALL_GAP - back)))
            edge += gap + right - left
        for kind, placed in found:
            self.add(kind, shifted(placed, -edge / 2, 0.0))

    def _facing(self, kind: str, degrees: float) -> float:
        """How a thing is turned that looks that way, if it has a front."""
        return self.turn(kind) if kinds()[kind].turn > 90 else degrees

    def middle(self) -> None:
        """Something in the middle of the floor."""
        for kind in self.plan.middle:
            placed = placed_at(self.model(kind), 0.0, 0.0, 0.0, self.turn(kind))
            back = BACK - self.chance.uniform(*_MIDDLE)
            self.add(kind, shifted(placed, self.chance.uniform(-0.2, 0.2), back - footing(placed).bounds()[3]))

    def on_floor(self) -> None:
        """More on the floor, near what stands there."""
        options = list(self.plan.floor)
        self.chance.shuffle(options)
        left, right = self.across()
        for kind in options[: self.chance.randint(*self.plan.floor_count)]:
            model = self.model(kind)
            for _ in range(_TRIES):
                x, y = self.chance.uniform(left - 0.3, right + 0.3), BACK - self.chance.uniform(*_BEFORE)
                inwards = self.chance.uniform(10, 70) * (1 if x < (left + right) / 2 else -1)
                placed = placed_at(model, x, y, 0.0, self._facing(kind, inwards))
                within = footing(placed).bounds()[3] < BACK - _WALL_GAP
                if within and self.clear(placed, _FLOOR_GAP) and not self._hides(placed):
                    self.add(kind, placed)
                    break

    def _hides(self, placed: Placed) -> bool:
        """Whether a thing would stand right before another, as far as one knows before there is a camera."""
        left, front, right, _ = footing(placed).bounds()
        high = hull_points(placed)[:, 2].max()
        for thing in self.things:
            its_left, its_front, its_right, _ = footing(thing.placed).bounds()
            share = (min(right, its_right) - max(left, its_left)) / min(right - left, its_right - its_left)
            if share > _HIDES and front < its_front and high > _TALL * hull_points(thing.placed)[:, 2].max():
                return True
        return False

    def under(self) -> None:
        """Something on the floor under a table, towards the viewer."""
        for number, thing in enumerate(list(self.things)):
            if thing.kind not in self.plan.under or self.chance.random() > _UNDER:
                continue
            model = self.model(self.chance.choice(self.plan.under[thing.kind]))
            left, front, right, back = footing(thing.placed).bounds()
            for _ in range(_TRIES):
                x, y = self.chance.uniform(left, right), self.chance.uniform(front, (front + back) / 2 + 0.1)
                placed = placed_at(model, x, y, 0.0, self.turn(model.kind))
                if _goes_under(placed, thing.placed) and self.clear(placed, _UNDER_GAP, but=number):
                    self.add(model.kind, placed)
                    break

    def points(self) -> Floats:
        """(n, 3) float: what the picture must have in view, meters."""
        found = []
        for number, thing in enumerate(self.things):
            if thing.holder != FLOOR or self.plan.whole:
                found.append(hull_points(thing.placed))
            if thing.kind in self.plan.on and not (self.plan.seats and number):
                found.append(self._over(number))
        return np.concatenate(found)

    def _over(self, number: int) -> Floats:
        """The corners of a top, and those as much higher as the picture shows."""
        top = self.board(number).top
        left, front, right, back = top.flat.bounds()
        heights = (top.height, top.height + self.plan.raised)
        return np.array([(x, y, z) for x in (left, right) for y in (front, back) for z in heights])

    def scene(self, empty: Scene) -> Scene:
        """A room with all these things in it."""
        return msgspec.structs.replace(empty, objects=tuple(thing.placed for thing in self.things))


def _top_paint(placed: Placed) -> Paint:
    """The paint of a thing's top."""
    for pattern in _TOPS:
        for label, paint in placed.paints.items():
            if fits(label, pattern):
                return paint
    return next(iter(placed.paints.values()))


def _goes_under(placed: Placed, table: Placed) -> bool:
    """Whether a thing stands below a table's top, clear of its legs."""
    high = float(hull_points(placed)[:, 2].max()) + _UNDER_GAP
    legs = footing_below(table, high)
    free = (grown(footing(placed), _UNDER_GAP) ^ legs).is_empty()
    return bool(free and (footing(placed) - footing(table)).is_empty())
