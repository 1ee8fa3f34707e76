"""Shapes that are there already: folders as PartNet's release has them, or as our libraries do.

Splits are those of our own libraries where the folders tell; else a shape's model decides by a digest of its name, so
that two annotations of one model are never apart.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from mereo.benchmarks.partnet.clouds import CloudRecord, Piece
from mereo.benchmarks.partnet.labels import categories
from mereo.benchmarks.partnet.names import SHARES
from mereo.errors import BadInput
from mereo.shapes.library import open_library
from mereo.shapes.part import Shape
from mereo.shapes.partnet_points import PointSample
from mereo.shapes.tasks import example_of

__all__ = ["GivenShapes", "given_shapes"]

_SURFACES = ("point_sample", "objs", "textured_objs")
"""The folders of a shape of which one must be there: its points, or what they can be drawn from."""


@dataclass(frozen=True)
class _Given:
    """One folder."""

    path: Path
    category: str
    family: str


@dataclass(frozen=True)
class GivenShapes:
    """The shapes of a folder by split, in the order of their folders' names."""

    path: str
    shapes: Mapping[str, Sequence[_Given]]
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
        """A shape with its own points, if it has so many, or new ones."""
        given = self.shapes[split][index]
        record, sample, instances, _ = example_of(given.path, points=points, seed=seed)
        parts = tuple(Piece(part.path, tuple(part.leaves)) for part in instances)
        return CloudRecord(str(record["anno_id"]), given.category, given.family, points, parts), sample


def given_shapes(path: str, chosen: Sequence[str]) -> GivenShapes:
    """The shapes of some categories in a folder of PartNet's folders. path : absolute"""
    return _given(path, tuple(chosen))


@lru_cache(maxsize=4)
def _given(path: str, chosen: tuple[str, ...]) -> GivenShapes:
    library = open_library(Path(path))
    found: dict[str, list[_Given]] = defaultdict(list)
    told = hashlib.sha256()
    for folder, shape in zip(library.folders, library.trees(), strict=True):
        if shape.category not in chosen:
            continue
        if not any((folder / name).is_dir() for name in _SURFACES):
            raise BadInput(f"has neither points nor meshes: there is none of {', '.join(_SURFACES)}", file=folder)
        family = _family(shape)
        split = str(shape.facts.get("split") or _drawn(family))
        found[split].append(_Given(folder, shape.category, family))
        told.update(f"{split} {shape.name}\n".encode())
    if not found:
        known = ", ".join(categories()) if set(chosen) == set(categories()) else ", ".join(chosen)
        raise BadInput(f"holds no shape of the categories {known}", file=path)
    order = [*SHARES, *sorted(found.keys() - SHARES.keys())]
    return GivenShapes(path, {split: tuple(found[split]) for split in order if split in found}, told.hexdigest()[:16])


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
