"""Picking out a few questions of a dataset to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mereo.datasets.shards import read_shard
from mereo.datasets.store import open_dataset

__all__ = ["sample_questions"]


def sample_questions(folder: str | Path, count: int) -> list[dict[str, Any]]:
    """The first questions of a dataset, those of a subtype not seen yet before all others."""
    manifest = open_dataset(folder)
    first: dict[str, dict[str, Any]] = {}
    rest: list[dict[str, Any]] = []
    for name in manifest.files:
        if name.startswith("questions/") and len(rest) < count:
            for row in read_shard(Path(folder) / name).to_pylist():
                if row["subtype"] not in first:
                    first[row["subtype"]] = row
                elif len(rest) < count:
                    rest.append(row)
    return [*first.values(), *rest][:count]
