"""Building CLEVR: scenes, with or without pictures, made here or given, and questions of our own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.official import FORMAT
from mereo.benchmarks.clevr.questions import RULES, clevr_questions
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.stage import StageScenes
from mereo.datasets.build import Rows
from mereo.datasets.columns import record_of
from mereo.datasets.given import GivenScenes, changed_at, given_scenes
from mereo.datasets.picture_settings import PictureSettings, scene_fields
from mereo.datasets.rows import append, new_columns, question_row
from mereo.datasets.store import QUESTION_FIELDS, Shard
from mereo.errors import BadInput
from mereo.files import read_toml
from mereo.questions.generate import Asker

__all__ = ["ClevrRecipe", "scenes_given"]

TYPES: dict[str, str] = read_toml(Path(__file__).with_name("vocabulary.toml"))["types"]


@dataclass(frozen=True)
class ClevrRecipe:
    """How CLEVR data is made."""

    seed: int
    questions_per_scene: int = 10
    preset: str = "clevr"
    pictures: PictureSettings | None = None
    scenes_from: str | None = None
    """A dataset, a folder or a file whose scenes are asked about."""
    images: str | None = None
    """The pictures of such scenes."""
    benchmark: str = "clevr"
    question_fields: pa.Schema = QUESTION_FIELDS

    @property
    def stage(self) -> StageScenes:
        """What makes the scenes where none are given."""
        return StageScenes(self.seed, self.preset == "cogent", self.pictures)

    @property
    def given(self) -> GivenScenes | None:
        """The scenes that are there already, if some are."""
        return scenes_given(self.scenes_from, self.images) if self.scenes_from else None

    @property
    def piecemeal(self) -> bool:
        """A picture takes seconds, a symbolic scene a fraction of a millisecond, and scenes that are there nothing."""
        return self.pictures is not None

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return self.given.fields if self.given else scene_fields(self.pictures)

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        own = {"preset": self.preset, "questions_per_scene": self.questions_per_scene}
        return {**own, **(self.given or self.stage).settings()}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene: CLEVR's record of it and, with pictures, what the camera saw."""
        return self.given.row(split, index) if self.given else self.stage.scene(split, index)

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the questions about them, asked in order."""
        asker = Asker(clevr_questions(), LANGUAGE, RULES)
        rows = Rows(new_columns(self.scene_fields), new_columns(QUESTION_FIELDS))
        for row in scenes:
            append(rows.scenes, row)
            world = world_from_record(record_of(row), VOCABULARY)
            chance = fast(generator(self.seed, row["split"], row["index"], "questions"))
            for number, question in enumerate(asker.ask(world, self.questions_per_scene, chance=chance)):
                kind = TYPES[question.template.type]
                append(rows.questions, question_row(question, row["scene_id"], shard.split, number, type=kind))
        return rows


def scenes_given(path: str, images: str | None) -> GivenScenes:
    """The scenes of a dataset, a folder or a file, and perhaps pictures of them."""
    return _given(path, images, changed_at(path))


@lru_cache(maxsize=4)
def _given(path: str, images: str | None, changed: int) -> GivenScenes:
    given = given_scenes(path, FORMAT, "clevr", images=images)
    try:
        world_from_record(record_of(given.row(next(iter(given.splits)), 0)), VOCABULARY)
    except BadInput as error:
        raise error.within(file=path) from None
    return given
