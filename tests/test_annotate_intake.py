"""Shapes come in as pieces, are kept by their content, and what is not sound is refused in a sentence."""

from __future__ import annotations

import hashlib
import json
import stat
import struct
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kit import complaint
from mereo.annotation.geometry.archive import unpack
from mereo.annotation.geometry.blobs import blob_name, blob_of, keep_mesh, mesh_of, read_mesh
from mereo.annotation.geometry.cutting import cut_kept
from mereo.annotation.geometry.frame import Frame
from mereo.annotation.geometry.intake import MOST_TRIANGLES, Intake, grammar_intake, read_shape, shapes_in
from mereo.annotation.home import FolderHome
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Floats, Mesh, joined
from mereo.shapes.obj import read_obj
from mereo.shapes.partnet import write_partnet
from mereo.shapes.solids import box, cylinder
from own_meshes import write_chair, write_groups

CHAIR = make_shape("chair", seed=3)


def loose(mesh: Mesh) -> Mesh:
    """Every triangle with corners of its own, as files with flat shading have them."""
    return Mesh.of(mesh.triangles.reshape(-1, 3), np.arange(3 * len(mesh.faces)).reshape(-1, 3))


def as_glb(path: Path, **parts: Mesh) -> Path:
    scene: Any = trimesh.Scene()
    for name, mesh in parts.items():
        scene.add_geometry(trimesh.Trimesh(mesh.vertices, mesh.faces, process=False), node_name=name, geom_name=name)
    path.write_bytes(scene.export(file_type="glb"))
    return path


def as_ply(path: Path, mesh: Mesh) -> Path:
    made: Any = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    path.write_bytes(made.export(file_type="ply"))
    return path


def glb_of(path: Path, content: dict[str, Any]) -> Path:
    """A GLB file that says of itself what it likes."""
    text = json.dumps({"asset": {"version": "2.0"}, **content}).encode()
    text += b" " * (-len(text) % 4)
    chunk = struct.pack("<I", len(text)) + b"JSON" + text
    path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunk)) + chunk)
    return path


def total(intake: Intake) -> Mesh:
    return joined([piece.mesh for piece in intake.pieces])[0]


def test_the_groups_of_a_file_are_its_pieces(tmp_path: Path) -> None:
    found = read_shape(write_chair(tmp_path / "chair.obj"), up="+z", front="-y")
    assert [piece.name for piece in found.pieces] == ["seat", "back", "leg_0", "leg_1", "leg_2", "leg_3"]
    assert not any(piece.open for piece in found.pieces)
    low, high = total(found).bounds()
    assert (low[2], high[2]) == (0, 97), "at its own size"


@pytest.mark.parametrize("kind", ["obj", "ply", "glb"])
def test_one_group_is_taken_apart_into_what_hangs_together(tmp_path: Path, kind: str) -> None:
    one = box((1, 2, 3)).mesh()
    both = loose(joined([one, Mesh.of(one.vertices + (5, 0, 0), one.faces)])[0])
    path = tmp_path / f"two.{kind}"
    if kind == "obj":
        write_groups(path, {"two": both})
    else:
        (as_ply if kind == "ply" else lambda where, mesh: as_glb(where, two=mesh))(path, both)
    found = read_shape(path)
    assert [len(piece.mesh.faces) for piece in found.pieces] == [12, 12]
    assert [len(piece.mesh.vertices) for piece in found.pieces] == [8, 8]
    assert not any(piece.open for piece in found.pieces)


def test_a_mesh_with_a_hole_comes_in_and_says_that_it_is_open(tmp_path: Path) -> None:
    mesh = box((1, 1, 1)).mesh()
    parts = {"whole": mesh, "holed": Mesh.of(mesh.vertices + (2, 0, 0), mesh.faces[1:])}
    found = read_shape(write_groups(tmp_path / "two.obj", parts))
    assert {piece.name: piece.open for piece in found.pieces} == {"whole": False, "holed": True}


def test_points_that_no_triangle_has_count_for_nothing(tmp_path: Path) -> None:
    mesh = box((1, 1, 1)).mesh()
    path = as_ply(tmp_path / "a.ply", Mesh.of(np.append(mesh.vertices, [(9, 9, 9)], axis=0), mesh.faces))
    (piece,) = read_shape(path).pieces
    assert len(piece.mesh.vertices) == 8
    assert piece.mesh.bounds().tolist() == [[-0.5, -0.5, 0], [0.5, 0.5, 1]]


