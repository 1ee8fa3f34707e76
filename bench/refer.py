"""Referring expressions per CPU second with CLEVR-Ref+'s own templates and rules, against a plain search.

    python bench/refer.py [--lengths 20 60] [--seeds 0 1 2] [--templates FOLDER --metadata FILE --synonyms FILE]

Both ask about scenes whose masks and boxes come from our renderer, from records to expressions; mereo also writes them
to a file. It is measured in the first round of its process, cold, and in later ones. The plain search is that of
`naive_refer.py`; CLEVR-Ref+'s own generator needs Python 2 and is not run.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from measure import mereo, options, rates, save, spent, spread
from mereo.benchmarks.benchmark import find_format
from mereo.datasets.format import Asking, SceneRecord
from naive_refer import NaiveReferGenerator
from tables import Row

REFER = Path("../shared/data/templates/clevr_ref")
PER_SCENE = 10
UNIT = "expressions per CPU s"


def main() -> None:
    """Measure and keep."""
    given = _options()
    if not given.templates.is_dir():
        print(f"{given.templates}: no such folder, so nothing is measured; --templates says where they are")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        records = rendered(folder / "set", max(given.lengths), size="96x64" if given.quick else "480x320")
        rows = [row for count in given.lengths for row in _rows(given, records[:count], folder / "refexps.json")]
    told = sum({thing.get("visible") for thing in record["objects"]} == {"fully", "partially"} for record in records)
    seeds = f"seeds {', '.join(map(str, given.seeds))} of the plain search, {given.rounds} warm rounds of mereo"
    save(
        "refer", given, rows, notes=[f"In {told} of {len(records)} scenes visibility can be told. Medians of {seeds}."]
    )


def _rows(given: argparse.Namespace, records: list[dict[str, Any]], out: Path) -> list[Row]:
    reference = f"{len(records)} scenes: plain search"
    ours = rates(lambda: _ours(given, records, out), rounds=given.rounds)
    found = {reference: [plainly(given, records, seed) for seed in given.seeds]}
    if len(records) == given.lengths[0]:  # the process has asked nothing before
        found[f"{len(records)} scenes: mereo, first round"] = [ours.cold]
    found[f"{len(records)} scenes: mereo, warm"] = ours.warm
    heading = "CLEVR-Ref+'s templates"
    return [spread(what, values, unit=UNIT, against=reference, table=heading) for what, values in found.items()]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--templates", type=Path, default=REFER / "templates")
    parser.add_argument("--metadata", type=Path, default=REFER / "metadata.json")
    parser.add_argument("--synonyms", type=Path, default=REFER / "synonyms.json")
    parser.add_argument("--lengths", type=int, nargs="+", default=[20, 60], help="scenes of a run")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    given = options(parser)
    if given.quick:
        given.lengths, given.seeds, given.rounds = [2], given.seeds[:1], 1
    return given


def rendered(dataset: Path, count: int, *, size: str) -> list[dict[str, Any]]:
    """Records of scenes with masks and boxes."""
    look = ("--samples", "8", "--size", size)
    spent(mereo("build", "refer", dataset, "--split", f"train={count}", "--seed", "0", *look))
    scenes = pq.read_table(dataset / "scenes", columns=["scene"]).column(0).to_pylist()
    return [msgspec.json.decode(scene) for scene in scenes]


def plainly(given: argparse.Namespace, records: list[dict[str, Any]], seed: int) -> float:
    """Expressions per CPU second of the plain search."""
    started = time.process_time()
    naive = NaiveReferGenerator.load(given.templates, given.metadata, given.synonyms, seed=seed)
    asked = sum(len(naive.ask(dict(record), PER_SCENE)) for record in records)
    return asked / (time.process_time() - started)


def _ours(given: argparse.Namespace, records: list[dict[str, Any]], out: Path) -> int:
    known = find_format("clevr_ref")
    scenes = [SceneRecord(record, Path("rendered"), f"scene {number}") for number, record in enumerate(records)]
    asking = Asking(given.templates, given.metadata, given.synonyms, PER_SCENE, given.seeds[0], out)
    return known.ask(scenes, asking, progress=lambda scenes: None)


if __name__ == "__main__":
    main()
