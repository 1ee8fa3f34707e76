"""Answers by programs, run on the worlds that follow from what was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.meanings import meanings
from mereo.benchmarks.ptr.learning.presumed import run_as_presumed
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.datasets.answers import stored_answer
from mereo.datasets.asked import is_training
from mereo.datasets.predictions import Prediction
from mereo.errors import MereoError
from mereo.programs import Executable, ProgramFailure, compile_program, parse_program
from mereo.training.seeing import Seen
from mereo.world import World

if TYPE_CHECKING:
    from mereo.training.row import Desk

__all__ = ["answer_by_programs", "frequent_answers", "run_program"]

Kind = tuple[str, str]


def run_program(line: str, readings: Iterable[World], *, literal: bool = False) -> tuple[str | None, str | None]:
    """The answer of a program in the first reading that has one, and what was wrong with the readings before.

    In each world the program is run as it is, and then as what its words may mean besides. If it has no answer in any,
    it is run once more as if what it takes for granted were so.

    literal : a question is taken at its word, in the first reading alone
    """
    wrong: str | None = None
    try:
        programs = [compile_program(one, LANGUAGE) for one in meanings(parse_program(line))]
    except MereoError as error:
        return None, str(error)
    worlds = [*islice(readings, 1)] if literal else [*readings]
    for run in [_at_its_word] if literal else [_at_its_word, run_as_presumed]:
        for world, program in product(worlds, programs):
            found = run(program, world)
            if not isinstance(found, ProgramFailure):
                return stored_answer(found, program.types[-1]), wrong
            wrong = wrong or str(found)
    return None, wrong


def _answered(line: str | None, readings: Sequence[World], *, literal: bool) -> tuple[str | None, str | None]:
    return (None, "no program could be read") if line is None else run_program(line, readings, literal=literal)


def _at_its_word(program: Executable, world: World) -> Any | ProgramFailure:
    run = program.attempt(world)
    return run if isinstance(run, ProgramFailure) else run.values[-1]


def answer_by_programs(
    desk: Desk, split: str, programs: Sequence[str | None], seen: Iterable[Seen]
) -> Iterator[Prediction]:
    """An answer to every question of a split, in its order.

    programs : for each question, None where none could be read · seen : of each scene of the split, in its order
    """
    questions = desk.corpus.questions(split, desk.lexicon)
    guess, literal = frequent_answers(desk), bool(desk.choices.get("literal"))
    about: dict[int, list[int]] = {}
    for place, scene in enumerate(questions.scene.tolist()):
        about.setdefault(scene, []).append(place)
    given: dict[int, Prediction] = {}
    for scene, one in enumerate(seen):
        readings: list[World] = [*PtrSeeing().readings(one)]
        for place in about.get(scene, ()):
            answer, wrong = _answered(programs[place], readings, literal=literal)
            given[place] = Prediction(
                questions.ids[place],
                guess(questions.types[place]) if answer is None else answer,
                program=programs[place],
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
