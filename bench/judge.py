"""Predictions judged and reports written, by `mereo evaluate` and `mereo report` as people run them.

    python bench/judge.py [--predictions 1000000] [--report 10000]

A symbolic dataset is built once and its questions are repeated under new names until there are enough; two answers of
three are right. The reference is the least that a judge can do in plain Python: read every line, look the question up,
compare two words, count by type. It makes no tables but one, no intervals and no checks, and it counts its start too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from measure import mereo, options, save, spent
from mereo.datasets.store import open_dataset, record_file, write_manifest
from tables import Row

SCENES = 5000
PER_SCENE = 10

PLAIN = """
import json, sys
from collections import Counter
import pyarrow.parquet as pq
table = pq.read_table(sys.argv[1] + "/questions", columns=["question_id", "answer", "type"])
columns = (table.column(name).to_pylist() for name in table.column_names)
known = {name: (answer, type) for name, answer, type in zip(*columns)}
right = Counter()
with open(sys.argv[2]) as file:
    for line in file:
        prediction = json.loads(line)
        answer, type = known[prediction["question_id"]]
        right[type] += prediction["answer"].strip().lower() == answer
json.dump(right.total() / len(known), open(sys.argv[3], "w"))
"""


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--predictions", type=int, default=1_000_000)
    parser.add_argument("--report", type=int, default=10_000, help="questions of the reported set")
    given = options(parser)
    if given.quick:
        given.predictions, given.report = 200, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scenes = min(SCENES, -(-given.predictions // PER_SCENE))
        dataset, predictions = _dataset(folder / "set", scenes, given.predictions), folder / "model.jsonl"
        _predict(dataset, predictions)
        judged = spent(mereo("evaluate", dataset, predictions))
        reference = spent([sys.executable, "-c", PLAIN, dataset, predictions, folder / "plain.json"])
        plain = json.loads((folder / "plain.json").read_text())
        ours = json.loads((dataset / "runs" / "model" / "result.json").read_text())["overall"]
        same = abs(ours["scores"]["accuracy"]["value"] - plain) < 1e-9
        notes = [f"{ours['questions']:,} predictions. The accuracy is {'the same' if same else 'NOT the same'}."]
        if given.report:
            notes.append(_report(folder / "reported", given.report))
    against = "plain Python, accuracy by type alone"
    rows = [
        Row(
            what=what,
            value=took.cpu,
            unit="CPU s",
            against=against,
            table="judging answers",
            more={"wall s": took.wall, "peak MiB": took.peak},
        )
        for what, took in ((against, reference), ("`mereo evaluate`, all tables and intervals", judged))
    ]
    save("judge", given, rows, notes=notes)
    if not same:
        sys.exit("the accuracies differ")


def _report(folder: Path, questions: int) -> str:
    for command in (
        mereo("build", "clevr", folder, "--symbolic", "--scenes", str(questions // PER_SCENE), "--seed", "1"),
        mereo("oracle", folder),
        mereo("oracle", folder, "--noise", "attributes=0.05,objects=0.02"),
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    took = spent(mereo("report", folder))
    size = (folder / "report.html").stat().st_size / 1e6
    return (
        f"`mereo report` of {questions:,} questions, five baselines run on the way, took {took.cpu:.1f} CPU s "
        f"({took.wall:.1f} s of wall time) and wrote {size:.1f} MB. There is nothing to measure that against."
    )


def _dataset(folder: Path, scenes: int, questions: int) -> Path:
    """A dataset of so many questions in one split: those of a small one again and again, each time of new scenes."""
    build = mereo("build", "clevr", folder, "--symbolic", "--split", f"test={scenes}", "--seed", "0")
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    manifest = open_dataset(folder)
    tables = {kind: pq.read_table(folder / kind) for kind in ("questions", "scenes")}
    fields = {"questions": ("question_id", "scene_id"), "scenes": ("scene_id",)}
    files, rows = {}, dict.fromkeys(tables, 0)
    for kind, source in tables.items():
        for path in (folder / kind).glob("*.parquet"):
            path.unlink()
        for number in range(-(-questions // tables["questions"].num_rows)):
            path = folder / kind / f"test-{number:05d}.parquet"
            pq.write_table(_renamed(source, fields[kind], number), path, compression="zstd")
            files[f"{kind}/{path.name}"] = record_file(path)
            rows[kind] += source.num_rows
    counts = {kind: {"test": count} for kind, count in rows.items()}
    write_manifest(folder, msgspec.structs.replace(manifest, **counts, files=files))
    return folder


def _renamed(table: pa.Table, fields: tuple[str, ...], number: int) -> pa.Table:
    for field in fields:
        names = pa.array([f"{number:04d}-{value}" for value in table.column(field).to_pylist()])
        table = table.set_column(table.column_names.index(field), field, names)
    return table


def _predict(dataset: Path, path: Path) -> None:
    """Two answers of three right, the others another question's."""
    table = pq.read_table(dataset / "questions", columns=["question_id", "answer"])
    answers = table.column("answer").to_pylist()
    with path.open("w") as file:
        for place, name in enumerate(table.column("question_id").to_pylist()):
            answer = answers[place if place % 3 else (place * 7 + 1) % len(answers)]
            file.write(json.dumps({"question_id": name, "answer": answer}) + "\n")


if __name__ == "__main__":
    main()
