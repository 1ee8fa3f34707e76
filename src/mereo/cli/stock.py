"""`mereo stock`: make ahead what builds of a benchmark read again and again."""

from __future__ import annotations

from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import benchmarks
from mereo.cores import keep_to_one_core


@app.command()
def stock(
    benchmark: Annotated[str, typer.Argument(autocompletion=benchmarks, help="Whose shapes and textures.")],
    seed: Annotated[int, typer.Option(min=0, help="The seed of the builds.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
) -> None:
    """Make the shapes and textures of a benchmark ahead of its builds, which else make each when it is first needed.

    What is there already stays: stop it and go on at any time.
    """
    keep_to_one_core()
    from mereo.cli.screen import console, growing_bar
    from mereo.workbench.building import fill_stock
    from mereo.workbench.environment import told_stock

    with growing_bar(f"stocking {benchmark}", unit="things") as begin:
        found = fill_stock(benchmark, seed=seed, workers=workers, begin=begin)
    console().print(told_stock(found))
