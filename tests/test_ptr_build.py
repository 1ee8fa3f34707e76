"""Building PTR: balanced questions in shards, pairs with counterfactual scenes, and PTR's own files out of them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mereo.benchmarks.benchmark import benchmark, find_format, inspector_of
from mereo.benchmarks.ptr.questions import TYPES
from mereo.benchmarks.ptr.recipe import PtrRecipe
from mereo.datasets.audit import audit_dataset
from mereo.datasets.build import build_dataset
from mereo.datasets.export import export_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.store import open_dataset, read_table
from mereo.datasets.verify import verify_files


def complaints(folder: Path) -> list[str]:
    inspector = inspector_of(open_dataset(folder))
    assert inspector is not None
    return audit_dataset(folder, inspector).complaints


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six small pictures, two of physical scenes, and what a change would save shown again."""
    folder = tmp_path_factory.mktemp("ptr") / "set"
    recipe = PtrRecipe(
        seed=0, counterfactuals=True, view=PictureSettings(width=180, height=120, samples=8), pictures=True
    )
    build_dataset(recipe, folder, splits={"train": 6}, shard_size=1000)
    return folder


@pytest.fixture(scope="module")
def questions(pictured: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_table(pictured / "questions" / "train-00000.parquet").to_pylist()
    return rows


def test_a_build_is_sound_and_asks_of_all_kinds(pictured: Path, questions: list[dict[str, Any]]) -> None:
    assert complaints(pictured) == []
    assert {row["subtype"] for row in questions} == set(TYPES)
    assert all(row["type"] == TYPES[row["subtype"]] for row in questions)


def test_pairs_ask_the_same_of_scenes_that_differ_in_one_place(pictured: Path, questions: list[dict[str, Any]]) -> None:
    scenes = {row["scene_id"]: row for row in read_table(pictured / "scenes" / "train-00000.parquet").to_pylist()}
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in questions:
        if row["counterfactual"]:
            groups[row["counterfactual"]].append(row)
    assert groups
    for first, pair in groups.items():
        assert pair[0]["question_id"] == first
        assert len({(row["question"], row["program"]) for row in pair}) == 1
        for row in pair[1:]:
            record = msgspec.json.decode(scenes[row["scene_id"]]["scene"])
            assert record["counterfactual_of"] == pair[0]["scene_id"]
    assert all(row["counterfactual"] for row in questions if "-c" in row["scene_id"])


def test_every_label_in_a_picture_has_a_category(pictured: Path) -> None:
    inspector = inspector_of(open_dataset(pictured))
    keys = [row["instance_key"] for row in read_table(pictured / "scenes" / "train-00000.parquet").to_pylist()]
    labels = {label for key in keys for _, _, label in msgspec.json.decode(key)}
    assert labels | {label.partition("/")[0] for label in labels} <= set(inspector.categories())


def test_official_files_say_the_same_where_both_languages_can(
    pictured: Path, questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    export_dataset(pictured, tmp_path / "out", to="ptr", own=benchmark("ptr").exporters)
    form, files = find_format("ptr_official"), tmp_path / "out"
    found = verify_files(
        files / "scenes" / "train",
        files / "questions" / "PTR_train_questions.json",
        form,
    )
    assert found.answers >= 40
    assert found.perfect, found.disagreements
    both = [
        msgspec.json.decode((files / "questions" / f"PTR_train_{name}.json").read_bytes())["questions"]
        for name in ("questions", "more")
    ]
    assert all(question["program"] is None for question in both[1]), "what is said otherwise there is not said at all"
    asked = sorted((question["image"], question["question"]) for own in both for question in own)
    assert asked == sorted((f"PTR_{row['scene_id']}", row["question"]) for row in questions)
