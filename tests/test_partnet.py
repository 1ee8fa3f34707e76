"""PartNet's folders are read as published, and what we write there comes back as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import OFFICIAL_DATA, complaint
from mereo.chance import generator
from mereo.shapes.frames import AXES, Axes
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Mesh
from mereo.shapes.obj import read_obj, write_obj
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet import read_annotation, read_partnet, write_partnet
from mereo.shapes.partnet_points import read_points
from mereo.shapes.partnet_tree import TreeNode, completed, merge, read_tree, tree_instances
from mereo.shapes.partnet_unmerge import unmerge
from mereo.shapes.points import cloud
from mereo.shapes.solids import box
from mereo.shapes.template import all_templates, template_of

ANNOTATIONS = OFFICIAL_DATA / "partnet" / "annotations"
REAL = sorted(path.name for path in ANNOTATIONS.glob("*")) or ["none"]


@pytest.fixture(params=REAL)
def annotation(request: pytest.FixtureRequest, official_data: Path) -> Path:
    folder: Path = official_data / "partnet" / "annotations" / request.param
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}")
    return folder


def paths(tree: list[dict[str, Any]], above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The paths of a tree file by plain JSON, apart from our own reader."""
    for node in tree:
        path = f"{above}/{node['name']}".strip("/")
        yield path, node
        yield from paths(node.get("children", []), path)


def same(one: Shape, other: Shape) -> bool:
    def told(part: Part) -> object:
        mesh = (part.mesh.vertices.tobytes(), part.mesh.faces.tobytes()) if part.mesh else None
        pieces = tuple(piece.tobytes() for piece in part.pieces)
        return part.name, part.label, part.id, mesh, pieces, tuple(map(told, part.children))

    return told(one.root) == told(other.root) and (one.category, one.name) == (other.category, other.name)


def block(x: float = 0.0) -> Mesh:
    return box((0.1, 0.2, 0.3), (x, 0.0, 0.15)).mesh()


def test_merging_a_real_annotation_gives_the_published_tree(annotation: Path) -> None:
    published = json.loads((annotation / "result_after_merging.json").read_text())
    known = read_annotation(annotation)
    merged = merge(known.raw, known.template)
    assert sorted(path for path, _ in merged.paths()) == sorted(path for path, _ in paths(published))
    told = [(path, node.id, node.ori_id, set(node.objs)) for path, node in merged.paths()]
    assert told == [(path, node["id"], node["ori_id"], set(node["objs"])) for path, node in paths(published)]


def test_real_trees_without_meshes_are_shapes_all_the_same(annotation: Path) -> None:
    for name, raw in (("result_after_merging.json", False), ("result.json", True)):
        written = list(paths(json.loads((annotation / name).read_text())))
        shape = read_partnet(annotation, raw=raw)
        assert [(part.label, part.id) for part in shape.parts()] == [(path, node["id"]) for path, node in written]
        assert shape.leaves() == []


def test_a_shape_that_partnet_moved_elsewhere_keeps_the_template_it_was_annotated_with(official_data: Path) -> None:
    assert read_partnet(official_data / "partnet" / "annotations" / "7179").category == "microwave"


