"""`mereo predict`: what was trained answers a dataset, and is judged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import devices, splits


@app.command()
def predict(
    run: Annotated[Path, typer.Argument(help="The folder of a run that `mereo train` made.")],
    dataset: Annotated[Path, typer.Argument(help="A dataset folder that has what the row needs.")],
    split: Annotated[
        str | None,
        typer.Option(autocompletion=splits, help="Only these splits; by default all but those for training."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the run; by default as its folder.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over another run of that name.")] = False,
    device: Annotated[
        str, typer.Option(autocompletion=devices, help="`cpu`, `cuda`, or `auto`: a GPU where there is one.")
    ] = "auto",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="What can be chosen about how it answers, as `masks=true`.")
    ] = None,
    show: Annotated[
        int,
        typer.Option(min=0, help="Of how many questions to keep what it saw and where it looked, for `mereo explore`."),
    ] = 50,
    tables: Annotated[int, typer.Option(min=0, help="How many tables to print.")] = 2,
) -> None:
    """Have a trained row answer a dataset, and judge the answers as `mereo evaluate` does, with 95% intervals."""
    from mereo.cli.scores import command_line, show_details, show_scores
    from mereo.cli.train import read_settings
    from mereo.cli.watch import watching
    from mereo.workbench.learning import predict as answer

    with watching() as shown:
        judged = answer(
            run,
            dataset,
            split=split,
            name=name,
            replace=replace,
            device=device,
            choices=read_settings(set_),
            show=show,
            command=command_line(),
            begin=lambda total: shown.begin("answering", total, "questions"),
            reading=shown.reading,
        )
    show_scores([judged], tables=tables)
    show_details(judged.result)
