"""Answers by programs: questions as they were understood, and what their programs come to scene by scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from mereo.datasets.predictions import Prediction
from mereo.errors import MereoError
from mereo.programs import Program, parse_program

if TYPE_CHECKING:
    from mereo.programs import Language
    from mereo.training.row import Desk

__all__ = ["NO_PROGRAM", "PARSER", "REWARDED", "Answered", "answers_by_programs", "parsed", "read_programs"]

Answered = tuple[str | None, str | None]
"""An answer, if there is one, and what was wrong with whatever was tried before."""
NO_PROGRAM = "no program could be read"
PARSER = "parser"
"""The stage in which a parser learns from pairs, …"""
REWARDED = "rewarded"
"""… and the one in which it goes on learning, where a row has one."""
S = TypeVar("S")


def parsed(desk: Desk, split: str, language: Language, places: Sequence[int] | None = None) -> list[str | None]:
    """The programs of a split's questions as they were understood; the true ones by the choice `programs`.

    places : of those that are wanted, where not all are
    """
    questions = desk.corpus.questions(split, desk.lexicon)
    wanted = [*range(len(questions.ids))] if places is None else [*places]
    if desk.choices.get("programs"):
        return [questions.programs[place] for place in wanted]
    parser: Any = desk.networks.get(REWARDED, desk.networks[PARSER])
    parser.eval()
    return [_line(tokens, desk.lexicon.tokens, language) for tokens in parser.parse(questions.words[wanted])]


def _line(tokens: list[int], names: tuple[str, ...], language: Language) -> str | None:
    from mereo.models.grammar import program_of

    try:
        return str(program_of([names[token] for token in tokens], language))
    except MereoError:
        return None


def read_programs(lines: Sequence[str | None]) -> list[Program | None]:
    """The programs of lines of notation, each read once however often it occurs; None where there is no line."""
    read = cache(parse_program)
    return [None if line is None else read(line) for line in lines]


def answers_by_programs(
    desk: Desk, split: str, programs: Sequence[str | None], scenes: Iterable[S], run: Callable[[str, S], Answered]
) -> Iterator[Prediction]:
    """An answer to every question of a split, in its order: where a program has none, the most frequent of its type.

    programs : for each question, None where none could be read · scenes : what is known of each scene, in their order
    run : gives the answer of a program in a scene
    """
    questions = desk.corpus.questions(split, desk.lexicon)
    about = questions.by_scene()
    given: dict[int, Prediction] = {}
    for scene, known in enumerate(scenes):
        for place in about.get(scene, ()):
            line = programs[place]
            answer, wrong = (None, NO_PROGRAM) if line is None else run(line, known)
            given[place] = Prediction(
                questions.ids[place],
                desk.lexicon.guess(questions.types[place]) if answer is None else answer,
                program=line,
                raw=f"guessed: {wrong}" if answer is None else wrong and f"in another reading: {wrong}",
            )
    yield from (given[place] for place in range(len(questions.ids)))
