"""Files of others: what a benchmark says about a format so that its files are read, verified, imported and asked about.

A format turns any file into two kinds of records. What stands in them is the format's own business: the rest of mereo
asks it for the world of a scene and for the steps of a question.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mereo.errors import BadInput
from mereo.programs import Language, Program, Step, Trace, Type
from mereo.world import World, members

__all__ = [
    "Asking",
    "Format",
    "Layout",
    "OfficialSplit",
    "QuestionRecord",
    "SceneRecord",
    "plain_output",
    "program_of_steps",
]

Complain = Callable[[BadInput], None]


class SceneRecord(NamedTuple):
    """One scene as it stands in a file, and how to speak of it."""

    data: Mapping[str, Any]
    file: Path
    name: str
    """What messages call it: `scene 3`."""
    called: tuple[str, ...] = ()
    """What questions may call it, the surest name first."""
    split: str = "new"
    image: str | None = None
    """The file name of its picture."""

    @property
    def key(self) -> tuple[str, str]:
        """Its split and its surest name, by which it is known among all that is imported at once."""
        return self.split, self.called[0]

    def blame(self, error: BadInput) -> BadInput:
        """A complaint about what stands in the record, with the file and the scene."""
        record = f"{self.name}, {error.record}" if error.record else self.name
        return BadInput(error.reason, file=self.file, record=record, field=error.field)


class OfficialSplit(NamedTuple):
    """Files that belong together: some scenes, and the questions about them."""

    scenes: Path
    """A scene file, or a folder of one-scene files."""
    questions: Path | None = None
    split: str | None = None
    """Where the files lie as those of this split; else every scene says its own."""
    more: tuple[Path, ...] = ()
    """Further questions about the same scenes."""


class Layout(NamedTuple):
    """What lies where in an official folder."""

    splits: Sequence[OfficialSplit]
    images: Path | None = None
    complaints: Sequence[str] = ()
    """Sentences about what is there and cannot be imported."""


class QuestionRecord(NamedTuple):
    """One question as it stands in a file."""

    about: str
    """One of the names of its scene."""
    text: str
    data: Any
    """What the format has read of it."""
    record: str
    """Its JSON."""
    file: Path
    name: str
    """What messages call it: `question 3`."""
    answer: Any = msgspec.UNSET


class Asking(NamedTuple):
    """Template files of others, and what to ask with them."""

    templates: Path
    metadata: Path
    synonyms: Path | None
    per_scene: int
    seed: int
    out: Path


def program_of_steps(steps: Sequence[tuple[Step, Any]]) -> Program:
    """The program of the steps that a format has read."""
    try:
        return Program(tuple([step for step, _ in steps]))
    except ValueError as error:
        raise BadInput(str(error), field="program") from None


def plain_output(value: Any, form: str) -> Any:
    """A value as most files write it: indices, sorted lists of indices, plain values. form : of its type"""
    if form == "entities":
        return members(value)
    return [plain_output(one, form) for one in value] if isinstance(value, tuple) else value


class Format(ABC):
    """A language in which others have written files, and how these are read."""

    language: Language
    asked_by: str | tuple[str, ...] = ""
    """What the metadata of its template files call its dataset, or each of several; nothing without template files."""

    @property
    def name(self) -> str:
        """What commands call it."""
        return self.language.name

    @abstractmethod
    def scenes(self, path: Path, *, complain: Complain | None = None) -> list[SceneRecord]:
        """The scenes of a file or folder. complain : called for a file that cannot be read, instead of stopping"""

    @abstractmethod
    def questions(self, path: Path) -> Iterator[QuestionRecord]:
        """The questions of a file or folder."""

    @abstractmethod
    def world(self, scene: SceneRecord) -> World:
        """The world that a scene shows; complains with file and scene."""

    @abstractmethod
    def steps(self, question: QuestionRecord) -> Sequence[tuple[Step, Any]]:
        """The steps of a question's program, each with the output that the file gives, unset where it gives none."""

    def check(self, scene: SceneRecord) -> None:
        """Complain of what a scene must hold besides what questions are about, before it is imported."""
        return

    def record(self, scene: SceneRecord) -> Mapping[str, Any]:
        """A scene as datasets hold it: as in the file, unless the records of the benchmark are of another form."""
        return scene.data

    def columns(self, question: QuestionRecord, trace: Trace) -> dict[str, Any]:
        """What a question holds for further columns; complains of what is wrong there. trace : of its program"""
        return {}

    def program(self, question: QuestionRecord) -> Program:
        """The program of a question, its steps in the file's order."""
        return program_of_steps(self.steps(question))

    def output(self, value: Any, type: Type) -> Any:
        """A step's value as the files write it: indices, sorted lists of indices, plain values."""
        return plain_output(value, type.form)

    def outputs(self, trace: Trace) -> list[Any]:
        """The values of all steps of a run as the files write them, in the order in which they list entities."""
        return [self.output(value, type) for value, type in zip(trace.values, trace.executable.types, strict=True)]

    def kind(self, question: QuestionRecord, program: Program) -> dict[str, str]:
        """Type, subtype, family and template of a question; by its last function where the files say nothing."""
        last = program.steps[-1].function
        return {"type": last, "subtype": last, "family": "imported", "template": "imported"}

    def layout(self, folder: Path) -> Layout:
        """The files of an official folder, where it is known how these are laid out."""
        raise BadInput(f"how folders of {self.name} are laid out is not known: name the files instead", file=folder)

    def recipe(self, files: Any, *, benchmark: str, images: Path | None) -> Any:
        """The build that makes a dataset of files that were read; None where the usual one will do."""
        return None

    def further(self, files: Any) -> Mapping[str, bytes]:
        """By name the content of files that go with a dataset of these, because its rows need them to be understood."""
        return {}

    def ask(self, scenes: Sequence[SceneRecord], asking: Asking, *, progress: Callable[[int], None]) -> int:
        """Write questions about scenes with somebody's template files; gives their number."""
        raise BadInput(f"{self.name} has no template files to ask with")
