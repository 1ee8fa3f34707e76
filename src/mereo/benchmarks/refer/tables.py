"""Tables of scores that CLEVR-Ref+'s figures need besides families: words, objects, splits, premises and steps."""

from __future__ import annotations

import numpy as np

from mereo.benchmarks.refer.figures import breakdowns, step_overlaps
from mereo.benchmarks.refer.judge import FEW, Truth
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.evaluation.intervals import means
from mereo.evaluation.marks import Marks
from mereo.evaluation.result import ScoredRow, ScoredTable, scored_tables
from mereo.evaluation.tables import Row, Table

__all__ = ["further_tables"]

_SHOWN = {"modules": "words", "objects": "objects", "splits": "splits"}
"""The breakdowns of figures that are tables, too, and what they are called."""
_STEPS, _PREMISES = "steps", "premises"


def further_tables(asked: Asked, predictions: Predictions, marks: Marks) -> list[ScoredTable]:
    """With and without each kind of word (Figure 2), by objects (9) and splits (11), where nothing is meant, by step."""
    empty = np.array([not members for members in Truth(asked).last("referred")], bool)
    shown = []
    for split in breakdowns(asked, empty):
        rows = [(name, group, members) for name, group, members in split.rows if members.any()]
        if split.name in _SHOWN and len(rows) > 1:
            named = tuple(Row(f"{name} {group}".rstrip(), {}) for name, group, _ in rows)
            shown.append((Table(_SHOWN[split.name], named), [members for _, _, members in rows]))
    return [*scored_tables(shown, asked, marks), *_premises(asked, marks), *_steps(asked, predictions)]


def _premises(asked: Asked, marks: Marks) -> list[ScoredTable]:
    """Where nothing is meant, the share of expressions for which nothing, or next to nothing, is marked (section 4.4).

    It stands where the score that counts most does, so that it can be set beside others of its kind.
    """
    wanted = {name: marks.scores[name] for name in ("no pixels", f"at most {FEW} pixels") if name in marks.scores}
    if not wanted:
        return []
    main, known = next(iter(marks.scores)), ~np.isnan(next(iter(wanted.values())))
    (found,) = means(list(wanted.values()), [known], asked.scenes)
    missing = int((known & ~marks.answered).sum())
    rows = [
        ScoredRow(name, "", int(known.sum()), missing, {main: mean}) for name, mean in zip(wanted, found, strict=True)
    ]
    return [ScoredTable(_PREMISES, rows)]


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
