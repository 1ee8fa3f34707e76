"""Pictures of what is told of shapes: truth beside predictions, category by category, level by level, mask by mask.

As in the paper's figures of its results: shapes of all categories (5 and 7), the same from coarse to fine, and the same
mask of a network in the same color on several shapes (8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.specimens import Runs, Shape, Specimen, all_say, choose_specimens, read_shapes
from mereo.benchmarks.partnet.views import said_telling, slots_telling
from mereo.datasets.asked import Asked
from mereo.datasets.point_views import Telling
from mereo.datasets.predictions import Prediction
from mereo.errors import BadInput
from mereo.evaluation.panels import Frame, Panel, Tile, sheet_of
from mereo.evaluation.point_colors import ERRORS, SAID, TRUTH, UNNAMED, painted
from mereo.shapes.draw import Image, part_paint
from mereo.shapes.draw_points import SeenPoints, see_points

__all__ = ["by_category", "by_level", "by_mask"]

_SHAPES = 6
"""Shapes of a category on which masks are compared."""


def by_category(asked: Asked, runs: Runs, *, level: int | None = None) -> Image:
    """One shape of each category: the truth, what runs say and, of a single one, where it errs.

    asked : questions of one task · level : else the finest that a category has
    """
    chosen, sides = choose_specimens(asked, runs, level=level), _sides(runs)
    shapes, frame, panels = read_shapes(asked, [one.place for one in chosen]), Frame.of(len(chosen), len(sides)), []
    for one in chosen:
        shape = shapes[one.place]
        truth = shape.finest(one.own)
        seen = see_points(shape.view.points, size=frame.picture)
        said = _said(shape, truth, runs, one.place)
        notes = ["", *map(str, one.scores), *([_wrong(truth, said[0])] if len(said) == 1 else [])]
        tiles = [Tile(*pair) for pair in zip(_compared(seen, truth, *said), notes, strict=True)]
        panels.append(Panel(one.title, one.level, sides if runs else [""], [""], [tiles]))
    foot = "under each prediction: what it scores on this shape, and in brackets on all of the category, in percent"
    return sheet_of(panels, frame, foot=foot if runs else "")


def by_level(asked: Asked, runs: Runs) -> Image:
    """One shape of each category from coarse to fine, as far as all runs tell: the truth, and below it what they say.

    asked : questions of one task
    """
    chosen, sides = choose_specimens(asked, runs), _sides(runs)
    shapes, panels = read_shapes(asked, [one.place for one in chosen]), []
    keys = zip(asked.words("scene_id"), asked.words("subtype"), strict=True)
    questions = {key: place for place, key in enumerate(keys) if all_say(runs, place)}
    levels = {one.place: _levels(shapes[one.place], runs, questions) for one in chosen}
    frame = Frame.of(len(chosen), max(map(len, levels.values())), named=bool(runs))
    for one in chosen:
        own = levels[one.place]
        seen = see_points(shapes[one.place].view.points, size=frame.picture)
        columns = [_compared(seen, *tellings) for tellings in own]
        rows = [[Tile(picture) for picture in row] for row in zip(*columns, strict=True)]
        headings = [f"level {truth.level}" for truth, *_ in own]
        panels.append(Panel(one.title, "", headings, sides if runs else [""], rows))
    return sheet_of(panels, frame)


def _levels(shape: Shape, runs: Runs, questions: Mapping[tuple[str, str], int]) -> list[list[Telling]]:
    """Level by level what is true and what every run says; steps down a tree that show nothing new are left out.

    questions : where they stand, by scene and subtype
    """
    found: list[list[Telling]] = []
    for truth in shape.view.tellings:
        place = questions.get((shape.scene, truth.asked))
        if place is not None:
            own = [truth, *_said(shape, truth, runs, place)]
            if not (found and truth.asked == found[-1][0].asked and _alike(own, found[-1])):
                found.append(own)
    return found


def _alike(some: Sequence[Telling], others: Sequence[Telling]) -> bool:
    return all(np.array_equal(one.numbers, other.numbers) for one, other in zip(some, others, strict=True))


def by_mask(asked: Asked, runs: Runs, *, level: int | None = None) -> Image:
    """Some shapes of each category, on which all that a run says by one and the same mask has the same color.

    asked : questions about instances · runs : at least one · level : else the finest that a category has
    """
    chosen = choose_specimens(asked, runs, level=level)
    some = {one.place: one.answered[:_SHAPES] for one in chosen}
    shapes, panels = read_shapes(asked, [place for places in some.values() for place in places]), []
    frame = Frame.of(len(chosen), max(map(len, some.values())), named=len(runs) > 1)
    for one in chosen:
        places, rows = some[one.place], []
        seen = [see_points(shapes[place].view.points, size=frame.picture) for place in places]
        for run in runs.values():
            numbers = [_slots(shapes[place], one, run.given[place]) for place in places]
            colors = _mask_colors(numbers)
            rows.append([Tile(each.painted(colors[own])) for each, own in zip(seen, numbers, strict=True)])
        panels.append(Panel(one.title, one.level, [""] * len(places), [*runs] if len(runs) > 1 else [""], rows))
    return sheet_of(panels, frame, foot="what has one color is in the same mask of the network")


def _sides(runs: Runs) -> list[str]:
    """What a shape is painted by: the truth, each run and, where there is one, its errors."""
    return [TRUTH, *runs, *([ERRORS] if len(runs) == 1 else [])]


def _said(shape: Shape, truth: Telling, runs: Runs, place: int) -> list[Telling]:
    """What every run says where a telling is asked for. place : of the question"""
    given = (run.given[place] for run in runs.values())
    return [said_telling(shape.cloud, truth, one) for one in given if one is not None]


def _compared(seen: SeenPoints, truth: Telling, *said: Telling) -> list[Image]:
    """A picture for each of the sides."""
    sides = [painted(truth, None, side=TRUTH), *(painted(truth, own, side=SAID) for own in said)]
    sides += [painted(truth, said[0], side=ERRORS)] if len(said) == 1 else []
    return [seen.painted(_colors(paints)[numbers]) for numbers, paints in sides]


def _colors(paints: Sequence[str]) -> NDArray[np.float64]:
    """(k, 3) colors that are written as in style sheets."""
    return np.array([[*bytes.fromhex(paint.removeprefix("#"))] for paint in paints], float)


def _wrong(truth: Telling, said: Telling) -> str:
    """How many points are told otherwise, of those that have a name."""
    return f"{truth.wrong(said).sum() / max((truth.numbers > 0).sum(), 1):.0%} wrong"


def _slots(shape: Shape, one: Specimen, given: Prediction | None) -> NDArray[np.int64]:
    """(n,) the number of the mask that each point of a shape is in, from 1; 0 for points of none."""
    assert given is not None
    try:
        return slots_telling(shape.cloud, shape.finest(one.own), given).numbers
    except BadInput as error:
        raise error.within(record=f"prediction for '{given.question_id}'") from None


def _mask_colors(numbers: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """(k, 3) the color of every mask, by its number: those with most points have the clearest."""
    counts = np.bincount(np.concatenate(numbers))
    rank = np.empty(len(counts), np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return _colors([UNNAMED, *(part_paint(place + 1) for place in rank[1:].tolist())])
