"""Predictors of parts that need no model: the truth, and whatever is most frequent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from mereo.benchmarks.partnet.clouds import Cloud, cloud_of
from mereo.benchmarks.partnet.labels import CategoryLabels, read_labels
from mereo.benchmarks.partnet.names import INSTANCE, SEMANTIC, AskedSet
from mereo.benchmarks.partnet.said import saying
from mereo.datasets.asked import Asked, is_training
from mereo.datasets.predictions import Header, Prediction
from mereo.datasets.reading import split_rows
from mereo.errors import BadInput

__all__ = ["PREDICTORS", "header_of", "label_frequently", "label_rightly", "labeled_by", "truth_of"]

Labeled = tuple[list[str], Any, list[float] | None]
"""Names of parts, (k, n) bool their masks and, for instances, how sure each is."""


def label_rightly(asked: Asked) -> Iterator[Prediction]:
    """The true parts."""
    return labeled_by(asked, truth_of)


def label_frequently(asked: Asked) -> Iterator[Prediction]:
    """For all points the part that most points of the training shapes belong to, and all parts above it."""
    counts = _counts(asked)

    def labeled(own: AskedSet, cloud: Cloud) -> Labeled:
        names = cloud.labels.told(own.level)
        if own not in counts:
            raise BadInput(f"has no training shapes of {own.category} to count labels of", file=asked.folder)
        best = int(counts[own].argmax())
        chosen = [best]
        while own.level is None and cloud.labels.parents[chosen[-1]] >= 0:
            chosen.append(cloud.labels.parents[chosen[-1]])
        sure = [1.0] if own.task == INSTANCE else None
        return [names[place] for place in chosen], np.ones((len(chosen), len(cloud)), bool), sure

    return labeled_by(asked, labeled)


def truth_of(own: AskedSet, cloud: Cloud) -> Labeled:
    """The true parts of a shape, those that have points."""
    names = cloud.labels.told(own.level)
    if own.task == INSTANCE:
        truth, _ = cloud.true(own.level or 0)
        return [names[place] for place in truth.label.tolist()], truth.mask, [1.0] * len(truth.label)
    if own.task == SEMANTIC:
        masks = cloud.semantic(own.level or 0)[None] == np.arange(1, len(names) + 1)[:, None]
    else:
        masks = cloud.hierarchy().T
    there = masks.any(1)
    return [name for name, kept in zip(names, there.tolist(), strict=True) if kept], masks[there], None


def _counts(asked: Asked) -> dict[AskedSet, Any]:
    """How many points of training shapes have each label; leaves of the tree count before the parts above them."""
    splits = [split for split in asked.manifest.scenes if is_training(split)]
    labels, found = read_labels(asked.manifest), dict[AskedSet, Any]()
    for row in split_rows(asked.folder, asked.manifest, splits, heavy=("leaf",)):
        cloud = cloud_of(row, labels)
        for own, count in _counted(cloud):
            found[own] = found.get(own, 0) + count
    return found


def _counted(cloud: Cloud) -> Iterator[tuple[AskedSet, Any]]:
    category = cloud.record.category
    for level, names in cloud.labels.levels.items():
        count = np.bincount(cloud.semantic(level), minlength=len(names) + 1)[1:]
        yield AskedSet(SEMANTIC, category, level), count
        yield AskedSet(INSTANCE, category, level), count
    tree = cloud.hierarchy().sum(0)
    inner = [parent for parent in set(cloud.labels.parents) if parent >= 0]
    tree[inner] = 0
    yield AskedSet("hierarchical", category), tree


def labeled_by(asked: Asked, labeled: Callable[[AskedSet, Cloud], Labeled]) -> Iterator[Prediction]:
    """Predictions for all questions, by somebody who labels one shape at a time."""
    waiting: dict[str, list[tuple[str, AskedSet]]] = {}
    for name, scene, own in zip(asked.ids, asked.words("scene_id"), asked.words("subtype"), strict=True):
        waiting.setdefault(scene, []).append((name, AskedSet.named(own)))
    labels: Mapping[str, CategoryLabels] = read_labels(asked.manifest)
    for row in split_rows(asked.folder, asked.manifest, set(asked.words("split")), heavy=("leaf",)):
        cloud = cloud_of(row, labels)
        for name, own in waiting.get(row["scene_id"], ()):
            yield saying(name, *labeled(own, cloud))


def header_of(asked: Asked, model: str, *, kind: str = "model") -> Header:
    """What a prediction file for these questions says of itself."""
    return Header(
        dataset=asked.checksum,
        benchmark=asked.manifest.benchmark,
        model=model,
        selection=asked.selection,
        kind=kind,
    )


PREDICTORS: Mapping[str, Callable[[Asked], Iterator[Prediction]]] = {
    "truth": label_rightly,
    "frequent": label_frequently,
}
"""By the name under which they are run."""
