"""Blind baselines: they learn from the training split only, and each does what its name says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kit import CommandLine
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.chance import generator
from mereo.datasets.asked import Asked, Selection, load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.store import read_table
from mereo.datasets.words import bag_of_words, nearest_answers, regression_answers
from mereo.evaluation.baselines import all_baselines, answer_blindly, judged_splits

NAMES = ["random-by-type", "frequent-by-type", "frequent-by-template", "bag-of-words", "nearest-question"]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blind") / "set"
    build_dataset(ClevrRecipe(seed=2), folder, splits={"train": 40, "val": 20}, shard_size=50)
    return folder


@pytest.fixture(scope="module")
def asked(dataset: Path) -> Asked:
    return load_questions(dataset)


def rows(dataset: Path, split: str) -> list[dict[str, Any]]:
    return [row for path in (dataset / "questions").glob(f"{split}-*") for row in read_table(path).to_pylist()]


def answers(asked: Asked, name: str, seed: int = 0) -> dict[str, str]:
    _, predictions = answer_blindly(asked, name, seed=seed)
    return {one.question_id: str(one.answer) for one in predictions.given if one is not None}


@pytest.mark.parametrize("name", NAMES)
def test_a_baseline_answers_all_but_the_training_split_and_repeats_itself(asked: Asked, name: str) -> None:
    judged, predictions = answer_blindly(asked, name)
    assert judged.selection == Selection(("val",))
    assert [one.question_id for one in predictions.given if one] == judged.ids
    assert len(judged) == 200
    assert answers(asked, name) == answers(asked, name)
    assert predictions.header.kind == "baseline"


def test_all_that_were_promised_are_there() -> None:
    assert list(all_baselines()) == NAMES


@pytest.mark.parametrize(("name", "fields"), [("frequent-by-type", 2), ("frequent-by-template", 3)])
def test_the_most_frequent_answer_of_the_training_split(dataset: Path, asked: Asked, name: str, fields: int) -> None:
    key = ("type", "subtype", "template")[:fields]
    seen: dict[tuple[str, ...], Counter[str]] = {}
    for row in rows(dataset, "train"):
        seen.setdefault(tuple(row[field] for field in key), Counter())[row["answer"]] += 1
    said = answers(asked, name)
    checked = 0
    for row in rows(dataset, "val"):
        counts = seen.get(tuple(row[field] for field in key))
        if counts is not None:
            assert counts[said[row["question_id"]]] == max(counts.values())
            checked += 1
    assert checked > 100


def test_random_answers_are_of_the_right_type_and_even(dataset: Path, asked: Asked) -> None:
    known: dict[str, set[str]] = {}
    for row in rows(dataset, "train"):
        known.setdefault(row["subtype"], set()).add(row["answer"])
    said = Counter[tuple[str, str]]()
    for seed in range(30):
        found = answers(asked, "random-by-type", seed)
        for row in rows(dataset, "val"):
            assert found[row["question_id"]] in known[row["subtype"]]
            said[row["subtype"], found[row["question_id"]]] += 1
    yes, no = said["exist", "yes"], said["exist", "no"]
    assert 0.45 < yes / (yes + no) < 0.55


def test_without_a_training_split_each_half_answers_the_other(tmp_path: Path) -> None:
    build_dataset(ClevrRecipe(seed=3), tmp_path / "only", splits={"test": 6}, shard_size=10)
    asked = load_questions(tmp_path / "only")
    for name in NAMES:
        assert set(answers(asked, name)) == set(asked.ids)
    build_dataset(ClevrRecipe(seed=3), tmp_path / "one", splits={"test": 1}, shard_size=10)
    assert len(answers(load_questions(tmp_path / "one"), "bag-of-words")) == 10


def test_which_splits_are_judged() -> None:
    assert judged_splits(["train", "val", "test"]) == ("val", "test")
    assert judged_splits(["trainA", "valA", "valB"]) == ("valA", "valB")
    assert judged_splits(["train"]) == ("train",)
    assert judged_splits(["val"]) == ("val",)


WORDS = ("red", "blue", "cube", "ball", "big", "small")


def test_regression_learns_what_words_tell() -> None:
    """The answer follows from one word among others that tell nothing."""
    rng = generator(0, "regression")
    texts, truth = [], []
    for _ in range(600):
        color = "red" if rng.random() < 0.5 else "blue"
        noise = [WORDS[2 + int(k)] for k in rng.integers(0, 4, 5)]
        texts.append(" ".join([*noise[:2], color, *noise[2:]]) + "?")
        truth.append("yes" if color == "red" else "no")
    bags = bag_of_words(texts[:400])
    said = regression_answers(bags, truth[:400], texts[400:], rng=rng)
    assert np.mean([a == b for a, b in zip(said, truth[400:], strict=True)]) > 0.98
    shuffled = [truth[k] for k in rng.permutation(400)]
    told = regression_answers(bags, shuffled, texts[400:], rng=rng)
    assert 0.3 < np.mean([a == b for a, b in zip(told, truth[400:], strict=True)]) < 0.7


def test_the_nearest_question_is_the_one_with_the_same_words() -> None:
    bags = bag_of_words(["how many red cubes", "is there a blue ball", "what color is the big cube"])
    said = nearest_answers(bags, ["2", "no", "red"], ["is there a red ball", "what color is the cube", "how many?"])
    assert said == ["no", "red", "2"]


def test_the_card_shows_them_once(dataset: Path, mereo: CommandLine) -> None:
    before = (dataset / "README.md").read_text()
    mereo("baseline", dataset)
    first = (dataset / "README.md").read_text()
    done = mereo("baseline", dataset)
    second = (dataset / "README.md").read_text()
    assert first == second
    assert before.rstrip() in first
    for name in NAMES:
        assert f"| {name} |" in first
        assert name in done.out
        assert (dataset / "runs" / name / "predictions.jsonl").exists()
        record = json.loads((dataset / "runs" / name / "result.json").read_text())
        value = record["overall"]["scores"]["accuracy"]["value"]
        assert 0.2 < value < 0.65
        assert f"{100 * value:.1f} [" in first


def test_an_unknown_baseline(dataset: Path, mereo: CommandLine) -> None:
    done = mereo("baseline", dataset, "--which", "frequent-by-typ", code=2)
    assert "there is no baseline 'frequent-by-typ' (did you mean 'frequent-by-type'?)" in done.err
