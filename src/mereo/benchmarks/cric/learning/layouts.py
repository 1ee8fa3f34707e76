"""NMN-CS on CRIC: programs as layouts of modules, what they learn from, and how they answer and show their steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.learning.likely import NOTHING
from mereo.benchmarks.cric.learning.questions import RegionQuestions, truth_of
from mereo.benchmarks.cric.learning.regions import eyes_of
from mereo.benchmarks.cric.learning.showing import Asked, painted_looks
from mereo.benchmarks.cric.truth import Truth
from mereo.datasets.predictions import Prediction
from mereo.datasets.sights import Looks
from mereo.models.kinds import Batch
from mereo.models.modular.nmn_cs import MODULES, Modules
from mereo.models.sight import Given
from mereo.programs import Program, Step, format_step
from mereo.training.device import mixed
from mereo.training.row import Desk
from mereo.training.understanding import parsed, read_programs

__all__ = ["LayoutQuestions", "answer_by_modules", "modules", "show_modules"]

_AT_ONCE = 512
_FOUND = 0.5
"""From which attention on a step refers to a region."""
_INPUTS, _VALUES = 2, 3
"""The most that a function has of each."""


class LayoutQuestions(RegionQuestions):
    """Questions with the layouts of their programs: the fields of `Modules`.

    lines : programs as they were read, None where none could be; else the true ones, and what their steps find
    """

    def __init__(self, desk: Desk, split: str, lines: Sequence[str | None] | None = None, *, together: int = 1):
        super().__init__(desk, split, together=together)
        self.programs = read_programs(lines or self.questions.programs)
        numbers = {token: number for number, token in enumerate(desk.lexicon.tokens)}
        self._layout = tuple(one.to(desk.device) for one in _layouts(self.programs, numbers))
        self._found = self._referred(truth_of(desk, split)).to(desk.device) if lines is None else None

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places, with their layouts."""
        batch = super().batch(places, chance=chance)
        own = batch["place"]
        batch |= {name: table[own] for name, table in zip(("steps", "texts"), self._layout, strict=True)}
        if self._found is not None:
            batch["found"] = self._found[own]
        return batch

    def _referred(self, truth: Truth) -> Tensor:
        """(q, t, k) bool: what steps refer to."""
        found = np.zeros((*self._layout[0].shape[:2], self.graphs.present.shape[1]), bool)
        for place, steps in enumerate(truth.table.column("referred").to_pylist()):
            for step, own in enumerate(steps):
                found[place, step, own] = True
        return torch.from_numpy(found)


def _layouts(programs: Sequence[Program | None], numbers: dict[str, int]) -> tuple[Tensor, Tensor]:
    """Steps (q, t, 3) and texts (q, t, 3), int64, as `Modules` reads them. numbers : by token as `[value]`"""
    known = [() if program is None else program.steps for program in programs]
    shape = (len(known), max((len(steps) for steps in known), default=1) or 1)
    steps, texts = np.full((*shape, 1 + _INPUTS), -1, np.int64), np.zeros((*shape, _VALUES), np.int64)
    for row, own in enumerate(known):
        for place, step in enumerate(own):
            steps[row, place, : 1 + len(step.inputs)] = [MODULES.index(step.function), *step.inputs]
            values = [numbers.get(format_step(Step("", (), (value,))), 0) for value in step.values]
            texts[row, place, : len(values)] = values
    return torch.from_numpy(steps), torch.from_numpy(texts)


def modules(desk: Desk) -> Modules:
    """The network, not yet trained."""
    width = int(desk.choices.get("width", 256))
    return Modules(
        Given(eyes_of(desk).channels, width),
        texts=len(desk.lexicon.tokens),
        width=width,
        answers=len(desk.lexicon.answers),
        told=float(desk.choices.get("told", 0.0)),
    )


def answer_by_modules(desk: Desk, split: str) -> Iterator[Prediction]:
    """An answer to every question of a split, in its order, with the region that its last step is asked of."""
    source, network = LayoutQuestions(desk, split, parsed(desk, split, LANGUAGE)), _trained(desk)
    true = bool(desk.choices.get("programs"))
    given: dict[int, Prediction] = {}
    for places in torch.arange(len(source), device=desk.device).split(_AT_ONCE):
        batch = source.batch(places)
        with torch.inference_mode(), mixed(desk.device):
            ran = network.run(batch)
        sure, best = ran.logits.softmax(-1).max(-1)
        last = (batch["steps"][..., 0] >= 0).sum(1).clamp(min=1) - 1
        at = ran.attention[torch.arange(len(last), device=last.device), last].argmax(-1)
        told = zip(batch["place"].tolist(), best.tolist(), sure.tolist(), at.tolist(), strict=True)
        found = (ran.attention > _FOUND).cpu().numpy() if true else None
        for row, (place, number, score, region) in enumerate(told):
            answer, program = desk.lexicon.answers[number], source.programs[place]
            given[place] = Prediction(
                source.questions.ids[place],
                answer,
                score=round(score, 4),
                target=None if answer == NOTHING else region,
                program=None if program is None else str(program),
                referred=None if found is None else _referred(found[row], program),
            )
    yield from (given[place] for place in range(len(source.questions.ids)))


def _referred(found: np.ndarray[tuple[int, int], np.dtype[np.bool_]], program: Program | None) -> list[list[int | str]]:
    """For each step of a program the regions that it refers to; none for the answer."""
    assert program is not None
    steps: list[list[int | str]] = [[*np.flatnonzero(own).tolist()] for own in found[: len(program.steps) - 1]]
    return [*steps, []]


def show_modules(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """What every function of the programs of some questions found; instead of words it tells which function that is."""
    questions = desk.corpus.questions(split, desk.lexicon)
    lines: list[str | None] = [None] * len(questions.ids)
    for place, line in zip(places, parsed(desk, split, LANGUAGE, places), strict=True):
        lines[place] = line
    source, network = LayoutQuestions(desk, split, lines), _trained(desk)

    def ask(some: Tensor) -> Iterator[Asked]:
        batch = source.batch(source.examples(some))
        with torch.inference_mode(), mixed(desk.device):
            attention = network.run(batch).attention.float()
        for row, place in enumerate(some.tolist()):
            program = source.programs[place]
            steps = [""] if program is None else [format_step(step) for step in program.steps]
            yield batch["boxes"][row], attention[row, : len(steps)], torch.eye(len(steps)), steps

    return painted_looks(questions, places, desk.corpus.size, ask)


def _trained(desk: Desk) -> Modules:
    network = desk.networks["modules"]
    assert isinstance(network, Modules)
    return network.eval()
