"""A robot's hand: a parallel gripper, as boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mereo.shapes.mesh import Floats

__all__ = ["HAND", "Hand"]


@dataclass(frozen=True)
class Hand:
    """A parallel gripper: two fingers that close towards each other, on a palm. Meters and newtons.

    Its own frame has x along the closing axis, y across, and z along the approach; the origin is halfway between the
    fingertips.
    """

    opening: float = 0.085
    clearance: float = 0.01
    """How far each finger is from what it will touch while the hand moves in."""
    retreat: float = 0.1
    """How far back along the approach the hand begins."""
    thick: float = 0.008
    """A finger along the closing axis."""
    wide: float = 0.02
    """A finger across."""
    long: float = 0.075
    """From the fingertips to the palm."""
    palm: tuple[float, float, float] = (0.12, 0.05, 0.05)
    """Along the closing axis, across, and along the approach."""
    wrist: tuple[float, float, float] = (0.09, 0.09, 0.12)
    """What follows behind the palm, likewise."""
    depth: float = 0.012
    """How far the fingertips reach beyond what they pinch, where there is room."""
    force: float = 60.0
    """With which each finger presses."""
    friction: float = 0.9
    """Of the soft pads."""

    def opened(self, width: Any) -> Any:
        """How far apart the fingers are while the hand moves in to what is so wide."""
        return np.minimum(width + 2 * self.clearance, self.opening)

    def boxes(self, opened: Floats, *, swept: float = 0.0) -> Floats:
        """(n, 4, 2, 3) float: the lowest and highest corner of both fingers, palm and wrist, the hand's frame.

        opened : (n,) float; swept : how far back along the approach each box is drawn out
        """
        inner, y = np.asarray(opened) / 2, self.wide / 2
        boxes = np.zeros((len(inner), 4, 2, 3))
        boxes[:, 0, 0, 0], boxes[:, 0, 1, 0] = -inner - self.thick, -inner
        boxes[:, 1, 0, 0], boxes[:, 1, 1, 0] = inner, inner + self.thick
        boxes[:, :2, 0, 1:], boxes[:, :2, 1, 1:] = (-y, -self.long - swept), (y, 0.0)
        front = -self.long
        for box, (x, across, deep) in ((2, self.palm), (3, self.wrist)):
            boxes[:, box] = ((-x / 2, -across / 2, front - deep - swept), (x / 2, across / 2, front))
            front -= deep
        return boxes


HAND = Hand()
