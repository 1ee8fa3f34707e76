"""Commands that only PartNet has: predictions without a model or from files, annotators compared, shapes drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines
from mereo.benchmarks.partnet.consistency import COMPARE
from mereo.benchmarks.partnet.drawing_command import DRAW
from mereo.benchmarks.partnet.embedding_command import EMBED
from mereo.errors import UnknownName

if TYPE_CHECKING:
    from mereo.datasets.asked import Asked

__all__ = ["COMMANDS"]

_DATASET = Choice("dataset", Path, None, "A dataset of PartNet's tasks.", argument=True)
_OUT = Choice("out", Path, None, "The prediction file to write, as `truth.jsonl`.", argument=True)
_SPLIT = Choice("split", str, None, "Only these splits, as `val,test`; else all but those for training.")
_PREDICTORS = ("truth", "frequent")


def _selected(choices: Mapping[str, Any]) -> Asked:
    from mereo.datasets.asked import Selection, is_training, load_questions

    asked = load_questions(choices["dataset"])
    others = tuple(split for split in asked.manifest.scenes if not is_training(split))
    selection = Selection(tuple(choices["split"].split(",")) if choices["split"] else others)
    return asked.take(asked.chosen(selection), selection)


def _total(choices: Mapping[str, Any]) -> int:
    return len(_selected(choices))


def _label(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.partnet.predictors import PREDICTORS, header_of
    from mereo.datasets.predictions import write_predictions

    how = choices["how"]
    if how not in PREDICTORS:
        raise UnknownName("predictor", how, PREDICTORS)
    asked = _selected(choices)
    header = header_of(asked, how, kind="oracle" if how == "truth" else "baseline")
    write_predictions(choices["out"], header, PREDICTORS[how](asked))
    progress(len(asked))
    return [f"{choices['out']}: {len(asked):,} predictions ({how})"]


LABEL = Command(
    "label-parts",
    "Write predictions for PartNet's tasks without a model: the truth, or the most frequent part.",
    (
        _DATASET,
        _OUT,
        Choice("how", str, "frequent", "`truth`, or `frequent`.", flag="as", known=_PREDICTORS),
        _SPLIT,
    ),
    _label,
    _total,
)


def _gather(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.partnet.gather import gathered
    from mereo.benchmarks.partnet.predictors import header_of
    from mereo.datasets.predictions import write_predictions

    asked = _selected(choices)
    found = gathered(asked, choices["files"])
    write_predictions(choices["out"], header_of(asked, choices["files"].name), found)
    progress(len(asked))
    return [f"{choices['out']}: {len(found):,} of {len(asked):,} questions have a prediction"]


GATHER = Command(
    "gather-parts",
    "Gather predictions for PartNet's tasks from HDF5 or NPZ files into a prediction file.",
    (
        _DATASET,
        Choice("files", Path, None, "A folder with files as `semantic/Chair-3/test-00.h5`.", argument=True),
        _OUT,
        _SPLIT,
    ),
    _gather,
    _total,
)

COMMANDS = (COMPARE, DRAW, EMBED, GATHER, LABEL)
