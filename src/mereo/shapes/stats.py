"""Statistics of a library of shapes, with the rows of PartNet's Table 2."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from mereo.shapes.part import Part, Shape

__all__ = ["ALL", "ShapeStatistics", "shape_statistics"]

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
    part_instances: int
    median_parts: float
    most_parts: int
    median_depth: float
    """Steps from the root to the deepest part."""
    greatest_depth: int


@dataclass(frozen=True)
class _Count:
    category: str
    model: str
    labels: frozenset[str]
    parts: int
    depth: int


def shape_statistics(shapes: Iterable[Shape]) -> dict[str, ShapeStatistics]:
    """The statistics of all shapes together, then of each category."""
    by_category: dict[str, list[_Count]] = defaultdict(list)
    for shape in shapes:
        by_category[shape.category].append(_count(shape))
    categories = {name: by_category[name] for name in sorted(by_category)}
    every = [count for counts in categories.values() for count in counts]
    return {name: _summed(counts) for name, counts in {ALL: every, **categories}.items() if counts}


def _count(shape: Shape) -> _Count:
    labels = [part.label for part in shape.parts()]
    model = str(shape.facts.get("model_id") or shape.name)
    return _Count(shape.category, model, frozenset(labels), len(labels), _depth(shape.root))


def _depth(part: Part) -> int:
    return 1 + max(map(_depth, part.children)) if part.children else 0


def _summed(counts: list[_Count]) -> ShapeStatistics:
    models = Counter((count.category, count.model) for count in counts)
    return ShapeStatistics(
        annotations=len(counts),
        shapes=len(models),
        repeated=sum(number > 1 for number in models.values()),
        part_semantics=len({(count.category, label) for count in counts for label in count.labels}),
        part_instances=sum(count.parts for count in counts),
        median_parts=median(count.parts for count in counts),
        most_parts=max(count.parts for count in counts),
        median_depth=median(count.depth for count in counts),
        greatest_depth=max(count.depth for count in counts),
    )
