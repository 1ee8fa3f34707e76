"""PartNet as a whole: built, audited, damaged, exported, predicted in files of all kinds, judged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import mereo as workbench
from kit import CommandLine, complaint
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.partnet.clouds import Cloud, array_of, cloud_of, level_labels
from mereo.benchmarks.partnet.gather import gathered
from mereo.benchmarks.partnet.intervals import resampled_precision
from mereo.benchmarks.partnet.labels import CategoryLabels, read_labels
from mereo.benchmarks.partnet.metrics import Matches, average_precision, hierarchical, instances, semantic
from mereo.benchmarks.partnet.names import AskedSet
from mereo.benchmarks.partnet.predictors import header_of, label_frequently, label_rightly
from mereo.benchmarks.partnet.said import saying
from mereo.chance import generator
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.audit import audit_dataset
from mereo.datasets.predictions import Mask, Prediction, write_predictions
from mereo.datasets.store import open_dataset, read_table, record_file, write_manifest, write_table
from mereo.evaluation.intervals import drawn_scenes
from mereo.evaluation.result import ScoredRow, ScoredTable
from mereo.explorer.catalog import Catalog
from mereo.shapes.grammar import make_shape
from mereo.shapes.library import LibraryOrder, make_library
from mereo.shapes.partnet_h5 import read_h5
from mereo.shapes.segmentation import hierarchical_labels, instance_masks, level_names, part_instances, point_labels
from mereo.shapes.template import template_of
from mereo.workbench.judging import evaluate

POINTS = 300
SET: dict[str, Any] = {"split": "train=3,test=6", "categories": "chair,bag,table", "points": POINTS, "seed": 5}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three shapes to learn from and six to judge by, of three categories with three levels, one, and three."""
    return workbench.build("partnet", tmp_path_factory.mktemp("partnet") / "set", **SET).folder


@pytest.fixture(scope="module")
def exported(dataset: Path) -> Path:
    folder = dataset.with_name("exported")
    workbench.export(dataset, folder, to="partnet_h5")
    return folder


def rows(folder: Path, kind: str = "scenes") -> list[dict[str, Any]]:
    return [row for path in sorted((folder / kind).iterdir()) for row in read_table(path).to_pylist()]


def clouds(folder: Path) -> dict[str, Cloud]:
    labels = read_labels(open_dataset(folder))
    return {row["scene_id"]: cloud_of(row, labels) for row in rows(folder)}


# What is built


def test_a_cloud_has_the_labels_of_the_shape_that_it_is_of(dataset: Path) -> None:
    row = next(row for row in rows(dataset) if row["scene_id"] == "test-000003")
    cloud = clouds(dataset)["test-000003"]
    shape = make_shape("chair", seed=5, split="test", family=1)
    parts, template = part_instances(shape), template_of("chair")
    assert (cloud.record.name, cloud.record.family) == (shape.name, f"chair {shape.facts['family']}")
    assert array_of(row, "points", POINTS).shape == (POINTS, 3)
    for level in (1, 2, 3):
        names = level_names(template, level)
        assert (level_labels(row, POINTS)[level - 1] == point_labels(cloud.leaf, parts, names)).all()
        mask, label, valid, other = instance_masks(cloud.leaf, parts, names)
        truth, unlabeled = cloud.true(level)
        assert (truth.mask == mask[valid]).all()
        assert (truth.label == label[valid]).all()
        assert (unlabeled == other).all()
    assert (cloud.hierarchy() == hierarchical_labels(cloud.leaf, parts, template)[:, 1:]).all()


def test_points_lie_on_the_shape_in_partnets_frame_within_the_unit_ball(dataset: Path) -> None:
    for row in rows(dataset):
        points = array_of(row, "points", POINTS)
        assert np.linalg.norm(points, axis=1).max() == pytest.approx(1, abs=1e-6)
        assert np.abs(points.min(0) + points.max(0)).max() < 1e-6
    own, heights = clouds(dataset), []
    for row in rows(dataset):
        cloud = own[row["scene_id"]]
        if cloud.record.category == "chair":  # y is up: seats are above what carries them
            told, up = level_labels(row, POINTS)[0], array_of(row, "points", POINTS)[:, 1]
            seat, base = (cloud.labels.at(1).index(f"chair/chair_{name}") + 1 for name in ("seat", "base"))
            heights.append((up[told == seat].mean(), up[told == base].mean()))
    assert len(heights) == 3
    assert all(seat > base for seat, base in heights)


