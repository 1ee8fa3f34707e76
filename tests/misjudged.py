"""A run that tells the parts of shapes with faults by hand: for tests, and for the pictures of the documents.

Of every shape the points of its largest leaf are told to be of another part, and the first instance is not found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mereo.benchmarks.partnet.clouds import Cloud
from mereo.benchmarks.partnet.names import INSTANCE, SEMANTIC, AskedSet
from mereo.benchmarks.partnet.predictors import header_of, labeled_by, truth_of
from mereo.datasets.asked import load_questions
from mereo.datasets.predictions import write_predictions
from mereo.workbench.judging import evaluate


def largest_leaf(cloud: Cloud) -> Any:
    """(n,) bool: the points of the leaf that has the most."""
    leaves, counts = np.unique(cloud.leaf, return_counts=True)
    return cloud.leaf == leaves[counts.argmax()]


def misjudged(own: AskedSet, cloud: Cloud) -> tuple[list[str], Any, list[float] | None]:
    """What is said of a shape: the truth but for a fault of each kind."""
    names, masks, sure = truth_of(own, cloud)
    masks = masks.copy()
    if own.task == INSTANCE:
        return (names[1:], masks[1:], sure[1:] if sure else None) if len(names) > 1 else (names, masks, sure)
    if own.task == SEMANTIC and len(names) > 1:
        moved = largest_leaf(cloud)
        here = int((masks & moved).sum(1).argmax())
        masks[:, moved] = False
        masks[(here + 1) % len(names), moved] = True
    return names, masks, sure


def write_run(dataset: Path, name: str) -> None:
    """Judge such predictions, and keep them beside a dataset; hierarchies are not told of."""
    asked = load_questions(dataset)
    file = dataset.with_name(f"{name}.jsonl")
    kept = {one for one, subtype in zip(asked.ids, asked.words("subtype"), strict=True) if "hier" not in subtype}
    given = (one for one in labeled_by(asked, misjudged) if one.question_id in kept)
    write_predictions(file, header_of(asked, name), given)
    evaluate(dataset, [file], name=name)
    file.unlink()
