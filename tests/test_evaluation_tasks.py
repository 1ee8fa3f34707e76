"""Task files for other harnesses: Inspect runs its own with its mock model; lmms-eval's functions judge as we do."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chat_server import build_postcards, question_rows
from kit import CommandLine
from mereo.benchmarks.refer.recipe import ReferRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.store import record_file


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
    told = json.loads((tmp_path / "out" / "task.json").read_bytes())
    assert (told["task"], told["benchmark"], told["splits"]) == ("mereo_clevr", "clevr", ["test"])


def settings_of(path: Path) -> dict[str, Any]:
    """A task's YAML as lmms-eval reads it, its functions by name."""
    yaml = import_module("yaml")

    class Loader(yaml.SafeLoader):  # type: ignore[misc, name-defined]
        pass

    Loader.add_constructor("!function", lambda loader, node: node.value)
    found: dict[str, Any] = yaml.load(path.read_text(), Loader)
    return found


@pytest.mark.parametrize("form", ["inspect", "lmms-eval"])
def test_words_of_a_dataset_stay_words_in_the_programs_of_others(tmp_path: Path, mereo: CommandLine, form: str) -> None:
    plain, odd = (build_postcards(tmp_path / name, scenes=2, questions=3) for name in ("plain", "odd"))
    manifest = json.loads((odd / "dataset.json").read_bytes())
    for name in manifest["files"]:
        if name.startswith("questions/"):
            table = pq.read_table(odd / name)
            place = table.column_names.index("answer")
            answers = pa.array([f'"]))\n"""; {{0}} # {row}' for row in range(len(table))])
            pq.write_table(table.set_column(place, "answer", answers), odd / name)
            manifest["files"][name] = msgspec.to_builtins(record_file(odd / name))
    (odd / "dataset.json").write_text(json.dumps(manifest))
    for dataset in (plain, odd):
        mereo("export", dataset, tmp_path / f"out-{dataset.name}", "--to", form)
    (program,) = (tmp_path / "out-odd").glob("*.py")
    assert program.read_bytes() == (tmp_path / "out-plain" / program.name).read_bytes()
    compile(program.read_bytes(), program.name, "exec")


def inspected(folder: Path, one_in: int) -> dict[str, Any]:
    """What Inspect reports of its mock model, which is wrong in one of so many."""
    script = Path(__file__).with_name("inspect_smoke.py")
    command = [sys.executable, str(script), str(folder), str(one_in)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_inspect_scores_its_own_mock_model_as_it_should(cards: Path, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("export", cards, tmp_path / "out", "--to", "inspect")
    found = inspected(tmp_path / "out", 4)
    assert (found["samples"], found["accuracy"]) == (20, pytest.approx(15 / 20))


def test_lmms_evals_functions_judge_as_we_do(cards: Path, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("export", cards, tmp_path / "out", "--to", "lmms-eval")
    config = settings_of(tmp_path / "out" / "mereo_clevr_test.yaml")
    assert config["dataset_kwargs"]["data_files"] == {"test": "data/test.parquet"}
    used = {value.removeprefix("utils.") for value in config.values() if str(value).startswith("utils.")}
    assert len(used) == 4
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


@pytest.fixture(scope="module")
def expressions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("expressions") / "set"
    recipe = ReferRecipe(seed=3, questions_per_scene=6, pictures=PictureSettings(width=64, height=48, samples=8))
    build_dataset(recipe, folder, splits={"test": 2}, shard_size=2)
    return folder


def test_inspect_asks_for_boxes_where_expressions_refer_and_scores_their_overlap(
    expressions: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    mereo("export", expressions, tmp_path / "out", "--to", "inspect")
    lines = [json.loads(line) for line in (tmp_path / "out" / "samples-test.jsonl").read_text().splitlines()]
    assert [line["boxes"] for line in lines] == [row["boxes"][-1] for row in question_rows(expressions)]
    found = inspected(tmp_path / "out", 4)
    assert (found["samples"], found["iou.mean"], found["half.mean"]) == (12, 9 / 12, 9 / 12)


def test_lmms_evals_functions_ask_for_boxes_and_score_their_overlap(
    expressions: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    mereo("export", expressions, tmp_path / "out", "--to", "lmms-eval")
    config = settings_of(tmp_path / "out" / "mereo_refer_test.yaml")
    assert [one["metric"] for one in config["metric_list"]] == ["iou", "half"]
    functions: dict[str, Any] = runpy.run_path(str(tmp_path / "out" / "utils.py"))
    for doc in pq.read_table(tmp_path / "out" / "data" / "test.parquet").to_pylist():
        asked = functions["doc_to_text"](doc)
        assert doc["question"] in asked
        assert "64 by 48 pixels" in asked
        assert '"boxes": [[left, top, width, height], …]' in asked

        def judged(boxes: Any, doc: Any = doc) -> Any:
            said = json.dumps({"answer": 1, "boxes": boxes})
            return functions["process_results"](doc, [f"Here they are: {said}"])

        assert judged(doc["boxes"]) == {"iou": 1.0, "half": 1.0}
        assert judged([[0, 0, 64, 48]])["iou"] < 1
        assert judged([[left + 100, top, across, down] for left, top, across, down in doc["boxes"]])["iou"] == 0
        assert functions["process_results"](doc, [str(len(doc["boxes"]))]) == {"iou": 0.0, "half": 0.0}


@pytest.mark.parametrize("form", ["inspect", "lmms-eval"])
def test_without_pictures_there_is_no_task(tmp_path: Path, mereo: CommandLine, form: str) -> None:
    mereo("build", "clevr", tmp_path / "blind", "--symbolic", "--scenes", "2")
    done = mereo("export", tmp_path / "blind", tmp_path / "out", "--to", form, code=2)
    assert "has no pictures, without which there is nothing to show" in done.err
    assert not (tmp_path / "out").exists()
