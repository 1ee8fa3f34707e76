"""Things in their places, and the figures by which places are found: footprints from above, outlines in the picture."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from mereo.benchmarks.cric.scenes.kinds import Model
from mereo.scenes.assemble import kept_of, pose_matrix, shape_of
from mereo.scenes.layout import covered, turned_by
from mereo.scenes.observe import projected
from mereo.scenes.physics import pieces_of
from mereo.scenes.scene import Placed, Pose, Scene, ShapeRef, rotation_matrix
from mereo.shapes.mesh import Floats
from mereo.shapes.pieces import hull_corners

__all__ = [
    "FLOOR",
    "Standing",
    "footing",
    "footing_below",
    "grown",
    "hull_of",
    "hull_points",
    "outline",
    "placed_at",
    "shifted",
    "turned",
]

FLOOR = -1
"""The holder of what stands on the floor."""


class Standing(NamedTuple):
    """A thing in its place."""

    kind: str
    placed: Placed
    holder: int = FLOOR
    """The place in the scene of what it stands on or lies in."""
    how: str = "on"
    """`on` or `in`."""


def placed_at(model: Model, x: float, y: float, z: float, turn: float) -> Placed:
    """A model at a place, turned by degrees about z."""
    pose = Pose((round(float(x), 5), round(float(y), 5), round(float(z), 5)), turned_by(round(turn, 3)))
    return Placed(model.shape, pose, model.scale, dict(model.paints))


def shifted(placed: Placed, x: float, y: float, z: float = 0.0) -> Placed:
    """The thing moved by meters."""
    a, b, c = placed.pose.position
    pose = Pose((round(float(a + x), 5), round(float(b + y), 5), round(float(c + z), 5)), placed.pose.rotation)
    return msgspec.structs.replace(placed, pose=pose)


def turned(placed: Placed, degrees: float) -> Placed:
    """The thing turned about the origin, degrees about z."""
    w, _, _, z = turn = turned_by(round(degrees, 3))
    a, b, c, d = placed.pose.rotation
    x, y, height = (rotation_matrix(turn) @ placed.pose.position).tolist()
    rotation = (w * a - z * d, w * b - z * c, w * c + z * b, w * d + z * a)
    return msgspec.structs.replace(placed, pose=Pose((x, y, height), rotation))


def footing(placed: Placed) -> Any:
    """What a thing covers as seen from above, where it is."""
    x, y, _ = placed.pose.position
    return _footprint(placed.shape, placed.scale, placed.pose.rotation).translate((x, y))


def footing_below(placed: Placed, height: float) -> Any:
    """What those parts of a thing cover that reach below a height, meters."""
    matrix = pose_matrix(placed.pose, placed.scale)
    corners = (piece.corners @ matrix[:3, :3].T + matrix[:3, 3] for piece in pieces_of(placed.shape))
    return covered(piece for piece in corners if piece[:, 2].min() < height)


def grown(figure: Any, by: float) -> Any:
    """A figure with as much around it, or with as much taken off where that is negative. Meters"""
    from manifold3d import JoinType

    return figure.offset(by, JoinType.Round, 2.0, 16)


@lru_cache(maxsize=256)
def _footprint(shape: ShapeRef, scale: float, rotation: tuple[float, float, float, float]) -> Any:
    matrix = pose_matrix(Pose(rotation=rotation), scale)[:3, :3]
    return covered(piece.corners @ matrix.T for piece in pieces_of(shape))


@lru_cache(maxsize=4096)
def hull_of(reference: ShapeRef) -> Floats:
    """(n, 3) float: the corners of a shape's convex hull, its own frame."""
    corners: Floats = kept_of(reference, "hull", lambda: hull_corners(shape_of(reference).mesh().vertices))
    return corners


def hull_points(placed: Placed) -> Floats:
    """(n, 3) float: the corners of a thing's convex hull, world frame, meters."""
    matrix = pose_matrix(placed.pose, placed.scale)
    corners: Floats = hull_of(placed.shape) @ matrix[:3, :3].T + matrix[:3, 3]
    return corners


def outline(scene: Scene, placed: Placed) -> tuple[Any, float]:
    """A thing's hull in the picture, and how far off its nearest point is. Pixels, meters"""
    from manifold3d import CrossSection

    pixels = projected(scene, hull_points(placed))
    return CrossSection.hull_points(np.ascontiguousarray(pixels[:, :2])), float(pixels[:, 2].min())
