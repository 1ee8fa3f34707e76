"""Datasets as CLEVR's own folders: images, scenes and questions by split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mereo.clevr_family.exporting import write_pictures, write_scenes
from mereo.clevr_family.nodes import write_questions
from mereo.clevr_family.records import official_name
from mereo.datasets.columns import record_of
from mereo.datasets.export import Progress, Source
from mereo.programs import parse_program

__all__ = ["to_clevr"]


def to_clevr(source: Source, out: Path, progress: Progress) -> None:
    """`images/SPLIT/*`, `scenes/CLEVR_SPLIT_scenes.json`, `questions/CLEVR_SPLIT_questions.json`."""
    scenes: dict[str, list[Any]] = {}
    questions: dict[str, list[dict[str, Any]]] = {}
    for split, rows, asked in source.shards():
        records = {row["scene_id"]: record_of(row) for row in rows}
        scenes.setdefault(split, []).extend(records.values())
        own = questions.setdefault(split, [])
        own += [_question(row, records[row["scene_id"]], len(own) + k) for k, row in enumerate(asked)]
        write_pictures(rows, records, out / "images" / split, progress)
    for split, records_of_split in scenes.items():
        info = {"split": split, "version": "1.0", **source.licensed()}
        write_scenes(out / "scenes" / f"CLEVR_{split}_scenes.json", records_of_split, info=info)
        write_questions(out / "questions" / f"CLEVR_{split}_questions.json", questions[split], info=info)


def _question(row: dict[str, Any], scene: dict[str, Any], index: int) -> dict[str, Any]:
    """A question as CLEVR's released files have it; the program in their form, the answer as a word."""
    return {
        "split": row["split"],
        "image_filename": official_name(scene, row["scene_id"]),
        "image_index": scene.get("image_index", row["scene_id"]),
        "question_index": index,
        "question": row["question"],
        "answer": row["answer"],
        "question_family": row["template"],
        "program": [
            {"function": step.function, "inputs": list(step.inputs), "value_inputs": list(step.values)}
            for step in parse_program(row["program"]).steps
        ],
    }
