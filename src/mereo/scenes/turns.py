"""Turns at the GPU: a few processes at a time use it, and the others wait.

A GPU that sixteen processes use at once gives each of them a slice of its time, and a picture, which is dozens of short
steps, waits for all the others at each of them.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from threading import RLock
from typing import IO

__all__ = ["PLACES", "Turns"]

PLACES = 6
"""How many processes use the GPU at once. On an H200 with sixteen workers, two and sixteen took a quarter longer."""


class Turns:
    """Whoever is within has a place at the GPU, and who dies there gives it back. One may go in again while within."""

    def __init__(self, folder: Path | None = None, *, places: int = PLACES):
        self._folder = folder or Path(tempfile.gettempdir()) / f"mereo-gpu-{os.getuid()}"
        self._places, self._inside, self._depth = places, RLock(), 0
        self._held: IO[bytes] | None = None

    def __enter__(self) -> None:
        self._inside.acquire()
        if not self._depth:
            self._held = self._place()
        self._depth += 1

    def __exit__(self, *raised: object) -> None:
        self._depth -= 1
        if not self._depth and self._held is not None:
            self._held.close()  # which unlocks it
        self._inside.release()

    def _place(self) -> IO[bytes]:
        """The first that is free, or else one to wait for."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for place in range(self._places):
            file = (self._folder / str(place)).open("wb")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
            else:
                return file
        file = (self._folder / str(os.getpid() % self._places)).open("wb")
        fcntl.flock(file, fcntl.LOCK_EX)
        return file
