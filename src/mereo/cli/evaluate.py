"""`mereo evaluate`: what predictions are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.scores import keep_to_one_core


@app.command()
def evaluate(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    predictions: Annotated[list[str], typer.Argument(help="Prediction files, or names of runs that are kept.")],
    split: Annotated[str | None, typer.Option(help="Judge only these splits, as `val,test`.")] = None,
    name: Annotated[str | None, typer.Option(help="What to call the run; by default as the file is called.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over another run of that name.")] = False,
    tables: Annotated[int, typer.Option(min=0, help="How many tables to print.")] = 2,
) -> None:
    """Judge predictions: scores with 95% intervals by the benchmark's tables, and which runs differ."""
    keep_to_one_core()
    from mereo.benchmarks.benchmark import benchmark
    from mereo.cli.scores import command_line, show_comparisons, show_details, show_scores
    from mereo.cli.screen import progress_bar
    from mereo.errors import BadInput
    from mereo.evaluation.asked import Selection, load_questions
    from mereo.evaluation.compare import compare
    from mereo.evaluation.predictions import read_predictions
    from mereo.evaluation.result import judge_run
    from mereo.evaluation.runs import keep_predictions, predictions_of, run_folder, save_result, selected

    if name is not None and len(predictions) > 1:
        raise BadInput("one name does not fit several prediction files", field="--name")
    wanted = Selection(tuple(split.split(","))) if split else None
    asked = load_questions(dataset)
    chosen = benchmark(asked.manifest.benchmark)
    runs = []
    with progress_bar("judging", len(predictions), unit="runs") as advance:
        for given in predictions:
            path = Path(given)
            if not path.exists() and "/" not in given:
                path = predictions_of(run_folder(dataset, given)) or path
            elif path.is_dir():
                path = predictions_of(path) or path
            run = name or (path.parent.name if path.stem == "predictions" else path.stem)
            run_folder(dataset, run)  # complains of a name that cannot be one before anything is judged
            own, theirs = selected(asked, read_predictions(path, asked), wanted)
            try:
                judged = judge_run(
                    own, theirs, run=run, judge=chosen.judge, tables=chosen.tables, command=command_line()
                )
            except BadInput as error:
                raise error.within(file=path) from None
            keep_predictions(dataset, run, path, replace=replace)
            save_result(dataset, judged.result)
            runs.append(judged)
            advance(1)
    show_scores(runs, tables=tables)
    if len(runs) == 1:
        show_details(runs[0].result)
    show_comparisons(compare(runs))
