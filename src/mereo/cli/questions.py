"""`mereo questions`: anybody's CLEVR-family templates on anybody's scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, progress_bar


@app.command()
def questions(
    scenes: Annotated[Path, typer.Option(help="A scene file, or a folder of one-scene files.")],
    templates: Annotated[Path, typer.Option(help="A folder of template JSON files.")],
    metadata: Annotated[Path, typer.Option(help="The templates' metadata.json.")],
    out: Annotated[Path, typer.Option(help="The question file to write.")],
    synonyms: Annotated[Path | None, typer.Option(help="The templates' synonyms.json.")] = None,
    language: Annotated[str | None, typer.Option(help="The language; by default what the metadata says.")] = None,
    per_scene: Annotated[int, typer.Option(min=1, help="Questions for each scene.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same questions.")] = 0,
) -> None:
    """Fill a folder of CLEVR-family templates on scenes and write questions in the official format."""
    import time

    from mereo.benchmarks.benchmark import official, official_of_dataset
    from mereo.clevr_family.asking import ask_officially, dataset_of
    from mereo.clevr_family.records import read_scenes

    started = time.perf_counter()
    known = official(language) if language else official_of_dataset(dataset_of(metadata))
    records = read_scenes(scenes)
    with progress_bar("asking", len(records), unit="scenes") as advance:
        asked = ask_officially(
            records,
            templates,
            metadata=metadata,
            synonyms=synonyms,
            dialect=known.dialect,
            world_of=known.world_of,
            per_scene=per_scene,
            seed=seed,
            out=out,
            spelling=known.spelling,
            progress=advance,
        )
    rate = asked / (time.perf_counter() - started)
    console().print(f"{asked:,} questions about {len(records):,} scenes in {out} ({rate:,.0f} per second)")
