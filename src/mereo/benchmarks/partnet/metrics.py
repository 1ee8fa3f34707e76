"""PartNet's measures, as its published evaluation counts them; numpy alone, in double precision.

`semantic`, `hierarchical` and `instances` each score a task over all shapes of one category and level, and
`average_precision` what was found of one part. `true_instances`, `detected` and `kept_groups` say what becomes an
instance. Wherever something is given for each shape it may be a list, or one array with the shapes on its first axis.

A part that is in neither truth nor prediction is 0/0, and so is the precision of one that has no true instance: it is
NaN, the mean is that of the others, and `undefined` says how many such there are.
"""

from __future__ import annotations

from mereo.benchmarks.partnet.becoming import detected, kept_groups, true_instances
from mereo.benchmarks.partnet.iou import (
    Overlaps,
    Scores,
    chosen_labels,
    hierarchical,
    scores_of,
    semantic,
    within_parents,
)
from mereo.benchmarks.partnet.precision import (
    HALF,
    Instances,
    InstanceScores,
    Matches,
    average_precision,
    falling,
    instances,
    matched,
)

__all__ = [
    "HALF",
    "InstanceScores",
    "Instances",
    "Matches",
    "Overlaps",
    "Scores",
    "average_precision",
    "chosen_labels",
    "detected",
    "falling",
    "hierarchical",
    "instances",
    "kept_groups",
    "matched",
    "scores_of",
    "semantic",
    "true_instances",
    "within_parents",
]
