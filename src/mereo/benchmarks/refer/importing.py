"""Importing CLEVR-Ref+'s files: as any official files, with boxes and masks of every step where scenes have masks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from mereo.benchmarks.refer.annotate import visible_masks
from mereo.benchmarks.refer.language import WORDS
from mereo.benchmarks.refer.recipe import facts_of
from mereo.datasets.build import Rows
from mereo.datasets.importing import IMPORTED_FIELDS, Form, ImportRecipe, Official
from mereo.datasets.referents import EXPRESSION_FIELDS, Referents, stored_entities, with_entities
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import Shard
from mereo.datasets.verify import stored_answer
from mereo.programs import compile_program

__all__ = ["ReferImport"]

_FIELDS = EXPRESSION_FIELDS.append(IMPORTED_FIELDS.field("official"))


@dataclass(frozen=True)
class ReferImport:
    """A build whose scenes and expressions are CLEVR-Ref+'s."""

    official: Official
    form: Form
    benchmark: str
    images: Path | None = None
    seed: int = 0
    piecemeal: bool = False

    @property
    def plain(self) -> ImportRecipe:
        """What any official files become."""
        return ImportRecipe(self.official, self.form, self.benchmark, self.images)

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return with_entities(self.plain.scene_fields)

    @property
    def question_fields(self) -> pa.Schema:
        """The columns of question shards."""
        return _FIELDS

    def settings(self) -> dict[str, Any]:
        """That it is imported."""
        return self.plain.settings()

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as it stands in the file, with what is seen of every object."""
        row = self.plain.scene(split, index)
        masks = visible_masks(row)
        return {**row, "entities": stored_entities(masks) if masks else None}

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """Scenes and their expressions; steps are in the order in which the program's line has them."""
        plain = self.plain.shard(shard, [{**row} for row in scenes])
        rows = Rows(new_columns(self.scene_fields), new_columns(self.question_fields))
        asked: dict[str, list[dict[str, Any]]] = {}
        for values in zip(*plain.questions.values(), strict=True):
            question = dict(zip(plain.questions, values, strict=True))
            asked.setdefault(question["scene_id"], []).append(question)
        for row in scenes:
            append(rows.scenes, row)
            record = self.official.scenes[shard.split][row["index"]]
            world, referents = self.form.world_of(record), Referents(visible_masks(row))
            expressions = self.official.questions.get(record.image, [])
            for question, source in zip(asked.get(row["scene_id"], []), expressions, strict=True):
                trace = compile_program(question["program"], self.form.language)(world)
                referred = trace.referred()
                own: Mapping[str, Any] = {
                    "question": source.question.refexp or source.question.question,
                    "type": WORDS["official"]["families"].get(question["family"], question["family"]),
                    "template": f"{question['family']}/{source.question.refexp_family_index}",
                    "answer": stored_answer(trace.values[-1], trace.executable.types[-1]),
                    "referred": referred,
                    **facts_of(trace.executable.program, referred[-1]),
                    **referents.columns(referred),
                }
                append(rows.questions, {**question, **own})
        return rows
