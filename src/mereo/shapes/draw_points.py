"""Clouds of points as pictures: every point is a small ball, lit as the surface is that it lies on.

What is seen of a cloud does not depend on its colors, so it is worked out once and painted as often as one likes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.shapes.draw import OVERSAMPLING, PAPER, Image, lightness, nearest_of, shrunk, view_of
from mereo.shapes.mesh import Floats

__all__ = ["SeenPoints", "see_points"]

_MOST = 4000
"""Points that are drawn: any first ones of a cloud are spread as evenly as all are."""
_NEIGHBORS = 12
"""Points that tell how the surface lies at one of them."""
_ROUND = 0.5
"""How much of a ball's light is that of a ball, between 0 and 1; the rest is that of its surface."""
_TOUCHING = 0.9
"""The radius of a ball, in distances to the nearest other point: a little more than touches."""
_WIDEST = 0.035
"""The largest radius, as a share of the picture."""
_STEP = 4.0
"""Where the depth changes by more of these radii from a pixel to the next, one thing is in front of another."""
_SHADE = 0.55
"""How bright the farther one is there."""
_MARGIN = 0.05
"""The share of the picture that stays free on every side."""


class SeenPoints(NamedTuple):
    """What is seen of a cloud, on a picture that is larger than it will be."""

    point: NDArray[np.int64]
    """(p, p) the number of the point that is seen at each pixel, -1 for none."""
    light: Floats
    """(p, p) how bright it is there."""

    def painted(self, colors: Floats) -> Image:
        """The picture, (size, size, 3). colors : (n, 3) of every point, 0 to 255"""
        image = np.broadcast_to(PAPER, (*self.point.shape, 3)).copy()
        there = self.point >= 0
        image[there] = np.clip(colors[self.point[there]] * self.light[there][:, None], 0, 255)
        picture: Image = np.rint(shrunk(image, len(image) // OVERSAMPLING)).astype(np.uint8)
        return picture


def see_points(
    points: NDArray[np.floating], *, size: int = 240, azimuth: float = 32.0, elevation: float | None = None
) -> SeenPoints:
    """A cloud seen from its front, turned by `azimuth` to the right and from above by `elevation`.

    points : (n, 3) z up, front towards -y
    elevation : degrees; else more for what lies flat, which is hardly seen from the side
    """
    cloud = np.asarray(points[:_MOST], float)
    if elevation is None:
        width, depth, height = np.ptp(cloud, axis=0)
        elevation = 58.0 if height < 0.15 * max(width, depth) else 22.0
    view, pixels = view_of(azimuth, elevation), size * OVERSAMPLING
    spacing, normals = _surface(cloud)
    normals *= np.where(normals @ view[2] > 0, -1.0, 1.0)[:, None]  # towards the eye
    seen = cloud @ view.T
    low, high = seen.min(0), seen.max(0)
    scale = (1 - 2 * _MARGIN) * pixels / max(*(high - low)[:2], 1e-6)
    radius = float(np.clip(_TOUCHING * spacing * scale, 1.0, _WIDEST * pixels))
    centered = (seen - (low + high) / 2) * scale
    at = centered * (1, -1, 1) + (pixels / 2, pixels / 2, 0)
    return _splatted(at, normals, view, radius=radius, pixels=pixels)


def _surface(points: Floats) -> tuple[float, Floats]:
    """How far points are from the nearest other one, as a median, and (n, 3) the normals of the surface at each."""
    count = min(_NEIGHBORS, len(points))
    squares = (points**2).sum(1)
    near, spaces = np.empty((len(points), count), np.int64), np.empty(len(points))
    for some in np.array_split(np.arange(len(points)), -(-len(points) // 1000)):
        away = squares[some, None] + squares[None] - 2 * points[some] @ points.T
        near[some] = np.argpartition(away, count - 1, axis=1)[:, :count]
        away[np.arange(len(some)), some] = np.inf
        spaces[some] = np.sqrt(np.maximum(away.min(1), 0))
    around = points[near] - points[near].mean(1, keepdims=True)
    _, axes = np.linalg.eigh(around.mT @ around)
    return float(np.median(spaces)), axes[..., 0]


def _splatted(at: Floats, normals: Floats, view: Floats, *, radius: float, pixels: int) -> SeenPoints:
    """Balls on pixels, the nearest in front.

    at : (n, 3) column, row and how far away each is, pixels · normals : (n, 3) towards the eye, world frame
    view : (3, 3) rows right, up and away
    """
    reach = np.arange(-np.ceil(radius), np.ceil(radius) + 1)
    offsets = np.stack(np.meshgrid(reach, reach), -1).reshape(-1, 2)
    pixel = np.floor(at[:, None, :2]) + offsets
    apart = pixel + 0.5 - at[:, None, :2]
    left = radius**2 - (apart**2).sum(-1)
    inside = (left > 0) & ((pixel >= 0) & (pixel < pixels)).all(-1)
    owner, place = np.nonzero(inside)[0], (pixel[inside] @ (1, pixels)).astype(np.int64)
    bulge = np.sqrt(left[inside])
    near = at[owner, 2] - bulge
    first = nearest_of(place, near, owner)
    ball = np.column_stack([apart[inside] * (1, -1), -bulge])[first] / radius
    mixed = _ROUND * ball @ view + (1 - _ROUND) * normals[owner[first]]
    mixed /= np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-9)
    point, light, far = np.full(pixels**2, -1), np.zeros(pixels**2), np.full(pixels**2, np.inf)
    point[place[first]], far[place[first]] = owner[first], near[first]
    shaded = _behind(far.reshape(pixels, pixels), _STEP * radius).ravel()[place[first]]
    light[place[first]] = lightness(mixed) * np.where(shaded, _SHADE, 1.0)
    return SeenPoints(point.reshape(pixels, pixels), light.reshape(pixels, pixels))


def _behind(depth: Floats, step: float) -> NDArray[np.bool_]:
    """Where something much nearer is beside a pixel, whose shade falls on it."""
    found = np.zeros(depth.shape, bool)
    with np.errstate(invalid="ignore"):
        for axis in (0, 1):
            a, b = np.moveaxis(depth, axis, 0)[:-1], np.moveaxis(depth, axis, 0)[1:]
            edge = np.moveaxis(found, axis, 0)
            edge[:-1] |= a - b > step
            edge[1:] |= b - a > step
    return found & np.isfinite(depth)
