"""What was asked with official templates can be imported and keeps its word, whatever order its files have.

Files are named one by one, or a whole folder is imported at once; what is wrong in them is named and left out.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from kit import OFFICIAL_TEMPLATES, CommandLine, scene_file
from mereo.datasets.store import (
    SCENE_FIELDS,
    Manifest,
    open_dataset,
    read_table,
    record_file,
    write_manifest,
    write_table,
)
from mereo.errors import UnknownName
from mereo.programs import parse_program
from mereo.workbench.building import export, import_files


@pytest.fixture
def asked(mereo: CommandLine, official_data: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Scenes and questions in CLEVR's own files."""
    scenes, questions = tmp_path / "scenes.json", tmp_path / "questions.json"
    scenes.write_text(json.dumps(scene_file(40)))
    files = "--templates", OFFICIAL_TEMPLATES / "templates", "--metadata", OFFICIAL_TEMPLATES / "metadata.json"
    mereo("questions", "--scenes", scenes, *files, "--out", questions, "--seed", "3")
    return scenes, questions


def test_what_steps_refer_to_is_in_the_order_of_the_program(
    mereo: CommandLine, asked: tuple[Path, Path], tmp_path: Path
) -> None:
    scenes, questions = asked
    written = json.loads(questions.read_text())["questions"]
    mereo("import", "clevr", tmp_path / "set", "--scenes", scenes, "--questions", questions)
    assert "nothing is wrong" in mereo("audit", tmp_path / "set").out
    rows = read_table(tmp_path / "set" / "questions" / "test-00000.parquet").to_pylist()
    assert len(rows) == len(written)
    in_another_order = 0
    for row, one in zip(rows, written, strict=True):
        steps = parse_program(row["program"]).steps
        assert len(row["referred"]) == len(steps)
        in_another_order += [step.function for step in steps] != [node["type"] for node in one["program"]]
    assert in_another_order, "some files have their steps in another order than our line"


def test_a_dataset_is_not_written_in_the_files_of_another_benchmark(
    mereo: CommandLine, asked: tuple[Path, Path], tmp_path: Path
) -> None:
    scenes, questions = asked
    mereo("import", "clevr", tmp_path / "set", "--scenes", scenes, "--questions", questions)
    with pytest.raises(UnknownName, match="there is no export format of clevr datasets named 'clevr_ref'"):
        export(tmp_path / "set", tmp_path / "out", to="clevr_ref")
    assert not (tmp_path / "out").exists()


def test_choices_that_contradict_each_other_are_refused(
    mereo: CommandLine, asked: tuple[Path, Path], tmp_path: Path
) -> None:
    there, out = tmp_path / "set", tmp_path / "out"
    mereo("import", "clevr", there, "--scenes", asked[0])
    for choices in (("--split", "train=2"), ("--scenes-from", there)):
        done = mereo("build", "refer", out, "--symbolic", "--scenes", "5", *choices, code=2)
        assert done.err.startswith("mereo: field '")
        assert not out.exists()


# Whole folders


@pytest.fixture
def unpacked(mereo: CommandLine, official_data: Path, tmp_path: Path) -> Path:
    """A folder laid out as CLEVR v1.0: two splits with scenes, and a test of which there are only questions."""
    folder = tmp_path / "CLEVR_v1.0"
    files = "--templates", OFFICIAL_TEMPLATES / "templates", "--metadata", OFFICIAL_TEMPLATES / "metadata.json"
    for seed, split in enumerate(("train", "val")):
        content = scene_file(4, seed=seed)
        scenes = folder / "scenes" / f"CLEVR_{split}_scenes.json"
        for place, scene in enumerate(content["scenes"]):
            scene |= {"split": split, "image_filename": f"CLEVR_{split}_{place:06d}.png"}
            path = folder / "images" / split / scene["image_filename"]
            path.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (6, 4), (seed, place, 0)).save(path)
        scenes.parent.mkdir(exist_ok=True)
        scenes.write_text(json.dumps(content))
        asked = folder / "questions" / f"CLEVR_{split}_questions.json"
        asked.parent.mkdir(exist_ok=True)
        mereo("questions", "--scenes", scenes, *files, "--out", asked, "--per-scene", "3")
    published = [{"image_filename": "CLEVR_test_000000.png", "question": "How many things are there?"}]
    (folder / "questions" / "CLEVR_test_questions.json").write_text(json.dumps({"questions": published}))
    return folder


