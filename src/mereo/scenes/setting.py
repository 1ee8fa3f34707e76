"""Where a scene takes place, as rectangles: floor and walls of a room, a stage's ground, a table top and its wall."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mereo.scenes.scene import Room, Stage, Surface, TableTop, Vector
from mereo.shapes.mesh import Floats

__all__ = ["STAGE_SIDE", "Panel", "panels"]

STAGE_SIDE = 120.0
"""The side of a stage's ground, meters."""
_BACKDROP = 12.0
"""The side of the wall behind a table, meters."""


class Panel(NamedTuple):
    """A rectangle that faces where across × up points."""

    surface: Surface
    corner: Vector
    """Meters, world frame."""
    across: Vector
    """From the corner along one edge, meters."""
    up: Vector
    """From the corner along the other."""

    def corners(self) -> Floats:
        """(4, 3) float, meters, world frame."""
        places: Floats = np.array(self.corner) + self.square() @ np.array([self.across, self.up])
        return places

    def square(self) -> Floats:
        """(4, 2) float: the corners along both edges, 0 or 1."""
        return np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def panels(setting: Room | Stage | TableTop) -> dict[str, Panel]:
    """The rectangles of a setting by name, always in the same order."""
    if isinstance(setting, Stage):
        half = STAGE_SIDE / 2
        return {"floor": Panel(setting.ground, (-half, -half, 0), (STAGE_SIDE, 0, 0), (0, STAGE_SIDE, 0))}
    if isinstance(setting, TableTop):
        return _table(setting)
    width, depth, height = setting.width, setting.depth, setting.height
    x, y = width / 2, depth / 2
    return {
        "floor": Panel(setting.floor, (-x, -y, 0), (width, 0, 0), (0, depth, 0)),
        "back": Panel(setting.back, (-x, y, 0), (width, 0, 0), (0, 0, height)),
        "left": Panel(setting.left, (-x, -y, 0), (0, depth, 0), (0, 0, height)),
        "right": Panel(setting.right, (x, y, 0), (0, -depth, 0), (0, 0, height)),
    }


def _table(setting: TableTop) -> dict[str, Panel]:
    """The top with those of its edges that can be seen, and a wall that fills all that is behind it."""
    width, depth, thick = setting.width, setting.depth, setting.thickness
    x, y, half = width / 2, depth / 2, _BACKDROP / 2
    return {
        "top": Panel(setting.top, (-x, -y, 0), (width, 0, 0), (0, depth, 0)),
        "front": Panel(setting.top, (-x, -y, -thick), (width, 0, 0), (0, 0, thick)),
        "left": Panel(setting.top, (-x, y, -thick), (0, -depth, 0), (0, 0, thick)),
        "right": Panel(setting.top, (x, -y, -thick), (0, depth, 0), (0, 0, thick)),
        "wall": Panel(setting.wall, (-half, y + setting.gap, -half), (_BACKDROP, 0, 0), (0, 0, _BACKDROP)),
    }
