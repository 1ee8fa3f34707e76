"""Segmentation: what parts points belong to at every level, and the HDF5 files that PartNet's scripts exchange."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from kit import CommandLine, complaint
from mereo.chance import generator
from mereo.shapes.grammar import make_shape
from mereo.shapes.library import Library, LibraryOrder, make_library, open_library
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet import write_partnet
from mereo.shapes.partnet_h5 import Example, read_h5, read_records, row_of, write_h5, write_split
from mereo.shapes.partnet_points import PointSample
from mereo.shapes.partnet_tree import PartInstance
from mereo.shapes.points import cloud
from mereo.shapes.segmentation import (
    hierarchical_labels,
    instance_masks,
    level_names,
    normalized,
    part_instances,
    point_labels,
)
from mereo.shapes.solids import box
from mereo.shapes.tasks import example_of, write_task
from mereo.shapes.template import template_of

POINTS = 500
CHAIR = template_of("chair")

# As the facts file on the official generators lists them; K is 200, and there are 57 labels in Chair-hier.
FIELDS: dict[str, dict[str, tuple[str, tuple[int, ...]]]] = {
    "instance": {
        "pts": ("float32", (POINTS, 3)),
        "nor": ("float32", (POINTS, 3)),
        "rgb": ("uint8", (POINTS, 3)),
        "opacity": ("float32", (POINTS,)),
        "label": ("int32", (POINTS,)),
    },
    "semantic": {"data": ("float32", (POINTS, 3)), "label_seg": ("uint8", (POINTS,))},
    "hierarchical": {"data": ("float32", (POINTS, 3)), "label_hier": ("bool", (POINTS, 58))},
    "detection": {
        "pts": ("float32", (POINTS, 3)),
        "gt_label": ("uint8", (200,)),
        "gt_mask": ("bool", (200, POINTS)),
        "gt_valid": ("bool", (200,)),
        "gt_other_mask": ("bool", (POINTS,)),
    },
    "truth": {
        "gt_mask": ("bool", (200, POINTS)),
        "gt_mask_label": ("uint8", (200,)),
        "gt_mask_valid": ("bool", (200,)),
        "gt_mask_other": ("bool", (POINTS,)),
    },
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Four chairs, and a thing that no template knows."""
    path = tmp_path_factory.mktemp("library")
    make_library(path / "chairs", LibraryOrder(("chair",), 4, 0, "test"))
    gadget = Part("gadget", (Part("knob", mesh=box((0.1, 0.1, 0.1)).mesh()),))
    write_partnet(Shape.of("gadget", gadget, name="gadget-1", facts={"split": "test"}), path / "gadgets" / "gadget-1")
    (path / "chairs" / "chair").rename(path / "chair")
    return open_library(path)


@pytest.fixture(scope="module")
def example(library: Library) -> Example:
    return example_of(library.folders[1], points=POINTS)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("family", range(6))
def test_the_label_of_a_point_is_the_one_on_the_way_to_its_leaf(level: int, family: int) -> None:
    shape = make_shape("chair", seed=5, family=family)
    points = cloud(shape, POINTS, rng=generator(0, "points", family))
    leaves = shape.leaves()
    names = level_names(CHAIR, level)
    found = point_labels(np.array([leaves[k].id for k in points.leaf]), part_instances(shape), names)
    for place, label in zip(points.leaf, found, strict=True):
        own = leaves[place].label
        above = [number for number, name in enumerate(names, start=1) if f"{own}/".startswith(f"{name}/")]
        assert [label] == (above or [0])


def test_the_names_of_a_level_are_partnets(official_data: Path) -> None:
    for level in (1, 2, 3):
        listed = (official_data / "partnet" / "after_merging_label_ids" / f"Chair-level-{level}.txt").read_text()
        assert level_names(CHAIR, level) == [line.split()[1] for line in listed.splitlines()]
    said = complaint(lambda: level_names(template_of("bag"), 3))
    assert said == "bag has no segmentation level 3 (there is: 1)"


