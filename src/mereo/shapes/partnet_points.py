"""The point samples in PartNet's folders: points with normals, colors and the raw leaf that each lies on.

All of it is in PartNet's frame, y up and front towards +z, in the units of the meshes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput
from mereo.files import read_bytes, write_bytes
from mereo.shapes.frames import PARTNET
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Shape
from mereo.shapes.points import PointCloud

__all__ = ["PointSample", "read_points", "sample_of", "write_points"]

_FOLDER = "point_sample"


@dataclass(frozen=True, eq=False)
class PointSample:
    """Points of one shape.

    points : (n, 3) float
    normals : (n, 3) float, unit
    colors : (n, 3) uint8
    opacity : (n,) float, 0 to 1
    leaf : (n,) int, the number of the raw leaf
    """

    points: Floats
    normals: Floats
    colors: NDArray[np.uint8]
    opacity: Floats
    leaf: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.points)


def sample_of(shape: Shape, cloud: PointCloud, *, numbers: Mapping[int, int] | None = None) -> PointSample:
    """A cloud of points on a shape, as PartNet has it; all white, as a shape has no colors.

    numbers : for each part that has a mesh the number of its raw leaf; by default the part's own
    """
    ids = [leaf.id if numbers is None else numbers[leaf.id] for leaf in shape.leaves()]
    count = len(cloud)
    return PointSample(
        PARTNET.to_theirs(cloud.points),
        PARTNET.to_theirs(cloud.normals),
        np.full((count, 3), 255, np.uint8),
        np.ones(count),
        np.array(ids, np.int32)[cloud.leaf],
    )


def write_points(sample: PointSample, folder: Path) -> None:
    """Write the four files of a sample into a shape's folder; one cloud serves as both of PartNet's."""
    count, target = len(sample), folder / _FOLDER
    points = [f"{x!r} {y!r} {z!r}" for x, y, z in sample.points.tolist()]
    normals = [f"{x!r} {y!r} {z!r}" for x, y, z in sample.normals.tolist()]
    colors = [f"{r} {g} {b}" for r, g, b in sample.colors.tolist()]
    all_of_it = map(" ".join, zip(points, normals, colors, map(repr, sample.opacity.tolist()), strict=True))
    leaves = _lines(map(str, sample.leaf.tolist()))
    write_bytes(target / f"pts-{count}.txt", _lines(points))
    write_bytes(target / f"label-{count}.txt", leaves)
    write_bytes(target / f"sample-points-all-pts-nor-rgba-{count}.txt", _lines(all_of_it))
    write_bytes(target / f"sample-points-all-label-{count}.txt", leaves)


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read_points(folder: Path, count: int = 10_000) -> PointSample | None:
    """The sample of the whole surface in a shape's folder, or nothing if there is none of that size."""
    path = folder / _FOLDER / f"sample-points-all-pts-nor-rgba-{count}.txt"
    if not path.is_file():
        return None
    table = _table(path, 10)
    labels = path.with_name(f"sample-points-all-label-{count}.txt")
    leaf = _table(labels, 1)[:, 0]
    if len(leaf) != len(table):
        raise BadInput(f"has {len(leaf):,} labels for {len(table):,} points", file=labels)
    return PointSample(table[:, :3], table[:, 3:6], table[:, 6:9].astype(np.uint8), table[:, 9], leaf.astype(np.int32))


def _table(path: Path, columns: int) -> Floats:
    words = read_bytes(path).split()
    try:
        numbers = np.array(words, np.float64)
    except ValueError:
        raise BadInput("holds something that is not a number", file=path) from None
    if len(numbers) % columns or not np.isfinite(numbers).all():
        raise BadInput(f"does not hold {columns} finite numbers in each line", file=path)
    return numbers.reshape(-1, columns)
