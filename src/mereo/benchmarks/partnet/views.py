"""Shapes as people look at them: what each task tells of every point, in truth and by a prediction.

Semantic and instance segmentation have PartNet's levels. That of the hierarchy has one for each step down its tree: a
point is told by the lowest node that it belongs to, down to there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.clouds import Cloud, array_of, depths_of
from mereo.benchmarks.partnet.names import HIERARCHICAL, INSTANCE, SEMANTIC, AskedSet
from mereo.benchmarks.partnet.precision import falling, taken
from mereo.benchmarks.partnet.said import Said, said_by
from mereo.datasets.point_views import PointView, Telling
from mereo.datasets.predictions import Prediction
from mereo.errors import BadInput

__all__ = ["said_telling", "shape_view", "slots_telling", "upright"]

Numbers = NDArray[np.int64]


def upright(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Points of PartNet's frame, where y is up and the front towards +z, as we have them: z up, front towards -y."""
    turned: NDArray[np.float32] = np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)
    return turned


def shape_view(row: Mapping[str, Any], cloud: Cloud) -> PointView:
    """The shape of a row that has its points."""
    entities = [np.isin(cloud.leaf, part.leaves) for part in cloud.record.parts]
    return PointView(upright(array_of(row, "points", len(cloud))), list(_tellings(cloud)), entities)


def _tellings(cloud: Cloud) -> Iterator[Telling]:
    category = cloud.record.category
    for level, names in cloud.labels.levels.items():
        asked = AskedSet(SEMANTIC, category, level).name
        yield Telling(SEMANTIC, level, asked, names, cloud.semantic(level).astype(np.int64))
        truth, _ = cloud.true(level)
        own = [names[place] for place in truth.label.tolist()]
        yield Telling(INSTANCE, level, AskedSet(INSTANCE, category, level).name, own, _painted(truth.mask))
    nodes, asked = cloud.hierarchy(), AskedSet(HIERARCHICAL, category).name
    for depth in range(1, max(depths_of(cloud.labels.parents), default=0) + 1):
        numbers = _lowest(nodes, cloud.labels.parents, depth)
        yield Telling(HIERARCHICAL, depth, asked, cloud.labels.nodes, numbers)


def said_telling(cloud: Cloud, telling: Telling, prediction: Prediction) -> Telling:
    """What a prediction says where a telling is asked for."""
    own = AskedSet.named(telling.asked)
    names = cloud.labels.told(own.level)
    said = said_by(prediction, names, len(cloud))
    if own.task == SEMANTIC:
        return telling._replace(numbers=said.labels())
    if own.task == HIERARCHICAL:
        numbers = _lowest(said.nodes(len(names)), cloud.labels.parents, telling.level)
        return telling._replace(numbers=numbers)
    return _said_instances(cloud, telling, said, names)


def _said_instances(cloud: Cloud, telling: Telling, said: Said, names: Sequence[str]) -> Telling:
    """Instances that were found have the numbers of the true ones, all others numbers of their own; the surest lie
    above."""
    truth, other = cloud.true(telling.level)
    order, found = taken(truth, said.instances(), other)
    own, given = list(telling.names), []
    for place, true in zip(order.tolist(), found.tolist(), strict=True):
        if true < 0:
            own.append(names[said.places[place]])
        given.append(true + 1 if true >= 0 else len(own))
    return telling._replace(names=own, numbers=_painted(said.masks[order[::-1]], given[::-1]))


def slots_telling(cloud: Cloud, telling: Telling, prediction: Prediction) -> Telling:
    """Which of a network's masks each point is in, whatever part it is said to be; the surest lie above."""
    said = said_by(prediction, cloud.labels.told(telling.level), len(cloud))
    if (said.slots < 0).any():
        raise BadInput("does not say which mask of a network each part is, as `part_masks` does", field="answer")
    order = falling(said.confidence)[::-1]
    names = [f"mask {slot}" for slot in range(said.slots.max(initial=-1) + 1)]
    return telling._replace(names=names, numbers=_painted(said.masks[order], (said.slots[order] + 1).tolist()))


def _painted(masks: NDArray[np.bool_], given: Sequence[int] | None = None) -> Numbers:
    """(n,) the number of the last mask that holds each point; 0 for points of none.

    masks : (k, n) bool; given : (k,) their numbers, else from 1 as they stand
    """
    numbers = np.zeros(masks.shape[1], np.int64)
    for mask, number in zip(masks, given or range(1, len(masks) + 1), strict=True):
        numbers[mask] = number
    return numbers


def _lowest(nodes: NDArray[np.bool_], parents: Sequence[int], depth: int) -> Numbers:
    """(n,) the lowest node of each point, from 1, that is at most so deep; 0 for points of none. nodes : (n, c) bool"""
    depths = np.array(depths_of(parents))
    shown = np.flatnonzero(depths <= depth)
    shown = shown[np.argsort(depths[shown], kind="stable")]
    numbers: Numbers = np.append(0, shown + 1)[_painted(nodes.T[shown])]
    return numbers
