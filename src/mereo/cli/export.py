"""`mereo export`: a dataset in somebody else's format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import exported_formats
from mereo.cli.screen import console, progress_bar


@app.command()
def export(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    to: Annotated[
        str,
        typer.Option(
            autocompletion=exported_formats,
            help="`coco`, `webdataset`, `inspect`, `lmms-eval`, or the benchmark's own.",
        ),
    ],
) -> None:
    """Write a dataset in another format."""
    from mereo.datasets.store import open_dataset
    from mereo.workbench.building import export as write

    total = sum(open_dataset(dataset).scenes.values())
    with progress_bar(f"exporting to {to}", total, unit="scenes") as advance:
        write(dataset, out, to=to, progress=advance)
    console().print(f"{out}: {total:,} scenes as {to}")
