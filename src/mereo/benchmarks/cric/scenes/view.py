"""Whether things are plainly seen, and scenes without those that are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mereo.benchmarks.cric.scenes.plans import holds
from mereo.benchmarks.cric.scenes.things import FLOOR, Standing
from mereo.scenes.assemble import pose_matrix
from mereo.scenes.observe import Observation, projected
from mereo.scenes.physics import pieces_of
from mereo.scenes.scene import Placed, Scene

__all__ = ["LEAST", "hidden", "kept"]

LEAST = 90 / (480 * 320)
"""The least share of the picture that a thing covers."""
_SHOWN, _SHOWN_BELOW, _SHOWN_WITHIN = 0.6, 0.4, 0.35
"""The least share of its own outline that shows of what stands on something, of what stands on the floor, whose feet
may be behind others or beyond the border of the picture, and of what lies in something."""


def hidden(things: Sequence[Standing], scene: Scene, seen: Observation) -> set[int]:
    """The places of all things that are not plainly seen, and of all that stand on them or lie in them.

    Of what lies in one bowl all goes if one is hidden: the others may lie on it.
    """
    whole = scene.camera.width * scene.camera.height
    found: set[int] = set()
    for number, thing in enumerate(things):
        least = _SHOWN_BELOW if thing.holder == FLOOR else _SHOWN_WITHIN if thing.how == "in" else _SHOWN
        pixels = seen.objects[number].pixels
        if pixels < LEAST * whole or pixels < least * _area(scene, thing.placed):
            found.add(number)
            if _settled(things, number):
                found |= {other for other, each in enumerate(things) if each.holder == thing.holder}
    for number, thing in enumerate(things):  # holders stand before what they hold
        if thing.holder in found:
            found.add(number)
    return found


def _settled(things: Sequence[Standing], number: int) -> bool:
    holder = things[number].holder
    rule = None if holder == FLOOR else holds().get(things[holder].kind)
    return rule is not None and rule.settle


def kept(things: Sequence[Standing], without: set[int]) -> list[Standing]:
    """The things but for some, each still with its holder."""
    left = [number for number in range(len(things)) if number not in without]
    places = {number: place for place, number in enumerate(left)} | {FLOOR: FLOOR}
    return [things[number]._replace(holder=places[things[number].holder]) for number in left]


def _area(scene: Scene, placed: Placed) -> float:
    """What a thing would cover if it stood alone, pixels."""
    from manifold3d import CrossSection, OpType

    matrix = pose_matrix(placed.pose, placed.scale)
    figures: list[Any] = []
    for piece in pieces_of(placed.shape):
        pixels = projected(scene, piece.corners @ matrix[:3, :3].T + matrix[:3, 3])
        figures.append(CrossSection.hull_points(np.ascontiguousarray(pixels[:, :2])))
    return float(CrossSection.batch_boolean(figures, OpType.Add).area())
