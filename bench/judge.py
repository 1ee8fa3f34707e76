"""How fast predictions are judged, and how long a report takes: `mereo evaluate` and `mereo report` as people run them.

A symbolic dataset is built once and its questions are repeated under new names until there are enough. The reference is
the least that a judge can do in plain Python: read every line, look the question up, compare two words, count by type.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from measure import machine, save
from mereo.datasets.store import open_dataset, record_file, write_manifest

SCENES = 5000
PER_SCENE = 10


class Run(NamedTuple):
    """A command that has ended."""

    seconds: float
    cpu: float
    """Seconds of processor time, which other work on the machine disturbs less."""
    peak: float
    """Largest resident memory of this command and all before it, MiB."""
    out: str


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--predictions", type=int, default=1_000_000)
    parser.add_argument("--report", type=int, default=10_000, help="questions of the reported set")
    options = parser.parse_args()
    result: dict[str, Any] = {}
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset, predictions = _dataset(folder / "set", options.predictions), folder / "model.jsonl"
        _predict(dataset, predictions)
        judged = _run("evaluate", dataset, predictions)
        started = time.perf_counter()
        plain = _plain(dataset, predictions)
        reference = time.perf_counter() - started
        ours = json.loads((dataset / "runs" / "model" / "result.json").read_text())["overall"]
        same = abs(ours["scores"]["accuracy"]["value"] - plain) < 1e-9
        print(f"{options.predictions:,} predictions, {ours['questions']:,} questions, one core")
        print(f"mereo evaluate, all tables: {judged.seconds:.1f} s ({judged.cpu:.1f} s CPU), {judged.peak:.0f} MiB")
        print(f"plain Python, accuracy by type alone: {reference:.1f} s; the same accuracy: {'yes' if same else 'NO'}")
        result |= {
            "predictions": options.predictions,
            "evaluate_seconds": round(judged.seconds, 1),
            "evaluate_cpu_seconds": round(judged.cpu, 1),
            "evaluate_peak_mib": round(judged.peak),
            "plain_seconds": round(reference, 1),
            "same_accuracy": same,
        }
        result |= _report(folder / "reported", options.report)
    save("judge", result)
    sys.exit(0 if same else 1)


def _report(folder: Path, questions: int) -> dict[str, Any]:
    _mereo("build", "clevr", folder, "--symbolic", "--scenes", str(questions // PER_SCENE), "--seed", "1")
    _mereo("oracle", folder)
    _mereo("oracle", folder, "--noise", "attributes=0.05,objects=0.02")
    written = _run("report", folder)
    size = (folder / "report.html").stat().st_size / 1e6
    print(f"mereo report of {questions:,} questions, baselines run on the way: {written.seconds:.1f} s, {size:.1f} MB")
    return {
        "report_questions": questions,
        "report_seconds": round(written.seconds, 1),
        "report_cpu_seconds": round(written.cpu, 1),
        "report_mb": round(size, 1),
    }


def _mereo(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "mereo", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def _run(*arguments: str | Path) -> Run:
    """A command on one core, with its memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    command = ["taskset", "-c", "0", sys.executable, "-m", "mereo", *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(seconds, cpu, after.ru_maxrss / 1024, done.stdout)


def _dataset(folder: Path, questions: int) -> Path:
    """A dataset of so many questions in one split: those of a small one again and again, each time of new scenes."""
    _mereo("build", "clevr", folder, "--symbolic", "--split", f"test={SCENES}", "--seed", "0")
    manifest = open_dataset(folder)
    table, scenes = (_whole(folder, kind) for kind in ("questions", "scenes"))
    for kind in ("questions", "scenes"):
        for path in (folder / kind).glob("*.parquet"):
            path.unlink()
    files = {}
    for number in range(-(-questions // table.num_rows)):
        for kind, source, fields in (
            ("questions", table, ("question_id", "scene_id")),
            ("scenes", scenes, ("scene_id",)),
        ):
            renamed = source
            for field in fields:
                column = pa.array([f"{number:04d}-{value}" for value in source.column(field).to_pylist()])
                renamed = renamed.set_column(renamed.column_names.index(field), field, column)
            path = folder / kind / f"test-{number:05d}.parquet"
            pq.write_table(renamed, path, compression="zstd")
            files[f"{kind}/{path.name}"] = record_file(path)
    rows = {
        kind: sum(file.rows for name, file in files.items() if name.startswith(kind))
        for kind in ("scenes", "questions")
    }
    counts = {kind: {"test": count} for kind, count in rows.items()}
    write_manifest(
        folder,
        msgspec.structs.replace(manifest, scenes=counts["scenes"], questions=counts["questions"], files=files),
    )
    return folder


def _whole(folder: Path, kind: str) -> pa.Table:
    return pa.concat_tables(pq.read_table(path) for path in sorted((folder / kind).glob("*.parquet")))


def _predict(dataset: Path, path: Path) -> None:
    """Two answers of three right, the others another question's."""
    table = _whole(dataset, "questions")
    answers = table.column("answer").to_pylist()
    with path.open("w") as file:
        for place, name in enumerate(table.column("question_id").to_pylist()):
            answer = answers[place if place % 3 else (place * 7 + 1) % len(answers)]
            file.write(json.dumps({"question_id": name, "answer": answer}) + "\n")


def _plain(dataset: Path, path: Path) -> float:
    table = _whole(dataset, "questions")
    columns = (table.column(name).to_pylist() for name in ("question_id", "answer", "type"))
    known = {name: (answer, type) for name, answer, type in zip(*columns, strict=True)}
    right: Counter[str] = Counter()
    with path.open() as file:
        for line in file:
            prediction = json.loads(line)
            answer, type = known[prediction["question_id"]]
            right[type] += prediction["answer"].strip().lower() == answer
    return right.total() / len(known)


if __name__ == "__main__":
    main()
