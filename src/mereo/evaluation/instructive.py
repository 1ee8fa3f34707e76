"""Which errors of a run are worth a look, and what the right way to the answer would have been."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mereo.datasets.inspector import Inspector
from mereo.evaluation.result import Judged
from mereo.programs import ProgramFailure, compile_program, format_step
from mereo.world import World

__all__ = ["Mistake", "ShownStep", "choose_errors", "shown_steps"]

SHOWN = 20


class Mistake(NamedTuple):
    """One wrong answer."""

    question_id: str
    scene_id: str
    kind: str
    question: str
    program: str
    truth: str
    said: str
    raw: str | None
    others_right: int
    """How many of the other runs knew it."""
    others: int


class ShownStep(NamedTuple):
    """One step of the right way."""

    text: str
    inputs: tuple[int, ...]
    value: str
    referred: list[int]


def choose_errors(run: Judged, others: Sequence[Judged], *, count: int = SHOWN) -> list[Mistake]:
    """The most instructive wrong answers.

    An error teaches more if other runs knew the answer and if the program is short, because then less can be blamed on
    the question. Of each kind of question, mix-up of two answers and scene, the best are taken in turn, so that
    twenty errors are not twenty times the same.
    """
    wrong = np.flatnonzero(run.marks.main < 1)
    if not len(wrong):
        return []
    known = np.zeros(len(run.asked))
    for other in others:
        places = other.asked.places
        for place in wrong:
            theirs = places.get(run.asked.ids[place])
            known[place] += theirs is not None and bool(other.marks.main[theirs] >= 1)
    lengths = np.array([len(functions) for functions in run.asked.forms.functions])[run.asked.forms.codes]
    order = wrong[np.lexsort((wrong, lengths[wrong], -known[wrong]))]
    kinds, said, truth = run.asked.words("subtype"), run.marks.said, run.marks.truth
    turns: Counter[Any] = Counter()
    ranked = []
    for rank, place in enumerate(order.tolist()):
        kind, scene = kinds[place], int(run.asked.scenes[place])
        mixup = (kind, truth[place] if truth else "", said[place] if said else "")
        ranked.append((max(turns[mixup], turns[kind] // 4, turns[scene] // 2), rank, place))
        turns.update((mixup, kind, scene))
    chosen = [place for _, _, place in sorted(ranked)[:count]]
    some = run.asked.take(chosen).with_columns("question")
    return [
        Mistake(
            question_id=some.ids[k],
            scene_id=some.words("scene_id")[k],
            kind=kinds[place],
            question=some.words("question")[k],
            program=some.words("program")[k],
            truth=some.words("answer")[k],
            said=_said(run, place),
            raw=one.raw if (one := run.predictions.given[place]) is not None else None,
            others_right=int(known[place]),
            others=len(others),
        )
        for k, place in enumerate(chosen)
    ]


def _said(run: Judged, place: int) -> str:
    """The answer; where answers are not what is judged, or this one is right, how much of the rest is right."""
    one, marks = run.predictions.given[place], run.marks
    if marks.said is None and one is not None:
        return f"{run.result.measures[0]} {marks.main[place]:.2f}"
    said = "" if one is None or one.answer is None else str(one.answer)
    if said and marks.said is not None and marks.truth is not None and marks.said[place] == marks.truth[place]:
        missed = [f"{name} {scores[place]:.2f}" for name, scores in [*marks.scores.items()][1:] if scores[place] < 1]
        return ", ".join((said, *missed))
    return said


def shown_steps(program: str, eye: Inspector, world: World) -> list[ShownStep]:
    """Every step of a program with its value on the true world."""
    run = compile_program(program, eye.language).attempt(world)
    if isinstance(run, ProgramFailure):
        return []
    return [
        ShownStep(format_step(one.step), one.step.inputs, _shown(one.value, one.referred), one.referred)
        for one in run.steps()
    ]


def _shown(value: Any, referred: Sequence[int]) -> str:
    if referred:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "nothing" if not value else ", ".join(map(str, value))
    return str(value)
