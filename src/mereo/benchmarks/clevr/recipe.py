"""Building CLEVR: scenes, with or without pictures, and questions of our own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa

from mereo.benchmarks.benchmark import Preset
from mereo.benchmarks.clevr.language import LANGUAGE, VOCABULARY, WORDS
from mereo.benchmarks.clevr.questions import RULES, load_questions
from mereo.chance import fast, generator
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import sample_scene
from mereo.datasets.build import Rows
from mereo.datasets.rows import append, new_columns, question_row
from mereo.datasets.store import AMODAL_FIELDS, PICTURE_FIELDS, QUESTION_FIELDS, SCENE_FIELDS, Shard
from mereo.errors import MereoError
from mereo.questions.generate import Asker

__all__ = ["PRESETS", "VISIBLE", "ClevrRecipe"]

PRESETS = {
    "clevr": Preset({"train": 0.7, "val": 0.15, "test": 0.15}, "CLEVR: all shapes in all colors"),
    "cogent": Preset(
        {"trainA": 0.5, "valA": 0.125, "valB": 0.125, "testA": 0.125, "testB": 0.125},
        "CoGenT: train on the colors of condition A, test on A and on B",
    ),
}

VISIBLE = 200 / (480 * 320)
"""The least share of the picture that every object must cover: CLEVR's 200 pixels."""
_ATTEMPTS = 50


@dataclass(frozen=True)
class ClevrRecipe:
    """How CLEVR data is made."""

    seed: int
    questions_per_scene: int = 10
    preset: str = "clevr"
    pictures: bool = False
    width: int = 480
    height: int = 320
    samples: int = 64
    renderer: str = "auto"
    image_format: str = "png"
    amodal: bool = False
    benchmark: str = "clevr"

    @property
    def piecemeal(self) -> bool:
        """A picture takes seconds, a symbolic scene a fraction of a millisecond."""
        return self.pictures

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        if not self.pictures:
            return SCENE_FIELDS
        return AMODAL_FIELDS if self.amodal else PICTURE_FIELDS

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        chosen = {"preset": self.preset, "questions_per_scene": self.questions_per_scene, "pictures": self.pictures}
        if self.pictures:
            chosen |= {"width": self.width, "height": self.height, "samples": self.samples, "renderer": self.renderer}
            chosen |= {"image_format": self.image_format, "amodal": self.amodal}
        return chosen

    def condition(self, split: str) -> str:
        """CoGenT's condition of a split: its last letter."""
        return split[-1] if self.preset == "cogent" else ""

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene: CLEVR's record of it and, with pictures, what the camera saw."""
        if not self.pictures:
            return self._row(
                sample_scene(generator(self.seed, split, index), condition=self.condition(split)), split, index
            )
        return self._photographed(split, index)

    def _row(self, scene: dict[str, Any], split: str, index: int) -> dict[str, Any]:
        scene_id = f"{split}-{index:06d}"
        record = {
            "split": split,
            "image_index": index,
            "image_filename": f"CLEVR_{scene_id}.{self.image_format}",
            **scene,
        }
        return {
            "scene_id": scene_id,
            "split": split,
            "index": index,
            "objects": len(scene["objects"]),
            "scene": msgspec.json.encode(record).decode(),
        }

    def _photographed(self, split: str, index: int) -> dict[str, Any]:
        """A scene in which every object can be seen, with its pictures."""
        from mereo.clevr_family.pictures import scene_of
        from mereo.datasets.rows import picture_columns
        from mereo.scenes.observe import observe, projected
        from mereo.scenes.render import Set

        least = VISIBLE * self.width * self.height
        for attempt in range(_ATTEMPTS):
            place = (split, index, attempt) if attempt else (split, index)
            record = sample_scene(generator(self.seed, *place), condition=self.condition(split))
            lamps = generator(self.seed, *place, "lamps")
            scene = scene_of(record, rng=lamps, width=self.width, height=self.height)
            stage = Set(scene, renderer=self.renderer)
            frame = stage.frame()
            seen = observe(scene, frame)
            if all(thing.pixels >= least for thing in seen.objects):
                break
        else:
            raise MereoError(f"no scene showed every object with {least:.0f} pixels in {_ATTEMPTS} attempts")
        centers = [thing["3d_coords"] for thing in record["objects"]]
        for thing, pixel in zip(record["objects"], projected(scene, centers).tolist(), strict=True):
            thing["pixel_coords"] = pixel
        picture = stage.picture(samples=self.samples, seed=int(lamps.integers(1 << 24)))
        return {
            **self._row(record, split, index),
            **picture_columns(
                scene,
                frame,
                picture,
                f"CLEVR_{split}-{index:06d}",
                image_format=self.image_format,
                amodal=stage.amodal() if self.amodal else None,
            ),
        }

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the questions about them, asked in order."""
        asker = Asker(load_questions(), LANGUAGE, RULES)
        rows = Rows(new_columns(self.scene_fields), new_columns(QUESTION_FIELDS))
        for row in scenes:
            append(rows.scenes, row)
            world = world_from_record(msgspec.json.decode(row["scene"]), VOCABULARY)
            chance = fast(generator(self.seed, row["split"], row["index"], "questions"))
            for number, question in enumerate(asker.ask(world, self.questions_per_scene, chance=chance)):
                kind = WORDS["types"][question.template.type]
                append(rows.questions, question_row(question, row["scene_id"], shard.split, number, type=kind))
        return rows
