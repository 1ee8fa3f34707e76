"""What a person chose for a row of PartNet: categories, levels, and the backbone that looks at points.

There is one network for each category, at each level where the task has levels, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from mereo.benchmarks.partnet.names import HIERARCHICAL, AskedSet
from mereo.errors import BadInput, UnknownName
from mereo.training.row import Desk, Row, Stage

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.labels import CategoryLabels
    from mereo.datasets.predictions import Prediction
    from mereo.models.learner import Learner
    from mereo.models.points.each import OneEach
    from mereo.models.points.layers import Backbone

__all__ = [
    "ALL",
    "backbone_of",
    "chosen_sets",
    "count_of",
    "labels_for",
    "networks_for",
    "only_looking",
    "part_row",
    "parts_of",
    "sets_of",
]

ALL = "all"
"""The category that stands for all: PartNet's 24, of which 17 have a hierarchy."""


def part_row(
    name: str,
    about: str,
    *stages: Stage,
    answer: Callable[[Desk, str], Iterator[Prediction]],
    choices: Mapping[str, str | int | float | bool],
) -> Row:
    """A row that learns parts from true ones, and tells them of points."""
    return Row(
        name=name,
        about=about,
        needs=("points",),
        gives=("masks",),
        supervision="M",
        stages=stages,
        answer=answer,
        choices=choices,
    )


@cache
def labels_for(category: str) -> CategoryLabels:
    """The labels that networks tell apart: those of the category's template, with data before it and without."""
    from mereo.benchmarks.partnet.labels import labels_of
    from mereo.shapes.template import template_of

    return labels_of(template_of(category))


def parts_of(own: AskedSet) -> list[str]:
    """The labels of a set: those of a level, or the nodes of the hierarchy."""
    return labels_for(own.category).told(own.level)


def chosen_sets(desk: Desk, task: str, *, level: int = 0) -> list[AskedSet]:
    """What is to be told apart: a set for each category that was chosen, and for each of its levels.

    level : where nobody chose one; 0 for all that a category has
    """
    from mereo.benchmarks.partnet.labels import categories
    from mereo.shapes.library import chosen_categories

    wanted = str(desk.choices.get("category", "chair"))
    names = chosen_categories(wanted, categories())
    if task == HIERARCHICAL:
        deep = [name for name in names if wanted != ALL or len(labels_for(name).levels) > 1]
        return [AskedSet(task, name) for name in deep]
    level = int(desk.choices.get("level", level))
    if level:
        for name in names:
            labels_for(name).at(level)
    return sets_of(task, names, level=level)


def sets_of(task: str, names: Iterable[str], *, level: int = 0) -> list[AskedSet]:
    """A set for each of some categories at each of its levels. level : this one alone, where it is not 0"""
    return [AskedSet(task, name, one) for name in names for one in labels_for(name).levels if level in (0, one)]


def count_of(desk: Desk, name: str, usual: int) -> int:
    """A choice that counts something, of which there must be one."""
    count = int(desk.choices.get(name, usual))
    if count < 1:
        raise BadInput(f"must be at least 1, not {count}", field=name)
    return count


def backbone_of(desk: Desk, name: str = "") -> Backbone:
    """A new backbone. name : of it, where a row has one of its own; else the one that was chosen"""
    from mereo.models.points.backbones import BACKBONES

    name = name or str(desk.choices.get("backbone", "pointnet2"))
    if name not in BACKBONES:
        raise UnknownName("backbone", name, BACKBONES)
    made: Backbone = BACKBONES[name](count_of(desk, "width", 64))
    return made


def only_looking(made: Callable[[], Backbone]) -> Backbone:
    """A backbone of which only what it looks at is wanted, not its weights."""
    import torch

    with torch.device("meta"):
        return made()


def networks_for(sets: Sequence[AskedSet], network: Callable[[AskedSet], Learner]) -> OneEach:
    """A network for each set."""
    from mereo.models.points.each import OneEach

    return OneEach({own.name: network(own) for own in sets})
