"""A run that was never trained: it sees rooms as they are but for a few faults, and misreads some questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.learning.answers import run_program
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.benchmarks.ptr.learning.truth import seen_of_truth
from mereo.benchmarks.ptr.world import VOCABULARY
from mereo.datasets.asked import load_questions
from mereo.datasets.predictions import Header, Prediction, write_predictions
from mereo.datasets.reading import RowReader
from mereo.datasets.seen import overlaid
from mereo.datasets.sights import Looks, SeenScene, write_sights
from mereo.evaluation.runs import SIGHTS, run_folder
from mereo.programs import parse_program
from mereo.training.seeing import Seen
from mereo.workbench.judging import evaluate

COLORS = VOCABULARY.words("color")


def spoiled(seen: Seen) -> Seen:
    """The largest part of the first object is not seen, and those of one name of another are seen in another color."""
    own = [k for k, part in enumerate(seen.parts) if part.whole == 0]
    lost = max(own, key=lambda k: int(seen.parts[k].mask.sum()))
    other = next(part for part in seen.parts if part.whole != 0 and part.words.get("color"))
    parts = [
        replace(part, words={**part.words, "color": other_color(str(part.words["color"]))})
        if part.words.get("color") and (part.whole, part.words["part"]) == (other.whole, other.words["part"])
        else part
        for k, part in enumerate(seen.parts)
        if k != lost
    ]
    return replace(seen, parts=parts)


def other_color(color: str) -> str:
    return COLORS[(COLORS.index(color) + 3) % len(COLORS)]


def misread(line: str) -> str:
    """A program with another color in the first step that has one."""
    program = parse_program(line)
    for place, step in enumerate(program.steps):
        if step.values and step.values[0] in COLORS:
            return str(program.replaced(place, step._replace(values=(other_color(step.values[0]),))))
    return line


def seen_scene(row: Mapping[str, Any]) -> SeenScene:
    seen, seeing = spoiled(seen_of_truth(row)), PtrSeeing()
    ids, instances = overlaid(seeing.shown(seen))
    return SeenScene(row["scene_id"], seeing.world(seen), ids, instances)


def write_run(folder: Path, name: str, *, looking: bool = True) -> None:
    """A run beside a dataset of rooms, which misreads every other question. looking : at one corner, then another"""
    rooms = RowReader(folder, "scenes")
    scenes = {row["scene_id"]: seen_scene(row) for row in map(rooms.whole, range(len(rooms)))}
    asked = load_questions(folder)
    about, lines = asked.words("scene_id"), asked.words("program")
    given = []
    for k, (question, scene, line) in enumerate(zip(asked.ids, about, lines, strict=True)):
        told = misread(line) if k % 2 == 0 else line
        answer, wrong = run_program(told, [scenes[scene].world])
        given.append(Prediction(question, answer, program=told, raw=wrong))
    path = folder.parent / f"{name}.jsonl"
    write_predictions(path, Header(dataset=asked.checksum, model=name), given)
    evaluate(folder, [path], name=name)
    path.unlink()
    looks = [Looks(question, spots(), (1.0, 0.6), ("what", "is", "red"), reads()) for question in asked.ids]
    sights = run_folder(folder, name) / SIGHTS
    told = [*scenes.values(), *(looks if looking else ())]
    write_sights(sights, asked.checksum, dict(zip(asked.ids, about, strict=True)), told)


def spots() -> Any:
    """(2, 4, 6): the upper left corner, then the lower right one."""
    maps = np.zeros((2, 4, 6), np.uint8)
    maps[0, 0, 0] = maps[1, 3, 5] = 255
    return maps


def reads() -> Any:
    return np.array([[0, 5, 250], [200, 50, 5]], np.uint8)
