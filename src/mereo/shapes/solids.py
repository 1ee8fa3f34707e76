"""The solids that grammars build with: boxes, bars, boards, lathes, tubes, and what can be made of them.

Every solid is closed by construction and knows convex pieces for collision. Lengths are meters, z is up, and things
are placed by the point that a carpenter would name: a box by its center, what stands by the middle of its foot, a bar
by its two ends. Outlines are drawn in the plane, x to the right and y away from the viewer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from mereo.errors import MissingExtra
from mereo.shapes.mesh import Floats, Mesh, cross
from mereo.shapes.outlines import Outline, Point, polygon
from mereo.shapes.slivers import surface_of

try:
    from manifold3d import Manifold, Mesh64, OpType
except ImportError:
    raise MissingExtra("building shapes", "scenes") from None

__all__ = [
    "Solid",
    "bar",
    "bent",
    "board",
    "box",
    "curved_panel",
    "cushion",
    "cylinder",
    "hull",
    "lathe",
    "prism",
    "ring",
    "shell",
    "skinned",
    "sphere",
    "tube",
    "union",
]

_SEGMENTS = 28
"""Corners of a full circle, unless a solid says otherwise."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A closed body and the convex pieces that stand for it when things collide."""

    body: Manifold
    pieces: tuple[Floats, ...]
    """Each the (k, 3) corners of a convex body."""

    def at(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Solid:
        """Moved by an offset."""
        return Solid(self.body.translate((x, y, z)), tuple(piece + (x, y, z) for piece in self.pieces))

    def turned(self, *, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Solid:
        """Turned about the axes through the origin, by degrees, about x first and about z last."""
        matrix = _turn(x, y, z)
        affine = np.hstack([matrix, np.zeros((3, 1))])
        return Solid(self.body.transform(affine), tuple(piece @ matrix.T for piece in self.pieces))

    def mirrored(self, axis: Literal["x", "y", "z"]) -> Solid:
        """Its mirror image across the plane through the origin."""
        normal = [float(axis == name) for name in "xyz"]
        flip = np.array([1.0 - 2.0 * part for part in normal])
        return Solid(self.body.mirror(normal), tuple(piece * flip for piece in self.pieces))

    def scaled(self, x: float = 1.0, y: float = 1.0, z: float = 1.0) -> Solid:
        """Stretched along the axes, from the origin."""
        return Solid(self.body.scale((x, y, z)), tuple(piece * (x, y, z) for piece in self.pieces))

    def minus(self, *others: Solid, pieces: Iterable[Solid] | None = None) -> Solid:
        """With others cut out of it. pieces : what to collide with instead, where the cut matters"""
        body = Manifold.batch_boolean([self.body, *(other.body for other in others)], OpType.Subtract)
        kept = self.pieces if pieces is None else tuple(piece for solid in pieces for piece in solid.pieces)
        return Solid(body, kept)

    def bounds(self) -> Floats:
        """(2, 3) float: the lowest and the highest corner of the axis-aligned box."""
        return np.array(self.body.bounding_box()).reshape(2, 3)

    def mesh(self) -> Mesh:
        """Its surface; slivers, which are left where planes of its solids nearly coincide, are simplified away."""
        return surface_of(self.body)


def _turn(x: float, y: float, z: float) -> Floats:
    (cx, sx), (cy, sy), (cz, sz) = ((math.cos(math.radians(a)), math.sin(math.radians(a))) for a in (x, y, z))
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    turn: Floats = about_z @ about_y @ about_x
    return turn


def hull(points: Floats) -> Solid:
    """The convex body around points."""
    return Solid(Manifold.hull_points(points), (np.asarray(points, np.float64),))


def union(*solids: Solid) -> Solid:
    """Several solids as one."""
    body = Manifold.batch_boolean([solid.body for solid in solids], OpType.Add)
    return Solid(body, tuple(piece for solid in solids for piece in solid.pieces))


def box(size: Point, at: Point = (0.0, 0.0, 0.0), *, bevel: float = 0.0) -> Solid:
    """A block around its center, its edges broken by a bevel."""
    half = np.asarray(size, np.float64) / 2
    bevel = min(bevel, 0.49 * 2 * half.min())
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    if bevel <= 0:
        return hull(corners * half + at)
    inner = [half - np.where(np.arange(3) == axis, 0.0, bevel) for axis in range(3)]
    return hull(np.concatenate([corners * reach for reach in inner]) + at)


def cushion(size: Point, at: Point = (0.0, 0.0, 0.0), *, squareness: float = 5.0) -> Solid:
    """A stuffed block around its center, round at all edges; the larger the squareness, the fuller."""
    around = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    up = np.linspace(-np.pi / 2, np.pi / 2, 13)
    power = 2 / squareness

    def rounded(values: Floats) -> Floats:
        clean = np.round(values, 12)  # the cosine of a right angle is 6e-17, and its root no longer small
        return np.sign(clean) * np.abs(clean) ** power

    longitude, latitude = np.meshgrid(around, up)
    x = rounded(np.cos(latitude)) * rounded(np.cos(longitude))
    y = rounded(np.cos(latitude)) * rounded(np.sin(longitude))
    points = np.stack([x, y, rounded(np.sin(latitude))], -1).reshape(-1, 3)
    return hull(points * (np.asarray(size, np.float64) / 2) + at)


def sphere(radius: float, at: Point = (0.0, 0.0, 0.0), *, segments: int = 32) -> Solid:
    """A ball around its center."""
    ball = Manifold.sphere(radius, segments)
    points = np.asarray(ball.to_mesh64().vert_properties)[:, :3]
    return Solid(ball, (points,)).at(*at)


def cylinder(
    radius: float, height: float, at: Point = (0.0, 0.0, 0.0), *, top: float | None = None, bevel: float = 0.0
) -> Solid:
    """An upright drum on the middle of its foot; `top` is the upper radius of a tapered one."""
    upper = radius if top is None else top
    bevel = min(bevel, 0.45 * height, 0.45 * min(radius, upper))
    if bevel <= 0:
        profile = [(radius, 0.0), (upper, height)]
    else:
        low, high = (radius - bevel, 0.0), (upper - bevel, height)
        profile = [low, (radius, bevel), (upper, height - bevel), high]
    return lathe(profile).at(*at)


def lathe(profile: Sequence[Point], *, segments: int = _SEGMENTS) -> Solid:
    """A body turned about z. profile : (radius, height) from its foot to its top"""
    radii, heights = [max(float(r), 0.0) for r, _ in profile], [float(z) for _, z in profile]
    outline = [(0.0, heights[0]), *zip(radii, heights, strict=True), (0.0, heights[-1])]
    body = polygon(_without_repeats(outline)).revolved(segments)
    rings = [_circle(r, z, segments) for r, z in zip(radii, heights, strict=True)]
    pieces = tuple(np.concatenate([low, high]) for low, high in pairwise(rings) if low[0, 2] != high[0, 2])
    return Solid(body, pieces)


def shell(profile: Sequence[Point], thickness: float, *, segments: int = _SEGMENTS, sectors: int = 10) -> Solid:
    """A hollow body turned about z, open where its profile ends. profile : (radius, height) of the outside"""
    outside = np.asarray(profile, np.float64)
    steps = np.gradient(outside, axis=0)
    normals = np.stack([steps[:, 1], -steps[:, 0]], 1) / np.linalg.norm(steps, axis=1, keepdims=True)
    inside = outside - thickness * normals
    inside[:, 0] = np.maximum(inside[:, 0], 0.0)
    body = polygon(np.concatenate([outside, inside[::-1]])).revolved(segments)
    pieces = []
    for sector in range(sectors):
        angles = 2 * np.pi * (sector + np.linspace(0, 1, 3)) / sectors
        turns = np.stack([np.cos(angles), np.sin(angles)], 1)
        for k in range(len(outside) - 1):
            corners = np.concatenate([outside[k : k + 2], inside[k : k + 2]])
            flat = corners[:, None, :1] * turns[None]
            upright = np.broadcast_to(corners[:, None, 1:], (*flat.shape[:2], 1))
            pieces.append(np.concatenate([flat, upright], -1).reshape(-1, 3))
    return Solid(body, tuple(pieces))


def ring(radius: float, thickness: float, at: Point = (0.0, 0.0, 0.0), *, segments: int = 12) -> Solid:
    """A round rod bent into a level circle around its center. radius : to the middle of the rod"""
    turns = np.linspace(0, 2 * np.pi, _SEGMENTS, endpoint=False)
    path = np.stack([radius * np.cos(turns), radius * np.sin(turns), np.zeros_like(turns)], 1)
    return tube(path, thickness / 2, segments=segments, closed=True).at(*at)


def _circle(radius: float, z: float, segments: int) -> Floats:
    turns = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    return np.stack([radius * np.cos(turns), radius * np.sin(turns), np.full_like(turns, z)], 1)


def _without_repeats(points: Sequence[Point]) -> list[Point]:
    return [point for k, point in enumerate(points) if k == 0 or tuple(point) != tuple(points[k - 1])]


def board(outline: Outline, thickness: float, at: Point = (0.0, 0.0, 0.0), *, bevel: float = 0.0) -> Solid:
    """A level slab whose underside lies at `at`; the rims are broken by a bevel."""
    bevel = min(bevel, 0.45 * thickness)
    pieces = _slab_pieces(outline, thickness)
    if bevel <= 0 or not outline.is_convex():
        return Solid(outline.extruded(thickness), pieces).at(*at)
    inner = np.concatenate(outline.grown(-bevel).corners())
    rims = [_upright(inner, thickness), _upright(outline.corners()[0], thickness - 2 * bevel) + (0.0, 0.0, bevel)]
    return hull(np.concatenate(rims) + at)


def _slab_pieces(outline: Outline, thickness: float) -> tuple[Floats, ...]:
    """A convex outline is one piece; another is cut into strips, each as wide as it is there."""
    borders = outline.corners()[:1] if outline.is_convex() else outline.strips(8)
    return tuple(_upright(border, thickness) for border in borders)


def _upright(border: Floats, thickness: float) -> Floats:
    flat = np.concatenate([border, border])
    return np.column_stack([flat, np.repeat([0.0, thickness], len(border))])


def prism(outline: Outline, length: float, *, along: Literal["x", "y"]) -> Solid:
    """An outline of (across, up) pushed along an axis, centered on it: a side view made solid."""
    slab = board(outline, length).at(z=-length / 2).turned(x=90)
    return slab.turned(z=90) if along == "x" else slab


def bar(
    start: Point,
    end: Point,
    width: float,
    depth: float | None = None,
    *,
    round: bool = False,
    taper: float = 1.0,
    sides: int = 16,
    bevel: float = 0.0,
    facing: Floats | None = None,
) -> Solid:
    """A straight bar between two points, square or round; its far end is `taper` times as thick.

    width is measured level, depth across it; for an upright bar along x and along y.
    facing : where depth points instead, as nearly as it can
    """
    first, last = np.asarray(start, np.float64), np.asarray(end, np.float64)
    depth = width if depth is None else depth
    side, up = _frame(last - first, facing)
    if round:
        turns = np.linspace(0, 2 * np.pi, sides, endpoint=False)
        section = np.stack([np.cos(turns) * width / 2, np.sin(turns) * depth / 2], 1)
    else:
        section = _chamfered(width, depth, bevel)
    offsets = section[:, :1] * side + section[:, 1:] * up
    return hull(np.concatenate([first + offsets, last + taper * offsets]))


def _chamfered(width: float, depth: float, bevel: float) -> Floats:
    w, d = width / 2, depth / 2
    b = min(bevel, 0.9 * min(w, d))
    corners = [(w - b, d), (w, d - b)] if b > 0 else [(w, d)]
    return np.array([(sx * x, sy * y) for sx in (-1, 1) for sy in (-1, 1) for x, y in corners])


def _frame(direction: Floats, facing: Floats | None = None) -> tuple[Floats, Floats]:
    """Two unit vectors across a direction: the first level if it can be, along x for an upright one.

    facing : where the second points instead, as nearly as it can
    """
    axis = direction / np.linalg.norm(direction)
    if facing is None:
        upright = math.hypot(axis[0], axis[1]) < 0.3
        facing = np.array([0.0, 1.0, 0.0] if upright else [0.0, 0.0, 1.0])
    across = cross(facing, axis)
    side = across / np.linalg.norm(across)
    return side, cross(axis, side)


def bent(path: Sequence[Point], *, rounds: int = 2) -> Floats:
    """A line through corners with the corners rounded, for tubes that look bent and not broken. (k, 3) float"""
    line = np.asarray(path, np.float64)
    for _ in range(rounds):
        near, far = 0.75 * line[:-1] + 0.25 * line[1:], 0.25 * line[:-1] + 0.75 * line[1:]
        line = np.concatenate([line[:1], np.stack([near, far], 1).reshape(-1, 3)[1:-1], line[-1:]])
    return line


def tube(path: Floats | Sequence[Point], radius: float | Floats, *, segments: int = 12, closed: bool = False) -> Solid:
    """A round rod along a curve, as thick everywhere or from point to point.

    path : (k, 3) float, the middle line
    radius : one, or (k,) float
    """
    line = np.asarray(path, np.float64)
    radii = np.broadcast_to(np.asarray(radius, np.float64), len(line))
    ahead = np.roll(line, -1, 0) - line
    behind = line - np.roll(line, 1, 0)
    if not closed:
        ahead[-1], behind[0] = behind[-1], ahead[0]
    tangents = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    tangents = tangents + behind / np.linalg.norm(behind, axis=1, keepdims=True)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    turns = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    side = _frame(tangents[0])[0]
    rings = []
    for point, tangent, thick in zip(line, tangents, radii, strict=True):
        side = side - tangent * (side @ tangent)
        side /= np.linalg.norm(side)
        other = cross(tangent, side)
        rings.append(point + thick * (np.outer(np.cos(turns), side) + np.outer(np.sin(turns), other)))
    body = skinned(rings, closed=closed)
    pairs = [*pairwise(rings), *([(rings[-1], rings[0])] if closed else [])]
    return Solid(body, tuple(np.concatenate(pair) for pair in pairs))


def skinned(rings: Sequence[Floats] | Floats, *, closed: bool = False, middles: bool = False) -> Manifold:
    """The closed surface through rings of equally many points, each counter-clockwise seen from the next.

    middles : whether ends, which may be dented, are fans about their middles
    """
    size, total = len(rings[0]), len(rings) * len(rings[0])
    here = np.arange(total if closed else total - size).reshape(-1, size)
    beside = np.roll(here, -1, axis=1)
    faces = [
        np.stack([here, beside, beside + size], -1) % total,
        np.stack([here, beside + size, here + size], -1) % total,
    ]
    points = [*rings]
    if middles:
        points += [rings[0].mean(0)[None], rings[-1].mean(0)[None]]
        first, last = np.full(size, total), np.full(size, total + 1)
        faces += [np.stack([first, beside[0], here[0]], -1), np.stack([last, here[-1] + size, beside[-1] + size], -1)]
    elif not closed:
        fan = np.arange(1, size - 1)
        first, last = np.zeros_like(fan), np.full_like(fan, total - size)
        faces += [np.stack([first, fan + 1, fan], -1), np.stack([last, last + fan, last + fan + 1], -1)]
    triangles = np.concatenate([part.reshape(-1, 3) for part in faces]).astype(np.uint64)
    return Manifold(Mesh64(np.concatenate(points), triangles))


def curved_panel(width: float, height: float, thickness: float, *, bow: float, segments: int = 10) -> Solid:
    """An upright panel bowed backwards (towards +y) by `bow` at its middle; on the middle of its foot."""
    xs = np.linspace(-width / 2, width / 2, segments + 1)
    ys = bow * (1 - (2 * xs / width) ** 2)
    front = np.stack([xs, ys - thickness / 2], 1)
    back = np.stack([xs, ys + thickness / 2], 1)
    body = polygon(np.concatenate([front, back[::-1]])).extruded(height)
    pieces = tuple(_upright(np.concatenate([front[k : k + 2], back[k : k + 2]]), height) for k in range(segments))
    return Solid(body, pieces)
