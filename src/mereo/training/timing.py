"""Where the time goes: how long a step takes, how many fit into a time, and how much of it the device is at work."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch

from mereo.training.device import wait_for

__all__ = ["Lap", "Timing", "Watch", "measure"]

_WARM = 5
"""The first steps find the fastest kernels, or fill caches."""
_TIMED, _AT_LEAST = 10, 1.0
"""So many steps are timed, and for as many seconds."""
_MOST, _FEWEST = 0.1, 2
"""The largest share of a time that goes into finding out how to spend it, and so many steps however long they are."""
_BESIDES = 0.94
"""The share of a time that is left for steps by trying and writing."""
_PROBES = 3
_CYCLES = 2e9
"""About how many cycles a GPU has in a second."""


class Timing(NamedTuple):
    """What a step takes, seconds."""

    step: float
    work: float | None = None
    """Of it the GPU, if it never had to wait for what to do next."""

    def steps_in(self, seconds: float) -> int:
        """How many steps fit into a time, with what is done besides."""
        return max(1, int(_BESIDES * seconds / self.step))


def measure(step: Callable[[int], None], *, device: torch.device, seconds: float | None) -> Timing:
    """Time steps by their number, from 0. seconds : what there is for everything, of which this takes a small part"""
    began = time.perf_counter()

    def late(share: float) -> bool:
        return seconds is not None and time.perf_counter() - began > share * seconds

    made = 0
    while made < _FEWEST or (made < _WARM and not late(_MOST / 2)):
        step(made)
        wait_for(device)
        made += 1
    at_once = _TIMED if device.type == "cuda" else 1  # to wait after every step would be to time that, too
    laps: list[float] = []
    while True:
        started = time.perf_counter()
        for _ in range(at_once):
            step(made)
            made += 1
        wait_for(device)
        laps.append((time.perf_counter() - started) / at_once)
        enough = at_once * len(laps) >= _TIMED and (seconds is None or at_once * sum(laps) >= _AT_LEAST)
        if enough or (len(laps) >= _FEWEST and late(_MOST)):
            break
    each = statistics.median(laps)
    return Timing(each, _work(step, made, each) if device.type == "cuda" else None)


def _work(step: Callable[[int], None], made: int, each: float) -> float:
    """How long a GPU reckons for a step. It is put to sleep until all of the step is told, so that it waits nowhere.

    Events around steps as they come would count the waiting in between as work; so would these, in a network that looks
    at what the GPU found before its step is over.
    """
    found = []
    for probe in range(_PROBES):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(int(2 * each * _CYCLES))
        begin.record()
        step(made + probe)
        end.record()
        end.synchronize()
        found.append(begin.elapsed_time(end) / 1000)
    return float(statistics.median(found))


class Lap(NamedTuple):
    """The time of some steps, seconds."""

    steps: int = 0
    seconds: float = 0.0
    making: float = 0.0
    """Of it making batches."""

    def and_then(self, other: Lap) -> Lap:
        """Both together."""
        return Lap(self.steps + other.steps, self.seconds + other.seconds, self.making + other.making)

    def busy(self, work: float | None) -> float:
        """The share of the time in which the device was at work. work : of a GPU, in each step"""
        spent = self.seconds - self.making if work is None else work * self.steps
        return min(1.0, spent / self.seconds) if self.seconds else 0.0


class Watch:
    """Counts the time while a network learns. What is done besides steps is in no lap."""

    def __init__(self, *, seconds: float = 0.0, laps: Lap | None = None):
        """Go on from so many seconds, of which these were laps."""
        self.laps = laps or Lap()
        self._began = time.perf_counter() - seconds
        self.start()

    @property
    def seconds(self) -> float:
        """Since learning began."""
        return time.perf_counter() - self._began

    def start(self) -> None:
        """Begin a lap."""
        self._started, self._making = time.perf_counter(), 0.0

    @contextmanager
    def making(self) -> Iterator[None]:
        """While a batch is made."""
        started = time.perf_counter()
        yield
        self._making += time.perf_counter() - started

    def stop(self, steps: int) -> Lap:
        """End a lap."""
        lap = Lap(steps, time.perf_counter() - self._started, self._making)
        self.laps = self.laps.and_then(lap)
        return lap
