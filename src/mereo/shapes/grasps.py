"""Where a two-finger gripper can take hold of a shape, as far as the shape alone decides.

Lines through the surface give pinches: two places that face away from each other, with matter between them. A pinch
becomes a grasp when the hand has a way to it that meets neither the shape itself nor the ground that it stands on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.chance import generator
from mereo.files import read_toml
from mereo.shapes.label_pattern import fits
from mereo.shapes.mesh import Floats, Mesh, joined
from mereo.shapes.part import Part, Shape
from mereo.shapes.physical import MassProperties
from mereo.shapes.points import sample_mesh

__all__ = ["GRIPS", "HAND", "Grasps", "Hand", "Pinches", "grasps_of", "hit", "pinches_of", "surface_points"]

GRIPS = ("handle", "stem", "edge", "rim", "body")
"""What a shape may be held by."""

Booleans = NDArray[np.bool_]


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


class Pinches(NamedTuple):
    """Pairs of places that two fingers could press towards each other; the shape's frame, meters."""

    middle: Floats
    """(n, 3) float."""
    closing: Floats
    """(n, 3) float, unit."""
    width: Floats
    """(n,) float."""
    quality: Floats
    """(n,) float: the cosine of the angle between the closing axis and the worse of both surface normals."""
    grip: NDArray[np.int64]
    """(n,) int, places in `GRIPS`."""


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


_SAMPLES = {"handle": 90, "stem": 50, "edge": 120, "": 160}
"""Places tried on the parts of each grip."""
_TILTS = (0.0, 1 / 3, 2 / 3, 1.0)
"""How far the closing axis may be turned from the surface's normal towards the horizontal, as a share."""
_STEEPEST = 0.78
"""The least cosine between closing axis and normal; pads of friction 0.9 hold down to 0.74."""
_THIN = 0.2
"""A wall no thicker than this share of the shape's size is a rim."""
_SPACING, _MOST_POINTS = 0.005, 4_000
"""Meters between the points that stand for a surface, and how many at most."""


@cache
def _table() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("grasps.toml"))


def _grip_of(leaf: Part) -> str | None:
    """The grip that a leaf is by its label, "" if it is nothing special, None if it is to be avoided."""
    for name, patterns in _table()["grips"].items():
        if any(fits(leaf.label, pattern) for pattern in patterns) and not _avoided(leaf):
            return str(name)
    return None if _avoided(leaf) else ""


def _avoided(leaf: Part) -> bool:
    return any(fits(leaf.label, pattern) for pattern in _table()["avoided"])


def surface_points(shape: Shape) -> Floats:
    """(n, 3) float: points that stand for the whole surface, the shape's frame, meters."""
    mesh = shape.mesh()
    count = int(np.clip(mesh.face_areas().sum() / _SPACING**2, 500, _MOST_POINTS))
    return sample_mesh(mesh, count, generator(0, "grasps", "surface")).points


def pinches_of(shape: Shape) -> Pinches:
    """All pinches that were found by chance, the same for the same shape."""
    leaves = shape.leaves()
    names = [_grip_of(leaf) for leaf in leaves]
    meshes = [leaf.mesh for leaf in leaves if leaf.mesh is not None]
    whole, leaf_of = joined(meshes)
    lines = _Lines(whole, leaf_of)
    thin = _THIN * float(np.ptp(shape.bounds(), axis=0)[:2].max())
    rows: list[tuple[Floats, Floats, float, float, int]] = []
    for name, count in _SAMPLES.items():
        own = [mesh for mesh, known in zip(meshes, names, strict=True) if known == name]
        if not own:
            continue
        drawn = sample_mesh(joined(own)[0], count, generator(0, "grasps", name))
        for point, normal in zip(drawn.points, drawn.normals, strict=True):
            for closing in _closings(normal):
                for width, quality, single, far in lines.pinches(point, closing):
                    if names[far] is None or quality < _STEEPEST:
                        continue
                    grip = name if names[far] == name and name else "rim" if single and width < thin else "body"
                    rows.append((point - width / 2 * closing, closing, width, quality, GRIPS.index(grip)))
    if not rows:
        return Pinches(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
    middle, axis, wide, good, which = zip(*rows, strict=True)
    return Pinches(np.array(middle), np.array(axis), np.array(wide), np.array(good), np.array(which, np.int64))


def _closings(normal: Floats) -> Iterator[Floats]:
    """The normal itself, and ways between it and the horizontal that pads would still hold."""
    level = np.array([normal[0], normal[1], 0.0])
    length = float(np.linalg.norm(level))
    if length < 0.05 or abs(normal[2]) < 0.05:
        yield normal
        return
    for share in _TILTS:
        turned = (1 - share) * normal + share * level / length
        turned /= np.linalg.norm(turned)
        if turned @ normal >= _STEEPEST:
            yield turned


class _Lines:
    """What lines through a mesh of several closed bodies meet."""

    def __init__(self, mesh: Mesh, leaf_of: NDArray[Any]):
        self.mesh, self.leaf_of, self.normals = mesh, leaf_of, mesh.face_normals()

    def pinches(self, point: Floats, closing: Floats) -> Iterator[tuple[float, float, bool, int]]:
        """From a place on the surface inwards: width, quality, whether it is one body without a gap, and the far leaf.

        closing : (3,) float, unit, outwards
        """
        distance, face = self._met(point, -closing)
        leaving = self.normals[face] @ closing < 0
        depth = np.cumsum(np.where(leaving, -1, 1))
        before = np.concatenate([[0], depth[:-1]])
        starts, ends = np.flatnonzero((before == 0) & (depth == 1)), np.flatnonzero((before == 1) & (depth == 0))
        if len(starts) != len(ends) or not len(starts):  # a line along an edge counts it twice
            return
        first = int(np.abs(distance[starts]).argmin())
        if abs(distance[starts[first]]) > 1e-4:
            return
        own = float(self.normals[face[starts[first]]] @ closing)
        for place in range(first, min(first + 4, len(ends))):
            end = ends[place]
            width = float(distance[end] - distance[starts[first]])
            if width > 1e-4:
                quality = min(own, -float(self.normals[face[end]] @ closing))
                yield width, quality, place == first, int(self.leaf_of[face[end]])

    def _met(self, point: Floats, way: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """How far along a line each face is met, in order, and the faces."""
        side = np.cross(way, (1.0, 0.0, 0.0) if abs(way[0]) < 0.7 else (0.0, 1.0, 0.0))
        side /= np.linalg.norm(side)
        flat = (self.mesh.vertices - point) @ np.stack([side, np.cross(way, side), way], 1)
        a, b, c = flat[self.mesh.faces.T]
        u, v, w = _turn(b, c), _turn(c, a), _turn(a, b)
        face = np.flatnonzero(((u > 0) & (v > 0) & (w > 0)) | ((u < 0) & (v < 0) & (w < 0)))
        weights = np.stack([u, v, w])[:, face]
        distance = (weights * np.stack([a, b, c])[:, face, 2]).sum(0) / weights.sum(0)
        order = np.argsort(distance, kind="stable")
        return distance[order], face[order]


def _turn(one: Floats, other: Floats) -> Floats:
    turned: Floats = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return turned


_TURNS = np.radians(np.arange(0, 360, 30))
"""About the closing axis, from the way that leads down most steeply."""
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
    pinch = np.tile(span, len(_TURNS))
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
    return middle + depth[:, None] * axes[:, 2], (room >= 0) & (up[:, 2] <= 0.02)


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
