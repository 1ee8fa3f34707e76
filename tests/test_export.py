"""Datasets in the formats of others, and back: what their own tools read is what ours hold."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pycocotools.coco import COCO

import referred
from kit import CommandLine, scene_file
from mereo.benchmarks.benchmark import benchmark
from mereo.datasets.export import all_exporters, export_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.pictures import decode_png
from mereo.datasets.store import open_dataset, read_table
from mereo.workbench.building import export

FORMATS = ["clevr", "coco", "webdataset"]
OWN = benchmark("clevr").exporters


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small dataset with pictures."""
    from mereo.benchmarks.clevr.recipe import ClevrRecipe
    from mereo.datasets.build import build_dataset

    folder = tmp_path_factory.mktemp("exported") / "dataset"
    recipe = ClevrRecipe(seed=6, questions_per_scene=5, pictures=PictureSettings(width=64, height=48, samples=8))
    build_dataset(recipe, folder, splits={"train": 3, "val": 1}, shard_size=2)
    return folder


def rows(dataset: Path, kind: str, split: str) -> list[dict[str, Any]]:
    paths = sorted((dataset / kind).glob(f"{split}-*.parquet"))
    return [row for path in paths for row in read_table(path).to_pylist()]


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# CLEVR's own folders


@pytest.fixture
def as_clevr(dataset: Path, tmp_path: Path, mereo: CommandLine) -> Path:
    mereo("export", dataset, tmp_path / "clevr", "--to", "clevr")
    return tmp_path / "clevr"


def test_clevrs_files_hold_all_scenes_questions_and_pictures(dataset: Path, as_clevr: Path) -> None:
    for split, count in {"train": 3, "val": 1}.items():
        scenes = json.loads((as_clevr / "scenes" / f"CLEVR_{split}_scenes.json").read_bytes())["scenes"]
        questions = json.loads((as_clevr / "questions" / f"CLEVR_{split}_questions.json").read_bytes())["questions"]
        ours = rows(dataset, "questions", split)
        assert [scene["image_index"] for scene in scenes] == list(range(count))
        assert [question["question_index"] for question in questions] == list(range(len(ours)))
        for theirs, own in zip(questions, ours, strict=True):
            assert (theirs["question"], theirs["answer"]) == (own["question"], own["answer"])
            assert theirs["image_filename"] == f"CLEVR_{own['scene_id']}.png"
        for row, scene in zip(rows(dataset, "scenes", split), scenes, strict=True):
            assert (as_clevr / "images" / split / scene["image_filename"]).read_bytes() == row["image"]["bytes"]


@pytest.mark.parametrize("split", ["train", "val"])
def test_every_answer_of_clevrs_files_verifies(as_clevr: Path, mereo: CommandLine, split: str) -> None:
    scenes, questions = (as_clevr / kind / f"CLEVR_{split}_{kind}.json" for kind in ("scenes", "questions"))
    done = mereo("verify", "--scenes", scenes, "--questions", questions)
    asked = {"train": 15, "val": 5}[split]
    assert f"answers: {asked} of {asked} (100%)" in done.out


