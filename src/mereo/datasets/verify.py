"""Running every program of an official question file again and comparing answers and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from mereo.datasets.answers import plain_answer
from mereo.datasets.format import Format, QuestionRecord, SceneRecord, program_of_steps
from mereo.datasets.scene_index import SceneIndex
from mereo.errors import BadInput, MereoError
from mereo.programs import ProgramFailure, Type, compile_program, format_step
from mereo.world import World

__all__ = ["Agreement", "verify_files"]


_TOLD = 10
"""Disagreements that are shown."""


@dataclass(repr=False)
class Agreement:
    """How far a file's answers and steps are what our executor gives."""

    answers: int = 0
    answers_right: int = 0
    steps: int = 0
    steps_right: int = 0
    disagreements: list[str] = field(default_factory=list)

    @property
    def perfect(self) -> bool:
        """Whether nothing disagrees."""
        return self.answers == self.answers_right and self.steps == self.steps_right

    def __repr__(self) -> str:
        counts = f"{self.answers_right:,} of {self.answers:,} answers and {self.steps_right:,} of {self.steps:,} steps"
        more = [f"… and {len(self.disagreements) - _TOLD:,} more"] if len(self.disagreements) > _TOLD else []
        return "\n".join([f"{counts} agree", *self.disagreements[:_TOLD], *more])


def verify_files(
    scenes: Path, questions: Path, form: Format, *, progress: Callable[[int], None] = lambda done: None
) -> Agreement:
    """Compare a whole file, or a folder of question files. progress : called for every question"""
    worlds = _Worlds(form.scenes(scenes), form)
    agreement = Agreement()
    several = Path(questions).is_dir()
    for question in form.questions(questions):
        called = f"{question.file.name}, {question.name}" if several else question.name
        try:
            _compare(question, called, worlds.find(question), form, agreement)
        except BadInput as error:
            raise error.within(file=question.file, record=question.name) from None
        except MereoError as error:
            raise BadInput(str(error), file=question.file, record=question.name) from None
        progress(1)
    return agreement


class _Worlds:
    """The worlds of a scene file, made when a question first asks for them."""

    def __init__(self, scenes: Sequence[SceneRecord], form: Format):
        self.form, self.scenes = form, SceneIndex(scenes)
        self.made: dict[int, World] = {}

    def find(self, question: QuestionRecord) -> World:
        scene = self.scenes.find(question)
        if id(scene) not in self.made:
            self.made[id(scene)] = self.form.world(scene)
        return self.made[id(scene)]


def _compare(question: QuestionRecord, called: str, world: World, form: Format, agreement: Agreement) -> None:
    steps = form.steps(question)
    executable = compile_program(program_of_steps(steps), form.language)
    if question.answer is not msgspec.UNSET:
        agreement.answers += 1
    agreement.steps += sum(output is not msgspec.UNSET for _, output in steps)
    try:
        trace = executable(world)
    except ProgramFailure as failure:
        agreement.disagreements.append(f"{called}: {failure}; the file answers {_shown(question.answer)}")
        return
    wrong = []
    compared = zip(steps, form.outputs(trace), executable.types, strict=True)
    for position, ((step, output), ours, type) in enumerate(compared):
        if output is msgspec.UNSET:
            continue
        if plain_answer(ours) == plain_answer(_ordered(output, type)):
            agreement.steps_right += 1
        else:
            told = f"{called}, step {position} ({format_step(step)})"
            wrong.append(f"{told}: the file says {_shown(output)}, we {_shown(ours)}")
    if question.answer is not msgspec.UNSET:
        answer = form.output(trace.values[-1], executable.types[-1])
        if plain_answer(answer) == plain_answer(question.answer):
            agreement.answers_right += 1
        else:
            wrong.append(f"{called}: the file answers {_shown(question.answer)}, we {_shown(answer)}")
    agreement.disagreements += wrong


def _ordered(output: Any, type: Type) -> Any:
    """A file's output, with sets of entities in our order: theirs is that of the scene's relations."""
    numbers = type.form == "entities" and isinstance(output, list) and all(isinstance(i, int) for i in output)
    return sorted(output) if numbers else output


def _shown(value: Any) -> str:
    return "nothing" if value is msgspec.UNSET else msgspec.json.encode(value).decode()
