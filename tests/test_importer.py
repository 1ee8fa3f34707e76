"""Anybody's mesh becomes a shape of ours, repaired where that is safe, or is refused in one sentence."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kit import CommandLine, complaint
from mereo.chance import generator
from mereo.shapes.importer import PartMap, import_shape, read_part_map
from mereo.shapes.mesh import Mesh
from mereo.shapes.part import Shape
from mereo.shapes.partnet import read_partnet
from mereo.shapes.repair import mended
from mereo.shapes.template import misfits, template_of
from own_meshes import write_groups

SEAT = "chair/chair_seat/seat_surface/seat_single_surface"
LEG = "chair/chair_base/regular_leg_base/leg"
CHAIR = PartMap("chair", {"seat": SEAT, "leg*": LEG}, units="cm", up="+y", front="+z")


def stool() -> dict[str, trimesh.Trimesh]:
    """A seat on four legs, centimeters, y up, standing somewhere."""
    seat = trimesh.creation.box((40, 4, 50))
    seat.apply_translation((100, 47, 7))
    parts = {"seat": seat}
    for number, (x, z) in enumerate(((-15, -20), (15, -20), (15, 20), (-15, 20))):
        leg = trimesh.creation.cylinder(2, 45, sections=12)
        leg.vertices = leg.vertices[:, [0, 2, 1]] * [1, 1, -1]
        leg.apply_translation((100 + x, 22.5, 7 + z))
        parts[f"leg_{number}"] = leg
    return parts


def write_glb(parts: dict[str, trimesh.Trimesh], path: Path) -> Path:
    scene: Any = trimesh.Scene()
    for name, mesh in parts.items():
        scene.add_geometry(mesh, node_name=name, geom_name=f"mesh of {name}")
    path.write_bytes(scene.export(file_type="glb"))
    return path


def is_sound(shape: Shape) -> None:
    """The conventions of shapes: closed leaves facing outwards, on the ground, over the origin, with convex pieces."""
    low, high = shape.bounds()
    assert np.allclose([low[2], low[0] + high[0], low[1] + high[1]], 0, atol=1e-9)
    for leaf in shape.leaves():
        assert leaf.mesh is not None
        assert leaf.mesh.is_watertight()
        assert leaf.mesh.volume() > 0
        outside = trimesh.Trimesh(leaf.mesh.vertices, leaf.mesh.faces, process=False)
        assert outside.is_winding_consistent
        assert [piece.shape[1] for piece in leaf.pieces] == [3]
        corners = leaf.pieces[0]
        assert np.allclose([corners.min(0), corners.max(0)], leaf.mesh.bounds())


@pytest.mark.parametrize(
    "write",
    [
        lambda parts, path: write_groups(path, parts),
        lambda parts, path: write_groups(path, parts, "o"),
        write_glb,
    ],
)
def test_groups_objects_and_nodes_become_parts(
    tmp_path: Path, write: Callable[[dict[str, trimesh.Trimesh], Path], Path]
) -> None:
    shape = import_shape(write(stool(), tmp_path / ("stool.glb" if write is write_glb else "stool.obj")), CHAIR)
    is_sound(shape)
    assert misfits(shape, template_of("chair")) == []
    assert [part.label for part in shape.parts() if part.mesh] == (
        [LEG] * 4 + [SEAT] if write is write_glb else [SEAT] + [LEG] * 4
    )
    low, high = shape.bounds()
    assert np.allclose(high - low, (0.4, 0.5, 0.49))
    assert shape.name == "stool"


@pytest.mark.parametrize("suffix", ["stl", "ply", "obj", "glb"])
def test_a_file_without_groups_is_one_part(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"ball.{suffix}"
    trimesh.creation.icosphere(subdivisions=2, radius=0.5).export(path)
    shape = import_shape(path, PartMap("sphere", {"*": "sphere"}))
    is_sound(shape)
    assert [part.label for part in shape.parts()] == ["sphere"]
    assert np.isclose(shape.mesh().volume(), 4 / 3 * np.pi / 8, rtol=0.1)


def test_nodes_that_mirror_their_mesh_still_face_outwards(tmp_path: Path) -> None:
    scene: Any = trimesh.Scene()
    leg = trimesh.creation.cone(0.1, 0.4)
    for name, side in (("leg_left", -1.0), ("leg_right", 1.0)):
        mirror = np.diag([side, 1.0, 1.0, 1.0])
        mirror[0, 3] = 0.5 * side
        scene.add_geometry(leg, node_name=name, transform=mirror)
    path = tmp_path / "pair.glb"
    path.write_bytes(scene.export(file_type="glb"))
    shape = import_shape(path, PartMap("chair", {"leg*": LEG}))
    is_sound(shape)
    assert np.isclose(shape.bounds()[1][0] - shape.bounds()[0][0], 1.2, atol=0.01)


def test_instances_of_an_inner_part_are_told_apart_by_a_mark(tmp_path: Path) -> None:
    parts = {side: trimesh.creation.box((0.1, 0.5, 0.2)) for side in ("left", "right")}
    parts["left"].apply_translation((1, 0, 0))
    labels = {side: f"chair/chair_arm#{side}/arm_sofa_style" for side in parts}
    shape = import_shape(write_groups(tmp_path / "arms.obj", parts), PartMap("chair", {**labels}))
    assert [part.label for part in shape.parts()] == ["chair"] + [
        "chair/chair_arm",
        "chair/chair_arm/arm_sofa_style",
    ] * 2


@settings(max_examples=40)
@given(
    axes=st.permutations([0, 1, 2]),
    signs=st.tuples(*[st.sampled_from([-1.0, 1.0])] * 3),
    meters=st.floats(1e-3, 1e3),
)
def test_axes_and_units_of_a_file_are_undone(
    tmp_path_factory: pytest.TempPathFactory, axes: list[int], signs: tuple[float, float, float], meters: float
) -> None:
    """The stool as another program would write it: with a rotation, in any unit; if its axes mirror, it is mirrored."""
    frame = np.zeros((3, 3))
    frame[range(3), axes] = signs
    names = [f"{'+' if sign > 0 else '-'}{'xyz'[axis]}" for axis, sign in zip(axes, signs, strict=True)]
    parts = stool()
    for mesh in parts.values():
        mesh.vertices = (mesh.vertices[:, [0, 2, 1]] * [0.01, -0.01, 0.01]) @ frame / meters
    opposite = {"+": "-", "-": "+"}
    known = PartMap("chair", CHAIR.parts, units=meters, up=names[2], front=opposite[names[1][0]] + names[1][1])
    shape = import_shape(write_groups(tmp_path_factory.mktemp("stool") / "stool.obj", parts), known)
    is_sound(shape)
    low, high = shape.bounds()
    assert np.allclose(high - low, (0.4, 0.5, 0.49))
    seat = next(leaf.mesh for leaf in shape.leaves() if leaf.label == SEAT)
    assert seat is not None
    assert np.isclose(seat.bounds()[1][2], 0.49)


def damaged(mesh: trimesh.Trimesh, rng: np.random.Generator, *, flips: int, holes: int) -> Mesh:
    faces = np.array(mesh.faces)
    chosen = rng.permutation(len(faces))
    faces[chosen[:flips]] = faces[chosen[:flips], ::-1]
    faces = np.delete(faces, chosen[flips : flips + holes], axis=0)
    faces = rng.permutation(faces)
    return Mesh.of(mesh.vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)))


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), flips=st.integers(0, 300), kind=st.sampled_from(["ball", "ring", "block"]))
def test_what_is_wound_wrongly_split_up_and_pierced_is_made_whole(seed: int, flips: int, kind: str) -> None:
    make: dict[str, Callable[[], trimesh.Trimesh]] = {
        "ball": lambda: trimesh.creation.icosphere(subdivisions=2),
        "ring": lambda: trimesh.creation.torus(1, 0.3, major_sections=16, minor_sections=10),
        "block": lambda: trimesh.creation.box((1, 2, 3)).subdivide().subdivide(),
    }
    mesh = make[kind]()
    rng = generator(seed, "damage")
    whole = mended(damaged(mesh, rng, flips=min(flips, len(mesh.faces)), holes=1)).mesh
    again = trimesh.Trimesh(whole.vertices, whole.faces, process=False)
    assert again.is_watertight
    assert again.is_winding_consistent
    assert np.isclose(again.volume, mesh.volume, rtol=0.03)
    assert again.volume > 0


def test_a_hollow_keeps_facing_inwards_and_neighbors_do_not() -> None:
    outer, inner = trimesh.creation.box((2, 2, 2)), trimesh.creation.box((1, 1, 1))
    inner.invert()
    aside = trimesh.creation.box((1, 1, 1))
    aside.apply_translation((5, 0, 0))
    aside.invert()
    both: Any = trimesh.util.concatenate([outer, inner, aside])
    for mesh in (both, Mesh.of(both.vertices, both.faces[:, ::-1])):
        assert np.isclose(mended(Mesh.of(mesh.vertices, mesh.faces)).mesh.volume(), 8 - 1 + 1)


@pytest.mark.parametrize(
    ("mesh", "reason"),
    [
        (Mesh.of([], []), "has no triangles"),
        (Mesh.of(np.full((3, 3), np.nan), [[0, 1, 2]]), "has coordinates that are not finite numbers"),
        (Mesh.of([[0, 0, 0], [1, 1, 1], [2, 2, 2]], [[0, 1, 2]]), "has no area"),
        (Mesh.of([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 1, 2]]), "has no area"),
        (Mesh.of(1e200 * np.eye(3), [[0, 1, 2]]), "has coordinates beyond 1e+50 meters"),
    ],
)
def test_what_cannot_be_repaired_is_refused_with_the_reason(mesh: Mesh, reason: str) -> None:
    assert reason in str(complaint(lambda: mended(mesh)))


def stl(triangles: NDArray[Any]) -> bytes:
    record = np.zeros(len(triangles), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")]))
    record["corners"] = triangles
    return bytes(80) + struct.pack("<I", len(triangles)) + record.tobytes()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.obj", b"", "is empty"),
        ("a.stl", b"  \n", "is empty"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\n", "has no triangles"),
        ("a.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "vertex 1: has coordinates that are not finite numbers"),
        ("a.obj", b"v 0 0 0\nf 1 1 1\n", "part 'a': has no area"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 0\nelement face 5000000\n", "has 5,000,000 triangles"),
        ("a.stl", stl(np.full((4, 3, 3), np.nan)), "not finite numbers"),
        ("a.stl", stl(np.zeros((0, 3, 3))), "has no triangles"),
        ("a.glb", b"glTF but not really", "cannot be read as GLB"),
        ("a.ply", b"ply or so", "cannot be read as PLY"),
        ("a.blend", b"BLENDER", "'.blend' is no mesh format that can be read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_that_hold_no_shape_are_refused_in_one_sentence(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    said = str(complaint(lambda: import_shape(tmp_path / name, PartMap("sphere", {"*": "sphere"}))))
    assert said.startswith(str(tmp_path / name))
    assert sentence in said
    assert "\n" not in said


@pytest.mark.parametrize("suffix", ["obj", "stl"])
def test_five_million_triangles_are_refused_before_they_are_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"huge.{suffix}"
    with path.open("wb") as file:
        if suffix == "obj":
            file.write(b"v 0 0 0\n" + b"f 1 1 1\n" * 5_000_000)
        else:
            file.write(bytes(80) + struct.pack("<I", 5_000_000))
            file.truncate(84 + 50 * 5_000_000)
    said = complaint(lambda: import_shape(path, PartMap("sphere", {"*": "sphere"})))
    assert said == f"{path}: has 5,000,000 triangles, more than the 1,000,000 a shape may have: simplify it"


@settings(max_examples=80)
@given(suffix=st.sampled_from(["obj", "glb", "ply", "stl"]), data=st.data())
def test_a_damaged_file_is_read_or_refused_but_never_a_surprise(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("mesh") / f"a.{suffix}"
    trimesh.creation.box().export(path)
    content = bytearray(path.read_bytes())
    for place, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), max_size=5)
    ):
        content[place] = byte
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    complaint(lambda: import_shape(path, PartMap("cube", {"*": "cube"})))


MAP = """
category = "chair"
units = "cm"
up = "+y"
front = "+z"
ignore = ["floor*"]

