"""Making photographs: every scene from its seed alone, and questions for each shard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa

from mereo.benchmarks.choices import QUESTIONS_PER_SCENE, Choice
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.chance import fast, generator
from mereo.datasets.build import Rows
from mereo.datasets.pictures import encode_png
from mereo.datasets.rows import append, new_columns, question_row
from mereo.datasets.store import IMAGE_FIELDS, QUESTION_FIELDS, SCENE_FIELDS, Shard
from mereo.questions.generate import Asker
from mereo_photos.graph import Photo, world_of
from mereo_photos.kitchens import kitchen
from mereo_photos.language import KITCHEN, LANGUAGE
from mereo_photos.picture import draw
from mereo_photos.questions import RULES, photo_questions

__all__ = ["MAKER"]


@dataclass(frozen=True)
class PhotoRecipe:
    """How photographs are made."""

    seed: int
    questions_per_scene: int
    things: int
    pictures: bool
    benchmark: str = "photos"
    piecemeal: bool = False
    question_fields: pa.Schema = QUESTION_FIELDS

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards: with the picture, or without."""
        return IMAGE_FIELDS if self.pictures else SCENE_FIELDS

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        return {"questions_per_scene": self.questions_per_scene, "things": self.things, "pictures": self.pictures}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One photograph: its graph and, unless nobody wants it, its picture."""
        scene_id = f"{split}-{index:06d}"
        photo = kitchen(generator(self.seed, split, index), name=f"{scene_id}.png", most=self.things)
        row: dict[str, Any] = {"scene_id": scene_id, "split": split, "index": index, "objects": len(photo.things)}
        row["scene"] = msgspec.json.encode(photo).decode()
        return {**row, "image": {"bytes": encode_png(draw(photo)), "path": photo.photo}} if self.pictures else row

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the questions about them, asked in order."""
        asker = Asker(photo_questions(), LANGUAGE, RULES)
        rows = Rows(new_columns(self.scene_fields), new_columns(QUESTION_FIELDS))
        for row in scenes:
            append(rows.scenes, row)
            world = world_of(msgspec.json.decode(row["scene"], type=Photo))
            chance = fast(generator(self.seed, row["split"], row["index"], "questions"))
            for number, question in enumerate(asker.ask(world, self.questions_per_scene, chance=chance)):
                kind = KITCHEN["types"][question.template.type]
                append(rows.questions, question_row(question, row["scene_id"], shard.split, number, type=kind))
        return rows


def _recipe(order: Order) -> PhotoRecipe:
    chosen = order.choices
    return PhotoRecipe(order.seed, chosen["questions_per_scene"], chosen["things"], not chosen["symbolic"])


MAKER = Maker(
    _recipe,
    {"kitchens": Preset({"train": 0.6, "val": 0.2, "test": 0.2}, "kitchens by chance")},
    choices=(
        QUESTIONS_PER_SCENE,
        Choice("things", int, 7, "Things that lie about, at most.", least=2),
        Choice("symbolic", bool, False, "Without pictures."),
    ),
    shard_size=250,
)
