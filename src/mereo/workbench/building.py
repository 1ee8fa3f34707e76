"""Making datasets: new ones, parts of others, and other people's files as our own or ours as theirs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from mereo.benchmarks.benchmark import benchmark as find_benchmark
from mereo.benchmarks.benchmark import benchmark_of_language, find_format, format_of_metadata
from mereo.caches import PLACE
from mereo.cores import keep_to_one_core
from mereo.datasets.asked import load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.export import export_dataset
from mereo.datasets.format import Asking, Layout, OfficialSplit
from mereo.datasets.importing import ImportRecipe, OfficialFiles, read_official
from mereo.datasets.store import Manifest, open_dataset
from mereo.datasets.verify import Agreement, verify_files
from mereo.datasets.workers import LocalCrew, RayCrew
from mereo.errors import BadInput
from mereo.evaluation.baselines import CHEAP
from mereo.evaluation.blind import score_baselines, write_into_card
from mereo.scenes.renderer import THREADS
from mereo.scenes.sharing import shared_gpu
from mereo.stock import Stock, stock
from mereo.workbench.silence import Progress, quiet, unheard

__all__ = [
    "Imported",
    "Planned",
    "ask_templates",
    "build",
    "export",
    "fill_stock",
    "import_files",
    "plan_build",
    "verify",
]


Begin = Callable[[int], Progress]


class Planned(NamedTuple):
    """A build that is about to begin."""

    benchmark: str
    recipe: Any
    splits: dict[str, int]
    shard_size: int
    shapes: Sequence[str] = ()
    """The names of own shapes that go with the dataset."""
    further: Mapping[str, bytes] = {}
    """By name the content of further files that go with it."""
    told: Sequence[str] = ()
    """What there is to say of the files of others that it is made from."""

    @property
    def scenes(self) -> int:
        """How many there will be."""
        return sum(self.splits.values())


def plan_build(
    benchmark: str,
    *,
    scenes: int | None = None,
    split: str | None = None,
    preset: str | None = None,
    seed: int = 0,
    **choices: Any,
) -> Planned:
    """What a build would make, with every choice checked. choices : those that the benchmark declares"""
    chosen = find_benchmark(benchmark)
    if chosen.maker is None:
        raise BadInput(f"benchmark {benchmark} makes no data of its own")
    order = chosen.maker.order(seed=seed, preset=preset, given=choices, of=benchmark)
    splits = chosen.maker.splits(order, scenes=scenes, split=split)
    maker, recipe = chosen.maker, chosen.maker.recipe(replace(order, splits=splits))
    beside = maker.shapes(recipe), maker.further(recipe), maker.told(recipe)
    return Planned(benchmark, recipe, splits, maker.shard_size, *beside)


def build(
    planned: Planned,
    out: str | Path,
    *,
    workers: int = 1,
    ray: str | None = None,
    resume: bool = False,
    license: str | None = None,
    progress: Progress = quiet,
    complain: Callable[[str], None] = unheard,
) -> Manifest:
    """Make a dataset: scenes and questions in Parquet shards, with a manifest and a card.

    license : of the data, as `cc-by-4.0`; the card claims none unless somebody chooses one
    """
    for sentence in planned.told:
        complain(sentence)
    _one_core_each()
    # Scenes that take so long that each is kept are those that are looked at; others need no GPU.
    with shared_gpu(workers if planned.recipe.piecemeal and not ray else 1):
        manifest = build_dataset(
            planned.recipe,
            out,
            splits=planned.splits,
            shard_size=planned.shard_size,
            crew=RayCrew(ray) if ray else LocalCrew(workers),
            resume=resume,
            shapes=planned.shapes,
            further=planned.further,
            license=license,
            progress=progress,
            complain=complain,
        )
    judging = find_benchmark(planned.benchmark).judging
    if sum(manifest.questions.values()) and judging.worded:
        write_into_card(Path(out), score_baselines(load_questions(out), CHEAP, judging=judging))
    return manifest


def _one_core_each() -> None:
    """Each worker renders and reckons with one thread, so that as many workers as cores keep all of them busy."""
    os.environ.setdefault(THREADS, "1")
    keep_to_one_core()


def fill_stock(benchmark: str, *, seed: int = 0, workers: int = 1, begin: Begin = lambda total: quiet) -> Stock:
    """Make ahead what builds of a benchmark take from the stock, and say what it holds then; what is there stays.

    seed : of the builds; begin : is told how much there is to do, and gives what takes the amount done
    """
    maker = find_benchmark(benchmark).maker
    tasks = maker.stock(seed) if maker is not None else ()
    if not tasks:
        raise BadInput(f"benchmark {benchmark} takes nothing from the stock")
    found = stock()
    if found is not None:
        _one_core_each()
        progress = begin(len(tasks))
        with closing(LocalCrew(workers).run(tasks)) as ends:
            for end in ends:
                end.check("what was made before is kept")
                progress(1)
        found = stock()
    if found is None:
        raise BadInput(f"nothing can be kept: set {PLACE} to a folder that can be written")
    return found


class Imported(NamedTuple):
    """What became of somebody's files."""

    manifest: Manifest
    files: OfficialFiles