def test_every_task_is_asked_at_every_level_that_the_category_has(dataset: Path) -> None:
    asked = [row["subtype"] for row in rows(dataset, "questions") if row["scene_id"] in ("test-000000", "test-000001")]
    levels = [f"{task} chair-{level}" for task in ("semantic", "instance") for level in (1, 2, 3)]
    assert asked == [*levels, "hierarchical chair", "semantic bag-1", "instance bag-1", "hierarchical bag"]


def test_sets_are_named_back_and_forth() -> None:
    for one in (AskedSet("semantic", "storage_furniture", 3), AskedSet("hierarchical", "chair")):
        assert AskedSet.named(one.name) == one


def test_the_nodes_of_a_hierarchy_are_below_the_nearest_that_is_listed(dataset: Path) -> None:
    labels: CategoryLabels = read_labels(open_dataset(dataset))["chair"]
    assert labels.parents[0] == -1
    assert labels.nodes[0] == "chair"
    for path, parent in list(zip(labels.nodes, labels.parents, strict=True))[1:]:
        assert path.startswith(f"{labels.nodes[parent]}/")


def test_the_same_order_gives_the_same_bytes_and_normals_only_where_asked_for(dataset: Path, tmp_path: Path) -> None:
    again = workbench.build("partnet", tmp_path / "again", **SET).folder
    one, other = open_dataset(dataset), open_dataset(again)
    assert one.files == other.files
    with_normals = workbench.build("partnet", tmp_path / "more", **{**SET, "split": "test=1"}, normals=True).folder
    (row,) = rows(with_normals)
    assert np.linalg.norm(array_of(row, "normals", POINTS), axis=1) == pytest.approx(1, abs=1e-5)
    assert "normals" not in rows(dataset)[0]


# What an audit finds


def test_an_audit_finds_nothing_wrong(dataset: Path) -> None:
    found = audit_dataset(dataset, inspector_of(open_dataset(dataset)))
    assert found.complaints == []
    assert (found.scenes, found.questions) == (9, 51)


def with_first_row(folder: Path, out: Path, change: Callable[[dict[str, Any]], None]) -> list[str]:
    """What an audit says of a dataset of which the first test row was changed, and the manifest with it."""
    shutil.copytree(folder, out)
    path = out / "scenes" / "test-00000.parquet"
    table = read_table(path)
    some = table.to_pylist()
    change(some[0])
    write_table(path, {name: [row[name] for row in some] for name in table.column_names}, table.schema)
    manifest = open_dataset(out)
    manifest.files["scenes/test-00000.parquet"] = record_file(path)
    write_manifest(out, manifest)
    return audit_dataset(out, inspector_of(open_dataset(out))).complaints


def test_an_audit_finds_labels_points_and_bytes_that_are_wrong(dataset: Path, tmp_path: Path) -> None:
    def other_labels(row: dict[str, Any]) -> None:
        row["labels"] = bytes(3 * POINTS)

    def smaller(row: dict[str, Any]) -> None:
        row["points"] = (array_of(row, "points", POINTS) / 2).tobytes()

    def shorter(row: dict[str, Any]) -> None:
        row["leaf"] = row["leaf"][:-4]

    told = with_first_row(dataset, tmp_path / "labels", other_labels)
    assert told == [f"test-000000: the labels of level {level} are not those of its parts" for level in (1, 2, 3)]
    assert "at radius 0.500" in with_first_row(dataset, tmp_path / "points", smaller)[0]
    (told_of_leaf,) = with_first_row(dataset, tmp_path / "leaf", shorter)
    assert "field 'leaf': holds 1,196 bytes, not 1,200 bytes" in told_of_leaf


# Files of PartNet's own


def test_exported_files_hold_the_same_points_and_labels(dataset: Path, exported: Path) -> None:
    own = {row["scene_id"]: row for row in rows(dataset)}
    file = read_h5(exported / "sem_seg_h5" / "Chair-3" / "test-00.h5", "semantic")
    assert file["data"][1] == pytest.approx(array_of(own["test-000003"], "points", POINTS), abs=1e-6)
    assert (file["label_seg"][1] == level_labels(own["test-000003"], POINTS)[2]).all()
    tree = read_h5(exported / "hier_seg_h5" / "Bag" / "test-00.h5", "hierarchical")
    assert (tree["label_hier"][0, :, 1:] == clouds(dataset)["test-000001"].hierarchy()).all()
    truth = read_h5(exported / "ins_seg_h5_gt" / "Chair-1" / "test-00.h5", "truth")
    found, other = clouds(dataset)["test-000000"].true(1)
    assert (truth["gt_mask"][0][truth["gt_mask_valid"][0]] == found.mask).all()
    assert (truth["gt_mask_other"][0] == other).all()
    assert not (exported / "sem_seg_h5" / "Bag-2").exists()
    assert not (exported / "ins_seg_h5").exists()  # which has normals


