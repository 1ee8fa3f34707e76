"""How errors of seeing become errors of answering: the oracle's score as each kind of noise grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from mereo.datasets.asked import Asked
from mereo.datasets.inspector import Inspector
from mereo.errors import BadInput, nearest
from mereo.evaluation.intervals import Mean, means
from mereo.evaluation.judging import WORDED, Judging
from mereo.evaluation.noise import NOISES
from mereo.evaluation.oracle import answer_by_oracle
from mereo.evaluation.runs import RUNS
from mereo.files import read_json, write_bytes
from mereo.folders import alone_in

__all__ = ["LEVELS", "Curve", "Point", "load_curves", "measure_curves", "save_curves"]

LEVELS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
"""Probabilities; noise that is counted in pixels has as many whole numbers of them."""
_FILE = "curves.json"


class Point(msgspec.Struct, frozen=True):
    """One amount of noise."""

    amount: float
    score: Mean
    unanswered: int
    """Questions whose programs failed on what was seen."""


class Curve(msgspec.Struct, frozen=True):
    """A score over growing noise of one kind."""

    noise: str
    dataset: str
    """The fingerprint of the dataset."""
    points: list[Point]


def measure_curves(
    asked: Asked,
    eye: Inspector,
    names: Sequence[str],
    *,
    judging: Judging = WORDED,
    seed: int = 0,
    progress: Callable[[int], None] = lambda questions: None,
) -> list[Curve]:
    """The curves of some kinds of noise on some questions."""
    curves = []
    everything = [np.ones(len(asked), bool)]
    for name in names:
        points = []
        for step, level in enumerate(LEVELS):
            amount = level if NOISES[name].probability else float(step)
            predictions = answer_by_oracle(
                asked, eye, amounts={name: amount}, seed=seed, told=judging.told, progress=progress
            )
            marks = judging.judge(asked, predictions)
            score = means([marks.main], everything, asked.scenes)[0][0]
            points.append(Point(amount, score, int((~marks.answered).sum())))
        curves.append(Curve(name, asked.checksum, points))
    return curves


def save_curves(dataset: Path, curves: Sequence[Curve]) -> None:
    """Keep curves beside the runs of a dataset, in place of older ones of the same noise."""
    with alone_in(dataset / RUNS):
        kept = {curve.noise: curve for curve in (*load_curves(dataset), *curves)}
        data = msgspec.json.encode(list(kept.values()))
        write_bytes(dataset / RUNS / _FILE, msgspec.json.format(data, indent=1) + b"\n")


def load_curves(dataset: Path) -> list[Curve]:
    """The curves that are kept."""
    path = dataset / RUNS / _FILE
    found = read_json(path, type=list[Curve]) if path.exists() else []
    for number, curve in enumerate(found):
        if curve.noise not in NOISES:
            reason = f"there is no noise '{curve.noise}'{nearest(curve.noise, NOISES)}"
            raise BadInput(reason, file=path, record=f"curve {number}", field="noise")
    return found
