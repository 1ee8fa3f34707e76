"""What was asked with official templates can be imported and keeps its word, whatever order its files have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kit import OFFICIAL_TEMPLATES, CommandLine, scene_file
from mereo.datasets.store import read_table
from mereo.errors import UnknownName
from mereo.programs import parse_program
from mereo.workbench.building import export


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
