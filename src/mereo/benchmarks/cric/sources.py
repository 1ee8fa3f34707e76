"""Where the scenes of a build come from, and what is known of the things in them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from mereo.benchmarks.cric.given import GivenGraphs, given_graphs
from mereo.benchmarks.cric.given_lore import lore_for
from mereo.benchmarks.cric.lore import Lore, lore_of_base
from mereo.benchmarks.cric.lore_file import KeptLore, decoded_lore, encoded_lore
from mereo.benchmarks.cric.names import EMBEDDED
from mereo.benchmarks.cric.word_choice import Fewest
from mereo.datasets.given import changed_at
from mereo.datasets.picture_settings import USUAL, PictureSettings, scene_fields
from mereo.datasets.store import checksum
from mereo.errors import BadInput, Refusals
from mereo.knowledge import embedded_base, entities, read_knowledge

__all__ = ["GivenPictures", "Known", "OwnRooms", "SceneSource", "known_of"]


class SceneSource(Protocol):
    """Scenes by split and number; a light value that workers can be sent."""

    def __hash__(self) -> int: ...

    @property
    def piecemeal(self) -> bool:
        """Whether a scene takes so long that each is kept as soon as it is made."""

    @property
    def fields(self) -> pa.Schema:
        """The columns of their rows."""

    @property
    def names(self) -> Sequence[str]:
        """What things in them can be called."""

    @property
    def told(self) -> Sequence[str]:
        """What there is to say of the files that they come from."""

    def settings(self) -> dict[str, Any]:
        """What a manifest says of them."""

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as a row, whose record holds a graph."""


@dataclass(frozen=True)
class OwnRooms:
    """Rooms, tables and counters of our own."""

    seed: int
    view: PictureSettings = USUAL
    """What is seen is counted in pixels, with pictures or without."""
    pictures: bool = False

    @property
    def piecemeal(self) -> bool:
        """Every scene is set and looked at, which takes a while even without its picture."""
        return True

    @property
    def fields(self) -> pa.Schema:
        """As for all scenes with such pictures."""
        return scene_fields(self.view if self.pictures else None)

    @property
    def names(self) -> Sequence[str]:
        """All that the embedded knowledge is about."""
        return sorted(entities())

    @property
    def told(self) -> Sequence[str]:
        """Nothing: they come from no files."""
        return ()

    def settings(self) -> dict[str, Any]:
        """What the camera sees and how it is kept."""
        seen = {"pictures": self.pictures, "width": self.view.width, "height": self.view.height}
        return seen | (self.view.settings() if self.pictures else {})

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene: its record and, with pictures, what the camera saw."""
        from mereo.benchmarks.cric.scenes import OwnScenes

        return OwnScenes(self.seed, self.view, self.pictures).scene(split, index)


@dataclass(frozen=True)
class GivenPictures:
    """Pictures of others, of which their scene graphs tell."""

    path: str
    images: str | None = None
    """The folder of the pictures themselves."""
    aliases: tuple[str | None, str | None] = (None, None)
    """Files of synonyms: for names, and for relations."""
    fewest: int = 1
    """How often a word must occur in all graphs to be kept."""
    strict: bool = False

    @property
    def graphs(self) -> GivenGraphs:
        """The graphs themselves."""
        return _opened(self)[0]

    @property
    def piecemeal(self) -> bool:
        """They are there already."""
        return False

    @property
    def fields(self) -> pa.Schema:
        """With the pictures, where these are there."""
        return self.graphs.fields

    @property
    def names(self) -> Sequence[str]:
        """All names that things have in any of them."""
        return sorted(self.graphs.names)

    @property
    def told(self) -> Sequence[str]:
        """How much of the files was left out, and the first three of it."""
        refusals = _opened(self)[1]
        count = f"{self.path}: {refusals.refused:,} records cannot be used and are left out, such as"
        return (count, *refusals.shown) if refusals.refused else ()

    def settings(self) -> dict[str, Any]:
        """Whose they are, and how their words were chosen."""
        return self.graphs.settings()

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """The row of a picture."""
        return self.graphs.row(split, index)


@lru_cache(maxsize=2)
def _opened(given: GivenPictures) -> tuple[GivenGraphs, Refusals]:
    refusals, (names, predicates), least = Refusals(), given.aliases, given.fewest
    found = given_graphs(
        given.path,
        images=given.images,
        names=names,
        predicates=predicates,
        fewest=Fewest(least, least, least),
        refusals=refusals,
        strict=given.strict,
    )
    return found, refusals


@dataclass(frozen=True)
class Known:
    """What a build knows of its things: the file that goes with the dataset, and where it comes from."""

    content: bytes
    settings: Mapping[str, str]
    told: tuple[str, ...] = ()
    """What there is to say of the file of knowledge: its rows, and the first that cannot be read."""

    @cached_property
    def kept(self) -> KeptLore:
        """As whoever opens the dataset will read it."""
        return decoded_lore(self.content)


def known_of(source: SceneSource, knowledge: str | None, *, strict: bool = False) -> Known:
    """What a file of knowledge tells of the things of some scenes, or where none is named, what comes with mereo."""
    return _known(source, knowledge, changed_at(knowledge) if knowledge else 0, strict)


@lru_cache(maxsize=2)
def _known(source: SceneSource, knowledge: str | None, changed: int, strict: bool) -> Known:
    names = frozenset(source.names)
    if knowledge is None:
        return _described(lore_of_base(embedded_base()), names, {"knowledge": EMBEDDED})
    path = Path(knowledge)
    found, tally = read_knowledge(path, strict=strict)
    lore = lore_for(names, found)
    if not lore.facts:
        raise BadInput("says nothing about any thing of the scenes", file=path)
    told = (f"{path}: {tally.told()}", *tally.shown) if tally and tally.refused else ()
    return _described(lore, names, {"knowledge": path.name, "knowledge_file": checksum(path)}, told)


def _described(lore: Lore, names: frozenset[str], settings: dict[str, str], told: Iterable[str] = ()) -> Known:
    content = encoded_lore(lore, names)
    return Known(content, settings | {"known": hashlib.sha256(content).hexdigest()}, tuple(told))
