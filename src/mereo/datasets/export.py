"""Exporting datasets into the formats of others: one function for each, found by its decorator."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import mereo.datasets.formats
from mereo.datasets.inspector import Inspector
from mereo.datasets.shards import open_shard, read_shard
from mereo.datasets.store import KINDS, Manifest, open_dataset, sealed
from mereo.errors import BadInput, UnknownName
from mereo.folders import new_folder
from mereo.names import plain_name

__all__ = ["Exporter", "Progress", "Source", "all_exporters", "export_dataset", "exporter", "picture_name"]

Progress = Callable[[int], None]


class Source(NamedTuple):
    """A dataset that is being exported."""

    folder: Path
    manifest: Manifest
    inspector: Inspector | None = None
    """Who knows what its rows mean."""

    def shards(self) -> Iterator[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]:
        """Split, scene rows and question rows of each shard, in order."""
        for name in self.manifest.files:
            if name.startswith("scenes/"):
                paths = (sealed(self.folder, f"{kind}/{Path(name).name}", self.manifest) for kind in KINDS)
                scenes, questions = (read_shard(path).to_pylist() for path in paths)
                known = {plain_name(row["scene_id"], file=self.folder / name, field="scene_id") for row in scenes}
                for row in questions:
                    if row["scene_id"] not in known:
                        reason = f"there is no scene '{row['scene_id']}' in this shard"
                        raise BadInput(reason, file=self.folder / name, record=row["question_id"], field="scene_id")
                yield Path(name).name.rpartition("-")[0], scenes, questions

    def licensed(self) -> dict[str, str]:
        """What a file says of the license: nothing, unless the makers of the data have chosen one."""
        return {"license": self.manifest.license} if self.manifest.license else {}

    def need_pictures(self, form: str) -> None:
        """Complain if there are none."""
        if not self.manifest.settings.get("pictures"):
            raise BadInput(f"has no pictures, which {form} needs", file=self.folder)
        for name in self.manifest.files:
            if name.startswith("scenes/"):
                with open_shard(self.folder / name) as shard:
                    if "image" not in shard.names:
                        raise BadInput("is missing", file=shard.path, field="image")


def picture_name(row: Mapping[str, Any], column: str = "image", *, after: str = "") -> str:
    """The name of the file that a scene's picture becomes: the scene's id, and the ending of the picture."""
    ending = Path(row[column]["path"] or "").suffix or ".png"
    return plain_name(f"{row['scene_id']}{after}{ending}", record=f"scene {row['scene_id']}", field=f"{column}.path")


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
    """The exporters that fit any dataset, by the name of their format."""
    for module in pkgutil.iter_modules(mereo.datasets.formats.__path__):
        import_module(f"mereo.datasets.formats.{module.name}")
    return dict(sorted(_FOUND.items()))


def export_dataset(
    folder: str | Path,
    out: str | Path,
    *,
    to: str,
    own: Mapping[str, Exporter] | None = None,
    inspector: Inspector | None = None,
    progress: Progress = lambda scenes: None,
) -> None:
    """Write a dataset in another format into a new folder.

    own : the formats that only its benchmark can write, beside those that fit any dataset
    progress : called for every scene
    """
    exporters = {**all_exporters(), **(own or {})}
    manifest = open_dataset(folder)
    if to not in exporters:
        raise UnknownName(f"export format of {manifest.benchmark} datasets named", to, exporters)
    with new_folder(out) as scratch:
        exporters[to](Source(Path(folder), manifest, inspector), scratch, progress)
