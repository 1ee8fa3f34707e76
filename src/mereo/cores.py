"""How many cores reckoning takes."""

from __future__ import annotations

import os

__all__ = ["CORES", "keep_to_one_core"]

CORES = "MEREO_CORES"
"""Environment variable: how many cores networks take on a processor; all that a process may use where it is not set."""


def keep_to_one_core() -> None:
    """Have numpy reckon with one thread, here if it is not imported yet, and in all processes that are started later.

    Judging and making scenes need no more, and threads that wait for each other on a busy machine take several times as
    long.
    """
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
