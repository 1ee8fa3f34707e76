"""The judge of referring expressions: does the prediction point at what is meant?

Predictions may be masks, which are judged by their overlap with what is visible of the entities referred to; boxes,
which must overlap the true one by more than half; or the number of an entity in `answer`, which must be the right one.
A box also chooses: the candidate that it overlaps most. Boxes and choices are judged where one entity is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mereo.benchmarks.refer.referents import EXPRESSION_FIELDS
from mereo.datasets.asked import Asked
from mereo.datasets.columns import entities_of
from mereo.datasets.predictions import Mask, Prediction, Predictions, box_fault, mask_fault
from mereo.datasets.shards import checked, read_shard
from mereo.datasets.store import sealed
from mereo.errors import BadInput
from mereo.evaluation.marks import Marks
from mereo.masks import BadMask, Box, Encoded, areas, box_overlap, read, shared, union

__all__ = ["FEW", "Overlaps", "Truth", "judge_referring", "marks_of", "overlaps_of", "read_masks"]

FEW = 8
"""So many pixels are next to nothing."""
HALF = 0.5

_TRUE = pa.schema([EXPRESSION_FIELDS.field(name) for name in ("referred", "masks", "boxes", "size")])
"""The columns that tell what is meant."""

Floats = NDArray[np.float64]


class Overlaps(NamedTuple):
    """What predictions and truth share, expression by expression."""

    shared: Floats
    """(n,) pixels that both have; NaN where no prediction of the run is a mask."""
    joined: Floats
    """(n,) pixels that either has."""
    pixels: Floats
    """(n,) pixels that were predicted; infinite where nothing was."""
    box: Floats
    """(n,) 1 where the box overlaps by more than half, NaN where not one entity is meant or no run gives boxes."""
    choice: Floats
    """(n,) 1 where the right entity was chosen."""
    empty: NDArray[np.bool_]
    """(n,) whether nothing is referred to."""
    answered: NDArray[np.bool_]
    """(n,)"""

    @property
    def iou(self) -> Floats:
        """(n,) shared over joined pixels; 1 where nothing is meant and nothing predicted."""
        with np.errstate(invalid="ignore"):
            return np.where(self.joined > 0, self.shared / np.maximum(self.joined, 1), self.shared + 1)


def judge_referring(dataset: Asked, predictions: Predictions) -> Marks:
    """Overlap of masks, boxes right, entities chosen, and what is said where nothing is meant."""
    return marks_of(overlaps_of(dataset, predictions))


def marks_of(found: Overlaps) -> Marks:
    """The marks that overlaps make."""
    known = ~np.isnan(found.shared)
    scores: dict[str, Floats] = {
        "iou": np.where(found.answered | ~known, found.iou, 0.0),
        "box": found.box,
        "choice": found.choice,
        "no pixels": np.where(known & found.empty, found.pixels == 0, np.nan),
        f"at most {FEW} pixels": np.where(known & found.empty, found.pixels <= FEW, np.nan),
    }
    used = {name: score for name, score in scores.items() if not np.isnan(score).all()}
    return Marks(used or {"iou": np.zeros(len(found.empty))}, found.answered)


@dataclass(frozen=True)
class Truth:
    """What the expressions of a dataset refer to."""

    asked: Asked

    @cached_property
    def table(self) -> pa.Table:
        """The columns that hold it."""
        import pyarrow.compute as pc

        wanted = _TRUE.names
        try:
            table = self.asked.with_columns(*wanted).table
        except KeyError:
            raise BadInput("holds no referring expressions", file=self.asked.folder) from None
        if any(name not in table.column_names for name in wanted):
            raise BadInput("holds no referring expressions", file=self.asked.folder)
        table = checked(table, _TRUE, file=self.asked.folder)
        if not len(table) or not pc.min(pc.list_value_length(table.column("masks"))).as_py():
            raise BadInput("has no masks to judge by: it was built without pictures", file=self.asked.folder)
        return table

    def last(self, name: str) -> list[Any]:
        """What a column holds for the last step of every expression."""
        import pyarrow.compute as pc

        column = self.table.column(name).combine_chunks()
        lengths = pc.list_value_length(column).to_numpy(zero_copy_only=False)
        flat = pc.list_flatten(column)
        values: list[Any] = flat.take(pa.array(np.cumsum(lengths) - 1)).to_pylist()
        return values

    @cached_property
    def sizes(self) -> list[tuple[int, int]]:
        """Height and width of every expression's picture."""
        return [(height, width) for height, width in self.table.column("size").to_pylist()]

    def masks(self, letters: Sequence[str], places: Sequence[int]) -> list[Encoded]:
        """The masks that the dataset has for the expressions at these places."""
        try:
            return read([{"size": self.sizes[k], "counts": own} for k, own in zip(places, letters, strict=True)])
        except BadMask as error:
            named = f"expression '{self.asked.ids[places[error.place]]}'"
            raise BadInput(error.reason, file=self.asked.folder, record=named, field="masks") from None

    @cached_property
    def candidates(self) -> Mapping[str, list[Box | None]]:
        """For every scene the boxes of all its entities."""
        found: dict[str, list[Box | None]] = {}
        for name in self.asked.manifest.files:
            if name.startswith("scenes/"):
                path = sealed(self.asked.folder, name, self.asked.manifest)
                for row in read_shard(path, ["scene_id", "entities"]).to_pylist():
                    found[row["scene_id"]] = [entity.box for entity in entities_of(row)]
        return found


