"""`mereo reproduce`: a published table made again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import devices, studies

if TYPE_CHECKING:
    from mereo.workbench.reproduced import Reproduced


@app.command()
def reproduce(
    study: Annotated[
        str | None, typer.Argument(autocompletion=studies, help="As `ptr/table2`; all are listed when left out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder for all of it; one that was begun is gone on with.")
    ] = None,
    scale: Annotated[str, typer.Option(help="`tiny` for trying, `small` for one GPU, `full` as the paper.")] = "tiny",
    rows: Annotated[str | None, typer.Option(help="Only these, as `mac,ns_vqa`.")] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.01, help="Of training for each row; else as the scale has it.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="A dataset to take instead of making one.")] = None,
    device: Annotated[
        str, typer.Option(autocompletion=devices, help="`cpu`, `cuda`, or `auto`: a GPU where there is one.")
    ] = "auto",
    seed: Annotated[int, typer.Option(min=0, help="Of data and training.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that make scenes.")] = 1,
    seeds: Annotated[int, typer.Option(min=1, help="With so many each row is trained that learns.")] = 1,
    at_once: Annotated[int, typer.Option(min=1, help="Rows that are trained side by side.")] = 1,
    ray: Annotated[str | None, typer.Option(help="Address of a Ray cluster to work on instead.")] = None,
    cost: Annotated[bool, typer.Option("--cost", help="Only tell what it will take.")] = False,
) -> None:
    """Make a published table again: data, training, answers, and our scores beside the paper's, with 95% intervals.

    Stopped at any moment, the same command goes on.
    """
    from mereo.cli.declared import show_lines
    from mereo.cli.scores import command_line
    from mereo.cli.watch import watching
    from mereo.errors import BadInput
    from mereo.workbench.reproducing import Watch
    from mereo.workbench.reproducing import reproduce as make
    from mereo.workbench.studies import cost_of, plan_reproduction

    if study is None:
        _list()
        return
    if out is None and not cost:
        raise BadInput("must be given", field="--out")
    plan = plan_reproduction(
        study,
        out or Path(),
        scale=scale,
        rows=rows.split(",") if rows else None,
        minutes=minutes,
        device=device,
        seed=seed,
        data=data,
        seeds=seeds,
    )
    if cost or scale == "full":
        show_lines(cost_of(plan))
    if cost:
        return
    with watching() as shown:
        watch = Watch(shown.begin, shown.learning, shown.reading, shown.say)
        found = make(plan, workers=workers, at_once=at_once, ray=ray, command=command_line(), watch=watch)
    _show(found)


def _list() -> None:
    from rich.markup import escape

    from mereo.cli.screen import console, plain_table
    from mereo.workbench.rows import all_studies

    table = plain_table("study", "rows", "about")
    for name, (_, study) in all_studies().items():
        table.add_row(name, str(len(study.rows)), escape(study.about))
    console().print(table)


def _show(found: Reproduced) -> None:
    from rich.markup import escape

    from mereo.cli.screen import console, plain_table

    table = plain_table(*found.headings, title=f"{found.benchmark}/{found.study.name}, scale {found.scale}")
    for line in found.summary():
        table.add_row(*map(escape, line))
    console().print(table)
    console().print(f"\n[dim]{escape(found.study.note)}[/]")
    console().print(f"{found.folder / 'table.md'}, and beside it table.json, table.csv and chart.svg")
