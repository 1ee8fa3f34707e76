"""Predictions are judged: scores as a plain count gives them, intervals that hold, and bad files named by line."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import CommandLine, complaint
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.benchmarks.clevr.tables import TABLES
from mereo.chance import generator
from mereo.datasets.asked import Asked, Selection, load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.predictions import Header, Prediction, Predictions, read_predictions, write_predictions
from mereo.datasets.store import FileRecord, fingerprint, open_dataset, read_table, record_file, write_manifest
from mereo.evaluation.compare import compare
from mereo.evaluation.intervals import adjusted, difference, means
from mereo.evaluation.judging import Judging
from mereo.evaluation.normalize import NORMALIZATION, normalize
from mereo.evaluation.result import judge_run
from mereo.evaluation.tables import Row, Table, members_of
from mereo.evaluation.tabulate import csv_text, grids, latex, markdown
from mereo.programs import parse_program


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged") / "set"
    build_dataset(ClevrRecipe(seed=9), folder, splits={"train": 8, "val": 6, "test": 10}, shard_size=5)
    return folder


@pytest.fixture
def dataset(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "set"))


@pytest.fixture(scope="module")
def asked(built: Path) -> Asked:
    return load_questions(built)


def rows(dataset: Path, split: str = "*") -> list[dict[str, Any]]:
    paths = sorted((dataset / "questions").glob(f"{split}-*.parquet"))
    return [row for path in paths for row in read_table(path).to_pylist()]


def write(path: Path, predictions: list[dict[str, Any]], header: dict[str, Any] | None = None) -> Path:
    records = [{"predictions": 1, **header}] if header is not None else []
    path.write_text("".join(json.dumps(record) + "\n" for record in [*records, *predictions]))
    return path


def two_thirds(dataset: Path, split: str) -> list[dict[str, Any]]:
    """Every third answer is wrong."""
    return [
        {"question_id": row["question_id"], "answer": row["answer"] if k % 3 else "nonsense"}
        for k, row in enumerate(rows(dataset, split))
    ]


def result(dataset: Path, run: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((dataset / "runs" / run / "result.json").read_text())
    return found


# What a judged run says


def test_scores_are_what_a_plain_count_gives(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    said = two_thirds(dataset, "test")
    mereo("evaluate", dataset, write(tmp_path / "mine.jsonl", said))
    judged = result(dataset, "mine")
    right = {line["question_id"] for line in said if line["answer"] != "nonsense"}
    own = rows(dataset, "test")
    assert judged["overall"]["scores"]["accuracy"]["value"] == pytest.approx(len(right) / len(own))
    kinds = {
        "count": {"count"},
        "exist": {"exist"},
        "compare number": {"equal_integer", "less_than", "greater_than"},
        "query attribute": {f"query_{name}" for name in ("size", "color", "material", "shape")},
        "compare attribute": {f"equal_{name}" for name in ("size", "color", "material", "shape")},
    }
    table = judged["tables"][0]
    assert [row["name"] for row in table["rows"]] == list(kinds)
    for row in table["rows"]:
        inside = [
            question["question_id"]
            for question in own
            if parse_program(question["program"]).steps[-1].function in kinds[row["name"]]
        ]
        assert row["questions"] == row["scores"]["accuracy"]["count"] == len(inside)
        assert row["scores"]["accuracy"]["value"] == pytest.approx(len(right & set(inside)) / len(inside))
    assert sum(row["questions"] for row in table["rows"]) == len(own)


def test_programs_are_counted_by_length_and_by_every_function(asked: Asked) -> None:
    given = [Prediction(name, "yes") for name in asked.ids]
    judged = judge_run(asked, Predictions(Header(), given), run="yes").result
    programs = [parse_program(text) for text in asked.words("program")]
    by_function = {row.name: row.questions for row in judged.tables[-1].rows}
    uses: Counter[str] = Counter()
    for program in programs:
        uses.update({step.function for step in program.steps})
    assert by_function == dict(uses)
    assert asked.coded("length").names == sorted({str(len(program)) for program in programs})
    lengths = Counter(len(program) for program in programs)
    for row in judged.tables[-2].rows:
        first, _, last = row.name.removesuffix(" steps").partition("–")
        assert row.questions == sum(lengths[k] for k in range(int(first), int(last or first) + 1))


def test_what_is_not_answered_is_wrong_and_shown(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    own = rows(dataset, "test")
    said = [{"question_id": row["question_id"], "answer": row["answer"]} for row in own[: len(own) // 2]]
    said[0]["answer"] = None
    done = mereo("evaluate", dataset, write(tmp_path / "half.jsonl", said))
    overall = result(dataset, "half")["overall"]
    missing = len(own) - len(said) + 1
    assert (overall["questions"], overall["unanswered"]) == (len(own), missing)
    assert overall["scores"]["accuracy"]["value"] == pytest.approx(1 - missing / len(own))
    assert f"{missing} of {len(own)} not answered, which is wrong" in done.out


def test_the_splits_judged_are_those_answered_unless_told(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    path = write(tmp_path / "both.jsonl", two_thirds(dataset, "test") + two_thirds(dataset, "val"))
    mereo("evaluate", dataset, path)
    assert result(dataset, "both")["selection"]["splits"] == ["val", "test"]
    mereo("evaluate", dataset, path, "--split", "val")
    assert result(dataset, "both")["overall"]["questions"] == len(rows(dataset, "val"))
    header = {"selection": {"splits": ["test"], "limit": 30}}
    mereo("evaluate", dataset, write(tmp_path / "some.jsonl", two_thirds(dataset, "test"), header))
    assert result(dataset, "some")["overall"]["questions"] == 30


def test_a_result_says_how_it_came_about(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    path = write(tmp_path / "mine.jsonl", two_thirds(dataset, "test"), {"model": "thirds", "settings": {"seed": 3}})
    mereo("evaluate", dataset, path)
    judged = result(dataset, "mine")
    assert judged["normalization"] == NORMALIZATION
    assert judged["dataset"] == fingerprint(open_dataset(dataset))
    assert judged["command"] == f"mereo evaluate {dataset} {path}"
    assert judged["header"]["model"] == "thirds"
    assert (dataset / "runs" / "mine" / "predictions.jsonl").read_bytes() == path.read_bytes()
    again = mereo("evaluate", dataset, "mine")  # a run that is kept, by its name
    assert "accuracy" in again.out


def test_parquet_is_judged_as_json_lines_are(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    said = two_thirds(dataset, "test")
    write(tmp_path / "lines.jsonl", said)
    header = json.dumps({"predictions": 1, "model": "columns"})
    schema = pa.schema([("question_id", pa.string()), ("answer", pa.string())], metadata={"mereo": header})
    pq.write_table(pa.Table.from_pylist(said, schema), tmp_path / "columns.parquet")
    mereo("evaluate", dataset, tmp_path / "lines.jsonl")
    mereo("evaluate", dataset, tmp_path / "columns.parquet")
    one, other = result(dataset, "lines"), result(dataset, "columns")
    assert one["tables"] == other["tables"]
    assert other["header"]["model"] == "columns"


def test_confusions_are_counted(asked: Asked) -> None:
    given = [Prediction(name, "yes") for name in asked.ids]
    found = judge_run(asked, Predictions(Header(), given), run="yes").result.confusion
    truth = Counter(asked.words("answer"))
    assert {pair.truth: pair.count for pair in found} == dict(truth)
    assert {pair.said for pair in found} == {"yes"}
    assert [pair.count for pair in found] == sorted(truth.values(), reverse=True)


# Pairs


def with_pairs(dataset: Path, **columns: list[str | None]) -> Asked:
    """The dataset with more columns in its first shard of questions."""
    manifest = open_dataset(dataset)
    name = next(name for name in manifest.files if name.startswith("questions/"))
    table = pq.read_table(dataset / name)
    for field, values in columns.items():
        padded = [*values, *[None] * (table.num_rows - len(values))]
        table = table.append_column(field, pa.array(padded, pa.string()))
    pq.write_table(table, dataset / name)
    files: dict[str, FileRecord] = {**manifest.files, name: record_file(dataset / name)}
    write_manifest(dataset, msgspec.structs.replace(manifest, files=files))
    return load_questions(dataset)


def test_rephrased_and_counterfactual_groups(dataset: Path) -> None:
    asked = with_pairs(dataset, rephrasing=["a", "a", "b", "b", "b", "c"], counterfactual=[None, "x", "x", None, "y"])
    truth = asked.words("answer")
    said: list[Any] = list(truth)
    said[0] = said[1] = "wrong"  # group a: one answer throughout, and wrong
    said[3] = None
    given = [Prediction(name, answer) for name, answer in zip(asked.ids, said, strict=True)]
    rephrased, counterfactual = judge_run(asked, Predictions(Header(), given), run="r").result.consistency
    assert (rephrased.kind, rephrased.groups, rephrased.all_right.value) == ("rephrasing", 2, 0.0)
    same = [len({normalize(answer) for answer in said[a:b]}) == 1 for a, b in ((0, 2), (2, 5))]
    assert rephrased.same_answer is not None
    assert rephrased.same_answer.value == sum(same) / 2
    assert (counterfactual.kind, counterfactual.groups, counterfactual.all_right.value) == ("counterfactual", 1, 0.0)
    assert counterfactual.same_answer is None


def test_questions_with_one_program_about_one_scene_are_rephrasings(dataset: Path) -> None:
    manifest = open_dataset(dataset)
    name = next(name for name in manifest.files if name.startswith("questions/"))
    table = read_table(dataset / name).to_pylist()
    for row in table[1:3]:
        row |= {"program": table[0]["program"], "answer": table[0]["answer"], "scene_id": table[0]["scene_id"]}
    pq.write_table(pa.Table.from_pylist(table, read_table(dataset / name).schema), dataset / name)
    files: dict[str, FileRecord] = {**manifest.files, name: record_file(dataset / name)}
    write_manifest(dataset, msgspec.structs.replace(manifest, files=files))
    asked = load_questions(dataset)
    given = [Prediction(one, answer) for one, answer in zip(asked.ids, asked.words("answer"), strict=True)]
    pairs = Counter(zip(asked.words("scene_id"), asked.words("program"), strict=True))
    (found,) = judge_run(asked, Predictions(Header(), given), run="r").result.consistency
    assert found.groups == sum(count > 1 for count in pairs.values()) >= 1
    assert found.all_right.value == 1.0


# Intervals and tests


def test_intervals_hold_the_truth_nineteen_times_of_twenty() -> None:
    """Clusters of ten questions that stand or fall together, many times over: how often is the true mean inside?"""
    clustered, naive = 0, 0
    for trial in range(200):
        rng = generator(trial, "coverage")
        chances = rng.beta(2, 2, 60)
        scores = (rng.random((60, 10)) < chances[:, None]).astype(float).ravel()
        found = means([scores], [np.ones(600, bool)], np.repeat(np.arange(60), 10), seed=trial)[0][0]
        clustered += found.low <= 0.5 <= found.high
        spread = 1.96 * scores.std() / np.sqrt(600)
        naive += abs(scores.mean() - 0.5) <= spread
    assert 0.90 <= clustered / 200 <= 0.985
    assert naive / 200 < 0.85  # single questions would promise too much


def test_an_interval_is_what_a_loop_over_draws_gives() -> None:
    rng = generator(1, "loop")
    scenes = np.sort(rng.integers(0, 12, 80))
    scenes = np.unique(scenes, return_inverse=True)[1]
    scores = rng.random(80)
    inside = rng.random(80) < 0.7
    found = means([scores], [inside], scenes)[0][0]
    own, values = generator(5, "other"), []
    for _ in range(4000):
        drawn = own.integers(0, scenes.max() + 1, scenes.max() + 1)
        kept = [scores[(scenes == scene) & inside] for scene in drawn]
        values.append(np.concatenate(kept).mean())
    low, high = np.quantile(values, (0.025, 0.975))
    assert found.count == inside.sum()
    assert found.value == pytest.approx(scores[inside].mean())
    assert [found.low, found.high] == pytest.approx([low, high], abs=0.02)


def test_all_right_still_leaves_doubt() -> None:
    found = means([np.ones(30)], [np.ones(30, bool)], np.repeat(np.arange(10), 3))[0][0]
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.025 ** (1 / 10))  # ten scenes cannot exclude a chance of 69%
    none = means([np.zeros(30)], [np.ones(30, bool)], np.repeat(np.arange(10), 3))[0][0]
    assert [none.low, none.high] == pytest.approx([0.0, 1 - 0.025 ** (1 / 10)])


@given(st.integers(0, 10_000), st.integers(2, 40), st.integers(1, 5))
def test_an_interval_holds_its_mean(seed: int, scenes: int, each: int) -> None:
    scores = (generator(seed, "scores").random(scenes * each) < 0.6).astype(float)
    found = means([scores], [np.ones(len(scores), bool)], np.repeat(np.arange(scenes), each))[0][0]
    assert 0 <= found.low <= found.value + 1e-6
    assert found.value - 1e-6 <= found.high <= 1


def test_a_real_difference_is_found_and_chance_is_not() -> None:
    scenes = np.repeat(np.arange(80), 5)
    surely = 0
    for trial in range(40):
        rng = generator(trial, "difference")
        one, other = (rng.random(400) < 0.6).astype(float), (rng.random(400) < 0.6).astype(float)
        found = difference(one, other, scenes, seed=trial)
        assert found.low <= found.value <= found.high
        surely += found.p < 0.05
    assert surely <= 6
    rng = generator(1, "better")
    one = (rng.random(400) < 0.75).astype(float)
    found = difference(one, (rng.random(400) < 0.55).astype(float), scenes)
    assert found.p < 0.001
    assert found.low > 0
    assert difference(one, one, scenes).p == 1.0


def test_a_few_scenes_are_judged_exactly() -> None:
    """Eight scenes, all better: of the 256 ways to flip signs two are as extreme."""
    found = difference(np.ones(8), np.zeros(8), np.arange(8))
    assert found.p == pytest.approx(2 / 256, abs=0.003)


def test_several_tests_are_corrected() -> None:
    assert adjusted([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjusted([0.9, 0.5]) == [1.0, 1.0]
    assert adjusted([]) == []


def test_runs_are_compared_on_what_both_were_asked(asked: Asked) -> None:
    def run(name: str, wrong: int, selection: Selection) -> Any:
        own = asked.take(asked.chosen(selection), selection)
        answers = own.words("answer")
        given = [Prediction(q, a if k % wrong else "x") for k, (q, a) in enumerate(zip(own.ids, answers, strict=True))]
        return judge_run(own, Predictions(Header(), given), run=name)

    good, bad = run("good", 10, Selection(("val", "test"))), run("bad", 2, Selection(("test",)))
    (pair,) = compare([good, bad])
    assert (pair.one, pair.other, pair.measure) == ("good", "bad", "accuracy")
    shared = set(good.asked.ids) & set(bad.asked.ids)
    assert pair.difference.count == len(shared) == 100
    assert pair.difference.value > 0.3
    assert pair.adjusted < 0.05


# Tables


def test_a_declared_row_holds_the_questions_it_names(asked: Asked) -> None:
    table = Table("t", (Row("red or yes", {"type": ("query_attribute", "exist"), "answer": ("red", "yes")}),))
    (inside,) = members_of(table, asked)
    expected = [
        type in ("query_attribute", "exist") and answer in ("red", "yes")
        for type, answer in zip(asked.words("type"), asked.words("answer"), strict=True)
    ]
    assert inside.tolist() == expected
    assert any(expected)


PTR_ROWS = {
    "concept": ("query-object", "exist-object", "count-object", "query-part", "count-part"),
    "relation": ("spatial", "geometric", "same-attribute"),
    "analogy": ("spatial-analogy", "geometric-analogy"),
    "arithmetic": ("compare-integer", "sum-minus"),
    "physics": ("stability", "possible-change"),
}


def test_fourteen_rows_under_five_headings_are_declared_in_a_line(asked: Asked) -> None:
    table = Table(
        "types",
        tuple(Row(name, {"type": (type,), "subtype": (name,)}, type) for type, own in PTR_ROWS.items() for name in own),
    )
    names = [(type, name) for type, own in PTR_ROWS.items() for name in own]
    changed = asked.table
    for place, field in enumerate(("type", "subtype")):
        values = pa.array([names[k % 14][place] for k in range(len(asked))])
        changed = changed.set_column(changed.column_names.index(field), field, values)
    own = Asked(asked.folder, asked.manifest, changed)
    given = [Prediction(name, "yes") for name in own.ids]
    judged = judge_run(own, Predictions(Header(), given), run="yes", judging=Judging(tables=(table,))).result
    shown = judged.tables[0].rows
    assert [(row.group, row.name) for row in shown] == names
    assert sum(row.questions for row in shown) == len(own)
    text = latex(grids([judged])[1])
    assert text.count(r"\multicolumn") == 5


def test_tables_are_the_same_in_every_form(asked: Asked) -> None:
    runs = []
    for name, wrong in (("a_1", 3), ("b%2", 5)):
        given = [
            Prediction(q, a if k % wrong else "x")
            for k, (q, a) in enumerate(zip(asked.ids, asked.words("answer"), strict=True))
        ]
        runs.append(judge_run(asked, Predictions(Header(), given), run=name, judging=Judging(tables=TABLES)).result)
    overall, types, *_ = grids(runs)
    assert [row.cells[0] for row in types.rows] == [row.name for row in runs[0].tables[0].rows]
    lines = markdown(types).splitlines()
    assert lines[0] == "| question types | questions | a_1 | b%2 |"
    assert len(lines) == 2 + len(types.rows)
    assert r"a\_1 & b\%2" in latex(types)
    records = [line.split(",") for line in csv_text([overall, types]).splitlines()]
    assert records[0] == ["table", "group", "row", "column", "questions", "score", "low", "high"]
    assert len(records) == 1 + 2 * (1 + len(types.rows))
    first = runs[0].overall.scores["accuracy"]
    assert [float(number) for number in records[1][5:]] == pytest.approx([first.value, first.low, first.high], abs=1e-6)


# Answers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (" Yes. ", True),
        ("NO", False),
        ("three", 3),
        ("a red cube", "red_cube"),
        ('"Metal"', "metallic"),
        ("grey", "gray"),
        ("The  Large", "large"),
        ("**2**", "2"),
        ("True", "yes"),
    ],
)
def test_answers_that_are_the_same(one: Any, other: Any) -> None:
    assert normalize(one) == normalize(other) != ""


@pytest.mark.parametrize(("one", "other"), [("12", "2"), ("red", "blue"), ("", "0"), ("a", "b"), ("no", "none")])
def test_answers_that_are_not(one: str, other: str) -> None:
    assert normalize(one) != normalize(other)


@given(st.text())
def test_normalizing_twice_changes_nothing(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once


# Bad input


def bad(dataset: Path, path: Path, mereo: CommandLine, *more: str) -> str:
    done = mereo("evaluate", dataset, path, *more, code=2)
    assert done.out == ""
    assert not (dataset / "runs" / path.stem).exists()
    return done.err.removeprefix(f"mereo: {path}, ").removeprefix(f"mereo: {path}: ").rstrip("\n")


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ['{"question_id": "test-000000-00", "answer": "yes"}', '{"question_id": "nobody-07", "answer": "yes"}'],
            "line 2, field 'question_id': DATASET asks no question 'nobody-07'; its ids are like 'train-000000-00'",
        ),
        (
            ['{"question_id": "test-000000-00", "answer": 1}', "", '{"question_id": "test-000000-00", "answer": 2}'],
            "line 3, field 'question_id': 'test-000000-00' is answered in line 1 already",
        ),
        ([], "holds no predictions"),
        (['{"predictions": 1}'], "holds no predictions"),
        (
            ['{"question_id": "test-000000-00", "answer": ["yes"]}'],
            "line 1, field 'answer': must be text, a whole number, true, false or null, got `array`",
        ),
        (
            ['{"question_id": "test-000000-00", "answer": 1.5}'],
            "line 1, field 'answer': must be text, a whole number, true, false or null, got `float`",
        ),
        (['{"question_id": 7, "answer": "yes"}'], "line 1, field 'question_id': expected `str`, got `int`"),
        (['{"answer": "yes"}'], "line 1: object missing required field `question_id`"),
        (
            ['{"question_id": "test-000000-00", "answer": "x", "boxes": [[1, 2, 3]]}'],
            "line 1, field 'boxes[0]': expected `array` of length 4",
        ),
        (['{"question_id": "test-000000-00", "answer": "x"'], "line 1: is not JSON (input data was truncated)"),
        (["answer: yes"], "line 1: is not JSON (invalid character (byte 0))"),
        (
            ['{"predictions": 9}', '{"question_id": "test-000000-00"}'],
            "line 1, field 'predictions': is of version 9; this mereo reads up to 1",
        ),
        (['{"predictions": 1, "model": 7}'], "line 1, field 'model': expected `str | null`, got `int`"),
    ],
)
def test_a_bad_file_is_named_by_its_line(
    dataset: Path, tmp_path: Path, mereo: CommandLine, lines: list[str], sentence: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    assert bad(dataset, path, mereo).lower() == sentence.replace("DATASET", str(dataset)).lower()


def test_predictions_for_another_dataset(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    path = write(tmp_path / "other.jsonl", two_thirds(dataset, "test"), {"dataset": "0" * 64, "benchmark": "ptr"})
    said = bad(dataset, path, mereo)
    assert said.startswith(
        "line 1, field 'dataset': are predictions for another dataset (000000000000… of ptr), not for"
    )
    own = write(tmp_path / "own.jsonl", two_thirds(dataset, "test"), {"dataset": fingerprint(open_dataset(dataset))})
    mereo("evaluate", dataset, own)


def test_bad_parquet_is_named_by_its_row(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    path = tmp_path / "bad.parquet"
    pq.write_table(pa.table({"question_id": ["test-000000-00", "who"], "answer": ["1", "2"]}), path)
    assert bad(dataset, path, mereo).startswith("row 2, field 'question_id'")
    pq.write_table(pa.table({"id": ["a"]}), path)
    assert bad(dataset, path, mereo) == "has no column 'question_id'"
    path.write_bytes(b"PAR1 is not enough")
    assert "is not a whole Parquet file" in bad(dataset, path, mereo)


def test_other_mistakes(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    path = write(tmp_path / "mine.jsonl", two_thirds(dataset, "test"))
    assert bad(dataset, tmp_path / "nothing.jsonl", mereo) == "there is no such file"
    assert "there is no split 'tset' (did you mean 'test'?)" in bad(dataset, path, mereo, "--split", "tset")
    assert "cannot be the name of a run" in bad(dataset, path, mereo, "--name", "a/b")
    mereo("evaluate", dataset, path)
    (tmp_path / "elsewhere").mkdir()
    other = write(tmp_path / "elsewhere" / "mine.jsonl", two_thirds(dataset, "val"))
    done = mereo("evaluate", dataset, other, code=2)
    assert "there is another run 'mine' already: give --name, or --replace" in done.err
    mereo("evaluate", dataset, other, "--replace")
    assert result(dataset, "mine")["selection"]["splits"] == ["val"]


@given(st.binary(max_size=200))
def test_no_file_breaks_the_reader(built: Path, data: bytes) -> None:
    asked = load_questions(built)
    path = built.parent / "fuzz.jsonl"
    path.write_bytes(data)
    assert complaint(lambda: read_predictions(path, asked)) is not None


def test_what_is_written_is_read_back(asked: Asked, tmp_path: Path) -> None:
    header = Header(dataset=asked.checksum, model="m", selection=Selection(("test",), 5), settings={"a": [1, "b"]})
    given = [Prediction(asked.ids[0], True), Prediction(asked.ids[3], "x", boxes=[(1.0, 2.0, 3.0, 4.0)], raw="X!")]
    write_predictions(tmp_path / "p.jsonl", header, given)
    found = read_predictions(tmp_path / "p.jsonl", asked)
    assert found.header == header
    assert [one for one in found.given if one is not None] == given


def test_a_longer_selection_holds_a_shorter_one(asked: Asked) -> None:
    few, many = (set(asked.chosen(Selection((), limit)).tolist()) for limit in (20, 60))
    assert len(few) == 20
    assert few < many
    assert asked.chosen(Selection((), 20)).tolist() == sorted(few)
