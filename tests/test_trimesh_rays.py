"""Ids and depth of the frame against trimesh's own ray caster, ray by ray."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

from casting import ASIDE, rays, world_triangles
from mereo.scenes.render import Set
from mereo.scenes.scene import Scene
from scenery import room, thing

Array = NDArray[Any]

SCENE = room(
    thing("chair", -0.9, 0.3, turn=25.0),
    thing("table", 0.9, 0.8, turn=-15.0),
    thing("bed", 0.0, 1.2, turn=80.0),
)


def first_hits(scene: Scene, columns: Array, rows: Array) -> tuple[Array, Array]:
    """For each ray the first triangle, -1 for none, and its depth along the view axis."""
    corners, _, _ = world_triangles(scene)
    mesh = trimesh.Trimesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), process=False)
    towards = rays(scene, columns, rows)
    origin = np.tile(np.array(scene.camera.position), (len(towards), 1))
    places, ray, triangle = mesh.ray.intersects_location(origin, towards, multiple_hits=True)
    # A direction is one meter long along the view axis, so that how often it goes into a hit is the depth.
    along = np.linalg.norm(places - origin[ray], axis=1) / np.linalg.norm(towards[ray], axis=1)
    found, depth = np.full(len(towards), -1), np.full(len(towards), np.inf)
    for k in np.argsort(along)[::-1]:
        found[ray[k]], depth[ray[k]] = triangle[k], along[k]
    return found, depth


@pytest.mark.filterwarnings("ignore")
def test_trimesh_sees_the_same_parts_at_the_same_depth() -> None:
    frame = Set(SCENE).frame()
    height, width = frame.object.shape
    _, objects, parts = world_triangles(SCENE)
    row, column = (axis.ravel() + 0.5 for axis in np.mgrid[:height, :width])
    middle, depth = first_hits(SCENE, column, row)
    labels = np.where(middle >= 0, 1000 * objects[middle] + parts[middle], -1)
    sure = np.ones(len(labels), bool)
    for across, down in ((ASIDE, 0.0), (-ASIDE, 0.0), (0.0, ASIDE), (0.0, -ASIDE)):
        aside, _ = first_hits(SCENE, column + across, row + down)
        sure &= np.where(aside >= 0, 1000 * objects[aside] + parts[aside], -1) == labels
    seen = np.where(frame.object >= 0, 1000 * frame.object + frame.part, -1).ravel()
    assert sure.mean() > 0.99
    assert (seen[sure] == labels[sure]).all()
    on_things = sure & (labels >= 0)
    assert on_things.sum() > 200
    assert np.abs(frame.depth.ravel()[on_things] - depth[on_things]).max() < 1e-3