[parts]
seat = "chair/chair_seat/seat_surface/seat_single_surface"
"leg_?" = "chair/chair_base/regular_leg_base/leg"
"""


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"chair"\n', '"chair', "is not TOML"),
        ('category = "chair"', "", "object missing required field `category`"),
        ("units", "unit", "object contains unknown field `unit`"),
        ('"cm"', '"parsec"', "there is no unit 'parsec'"),
        ('"cm"', "-1", "field 'units': one unit cannot be -1.0 meters"),
        ('"+y"', '"y"', "field 'up': 'y' is no axis"),
        ('"+z"', '"-y"', "field 'front': up (+y) and front (-y) are the same axis"),
        ("regular_leg_base/leg", "regular_leg_base/legs", "(did you mean 'chair/chair_base/regular_leg_base/leg'?)"),
        ("/regular_leg_base/leg", "", "'chair/chair_base' is made of parts itself"),
        ("chair/chair_base", "table/chair_base", "the parts have different roots: chair, table"),
    ],
)
def test_what_is_wrong_with_a_map_is_said_in_one_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    path = tmp_path / "map.toml"
    path.write_text(MAP.replace(old, new, 1))
    assert sentence in str(complaint(lambda: read_part_map(path)))


def test_a_group_that_nobody_speaks_of_is_refused_and_an_ignored_one_left_out(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MAP)
    known = read_part_map(tmp_path / "map.toml")
    floor = trimesh.creation.box((500, 1, 500))
    shape = import_shape(write_groups(tmp_path / "a.obj", {"floor 1": floor, **stool()}), known)
    assert np.isclose(shape.bounds()[1][2], 0.49)
    said = complaint(lambda: import_shape(write_groups(tmp_path / "b.obj", {"lamp": floor, **stool()}), known))
    assert said == f"{tmp_path / 'b.obj'}, field 'parts': 'lamp' is neither mapped to a part nor ignored"
    both = PartMap("sphere", {"*": "sphere"})
    assert "5 groups are mapped to it" in str(
        complaint(lambda: import_shape(write_groups(tmp_path / "c.obj", stool()), both))
    )


def test_the_command_writes_a_folder_that_reads_back(mereo: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MAP)
    mesh, out = write_glb(stool(), tmp_path / "stool.glb"), tmp_path / "out"
    done = mereo("shapes", "import", mesh, "--map", tmp_path / "map.toml", out)
    assert "a chair with 5 leaves, 0.40 x 0.50 x 0.49 m" in done.out
    shape = read_partnet(out)
    is_sound(shape)
    assert (shape.category, len(shape.leaves())) == ("chair", 5)
    refused = mereo("shapes", "import", mesh, "--map", tmp_path / "map.toml", out, code=2)
    assert refused.err == f"mereo: {out}: is not empty: give another folder\n"