# What is judged


def asked_of(folder: Path, split: str = "test") -> Asked:
    asked = load_questions(folder)
    return asked.take([k for k, own in enumerate(asked.words("split")) if own == split])


def judged(folder: Path, predictions: list[Prediction], name: str) -> dict[str, ScoredTable]:
    path = folder.with_name(f"{name}.jsonl")
    write_predictions(path, header_of(load_questions(folder), name), predictions)
    (run,) = evaluate(folder, [path], split="test", replace=True)
    return {table.name: table for table in run.result.tables}


def row_of(table: ScoredTable, name: str, group: str = "") -> ScoredRow:
    return next(row for row in table.rows if (row.name, row.group) == (name, group))


def test_the_truth_is_all_right(dataset: Path) -> None:
    tables = judged(dataset, list(label_rightly(asked_of(dataset))), "truth")
    for task in ("semantic", "hierarchical", "instance"):
        for row in tables[f"{task} segmentation"].rows:
            assert row.scores["part"].value == row.scores["shape"].value == pytest.approx(1)
    bag = row_of(tables["semantic segmentation"], "level 1", "bag")
    assert (bag.questions, bag.unanswered) == (2, 0)


def test_scores_of_a_category_and_level_are_those_of_the_measures(dataset: Path) -> None:
    rng = generator(3)
    own, predictions, said = clouds(dataset), list[Prediction](), dict[tuple[str, str], Any]()
    asked = asked_of(dataset)
    for name, scene, subtype in zip(asked.ids, asked.words("scene_id"), asked.words("subtype"), strict=True):
        cloud, kind = own[scene], AskedSet.named(subtype)
        if kind.category != "chair" or kind.level == 1:
            continue
        names = cloud.labels.nodes if kind.level is None else cloud.labels.at(kind.level)
        if kind.task == "semantic":
            labels = np.where(rng.random(POINTS) < 0.7, cloud.semantic(kind.level or 0), rng.integers(0, 5, POINTS))
            masks = labels[None] == np.arange(1, len(names) + 1)[:, None]
            predictions.append(saying(name, names, masks))
            said[scene, subtype] = labels
        elif kind.task == "hierarchical":
            nodes = cloud.hierarchy() ^ (rng.random((POINTS, len(names))) < 0.1)
            predictions.append(saying(name, names, nodes.T))
            said[scene, subtype] = nodes
        else:
            truth, _ = cloud.true(kind.level or 0)
            masks = truth.mask ^ (rng.random(truth.mask.shape) < 0.1)
            sure = np.round(rng.random(len(masks)), 2)
            found = truth._replace(mask=masks, confidence=sure)
            predictions.append(saying(name, [names[k] for k in truth.label], masks, sure.tolist()))
            said[scene, subtype] = found
    tables = judged(dataset, predictions, "noisy")
    scenes = [scene for scene, cloud in own.items() if cloud.record.category == "chair" and scene.startswith("test")]
    labels_of_chair = own[scenes[0]].labels
    for level in (2, 3):
        count = len(labels_of_chair.at(level))
        truths = [own[scene].true(level) for scene in scenes]
        expected: dict[str, Any] = {
            "semantic": semantic(
                [own[scene].semantic(level) for scene in scenes],
                [said[scene, f"semantic chair-{level}"] for scene in scenes],
                count,
            ),
            "instance": instances(
                [true for true, _ in truths],
                [said[scene, f"instance chair-{level}"] for scene in scenes],
                [other for _, other in truths],
                count,
            ),
        }
        for task, score in expected.items():
            row = row_of(tables[f"{task} segmentation"], f"level {level}", "chair")
            assert row.scores["part"].value == pytest.approx(score.part_mean, abs=1e-12)
            assert row.scores["shape"].value == pytest.approx(score.shape_mean, abs=1e-12)
            assert row.scores["undefined"].value == score.undefined / count
            low, high = (getattr(row.scores["part"], end) for end in ("low", "high"))
            assert low - 1e-9 <= score.part_mean <= high + 1e-9
    tree = hierarchical(
        [own[scene].hierarchy() for scene in scenes],
        [said[scene, "hierarchical chair"] for scene in scenes],
        labels_of_chair.parents,
    )
    row = row_of(tables["hierarchical segmentation"], "all levels", "chair")
    assert row.scores["part"].value == pytest.approx(tree.part_mean, abs=1e-12)
    average = row_of(tables["semantic segmentation"], "average").scores["part"].value
    both = [row_of(tables["semantic segmentation"], f"level {k}", "chair").scores["part"].value for k in (2, 3)]
    assert average == pytest.approx(np.mean(both))  # tables and bags, of which nothing is said, are left out


