"""Rooms, tables and counters filled with smaller things, and whole scenes made so."""

from __future__ import annotations

import random

import numpy as np

from mereo.benchmarks.cric.scenes.furnishing import Furnisher
from mereo.benchmarks.cric.scenes.holding import settled
from mereo.benchmarks.cric.scenes.kinds import Model
from mereo.benchmarks.cric.scenes.laying import lay
from mereo.benchmarks.cric.scenes.plans import Plan, holds
from mereo.benchmarks.cric.scenes.stage import empty_room, framed
from mereo.benchmarks.cric.scenes.things import FLOOR, Standing, placed_at, shifted, turned
from mereo.benchmarks.cric.scenes.tops import Sight
from mereo.errors import NoScene
from mereo.scenes.scene import Placed, Scene

__all__ = ["furnished"]

_AGAIN, _MOST_ALIKE = 0.25, 3
"""How often a kind is drawn that is there already, and how many there are of one at most."""
_HOLDING = 0.65
"""How often something holds what it can."""
_FAILS = 16
"""How many things in a row may find no place before a scene is as full as it gets."""
_LEAST_TOP = 0.02
"""Square meters below which nothing is put on a top."""
_TRIES = 8
_SOFT = frozenset({"cushion", "bag", "hat"})
"""Kinds that may overhang what they lie on."""


def furnished(
    plan: Plan, split: str, chance: random.Random, *, width: int, height: int
) -> tuple[list[Standing], Scene]:
    """The things of a scene in their places, and the scene with them, before anybody has looked whether all is seen."""
    maker = Furnisher(plan, split, chance)
    maker.row()
    maker.middle()
    if plan.seats:
        lay(maker)
    maker.on_floor()
    maker.under()
    if not any(thing.kind in plan.on for thing in maker.things):
        raise NoScene("there is nothing that things could stand on")
    left, right = maker.across()
    empty = empty_room(chance, across=max(-left, right), width=width, height=height)
    empty = framed(empty, maker.points(), plan, chance)
    _Filler(maker, empty, chance.randint(*plan.count)).fill()
    return maker.things, maker.scene(empty)


class _Filler:
    """Puts smaller things where the camera sees them."""

    def __init__(self, maker: Furnisher, scene: Scene, count: int):
        self.maker, self.chance, self.sight, self.count = maker, maker.chance, Sight(scene), count
        for thing in maker.things:
            if thing.holder != FLOOR:
                self.sight.add(thing.placed)

    @property
    def missing(self) -> int:
        """How many things there may still be."""
        return self.count - len(self.maker.things)

    def fill(self) -> None:
        """Put things on tops until there are so many, or until there is no place."""
        maker, on = self.maker, self.maker.plan.on
        tops = [number for number, thing in enumerate(maker.things) if thing.kind in on]
        tops = [number for number in tops if maker.board(number).area > _LEAST_TOP]
        fails = 0
        while tops and self.missing > 0 and fails < _FAILS:
            number = self.chance.choices(tops, [maker.board(each).area + _LEAST_TOP for each in tops])[0]
            options = [kind for kind in on[maker.things[number].kind] if self._wanted(kind)]
            fails = 0 if options and self._put(self.chance.choice(options), number) else fails + 1

    def _wanted(self, kind: str) -> bool:
        used = self.maker.used[kind]
        return not used or (used < _MOST_ALIKE and self.chance.random() < _AGAIN)

    def _put(self, kind: str, number: int) -> bool:
        """One thing, with what it holds, somewhere on a top."""
        maker = self.maker
        board, model = maker.board(number), maker.model(kind, on=maker.things[number].placed)
        turn = maker.turn(kind)
        contents, group = self._group(model)
        there = board.spot(turned(group[0], turn), self.chance, self.sight, soft=kind in _SOFT)
        if there is None:
            return False
        board.take(there)
        self.sight.add(there)
        place = maker.add(kind, there, number)
        x, y, z = np.subtract(there.pose.position, turned(group[0], turn).pose.position).tolist()
        for each, placed in zip(contents, group[1:], strict=True):
            maker.add(each.kind, shifted(turned(placed, turn), x, y, z), place, holds()[kind].how)
        if kind in holds() and not holds()[kind].settle and self.chance.random() < _HOLDING:
            self._stack(place)
        return True

    def _group(self, model: Model) -> tuple[list[Model], list[Placed]]:
        """What a thing holds, and the thing at the origin with all of that at rest."""
        rule = holds().get(model.kind)
        contents: list[Model] = []
        if rule is not None and rule.settle and self.chance.random() < _HOLDING:
            count = min(self.chance.randint(*rule.count), self.missing - 1)
            contents = [self.maker.model(self.chance.choice(rule.what)) for _ in range(count)]
        while rule is not None and contents:
            rested = settled(model, contents, self.chance, deep=rule.how == "in")
            if rested is not None:
                return contents, rested
            contents.pop()
        return [], [placed_at(model, 0.0, 0.0, 0.0, 0.0)]

    def _stack(self, number: int) -> None:
        """Things on the flat top of a smaller one."""
        maker, holder = self.maker, self.maker.things[number]
        rule = holds()[holder.kind]
        low, high = np.reshape(maker.board(number).top.flat.bounds(), (2, 2)).tolist()
        for kind in self.chance.sample(rule.what, min(self.chance.randint(*rule.count), self.missing)):
            model = maker.model(kind, on=holder.placed)
            for _ in range(_TRIES):
                x, y = (self.chance.uniform(a, b) for a, b in zip(low, high, strict=True))
                if maker.stand_on(number, kind, placed_at(model, x, y, 0.0, maker.turn(kind))):
                    break
