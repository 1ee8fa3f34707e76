"""Predicted masks judged per CPU second, against `pycocotools.mask.iou` on the same encoded masks.

    python bench/masks.py [--scenes 20] [--judged 20000] [--rounds 3]

Expressions about rendered scenes of 480x320 are repeated under new names; each prediction is the truth moved 20 pixels
aside. pycocotools is called pair by pair, as a judge must. The judge also looks for empty masks, sizes that differ and
counts that are none, and marks boxes and choices. Both are measured on predictions in memory, and from a file on.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pycocotools import mask as coco

from measure import mereo, options, rates, save, spent
from mereo.benchmarks.refer.judge import judge_referring
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.predictions import read_predictions

ASIDE = 20
UNIT = "predictions per CPU s"
Encoded = dict[str, Any]


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=20, help="how many to render")
    parser.add_argument("--judged", type=int, default=20_000, help="how many predictions are judged")
    parser.add_argument("--rounds", type=int, default=3)
    given = options(parser)
    if given.quick:
        given.scenes, given.judged, given.rounds = 1, 50, 1
    with tempfile.TemporaryDirectory() as name:
        dataset, path = Path(name) / "set", Path(name) / "predictions.jsonl"
        look = ("--samples", "8", "--size", "96x64" if given.quick else "480x320")
        spent(mereo("build", "refer", dataset, "--split", f"test={given.scenes}", "--seed", "0", *look))
        asked = repeated(load_questions(dataset), given.judged)
        true = truth(asked)
        path.write_text("".join(json.dumps(one) + "\n" for one in predictions(asked.ids, true)))
        rows, difference = _measured(asked, true, path, given.rounds)
    differs = f"The overlaps differ by {difference:.1g} at most."
    save("masks", given, rows, notes=[f"{given.judged:,} predictions, {given.rounds} rounds. {differs}"])


def _measured(asked: Asked, true: list[Encoded], path: Path, rounds: int) -> tuple[list[Any], float]:
    said = read_predictions(path, asked)
    given = read(path)

    def overlaps(given: list[Encoded]) -> list[float]:
        pairs = zip(given, true, strict=True)
        return [float(coco.iou([one], [other], [0])[0, 0]) for one, other in pairs]

    both = {
        "in memory": (lambda: len(overlaps(given)), lambda: len(judge_referring(asked, said).main)),
        "from a file": (
            lambda: len(overlaps(read(path))),
            lambda: len(judge_referring(asked, read_predictions(path, asked)).main),
        ),
    }
    rows = []
    for table, (plain, ours) in both.items():
        reference = "`pycocotools.mask.iou`" + ("" if table == "in memory" else " and `json`")
        for what, work in ((reference, plain), ("mereo's judge", ours)):
            rows.append(rates(work, rounds=rounds).row(what, unit=UNIT, against=reference, table=table))
    theirs, seen = np.array(overlaps(given)), np.array([coco.area(one) > 0 for one in true])
    return rows, float(np.abs(theirs - judge_referring(asked, said).scores["iou"])[seen].max())


def repeated(asked: Asked, count: int) -> Asked:
    """Expressions over and over under new names, with what they refer to."""
    many = asked.with_columns("referred", "masks", "boxes", "size").take(np.arange(count) % len(asked))
    names = pa.array([f"expression-{number}" for number in range(count)])
    return replace(many, table=many.table.set_column(0, "question_id", names))


def truth(asked: Asked) -> list[Encoded]:
    """What every expression refers to, as COCO encodes it."""
    columns = (asked.table.column(name).to_pylist() for name in ("masks", "size"))
    return [{"size": size, "counts": masks[-1].encode()} for masks, size in zip(*columns, strict=True)]


def predictions(names: list[str], true: list[Encoded]) -> list[dict[str, Any]]:
    """The truth moved aside, as lines of a prediction file."""
    moved: dict[bytes, str] = {}
    for one in true:
        if one["counts"] not in moved:
            pixels = np.zeros(one["size"], np.uint8, order="F")
            pixels[:, ASIDE:] = coco.decode(one)[:, :-ASIDE]
            moved[one["counts"]] = coco.encode(pixels)["counts"].decode()
    masks = [{"size": one["size"], "counts": moved[one["counts"]]} for one in true]
    return [{"question_id": name, "masks": [mask]} for name, mask in zip(names, masks, strict=True)]


def read(path: Path) -> list[Encoded]:
    """The masks of a prediction file, in its order."""
    with path.open() as file:
        masks = [json.loads(line)["masks"][0] for line in file]
    return [{**mask, "counts": mask["counts"].encode()} for mask in masks]


if __name__ == "__main__":
    main()
