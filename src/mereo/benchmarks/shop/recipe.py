"""Building SHOP-VRB: table tops with or without pictures, and the questions about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from mereo.benchmarks.shop.language import LANGUAGE, shop_world
from mereo.benchmarks.shop.models import instances_of
from mereo.benchmarks.shop.questions import QUESTIONS, RULES, TYPES, owner
from mereo.chance import fast, generator
from mereo.datasets.build import Rows
from mereo.datasets.columns import record_of
from mereo.datasets.picture_settings import USUAL, PictureSettings, scene_fields
from mereo.datasets.rows import append, new_columns, question_row
from mereo.datasets.store import QUESTION_FIELDS, Shard
from mereo.questions.generate import Asker, Question

__all__ = ["ShopRecipe"]


@dataclass(frozen=True)
class ShopRecipe:
    """How SHOP-VRB data is made."""

    seed: int
    preset: str = "tiny"
    visual: int = 20
    textual: int = 10
    grasps: int = 2
    """Questions of each kind for a scene."""
    view: PictureSettings = USUAL
    """What is seen is counted in pixels, with pictures or without."""
    pictures: bool = False
    benchmark: str = "shop"
    question_fields: pa.Schema = QUESTION_FIELDS

    @property
    def piecemeal(self) -> bool:
        """Every scene is set and looked at, which takes a while even without its picture."""
        return True

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return scene_fields(self.view if self.pictures else None)

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        chosen = {"preset": self.preset, "visual": self.visual, "textual": self.textual, "grasps": self.grasps}
        seen = {"pictures": self.pictures, "width": self.view.width, "height": self.view.height}
        return chosen | seen | (self.view.settings() if self.pictures else {})

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene: its record and, with pictures, what the camera saw."""
        from mereo.benchmarks.shop.scenes import ShopScenes

        return ShopScenes(self.seed, self.view, self.pictures, grasped=self.grasps > 0).scene(split, index)

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the questions about them, asked in order."""
        rows = Rows(new_columns(self.scene_fields), new_columns(QUESTION_FIELDS))
        shown = instances_of(shard.split)
        askers = {kind: Asker(load(shown), LANGUAGE, RULES, owner(shard.split)) for kind, load in QUESTIONS.items()}
        for scene in scenes:
            append(rows.scenes, scene)
            for number, question in enumerate(self._asked(askers, scene)):
                kind = TYPES[question.template.type]
                append(rows.questions, question_row(question, scene["scene_id"], shard.split, number, type=kind))
        return rows

    def _asked(self, askers: dict[str, Asker], scene: dict[str, Any]) -> Iterator[Question]:
        """Questions of every kind about one scene."""
        world = shop_world(record_of(scene))
        for kind, asker in askers.items():
            chance = fast(generator(self.seed, scene["scene_id"], kind))
            yield from asker.ask(world, getattr(self, kind), chance=chance)
