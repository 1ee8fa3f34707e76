"""`mereo functions`: the reference of a language, printed from its table."""

from __future__ import annotations

from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import languages
from mereo.cli.screen import console, plain_table


@app.command()
def functions(
    language: Annotated[
        str | None, typer.Argument(autocompletion=languages, help="The language; all are listed when left out.")
    ] = None,
) -> None:
    """Print what programs of a language may say."""
    from rich.markup import escape

    from mereo.benchmarks.benchmark import all_languages, find_language

    if language is None:
        for known in all_languages().values():
            console().print(f"[bold]{known.name}[/bold]  {escape(known.about)}")
        return
    chosen = find_language(language)
    console().print(f"[bold]{chosen.name}[/bold]  {escape(chosen.about)}\n")
    table = plain_table("function", "gives", "meaning")
    types = {}
    for function in chosen.functions.values():
        written, _, gives = function.signature.partition(" -> ")
        table.add_row(escape(written), gives, escape(function.about))
        types.update({type.name: type for type in (*function.values, function.output) if type.values})
    console().print(table)
    console().print()
    for type in types.values():
        console().print(f"{type.name}: {escape(', '.join(type.values or ()))}")