def import_files(
    source: str,
    out: str | Path,
    *,
    folder: str | Path | None = None,
    scenes: str | Path | None = None,
    questions: str | Path | None = None,
    images: str | Path | None = None,
    strict: bool = False,
    resume: bool = False,
    license: str | None = None,
    checking: Progress = quiet,
    progress: Progress = quiet,
    complain: Callable[[str], None] = unheard,
) -> Imported:
    """Make a dataset of official scenes, questions and pictures; records that are wrong are left out, and told.

    source : the name of a format, or of a benchmark with just one
    folder : an official folder as it was unpacked, with all its splits, instead of single files
    """
    form = find_format(source)
    if folder is not None:
        if scenes is not None or questions is not None:
            raise BadInput("are in the folder: name it or the files, not both", field="scenes")
        there = form.layout(Path(folder))
    elif scenes is None:
        raise BadInput("must be given where no whole folder is imported", field="scenes")
    else:
        there = Layout([OfficialSplit(Path(scenes), Path(questions) if questions else None)])
    pictures = Path(images) if images else there.images
    files = read_official(there.splits, form, images=pictures, strict=strict, progress=checking)
    files.complaints += there.complaints
    name = benchmark_of_language(form.language.name).name
    recipe = form.recipe(files, benchmark=name, images=pictures) or ImportRecipe(files, form, name, pictures)
    splits = {split: len(records) for split, records in files.scenes.items()}
    manifest = build_dataset(
        recipe,
        out,
        splits=splits,
        shard_size=1000,
        resume=resume,
        further=form.further(files),
        license=license,
        progress=progress,
        complain=complain,
    )
    return Imported(manifest, files)


def export(dataset: str | Path, out: str | Path, *, to: str, progress: Progress = quiet) -> int:
    """Write a dataset in another format; gives the number of scenes."""
    manifest = open_dataset(dataset)
    own = find_benchmark(manifest.benchmark)
    inspector = own.inspector(manifest) if own.inspector else None
    export_dataset(dataset, out, to=to, own=own.exporters, inspector=inspector, progress=progress)
    return sum(manifest.scenes.values())


def verify(
    scenes: str | Path, questions: str | Path, *, language: str = "clevr", progress: Progress = quiet
) -> Agreement:
    """Run every program of official files again and compare answers and every step."""
    return verify_files(Path(scenes), Path(questions), find_format(language), progress=progress)


def ask_templates(
    scenes: str | Path, asking: Asking, *, language: str | None = None, progress: Progress = quiet
) -> tuple[int, int]:
    """Fill somebody's template files on somebody's scenes; gives the numbers of questions and scenes."""
    from mereo.clevr_family.asking import dataset_of

    form = find_format(language) if language else format_of_metadata(dataset_of(asking.metadata))
    records = form.scenes(Path(scenes))
    return form.ask(records, asking, progress=progress), len(records)
