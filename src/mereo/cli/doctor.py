"""`mereo doctor`: what this machine has, what will work on it, and the commands that bring the rest."""

from __future__ import annotations

from collections.abc import Mapping

import typer

from mereo.cli.app import app


@app.command()
def doctor() -> None:
    """Show the environment, which extras and renderers work here, and how to get what is missing."""
    from rich.console import Console
    from rich.table import Table

    from mereo.workbench.environment import examine

    def table(title: str, *columns: str) -> Table:
        return Table(*columns, title=title, title_justify="left", box=None, pad_edge=False, show_header=bool(columns))

    report = examine()
    console = Console(highlight=False)

    machine = table("Environment")
    for name, value in report.facts.items():
        machine.add_row(name, value)

    extras = table("Extras", "extra", "", "packages")
    for extra in report.extras:
        extras.add_row(extra.name, _mark(extra.complete), _list(extra.packages))

    renderers = table("Renderers", "variant", "", "because")
    for variant in report.renderers:
        renderers.add_row(variant.name, _mark(variant.works), _list(variant.needs))

    for part in (machine, extras, renderers):
        console.print(part)
        console.print()
    if report.remedies:
        console.print("To get what is missing:", style="bold")
    for command in report.remedies:
        typer.echo(f"  {command}")  # not through Rich, which would wrap a line that is there to be copied


def _mark(good: bool) -> str:
    return "[green]yes[/]" if good else "[yellow]no[/]"


def _list(found: Mapping[str, str | None]) -> str:
    """What is there, with its version or place, then what is not."""
    there = [f"{name} {value}" for name, value in found.items() if value is not None]
    return ", ".join(there + [f"no {name}" for name, value in found.items() if value is None])
