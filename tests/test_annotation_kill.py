"""A process that is killed while it acts loses nothing that it answered, and what is sent again is not doubled."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from sqlalchemy import text

from kit import ROOT
from mereo.annotation.actions import Group, Release
from mereo.annotation.queue import next_work
from mereo.annotation.store import Store
from works import person, project


def killed(folder: Path, work: int, lines: int) -> list[list[str]]:
    """What a worker told until it was killed, after so many lines."""
    command = [sys.executable, str(ROOT / "tests" / "annotation_worker.py"), str(folder), str(work)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        told = [worker.stdout.readline() for _ in range(lines)]
        worker.send_signal(signal.SIGKILL)
        told += worker.stdout.readlines()
    assert worker.returncode == -signal.SIGKILL
    return [line.split() for line in told if line.endswith("\n")]


def test_kill_9_loses_and_doubles_nothing(tmp_path: Path, database_address: str) -> None:
    with project(tmp_path / "p", database_address) as made:
        who = person(made, "ann")
        work = next_work(made, who)
        assert work is not None
        answered: dict[int, str] = {}
        for lines in (31,) if database_address else (8, 31):  # after an answer, and under way
            told = killed(tmp_path / "p", work, lines)
            answered |= {int(number): key for word, key, number in told if word == "answered"}
            _, key, after = [line for line in told if line[0] == "sent"][-1]
            number = int(after)
            store = Store(made)
            again = store.act(work, who, key, number, Release((0,)) if number % 2 else Group(0, (0,)))
            assert again.number == number + 1
            answered[again.number] = key
            assert store.open_work(work, who).row.number == again.number
        assert list(answered) == list(range(1, len(answered) + 1))
        with made.database.reading() as session:
            rows = session.execute(text("SELECT number, key FROM actions ORDER BY number")).all()
        assert [tuple(row) for row in rows] == list(answered.items())
