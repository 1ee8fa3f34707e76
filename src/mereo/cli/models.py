"""`mereo models`: the zoo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import rows
from mereo.cli.screen import console, plain_table

if TYPE_CHECKING:
    from mereo.workbench.rows import Model


@app.command()
def models(
    row: Annotated[str | None, typer.Argument(autocompletion=rows, help="One row; all when left out.")] = None,
) -> None:
    """List the models that can be trained: what each needs of a dataset, what it gives, and how large it is."""
    from mereo.workbench.rows import all_models, find_model

    if row is not None:
        _tell(find_model(row))
        return
    table = plain_table("row", "benchmark", "needs", "gives", "supervision", "parameters")
    table.columns[-1].justify = "right"
    for model in all_models():
        one = model.row
        size = _parameters(model)
        total = f"{sum(size.values()):,}" if size is not None else "–"
        needs, gives = ", ".join(one.needs), ", ".join(one.gives)
        table.add_row(one.name, model.benchmark or "any", needs, gives, one.supervision, total)
    console().print(table)
    console().print()
    console().print("[dim]supervision: A answers, M masks, S semantics, T spans of tokens, P programs, / none[/]")
    if not _can_learn():
        from rich.markup import escape

        from mereo.errors import install_command

        console().print(f"[dim]how large they are is told where they can learn: {escape(install_command('train'))}[/]")


def _tell(model: Model) -> None:
    """All that is to be said of one row."""
    from rich.markup import escape

    from mereo.training.row import NEEDS

    row, size = model.row, _parameters(model)
    console().print(f"[bold]{row.name}[/bold]  {escape(row.about)}\n")
    of = f"datasets of {model.benchmark}" if model.benchmark else "any dataset"
    console().print(f"for {of} with {', '.join(NEEDS[need] for need in row.needs)}")
    console().print(f"gives {', '.join(row.gives)}; supervision {row.supervision}\n")
    if row.stages:
        table = plain_table("stage", "parameters", "share of time", "batch", "rate", "about")
        for stage in row.stages:
            number = f"{size[stage.name]:,}" if size is not None else "–"
            part = stage.share / sum(one.share for one in row.stages)
            table.add_row(
                stage.name, number, f"{part:.0%}", str(stage.pace.batch), f"{stage.pace.rate:g}", escape(stage.about)
            )
        console().print(table)
    for name, value in row.choices.items():
        console().print(f"--set {name}={str(value).lower() if isinstance(value, bool) else value}")


def _can_learn() -> bool:
    from mereo.errors import MissingExtra
    from mereo.extras import need

    try:
        need("learning", "train")
    except MissingExtra:
        return False
    return True


def _parameters(model: Model) -> dict[str, int] | None:
    if not _can_learn():
        return None
    from mereo.workbench.sizes import parameters_of

    return parameters_of(model)
