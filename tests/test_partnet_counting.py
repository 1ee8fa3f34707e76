"""The parts of a PartNet dataset's shapes are counted as those of the shapes themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mereo as workbench
from kit import CommandLine
from mereo.benchmarks.partnet.counting import dataset_statistics
from mereo.shapes.grammar import make_shape
from mereo.shapes.statistics import ALL, ShapeCount, counted_statistics, shape_statistics

CATEGORIES = ("chair", "lamp", "mug")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("counting") / "set"
    chosen: dict[str, Any] = {"split": "train=6,test=3", "categories": ",".join(CATEGORIES), "points": 50, "seed": 6}
    return workbench.build("partnet", place, **chosen).folder


def test_a_dataset_counts_as_its_shapes_do(dataset: Path) -> None:
    shapes = [
        make_shape(category, seed=6, split=split, family=family)
        for split, families in (("train", 2), ("test", 1))
        for family in range(families)
        for category in CATEGORIES
    ]
    assert dataset_statistics(dataset) == shape_statistics(shapes)


def test_a_model_that_was_annotated_twice_is_one_shape() -> None:
    one = ShapeCount("mug", "m", frozenset({"mug", "mug/body"}), frozenset({"mug/body"}), 2, 1)
    found = counted_statistics([one, one, replace(one, model="n", parts=5)])
    assert found[ALL] == found["mug"]
    assert (found["mug"].annotations, found["mug"].shapes, found["mug"].repeated) == (3, 2, 1)
    assert (found["mug"].part_instances, found["mug"].median_parts, found["mug"].most_parts) == (9, 2, 5)


def test_the_command_counts_a_dataset_and_refuses_those_of_others(
    mereo: CommandLine, dataset: Path, tmp_path: Path
) -> None:
    told = mereo("shapes", "statistics", dataset).out
    assert "these shapes" in told
    assert ["chair", "3", "3", "0"] in [line.split()[:4] for line in told.splitlines()]
    assert "apart" not in told  # how far made shapes are apart is told of what is made
    workbench.build("clevr", tmp_path / "solids", split="train=1", symbolic=True, questions_per_scene=1)
    said = mereo("shapes", "statistics", tmp_path / "solids", code=2).err
    assert "is a dataset of clevr; parts are counted in those of partnet" in said