def test_hierarchical_labels_go_from_the_root_to_the_leaf(example: Example) -> None:
    labels = hierarchical_labels(example.sample.leaf, example.instances, CHAIR)
    names = [label.path for label in CHAIR.hierarchical()]
    for row in labels:
        own = sorted((names[place] for place in np.flatnonzero(row[1:])), key=len)
        assert own[0] == "chair"
        assert all(below.rpartition("/")[0] == above for above, below in pairwise(own))
        assert not row[0]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_masks_are_disjoint_complete_and_of_one_label(example: Example, level: int) -> None:
    names = level_names(CHAIR, level)
    masks = instance_masks(example.sample.leaf, example.instances, names)
    labels = point_labels(example.sample.leaf, example.instances, names)
    assert (masks.mask.sum(0) + masks.other == 1).all()
    assert np.array_equal(masks.other, labels == 0)
    count = int(masks.valid.sum())
    assert masks.valid[:count].all()
    assert masks.mask[:count].any(1).all()
    assert not masks.mask[count:].any()
    for mask, label in zip(masks.mask[:count], masks.label, strict=False):
        assert set(labels[mask].tolist()) == {label + 1}


def test_each_leg_is_an_instance_of_its_own() -> None:
    shape = make_shape("chair", seed=0, family=3)
    legs = [part.id for part in shape.parts() if part.name == "leg"]
    leaf = np.array([leaf.id for leaf in shape.leaves()])
    masks = instance_masks(leaf, part_instances(shape), ["chair/chair_base/regular_leg_base/leg"])
    assert [leaf[mask].tolist() for mask in masks.mask[masks.valid]] == [[leg] for leg in legs]


def test_more_instances_than_there_is_room_for_are_refused_not_lost() -> None:
    parts = [PartInstance("mug/handle", (number,)) for number in range(201)]
    said = complaint(lambda: instance_masks(np.arange(201), parts, ["mug/handle"]))
    assert said == "has 201 part instances, more than the 200 that there is room for"


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(1, 20), st.just(3)),
        elements=st.integers(-(10**6), 10**6).map(lambda n: n / 1000),
    )
)
def test_normalized_points_have_their_box_around_the_origin_and_reach_radius_one(points: NDArray[np.float64]) -> None:
    found = normalized(points).astype(float)
    assert np.allclose(found.min(0) + found.max(0), 0, atol=1e-6)
    spread = np.ptp(points, axis=0).max() > 0
    assert np.isclose(np.linalg.norm(found, axis=1).max(), float(spread), atol=1e-6)


@pytest.mark.parametrize("kind", FIELDS)
def test_files_have_exactly_the_fields_that_partnets_scripts_know(library: Library, tmp_path: Path, kind: str) -> None:
    written = write_task(library, tmp_path, kind=kind, points=POINTS)
    chairs = next(path for path in written.files if "Chair" in path.parent.name)
    assert chairs.name == "test-00.h5"
    with h5py.File(chairs) as file:
        found = {name: (str(field.dtype), field.shape[1:]) for name, field in file.items()}
        assert found == FIELDS[kind]
        assert {field.shape[0] for field in file.values()} == {4}
    read = read_h5(chairs, kind)
    for row, folder in enumerate(library.folders[:4]):
        for name, value in row_of(example_of(folder, points=POINTS), kind).items():
            assert np.array_equal(read[name][row], np.asarray(value, read[name].dtype))
    assert written.left_out == ([] if kind == "instance" else ["gadget"])


def test_instance_records_give_the_masks_of_any_level(library: Library, tmp_path: Path) -> None:
    """As PartNet's scripts do it: leaf numbers of the h5 file, leaf lists of the JSON beside it."""
    source, truth = (
        write_task(library, tmp_path, kind=kind, level=2, points=POINTS).files[0] for kind in ("instance", "truth")
    )
    label, records = read_h5(source, "instance")["label"], read_records(source)
    judged = read_h5(truth, "truth")
    names = level_names(CHAIR, 2)
    for shape, record in enumerate(records):
        assert {"anno_id", "model_id", "ins_seg"} <= record.keys()
        parts = [part for part in record["ins_seg"] if part["part_name"] in names]
        expected = [(names.index(part["part_name"]), np.isin(label[shape], part["leaf_id_list"])) for part in parts]
        expected = [(name, mask) for name, mask in expected if mask.any()]
        count = int(judged["gt_mask_valid"][shape].sum())
        assert judged["gt_mask_label"][shape][:count].tolist() == [name for name, _ in expected]
        assert np.array_equal(judged["gt_mask"][shape][:count], [mask for _, mask in expected])


def test_the_same_library_gives_the_same_bytes(library: Library, tmp_path: Path) -> None:
    one, two = (write_task(library, tmp_path / name, kind="detection", points=POINTS).files[0] for name in "ab")
    assert one.read_bytes() == two.read_bytes()


def tiny(number: int) -> Example:
    points = np.eye(4, 3) + number
    sample = PointSample(points, np.eye(4, 3), np.zeros((4, 3), np.uint8), np.ones(4), np.zeros(4, np.int32))
    return Example({"anno_id": str(number)}, sample, [PartInstance("mug", (0,))], template_of("mug"))


