"""Importing CLEVR-Ref+'s files: as any official files, with boxes and masks of every step where scenes have masks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from mereo.benchmarks.refer.annotate import visible_masks
from mereo.benchmarks.refer.facts import facts_of
from mereo.benchmarks.refer.language import WORDS
from mereo.benchmarks.refer.referents import EXPRESSION_FIELDS, Referents, stored_entities, with_entities
from mereo.clevr_family.format import FamilyFormat
from mereo.clevr_family.nodes import OfficialQuestion
from mereo.datasets.answers import stored_answer
from mereo.datasets.build import Rows
from mereo.datasets.format import QuestionRecord
from mereo.datasets.importing import (
    IMPORTED_FIELDS,
    ImportRecipe,
    OfficialFiles,
    imported_row,
    run_question,
)
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import Shard
from mereo.programs import Program

__all__ = ["ReferFormat", "ReferImport"]

_FIELDS = EXPRESSION_FIELDS.append(IMPORTED_FIELDS.field("official"))


@dataclass(frozen=True)
class ReferFormat(FamilyFormat):
    """CLEVR-Ref+'s files."""

    def recipe(self, files: OfficialFiles, *, benchmark: str, images: Path | None) -> ReferImport:
        """The build that makes a dataset of files that were read."""
        return ReferImport(files, self, benchmark, images, question_fields=_FIELDS)

    def kind(self, question: QuestionRecord, program: Program) -> dict[str, str]:
        """Families as tables name them."""
        parsed: OfficialQuestion = question.data
        plain = super().kind(question, program)
        type = WORDS["official"]["families"].get(plain["family"], plain["family"])
        return {**plain, "type": type, "template": f"{plain['family']}/{parsed.refexp_family_index}"}


@dataclass(frozen=True)
class ReferImport(ImportRecipe):
    """A build whose scenes and expressions are CLEVR-Ref+'s."""

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return with_entities(super().scene_fields)

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as it stands in the file, with what is seen of every object."""
        row = super().scene(split, index)
        masks = visible_masks(row)
        return {**row, "entities": stored_entities(masks) if masks else None}

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """Scenes and their expressions."""
        rows = Rows(new_columns(self.scene_fields), new_columns(self.question_fields))
        for row in scenes:
            append(rows.scenes, row)
            record = self.files.scenes[shard.split][row["index"]]
            world, referents = self.form.world(record), Referents(visible_masks(row))
            for number, expression in enumerate(self.files.questions.get(record.key, [])):
                trace = run_question(expression, world, self.form)
                plain = imported_row(expression, trace, self.form, row["scene_id"], shard.split, number)
                referred = plain["referred"]
                own = {
                    "answer": stored_answer(trace.values[-1], trace.executable.types[-1]),
                    **facts_of(trace.executable.program, referred[-1]),
                    **referents.columns(referred),
                }
                append(rows.questions, {**plain, **own})
        return rows
