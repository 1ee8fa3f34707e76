"""Turns at the GPU, which need none to be tested."""

from __future__ import annotations

import fcntl
from pathlib import Path
from threading import Thread

from mereo.scenes.turns import Turns


def is_free(place: Path) -> bool:
    with place.open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def test_a_place_is_taken_while_within_also_when_one_goes_in_again(tmp_path: Path) -> None:
    turns = Turns(tmp_path, places=2)
    with turns:
        with turns:
            assert [is_free(tmp_path / str(place)) for place in (0, 1)] == [False, True]
        assert not is_free(tmp_path / "0")
    assert is_free(tmp_path / "0")


def test_who_finds_no_place_waits_until_one_is_free(tmp_path: Path) -> None:
    first, second = Turns(tmp_path, places=1), Turns(tmp_path, places=1)
    done: list[str] = []

    def work() -> None:
        with second:
            done.append("second")

    with first:
        waiting = Thread(target=work)
        waiting.start()
        done.append("first")
    waiting.join(timeout=30)
    assert done == ["first", "second"]


def test_a_place_is_given_back_when_the_work_fails(tmp_path: Path) -> None:
    turns = Turns(tmp_path, places=1)
    try:
        with turns:
            raise RuntimeError
    except RuntimeError:
        pass
    assert is_free(tmp_path / "0")
