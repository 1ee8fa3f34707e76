"""`mereo build`: a whole dataset in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, progress_bar


@app.command()
def build(
    benchmark: Annotated[str, typer.Argument(help="Which benchmark: `clevr`.")],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    scenes: Annotated[int, typer.Option(min=1, help="Scenes in all splits together.")] = 100,
    questions_per_scene: Annotated[int, typer.Option(min=0, help="Questions for each scene.")] = 10,
    split: Annotated[str | None, typer.Option(help="Scenes by split instead, as `train=80,val=20`.")] = None,
    preset: Annotated[str | None, typer.Option(help="A ready choice of splits, as `cogent`.")] = None,
    symbolic: Annotated[bool, typer.Option("--symbolic", help="Without pictures.")] = False,
    size: Annotated[str, typer.Option(help="Width and height of pictures.")] = "480x320",
    samples: Annotated[int, typer.Option(min=8, help="Rays per pixel.")] = 64,
    renderer: Annotated[str, typer.Option(help="`cuda`, `llvm`, `scalar`, or whichever works best.")] = "auto",
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same bytes.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
    ray: Annotated[str | None, typer.Option(help="Address of a Ray cluster to work on instead.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished build.")] = False,
) -> None:
    """Make a dataset: scenes and questions in Parquet shards, with a manifest and a card."""
    import os
    import time

    from mereo.benchmarks.benchmark import benchmark as find
    from mereo.datasets.build import build_dataset
    from mereo.datasets.splits import parse_size, parse_splits, share_out
    from mereo.datasets.workers import LocalCrew, RayCrew
    from mereo.errors import BadInput, UnknownName
    from mereo.scenes.renderer import THREADS, settle

    started = time.perf_counter()
    chosen = find(benchmark)
    if chosen.recipe is None:
        raise BadInput(f"benchmark {benchmark} makes no data of its own")
    name = preset or next(iter(chosen.presets))
    if name not in chosen.presets:
        raise UnknownName(f"preset of {benchmark} named", name, chosen.presets)
    shares = chosen.presets[name].shares
    splits = parse_splits(split, known=shares) if split else share_out(scenes, shares)
    pictures: dict[str, Any] = {}
    if not symbolic:
        width, height = parse_size(size)
        pictures = {
            "pictures": True,
            "width": width,
            "height": height,
            "samples": samples,
            "renderer": settle(renderer),
        }
        # Each worker renders with one thread, so that as many workers as cores keep all of them busy.
        os.environ.setdefault(THREADS, "1")
    recipe = chosen.recipe(seed=seed, questions_per_scene=questions_per_scene, preset=name, **pictures)
    with progress_bar(f"building {benchmark}", sum(splits.values()), unit="scenes") as advance:
        manifest = build_dataset(
            recipe,
            out,
            splits=splits,
            shard_size=chosen.shard_size,
            crew=RayCrew(ray) if ray else LocalCrew(workers),
            resume=resume,
            progress=advance,
            complain=lambda sentence: typer.echo(f"mereo: {sentence}", err=True),
        )
    asked, seconds = sum(manifest.questions.values()), time.perf_counter() - started
    counts = ", ".join(f"{split} {count:,}" for split, count in manifest.scenes.items())
    console().print(
        f"{out}: {asked:,} questions about {sum(manifest.scenes.values()):,} scenes ({counts}) in {seconds:.1f} s"
    )
