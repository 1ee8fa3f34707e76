"""What many tests need: the official data where it is there, and the command line as people run it.

Where the environment variable `CI` is set, a skipped test fails with the reason for which it would have been skipped:
what a check leaves out it has not checked.
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from kit import OFFICIAL_DATA, THOROUGH, CommandLine
from mereo.caches import PLACE
from mereo.cores import CORES, keep_to_one_core
from mereo.scenes.renderer import THREADS
from postgres import address_of, guarded_database, postgres

_CACHES = "MEREO_TEST_CACHES"
"""Environment variable: set by the first process of a run, whose caches all others share."""

_LONG = (
    *("explore_browse", "docs", "benches", "explore_ask", "free_chart", "models_reasoners", "models_refer"),
    *("annotate_browser", "learning_commands", "shapes", "models_points", "explore_data", "models_perception"),
    *("refer_expressions", "annotate_keys", "refer_learning", "sample_photos", "models_knowledge", "annotate_web"),
)
"""Files that take half a minute and more, the longest first."""

settings.register_profile(
    "mereo",
    max_examples=100 if THOROUGH else 50,
    deadline=None,  # two workers on a busy machine: time is no sign of a fault
    derandomize=True,  # the same examples for everybody
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("mereo")


def pytest_configure() -> None:
    """Keep to a core each, and to caches of our own: tests neither need nor fill those of whoever runs them."""
    gc.disable()  # until all is collected: what is imported stays, and looking through it takes seconds
    keep_to_one_core()
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # So it is in the background of a script, and in all processes that are started there.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for threads in (CORES, THREADS):  # those of two workers wait for each other, and take a core while they do
        os.environ.setdefault(threads, "1")
    if _CACHES not in os.environ:
        os.environ[_CACHES] = os.environ[PLACE] = tempfile.mkdtemp(prefix="mereo-tests-")
        atexit.register(shutil.rmtree, os.environ[PLACE], ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long: whole files go to one worker, and none should be left alone with one at the end."""
    places = {f"test_{name}": place for place, name in enumerate(_LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


def pytest_collection_finish() -> None:
    """Let nobody who collects garbage look through all that was imported and collected: it takes half a second."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def official_data() -> Path:
    """The folder of real data beside the repository; a test that needs it is skipped where it is missing."""
    if not OFFICIAL_DATA.is_dir():
        pytest.skip(f"there is no {OFFICIAL_DATA}: real data is not part of the repository")
    return OFFICIAL_DATA


@pytest.fixture
def mereo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The `mereo` command, run within this process."""
    return CommandLine(monkeypatch, capsys)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL of this process, with a hole for the name of a database."""
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database_address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a new database; nothing for SQLite, which needs none."""
    yield from address_of(request)


@pytest.fixture(params=["sqlite", "postgresql"])
def other_address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of another one."""
    yield from address_of(request)


@pytest.fixture
def guarded(postgres_server: str) -> Iterator[str]:
    """The address of a new PostgreSQL database that one needs a password for, with it."""
    with guarded_database(postgres_server) as address:
        yield address


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is skipped, or that skips itself."""
    report = yield
    forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A whole file that is skipped, because something cannot be imported."""
    report = yield
    forbid_skip(report)
    return report


def forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Make a failure of what is skipped, where nothing may be."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"nothing may be skipped where CI is set: {reason}"
