"""Where a two-finger gripper can take hold of a shape, as far as the shape alone decides.

A pinch becomes a grasp when the hand has a way to it that meets neither the shape itself nor the ground that it stands
on. Whether it holds is reckoned from the torques of the weight, against what pads of some friction and size can resist.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.shapes.hand import HAND, Hand
from mereo.shapes.mesh import Floats
from mereo.shapes.physical import MassProperties
from mereo.shapes.pinches import GRIPS, Pinches

__all__ = ["Grasps", "grasps_of", "hit"]

Booleans = NDArray[np.bool_]


class Grasps(NamedTuple):
    """Ways to take hold of a shape, the best first; the shape's frame, meters."""

    point: Floats
    """(n, 3) float: halfway between the fingertips."""
    axes: Floats
    """(n, 3, 3) float: rows are the closing axis, the one across, and the approach, unit."""
    width: Floats
    """(n,) float: between the fingers when they have closed."""
    grip: NDArray[np.int64]
    """(n,) int, places in `GRIPS`."""
    holds: Booleans
    """(n,): whether the hand's force is enough for the weight there."""

    def at(self, places: NDArray[np.int64]) -> Grasps:
        """Some of them, in the order asked for."""
        return Grasps(*(column[places] for column in self))  # type: ignore[arg-type]


_TURNS = np.radians(np.arange(0, 360, 30))
"""About the closing axis, from the way that leads down most steeply."""
_LEVEL = 0.02
"""How far up an approach may lead: hardly."""
_TABLE_GAP = 0.001
"""Meters that the hand keeps from the ground."""
_BULGE = 0.004
"""Meters by which what is pinched may be thicker beside the middle of a finger."""
_FIRST = 300
"""So many points are looked at before all others."""
_CHUNK, _WANTED, _PER_PINCH = 64, 40, 2
"""How many grasps are tried together, how many are enough, and how many of them may be of one pinch."""


def grasps_of(
    pinches: Pinches, points: Floats, mass: MassProperties, *, scale: float = 1.0, hand: Hand = HAND
) -> Grasps:
    """The ways to take hold of a shape that stands on the ground, at a scale.

    points : (n, 3) float, its surface, the shape's frame, meters; mass : at its own size
    """
    surface = (scale * points).astype(np.float32)
    frames = _frames(pinches, mass, scale, hand)
    chosen: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    used: Counter[int] = Counter()
    for start in range(0, len(frames.pinch), _CHUNK):
        tried = np.arange(start, min(start + _CHUNK, len(frames.pinch)))
        for place in tried[_fit(frames.at(tried), surface, hand)].tolist():
            used[int(frames.pinch[place])] += 1
            if used[int(frames.pinch[place])] <= _PER_PINCH:
                chosen.append(np.array([place]))
        if len(chosen) > _WANTED:
            break
    found = frames.at(np.concatenate(chosen))
    holds = _holds(found, _overlap(found, surface, hand), mass, scale, hand)
    order = np.argsort(_rank(found.grip, holds), kind="stable")
    return Grasps(found.point, found.axes, found.width, found.grip, holds).at(order)


class _Frames(NamedTuple):
    """Grasps that are not yet known to be possible; see `Grasps`."""

    point: Floats
    axes: Floats
    width: Floats
    grip: NDArray[np.int64]
    quality: Floats
    pinch: NDArray[np.int64]
    """(n,) int: which pinch each is of."""

    def at(self, places: NDArray[np.int64]) -> _Frames:
        """Some of them, in the order asked for."""
        return _Frames(*(column[places] for column in self))  # type: ignore[arg-type]


def _rank(grip: NDArray[np.int64], holds: Booleans) -> NDArray[np.int64]:
    """(n,) int: what comes before all else, the lowest first: what the hand can hold, then handles, then stems."""
    rank: NDArray[np.int64] = np.minimum(grip, GRIPS.index("edge")) + len(GRIPS) * ~holds
    return rank


def _fit(frames: _Frames, surface: NDArray[np.float32], hand: Hand) -> Booleans:
    """(n,): whether neither the hand on its way nor the closing fingers meet the rest of the shape."""
    boxes = hand.boxes(hand.opened(frames.width), swept=hand.retreat)
    inner = frames.width / 2 + _BULGE
    boxes[:, 0, 1, 0], boxes[:, 1, 0, 0] = -inner, inner  # what the fingers pass through while they close
    free = ~hit(surface[:_FIRST], frames.point, frames.axes, boxes)  # most that fail do so at once
    left = np.flatnonzero(free)
    free[left] = ~hit(surface[_FIRST:], frames.point[left], frames.axes[left], boxes[left])
    return free


def hit(points: NDArray[Any], origin: Floats, axes: Floats, boxes: Floats, *, margin: float = 0.0) -> Booleans:
    """(n,): whether any of some points lies in any of m boxes, for each of n frames.

    points : (k, 3) float; origin : (n, 3) and axes : (n, 3, 3), the frames; boxes : (n, m, 2, 3), as `Hand.boxes`
    """
    own = _seen_from(points, origin, axes)
    found = np.zeros(len(origin), np.bool_)
    for box in range(boxes.shape[1]):
        low, high = (boxes[:, box, end, :, None].astype(np.float32) for end in (0, 1))
        inside: Booleans = np.logical_and(own > low - margin, own < high + margin)
        found |= np.any(np.all(inside, axis=1), axis=1)
    return found


