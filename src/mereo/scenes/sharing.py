"""Many processes at one GPU: NVIDIA's multi-process service, for as long as they run.

By itself a driver gives the whole GPU to one process after the other, a few milliseconds each. Sixteen workers that
send many small programs then wait for each other most of the time; through the service they work side by side, and so
do networks that learn.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mereo.scenes.renderer import obstacle

__all__ = ["shared_gpu"]

_CONTROL = "nvidia-cuda-mps-control"
_PIPES, _LOGS = "CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"
_USUAL_PIPES = Path("/tmp/nvidia-mps")
"""Where a service listens that somebody started without choosing a place, by NVIDIA's manual."""
_PATIENCE = 60
"""Seconds in which the service must answer."""
_TRIAL = """
import ctypes
driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
raise SystemExit(driver.cuInit(0) or driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
"""


@contextmanager
def shared_gpu(workers: int) -> Iterator[bool]:
    """Have processes that are started within share the GPU; gives whether they do.

    Where there is no GPU, no such service, or one that somebody else started, all stays as it is. It is tried out in a
    process of its own first: a service that does not work would let every worker fail.
    """
    if workers < 2 or obstacle("cuda") is not None or _PIPES in os.environ or _USUAL_PIPES.exists():
        yield False
        return
    with TemporaryDirectory(prefix="mereo-gpu-", ignore_cleanup_errors=True) as folder:
        own = {_PIPES: folder, _LOGS: folder}
        if not _started(own):
            yield False
            return
        os.environ.update(own)
        try:
            yield True
        finally:
            for name in own:
                del os.environ[name]
            _done([_CONTROL], own, said="quit -t 5\n")


def _started(own: dict[str, str]) -> bool:
    if not _done([_CONTROL, "-d"], own):
        return False
    if _done([sys.executable, "-c", _TRIAL], own):
        return True
    logging.getLogger("mereo").info("the GPU is not shared: its multi-process service does not work here")
    _done([_CONTROL], own, said="quit -t 5\n")
    return False


def _done(command: list[str], own: dict[str, str], said: str = "") -> bool:
    """Whether a command ended well."""
    try:
        ended = subprocess.run(
            command,
            input=said,
            env=os.environ | own,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0
