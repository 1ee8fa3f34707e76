"""Building PartNet: clouds of points on shapes of our grammars, or in PartNet's folders, and what is asked of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from mereo.benchmarks.partnet.clouds import CloudRecord, Piece, cloud_fields, cloud_of, cloud_row
from mereo.benchmarks.partnet.folders import GivenShapes, given_shapes
from mereo.benchmarks.partnet.labels import CategoryLabels, labels_content, labels_of
from mereo.benchmarks.partnet.names import LABELS_FILE, NAME
from mereo.benchmarks.partnet.questions import asked_rows
from mereo.chance import generator
from mereo.datasets.build import Rows
from mereo.datasets.columns import row_named
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import QUESTION_FIELDS, Shard
from mereo.shapes.grammar import make_shape
from mereo.shapes.partnet_points import sample_of
from mereo.shapes.points import cloud
from mereo.shapes.segmentation import part_instances
from mereo.shapes.template import template_of

__all__ = ["PartNetRecipe"]


@dataclass(frozen=True)
class PartNetRecipe:
    """How PartNet's data is made."""

    seed: int
    categories: tuple[str, ...]
    preset: str = "tiny"
    points: int = 10_000
    normals: bool = False
    shapes_from: str | None = None
    """A folder of PartNet's folders, whose shapes are taken instead of new ones."""
    benchmark: str = NAME
    piecemeal: bool = False
    question_fields: pa.Schema = QUESTION_FIELDS

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return cloud_fields(normals=self.normals)

    @property
    def given(self) -> GivenShapes | None:
        """The shapes that are there already, if some are."""
        return given_shapes(self.shapes_from, self.categories) if self.shapes_from else None

    @cached_property
    def labels(self) -> dict[str, CategoryLabels]:
        """Which labels there are, by category."""
        return {name: labels_of(template_of(name)) for name in self.shown}

    @property
    def shown(self) -> tuple[str, ...]:
        """The categories of which there are shapes."""
        return self.given.categories if self.given else self.categories

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        chosen = {"preset": self.preset, "points": self.points, "normals": self.normals}
        return {**chosen, "categories": list(self.shown), **(self.given.settings() if self.given else {})}

    def further(self) -> dict[str, bytes]:
        """The labels go with the dataset."""
        return {LABELS_FILE: labels_content(self.shown)}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One shape with its points; categories take turns, so that any number of scenes has about as many of each."""
        if self.given:
            record, sample = self.given.cloud(split, index, points=self.points, seed=self.seed)
        else:
            category = self.categories[index % len(self.categories)]
            shape = make_shape(category, seed=self.seed, split=split, family=index // len(self.categories))
            drawn = cloud(shape, self.points, rng=generator(self.seed, "points", shape.name))
            parts = tuple(Piece(part.path, tuple(part.leaves)) for part in part_instances(shape))
            family = f"{category} {shape.facts['family']}"
            record, sample = CloudRecord(shape.name, category, family, self.points, parts), sample_of(shape, drawn)
        return cloud_row(split, index, record, sample, self.labels[record.category], normals=self.normals)

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of shapes, and a question for each task and level."""
        rows = Rows(new_columns(self.scene_fields), new_columns(QUESTION_FIELDS))
        for scene in scenes:
            append(rows.scenes, scene)
            for question in self._asked(scene):
                append(rows.questions, question)
        return rows

    def _asked(self, scene: dict[str, Any]) -> Iterator[dict[str, Any]]:
        with row_named(scene):
            yield from asked_rows(scene["scene_id"], scene["split"], cloud_of(scene, self.labels))
