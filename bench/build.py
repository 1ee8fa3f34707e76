"""Building a symbolic CLEVR set: scenes per second, memory of every worker over time, and whether the bytes agree.

    python bench/build.py [--scenes 100000] [--workers 1 2]

Runs `mereo build` itself, as a person would, once per number of workers, and reads the resident memory of all its
processes from /proc twice a second. Memory is flat if the last quarter of a build needs what the first quarter did.
The ratio is against the first number of workers.
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
from typing import Any, NamedTuple

from measure import machine, save

MIB = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")


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
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=2000)
    parser.add_argument("--questions", type=int, default=10, help="per scene")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    print(f"{machine()}, {options.scenes:,} scenes with {options.questions} questions each\n")
    print("workers   seconds  scenes/s  questions/s   ratio   peak MiB  first quarter  last quarter   MB on disk")
    builds: dict[int, Build] = {}
    for workers in options.workers:
        with tempfile.TemporaryDirectory() as folder:
            built = builds[workers] = _build(Path(folder) / "set", options.scenes, options.questions, workers)
        speed = options.scenes / built.seconds
        ratio = builds[options.workers[0]].seconds / built.seconds
        print(
            f"{workers:>7} {built.seconds:>9.1f} {speed:>9.0f} {speed * options.questions:>12.0f} {ratio:>6.2f} ×"
            f" {built.peak:>10.0f} {built.first:>14.0f} {built.last:>13.0f} {built.total_bytes / 1e6:>12.1f}"
        )
    same = len({built.digest for built in builds.values()}) == 1
    if len(builds) > 1:
        print(f"\nthe same bytes whatever the number of workers: {'yes' if same else 'NO'}")
    result: dict[str, Any] = {"scenes": options.scenes, "questions_per_scene": options.questions}
    for workers, built in builds.items():
        result[f"{workers} workers"] = {**built._asdict(), "scenes_per_second": options.scenes / built.seconds}
    save(f"build-{options.scenes}", {**result, "same_bytes": same if len(builds) > 1 else None})
    sys.exit(0 if same else 1)


def _build(out: Path, scenes: int, questions: int, workers: int) -> Build:
    command = [sys.executable, "-m", "mereo", "build", "clevr", str(out), "--symbolic", "--seed", "0"]
    command += ["--scenes", str(scenes), "--questions-per-scene", str(questions), "--workers", str(workers)]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    seen: dict[int, list[tuple[float, float]]] = defaultdict(list)
    while process.poll() is None:
        for pid in (process.pid, *_children(process.pid)):
            size = _resident(pid)
            if size:
                seen[pid].append((time.perf_counter() - started, size))
        time.sleep(0.5)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(f"mereo build failed with exit code {process.returncode}")
    # The parent of several workers only writes the manifest; the helper that tracks their resources stays tiny.
    working = {pid: samples for pid, samples in seen.items() if workers == 1 or pid != process.pid}
    largest = max(size for samples in working.values() for _, size in samples)
    working = {pid: samples for pid, samples in working.items() if max(size for _, size in samples) > largest / 3}
    warm = [(at, size) for samples in working.values() for at, size in samples if at > 2]
    end = max(at for at, _ in warm)
    quarter = (end - 2) / 4
    files = sorted(path for path in out.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    return Build(
        seconds=round(seconds, 1),
        peak=round(largest, 1),
        first=round(statistics.median(size for at, size in warm if at <= 2 + quarter), 1),
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
