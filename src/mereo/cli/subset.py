"""`mereo subset`: less of a dataset, to see how much a model needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import splits
from mereo.cli.screen import console, progress_bar


@app.command()
def subset(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder.")],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    share: Annotated[float, typer.Option(help="How much of the split to keep: 0.1, 0.25, 0.5.")],
    split: Annotated[
        str, typer.Option(autocompletion=splits, help="The split that becomes smaller; others stay whole.")
    ] = "train",
) -> None:
    """Keep a share of a split's scenes with their questions: always the same ones, the tenth within the quarter."""
    from mereo.datasets.store import open_dataset
    from mereo.datasets.subset import take_subset

    total = sum(open_dataset(dataset).scenes.values())
    with progress_bar("taking a part", total, unit="scenes") as advance:
        kept = take_subset(dataset, out, share=share, split=split, progress=advance)
    console().print(f"{out}: {kept:,} scenes of {split}, and all of the other splits")
