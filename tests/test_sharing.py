"""A GPU that workers share: only where it works, and nothing is left behind."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from mereo.scenes import sharing
from mereo.scenes.sharing import shared_gpu

VARIABLES = ("CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY")


@pytest.fixture(autouse=True)
def gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine that seems to have a GPU, and no service that anybody started."""
    monkeypatch.setattr(sharing, "obstacle", lambda variant: None)
    monkeypatch.setattr(sharing, "_USUAL_PIPES", tmp_path / "none")
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def service(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A control program that notes what it is told, and does as the script says."""
    said = folder / "said"
    program = folder / "nvidia-cuda-mps-control"
    program.write_text(f'#!/bin/sh\necho "$* $(cat) $CUDA_MPS_PIPE_DIRECTORY" >> {said}\n{script}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return said


def test_workers_share_while_the_build_runs_and_not_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = service(tmp_path, monkeypatch, "exit 0")
    monkeypatch.setattr(sharing, "_TRIAL", "raise SystemExit(0)")
    with shared_gpu(16) as shares:
        assert shares
        folder = os.environ[VARIABLES[0]]
        assert Path(folder).is_dir()
    assert not any(name in os.environ for name in VARIABLES)
    assert not Path(folder).exists()
    assert said.read_text().splitlines() == [f"-d  {folder}", f" quit -t 5 {folder}"]


def test_a_service_that_does_not_work_is_ended_and_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = service(tmp_path, monkeypatch, "exit 0")
    monkeypatch.setattr(sharing, "_TRIAL", "raise SystemExit(1)")
    with shared_gpu(16) as shares:
        assert not shares
        assert not any(name in os.environ for name in VARIABLES)
    assert [line.split()[0] for line in said.read_text().splitlines()] == ["-d", "quit"]


def test_without_a_service_all_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with shared_gpu(16) as shares:
        assert not shares


def test_one_worker_and_a_service_of_somebody_else_need_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = service(tmp_path, monkeypatch, "exit 0")
    with shared_gpu(1) as shares:
        assert not shares
    monkeypatch.setenv(VARIABLES[0], "/elsewhere")
    with shared_gpu(16) as shares:
        assert not shares
    assert os.environ[VARIABLES[0]] == "/elsewhere"
    assert not said.exists()
