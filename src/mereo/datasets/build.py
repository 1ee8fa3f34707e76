"""Building a dataset: shards made by any number of workers, always the same bytes, resumable after any interruption."""

from __future__ import annotations

import multiprocessing
import platform
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import pyarrow as pa

from mereo import __version__
from mereo.datasets.card import write_card
from mereo.datasets.store import (
    QUESTION_FIELDS,
    SCENE_FIELDS,
    VERSION,
    Manifest,
    Shard,
    is_whole,
    record_file,
    shard_path,
    write_manifest,
    write_table,
)
from mereo.errors import BadInput, MereoError
from mereo.files import read_json, write_bytes

__all__ = ["Recipe", "Rows", "build_dataset", "plan_shards"]

PLAN = "build.json"
"""What an unfinished build was asked for; gone when the dataset stands."""


class Rows(NamedTuple):
    """The content of one shard, by column."""

    scenes: Mapping[str, list[Any]]
    questions: Mapping[str, list[Any]]


class Recipe(Protocol):
    """What a benchmark brings to a build; must be picklable."""

    @property
    def benchmark(self) -> str:
        """The benchmark's name."""

    @property
    def seed(self) -> int:
        """From which everything follows."""

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed, as plain values."""

    def make(self, shard: Shard) -> Rows:
        """The scenes and questions of one shard, the same whoever makes it."""


def plan_shards(splits: Mapping[str, int], *, size: int) -> list[Shard]:
    """Cut splits into shards of consecutive scenes."""
    return [
        Shard(split, number, first, min(first + size, scenes))
        for split, scenes in splits.items()
        for number, first in enumerate(range(0, scenes, size))
    ]


def build_dataset(
    recipe: Recipe,
    folder: str | Path,
    *,
    splits: Mapping[str, int],
    shard_size: int,
    workers: int = 1,
    resume: bool = False,
    progress: Callable[[int], None] = lambda scenes: None,
) -> Manifest:
    """Make a dataset in a folder.

    progress : called with the number of scenes that have become done
    """
    folder = Path(folder)
    shards = plan_shards(splits, size=shard_size)
    _claim(folder, recipe, splits, shard_size, resume=resume)
    missing = []
    for shard in shards:
        if all(is_whole(shard_path(folder, kind, shard)) for kind in ("scenes", "questions")):
            progress(shard.stop - shard.first)
        else:
            missing.append(shard)
    for shard in _made(recipe, folder, missing, workers):
        progress(shard.stop - shard.first)
    return _finish(recipe, folder, splits, shards)


def _claim(folder: Path, recipe: Recipe, splits: Mapping[str, int], shard_size: int, *, resume: bool) -> None:
    """Take an empty folder for this build, or see that an unfinished one is of the same build."""
    plan = {
        "benchmark": recipe.benchmark,
        "seed": recipe.seed,
        "settings": recipe.settings(),
        "splits": dict(splits),
        "shard_size": shard_size,
        "mereo": __version__,
    }
    path = folder / PLAN
    if folder.exists() and not folder.is_dir():
        raise BadInput("is a file, not a folder", file=folder)
    occupied = folder.is_dir() and any(folder.iterdir())
    if not occupied:
        write_bytes(path, msgspec.json.format(msgspec.json.encode(plan), indent=1))
        return
    if not resume:
        raise BadInput("is not empty: give another folder, or --resume to go on with an unfinished build", file=folder)
    if not path.exists():
        raise BadInput("holds no unfinished build to resume", file=folder)
    begun: dict[str, Any] = read_json(path, type=dict[str, Any])
    asked = msgspec.json.decode(msgspec.json.encode(plan))
    for key, value in asked.items():
        if begun.get(key) != value:
            raise BadInput(f"was begun with {begun.get(key)!r}, not {value!r}", file=path, field=key)


def _made(recipe: Recipe, folder: Path, shards: list[Shard], workers: int) -> Iterator[Shard]:
    """Make shards, here or in a pool of processes, and give each as it is done."""
    if workers <= 1 or len(shards) <= 1:
        for shard in shards:
            yield _make_shard(recipe, folder, shard)
        return
    with _pool(workers) as pool:
        queue = iter(shards)
        running: dict[Future[Shard], Shard] = {}
        try:
            while True:
                for shard in queue:
                    running[pool.submit(_make_shard, recipe, folder, shard)] = shard
                    if len(running) > 2 * workers:
                        break
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    shard = running.pop(future)
                    yield future.result()
        except BrokenProcessPool:
            raise MereoError(
                f"a worker process died while making {shard.split} scenes {shard.first} to {shard.stop - 1}; "
                "what is done is kept, --resume goes on"
            ) from None


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool whose waiting work is dropped when the block is left."""
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _make_shard(recipe: Recipe, folder: Path, shard: Shard) -> Shard:
    rows = recipe.make(shard)
    write_table(shard_path(folder, "scenes", shard), rows.scenes, SCENE_FIELDS)
    write_table(shard_path(folder, "questions", shard), rows.questions, QUESTION_FIELDS)
    return shard


def _finish(recipe: Recipe, folder: Path, splits: Mapping[str, int], shards: list[Shard]) -> Manifest:
    """Write the manifest and the card: from now on it is a dataset."""
    files = {}
    questions = dict.fromkeys(splits, 0)
    for shard in shards:
        for kind in ("scenes", "questions"):
            path = shard_path(folder, kind, shard)
            files[path.relative_to(folder).as_posix()] = record = record_file(path)
            questions[shard.split] += record.rows if kind == "questions" else 0
    manifest = Manifest(
        dataset=VERSION,
        benchmark=recipe.benchmark,
        seed=recipe.seed,
        settings=recipe.settings(),
        versions={
            "mereo": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "pyarrow": pa.__version__,
        },
        scenes=dict(splits),
        questions=questions,
        files=files,
    )
    write_card(folder, manifest)
    write_manifest(folder, manifest)
    (folder / PLAN).unlink(missing_ok=True)
    return manifest
