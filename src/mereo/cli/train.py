"""`mereo train`: a row of the zoo learns from a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import devices, rows

if TYPE_CHECKING:
    from mereo.workbench.learning import Trained

__all__ = ["read_settings"]


@app.command()
def train(
    row: Annotated[str, typer.Argument(autocompletion=rows, help="A row of `mereo models`.")],
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    out: Annotated[Path, typer.Option(help="The folder of the run; one that was begun is gone on with.")],
    minutes: Annotated[
        float | None, typer.Option(min=0.01, help="How long, at most; else as many passes as the row is used to.")
    ] = None,
    device: Annotated[
        str, typer.Option(autocompletion=devices, help="`cpu`, `cuda`, or `auto`: a GPU where there is one.")
    ] = "auto",
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same course.")] = 0,
    start: Annotated[
        Path | None, typer.Option("--from", help="A run whose weights this one begins with, wherever they fit.")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="What can be chosen about the row, as `width=256`; see its page.")
    ] = None,
) -> None:
    """Train a row on a dataset. Stopped at any moment, the same command goes on; `mereo predict` then asks it."""
    from mereo.cli.watch import watching
    from mereo.workbench.learning import train as learn

    with watching() as shown:
        trained = learn(
            row,
            dataset,
            out,
            minutes=minutes,
            device=device,
            seed=seed,
            choices=read_settings(set_),
            start=start,
            telling=shown.learning,
            reading=shown.reading,
        )
    _show(trained)


def _show(trained: Trained) -> None:
    from mereo.cli.screen import console, plain_table

    table = plain_table(
        "stage", "steps", "minutes", "examples/s", "busy", "memory", "loss", "on others", title=trained.row
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for name, fitted in trained.stages.items():
        marks = ", ".join(f"{mark} {value:.1%}" for mark, value in (fitted.tried.marks if fitted.tried else {}).items())
        table.add_row(
            name,
            f"{fitted.steps:,}",
            f"{fitted.seconds / 60:.1f}",
            f"{fitted.examples_per_second:,.0f}",
            f"{fitted.busy:.0%}",
            f"{fitted.memory:,.0f} MiB",
            f"{sum(fitted.losses.values()):.3f}",
            marks or "–",
        )
    if trained.stages:
        console().print(table)
        console().print()
    for picture in trained.curves.values():
        console().print(f"curves: {picture}")
    if not trained.stages:
        console().print(f"{trained.row} has nothing to learn")
    console().print(f"next: mereo predict {trained.folder} DATASET")


def read_settings(given: Sequence[str] | None) -> dict[str, str]:
    """Settings of the form `name=value`, as text."""
    from mereo.errors import BadInput

    found: dict[str, str] = {}
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise BadInput(f"'{one}' is not of the form width=256", field="--set")
        if name in found:
            raise BadInput(f"names {name} twice", field="--set")
        found[name] = value
    return found
