"""Running every program of an official question file again and comparing answers and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from mereo.datasets.formats.clevr_family import (
    OfficialQuestion,
    SceneRecord,
    official_output,
    program_of,
    read_questions,
    read_scenes,
)
from mereo.errors import BadInput, MereoError
from mereo.programs import Language, ProgramFailure, compile_program, format_step
from mereo.world import World

__all__ = ["Agreement", "plain_answer", "verify_file"]


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


def verify_file(
    scenes: str | Path,
    questions: str | Path,
    *,
    language: Language,
    world_of: Callable[[SceneRecord], World],
    progress: Callable[[int], None] = lambda done: None,
) -> Agreement:
    """Compare a whole file. progress : called for every question"""
    worlds = _Worlds(read_scenes(scenes), world_of)
    agreement = Agreement()
    for number, question in enumerate(read_questions(questions)):
        try:
            _compare(question, number, worlds.find(question), language, agreement)
        except BadInput as error:
            raise error.within(file=questions, record=f"question {number}") from None
        except MereoError as error:
            raise BadInput(str(error), file=questions, record=f"question {number}") from None
        progress(1)
    return agreement


class _Worlds:
    """The worlds of a scene file, made when a question first asks for them."""

    def __init__(self, scenes: Sequence[SceneRecord], world_of: Callable[[SceneRecord], World]):
        self.world_of = world_of
        self.by_image = {scene.data["image_filename"]: scene for scene in scenes if "image_filename" in scene.data}
        self.by_index = {scene.data["image_index"]: scene for scene in scenes if "image_index" in scene.data}
        self.made: dict[int, World] = {}

    def find(self, question: OfficialQuestion) -> World:
        scene = self.by_image.get(question.image_filename)
        if scene is None:
            scene = self.by_index.get(question.image_index)
        if scene is None:
            asked = question.image_filename or question.image_index
            raise BadInput(f"asks about {asked}, of which there is no scene", field="image_filename")
        if id(scene) not in self.made:
            self.made[id(scene)] = self.world_of(scene)
        return self.made[id(scene)]


def _compare(question: OfficialQuestion, number: int, world: World, language: Language, agreement: Agreement) -> None:
    executable = compile_program(program_of(question.program), language)
    if question.answer is not msgspec.UNSET:
        agreement.answers += 1
    expected = [node.output for node in question.program]
    agreement.steps += sum(output is not msgspec.UNSET for output in expected)
    try:
        trace = executable(world)
    except ProgramFailure as failure:
        agreement.disagreements.append(f"question {number}: {failure}; the file answers {_shown(question.answer)}")
        return
    wrong = []
    for position, (output, value, type) in enumerate(zip(expected, trace.values, executable.types, strict=True)):
        if output is msgspec.UNSET:
            continue
        ours = official_output(value, type.form)
        if plain_answer(ours) == plain_answer(output):
            agreement.steps_right += 1
        else:
            step = format_step(executable.program.steps[position])
            wrong.append(
                f"question {number}, step {position} ({step}): the file says {_shown(output)}, we {_shown(ours)}"
            )
    if question.answer is not msgspec.UNSET:
        answer = official_output(trace.values[-1], executable.types[-1].form)
        if plain_answer(answer) == plain_answer(question.answer):
            agreement.answers_right += 1
        else:
            wrong.append(f"question {number}: the file answers {_shown(question.answer)}, we {_shown(answer)}")
    agreement.disagreements += wrong


def _shown(value: Any) -> str:
    return "nothing" if value is msgspec.UNSET else msgspec.json.encode(value).decode()
