"""Predictions of others as files of arrays, HDF5 or NPZ, for the shapes of a dataset.

    FOLDER/semantic/Chair-3/test-00.h5      label_seg (B, N) uint8, from 1
    FOLDER/hierarchical/Chair/test-00.h5    label_hier (B, N, 1 + C) bool, first "none"
    FOLDER/instance/Chair-3/test-00.h5      mask (B, K, N) bool, label (B, K) uint8 from 0, valid (B, K), conf (B, K)

As in PartNet's files the rows are the shapes of a category and split in the dataset's order, over all files of that
split. Where records lie beside a file (`test-00.json`, with the `anno_id` of each row), these say which they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.clouds import record_of_cloud
from mereo.benchmarks.partnet.labels import read_labels
from mereo.benchmarks.partnet.names import HIERARCHICAL, INSTANCE, SEMANTIC, AskedSet
from mereo.benchmarks.partnet.said import saying
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Prediction
from mereo.datasets.reading import split_rows
from mereo.errors import BadInput
from mereo.shapes.partnet import partnet_name
from mereo.shapes.partnet_h5 import read_h5, read_npz, read_records

__all__ = ["gathered"]

_KINDS = {SEMANTIC: "labels", HIERARCHICAL: "nodes", INSTANCE: "predictions"}
_READERS = {".h5": read_h5, ".npz": read_npz}
Arrays = Mapping[str, NDArray[Any]]
Labeled = tuple[list[str], NDArray[Any], list[float] | None]
"""Names of parts, (k, n) bool their masks and, for instances, how sure each is."""


class _Shape(NamedTuple):
    """A shape of the dataset."""

    name: str
    category: str
    split: str
    points: int


def gathered(asked: Asked, folder: Path) -> list[Prediction]:
    """The predictions of a folder for these questions; what fits none of the shapes is told."""
    if not folder.is_dir():
        raise BadInput("there is no such folder", file=folder)
    labels, shapes = read_labels(asked.manifest), _shapes(asked)
    groups: dict[tuple[AskedSet, str], dict[str, str]] = {}
    columns = (asked.words("subtype"), asked.words("split"), asked.words("scene_id"), asked.ids)
    for name, split, scene, question in zip(*columns, strict=True):
        groups.setdefault((AskedSet.named(name), split), {})[shapes[scene].name] = question
    found: list[Prediction] = []
    for (own, split), questions in groups.items():
        every = [one for one in shapes.values() if (one.category, one.split) == (own.category, split)]
        for where, shape, row in _rows(folder, own, split, every):
            try:
                said = _TASKS[own.task](row, labels[own.category].told(own.level), shape.points)
            except BadInput as error:
                raise error.within(file=where.path, record=where.record) from None
            if shape.name in questions:  # else nothing of it is labeled, and nothing is asked
                found.append(saying(questions[shape.name], *said))
    if not found:
        raise BadInput("holds no predictions: there is no file such as semantic/Chair-3/test-00.h5", file=folder)
    return found


def _shapes(asked: Asked) -> dict[str, _Shape]:
    """By scene its shape, in the dataset's order."""
    found = {}
    for row in split_rows(asked.folder, asked.manifest, set(asked.words("split"))):
        record = record_of_cloud(row)
        found[row["scene_id"]] = _Shape(record.name, record.category, row["split"], record.points)
    return found


class _Place(NamedTuple):
    """Where a row stands."""

    path: Path
    record: str


def _rows(folder: Path, own: AskedSet, split: str, every: Sequence[_Shape]) -> Iterator[tuple[_Place, _Shape, Arrays]]:
    """The rows of all files for a set and split, each with its shape. every : all shapes, in order"""
    name = partnet_name(own.category) + ("" if own.level is None else f"-{own.level}")
    place = folder / own.task / name
    files = sorted(path for ending in _READERS for path in place.glob(f"{split}-*{ending}"))
    by_name = {shape.name: shape for shape in every}
    seen = 0
    for path in files:
        arrays = _READERS[path.suffix](path, _KINDS[own.task])
        count = len(next(iter(arrays.values())))
        told = _told(path, count)
        if told is None and seen + count > len(every):
            raise BadInput(
                f"there are {seen + count:,} rows for the {len(every):,} shapes of {name}, {split}", file=path
            )
        for k in range(count):
            if told is not None and told[k] not in by_name:
                reason = f"is a prediction for '{told[k]}', which is no {own.category} of {split} in the dataset"
                raise BadInput(reason, file=path, record=f"shape {k}")
            shape = by_name[told[k]] if told is not None else every[seen + k]
            yield _Place(path, f"shape {k}"), shape, {field: array[k] for field, array in arrays.items()}
        seen += count
    if files and seen < len(every):
        raise BadInput(f"there are {seen:,} rows for the {len(every):,} shapes of {name}, {split}", file=place)


def _told(path: Path, count: int) -> list[str] | None:
    """The names of the shapes in a file, where records beside it tell them."""
    if not path.with_suffix(".json").is_file():
        return None
    told = [str(record.get("anno_id")) for record in read_records(path)]
    if len(told) != count:
        raise BadInput(
            f"tells of {len(told):,} shapes, the file beside it of {count:,}", file=path.with_suffix(".json")
        )
    return told


def _semantic(row: Arrays, names: list[str], points: int) -> Labeled:
    labels = row["label_seg"]
    _check(len(labels), points, int(labels.max(initial=0)), len(names), "label_seg")
    there = [place for place in np.unique(labels).tolist() if place]
    return [names[place - 1] for place in there], labels[None] == np.array(there)[:, None], None


def _nodes(row: Arrays, names: list[str], points: int) -> Labeled:
    nodes = row["label_hier"]
    _check(len(nodes), points, nodes.shape[1] - 1, len(names), "label_hier")
    there = np.flatnonzero(nodes[:, 1:].any(0)).tolist()
    return [names[place] for place in there], nodes.T[[place + 1 for place in there]], None


def _instances(row: Arrays, names: list[str], points: int) -> Labeled:
    valid, labels = row["valid"], row["label"][row["valid"]].tolist()
    _check(row["mask"].shape[1], points, max(labels, default=-1) + 1, len(names), "label")
    if not np.isfinite(row["conf"][valid]).all():
        raise BadInput("holds something that is not a finite number", field="conf")
    return [names[place] for place in labels], row["mask"][valid], row["conf"][valid].tolist()


def _check(count: int, points: int, most: int, known: int, field: str) -> None:
    if count != points:
        raise BadInput(f"is about {count:,} points, the shape has {points:,}", field=field)
    if most > known:
        raise BadInput(f"has the label {most}, and there are {known}", field=field)


_TASKS = {SEMANTIC: _semantic, HIERARCHICAL: _nodes, INSTANCE: _instances}