def test_a_folder_is_imported_at_once_with_all_splits_and_pictures(
    mereo: CommandLine, unpacked: Path, tmp_path: Path
) -> None:
    done = mereo("import", "clevr", unpacked, tmp_path / "set")
    test = unpacked / "questions" / "CLEVR_test_questions.json"
    assert done.out.splitlines() == [
        f"{test}: is left out, since there are no scenes of test",
        f"{tmp_path / 'set'}: 8 scenes and 24 questions imported",
    ]
    assert open_dataset(tmp_path / "set").scenes == {"train": 4, "val": 4}
    for split in ("train", "val"):
        for row in read_table(tmp_path / "set" / "scenes" / f"{split}-00000.parquet").to_pylist():
            name = json.loads(row["scene"])["image_filename"]
            assert row["image"]["bytes"] == (unpacked / "images" / split / name).read_bytes()
    assert "nothing is wrong" in mereo("audit", tmp_path / "set").out
    assert import_files("clevr", tmp_path / "again", folder=unpacked).manifest == open_dataset(tmp_path / "set")


def test_what_is_exported_is_a_folder_that_can_be_imported(mereo: CommandLine, unpacked: Path, tmp_path: Path) -> None:
    mereo("import", "clevr", unpacked, tmp_path / "set")
    mereo("export", tmp_path / "set", tmp_path / "out", "--to", "clevr")
    mereo("import", "clevr", tmp_path / "out", tmp_path / "again")
    for split in ("train", "val"):
        one, other = (
            read_table(tmp_path / name / "questions" / f"{split}-00000.parquet").to_pylist()
            for name in ("set", "again")
        )
        for same in ("question", "program", "answer", "referred"):
            assert [row[same] for row in one] == [row[same] for row in other]


def test_official_splits_are_told_apart_even_where_their_scenes_have_the_same_names(
    mereo: CommandLine, unpacked: Path, tmp_path: Path
) -> None:
    for kind, split in product(("scenes", "questions"), ("train", "val")):
        path = unpacked / kind / f"CLEVR_{split}_{kind}.json"
        path.write_text(path.read_text().replace(f"CLEVR_{split}_", "CLEVR_"))
    for path in sorted((unpacked / "images").glob("*/*.png")):
        path.rename(path.with_name(path.name.replace(f"CLEVR_{path.parent.name}_", "CLEVR_")))
    mereo("import", "clevr", unpacked, tmp_path / "set")
    assert open_dataset(tmp_path / "set").questions == {"train": 12, "val": 12}
    assert "nothing is wrong" in mereo("audit", tmp_path / "set").out


