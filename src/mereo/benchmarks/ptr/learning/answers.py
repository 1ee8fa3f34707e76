"""Answers by programs, run on the worlds that follow from what was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.meanings import meanings
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.datasets.answers import stored_answer
from mereo.datasets.asked import is_training
from mereo.datasets.predictions import Prediction
from mereo.errors import MereoError
from mereo.programs import ProgramFailure, compile_program, parse_program
from mereo.training.seeing import Seen
from mereo.world import World

if TYPE_CHECKING:
    from mereo.training.row import Desk

__all__ = ["answer_by_programs", "frequent_answers", "run_program"]

Kind = tuple[str, str]


def run_program(line: str, readings: Iterable[World]) -> tuple[str | None, str | None]:
    """The answer of a program in the first reading that has one, and what was wrong with the readings before.

    In each world the program is run as it is, and then as what its words may mean besides.
    """
    wrong: str | None = None
    try:
        programs = [compile_program(one, LANGUAGE) for one in meanings(parse_program(line))]
    except MereoError as error:
        return None, str(error)
    for world in readings:
        for program in programs:
            run = program.attempt(world)
            if not isinstance(run, ProgramFailure):
                return stored_answer(run.values[-1], run.executable.types[-1]), wrong
            wrong = wrong or str(run)
    return None, wrong


def answer_by_programs(
    desk: Desk, split: str, programs: Sequence[str | None], seen: Iterable[Seen]
) -> Iterator[Prediction]:
    """An answer to every question of a split, in its order.

    programs : for each question, None where none could be read · seen : of each scene of the split, in its order
    """
    questions = desk.corpus.questions(split, desk.lexicon)
    guess = frequent_answers(desk)
    about: dict[int, list[int]] = {}
    for place, scene in enumerate(questions.scene.tolist()):
        about.setdefault(scene, []).append(place)
    given: dict[int, Prediction] = {}
    for scene, one in enumerate(seen):
        readings: list[World] = [*PtrSeeing().readings(one)]
        for place in about.get(scene, ()):
            line = programs[place]
            answer, wrong = run_program(line, readings) if line is not None else (None, "no program could be read")
            given[place] = Prediction(
                questions.ids[place],
                guess(questions.types[place]) if answer is None else answer,
                program=line,
                raw=f"guessed: {wrong}" if answer is None else wrong and f"in another reading: {wrong}",
            )
    yield from (given[place] for place in range(len(questions.ids)))


def frequent_answers(desk: Desk) -> Callable[[Kind], str]:
    """What is answered most often to questions of a type, in the training splits; to all where it is not there."""
    tallies: dict[Kind, Counter[str]] = {}
    for split in filter(is_training, desk.corpus.splits):
        questions = desk.corpus.questions(split, desk.lexicon)
        for kind, answer in zip(questions.types, questions.answer.tolist(), strict=True):
            if answer >= 0:
                tallies.setdefault(kind, Counter())[desk.lexicon.answers[answer]] += 1
    best: Mapping[Kind, str] = {
        kind: min(counts, key=lambda answer: (-counts[answer], answer)) for kind, counts in tallies.items()
    }
    return lambda kind: best.get(kind, desk.lexicon.answers[0])
