"""Small pictures of scenes, made when they are first looked at and kept in a cache outside of the datasets."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mereo.caches import cache_folder
from mereo.datasets.inspector import Inspector
from mereo.errors import BadInput, MereoError
from mereo.evaluation.drawing import draw_map, thumbnail
from mereo.explorer.catalog import Catalog
from mereo.files import write_bytes
from mereo.world import World

__all__ = ["Thumbnails", "map_of"]

WIDTH = 320
"""Pixels: twice what a card is wide on most screens."""

_MAP_STYLE = (
    "<style>.ground{fill:#80868c1f}.badge{font:600 11px sans-serif;fill:#fff}.plain{paint-order:stroke;stroke:#0006;"
    "stroke-width:2px}.metal{stroke:#fff9;stroke-width:2}.matt{stroke:#0003}</style>"
)


class Small(NamedTuple):
    """A thumbnail and what kind of picture it is."""

    data: bytes
    media_type: str


class Thumbnails:
    """Thumbnails by dataset and scene."""

    def __init__(self, catalog: Catalog, folder: Path | None = None):
        self._catalog = catalog
        self._folder = folder or cache_folder("thumbnails")
        self._making = threading.Lock()

    def get(self, dataset: int, scene_id: str) -> Small:
        """The thumbnail of a scene: its picture, or a map where it has none."""
        path = self._path(dataset, scene_id)
        if not path.exists():
            self.prepare(dataset, [scene_id])
        if not path.exists():
            raise BadInput(f"dataset {dataset} has no scene '{scene_id}'")
        data = path.read_bytes()
        return Small(data, "image/svg+xml" if data.startswith(b"<svg") else "image/jpeg")

    def prepare(self, dataset: int, scene_ids: Sequence[str]) -> None:
        """Make those that are not there yet; those of one shard are read at once, which is much faster."""
        with self._making:
            missing = [scene_id for scene_id in scene_ids if not self._path(dataset, scene_id).exists()]
            known = self._catalog.pictured(dataset, missing)
            rows = self._catalog.columns(dataset, [one for one in known if known[one]], ["image"])
            small = {one: _reduced(row["image"]["bytes"]) for one, row in rows.items() if row["image"]}
            plain = [one for one in known if small.get(one) is None]
            maps = self._maps(dataset, plain) if plain else {}
            for scene_id in known:
                write_bytes(self._path(dataset, scene_id), small.get(scene_id) or maps[scene_id])

    def _maps(self, dataset: int, scene_ids: Sequence[str]) -> dict[str, bytes]:
        worlds, eye = self._catalog.worlds(dataset, scene_ids), self._catalog.dataset(dataset).inspector
        return {one: map_of(row, world, eye) for one, (row, world) in worlds.items()}

    def _path(self, dataset: int, scene_id: str) -> Path:
        """A name that no scene id can lead astray."""
        name = hashlib.sha256(scene_id.encode()).hexdigest()[:32]
        return self._folder / self._catalog.dataset(dataset).fingerprint[:32] / name


def _reduced(image: bytes) -> bytes | None:
    """A small JPEG; None where the picture is damaged."""
    try:
        return thumbnail(image, width=WIDTH)[0]
    except BadInput:
        return None


def map_of(row: Mapping[str, Any], world: World | None, eye: Inspector | None) -> bytes:
    """A world as a map, SVG; an empty one where there is no world, nobody who knows it, or damage."""
    drawing = None
    if world is not None and eye is not None:
        with suppress(MereoError):
            drawing = draw_map(row, world, eye)
    size = f"0 0 {drawing.width} {drawing.height}" if drawing else "0 0 400 260"
    inner = drawing.picture if drawing else '<rect class="ground" width="400" height="260" rx="6"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">{_MAP_STYLE}{inner}</svg>'.encode()
