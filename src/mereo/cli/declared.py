"""Commands made from declared choices, so that a benchmark's own need no line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from mereo.benchmarks.choices import Choice
    from mereo.benchmarks.offer import Command, Lines

__all__ = ["command_of", "made_command", "parameter", "show_lines"]


def parameter(choice: Choice) -> Parameter:
    """A choice as a parameter that Typer makes an option or an argument of."""
    needed = choice.argument and not choice.optional
    kind: Any = choice.kind if choice.default is not None or needed else choice.kind | None
    if choice.argument:
        told: Any = typer.Argument(help=choice.help)
        default = Parameter.empty if needed else choice.default
        return Parameter(choice.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, told])
    flag = f"--{choice.flag or choice.name.replace('_', '-')}"
    offered = (lambda: list(choice.known)) if choice.known else None
    told = typer.Option(flag, min=choice.least, help=choice.help, autocompletion=offered)
    return Parameter(choice.name, Parameter.KEYWORD_ONLY, default=choice.default, annotation=Annotated[kind, told])


def made_command(name: str, about: str, parameters: Sequence[Parameter], call: Callable[..., None]) -> TyperCommand:
    """A command whose options are these parameters. call : called with a value for each"""

    def run(**values: Any) -> None:
        call(**values)

    run.__signature__ = Signature(list(parameters))  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__doc__ = about
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)
    single.command(name, context_settings={"help_option_names": ["-h", "--help"]})(run)
    command = typer.main.get_command(single)
    assert isinstance(command, TyperCommand)
    command.name = name
    return command


def show_lines(lines: Lines) -> None:
    """Print what a command has to say."""
    from rich.markup import escape
    from rich.table import Table

    from mereo.cli.screen import console

    for line in lines:
        if isinstance(line, str):
            console().print(escape(line))
            continue
        table = Table(*line.headings, box=None, pad_edge=False)
        for row in line.rows:
            table.add_row(*map(escape, row))
        console().print(table)


def command_of(own: Command) -> TyperCommand:
    """A benchmark's command as one of ours."""

    def call(**values: Any) -> None:
        from mereo.benchmarks.choices import settled
        from mereo.cli.screen import progress_bar

        chosen = settled(own.choices, values, of=own.name)
        with progress_bar(own.name, own.total(chosen), unit=own.unit) as advance:
            lines = own.run(chosen, advance)
        show_lines(lines)

    return made_command(own.name, own.about, _ordered(own.choices), call)


def _ordered(choices: Iterable[Choice]) -> list[Parameter]:
    return [parameter(choice) for choice in sorted(choices, key=lambda one: not one.argument)]
