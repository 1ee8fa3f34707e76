"""Datasets as the HDF5 files of PartNet's segmentation tasks, laid out as its release is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.clouds import array_of, cloud_of
from mereo.benchmarks.partnet.labels import CategoryLabels, read_labels
from mereo.datasets.export import Progress, Source
from mereo.datasets.reading import split_rows
from mereo.extras import need
from mereo.shapes.partnet_h5 import Example, write_split
from mereo.shapes.partnet_points import PointSample
from mereo.shapes.tasks import BY_LEVEL, task_folder
from mereo.shapes.template import template_of

__all__ = ["to_partnet_h5"]

_KINDS = ("instance", "semantic", "hierarchical", "detection", "truth")
_COLUMNS = ("points", "normals", "leaf")


def to_partnet_h5(source: Source, out: Path, progress: Progress) -> None:
    """`sem_seg_h5/Chair-3/test-00.h5` and so on, for every task, category, level and split.

    Shapes stand in the files in the dataset's order, 1,024 in each. The files of leaves, `ins_seg_h5`, have normals in
    them, so there are none where the dataset has no normals.
    """
    need("HDF5", "scenes")
    labels = read_labels(source.manifest)
    kinds = _KINDS if source.manifest.settings.get("normals") else _KINDS[1:]
    for category, own in labels.items():
        for split in source.manifest.scenes:
            examples = list(_examples(source, split, category, labels))
            for kind in kinds if examples else ():
                for level in own.levels if kind in BY_LEVEL else (0,):
                    write_split(out / task_folder(category, kind, level), split, examples, kind=kind, level=level)
            progress(len(examples))


def _examples(source: Source, split: str, category: str, labels: Mapping[str, CategoryLabels]) -> Iterator[Example]:
    """The shapes of one category and split, as those who write files have them."""
    for row in split_rows(source.folder, source.manifest, [split], heavy=_COLUMNS):
        cloud = cloud_of(row, labels)
        if cloud.record.category == category:
            record = {"anno_id": cloud.record.name, "model_id": cloud.record.family}
            yield Example(record, _sample(row, len(cloud), cloud.leaf), cloud.instances, template_of(category))


def _sample(row: Mapping[str, Any], count: int, leaf: NDArray[np.int32]) -> PointSample:
    """All white, as shapes have no colors."""
    points = array_of(row, "points", count).astype(np.float64)
    there = row.get("normals") is not None
    normals = array_of(row, "normals", count).astype(np.float64) if there else np.zeros_like(points)
    return PointSample(points, normals, np.full((count, 3), 255, np.uint8), np.ones(count), leaf)
