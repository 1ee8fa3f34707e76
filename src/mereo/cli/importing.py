"""`mereo import`: official files as a dataset of our own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, progress_bar

if TYPE_CHECKING:
    from mereo.benchmarks.benchmark import Official


SHOWN = 10
"""How many of the records that were left out are named."""


@app.command(name="import")
def import_official(
    source: Annotated[str, typer.Argument(help="Whose files: `clevr` or `ptr`, or a language with official files.")],
    out: Annotated[Path, typer.Argument(help="The dataset folder to make.")],
    scenes: Annotated[Path, typer.Option(help="A scene file, or a folder of one-scene files.")],
    questions: Annotated[Path | None, typer.Option(help="A question file with programs, or a folder of them.")] = None,
    images: Annotated[Path | None, typer.Option(help="The folder of the pictures.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first record that is wrong.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished import.")] = False,
) -> None:
    """Make a dataset of official scenes, questions and pictures; records that are wrong are named and left out."""
    from rich.markup import escape

    from mereo.benchmarks.benchmark import benchmark_of_language
    from mereo.datasets.build import build_dataset
    from mereo.datasets.importing import Form, read_official

    known = _official(source)
    form = Form(known.language, known.world_of, known.spelling, known.check)
    with progress_bar("checking", 0, unit="scenes") as advance:
        files = read_official(scenes, questions, form, strict=strict, progress=advance)
    recipe = known.recipe(files, form, benchmark_of_language(known.language.name).name, images)
    splits = {split: len(records) for split, records in files.scenes.items()}
    with progress_bar("importing", sum(splits.values()), unit="scenes") as advance:
        manifest = build_dataset(recipe, out, splits=splits, shard_size=1000, resume=resume, progress=advance)
    for complaint in files.complaints[:SHOWN]:
        console().print(escape(complaint))
    if len(files.complaints) > SHOWN:
        console().print(f"… and {len(files.complaints) - SHOWN:,} more")
    if files.scenes_left_out or files.questions_left_out:
        left_out = f"{files.scenes_left_out:,} scenes and {files.questions_left_out:,} questions"
        console().print(f"{left_out} are left out; --strict stops at the first")
    asked = sum(manifest.questions.values())
    console().print(f"{out}: {sum(splits.values()):,} scenes and {asked:,} questions imported")


def _official(name: str) -> Official:
    """The official format of a language, or the one that a benchmark has."""
    from mereo.benchmarks.benchmark import all_benchmarks, official

    known = all_benchmarks().get(name)
    return known.officials[0] if known and len(known.officials) == 1 else official(name)
