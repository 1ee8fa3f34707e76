"""PartNet's measures: cases counted by hand, and random ones against plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kit import complaint
from mereo.benchmarks.offer import folders
from mereo.benchmarks.partnet.metrics import (
    Instances,
    average_precision,
    chosen_labels,
    detected,
    hierarchical,
    instances,
    kept_groups,
    matched,
    semantic,
    true_instances,
    within_parents,
)
from mereo.chance import generator

CLOSE = 1e-12


def told(call: Callable[[], object]) -> str:
    return complaint(call) or ""


def said(masks: Sequence[Sequence[int]], labels: Sequence[int], confidence: Sequence[float] | None = None) -> Instances:
    sure = np.array(confidence or [1.0] * len(labels))
    return Instances(np.array(masks, bool), np.array(labels), np.ones(len(labels), bool), sure)


def test_all_folders_are_benchmarks_that_can_be_loaded() -> None:
    assert {"clevr", "cric", "ptr", "refer", "shop"} <= set(folders())


# Semantic


def test_unlabeled_points_are_left_out_and_count_as_right() -> None:
    found = semantic([[0, 0, 1, 1, 2]], [[1, 2, 1, 2, 2]], 2)
    assert found.parts == pytest.approx([1 / 2, 1 / 2])
    assert found.part_mean == found.shape_mean == 1 / 2
    assert found.accuracy == 4 / 5
    assert found.undefined == 0


def test_parts_are_pooled_over_shapes_and_shapes_are_averaged() -> None:
    found = semantic([[1, 1, 1, 1], [1, 2, 2, 2]], [[1, 1, 1, 1], [2, 2, 2, 2]], 2)
    assert found.parts == pytest.approx([4 / 5, 3 / 4])
    assert found.shapes == pytest.approx([1, (0 + 3 / 4) / 2])
    assert found.shape_mean == pytest.approx((1 + 3 / 8) / 2)


def test_a_part_that_is_only_predicted_is_zero_and_one_that_is_nowhere_is_undefined() -> None:
    found = semantic([[1, 1]], [[1, 2]], 3)
    assert found.parts[:2] == pytest.approx([1 / 2, 0])
    assert math.isnan(found.parts[2])
    assert found.undefined == 1
    assert found.part_mean == pytest.approx(1 / 4)
    assert found.shape_mean == pytest.approx(1 / 4)


def test_a_part_that_is_only_predicted_where_nothing_is_labeled_is_nowhere() -> None:
    assert semantic([[0, 1]], [[2, 1]], 2).undefined == 1


def test_a_shape_without_any_label_is_skipped() -> None:
    found = semantic([[0, 0], [1, 2]], [[1, 2], [1, 1]], 2)
    assert math.isnan(found.shapes[0])
    assert found.shape_mean == pytest.approx((1 / 2 + 0) / 2)
    assert math.isnan(semantic([[0, 0]], [[1, 2]], 2).part_mean)


def test_no_label_is_never_chosen_and_the_first_of_equal_scores_is() -> None:
    assert chosen_labels([[9.0, 1.0, 2.0], [9.0, 3.0, 3.0]]).tolist() == [2, 1]
    assert chosen_labels(np.zeros((2, 5, 4))).shape == (2, 5)


def naive_semantic(truth: Any, predicted: Any, classes: int) -> tuple[list[Fraction], list[Fraction]]:
    shared, joined, shapes = [0] * classes, [0] * classes, []
    for true, own in zip(truth, predicted, strict=True):
        pairs = [(int(a), int(b)) for a, b in zip(true, own, strict=True) if a]
        ious = []
        for part in range(1, classes + 1):
            both = sum(a == b == part for a, b in pairs)
            either = sum(part in (a, b) for a, b in pairs)
            shared[part - 1] += both
            joined[part - 1] += either
            ious += [Fraction(both, either)] if either else []
        if ious:
            shapes.append(sum(ious, Fraction()) / len(ious))
    return [Fraction(a, b) for a, b in zip(shared, joined, strict=True) if b], shapes


@pytest.mark.parametrize("seed", range(8))
def test_semantic_scores_are_those_of_plain_loops(seed: int) -> None:
    rng = generator(seed)
    classes, sizes = int(rng.integers(1, 7)), rng.integers(1, 60, 6)
    truth = [rng.integers(0, classes + 1, size) * (rng.random() < 0.9) for size in sizes]
    predicted = [rng.integers(0, classes + 1, size) for size in sizes]
    found = semantic(truth, predicted, classes)
    parts, shapes = naive_semantic(truth, predicted, classes)
    assert found.undefined == classes - len(parts)
    assert found.part_mean == pytest.approx(float(sum(parts) / len(parts)), abs=CLOSE)
    assert found.shape_mean == pytest.approx(float(sum(shapes) / len(shapes)), abs=CLOSE)


# Hierarchical: 0 chair, 1 back, 2 back frame, 3 back bar, 4 seat

PARENTS = [-1, 0, 1, 2, 0]


def test_a_child_counts_only_inside_its_parent() -> None:
    truth = np.array([[1, 1, 1, 1, 0], [1, 0, 0, 0, 1]], bool)
    predicted = np.array([[1, 0, 1, 1, 0], [1, 0, 0, 0, 1]], bool)
    assert within_parents(truth, predicted, PARENTS).tolist() == [[1, 0, 0, 0, 0], [1, 0, 0, 0, 1]]


def test_a_child_does_not_count_where_the_truth_goes_no_deeper() -> None:
    truth = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]], bool)
    predicted = np.array([[1, 1, 1, 1, 0], [1, 1, 1, 1, 0]], bool)
    found = hierarchical([truth], [predicted], PARENTS)
    assert found.parts[:4] == pytest.approx([1, 1, 1, 1])  # what was said below the back is no fault
    assert found.undefined == 1
    assert found.part_mean == found.shape_mean == 1


def test_points_outside_the_true_root_are_not_removed() -> None:
    truth = np.array([[1, 0, 0, 0, 1], [0, 0, 0, 0, 0]], bool)
    found = hierarchical([truth], [np.array([[1, 0, 0, 0, 1], [1, 0, 0, 0, 1]], bool)], PARENTS)
    assert found.parts[[0, 4]] == pytest.approx([1 / 2, 1 / 2])


def test_parents_may_be_listed_after_their_children() -> None:
    rng = generator(1)
    truth, predicted = rng.random((2, 40, 5)) < 0.6
    order = rng.permutation(5)
    back = np.argsort(order)
    moved = [int(back[parent]) if parent >= 0 else -1 for parent in np.array(PARENTS)[order]]
    there = within_parents(truth[:, order], predicted[:, order], moved)
    assert (there[:, back] == within_parents(truth, predicted, PARENTS)).all()


def test_a_tree_that_is_none_is_refused() -> None:
    assert "below themselves" in told(lambda: within_parents(np.ones((1, 2)), np.ones((1, 2)), [1, 0]))


def naive_hierarchy(truth: Any, predicted: Any) -> tuple[list[Fraction], list[Fraction]]:
    children = {node: [one for one, parent in enumerate(PARENTS) if parent == node] for node in range(5)}
    cleaned = []
    for true, own in zip(truth, predicted, strict=True):
        points = []
        for labels, claims in zip(true.tolist(), own.tolist(), strict=True):
            counts = list(claims)
            for node in range(1, 5):  # parents come first in this list
                parent = PARENTS[node]
                other = labels[parent] and not any(labels[child] for child in children[parent])
                counts[node] = counts[node] and counts[parent] and not other
            points.append(counts)
        cleaned.append(points)
    parts, shapes = [], []
    tables = [list(zip(true.tolist(), own, strict=True)) for true, own in zip(truth, cleaned, strict=True)]
    for node in range(5):
        pairs = [(a[node], b[node]) for table in tables for a, b in table]
        parts.append(Fraction(sum(a and b for a, b in pairs), sum(a or b for a, b in pairs)))
    for table in tables:
        ious = []
        for node in range(5):
            either = sum(a[node] or b[node] for a, b in table)
            if either:
                ious.append(Fraction(sum(a[node] and b[node] for a, b in table), either))
        shapes.append(sum(ious, Fraction()) / len(ious))
    return parts, shapes


@pytest.mark.parametrize("seed", range(5))
def test_hierarchical_scores_are_those_of_plain_loops(seed: int) -> None:
    truth, predicted = generator(seed).random((2, 4, 30, 5)) < 0.7
    for node in range(1, 5):
        truth[..., node] &= truth[..., PARENTS[node]]
    found = hierarchical(truth, predicted, PARENTS)
    parts, shapes = naive_hierarchy(truth, predicted)
    assert found.part_mean == pytest.approx(float(sum(parts) / 5), abs=CLOSE)
    assert found.shape_mean == pytest.approx(float(sum(shapes) / 4), abs=CLOSE)


# Average precision


@pytest.mark.parametrize(
    ("hits", "truths", "score"),
    [
        ([], 3, 0.0),  # no prediction
        ([False, False], 3, 1 / 101),  # all wrong: the point put in front
        ([True, True], 2, 1.0),
        ([True], 2, 51 / 101),  # recall one half: the points 0 to 50
        ([False, True], 1, (1 + 100 / 2) / 101),
        ([True, False, True], 2, (51 + 50 * 2 / 3) / 101),
        ([True] * 7, 100, 8 / 101),  # 7/100 reaches .07, which floating point may miss
        ([True] * 29, 100, 30 / 101),
        ([True], 3, 34 / 101),  # a third reaches .33 and not .34
    ],
)
def test_average_precision_by_hand(hits: list[bool], truths: int, score: float) -> None:
    assert average_precision(hits, truths) == pytest.approx(score, abs=CLOSE)


def test_a_part_without_truth_has_no_average_precision() -> None:
    assert math.isnan(average_precision([False], 0))


def test_equal_confidences_stay_in_order() -> None:
    assert average_precision([True, False], 1, [0.5, 0.5]) == 1.0
    assert average_precision([False, True], 1, [0.5, 0.5]) == pytest.approx(51 / 101)
    assert average_precision([False, True], 1, [0.5, 0.7]) == 1.0


def naive_precision(hits: Sequence[bool], truths: int) -> Fraction:
    curve = [(Fraction(0), Fraction(1))] + [
        (Fraction(sum(hits[: k + 1]), truths), Fraction(sum(hits[: k + 1]), k + 1)) for k in range(len(hits))
    ]
    points = (max((p for r, p in curve if r >= Fraction(t, 100)), default=Fraction()) for t in range(101))
    return sum(points, Fraction()) / 101 if hits else Fraction()


@pytest.mark.parametrize("seed", range(8))
def test_average_precision_is_that_of_plain_loops(seed: int) -> None:
    rng = generator(seed)
    hits = [bool(hit) for hit in rng.random(int(rng.integers(1, 40))) < 0.5]
    truths = sum(hits) + int(rng.integers(0, 5)) + (not any(hits))
    assert average_precision(hits, truths) == pytest.approx(float(naive_precision(hits, truths)), abs=CLOSE)


# Instances

NOWHERE = np.zeros(4, bool)


def test_an_overlap_of_just_one_half_is_not_enough() -> None:
    truth = said([[1, 1, 0, 0]], [0])
    assert not matched(truth, said([[1, 0, 0, 0]], [0]), NOWHERE).hit[0]
    assert matched(truth, said([[1, 1, 1, 0]], [0]), NOWHERE).hit[0]


def test_a_duplicate_is_wrong() -> None:
    found = matched(said([[1, 1, 0, 0]], [0]), said([[1, 1, 0, 0], [1, 1, 0, 0]], [0, 0], [0.3, 0.9]), NOWHERE)
    assert found.hit.tolist() == [True, False]
    assert found.confidence.tolist() == [0.9, 0.3]


def test_the_surest_takes_what_is_left_with_the_highest_overlap_of_its_label() -> None:
    truth = said([[1, 1, 1, 0], [1, 1, 1, 1]], [0, 1])
    assert not matched(truth, said([[1, 1, 1, 1]], [2]), NOWHERE).hit[0]
    assert matched(truth, said([[1, 1, 1, 1], [1, 1, 1, 0]], [1, 0]), NOWHERE).hit.tolist() == [True, True]


def test_unlabeled_points_are_taken_out_of_predictions_only() -> None:
    truth, other = said([[1, 1, 0, 0]], [0]), np.array([0, 0, 1, 1], bool)
    assert matched(truth, said([[1, 1, 1, 1]], [0]), other).hit[0]
    wide = said([[1, 1, 1, 0]], [0])  # a truth that has an unlabeled point keeps it
    assert matched(wide, said([[1, 1, 1, 1]], [0]), other).hit[0]
    assert not matched(wide, said([[1, 0, 1, 1]], [0]), other).hit[0]


def test_an_empty_or_unlabeled_mask_is_a_false_positive() -> None:
    other = np.array([0, 0, 1, 1], bool)
    predicted = said([[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]], [0, 0, 0], [0.1, 0.9, 0.8])
    found = instances([said([[1, 1, 0, 0]], [0])], [predicted], [other], 1)
    assert found.matches[0].hit.tolist() == [False, False, True]
    assert found.part_mean == pytest.approx((1 + 100 / 3) / 101)


def test_rows_that_are_not_valid_do_not_count() -> None:
    predicted = said([[1, 1, 0, 0], [0, 0, 1, 1]], [0, 0])._replace(valid=np.array([True, False]))
    found = instances([said([[1, 1, 0, 0]], [0])], [predicted], [NOWHERE], 1)
    assert found.part_mean == found.shape_mean == 1


def test_parts_without_truth_cost_nothing_over_all_shapes_but_in_their_own() -> None:
    truth, predicted = said([[1, 1, 0, 0]], [0]), said([[1, 1, 0, 0], [0, 0, 1, 1]], [0, 1])
    found = instances([truth], [predicted], [NOWHERE], 3)
    assert found.part_mean == 1
    assert found.undefined == 2
    assert found.shape_mean == 1 / 2


def test_parts_that_nobody_predicts_score_nothing_and_shapes_with_neither_are_skipped() -> None:
    nothing, _ = true_instances(np.zeros((0, 4)), np.zeros(0))
    truth = said([[1, 1, 0, 0], [0, 0, 1, 1]], [0, 1])
    found = instances([truth, nothing], [said([[1, 1, 0, 0]], [0]), nothing], [NOWHERE, ~NOWHERE], 2)
    assert found.parts.tolist() == [1, 0]
    assert found.shapes[0] == 1 / 2
    assert math.isnan(found.shapes[1])
    assert found.shape_mean == 1 / 2


def naive_instances(truth: Any, predicted: Any, other: Any, classes: int) -> tuple[list[Fraction], list[Fraction]]:
    pooled: list[list[tuple[float, bool]]] = [[] for _ in range(classes)]
    counts, shapes = [0] * classes, []
    for true, own, unlabeled in zip(truth, predicted, other, strict=True):
        rows = sorted(range(len(own.label)), key=lambda k: -own.confidence[k])
        used: set[int] = set()
        hits: list[list[bool]] = [[] for _ in range(classes)]
        for row in (row for row in rows if own.valid[row]):
            points = {k for k in range(len(unlabeled)) if own.mask[row, k] and not unlabeled[k]}
            best, taken = Fraction(0), -1
            for k in range(len(true.label)):
                if true.valid[k] and true.label[k] == own.label[row] and k not in used:
                    whole = set(np.flatnonzero(true.mask[k]).tolist())
                    iou = Fraction(len(points & whole), len(points | whole))
                    best, taken = (iou, k) if iou > best else (best, taken)
            hit = best > Fraction(1, 2)
            used |= {taken} if hit else set()
            hits[own.label[row]].append(hit)
            pooled[own.label[row]].append((float(own.confidence[row]), hit))
        have = [int(sum(true.valid & (true.label == part))) for part in range(classes)]
        counts = [a + b for a, b in zip(counts, have, strict=True)]
        scores = [naive_precision(hits[k], have[k]) if have[k] else Fraction() for k in range(classes)]
        there = [score for k, score in enumerate(scores) if have[k] or hits[k]]
        shapes += [sum(there, Fraction()) / len(there)] if there else []
    parts = []
    for part in (part for part in range(classes) if counts[part]):
        rows_of_part = sorted(pooled[part], key=lambda pair: -pair[0])
        parts.append(naive_precision([hit for _, hit in rows_of_part], counts[part]))
    return parts, shapes


@pytest.mark.parametrize("seed", range(6))
def test_instance_scores_are_those_of_plain_loops(seed: int) -> None:
    rng = generator(seed)
    classes, points, truth, predicted, other = 4, 30, [], [], []
    for _ in range(5):
        owner = rng.integers(-1, 6, points)
        masks = owner == np.arange(6)[:, None]
        labels = rng.integers(0, classes, 6)
        true, unlabeled = true_instances(masks, labels)
        flipped = masks[rng.integers(0, 6, 9)] ^ (rng.random((9, points)) < 0.05)
        sure = np.round(rng.random(9), 1)  # some are equal
        truth.append(true)
        predicted.append(Instances(flipped, labels[rng.integers(0, 6, 9)], rng.random(9) < 0.8, sure))
        other.append(unlabeled)
    found = instances(truth, predicted, other, classes)
    parts, shapes = naive_instances(truth, predicted, other, classes)
    assert found.undefined == classes - len(parts)
    assert found.part_mean == pytest.approx(float(sum(parts) / len(parts)), abs=CLOSE)
    assert found.shape_mean == pytest.approx(float(sum(shapes) / len(shapes)), abs=CLOSE)


# What becomes an instance


def test_true_instances_without_a_point_are_dropped_and_points_of_none_are_unlabeled() -> None:
    truth, other = true_instances([[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]], [2, 1, 0])
    assert truth.mask.tolist() == [[1, 1, 0, 0], [0, 0, 1, 0]]
    assert truth.label.tolist() == [2, 0]
    assert other.tolist() == [False, False, False, True]


def test_masks_become_instances_by_more_than_ten_points_above_one_half() -> None:
    scores = np.zeros((4, 40))
    scores[0, :11] = 0.6  # eleven points: enough
    scores[1, :10] = 0.9  # ten: too few
    scores[2, :20] = 0.5  # not above a half
    scores[3, 20:40] = 0.9  # "other"
    logits = np.zeros((40, 3))
    logits[:20, 2], logits[20:, 0] = 1.0, 1.0
    found = detected(scores, logits, [0.2, 0.3, 0.4, 0.9])
    assert found.valid.tolist() == [True, False, False, False]
    assert found.label[0] == 1
    assert found.mask[0].sum() == 11
    assert found.confidence.tolist() == [0.2, 0.3, 0.4, 0.9]


def test_scores_under_one_half_do_not_help_to_name_a_mask() -> None:
    scores = np.concatenate([np.full(12, 0.6), np.full(100, 0.4)])[None]
    logits = np.zeros((112, 3))
    logits[:12, 1], logits[12:, 2] = 1.0, 1.0
    assert detected(scores, logits, [1.0]).label[0] == 0


def test_groups_under_a_quarter_of_the_average_size_are_dropped() -> None:
    found = kept_groups([0, 0, 1, -1, 2, 2, 2], [0, 0, 1], [0.5, 0.6, 0.7], [8.0, 12.5])
    assert found.valid.tolist() == [True, False, False]  # 2 of 8, 1 of 8, 3 of 12.5
    assert found.mask[2].tolist() == [False] * 4 + [True] * 3


# Bad input


def test_what_does_not_fit_is_told_in_a_sentence() -> None:
    assert "there are 1 shapes" in told(lambda: semantic([[1]], [[1], [1]], 1))
    assert "label 3 is not between 0 and 2" in told(lambda: semantic([[1]], [[3]], 2))
    assert "prediction of shape (2,)" in told(lambda: semantic([[1]], [[1, 1]], 2))
    assert "not n x 5 nodes" in told(lambda: hierarchical([np.ones((3, 2))], [np.ones((3, 2))], PARENTS))
    whole = said([[1, 1, 0, 0]], [0])
    assert "masks over 4 points, not 3" in told(lambda: instances([whole], [whole], [NOWHERE[:3]], 1))
    assert "label 1 is not between 0 and 0" in told(
        lambda: instances([whole], [said([[1, 0, 0, 0]], [1])], [NOWHERE], 1)
    )
