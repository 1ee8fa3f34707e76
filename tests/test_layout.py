"""Placing: nothing overlaps, distances are kept, what cannot be placed is said, and chance can be repeated."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from manifold3d import Error, Manifold, Mesh64
from numpy.typing import NDArray

from mereo.chance import generator
from mereo.scenes.assemble import pose_matrix, shape_of
from mereo.scenes.layout import Candidate, Floor, NoPlace, place
from mereo.scenes.scene import Placed, Pose, ShapeRef
from scenery import GRAY

Array = NDArray[Any]

KINDS = {
    "cube": (0.35, 0.7),
    "sphere": (0.35, 0.7),
    "cylinder": (0.35, 0.7),
    "bed": (0.5, 0.6),
    "refrigerator": (0.7, 1.0),
    "lamp": (0.8, 1.0),
    "cart": (0.8, 1.0),
}
"""Categories with the scales that they come in."""
FLOOR = Floor(-3.0, 3.0, -2.5, 2.5)
ACROSS, AWAY = (0.8, 0.6, 0.0), (-0.6, 0.8, 0.0)
LAYOUTS = 30


def candidates(rng: np.random.Generator, count: int) -> list[Candidate]:
    found = []
    for kind in rng.choice(list(KINDS), count):
        scale = float(rng.uniform(*KINDS[kind]))
        found.append(Candidate(ShapeRef(str(kind), family=int(rng.integers(3))), scale, {"": GRAY}))
    return found


def layout(number: int) -> tuple[Placed, ...]:
    rng = generator(5, "layout", number)
    return place(candidates(rng, int(rng.integers(3, 7))), FLOOR, across=ACROSS, away=AWAY, rng=rng)


@pytest.fixture(scope="module")
def layouts() -> list[tuple[Placed, ...]]:
    return [layout(number) for number in range(LAYOUTS)]


class Body(NamedTuple):
    """A placed object: each leaf as a closed body, with its bounds (2, 3)."""

    leaves: list[Any]
    bounds: list[Array]


def body(placed: Placed) -> Body:
    leaves, bounds = [], []
    matrix = pose_matrix(placed.pose, placed.scale)
    for leaf in shape_of(placed.shape).leaves():
        assert leaf.mesh is not None
        mesh = leaf.mesh.moved(matrix)
        leaves.append(Manifold(Mesh64(mesh.vertices.copy(), mesh.faces.astype(np.uint64))))
        bounds.append(mesh.bounds())
        assert leaves[-1].status() == Error.NoError
        assert leaves[-1].volume() > 0
    return Body(leaves, bounds)


def shared_volume(one: Body, other: Body) -> float:
    """Cubic meters that are inside both; only leaves whose boxes meet are looked at."""
    total = 0.0
    for mine, (my_low, my_high) in zip(one.leaves, one.bounds, strict=True):
        for theirs, (low, high) in zip(other.leaves, other.bounds, strict=True):
            if (my_low <= high).all() and (low <= my_high).all():
                total += (mine ^ theirs).volume()
    return total


@pytest.fixture(scope="module")
def bodies(layouts: list[tuple[Placed, ...]]) -> list[list[Body]]:
    return [[body(each) for each in placed] for placed in layouts]


def outline(of: Body) -> tuple[Array, Array]:
    """What an object covers, seen from above: the two ends, (n, 2) each, of every side of every leaf."""
    polygons = [polygon for leaf in of.leaves for polygon in leaf.project().to_polygons()]
    starts = np.concatenate(polygons)
    return starts, np.concatenate([np.roll(polygon, -1, 0) for polygon in polygons])


def apart(one: tuple[Array, Array], other: tuple[Array, Array]) -> float:
    """The least distance between two outlines that do not cross: from a corner of one to a side of the other."""

    def reach(points: Array, starts: Array, ends: Array) -> float:
        sides, offsets = ends - starts, points[:, None] - starts[None]
        along = (offsets * sides).sum(-1) / np.maximum((sides**2).sum(-1), 1e-18)
        return float(np.linalg.norm(offsets - np.clip(along, 0, 1)[..., None] * sides, axis=-1).min())

    return min(reach(one[0], *other), reach(other[0], *one))


def test_no_two_objects_share_any_volume(bodies: list[list[Body]]) -> None:
    pairs = [pair for placed in bodies for pair in combinations(placed, 2)]
    assert len(pairs) > 3 * LAYOUTS
    assert [shared_volume(*pair) for pair in pairs] == [0.0] * len(pairs)


def test_the_overlap_test_sees_two_objects_in_one_place(layouts: list[tuple[Placed, ...]]) -> None:
    first = layouts[0][0]
    x, y, z = first.pose.position
    beside = msgspec.structs.replace(first, pose=Pose((x + 0.02, y, z), first.pose.rotation))
    assert shared_volume(body(first), body(beside)) > 0


def test_objects_stand_on_the_floor_within_its_bounds_and_keep_the_gap(bodies: list[list[Body]]) -> None:
    close = 0
    for placed in bodies:
        boxes = [np.stack([np.min(each.bounds, 0)[0], np.max(each.bounds, 0)[1]]) for each in placed]
        for low, high in boxes:
            assert low == pytest.approx([low[0], low[1], 0.0], abs=1e-9)
            assert (low[:2] >= np.array([FLOOR.left, FLOOR.front]) - 1e-6).all()
            assert (high[:2] <= np.array([FLOOR.right, FLOOR.back]) + 1e-6).all()
        for one, other in combinations(range(len(placed)), 2):
            between = np.maximum(boxes[one][0] - boxes[other][1], boxes[other][0] - boxes[one][1])[:2]
            if between.max() < FLOOR.gap:
                # Corners are grown by circles of 16 sides, which come within 2% of the round.
                assert apart(outline(placed[one]), outline(placed[other])) > 0.98 * FLOOR.gap
                close += 1
    assert close > 3, "some pairs must be near enough to need a close look"


def margins(placed: tuple[Placed, ...]) -> list[tuple[float, float]]:
    """For each pair of objects how far their centers are apart, across and away."""
    offsets = [np.subtract(one.pose.position, other.pose.position) for one, other in combinations(placed, 2)]
    return [(abs(float(offset @ ACROSS)), abs(float(offset @ AWAY))) for offset in offsets]


def test_centers_keep_the_margin_along_each_direction(layouts: list[tuple[Placed, ...]]) -> None:
    assert all(min(pair) >= FLOOR.margin for placed in layouts for pair in margins(placed))
    wide = Floor(-3.0, 3.0, -2.5, 2.5, margin=0.9)
    things = [Candidate(ShapeRef("cube"), 0.2, {"": GRAY})] * 4
    for number in range(10):
        placed = place(things, wide, across=ACROSS, away=AWAY, rng=generator(6, number))
        assert all(min(pair) >= 0.9 for pair in margins(placed))


def test_turns_stay_between_their_bounds() -> None:
    things = [Candidate(ShapeRef("cube"), 0.3, {"": GRAY}, turn=(10.0, 20.0))] * 3
    for number in range(10):
        for placed in place(things, FLOOR, across=ACROSS, away=AWAY, rng=generator(7, number)):
            degrees = np.degrees(2 * np.arctan2(placed.pose.rotation[3], placed.pose.rotation[0]))
            assert 10.0 <= degrees <= 20.0


@pytest.mark.parametrize(
    ("floor", "scale", "count", "rule"),
    [
        (Floor(-1, 1, -1, 1, restarts=5), 2.0, 1, "the object is larger than the floor"),
        (Floor(-1, 1, -1, 1, gap=0.5, margin=0.01, restarts=5), 0.4, 6, "footprints are nearer than 0.5 m"),
        (Floor(-1, 1, -1, 1, gap=0.0, margin=1.2, restarts=5), 0.1, 6, "centers are nearer than 1.2 m"),
    ],
)
def test_an_impossible_floor_ends_with_the_rule_that_refused(floor: Floor, scale: float, count: int, rule: str) -> None:
    things = [Candidate(ShapeRef("cube"), scale, {"": GRAY})] * count
    with pytest.raises(NoPlace) as refused:
        place(things, floor, across=(1.0, 0.0, 0.0), away=(0.0, 1.0, 0.0), rng=generator(8))
    assert str(refused.value).startswith(f"{count} objects found no place in {floor.restarts} attempts: {rule} (")


def test_the_same_chance_gives_the_same_layout_and_another_another(layouts: list[tuple[Placed, ...]]) -> None:
    assert layout(3) == layouts[3]
    assert len({placed[0].pose for placed in layouts}) == LAYOUTS