def test_the_most_frequent_part_is_a_start(dataset: Path) -> None:
    tables = judged(dataset, list(label_frequently(asked_of(dataset))), "frequent")
    for task in ("semantic", "hierarchical", "instance"):
        assert 0 < row_of(tables[f"{task} segmentation"], "average").scores["shape"].value < 0.7


# What others predicted


def gather(dataset: Path, files: Path) -> list[Prediction]:
    return gathered(asked_of(dataset), files)


@pytest.fixture
def files(exported: Path, tmp_path: Path) -> Path:
    """The truth, laid out as predictions: as HDF5, for instances as NPZ."""
    folder = tmp_path / "files"
    shutil.copytree(exported / "sem_seg_h5", folder / "semantic")
    shutil.copytree(exported / "hier_seg_h5", folder / "hierarchical")
    for path in (exported / "ins_seg_h5_gt").glob("*/test-00.h5"):
        truth = read_h5(path, "truth")
        target = folder / "instance" / path.parent.name / "test-00.npz"
        target.parent.mkdir(parents=True)
        valid = truth["gt_mask_valid"]
        np.savez_compressed(
            target,
            mask=truth["gt_mask"],
            label=truth["gt_mask_label"],
            valid=valid,
            conf=valid.astype(np.float32),
        )
    return folder


def test_files_of_arrays_become_predictions_that_are_judged(dataset: Path, files: Path) -> None:
    tables = judged(dataset, gather(dataset, files), "files")
    for task in ("semantic", "hierarchical", "instance"):
        assert row_of(tables[f"{task} segmentation"], "average").scores["part"].value == pytest.approx(1)
        assert all(row.unanswered == 0 for row in tables[f"{task} segmentation"].rows)


def test_records_beside_a_file_say_which_shapes_it_is_about(dataset: Path, files: Path) -> None:
    path = files / "semantic" / "Chair-3" / "test-00.h5"
    names = [cloud.record.name for scene, cloud in clouds(dataset).items() if scene in ("test-000000", "test-000003")]
    with h5py.File(path, "r+") as file:
        file["label_seg"][...] = file["label_seg"][...][::-1]
    path.with_suffix(".json").write_text(json.dumps([{"anno_id": name} for name in names[::-1]]))
    tables = judged(dataset, gather(dataset, files), "turned")
    assert row_of(tables["semantic segmentation"], "level 3", "chair").scores["part"].value == pytest.approx(1)
    path.with_suffix(".json").write_text(json.dumps([{"anno_id": "17"}, {"anno_id": names[0]}]))
    told = complaint(lambda: gather(dataset, files))
    assert told == f"{path}, shape 0: is a prediction for '17', which is no chair of test in the dataset"


def replaced(path: Path, field: str, value: Any) -> None:
    with h5py.File(path, "r+") as file:
        del file[field]
        if value is not None:
            file[field] = value


def test_arrays_that_do_not_fit_are_told_in_a_sentence(dataset: Path, files: Path) -> None:
    path = files / "semantic" / "Chair-3" / "test-00.h5"
    whole = read_h5(path, "labels")["label_seg"]

    def told(value: Any) -> str:
        replaced(path, "label_seg", value)
        return complaint(lambda: gather(dataset, files)) or ""

    assert told(whole[:1]) == f"{path.parent}: there are 1 rows for the 2 shapes of Chair-3, test"
    assert told(whole[[0, 1, 1]]) == f"{path}: there are 3 rows for the 2 shapes of Chair-3, test"
    assert told(np.maximum(whole, 99)) == f"{path}, shape 0, field 'label_seg': has the label 99, and there are 38"
    assert told(whole[:, :200]) == f"{path}, shape 0, field 'label_seg': is about 200 points, the shape has 300"
    assert told(whole.astype(np.int64)) == f"{path}, field 'label_seg': holds int64, not uint8"
    replaced(path, "label_seg", None)
    assert (
        complaint(lambda: gather(dataset, files))
        == f"{path}, field 'label_seg': is missing from this file of kind labels"
    )
    path.write_bytes(b"nothing of the kind")
    assert complaint(lambda: gather(dataset, files)) == f"{path}: is not an HDF5 file"
    path.unlink()
    path.with_suffix(".npz").write_bytes(b"nothing of the kind")
    assert "is not a whole NPZ file" in (complaint(lambda: gather(dataset, files)) or "")
    assert "there is no such folder" in (complaint(lambda: gather(dataset, files / "nowhere")) or "")


