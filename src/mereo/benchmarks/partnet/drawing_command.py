"""`mereo draw-parts`: a picture of what is told of shapes, in truth and by runs, as the paper's figures show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines
from mereo.benchmarks.partnet.names import HIERARCHICAL, INSTANCE, SEMANTIC, TASKS
from mereo.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.specimens import Runs
    from mereo.datasets.asked import Asked
    from mereo.datasets.predictions import Predictions
    from mereo.evaluation.panels import Image

__all__ = ["DRAW"]

_CATEGORY, _LEVEL, _MASK = _WAYS = ("category", "level", "mask")


def _draw(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.partnet.figures import by_category, by_level, by_mask
    from mereo.datasets.asked import load_questions
    from mereo.evaluation.panels import sheet_bytes
    from mereo.files import write_bytes

    out, way, level = Path(choices["out"]), choices["way"], choices["level"]
    task = choices["task"] or (INSTANCE if way == _MASK else SEMANTIC)
    _check(out, way, task, level, choices["runs"])
    asked = load_questions(choices["dataset"])
    said = _runs(asked, choices["runs"] or "")
    places = _wanted(asked, task, choices, said)
    runs = {name: run.take(places) for name, run in said.items()}
    ways: dict[str, Callable[[Asked, Runs], Image]] = {
        _CATEGORY: partial(by_category, level=level),
        _LEVEL: by_level,
        _MASK: partial(by_mask, level=level),
    }
    image = ways[way](asked.take(places), runs)
    write_bytes(out, sheet_bytes(image, out.suffix))
    tall, wide, _ = image.shape
    return [f"{out}: {wide} x {tall} pixels, {', '.join(runs) or 'the truth alone'}"]


def _check(out: Path, way: str, task: str, level: int | None, runs: str | None) -> None:
    """See that what is chosen goes together."""
    from mereo.evaluation.panels import ENDINGS

    if out.suffix not in ENDINGS:
        raise BadInput(f"must end in {', '.join(ENDINGS)}", file=out)
    if way not in _WAYS:
        raise UnknownName("way to draw parts", way, _WAYS)
    if task not in TASKS:
        raise UnknownName("task of PartNet named", task, TASKS)
    if way == _MASK and (task != INSTANCE or not runs):
        raise BadInput("masks are what runs tell instances by: name some, with --task instance", field="--by")
    if level is not None and (way == _LEVEL or task == HIERARCHICAL):
        raise BadInput("is for one level; here all are shown", field="--level")


def _wanted(asked: Asked, task: str, choices: Mapping[str, Any], runs: Runs) -> list[int]:
    """Where the questions stand that are drawn. Where no split is chosen, those that runs speak of are."""
    from mereo.benchmarks.partnet.labels import read_labels
    from mereo.benchmarks.partnet.names import AskedSet
    from mereo.datasets.asked import Selection, is_training

    known = read_labels(asked.manifest)
    categories = choices["categories"].split(",") if choices["categories"] else [*known]
    for name in categories:
        if name not in known:
            raise UnknownName("category in the dataset named", name, known)
    others = [split for split in asked.manifest.scenes if not is_training(split)]
    asks = {split: asked.chosen(Selection((split,))).tolist() for split in others}
    spoken = [split for split in others if any(run.given[place] for run in runs.values() for place in asks[split])]
    splits = choices["split"].split(",") if choices["split"] else spoken or others
    sets = [AskedSet.named(name) for name in asked.words("subtype")]
    places: list[int] = asked.chosen(Selection(tuple(splits))).tolist()
    return [place for place in places if sets[place].task == task and sets[place].category in categories]


def _runs(asked: Asked, said: str) -> dict[str, Predictions]:
    """Runs by what they are called: by their model, or by their own names where two are of one. said : as one has it"""
    names = [name for name in said.split(",") if name]
    found = dict(zip(names, (_read(asked, name) for name in names), strict=True))
    models = [run.header.model for run in found.values()]
    if None in models or len(set(models)) < len(models):
        return {Path(name).stem: run for name, run in found.items()}
    return dict(zip(map(str, models), found.values(), strict=True))


def _read(asked: Asked, name: str) -> Predictions:
    """The predictions of a run beside the dataset, or of a file."""
    from mereo.datasets.predictions import read_predictions
    from mereo.evaluation.runs import list_runs, predictions_of, run_folder

    if Path(name).is_file():
        return read_predictions(name, asked)
    known = list_runs(asked.folder)
    path = predictions_of(run_folder(asked.folder, name)) if name in known else None
    if path is None:
        raise UnknownName("prediction file or run", name, known)
    return read_predictions(path, asked)


DRAW = Command(
    "draw-parts",
    "Draw shapes of PartNet's tasks as points in the colors of their parts: the truth beside what runs say.",
    (
        Choice("dataset", Path, None, "A dataset of PartNet's tasks.", argument=True),
        Choice("out", Path, None, "The picture to write, as `parts.png` or `parts.jpg`.", argument=True),
        Choice("runs", str, None, "Runs of the dataset, or prediction files, as `pointnet2,mine.jsonl`."),
        Choice("way", str, _CATEGORY, "`category`, `level`: from coarse to fine, or `mask`.", flag="by", known=_WAYS),
        Choice("task", str, None, "`semantic`, `hierarchical` or `instance`.", known=TASKS),
        Choice("level", int, None, "1, 2 or 3; else the finest that a category has.", least=1),
        Choice("categories", str, None, "Only these, as `chair,lamp`."),
        Choice("split", str, None, "As `val,test`; else those that runs speak of, or all but training."),
    ),
    _draw,
    unit="pictures",
)
