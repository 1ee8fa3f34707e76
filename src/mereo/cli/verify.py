"""`mereo verify`: are the answers of an official file what its programs give?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import imported_formats
from mereo.cli.screen import console, progress_bar

DISAGREE = 1


@app.command()
def verify(
    scenes: Annotated[Path, typer.Option(help="A scene file, or a folder of one-scene files.")],
    questions: Annotated[Path, typer.Option(help="A question file with programs, or a folder of them.")],
    language: Annotated[
        str, typer.Option(autocompletion=imported_formats, help="The language of the programs.")
    ] = "clevr",
    show: Annotated[int, typer.Option(help="How many disagreements to show.")] = 10,
) -> None:
    """Run every program of a file in an official format again and compare answers and every step."""
    from rich.markup import escape

    from mereo.workbench.building import verify as compare

    with progress_bar("verifying", 0, unit="questions") as advance:
        agreement = compare(scenes, questions, language=language, progress=advance)
    console().print(_line("answers", agreement.answers_right, agreement.answers))
    console().print(_line("steps", agreement.steps_right, agreement.steps))
    for disagreement in agreement.disagreements[:show]:
        console().print(escape(disagreement))
    more = len(agreement.disagreements) - show
    if more > 0:
        console().print(f"… and {more:,} more")
    if not agreement.perfect:
        raise typer.Exit(DISAGREE)


def _line(what: str, right: int, total: int) -> str:
    """A share that says 100% only when all are right."""
    if not total:
        return f"{what}: none in the file"
    share = "100%" if right == total else f"{min(right / total, 0.9999):.2%}"
    return f"{what}: {right} of {total} ({share})"
