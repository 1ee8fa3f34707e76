"""Opening the folders that were given: each becomes a dataset that can be used, or says why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mereo.benchmarks.benchmark import Benchmark, benchmark
from mereo.datasets.inspector import UNREADABLE, Inspector
from mereo.datasets.store import Manifest, fingerprint, open_dataset
from mereo.errors import BadInput, MereoError
from mereo.explorer.index import Index
from mereo.programs import Language
from mereo.world import World

__all__ = ["Opened", "open_folders"]


@dataclass(frozen=True)
class Opened:
    """One of the folders that were given."""

    number: int
    folder: Path
    name: str
    """What people call it: the folder's own name, with that of the one it lies in where two are called alike."""
    manifest: Manifest | None = None
    """None where the folder cannot be used at all."""
    fault: str | None = None
    """Why it cannot, in one sentence."""
    damaged: tuple[str, ...] = ()
    """What is wrong with some of its shards, which are left out."""
    benchmark: Benchmark | None = None
    inspector: Inspector | None = None

    @property
    def language(self) -> Language | None:
        """What its scenes can be asked in."""
        return self.inspector.language if self.inspector else None

    @property
    def eye(self) -> Inspector:
        """Who knows what its rows mean; a complaint where nobody does."""
        if self.inspector is None:
            raise BadInput("the benchmark of this dataset does not tell what its scenes mean")
        return self.inspector

    @cached_property
    def fingerprint(self) -> str:
        """By which a cache knows that it is still the same."""
        return fingerprint(self.manifest) if self.manifest else ""

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row; whatever its record lacks is the fault of the data, not ours."""
        try:
            return self.eye.world(row)
        except MereoError:
            raise
        except UNREADABLE as error:
            reason = f"the record cannot be understood ({error!r})"
            raise BadInput(reason, record=f"scene '{row['scene_id']}'") from None


def open_folders(folders: Sequence[Path], index: Index, progress: Callable[[int], None]) -> list[Opened]:
    """Open folders and put what is in them into the index. progress : called with the number of shards just opened"""
    paths = [Path(folder).resolve() for folder in folders]
    short = [path.name or str(path) for path in paths]
    names = [
        f"{path.parent.name}/{name}" if short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)
    ]
    return [_open(number, Path(folder), names[number], index, progress) for number, folder in enumerate(folders)]


def _open(number: int, folder: Path, name: str, index: Index, progress: Callable[[int], None]) -> Opened:
    try:
        manifest = open_dataset(folder)
        own = benchmark(manifest.benchmark)
        inspector = own.inspector(manifest) if own.inspector else None
    except MereoError as error:
        return Opened(number, folder, name, fault=str(error))
    damaged = []
    for file in sorted(manifest.files, key=lambda one: not one.startswith("scenes/")):
        try:
            if file.startswith("scenes/"):
                index.add_scenes(folder / file, number, manifest.benchmark, inspector)
            elif file.startswith("questions/"):
                index.add_questions(folder / file, number)
        except MereoError as error:
            damaged.append(str(error))
        progress(1)
    empty = not index.rows("SELECT 1 FROM scenes WHERE dataset = ? LIMIT 1", [number])
    fault = damaged[0] if damaged and empty else None
    return Opened(number, folder, name, manifest, fault, tuple(damaged), own, inspector)
