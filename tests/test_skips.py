"""In CI a skipped test is a failed one; elsewhere it is skipped and says why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "test_some.py": """
        import pytest

        def test_that_skips_itself():
            pytest.skip("there is no data")

        @pytest.mark.skipif(True, reason="there is no browser")
        def test_that_is_skipped(): ...

        @pytest.fixture
        def lacking():
            pytest.skip("there is no package")

        def test_whose_fixture_skips(lacking): ...

        @pytest.mark.xfail(reason="known")
        def test_that_is_known_to_fail():
            assert False

        def test_that_passes(): ...
        """,
    "test_module.py": """
        import pytest

        pytest.importorskip("no_such_package", reason="there is no module")

        def test_that_is_not_even_seen(): ...
        """,
}
REASONS = ("there is no data", "there is no browser", "there is no package", "there is no module")


@pytest.mark.parametrize(
    ("ci", "more", "code", "summary"),
    [
        ("", (), 0, "1 passed, 4 skipped, 1 xfailed"),
        ("true", (), 1, "1 failed, 1 passed, 1 xfailed, 3 errors"),
        ("true", ("--numprocesses", "1"), 1, "1 failed, 1 passed, 1 xfailed, 3 errors"),
    ],
    ids=["elsewhere", "in CI", "in CI, distributed"],
)
def test_a_skip_fails_in_ci_and_only_there(
    tmp_path: Path, ci: str, more: tuple[str, ...], code: int, summary: str
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.replace("\n        ", "\n"))
    options = ("--continue-on-collection-errors", "-ra", "-p", "no:cacheprovider", "-p", "conftest")
    paths = os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--rootdir", tmp_path, *options, *more, tmp_path],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "CI": ci, "PYTHONPATH": paths},
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert summary in done.stdout
    assert all(reason in done.stdout for reason in REASONS)
