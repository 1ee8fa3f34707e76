"""How well a run refers, broken down as CLEVR-Ref+'s figures are.

Families (Table 3), with and without each kind of word (Figure 2), by the number of relations (3), chain against tree
(4), spatial against same (5), what goes into and comes out of each module (7), false premises (section 4.4), by the
number of objects (9) and by split (11). Every mean comes with its count and interval, overlaps also as a cumulative
one: all shared pixels over all joined ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.refer.judge import FEW, Overlaps, Truth, marks_of, overlaps_of, read_masks
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.datasets.shards import read_shard
from mereo.datasets.store import sealed
from mereo.errors import BadInput
from mereo.evaluation.intervals import Mean, means
from mereo.masks import areas, shared
from mereo.programs import parse_program

__all__ = ["Bar", "Figure", "breakdowns", "figures_of", "step_overlaps"]

Members = NDArray[np.bool_]

_WORDS = {
    "color": "filter_color",
    "size": "filter_size",
    "shape": "filter_shape",
    "material": "filter_material",
    "ordinal": "filter_ordinal",
    "visible": "filter_visible",
}
"""The kinds of words of Figure 2, by the function that stands for each."""
_DIRECT = "0-relate"


class Bar(NamedTuple):
    """One value of a figure."""

    name: str
    group: str
    """Bars of one name stand side by side, one for each group."""
    mean: Mean
    cumulative: float | None = None
    """All shared pixels over all joined ones, where the measure is overlap."""


class Figure(NamedTuple):
    """Bars that are drawn together."""

    name: str
    title: str
    measure: str
    bars: tuple[Bar, ...]


class Split(NamedTuple):
    """Which expressions the bars of a figure are about."""

    name: str
    title: str
    rows: list[tuple[str, str, Members]]
    """Name, group and members of each bar."""


def figures_of(asked: Asked, predictions: Predictions) -> list[Figure]:
    """All figures that the dataset and the predictions have something to show for."""
    found = overlaps_of(asked, predictions)
    marks = marks_of(found)
    splits = [split for split in breakdowns(asked, found.empty) if any(members.any() for _, _, members in split.rows)]
    measures = {name: score for name, score in marks.scores.items() if name in ("iou", "box", "choice")}
    inside = [members for split in splits for _, _, members in split.rows]
    scored = iter(means(list(measures.values()), inside, asked.scenes))
    figures: list[Figure] = []
    for split in splits:
        values = [next(scored) for _ in split.rows]
        for place, measure in enumerate(measures):
            bars = tuple(
                Bar(name, group, own[place], _cumulative(found, members) if measure == "iou" else None)
                for (name, group, members), own in zip(split.rows, values, strict=True)
                if own[place].count
            )
            if bars:
                figures.append(Figure(split.name, split.title, measure, bars))
    figures += _false_premises(asked, found)
    return figures + _modules(asked, predictions)


def _cumulative(found: Overlaps, members: Members) -> float | None:
    joined = float(np.nansum(found.joined[members]))
    return float(np.nansum(found.shared[members])) / joined if joined else None


def breakdowns(asked: Asked, empty: Members) -> Iterator[Split]:
    """Which expressions belong together. empty : (n,) whether an expression means nothing"""
    types, truly = np.array(asked.words("type")), ~empty
    everything = np.ones(len(asked), bool)
    families = [(name, "", (types == name) & truly) for name in _in_order(types)]
    yield Split("families", "Families of expressions", [("all", "", everything & truly), *families])
    functions = [set(names) for names in asked.forms.functions]
    rows = []
    for word, function in _WORDS.items():
        uses = np.array([function in names for names in functions])[asked.forms.codes]
        direct = (types == _DIRECT) & truly
        rows += [(word, "include", direct & uses), (word, "exclude", direct & ~uses)]
    yield Split("modules", "0-relate expressions with and without each kind of word", rows)
    chains = [(str(k), "", (types == f"{k}-relate") & truly) for k in range(4)]
    yield Split("relations", "Number of spatial relations", chains)
    yield Split("topology", "Chain against tree", [(n, "", (types == t) & truly) for n, t in _TOPOLOGY.items()])
    yield Split("kinds", "Spatial against same", [(n, "", (types == t) & truly) for n, t in _KINDS.items()])
    objects = _objects(asked)
    numbers = [(str(k), "", (objects == k) & truly) for k in sorted(set(objects.tolist()))]
    yield Split("objects", "Number of objects in the scene", numbers)
    splits = asked.coded("split")
    yield Split("splits", "Splits", [(name, "", (splits.codes == k) & truly) for k, name in enumerate(splits.names)])
    yield Split("premises", "True and false premises", [("true", "", truly), ("false", "", empty)])


_TOPOLOGY = {"chain": "2-relate", "tree": "AND"}
_KINDS = {"spatial": "2-relate", "same": "same"}
_FAMILIES = ("0-relate", "1-relate", "2-relate", "3-relate", "AND", "OR", "same")


def _in_order(types: NDArray[np.str_]) -> list[str]:
    there = set(types.tolist())
    return [name for name in _FAMILIES if name in there] + sorted(there - set(_FAMILIES))


def _objects(asked: Asked) -> NDArray[np.int64]:
    """For every expression how many objects its scene has."""
    objects: dict[str, int] = {}
    for name in asked.manifest.files:
        if name.startswith("scenes/"):
            table = read_shard(sealed(asked.folder, name, asked.manifest), ["scene_id", "objects"])
            objects.update(zip(*(column.to_pylist() for column in table.columns), strict=True))
    scenes = asked.words("scene_id")
    for scene in scenes:
        if scene not in objects:
            raise BadInput(f"there is no scene '{scene}'", file=asked.folder)
    return np.array([objects[scene] for scene in scenes], np.int64)


def _false_premises(asked: Asked, found: Overlaps) -> Iterator[Figure]:
    """How often nothing, or next to nothing, is marked where nothing is meant."""
    known = found.empty & ~np.isnan(found.pixels)
    if not known.any():
        return
    scores = [np.where(known, found.pixels <= most, np.nan) for most in (0, FEW)]
    (zero, few), *_ = means(scores, [known], asked.scenes)
    bars = (Bar("no pixels", "", zero), Bar(f"at most {FEW} pixels", "", few))
    yield Figure("false_premises", "Where nothing is meant, the share of expressions with", "share", bars)


class StepOverlaps(NamedTuple):
    """Overlaps of the steps of some programs with their truth."""

    function: list[str]
    into: NDArray[np.float64]
    """(n,) the mean overlap of what a step takes; NaN where it takes nothing."""
    out: NDArray[np.float64]
    """(n,) the overlap of what it gives."""
    scene: NDArray[np.int64]
    """(n,)"""


def step_overlaps(asked: Asked, predictions: Predictions) -> StepOverlaps | None:
    """Step by step, where predictions tell their steps; None where none does."""
    told = {k: one.steps for k, one in enumerate(predictions.given) if one is not None and one.steps is not None}
    if not told:
        return None
    truth, programs = Truth(asked), asked.words("program")
    steps = [step for place in told for step in parse_program(programs[place]).steps]
    marked = [(place, number, mask) for place, masks in told.items() for number, mask in enumerate(masks)]
    letters: list[list[str]] = truth.table.column("masks").to_pylist()
    for place, masks in told.items():
        if len(masks) != len(letters[place]):
            reason = f"are {len(masks)} masks for a program of {len(letters[place])} steps"
            raise BadInput(reason, record=f"prediction for '{asked.ids[place]}'", field="steps")
    said = read_masks(truth, marked, "steps")
    places = [place for place, _, _ in marked]
    true = truth.masks([letters[place][number] for place, number, _ in marked], places)
    both = shared(true, said)
    joined = areas(true) + areas(said) - both
    out = np.where(joined > 0, both / np.maximum(joined, 1), 1.0)
    into = np.full(len(out), np.nan)
    for k, ((_, number, _), step) in enumerate(zip(marked, steps, strict=True)):
        if step.inputs:
            into[k] = np.mean([out[k - number + source] for source in step.inputs])
    return StepOverlaps([step.function for step in steps], into, out, asked.scenes[places])


def _modules(asked: Asked, predictions: Predictions) -> list[Figure]:
    found = step_overlaps(asked, predictions)
    if found is None:
        return []
    names = np.array(found.function)
    members = {name: names == name for name in sorted(set(found.function))}
    scored: Mapping[str, Sequence[Mean]] = dict(
        zip(members, means([found.into, found.out], list(members.values()), found.scene), strict=True)
    )
    bars = [
        Bar(name, group, mean)
        for name, (into, out) in scored.items()
        for group, mean in (("into", into), ("out of", out))
        if mean.count
    ]
    return [Figure("steps", "Overlap going into and coming out of each module", "iou", tuple(bars))]
