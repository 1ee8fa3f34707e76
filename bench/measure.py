"""What the benches share: their options, timing that other work disturbs little, and keeping of results."""

from __future__ import annotations

import argparse
import datetime as dt
import gc
import math
import os
import platform
import re
import resource
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tables import HERE, RESULTS, Machine, Result, Row, blocks, shown

QUICK = HERE.parent / "build" / "bench"
"""Where quick runs leave their results: they are tries, not figures."""


class Rates(NamedTuple):
    """How many of something were done in a CPU second: in the first round, and in those after it."""

    cold: float
    warm: list[float]

    def row(self, what: str, *, unit: str, against: str, table: str = "") -> Row:
        """The warm rounds as a row, the cold one beside them."""
        return spread(what, self.warm, unit=unit, against=against, table=table, more={"first round": self.cold})


class Spent(NamedTuple):
    """What a command took, its children included."""

    wall: float
    cpu: float
    peak: float
    """Largest resident memory, MiB."""
    code: int


def options(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Read the command line; every bench can be tried quickly and writes where it is told to."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="a try of seconds, whose figures mean nothing")
    parser.add_argument("--out", type=Path, help="folder for the result (default: bench/results, quick: build/bench)")
    read = parser.parse_args()
    read.out = read.out or (QUICK if read.quick else RESULTS)
    read.machine, read.commit = machine(), _commit()
    print(shown(read.machine))
    return read


def rates(work: Callable[[], int], *, rounds: int) -> Rates:
    """Time work that says how much it has done, once cold and so many rounds warm.

    CPU seconds of this process, not wall time, so that other load only shows through the caches.
    """
    found = []
    for _ in range(1 + rounds):
        gc.collect()
        started = time.process_time()
        done = work()
        found.append(done / (time.process_time() - started))
    return Rates(found[0], found[1:])


def spread(
    what: str,
    values: Sequence[float],
    *,
    unit: str,
    against: str,
    table: str = "",
    more: dict[str, float | None] | None = None,
) -> Row:
    """A row of several measurements of one thing: their median, the lowest and the highest."""
    low, high = (min(values), max(values)) if len(values) > 1 else (None, None)
    median = statistics.median(values)
    return Row(
        what=what, value=median, unit=unit, against=against, low=low, high=high, table=table, more=dict(more or {})
    )


def spent(command: Sequence[str | Path], *, patience: float | None = None) -> Spent:
    """Run a command to its end, or until it has used so many CPU seconds, which gives a code below 0."""

    def bound() -> None:
        if patience is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(patience), math.ceil(patience)))

    started = time.perf_counter()
    words = [str(word) for word in command]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, preexec_fn=bound)  # noqa: PLW1509  no threads here
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode > 0:
        sys.exit(f"{command[0]} {command[1]} failed with exit code {process.returncode}")
    return Spent(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode)


def mereo(*words: str | Path) -> list[str]:
    """A command of mereo, by the Python that runs now."""
    return [sys.executable, "-m", "mereo", *map(str, words)]


def machine() -> Machine:
    """This machine."""
    return Machine(
        processor=f"{platform.machine()}, {_model()}",
        python=platform.python_version(),
        cores=os.cpu_count(),
        load=round(os.getloadavg()[0], 1),
    )


def _model() -> str:
    """What the processor is called."""
    try:
        words = {**os.environ, "LC_ALL": "C"}
        said = subprocess.run(["lscpu"], check=False, capture_output=True, text=True, env=words).stdout
    except OSError:
        return "processor unknown"
    found = re.search(r"^Model name:\s*(.+)$", said, re.MULTILINE)
    return found[1].strip() if found else "processor unknown"


def save(name: str, read: argparse.Namespace, rows: list[Row], *, notes: Sequence[str] = ()) -> Result:
    """Keep a result, and print it as the README shows it."""
    result = Result(
        command=_command(),
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        commit=read.commit,
        machine=read.machine,
        rows=[_rounded(row) for row in rows],
        notes=list(notes),
        quick=read.quick,
    )
    read.out.mkdir(parents=True, exist_ok=True)
    (read.out / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    print(f"\n{blocks(result)}")
    return result


def _rounded(row: Row) -> Row:
    """Five digits are more than any figure here is good for."""

    def short(value: float | None) -> float | None:
        return None if value is None else float(f"{value:.5g}")

    more = {name: short(value) for name, value in row.more.items()}
    value = float(f"{row.value:.5g}")
    return msgspec.structs.replace(row, value=value, low=short(row.low), high=short(row.high), more=more)


def _command() -> str:
    """The command line as another person would type it: no folder for the result, absolute paths by their last name."""
    given = list(sys.argv[1:])
    if "--out" in given:
        place = given.index("--out")
        del given[place : place + 2]
    words = [Path(word).name if word.startswith("/") else word for word in given]
    return shlex.join(["python", f"bench/{Path(sys.argv[0]).name}", *words])


def _commit() -> str:
    """The commit that is measured, and whether code was changed since."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", ".", "../src", ":!results", ":!README.md")
        return git("rev-parse", "--short", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "not known"
