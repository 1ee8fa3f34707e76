"""`mereo import`: official files as a dataset of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, progress_bar


@app.command(name="import")
def import_official(
    language: Annotated[str, typer.Argument(help="Whose files: `clevr`.")],
    out: Annotated[Path, typer.Argument(help="The dataset folder to make.")],
    scenes: Annotated[Path, typer.Option(help="A scene file, or a folder of one-scene files.")],
    questions: Annotated[Path | None, typer.Option(help="A question file with programs.")] = None,
    images: Annotated[Path | None, typer.Option(help="The folder of the pictures.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished import.")] = False,
) -> None:
    """Make a dataset of official scenes, questions and pictures."""
    from mereo.benchmarks.benchmark import benchmark_of_language, official
    from mereo.datasets.build import build_dataset
    from mereo.datasets.importing import ImportRecipe, read_official

    known = official(language)
    files = read_official(scenes, questions)
    recipe = ImportRecipe(files, known.language, known.world_of, benchmark_of_language(language).name, images)
    splits = {split: len(records) for split, records in files.scenes.items()}
    with progress_bar("importing", sum(splits.values()), unit="scenes") as advance:
        manifest = build_dataset(recipe, out, splits=splits, shard_size=1000, resume=resume, progress=advance)
    asked = sum(manifest.questions.values())
    console().print(f"{out}: {sum(splits.values()):,} scenes and {asked:,} questions imported")
