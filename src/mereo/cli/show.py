"""`mereo show`: a look into a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console


@app.command()
def show(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    count: Annotated[int, typer.Option(min=1, help="How many questions.")] = 5,
) -> None:
    """Print some questions of a dataset with their programs and answers, one of each type first."""
    from rich.markup import escape

    from mereo.datasets.samples import sample_questions

    for row in sample_questions(dataset, count):
        console().print(f"[bold]{escape(row['question'])}[/bold]  {escape(row['answer'])}")
        console().print(f"  [dim]{row['question_id']} · {row['template']} · {escape(row['program'])}[/dim]")
