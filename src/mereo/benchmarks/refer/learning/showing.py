"""What the steps of a program mark, for people to see one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from mereo.benchmarks.refer.learning.programs import modules_known, programs_of
from mereo.benchmarks.refer.learning.stages import expressions
from mereo.datasets.sights import Looks
from mereo.programs import Program, format_step
from mereo.training.device import mixed
from mereo.training.row import Desk
from mereo.training.step_source import StepSource

__all__ = ["show_steps"]

_AT_ONCE = 16
"""Expressions whose steps are shown together."""


def show_steps(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """The mask of every step that IEP-Ref runs for some expressions, by `Segment` at each; none without a program."""
    known = dict(zip(places, programs_of(desk, split, places), strict=True))
    source = expressions(desk, split, meaning="any", together=1)
    programs = [known.get(place) for place in range(len(source.questions.ids))]
    stepwise = StepSource(source, programs, modules_known(desk))
    network: Any = desk.networks["modules"].eval()
    for some in torch.tensor([*places], dtype=torch.int64, device=desk.device).split(_AT_ONCE):
        with torch.inference_mode(), mixed(desk.device):
            masks = network.mark_steps(stepwise.batch(source.examples(some))).sigmoid().float().cpu().numpy()
        for place, own in zip(some.tolist(), masks, strict=True):
            program = programs[place]
            if program is not None:
                yield _looks(source.questions.ids[place], own[: len(program)], program)


def _looks(question_id: str, maps: NDArray[np.float32], program: Program) -> Looks:
    """maps : (s, rows, columns), how sure it is of every cell. Each step is called as the program calls it."""
    marked = np.where(maps.max((1, 2), keepdims=True) > 0.5, maps, 0.0)
    most = marked.max((1, 2)) / np.maximum(marked.sum((1, 2)), 1e-6)
    names = tuple(format_step(step) for step in program.steps)
    own = np.eye(len(names), dtype=np.uint8) * 255
    return Looks(question_id, np.rint(255 * marked).astype(np.uint8), tuple(most.tolist()), names, own)
