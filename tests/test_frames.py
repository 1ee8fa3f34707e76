"""What each pixel shows, against a ray caster of our own in plain numpy, and facts counted naively."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from casting import ASIDE, DEEP, cast, rays
from mereo.scenes.observe import covered_shares, directions, observe, projected
from mereo.scenes.render import Frame, Set
from mereo.scenes.scene import Camera, Light, Paint, Scene, Surface, TableTop
from scenery import RED, ROOM, room, stage, thing

Array = NDArray[Any]

SCENES = {
    "small things on a table": Scene(
        TableTop(1.1, 0.7, Surface("oak_veneer"), Surface("white_plaster")),
        (
            thing("cube", -0.2, 0.1, scale=0.07, turn=33.0),
            thing("lamp", 0.2, 0.15, scale=0.3, turn=10.0),
            thing("cylinder", 0.1, -0.12, scale=0.05, paint=Paint("glass", (0.9, 1.0, 0.9))),
            thing("sphere", -0.28, 0.24, scale=0.06),
        ),
        (Light((-1.5, -1.0, 1.6), (0.0, 0.0, 0.0), 1.0, (14.0, 14.0, 14.0)),),
        Camera((-0.5, -1.5, 0.8), (0.0, 0.0, 0.05), 46.0, 72, 48),
    ),
    "furniture in a room": room(
        thing("bed", -1.2, 0.6, turn=20.0),
        thing("refrigerator", 1.5, 1.2, turn=-30.0),
        thing("lamp", 0.5, -0.4, turn=50.0),
        thing("cart", 0.6, 0.9, turn=75.0),
    ),
    "solids on the stage": stage(
        thing("cube", -0.8, 0.4, scale=0.7, turn=33.0, paint=RED),
        thing("cylinder", 0.9, 0.9, scale=0.7),
        thing("cube", 0.3, -0.7, scale=0.35, turn=-12.0),
        camera=Camera((0.4, -6.0, 3.1), (0.0, 0.0, 0.3), 45.0, 72, 48),
    ),
}


class Case(NamedTuple):
    """A scene with its frame and what the naive caster finds through every pixel's middle."""

    scene: Scene
    frame: Frame
    depth: Array
    object: Array
    part: Array


@pytest.fixture(scope="module", params=SCENES)
def case(request: pytest.FixtureRequest) -> Case:
    scene = SCENES[request.param]
    height, width = scene.camera.height, scene.camera.width
    depths, objects, parts = [], [], []
    for row in range(height):
        found = cast(scene, np.arange(width) + 0.5, np.full(width, row + 0.5))
        first = found.depth.argmin(1)
        nearest = found.depth[np.arange(width), first]
        depths.append(nearest)
        objects.append(np.where(np.isfinite(nearest), found.object[first], -1))
        parts.append(np.where(np.isfinite(nearest), found.part[first], -1))
    return Case(scene, Set(scene).frame(), np.array(depths), np.array(objects), np.array(parts))


def near_misses(scene: Scene, row: int, column: int) -> set[tuple[int, int]]:
    """All objects and parts that a ray through a pixel's middle, or a hair beside it, can be said to hit first."""
    turns = np.arange(8) * np.pi / 4
    columns, rows = column + 0.5 + ASIDE * np.append(0, np.cos(turns)), row + 0.5 + ASIDE * np.append(0, np.sin(turns))
    found = cast(scene, columns, rows)
    within = found.depth <= found.depth.min(1, keepdims=True) + DEEP
    _, places = np.nonzero(within)
    return {(int(found.object[place]), int(found.part[place])) for place in places} | (
        {(-1, -1)} if np.isinf(found.depth).all(1).any() else set()
    )


def test_every_pixel_shows_the_part_that_its_ray_hits(case: Case) -> None:
    differs = (case.frame.object != case.object) | (case.frame.part != case.part)
    for row, column in np.argwhere(differs):
        shown = int(case.frame.object[row, column]), int(case.frame.part[row, column])
        assert shown in near_misses(case.scene, row, column), f"pixel {column}, {row}"
    # A hair's breadth along all the edges of these pictures is far less than a hundredth of their pixels.
    assert differs.mean() < 0.01
    assert set(np.unique(case.object)) == set(range(-1, len(case.scene.objects)))


def test_depth_is_that_of_the_ray_within_a_millimeter(case: Case) -> None:
    same = (case.frame.object == case.object) & (case.frame.part == case.part)
    finite = np.isfinite(case.depth)
    assert np.array_equal(np.isfinite(case.frame.depth), finite)
    assert np.abs(case.frame.depth[same & finite] - case.depth[same & finite]).max() < 1e-3
    assert finite[same].mean() > 0.5


def test_normals_are_of_unit_length_and_look_at_the_camera(case: Case) -> None:
    height, width = case.depth.shape
    columns, rows = (grid.ravel() + 0.5 for grid in np.meshgrid(np.arange(width), np.arange(height)))
    towards = rays(case.scene, columns, rows).reshape(height, width, 3)
    there = np.isfinite(case.frame.depth)
    assert np.allclose(np.linalg.norm(case.frame.normal[there], axis=1), 1.0, atol=1e-5)
    assert ((case.frame.normal * towards).sum(-1)[there] < 1e-6).all()
    assert not case.frame.normal[~there].any()


