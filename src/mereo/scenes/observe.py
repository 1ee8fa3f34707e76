"""From what the camera saw to facts: boxes, masks, visible pixels, what hides what, where things are seen.

Everything is counted in the id picture, which comes from one ray per pixel over the same triangles that are lit.
Nothing is annotated that was not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.scenes.render import Frame, view_matrix
from mereo.scenes.scene import Scene
from mereo.shapes.mesh import Floats

__all__ = ["Observation", "Seen", "covered_shares", "directions", "observe", "projected"]


@dataclass(frozen=True)
class Seen:
    """What is visible of an object or a part."""

    pixels: int
    box: tuple[int, int, int, int] | None
    """Around the visible pixels; None where nothing is visible."""
    center: tuple[float, float] | None
    """Mean column and row of the visible pixels."""


@dataclass(frozen=True)
class Observation:
    """What a frame shows of a scene."""

    objects: tuple[Seen, ...]
    parts: tuple[dict[int, Seen], ...]
    """For each object its visible leaves by id."""
    pixel: tuple[tuple[float, float, float], ...]
    """For each object column, row and depth (meters along the view axis) of its origin."""
    covered: tuple[float, ...]
    """For each object the share of its visible box that nearer objects cover."""


def observe(scene: Scene, frame: Frame) -> Observation:
    """Count a frame."""
    count = len(scene.objects)
    rows, columns = np.nonzero(frame.object >= 0)
    owner, part = frame.object[rows, columns], frame.part[rows, columns]
    found = _seen_by(owner, rows, columns)
    objects = tuple(found.get(number, Seen(0, None, None)) for number in range(count))
    parts: tuple[dict[int, Seen], ...] = tuple({} for _ in range(count))
    leaves = int(part.max(initial=0)) + 1
    for key, seen in _seen_by(owner * leaves + part, rows, columns).items():
        parts[key // leaves][key % leaves] = seen
    pixel = projected(scene, [placed.pose.position for placed in scene.objects])
    return Observation(objects, parts, tuple(map(tuple, pixel.tolist())), covered_shares(frame, objects, pixel))


def _seen_by(key: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any]) -> dict[int, Seen]:
    """What is visible of each key, in order. key, rows, columns : (n,) int, what each pixel belongs to and where it is

    All at once: one look at the whole picture for each of a hundred parts would take ten times as long.
    """
    if not len(key):
        return {}
    order = np.argsort(key, kind="stable")
    keys, starts, counts = np.unique(key[order], return_index=True, return_counts=True)
    spans = []
    for place in (columns[order], rows[order]):
        first, last = np.minimum.reduceat(place, starts), np.maximum.reduceat(place, starts)
        spans.append((first.tolist(), (last - first + 1).tolist(), (np.add.reduceat(place, starts) / counts).tolist()))
    (left, width, x), (top, height, y) = spans
    boxes, centers = zip(left, top, width, height, strict=True), zip(x, y, strict=True)
    return dict(zip(keys.tolist(), map(Seen, counts.tolist(), boxes, centers), strict=True))


def projected(scene: Scene, points: Sequence[Sequence[float]] | Floats) -> Floats:
    """(n, 3) float: column, row (pixels) and depth (meters along the view axis) of points in the world."""
    camera = scene.camera
    seen = (np.asarray(points, np.float64) - camera.position) @ view_matrix(scene).T
    scale = camera.width / 2 / np.tan(np.radians(camera.field) / 2)
    column = camera.width / 2 + scale * seen[:, 0] / seen[:, 2]
    row = camera.height / 2 - scale * seen[:, 1] / seen[:, 2]
    return np.stack([column, row, seen[:, 2]], 1)


def covered_shares(frame: Frame, objects: Sequence[Seen], pixel: Floats) -> tuple[float, ...]:
    """CLEVR-Ref+'s measure: how much of an object's box the visible pixels of nearer objects cover."""
    shares = []
    for number, seen in enumerate(objects):
        if seen.box is None:
            shares.append(1.0)
            continue
        left, top, width, height = seen.box
        inside = frame.object[top : top + height, left : left + width]
        nearer = [other for other in range(len(objects)) if pixel[other, 2] < pixel[number, 2]]
        shares.append(float(np.isin(inside, nearer).sum()) / (width * height))
    return tuple(shares)


def directions(scene: Scene) -> dict[str, tuple[float, float, float]]:
    """Left, right, front and behind on the ground as the camera sees them, and above and below. Unit, world frame"""
    right, _, away = view_matrix(scene)
    behind = np.array([away[0], away[1], 0.0]) / np.hypot(away[0], away[1])

    def plain(vector: Floats) -> tuple[float, float, float]:
        x, y, z = (float(value) + 0.0 for value in vector)
        return x, y, z

    return {
        "left": plain(-right),
        "right": plain(right),
        "front": plain(-behind),
        "behind": plain(behind),
        "above": (0.0, 0.0, 1.0),
        "below": (0.0, 0.0, -1.0),
    }
