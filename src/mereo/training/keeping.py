"""The folder in which a network learns: where it stands, what was read off, its weights at the end, its curves."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import torch
from torch import nn

from mereo.errors import BadInput, differing
from mereo.files import write_bytes
from mereo.training.checkpoint import load_into, read_checkpoint, write_checkpoint
from mereo.training.curves import draw_curves
from mereo.training.readings import METRICS, Metrics, Reading, read_metrics
from mereo.training.row import PART

__all__ = ["CURVES", "STATE", "WEIGHTS", "Keeping", "load_weights"]

STATE = "state.pt"
"""Where learning stands; gone when it is done."""
WEIGHTS = "weights.pt"
CURVES = "curves.svg"
SECONDS = 20.0
"""How long what is learned may stay unwritten, on a disk that is fast enough."""
SHARE = 0.02
"""The largest share of the time that goes into writing."""


class Keeping:
    """What is kept of a network that learns. settings : what must be the same for whoever goes on"""

    def __init__(self, folder: Path, settings: dict[str, Any], *, device: torch.device):
        self.folder, self.settings, self.device = folder, settings, device
        self._due = time.perf_counter() + SECONDS
        self._metrics: Metrics | None = None

    def begun(self) -> dict[str, Any] | None:
        """Where somebody stood who was stopped, if there is one; what was read off after that is forgotten."""
        path = self.folder / STATE
        state = read_checkpoint(path, device=self.device) if path.exists() else None
        if state is not None:
            self._same(state, path)
        self._metrics = Metrics(self.folder / METRICS, after=state["step"] if state is not None else 0)
        return state

    def finished(self, network: nn.Module) -> dict[str, Any] | None:
        """What a network came to that has learned here before; it gets its weights."""
        path = self.folder / WEIGHTS
        if not path.exists():
            return None
        content = read_checkpoint(path, device=self.device)
        self._same(content, path)
        load_into(network, content["network"], file=path)
        return dict(content["fitted"])

    def note(self, reading: Reading) -> None:
        """Keep what was read off."""
        assert self._metrics is not None
        self._metrics.add(reading)

    def is_due(self) -> bool:
        """Whether it is time to write down where learning stands."""
        return time.perf_counter() >= self._due

    def keep(self, state: dict[str, Any]) -> None:
        """Write down where learning stands."""
        assert self._metrics is not None
        started = time.perf_counter()
        self._metrics.settle()
        write_checkpoint(self.folder / STATE, {"settings": self.settings, **state})
        ended = time.perf_counter()
        self._due = ended + max(SECONDS, (ended - started) / SHARE)

    def keep_part(self, number: int, network: nn.Module) -> None:
        """Write down what was learned in a part of the time. number : which part ends, from 1"""
        write_checkpoint(self.folder / part_name(number), {"settings": self.settings, "network": network.state_dict()})

    def finish(self, network: nn.Module, fitted: dict[str, Any]) -> None:
        """Write down what was learned."""
        content = {"settings": self.settings, "network": network.state_dict(), "fitted": fitted}
        self.draw()
        write_checkpoint(self.folder / WEIGHTS, content)
        (self.folder / STATE).unlink(missing_ok=True)

    def draw(self) -> None:
        """Draw the curves so far."""
        drawn = draw_curves(read_metrics(self.folder / METRICS), title=self.folder.name)
        write_bytes(self.folder / CURVES, drawn.encode())

    def _same(self, content: dict[str, Any], path: Path) -> None:
        different = differing(content.get("settings", {}), self.settings)
        if different:
            raise BadInput(f"was begun with {different}", file=path)


def part_name(number: int) -> str:
    """The file of the weights after a part of the time."""
    return f"weights-{number}.pt"


def load_weights(network: nn.Module, folder: Path, *, device: torch.device, part: int = 0) -> dict[str, Any]:
    """Give a network, on its device, what it learned in a folder; and tell what that came to.

    part : only what it learned until that part of the time ended, counted from 1; 0 for all of it
    """
    path = folder / WEIGHTS
    if not path.exists():
        raise BadInput(f"is not trained to the end: there is no {WEIGHTS}", file=folder)
    content = read_checkpoint(path, device=device)
    known, parts = content["network"], int(content["settings"].get("parts", 1))
    if not 0 <= part <= parts:
        raise BadInput(f"must be from 1 to {parts}, the parts of the time after which weights were kept", field=PART)
    if 0 < part < parts:
        path = folder / part_name(part)
        known = read_checkpoint(path, device=device)["network"]
    load_into(network, known, file=path)
    return dict(content["fitted"])