def test_a_partnet_folder_comes_in_with_its_meshes_and_goes_back_to_their_coordinates(tmp_path: Path) -> None:
    write_partnet(CHAIR, tmp_path / "chair")
    found = read_shape(tmp_path / "chair")
    assert len(found.pieces) == len(CHAIR.leaves())
    name = found.pieces[0].name
    written = read_obj(tmp_path / "chair" / "objs" / f"{name}.obj").vertices
    there = found.frame.to_file(found.pieces[0].mesh.vertices)
    assert len(there) == len(written)
    assert np.abs(in_order(written) - in_order(there)).max() < 1e-6


def in_order(points: Floats) -> Floats:
    found: Floats = points[np.lexsort(np.round(points, 5).T)]
    return found


def test_shapes_of_our_own_come_in_without_their_labels() -> None:
    found = grammar_intake(CHAIR)
    assert [len(piece.mesh.faces) for piece in found.pieces] == [
        len(leaf.mesh.faces) for leaf in CHAIR.leaves() if leaf.mesh is not None
    ]
    assert all(piece.name.startswith("piece ") for piece in found.pieces)


@given(hnp.arrays(np.float64, (4, 3), elements=st.floats(-1e3, 1e3)), st.sampled_from(["+x", "-y", "+z"]))
@settings(max_examples=30)
def test_a_frame_leads_back(points: Any, up: str) -> None:
    frame = Frame(up, "-z" if up != "+z" else "+y", (1.5, -20.25, 3.0))
    assert Frame.read(frame.text()) == frame
    assert np.allclose(frame.to_file(frame.to_ours(points)), points, atol=1e-9)


def test_all_shapes_of_a_folder_are_found(tmp_path: Path) -> None:
    write_chair(tmp_path / "a" / "one.obj")
    as_ply(tmp_path / "two.ply", box((1, 1, 1)).mesh())
    write_partnet(CHAIR, tmp_path / "b" / "three")
    (tmp_path / "read.me").write_text("hello")
    found = [path.relative_to(tmp_path).as_posix() for path in shapes_in(tmp_path)]
    assert found == ["a/one.obj", "b/three", "two.ply"]
    (tmp_path / "a" / "link.obj").symlink_to("/etc/passwd")
    assert "is a link" in (complaint(lambda: shapes_in(tmp_path)) or "")