@pytest.mark.parametrize("folder_name", ["objs", "textured_objs"])
def test_real_trees_with_meshes_lose_no_triangle(annotation: Path, tmp_path: Path, folder_name: str) -> None:
    """Stand-ins for the meshes, which cannot be shipped: each a block, y up, somewhere else."""
    folder = tmp_path / "shape"
    shutil.copytree(annotation, folder)
    raw_tree = read_tree(folder / "result.json")
    (folder / folder_name).mkdir()
    for number, name in enumerate(raw_tree.all_objs()):
        solid = block(0.5 * number)
        write_obj(Mesh.of(solid.vertices[:, [0, 2, 1]], solid.faces[:, ::-1]), folder / folder_name / f"{name}.obj")
    shapes = [read_partnet(folder, raw=raw) for raw in (False, True)]
    for shape in shapes:
        low, high = shape.bounds()
        assert len(shape.mesh().faces) == 12 * len(raw_tree.all_objs())
        assert np.allclose([low[2], high[2], low[0] + high[0]], [0, 0.3, 0])
        assert all(leaf.mesh and leaf.mesh.is_watertight() and leaf.mesh.volume() > 0 for leaf in shape.leaves())
        assert all(len(leaf.pieces) * 12 == len(leaf.mesh.faces) for leaf in shape.leaves() if leaf.mesh)
    for shape, raw in zip(shapes, (False, True), strict=True):
        write_partnet(shape, tmp_path / f"again-{raw}", raw=raw)
        assert same(read_partnet(tmp_path / f"again-{raw}", raw=raw), shape)
    again = read_annotation(tmp_path / "again-True")
    assert [path for path, _ in again.merged.paths()] == [part.label for part in shapes[0].parts()]


@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 30), family=st.integers(0, 500), split=st.sampled_from(["train", "val", "benchmark"]))
def test_our_shapes_come_back_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, seed: int, family: int, split: str
) -> None:
    folder = tmp_path_factory.mktemp("shape") / "chair"
    shape = make_shape("chair", seed=seed, split=split, family=family)
    write_partnet(shape, folder)
    again = read_partnet(folder)
    assert same(again, shape)
    assert again.facts == shape.facts


@settings(max_examples=25)
@given(family=st.integers(0, 2000))
def test_partnets_own_way_of_merging_works_on_what_we_write(
    tmp_path_factory: pytest.TempPathFactory, family: int
) -> None:
    mapping = OFFICIAL_DATA / "partnet" / "merging_hierarchy_mapping" / "Chair.txt"
    if not mapping.is_file():
        pytest.skip(f"there is no {mapping}")
    table = dict(line.split() for line in mapping.read_text().splitlines())
    shape = make_shape("chair", seed=1, family=family)
    folder = tmp_path_factory.mktemp("shape") / "chair"
    write_partnet(shape, folder)
    raw = json.loads((folder / "result.json").read_text())
    merged = json.loads((folder / "result_after_merging.json").read_text())
    assert [table[path] for path, _ in paths(raw) if path in table] == [part.label for part in shape.parts()]
    for _, node in paths(raw):
        assert ("objs" in node) != ("children" in node)
    by_id = {node["id"]: node for _, node in paths(raw)}
    for _, node in paths(merged):
        below = [name for _, leaf in paths([by_id[node["ori_id"]]]) for name in leaf.get("objs", [])]
        assert sorted(node["objs"]) == sorted(below)
        assert all((folder / "objs" / f"{name}.obj").is_file() for name in below)


def merged_officially(
    node: dict[str, Any], table: dict[str, str], numbers: Iterator[int], above: str = ""
) -> list[Any]:
    """What becomes of a raw node by PartNet's rule: a new name, or its children in its place."""
    path = f"{above}/{node['name']}".strip("/")
    number = next(numbers) if path in table else -1
    below = [new for child in node.get("children", []) for new in merged_officially(child, table, numbers, path)]
    if path not in table:
        return below
    objs = [name for _, leaf in paths([node]) for name in leaf.get("objs", [])]
    return [{"id": number, "name": table[path].split("/")[-1], "ori_id": node["id"], "objs": objs, "children": below}]


