"""Building referring expressions: over scenes of CLEVR's, made here, or over those of a dataset that is there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mereo.benchmarks.benchmark import Preset, Referring, benchmark
from mereo.benchmarks.refer.referents import EXPRESSION_FIELDS, Referents, stored_entities, with_entities
from mereo.benchmarks.refer.stage import REFERRING
from mereo.chance import fast, generator
from mereo.datasets.build import Recipe, Rows
from mereo.datasets.rows import append, new_columns, question_row
from mereo.datasets.store import Manifest, Shard, fingerprint, open_dataset, read_table
from mereo.errors import BadInput
from mereo.programs import Program
from mereo.questions.generate import Asker, Question

__all__ = ["FALSE_PREMISE", "PRESETS", "ReferRecipe", "referring_of"]

FALSE_PREMISE = "false_premise"
PRESETS = {
    "refer": Preset({"train": 0.7, "val": 0.15, "test": 0.15}, "CLEVR-Ref+: CLEVR's scenes, all shapes in all colors"),
    "cogent": Preset(
        {"trainA": 0.5, "valA": 0.125, "valB": 0.125, "testA": 0.125, "testB": 0.125},
        "CoGenT: train on the colors of condition A, test on A and on B",
    ),
    FALSE_PREMISE: Preset({FALSE_PREMISE: 1.0}, "expressions that refer to nothing, to be kept apart from all others"),
}
_STAGE = ("clevr", "refer")
"""Whose scenes are referred to in the language of this folder."""


def referring_of(name: str) -> Referring:
    """How things in the scenes of a benchmark are referred to."""
    if name in _STAGE:
        return REFERRING
    own = benchmark(name).referring
    if own is None:
        raise BadInput(f"benchmark {name} has no referring expressions")
    return own()


@dataclass(frozen=True)
class ReferRecipe:
    """How datasets of referring expressions are made."""

    seed: int
    questions_per_scene: int = 10
    preset: str = "refer"
    pictures: bool = False
    width: int = 480
    height: int = 320
    samples: int = 64
    renderer: str = "auto"
    image_format: str = "png"
    amodal: bool = False
    scenes_from: str | None = None
    """The folder of a dataset whose scenes are referred to."""
    benchmark: str = "refer"

    @property
    def stage(self) -> Recipe:
        """What makes the scenes where none are given: CLEVR's own recipe, with the same seed the same scenes."""
        make = benchmark("clevr").recipe
        assert make is not None
        pictures = {}
        if self.pictures:
            names = ("pictures", "width", "height", "samples", "renderer", "image_format", "amodal")
            pictures = {name: getattr(self, name) for name in names}
        preset = "cogent" if self.preset == "cogent" else "clevr"
        return make(seed=self.seed, questions_per_scene=0, preset=preset, **pictures)

    @property
    def referring(self) -> Referring:
        """The language and the templates."""
        return referring_of(_manifest(self.scenes_from).benchmark if self.scenes_from else "clevr")

    @property
    def piecemeal(self) -> bool:
        """A picture takes seconds; scenes that are there take none."""
        return self.pictures and not self.scenes_from

    @property
    def false_premise(self) -> bool:
        """Whether the expressions refer to nothing."""
        return self.preset == FALSE_PREMISE

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards: those that the scenes come with, and what is seen of every entity."""
        if not self.scenes_from:
            return with_entities(self.stage.scene_fields)
        first = next(name for name in _manifest(self.scenes_from).files if name.startswith("scenes/"))
        return with_entities(pq.read_schema(Path(self.scenes_from) / first))

    @property
    def question_fields(self) -> pa.Schema:
        """The columns of question shards."""
        return EXPRESSION_FIELDS

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        chosen = {"preset": self.preset, "questions_per_scene": self.questions_per_scene}
        if self.scenes_from:
            source = _manifest(self.scenes_from)
            has_pictures = bool(source.settings.get("pictures"))
            return {**chosen, "pictures": has_pictures, "scenes_from": source.benchmark, "scenes": fingerprint(source)}
        return {**self.stage.settings(), **chosen}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene with what is seen of every entity."""
        row = _stored_row(self.scenes_from, split, index) if self.scenes_from else self.stage.scene(split, index)
        row = self.referring.annotate(row)
        masks = self.referring.masks(row)
        return {**row, "entities": stored_entities(masks) if masks else None}

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the expressions about them."""
        referring = self.referring
        templates, rules = referring.expressions(false_premise=self.false_premise)
        asker = Asker(templates, referring.language, rules)
        rows = Rows(new_columns(self.scene_fields), new_columns(EXPRESSION_FIELDS))
        place = "false premises" if self.false_premise else "expressions"
        for row in scenes:
            append(rows.scenes, row)
            chance = fast(generator(self.seed, row["split"], row["index"], place))
            referents = Referents(referring.masks(row))
            asked = asker.ask(referring.world(row), self.questions_per_scene, chance=chance)
            for number, expression in enumerate(asked):
                append(rows.questions, self._row(expression, row["scene_id"], shard.split, number, referents))
        return rows

    def _row(self, said: Question, scene_id: str, split: str, number: int, referents: Referents) -> dict[str, Any]:
        families = self.referring.families
        row = question_row(said, scene_id, split, number, type=families.get(said.template.family, said.template.family))
        return {**row, **facts_of(said.program, row["referred"][-1]), **referents.columns(row["referred"])}


def facts_of(program: Program, referred: list[int]) -> dict[str, Any]:
    """What tables of scores are split by."""
    functions = [step.function for step in program.steps]
    return {
        "number": len(referred),
        "subset": "none" if not referred else "single" if len(referred) == 1 else "multi",
        "false_premise": not referred,
        "relations": sum(function.startswith("relate") for function in functions),
        "topology": "tree" if any(len(step.inputs) > 1 for step in program.steps) else "chain",
    }


@lru_cache(maxsize=8)
def _manifest(folder: str) -> Manifest:
    return open_dataset(folder)


@lru_cache(maxsize=1)
def _shard_table(folder: str, name: str) -> pa.Table:
    return read_table(Path(folder) / name)


def _stored_row(folder: str, split: str, index: int) -> dict[str, Any]:
    """The row of a split's scene by its place among those that are there."""
    before = 0
    for name, record in _manifest(folder).files.items():
        if not name.startswith("scenes/") or Path(name).name.rpartition("-")[0] != split:
            continue
        if index < before + record.rows:
            row: dict[str, Any] = _shard_table(folder, name).slice(index - before, 1).to_pylist()[0]
            return row
        before += record.rows
    raise BadInput(f"has only {before} scenes of {split}", file=folder)
