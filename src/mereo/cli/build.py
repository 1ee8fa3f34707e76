"""`mereo build`: a whole dataset in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same bytes.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished build.")] = False,
) -> None:
    """Make a dataset: scenes and questions in Parquet shards, with a manifest and a card."""
    import time

    from mereo.benchmarks.benchmark import benchmark as find
    from mereo.datasets.build import build_dataset
    from mereo.datasets.splits import parse_splits, share_out
    from mereo.errors import BadInput, UnknownName

    started = time.perf_counter()
    chosen = find(benchmark)
    if chosen.recipe is None:
        raise BadInput(f"benchmark {benchmark} makes no data of its own")
    if not symbolic:
        raise BadInput(f"{benchmark} is built without pictures so far: add --symbolic")
    name = preset or next(iter(chosen.presets))
    if name not in chosen.presets:
        raise UnknownName(f"preset of {benchmark} named", name, chosen.presets)
    shares = chosen.presets[name].shares
    splits = parse_splits(split, known=shares) if split else share_out(scenes, shares)
    with progress_bar(f"building {benchmark}", sum(splits.values()), unit="scenes") as advance:
        manifest = build_dataset(
            chosen.recipe(seed=seed, questions_per_scene=questions_per_scene, preset=name),
            out,
            splits=splits,
            shard_size=chosen.shard_size,
            workers=workers,
            resume=resume,
            progress=advance,
        )
    asked, seconds = sum(manifest.questions.values()), time.perf_counter() - started
    counts = ", ".join(f"{split} {count:,}" for split, count in manifest.scenes.items())
    console().print(f"{out}: {asked:,} questions about {sum(splits.values()):,} scenes ({counts}) in {seconds:.1f} s")
