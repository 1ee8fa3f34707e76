"""Datasets as tensors: scenes a second for pictures and for things, questions a second for batches.

    python bench/corpus.py [--scenes 1000] [--rendered 4] [--device cpu] [--workers N] [--dataset FOLDER]

A few of PTR's rooms at 320x213, 40 questions each, are rendered and repeated under new names until there are enough; or
somebody's dataset of pictures is read. The references read the same rows one by one: Pillow for pictures, the
inspector's masks and boxes for things, `Examples` for batches. Wall time, since decoding takes threads and processes.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch

from measure import mereo, options, save
from mereo.benchmarks.benchmark import inspector_of
from mereo.datasets.arrays import Examples
from mereo.datasets.inspector import Inspector
from mereo.datasets.pictures import decode_picture
from mereo.datasets.reading import split_rows
from mereo.datasets.store import open_dataset, record_file, write_manifest
from mereo.training.corpus import Corpus
from mereo.training.fields import Source
from mereo.training.picture_tensors import cores
from mereo.training.sources import QuestionSource, SceneSource
from tables import Row

TOGETHER = 20
"""Questions of each scene in a batch."""
PLAINLY = 200
"""Scenes that the references read."""
SECONDS = 5.0
"""How long batches are made."""


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--rendered", type=int, default=4, help="how many of them are different")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--dataset", type=Path, help="one with pictures, to read instead")
    given = options(parser)
    if given.quick:
        given.scenes, given.rendered = 2, 1
    with tempfile.TemporaryDirectory() as name:
        folder = given.dataset or _dataset(Path(name) / "set", given)
        inspector = inspector_of(open_dataset(folder))
        assert inspector is not None, "nobody knows what its rows mean"
        device = torch.device(given.device)
        corpus = Corpus(folder, inspector, device, workers=given.workers)
        split = corpus.splits[0]
        rows = [*_scenes(corpus, split, inspector), *_batches(corpus, split, inspector, quick=given.quick)]
    counts = f"{len(corpus.rows(split)):,} scenes of {corpus.size[1]}x{corpus.size[0]}"
    save("corpus", given, rows, notes=[f"{counts} on {device}, {given.workers} processes and {cores()} threads."])


def _scenes(corpus: Corpus, split: str, inspector: Inspector) -> list[Row]:
    """Pictures and things of all scenes against a few that are read one by one."""
    count, unit, against = len(corpus.rows(split)), "scenes per s", "one by one"
    few = min(count, PLAINLY)

    def plain(column: str) -> float:
        started = time.perf_counter()
        for row in islice(split_rows(corpus.folder, corpus.manifest, [split], heavy=(column,)), few):
            if column == "image":
                decode_picture(row["image"]["bytes"])
            else:
                world = inspector.world(row)
                inspector.masks(row, world)
                inspector.boxes(row, world)
        return few / (time.perf_counter() - started)

    def ours(work: Callable[[], object]) -> float:
        started = time.perf_counter()
        work()
        return count / (time.perf_counter() - started)

    assert corpus.levels  # known before the clock runs
    works = {
        "pictures": (plain("image"), ours(lambda: corpus.pictures(split))),
        "things": (plain("instances"), ours(lambda: corpus.things(split, "object"))),
    }
    return [
        Row(what=what, value=value, unit=unit, against=against, table=table)
        for table, both in works.items()
        for what, value in zip((against, "`Corpus`"), both, strict=True)
    ]


def _batches(corpus: Corpus, split: str, inspector: Inspector, *, quick: bool) -> list[Row]:
    """Questions with their pictures, and scenes with their things, in random order."""
    lexicon, reference = corpus.lexicon(), "`Examples.batches`, 256 questions"
    started, done = time.perf_counter(), 0
    for batch in Examples(corpus.folder, inspector, split=split, fields=("picture", "question")).batches(256, seed=0):
        done += len(batch["question"])
        if time.perf_counter() - started > SECONDS:
            break
    rows = [
        Row(
            what=reference,
            value=done / (time.perf_counter() - started),
            unit="per s",
            against=reference,
            table="batches",
        )
    ]
    sources: dict[str, Source] = {
        f"`QuestionSource`, 32 x {TOGETHER} questions": QuestionSource(corpus, split, lexicon, together=TOGETHER),
        "`QuestionSource`, 256 x 1 questions": QuestionSource(corpus, split, lexicon),
        "`SceneSource`, 32 scenes with all things": SceneSource(corpus, split),
    }
    for what, source in sources.items():
        size, each = (256, 1) if "256" in what else (32, TOGETHER if "x" in what else 1)
        chance = torch.Generator(corpus.device).manual_seed(0)
        order = torch.randperm(len(source), generator=chance, device=corpus.device)
        places = order[torch.arange(size, device=corpus.device) % len(order)]
        rate = size * each / _seconds(lambda: source.batch(places, chance=chance), corpus.device, quick=quick)  # noqa: B023
        rows.append(Row(what=what, value=rate, unit="per s", against=reference, table="batches"))
    return rows


def _seconds(work: Callable[[], object], device: torch.device, *, quick: bool) -> float:
    """The median time of a batch, the first left out."""
    took: list[float] = []
    while len(took) < 3 or (sum(took) < SECONDS and not quick):
        started = time.perf_counter()
        work()
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        took.append(time.perf_counter() - started)
    return float(np.median(took[1:]))


def _dataset(folder: Path, given: argparse.Namespace) -> Path:
    """A few rooms again and again, each time as other scenes."""
    look = ("--size", "96x64" if given.quick else "320x213", "--samples", "8", "--questions-per-scene", "40")
    build = mereo("build", "ptr", folder, "--split", f"train={given.rendered}", "--seed", "0", *look)
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    manifest = open_dataset(folder)
    times = -(-given.scenes // given.rendered)
    files, counts = {}, {}
    for kind, fields in (("scenes", ("scene_id",)), ("questions", ("question_id", "scene_id"))):
        path = folder / kind / "train-00000.parquet"
        table = pq.read_table(path)
        many = pa.concat_tables([_renamed(table, fields, number) for number in range(times)])
        pq.write_table(many, path, compression="zstd", row_group_size=32 if kind == "scenes" else None)
        files[f"{kind}/{path.name}"] = record_file(path)
        counts[kind] = {"train": many.num_rows}
    write_manifest(folder, msgspec.structs.replace(manifest, files=files, **counts))
    return folder


def _renamed(table: pa.Table, fields: tuple[str, ...], number: int) -> pa.Table:
    for field in fields:
        names = pa.array([f"{number:05d}-{value}" for value in table.column(field).to_pylist()])
        table = table.set_column(table.column_names.index(field), field, names)
    return table


if __name__ == "__main__":
    main()
