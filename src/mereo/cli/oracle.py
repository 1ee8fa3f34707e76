"""`mereo oracle`: the true programs on true or degraded worlds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.scores import keep_to_one_core


@app.command()
def oracle(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    noise: Annotated[str, typer.Option(help="What is seen wrongly, as `attributes=0.1,objects=0.05`.")] = "",
    curve: Annotated[bool, typer.Option("--curve", help="How errors grow with each kind of noise.")] = False,
    split: Annotated[str | None, typer.Option(help="Only these splits; by default all but those for training.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many questions.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same noise.")] = 0,
) -> None:
    """Answer a dataset by running its programs, perhaps on worlds that are seen wrongly, and judge the answers."""
    keep_to_one_core()
    from mereo.benchmarks.benchmark import benchmark, inspector_of
    from mereo.cli.scores import command_line, show_details, show_scores
    from mereo.cli.screen import console, progress_bar
    from mereo.errors import BadInput
    from mereo.evaluation.asked import Selection, load_questions
    from mereo.evaluation.baselines import judged_splits
    from mereo.evaluation.curves import LEVELS, measure_curves, save_curves
    from mereo.evaluation.noise import parse_noise
    from mereo.evaluation.oracle import answer_by_oracle, oracle_name
    from mereo.evaluation.predictions import write_predictions
    from mereo.evaluation.result import judge_run
    from mereo.evaluation.runs import run_folder, save_result

    amounts = parse_noise(noise)
    asked = load_questions(dataset)
    chosen = benchmark(asked.manifest.benchmark)
    if not chosen.blind:
        raise BadInput(
            f"the questions of {chosen.name} ask for no words that could be given by an oracle", file=dataset
        )
    eye = inspector_of(asked.manifest)
    if eye is None:
        raise BadInput(f"benchmark {chosen.name} cannot tell its worlds, so nothing can be run on them")
    splits = tuple(split.split(",")) if split else judged_splits(list(asked.manifest.scenes))
    selection = Selection(splits, limit)
    own = asked.take(asked.chosen(selection), selection)
    if curve:
        names = list(amounts) or ["attributes", "objects"]
        total = len(own) * sum(len(LEVELS) for _ in names)
        with progress_bar("degrading", total, unit="answers") as advance:
            curves = measure_curves(own, eye, names, instances=chosen.instances, seed=seed, progress=advance)
        save_curves(dataset, curves)
        for found in curves:
            line = ", ".join(f"{point.amount:g} {point.score.value:.1%}" for point in found.points)
            console().print(f"{found.noise}: {line}")
        return
    with progress_bar("answering", len(own), unit="questions") as advance:
        predictions = answer_by_oracle(
            own, eye, amounts=amounts, instances=chosen.instances, seed=seed, progress=advance
        )
    name = oracle_name(amounts)
    judged = judge_run(own, predictions, run=name, judge=chosen.judge, tables=chosen.tables, command=command_line())
    given = [one for one in predictions.given if one is not None]
    write_predictions(run_folder(dataset, name) / "predictions.jsonl", predictions.header, given)
    save_result(dataset, judged.result)
    show_scores([judged], tables=1)
    show_details(judged.result)