def test_a_file_holds_at_most_1024_shapes_and_the_next_goes_on(tmp_path: Path) -> None:
    files = write_split(tmp_path, "train", (tiny(number) for number in range(1030)), kind="instance")
    assert [path.name for path in files] == ["train-00.h5", "train-01.h5"]
    assert [len(read_h5(path, "instance")["pts"]) for path in files] == [1024, 6]
    names = [record["anno_id"] for path in files for record in read_records(path)]
    assert names == [str(number) for number in range(1030)]


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken() -> Any:
        yield tiny(0)
        raise RuntimeError("the machine stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        write_split(tmp_path, "train", broken(), kind="instance")
    assert list(tmp_path.iterdir()) == []


def test_predictions_come_back(tmp_path: Path) -> None:
    rng = generator(0, "predictions")
    rows = [
        {
            "mask": rng.random((7, 20)) < 0.5,
            "label": rng.integers(0, 5, 7),
            "valid": rng.random(7) < 0.5,
            "conf": rng.random(7),
        }
        for _ in range(3)
    ]
    write_h5(tmp_path / "test-00.h5", "predictions", rows)
    read = read_h5(tmp_path / "test-00.h5", "predictions")
    assert {name: value.dtype.name for name, value in read.items()} == {
        "mask": "bool",
        "label": "uint8",
        "valid": "bool",
        "conf": "float32",
    }
    assert np.array_equal(read["mask"], [row["mask"] for row in rows])
    assert np.array_equal(read["conf"], np.array([row["conf"] for row in rows], np.float32))


def test_training_files_of_partnets_own_script_are_read_too(tmp_path: Path) -> None:
    """It labels the points, not the masks, in `gt_label`."""
    path = tmp_path / "train-00.h5"
    row = dict(row_of(tiny(0)._replace(instances=[PartInstance("mug/handle", (0,))]), "detection", level=1))
    write_h5(path, "detection", [row | {"gt_label": np.ones(4, np.uint8)}])
    assert read_h5(path, "detection")["gt_label"].shape == (1, 4)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "field 'data': is missing from this file of kind semantic"),
        ({"data": np.zeros((2, 5, 3), "f4")}, "field 'label_seg': is missing"),
        (
            {"data": np.zeros((2, 5, 3)), "label_seg": np.zeros((2, 5), "u1")},
            "field 'data': holds float64, not float32",
        ),
        (
            {"data": np.zeros((2, 5, 2), "f4"), "label_seg": np.zeros((2, 5), "u1")},
            "field 'data': has the shape (2, 5, 2), not B x N x 3",
        ),
        (
            {"data": np.zeros((2, 5, 3), "f4"), "label_seg": np.zeros((2, 4), "u1")},
            "field 'label_seg': has the shape (2, 4), not B x N",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(
    tmp_path: Path, fields: dict[str, NDArray[Any]], sentence: str
) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        for name, value in fields.items():
            file[name] = value
    said = str(complaint(lambda: read_h5(path, "semantic")))
    assert str(path) in said
    assert sentence in said


def test_what_is_no_file_of_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.h5").write_bytes(b"not hdf5")
    assert "is not an HDF5 file" in str(complaint(lambda: read_h5(tmp_path / "a.h5", "truth")))
    assert "there is no such file" in str(complaint(lambda: read_h5(tmp_path / "b.h5", "truth")))
    assert "did you mean 'semantic'?" in str(complaint(lambda: read_h5(tmp_path / "a.h5", "semantics")))
    rows = [row_of(tiny(0), "instance"), {name: value[:2] for name, value in row_of(tiny(0), "instance").items()}]
    assert "as those before" in str(complaint(lambda: write_h5(tmp_path / "c.h5", "instance", rows)))
    assert "no shapes" in str(complaint(lambda: write_h5(tmp_path / "c.h5", "instance", [])))
    assert not (tmp_path / "c.h5").exists()


def test_the_command_writes_files_for_a_library(mereo: CommandLine, library: Library, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = mereo("shapes", "h5", library.path, out, "--task", "semantic", "--level", "1", "--points", "200")
    path = out / "sem_seg_h5" / "Chair-1" / "test-00.h5"
    assert done.out.splitlines() == [str(path), "left out, as there are no such labels: gadget"]
    assert read_h5(path, "semantic")["data"].shape == (4, 200, 3)
    refused = mereo("shapes", "h5", library.path / "gadgets", out, "--task", "truth", code=2)
    assert "has no category with parts for the task truth at level 3" in refused.err
