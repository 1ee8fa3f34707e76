"""Lines and planes: found where PCA finds them too, and related as plain trigonometry says."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import complaint
from mereo.chance import generator
from mereo.shapes.geometry import GeometrySettings, Line, Plane, find_alike, find_geometry, relation
from mereo.shapes.grammar import leaf, make_shape, part
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.points import sample_mesh
from mereo.shapes.solids import Solid, bar, board, box, sphere, tube

Kind = type[Line] | type[Plane]

ORIGIN = np.zeros(3)


class Body(NamedTuple):
    """A part at a random pose, what it should be taken for, and its matter: (n, 3) points all through it."""

    part: Part
    kind: Kind | None
    matter: Floats


def random_body(number: int) -> Body:
    """A bar, board, cube or ball of random size and pose; the matter is drawn without our sampling."""
    rng = generator(11, number)
    kind = ("bar", "rod", "board", "plate", "cube", "ball")[number % 6]
    inside = rng.uniform(-0.5, 0.5, (4000, 3))
    round_inside = inside[np.linalg.norm(inside[:, :2], axis=1) < 0.5]
    length = rng.uniform(0.2, 2.0)
    if kind in ("bar", "rod"):
        size = np.array([length * rng.uniform(0.03, 0.12), length * rng.uniform(0.03, 0.12), length])
        ends = (0, 0, -length / 2), (0, 0, length / 2)
        solid = bar(*ends, float(size[0]), float(size[1]), round=kind == "rod")
    elif kind in ("board", "plate"):
        width = length * rng.uniform(0.5, 1.0)
        size = np.array([length, width, width * rng.uniform(0.02, 0.15)])
        outline = ellipse(length, width) if kind == "plate" else rectangle(length, width)
        solid = board(outline, float(size[2])).at(z=-size[2] / 2)
    elif kind == "cube":
        size = length * rng.uniform(0.8, 1.0, 3)
        solid = box(size)
    else:
        size = np.full(3, length)
        solid = sphere(length / 2)
        inside = inside[np.linalg.norm(inside, axis=1) < 0.5]
    if kind in ("rod", "plate"):
        inside = round_inside
    taken_for: dict[str, Kind] = {"bar": Line, "rod": Line, "board": Plane, "plate": Plane}
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = random_turn(rng), rng.uniform(-3, 3, 3)
    mesh = solid.mesh().moved(pose)
    return Body(Part("body", mesh=mesh), taken_for.get(kind), inside * size @ pose[:3, :3].T + pose[:3, 3])


def random_turn(rng: np.random.Generator) -> Floats:
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return np.asarray(turn * np.sign(np.linalg.det(turn)))


def principal_axes(matter: Floats) -> Floats:
    """(3, 3) float: unit rows, along which the matter is spread most, less, least."""
    _, axes = np.linalg.eigh(np.cov(matter.T))
    return np.asarray(axes[:, ::-1].T)


def degrees(one: Floats, other: Floats) -> float:
    return math.degrees(math.acos(min(1.0, abs(float(one @ other)))))


@pytest.mark.parametrize("number", range(300))
def test_lines_and_planes_are_those_of_pca(number: int) -> None:
    body = random_body(number)
    found = find_geometry(body.part, generator(12, number))
    assert (None if found is None else type(found)) is body.kind
    axes, middle = principal_axes(body.matter), body.matter.mean(0)
    size = float(np.ptp(body.matter, axis=0).max())
    if isinstance(found, Line):
        assert degrees(found.direction, axes[0]) < 1.5
        assert np.linalg.norm(np.cross(found.point - middle, found.direction)) < 0.03 * size
    elif isinstance(found, Plane):
        assert degrees(found.normal, axes[2]) < 1.5
        assert abs((found.point - middle) @ found.normal) < 0.03 * size


def test_the_same_generator_gives_the_same_line() -> None:
    body = random_body(0).part
    one, same, other = (find_geometry(body, generator(seed)) for seed in (1, 1, 2))
    assert isinstance(one, Line)
    assert isinstance(same, Line)
    assert isinstance(other, Line)
    assert one.direction.tobytes() == same.direction.tobytes()
    assert one.direction.tobytes() != other.direction.tobytes()


@pytest.mark.parametrize(
    "make",
    [
        lambda: tube([(0, 0, 0), (0.4, 0, 0), (0.4, 0.4, 0), (0.4, 0.4, 0.4)], 0.02),
        lambda: box((0.3, 0.3, 0.6)),
        lambda: board(rectangle(1, 1), 0.4),
    ],
    ids=["a rod bent twice", "a block", "a thick slab"],
)
def test_other_bodies_are_neither(make: Callable[[], Solid]) -> None:
    assert find_geometry(leaf("body", make()), generator(0)) is None


def test_several_leaves_are_one_body() -> None:
    """Slats side by side: each is a line, all together a plane."""
    slats = [leaf("slat", box((0.02, 0.01, 0.6), (0.06 * k, 0.0, 0.0))) for k in range(8)]
    assert all(isinstance(find_geometry(slat, generator(0)), Line) for slat in slats)
    whole = find_geometry(part("back", slats), generator(0))
    assert isinstance(whole, Plane)
    assert degrees(whole.normal, np.array([0.0, 1.0, 0.0])) < 1


def test_parts_of_one_name_are_all_of_a_kind_or_none() -> None:
    """Doors of which one has a rack behind it: alone it would be no plane, among the others it is one."""
    flat = leaf("door", box((0.6, 0.06, 1.0)))
    racked = part("door", leaf("panel", box((0.6, 0.06, 1.0))), leaf("rack", box((0.5, 0.23, 0.5), (0.0, 0.115, 0.0))))
    assert isinstance(find_geometry(flat, generator(0)), Plane)
    assert find_geometry(racked, generator(0)) is None
    doors = find_alike([flat, racked, flat], Plane, generator(0))
    assert [type(each) for each in doors] == [Plane] * 3
    assert all(degrees(each.axis, np.array([0.0, 1.0, 0.0])) < 3 for each in doors)
    assert find_alike([racked, racked], Plane, generator(0)) == []
    assert find_alike([flat, flat, flat, leaf("door", box((0.5, 0.5, 0.5)))], Plane, generator(0)) == []
    assert find_alike([flat, flat], Line, generator(0)) == []


def test_a_leg_of_a_chair_is_a_line_exactly_if_it_is_straight() -> None:
    legs = [
        leg
        for family in range(30)
        for leg in make_shape("chair", seed=5, family=family).leaves()
        if leg.label.endswith("regular_leg_base/leg")
    ]
    straight = [slenderness(leg) < 0.2 for leg in legs]
    assert 40 < sum(straight) < len(legs)
    assert [isinstance(find_geometry(leg, generator(leg.id)), Line) for leg in legs] == straight


def slenderness(leg: Part) -> float:
    """How far a leg's points stray from its longest axis, against how far they reach along it."""
    points = sample_mesh(leg.mesh, 500, generator(0)).points if leg.mesh is not None else np.zeros((1, 3))
    spread = np.linalg.svd(points - points.mean(0), compute_uv=False)
    return float(spread[1] / spread[0])


