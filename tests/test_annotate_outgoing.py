"""Annotations leave as shapes, PartNet folders, HDF5, JSON and GLB, and each reads back as the same tree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import trimesh

from kit import CommandLine, complaint
from mereo.annotation.actions import Action, Choose, Custom, Cut, Group, Have, Unfit
from mereo.annotation.geometry.blobs import keep_mesh, read_mesh
from mereo.annotation.geometry.cutting import cut_kept
from mereo.annotation.geometry.frame import Frame
from mereo.annotation.geometry.intake import read_shape
from mereo.annotation.home import FolderHome
from mereo.annotation.outgoing.annotated import Annotated, AnnotatedPart, annotated, shape_of
from mereo.annotation.outgoing.coco import read_coco, write_coco
from mereo.annotation.outgoing.gltf import read_glb, write_glb
from mereo.annotation.outgoing.partnet import write_folder, write_folders, write_hdf5, write_library
from mereo.annotation.state import State, begin, fold
from mereo.annotation.tree import tree_of
from mereo.benchmarks.partnet.clouds import record_of_cloud
from mereo.datasets.reading import split_rows
from mereo.datasets.store import open_dataset
from mereo.shapes.library import open_library
from mereo.shapes.obj import read_obj
from mereo.shapes.objects import read_objects
from mereo.shapes.part import Part
from mereo.shapes.partnet import read_partnet
from mereo.shapes.partnet_h5 import read_records
from mereo.shapes.template import template_of
from own_meshes import write_chair

LEGS = "chair/chair_base/regular_leg_base/leg"


class Chair:
    """A chair from a file, y up and far from the origin, with its pieces kept in a folder."""

    def __init__(self, folder: Path):
        path = write_chair(folder / "chair.obj")
        lines = path.read_text().splitlines()
        moved = [_moved(line) if line.startswith("v ") else line for line in lines]
        path.write_text("\n".join(moved))
        self.home = FolderHome(folder)
        self.intake = read_shape(path)
        self.kept = [keep_mesh(piece.mesh, self.home) for piece in self.intake.pieces]
        self.names = {piece.name: number for number, piece in enumerate(self.intake.pieces)}

    def begun(self) -> State:
        return begin(tree_of(template_of("chair")), {k: kept.digits for k, kept in enumerate(self.kept)})

    def read(self, digits: str) -> Any:
        return read_mesh(self.home, digits)

    def given(self, actions: Sequence[Action], *, name: str = "my_chair") -> Annotated:
        state = fold(self.begun(), actions)
        return annotated(state, name=name, read=self.read, frame=self.intake.frame, facts={"annotator": "ada"})

    def actions(self) -> list[Action]:
        """A seat that is cut in two, a back, a base of four legs, and two parts that no template knows."""
        seat, path, way = self.kept[self.names["seat"]], [(0.0, -22.0, 44.0), (0.0, -22.0, 46.0)], (0.0, 1.0, 0.0)
        sides = cut_kept(self.home, seat.digits, path, way)
        legs = [self.names[f"leg_{k}"] for k in range(4)]
        return [
            Have(0, "chair_seat", 1),  # 1
            Have(0, "chair_back", 1),  # 2
            Have(0, "chair_base", 1),  # 3
            Choose(3, "regular_leg_base"),  # 4
            Have(4, "leg", 3),  # 5 to 7
            Have(1, "seat_surface", 1),  # 8
            Cut(self.names["seat"], tuple(path), way, (6, 7), (sides[0].digits, sides[1].digits)),
            Custom(1, "cup holder"),  # 9
            Custom(4, "leg's twin"),  # 10
            Group(8, (6,)),
            Group(9, (7,)),
            Group(2, (self.names["back"],)),
            *(Group(5 + k, (leg,)) for k, leg in enumerate(legs[:3])),
            Group(10, (legs[3],)),
            Have(0, "chair_arm", 2),  # 11 and 12, which get no piece
        ]


def _moved(line: str) -> str:
    x, y, z = map(float, line.split()[1:])
    return f"v {x + 1000} {z + 500} {-y - 250}"


@pytest.fixture(scope="module")
def chair(tmp_path_factory: pytest.TempPathFactory) -> Chair:
    return Chair(tmp_path_factory.mktemp("chair"))


@pytest.fixture(scope="module")
def given(chair: Chair) -> Annotated:
    return chair.given(chair.actions())


def tree(part: Part) -> Any:
    """Names and surfaces of a part and of all below it, in order."""
    area = round(float(part.mesh.face_areas().sum()), 1) if part.mesh is not None else None
    return (part.name, area, [tree(child) for child in part.children])


def names(part: AnnotatedPart) -> list[str]:
    return [label for label, _ in part.walk()]


def test_parts_with_pieces_become_a_tree_and_customs_stay_under_their_parents(given: Annotated) -> None:
    assert names(given.root) == [
        "chair",
        "chair/chair_seat",
        "chair/chair_seat/seat_surface",
        "chair/chair_seat/cup holder",
        "chair/chair_back",
        "chair/chair_base",
        "chair/chair_base/regular_leg_base",
        *[LEGS] * 3,
        "chair/chair_base/regular_leg_base/leg's twin",
    ]
    shape = shape_of(given)
    assert [part.label for part in shape.parts()] == names(given.root)
    assert shape.bounds()[0, 2] == 0
    assert shape.facts == {"annotator": "ada"}
    assert all(leaf.pieces for leaf in shape.leaves()), "they can collide"


def test_without_customs_the_template_knows_every_part(given: Annotated) -> None:
    labels = [part.label for part in shape_of(given, customs=False).parts()]
    assert len(labels) == len(names(given.root)) - 2
    assert set(labels) <= template_of("chair").labels.keys()


def test_what_has_no_pieces_or_cannot_be_annotated_does_not_leave(chair: Chair) -> None:
    assert "has no part with a piece" in (complaint(lambda: chair.given([Have(0, "chair_seat", 1)])) or "")
    assert "cannot be annotated: only noise" in (complaint(lambda: chair.given([Unfit("only noise")])) or "")
    only = chair.given([Custom(0, "blob"), Group(1, (0,))])
    assert shape_of(only).leaves()[0].label == "chair/blob"


def test_a_partnet_folder_reads_back_as_the_same_tree_with_the_coordinates_of_the_file(
    given: Annotated, tmp_path: Path
) -> None:
    write_folder(given, tmp_path / "out")
    again = read_partnet(tmp_path / "out")
    assert tree(again.root) == tree(shape_of(given).root)
    vertices = np.concatenate([read_obj(path).vertices for path in (tmp_path / "out" / "objs").glob("*.obj")])
    assert vertices.min(0).tolist() == pytest.approx([980, 500, -272])
    assert vertices.max(0).tolist() == pytest.approx([1020, 597, -228])


def test_a_part_with_pieces_of_its_own_beside_parts_reads_back(chair: Chair, tmp_path: Path) -> None:
    mixed = chair.given([*chair.actions(), Group(3, (chair.names["leg_3"],)), Group(0, (chair.names["back"],))])
    write_folder(mixed, tmp_path / "out")
    assert tree(read_partnet(tmp_path / "out").root) == tree(shape_of(mixed).root)


def test_json_in_the_manner_of_coco_reads_back_as_the_same_tree(given: Annotated, chair: Chair, tmp_path: Path) -> None:
    second = chair.given([Have(0, "chair_back", 1), Group(1, (1, 2))], name="other")
    write_coco([given, second], tmp_path / "all.json")
    again = read_coco(tmp_path / "all.json", read=chair.read)
    assert [(one.name, one.root, one.frame) for one in again] == [
        (one.name, one.root, one.frame) for one in (given, second)
    ]
    content = json.loads((tmp_path / "all.json").read_text())
    whole = content["annotations"][0]
    assert whole["bbox"] == pytest.approx([980, 500, -272, 40, 97, 44])
    assert sorted(whole["pieces"]) == [1, 2, 3, 4, 5, 6, 7]
    assert whole["area"] == pytest.approx(float(shape_of(given).mesh().face_areas().sum()), rel=1e-6)
    kinds = {kind["id"]: kind["name"] for kind in content["categories"]}
    assert Counter(kinds[one["category_id"]] for one in content["annotations"])[LEGS] == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"parent": None}, "2 parts without a parent"),
        ({"parent": 99}, "hang on none above them"),
        ({"category_id": 99}, "category 99"),
        ({"pieces": [99]}, "piece 99"),
        ({"bbox": [1, 2]}, "bbox"),
    ],
)
def test_json_that_is_no_tree_is_refused(given: Annotated, tmp_path: Path, change: dict[str, Any], said: str) -> None:
    write_coco([given], tmp_path / "all.json")
    content = json.loads((tmp_path / "all.json").read_text())
    content["annotations"][2].update(change)
    (tmp_path / "all.json").write_text(json.dumps(content))
    assert said in (complaint(lambda: read_coco(tmp_path / "all.json", read=given.read)) or "")


def test_glb_has_the_parts_as_nodes_and_reads_back_as_the_same_tree(given: Annotated, tmp_path: Path) -> None:
    write_glb(given, tmp_path / "chair.glb")
    assert read_glb(tmp_path / "chair.glb") == given.root
    scene = trimesh.load_scene(tmp_path / "chair.glb", process=False)
    assert {"chair.000", "chair_seat.001", "leg.005", "cup holder.009"} <= set(scene.graph.nodes)
    assert scene.graph.transforms.parents["leg.005"] == "regular_leg_base.004"
    assert len(scene.geometry) == 7
    assert scene.bounds[0].tolist() == pytest.approx([980, 500, -272])
    again = read_shape(tmp_path / "chair.glb")
    assert len(again.pieces) == 7


def test_glb_of_somebody_else_is_no_annotated_shape(tmp_path: Path) -> None:
    (tmp_path / "a.glb").write_bytes(trimesh.creation.box().scene().export(file_type="glb"))
    assert "holds 0 annotated shapes" in (complaint(lambda: read_glb(tmp_path / "a.glb")) or "")


def test_hdf5_has_the_same_parts_in_every_task(given: Annotated, tmp_path: Path) -> None:
    files = write_hdf5([given, replace(given, name="second", facts={"split": "test"})], tmp_path, points=500)
    found = {path.relative_to(tmp_path).as_posix() for path in files}
    assert {"ins_seg_h5/Chair/train-00.h5", "sem_seg_h5/Chair-3/test-00.h5", "hier_seg_h5/Chair/train-00.h5"} <= found
    (record,) = read_records(tmp_path / "ins_seg_h5/Chair/train-00.h5")
    assert record["anno_id"] == "my_chair"
    parts = {(one["part_name"], tuple(sorted(one["leaf_id_list"]))) for one in record["ins_seg"]}
    assert Counter(name for name, _ in parts) == Counter(names(given.root))
    leaves = {name: set(ids) for name, ids in parts}
    assert leaves["chair"] == set().union(*leaves.values())
    with h5py.File(tmp_path / "ins_seg_h5/Chair/train-00.h5") as file:
        assert set(np.unique(file["label"][0]).tolist()) == leaves["chair"]


def test_a_library_goes_into_a_build_as_shapes_of_ones_own(
    given: Annotated, tmp_path: Path, mereo: CommandLine
) -> None:
    chairs = [replace(given, name=f"chair_{k}") for k in range(2)]
    write_library(chairs, tmp_path / "library", customs=False)
    library = open_library(tmp_path / "library")
    assert [tree(shape.root) for shape in library] == [tree(shape_of(one, customs=False).root) for one in chairs]
    mereo("build", "partnet", tmp_path / "set", "--from", tmp_path / "library", "--points", "200")
    records = [record_of_cloud(row) for row in read_rows(tmp_path / "set")]
    assert {record.name: [part.label for part in record.parts] for record in records} == {
        shape.name: [part.label for part in shape.parts()] for shape in library
    }
    (tmp_path / "objects.toml").write_text('[objects.mine]\ncategory = "chair"\nshapes = "library"\n')
    (own,) = read_objects(tmp_path / "objects.toml", categories=["chair"], weights={"train": 1}, check=lambda one: None)
    assert len(own.shapes["train"]) == 1, "two of the same content count once"


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """The shapes of a dataset."""
    manifest = open_dataset(folder)
    return list(split_rows(folder, manifest, manifest.scenes))


def test_names_that_lead_elsewhere_do_not_become_folders(given: Annotated, tmp_path: Path) -> None:
    said = complaint(lambda: write_folders([replace(given, name="../evil")], tmp_path / "out")) or ""
    assert "cannot become the name of a file" in said


def test_the_frame_of_an_annotation_is_that_of_its_file(chair: Chair) -> None:
    assert chair.intake.frame == Frame("+y", "+z", chair.intake.frame.offset)
    assert chair.intake.frame.offset == pytest.approx((1000, 250, 500))