BAD = {
    "empty.obj": (b"", "is empty"),
    "points.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "has no triangles"),
    "nan.obj": (b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
    "beyond.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "names vertex 9 of 3"),
    "words.obj": (b"v a b c\nf 1 2 3\n", "is not OBJ"),
    "line.obj": (b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "has no area"),
    "large.obj": (b"v 0 0 0\nv 1e300 0 0\nv 0 1 0\nf 1 2 3\n", "too large"),
    "many.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\n" + b"f 1 2 3\n" * (MOST_TRIANGLES + 1), "2,000,001 triangles"),
    "cut.glb": (b"glTF" + b"\0" * 8 + b"\xff\0\0\0JSON{}", "is cut short"),
    "no.glb": (b"\0" * 40, "is not GLB"),
    "a.dae": (b"<x/>", "no mesh format"),
    "many.ply": (b"ply\nformat ascii 1.0\nelement vertex 0\nelement face 3000000\nend_header\n", "3,000,000 triangles"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_sound_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    content, said = BAD[name]
    (tmp_path / name).write_bytes(content)
    found = complaint(lambda: read_shape(tmp_path / name)) or ""
    assert said in found
    assert found.startswith(str(tmp_path / name))


@pytest.mark.parametrize("corner", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused_in_binary_files_too(tmp_path: Path, corner: float) -> None:
    path = as_ply(tmp_path / "a.ply", Mesh.of([(0, 0, corner), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
    found = complaint(lambda: read_shape(path)) or ""
    assert "not finite" in found or "cannot be read" in found


def test_corners_that_are_not_there_are_refused_in_binary_files_too(tmp_path: Path) -> None:
    path = as_ply(tmp_path / "a.ply", Mesh.of([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 7)]))
    assert "cannot be read" in (complaint(lambda: read_shape(path)) or "")


TRIANGLE = {"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors": [{"count": 3}]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"buffers": [{"byteLength": 4, "uri": "../../secret"}]}, "names another file, '../../secret'"),
        ({"images": [{"uri": "/etc/passwd"}]}, "names another file, '/etc/passwd'"),
        ({**TRIANGLE, "nodes": [{"mesh": 0}], "accessors": [{"count": 10**10}]}, "3,333,333,333 triangles"),
        ({**TRIANGLE, "nodes": [{"mesh": 0}], "accessors": [{"count": 3}, {"count": 10**10}]}, "more numbers"),
        ({**TRIANGLE, "nodes": [{"mesh": 0}] * 90_000, "accessors": [{"count": 300}]}, "9,000,000 triangles"),
        ({**TRIANGLE, "nodes": [{"children": [1]}, {"children": [0]}]}, "not a tree"),
        ({**TRIANGLE, "nodes": [{"children": [1, 1]}, {"mesh": 0}]}, "not a tree"),
        ({**TRIANGLE, "nodes": [{"mesh": 4}]}, "which is not there"),
        ({**TRIANGLE, "nodes": [{}] * 100_001}, "100,001 nodes"),
    ],
)
def test_a_glb_is_looked_at_before_it_is_loaded(tmp_path: Path, content: dict[str, Any], said: str) -> None:
    path = glb_of(tmp_path / "a.glb", content)
    assert said in (complaint(lambda: read_shape(path)) or "")


def test_links_and_paths_outside_are_refused(tmp_path: Path) -> None:
    outside = write_chair(tmp_path / "outside.obj")
    project = tmp_path / "project"
    project.mkdir()
    (project / "link.obj").symlink_to(outside)
    assert "is a link" in (complaint(lambda: read_shape(project / "link.obj")) or "")
    assert "leads out" in (complaint(lambda: read_shape(project / ".." / "outside.obj", within=project)) or "")
    assert "leads out" in (complaint(lambda: read_shape(project / "link.obj", within=project)) or "")
    write_partnet(CHAIR, project / "chair")
    mesh = next((project / "chair" / "objs").glob("*.obj"))
    mesh.unlink()
    mesh.symlink_to(outside)
    assert "is a link" in (complaint(lambda: read_shape(project / "chair", within=project)) or "")


def test_a_folder_whose_tree_names_meshes_elsewhere_is_refused(tmp_path: Path) -> None:
    write_partnet(CHAIR, tmp_path / "chair")
    tree = tmp_path / "chair" / "result.json"
    tree.write_text(tree.read_text().replace('"new-0"', '"../../new-0"'))
    assert "cannot become the name of a file" in (complaint(lambda: read_shape(tmp_path / "chair")) or "")


def test_a_zip_of_shapes_is_unpacked_with_plain_names(tmp_path: Path) -> None:
    write_chair(tmp_path / "chair.obj")
    with ZipFile(tmp_path / "all.zip", "w", ZIP_DEFLATED) as file:
        file.write(tmp_path / "chair.obj", "my chairs/first one.obj")
        file.writestr("__MACOSX/._first one.obj", "x")
        file.writestr("my chairs/readme.pdf", "x")
    unpack(tmp_path / "all.zip", tmp_path / "out")
    assert [path.relative_to(tmp_path / "out").as_posix() for path in shapes_in(tmp_path / "out")] == [
        "my_chairs/first_one.obj"
    ]
    assert len(read_shape(tmp_path / "out" / "my_chairs" / "first_one.obj").pieces) == 6


def entry(name: str, *, link: bool = False) -> ZipInfo:
    found = ZipInfo(name)
    found.compress_type = ZIP_DEFLATED
    if link:
        found.external_attr = (stat.S_IFLNK | 0o777) << 16
    return found


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([(entry("a.obj"), b"\0" * (40 << 20))], "times its size"),
        ([(entry("../a.obj"), b"x")], "leads out of the archive"),
        ([(entry("/etc/a.obj"), b"x")], "leads out of the archive"),
        ([(entry("C:/a.obj"), b"x")], "leads out of the archive"),
        ([(entry("a\\..\\a.obj"), b"x")], "leads out of the archive"),
        ([(entry("a.obj", link=True), b"/etc/passwd")], "is a link"),
        ([(entry("a b.obj"), b"x"), (entry("a_b.obj"), b"x")], "the same name"),
        ([(entry("a.pdf"), b"x")], "holds no shape"),
        ([(entry(f"{number}.obj"), b"") for number in range(20_001)], "20,001 files"),
    ],
)
def test_an_archive_is_looked_at_before_it_is_unpacked(
    tmp_path: Path, entries: list[tuple[ZipInfo, bytes]], said: str
) -> None:
    with ZipFile(tmp_path / "a.zip", "w") as file:
        for info, content in entries:
            file.writestr(info, content)
    assert said in (complaint(lambda: unpack(tmp_path / "a.zip", tmp_path / "out")) or "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_an_archive_that_understates_what_it_grows_to_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a.zip", "w", ZIP_DEFLATED) as file:
        file.writestr("a.obj", b"v 0 0 0\n" * 100_000)
    data = (tmp_path / "a.zip").read_bytes().replace(struct.pack("<I", 800_000), struct.pack("<I", 1_000))
    (tmp_path / "a.zip").write_bytes(data)
    assert "not a whole zip archive" in (complaint(lambda: unpack(tmp_path / "a.zip", tmp_path / "out")) or "")
    (tmp_path / "b.zip").write_bytes(b"PK no zip")
    assert "not a whole zip archive" in (complaint(lambda: unpack(tmp_path / "b.zip", tmp_path / "out")) or "")