def test_what_is_exported_to_clevr_can_be_imported_again(
    dataset: Path, as_clevr: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    given = {kind: as_clevr / kind / f"CLEVR_train_{kind}.json" for kind in ("scenes", "questions")}
    images = as_clevr / "images" / "train"
    back = tmp_path / "back"
    mereo("import", "clevr", back, "--scenes", given["scenes"], "--questions", given["questions"], "--images", images)
    assert open_dataset(back).scenes == {"train": 3}
    for kind, same in {
        "scenes": ("scene_id", "split", "index", "objects"),
        "questions": ("question_id", "scene_id", "question", "program", "answer", "referred"),
    }.items():
        for new, old in zip(rows(back, kind, "train"), rows(dataset, kind, "train"), strict=True):
            assert {name: new[name] for name in same} == {name: old[name] for name in same}
    for new, old in zip(rows(back, "scenes", "train"), rows(dataset, "scenes", "train"), strict=True):
        assert json.loads(new["scene"]) == json.loads(old["scene"])
        assert new["image"]["bytes"] == old["image"]["bytes"]
    assert "3 scenes and 15 questions: nothing is wrong" in mereo("audit", back).out


def test_official_files_can_be_imported_and_keep_their_word(
    official_data: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    samples = official_data / "official_samples"
    scenes, questions = samples / "clevr_questions_scenes.json", samples / "clevr_questions.json"
    mereo("import", "clevr", tmp_path / "official", "--scenes", scenes, "--questions", questions)
    manifest = open_dataset(tmp_path / "official")
    theirs = json.loads(questions.read_bytes())["questions"]
    assert sum(manifest.scenes.values()) == len(json.loads(scenes.read_bytes())["scenes"])
    assert sum(manifest.questions.values()) == len(theirs) > 0
    ours = [row for split in manifest.scenes for row in rows(tmp_path / "official", "questions", split)]
    assert sorted(row["question"] for row in ours) == sorted(question["question"] for question in theirs)
    mereo("audit", tmp_path / "official")


def test_a_question_about_no_scene_is_named(as_clevr: Path, tmp_path: Path, mereo: CommandLine) -> None:
    scenes = as_clevr / "scenes" / "CLEVR_val_scenes.json"
    questions = as_clevr / "questions" / "CLEVR_train_questions.json"
    done = mereo("import", "clevr", tmp_path / "out", "--scenes", scenes, "--questions", questions, code=2)
    assert f"{questions}, question 0: asks about CLEVR_train-000000.png, of which there is no scene" in done.err
    assert not (tmp_path / "out").exists()


# COCO


@pytest.fixture(scope="module")
def as_coco(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("coco") / "coco"
    export(dataset, folder, to="coco")
    return folder


def coco_images(as_coco: Path, dataset: Path) -> Iterator[tuple[COCO, dict[str, Any], dict[str, Any]]]:
    """Each image's record with COCO's index of its split and our row of it."""
    for split in ("train", "val"):
        coco = COCO(as_coco / "annotations" / f"instances_{split}.json")
        by_name = {f"{row['scene_id']}.png": row for row in rows(dataset, "scenes", split)}
        assert {image["file_name"] for image in coco.imgs.values()} == set(by_name)
        for image in coco.imgs.values():
            row = by_name[image["file_name"]]
            assert (as_coco / "images" / split / image["file_name"]).read_bytes() == row["image"]["bytes"]
            yield coco, image, row


# pycocotools was written for an older numpy.
@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_cocos_masks_areas_and_boxes_are_those_of_our_ids(as_coco: Path, dataset: Path) -> None:
    seen = 0
    for coco, image, row in coco_images(as_coco, dataset):
        ids = decode_png(row["instances"]["bytes"])
        key = json.loads(row["instance_key"])
        annotations = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        assert len(annotations) == row["objects"]
        for number, annotation in enumerate(annotations):
            mask = coco.annToMask(annotation).astype(bool)
            assert np.array_equal(mask, ids == number + 1)
            assert annotation["area"] == mask.sum()
            columns, lines = np.flatnonzero(mask.any(0)), np.flatnonzero(mask.any(1))
            width, height = columns[-1] - columns[0] + 1, lines[-1] - lines[0] + 1
            assert annotation["bbox"] == [columns[0], lines[0], width, height]
            assert coco.cats[annotation["category_id"]]["name"] == key[number][2]
            seen += 1
    assert seen == sum(row["objects"] for split in ("train", "val") for row in rows(dataset, "scenes", split))


def test_panoptic_pictures_hold_the_ids_of_their_segments(as_coco: Path, dataset: Path) -> None:
    for split in ("train", "val"):
        panoptic = json.loads((as_coco / "annotations" / f"panoptic_{split}.json").read_bytes())
        categories = {category["id"] for category in panoptic["categories"]}
        by_name = {f"{row['scene_id']}.png": row for row in rows(dataset, "scenes", split)}
        assert len(panoptic["annotations"]) == len(by_name)
        for annotation in panoptic["annotations"]:
            with Image.open(as_coco / "annotations" / f"panoptic_{split}" / annotation["file_name"]) as picture:
                red, green, blue = np.moveaxis(np.asarray(picture).astype(int), -1, 0)
            segments = red + 256 * green + 256**2 * blue
            assert {segment["id"] for segment in annotation["segments_info"]} == set(np.unique(segments)) - {0}
            for segment in annotation["segments_info"]:
                assert segment["area"] == (segments == segment["id"]).sum()
                assert segment["category_id"] in categories
            ids = decode_png(by_name[annotation["file_name"]]["instances"]["bytes"])
            assert np.array_equal(segments > 0, ids > 0)


@pytest.mark.parametrize("split", ["train", "val"])
@pytest.mark.parametrize("kind", ["instances", "panoptic"])
def test_a_category_has_one_number_whatever_occurs(as_coco: Path, kind: str, split: str) -> None:
    content = json.loads((as_coco / "annotations" / f"{kind}_{split}.json").read_bytes())
    numbers = {category["id"]: category["name"] for category in content["categories"]}
    assert numbers == {1: "cube", 2: "sphere", 3: "cylinder"}


def test_names_that_nobody_lists_are_numbered_by_the_alphabet(dataset: Path, tmp_path: Path) -> None:
    export_dataset(dataset, tmp_path / "out", to="coco")
    content = json.loads((tmp_path / "out" / "annotations" / "instances_train.json").read_bytes())
    names = [category["name"] for category in content["categories"]]
    assert names == sorted(names)


def imported(mereo: CommandLine, folder: Path, scenes: dict[str, Any], source: str, size: tuple[int, int]) -> Path:
    """Official scenes with gray pictures."""
    (folder / "images").mkdir()
    (folder / "scenes.json").write_text(json.dumps(scenes))
    for scene in scenes["scenes"]:
        Image.new("RGB", size, "gray").save(folder / "images" / scene["image_filename"])
    mereo("import", source, folder / "set", "--scenes", folder / "scenes.json", "--images", folder / "images")
    return folder / "set"


def test_imported_pictures_without_masks_are_refused_by_coco(tmp_path: Path, mereo: CommandLine) -> None:
    plain = imported(mereo, tmp_path, scene_file(2), "clevr", (96, 64))
    done = mereo("export", plain, tmp_path / "out", "--to", "coco", code=2)
    assert done.err == f"mereo: {plain}, test-000000: has neither masks nor boxes, which COCO needs\n"
    assert not (tmp_path / "out").exists()


# As above.
@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_coco_has_the_masks_of_imported_records(tmp_path: Path, mereo: CommandLine) -> None:
    official = referred.scene_file(3)
    folder = imported(mereo, tmp_path, official, "clevr_ref", (referred.WIDTH, referred.HEIGHT))
    mereo("export", folder, tmp_path / "out", "--to", "coco")
    coco = COCO(tmp_path / "out" / "annotations" / "instances_new.json")
    for image, scene in zip(coco.imgs.values(), official["scenes"], strict=True):
        masks = [referred.pixels(text, referred.WIDTH) for text in scene["obj_mask"].values()]
        found = [coco.annToMask(one) for one in coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))]
        assert [{(x, y) for y, x in np.argwhere(mask).tolist()} for mask in found] == [mask for mask in masks if mask]
    assert len(json.loads((tmp_path / "out" / "annotations" / "panoptic_new.json").read_bytes())["annotations"]) == 3


def test_masks_of_another_size_than_the_picture_are_refused(tmp_path: Path, mereo: CommandLine) -> None:
    folder = imported(mereo, tmp_path, referred.scene_file(1), "clevr_ref", (48, 32))
    done = mereo("export", folder, tmp_path / "out", "--to", "coco", code=2)
    assert done.err == "mereo: new-000000: a mask is of 96x64 pixels, the picture of 48x32\n"


# WebDataset


def test_a_webdataset_is_tar_files_of_whole_samples(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("export", dataset, tmp_path / "web", "--to", "webdataset")
    assert files(tmp_path / "web") == ["train-00000.tar", "train-00001.tar", "val-00000.tar"]
    for split in ("train", "val"):
        ours = {row["scene_id"]: row for row in rows(dataset, "scenes", split)}
        asked = rows(dataset, "questions", split)
        found: dict[str, dict[str, bytes]] = {}
        for path in sorted((tmp_path / "web").glob(f"{split}-*.tar")):
            with tarfile.open(path) as archive:
                for member in archive:
                    # WebDataset's rule: up to the first dot of the name it is the sample's key.
                    name, _, ending = member.name.partition(".")
                    file = archive.extractfile(member)
                    assert file is not None
                    found.setdefault(name, {})[ending] = file.read()
        assert set(found) == set(ours)
        for name, sample in found.items():
            assert set(sample) == {"png", "depth.png", "instances.png", "json"}
            for ending, column in {"png": "image", "depth.png": "depth", "instances.png": "instances"}.items():
                assert sample[ending] == ours[name][column]["bytes"]
            with Image.open(io.BytesIO(sample["png"])) as picture:
                assert picture.size == (64, 48)
            content = json.loads(sample["json"])
            assert content["scene"] == ours[name]["scene"]
            assert [list(entry.values()) for entry in content["instance_key"]] == json.loads(ours[name]["instance_key"])
            assert content["questions"] == [question for question in asked if question["scene_id"] == name]


# Whole or not at all


class Stopped(Exception):
    """What stops an export in the middle."""


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_that_fails_leaves_nothing_and_the_next_one_is_whole(
    dataset: Path, tmp_path: Path, form: str
) -> None:
    def stop(scenes: int) -> None:
        assert not (tmp_path / "out").exists(), "what is not whole is not there"
        raise Stopped

    with pytest.raises(Stopped):
        export_dataset(dataset, tmp_path / "out", to=form, own=OWN, progress=stop)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / ".out.abcd_123.part").mkdir()
    (tmp_path / ".out.abcd_123.part" / "left behind by a kill").touch()
    export_dataset(dataset, tmp_path / "out", to=form, own=OWN)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert files(tmp_path / "out")
    assert "left behind by a kill" not in files(tmp_path / "out")


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_is_the_same_bytes_again(dataset: Path, tmp_path: Path, form: str) -> None:
    contents = []
    for name in ("one", "two"):
        export_dataset(dataset, tmp_path / name, to=form, own=OWN)
        contents.append({file: (tmp_path / name / file).read_bytes() for file in files(tmp_path / name)})
    assert contents[0] == contents[1]


def test_a_folder_that_is_not_empty_and_a_format_that_is_not_there_are_refused(
    dataset: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    assert set(FORMATS) <= {*all_exporters(), *OWN}
    (tmp_path / "mine.txt").write_text("mine")
    done = mereo("export", dataset, tmp_path, "--to", "clevr", code=2)
    assert done.err == f"mereo: {tmp_path}: is not empty: give another folder\n"
    done = mereo("export", dataset, tmp_path / "out", "--to", "cocoa", code=2)
    assert done.err == "mereo: there is no export format of clevr datasets named 'cocoa' (did you mean 'coco'?)\n"
    assert files(tmp_path) == ["mine.txt"]


def test_a_dataset_without_pictures_is_refused_by_coco_only(tmp_path: Path, mereo: CommandLine) -> None:
    mereo("build", "clevr", tmp_path / "symbolic", "--scenes", "3", "--symbolic")
    done = mereo("export", tmp_path / "symbolic", tmp_path / "coco", "--to", "coco", code=2)
    assert done.err == f"mereo: {tmp_path / 'symbolic'}: has no pictures, which COCO needs\n"
    assert not (tmp_path / "coco").exists()
    mereo("export", tmp_path / "symbolic", tmp_path / "clevr", "--to", "clevr")
    assert not (tmp_path / "clevr" / "images").exists()
