"""Bodies that grew or were kneaded: blobs, blades of leaves, hollow forms, and what a knife leaves of them.

A ring is (n, 3) float, counter-clockwise seen from the next one; all rings of a body have equally many points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from mereo.errors import MissingExtra
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Point
from mereo.shapes.skins import loft, oval
from mereo.shapes.solids import Solid, skinned

try:
    from manifold3d import Manifold
except ImportError:
    raise MissingExtra("building shapes", "scenes") from None

__all__ = ["blade", "blob", "cut", "level_ring", "walled"]


def blob(profile: Sequence[Point] | Floats, *, ripple: Floats | None = None, segments: int = 28) -> Solid:
    """A round body about z, convex to what collides with it.

    profile : (radius, height) from below to above; it may sink in at its ends, which are no points
    ripple : (segments,) or (k, segments) float, how much farther out it is in each direction, as a factor
    """
    heights = np.array([z for _, z in profile], np.float64)
    radii = np.array([r for r, _ in profile], np.float64)[:, None] * np.ones(segments)
    radii = radii if ripple is None else radii * ripple
    turns = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    flat = np.stack([radii * np.cos(turns), radii * np.sin(turns)], -1)
    upright = np.broadcast_to(heights[:, None, None], (*radii.shape, 1))
    return loft(list(np.concatenate([flat, upright], -1)), blocks=1)


def level_ring(width: float, depth: float, z: float, *, squareness: float = 2.0, segments: int = 32) -> Floats:
    """A level ring around z: an ellipse, or squarer, the more the larger its squareness. (segments, 3) float"""
    return np.column_stack([oval(width, depth, squareness=squareness, sides=segments), np.full(segments, z)])


def walled(outside: Sequence[Floats], inside: Sequence[Floats], *, sectors: int = 8) -> Solid:
    """A vessel between an outer and an inner wall, each of equally many rings from the floor to the rim."""
    body = skinned([*outside, *reversed(inside)])
    size, levels = len(outside[0]), np.unique(np.linspace(0, len(outside) - 1, 5).astype(int))
    pieces = [np.concatenate([outside[0], inside[0]])]
    sectors = min(sectors, size)
    for sector in range(sectors):
        first, last = sector * size // sectors, (sector + 1) * size // sectors
        some = np.arange(first, last + 1) % size
        for low, high in pairwise(levels):
            walls = (outside[low], outside[high], inside[low], inside[high])
            pieces.append(np.concatenate([wall[some] for wall in walls]))
    return Solid(body, tuple(pieces))


def blade(
    length: float,
    width: float,
    *,
    thick: float = 0.001,
    rise: float = 45.0,
    droop: float = 60.0,
    fold: float = 0.15,
    widest: float = 0.45,
    teeth: int = 0,
    stations: int = 9,
) -> Solid:
    """The blade of a leaf, from the origin towards +x.

    rise : the angle at which it leaves the ground, degrees; it loses `droop` of them until its tip
    fold : by how much of its half width its edges stand above its middle
    widest : where, as a share of its length
    teeth : on each side; each makes three stations of its own
    """
    along = np.linspace(0, 1, stations if not teeth else 3 * teeth + 2)
    swell = np.where(along < widest, along / widest, (1 - along) / (1 - widest))
    half = width / 2 * np.maximum(np.sin(swell * np.pi / 2) ** 0.8, 0.08)
    if teeth:
        half[1:-1] *= np.tile([0.35, 1.0, 0.9], teeth)
    angles = np.radians(rise - droop * along)
    ahead = np.stack([np.cos(angles), 0 * angles, np.sin(angles)], 1)
    above = np.stack([-np.sin(angles), 0 * angles, np.cos(angles)], 1)
    steps = (ahead[1:] + ahead[:-1]) / 2 * np.diff(along)[:, None] * length
    middle = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, 0)])
    body = thick * np.maximum(half / half.max(), 0.3)
    side, lift = half[:, None] * (0.0, 1.0, 0.0), (fold * half)[:, None] * above
    rim = (middle + side + lift, middle + body[:, None] / 2 * above)
    other = (middle - side + lift, middle - body[:, None] / 2 * above)
    rings = list(np.stack([*rim, *other], 1))
    thirds = np.linspace(0, len(rings) - 1, 4).astype(int)
    pieces = tuple(np.concatenate(rings[low : high + 1]) for low, high in pairwise(thirds))
    return Solid(skinned(rings), pieces)


def cut(solid: Solid, normal: Point, offset: float = 0.0) -> Solid:
    """What is left of a solid on the side of a plane to which its normal points. offset : of the plane, along it"""
    way = np.asarray(normal, np.float64) / np.linalg.norm(normal)
    parts = [Manifold.hull_points(np.ascontiguousarray(piece)).trim_by_plane(way, offset) for piece in solid.pieces]
    corners = [np.asarray(kept.to_mesh64().vert_properties)[:, :3] for kept in parts if not kept.is_empty()]
    return Solid(solid.body.trim_by_plane(way, offset), tuple(corners))
