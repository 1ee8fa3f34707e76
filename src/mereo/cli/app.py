"""The Typer application that command modules add to."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

__all__ = ["app"]


class _Commands(TyperGroup):
    """Our commands, and those that single benchmarks bring, which are only looked for where ours will not do."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All names."""
        from mereo.benchmarks.offer import own_commands

        return sorted({*super().list_commands(ctx), *own_commands()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name."""
        ours = super().get_command(ctx, cmd_name)
        if ours is not None:
            return ours
        from mereo.benchmarks.offer import own_commands
        from mereo.cli.declared import command_of

        theirs = own_commands().get(cmd_name)
        return command_of(theirs) if theirs is not None else None


app = typer.Typer(
    name="mereo",
    cls=_Commands,
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
