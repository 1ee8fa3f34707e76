"""Libraries of shapes: made to order, the same every time, gone on with when stopped, counted as PartNet counts."""

from __future__ import annotations

import json
import signal
import statistics
import time
from pathlib import Path

import numpy as np
import pytest

from kit import CommandLine, complaint, mereo_process
from mereo.shapes.grammar import SPLITS, make_shape
from mereo.shapes.library import LibraryOrder, make_library, open_library
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet_points import read_points
from mereo.shapes.solids import box
from mereo.shapes.statistics import ALL, ShapeStatistics, shape_statistics
from mereo.shapes.template import template_of

ORDER = LibraryOrder(("chair", "cube"), 4, 7, "val")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_library_holds_what_the_grammars_make(tmp_path: Path) -> None:
    library = make_library(tmp_path / "a", ORDER)
    again = open_library(tmp_path / "a")
    assert (again.folders, again.order, len(again)) == (library.folders, ORDER, 8)
    expected = [
        make_shape(name, seed=7, split="val", family=family) for name in ORDER.categories for family in range(4)
    ]
    for shape, made in zip(again, expected, strict=True):
        assert (shape.name, shape.category, shape.facts) == (made.name, made.category, made.facts)
        assert np.array_equal(shape.mesh().vertices, made.mesh().vertices)
    assert all(shape.facts["family"] % 20 in SPLITS["val"] for shape in again)
    assert [folder.parent.name for folder in again.folders] == ["chair"] * 4 + ["cube"] * 4
    assert again[5].name == expected[5].name


def test_the_same_order_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    order = LibraryOrder(("chair",), 3, 0, "train", points=200)
    make_library(tmp_path / "a", order)
    make_library(tmp_path / "b", order)
    make_library(tmp_path / "c", LibraryOrder(("chair",), 3, 1, "train", points=200))
    one, two, other = (contents(tmp_path / name) for name in "abc")
    assert one == two
    assert one != other
    sample = read_points(open_library(tmp_path / "a").folders[0], 200)
    assert sample is not None
    assert len(sample) == 200


def test_a_killed_build_goes_on_and_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    arguments = ("shapes", "make", "killed", "--category", "chair", "--count", "60", "--seed", "3")
    process = mereo_process(*arguments, cwd=tmp_path)
    while process.poll() is None and len(list(tmp_path.glob("killed/chair/chair-*"))) < 5:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    made = {path: path.stat().st_mtime_ns for path in tmp_path.glob("killed/chair/chair-*/meta.json")}
    assert 5 <= len(made) < 60
    assert "unfinished library" in str(complaint(lambda: open_library(tmp_path / "killed")))
    order = LibraryOrder(("chair",), 60, 3, "train")
    make_library(tmp_path / "killed", order, resume=True)
    make_library(tmp_path / "whole", order)
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert all(path.stat().st_mtime_ns == before for path, before in made.items())


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    make_library(tmp_path / "a", ORDER)
    before = contents(tmp_path / "a")
    assert "is not empty: add --resume" in str(complaint(lambda: make_library(tmp_path / "a", ORDER)))
    other = LibraryOrder(("chair",), 4, 8, "val")
    said = complaint(lambda: make_library(tmp_path / "a", other, resume=True))
    different = "categories: ('chair', 'cube'), not ('chair',); seed: 7, not 8"
    assert said == f"{tmp_path / 'a' / 'shapes.json'}: was begun with {different}"
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.txt").write_text("mine")
    said = complaint(lambda: make_library(tmp_path / "b", ORDER, resume=True))
    assert "not a library that could be gone on with" in str(said)
    make_library(tmp_path / "a", ORDER, resume=True)
    assert contents(tmp_path / "a") == before
    assert "is a file, not a folder" in str(complaint(lambda: make_library(tmp_path / "b" / "thesis.txt", ORDER)))


def test_a_folder_of_real_annotations_is_a_library(official_data: Path) -> None:
    folder = official_data / "partnet" / "annotations"
    assert [shape.name for shape in open_library(folder).trees()] == ["3763", "7179"]
    found = shape_statistics(open_library(folder).trees())
    assert list(found) == [ALL, "bottle", "microwave"]
    merged = json.loads((folder / "7179" / "result_after_merging.json").read_text())
    assert found["microwave"].part_instances == json.dumps(merged).count('"ori_id"')
    assert found["bottle"] == ShapeStatistics(1, 1, 0, 5, 3, 5, 5, 5, 2, 2)


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    assert "there is no such folder" in str(complaint(lambda: open_library(tmp_path / "nowhere")))
    assert "holds no shapes" in str(complaint(lambda: open_library(tmp_path)))
    (tmp_path / "shapes.json").write_text('{"order": 1}')
    assert "field 'order': expected `object | null`, got `int`" in str(complaint(lambda: open_library(tmp_path)))


