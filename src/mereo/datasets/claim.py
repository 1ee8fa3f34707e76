"""Whose a folder is: what a build was asked for stands in it until it is done, so that only the same build goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mereo import __version__
from mereo.datasets.store import (
    KINDS,
    MANIFEST,
    Manifest,
    Shard,
    as_table,
    checksum,
    is_whole,
    open_dataset,
    read_table,
    shard_path,
)
from mereo.errors import BadInput, NoScene, differing
from mereo.files import read_json, write_bytes
from mereo.folders import is_taken

if TYPE_CHECKING:
    from mereo.datasets.build import Recipe

__all__ = ["PIECES", "PLAN", "Plan", "claim", "is_whole_piece", "noted", "piece_path", "plan_shards"]

PLAN = "build.json"
"""What an unfinished build was asked for; gone when the dataset stands."""
PIECES = ".scenes"
"""Where finished scenes wait for their shard."""

Complain = Callable[[str], None]


def piece_path(folder: Path, split: str, index: int, ending: str = "msgpack") -> Path:
    """Where a scene waits, or with the ending `failure` the reason why it cannot be made."""
    return folder / PIECES / f"{split}-{index:06d}.{ending}"


class Plan(msgspec.Struct, frozen=True):
    """What a build was asked for: `build.json`."""

    benchmark: str
    seed: int
    settings: dict[str, Any]
    splits: dict[str, int]
    shard_size: int
    mereo: str | None = __version__

    def flat(self) -> dict[str, Any]:
        """All of it by name, the settings as they are given on the command line."""
        plain = msgspec.json.decode(msgspec.json.encode(self))
        settings = plain.pop("settings")
        return {**plain, **settings}


def claim(folder: Path, recipe: Recipe, plan: Plan, *, resume: bool, complain: Complain) -> None:
    """Take an empty folder for a build, or see that what lies there is of the same build.

    What is damaged there is told and taken away, to be made again. complain : takes these sentences
    """
    if not is_taken(folder):
        _write(folder, plan)
        return
    if not resume:
        raise BadInput("is not empty: give another folder, or --resume to go on with an unfinished build", file=folder)
    written = folder / PLAN if (folder / PLAN).exists() else folder / MANIFEST
    if not written.exists():
        raise BadInput("holds no unfinished build to resume", file=folder)
    finished: Manifest | None = None
    begun: Plan | None = None
    try:
        if written.name == PLAN:
            begun = read_json(written, type=Plan)
        else:
            finished = read_json(written, type=Manifest)
            begun = _plan_of(open_dataset(folder), plan.shard_size)
    except BadInput as error:
        if finished is not None:
            raise  # of a newer version
        complain(f"{error}; what is there is kept as far as it is what this build makes")
    different = differing(begun.flat(), plan.flat()) if begun is not None else ""
    if different:
        raise BadInput(f"was begun with {different}", file=written)
    for place in (folder, folder / PIECES, *(folder / kind for kind in KINDS)):
        for scratch in place.glob(".*.part"):
            scratch.unlink()  # what a killed build was writing
    if finished is not None:
        _reopen(folder, finished, complain)
    elif begun is None:
        _keep_own(folder, recipe, plan_shards(plan.splits, size=plan.shard_size))
    _write(folder, plan)


def plan_shards(splits: Mapping[str, int], *, size: int) -> list[Shard]:
    """Cut splits into shards of consecutive scenes."""
    return [
        Shard(split, number, first, min(first + size, scenes))
        for split, scenes in splits.items()
        for number, first in enumerate(range(0, scenes, size))
    ]


def noted(folder: Path) -> list[tuple[str, int]]:
    """Split and number of the scenes that are left out of their shards, of which there is a note each."""
    names = sorted(note.stem.rpartition("-") for note in (folder / PIECES).glob("*.failure"))
    return [(split, int(index)) for split, _, index in names]


def is_whole_piece(path: Path) -> bool:
    """Whether a scene that waits can be read."""
    try:
        msgspec.msgpack.decode(path.read_bytes(), type=dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _plan_of(manifest: Manifest, shard_size: int) -> Plan:
    splits, version = manifest.asked or manifest.scenes, manifest.versions.get("mereo")
    return Plan(manifest.benchmark, manifest.seed, manifest.settings, splits, shard_size, version)


def _write(folder: Path, plan: Plan) -> None:
    write_bytes(folder / PLAN, msgspec.json.format(msgspec.json.encode(plan), indent=1))


def _reopen(folder: Path, finished: Manifest, complain: Complain) -> None:
    """Make a finished dataset an unfinished one that lacks what is damaged and what was left out."""
    for name, record in finished.files.items():
        if (folder / name).exists() and checksum(folder / name) != record.sha256:
            complain(f"{folder / name}: is not what dataset.json says, and is made again")
            (folder / name).unlink()
    for one in finished.left_out:
        write_bytes(piece_path(folder, one.split, one.index, "failure"), one.reason.encode())


def _keep_own(folder: Path, recipe: Recipe, shards: Sequence[Shard]) -> None:
    """Where nothing says what a folder was built with: keep only what begins as this build would have begun it."""
    piece = next(filter(is_whole_piece, sorted((folder / PIECES).glob("*.msgpack"))), None)
    if piece is not None and not _is_own_piece(recipe, piece):
        shutil.rmtree(folder / PIECES)
    for shard in shards:
        paths = [shard_path(folder, kind, shard) for kind in KINDS]
        if all(map(is_whole, paths)) and not _is_own_shard(recipe, folder, shard):
            for path in paths:
                path.unlink()


def _is_own_piece(recipe: Recipe, piece: Path) -> bool:
    split, _, index = piece.stem.rpartition("-")
    try:
        return msgspec.msgpack.encode(recipe.scene(split, int(index))) == piece.read_bytes()
    except NoScene:
        return False


def _is_own_shard(recipe: Recipe, folder: Path, shard: Shard) -> bool:
    try:
        rows = recipe.shard(shard, [recipe.scene(shard.split, shard.first)])
    except NoScene:
        return False
    for kind, fields in (("scenes", recipe.scene_fields), ("questions", recipe.question_fields)):
        made = as_table(getattr(rows, kind), fields)
        if not read_table(shard_path(folder, kind, shard)).slice(0, len(made)).equals(made):
            return False
    return True