def test_desks_are_merged_by_partnets_rule_and_come_back_with_their_bases(official_data: Path, tmp_path: Path) -> None:
    mapping = official_data / "partnet" / "merging_hierarchy_mapping" / "Table.txt"
    table = dict(line.split() for line in mapping.read_text().splitlines())
    kinds = set()
    for family in range(24):
        folder, shape = tmp_path / str(family), make_shape("table", seed=1, family=family)
        write_partnet(shape, folder)
        raw, merged = (json.loads((folder / f"result{end}.json").read_text()) for end in ("", "_after_merging"))
        told = [{name: node.get(name, []) for name in ("id", "name", "ori_id", "objs")} for _, node in paths(merged)]
        expected = [node for _, node in paths(merged_officially(raw[0], table, count()))]
        assert told == [{name: node[name] for name in told[0]} for node in expected]
        assert [path for path, _ in paths(merged)] == [path for path, _ in paths([expected[0]])]
        assert same(read_partnet(folder), shape)
        kinds |= {node["name"] for _, node in paths(raw)}
    assert "desk" in kinds


@pytest.mark.parametrize("category", sorted(all_templates()))
def test_every_label_has_a_raw_path_that_merges_into_it(category: str) -> None:
    template = template_of(category)
    for label in template.labels:
        names = label.split("/")
        tree = TreeNode(len(names) - 1, names[-1], objs=("new-0",))
        for place, name in reversed(list(enumerate(names[:-1]))):
            tree = TreeNode(place, name, children=(tree,))
        raw, places = unmerge(tree, template)
        merged = completed(merge(raw, template), raw, template)
        assert [path for path, _ in merged.paths()] == [path for path, _ in tree.paths()]
        by_number = {node.id: node.ori_id for node in merged.walk()}
        assert {number: origin for number, origin in by_number.items() if origin is not None} == places


def test_a_bunk_bed_and_a_loft_bed_are_told_apart_by_what_is_usual() -> None:
    def bed(units: int) -> TreeNode:
        parts = ["bed_unit"] * units + ["ladder"]
        children = tuple(TreeNode(number, name, objs=(name,)) for number, name in enumerate(parts, start=1))
        return TreeNode(0, "bed", children=children)

    kinds = [unmerge(bed(units), template_of("bed"))[0].children[0].name for units in (1, 2)]
    assert kinds == ["loft_bed", "bunk_bed"]


def test_a_part_that_fits_no_raw_tree_does_not_spoil_the_others() -> None:
    tray = TreeNode(4, "keyboard_tray", children=(TreeNode(5, "keyboard_tray_surface", objs=("b",)),))
    drawers = TreeNode(3, "drawer_base", children=(tray,))
    legs = TreeNode(6, "regular_leg_base", children=(TreeNode(7, "leg", objs=("c",)),))
    base = TreeNode(2, "table_base", children=(drawers, legs))
    tree = TreeNode(0, "table", children=(TreeNode(1, "regular_table", children=(base,)),))
    raw, places = unmerge(tree, template_of("table"))
    assert [(path, node.id) for path, node in raw.paths()] == [(path, node.id) for path, node in tree.paths()]
    assert places == {number: number for number in range(8)}


def test_a_part_that_has_a_mesh_and_parts_keeps_both(tmp_path: Path) -> None:
    root = Part("mug", (Part("handle", mesh=block(1)),), mesh=block())
    shape = Shape.of("mug", root, name="odd")
    write_partnet(shape, tmp_path / "odd")
    assert same(read_partnet(tmp_path / "odd"), shape)
    raw = read_tree(tmp_path / "odd" / "result.json")
    assert [node.name for node in raw.leaves()] == ["handle", "other"]


def test_files_are_in_partnets_frame(tmp_path: Path) -> None:
    """Up is +y, and the front is +z: the back of a chair has a lower z than its seat."""
    shape = make_shape("chair", seed=0, family=3)
    write_partnet(shape, tmp_path / "chair")
    meshes = {}
    for _, node in paths(json.loads((tmp_path / "chair" / "result_after_merging.json").read_text())):
        meshes[node["name"]] = [read_obj(tmp_path / "chair" / "objs" / f"{name}.obj") for name in node["objs"]]
    everything = np.concatenate([mesh.vertices for mesh in meshes["chair"]])
    height = shape.bounds()[1][2]
    assert (everything[:, 1].min(), everything[:, 1].max()) == (0, height)
    back, seat = (np.concatenate([mesh.vertices for mesh in meshes[name]]) for name in ("chair_back", "chair_seat"))
    assert back[:, 2].mean() < seat[:, 2].mean()
    assert back[:, 1].mean() > seat[:, 1].mean()


