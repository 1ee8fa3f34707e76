"""Building a dataset: shards made by any number of workers, always the same bytes, resumable after any interruption.

A recipe makes scenes one by one, each from its seed alone, and then shards of them, each from its scenes alone. Scenes
that take long are kept one by one beside the shards until their shard is whole; what is there is never made again.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import pyarrow as pa

from mereo import __version__
from mereo.datasets.card import write_card
from mereo.datasets.store import (
    MANIFEST,
    SHAPES,
    VERSION,
    Manifest,
    Shard,
    checksum,
    is_whole,
    open_dataset,
    record_file,
    shard_path,
    write_manifest,
    write_table,
)
from mereo.datasets.workers import Crew, LocalCrew, Task
from mereo.errors import BadInput, MereoError
from mereo.files import read_bytes, read_json, write_bytes
from mereo.shapes.own import copy_shapes, files_of, look_in

__all__ = ["Recipe", "Rows", "build_dataset", "plan_shards"]

PLAN = "build.json"
"""What an unfinished build was asked for; gone when the dataset stands."""
PIECES = ".scenes"
"""Where finished scenes wait for their shard."""


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

    @property
    def piecemeal(self) -> bool:
        """Whether scenes take so long that each is kept as soon as it is made."""

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""

    @property
    def question_fields(self) -> pa.Schema:
        """The columns of question shards: `QUESTION_FIELDS`, and perhaps more."""

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed, as plain values."""

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as a row of plain values, the same whoever makes it."""

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """A shard from its scenes: their columns, and the questions about them."""


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
    crew: Crew | None = None,
    resume: bool = False,
    shapes: Sequence[str] = (),
    license: str | None = None,
    progress: Callable[[int], None] = lambda scenes: None,
    complain: Callable[[str], None] = lambda sentence: None,
) -> Manifest:
    """Make a dataset in a folder.

    shapes : the names of own shapes in its scenes, which go with it
    license : what its makers allow others to do with it, if they say; no byte of a shard depends on it
    progress : called with the number of scenes that have become done
    complain : called with a sentence about every scene that could not be made; the rest goes on without it
    """
    folder, crew = Path(folder), crew or LocalCrew()
    shards = plan_shards(splits, size=shard_size)
    _claim(folder, recipe, splits, shard_size, resume=resume)
    copy_shapes(shapes, folder / SHAPES)
    missing = []
    for shard in shards:
        if all(is_whole(shard_path(folder, kind, shard)) for kind in ("scenes", "questions")):
            progress(shard.stop - shard.first)
        else:
            missing.append(shard)
    if recipe.piecemeal:
        _make_scenes(recipe, folder, missing, crew, progress, complain)
    tasks = [Task(f"{shard.split} shard {shard.number}", _make_shard, (recipe, folder, shard)) for shard in missing]
    for done in crew.run(tasks):
        if done.failure is not None:
            raise MereoError(f"{done.task.name}: {done.failure}; what is done is kept, --resume goes on")
        if not recipe.piecemeal:
            progress(done.result.stop - done.result.first)
    return _finish(recipe, folder, splits, shards, shapes=shapes, license=license)


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
    finished = None if path.exists() else _finished(folder)
    begun = read_json(path, type=dict[str, Any]) if finished is None else {**plan, **_plan_of(finished)}
    asked = msgspec.json.decode(msgspec.json.encode(plan))
    for key, value in asked.items():
        if begun.get(key) != value:
            raise BadInput(f"was begun with {begun.get(key)!r}, not {value!r}", file=path, field=key)
    for scratch in folder.rglob(".*.part"):
        scratch.unlink()  # what a killed build was writing
    if finished is not None:
        write_bytes(path, msgspec.json.format(msgspec.json.encode(plan), indent=1))
        for name, record in finished.files.items():
            if (folder / name).exists() and checksum(folder / name) != record.sha256:
                (folder / name).unlink()  # not what the manifest says: to be made again


def _finished(folder: Path) -> Manifest:
    """The manifest of a finished dataset, which can be resumed where one of its files is damaged."""
    if not (folder / MANIFEST).exists():
        raise BadInput("holds no unfinished build to resume", file=folder)
    return open_dataset(folder)


def _plan_of(manifest: Manifest) -> dict[str, Any]:
    return {
        "benchmark": manifest.benchmark,
        "seed": manifest.seed,
        "settings": manifest.settings,
        "splits": manifest.scenes,
        "mereo": manifest.versions.get("mereo"),
    }


def _piece(folder: Path, split: str, index: int) -> Path:
    return folder / PIECES / f"{split}-{index:06d}.msgpack"


def _make_scenes(
    recipe: Recipe,
    folder: Path,
    shards: list[Shard],
    crew: Crew,
    progress: Callable[[int], None],
    complain: Callable[[str], None],
) -> None:
    """Make every scene that is not there yet; one that cannot be made leaves a note in its place."""
    tasks = []
    for note in (folder / PIECES).glob("*.failure"):
        note.unlink()  # what failed before is tried again
    for shard in shards:
        for index in range(shard.first, shard.stop):
            if _piece(folder, shard.split, index).exists():
                progress(1)
            else:
                arguments = (recipe, folder, shard.split, index)
                tasks.append(Task(f"{shard.split} scene {index}", _make_scene, arguments))
    for done in crew.run(tasks):
        if done.failure is not None:
            _, _, split, index = done.task.arguments
            write_bytes(_piece(folder, split, index).with_suffix(".failure"), done.failure.encode())
            complain(f"{done.task.name} is left out: {done.failure}")
        progress(1)


def _make_scene(recipe: Recipe, folder: Path, split: str, index: int) -> None:
    look_in(folder / SHAPES)
    write_bytes(_piece(folder, split, index), msgspec.msgpack.encode(recipe.scene(split, index)))


def _make_shard(recipe: Recipe, folder: Path, shard: Shard) -> Shard:
    indices = range(shard.first, shard.stop)
    look_in(folder / SHAPES)
    if recipe.piecemeal:
        pieces = [_piece(folder, shard.split, index) for index in indices]
        scenes = [msgspec.msgpack.decode(read_bytes(p)) for p in pieces if not p.with_suffix(".failure").exists()]
    else:
        scenes = [recipe.scene(shard.split, index) for index in indices]
    rows = recipe.shard(shard, scenes)
    write_table(shard_path(folder, "scenes", shard), rows.scenes, recipe.scene_fields)
    write_table(shard_path(folder, "questions", shard), rows.questions, recipe.question_fields)
    return shard


def _finish(
    recipe: Recipe,
    folder: Path,
    splits: Mapping[str, int],
    shards: list[Shard],
    *,
    shapes: Sequence[str],
    license: str | None,
) -> Manifest:
    """Write the manifest and the card: from now on it is a dataset."""
    files = {}
    counts = {kind: dict.fromkeys(splits, 0) for kind in ("scenes", "questions")}
    for shard in shards:
        for kind, by_split in counts.items():
            path = shard_path(folder, kind, shard)
            files[path.relative_to(folder).as_posix()] = record = record_file(path)
            by_split[shard.split] += record.rows
    for path in (path for name in shapes for path in files_of(folder / SHAPES / name)):
        files[path.relative_to(folder).as_posix()] = record_file(path)
    if not any(counts["scenes"].values()):
        raise MereoError(f"{folder}: not one scene could be made")
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
        scenes=counts["scenes"],
        questions=counts["questions"],
        files=files,
        license=license,
    )
    write_card(folder, manifest)
    write_manifest(folder, manifest)
    shutil.rmtree(folder / PIECES, ignore_errors=True)
    (folder / PLAN).unlink(missing_ok=True)
    return manifest
