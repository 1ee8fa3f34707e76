"""Point clouds: points drawn from the surfaces of shapes, thinned so that they lie evenly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput
from mereo.shapes.mesh import Floats, Mesh, joined
from mereo.shapes.part import Shape

__all__ = ["PointCloud", "SurfacePoints", "cloud", "farthest", "sample_mesh", "sample_points"]

Indices = NDArray[np.int64]

_OVERSAMPLING = 3
"""How many points are drawn for each that farthest-point sampling keeps."""
_BUCKET = 256
"""About how many points fpsample looks at together; the fastest for some ten thousands."""


class SurfacePoints(NamedTuple):
    """Points on a mesh.

    points : (n, 3) float, the mesh's frame, meters
    normals : (n, 3) float, unit, outwards
    faces : (n,) int, the triangle that each lies on
    """

    points: Floats
    normals: Floats
    faces: Indices


@dataclass(frozen=True, eq=False)
class PointCloud:
    """Points on a shape.

    points : (n, 3) float, the shape's frame, meters
    normals : (n, 3) float, unit, outwards
    leaf : (n,) int, the place of its leaf in `shape.leaves()`
    """

    points: Floats
    normals: Floats
    leaf: Indices

    def __len__(self) -> int:
        return len(self.points)

    def at(self, indices: NDArray[Any]) -> PointCloud:
        """Some of its points, in the order asked for."""
        return PointCloud(self.points.take(indices, 0), self.normals.take(indices, 0), self.leaf.take(indices))


def sample_mesh(mesh: Mesh, count: int, rng: np.random.Generator) -> SurfacePoints:
    """Points that are uniform over the area of a mesh."""
    areas = mesh.face_areas()
    total = np.cumsum(areas)
    if not len(total) or not 0 < total[-1] < np.inf:
        raise BadInput("a mesh without area has no surface to draw points from")
    drawn = np.searchsorted(total, rng.random(count) * total[-1], side="right")
    faces = np.minimum(drawn, np.flatnonzero(areas)[-1])  # rounding may reach past the last triangle with area
    root, share = np.sqrt(rng.random(count)), rng.random(count)
    axes = np.ascontiguousarray(mesh.vertices.T)  # mixing three long rows is faster than many short ones
    a, b, c = (axes.take(corner, 1) for corner in mesh.faces.take(faces, 0).T)
    points = (1 - root) * a + root * ((1 - share) * b + share * c)
    return SurfacePoints(np.ascontiguousarray(points.T), mesh.face_normals().take(faces, 0), faces)


def sample_points(shape: Shape, count: int, rng: np.random.Generator) -> PointCloud:
    """Points that are uniform over the area of all leaves.

    Where leaves run into each other, as a leg into its seat, the surface inside the other leaf counts too: PartNet's
    clouds keep it, and each leaf stays whole.
    """
    mesh, leaf_of_face = joined([leaf.mesh for leaf in shape.leaves() if leaf.mesh is not None])
    found = sample_mesh(mesh, count, rng)
    return PointCloud(found.points, found.normals, leaf_of_face[found.faces].astype(np.int64))


def farthest(points: Floats, count: int) -> Indices:
    """Indices of points chosen one by one, each as far as can be from those before it. (count,) int, all distinct

    points : (n, 3) float

    The first points of the answer are themselves a farthest-point sample, of any size. With which it begins follows
    from the points alone: fpsample sorts them into its buckets before it looks at where it was told to start.
    """
    if not 0 <= count <= len(points):
        raise BadInput(f"{count:,} of {len(points):,} points cannot be chosen")
    if not np.isfinite(points).all():
        raise BadInput("points must be finite numbers to tell which are far apart")
    if len(points) < 2 or count == 0:
        return np.arange(count)
    centered = points - points.mean(0)  # fpsample counts in single precision
    height = max(1, (len(points) // _BUCKET).bit_length())
    try:
        import fpsample
    except ImportError:
        chosen = _plain(centered.astype(np.float32), count, first=_first_sorted(centered.astype(np.float32), height))
    else:
        chosen = fpsample.bucket_fps_kdline_sampling(centered, count, h=height, start_idx=0).astype(np.int64)
    if np.bincount(chosen).max() == 1:
        return np.asarray(chosen)
    _, first = np.unique(chosen, return_index=True)
    distinct = chosen[np.sort(first)]  # where only copies are left, it repeats itself
    others = np.setdiff1d(np.arange(len(points)), distinct)
    return np.concatenate([distinct, others[: count - len(distinct)]])


def _plain(points: NDArray[np.float32], count: int, *, first: int) -> Indices:
    """What fpsample chooses, ten times as slowly: there are Pythons that it has no wheels for."""
    x, y, z = np.ascontiguousarray(points.T)
    away = np.full(len(points), np.inf, np.float32)
    chosen = [first]
    while len(chosen) < count:
        last = chosen[-1]
        np.minimum(away, (x - x[last]) ** 2 + (y - y[last]) ** 2 + (z - z[last]) ** 2, out=away)
        chosen.append(int(away.argmax()))
    return np.array(chosen)


def _first_sorted(points: NDArray[np.float32], height: int) -> int:
    """The point with which fpsample begins: the first of the lowest bucket.

    Buckets are halved along the axis that is widest, at the mean, by swapping what is too high at the front with what
    is low enough at the back.
    """
    order = np.arange(len(points))
    for _ in range(height):
        if len(order) == 1:
            break
        own = points[order]
        values = own[:, np.ptp(own, axis=0).argmax()]
        low = values < np.add.accumulate(values)[-1] / np.float32(len(values))  # one by one, in single precision
        size = np.count_nonzero(low)
        front, back = order[:size].copy(), order[size:]
        front[~low[:size]] = back[low[size:]][::-1]
        order = front if size else order[:1]
    return int(order[0])


def cloud(shape: Shape, count: int = 10_000, *, rng: np.random.Generator) -> PointCloud:
    """Points that cover a shape evenly, by farthest-point sampling from three times as many."""
    dense = sample_points(shape, _OVERSAMPLING * count, rng)
    return dense.at(farthest(dense.points, count))
