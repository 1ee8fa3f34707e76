"""The parts of a dataset's shapes, counted as PartNet's Tables 1 and 2 count them."""

from __future__ import annotations

from pathlib import Path

from mereo.benchmarks.partnet.clouds import CloudRecord, depths_of, parents_of, record_of_cloud
from mereo.benchmarks.partnet.names import NAME
from mereo.datasets.reading import split_rows
from mereo.datasets.store import open_dataset
from mereo.errors import BadInput
from mereo.shapes.statistics import ShapeCount, ShapeStatistics, counted_statistics

__all__ = ["dataset_statistics"]


def dataset_statistics(folder: Path) -> dict[str, ShapeStatistics]:
    """The statistics of all shapes of a dataset together, then of each category."""
    manifest = open_dataset(folder)
    if manifest.benchmark != NAME:
        raise BadInput(f"is a dataset of {manifest.benchmark}; parts are counted in those of {NAME}", file=folder)
    rows = split_rows(folder, manifest, list(manifest.scenes))
    return counted_statistics(_count(record_of_cloud(row)) for row in rows)


def _count(record: CloudRecord) -> ShapeCount:
    labels = [part.label for part in record.parts]
    parents = parents_of(record.parts)
    leaves = frozenset(label for place, label in enumerate(labels) if place not in parents)
    deepest = max(depths_of(parents), default=0)
    return ShapeCount(record.category, record.family, frozenset(labels), leaves, len(labels), deepest)
