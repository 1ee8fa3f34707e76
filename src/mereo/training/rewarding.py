"""Questions whose answers alone are known, and what programs for them are worth: 1 where they come to the answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import torch
from torch import Tensor

from mereo.datasets.answers import stored_answer
from mereo.errors import MereoError
from mereo.models.grammar import program_of
from mereo.models.kinds import Batch
from mereo.programs import Language, ProgramFailure, compile_program
from mereo.programs.execution import Executable
from mereo.training.row import Desk
from mereo.world import World

__all__ = ["AnswerReward", "AnsweredQuestions"]

_KEPT = 20_000
"""Programs that are kept ready, and worlds: a parser writes the same ones again and again."""


class AnsweredQuestions:
    """Questions of a split: `question`, and `number`, by which `AnswerReward` knows them in all splits."""

    def __init__(self, desk: Desk, split: str):
        self._questions = desk.corpus.questions(split, desk.lexicon)
        before = desk.corpus.splits[: desk.corpus.splits.index(split)]
        self._first = sum(len(desk.corpus.questions(one, desk.lexicon).ids) for one in before)

    def __len__(self) -> int:
        return len(self._questions.ids)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The questions at some places, whatever the chance."""
        places = places.to(self._questions.words.device)
        return {"question": self._questions.words[places], "number": self._first + places}

    def name(self, place: int) -> str:
        """The id of a question."""
        return self._questions.ids[place]


class AnswerReward:
    """Runs programs in the true worlds of their scenes."""

    def __init__(self, desk: Desk, language: Language):
        self._desk, self._language = desk, language
        self._world = lru_cache(_KEPT)(self._true_world)
        self._program = lru_cache(_KEPT)(self._compiled)

    def __call__(self, numbers: Sequence[int], programs: Sequence[Sequence[int]]) -> list[float]:
        """1 for each program that comes to the answer of its question, 0 for others."""
        return [self._worth(number, tuple(tokens)) for number, tokens in zip(numbers, programs, strict=True)]

    @cached_property
    def _asked(self) -> list[tuple[str, int, int]]:
        """Split, place of the scene and number of the answer of all questions."""
        found: list[tuple[str, int, int]] = []
        for split in self._desk.corpus.splits:
            questions = self._desk.corpus.questions(split, self._desk.lexicon)
            told = zip(questions.scene.tolist(), questions.answer.tolist(), strict=True)
            found += [(split, scene, answer) for scene, answer in told]
        return found

    def _worth(self, number: int, tokens: tuple[int, ...]) -> float:
        split, scene, answer = self._asked[number]
        program = self._program(tokens)
        if program is None or answer < 0:
            return 0.0
        run = program.attempt(self._world(split, scene))
        if isinstance(run, ProgramFailure):
            return 0.0
        return float(stored_answer(run.values[-1], program.types[-1]) == self._desk.lexicon.answers[answer])

    def _true_world(self, split: str, scene: int) -> World:
        return self._desk.corpus.inspector.world(self._desk.corpus.rows(split)[scene])

    def _compiled(self, tokens: tuple[int, ...]) -> Executable | None:
        names = [self._desk.lexicon.tokens[token] for token in tokens]
        try:
            return compile_program(program_of(names, self._language), self._language)
        except MereoError:
            return None
