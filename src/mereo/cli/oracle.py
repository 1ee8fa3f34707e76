"""`mereo oracle`: the true programs on true or degraded worlds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import splits
from mereo.cores import keep_to_one_core


@app.command()
def oracle(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    noise: Annotated[str, typer.Option(help="What is seen wrongly, as `attributes=0.1,objects=0.05`.")] = "",
    curve: Annotated[bool, typer.Option("--curve", help="How errors grow with each kind of noise.")] = False,
    split: Annotated[
        str | None,
        typer.Option(autocompletion=splits, help="Only these splits; by default all but those for training."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many questions.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same noise.")] = 0,
) -> None:
    """Answer a dataset by running its programs, perhaps on worlds that are seen wrongly, and judge the answers."""
    keep_to_one_core()
    from mereo.cli.scores import command_line, show_details, show_scores
    from mereo.cli.screen import console, progress_bar
    from mereo.evaluation.noise import parse_noise
    from mereo.workbench.judging import curves
    from mereo.workbench.judging import oracle as answer

    amounts = parse_noise(noise)
    with progress_bar("answering", 0, unit="answers") as advance:
        if curve:
            found = curves(dataset, list(amounts), split=split, limit=limit, seed=seed, progress=advance)
        else:
            judged = answer(
                dataset, amounts, split=split, limit=limit, seed=seed, command=command_line(), progress=advance
            )
    if not curve:
        show_scores([judged], tables=1)
        show_details(judged.result)
        return
    for one in found:
        line = ", ".join(f"{point.amount:g} {point.score.value:.1%}" for point in one.points)
        console().print(f"{one.noise}: {line}")
