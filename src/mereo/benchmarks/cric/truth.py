"""What CRIC's predictions are judged by: what the answers are about, and what there is to point at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
import pyarrow as pa

from mereo.benchmarks.cric.question import CRIC_FIELDS
from mereo.datasets.asked import Asked
from mereo.datasets.columns import json_of
from mereo.datasets.shards import checked, read_shard
from mereo.datasets.store import sealed
from mereo.errors import BadInput
from mereo.masks import Box, box_overlap

__all__ = ["Candidates", "Truth"]

_TRUE = pa.schema([CRIC_FIELDS.field(name) for name in ("target", "referred", "sub_graph", "question")])
"""The columns that tell what is meant."""

_ASTRAY = -1
"""What one points at who points at several things at once, or beside all of them: never right."""


class _Candidate(msgspec.Struct):
    id: str
    box: Box | None = None
    candidate: bool = True


class _Shown(msgspec.Struct):
    things: list[_Candidate]


class _Scene(msgspec.Struct):
    graph: _Shown


class Candidates:
    """What can be pointed at in a picture."""

    def __init__(self, shown: _Shown):
        self.places = {thing.id: place for place, thing in enumerate(shown.things)}
        self.boxes = [thing.box if thing.candidate else None for thing in shown.things]

    def place(self, entity: int | str, *, record: str, field: str) -> int:
        """The number of an entity that is named by number or id. record, field : where it is named"""
        place = self.places.get(entity, -1) if isinstance(entity, str) else entity
        if not 0 <= place < len(self.boxes):
            reason = f"{entity!r} is none of the {len(self.boxes)} things of the picture"
            raise BadInput(reason, record=record, field=field)
        return place

    def under(self, boxes: Sequence[Box]) -> int | None:
        """The candidate that a box overlaps most; None for no box."""
        if len(boxes) != 1:
            return _ASTRAY if boxes else None
        overlaps = [box_overlap(boxes[0], own) if own is not None else 0.0 for own in self.boxes]
        most = max(overlaps, default=0.0)
        return overlaps.index(most) if most > 0 else _ASTRAY


@dataclass(frozen=True)
class Truth:
    """What the questions of a dataset are about."""

    asked: Asked

    @cached_property
    def table(self) -> pa.Table:
        """The columns that hold it."""
        try:
            table = self.asked.with_columns(*_TRUE.names).table
        except KeyError:
            reason = "holds no questions of CRIC, which say what their answers point at"
            raise BadInput(reason, file=self.asked.folder) from None
        return checked(table, _TRUE, file=self.asked.folder)

    @cached_property
    def targets(self) -> list[list[int]]:
        """For every question the entities that its answer may point at."""
        found: list[list[int]] = self.table.column("target").to_pylist()
        return found

    @cached_property
    def candidates(self) -> list[Candidates]:
        """For every question what can be pointed at."""
        wanted = self.asked.words("scene_id")
        known, scenes = set(wanted), dict[str, Candidates]()
        for name in self.asked.manifest.files:
            if name.startswith("scenes/"):
                path = sealed(self.asked.folder, name, self.asked.manifest)
                for row in read_shard(path, ["scene_id", "scene"]).to_pylist():
                    if row["scene_id"] in known:
                        scenes[row["scene_id"]] = Candidates(json_of(row, "scene", type=_Scene).graph)
        for scene in known - scenes.keys():
            raise BadInput(f"asks about scene '{scene}', which is not there", file=self.asked.folder)
        return [scenes[scene] for scene in wanted]
