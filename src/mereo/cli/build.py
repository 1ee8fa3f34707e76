"""`mereo build`: a whole dataset in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, progress_bar


@app.command()
def build(
    benchmark: Annotated[str, typer.Argument(help="Which benchmark: `clevr`, `ptr` or `refer`.")],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    scenes: Annotated[int | None, typer.Option(min=1, help="Scenes in all splits; else as the preset has it.")] = None,
    questions_per_scene: Annotated[int, typer.Option(min=0, help="Questions for each scene.")] = 10,
    split: Annotated[str | None, typer.Option(help="Scenes by split instead, as `train=80,val=20`.")] = None,
    preset: Annotated[str | None, typer.Option(help="A ready choice of splits, as `cogent`.")] = None,
    symbolic: Annotated[bool, typer.Option("--symbolic", help="Without pictures.")] = False,
    size: Annotated[str, typer.Option(help="Width and height of pictures.")] = "480x320",
    samples: Annotated[int, typer.Option(min=8, help="Rays per pixel.")] = 64,
    renderer: Annotated[str, typer.Option(help="`cuda`, `llvm`, `scalar`, or whichever works best.")] = "auto",
    image_format: Annotated[str, typer.Option(help="`png`, or `webp`: lossless too, smaller, slower.")] = "png",
    amodal: Annotated[bool, typer.Option("--amodal", help="Masks of what is hidden, too.")] = False,
    counterfactuals: Annotated[
        bool, typer.Option("--counterfactuals", help="Unstable scenes also with the change that saves them: `ptr`.")
    ] = False,
    scenes_from: Annotated[Path | None, typer.Option(help="A dataset whose scenes to take instead: `refer`.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same bytes.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
    ray: Annotated[str | None, typer.Option(help="Address of a Ray cluster to work on instead.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished build.")] = False,
) -> None:
    """Make a dataset: scenes and questions in Parquet shards, with a manifest and a card."""
    import inspect
    import os
    import time

    from mereo.benchmarks.benchmark import benchmark as find
    from mereo.datasets.build import build_dataset
    from mereo.datasets.splits import parse_size, parse_splits, share_out
    from mereo.datasets.store import open_dataset
    from mereo.datasets.workers import LocalCrew, RayCrew
    from mereo.errors import BadInput, UnknownName
    from mereo.evaluation.asked import load_questions
    from mereo.evaluation.baselines import CHEAP
    from mereo.evaluation.blind import score_baselines, write_into_card
    from mereo.scenes.renderer import THREADS, settle

    started = time.perf_counter()
    chosen = find(benchmark)
    if chosen.recipe is None:
        raise BadInput(f"benchmark {benchmark} makes no data of its own")
    name = preset or next(iter(chosen.presets))
    if name not in chosen.presets:
        raise UnknownName(f"preset of {benchmark} named", name, chosen.presets)
    ready = chosen.presets[name]
    splits = parse_splits(split, known=ready.shares) if split else share_out(scenes or ready.scenes, ready.shares)
    choices: dict[str, Any] = {"counterfactuals": True} if counterfactuals else {}
    if scenes_from is not None:
        if "scenes_from" not in inspect.signature(chosen.recipe).parameters:
            raise BadInput(f"{benchmark} makes its own scenes", field="--scenes-from")
        there = open_dataset(scenes_from).scenes
        splits = parse_splits(split, known=there) if split else dict(there)
        choices |= {"scenes_from": str(scenes_from.resolve())}
    elif not symbolic:
        from mereo.datasets.pictures import IMAGE_FORMATS

        width, height = parse_size(size)
        choices |= {
            "pictures": True,
            "width": width,
            "height": height,
            "samples": samples,
            "renderer": settle(renderer),
        }
        if image_format not in IMAGE_FORMATS:
            raise UnknownName("image format", image_format, IMAGE_FORMATS)
        choices |= {"image_format": image_format} if image_format != "png" else {}
        choices |= {"amodal": True} if amodal else {}
    unknown = sorted(choices.keys() - inspect.signature(chosen.recipe).parameters.keys())
    if unknown:
        raise BadInput(f"{benchmark} has no such choice", field=f"--{unknown[0].replace('_', '-')}")
    # Each worker renders with one thread, so that as many workers as cores keep all of them busy.
    os.environ.setdefault(THREADS, "1")
    recipe = chosen.recipe(seed=seed, questions_per_scene=questions_per_scene, preset=name, **choices)
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
    asked = sum(manifest.questions.values())
    if asked and chosen.blind:
        write_into_card(out, score_baselines(load_questions(out), CHEAP, judge=chosen.judge))
    seconds = time.perf_counter() - started
    counts = ", ".join(f"{split} {count:,}" for split, count in manifest.scenes.items())
    console().print(
        f"{out}: {asked:,} questions about {sum(manifest.scenes.values()):,} scenes ({counts}) in {seconds:.1f} s"
    )
