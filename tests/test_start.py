"""What a command does not need it does not load, so that help and completion come at once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mereo.benchmarks.benchmark import all_benchmarks
from mereo.benchmarks.outline import all_outlines

HEAVY = {"duckdb", "msgspec", "numpy", "pyarrow", "PIL", "mitsuba", "nicegui", "ray", "torch"}
HEAVY_ROOMS = {
    f"mereo.{room}"
    for room in ("world", "masks", "programs", "shapes", "questions", "scenes", "evaluation", "explorer", "workbench")
}
LOADED = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
RUN = LOADED + "sys.argv = ['mereo', *sys.argv[1:]]; from mereo.cli import main; main()"


def modules_of(*arguments: str) -> set[str]:
    """The modules that a command has loaded when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], check=False, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("command", ["--help", "build --help", "build ptr --help", "point --help"])
def test_help_loads_neither_numbers_nor_benchmarks(command: str) -> None:
    loaded = modules_of(*command.split())
    assert "mereo.cli" in loaded
    assert loaded & (HEAVY | HEAVY_ROOMS) == set()
    assert not any(name.startswith("mereo.benchmarks.") and name.endswith(".benchmark") for name in loaded)


def test_the_version_needs_nothing_but_the_command_line() -> None:
    loaded = modules_of("--version")
    assert loaded & (HEAVY | HEAVY_ROOMS) == set()
    assert not any(name.startswith(("mereo.benchmarks", "rich", "importlib.metadata")) for name in loaded)


def test_a_command_about_one_language_loads_its_benchmark_alone() -> None:
    loaded = modules_of("functions", "clevr")
    assert "mereo.benchmarks.clevr.benchmark" in loaded
    assert not {"mereo.benchmarks.ptr.benchmark", "mereo.benchmarks.refer.benchmark"} & loaded


@pytest.mark.parametrize("name", sorted(all_outlines()))
def test_the_outline_of_a_benchmark_says_what_the_benchmark_says(name: str) -> None:
    outline, whole = all_outlines()[name], all_benchmarks()[name]
    assert (whole.name, whole.about, whole.maker, whole.commands) == (
        *(outline.name, outline.about, outline.maker, outline.commands),
    )
    assert outline.name == name