def test_a_folder_without_scenes_or_with_files_besides_is_refused(
    mereo: CommandLine, unpacked: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = mereo("import", "clevr", unpacked / "images", out, code=2)
    assert done.err.startswith(f"mereo: {unpacked / 'images'}: has no scenes/*_scenes.json")
    scenes = unpacked / "scenes" / "CLEVR_val_scenes.json"
    done = mereo("import", "clevr", unpacked, out, "--scenes", scenes, code=2)
    assert done.err == "mereo: field 'scenes': are in the folder: name it or the files, not both\n"
    done = mereo("import", "clevr", out, code=2)
    assert done.err == "mereo: field 'scenes': must be given where no whole folder is imported\n"
    done = mereo("import", "clevr", unpacked, out, out, code=2)
    assert "there is one folder to import and one to make" in done.err
    assert not out.exists()


def test_a_picture_that_is_missing_or_none_is_named_and_its_scene_left_out(
    mereo: CommandLine, unpacked: Path, tmp_path: Path
) -> None:
    missing, wrong = (unpacked / "images" / "val" / f"CLEVR_val_00000{k}.png" for k in (1, 3))
    missing.unlink()
    wrong.write_bytes(b"<html>not found</html>")
    done = mereo("import", "clevr", unpacked, tmp_path / "set")
    first, second, _, left_out, imported = done.out.splitlines()
    assert first == f"{missing}: there is no such file"
    assert second.startswith(f"{wrong}: is no picture that can be shown")
    assert left_out == "2 scenes and 6 questions are left out; --strict stops at the first"
    assert imported == f"{tmp_path / 'set'}: 6 scenes and 18 questions imported"
    done = mereo("import", "clevr", unpacked, tmp_path / "strict", "--strict", code=2)
    assert done.err == f"mereo: {first}\n"
    assert not (tmp_path / "strict").exists()


# New questions about scenes that are there


def test_new_questions_are_asked_about_real_scenes(mereo: CommandLine, official_data: Path, tmp_path: Path) -> None:
    real = official_data / "clevr" / "val_scenes_first_100.json"
    mereo("build", "clevr", tmp_path / "set", "--scenes-from", real, "--split", "val=20", "--questions-per-scene", "3")
    assert open_dataset(tmp_path / "set").questions == {"val": 60}
    rows = read_table(tmp_path / "set" / "scenes" / "val-00000.parquet").to_pylist()
    assert [json.loads(row["scene"]) for row in rows] == json.loads(real.read_text())["scenes"][:20]
    assert "20 scenes and 60 questions: nothing is wrong" in mereo("audit", tmp_path / "set").out


def test_scenes_of_a_folder_come_with_all_splits_and_their_pictures(
    mereo: CommandLine, unpacked: Path, tmp_path: Path
) -> None:
    single = unpacked / "scenes" / "CLEVR_val_scenes.json"
    mereo("import", "clevr", unpacked, tmp_path / "imported")
    given: dict[str, list[str | Path]] = {
        "folder": [unpacked],
        "dataset": [tmp_path / "imported"],
        "file": [single, "--images", unpacked / "images"],
    }
    for name, (source, *images) in given.items():
        out = tmp_path / name
        mereo("build", "clevr", out, "--scenes-from", source, *images, "--questions-per-scene", "2")
        assert open_dataset(out).questions == ({"val": 8} if name == "file" else {"train": 8, "val": 8})
        for row in read_table(out / "scenes" / "val-00000.parquet").to_pylist():
            picture = unpacked / "images" / "val" / json.loads(row["scene"])["image_filename"]
            assert row["image"]["bytes"] == picture.read_bytes()
        assert "nothing is wrong" in mereo("audit", out).out
    asked = [read_table(tmp_path / name / "questions" / "val-00000.parquet").to_pylist() for name in given]
    assert asked[0] == asked[1] == asked[2]


def test_scenes_that_have_changed_are_read_again_and_wrong_ones_named(mereo: CommandLine, tmp_path: Path) -> None:
    scenes = tmp_path / "scenes.json"
    for count in (2, 3):
        scenes.write_text(json.dumps(scene_file(count)))
        mereo("build", "clevr", tmp_path / f"set{count}", "--scenes-from", scenes, "--workers", "2")
        assert open_dataset(tmp_path / f"set{count}").scenes == {"test": count}
    del (content := scene_file(2))["scenes"][1]["objects"][0]["color"]
    scenes.write_text(json.dumps(content))
    done = mereo("build", "clevr", tmp_path / "out", "--scenes-from", scenes, code=2)
    assert done.err == f"mereo: {scenes}, scene 1, object 0, field 'color': is missing\n"
    row: dict[str, list[Any]] = {
        "scene_id": ["val-000000"],
        "split": ["val"],
        "index": [0],
        "objects": [1],
        "scene": ['{"objects": [{}]}'],
    }
    shard = tmp_path / "rooms" / "scenes" / "val-00000.parquet"
    write_table(shard, row, SCENE_FIELDS)
    ours = Manifest(1, "ptr", 0, {}, {}, {"val": 1}, {}, {"scenes/val-00000.parquet": record_file(shard)})
    write_manifest(tmp_path / "rooms", ours)
    done = mereo("build", "clevr", tmp_path / "out", "--scenes-from", tmp_path / "rooms", code=2)
    assert done.err == f"mereo: {tmp_path / 'rooms'}, object 0, field 'size': is missing\n"
    done = mereo("build", "clevr", tmp_path / "out", "--symbolic", "--images", tmp_path, code=2)
    assert done.err == "mereo: field 'images': are those of given scenes: say which with --scenes-from\n"
    assert not (tmp_path / "out").exists()