@given(up=st.sampled_from(sorted(AXES)), front=st.sampled_from(sorted(AXES)))
def test_axes_are_turned_not_mirrored_and_turned_back_exactly(up: str, front: str) -> None:
    if up[1] == front[1]:
        assert "same axis" in str(complaint(lambda: Axes.of(up=up, front=front)))
        return
    axes = Axes.of(up=up, front=front)
    assert np.isclose(np.linalg.det(axes.to_ours(np.eye(3))), 1)
    unit = {name: sign * np.eye(3)[place] for name, (place, sign) in AXES.items()}
    assert np.array_equal(axes.to_ours(unit[up][None])[0], [0, 0, 1])
    assert np.array_equal(axes.to_ours(unit[front][None])[0], [0, -1, 0])
    points = generator(0, up, front).normal(size=(50, 3))
    assert axes.to_theirs(axes.to_ours(points)).tobytes() == points.tobytes()


def test_points_are_labeled_with_raw_leaves(tmp_path: Path) -> None:
    shape = make_shape("chair", seed=0, family=1)
    points = cloud(shape, 10_000, rng=generator(0, "points"))
    write_partnet(shape, tmp_path / "chair", points=points)
    names = sorted(path.name for path in (tmp_path / "chair" / "point_sample").iterdir())
    assert names == [
        "label-10000.txt",
        "pts-10000.txt",
        "sample-points-all-label-10000.txt",
        "sample-points-all-pts-nor-rgba-10000.txt",
    ]
    sample = read_points(tmp_path / "chair")
    assert sample is not None
    raw = read_tree(tmp_path / "chair" / "result.json")
    assert set(sample.leaf.tolist()) == {leaf.id for leaf in raw.leaves()}
    for leaf in raw.leaves():
        mesh = read_obj(tmp_path / "chair" / "objs" / f"{leaf.objs[0]}.obj")
        own = sample.points[sample.leaf == leaf.id]
        assert (own >= mesh.vertices.min(0) - 1e-9).all()
        assert (own <= mesh.vertices.max(0) + 1e-9).all()
    assert np.array_equal(sample.points[:, [0, 2, 1]] * [1, -1, 1], points.points)
    written = np.loadtxt(tmp_path / "chair" / "point_sample" / "pts-10000.txt")
    assert np.array_equal(written, sample.points)
    labels = np.loadtxt(tmp_path / "chair" / "point_sample" / "label-10000.txt", dtype=int)
    assert np.array_equal(labels, sample.leaf)


def test_instances_list_the_raw_leaves_of_every_merged_part(annotation: Path) -> None:
    known = read_annotation(annotation)
    raw = json.loads((annotation / "result.json").read_text())
    objs = {node["id"]: set(node["objs"]) for _, node in paths(raw) if "objs" in node}
    merged = list(paths(json.loads((annotation / "result_after_merging.json").read_text())))
    for part, (path, node) in zip(tree_instances(known.raw, known.merged), merged, strict=True):
        assert part.path == path
        assert set().union(*(objs[leaf] for leaf in part.leaves)) == set(node["objs"])


@given(
    vertices=st.lists(
        st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 3), min_size=3, max_size=8, unique=True
    ),
    data=st.data(),
)
def test_an_obj_file_keeps_every_number(
    tmp_path_factory: pytest.TempPathFactory, vertices: list[tuple[float, float, float]], data: st.DataObject
) -> None:
    corner = st.integers(0, len(vertices) - 1)
    mesh = Mesh.of(vertices, data.draw(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=9)))
    path = tmp_path_factory.mktemp("obj") / "mesh.obj"
    write_obj(mesh, path)
    again = read_obj(path)
    assert again.vertices.tobytes() == mesh.vertices.tobytes()
    assert np.array_equal(again.faces, mesh.faces)


