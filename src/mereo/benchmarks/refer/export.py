"""Datasets of referring expressions as CLEVR-Ref+'s own files: pictures, scenes with masks and boxes, expressions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mereo.clevr_family.exporting import family_places, write_pictures, write_scenes
from mereo.clevr_family.nodes import write_questions
from mereo.clevr_family.records import official_name
from mereo.datasets.columns import json_of, record_of
from mereo.datasets.export import Progress, Source
from mereo.errors import BadInput
from mereo.programs import Step, parse_program

__all__ = ["to_clevr_ref"]

_MISSPELLED = {"ninth": "nineth"}
"""How CLEVR-Ref+ writes a number of ours."""


def to_clevr_ref(source: Source, out: Path, progress: Progress) -> None:
    """`images/SPLIT/*`, `scenes/clevr_ref+_SPLIT_scenes.json`, `refexps/clevr_ref+_SPLIT_refexps.json`.

    What was imported is written as it was read. Families of ours are numbered by the names of their templates.
    """
    scenes: dict[str, list[Any]] = {}
    expressions: dict[str, list[dict[str, Any]]] = {}
    titles = sorted({row["template"] for _, _, asked in source.shards() for row in asked})
    for split, rows, asked in source.shards():
        records = {row["scene_id"]: record_of(row) for row in rows}
        scenes.setdefault(split, []).extend(records.values())
        own = expressions.setdefault(split, [])
        own += [_expression(row, records[row["scene_id"]], len(own) + k, titles) for k, row in enumerate(asked)]
        write_pictures(rows, records, out / "images" / split, progress)
    for split, records_of_split in scenes.items():
        info = {"split": split, "version": "1.0", **source.licensed()}
        write_scenes(out / "scenes" / f"clevr_ref+_{split}_scenes.json", records_of_split, info=info)
        path = out / "refexps" / f"clevr_ref+_{split}_refexps.json"
        write_questions(path, expressions[split], info=info, under="refexps")


def _expression(row: dict[str, Any], scene: dict[str, Any], index: int, titles: list[str]) -> dict[str, Any]:
    if row.get("official"):
        imported: dict[str, Any] = json_of(row, "official", type=dict[str, Any])
        return imported
    filename = official_name(scene, row["scene_id"])
    steps = parse_program(row["program"]).steps
    in_family, _ = family_places(row, titles)
    if len(steps) != len(row["referred"]):
        reason = f"tells of {len(row['referred'])} steps, the program has {len(steps)}"
        raise BadInput(reason, record=row["question_id"], field="referred")
    return {
        "split": row["split"],
        "image_filename": filename,
        "image_index": scene.get("image_index", row["scene_id"]),
        "image": Path(filename).stem,
        "refexp": row["question"],
        "program": [
            {
                "type": step.function,
                "inputs": list(step.inputs),
                "value_inputs": _words(step),
                "_output": referred[0] if step.function == "unique" and referred else referred,
            }
            for step, referred in zip(steps, row["referred"], strict=True)
        ],
        "template_filename": f"{row['family']}.json",
        "refexp_family_index": in_family,
        "refexp_index": index,
    }


def _words(step: Step) -> list[Any]:
    """The literals of a step in CLEVR-Ref+'s words."""
    if step.function == "filter_ordinal" and len(step.values) == 2:
        number, side = step.values
        return [f"the {_MISSPELLED.get(number, number)} one of the", f"from {side}"]
    if step.function == "filter_visible" and step.values:
        return [f"{step.values[0]} visible"]
    return list(step.values)
