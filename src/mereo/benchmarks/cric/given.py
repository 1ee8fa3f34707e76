"""Scene graphs of others for a build: by split and place, in words that are settled once, with pictures by path.

Workers get this as a value. They open the files themselves, and keep them open as long as the files do not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
from msgspec.structs import replace

from mereo.benchmarks.cric.cleaning import cleaned
from mereo.benchmarks.cric.doubts import doubts
from mereo.benchmarks.cric.graph import SceneGraph
from mereo.benchmarks.cric.graph_checks import Complain
from mereo.benchmarks.cric.graph_files import GraphFiles, open_graphs
from mereo.benchmarks.cric.word_choice import Counts, Fewest, WordChoice, read_aliases, word_choice
from mereo.chance import mark
from mereo.datasets.picture_bytes import picture_size
from mereo.datasets.rows import scene_row
from mereo.datasets.store import IMAGE_FIELDS, SCENE_FIELDS, checksum
from mereo.errors import BadInput, Refusals
from mereo.files import read_bytes
from mereo.names import inside

__all__ = ["SHARES", "GivenGraphs", "given_graphs", "split_of"]

SHARES = {"train": 0.7, "val": 0.1, "test": 0.2}
"""The share of pictures that each split has."""


@dataclass(frozen=True)
class GivenGraphs:
    """Cleaned graphs with all that they leave open, as rows of scenes."""

    path: Path
    images: Path | None
    words: WordChoice
    pictures: Mapping[str, Sequence[str]]
    """By split the ids of its pictures, in order."""
    choices: Mapping[str, Any] = field(default_factory=dict)
    """How words were chosen, as a manifest says it."""

    @property
    def splits(self) -> Mapping[str, int]:
        """How many there are of each split."""
        return {split: len(ids) for split, ids in self.pictures.items()}

    @property
    def fields(self) -> pa.Schema:
        """The columns of rows."""
        return IMAGE_FIELDS if self.images else SCENE_FIELDS

    @property
    def names(self) -> frozenset[str]:
        """All names that things have in any of the graphs."""
        return self.words.kept_names

    def settings(self) -> dict[str, Any]:
        """Whether there are pictures, what the files are called, a fingerprint of them, and how they were cleaned."""
        about = {"pictures": self.images is not None, "scenes_from": self.path.name, "scenes": self._fingerprint}
        return {**about, **self.choices}

    @cached_property
    def _fingerprint(self) -> str:
        files = sorted(self.path.glob("*.json")) if self.path.is_dir() else [self.path]
        return sha256("".join(f"{file.name} {checksum(file)}\n" for file in files).encode()).hexdigest()

    def graph(self, split: str, index: int) -> SceneGraph:
        """The graph of a split's picture by its place."""
        ids = self.pictures.get(split, ())
        if index >= len(ids):
            raise BadInput(f"has only {len(ids)} graphs of {split}", file=self.path)
        files = _opened(self.path, _changed_at(self.path))
        graph = doubts(cleaned(files.graph(ids[index]), self.words))
        return _sized(graph, picture_of(self.images, graph.image_filename) if self.images else None)

    def row(self, split: str, index: int) -> dict[str, Any]:
        """A scene as datasets hold it."""
        graph = self.graph(split, index)
        record = {"image_id": graph.image_id, "image_filename": graph.image_filename, "graph": graph}
        row = scene_row(f"{split}-{index:06d}", split, index, objects=len(graph.things), record=record)
        if self.images:
            path = picture_of(self.images, graph.image_filename)
            row["image"] = {"bytes": read_bytes(path), "path": path.name}
        return row

    scene = row
    """As those who make scenes call it."""


def given_graphs(
    path: str | Path,
    *,
    images: str | Path | None = None,
    names: str | Path | None = None,
    predicates: str | Path | None = None,
    fewest: Fewest | None = None,
    refusals: Refusals,
    strict: bool = False,
) -> GivenGraphs:
    """Open graphs: read all of them once, count their words and settle what these become.

    images : the folder of pictures, in which a graph whose picture is missing is left out · names, predicates : files
    of synonyms · refusals : told of all that is left out
    """

    def complain(error: BadInput) -> None:
        refusals.leave_out(error, strict=strict)

    path, folder, counts = Path(path), Path(images) if images is not None else None, Counts()
    pictures: dict[str, list[str]] = {split: [] for split in SHARES}
    for graph in open_graphs(path, complain=complain).graphs(complain):
        if folder and not _is_there(folder, graph, path, complain):
            continue
        counts.add(graph)
        pictures[split_of(graph.image_id)].append(graph.image_id)
    there = {split: ids for split, ids in pictures.items() if ids}
    if not there:
        raise BadInput(
            f"has not one scene graph that can be used: {refusals.shown[0] if refusals.shown else 'none'}", file=path
        )
    least = fewest or Fewest()
    words = word_choice(
        counts,
        names=read_aliases(names) if names else (),
        predicates=read_aliases(predicates) if predicates else (),
        fewest=least,
    )
    choices = {
        "fewest": msgspec.to_builtins(least),
        "aliases": [Path(file).name for file in (names, predicates) if file],
    }
    return GivenGraphs(path, folder, words, there, choices)


def _is_there(folder: Path, graph: SceneGraph, path: Path, complain: Complain) -> bool:
    """Whether a graph has its picture; if not, that is complained of."""
    try:
        there = picture_of(folder, graph.image_filename).is_file()
        error = BadInput(f"there is no picture {graph.image_filename} in {folder}")
    except BadInput as unfit:
        there, error = False, unfit
    if not there:
        complain(error.within(file=path, record=f"image {graph.image_id}"))
    return there


def split_of(image_id: str) -> str:
    """The split of a picture, by a digest of its id: the same whatever other pictures there are."""
    place, reached = mark(f"split of picture {image_id}") / 2**64, 0.0
    for split, share in SHARES.items():
        reached += share
        if place < reached:
            return split
    return split


def picture_of(folder: Path, filename: str) -> Path:
    """Where a picture lies: in the folder itself or in one of its folders, as Visual Genome's two are."""
    own = inside(folder, filename, field="image_filename")
    if own.is_file():
        return own
    within = [inner / filename for inner in _folders(folder)]
    return next((path for path in within if path.is_file()), own)


def _sized(graph: SceneGraph, picture: Path | None) -> SceneGraph:
    """A graph with the size of its picture where its file does not say it; with no picture, it ends where boxes do."""
    if picture is None:
        ends = [(box[0] + box[2], box[1] + box[3]) for box in (thing.box for thing in graph.things) if box]
        reached = [int(max((end[axis] for end in ends), default=1)) for axis in (0, 1)]
        return replace(graph, width=graph.width or reached[0], height=graph.height or reached[1])
    try:
        width, height = picture_size(read_bytes(picture))
    except BadInput as error:
        raise error.within(file=picture) from None
    if (graph.width or width, graph.height or height) != (width, height):
        said = f"{graph.width} x {graph.height}"
        raise BadInput(f"has {width} x {height} pixels, but its scene graph says {said}", file=picture)
    return replace(graph, width=width, height=height)


@lru_cache(maxsize=8)
def _folders(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(inner for inner in folder.iterdir() if inner.is_dir())) if folder.is_dir() else ()


def _changed_at(path: Path) -> tuple[int, ...]:
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return tuple(file.stat().st_mtime_ns for file in files if file.exists())


@lru_cache(maxsize=2)
def _opened(path: Path, changed: tuple[int, ...]) -> GraphFiles:
    return open_graphs(path, complain=lambda _: None)
