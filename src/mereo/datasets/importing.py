"""Importing official files as a dataset of our own, so that everything here works on them too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from mereo.clevr_family.records import (
    PLAIN,
    OfficialQuestion,
    SceneRecord,
    Spelling,
    program_of,
    question_files,
    question_records,
    read_questions,
    read_scenes,
)
from mereo.clevr_family.scene_index import SceneIndex
from mereo.datasets.build import Rows
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import QUESTION_FIELDS, SCENE_FIELDS, Shard
from mereo.datasets.verify import plain_answer
from mereo.errors import BadInput, MereoError
from mereo.files import read_bytes
from mereo.programs import Language, Trace, compile_program
from mereo.world import World

__all__ = ["IMAGE_FIELDS", "IMPORTED_FIELDS", "Form", "ImportRecipe", "Official", "read_official"]

IMAGE_FIELDS = SCENE_FIELDS.append(pa.field("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])))
IMPORTED_FIELDS = QUESTION_FIELDS.append(pa.field("official", pa.string()))
"""The columns of questions and one more: the question's record as it stood in its file, to be exported again."""


@dataclass(frozen=True)
class Form:
    """In which form the files are: what their programs say, and how their scenes are read."""

    language: Language
    world_of: Callable[[SceneRecord], World]
    spelling: Spelling = PLAIN
    check: Callable[[SceneRecord], None] = lambda scene: None
    """Complains of what a scene must hold besides what questions are about."""

    def run(self, question: OfficialQuestion, world: World) -> Trace:
        """Run a question's program."""
        return compile_program(program_of(question.program, self.spelling), self.language)(world)


class Asked(NamedTuple):
    """A question of a file."""

    question: OfficialQuestion
    record: str
    """Its JSON."""
    file: Path
    name: str


@dataclass
class Official:
    """Official files, read: scenes by split, the questions of each scene, and what had to be left out."""

    scenes: dict[str, list[SceneRecord]] = field(default_factory=dict)
    questions: dict[str, list[Asked]] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)
    scenes_left_out: int = 0
    questions_left_out: int = 0


def read_official(
    scenes: str | Path,
    questions: str | Path | None,
    form: Form,
    *,
    strict: bool = False,
    progress: Callable[[int], None] = lambda scenes: None,
) -> Official:
    """Read scenes and questions, leaving out those that are not what they must be, or if strict, stopping there.

    A question about a scene that is left out is left out with it; one about a scene that was never there means that
    the files do not belong together, and is an error in any case. progress : called for every scene
    """
    official, unreadable = Official(), set[str]()

    def leave_out(error: BadInput) -> None:
        if strict:
            raise error
        official.scenes_left_out += 1
        official.complaints.append(str(error))
        unreadable.add(Path(str(error.file)).stem)

    records = read_scenes(scenes, complain=leave_out)
    asked = _asked(questions, SceneIndex(records), unreadable, official) if questions else {}
    for record in records:
        own = asked.get(record.image, [])
        try:
            form.check(record)
            world = form.world_of(record)
        except BadInput as error:
            leave_out(error)
            official.questions_left_out += len(own)
        else:
            official.scenes.setdefault(str(record.data.get("split", "new")), []).append(record)
            official.questions[record.image] = _sound(own, world, form, official, strict=strict)
        progress(1)
    if not official.scenes:
        first = official.complaints[0] if official.complaints else "there is none"
        raise BadInput(f"not one scene can be imported: {first}")
    return official


def _asked(
    questions: str | Path, scenes: SceneIndex, unreadable: set[str], official: Official
) -> dict[str, list[Asked]]:
    """The questions of each scene."""
    found: dict[str, list[Asked]] = {}
    for file in question_files(questions):
        pairs = zip(read_questions(file), question_records(file), strict=True)
        for number, (question, record) in enumerate(pairs):
            try:
                scene = scenes.find(question)
            except BadInput as error:
                if Path(str(question.image_filename)).stem in unreadable:
                    official.questions_left_out += 1
                    continue
                raise BadInput(error.reason, file=file, record=f"question {number}") from None
            found.setdefault(scene.image, []).append(Asked(question, record, file, f"question {number}"))
    return found


def _sound(asked: list[Asked], world: World, form: Form, official: Official, *, strict: bool) -> list[Asked]:
    """The questions whose programs run."""
    sound = []
    for one in asked:
        try:
            form.run(one.question, world)
        except MereoError as error:
            known = error if isinstance(error, BadInput) else BadInput(str(error))
            complaint = known.within(file=one.file, record=one.name)
            if strict:
                raise complaint from None
            official.questions_left_out += 1
            official.complaints.append(str(complaint))
        else:
            sound.append(one)
    return sound


@dataclass(frozen=True)
class ImportRecipe:
    """A build whose scenes and questions are somebody else's."""

    official: Official
    form: Form
    benchmark: str
    images: Path | None = None
    seed: int = 0
    piecemeal: bool = False
    question_fields: pa.Schema = IMPORTED_FIELDS

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return IMAGE_FIELDS if self.images else SCENE_FIELDS

    def settings(self) -> dict[str, Any]:
        """That it is imported, and in which language its questions are."""
        return {"imported": True, "language": self.form.language.name}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as it stands in the file."""
        record = self.official.scenes[split][index]
        row = {
            "scene_id": f"{split}-{index:06d}",
            "split": split,
            "index": index,
            "objects": len(record.data["objects"]),
            "scene": msgspec.json.encode(record.data).decode(),
        }
        if self.images:
            row["image"] = {"bytes": read_bytes(self.images / record.image), "path": record.image}
        return row

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """Scenes and their questions, each run once so that every step's referents are known."""
        rows = Rows(new_columns(self.scene_fields), new_columns(self.question_fields))
        for row in scenes:
            append(rows.scenes, row)
            record = self.official.scenes[shard.split][row["index"]]
            world = self.form.world_of(record)
            for number, asked in enumerate(self.official.questions.get(record.image, [])):
                question = asked.question
                trace = self.form.run(question, world)
                answer = trace.values[-1] if question.answer is msgspec.UNSET else question.answer
                own = {
                    "question_id": f"{row['scene_id']}-{number:02d}",
                    "scene_id": row["scene_id"],
                    "split": shard.split,
                    "question": question.question,
                    "program": str(trace.executable.program),
                    "answer": str(plain_answer(answer)),
                    "referred": trace.referred(),
                    "official": asked.record,
                }
                append(rows.questions, own | _kind(asked, trace))
        return rows


def _kind(asked: Asked, trace: Trace) -> dict[str, str]:
    """What sort of question it is: as the file says, or else by its last function."""
    record, last = msgspec.json.decode(asked.record), trace.executable.program.steps[-1].function
    family = Path(str(record.get("template_filename") or "imported")).stem
    index = record.get("question_family_index")
    return {
        "type": str(record.get("type1") or last),
        "subtype": str(record.get("type2") or last),
        "family": family,
        "template": family if index is None else f"{family}/{index}",
    }
