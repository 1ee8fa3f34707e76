"""Referring expressions per second, and predictions judged per second, each against a plain way in the same run.

    python bench/refer.py [--count 60] [--naive 20] [--judged 100000]

CLEVR-Ref+'s own templates are asked by the call behind `mereo questions`, from scene records to a written file, on
scenes whose masks and boxes come from our renderer. The judge gets as many predictions of 480x320 masks as told, from a
file of JSON Lines; the plain judge decodes masks to pixels.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from measure import Rate, machine, rate, save, table
from mereo.benchmarks.benchmark import official
from mereo.benchmarks.refer.language import LANGUAGE, world_of_record
from mereo.benchmarks.refer.questions import RULES, load_expressions
from mereo.benchmarks.refer.recipe import ReferRecipe
from mereo.chance import fast, generator
from mereo.datasets.build import build_dataset
from mereo.datasets.formats.clevr_family import SceneRecord
from mereo.datasets.official import ask_officially
from mereo.evaluation.asked import Asked, load_questions
from mereo.evaluation.predictions import read_predictions, write_predictions
from mereo.evaluation.referring import judge_referring
from mereo.evaluation.referring_oracles import point_beside
from mereo.masks import decode
from mereo.questions.generate import Asker
from naive_refer import NaiveReferGenerator

OFFICIAL = Path("../shared/data/templates/clevr_ref")
PER_SCENE = 10
SEED = 0


def main() -> None:
    """Measure and print."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        dataset = Path(folder) / "dataset"
        recipe = ReferRecipe(seed=SEED, pictures=True, samples=8)
        build_dataset(recipe, dataset, splits={"train": options.count}, shard_size=1000)
        records = _records(dataset)
        told = sum(set(_visible(record)) == {"fully", "partially"} for record in records)
        print(f"{machine()}, {len(records)} scenes, {told} of which with visibility that can be told")
        result: dict[str, Any] = {"scenes": len(records), "visibility_told": told, "naive_scenes": options.naive}
        if OFFICIAL.is_dir():
            rates = _official(records, options)
            table("CLEVR-Ref+'s templates, official rules", rates, against="plain search", unit="expressions/s")
            result["official"] = {name: measured._asdict() for name, measured in rates.items()}
        else:
            print(f"{OFFICIAL}: no such folder, so CLEVR-Ref+'s own templates are left out")
        own = {"mereo": rate(lambda: _own(records), rounds=options.rounds)}
        table("mereo's own templates", own, against=None, unit="expressions/s")
        result["own"] = {name: measured._asdict() for name, measured in own.items()}
        rates, seconds = _judging(load_questions(dataset), Path(folder), options)
        table("judging predictions of 480x320 masks", rates, against="plain judge", unit="predictions/s")
        print(f"{options.judged:,} predictions read and judged in {seconds:.1f} s of wall time")
        result["judging"] = {name: measured._asdict() for name, measured in rates.items()}
        result |= {"judged": options.judged, "judging_seconds": round(seconds, 2)}
    save("refer", result)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="how many scenes to render")
    parser.add_argument("--naive", type=int, default=20, help="how many of them the plain search gets")
    parser.add_argument("--patience", type=float, default=90, help="seconds it gets")
    parser.add_argument("--judged", type=int, default=100_000, help="how many predictions are judged")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


def _records(dataset: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    scenes = pq.read_table(dataset / "scenes" / "train-00000.parquet", columns=["scene"]).column(0).to_pylist()
    return [msgspec.json.decode(scene) for scene in scenes]


def _visible(record: dict[str, Any]) -> list[Any]:
    return [thing.get("visible") for thing in record["objects"]]


def _official(records: list[dict[str, Any]], options: argparse.Namespace) -> dict[str, Rate]:
    known = official("clevr_ref")
    metadata, synonyms = OFFICIAL / "metadata.json", OFFICIAL / "synonyms.json"

    def ours(about: list[dict[str, Any]]) -> int:
        scenes = [SceneRecord(record, Path("rendered"), f"scene {k}") for k, record in enumerate(about)]
        with tempfile.TemporaryDirectory() as folder:
            return ask_officially(
                scenes,
                OFFICIAL / "templates",
                metadata=metadata,
                synonyms=synonyms,
                dialect=known.dialect,
                world_of=known.world_of,
                per_scene=PER_SCENE,
                seed=SEED,
                out=Path(folder) / "refexps.json",
            )

    few = records[: options.naive]

    def plain() -> int:
        naive = NaiveReferGenerator.load(OFFICIAL / "templates", metadata, synonyms, seed=SEED)
        naive.deadline = time.process_time() + options.patience
        return sum(len(naive.ask(dict(record), PER_SCENE)) for record in few)

    return {
        "plain search": rate(plain, rounds=1, warm_up=False),
        "mereo, the same scenes": rate(lambda: ours(few), rounds=options.rounds),
        "mereo, all scenes": rate(lambda: ours(records), rounds=options.rounds),
    }


def _own(records: list[dict[str, Any]]) -> int:
    asker = Asker(load_expressions(), LANGUAGE, RULES)
    rows = []
    for number, record in enumerate(records):
        world = world_of_record(record)
        for said in asker.ask(world, PER_SCENE, chance=fast(generator(SEED, "bench", number))):
            rows.append((said.text, str(said.program), said.trace.referred()))
    return len(rows)


def _judging(asked: Asked, folder: Path, options: argparse.Namespace) -> tuple[dict[str, Rate], float]:
    """The expressions over and over under new names, each with the true masks moved aside."""
    places = np.arange(options.judged) % len(asked)
    many = asked.with_columns("referred", "masks", "boxes", "size").take(places)
    names = pa.array([f"expression-{k}" for k in range(options.judged)])
    many = replace(many, table=many.table.set_column(0, "question_id", names))
    said = point_beside(many)
    path = folder / "predictions.jsonl"
    write_predictions(path, said.header, [one for one in said.given if one is not None])
    few = many.take(np.arange(min(len(asked), 200)))

    def ours() -> int:
        predictions = read_predictions(path, many)
        return len(judge_referring(many, predictions).main)

    def plain() -> int:
        truth = few.table.column("masks").to_pylist()
        for masks, one in zip(truth, said.given, strict=False):
            assert one is not None
            assert one.masks is not None
            (mask,) = one.masks
            true = decode({"size": list(mask.size), "counts": masks[-1]})
            pixels = decode({"size": list(mask.size), "counts": mask.counts})
            assert (true & pixels).sum() <= (true | pixels).sum()
        return len(few)

    started = time.perf_counter()
    ours()
    seconds = time.perf_counter() - started
    return {
        "plain judge": rate(plain, rounds=3),
        "mereo, file and all": rate(ours, rounds=1, warm_up=False),
    }, seconds


if __name__ == "__main__":
    main()
