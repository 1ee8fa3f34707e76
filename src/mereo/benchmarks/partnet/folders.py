"""Shapes that are there already: folders as PartNet's release has them or as our libraries do, or its HDF5 files.

Splits are those that our own libraries tell, or that HDF5 files are named after; else a shape's model decides by a
digest of its name, so that two annotations of one model are never apart.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from mereo.benchmarks.partnet.clouds import CloudRecord, Piece
from mereo.benchmarks.partnet.h5_shapes import h5_files, h5_shapes
from mereo.benchmarks.partnet.labels import categories
from mereo.benchmarks.partnet.names import SHARES
from mereo.datasets.given import changed_at
from mereo.errors import BadInput
from mereo.shapes.library import open_library
from mereo.shapes.part import Shape
from mereo.shapes.partnet_points import PointSample
from mereo.shapes.tasks import example_of

__all__ = ["GivenShapes", "given_shapes"]

_SURFACES = ("point_sample", "objs", "textured_objs")
"""The folders of a shape of which one must be there: its points, or what they can be drawn from."""


class Given(Protocol):
    """One shape."""

    @property
    def category(self) -> str:
        """By our name."""

    @property
    def family(self) -> str:
        """What no two splits share."""

    def cloud(self, *, points: int, seed: int) -> tuple[CloudRecord, PointSample]:
        """What is told of it, and so many of its points."""


@dataclass(frozen=True)
class _Folder:
    """A shape in a folder of its own."""

    path: Path
    category: str
    family: str

    def cloud(self, *, points: int, seed: int) -> tuple[CloudRecord, PointSample]:
        """With its own points, if it has so many, or new ones."""
        record, sample, instances, _ = example_of(self.path, points=points, seed=seed)
        parts = tuple(Piece(part.path, tuple(part.leaves)) for part in instances)
        return CloudRecord(str(record["anno_id"]), self.category, self.family, points, parts), sample


@dataclass(frozen=True)
class GivenShapes:
    """The shapes of a folder by split, in the order of their folders' names."""

    path: str
    shapes: Mapping[str, Sequence[Given]]
    digits: str
    """Of all their names, for the settings of a build."""

    @property
    def splits(self) -> dict[str, int]:
        """How many there are of each split."""
        return {split: len(own) for split, own in self.shapes.items()}

    @property
    def categories(self) -> tuple[str, ...]:
        """Of which there are shapes."""
        return tuple(sorted({one.category for own in self.shapes.values() for one in own}))

    def settings(self) -> dict[str, Any]:
        """What a manifest says of them."""
        return {"shapes": self.digits}

    def cloud(self, split: str, index: int, *, points: int, seed: int) -> tuple[CloudRecord, PointSample]:
        """A shape, and so many of its points."""
        return self.shapes[split][index].cloud(points=points, seed=seed)


def given_shapes(path: str, chosen: Sequence[str]) -> GivenShapes:
    """The shapes of some categories in a folder of PartNet's folders, or of its HDF5 files. path : absolute"""
    return _given(path, tuple(chosen), changed_at(path))


@lru_cache(maxsize=4)
def _given(path: str, chosen: tuple[str, ...], changed: int) -> GivenShapes:
    files = h5_files(Path(path), chosen)
    found: dict[str, list[Given]] = defaultdict(list)
    told = hashlib.sha256()
    for split, name, given in h5_shapes(files) if files else _in_folders(Path(path), chosen):
        found[split].append(given)
        told.update(f"{split} {name}\n".encode())
    if not found:
        known = ", ".join(categories()) if set(chosen) == set(categories()) else ", ".join(chosen)
        raise BadInput(f"holds no shape of the categories {known}", file=path)
    order = [*SHARES, *sorted(found.keys() - SHARES.keys())]
    return GivenShapes(path, {split: tuple(found[split]) for split in order if split in found}, told.hexdigest()[:16])


def _in_folders(path: Path, chosen: Sequence[str]) -> Iterator[tuple[str, str, Given]]:
    """Split, name and shape of every folder."""
    library = open_library(path)
    for folder, shape in zip(library.folders, library.trees(), strict=True):
        if shape.category not in chosen:
            continue
        if not any((folder / name).is_dir() for name in _SURFACES):
            raise BadInput(f"has neither points nor meshes: there is none of {', '.join(_SURFACES)}", file=folder)
        family = _family(shape)
        yield str(shape.facts.get("split") or _drawn(family)), shape.name, _Folder(folder, shape.category, family)


def _family(shape: Shape) -> str:
    """The design of a grammar, or the model that was annotated."""
    if "family" in shape.facts:
        return f"{shape.category} {shape.facts['family']}"
    return str(shape.facts.get("model_id") or shape.name)


def _drawn(family: str) -> str:
    """The split of a model."""
    place = int.from_bytes(hashlib.sha256(family.encode()).digest()[:8], "big") / 2**64
    for split, share in SHARES.items():
        place -= share
        if place < 0:
            return split
    return next(reversed(SHARES))
