"""Blind baselines where people look for them: among the runs of a dataset, and in its card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from mereo.datasets.asked import Asked
from mereo.datasets.predictions import write_predictions
from mereo.evaluation.baselines import all_baselines, answer_blindly
from mereo.evaluation.intervals import Mean, means
from mereo.evaluation.judging import WORDED, Judging
from mereo.evaluation.result import Judged, judge_run
from mereo.evaluation.runs import run_folder, save_result
from mereo.evaluation.tabulate import percent
from mereo.files import read_bytes, write_bytes
from mereo.folders import alone_in

__all__ = ["overall_scores", "run_baselines", "score_baselines", "write_into_card"]

_BEGIN, _END = "<!-- blind baselines -->", "<!-- /blind baselines -->"


def score_baselines(asked: Asked, names: Sequence[str], *, judging: Judging = WORDED) -> list[tuple[str, Mean]]:
    """The overall scores of some baselines, and nothing else: what a card needs."""
    found = []
    for name in names:
        own, predictions = answer_blindly(asked, name)
        marks = judging.judge(own, predictions)
        scores = marks.scores[judging.blind or next(iter(marks.scores))]
        found.append((name, means([scores], [np.ones(len(own), bool)], own.scenes)[0][0]))
    return found


def run_baselines(
    asked: Asked,
    names: Sequence[str],
    *,
    judging: Judging = WORDED,
    command: str = "",
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Judged]:
    """Answer, judge and keep the baselines of these names. progress : called for every one"""
    runs = []
    for name in names:
        own, predictions = answer_blindly(asked, name, seed=seed)
        runs.append(judge_run(own, predictions, run=name, judging=judging, command=command))
        folder = run_folder(asked.folder, name)
        given = [one for one in predictions.given if one is not None]
        with alone_in(folder):
            write_predictions(folder / "predictions.jsonl", predictions.header, given)
            save_result(asked.folder, runs[-1].result)
        progress(1)
    return runs


def overall_scores(runs: Sequence[Judged], *, judging: Judging = WORDED) -> list[tuple[str, Mean]]:
    """The name and the overall score of each blind run."""
    return [(run.result.run, run.result.overall.scores[judging.blind or run.result.measures[0]]) for run in runs]


def write_into_card(folder: Path, scores: Sequence[tuple[str, Mean]]) -> None:
    """Put the scores of baselines into a dataset's card, in place of those that stand there."""
    path = folder / "README.md"
    text = read_bytes(path).decode() if path.exists() else ""
    before, _, rest = text.partition(_BEGIN)
    after = rest.partition(_END)[2] if rest else ""
    about = {name: known.about for name, known in all_baselines().items()}
    lines = [_BEGIN, "## Without looking", ""]
    lines += ["What can be scored blindly, with 95% intervals; read every other score against these.", ""]
    lines += ["| baseline | | questions | score |", "|---|---|---:|---:|"]
    lines += [f"| {name} | {about.get(name, '')} | {mean.count:,} | {percent(mean)} |" for name, mean in scores]
    section = "\n".join([*lines, _END])
    write_bytes(path, f"{before.rstrip()}\n\n{section}\n{after.lstrip()}".encode())