def test_settings_decide_how_thick_a_line_may_be() -> None:
    stout = leaf("leg", box((0.1, 0.1, 0.4)))
    assert find_geometry(stout, generator(0)) is None
    assert isinstance(find_geometry(stout, generator(0), settings=GeometrySettings(thickness=0.2)), Line)


def test_moving_a_part_moves_its_geometry() -> None:
    rng = generator(21)
    motion = np.eye(4)
    motion[:3, :3], motion[:3, 3] = random_turn(rng), rng.normal(size=3)
    for number in (0, 2):
        body = random_body(number).part
        assert body.mesh is not None
        here = find_geometry(body, generator(3))
        there = find_geometry(Part("body", mesh=body.mesh.moved(motion)), generator(3))
        assert here is not None
        assert there is not None
        moved = here.moved(motion)
        assert np.allclose(moved.point, there.point)
        assert relation(moved, there, tolerance_degrees=1e-5) == "parallel"


def tilted(angle: float) -> Floats:
    """A direction at an angle to z, degrees."""
    return np.array([math.sin(math.radians(angle)), 0.0, math.cos(math.radians(angle))])


@pytest.mark.parametrize("tolerance", [5.0, 11.5, 20.0])
@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize(("one", "other"), [(Line, Line), (Plane, Plane), (Line, Plane), (Plane, Line)])
def test_relations_end_at_the_tolerance(one: Kind, other: Kind, sense: float, tolerance: float) -> None:
    aligned, across = ("parallel", "perpendicular") if one is other else ("perpendicular", "parallel")
    expected = {
        0.0: aligned,
        tolerance - 0.1: aligned,
        tolerance + 0.1: None,
        45.0: None,
        90 - tolerance - 0.1: None,
        90 - tolerance + 0.1: across,
        90.0: across,
        90 + tolerance - 0.1: across,
        180 - tolerance - 0.1: None,
        180.0: aligned,
    }
    for angle, answer in expected.items():
        pair = one(ORIGIN, tilted(0)), other(ORIGIN, sense * tilted(angle))
        assert relation(*pair, tolerance_degrees=tolerance) == answer


directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 0.1)


@given(directions, directions, st.sampled_from([(Line, Line), (Plane, Plane), (Line, Plane)]), st.floats(0, 44))
def test_relations_are_those_of_trigonometry(
    u: tuple[float, ...], v: tuple[float, ...], kinds: tuple[Kind, Kind], tolerance: float
) -> None:
    cosine = sum(a * b for a, b in zip(u, v, strict=True)) / (math.hypot(*u) * math.hypot(*v))
    angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
    angle = min(angle, 180 - angle)
    if kinds[0] is not kinds[1]:
        angle = 90 - angle
    if min(abs(angle - tolerance), abs(90 - angle - tolerance)) < 1e-4:
        return  # too close to call
    expected = "parallel" if angle < tolerance else "perpendicular" if 90 - angle < tolerance else None
    one, other = kinds[0](ORIGIN, np.array(u)), kinds[1](ORIGIN, np.array(v))
    assert relation(one, other, tolerance_degrees=tolerance) == expected
    assert relation(other, one, tolerance_degrees=tolerance) == expected


def test_a_leg_stands_on_the_ground_and_along_the_walls() -> None:
    ground, wall = Plane(ORIGIN, tilted(0)), Plane(ORIGIN, tilted(90))
    leg = find_geometry(leaf("leg", bar((0.2, 0.1, 0.0), (0.2, 0.1, 0.4), 0.04)), generator(0))
    assert leg is not None
    assert relation(leg, ground) == "perpendicular"
    assert relation(leg, wall) == "parallel"
    assert relation(ground, wall) == "perpendicular"


@pytest.mark.parametrize("tolerance", [-1.0, 45.0, math.nan])
def test_a_tolerance_under_which_all_is_parallel_is_refused(tolerance: float) -> None:
    line = Line(ORIGIN, tilted(0))
    assert "tolerance" in (complaint(lambda: relation(line, line, tolerance_degrees=tolerance)) or "")
