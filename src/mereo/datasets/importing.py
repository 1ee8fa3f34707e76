"""Importing official files as a dataset of our own, so that everything here works on them too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from mereo.datasets.build import Rows
from mereo.datasets.formats.clevr_family import OfficialQuestion, SceneRecord, program_of, read_questions, read_scenes
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import QUESTION_FIELDS, SCENE_FIELDS, Shard
from mereo.datasets.verify import plain_answer
from mereo.errors import BadInput, MereoError
from mereo.files import read_bytes
from mereo.programs import Language, compile_program
from mereo.world import World

__all__ = ["IMAGE_FIELDS", "ImportRecipe", "read_official"]

IMAGE_FIELDS = SCENE_FIELDS.append(pa.field("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])))


@dataclass(frozen=True)
class Official:
    """Official files, read: scenes by split, and the questions of each scene."""

    scenes: Mapping[str, list[SceneRecord]]
    questions: Mapping[str, list[OfficialQuestion]]


def read_official(scenes: str | Path, questions: str | Path | None) -> Official:
    """Read a scene file or folder and a question file; every question must be about one of the scenes."""
    records = read_scenes(scenes)
    by_split: dict[str, list[SceneRecord]] = {}
    names: dict[str, str] = {}
    for record in records:
        by_split.setdefault(str(record.data.get("split", "new")), []).append(record)
        names[str(record.data.get("image_index"))] = names[record.image] = record.image
    asked: dict[str, list[OfficialQuestion]] = {}
    for number, question in enumerate(read_questions(questions) if questions else []):
        asked_about = question.image_index if question.image_filename is None else question.image_filename
        name = names.get(str(asked_about))
        if name is None:
            reason = f"asks about {asked_about}, of which there is no scene"
            raise BadInput(reason, file=questions, record=f"question {number}")
        asked.setdefault(name, []).append(question)
    return Official(by_split, asked)


@dataclass(frozen=True)
class ImportRecipe:
    """A build whose scenes and questions are somebody else's."""

    official: Official
    language: Language
    world_of: Callable[[SceneRecord], World]
    benchmark: str
    images: Path | None = None
    seed: int = 0
    piecemeal: bool = False

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return IMAGE_FIELDS if self.images else SCENE_FIELDS

    def settings(self) -> dict[str, Any]:
        """That it is imported."""
        return {"imported": True}

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
        rows = Rows(new_columns(self.scene_fields), new_columns(QUESTION_FIELDS))
        for row in scenes:
            append(rows.scenes, row)
            record = self.official.scenes[shard.split][row["index"]]
            world = self.world_of(record)
            for number, question in enumerate(self.official.questions.get(record.image, [])):
                try:
                    trace = compile_program(program_of(question.program), self.language)(world)
                except MereoError as error:
                    raise BadInput(str(error), record=f"question {number} about {record.image}") from None
                last = trace.executable.program.steps[-1].function
                answer = trace.values[-1] if question.answer is msgspec.UNSET else question.answer
                append(
                    rows.questions,
                    {
                        "question_id": f"{row['scene_id']}-{number:02d}",
                        "scene_id": row["scene_id"],
                        "split": shard.split,
                        "type": last,
                        "subtype": last,
                        "family": "imported",
                        "template": "imported",
                        "question": question.question,
                        "program": str(trace.executable.program),
                        "answer": str(plain_answer(answer)),
                        "referred": trace.referred(),
                    },
                )
        return rows
