"""The judge of CRIC: answers, what they point at, and both, against plain loops; and what a person can get wrong."""

from __future__ import annotations

import json
import math
import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import grounded
from kit import CommandLine, complaint
from mereo.benchmarks.cric.figures import published, sections
from mereo.benchmarks.cric.graph import SceneGraph, graph_of
from mereo.benchmarks.cric.judge import JUDGING, judge_grounded
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.tables import SIZES, STEPS, WORDS
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.columns import record_of
from mereo.datasets.predictions import Header, Prediction, Predictions, read_predictions, write_predictions
from mereo.datasets.store import QUESTION_FIELDS, read_table
from mereo.evaluation.baselines import all_baselines, answer_blindly
from mereo.evaluation.blind import score_baselines
from mereo.evaluation.instructive import choose_errors
from mereo.evaluation.oracle import answer_by_oracle
from mereo.evaluation.reported import Report
from mereo.evaluation.result import Judged, ScoredRow, judge_run
from mereo.masks import Box
from mereo.programs import parse_program


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return load_questions(grounded.build(tmp_path_factory.mktemp("cric") / "set"))


def rows(asked: Asked, kind: str = "questions") -> list[dict[str, Any]]:
    """All rows in the order of the questions."""
    names = [name for name in asked.manifest.files if name.startswith(f"{kind}/")]
    return [row for name in names for row in read_table(asked.folder / name).to_pylist()]


def graphs(asked: Asked) -> list[SceneGraph]:
    """The graph of every question."""
    known = {row["scene_id"]: graph_of(record_of(row)) for row in rows(asked, "scenes")}
    return [known[row["scene_id"]] for row in rows(asked)]


def oracle(asked: Asked, **amounts: float) -> Predictions:
    return answer_by_oracle(asked, grounded.Eye(), amounts=amounts, seed=3, told=JUDGING.told)


def judged(asked: Asked, predictions: Predictions) -> Judged:
    return judge_run(asked, predictions, run="run", judging=JUDGING)


def said(asked: Asked, given: list[Prediction | None]) -> Predictions:
    assert len(given) == len(asked)
    return Predictions(Header(), given)


def table(run: Judged, name: str) -> list[ScoredRow]:
    (found,) = [one.rows for one in run.result.tables if one.name == name]
    return found


def naive_overlap(one: Box, other: Box) -> float:
    (left, top, width, height), (x, y, across, down) = one, other
    wide = max(0.0, min(left + width, x + across) - max(left, x))
    tall = max(0.0, min(top + height, y + down) - max(top, y))
    return wide * tall / (width * height + across * down - wide * tall)


def naive_grounding(one: Prediction, row: dict[str, Any], graph: SceneGraph) -> float:
    """Whether a prediction points rightly, word by word as the paper says it."""
    names, pointed = [thing.id for thing in graph.things], None
    if one.target is not None:
        pointed = names.index(one.target) if isinstance(one.target, str) else one.target
    elif one.boxes:
        best = 0.0
        pointed = -1
        for place, thing in enumerate(graph.things):
            if thing.candidate and thing.box and naive_overlap(one.boxes[0], thing.box) > best:
                best, pointed = naive_overlap(one.boxes[0], thing.box), place
    if row["answer"] == "no":
        return float(pointed is None)
    return float(pointed in row["target"])


def by_chance(asked: Asked, chance: random.Random) -> list[Prediction]:
    """Predictions of every kind: right and wrong, by number, by id, by box and by nothing."""
    found = []
    for row, graph in zip(rows(asked), graphs(asked), strict=True):
        place = chance.choice([*row["target"], chance.randrange(len(graph.things))])
        thing, fields = graph.things[place], dict[str, Any]()
        kind = chance.choice(["number", "id", "box", "aside", "nothing", "no box"])
        if kind == "number":
            fields["target"] = place
        elif kind == "id":
            fields["target"] = thing.id
        elif kind in ("box", "aside"):
            left, top, width, height = thing.box or (0.0, 0.0, 1.0, 1.0)
            moved = 9.0 if kind == "aside" else 0.0
            fields["boxes"] = [(left + moved, top, width, height)]
        elif kind == "no box":
            fields["boxes"] = []
        answer = chance.choice([row["answer"], row["answer"].upper(), "yes", "no", "plate"])
        found.append(Prediction(row["question_id"], answer, **fields))
    return found