def overlaps_of(dataset: Asked, predictions: Predictions) -> Overlaps:
    """Compare predictions with the truth; what cannot be one is named with its expression and field."""
    truth, given = Truth(dataset), predictions.given
    count = len(dataset)
    masked = any(one is not None and one.masks is not None for one in given)
    boxed = any(one is not None and (one.boxes is not None or one.answer is not None) for one in given)
    ids = truth.last("referred")
    box, choice, unknown = (np.full(count, np.nan) for _ in range(3))
    both, joined, pixels = _mask_overlaps(truth, given) if masked else (unknown, unknown, unknown)
    for place, one in enumerate(given):
        if one is not None and one.boxes is not None:
            _check_boxes(one.boxes, truth, place)
    if boxed:
        scenes = dataset.words("scene_id")
        for place in (place for place, members in enumerate(ids) if len(members) == 1):
            candidates, right = truth.candidates.get(scenes[place], ()), ids[place][0]
            if not 0 <= right < len(candidates):
                reason = f"entity {right} of scene '{scenes[place]}' is not there"
                raise BadInput(reason, file=dataset.folder, record=f"expression '{dataset.ids[place]}'")
            box[place], choice[place] = _pointed(given[place], candidates, right, _named(truth, place))
    answered = np.array([one is not None and _says_something(one) for one in given], bool)
    empty = np.array([not members for members in ids], bool)
    return Overlaps(both, joined, pixels, box, choice, empty, answered)


def _says_something(one: Prediction) -> bool:
    return one.masks is not None or one.boxes is not None or one.answer is not None


Marked = tuple[int, int, Mask]
"""The place of an expression, the number of a mask among those that were predicted for it, and the mask."""


def read_masks(truth: Truth, marked: Sequence[Marked], field: str) -> list[Encoded]:
    """Masks of predictions; one that is none, or of another size than its picture, is named. field : that has them"""
    for place, number, mask in marked:
        fault = mask_fault(mask, truth.sizes[place])
        if fault:
            raise BadInput(fault, record=_named(truth, place), field=f"{field}[{number}].size")
    try:
        return read([{"size": mask.size, "counts": mask.counts} for _, _, mask in marked])
    except BadMask as error:
        place, number, _ = marked[error.place]
        wrong = f"{field}[{number}].{error.field}"
        raise BadInput(error.reason, record=_named(truth, place), field=wrong) from None


def _mask_overlaps(truth: Truth, given: Sequence[Prediction | None]) -> tuple[Floats, Floats, Floats]:
    """Shared and joined pixels, and those said: an expression without a mask shares nothing with the truth."""
    masked = {place: one.masks for place, one in enumerate(given) if one is not None and one.masks is not None}
    marked = [(place, number, mask) for place, masks in masked.items() for number, mask in enumerate(masks)]
    parts: dict[int, list[Encoded]] = {place: [] for place in masked}
    for (place, _, _), mask in zip(marked, read_masks(truth, marked, "masks"), strict=True):
        parts[place].append(mask)
    said = [union(own, size=truth.sizes[place]) for place, own in parts.items()]
    true, places = truth.masks(truth.last("masks"), range(len(given))), list(masked)
    whole = areas(true).astype(float)
    both, joined, pixels = np.zeros(len(given)), np.maximum(whole, 1), np.full(len(given), np.inf)
    both[places] = shared([true[place] for place in places], said)
    pixels[places] = areas(said)
    joined[places] = (whole + pixels - both)[places]
    return both, joined, pixels


def _named(truth: Truth, place: int) -> str:
    return f"prediction for '{truth.asked.ids[place]}'"


def _check_boxes(boxes: Sequence[Box], truth: Truth, place: int) -> None:
    for number, box in enumerate(boxes):
        fault = box_fault(box, truth.sizes[place])
        if fault:
            raise BadInput(fault, record=_named(truth, place), field=f"boxes[{number}]")


def _pointed(one: Prediction | None, candidates: Sequence[Box | None], right: int, named: str) -> tuple[float, float]:
    """Whether the box overlaps the right one by more than half, and whether the right entity is chosen."""
    if one is None:
        return 0.0, 0.0
    chosen = _chosen(one.answer, len(candidates), named)
    if not one.boxes:
        return (np.nan if one.boxes is None and chosen is not None else 0.0), float(chosen == right)
    said, true = one.boxes[0], candidates[right]
    overlaps = [box_overlap(said, box) if box is not None else -1.0 for box in candidates]
    if chosen is None and max(overlaps) > 0:
        chosen = int(np.argmax(overlaps))
    single = len(one.boxes) == 1
    return float(single and true is not None and overlaps[right] > HALF), float(single and chosen == right)


def _chosen(answer: Any, count: int, named: str) -> int | None:
    if answer is None or answer == "":
        return None
    number = answer if isinstance(answer, int) and not isinstance(answer, bool) else None
    if isinstance(answer, str) and answer.isdecimal():
        number = int(answer)
    if number is None or not 0 <= number < count:
        raise BadInput(f"{answer!r} is none of the {count} candidates of the scene", record=named, field="answer")
    return number
