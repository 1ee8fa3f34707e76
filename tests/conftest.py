"""What many tests need: the official data where it is there, and the command line as people run it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from kit import OFFICIAL_DATA, CommandLine

settings.register_profile(
    "mereo",
    deadline=None,  # two workers on a busy machine: time is no sign of a fault
    derandomize=True,  # the same examples for everybody
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("mereo")


@pytest.fixture
def official_data() -> Path:
    """The folder of real data beside the repository; a test that needs it is skipped where it is missing."""
    if not OFFICIAL_DATA.is_dir():
        pytest.skip(f"there is no {OFFICIAL_DATA}: real data is not part of the repository")
    return OFFICIAL_DATA


@pytest.fixture
def mereo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The `mereo` command, run within this process."""
    return CommandLine(monkeypatch, capsys)
