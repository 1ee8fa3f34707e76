"""`mereo evaluate`: what predictions are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import splits
from mereo.cores import keep_to_one_core


@app.command()
def evaluate(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    predictions: Annotated[list[str], typer.Argument(help="Prediction files, or names of runs that are kept.")],
    split: Annotated[
        str | None, typer.Option(autocompletion=splits, help="Judge only these splits, as `val,test`.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the run; by default as the file is called.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over another run of that name.")] = False,
    tables: Annotated[int, typer.Option(min=0, help="How many tables to print.")] = 2,
) -> None:
    """Judge predictions: scores with 95% intervals by the benchmark's tables, and which runs differ."""
    keep_to_one_core()
    from mereo.cli.scores import command_line, show_comparisons, show_details, show_scores
    from mereo.cli.screen import progress_bar
    from mereo.evaluation.compare import compare
    from mereo.workbench.judging import evaluate as judge

    with progress_bar("judging", len(predictions), unit="runs") as advance:
        runs = judge(
            dataset, predictions, split=split, name=name, replace=replace, command=command_line(), progress=advance
        )
    show_scores(runs, tables=tables)
    if len(runs) == 1:
        show_details(runs[0].result)
    show_comparisons(compare(runs))
