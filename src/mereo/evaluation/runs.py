"""Runs beside the dataset that they are about: `runs/NAME/` with predictions and result, for reports and for people."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec

from mereo.datasets.asked import Asked, Selection
from mereo.datasets.predictions import Predictions, read_header, read_predictions
from mereo.errors import BadInput
from mereo.evaluation.judging import WORDED, Judging
from mereo.evaluation.result import Judged, Result, judge_run
from mereo.files import new_file, read_json, write_bytes

__all__ = [
    "is_current",
    "keep_predictions",
    "list_runs",
    "predictions_of",
    "rejudge",
    "run_folder",
    "save_result",
    "selected",
]

RUNS = "runs"
RESULT = "result.json"
SIGHTS = "sights.parquet"
"""What a run saw and where it looked, of some questions, if that was kept."""
_NAME = re.compile(r"[\w][\w.+=,@-]*")


def run_folder(dataset: Path, name: str) -> Path:
    """Where a run of this name is kept."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"'{name}' cannot be the name of a run: take letters, digits and . + = , @ - _")
    return dataset / RUNS / name


def predictions_of(folder: Path) -> Path | None:
    """The prediction file of a run's folder."""
    found = [folder / f"predictions{ending}" for ending in (".jsonl", ".parquet")]
    return next((path for path in found if path.exists()), None)


def list_runs(dataset: Path) -> list[str]:
    """The names of all runs that have predictions."""
    folder = dataset / RUNS
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and predictions_of(path) is not None)


def is_current(asked: Asked, name: str) -> bool:
    """Whether a run that is kept is about the dataset as it is now."""
    path = predictions_of(run_folder(asked.folder, name))
    return path is not None and read_header(path).dataset in (None, asked.checksum)


def keep_predictions(dataset: Path, name: str, predictions: Path, *, replace: bool = False) -> Path:
    """Copy a prediction file into its run's folder; other predictions of that name are not written over unasked."""
    folder = run_folder(dataset, name)
    target = folder / f"predictions{predictions.suffix if predictions.suffix == '.parquet' else '.jsonl'}"
    there = predictions_of(folder)
    if there is not None and there.resolve() == predictions.resolve():
        return there
    if there is not None and there.read_bytes() != predictions.read_bytes():
        if not replace:
            raise BadInput(f"there is another run '{name}' already: give --name, or --replace", file=there)
        there.unlink()
        (folder / SIGHTS).unlink(missing_ok=True)
    with new_file(target) as scratch:
        shutil.copyfile(predictions, scratch)
    return target


def selected(asked: Asked, predictions: Predictions, wanted: Selection | None = None) -> tuple[Asked, Predictions]:
    """The questions to judge: those wanted, else those that the header names, else all splits with predictions."""
    selection = wanted or predictions.header.selection
    if selection is None:
        splits = asked.coded("split")
        said = {
            splits.names[code] for code, one in zip(splits.codes, predictions.given, strict=True) if one is not None
        }
        selection = Selection(tuple(split for split in asked.manifest.scenes if split in said))
    positions = asked.chosen(selection)
    if not len(positions):
        raise BadInput(f"asks no questions in {selection}", file=asked.folder)
    if len(positions) == len(asked):
        return Asked(asked.folder, asked.manifest, asked.table, selection), predictions
    return asked.take(positions, selection), predictions.take(positions.tolist())


def save_result(dataset: Path, result: Result) -> None:
    """Write a run's `result.json`."""
    data = msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n"
    write_bytes(run_folder(dataset, result.run) / RESULT, data)


def rejudge(asked: Asked, name: str, *, judging: Judging = WORDED) -> Judged:
    """Judge a kept run again, as its result says it was judged."""
    folder = run_folder(asked.folder, name)
    path = predictions_of(folder)
    if path is None:
        raise BadInput("has no predictions", file=folder)
    kept: Result | None = read_json(folder / RESULT, type=Result) if (folder / RESULT).exists() else None
    predictions = read_predictions(path, asked)
    some, theirs = selected(asked, predictions, kept.selection if kept is not None else None)
    command = kept.command if kept is not None else ""
    return judge_run(some, theirs, run=name, judging=judging, command=command)
