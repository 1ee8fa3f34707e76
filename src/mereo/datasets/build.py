"""Building a dataset: shards made by any number of workers, always the same bytes, resumable after any interruption.

A recipe makes scenes one by one, each from its seed alone, and then shards of them, each from its scenes alone. Scenes
that take long are kept one by one beside the shards until their shard is whole; what is there is never made again.
"""

from __future__ import annotations

import platform
import shutil
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import pyarrow as pa

from mereo import __version__
from mereo.datasets.card import write_card
from mereo.datasets.claim import PIECES, PLAN, Plan, claim, is_whole_piece, noted, piece_path, plan_shards
from mereo.datasets.store import (
    KINDS,
    SHAPES,
    VERSION,
    LeftOut,
    Manifest,
    Shard,
    is_whole,
    record_file,
    shard_path,
    write_manifest,
    write_table,
)
from mereo.datasets.workers import Crew, Done, LocalCrew, Task
from mereo.errors import MereoError, NoScene
from mereo.files import read_bytes, write_bytes
from mereo.folders import alone_in
from mereo.shapes.own import copy_shapes, files_of, look_in

__all__ = ["Recipe", "Rows", "build_dataset", "plan_shards"]

_KEPT = "what is done is kept, --resume goes on"


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
        """One scene as a row of plain values, the same whoever makes it; raises `NoScene` where it cannot be made."""

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """A shard from its scenes: their columns, and the questions about them."""


def build_dataset(
    recipe: Recipe,
    folder: str | Path,
    *,
    splits: Mapping[str, int],
    shard_size: int,
    crew: Crew | None = None,
    resume: bool = False,
    shapes: Sequence[str] = (),
    further: Mapping[str, bytes] | None = None,
    license: str | None = None,
    progress: Callable[[int], None] = lambda scenes: None,
    complain: Callable[[str], None] = lambda sentence: None,
) -> Manifest:
    """Make a dataset in a folder, in which nobody else may write meanwhile.

    Only a scene of which `NoScene` says that it cannot be made is left out; the manifest lists it, and resuming tries
    it again. Anything else that goes wrong ends the build, because it could go well another time.

    shapes : the names of own shapes in its scenes, which go with it
    further : by name the content of files that go with it, too, because its rows cannot be understood without them
    license : what its makers allow others to do with it, if they say; no byte of a shard depends on it
    progress : called with the number of scenes that have become done
    complain : called with a sentence about every scene that is left out, and about what was damaged
    """
    folder = Path(folder)
    with alone_in(folder):
        plan = Plan(recipe.benchmark, recipe.seed, recipe.settings(), dict(splits), shard_size)
        claim(folder, recipe, plan, resume=resume, complain=complain)
        copy_shapes(shapes, folder / SHAPES)
        for name, content in (further or {}).items():
            write_bytes(folder / name, content)
        shards = plan_shards(splits, size=shard_size)
        _Build(recipe, folder, crew or LocalCrew(), progress, complain).make(shards)
        own = [path for name in shapes for path in files_of(folder / SHAPES / name)]
        own += [folder / name for name in further or ()]
        return _finish(recipe, folder, splits, shards, beside=own, license=license)


