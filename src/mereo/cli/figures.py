"""`mereo figures`: the figures of a benchmark's paper, drawn for predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app


@app.command()
def figures(
    dataset: Annotated[Path, typer.Argument(help="A dataset of referring expressions.")],
    predictions: Annotated[Path, typer.Argument(help="A prediction file.")],
    out: Annotated[Path, typer.Argument(help="The folder for the figures.")],
    split: Annotated[str | None, typer.Option(help="Only these splits, as `val,test`.")] = None,
) -> None:
    """Break down how well predictions refer, and draw every breakdown as a bar chart (SVG)."""
    from rich.table import Table

    from mereo.benchmarks.refer.figures import figures_of
    from mereo.benchmarks.refer.plots import save_figures
    from mereo.cli.screen import console
    from mereo.errors import BadInput
    from mereo.evaluation.asked import Selection, load_questions
    from mereo.evaluation.predictions import read_predictions
    from mereo.evaluation.runs import selected

    asked = load_questions(dataset)
    wanted = Selection(tuple(split.split(","))) if split else None
    own, given = selected(asked, read_predictions(predictions, asked), wanted)
    try:
        found = figures_of(own, given)
    except BadInput as error:
        raise error.within(file=predictions) from None
    table = Table("figure", "measure", "", "expressions", "mean", "95%", "cumulative", box=None, pad_edge=False)
    for figure in found:
        for bar in figure.bars:
            mean, cumulative = bar.mean, "" if bar.cumulative is None else f"{bar.cumulative:.3f}"
            interval = f"{mean.low:.3f} to {mean.high:.3f}"
            name = f"{bar.name} {bar.group}".strip()
            table.add_row(
                figure.name, figure.measure, name, f"{mean.count:,}", f"{mean.value:.3f}", interval, cumulative
            )
    console().print(table)
    missing = sum(one is None for one in given.given)
    paths = save_figures(found, out)
    console().print(f"{out}: {len(paths)} figures; {missing:,} of {len(own):,} expressions have no prediction")
