"""What bowls, baskets and plates hold: let fall, and taken as it has come to rest."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import numpy as np

from mereo.benchmarks.cric.scenes.kinds import Model
from mereo.benchmarks.cric.scenes.things import hull_points, placed_at
from mereo.scenes.physics import Simulation, pieces_of
from mereo.scenes.scene import Camera, Placed, Scene, Stage

__all__ = ["settled"]

_ABOVE, _STEP = 0.015, 0.09
"""Meters above the holder from which things fall, and between two of them."""
_SECONDS, _ROUNDS = 0.7, 4
_REST = 0.06
"""Meters and radians per second below which things are at rest."""
_DEEP = 0.3
"""The share of its own height by which what lies in something lies below its rim."""
_LEAVES = 0.25
"""The share of its own width by which what is held may reach beyond the holder."""


def settled(holder: Model, contents: Sequence[Model], chance: random.Random, *, deep: bool) -> list[Placed] | None:
    """A holder at the origin and what it holds, at rest; None where something fell beside it or does not rest.

    deep : whether what is held must lie below the holder's rim with its lower end
    """
    bottom = placed_at(holder, 0.0, 0.0, 0.0, 0.0)
    height = float(hull_points(bottom)[:, 2].max())
    objects = [bottom]
    for number, model in enumerate(contents):
        x, y = (chance.uniform(-0.2, 0.2) * holder.scale * 0.1 for _ in range(2))
        objects.append(placed_at(model, x, y, height + _ABOVE + number * _STEP, chance.uniform(0, 360)))
    camera = Camera((0.0, -1.0, 1.0), (0.0, 0.0, 0.0), 40.0)
    simulation = Simulation(Scene(Stage(), tuple(objects), (), camera))
    for _ in range(_ROUNDS):
        simulation.run(_SECONDS)
        if np.abs(simulation.data.qvel).max() < _REST:
            break
    else:
        return None
    rested = [
        msgspec.structs.replace(placed, pose=pose) for placed, pose in zip(objects, simulation.poses(), strict=True)
    ]
    return rested if all(_held(each, rested[0], deep=deep) for each in rested[1:]) else None


def _held(placed: Placed, holder: Placed, *, deep: bool) -> bool:
    """Whether a thing lies within the holder as seen from above, and clear of the ground."""
    own, around = hull_points(placed), hull_points(holder)
    slack = _LEAVES * (own.max(0) - own.min(0))[:2]
    within = (own.min(0)[:2] > around.min(0)[:2] - slack).all() and (own.max(0)[:2] < around.max(0)[:2] + slack).all()
    low, high = float(own[:, 2].min()), float(own[:, 2].max())
    return bool(within and low > 0.002) and (not deep or low + _DEEP * (high - low) < _rim(holder))


def _rim(holder: Placed) -> float:
    """How high the wall of a holder is, a handle over it not counted. Meters"""
    heights = [piece.corners[:, 2].max() for piece in pieces_of(holder.shape)]
    return float(holder.pose.position[2] + holder.scale * np.median(heights))
