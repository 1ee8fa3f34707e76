"""`mereo baseline`: what can be scored on a dataset without looking."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.scores import keep_to_one_core


@app.command()
def baseline(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    which: Annotated[str | None, typer.Option(help="Only these, as `random-by-type,bag-of-words`.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same answers.")] = 0,
) -> None:
    """Answer and judge a dataset blindly, keep the runs beside it, and write their scores into its card."""
    keep_to_one_core()
    from mereo.benchmarks.benchmark import benchmark
    from mereo.cli.scores import command_line, show_scores
    from mereo.cli.screen import progress_bar
    from mereo.errors import BadInput
    from mereo.evaluation.asked import load_questions
    from mereo.evaluation.baselines import all_baselines
    from mereo.evaluation.blind import overall_scores, run_baselines, write_into_card

    asked = load_questions(dataset)
    chosen = benchmark(asked.manifest.benchmark)
    if not chosen.blind:
        raise BadInput(f"the questions of {chosen.name} ask for no words that could be guessed", file=dataset)
    names = which.split(",") if which else list(all_baselines())
    with progress_bar("answering blindly", len(names), unit="baselines") as advance:
        runs = run_baselines(
            asked, names, judge=chosen.judge, tables=chosen.tables, command=command_line(), seed=seed, progress=advance
        )
    write_into_card(asked.folder, overall_scores(runs))
    show_scores(runs, tables=1)
