"""`mereo export`: a dataset in somebody else's format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, progress_bar


@app.command()
def export(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    to: Annotated[str, typer.Option(help="`clevr`, `ptr`, `coco`, `webdataset`, `inspect` or `lmms-eval`.")],
) -> None:
    """Write a dataset in another format."""
    from mereo.benchmarks.benchmark import all_benchmarks
    from mereo.datasets.export import export_dataset
    from mereo.datasets.store import open_dataset

    manifest = open_dataset(dataset)
    total, known = sum(manifest.scenes.values()), all_benchmarks().get(manifest.benchmark)
    translation = known.translation if known else None
    with progress_bar(f"exporting to {to}", total, unit="scenes") as advance:
        export_dataset(dataset, out, to=to, translation=translation, progress=advance)
    console().print(f"{out}: {total:,} scenes as {to}")
