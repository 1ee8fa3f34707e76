"""The judge of segmentation: every shape by the mean over its parts, and every category and level by PartNet's tables.

Tables 3 to 5 and 7 to 9 of the paper: `part` is the mean over parts, each over all shapes, `shape` the mean over
shapes; IoU for semantic and hierarchical segmentation, average precision for instances. A category's score is the mean
of its levels, and the average that of the categories. What nothing at all was predicted of is left out, as there may be
one network for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.intervals import averaged
from mereo.benchmarks.partnet.names import TASKS, AskedSet
from mereo.benchmarks.partnet.scoring import Joint, found_of, together
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.evaluation.intervals import Mean
from mereo.evaluation.judging import Judging
from mereo.evaluation.marks import Marks
from mereo.evaluation.result import ScoredRow, ScoredTable
from mereo.evaluation.tables import Table, rows_by

__all__ = ["JUDGING", "judge_parts", "part_tables"]


MEASURES = ("shape", "part", "undefined")
"""The mean over shapes; the mean over parts; the share of parts that nobody has and nobody predicts."""


class _Cell(NamedTuple):
    """A category at a level: what its shapes score together, and where its questions stand."""

    scores: Joint
    places: list[int]


def judge_parts(dataset: Asked, predictions: Predictions) -> Marks:
    """The mean over the parts of each shape; whoever says nothing is wrong everywhere."""
    shapes = np.array([found.shape_mean for found in found_of(dataset, predictions)])
    answered = np.array([one is not None and one.masks is not None for one in predictions.given], bool)
    nothing = np.full(len(shapes), np.nan)  # no single shape tells
    return Marks(dict(zip(MEASURES, (shapes, nothing, nothing), strict=True)), answered)


def part_tables(dataset: Asked, predictions: Predictions, marks: Marks) -> Sequence[ScoredTable]:
    """A table for each task: its averages, and every category at every level of which something was predicted."""
    found = found_of(dataset, predictions)
    groups: dict[AskedSet, list[int]] = {}
    for place, name in enumerate(dataset.words("subtype")):
        groups.setdefault(AskedSet.named(name), []).append(place)
    tables = []
    for task in TASKS:
        said = (one for one, places in groups.items() if one.task == task and marks.answered[places].any())
        own = sorted(said, key=lambda one: (one.category, one.level or 0))
        cells = {one: _Cell(together([found[place] for place in groups[one]]), groups[one]) for one in own}
        if cells:
            tables.append(ScoredTable(f"{task} segmentation", _rows(cells, ~marks.answered)))
    return tables


def _rows(cells: Mapping[AskedSet, _Cell], unanswered: NDArray[np.bool_]) -> list[ScoredRow]:
    """The average, those of each level, and under each category its levels, after their mean if there are several."""
    levels = sorted({one.level for one in cells if one.level is not None})
    rows = [_row("average", "", list(cells.values()), _averaged(cells), unanswered)]
    for level in levels:
        some = {one: cell for one, cell in cells.items() if one.level == level}
        rows.append(_row(f"average of level {level}", "", list(some.values()), _averaged(some), unanswered))
    for category in dict.fromkeys(one.category for one in cells):
        own = {one: cell for one, cell in cells.items() if one.category == category}
        group = category.replace("_", " ")
        if len(own) > 1:
            rows.append(_row("all levels", group, list(own.values()), _averaged(own), unanswered))
        for one, cell in own.items():
            name = "all levels" if one.level is None else f"level {one.level}"
            rows.append(_row(name, group, [cell], cell.scores, unanswered))
    return rows


def _averaged(cells: Mapping[AskedSet, _Cell]) -> Joint:
    """The mean over categories of the mean over their levels."""
    by_category: dict[str, list[Joint]] = {}
    for one, cell in cells.items():
        by_category.setdefault(one.category, []).append(cell.scores)
    return _mean([_mean(own) for own in by_category.values()])


def _mean(some: Sequence[Joint]) -> Joint:
    part, shape = averaged([one.part for one in some]), averaged([one.shape for one in some])
    return Joint(part, shape, sum(one.undefined for one in some), sum(one.parts for one in some))


def _row(name: str, group: str, cells: list[_Cell], scores: Joint, unanswered: NDArray[np.bool_]) -> ScoredRow:
    places = [place for cell in cells for place in cell.places]
    share = scores.undefined / scores.parts if scores.parts else 0.0
    found = (scores.shape.mean, scores.part.mean, Mean(scores.parts, share, share, share))
    told = {measure: mean for measure, mean in zip(MEASURES, found, strict=True) if mean.count}
    return ScoredRow(name, group, len(places), int(unanswered[places].sum()), told)


JUDGING = Judging(
    judge_parts,
    tables=(Table("tasks", rows_by("type", {task: (task,) for task in TASKS})),),
    further=part_tables,
    worded=False,
)
"""How PartNet's predictions are marked and shown."""
