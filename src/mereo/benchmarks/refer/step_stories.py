"""What the steps of programs mark, as CLEVR-Ref+'s Figure 6 shows it: expressions, and a mask for every step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mereo.benchmarks.refer.judge import Truth, read_masks
from mereo.datasets.asked import Asked
from mereo.datasets.pictures import decode_picture
from mereo.datasets.predictions import Prediction, Predictions
from mereo.datasets.reading import RowReader
from mereo.errors import BadInput
from mereo.evaluation.lit import Lit
from mereo.evaluation.panels import sheet_bytes
from mereo.evaluation.stories import Shot, Story, stories_sheet
from mereo.files import write_bytes
from mereo.masks import Pixels, decode
from mereo.programs import format_step, parse_program

__all__ = ["save_steps", "step_stories"]

_FILE = "steps.jpg"
_STORIES = 4
"""How many expressions are shown: the first of each family, as far as these go."""
_RIGHT = 0.5
"""From which overlap on a step marks what is meant there."""
_FOOT = (
    "Yellow lines go around what a step marks. Where that overlaps by less than half with what the step means, red "
    "lines go around what it means; the red frame is around the first such step, where the last is one, too."
)


def save_steps(asked: Asked, predictions: Predictions, folder: Path) -> Path | None:
    """Draw the steps of a few expressions; None where predictions tell no steps, or scenes have no pictures."""
    stories = [*step_stories(asked, predictions)]
    if not stories:
        return None
    path = folder / _FILE
    write_bytes(path, sheet_bytes(stories_sheet(stories, foot=_FOOT), path.suffix))
    return path


def step_stories(asked: Asked, predictions: Predictions) -> Iterator[Story]:
    """The first expression of each family whose steps are told, as a story."""
    told = [(place, one) for place, one in enumerate(predictions.given) if one is not None and one.steps]
    if not told or not asked.manifest.settings.get("pictures"):
        return
    families = asked.words("type")
    first: dict[str, tuple[int, Prediction]] = {}
    for place, one in told:
        first.setdefault(families[place], (place, one))
    truth, scenes = Truth(asked), RowReader(asked.folder, "scenes", asked.manifest)
    masks = truth.table.column("masks")
    for family in sorted(first, key=lambda family: -len(first[family][1].steps or ()))[:_STORIES]:
        place, one = first[family]
        picture = scenes.value(scenes.place(asked.words("scene_id")[place]), "image")
        yield _story(truth, place, one, masks[place].as_py(), picture["bytes"])


def _story(truth: Truth, place: int, one: Prediction, letters: list[str], picture: bytes) -> Story:
    """letters : the true mask of every step"""
    asked, size = truth.asked, truth.sizes[place]
    steps, marked = parse_program(asked.words("program")[place]).steps, one.steps or []
    if not len(marked) == len(letters) == len(steps):
        reason = f"are {len(marked)} masks for a program of {len(letters)} steps"
        raise BadInput(reason, record=f"prediction for '{asked.ids[place]}'", field="steps")
    read_masks(truth, [(place, number, mask) for number, mask in enumerate(marked)], "steps")
    said = [decode({"size": mask.size, "counts": mask.counts}) for mask in marked]
    true = [decode({"size": size, "counts": own}) for own in letters]
    overlaps = [_overlap(own, other) for own, other in zip(said, true, strict=True)]
    wrong = [overlap < _RIGHT for overlap in overlaps]
    shots = [
        Shot(
            words=format_step(step),
            found=f"overlap {overlap:.2f}",
            lit=Lit(found=_some(own), wrong=_some(other) if missed else ()),
            fault="something else is meant" if missed else "",
            first=missed and wrong[-1] and number == wrong.index(True),
        )
        for number, (step, own, other, overlap, missed) in enumerate(
            zip(steps, said, true, overlaps, wrong, strict=True)
        )
    ]
    told = "what is meant" if not wrong[-1] else "something else"
    return Story(
        title=asked.words("type")[place],
        picture=decode_picture(picture),
        question=asked.with_columns("question").words("question")[place],
        answer=told,
        truth="what is meant",
        shots=shots,
        notes=[asked.ids[place]],
    )


def _some(mask: Pixels) -> list[Any]:
    """A mask, if it marks anything: there are no lines around nothing."""
    return [mask] if mask.any() else []


def _overlap(one: Pixels, other: Pixels) -> float:
    """Shared over joined pixels; 1 where both mark nothing."""
    joined = np.logical_or(one, other).sum()
    return float(np.logical_and(one, other).sum() / joined) if joined else 1.0
