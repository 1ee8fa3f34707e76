"""Building CLEVR: scenes, with or without pictures, and questions of our own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from mereo.benchmarks.choices import PICTURES, QUESTIONS_PER_SCENE, chosen_pictures
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.questions import RULES, clevr_questions
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.stage import COGENT, StageScenes
from mereo.datasets.build import Rows
from mereo.datasets.columns import record_of
from mereo.datasets.picture_settings import PictureSettings, scene_fields
from mereo.datasets.rows import append, new_columns, question_row
from mereo.datasets.store import QUESTION_FIELDS, Shard
from mereo.files import read_toml
from mereo.questions.generate import Asker

__all__ = ["MAKER", "ClevrRecipe"]

TYPES: dict[str, str] = read_toml(Path(__file__).with_name("vocabulary.toml"))["types"]
PRESETS = {
    "clevr": Preset({"train": 0.7, "val": 0.15, "test": 0.15}, "CLEVR: all shapes in all colors"),
    "cogent": Preset(COGENT, "CoGenT: train on the colors of condition A, test on A and on B"),
}


@dataclass(frozen=True)
class ClevrRecipe:
    """How CLEVR data is made."""

    seed: int
    questions_per_scene: int = 10
    preset: str = "clevr"
    pictures: PictureSettings | None = None
    benchmark: str = "clevr"
    question_fields: pa.Schema = QUESTION_FIELDS

    @property
    def stage(self) -> StageScenes:
        """What makes the scenes."""
        return StageScenes(self.seed, self.preset == "cogent", self.pictures)

    @property
    def piecemeal(self) -> bool:
        """A picture takes seconds, a symbolic scene a fraction of a millisecond."""
        return self.pictures is not None

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return scene_fields(self.pictures)

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        return {"preset": self.preset, "questions_per_scene": self.questions_per_scene, **self.stage.settings()}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene: CLEVR's record of it and, with pictures, what the camera saw."""
        return self.stage.scene(split, index)

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


def _recipe(order: Order) -> ClevrRecipe:
    pictures = chosen_pictures(order.choices)
    return ClevrRecipe(order.seed, order.choices["questions_per_scene"], order.preset, pictures)


MAKER = Maker(_recipe, PRESETS, choices=(QUESTIONS_PER_SCENE, *PICTURES))