def _seen_from(points: NDArray[Any], origin: Floats, axes: Floats) -> NDArray[np.float32]:
    """(n, 3, k) float: points in each of n frames."""
    turned = axes.astype(np.float32)
    own = (turned.reshape(-1, 3) @ points.astype(np.float32).T).reshape(len(turned), 3, len(points))
    own -= np.einsum("nij,nj->ni", turned, origin.astype(np.float32))[:, :, None]
    return own


def _overlap(frames: _Frames, surface: NDArray[np.float32], hand: Hand) -> Floats:
    """(n,) float, meters: how far along the fingers they touch what they pinch."""
    x, y, z = np.moveaxis(_seen_from(surface, frames.point, frames.axes), 1, 0)
    between = (np.abs(x) < frames.width[:, None] / 2 + _BULGE) & (np.abs(y) < hand.wide / 2) & (z > -hand.long)
    between &= z < _BULGE
    high, low = np.where(between, z, -np.inf).max(1), np.where(between, z, np.inf).min(1)
    return np.where(between.any(1), np.minimum(high, 0.0) - low, 0.0).clip(0.0, _LONGEST)


def _frames(pinches: Pinches, mass: MassProperties, scale: float, hand: Hand) -> _Frames:
    """Every pinch that the hand can span, from every side but from below, the best first."""
    span = np.flatnonzero(scale * pinches.width <= hand.opening - _TIGHT)
    closing = pinches.closing[span]
    down = np.array([0.0, 0.0, -1.0]) + closing * closing[:, 2:]
    flat = np.linalg.norm(down, axis=1) < 0.1
    down[flat] = np.cross(closing[flat], (1.0, 0.0, 0.0))
    down /= np.linalg.norm(down, axis=1, keepdims=True)
    aside = np.cross(closing, down)
    approach = (np.cos(_TURNS)[:, None, None] * down + np.sin(_TURNS)[:, None, None] * aside).reshape(-1, 3)
    steep = approach[:, 2] <= _LEVEL
    pinch, approach = np.tile(span, len(_TURNS))[steep], approach[steep]
    closing, width = pinches.closing[pinch], scale * pinches.width[pinch]
    axes = np.stack([closing, np.cross(approach, closing), approach], 1)
    point, above = _above_ground(scale * pinches.middle[pinch], axes, width, hand)
    frames = _Frames(point, axes, width, pinches.grip[pinch], pinches.quality[pinch], pinch)
    lever = np.hypot(*(scale * mass.center - point)[:, :2].T)
    score = frames.quality + np.minimum(frames.quality - 0.9, 0) / 2 - 0.35 * approach[:, 2] - 2.5 * lever
    likely = _holds(frames, np.full(len(pinch), _LONGEST), mass, scale, hand)
    order = np.lexsort((-score, _rank(frames.grip, likely)))
    return frames.at(order[above[order]])


_TIGHT = 0.006
"""Meters by which the hand must open wider than what it takes, at least."""


def _above_ground(middle: Floats, axes: Floats, width: Floats, hand: Hand) -> tuple[Floats, Booleans]:
    """Where the fingertips come to be, and whether the whole hand stays above the ground there."""
    boxes = hand.boxes(hand.opened(width))
    up = axes[:, :, 2]
    lowest = np.where(up[:, None] > 0, boxes[:, :, 0], boxes[:, :, 1])
    below = (lowest * up[:, None]).sum(-1).min(1)  # the lowest corner of the hand against its origin
    room = middle[:, 2] + below - _TABLE_GAP
    slope = np.maximum(-up[:, 2], 1e-9)
    depth = np.clip(room / slope, 0.0, hand.depth)
    return middle + depth[:, None] * axes[:, 2], room >= 0


_PATCH = 0.01
"""Meters: how far from its middle, on average, a pad presses."""
_LONGEST = 0.05
"""Meters of a finger that press at most."""
_ENDS = 0.008
"""Meters at both ends of what a finger touches that hardly press."""
_SAG = 0.02
"""Meters that the center of mass may sink when pads come to lie flat on what they were set at an angle to."""


def _holds(frames: _Frames, overlap: Floats, mass: MassProperties, scale: float, hand: Hand) -> Booleans:
    """(n,): whether pads of such an overlap keep the weight from slipping, turning and sagging."""
    weight = 9.81 * mass.mass * scale**3
    away = scale * mass.center - frames.point
    torque = weight * np.stack([-away[:, 1], away[:, 0], np.zeros(len(away))], 1)
    twist, bend, swing = np.abs(np.einsum("nij,nj->ni", frames.axes, torque)).T
    rub = hand.friction * hand.force
    sag = np.hypot(away[:, 0], away[:, 1]) * np.sqrt(1 - np.minimum(frames.quality, 1.0) ** 2)
    # What the pads take up one way is missing the other ways.
    share = twist / (2 * rub * _PATCH)
    share += bend / (hand.force * np.maximum(overlap - _ENDS, 0.0) / 2 + rub * frames.width)
    share += swing / (hand.force * _PATCH + rub * frames.width)
    kept: Booleans = (share <= 1) & (sag <= _SAG) & (weight < rub)
    return kept