def first(dataset: Path, task: str = "semantic chair-1") -> str:
    asked = asked_of(dataset)
    return str(asked.ids[asked.words("subtype").index(task)])


def test_predictions_that_cannot_be_are_told_in_a_sentence(dataset: Path) -> None:
    whole = Mask((1, POINTS), [0, POINTS])

    def told(*, task: str = "semantic chair-1", **said: Any) -> str:
        one = Prediction(first(dataset, task), **said)
        return (complaint(lambda: judged(dataset, [one], "wrong")) or "").partition(": ")[2]

    seat = "chair/chair_seat"
    assert "names 1 parts, and there are 2 masks" in told(answer=seat, masks=[whole, whole])
    assert "no part 'chair/seat' to be told apart here" in told(answer="chair/seat", masks=[whole])
    assert "is of 1 x 200 points, the shape of 1 x 300" in told(answer=seat, masks=[Mask((1, 200), [0, 200])])
    assert "puts a point into two parts" in told(answer=f"{seat}, chair/chair_back", masks=[whole, whole])
    assert "are run lengths of 4 pixels" in told(answer=seat, masks=[Mask((1, POINTS), [4])])
    assert "'much' does not say how sure" in told(task="instance chair-1", answer=f"{seat}=much", masks=[whole])


# Shapes that are there already


def test_shapes_of_a_library_are_taken_with_their_splits_and_points(tmp_path: Path) -> None:
    make_library(tmp_path / "library", LibraryOrder(("mug", "chopping_board"), 2, 0, "test", points=200))
    found = workbench.build("partnet", tmp_path / "set", shapes_from=tmp_path / "library", points=200).folder
    own = clouds(found)
    assert list(own) == ["test-000000", "test-000001"]  # chopping boards are none of PartNet's
    assert {cloud.record.category for cloud in own.values()} == {"mug"}
    assert audit_dataset(found, inspector_of(open_dataset(found))).complaints == []
    drawn = workbench.build("partnet", tmp_path / "drawn", shapes_from=tmp_path / "library", points=90).folder
    assert {len(cloud) for cloud in clouds(drawn).values()} == {90}  # from the meshes


def test_partnets_own_folders_are_read_and_judged(official_data: Path, tmp_path: Path) -> None:
    """Their trees are real; their points, which these folders lack, lie by chance on the leaves."""
    shutil.copytree(official_data / "partnet" / "annotations", tmp_path / "real")
    rng = generator(1)
    for folder in (tmp_path / "real").iterdir():
        leaves = [int(node["id"]) for node in leaves_of(json.loads((folder / "result.json").read_text())[0])]
        put_points(folder, rng.choice(leaves, 400), rng)
    found = workbench.build("partnet", tmp_path / "set", shapes_from=tmp_path / "real", points=400).folder
    assert sum(open_dataset(found).scenes.values()) == 2
    assert audit_dataset(found, inspector_of(open_dataset(found))).complaints == []
    for cloud in clouds(found).values():
        assert cloud.hierarchy()[:, 0].mean() > 0.9
        assert any(cloud.semantic(level).any() for level in cloud.labels.levels)
    path = tmp_path / "truth.jsonl"
    asked = load_questions(found)
    write_predictions(path, header_of(asked, "truth"), label_rightly(asked))
    (run,) = evaluate(found, [path])
    assert run.score.value == pytest.approx(1)