def test_the_oracle_answers_points_and_refers_rightly_everywhere(asked: Asked) -> None:
    run = judged(asked, oracle(asked))
    assert run.result.measures == ["final", "answer", "grounding"]
    assert {name: mean.value for name, mean in run.result.overall.scores.items()} == dict.fromkeys(
        ("answer", "grounding", "final"), 1.0
    )
    for name in ("answers", "question types", SIZES, WORDS, STEPS):
        assert all(mean.value == 1.0 for row in table(run, name) for mean in row.scores.values())
    assert [row.name for row in table(run, STEPS)] == list(LANGUAGE.functions)


def test_marks_are_what_plain_loops_say(asked: Asked) -> None:
    seen = set()
    for seed in range(8):
        given = by_chance(asked, random.Random(seed))
        marks = judge_grounded(asked, said(asked, list(given)))
        for place, (one, row, graph) in enumerate(zip(given, rows(asked), graphs(asked), strict=True)):
            answer = float(str(one.answer).lower() == row["answer"])
            grounding = naive_grounding(one, row, graph)
            found = tuple(marks.scores[name][place] for name in ("answer", "grounding", "final"))
            assert found == (answer, grounding, float(answer and grounding))
            seen.add((row["answer"] == "no", *found[:2]))
    assert len(seen) == 8


def test_a_box_chooses_a_candidate_and_nothing_else(asked: Asked) -> None:
    place = next(k for k, row in enumerate(rows(asked)) if row["subtype"] == "QueryAtt")
    handle = graphs(asked)[place].things[5]
    assert handle.name == "handle"
    assert not handle.candidate
    given: list[Prediction | None] = [None] * len(asked)
    given[place] = Prediction(asked.ids[place], "red", boxes=[handle.box or (0, 0, 0, 0)])
    assert judge_grounded(asked, said(asked, given)).scores["grounding"][place] == 1.0
    given[place] = Prediction(asked.ids[place], "red", boxes=[(0.0, 0.0, 5.0, 5.0)])
    assert judge_grounded(asked, said(asked, given)).scores["grounding"][place] == 0.0
    given[place] = Prediction(asked.ids[place], "red", boxes=[(300.0, -40.0, 60.0, 300.0)])
    assert judge_grounded(asked, said(asked, given)).scores["grounding"][place] == 1.0
    both = [thing.box or (0, 0, 0, 0) for thing in graphs(asked)[place].things[3:5]]
    given[place] = Prediction(asked.ids[place], "red", boxes=both)
    assert judge_grounded(asked, said(asked, given)).scores["grounding"][place] == 0.0


def test_what_is_not_predicted_is_wrong_also_where_nothing_is_meant(asked: Asked) -> None:
    marks = judge_grounded(asked, said(asked, [None] * len(asked)))
    assert not any(score.any() for score in marks.scores.values())
    assert not marks.answered.any()
    silent = judge_grounded(asked, said(asked, [Prediction(name) for name in asked.ids]))
    assert not any(score.any() for score in silent.scores.values())
    pointing = judge_grounded(asked, said(asked, [Prediction(name, boxes=[]) for name in asked.ids]))
    assert pointing.answered.all()
    assert pointing.scores["grounding"].tolist() == [float(row["answer"] == "no") for row in rows(asked)]


@pytest.mark.parametrize("name", all_baselines())
def test_blind_answers_point_at_nothing(asked: Asked, name: str) -> None:
    own, predictions = answer_blindly(asked, name)
    marks = judge_grounded(own, predictions)
    truth = own.words("answer")
    assert marks.scores["grounding"].tolist() == [float(answer == "no") for answer in truth]
    assert marks.scores["answer"].mean() > marks.scores["final"].mean()
    assert score_baselines(asked, [name], judging=JUDGING)[0][1].value == marks.scores["answer"].mean()
    assert np.array_equal(marks.scores["final"], marks.scores["answer"] * marks.scores["grounding"])
    assert STEPS not in [one.name for one in judged(own, predictions).result.tables]


