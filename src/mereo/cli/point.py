"""`mereo point`: predictions for referring expressions without a model, to see what the judge says to them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app


@app.command()
def point(
    dataset: Annotated[Path, typer.Argument(help="A dataset of referring expressions.")],
    out: Annotated[Path, typer.Argument(help="The prediction file to write, as `oracle.jsonl`.")],
    how: Annotated[
        str, typer.Option("--as", help="`oracle`: the true masks; `shifted`: 20 pixels aside; `empty`.")
    ] = "oracle",
    split: Annotated[str | None, typer.Option(help="Only these splits, as `val,test`.")] = None,
) -> None:
    """Write predictions for referring expressions: the truth, the truth moved aside, or nothing."""
    from mereo.benchmarks.refer.oracles import PREDICTORS
    from mereo.cli.screen import console
    from mereo.errors import UnknownName
    from mereo.evaluation.asked import Selection, load_questions
    from mereo.evaluation.predictions import write_predictions

    if how not in PREDICTORS:
        raise UnknownName("predictor", how, PREDICTORS)
    asked = load_questions(dataset)
    if split:
        selection = Selection(tuple(split.split(",")))
        asked = asked.take(asked.chosen(selection), selection)
    predictions = PREDICTORS[how](asked)
    write_predictions(out, predictions.header, [one for one in predictions.given if one is not None])
    console().print(f"{out}: {len(asked):,} predictions ({predictions.header.model})")