def test_normals_are_those_of_the_walls() -> None:
    scene = room(thing("cube", 0.0, -0.5, scale=0.1))
    frame = Set(scene).frame()
    columns, rows = np.array([2.5, 36.5, 69.5, 36.5]), np.array([24.5, 8.5, 24.5, 45.5])
    expected = np.array([[1, 0, 0], [0, -1, 0], [-1, 0, 0], [0, 0, 1]])
    found = cast(scene, columns, rows)
    hit = np.array(scene.camera.position) + found.depth.min(1)[:, None] * rays(scene, columns, rows)
    on_wall = [
        abs(hit[0, 0] + ROOM.width / 2),
        abs(hit[1, 1] - ROOM.depth / 2),
        abs(hit[2, 0] - ROOM.width / 2),
        hit[3, 2],
    ]
    assert np.allclose(on_wall, 0.0, atol=1e-9), "the pixels chosen must show left, back, right and floor"
    assert np.allclose(frame.normal[rows.astype(int), columns.astype(int)], expected, atol=1e-5)


def test_boxes_counts_and_centers_are_those_of_naive_counting(case: Case) -> None:
    seen = observe(case.scene, case.frame)
    ids = case.frame.object.tolist()
    for number, thing_seen in enumerate(seen.objects):
        own = [(x, y) for y, row in enumerate(ids) for x, value in enumerate(row) if value == number]
        assert own
        columns, rows = [x for x, _ in own], [y for _, y in own]
        assert thing_seen.pixels == len(own)
        assert thing_seen.box == (
            min(columns),
            min(rows),
            max(columns) - min(columns) + 1,
            max(rows) - min(rows) + 1,
        )
        assert thing_seen.center == pytest.approx((sum(columns) / len(own), sum(rows) / len(own)))
        by_part: dict[int, int] = {}
        for x, y in own:
            leaf = int(case.frame.part[y, x])
            by_part[leaf] = by_part.get(leaf, 0) + 1
        assert {leaf: part.pixels for leaf, part in seen.parts[number].items()} == by_part


def test_what_is_out_of_sight_has_no_pixels_and_counts_as_covered() -> None:
    scene = stage(thing("cube", 0.0, 0.0, scale=0.7), thing("sphere", 0.0, 2.0, scale=0.2))
    seen = observe(scene, Set(scene).frame())
    assert (seen.objects[1].pixels, seen.objects[1].box, seen.objects[1].center) == (0, None, None)
    assert seen.covered[1] == 1.0
    assert seen.parts[1] == {}


def test_projected_points_lie_in_the_pixels_that_show_them(case: Case) -> None:
    height, width = case.depth.shape
    columns, rows = (grid.ravel() + 0.5 for grid in np.meshgrid(np.arange(width), np.arange(height)))
    depth = case.frame.depth.ravel().astype(float)
    there = np.isfinite(depth)
    points = np.array(case.scene.camera.position) + depth[there, None] * rays(case.scene, columns[there], rows[there])
    found = projected(case.scene, points.tolist())
    assert np.allclose(found, np.column_stack([columns[there], rows[there], depth[there]]), atol=1e-3)


def test_origins_of_objects_are_projected_into_the_observation(case: Case) -> None:
    seen = observe(case.scene, case.frame)
    origins = [placed.pose.position for placed in case.scene.objects]
    assert np.array_equal(seen.pixel, projected(case.scene, origins))


def test_covered_shares_are_those_of_naive_counting(case: Case) -> None:
    seen = observe(case.scene, case.frame)
    depths = [depth for _, _, depth in seen.pixel]
    expected = []
    for number, thing_seen in enumerate(seen.objects):
        assert thing_seen.box is not None
        left, top, width, height = thing_seen.box
        hidden = 0
        for y in range(top, top + height):
            for x in range(left, left + width):
                other = int(case.frame.object[y, x])
                hidden += other >= 0 and depths[other] < depths[number]
        expected.append(hidden / (width * height))
    assert seen.covered == pytest.approx(expected)
    assert covered_shares(case.frame, seen.objects, np.array(seen.pixel)) == seen.covered
    assert max(expected) > 0, "one of the objects must be in front of another for this to say anything"


def test_directions_are_orthogonal_and_what_the_camera_sees(case: Case) -> None:
    found = {name: np.array(vector) for name, vector in directions(case.scene).items()}
    axes = np.stack([found["right"], found["behind"], found["above"]])
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    for one, other in (("left", "right"), ("front", "behind"), ("below", "above")):
        assert np.array_equal(found[one], -found[other])
    assert np.linalg.det(axes) == pytest.approx(1.0)
    start = np.array(case.scene.camera.target)
    column, row, depth = projected(case.scene, [start.tolist()])[0]
    moved = {name: projected(case.scene, [(start + 0.1 * vector).tolist()])[0] for name, vector in found.items()}
    assert moved["left"][0] < column < moved["right"][0]
    assert moved["front"][2] < depth < moved["behind"][2]
    assert moved["above"][1] < row < moved["below"][1]
    assert moved["behind"][0] == pytest.approx(column)
