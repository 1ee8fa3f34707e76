"""A scene that is a cloud of points, as people look at it: where its points are, and the ways to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["PointView", "Telling"]

Numbers = NDArray[np.int64]


class Telling(NamedTuple):
    """One way to tell points apart: what each of them belongs to."""

    kind: str
    """What is asked for, as `semantic`."""
    level: int
    """How fine, from 1."""
    asked: str
    """The subtype of the question that asks for it."""
    names: Sequence[str]
    """Of all that is told apart; two of one name are two instances of it."""
    numbers: Numbers
    """(n,) the place of each point's name, from 1; 0 for points of none."""

    def wrong(self, said: Telling) -> NDArray[np.bool_]:
        """(n,) the points of which something else is said; those that the truth has no name for are not."""
        unlike: NDArray[np.bool_] = (self.numbers > 0) & (self.numbers != said.numbers)
        return unlike


class PointView(NamedTuple):
    """A cloud of points."""

    points: NDArray[np.float32]
    """(n, 3) z up, front towards -y, around the origin."""
    tellings: Sequence[Telling]
    """The true ones."""
    entities: Sequence[NDArray[Any]]
    """(n,) bool for each entity of the world: the points that show it."""

    @property
    def kinds(self) -> dict[str, list[Telling]]:
        """By kind its tellings, the coarsest first."""
        found: dict[str, list[Telling]] = {}
        for one in sorted(self.tellings, key=lambda telling: telling.level):
            found.setdefault(one.kind, []).append(one)
        return found