def test_an_oracle_that_misses_things_still_says_which_it_means(asked: Asked) -> None:
    predictions = oracle(asked, objects=0.3)
    assert predictions == oracle(asked, objects=0.3)
    run = judged(asked, predictions)
    assert 0 < run.result.overall.scores["final"].value < 1
    for one, row, graph in zip(predictions.given, rows(asked), graphs(asked), strict=True):
        assert one is not None
        if one.referred is not None:
            there = set(one.referred[0])
            names = [thing.id for thing in graph.things]
            if there == set(names):
                assert one.answer == row["answer"]
                assert [[names.index(str(k)) for k in step] for step in one.referred] == row["referred"]
    hundredth = judged(asked, oracle(asked, attributes=1.0)).result.overall.scores["final"]
    assert hundredth.value < run.result.overall.scores["final"].value


def test_steps_are_scored_by_the_overlap_of_what_they_refer_to(asked: Asked) -> None:
    chance, given, overlaps = random.Random(5), list[Prediction | None](), dict[str, list[float]]()
    for row, graph in zip(rows(asked), graphs(asked), strict=True):
        steps = parse_program(row["program"]).steps
        told: list[list[int | str]] = []
        for step, true in zip(steps, row["referred"], strict=True):
            own = [place for place in range(len(graph.things)) if (place in true) != (chance.random() < 0.2)]
            entities = LANGUAGE.functions[step.function].output.form == "entities"
            named: list[int | str] = [place if chance.random() < 0.5 else graph.things[place].id for place in own]
            told.append(named if entities else [])
            if entities:
                union = set(own) | set(true)
                share = len(set(own) & set(true)) / len(union) if union else 1.0
                overlaps.setdefault(step.function, []).append(share)
        given.append(Prediction(row["question_id"], row["answer"], referred=told))
    found = {row.name: row.scores for row in table(judged(asked, said(asked, given)), STEPS)}
    assert found.keys() == overlaps.keys() | {"recognition", "verify"}
    for name, shares in overlaps.items():
        assert found[name]["grounding"].value == pytest.approx(np.mean(shares))
        assert found[name]["grounding"].count == len(shares)
    assert found["recognition"]["answer"].value == 1.0
    assert {len(set(shares)) > 1 for shares in overlaps.values()} == {True}


def test_who_tells_only_some_steps_is_wrong_in_the_others(asked: Asked) -> None:
    given = list(oracle(asked).given)
    given[1::2] = [Prediction(one.question_id, one.answer) for one in given[1::2] if one is not None]
    found = {row.name: row.scores for row in table(judged(asked, said(asked, given)), STEPS)}
    share = len(given[::2]) / len(given)
    assert found["recognition"]["answer"].value == 1.0
    assert 0 < found["initial"]["grounding"].value < 1
    assert abs(found["initial"]["grounding"].value - share) < 0.2


def test_tables_hold_every_question_by_its_size_and_its_words(asked: Asked) -> None:
    run, questions = judged(asked, oracle(asked)), rows(asked)
    sizes = [sum(len(part) for part in msgspec.json.decode(row["sub_graph"]).values()) for row in questions]
    assert [(row.name, row.questions) for row in table(run, SIZES)] == [
        (f"{size} facts" if size > 1 else "1 fact", sizes.count(size)) for size in sorted(set(sizes))
    ]
    words = [len(row["question"].split()) for row in questions]
    assert [(row.name, row.questions) for row in table(run, WORDS)] == [
        (f"{count} words", words.count(count)) for count in sorted(set(words))
    ]
    types = [(row.group, row.name, row.questions) for row in table(run, "question types")]
    assert types == [
        (kind, name, sum(row["subtype"] == name for row in questions))
        for kind, name in (
            *(("Recognize", name) for name in ("QueryObjKG", "QueryObjSG", "QueryAtt")),
            *(("Verify", name) for name in ("VerifyKG", "VerifyAtt")),
        )
    ]


def test_the_report_shows_scores_by_size_and_what_the_paper_reports(asked: Asked) -> None:
    runs = [judged(asked, oracle(asked, objects=0.2))]
    sizes, paper = sections(Report(asked, runs, None, (), grounded.Eye(), JUDGING))
    for title in ("Answer by sub-graph size", "Grounding by sub-graph size", "Grounding by question length"):
        assert title in sizes.content
    assert sizes.content.count("<svg") == 4
    assert all(f"{figure:.2f}" in paper.content for figure in (79.85, 64.02, 55.24, 55.18, 16.72))
    for own in published().values():
        assert {len(figures) for figures in own.values()} == {len(own["columns"])}