@settings(max_examples=30)
@given(
    hnp.arrays(np.float32, st.tuples(st.integers(3, 20), st.just(3)), elements=st.floats(-9, 9, width=32)), st.data()
)
def test_a_piece_comes_back_from_its_bytes(points: Any, data: st.DataObject) -> None:
    corners = hnp.arrays(np.int32, st.tuples(st.integers(1, 9), st.just(3)), elements=st.integers(0, len(points) - 1))
    mesh = Mesh.of(points, data.draw(corners))
    blob = blob_of(mesh)
    n, m = struct.unpack_from("<II", blob)
    assert (n, m, len(blob)) == (len(points), len(mesh.faces), 8 + 12 * n + 12 * m)
    again = mesh_of(blob)
    assert (again.vertices == mesh.vertices).all()
    assert (again.faces == mesh.faces).all()


def test_a_piece_is_written_once_under_its_digits_and_checked_when_it_is_read(tmp_path: Path) -> None:
    mesh = cylinder(0.5, 2.0).mesh()
    home = FolderHome(tmp_path)
    kept = keep_mesh(mesh, home)
    (path,) = (tmp_path / "meshes").iterdir()
    assert path.name == f"{hashlib.sha256(path.read_bytes()).hexdigest()}.bin" == f"{kept.digits}.bin"
    before = path.stat().st_mtime_ns
    assert keep_mesh(mesh, home) == kept
    assert path.stat().st_mtime_ns == before
    assert kept.closed
    assert kept.high == pytest.approx((0.5, 0.5, 2.0))
    assert kept.area == pytest.approx(float(mesh.face_areas().sum()), rel=1e-5)
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    assert "is damaged" in (complaint(lambda: read_mesh(home, kept.digits)) or "")
    assert "there is no such file" in (complaint(lambda: read_mesh(home, "0" * 64)) or "")


@pytest.mark.parametrize("digits", ["", "../../secret", "0" * 63, "A" * 64, "0" * 64 + "\n"])
def test_a_name_that_is_no_digits_reaches_no_file(digits: str) -> None:
    assert "is not the name of a mesh" in (complaint(lambda: blob_name(digits)) or "")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        struct.pack("<II", 1, 1),
        struct.pack("<II", 0xFFFFFFFF, 0xFFFFFFFF),
        struct.pack("<II3f3I", 1, 1, 0, 0, 0, 0, 0, 1),
        struct.pack("<II3f3I", 1, 1, 0, 0, float("nan"), 0, 0, 0),
    ],
)
def test_bytes_that_are_no_piece_are_refused(data: bytes) -> None:
    assert complaint(lambda: mesh_of(data)) is not None


def test_a_kept_piece_is_cut_into_two_that_are_kept(tmp_path: Path) -> None:
    home = FolderHome(tmp_path)
    whole = keep_mesh(box((2, 1, 1)).mesh(), home)
    sides = cut_kept(home, whole.digits, [(0, -0.5, -0.4), (0, -0.5, 0.4)], (0, 1, 0))
    assert all(side.closed for side in sides)
    assert sum(read_mesh(home, side.digits).volume() for side in sides) == pytest.approx(2.0)