def test_statistics_agree_with_counting_by_hand() -> None:
    shapes = [make_shape(name, seed=2, family=family) for name in ("chair", "sphere") for family in range(30)]
    found = shape_statistics(shapes)
    assert list(found) == [ALL, "chair", "sphere"]
    for name, row in found.items():
        own = [shape for shape in shapes if name in (ALL, shape.category)]
        labels = [[part.label for part in shape.parts()] for shape in own]
        sizes = [len(names) for names in labels]
        depths = [max(label.count("/") for label in names) for names in labels]
        assert (row.annotations, row.shapes, row.repeated) == (len(own), len(own), 0)
        assert (row.part_semantics, row.part_instances) == (len(set().union(*labels)), sum(sizes))
        leaves = {(shape.category, leaf.label) for shape in own for leaf in shape.leaves()}
        assert row.leaf_kinds == len(leaves)
        assert (row.median_parts, row.most_parts) == (statistics.median(sizes), max(sizes))
        assert (row.median_depth, row.greatest_depth) == (statistics.median(depths), max(depths))
    assert found["chair"].part_semantics <= len(template_of("chair").labels)
    assert shape_statistics([]) == {}


def test_a_shape_annotated_twice_is_one_shape() -> None:
    root = Part("mug", (Part("body", mesh=box((1, 1, 1)).mesh()),))
    twice = [Shape.of("mug", root, name=name, facts={"model_id": "m"}) for name in ("1", "2")]
    once = Shape.of("mug", root, name="3", facts={"model_id": "n"})
    row = shape_statistics([*twice, once])["mug"]
    assert (row.annotations, row.shapes, row.repeated) == (3, 2, 1)


def test_the_commands_make_count_and_show(mereo: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "library"
    made = mereo("shapes", "make", out, "--category", "chair,cube", "--count", "3")
    assert made.out.startswith(f"{out}: 6 shapes (chair, cube) in ")
    assert "is not empty" in mereo("shapes", "make", out, "--category", "chair", code=2).err
    counted = mereo("shapes", "statistics", out).out
    assert mereo("shapes", "statistics", "--category", "chair,cube", "--count", "3").out.startswith(counted)
    rows = [line.split()[:3] for line in counted.splitlines() if line.startswith(("all", "chair", "cube"))]
    assert rows == [["all", "6", "6"], ["chair", "3", "3"], ["cube", "3", "3"]]
    assert "did you mean 'chair'?" in mereo("shapes", "make", tmp_path / "b", "--category", "chairs", code=2).err
    assert not (tmp_path / "b").exists()
    assert "there is no split of shapes 'tests'" in mereo("shapes", "statistics", "--split", "tests", code=2).err


def test_the_tree_of_a_shape_is_the_same_made_or_read(mereo: CommandLine, tmp_path: Path) -> None:
    mereo("shapes", "make", tmp_path / "a", "--category", "chair", "--count", "4")
    read = mereo("shapes", "tree", open_library(tmp_path / "a").folders[3]).out
    assert read == mereo("shapes", "tree", "--category", "chair", "--family", "3").out
    shape = make_shape("chair", seed=0, family=3)
    lines = read.splitlines()
    assert len(lines) == len(list(shape.parts()))
    for line, part in zip(lines, shape.parts(), strict=True):
        assert f"{part.name} {part.id}" in line
        assert ("triangles" in line) == (part.mesh is not None)


def test_real_trees_are_printed_raw_and_merged(mereo: CommandLine, official_data: Path) -> None:
    folder = official_data / "partnet" / "annotations" / "7179"
    merged, raw = mereo("shapes", "tree", folder).out, mereo("shapes", "tree", folder, "--raw").out
    assert (len(merged.splitlines()), len(raw.splitlines())) == (16, 18)
    assert "without meshes" in merged


def test_the_gallery_is_a_picture_with_as_many_shapes_as_asked_for(mereo: CommandLine, tmp_path: Path) -> None:
    from PIL import Image

    out = tmp_path / "sheet.png"
    mereo("shapes", "gallery", out, "--category", "chair", "--count", "5", "--columns", "3", "--size", "64")
    pixels = np.asarray(Image.open(out))
    assert pixels.shape == (128, 192, 3)
    tiles = pixels.reshape(2, 64, 3, 64, 3).swapaxes(1, 2).reshape(6, -1)
    drawn = [len(np.unique(tile)) > 3 for tile in tiles]
    assert drawn == [True] * 5 + [False]


@pytest.mark.parametrize("split", SPLITS)
def test_no_two_splits_share_a_family(split: str) -> None:
    families = {name: {make_shape("cube", seed=0, split=name, family=k).name for k in range(10)} for name in SPLITS}
    own = families.pop(split)
    assert len(own) == 10
    assert own.isdisjoint(set().union(*families.values()))
