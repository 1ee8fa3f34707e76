"""A ray caster in plain numpy that tests hold against the renderer's: every ray with every triangle, doubles."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.scenes.assemble import shape_of
from mereo.scenes.scene import Scene, Stage, TableTop

Array = NDArray[Any]

ASIDE = 0.002
"""Pixels: the renderer reckons in single precision, 7 digits. A ray's direction is off by about 1e-7, a corner 10 m
away by 1e-6 m, and their products by a few times that: less than 1e-5 m, while a pixel of these pictures is wider than
5 cm there. So 0.002 pixels, 0.1 mm, is ten times what rounding can do and still only a hair."""
DEEP = 1e-4
"""Meters: two surfaces nearer to each other than this along a ray may be taken for each other, for the same reason."""


class Cast(NamedTuple):
    """What rays hit: for each ray all objects, parts and depths, a row per triangle or wall."""

    depth: Array
    object: Array
    part: Array


def rays(scene: Scene, columns: Array, rows: Array) -> Array:
    """(n, 3): directions through places of the picture, as long as one meter along the view axis."""
    camera = scene.camera
    away = np.array(camera.target) - np.array(camera.position)
    away /= np.linalg.norm(away)
    right = np.array([away[1], -away[0], 0.0]) / np.hypot(away[0], away[1])
    up = np.cross(right, away)
    pixel = 2 * np.tan(np.radians(camera.field / 2)) / camera.width
    across, above = (columns - camera.width / 2) * pixel, (camera.height / 2 - rows) * pixel
    towards: Array = away + across[:, None] * right + above[:, None] * up
    return towards


def world_triangles(scene: Scene) -> tuple[Array, Array, Array]:
    """Corners (m, 3, 3), objects and parts; objects of these scenes are turned about z only."""
    corners, objects, parts = [], [], []
    for number, placed in enumerate(scene.objects):
        w, _, _, z = placed.pose.rotation
        cos, sin = w * w - z * z, 2 * w * z
        for leaf in shape_of(placed.shape).leaves():
            assert leaf.mesh is not None
            x, y, height = np.moveaxis(leaf.mesh.triangles, -1, 0) * placed.scale
            turned = np.stack([cos * x - sin * y, sin * x + cos * y, height], -1)
            corners.append(turned + placed.pose.position)
            objects += [number] * len(leaf.mesh.faces)
            parts += [leaf.id] * len(leaf.mesh.faces)
    return np.concatenate(corners), np.array(objects), np.array(parts)


def walls(scene: Scene) -> list[tuple[int, float, tuple[float, float], tuple[float, float]]]:
    """Floor and walls as axis, place along it, and the bounds along the other two axes."""
    if isinstance(scene.setting, Stage):
        return [(2, 0.0, (-60.0, 60.0), (-60.0, 60.0))]
    if isinstance(scene.setting, TableTop):
        table, (x, y) = scene.setting, (scene.setting.width / 2, scene.setting.depth / 2)
        sides = [(0, place, (-y, y), (-table.thickness, 0.0)) for place in (-x, x)]
        front, back = (1, -y, (-x, x), (-table.thickness, 0.0)), (1, y + table.gap, (-6.0, 6.0), (-6.0, 6.0))
        return [(2, 0.0, (-x, x), (-y, y)), front, back, *sides]
    x, y, z = scene.setting.width / 2, scene.setting.depth / 2, scene.setting.height
    sides = [(0, place, (-y, y), (0.0, z)) for place in (-x, x)]
    return [(2, 0.0, (-x, x), (-y, y)), (1, y, (-x, x), (0.0, z)), *sides]


def cast(scene: Scene, columns: Array, rows: Array) -> Cast:
    """Möller and Trumbore's test of every ray with every triangle, and of every ray with every wall."""
    eye, towards = np.array(scene.camera.position), rays(scene, columns, rows)
    triangles, objects, parts = world_triangles(scene)
    a, one, other = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    offset = eye - a
    q = np.cross(offset, one)
    reach = np.einsum("mi,mi->m", other, q)
    # With one eye for all rays, each of the test's numbers is a product of a ray and something of the triangle.
    determinant = towards @ np.cross(other, one).T
    with np.errstate(divide="ignore", invalid="ignore"):
        u = towards @ np.cross(other, offset).T / determinant
        v = towards @ q.T / determinant
        depth = reach[None] / determinant
        depth[~((u >= 0) & (v >= 0) & (u + v <= 1) & (depth > 0))] = np.inf
    found = [depth]
    for axis, place, *bounds in walls(scene):
        with np.errstate(divide="ignore"):
            along = (place - eye[axis]) / towards[:, axis]
        hit = eye + along[:, None] * towards
        rest = [k for k in range(3) if k != axis]
        inside = np.all(
            [(hit[:, k] >= low) & (hit[:, k] <= high) for k, (low, high) in zip(rest, bounds, strict=True)], 0
        )
        found.append(np.where(inside & (along > 0), along, np.inf)[:, None])
    none = [-1] * len(walls(scene))
    return Cast(np.concatenate(found, 1), np.append(objects, none), np.append(parts, none))
