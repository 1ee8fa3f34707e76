"""`mereo annotate-settings`: what is settled of a project, also where there is no file that one could edit."""

from __future__ import annotations

from typing import Annotated

import typer

from mereo.cli.annotate import Place, need_annotate
from mereo.cli.app import app


@app.command("annotate-settings")
def annotate_settings(
    project: Place,
    name: Annotated[str | None, typer.Option(help="What it is called.")] = None,
    annotators: Annotated[int | None, typer.Option(min=1, max=100, help="How many annotate each shape.")] = None,
    predictions: Annotated[str | None, typer.Option(help="A folder of what networks said of the shapes.")] = None,
) -> None:
    """Show what is settled of a project, or change it; a server goes by it when it starts again."""
    need_annotate()
    from msgspec.structs import replace

    from mereo.annotation.project import Project
    from mereo.annotation.settings import written

    opened = Project.open(project)
    try:
        settings = opened.settle(name=name, annotators=annotators, predictions=predictions)
    finally:
        opened.close()
    typer.echo(written(replace(settings, id="", database="")).decode(), nl=False)
