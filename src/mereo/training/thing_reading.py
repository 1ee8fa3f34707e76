"""The things of all scenes of a split, read from its shards by as many processes as help."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mereo.datasets.inspector import Inspector
from mereo.datasets.shards import open_shard
from mereo.datasets.store import HEAVY, Manifest, open_dataset, sealed
from mereo.datasets.workers import LocalCrew, Task
from mereo.training.scene_things import SceneThings, things_of_row
from mereo.training.seeing import Level, Seeing

__all__ = ["Looking", "read_things"]

_GROUPS = 4
"""Groups of rows that a process reads at a time."""
_FEW = 400
"""Scenes that this process reads alone: to start others takes as long."""


@dataclass(frozen=True)
class Looking:
    """How the things of a scene are read."""

    inspector: Inspector
    levels: Mapping[str, Level]
    size: tuple[int, int]
    """Height and width."""
    seeing: Seeing | None = None


def read_things(
    folder: Path, manifest: Manifest, split: str, looking: Looking, *, workers: int, progress: Callable[[int], None]
) -> list[dict[str, SceneThings]]:
    """By level the things of every scene of a split, in its order. progress : is told how many scenes are done"""
    tasks = deque(_tasks(folder, manifest, split, looking))
    order = [task.name for task in tasks]
    alone = manifest.scenes.get(split, 0) <= _FEW or not _can_be_sent(looking)
    found: dict[str, list[dict[str, SceneThings]]] = {}
    for done in LocalCrew(1 if alone else min(workers, len(order))).run(tasks):
        done.check(f"nothing is learned from {split}")
        found[done.task.name] = done.result
        progress(sum(map(len, found.values())))
    return [scene for name in order for scene in found[name]]


def _can_be_sent(looking: Looking) -> bool:
    """Whether other processes can be told how to look: not where an inspector has made its language itself."""
    try:
        pickle.dumps(looking)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def _tasks(folder: Path, manifest: Manifest, split: str, looking: Looking) -> Iterator[Task]:
    for name in manifest.files:
        if name.startswith("scenes/") and Path(name).name.rpartition("-")[0] == split:
            with open_shard(sealed(folder, name, manifest)) as shard:
                groups = len(shard.groups)
            for first in range(0, groups, _GROUPS):
                own = range(first, min(first + _GROUPS, groups))
                yield Task(f"{name}, group {first}", _read, (folder, name, own, looking))


def _read(folder: Path, name: str, groups: range, looking: Looking) -> list[dict[str, SceneThings]]:
    open_dataset(folder)  # what goes with it is found from now on, in this process too
    found = []
    with open_shard(folder / name) as shard:
        columns = [column for column in shard.names if column not in HEAVY or column == "instances"]
        for group in groups:
            for row in shard.read(columns, group=group).to_pylist():
                found.append(things_of_row(row, looking.inspector, looking.levels, looking.size, looking.seeing))
    return found
