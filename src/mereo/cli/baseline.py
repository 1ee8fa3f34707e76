"""`mereo baseline`: what can be scored on a dataset without looking."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cores import keep_to_one_core


@app.command()
def baseline(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    which: Annotated[str | None, typer.Option(help="Only these, as `random-by-type,bag-of-words`.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same answers.")] = 0,
) -> None:
    """Answer and judge a dataset blindly, keep the runs beside it, and write their scores into its card."""
    keep_to_one_core()
    from mereo.cli.scores import command_line, show_scores
    from mereo.cli.screen import progress_bar
    from mereo.evaluation.baselines import all_baselines
    from mereo.workbench.judging import baseline as guess

    names = which.split(",") if which else list(all_baselines())
    with progress_bar("answering blindly", len(names), unit="baselines") as advance:
        runs = guess(dataset, names, seed=seed, command=command_line(), progress=advance)
    show_scores(runs, tables=1)
