"""PTR's own JSON: one file for each scene, questions whose literals come in pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from mereo.benchmarks.ptr.official.format import SPELLING
from mereo.benchmarks.ptr.official.world import official_world
from mereo.benchmarks.ptr.official_record import official_program, official_record
from mereo.clevr_family.nodes import write_nodes
from mereo.clevr_family.records import official_name
from mereo.datasets.columns import json_of, record_of
from mereo.datasets.export import Progress, Source
from mereo.errors import BadInput
from mereo.files import write_bytes
from mereo.programs import parse_program
from mereo.world import World

__all__ = ["OBJECT_FIELDS", "to_ptr"]

OBJECT_FIELDS = (
    *("category", "3d_coords", "rotation", "pixel_coords", "obj_mask", "part_mask"),
    *("part_color", "part_count", "part_color_occluded", "part_count_occluded", "part_color_all"),
)
"""What every object of an official scene has; `line_geo`, `plane_geo`, `question_type`, `stability` and
`possible_change` are there where they apply."""


def to_ptr(source: Source, out: Path, progress: Progress) -> None:
    """`images/SPLIT/*`, `scenes/SPLIT/NAME.json`, `questions/PTR_SPLIT_questions.json`.

    Questions whose programs the official language cannot say, or answers otherwise, go without these into
    `questions/PTR_SPLIT_more.json`.
    """
    questions: dict[str, list[Any]] = {}
    for split, rows, asked in source.shards():
        records = {row["scene_id"]: _scene(source, row) for row in rows}
        own = questions.setdefault(split, [])
        worlds = cache(lambda scene_id, known=records: official_world(known[scene_id]))
        own += [_question(row, records[row["scene_id"]], worlds, len(own) + k) for k, row in enumerate(asked)]
        for row in rows:
            record = records[row["scene_id"]]
            name = official_name(record, row["scene_id"])
            write_bytes(out / "scenes" / split / f"{Path(name).stem}.json", msgspec.json.encode(record))
            if row.get("image"):
                write_bytes(out / "images" / split / name, row["image"]["bytes"])
            progress(1)
    for split, own in questions.items():
        for name, kept in (("questions", True), ("more", False)):
            some = [question for question in own if (question["program"] is not None) is kept]
            if some or kept:
                content = msgspec.json.encode({"questions": some})
                write_bytes(out / "questions" / f"PTR_{split}_{name}.json", content)


class _Things(msgspec.Struct):
    """What an imported record holds."""

    objects: list[dict[str, Any]] = []


def _scene(source: Source, row: Mapping[str, Any]) -> dict[str, Any]:
    """A scene's official record: as it was imported, or as the benchmark translates its own."""
    imported = source.manifest.settings.get("imported")
    record = record_of(row) if imported else official_record(row)
    for i, thing in enumerate(json_of(row, "scene", type=_Things).objects if imported else record["objects"]):
        for field in OBJECT_FIELDS:
            if field not in thing:
                reason = "is missing: the scene is not of PTR's kind"
                raise BadInput(reason, file=source.folder, record=f"{row['scene_id']}, object {i}", field=field)
    return record


def _question(
    row: Mapping[str, Any], scene: Mapping[str, Any], worlds: Callable[[str], World], index: int
) -> dict[str, Any]:
    """A question as its own file had it, or with the fields of the released files. worlds : by the scene's id"""
    if row.get("official"):
        return json_of(row, "official", type=dict[str, Any])
    filename = str(scene["image_filename"])
    program = official_program(parse_program(row["program"]), worlds(row["scene_id"]), row["answer"])
    return {
        "split": row["split"],
        "image_filename": filename,
        "image_index": scene.get("image_index", row["scene_id"]),
        "image": Path(filename).stem,
        "question": row["question"],
        "program": None if program is None else write_nodes(program, SPELLING),
        "answer": row["answer"],
        "template_filename": row["family"],
        "question_index": index,
        "type1": row["type"],
        "type2": row["subtype"],
    }