def leaves_of(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [leaf for child in node.get("children", []) for leaf in leaves_of(child)] or [node]


def put_points(folder: Path, leaf: Any, rng: np.random.Generator) -> None:
    place, count = folder / "point_sample", len(leaf)
    place.mkdir()
    points, normals = rng.normal(size=(2, count, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    table = np.concatenate([points, normals, np.full((count, 3), 255), np.ones((count, 1))], 1)
    np.savetxt(place / f"sample-points-all-pts-nor-rgba-{count}.txt", table, fmt="%.9g")
    np.savetxt(place / f"sample-points-all-label-{count}.txt", leaf, fmt="%d")


def test_folders_without_points_or_meshes_are_told_before_anything_is_built(tmp_path: Path) -> None:
    make_library(tmp_path / "library", LibraryOrder(("mug",), 1, 0, "test"))
    folder = next((tmp_path / "library" / "mug").iterdir())
    shutil.rmtree(folder / "objs")

    def build(**more: Any) -> str:
        return complaint(lambda: workbench.build("partnet", tmp_path / "set", **more)) or ""

    assert build(shapes_from=tmp_path / "library") == (
        f"{folder}: has neither points nor meshes: there is none of point_sample, objs, textured_objs"
    )
    assert "holds no shape of the categories chair" in build(shapes_from=tmp_path / "library", categories="chair")
    assert "there is no such folder" in build(shapes_from=tmp_path / "nowhere")
    assert "there is no category with a grammar 'chopping_board'" in build(categories="chopping_board")
    assert not (tmp_path / "set").exists()


def test_intervals_are_those_of_shapes_drawn_and_scored_again() -> None:
    """The scores of the first resamples, each counted as if its shapes were all that there are."""
    rng = generator(8)
    truths = rng.integers(0, 3, (7, 4))
    found = []
    for _ in range(7):
        hits = rng.random(9) < 0.4
        found.append(Matches(hits, rng.integers(0, 4, 9), np.sort(rng.random(9))[::-1]))
    part, _ = resampled_precision(found, truths, rng.random(7))
    (weights, *_) = drawn_scenes(7)
    for draw in range(25):
        chosen = np.repeat(np.arange(7), weights[draw].astype(int))
        scores = []
        for label in range(4):
            own = [found[k].label == label for k in chosen]
            hits = np.concatenate([found[k].hit[mine] for k, mine in zip(chosen, own, strict=True)])
            sure = np.concatenate([found[k].confidence[mine] for k, mine in zip(chosen, own, strict=True)])
            scores.append(average_precision(hits, int(truths[chosen, label].sum()), sure))
        assert part.drawn[draw] == pytest.approx(np.nanmean(scores), abs=1e-9)


def test_shapes_of_hdf5_files_are_taken_with_their_splits_points_and_labels(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"split": "train=1,test=2", "categories": "chair", "points": 200, "normals": True}
    first = workbench.build("partnet", tmp_path / "first", **chosen).folder
    workbench.export(first, tmp_path / "files", to="partnet_h5")
    again = workbench.build("partnet", tmp_path / "again", shapes_from=tmp_path / "files", points=200).folder
    one, other = clouds(first), clouds(again)
    assert list(one) == list(other)
    for scene, cloud in one.items():
        assert cloud.record.parts == other[scene].record.parts
        assert (cloud.leaf == other[scene].leaf).all()
    fewer = workbench.build("partnet", tmp_path / "fewer", shapes_from=tmp_path / "files", points=50).folder
    assert {len(cloud) for cloud in clouds(fewer).values()} == {50}
    assert audit_dataset(fewer, inspector_of(open_dataset(fewer))).complaints == []
    told = complaint(lambda: workbench.build("partnet", tmp_path / "no", shapes_from=tmp_path / "files", points=900))
    assert told is not None
    assert "shape 0: has 200 points, not 900: choose fewer with --points" in told


def test_the_explorer_opens_shapes_and_finds_them_by_category_and_label(dataset: Path) -> None:
    catalog = Catalog([dataset])
    assert catalog.scene_row(0, "test-000001")["objects"] == len(clouds(dataset)["test-000001"].record.parts)
    found = list(inspector_of(open_dataset(dataset)).facts(rows(dataset)[0]))
    assert found[0][0] == "category"
    assert all(name == "label" for name, _ in found[1:])


# From the command line


def test_from_the_command_line(mereo: CommandLine, dataset: Path, files: Path, tmp_path: Path) -> None:
    mereo("build", "partnet", tmp_path / "set", "--split", "test=1", "--categories", "mug", "--points", "100")
    mereo("label-parts", dataset, tmp_path / "frequent.jsonl", "--split", "test")
    done = mereo("gather-parts", dataset, files, tmp_path / "files.jsonl", "--split", "test")
    assert "34 of 34 questions have a prediction" in done.out
    shown = mereo(
        "evaluate", dataset, tmp_path / "frequent.jsonl", tmp_path / "files.jsonl", "--tables", "6", "--replace"
    )
    assert "semantic segmentation" in shown.out
    assert "bag: level 1" in shown.out
