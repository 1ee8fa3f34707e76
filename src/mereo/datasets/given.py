"""Scenes that are there already, for builds that only ask about them: of a dataset, or of somebody's files.

What is opened is kept as long as the file or the manifest does not change, since a build asks for scenes one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pyarrow as pa

from mereo.datasets.format import Format, Layout, OfficialSplit
from mereo.datasets.importing import ImportRecipe, read_official
from mereo.datasets.shards import open_shard, read_shard
from mereo.datasets.store import MANIFEST, Manifest, fingerprint, open_dataset, sealed
from mereo.errors import BadInput

__all__ = ["GivenScenes", "OfficialScenes", "StoredScenes", "changed_at", "given_scenes", "stored_scenes"]


class GivenScenes(Protocol):
    """Scenes by split and place."""

    @property
    def splits(self) -> Mapping[str, int]:
        """How many there are of each split."""

    @property
    def fields(self) -> pa.Schema:
        """The columns of their rows."""

    def settings(self) -> dict[str, Any]:
        """What a manifest says of them: whether they have pictures, whose they are, and a fingerprint."""

    def row(self, split: str, index: int) -> dict[str, Any]:
        """The row of a split's scene by its place among those that are there."""


@dataclass(frozen=True)
class StoredScenes:
    """The scenes of a dataset."""

    folder: Path
    manifest: Manifest

    @property
    def splits(self) -> Mapping[str, int]:
        """How many there are of each split."""
        return self.manifest.scenes

    @property
    def fields(self) -> pa.Schema:
        """The columns of its scene shards."""
        first = next((name for name in self.manifest.files if name.startswith("scenes/")), None)
        if first is None:
            raise BadInput("has no scenes", file=self.folder)
        with open_shard(self.folder / first) as shard:
            return shard.schema

    def settings(self) -> dict[str, Any]:
        """Whether they have pictures, of which benchmark they are, and the dataset's fingerprint."""
        pictures = bool(self.manifest.settings.get("pictures"))
        return {
            "pictures": pictures,
            "scenes_from": self.manifest.benchmark,
            "scenes": fingerprint(self.manifest),
        }

    def row(self, split: str, index: int) -> dict[str, Any]:
        """The row of a split's scene by its place among those that are there."""
        before = 0
        for name, record in self.manifest.files.items():
            if not name.startswith("scenes/") or Path(name).name.rpartition("-")[0] != split:
                continue
            if index < before + record.rows:
                table = _shard(sealed(self.folder, name, self.manifest), record.sha256)
                if len(table) != record.rows:
                    reason = f"has {len(table):,} rows, dataset.json says {record.rows:,}"
                    raise BadInput(reason, file=self.folder / name)
                row: dict[str, Any] = table.slice(index - before, 1).to_pylist()[0]
                return row
            before += record.rows
        raise BadInput(f"has only {before} scenes of {split}", file=self.folder)


@dataclass(frozen=True)
class OfficialScenes:
    """The scenes of somebody's files, with pictures where these are there."""

    path: Path
    recipe: ImportRecipe

    @property
    def splits(self) -> Mapping[str, int]:
        """How many there are of each split."""
        return {split: len(records) for split, records in self.recipe.files.scenes.items()}

    @property
    def fields(self) -> pa.Schema:
        """The columns that an import would have."""
        return self.recipe.scene_fields

    def settings(self) -> dict[str, Any]:
        """Whether they have pictures, what the file is called, and a fingerprint of all its scenes."""
        pictures = self.recipe.images is not None
        return {"pictures": pictures, "scenes_from": self.path.name, "scenes": self._fingerprint}

    @cached_property
    def _fingerprint(self) -> str:
        digest = hashlib.sha256()
        for records in self.recipe.files.scenes.values():
            for record in records:
                digest.update(msgspec.json.encode(record.data))
        return digest.hexdigest()

    def row(self, split: str, index: int) -> dict[str, Any]:
        """The row that an import would have."""
        return self.recipe.scene(split, index)


def stored_scenes(folder: str | Path) -> StoredScenes:
    """The scenes of a dataset's folder."""
    return _stored(Path(folder), changed_at(folder))


def given_scenes(path: str | Path, form: Format, benchmark: str, *, images: str | Path | None = None) -> GivenScenes:
    """The scenes of a dataset, of an official folder, or of a file in a format; one that is wrong is an error."""
    path = Path(path)
    if (path / MANIFEST).exists():
        return stored_scenes(path)
    there = form.layout(path) if (path / "scenes").is_dir() else Layout([OfficialSplit(path)])
    splits = [own._replace(questions=None) for own in there.splits]
    pictures = Path(images) if images is not None else there.images
    files = read_official(splits, form, images=pictures, strict=True)
    return OfficialScenes(path, ImportRecipe(files, form, benchmark, pictures))


def changed_at(path: str | Path) -> int:
    """When a file, or the manifest of a folder, was written last, in nanoseconds; 0 where nothing is there."""
    manifest = Path(path) / MANIFEST
    own = manifest if manifest.exists() else Path(path)
    return own.stat().st_mtime_ns if own.exists() else 0


@lru_cache(maxsize=8)
def _stored(folder: Path, changed: int) -> StoredScenes:
    return StoredScenes(folder, open_dataset(folder))


@lru_cache(maxsize=1)
def _shard(path: Path, sha256: str) -> pa.Table:
    return read_shard(path)
