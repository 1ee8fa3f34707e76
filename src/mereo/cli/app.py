"""The Typer application that command modules add to."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    name="mereo",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
    # A traceback is for us, to be pasted into a report: plain, with no local values in it.
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from mereo import __version__

        typer.echo(f"mereo {__version__}")
        raise typer.Exit


@app.callback()
def mereo(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Build worlds of objects and parts, ask questions whose every reasoning step is known, and judge the answers."""