class _Build(NamedTuple):
    """A build under way."""

    recipe: Recipe
    folder: Path
    crew: Crew
    progress: Callable[[int], None]
    complain: Callable[[str], None]

    def make(self, shards: Sequence[Shard]) -> None:
        """Make what is not there yet."""
        whole = {shard for shard in shards if self._is_whole(shard)}
        whole -= self._reconsidered(whole)
        for shard in whole:
            self.progress(shard.stop - shard.first)
        # A shard is made as soon as its scenes are there: asking about them takes one worker a while, in which others
        # make the scenes of the next.
        tasks: deque[Task] = deque()
        shard_of: dict[str, Shard] = {}
        for shard in (one for one in shards if one not in whole):
            scenes = self._scene_tasks(_places([shard]), self.progress) if self.recipe.piecemeal else []
            shard_of |= {task.name: shard for task in scenes}
            tasks.extend(scenes or [self._shard_task(shard)])
        left = Counter(shard_of.values())
        with closing(self.crew.run(tasks)) as results:
            for done in results:
                done.check(_KEPT)
                own = shard_of.get(done.task.name)
                if own is None:
                    self._end_shard(done)
                    continue
                self._end_scene(done)
                left[own] -= 1
                if not left[own]:
                    tasks.appendleft(self._shard_task(own))

    def _shard_task(self, shard: Shard) -> Task:
        return Task(f"{shard.split} shard {shard.number}", _make_shard, (self.recipe, self.folder, shard))

    def _scene_tasks(self, places: Sequence[tuple[str, int]], progress: Callable[[int], None]) -> list[Task]:
        """What makes the scenes that are not there yet. progress : told of those that are"""
        tasks = []
        for split, index in places:
            if self._is_there(piece_path(self.folder, split, index)):
                progress(1)
            else:
                tasks.append(Task(f"{split} scene {index}", _make_scene, (self.recipe, self.folder, split, index)))
        return tasks

    def _end_shard(self, done: Done) -> None:
        shard = done.task.arguments[-1]
        for index, reason in done.result:
            self.complain(f"{shard.split} scene {index} is left out: {reason}")
        if not self.recipe.piecemeal:
            self.progress(shard.stop - shard.first)

    def _end_scene(self, done: Done, *, quietly: bool = False) -> None:
        """A scene that cannot be made leaves a note in its place."""
        if done.refusal is not None:
            _, _, split, index = done.task.arguments
            write_bytes(piece_path(self.folder, split, index, "failure"), done.refusal.encode())
        if not quietly:
            if done.refusal is not None:
                self.complain(f"{done.task.name} is left out: {done.refusal}")
            self.progress(1)

    def _is_whole(self, shard: Shard) -> bool:
        paths = [shard_path(self.folder, kind, shard) for kind in KINDS]
        for path in paths:
            if path.exists() and not is_whole(path):
                self.complain(f"{path}: is not whole, and is made again")
                path.unlink()
        return all(path.exists() for path in paths)

    def _reconsidered(self, shards: Iterable[Shard]) -> set[Shard]:
        """The shards that are to be made again because a scene that was left out of them may now be made."""
        again = [
            (one, (split, index))
            for split, index in noted(self.folder)
            for one in shards
            if one.split == split and one.first <= index < one.stop
        ]
        if self.recipe.piecemeal:
            tasks = self._scene_tasks([place for _, place in again], lambda scenes: None)
            with closing(self.crew.run(tasks)) as results:
                for done in results:
                    done.check(_KEPT)
                    self._end_scene(done, quietly=True)
            again = [(one, place) for one, place in again if piece_path(self.folder, *place).exists()]
        return {one for one, _ in again}

    def _is_there(self, piece: Path) -> bool:
        if piece.exists() and not is_whole_piece(piece):
            self.complain(f"{piece}: is not whole, and is made again")
            piece.unlink()
        return piece.exists()


def _places(shards: Iterable[Shard]) -> list[tuple[str, int]]:
    return [(shard.split, index) for shard in shards for index in range(shard.first, shard.stop)]


def _make_scene(recipe: Recipe, folder: Path, split: str, index: int) -> None:
    look_in(folder / SHAPES)
    write_bytes(piece_path(folder, split, index), msgspec.msgpack.encode(recipe.scene(split, index)))


def _make_shard(recipe: Recipe, folder: Path, shard: Shard) -> list[tuple[int, str]]:
    """Write a shard's files; gives the scenes that cannot be made, where that was not known before."""
    look_in(folder / SHAPES)
    scenes, made, refused = [], [], []
    for split, index in _places([shard]):
        piece, note = (piece_path(folder, split, index, ending) for ending in ("msgpack", "failure"))
        known = note.exists()
        if recipe.piecemeal and known and not piece.exists():
            continue
        try:
            scenes.append(msgspec.msgpack.decode(read_bytes(piece)) if recipe.piecemeal else recipe.scene(split, index))
            made += [note] if known else []
        except NoScene as error:
            refused.append((index, str(error)))
            write_bytes(note, str(error).encode())
    rows = recipe.shard(shard, scenes)
    write_table(shard_path(folder, "scenes", shard), rows.scenes, recipe.scene_fields)
    write_table(shard_path(folder, "questions", shard), rows.questions, recipe.question_fields)
    for note in made:
        note.unlink()  # not before: a shard without a scene of which there is no note would pass for whole
    return refused


def _left_out(folder: Path, splits: Mapping[str, int]) -> list[LeftOut]:
    order = list(splits)
    return [
        LeftOut(f"{split}-{index:06d}", split, index, read_bytes(piece_path(folder, split, index, "failure")).decode())
        for split, index in sorted(noted(folder), key=lambda place: (order.index(place[0]), place[1]))
    ]


def _finish(
    recipe: Recipe,
    folder: Path,
    splits: Mapping[str, int],
    shards: list[Shard],
    *,
    beside: Sequence[Path],
    license: str | None,
) -> Manifest:
    """Write the manifest and the card: from now on it is a dataset. beside : its files that are no shards"""
    files = {}
    counts = {kind: dict.fromkeys(splits, 0) for kind in KINDS}
    for shard in shards:
        for kind, by_split in counts.items():
            path = shard_path(folder, kind, shard)
            files[path.relative_to(folder).as_posix()] = record = record_file(path)
            by_split[shard.split] += record.rows
    for path in beside:
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
        asked=dict(splits),
        left_out=_left_out(folder, splits),
    )
    write_card(folder, manifest)
    write_manifest(folder, manifest)
    (folder / PLAN).unlink(missing_ok=True)  # before the notes, without which a resumed build would forget them
    shutil.rmtree(folder / PIECES, ignore_errors=True)
    return manifest
