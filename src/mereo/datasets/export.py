"""Exporting datasets into the formats of others: one function for each, found by its decorator."""

from __future__ import annotations

import pkgutil
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import mereo.datasets.formats
from mereo.datasets.store import Manifest, open_dataset, read_table
from mereo.errors import BadInput, UnknownName
from mereo.programs import Program, parse_program

__all__ = ["Source", "Translation", "all_exporters", "export_dataset", "exporter"]

Progress = Callable[[int], None]


class Translation(NamedTuple):
    """How a benchmark's own forms are told officially."""

    record: Callable[[Mapping[str, Any]], dict[str, Any]]
    """The official record of a scene row."""
    program: Callable[[Program], Program | None]
    """A program in the official language; None where that cannot say it."""


class Source(NamedTuple):
    """A dataset that is being exported."""

    folder: Path
    manifest: Manifest
    translation: Translation | None = None

    def record(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A scene's record in the official form of its benchmark."""
        if self.translation is None or self.manifest.settings.get("imported"):
            record: dict[str, Any] = msgspec.json.decode(row["scene"])
            return record
        return self.translation.record(row)

    def program(self, row: Mapping[str, Any]) -> Program | None:
        """A question's program in the official language of its benchmark, if that can say it."""
        if self.translation is None or self.manifest.settings.get("imported"):
            return parse_program(row["program"])
        return self.translation.program(parse_program(row["program"]))

    def shards(self) -> Iterator[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]:
        """Split, scene rows and question rows of each shard, in order."""
        for name in self.manifest.files:
            if name.startswith("scenes/"):
                scenes = read_table(self.folder / name).to_pylist()
                questions = read_table(self.folder / "questions" / name.removeprefix("scenes/")).to_pylist()
                yield Path(name).name.rpartition("-")[0], scenes, questions

    def need_pictures(self, form: str) -> None:
        """Complain if there are none."""
        if not self.manifest.settings.get("pictures"):
            raise BadInput(f"has no pictures, which {form} needs", file=self.folder)


Exporter = Callable[[Source, Path, Progress], None]
_FOUND: dict[str, Exporter] = {}


def exporter(name: str) -> Callable[[Exporter], Exporter]:
    """Make a function the exporter of a format."""

    def register(function: Exporter) -> Exporter:
        _FOUND[name] = function
        return function

    return register


@cache
def all_exporters() -> dict[str, Exporter]:
    """Every exporter by the name of its format."""
    for module in pkgutil.iter_modules(mereo.datasets.formats.__path__):
        import_module(f"mereo.datasets.formats.{module.name}")
    return dict(sorted(_FOUND.items()))


def export_dataset(
    folder: str | Path,
    out: str | Path,
    *,
    to: str,
    translation: Translation | None = None,
    progress: Progress = lambda scenes: None,
) -> None:
    """Write a dataset in another format into a new folder.

    translation : how the benchmark's own forms are told officially, where they are others
    progress : called for every scene
    """
    exporters = all_exporters()
    if to not in exporters:
        raise UnknownName("export format", to, exporters)
    out = Path(out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput("is not empty: give another folder", file=out)
    source = Source(Path(folder), open_dataset(folder), translation)
    scratch = out.with_name(f".{out.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)  # left by an export that was killed
    scratch.mkdir(parents=True)
    try:
        exporters[to](source, scratch, progress)
        if out.exists():
            out.rmdir()
        scratch.rename(out)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
