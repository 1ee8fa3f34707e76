"""Building a symbolic CLEVR set: scenes per second, memory of every worker over time, and whether the bytes agree.

    python bench/build.py [--scenes 2000] [--workers 1 2]
    python bench/build.py --scenes 100000 --workers 2

Runs `mereo build` itself, as a person would, once per number of workers, and reads the resident memory of all its
processes from /proc several times a second. Speed is measured against the first number of workers, start included, and
in long builds memory against itself: it is flat if the last quarter of a build needs what the first quarter did.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from measure import mereo, options, save
from tables import Row

MIB = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")
LONG = 20_000
"""Scenes from which on the memory of quarters is told: with fewer it is that of starting and of the first shard."""
LOOK = 0.2
"""Seconds between two looks at the memory."""


class Build(NamedTuple):
    """What one build took and left."""

    seconds: float
    peak: float
    """MiB of the largest working process."""
    first: float
    """Median MiB of the working processes in the first quarter of the time, start-up left out."""
    last: float
    """… and in the last quarter."""
    total_bytes: int
    digest: str


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=2000)
    parser.add_argument("--questions", type=int, default=10, help="per scene")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = options(parser)
    if given.quick:
        given.scenes, given.workers = 40, given.workers[:1]
    builds: dict[int, Build] = {}
    for workers in given.workers:
        with tempfile.TemporaryDirectory() as folder:
            builds[workers] = _build(Path(folder) / "set", given.scenes, given.questions, workers)
    same = len({built.digest for built in builds.values()}) == 1
    size = next(iter(builds.values())).total_bytes / 1e6
    notes = [f"{given.scenes:,} scenes with {given.questions} questions each, {size:.1f} MB on disk."]
    if len(builds) > 1:
        notes.append(f"The bytes are {'the same' if same else 'NOT the same'} whatever the number of workers.")
    save(f"build-{given.scenes}", given, _rows(given.scenes, builds), notes=notes)
    if not same:
        sys.exit("the bytes differ")


def _rows(scenes: int, builds: dict[int, Build]) -> list[Row]:
    rows, names = [], {workers: f"{workers} worker{'s' * (workers > 1)}" for workers in builds}
    for workers, built in builds.items():
        row = Row(
            what=names[workers],
            value=scenes / built.seconds,
            unit="scenes per second of wall time",
            against=next(iter(names.values())) if len(names) > 1 else "nothing: one number of workers",
            table="building",
            more={"seconds": built.seconds, "peak MiB per worker": built.peak},
        )
        rows.append(row)
    for workers, built in builds.items() if scenes >= LONG else ():
        first = f"{names[workers]}, first quarter"
        for what, size in ((first, built.first), (f"{names[workers]}, last quarter", built.last)):
            rows.append(Row(what=what, value=size, unit="MiB per worker", against=first, table="memory"))
    return rows


def _build(out: Path, scenes: int, questions: int, workers: int) -> Build:
    command = mereo("build", "clevr", out, "--symbolic", "--seed", "0", "--scenes", str(scenes))
    command += ["--questions-per-scene", str(questions), "--workers", str(workers)]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    seen: dict[int, list[tuple[float, float]]] = defaultdict(list)
    while process.poll() is None:
        for pid in (process.pid, *_children(process.pid)):
            size = _resident(pid)
            if size:
                seen[pid].append((time.perf_counter() - started, size))
        time.sleep(LOOK)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"mereo build failed with exit code {process.returncode}")
    # The parent of several workers only writes the manifest; the helper that tracks their resources stays tiny.
    working = {pid: samples for pid, samples in seen.items() if workers == 1 or pid != process.pid}
    largest = max(size for samples in working.values() for _, size in samples)
    working = {pid: samples for pid, samples in working.items() if max(size for _, size in samples) > largest / 3}
    end = max(at for samples in working.values() for at, _ in samples)
    begin = min(2.0, end / 4)  # until then everything is being imported
    warm = [(at, size) for samples in working.values() for at, size in samples if at >= begin]
    quarter = (end - begin) / 4
    files = sorted(path for path in out.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    return Build(
        seconds=round(seconds, 1),
        peak=round(largest, 1),
        first=round(statistics.median(size for at, size in warm if at <= begin + quarter), 1),
        last=round(statistics.median(size for at, size in warm if at >= end - quarter), 1),
        total_bytes=sum(path.stat().st_size for path in files),
        digest=digest.hexdigest(),
    )


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _resident(pid: int) -> float:
    """Resident memory in MiB; 0 for a process that has gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / MIB
    except (OSError, IndexError):
        return 0.0


if __name__ == "__main__":
    main()
