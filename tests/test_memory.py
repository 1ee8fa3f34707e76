"""A worker keeps nothing of a scene that it has finished; `bench/memory.py` watches this over a thousand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[1] / "bench"
WATCH = """
import sys
sys.path.insert(0, sys.argv[1])
import memory
memory.WIDTH, memory.HEIGHT = 48, 32
make = memory.of_benchmark("clevr", "auto")
for index in range(40):
    make(index)
    if index in (9, 39):
        print(memory.resident())
"""


def test_memory_does_not_grow_with_the_number_of_scenes() -> None:
    command = [sys.executable, "-c", WATCH, str(BENCH)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    early, late = map(float, said)
    assert early > 50
    assert late - early < 15, "one lost mesh or texture for each of 30 scenes would be more MiB than that"
