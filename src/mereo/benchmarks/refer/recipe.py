"""Building referring expressions: over scenes on CLEVR's stage, made here, or over those of a dataset that is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from mereo.benchmarks.benchmark import Referring, benchmark
from mereo.benchmarks.refer.facts import facts_of
from mereo.benchmarks.refer.names import FALSE_PREMISE, NAME
from mereo.benchmarks.refer.referents import EXPRESSION_FIELDS, Referents, stored_entities, with_entities
from mereo.benchmarks.refer.stage import REFERRING
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY as FAMILY
from mereo.clevr_family.stage import StageScenes
from mereo.datasets.asked import is_training
from mereo.datasets.build import Rows
from mereo.datasets.given import stored_scenes
from mereo.datasets.picture_settings import PictureSettings, scene_fields
from mereo.datasets.rows import append, new_columns, question_row
from mereo.datasets.store import Shard
from mereo.errors import BadInput
from mereo.questions.generate import Asker, Question
from mereo.questions.readings import Readings

__all__ = ["ReferRecipe", "referring_of"]


def referring_of(source: str | None) -> Referring:
    """How things in the scenes of a benchmark are referred to; those of CLEVR's family as those on its stage."""
    if source is None or source == NAME:
        return REFERRING
    own = benchmark(source)
    if own.referring is not None:
        return own.referring()
    if own.languages[0].vocabulary is not FAMILY:
        raise BadInput(f"benchmark {source} has no referring expressions")
    return REFERRING


@dataclass(frozen=True)
class ReferRecipe:
    """How datasets of referring expressions are made."""

    seed: int
    questions_per_scene: int = 10
    preset: str = "refer"
    pictures: PictureSettings | None = None
    scenes_from: str | None = None
    """The folder of a dataset whose scenes are referred to."""
    false_premises: int = 0
    """Expressions that refer to nothing, for each scene of a training split besides the others."""
    benchmark: str = NAME
    question_fields: pa.Schema = EXPRESSION_FIELDS

    @property
    def stage(self) -> StageScenes:
        """What makes the scenes where none are given: the same seed gives CLEVR's own scenes."""
        return StageScenes(self.seed, self.preset == "cogent", self.pictures)

    @property
    def referring(self) -> Referring:
        """The language and the templates."""
        return referring_of(stored_scenes(self.scenes_from).manifest.benchmark if self.scenes_from else None)

    @property
    def piecemeal(self) -> bool:
        """A picture takes seconds; scenes that are there take none."""
        return self.pictures is not None and not self.scenes_from

    @property
    def false_premise(self) -> bool:
        """Whether the expressions refer to nothing."""
        return self.preset == FALSE_PREMISE

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards: those that the scenes come with, and what is seen of every entity."""
        given = stored_scenes(self.scenes_from).fields if self.scenes_from else scene_fields(self.pictures)
        return with_entities(given)

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        chosen: dict[str, Any] = {"preset": self.preset, "questions_per_scene": self.questions_per_scene}
        if self.false_premises:
            chosen["false_premises"] = self.false_premises
        return {**chosen, **(stored_scenes(self.scenes_from) if self.scenes_from else self.stage).settings()}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene with what is seen of every entity."""
        given = stored_scenes(self.scenes_from).row if self.scenes_from else self.stage.scene
        row = self.referring.annotate(given(split, index))
        masks = self.referring.masks(row)
        return {**row, "entities": stored_entities(masks) if masks else None}

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the expressions about them."""
        rows = Rows(new_columns(self.scene_fields), new_columns(EXPRESSION_FIELDS))
        askers = [(self._asker(false=self.false_premise), self.false_premise, self.questions_per_scene)]
        if self.false_premises and is_training(shard.split):
            askers.append((self._asker(false=True), True, self.false_premises))
        for row in scenes:
            append(rows.scenes, row)
            referents = Referents(self.referring.masks(row))
            said = [one for asker, false, count in askers for one in self._asked(asker, row, count, false=false)]
            for number, expression in enumerate(said):
                append(rows.questions, self._row(expression, row["scene_id"], shard.split, number, referents))
        return rows

    def _asker(self, *, false: bool) -> Asker:
        """Who makes expressions of the one kind or the other."""
        templates, rules = self.referring.expressions(false_premise=false)
        return Asker(templates, self.referring.language, rules)

    def _asked(self, asker: Asker, row: Mapping[str, Any], count: int, *, false: bool) -> Iterable[Question]:
        """The expressions about a scene; those of the one kind do not hang on whether the others are wanted."""
        place = "false premises" if false else "expressions"
        chance = fast(generator(self.seed, row["split"], row["index"], place))
        readings = self.referring.readings(row) if self.referring.readings else Readings()
        return asker.ask(self.referring.world(row), count, chance=chance, readings=readings)

    def _row(self, said: Question, scene_id: str, split: str, number: int, referents: Referents) -> dict[str, Any]:
        families = self.referring.families
        row = question_row(said, scene_id, split, number, type=families.get(said.template.family, said.template.family))
        return {**row, **facts_of(said.program, row["referred"][-1]), **referents.columns(row["referred"])}
