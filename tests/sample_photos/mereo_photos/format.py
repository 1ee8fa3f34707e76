"""Files of photographs: `photos/SPLIT.json` and `questions/SPLIT.json`, read and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mereo.datasets.export import Progress, Source
from mereo.datasets.format import Complain, Format, QuestionRecord, SceneRecord
from mereo.errors import BadInput
from mereo.files import read_json, write_bytes
from mereo.programs import Program, Step, compile_program
from mereo.world import World
from mereo_photos.graph import photo_of, world_of
from mereo_photos.language import KITCHEN, LANGUAGE

__all__ = ["FORMAT", "to_photos"]


class _Photos(msgspec.Struct):
    split: str
    photos: list[dict[str, Any]]


class _Step(msgspec.Struct, omit_defaults=True):
    function: str
    inputs: tuple[int, ...] = ()
    values: tuple[Any, ...] = ()
    output: Any = msgspec.UNSET


class _Question(msgspec.Struct):
    photo: str
    question: str
    program: list[_Step]
    type: str
    answer: Any = msgspec.UNSET


class _Questions(msgspec.Struct):
    questions: list[_Question]


class PhotoFormat(Format):
    """Reads files of photographs."""

    language = LANGUAGE

    def scenes(self, path: Path, *, complain: Complain | None = None) -> list[SceneRecord]:
        """The photographs of a file, or of all files of a folder."""
        found = []
        for file in _files(path):
            try:
                content = read_json(file, type=_Photos)
            except BadInput as error:
                if complain is None:
                    raise
                complain(error)
                continue
            for number, record in enumerate(content.photos):
                name = str(record.get("photo", f"photo {number}"))
                found.append(SceneRecord(record, file, name, (name,), content.split, image=name))
        return found

    def questions(self, path: Path) -> Iterator[QuestionRecord]:
        """The questions of a file, or of all files of a folder."""
        for file in _files(path):
            for number, asked in enumerate(read_json(file, type=_Questions).questions):
                record = msgspec.json.encode(asked).decode()
                yield QuestionRecord(
                    asked.photo, asked.question, asked, record, file, f"question {number}", asked.answer
                )

    def world(self, scene: SceneRecord) -> World:
        """The world that a photograph shows."""
        try:
            return world_of(photo_of(scene.data))
        except BadInput as error:
            raise scene.blame(error) from None

    def steps(self, question: QuestionRecord) -> Sequence[tuple[Step, Any]]:
        """The steps of a program, each with its output."""
        asked: _Question = question.data
        return [(Step(step.function, step.inputs, step.values), step.output) for step in asked.program]

    def kind(self, question: QuestionRecord, program: Program) -> dict[str, str]:
        """The type stands in the file."""
        kind: str = question.data.type
        return {**super().kind(question, program), "type": KITCHEN["types"].get(kind, kind), "subtype": kind}


FORMAT = PhotoFormat()


def to_photos(source: Source, out: Path, progress: Progress) -> None:
    """Write `photos/SPLIT.json`, `questions/SPLIT.json` and `pictures/*`."""
    photos: dict[str, list[Any]] = {}
    questions: dict[str, list[_Question]] = {}
    for split, rows, asked in source.shards():
        records = {row["scene_id"]: msgspec.json.decode(row["scene"]) for row in rows}
        worlds = {scene_id: world_of(photo_of(record)) for scene_id, record in records.items()}
        photos.setdefault(split, []).extend(records.values())
        own = questions.setdefault(split, [])
        own += [_question(row, records[row["scene_id"]]["photo"], worlds[row["scene_id"]]) for row in asked]
        for row in rows:
            if row.get("image"):
                write_bytes(out / "pictures" / records[row["scene_id"]]["photo"], row["image"]["bytes"])
            progress(1)
    for split, listed in photos.items():
        write_bytes(out / "photos" / f"{split}.json", msgspec.json.encode(_Photos(split, listed)))
        write_bytes(out / "questions" / f"{split}.json", msgspec.json.encode(_Questions(questions[split])))


def _question(row: dict[str, Any], photo: str, world: World) -> _Question:
    """A question with what every step gives; things are counted from 0, in their order."""
    trace = compile_program(row["program"], LANGUAGE)(world)
    steps = [
        _Step(*step, FORMAT.output(value, kind))
        for step, value, kind in zip(trace.executable.program.steps, trace.values, trace.executable.types, strict=True)
    ]
    return _Question(photo, row["question"], steps, row["subtype"], steps[-1].output)


def _files(path: Path) -> list[Path]:
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise BadInput("holds no .json file", file=path)
    return files
