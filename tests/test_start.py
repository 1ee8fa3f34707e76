"""What a command does not need it does not load, so that help and completion come at once."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from kit import complaint
from mereo.benchmarks.benchmark import _from_package, all_benchmarks
from mereo.benchmarks.offer import all_offers

HEAVY = {"duckdb", "msgspec", "numpy", "pyarrow", "PIL", "mitsuba", "nicegui", "ray", "sqlalchemy", "torch"}
HEAVY_ROOMS = {
    f"mereo.{room}"
    for room in (
        "world",
        "masks",
        "programs",
        "shapes",
        "questions",
        "scenes",
        "evaluation",
        "explorer",
        "workbench",
        "annotation",
    )
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


@pytest.mark.parametrize("command", ["build --help", "build ptr --help", "point --help", "annotate-new --help"])
def test_help_loads_neither_numbers_nor_benchmarks(command: str) -> None:
    loaded = modules_of(*command.split())
    assert "mereo.cli" in loaded
    assert loaded & (HEAVY | HEAVY_ROOMS) == set()
    assert not any(name.startswith("mereo.benchmarks.") and name.endswith(".benchmark") for name in loaded)


@pytest.mark.parametrize(("option", "more"), [("--version", {"rich", "mereo.benchmarks"}), ("--help", set())])
def test_the_first_things_that_people_type_load_next_to_nothing(option: str, more: set[str]) -> None:
    loaded = modules_of(option)
    assert loaded & (HEAVY | HEAVY_ROOMS | more) == set()
    assert "importlib.metadata" not in loaded  # for which there is only time where somebody has plug-ins
    assert not any(name.endswith(".benchmark") for name in loaded)


def test_a_command_about_one_language_loads_its_benchmark_alone() -> None:
    loaded = modules_of("functions", "clevr")
    assert "mereo.benchmarks.clevr.benchmark" in loaded
    assert not {"mereo.benchmarks.ptr.benchmark", "mereo.benchmarks.refer.benchmark"} & loaded


@pytest.mark.parametrize("name", sorted(all_offers()))
def test_the_outline_of_a_benchmark_says_what_the_benchmark_says(name: str) -> None:
    offer, whole = all_offers()[name], all_benchmarks()[name]
    assert (whole.name, whole.about, whole.maker, whole.commands) == (
        *(offer.name, offer.about, offer.maker, offer.commands),
    )
    assert offer.name == name


def test_a_package_must_offer_a_benchmark_under_its_own_name() -> None:
    point = EntryPoint("other", "mereo.benchmarks.clevr.benchmark:BENCHMARK", "mereo.benchmarks")
    complained = complaint(lambda: _from_package(point))
    assert complained == "the entry point 'other' offers a benchmark that is named 'clevr'"