def test_a_right_answer_that_points_elsewhere_is_shown_as_what_it_is(asked: Asked) -> None:
    given = [None if one is None else msgspec.structs.replace(one, target="7") for one in oracle(asked).given]
    mistakes = choose_errors(judged(asked, said(asked, given)), [])
    assert len(mistakes) > 5
    assert all(mistake.said == f"{mistake.truth}, grounding 0.00" for mistake in mistakes)


FAULTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no such id": ({"target": "zebra"}, ["'zebra' is none of the 6 things", "'target'"]),
    "no such number": ({"target": 6}, ["6 is none of the 6 things", "'target'"]),
    "negative": ({"target": -1}, ["-1 is none of the 6 things"]),
    "turned box": ({"boxes": [(470.0, 0.0, -20.0, 20.0)]}, ["[470.0, 0.0, -20.0, 20.0] is no box", "'boxes[0]'"]),
    "endless box": ({"boxes": [(0.0, 0.0, math.inf, 20.0)]}, ["is no box"]),
    "too few steps": ({"referred": [[0]]}, ["tells of 1 steps, the program has 5", "'referred'"]),
    "no such step": ({"referred": [[], [], ["zebra"], [], []]}, ["'zebra' is none of", "'referred[2]'"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_prediction_that_cannot_be_one_is_named(asked: Asked, fault: str) -> None:
    fields, expected = FAULTS[fault]
    given: list[Prediction | None] = [None] * len(asked)
    given[7] = Prediction(asked.ids[7], "yes", **fields)
    told = complaint(lambda: judged(asked, said(asked, given)))
    assert told is not None
    assert f"prediction for '{asked.ids[7]}'" in told
    assert all(part in told for part in expected)


def test_targets_and_steps_are_read_from_files_of_both_kinds(asked: Asked, tmp_path: Path) -> None:
    predictions = oracle(asked)
    given = [one for one in predictions.given if one is not None]
    write_predictions(tmp_path / "run.jsonl", predictions.header, given)
    assert read_predictions(tmp_path / "run.jsonl", asked).given == given
    columns = {"question_id": asked.ids, "answer": [one.answer for one in given]}
    columns |= {"target": [one.target for one in given], "referred": [one.referred for one in given]}
    pq.write_table(pa.table(columns), tmp_path / "run.parquet")
    assert read_predictions(tmp_path / "run.parquet", asked).given == given


def test_a_dataset_without_targets_is_not_judged(tmp_path: Path) -> None:
    recipe = replace(grounded.Handmade(), question_fields=QUESTION_FIELDS)
    build_dataset(recipe, tmp_path / "bare", splits={"test": 1}, shard_size=2)
    bare = load_questions(tmp_path / "bare")
    told = complaint(lambda: judge_grounded(bare, said(bare, [None] * len(bare))))
    assert told is not None
    assert "holds no questions of CRIC" in told


def test_commands_answer_point_judge_and_report(asked: Asked, tmp_path: Path, mereo: CommandLine) -> None:
    dataset = Path(shutil.copytree(asked.folder, tmp_path / "set"))
    assert mereo("oracle", dataset).out.count("100.0 [39.8, 100.0]") >= 9
    mereo("oracle", dataset, "--noise", "objects=0.3")
    mereo("baseline", dataset, "--which", "frequent-by-type")
    told = mereo("evaluate", dataset, "oracle", "frequent-by-type", "--tables", "9").out
    assert all(name in told for name in ("question types", SIZES, WORDS, STEPS))
    mereo("report", dataset)
    page = (dataset / "report.html").read_text()
    assert "In the paper" in page
    assert "Grounding by sub-graph size" in page
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps({"question_id": asked.ids[0], "answer": "knife", "target": "zebra"}))
    refused = mereo("evaluate", dataset, wrong, code=2)
    assert f"{wrong}, prediction for '{asked.ids[0]}', field 'target': 'zebra' is none" in refused.err
