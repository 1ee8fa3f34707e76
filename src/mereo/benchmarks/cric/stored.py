"""The scenes of a dataset of CRIC, for another that asks about them anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from mereo.benchmarks.cric.lore_file import decoded_lore
from mereo.benchmarks.cric.names import DRAWN_COLUMN, LORE_FILE, NAME
from mereo.datasets.given import StoredScenes, stored_scenes
from mereo.datasets.store import sealed
from mereo.errors import BadInput

__all__ = ["StoredRooms"]


@dataclass(frozen=True)
class StoredRooms:
    """All that a dataset has, but its questions."""

    folder: str

    @property
    def scenes(self) -> StoredScenes:
        """The scenes themselves."""
        found = stored_scenes(self.folder)
        if found.manifest.benchmark != NAME:
            raise BadInput(f"is of {found.manifest.benchmark}, whose scenes have no graphs", file=self.folder)
        return found

    @property
    def piecemeal(self) -> bool:
        """They are there already."""
        return False

    @property
    def fields(self) -> pa.Schema:
        """Without how much was drawn about them before."""
        fields = self.scenes.fields
        return fields.remove(fields.get_field_index(DRAWN_COLUMN))

    @property
    def names(self) -> Sequence[str]:
        """As the dataset has them."""
        scenes = self.scenes
        return decoded_lore(sealed(scenes.folder, LORE_FILE, scenes.manifest).read_bytes()).names

    @property
    def told(self) -> Sequence[str]:
        """Nothing: they were told of when they were made."""
        return ()

    def settings(self) -> dict[str, Any]:
        """Of which dataset they are."""
        return self.scenes.settings()

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """The row of a scene."""
        row = self.scenes.row(split, index)
        return {name: value for name, value in row.items() if name != DRAWN_COLUMN}
