"""`mereo questions`: anybody's CLEVR-family templates on anybody's scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import imported_formats
from mereo.cli.screen import console, progress_bar


@app.command()
def questions(
    scenes: Annotated[Path, typer.Option(help="A scene file, or a folder of one-scene files.")],
    templates: Annotated[Path, typer.Option(help="A folder of template JSON files.")],
    metadata: Annotated[
        Path, typer.Option(help="The templates' metadata.json; lists of replacements are found beside it.")
    ],
    out: Annotated[Path, typer.Option(help="The question file to write.")],
    synonyms: Annotated[Path | None, typer.Option(help="The templates' synonyms.json.")] = None,
    language: Annotated[
        str | None,
        typer.Option(autocompletion=imported_formats, help="The language; by default what the metadata says."),
    ] = None,
    per_scene: Annotated[int, typer.Option(min=1, help="Questions for each scene.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same questions.")] = 0,
) -> None:
    """Fill a folder of CLEVR-family templates on scenes and write questions in the official format."""
    import time

    from mereo.datasets.format import Asking
    from mereo.workbench.building import ask_templates

    started = time.perf_counter()
    asking = Asking(templates, metadata, synonyms, per_scene, seed, out)
    with progress_bar("asking", 0, unit="scenes") as advance:
        asked, records = ask_templates(scenes, asking, language=language, progress=advance)
    rate = asked / (time.perf_counter() - started)
    console().print(f"{asked:,} questions about {records:,} scenes in {out} ({rate:,.0f} per second)")
