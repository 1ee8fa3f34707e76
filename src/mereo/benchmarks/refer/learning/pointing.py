"""Answering expressions: masks at the size of their pictures, or the number of one of the scene's entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from mereo.benchmarks.refer.learning.programs import modules_known, programs_of
from mereo.benchmarks.refer.learning.source import ReferSource
from mereo.benchmarks.refer.learning.stages import expressions
from mereo.datasets.asked import Selection
from mereo.datasets.predictions import Mask, Prediction
from mereo.masks import encode
from mereo.models.kinds import Batch
from mereo.programs import Program
from mereo.training.device import mixed
from mereo.training.row import Desk
from mereo.training.step_source import StepSource
from mereo.training.understanding import read_programs

__all__ = ["Size", "choose", "encoded", "mark", "mark_by_programs", "mark_whole", "picture_sizes"]

_AT_ONCE = 256
"""Expressions that are answered together."""

Size = tuple[int, int]
"""Height and width."""


def picture_sizes(desk: Desk, split: str) -> list[Size]:
    """Of the picture of every expression of a split, as it is stored: a corpus may have shrunk it."""
    asked = desk.corpus.asked.with_columns("size")
    own = asked.take(asked.chosen(Selection((split,))))
    return [(height, width) for height, width in own.words("size")]


def encoded(logits: Tensor, sizes: Sequence[Size]) -> list[Mask]:
    """Masks as they are predicted, each at its size. logits : (n, any, any), above 0 where something is marked"""
    found: dict[int, Mask] = {}
    for size in dict.fromkeys(sizes):
        own = [place for place, other in enumerate(sizes) if other == size]
        large = functional.interpolate(logits[own][:, None].float(), size, mode="bilinear")[:, 0] > 0
        for place, mask in zip(own, large.cpu().numpy(), strict=True):
            found[place] = Mask(size, encode(mask)["counts"])
    return [found[place] for place in range(len(sizes))]


def mark(
    desk: Desk,
    split: str,
    source: ReferSource | StepSource,
    said: Callable[[Batch, Sequence[Size]], Sequence[Prediction]],
) -> Iterator[Prediction]:
    """A prediction for every expression of a split, in their order.

    source : with all of them · said : what is predicted for a batch, given the sizes of its pictures
    """
    sizes = picture_sizes(desk, split)
    found: dict[int, Prediction] = {}
    for places in torch.arange(len(source), device=desk.device).split(max(1, _AT_ONCE // source.together)):
        batch = source.batch(places)
        numbers = batch["place"].tolist()
        with torch.inference_mode(), mixed(desk.device):
            found |= dict(zip(numbers, said(batch, [sizes[place] for place in numbers]), strict=True))
    yield from (found[place] for place in range(len(sizes)))


def mark_whole(desk: Desk, split: str, network: Any) -> Iterator[Prediction]:
    """What a network marks. network : a `Marking`"""
    source = expressions(desk, split, meaning="any")
    network.eval()

    def said(batch: Batch, sizes: Sequence[Size]) -> list[Prediction]:
        ids = [source.questions.ids[place] for place in batch["place"].tolist()]
        masks = encoded(network.mark(batch), sizes)
        return [Prediction(name, masks=[mask]) for name, mask in zip(ids, masks, strict=True)]

    return mark(desk, split, source, said)


def mark_by_programs(desk: Desk, split: str) -> Iterator[Prediction]:
    """What IEP-Ref marks, with its programs; by the choice `steps` with what every step marks.

    Steps are told only where the program has the functions of the true one: others cannot be held against its steps.
    """
    programs, stepwise = programs_of(desk, split), bool(desk.choices.get("steps"))
    whole = expressions(desk, split, meaning="any")
    true = read_programs(whole.questions.programs)
    alike = [_functions(one) == _functions(other) for one, other in zip(programs, true, strict=True)]
    source = StepSource(whole, programs, modules_known(desk))
    network: Any = desk.networks["modules"].eval()

    def said(batch: Batch, sizes: Sequence[Size]) -> list[Prediction]:
        places = batch["place"].tolist()
        masks = encoded(network.mark(batch), sizes)
        told = [true[place] if stepwise and alike[place] else None for place in places]
        each = _steps(network, batch, sizes, told) if any(told) else [None] * len(places)
        return [
            Prediction(whole.questions.ids[place], masks=[mask], steps=own, program=_line(programs[place]))
            for place, mask, own in zip(places, masks, each, strict=True)
        ]

    return mark(desk, split, source, said)


def _functions(program: Program | None) -> list[str]:
    return [] if program is None else [step.function for step in program.steps]


def _line(program: Program | None) -> str | None:
    return None if program is None else str(program)


def _steps(
    network: Any, batch: Batch, sizes: Sequence[Size], programs: Sequence[Program | None]
) -> list[list[Mask] | None]:
    logits = network.mark_steps(batch)
    found: list[list[Mask] | None] = []
    for own, size, program in zip(logits, sizes, programs, strict=True):
        count = 0 if program is None else len(program)
        found.append(encoded(own[:count], [size] * count) if count else None)
    return found


def choose(desk: Desk, split: str, network: Any) -> Iterator[Prediction]:
    """The number of the entity that fits every expression best. network : a `Choosing`"""
    source = expressions(desk, split, meaning="any", masks=False)
    network.eval()

    def said(batch: Batch, sizes: Sequence[Size]) -> list[Prediction]:
        sure, best = network.scores(batch).float().softmax(-1).max(-1)
        entity = batch["entity"][batch["scene_of"]].gather(1, best[:, None])[:, 0]
        told = zip(batch["place"].tolist(), entity.tolist(), sure.tolist(), strict=True)
        ids = source.questions.ids
        return [Prediction(ids[place], max(number, 0), score=round(score, 4)) for place, number, score in told]

    return mark(desk, split, source, said)
