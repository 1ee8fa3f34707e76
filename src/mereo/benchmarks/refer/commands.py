"""Commands that only referring expressions have: predictions without a model, and the figures of CLEVR-Ref+'s paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines, Sheet
from mereo.errors import BadInput, UnknownName

__all__ = ["COMMANDS"]

_DATASET = Choice("dataset", Path, None, "A dataset of referring expressions.", argument=True)
_PREDICTORS = ("oracle", "shifted", "empty")
_SPLIT = Choice("split", str, None, "Only these splits, as `val,test`.")


def _expressions(choices: Mapping[str, Any]) -> int:
    from mereo.datasets.store import open_dataset

    return sum(open_dataset(choices["dataset"]).questions.values())


def _point(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.refer.oracles import PREDICTORS
    from mereo.datasets.asked import Selection, load_questions
    from mereo.datasets.predictions import write_predictions

    how = choices["how"]
    if how not in PREDICTORS:
        raise UnknownName("predictor", how, PREDICTORS)
    asked = load_questions(choices["dataset"])
    if choices["split"]:
        selection = Selection(tuple(choices["split"].split(",")))
        asked = asked.take(asked.chosen(selection), selection)
    predictions = PREDICTORS[how](asked)
    write_predictions(choices["out"], predictions.header, [one for one in predictions.given if one is not None])
    progress(len(asked))
    return [f"{choices['out']}: {len(asked):,} predictions ({predictions.header.model})"]


POINT = Command(
    "point",
    "Write predictions for referring expressions: the truth, the truth moved aside, or nothing.",
    (
        _DATASET,
        Choice("out", Path, None, "The prediction file to write, as `oracle.jsonl`.", argument=True),
        Choice(
            "how",
            str,
            "oracle",
            "`oracle`: the true masks; `shifted`: 20 pixels aside; `empty`.",
            flag="as",
            known=_PREDICTORS,
        ),
        _SPLIT,
    ),
    _point,
    _expressions,
)


def _figures(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.refer.figures import figures_of
    from mereo.benchmarks.refer.plots import save_figures
    from mereo.benchmarks.refer.step_stories import save_steps
    from mereo.datasets.asked import Selection, load_questions
    from mereo.datasets.predictions import read_predictions
    from mereo.evaluation.runs import selected

    asked = load_questions(choices["dataset"])
    wanted = Selection(tuple(choices["split"].split(","))) if choices["split"] else None
    own, given = selected(asked, read_predictions(choices["predictions"], asked), wanted)
    try:
        found = figures_of(own, given)
    except BadInput as error:
        raise error.within(file=choices["predictions"]) from None
    rows = []
    for figure in found:
        for bar in figure.bars:
            mean, cumulative = bar.mean, "" if bar.cumulative is None else f"{bar.cumulative:.3f}"
            interval, name = f"{mean.low:.3f} to {mean.high:.3f}", f"{bar.name} {bar.group}".strip()
            numbers = (f"{mean.count:,}", f"{mean.value:.3f}", interval, cumulative)
            rows.append((figure.name, figure.measure, name, *numbers))
    missing = sum(one is None for one in given.given)
    paths = save_figures(found, choices["out"])
    drawn = save_steps(own, given, choices["out"])
    progress(len(own))
    told = f"{choices['out']}: {len(paths)} figures; {missing:,} of {len(own):,} expressions have no prediction"
    sheet = Sheet(("figure", "measure", "", "expressions", "mean", "95%", "cumulative"), rows)
    return [sheet, *([f"{drawn}: some expressions step by step"] if drawn is not None else []), told]


FIGURES = Command(
    "figures",
    "Break down how well predictions refer: every breakdown as a bar chart, and some expressions step by step.",
    (
        _DATASET,
        Choice("predictions", Path, None, "A prediction file.", argument=True),
        Choice("out", Path, None, "The folder for the figures.", argument=True),
        _SPLIT,
    ),
    _figures,
    _expressions,
)

COMMANDS = (FIGURES, POINT)
