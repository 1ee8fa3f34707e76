"""Running every program of an official question file again and comparing answers and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from mereo.clevr_family.records import (
    PLAIN,
    OfficialQuestion,
    SceneRecord,
    Spelling,
    official_output,
    program_of,
    question_files,
    read_questions,
    read_scenes,
    steps_of,
)
from mereo.clevr_family.scene_index import SceneIndex
from mereo.errors import BadInput, MereoError
from mereo.programs import Language, ProgramFailure, Type, compile_program, format_step
from mereo.world import World

__all__ = ["Agreement", "plain_answer", "stored_answer", "verify_file"]


@dataclass
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


def plain_answer(answer: Any) -> Any:
    """An answer as all spellings of it agree on: "yes" and True, "3" and 3 are the same."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, int):
        return str(answer)
    if isinstance(answer, str):
        word = answer.strip().lower()
        return {"true": "yes", "false": "no"}.get(word, word)
    if isinstance(answer, list):
        return [plain_answer(one) for one in answer]
    return answer


def stored_answer(value: Any, type: Type) -> Any:
    """An answer as datasets store it: in the case of a set of entities their number, which ones being told apart."""
    return plain_answer(value.bit_count() if type.form == "entities" else value)


def verify_file(
    scenes: str | Path,
    questions: str | Path,
    *,
    language: Language,
    world_of: Callable[[SceneRecord], World],
    spelling: Spelling = PLAIN,
    progress: Callable[[int], None] = lambda done: None,
) -> Agreement:
    """Compare a whole file, or a folder of question files. progress : called for every question"""
    worlds = _Worlds(read_scenes(scenes), world_of)
    agreement = Agreement()
    files = question_files(questions)
    for file in files:
        for number, question in enumerate(read_questions(file)):
            name = f"question {number}"
            called = f"{file.name}, {name}" if len(files) > 1 else name
            try:
                _compare(question, called, worlds.find(question), language, spelling, agreement)
            except BadInput as error:
                raise error.within(file=file, record=name) from None
            except MereoError as error:
                raise BadInput(str(error), file=file, record=name) from None
            progress(1)
    return agreement


class _Worlds:
    """The worlds of a scene file, made when a question first asks for them."""

    def __init__(self, scenes: Sequence[SceneRecord], world_of: Callable[[SceneRecord], World]):
        self.world_of, self.scenes = world_of, SceneIndex(scenes)
        self.made: dict[int, World] = {}

    def find(self, question: OfficialQuestion) -> World:
        scene = self.scenes.find(question)
        if id(scene) not in self.made:
            self.made[id(scene)] = self.world_of(scene)
        return self.made[id(scene)]


def _compare(
    question: OfficialQuestion,
    called: str,
    world: World,
    language: Language,
    spelling: Spelling,
    agreement: Agreement,
) -> None:
    executable = compile_program(program_of(question.program, spelling), language)
    if question.answer is not msgspec.UNSET:
        agreement.answers += 1
    expected = [output for _, output in steps_of(question.program, spelling)]
    agreement.steps += sum(output is not msgspec.UNSET for output in expected)
    try:
        trace = executable(world)
    except ProgramFailure as failure:
        agreement.disagreements.append(f"{called}: {failure}; the file answers {_shown(question.answer)}")
        return
    wrong = []
    for position, (output, value, type) in enumerate(zip(expected, trace.values, executable.types, strict=True)):
        if output is msgspec.UNSET:
            continue
        ours = official_output(value, type.form)
        if plain_answer(ours) == plain_answer(_ordered(output, type)):
            agreement.steps_right += 1
        else:
            step = format_step(executable.program.steps[position])
            wrong.append(f"{called}, step {position} ({step}): the file says {_shown(output)}, we {_shown(ours)}")
    if question.answer is not msgspec.UNSET:
        answer = official_output(trace.values[-1], executable.types[-1].form)
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