def test_obj_files_of_other_people_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "mesh.obj"
    path.write_text(
        "# made elsewhere\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv\t0 1 0\nf 1/1/1 2//2 3 -1\n"
    )
    assert read_obj(path).faces.tolist() == [[0, 1, 2], [0, 2, 3]]


NODE = {"id": 0, "name": "mug", "text": "Mug", "objs": ["new-0"]}


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"meta.json": None}, "meta.json: there is no such file"),
        ({"meta.json": "{}"}, "meta.json: object missing required field `anno_id`"),
        ({"result.json": "[]"}, "result.json: holds 0 trees, not one"),
        ({"result.json": '[{"id": 0}]'}, "result.json, field '$[0]': object missing required field `name`"),
        ({"result.json": json.dumps([NODE | {"objs": []}])}, "node 0, field 'objs': has neither children nor meshes"),
        ({"result.json": json.dumps([NODE | {"name": "a/b"}])}, "node 0, field 'name': 'a/b' is no name of a part"),
        ({"result.json": json.dumps([NODE | {"children": [NODE]}])}, "node 0, field 'id': is there twice"),
        ({"result.json": json.dumps([NODE | {"name": "cup"}])}, "'cup' is not the root of a mug"),
        ({"objs/new-0.obj": None}, "objs/new-0.obj: there is no such file"),
        ({"objs/new-0.obj": "v 0 0 0\nf 1 2 3\n"}, "new-0.obj, line 2: a face names vertex 3 of 1"),
        ({"objs/new-0.obj": "v 0 0\n"}, "new-0.obj, line 1: 'v 0 0' is not OBJ"),
        ({"objs/new-0.obj": "v 0 0 nan\nf 1 1 1\n"}, "vertex 1: has coordinates that are not finite numbers"),
        ({"objs/new-0.obj": ""}, "objs: has meshes without a single triangle"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_in_one_sentence(
    tmp_path: Path, files: dict[str, str | None], sentence: str
) -> None:
    whole = {"meta.json": '{"anno_id": "1", "model_cat": "Mug"}', "result.json": json.dumps([NODE])}
    whole["objs/new-0.obj"] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    (tmp_path / "objs").mkdir()
    for name, text in {**whole, **files}.items():
        if text is not None:
            (tmp_path / name).write_text(text)
    assert sentence in str(complaint(lambda: read_partnet(tmp_path)))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "mug"
    mug = Part("mug", (Part("body", mesh=block(), pieces=(block().vertices,)), Part("handle", mesh=block(1))))
    write_partnet(Shape.of("mug", mug, name="mug-1", facts={"colour": "red"}), folder)
    return folder


@settings(max_examples=200)
@given(data=st.data())
def test_a_damaged_folder_is_read_or_refused_but_never_a_surprise(
    small: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damaged") / "mug"
    shutil.copytree(small, folder)
    path = data.draw(st.sampled_from(sorted(path for path in folder.rglob("*") if path.is_file())))
    content = bytearray(path.read_bytes())
    for place, byte in data.draw(st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)))):
        content[place] = byte
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    said = complaint(lambda: read_partnet(folder))
    assert said is None or str(folder) in said


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mereo.shapes.partnet.write_obj", full)
    with pytest.raises(OSError, match="No space"):
        write_partnet(make_shape("chair", seed=0), tmp_path / "chair")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    shape = make_shape("chair", seed=0)
    write_partnet(shape, tmp_path / "chair")
    assert "is not empty" in str(complaint(lambda: write_partnet(shape, tmp_path / "chair")))
    (tmp_path / "file").touch()
    assert "cannot be written" in str(complaint(lambda: write_partnet(shape, tmp_path / "file" / "chair")))
