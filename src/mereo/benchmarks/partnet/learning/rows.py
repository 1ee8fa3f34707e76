"""PartNet's rows for semantic segmentation: networks for single categories and levels, as in the paper, and for all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.partnet.learning.all_row import ALL_ROWS, TRANSFORMER_PACE
from mereo.benchmarks.partnet.learning.sets import backbone_of, chosen_sets, networks_for, part_row, parts_of
from mereo.benchmarks.partnet.names import SEMANTIC, AskedSet
from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.learning.set_source import SetSource
    from mereo.benchmarks.partnet.learning.telling import Told
    from mereo.datasets.predictions import Prediction
    from mereo.models.kinds import Batch
    from mereo.models.learner import Learner
    from mereo.models.points.segmenting import PartLabels

__all__ = ["CHOSEN_LABELS", "LABELS", "ROWS"]

LABELS = "labels"
"""The stage in which the part of every point is learned."""

_ABOUT = {
    "pointnet": "PointNet: every point by itself, beside the whole cloud",
    "pointnet2": "PointNet++: balls of points, and balls of these, and back down",
    "spidercnn": "SpiderCNN: four convolutions over the nearest points, by polynomials of where they lie",
    "pointcnn": "PointCNN: the nearest points put into order before they are convolved, up a pyramid and down",
    "ptv3": "PTv3-lite: a transformer in windows along curves that fill space",
}
_PACE = Pace(batch=24, rate=1e-3, decay=0.01, passes=200.0)
_MODERN = ("ptv3",)
"""Those that learn at a transformer's pace, to cover parts, and from shapes that are a little changed: the paper's do
none of these."""


def _row(name: str, about: str) -> Row:
    """The row of a backbone."""
    return part_row(
        name,
        f"{about}; one for each category and level",
        _labels_stage(name),
        answer=partial(_answers, name),
        choices={"category": "chair", "level": 0, "width": 64},
    )


def _labels_stage(name: str = "") -> Stage:
    """The part of every point is learned. name : of the backbone, where a row has one of its own; else it is chosen"""
    return Stage(
        name=LABELS,
        about="The part of every point.",
        network=partial(_network, name),
        source=partial(_source, name),
        pace=TRANSFORMER_PACE if name in _MODERN else _PACE,
    )


def _network(name: str, desk: Desk) -> Learner:
    """A network for each set."""
    from mereo.models.points.segmenting import PartLabels

    def network(own: AskedSet) -> PartLabels:
        return PartLabels(backbone_of(desk, name), parts=len(parts_of(own)), covering=name in _MODERN)

    return networks_for(chosen_sets(desk, SEMANTIC), network)


def _source(name: str, desk: Desk, split: str) -> SetSource:
    """Shapes with the label of every point."""
    from mereo.benchmarks.partnet.learning.set_source import point_labels, shapes_of

    sets = chosen_sets(desk, SEMANTIC)
    return shapes_of(desk, split, sets, point_labels, backbone=name, shaking=name in _MODERN)


def _answers(name: str, desk: Desk, split: str) -> Iterator[Prediction]:
    """The likeliest part of every point, for the questions about the sets that were learned."""
    from mereo.benchmarks.partnet.learning.telling import Told, answered

    networks: Any = desk.networks[LABELS]

    def tell(number: int, batch: Batch) -> Iterator[Told]:
        return map(Told.of_labels, networks.of(number).ask(batch).argmax(-1).cpu().numpy())

    return answered(desk, split, _source(name, desk, split), parts_of, tell)


CHOSEN_LABELS = _labels_stage()
"""The same by any backbone, for rows that need it before they do more: what one has learned is lent to the others."""

ROWS = (*(_row(name, about) for name, about in _ABOUT.items()), *ALL_ROWS)
