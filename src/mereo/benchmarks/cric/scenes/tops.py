"""Tops that things are put on: what of them is still free, and where a thing has its place there."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mereo.benchmarks.cric.scenes.things import footing, grown, hull_points, outline, shifted
from mereo.scenes.scene import Placed, Scene
from mereo.scenes.stacking import Sole, Top, held, sole_of, top_of

__all__ = ["Board", "Sight"]

_EDGE = 0.008
"""Meters that things keep from the edge of what they stand on."""
_APART = 0.018
"""Meters that they keep from each other."""
_SEAM = 0.006
"""Meters: half of the widest seam between two boards that things can stand on."""
_SPECK = 1e-5
"""Square meters: what overlaps by less does not."""
_TRIES = 24
_SOFT = 0.05
"""Meters by which the weight of what may overhang lies within what holds it."""


@dataclass
class Sight:
    """What the camera has in view already, so that nothing is put behind or before something else."""

    scene: Scene
    hidden: float = 0.3
    """How much of an outline may lie behind another."""
    seen: list[tuple[Any, float]] = field(default_factory=list)

    def objects_to(self, placed: Placed) -> bool:
        """Whether something would be hidden or cut by the border of the picture."""
        figure, near = outline(self.scene, placed)
        left, top, right, bottom = figure.bounds()
        camera = self.scene.camera
        if left < 2 or top < 2 or right > camera.width - 2 or bottom > camera.height - 2:
            return True
        for other, its_near in self.seen:
            behind = figure if near > its_near else other
            if (figure ^ other).area() > self.hidden * behind.area():
                return True
        return False

    def add(self, placed: Placed) -> None:
        """Keep something in mind that has its place."""
        self.seen.append(outline(self.scene, placed))


class Board:
    """The flat top of a thing that stands already."""

    def __init__(self, placed: Placed):
        self.top: Top = top_of(placed)
        closed = grown(grown(self.top.flat, _SEAM), -_SEAM - _EDGE)  # boards side by side are one top
        self.free = closed - grown(self.top.higher, _EDGE)
        self.taken: Any = None

    @property
    def area(self) -> float:
        """Square meters that are still free."""
        return float(self.free.area())

    def fits(self, placed: Placed) -> bool:
        """Whether all of a thing has its place where it is."""
        return float((footing(placed) - self.free).area()) < _SPECK

    def _holds(self, sole: Sole, x: float, y: float) -> bool:
        """Whether a thing that may overhang would be held, moved by so much."""
        inside = held(sole, self.top, (x, y))
        clear = self.taken is None or float((sole.whole.translate((x, y)) ^ self.taken).area()) < _SPECK
        return clear and inside is not None and inside > _SOFT

    def standing(self, placed: Placed) -> Placed:
        """The thing at the height of the top, wherever it is above it."""
        return shifted(placed, 0.0, 0.0, self.top.height - float(hull_points(placed)[:, 2].min()))

    def take(self, placed: Placed) -> None:
        """Keep the place of a thing free of others."""
        around = grown(footing(placed), _APART)
        self.taken = around if self.taken is None else self.taken + around
        self.free = self.free - around

    def spot(self, placed: Placed, chance: random.Random, sight: Sight, *, soft: bool = False) -> Placed | None:
        """The thing at some free place of the top where it hides nothing and is not hidden, if there is one.

        soft : it may overhang, if its weight is held
        """
        if self.free.is_empty():
            return None
        placed = self.standing(placed)
        low, high = np.reshape((self.top.flat if soft else self.free).bounds(), (2, 2))
        left, front, right, back = footing(placed).bounds()
        sole = sole_of(placed) if soft else None
        for _ in range(_TRIES):
            x = _between(low[0] - left, high[0] - right, chance)
            y = _between(low[1] - front, high[1] - back, chance)
            there = shifted(placed, x, y)
            if (self._holds(sole, x, y) if sole else self.fits(there)) and not sight.objects_to(there):
                return there
        return None


def _between(low: float, high: float, chance: random.Random) -> float:
    return chance.uniform(low, high) if low < high else (low + high) / 2
