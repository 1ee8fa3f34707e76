"""What the scenes of a split hold, as tables: for every level so many places, of which some are filled."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

__all__ = ["Things"]


class Things(NamedTuple):
    """The things of one level in s scenes, at most k in one."""

    ids: Tensor
    """(s, h, w) uint8: which of them a pixel shows, counted from 1, 0 for none."""
    present: Tensor
    """(s, k) bool"""
    entity: Tensor
    """(s, k) int64: its place in the scene's world, -1 where there is none."""
    whole: Tensor
    """(s, k) int64: for a part the place of its object among the objects of its scene, -1 where there is none."""
    boxes: Tensor
    """(s, k, 4) float: column and row of the upper left corner, width and height, pixels."""
    words: dict[str, Tensor]
    """By attribute (s, k) int64: the number of the value, -1 where it has none."""
    several: dict[str, Tensor]
    """By attribute (s, k, v) bool: which of the values."""
    numbers: dict[str, Tensor]
    """By name (s, k, d) float, NaN where they are not known."""
