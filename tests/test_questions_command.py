"""`mereo questions` fills anybody's CLEVR-family templates and writes what the official generator writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import naive
from kit import OFFICIAL_TEMPLATES, CommandLine, scene_file

KEYS = {
    "split",
    "image_filename",
    "image_index",
    "image",
    "question",
    "program",
    "answer",
    "template_filename",
    "question_family_index",
    "question_index",
}

pytestmark = pytest.mark.skipif(not OFFICIAL_TEMPLATES.is_dir(), reason=f"there is no {OFFICIAL_TEMPLATES}")


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(scene_file(8)))
    return path


def arguments(scenes: Path, out: Path) -> list[str | Path]:
    folder = OFFICIAL_TEMPLATES
    return [
        *("questions", "--scenes", scenes, "--templates", folder / "templates", "--out", out),
        *("--metadata", folder / "metadata.json", "--synonyms", folder / "synonyms.json"),
    ]


def read(path: Path) -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = json.loads(path.read_text())["questions"]
    return questions


def test_it_writes_questions_as_the_official_generator_does(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    done = mereo(*arguments(scenes, tmp_path / "q.json"))
    assert done.out.startswith("80 questions about 8 scenes in ")
    by_index = {scene["image_index"]: scene for scene in json.loads(scenes.read_text())["scenes"]}
    questions = read(tmp_path / "q.json")
    assert [question["question_index"] for question in questions] == list(range(80))
    for question in questions:
        assert set(question) == KEYS
        assert all(set(node) == {"type", "inputs", "value_inputs", "_output"} for node in question["program"])
        scene = by_index[question["image_index"]]
        assert (question["split"], question["image_filename"]) == ("test", scene["image_filename"])
        assert question["image"] == scene["image_filename"].removesuffix(".png")
        outputs = naive.run(question["program"], scene)
        assert outputs == [node["_output"] for node in question["program"]]
        assert outputs[-1] == question["answer"]
        templates = json.loads((OFFICIAL_TEMPLATES / "templates" / question["template_filename"]).read_text())
        asked = templates[question["question_family_index"]]
        assert asked["nodes"][-1].get("type").rpartition("_")[2] in question["program"][-1]["type"]


def test_what_it_writes_is_verified(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    mereo(*arguments(scenes, tmp_path / "q.json"))
    done = mereo("verify", "--scenes", scenes, "--questions", tmp_path / "q.json")
    assert "answers: 80 of 80 (100%)" in done.out


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(
    mereo: CommandLine, scenes: Path, tmp_path: Path
) -> None:
    for name, seed in (("one", "7"), ("two", "7"), ("three", "8")):
        mereo(*arguments(scenes, tmp_path / name), "--seed", seed)
    one, two, three = (read(tmp_path / name) for name in ("one", "two", "three"))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert [question["question"] for question in one] != [question["question"] for question in three]
    assert two == one


def test_fewer_questions_a_scene_and_a_folder_of_scenes(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, scene in enumerate(json.loads(scenes.read_text())["scenes"]):
        (folder / f"{number}.json").write_text(json.dumps(scene))
    mereo(*arguments(folder, tmp_path / "q.json"), "--per-scene", "3", "--language", "clevr")
    questions = read(tmp_path / "q.json")
    assert len(questions) == 24
    assert {question["image_index"] for question in questions} == set(range(8))


def test_it_leaves_only_the_file_it_was_asked_for_and_replaces_an_old_one(
    mereo: CommandLine, scenes: Path, tmp_path: Path
) -> None:
    out = tmp_path / "new" / "folder" / "q.json"
    mereo(*arguments(scenes, out))
    out.write_text("old")
    mereo(*arguments(scenes, out))
    assert len(read(out)) == 80
    assert [path.name for path in out.parent.iterdir()] == ["q.json"]


def test_real_clevr_scenes_are_asked_about(mereo: CommandLine, official_data: Path, tmp_path: Path) -> None:
    scenes = official_data / "clevr" / "val_scenes_first_100.json"
    mereo(*arguments(scenes, tmp_path / "q.json"), "--per-scene", "5")
    assert len(read(tmp_path / "q.json")) == 500
    done = mereo("verify", "--scenes", scenes, "--questions", tmp_path / "q.json")
    assert "answers: 500 of 500 (100%)" in done.out
