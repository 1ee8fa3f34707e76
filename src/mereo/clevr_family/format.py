"""The format of CLEVR's family: one class reads the files of all its members, each with its own words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from mereo.clevr_family.asking import ask_officially
from mereo.clevr_family.layout import family_layout
from mereo.clevr_family.nodes import (
    PLAIN,
    OfficialQuestion,
    Spelling,
    question_files,
    question_records,
    read_questions,
    steps_of,
)
from mereo.clevr_family.records import read_scenes
from mereo.clevr_family.templates import Dialect
from mereo.datasets.format import Asking, Complain, Format, Layout, QuestionRecord, SceneRecord
from mereo.errors import BadInput
from mereo.programs import Language, Program, Step, Type
from mereo.world import World

__all__ = ["FamilyFormat"]


@dataclass(frozen=True)
class FamilyFormat(Format):
    """Files in CLEVR's JSON."""

    language: Language
    dialect: Dialect
    """How its template files are read."""
    world_of_record: Callable[[Mapping[str, Any]], World]
    """The world of a scene's record; what is wrong there is told without file and scene."""
    asked_by: str | tuple[str, ...] = ""
    spelling: Spelling = PLAIN
    """How its programs are written, where not as CLEVR's."""

    def scenes(self, path: Path, *, complain: Complain | None = None) -> list[SceneRecord]:
        """The scenes of a file, or of all JSON files of a folder in the order of their names."""
        return read_scenes(path, complain=complain)

    def questions(self, path: Path) -> Iterator[QuestionRecord]:
        """The questions of a file, or of a folder with one file for each scene."""
        for file in question_files(path):
            pairs = zip(read_questions(file), question_records(file), strict=True)
            for number, (question, record) in enumerate(pairs):
                asked = question.image_index if question.image_filename is None else question.image_filename
                text = question.question or question.refexp
                yield QuestionRecord(str(asked), text, question, record, file, f"question {number}", question.answer)

    def layout(self, folder: Path) -> Layout:
        """The files of an official folder by split."""
        return family_layout(folder)

    def world(self, scene: SceneRecord) -> World:
        """The world that a scene shows, its objects numbered as in the file."""
        try:
            return self.world_of_record(scene.data)
        except BadInput as error:
            raise scene.blame(error) from None

    def steps(self, question: QuestionRecord) -> Sequence[tuple[Step, Any]]:
        """The steps of a question's nodes, each with the output that the file gives."""
        parsed: OfficialQuestion = question.data
        return steps_of(parsed.program, self.spelling)

    def output(self, value: Any, type: Type) -> Any:
        """A step's value as the files write it."""
        return self.spelling.output(value, type.form)

    def kind(self, question: QuestionRecord, program: Program) -> dict[str, str]:
        """What sort of question it is: as the file says, or else by its last function."""
        record, last = msgspec.json.decode(question.record), program.steps[-1].function
        family = Path(str(record.get("template_filename") or "imported")).stem
        index = record.get("question_in_family_index", record.get("question_family_index"))
        return {
            "type": str(record.get("type1") or last),
            "subtype": str(record.get("type2") or last),
            "family": family,
            "template": family if index is None else f"{family}/{index}",
        }

    def ask(self, scenes: Sequence[SceneRecord], asking: Asking, *, progress: Callable[[int], None]) -> int:
        """Write questions about scenes with template files of the family; gives their number."""
        return ask_officially(
            scenes, asking, dialect=self.dialect, world_of=self.world, spelling=self.spelling, progress=progress
        )
