"""`mereo report`: everything about a dataset and the runs on it, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cores import keep_to_one_core


@app.command()
def report(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    out: Annotated[Path | None, typer.Option(help="Where to write; by default into the dataset's folder.")] = None,
    runs: Annotated[str | None, typer.Option(help="Only these runs, as `gpt,oracle`; by default all.")] = None,
) -> None:
    """Write a report of a dataset and all its runs as one HTML file, and its tables as Markdown, LaTeX and CSV.

    Blind baselines are always in it: where they have not been run yet, they are.
    """
    keep_to_one_core()
    import time

    from mereo.cli.scores import command_line
    from mereo.cli.screen import console, growing_bar
    from mereo.workbench.judging import report as write

    started = time.perf_counter()
    with growing_bar("reporting", unit="steps") as begin:
        paths, told = write(
            dataset,
            out=out,
            runs=runs.split(",") if runs else None,
            command=command_line(),
            begin=begin,
            complain=lambda sentence: typer.echo(f"mereo: {sentence}", err=True),
        )
    size = paths[0].stat().st_size / 1e6
    console().print(
        f"{paths[0]}: {told} runs in {time.perf_counter() - started:.1f} s, {size:.1f} MB; tables in "
        + ", ".join(path.name for path in paths[1:])
    )
