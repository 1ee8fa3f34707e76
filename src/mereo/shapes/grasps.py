"""Where a two-finger gripper can take hold of a shape, as far as the shape alone decides.

Lines through the surface give pinches: two places that face away from each other, with matter between them. A pinch
becomes a grasp when the hand has a way to it that meets neither the shape itself nor the ground that it stands on.
"""

from __future__ import annotations

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
        """(n, 3, 2, 3) float: the lowest and highest corner of both fingers and the palm, the hand's frame.

        opened : (n,) float; swept : how far back along the approach each box is drawn out
        """
        inner, y = np.asarray(opened) / 2, self.wide / 2
        x, across, deep = self.palm
        boxes = np.zeros((len(inner), 3, 2, 3))
        boxes[:, 0, 0, 0], boxes[:, 0, 1, 0] = -inner - self.thick, -inner
        boxes[:, 1, 0, 0], boxes[:, 1, 1, 0] = inner, inner + self.thick
        boxes[:, :2, 0, 1:], boxes[:, :2, 1, 1:] = (-y, -self.long - swept), (y, 0.0)
        boxes[:, 2] = ((-x / 2, -across / 2, -self.long - deep - swept), (x / 2, across / 2, -self.long))
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


_SAMPLES = {"handle": 90, "stem": 50, "edge": 120, "": 160}
"""Places tried on the parts of each grip."""
_TILTS = (0.0, 1 / 3, 2 / 3, 1.0)
"""How far the closing axis may be turned from the surface's normal towards the horizontal, as a share."""
_STEEPEST = 0.78
"""The least cosine between closing axis and normal; pads of friction 0.9 hold down to 0.74."""
_WIDEST = 0.3
"""Meters: wider pinches are of no use at any scale."""
_THIN = 0.2
"""A wall no thicker than this share of the shape's size is a rim."""
_SPACING, _MOST_POINTS = 0.005, 5_000
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
            if 1e-4 < width < _WIDEST:
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
_TABLE_GAP = 0.0015
"""Meters that the hand keeps from the ground."""
_BULGE = 0.004
"""Meters by which what is pinched may be thicker beside the middle of a finger."""
_FIRST = 300
"""So many points are looked at before all others."""
_CHUNK, _WANTED = 128, 40
_PER_PINCH = 2


def grasps_of(
    pinches: Pinches, points: Floats, mass: MassProperties, *, scale: float = 1.0, hand: Hand = HAND
) -> Grasps:
    """The ways to take hold of a shape that stands on the ground, at a scale.

    points : (n, 3) float, its surface, the shape's frame, meters; mass : at its own size
    """
    surface = (scale * points).astype(np.float32)
    frames = _frames(pinches, mass, scale, hand)
    chosen: list[Grasps] = []
    used: dict[int, int] = {}
    count = 0
    for start in range(0, len(frames.pinch), _CHUNK):
        tried = frames.at(np.arange(start, min(start + _CHUNK, len(frames.pinch))))
        free = tried.at(np.flatnonzero(tried.fit(surface, hand)))
        kept = []
        for place, pinch in enumerate(free.pinch.tolist()):
            used[pinch] = used.get(pinch, 0) + 1
            if used[pinch] <= _PER_PINCH:
                kept.append(place)
        chosen.append(free.at(np.array(kept, np.int64)).grasps)
        count += len(kept)
        if count >= _WANTED:
            break
    if not chosen:
        return frames.grasps
    return Grasps(*(np.concatenate(column) for column in zip(*chosen, strict=True)))


class _Frames(NamedTuple):
    """Grasps that are not yet known to be possible, and the pinch that each is of."""

    grasps: Grasps
    pinch: NDArray[np.int64]

    def at(self, places: NDArray[np.int64]) -> _Frames:
        return _Frames(Grasps(*(column[places] for column in self.grasps)), self.pinch[places])

    def fit(self, surface: NDArray[np.float32], hand: Hand) -> Booleans:
        """(n,): whether neither the hand on its way nor the closing fingers meet the rest of the shape."""
        point, axes, width, *_ = self.grasps
        boxes = hand.boxes(hand.opened(width), swept=hand.retreat)
        boxes[:, 0, 1, 0], boxes[:, 1, 0, 0] = -width / 2 - _BULGE, width / 2 + _BULGE  # what the fingers pass through
        free = ~hit(surface[:_FIRST], point, axes, boxes)  # most that fail do so at once
        left = np.flatnonzero(free)
        free[left] = ~hit(surface[_FIRST:], point[left], axes[left], boxes[left])
        return free


