"""What the benchmarks share: timing that other work on the machine disturbs little, and results on paper."""

from __future__ import annotations

import gc
import json
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).with_name("results")


class Rate(NamedTuple):
    """How many of something are done in a second: the best of several rounds, and the median."""

    best: float
    median: float

    def __str__(self) -> str:
        return f"{self.best:>12,.0f} {self.median:>12,.0f}"


def rate(work: Callable[[], int], *, rounds: int, warm_up: bool = True) -> Rate:
    """Time work that says how much it has done.

    CPU seconds of this process, not wall time, so that other load only shows through the caches.
    """
    if warm_up:
        work()
    rates = []
    for _ in range(rounds):
        gc.collect()
        started = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - started))
    return Rate(max(rates), statistics.median(rates))


def machine() -> dict[str, str]:
    """The processor and the Python that the figures are of."""
    model = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "CPU part"):
            model = f"{platform.machine()}, {value.strip()}"
            break
    return {"processor": model, "python": platform.python_version()}


def table(title: str, rates: dict[str, Rate], *, against: str | None, unit: str) -> None:
    """Print rates, and each as a multiple of one of them."""
    width = max(map(len, rates))
    print(f"\n{title}\n{'':<{width}} {'best':>12} {'median':>12}  {unit}" + ("   ratio" if against else ""))
    for name, measured in rates.items():
        ratio = f"{measured.median / rates[against].median:>{len(unit) + 3}.1f} ×" if against else ""
        print(f"{name:<{width}} {measured}  {ratio}")


def save(name: str, result: dict[str, Any]) -> None:
    """Keep a result beside the scripts."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps({**machine(), **result}, indent=1) + "\n")
