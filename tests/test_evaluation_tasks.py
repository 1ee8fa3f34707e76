"""Task files for other harnesses: Inspect runs its own with its mock model; lmms-eval's functions judge as we do."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from chat_server import build_postcards, question_rows
from kit import CommandLine


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_postcards(tmp_path_factory.mktemp("tasks") / "cards", scenes=4, questions=5)


def test_inspects_files_hold_every_question_with_its_picture(cards: Path, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("export", cards, tmp_path / "out", "--to", "inspect")
    lines = [json.loads(line) for line in (tmp_path / "out" / "samples-test.jsonl").read_text().splitlines()]
    assert [(line["question_id"], line["answer"]) for line in lines] == [
        (row["question_id"], row["answer"]) for row in question_rows(cards)
    ]
    assert all((tmp_path / "out" / line["image"]).stat().st_size > 50 for line in lines)
    assert (lines[0]["width"], lines[0]["height"]) == (4, 2)
    code = (tmp_path / "out" / "task.py").read_text()
    compile(code, "task.py", "exec")
    assert "def mereo_clevr(" in code


def test_inspect_scores_its_own_mock_model_as_it_should(cards: Path, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("export", cards, tmp_path / "out", "--to", "inspect")
    script = Path(__file__).with_name("inspect_smoke.py")
    done = subprocess.run(
        [sys.executable, script, tmp_path / "out", "4"], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["samples"], found["accuracy"]) == (20, pytest.approx(15 / 20))


def test_lmms_evals_functions_judge_as_we_do(cards: Path, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("export", cards, tmp_path / "out", "--to", "lmms-eval")
    config = (tmp_path / "out" / "mereo_clevr_test.yaml").read_text()
    assert 'test: "data/test.parquet"' in config
    used = {line.split("utils.")[1] for line in config.splitlines() if "!function" in line}
    functions: dict[str, Any] = runpy.run_path(str(tmp_path / "out" / "utils.py"))
    assert used <= set(functions)
    docs = pq.read_table(tmp_path / "out" / "data" / "test.parquet").to_pylist()
    assert len(docs) == len(question_rows(cards)) == 20
    for doc in docs:
        (picture,) = functions["doc_to_visual"](doc)
        assert (picture.size, picture.mode) == ((4, 2), "RGB")
        assert doc["question"] in functions["doc_to_text"](doc)
        assert functions["process_results"](doc, [f"The answer is {doc['answer']}."]) == {"accuracy": 1.0}
        assert functions["process_results"](doc, ["chartreuse"]) == {"accuracy": 0.0}
        assert functions["process_results"](doc, [""]) == {"accuracy": 0.0}


@pytest.mark.parametrize("form", ["inspect", "lmms-eval"])
def test_without_pictures_there_is_no_task(tmp_path: Path, mereo: CommandLine, form: str) -> None:
    mereo("build", "clevr", tmp_path / "blind", "--symbolic", "--scenes", "2")
    done = mereo("export", tmp_path / "blind", tmp_path / "out", "--to", form, code=2)
    assert "has no pictures, without which there is nothing to show" in done.err
    assert not (tmp_path / "out").exists()
