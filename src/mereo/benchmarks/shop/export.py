"""Datasets as SHOP-VRB's own folders: images, scenes with masks, visual and textual questions by split."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from mereo.benchmarks.shop.kinds import kind_of
from mereo.benchmarks.shop.language import SHOP_VRB, shop_world
from mereo.benchmarks.shop.official import SPELLING
from mereo.clevr_family.exporting import family_places, write_pictures, write_scenes
from mereo.clevr_family.nodes import node_records, write_questions
from mereo.clevr_family.records import official_name
from mereo.datasets.answers import stored_answer
from mereo.datasets.columns import json_of, record_of, row_named
from mereo.datasets.export import Progress, Source
from mereo.datasets.seen import masks_of
from mereo.errors import BadInput
from mereo.masks import encode
from mereo.programs import ProgramFailure, compile_program, parse_program
from mereo.world import World

__all__ = ["to_shop_vrb"]

_FILES = ("questions", "text_questions", "more")


def to_shop_vrb(source: Source, out: Path, progress: Progress) -> None:
    """`images/SPLIT/*`, `scenes/SHOP_VRB_SPLIT_scenes.json`, `questions/SHOP_VRB_SPLIT_[text_]questions.json`.

    Questions with functions that SHOP-VRB does not have go without programs into `questions/SHOP_VRB_SPLIT_more.json`.
    What was imported is written as it was read. Families of ours are numbered by the names of their templates.
    """
    titles = sorted({row["template"] for _, _, asked in source.shards() for row in asked})
    scenes: dict[str, list[Any]] = {}
    questions: dict[str, dict[str, list[Any]]] = {}
    for split, rows, asked in source.shards():
        records = {row["scene_id"]: _scene(row) for row in rows}
        scenes.setdefault(split, []).extend(records.values())
        own = questions.setdefault(split, {name: [] for name in _FILES})
        worlds = cache(lambda scene_id, known={row["scene_id"]: row for row in rows}: _world(known[scene_id]))
        for row in asked:
            record = _question(row, records[row["scene_id"]], worlds, titles)
            file = own[_file(row, record)]
            file.append(record if row.get("official") else {**record, "question_index": len(file)})
        write_pictures(rows, records, out / "images" / split, progress)
    for split, own in questions.items():
        info = {"split": split, "version": "1.0", **source.licensed()}
        write_scenes(out / "scenes" / f"SHOP_VRB_{split}_scenes.json", scenes[split], info=info)
        for name, some in own.items():
            if some or name == "questions":
                write_questions(out / "questions" / f"SHOP_VRB_{split}_{name}.json", some, info=info)


def _world(row: Mapping[str, Any]) -> World:
    with row_named(row):
        return shop_world(record_of(row))


class _Things(msgspec.Struct):
    """What a record holds."""

    objects: list[dict[str, Any]]


def _scene(row: Mapping[str, Any]) -> dict[str, Any]:
    """A scene's record, with what is visible of each object where there is a picture of that."""
    record = record_of(row)
    things = json_of(row, "scene", type=_Things).objects
    masks = masks_of(row, len(things))
    if masks is None:
        return record
    return {**record, "objects": [{**thing, "mask": encode(mask)} for thing, mask in zip(things, masks, strict=True)]}


def _file(row: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """The file that a question goes into."""
    if record.get("program") is None:
        return "more"
    return "text_questions" if kind_of(row) == "textual" else "questions"


def _question(
    row: Mapping[str, Any], scene: Mapping[str, Any], worlds: Callable[[str], World], titles: Sequence[str]
) -> dict[str, Any]:
    """A question as its own file had it, or as SHOP-VRB's generator writes it. worlds : by the scene's id"""
    if row.get("official"):
        return json_of(row, "official", type=dict[str, Any])
    filename = official_name(scene, row["scene_id"])
    in_family, among_all = family_places(row, titles)
    return {
        "split": row["split"],
        "image_filename": filename,
        "image_index": scene.get("image_index", row["scene_id"]),
        "image": Path(filename).stem,
        "question": row["question"],
        **_run(row, worlds),
        "template_filename": f"{row['family']}.json",
        "question_in_family_index": in_family,
        "question_family_index": among_all,
    }


def _run(row: Mapping[str, Any], worlds: Callable[[str], World]) -> dict[str, Any]:
    """Program and answer, every step with its output; no program where the official language cannot say it."""
    program = parse_program(row["program"])
    if any(step.function not in SHOP_VRB.functions for step in program.steps):
        return {"program": None, "answer": row["answer"]}
    try:
        trace = compile_program(program, SHOP_VRB)(worlds(row["scene_id"]))
    except ProgramFailure as failure:
        raise BadInput(str(failure), record=row["question_id"], field="program") from None
    value, type = trace.values[-1], trace.executable.types[-1]
    if stored_answer(value, type) != row["answer"]:
        reason = f"is '{row['answer']}', the program says '{stored_answer(value, type)}'"
        raise BadInput(reason, record=row["question_id"], field="answer")
    return {"program": node_records(trace, SPELLING), "answer": SPELLING.output(value, type.form)}
