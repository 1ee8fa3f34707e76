"""Tables of scores that CLEVR-Ref+'s figures need besides families: words, objects, splits and steps."""

from __future__ import annotations

import numpy as np

from mereo.benchmarks.refer.figures import breakdowns, step_overlaps
from mereo.benchmarks.refer.judge import Truth
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.evaluation.intervals import means
from mereo.evaluation.marks import Marks
from mereo.evaluation.result import ScoredRow, ScoredTable, scored_tables
from mereo.evaluation.tables import Row, Table

__all__ = ["further_tables"]

_SHOWN = {"modules": "words", "objects": "objects", "splits": "splits"}
"""The breakdowns of figures that are tables, too, and what they are called."""
_STEPS = "steps"


def further_tables(asked: Asked, predictions: Predictions, marks: Marks) -> list[ScoredTable]:
    """With and without each kind of word (Figure 2), by objects (9) and splits (11), and into and out of steps (7)."""
    empty = np.array([not members for members in Truth(asked).last("referred")], bool)
    shown = []
    for split in breakdowns(asked, empty):
        rows = [(name, group, members) for name, group, members in split.rows if members.any()]
        if split.name in _SHOWN and len(rows) > 1:
            named = tuple(Row(f"{name} {group}".rstrip(), {}) for name, group, _ in rows)
            shown.append((Table(_SHOWN[split.name], named), [members for _, _, members in rows]))
    return [*scored_tables(shown, asked, marks), *_steps(asked, predictions)]


def _steps(asked: Asked, predictions: Predictions) -> list[ScoredTable]:
    """What goes into and comes out of each module (Figure 7); nothing where no prediction tells its steps."""
    found = step_overlaps(asked, predictions)
    if found is None:
        return []
    names = np.array(found.function)
    known = sorted(set(found.function))
    scored = means([found.into, found.out], [names == name for name in known], found.scene)
    rows = [
        ScoredRow(f"{name} {way}", name, mean.count, 0, {"iou": mean})
        for name, both in zip(known, scored, strict=True)
        for way, mean in zip(("into", "out of"), both, strict=True)
        if mean.count
    ]
    return [ScoredTable(_STEPS, rows)]
