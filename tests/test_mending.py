"""What comes in broken is mended where that is no guess, taken as it is where it would be, and both is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import complaint
from mereo.chance import generator
from mereo.shapes.draw import draw_shape
from mereo.shapes.findings import findings_of, listed, sentences
from mereo.shapes.importer import PartMap, import_shape
from mereo.shapes.mesh import Mesh
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet import read_partnet, write_partnet
from mereo.shapes.physical import collision_pieces, mass_of
from mereo.shapes.pieces import are_equal, fallen_apart, hull_corners
from mereo.shapes.points import cloud
from mereo.shapes.repair import Mended, mended
from mereo.shapes.surface import connected
from own_meshes import write_groups
from test_importer import LEG, SEAT

LEGS = [(x, y) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]


def ours(mesh: trimesh.Trimesh) -> Mesh:
    return Mesh.of(mesh.vertices, mesh.faces)


def put(mesh: trimesh.Trimesh, *where: float) -> trimesh.Trimesh:
    mesh.apply_translation(where)
    return mesh


def together(meshes: list[trimesh.Trimesh]) -> trimesh.Trimesh:
    whole: Any = trimesh.util.concatenate(meshes)
    return trimesh.Trimesh(whole.vertices, whole.faces, process=False)


def found(outcome: Mended) -> dict[str, int]:
    return {finding.what: finding.count for finding in outcome.findings}


def moebius() -> Mesh:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = [
        (np.cos(t) * (1 + s * np.cos(t / 2)), np.sin(t) * (1 + s * np.cos(t / 2)), s * np.sin(t / 2))
        for t in turns
        for s in (-0.3, 0.3)
    ]
    faces = []
    for k in range(24):
        a, b = 2 * k, 2 * k + 1
        c, d = (a + 2, b + 2) if k < 23 else (1, 0)
        faces += [(a, c, b), (b, c, d)]
    return Mesh.of(rim, faces)


def open_box() -> Mesh:
    mesh = trimesh.creation.box()
    return Mesh.of(mesh.vertices, mesh.faces[mesh.face_normals[:, 2] < 0.5])


def fin() -> Mesh:
    mesh = trimesh.creation.box()
    vertices = np.vstack([mesh.vertices, [[2, 2, 2]]])
    return Mesh.of(vertices, np.vstack([mesh.faces, [[*mesh.faces[0][:2], 8]]]))


SHEET = Mesh.of([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])


@pytest.mark.parametrize(
    ("mesh", "findings", "faces"),
    [
        (ours(trimesh.creation.box()), {}, 12),
        (open_box(), {"open": 1}, 10),
        (SHEET, {"open": 1}, 2),
        (
            Mesh.of(SHEET.vertices, [*SHEET.faces.tolist(), [2, 1, 0], [0, 0, 1]]),
            {"vanished": 1, "repeated": 1, "open": 1},
            2,
        ),
        (fin(), {"crowded": 1, "open": 1}, 13),
        (moebius(), {"one-sided": 1, "open": 1}, 48),
    ],
    ids=["a box", "an open box", "a sheet", "a sheet with debris", "a box with a fin", "a strip"],
)
def test_what_would_be_a_guess_is_taken_as_it_is_and_told(mesh: Mesh, findings: dict[str, int], faces: int) -> None:
    outcome = mended(mesh)
    assert found(outcome) == findings
    assert len(outcome.mesh.faces) == faces
    assert outcome.mesh.is_watertight() == ("open" not in findings)


def test_small_holes_are_filled_body_by_body() -> None:
    ball = trimesh.creation.icosphere(subdivisions=1)
    pierced = [put(trimesh.Trimesh(ball.vertices, ball.faces[1:]), 3.0 * k, 0, 0) for k in range(2)]
    open_one = open_box()
    every = together([*pierced, trimesh.Trimesh(open_one.vertices - 5, open_one.faces)])
    outcome = mended(ours(every))
    assert found(outcome) == {"filled": 2, "open": 1}
    assert outcome.holes == 3


@pytest.mark.parametrize("missing", [(0, 1), (0, 2), (0, 2, 4), (1, 3)])
def test_holes_that_touch_in_a_corner_are_filled_too(missing: tuple[int, ...]) -> None:
    ball = trimesh.creation.icosphere(subdivisions=2)
    around = np.flatnonzero((ball.faces == 20).any(1))
    ring = around[np.argsort([np.arctan2(*ball.triangles_center[face][:2]) for face in around])]
    outcome = mended(Mesh.of(ball.vertices, np.delete(ball.faces, ring[list(missing)], axis=0)))
    assert outcome.mesh.is_watertight()
    assert found(outcome) == {"filled": outcome.holes}


def test_boxes_that_share_an_edge_are_two_closed_bodies() -> None:
    both = together([trimesh.creation.box(), put(trimesh.creation.box(), 1, 1, 0)])
    outcome = mended(ours(both))
    assert found(outcome) == {"crowded": 1}
    assert outcome.mesh.is_watertight()
    assert np.isclose(outcome.mesh.volume(), 2)


def test_an_open_body_looks_outwards_where_it_bulges_and_as_most_of_it_did_where_it_is_flat() -> None:
    inside_out = Mesh.of(open_box().vertices, open_box().faces[:, ::-1])
    assert found(mended(inside_out)) == {"turned": 10, "open": 1}
    grid = trimesh.creation.box((4, 4, 1e-9)).subdivide().subdivide()
    top = grid.faces[grid.face_normals[:, 2] > 0.5]
    top[:5] = top[:5, ::-1]
    outcome = mended(Mesh.of(grid.vertices, top))
    assert found(outcome)["turned"] == 5
    assert (outcome.mesh.face_normals()[:, 2] > 0.5).all()


@settings(max_examples=60)
@given(count=st.integers(1, 40), data=st.data())
def test_connections_are_those_of_a_plain_search(count: int, data: st.DataObject) -> None:
    number = st.integers(0, count - 1)
    links = data.draw(st.lists(st.tuples(number, number), max_size=60))
    expected = list(range(count))
    for _ in range(count):
        for one, other in links:
            expected[one] = expected[other] = min(expected[one], expected[other])
    pairs = np.array(links, np.int64).reshape(-1, 2)
    assert connected(count, pairs[:, 0], pairs[:, 1]).tolist() == expected


def open_chair(tmp_path: Path) -> Shape:
    """A chair with a seat that is a sheet and a bucket for a base, as other programs draw them."""
    seat = trimesh.Trimesh(SHEET.vertices * 0.4 + (-0.2, -0.2, 0.45), SHEET.faces)
    base = trimesh.Trimesh(open_box().vertices * (0.3, 0.3, 0.45) + (0, 0, 0.225), open_box().faces)
    path = write_groups(tmp_path / "chair.obj", {"seat": seat, "base": base})
    return import_shape(path, PartMap("chair", {"seat": SEAT, "base": LEG}))


def test_open_leaves_can_be_weighed_touched_sampled_drawn_and_kept(tmp_path: Path) -> None:
    shape = open_chair(tmp_path)
    assert [(finding.what, finding.part) for finding in findings_of(shape)] == [("open", 3), ("open", 6)]
    assert sentences(shape) == [
        "2 pieces not closed and left so: weight and contact are those of the hull (seat_single_surface 3 and leg 6)"
    ]
    weight = mass_of(shape)
    assert 0 < weight.center[2] < 0.45
    assert np.all(np.linalg.eigvalsh(weight.inertia) > 0)
    assert weight.mass == pytest.approx(650 * (0.4 * 0.4 * 0.001 + 0.03 * (4 * 0.3 * 0.45 + 0.3 * 0.3)))
    assert [len(piece.corners) for piece in collision_pieces(shape)] == [8, 8]
    assert len(cloud(shape, 50, rng=generator(0)).points) == 50
    assert draw_shape(shape, size=32).std() > 1
    write_partnet(shape, tmp_path / "kept")
    again = read_partnet(tmp_path / "kept")
    assert sentences(again) == sentences(shape)
    assert mass_of(again).mass == pytest.approx(weight.mass)


@pytest.mark.parametrize("corners", [4, 2, 1], ids=["a sheet", "a line", "a point"])
def test_what_is_flat_has_a_hull_a_millimeter_thick(corners: int) -> None:
    """Also where it lies askew, so that rounding alone gives it a volume."""
    askew = np.linalg.qr([[1.0, 2.0, 3.0], [-2.0, 1.0, 0.5], [0.3, 0.1, 1.0]])[0]
    for turn in (np.eye(3), askew):
        points = hull_corners(SHEET.vertices[:corners] @ turn.T)
        size = np.ptp(points @ turn, axis=0)
        assert len(points) == 8
        assert np.isclose(size.min(), 1e-3, rtol=0.5)
        assert np.isclose(np.sort(size)[-2], 1 if corners == 4 else 1e-3, rtol=0.8)


def test_a_closed_mesh_whose_faces_share_no_corner_is_weighed_as_what_it_encloses() -> None:
    ring = trimesh.creation.annulus(0.4, 0.5, 0.1)
    mesh = Mesh.of(ring.triangles.reshape(-1, 3), np.arange(3 * len(ring.faces)))
    leaf = Part("ring", mesh=mesh, pieces=(hull_corners(mesh.vertices),), label="ring")
    assert mass_of(Shape("ring", leaf), {-1: "rubber"}).mass == pytest.approx(1150 * ring.volume)


def test_groups_of_one_instance_are_one_leaf_and_closed_together(tmp_path: Path) -> None:
    box = trimesh.creation.box((0.4, 0.4, 0.1))
    sides = {f"side {k}": trimesh.Trimesh(box.vertices, box.faces[2 * k : 2 * k + 2]) for k in range(6)}
    path = write_groups(tmp_path / "seat.obj", sides)
    alone = import_shape(path, PartMap("chair", {"side*": SEAT}))
    assert [len(alone.leaves()), len(findings_of(alone))] == [6, 6]
    shape = import_shape(path, PartMap("chair", {"side [0-2]": f"{SEAT}#whole", "side*": f"{SEAT}#whole"}))
    (leaf,) = shape.leaves()
    assert leaf.label == SEAT
    assert leaf.mesh is not None
    assert leaf.mesh.is_watertight()
    assert leaf.mesh.volume() == pytest.approx(0.4 * 0.4 * 0.1)
    assert findings_of(shape) == []


def four_legs() -> dict[str, trimesh.Trimesh]:
    """Four legs in one group and their shoes in another, each shoe touching its leg."""
    legs = [put(trimesh.creation.cylinder(0.02, 0.4, sections=8), x, y, 0.2) for x, y in LEGS]
    shoes = [put(trimesh.creation.cylinder(0.03, 0.02, sections=8), x, y, -0.01) for x, y in LEGS]
    return {"legs": together(legs), "shoes": together(shoes)}


def test_a_group_of_equal_pieces_is_split_where_the_map_says_so(tmp_path: Path) -> None:
    path = write_groups(tmp_path / "legs.obj", four_legs())
    assert len(import_shape(path, PartMap("chair", {"*": LEG})).leaves()) == 2
    shape = import_shape(path, PartMap("chair", {"*": f"{LEG}#*"}))
    assert [leaf.label for leaf in shape.leaves()] == [LEG] * 4
    centers = [leaf.mesh.bounds().mean(0)[:2].round(3).tolist() for leaf in shape.leaves() if leaf.mesh]
    assert sorted(map(tuple, centers)) == sorted(LEGS)
    assert all(np.isclose(np.ptp(leaf.mesh.vertices[:, 2]), 0.42) for leaf in shape.leaves() if leaf.mesh)


def test_splitting_needs_pieces_and_not_too_many(tmp_path: Path) -> None:
    one = write_groups(tmp_path / "one.obj", {"a": trimesh.creation.box()})
    split = PartMap("chair", {"*": f"{LEG}#*"})
    assert complaint(lambda: import_shape(one, split)) == (
        f"{one}, part 'a': is one piece, so it cannot be split: take the #* away"
    )
    row = together([put(trimesh.creation.box(), 2.0 * k, 0, 0) for k in range(65)])
    many = write_groups(tmp_path / "many.obj", {"a": row})
    assert "falls apart into 65 pieces, more than the 64" in str(complaint(lambda: import_shape(many, split)))


def test_pieces_are_equal_also_when_they_are_turned_or_mirrored() -> None:
    legs = [put(trimesh.creation.box((0.1, 0.3, 1)), 2, 0, 0), put(trimesh.creation.box((0.3, 0.1, 1)), 0, 2, 0)]
    pieces = fallen_apart(ours(together(legs)))
    assert len(pieces) == 2
    assert are_equal(pieces)
    assert not are_equal([*pieces, ours(trimesh.creation.box((0.1, 0.3, 2)))])
    assert not are_equal(pieces[:1])


def test_faces_of_two_corners_are_left_out_and_counted(tmp_path: Path) -> None:
    path = write_groups(tmp_path / "a.obj", {"seat": trimesh.creation.box()})
    path.write_text(path.read_text() + "\nf 1 2\nf 3\nf 1 1 2\ng wires\nf 1 2\n")
    shape = import_shape(path, PartMap("chair", {"*": SEAT}))
    assert sentences(shape) == [
        "3 faces without area left out (seat_single_surface 3)",
        "1 group without any area left out ('wires')",
    ]


def test_all_groups_that_nobody_speaks_of_are_named_at_once(tmp_path: Path) -> None:
    path = write_groups(tmp_path / "a.obj", {name: trimesh.creation.box() for name in ("a", "b", "c", "seat")})
    said = complaint(lambda: import_shape(path, PartMap("chair", {"seat": SEAT})))
    assert said == f"{path}, field 'parts': 'a', 'b' and 'c' are neither mapped to a part nor ignored"
    assert listed(map(str, range(5)), most=3) == "0, 1, 2 and 2 others"


@pytest.mark.parametrize(("units", "said"), [("cm", None), ("m", "is 40 m long, and a chair is 0.25 to 2.5 m")])
def test_a_size_that_no_such_thing_has_is_a_warning_with_the_likely_unit(
    tmp_path: Path, units: str, said: str | None
) -> None:
    path = write_groups(tmp_path / "a.obj", {"seat": trimesh.creation.box((40, 40, 4))})
    shape = import_shape(path, PartMap("chair", {"*": SEAT}, units=units))
    assert sentences(shape) == ([f'{said}; with units = "cm" it would be 0.4 m'] if said else [])
    assert json.dumps(dict(shape.facts))
