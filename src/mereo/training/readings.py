"""What is read off while a network learns: a line of JSON every few steps, in `metrics.jsonl`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import msgspec
import torch
from torch import Tensor

from mereo.errors import BadInput
from mereo.files import decode_json, read_bytes, sync, write_bytes
from mereo.models.kinds import Lesson

__all__ = ["METRICS", "Metrics", "Reading", "Score", "Tally", "Told", "read_metrics"]

METRICS = "metrics.jsonl"


class Score(msgspec.Struct, frozen=True):
    """Losses and marks, as means over some batches."""

    losses: dict[str, float]
    marks: dict[str, float]


class Reading(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a line says about the steps since the line before."""

    step: int
    """So many steps were made."""
    seconds: float
    """Since learning began, whoever was killed meanwhile."""
    rate: float
    """The learning rate."""
    losses: dict[str, float]
    marks: dict[str, float]
    gradient: float
    """How long it was, before it was bounded."""
    examples_per_second: float
    busy: float
    """Of a GPU the share of the time in which it reckoned, of a processor that which making batches left."""
    memory: float
    """The most that was taken so far, MiB."""
    tried: Score | None = None
    """On examples that are not learned from."""


class Tally:
    """Losses and marks of some steps, which stay on the device until they are read."""

    def __init__(self) -> None:
        self._names: list[list[_Name]] = []
        self._values: list[Tensor] = []

    def __len__(self) -> int:
        return len(self._values)

    def add(self, lesson: Lesson, gradient: Tensor | None = None) -> None:
        """Take note of a step."""
        numbers: dict[_Name, Tensor] = {("loss", name): one for name, one in lesson.losses.items()}
        numbers |= {("mark", name): one for name, one in lesson.marks.items()}
        if gradient is not None:
            numbers["gradient", "length"] = gradient
        self._names.append(list(numbers))
        self._values.append(torch.stack([one.detach().float().reshape(()) for one in numbers.values()]))

    def read(self) -> Told:
        """All of it, which waits for the device; the tally is empty then."""
        rows = torch.cat(self._values).cpu().split([len(one) for one in self._values])
        told = Told([dict(zip(names, row.tolist(), strict=True)) for names, row in zip(self._names, rows, strict=True)])
        self._names, self._values = [], []
        return told


_Name = tuple[str, str]
"""Whether it is a loss, a mark or the gradient, and what it is called."""


class Told(NamedTuple):
    """The numbers of some steps."""

    steps: list[dict[_Name, float]]

    def broken(self) -> tuple[int, str] | None:
        """Which of them is the first that cannot be learned from, and why: something in it is not finite."""
        for place, numbers in enumerate(self.steps):
            for (kind, name), value in numbers.items():
                if kind != "mark" and not math.isfinite(value):
                    return place, f"the {kind} '{name}' is {value}" if kind == "loss" else f"the gradient is {value}"
        return None

    def score(self) -> Score:
        """The means of losses and marks."""
        return Score(self._means("loss"), self._means("mark"))

    def gradient(self) -> float:
        """The mean length of the gradient."""
        return self._means("gradient")["length"]

    def _means(self, wanted: str) -> dict[str, float]:
        """By name the mean over the steps that have a number for it: a mark of nothing is none."""
        found: dict[str, list[float]] = {}
        for numbers in self.steps:
            for (kind, name), value in numbers.items():
                if kind == wanted and math.isfinite(value):
                    found.setdefault(name, []).append(value)
        return {name: math.fsum(values) / len(values) for name, values in found.items()}


class Metrics:
    """A file of readings that grows line by line."""

    def __init__(self, path: Path, *, after: int):
        """Go on with a file after so many steps; what was read later, by whoever was killed, is cut off."""
        self.path = path
        kept = [one for one in read_metrics(path) if one.step <= after] if path.exists() else []
        write_bytes(path, b"".join(map(_line, kept)))

    def add(self, reading: Reading) -> None:
        """One more line."""
        with self.path.open("ab") as file:
            file.write(_line(reading))

    def settle(self) -> None:
        """Have all lines on the disk: a checkpoint is to find those before it."""
        sync(self.path)


def read_metrics(path: Path) -> list[Reading]:
    """The readings of a file. A line that a kill cut off is left out."""
    lines = read_bytes(path).split(b"\n")[:-1]
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(decode_json(line, file=path, type=Reading))
        except BadInput as error:
            raise error.within(record=f"line {number}") from None
    return found


def _line(reading: Reading) -> bytes:
    return msgspec.json.encode(reading) + b"\n"
