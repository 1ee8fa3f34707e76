"""`mereo import`: official files as a dataset of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import imported_formats
from mereo.cli.screen import console, progress_bar

SHOWN = 10
"""How many of the records that were left out are named."""


@app.command(name="import")
def import_official(
    source: Annotated[
        str,
        typer.Argument(
            autocompletion=imported_formats, help="Whose files: `clevr` or `ptr`, or a language with official files."
        ),
    ],
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="[FOLDER] OUT",
            help="An official folder as it was unpacked, unless files are named; the dataset folder to make.",
        ),
    ],
    scenes: Annotated[Path | None, typer.Option(help="A scene file, or a folder of one-scene files.")] = None,
    questions: Annotated[Path | None, typer.Option(help="A question file with programs, or a folder of them.")] = None,
    images: Annotated[
        Path | None, typer.Option(help="The folder of the pictures, or of a folder of them for each split.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first record that is wrong.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished import.")] = False,
    license: Annotated[
        str | None, typer.Option(help="The data's license, as `cc-by-4.0`; none is claimed unless you do.")
    ] = None,
) -> None:
    """Make a dataset of official scenes, questions and pictures; records that are wrong are named and left out."""
    from rich.markup import escape

    from mereo.errors import BadInput
    from mereo.workbench.building import import_files

    if len(places) > 2:
        raise BadInput("there is one folder to import and one to make, and no third", file=places[2])
    *folder, out = places
    with (
        progress_bar("checking", 0, unit="scenes") as checking,
        progress_bar("importing", 0, unit="scenes") as advance,
    ):
        manifest, files = import_files(
            source,
            out,
            folder=folder[0] if folder else None,
            scenes=scenes,
            questions=questions,
            images=images,
            strict=strict,
            resume=resume,
            license=license,
            checking=checking,
            progress=advance,
            complain=lambda sentence: typer.echo(f"mereo: {sentence}", err=True),
        )
    for complaint in files.complaints[:SHOWN]:
        console().print(escape(complaint))
    if len(files.complaints) > SHOWN:
        console().print(f"… and {len(files.complaints) - SHOWN:,} more")
    if files.scenes_left_out or files.questions_left_out:
        left_out = f"{files.scenes_left_out:,} scenes and {files.questions_left_out:,} questions"
        console().print(f"{left_out} are left out; --strict stops at the first")
    asked = sum(manifest.questions.values())
    console().print(f"{out}: {sum(manifest.scenes.values()):,} scenes and {asked:,} questions imported")
