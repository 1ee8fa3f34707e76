"""Statistics of shapes, with the rows of PartNet's Table 2, and what PartNet says of itself and of others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from mereo.files import read_toml
from mereo.shapes.part import Part, Shape

__all__ = [
    "ALL",
    "Dataset",
    "PartNetStatistics",
    "ShapeCount",
    "ShapeStatistics",
    "counted_statistics",
    "partnet_statistics",
    "published_datasets",
    "shape_statistics",
]

ALL = "all"


@dataclass(frozen=True)
class ShapeStatistics:
    """What is counted; as PartNet counts, the whole shape is a part, too."""

    annotations: int
    shapes: int
    """Distinct shapes: a shape that was annotated again is still one."""
    repeated: int
    """Shapes with more than one annotation."""
    part_semantics: int
    """Different labels; a label belongs to its category."""
    leaf_kinds: int
    """Those of them that are labels of leaves."""
    part_instances: int
    median_parts: float
    most_parts: int
    median_depth: float
    """Steps from the root to the deepest part."""
    greatest_depth: int


class PartNetStatistics(NamedTuple):
    """A column of PartNet's Table 2; part instances of a category are cut off to thousands where they are more."""

    annotations: int
    shapes: int
    part_semantics: int
    part_instances: int
    median_parts: int
    most_parts: int
    median_depth: int
    greatest_depth: int


class Dataset(NamedTuple):
    """A row of PartNet's Table 1."""

    shapes: int
    parts: int
    categories: int


@cache
def _published() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("partnet_tables.toml"))


def partnet_statistics() -> dict[str, PartNetStatistics]:
    """What PartNet counts, all shapes together and each category."""
    return {name: PartNetStatistics(*numbers) for name, numbers in _published()["categories"].items()}


def published_datasets() -> dict[str, Dataset]:
    """Datasets of shapes with parts, by those who published them."""
    return {name: Dataset(*numbers) for name, numbers in _published()["datasets"].items()}


@dataclass(frozen=True)
class ShapeCount:
    """What is counted of one shape."""

    category: str
    model: str
    """Two counts of one model are two annotations of it."""
    labels: frozenset[str]
    leaves: frozenset[str]
    """The labels of those parts that have none of their own."""
    parts: int
    depth: int


def shape_statistics(shapes: Iterable[Shape]) -> dict[str, ShapeStatistics]:
    """The statistics of all shapes together, then of each category."""
    return counted_statistics(map(_count, shapes))


def counted_statistics(counted: Iterable[ShapeCount]) -> dict[str, ShapeStatistics]:
    """The same of shapes whose parts somebody has counted."""
    by_category: dict[str, list[ShapeCount]] = defaultdict(list)
    for count in counted:
        by_category[count.category].append(count)
    categories = {name: by_category[name] for name in sorted(by_category)}
    every = [count for counts in categories.values() for count in counts]
    return {name: _summed(counts) for name, counts in {ALL: every, **categories}.items() if counts}


def _count(shape: Shape) -> ShapeCount:
    labels = [part.label for part in shape.parts()]
    model = str(shape.facts.get("model_id") or shape.name)
    leaves = frozenset(part.label for part in shape.parts() if not part.children)
    return ShapeCount(shape.category, model, frozenset(labels), leaves, len(labels), _depth(shape.root))


def _depth(part: Part) -> int:
    return 1 + max(map(_depth, part.children)) if part.children else 0


def _summed(counts: list[ShapeCount]) -> ShapeStatistics:
    models = Counter((count.category, count.model) for count in counts)
    return ShapeStatistics(
        annotations=len(counts),
        shapes=len(models),
        repeated=sum(number > 1 for number in models.values()),
        part_semantics=len({(count.category, label) for count in counts for label in count.labels}),
        leaf_kinds=len({(count.category, label) for count in counts for label in count.leaves}),
        part_instances=sum(count.parts for count in counts),
        median_parts=median(count.parts for count in counts),
        most_parts=max(count.parts for count in counts),
        median_depth=median(count.depth for count in counts),
        greatest_depth=max(count.depth for count in counts),
    )
