"""Seconds of the same build on a Ray cluster of one node and of two: does it take half the time?

    python bench/cluster.py [--of ptr] [--cpus 4] [--scenes 1000] [--renderer cuda]

The nodes are those of a cluster on this machine, each with its own scheduler and so many cores, so that the machine
needs as many for every node. Scenes are made without pictures and questions. A build of four scenes for each core
tells what the start takes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ray.cluster_utils import Cluster

from measure import options, save
from mereo.scenes.renderer import choose_renderer
from tables import Row

NODES = (1, 2)


def seconds(of: str, scenes: int, renderer: str, address: str) -> float:
    """Wall seconds of a build."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder, "built"))
        command = [sys.executable, "-m", "mereo", "build", of, out, "--split", f"train={scenes}", "--symbolic"]
        command += ["--questions-per-scene", "0", "--renderer", renderer, "--ray", address]
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - started


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", default="ptr", help="a benchmark")
    parser.add_argument("--cpus", type=int, default=1, help="cores of a node")
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--renderer", default="auto")
    chosen = options(parser)
    scenes = 4 if chosen.quick else chosen.scenes
    renderer = choose_renderer(chosen.renderer)
    rows = []
    for nodes in NODES:
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": chosen.cpus, "include_dashboard": False})
        for _ in range(nodes - 1):
            cluster.add_node(num_cpus=chosen.cpus)
        try:
            start = seconds(chosen.of, 4 * chosen.cpus, renderer, cluster.address)
            whole = seconds(chosen.of, scenes, renderer, cluster.address)
        finally:
            cluster.shutdown()  # type: ignore[no-untyped-call]
        name = f"{nodes} node{'s' * (nodes > 1)} of {chosen.cpus} cores"
        more: dict[str, float | None] = {f"{4 * chosen.cpus} scenes": start, "what they add": whole - start}
        against = f"1 node of {chosen.cpus} cores"
        rows.append(Row(what=name, value=whole, unit="seconds", against=against, table="a build on Ray", more=more))
    notes = f"{scenes:,} scenes of {chosen.of} without pictures and questions, {renderer}."
    save("cluster", chosen, rows, notes=[notes])


if __name__ == "__main__":
    main()