def hit(points: NDArray[Any], origin: Floats, axes: Floats, boxes: Floats, *, margin: float = 0.0) -> Booleans:
    """(n,): whether any of some points lies in any of m boxes, for each of n frames.

    points : (k, 3) float; origin : (n, 3); axes : (n, 3, 3), of the boxes' frames; boxes : (n, m, 2, 3), as `Hand.boxes`
    """
    turned = axes.astype(np.float32)
    own = np.einsum("nij,kj->nik", turned, points.astype(np.float32), optimize=True)
    own -= np.einsum("nij,nj->ni", turned, origin.astype(np.float32))[:, :, None]
    found = np.zeros(len(origin), np.bool_)
    for box in range(boxes.shape[1]):
        low, high = (boxes[:, box, end, :, None].astype(np.float32) for end in (0, 1))
        found |= ((own > low - margin) & (own < high + margin)).all(1).any(1)
    return found


def _frames(pinches: Pinches, mass: MassProperties, scale: float, hand: Hand) -> _Frames:
    """Every pinch that the hand can span, from every side but from below, the best first."""
    span = np.flatnonzero(scale * pinches.width <= hand.opening - 0.006)
    middle, closing = scale * pinches.middle[span], pinches.closing[span]
    width, quality, grip = scale * pinches.width[span], pinches.quality[span], pinches.grip[span]
    down = np.array([0.0, 0.0, -1.0]) - closing * -closing[:, 2:]
    flat = np.linalg.norm(down, axis=1) < 0.1
    down[flat] = np.cross(closing[flat], (1.0, 0.0, 0.0))
    down /= np.linalg.norm(down, axis=1, keepdims=True)
    aside = np.cross(closing, down)
    approach = np.cos(_TURNS)[:, None, None] * down + np.sin(_TURNS)[:, None, None] * aside
    pinch = np.tile(np.arange(len(span)), len(_TURNS))
    approach = approach.reshape(-1, 3)
    middle, closing, width, quality, grip = (column[pinch] for column in (middle, closing, width, quality, grip))
    axes = np.stack([closing, np.cross(approach, closing), approach], 1)
    point, fits_above = _above_ground(middle, axes, width, hand)
    holds, lever = _holding(point, axes, width, mass, scale, hand)
    score = quality - 0.35 * approach[:, 2] - 2.5 * lever - 0.01 * grip + 0.5 * np.minimum(quality - 0.9, 0)
    rank = np.where(grip < 2, grip, 2) + 10 * ~holds
    order = np.lexsort((-score, rank))
    order = order[fits_above[order]]
    return _Frames(Grasps(point, axes, width, grip, holds), pinch).at(order)


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


_PATCH = 0.012
"""Meters: how far from its middle, on average, a pad presses."""


def _holding(
    point: Floats, axes: Floats, width: Floats, mass: MassProperties, scale: float, hand: Hand
) -> tuple[Booleans, Floats]:
    """Whether the pads keep the weight from turning in the hand, and how far off it is, meters on the ground."""
    weight = 9.81 * mass.mass * scale**3
    away = scale * mass.center - point
    torque = weight * np.stack([-away[:, 1], away[:, 0], np.zeros(len(away))], 1)
    about = np.abs(np.einsum("nij,nj->ni", axes, torque))
    rub = hand.friction * hand.force
    twist = about[:, 0] <= 2 * rub * _PATCH
    bend = np.hypot(about[:, 1], about[:, 2]) <= hand.force * _PATCH + rub * width
    return twist & bend & (weight < rub), np.hypot(away[:, 0], away[:, 1])
