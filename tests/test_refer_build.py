"""`mereo build refer`: expressions over scenes of our own or of another dataset, every step as ids, boxes and masks."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kit import CommandLine, mereo_process
from mereo.datasets.pictures import decode_png
from mereo.datasets.store import open_dataset, read_table
from mereo.masks import decode

SMALL = ("--scenes", "3", "--size", "120x80", "--samples", "8", "--seed", "4")


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    return [row for path in sorted((folder / kind).iterdir()) for row in read_table(path).to_pylist()]


@pytest.fixture(scope="module")
def clevr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of CLEVR's with pictures."""
    folder = tmp_path_factory.mktemp("scenes") / "clevr"
    child = mereo_process("build", "clevr", folder, *SMALL, "--questions-per-scene", "0", cwd=folder.parent)
    said = "".join(child.communicate())
    assert child.returncode == 0, said
    return folder


@pytest.fixture(scope="module")
def refer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Referring expressions over scenes that are made for them."""
    folder = tmp_path_factory.mktemp("refer") / "refer"
    child = mereo_process("build", "refer", folder, *SMALL, cwd=folder.parent)
    said = "".join(child.communicate())
    assert child.returncode == 0, said
    return folder


def test_the_scenes_are_those_of_clevr_with_the_same_seed(clevr: Path, refer: Path) -> None:
    for ours, theirs in zip(rows(refer, "scenes"), rows(clevr, "scenes"), strict=True):
        assert ours["image"] == theirs["image"]
        own, other = json.loads(ours["scene"]), json.loads(theirs["scene"])
        assert [thing["3d_coords"] for thing in own["objects"]] == [thing["3d_coords"] for thing in other["objects"]]


def test_boxes_and_masks_of_every_step_are_those_of_the_id_picture(refer: Path) -> None:
    scenes = {row["scene_id"]: row for row in rows(refer, "scenes")}
    expressions = rows(refer, "questions")
    assert len(expressions) == 30
    for row in expressions:
        scene = scenes[row["scene_id"]]
        owners = [owner for owner, _, _ in json.loads(scene["instance_key"])]
        shown = np.array([-1, *owners])[decode_png(scene["instances"]["bytes"])]
        assert row["size"] == list(shown.shape)
        for referred, boxes, counts in zip(row["referred"], row["boxes"], row["masks"], strict=True):
            mask = decode({"size": row["size"], "counts": counts})
            assert np.array_equal(mask, np.isin(shown, referred))
            for k, (left, top, width, height) in zip(referred, boxes, strict=True):
                ys, xs = np.nonzero(shown == k)
                assert (left, top) == (xs.min(), ys.min())
                assert (left + width, top + height) == (xs.max() + 1, ys.max() + 1)


def test_an_expression_says_how_many_it_means_and_which_subset_that_makes_it_part_of(refer: Path) -> None:
    for row in rows(refer, "questions"):
        meant = row["referred"][-1]
        assert row["answer"] == str(len(meant)) == str(row["number"])
        assert row["subset"] == ("single" if len(meant) == 1 else "multi")
        assert not row["false_premise"]
        assert row["relations"] == row["program"].count("relate[")
        assert row["topology"] == ("tree" if "union(" in row["program"] or "intersect(" in row["program"] else "chain")


def test_whole_boxes_hold_the_visible_ones_and_visibility_is_told(refer: Path) -> None:
    for row in rows(refer, "scenes"):
        record = json.loads(row["scene"])
        for number, entity in enumerate(json.loads(row["entities"])):
            left, top, width, height = record["obj_bbox"][str(number + 1)]
            inner = entity["box"]
            assert left <= inner[0]
            assert top <= inner[1]
            assert left + width >= inner[0] + inner[2]
            assert top + height >= inner[1] + inner[3]
            assert record["objects"][number]["idx"] == number + 1
            assert record["objects"][number].get("visible") in (None, "fully", "partially")


def test_expressions_over_another_dataset_are_those_over_scenes_made_for_them(
    clevr: Path, refer: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    mereo("build", "refer", tmp_path / "over", "--scenes-from", clevr, "--seed", "4")
    assert rows(tmp_path / "over", "questions") == rows(refer, "questions")
    manifest = open_dataset(tmp_path / "over")
    assert manifest.settings["scenes_from"] == "clevr"
    assert "3 scenes and 30 questions: nothing is wrong" in mereo("audit", tmp_path / "over").out


def test_some_scenes_of_a_dataset_and_the_same_bytes_by_two_workers(
    clevr: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    for workers in ("1", "2"):
        out = tmp_path / workers
        mereo("build", "refer", out, "--scenes-from", clevr, "--split", "train=1", "--workers", workers)
    assert open_dataset(tmp_path / "1").scenes == {"train": 1}
    assert content(tmp_path / "1") == content(tmp_path / "2")


def test_false_premises_are_a_dataset_of_their_own(clevr: Path, tmp_path: Path, mereo: CommandLine) -> None:
    out = tmp_path / "false"
    mereo("build", "refer", out, "--scenes-from", clevr, "--preset", "false_premise")
    found = rows(out, "questions")
    assert len(found) == 30
    assert {row["subset"] for row in found} == {"none"}
    assert all(row["referred"][-1] == [] and row["boxes"][-1] == [] and row["false_premise"] for row in found)
    assert not any(decode({"size": row["size"], "counts": row["masks"][-1]}).any() for row in found)
    assert "nothing is wrong" in mereo("audit", out).out


def test_symbolic_builds_have_conditions_and_no_masks(tmp_path: Path, mereo: CommandLine) -> None:
    out = tmp_path / "cogent"
    mereo("build", "refer", out, "--symbolic", "--preset", "cogent", "--scenes", "40")
    assert set(open_dataset(out).scenes) == {"trainA", "valA", "valB", "testA", "testB"}
    for row in rows(out, "scenes"):
        colors = {thing["color"] for thing in json.loads(row["scene"])["objects"] if thing["shape"] == "cube"}
        assert (
            colors
            <= {
                "A": {"gray", "blue", "brown", "yellow"},
                "B": {"red", "green", "purple", "cyan"},
            }[row["split"][-1]]
        )
    assert all(row["masks"] == [] for row in rows(out, "questions"))
    assert "40 scenes and 400 questions: nothing is wrong" in mereo("audit", out).out


def test_what_is_exported_is_verified_in_clevr_refs_own_language(
    refer: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    mereo("export", refer, tmp_path / "out", "--to", "clevr_ref")
    scenes = tmp_path / "out" / "scenes" / "clevr_ref+_train_scenes.json"
    expressions = tmp_path / "out" / "refexps" / "clevr_ref+_train_refexps.json"
    done = mereo("verify", "--language", "clevr_ref", "--scenes", scenes, "--questions", expressions)
    assert "(100%)" in done.out
    assert sorted(path.name for path in (tmp_path / "out" / "images" / "train").iterdir()) == sorted(
        scene["image_filename"] for scene in json.loads(scenes.read_text())["scenes"]
    )


def with_shard(folder: Path, kind: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the first row of a shard behind a right checksum."""
    path = folder / kind / "train-00000.parquet"
    table = read_table(path)
    found = table.to_pylist()
    change(found[0])
    pq.write_table(pa.Table.from_pylist(found, table.schema), path, compression="zstd")
    data, manifest = path.read_bytes(), json.loads((folder / "dataset.json").read_bytes())
    manifest["files"][f"{kind}/train-00000.parquet"] |= {
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    (folder / "dataset.json").write_text(json.dumps(manifest))


def other_number(row: dict[str, Any]) -> None:
    row["answer"] = "9"


def other_box(row: dict[str, Any]) -> None:
    entities = json.loads(row["entities"])
    entities[0]["box"][2] += 1
    row["entities"] = json.dumps(entities)


def other_mask(row: dict[str, Any]) -> None:
    entities = json.loads(row["entities"])
    entities[0]["mask"] = entities[1]["mask"]
    row["entities"] = json.dumps(entities)


def other_visibility(row: dict[str, Any]) -> None:
    record = json.loads(row["scene"])
    seen = record["objects"][0].get("visible")
    record["objects"][0]["visible"] = "fully" if seen == "partially" else "partially"
    row["scene"] = json.dumps(record)


@pytest.mark.parametrize(
    ("kind", "change", "sentence"),
    [
        ("questions", other_number, "the program gives "),
        ("scenes", other_box, "the box of entity 0 is not that of its mask"),
        ("scenes", other_mask, "the mask of entity 0 is not what the picture shows"),
        ("scenes", other_visibility, "the visibility of an object is not what masks and boxes tell"),
    ],
)
def test_an_audit_finds_what_was_changed(
    refer: Path,
    tmp_path: Path,
    mereo: CommandLine,
    kind: str,
    change: Callable[[dict[str, Any]], None],
    sentence: str,
) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(refer, folder)
    with_shard(folder, kind, change)
    assert sentence in " ".join(mereo("audit", folder, code=1).out.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("clevr", "out", "--counterfactuals"), "No such option: --counterfactuals"),
        (("refer", "out", "--scenes-from", "x"), "x: there is no such folder"),
        (("refer", "out", "--preset", "falls"), "there is no preset of refer named 'falls' (there is: cogent,"),
    ],
)
def test_a_wrong_choice_is_named(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in mereo("build", *arguments, code=2).err
    assert not (tmp_path / "out").exists()
