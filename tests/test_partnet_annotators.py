"""Annotators that err, how far they agree, and what refining their labels gains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mereo as workbench
from kit import CommandLine
from mereo.benchmarks.partnet.annotators import Habits, Unclear, annotated, compared, unclear_labels
from mereo.benchmarks.partnet.clouds import Cloud, array_of, cloud_of, parents_of
from mereo.benchmarks.partnet.confusion import KEPT, MERGED, agreement, counted, refined
from mereo.benchmarks.partnet.consistency import _PUBLISHED
from mereo.benchmarks.partnet.labels import categories, read_labels
from mereo.chance import generator
from mereo.datasets.asked import load_questions
from mereo.datasets.store import open_dataset, read_table
from mereo.files import read_toml

NEVER = Habits(0, 0, 0)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("annotators") / "set"
    chosen: dict[str, Any] = {"split": "train=8,test=2", "categories": "chair,lamp", "points": 200, "seed": 4}
    return workbench.build("partnet", place, **chosen).folder


@pytest.fixture(scope="module")
def shapes(dataset: Path) -> list[tuple[Cloud, Any]]:
    labels = read_labels(open_dataset(dataset))
    rows = [row for path in sorted((dataset / "scenes").iterdir()) for row in read_table(path).to_pylist()]
    return [(cloud_of(row, labels), array_of(row, "points", 200)) for row in rows]


def clear(cloud: Cloud, times: float = 1e9) -> Unclear:
    """All labels of a shape, each as unclear as the others."""
    names = sorted({part.label for part in cloud.record.parts})
    inner = set(parents_of(cloud.record.parts))
    leaves = {part.label for place, part in enumerate(cloud.record.parts) if place not in inner}
    drawn = unclear_labels(names, leaves, rng=generator(0, "test"))
    return drawn._replace(times=np.full(len(names), times))


def true_labels(cloud: Cloud) -> list[str]:
    """The label of the smallest part that holds each point."""
    parts = sorted(cloud.record.parts, key=lambda part: (len(part.leaves), -part.label.count("/")))
    return [next(part.label for part in parts if leaf in part.leaves) for leaf in cloud.leaf.tolist()]


def called(cloud: Cloud, points: Any, habits: Habits, *, seed: int = 0) -> list[str]:
    unclear = clear(cloud)
    numbers = annotated(cloud, points, unclear, habits, rng=generator(seed, "annotator"))
    return [unclear.names[number] for number in numbers.tolist()]


# What annotators do


def test_who_never_errs_calls_every_point_rightly(shapes: list[tuple[Cloud, Any]]) -> None:
    for cloud, points in shapes:
        assert called(cloud, points, NEVER) == true_labels(cloud)


def test_who_mislabels_calls_parts_as_leaves_beside_them(shapes: list[tuple[Cloud, Any]]) -> None:
    changed = 0
    for cloud, points in shapes:
        for said, true in zip(called(cloud, points, Habits(0, 0, 1)), true_labels(cloud), strict=True):
            assert said.rpartition("/")[0] == true.rpartition("/")[0]
            changed += said != true
    assert changed > 100


def test_who_merges_calls_what_lies_under_one_part_as_its_largest(shapes: list[tuple[Cloud, Any]]) -> None:
    merged = 0
    for cloud, points in shapes:
        said, true = called(cloud, points, Habits(1, 0, 0)), true_labels(cloud)
        assert set(said) <= set(true)
        merged += len(set(said)) < len(set(true))
    assert merged > 5


def test_who_splits_gives_half_of_a_piece_to_a_neighbor(shapes: list[tuple[Cloud, Any]]) -> None:
    for cloud, points in shapes:
        said, true = called(cloud, points, Habits(0, 1, 0)), true_labels(cloud)
        assert set(said) <= set(true)
        wrong = np.mean([one != other for one, other in zip(said, true, strict=True)])
        assert wrong <= 0.6  # never more than about half of each piece
    assert any(called(*one, Habits(0, 1, 0)) != true_labels(one[0]) for one in shapes)


# How far they agree


def naive_agreement(annotations: list[list[int]], labels: int) -> list[float]:
    """For each label that is used the share that others call the same, by plain loops."""
    shares = []
    for label in range(labels):
        same = total = 0
        for one, own in enumerate(annotations):
            for other, theirs in enumerate(annotations):
                for mine, yours in zip(own, theirs, strict=True):
                    if one != other and mine == label:
                        total += 1
                        same += yours == label
        shares += [same / total] if total else []
    return shares


@pytest.mark.parametrize("seed", range(4))
def test_agreement_is_that_of_plain_loops(seed: int) -> None:
    rng = generator(seed, "agreement")
    told = [rng.integers(0, 4, 30) for _ in range(3)]
    found = agreement(counted(told, 6))
    shares = naive_agreement([one.tolist() for one in told], 6)
    assert found.labels == len(shares)
    assert found.mean == pytest.approx(np.mean(shares))
    assert found.spread == pytest.approx(np.std(shares))


def test_labels_that_are_taken_for_each_other_become_one_and_hard_ones_go() -> None:
    counts = np.array([[50, 50, 0, 0], [50, 50, 0, 0], [0, 0, 90, 10], [3, 3, 3, 6]])
    assert agreement(counts).mean == pytest.approx((0.5 + 0.5 + 0.9 + 0.4) / 4)
    left = refined(counts)
    assert left.tolist() == [[200, 0], [0, 90]]
    assert agreement(left) == (2, 1.0, 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_after_refinement_nothing_is_left_to_refine(seed: int) -> None:
    counts = generator(seed, "counts").integers(0, 40, (6, 6)) + np.diag([150] * 6)
    left = refined(counts)
    shares = left / left.sum(1, keepdims=True)
    assert (shares.diagonal() > KEPT).all()
    assert (shares - np.diag(shares.diagonal()) <= MERGED).all()
    assert refined(left).tolist() == left.tolist()


def test_nothing_counted_agrees_about_nothing() -> None:
    found = agreement(refined(np.zeros((3, 3), np.int64)))
    assert found.labels == 0
    assert np.isnan(found.mean)


def test_the_more_annotators_err_the_less_they_agree(dataset: Path) -> None:
    asked = load_questions(dataset)
    means = []
    for chance in (0.0, 0.05, 0.3):
        found = compared(asked, annotators=3, habits=Habits(*[chance] * 3), seed=1)
        assert list(found) == ["chair", "lamp"]
        assert sum(int(counts.sum()) for counts in found.values()) == 10 * 200 * 3 * 2
        means.append(np.mean([agreement(counts).mean for counts in found.values()]))
    assert means[0] == 1.0
    assert means[0] > means[1] > means[2]


# The command


def test_the_published_table_adds_up() -> None:
    table = read_toml(_PUBLISHED)
    assert list(table["categories"]) == sorted(categories())
    before, spread, after = np.mean(list(table["categories"].values()), axis=0)
    assert table["average"]["before"] == [round(before, 1), round(spread, 1)]
    assert table["average"]["after"][0] == round(after, 1)


def test_the_command_tells_the_same_for_the_same_seed(mereo: CommandLine, dataset: Path) -> None:
    once = mereo("compare-annotators", dataset, "--annotators", "2").out
    assert once == mereo("compare-annotators", dataset, "--annotators", "2").out
    assert once != mereo("compare-annotators", dataset, "--annotators", "2", "--seed", "1").out
    assert "10 shapes, 2 annotators each" in once
    assert "59.0 > 77.8" in once  # the paper's chairs
    assert "2 shapes, 3 annotators each" in mereo("compare-annotators", dataset, "--split", "test").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--merging", "1.5"), "field '--merging': is a chance between 0 and 1, not 1.5"),
        (("--annotators", "1"), "greater than or equal to 2"),
        (("--split", "dev"), "there is no split 'dev'"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    mereo: CommandLine, dataset: Path, arguments: tuple[str, str], told: str
) -> None:
    assert told in mereo("compare-annotators", dataset, *arguments, code=2).err
