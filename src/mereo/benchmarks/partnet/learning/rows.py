"""PartNet's rows: networks that tell the parts of one category at one level, as the paper trains them, and of all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.partnet.learning.all_row import ALL_PARTS, TRANSFORMER_PACE
from mereo.benchmarks.partnet.names import SEMANTIC, AskedSet
from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.learning.source import ShapeSource
    from mereo.datasets.predictions import Prediction
    from mereo.models.learner import Learner

__all__ = ["ROWS"]

_ABOUT = {
    "pointnet": "PointNet: every point by itself, beside the whole cloud",
    "pointnet2": "PointNet++: balls of points, and balls of these, and back down",
    "spidercnn": "SpiderCNN: four convolutions over the nearest points, by polynomials of where they lie",
    "pointcnn": "PointCNN: the nearest points put into order before they are convolved, up a pyramid and down",
    "ptv3": "PTv3-lite: a transformer in windows along curves that fill space",
}
_PACE = Pace(batch=24, rate=1e-3, decay=0.01, passes=200.0)
_PACES = {"ptv3": TRANSFORMER_PACE}
"""Of those that learn at another."""
_AT_ONCE = 8
"""Shapes that are answered about at once."""


def _row(name: str, about: str) -> Row:
    return Row(
        name=name,
        about=f"{about}; the parts of one category at one level",
        needs=("points",),
        gives=("masks",),
        supervision="M",
        stages=(
            Stage(
                name="labels",
                about="The part of every point.",
                network=partial(_network, name),
                source=partial(_source, name),
                pace=_PACES.get(name, _PACE),
            ),
        ),
        answer=partial(_answers, name),
        choices={"category": "chair", "level": 3, "width": 64},
    )


def _chosen(desk: Desk) -> AskedSet:
    """What is to be told apart."""
    return AskedSet(SEMANTIC, str(desk.choices.get("category", "chair")), int(desk.choices.get("level", 3)))


def _parts(own: AskedSet) -> list[str]:
    """The labels that a network tells apart: those of the category's template, with data before it and without."""
    from mereo.benchmarks.partnet.labels import labels_of
    from mereo.shapes.template import template_of

    return labels_of(template_of(own.category)).at(own.level or 0)


def _network(name: str, desk: Desk) -> Learner:
    from mereo.models.points.backbones import BACKBONES
    from mereo.models.points.segmenting import PartLabels

    backbone = BACKBONES[name](int(desk.choices.get("width", 64)))
    return PartLabels(backbone, parts=len(_parts(_chosen(desk))))


def _source(name: str, desk: Desk, split: str) -> ShapeSource:
    from mereo.benchmarks.partnet.learning.source import ShapeSource
    from mereo.models.points.backbones import BACKBONES

    own = _chosen(desk)
    return ShapeSource(desk.corpus, split, own, _parts(own), BACKBONES[name])


def _answers(name: str, desk: Desk, split: str) -> Iterator[Prediction]:
    """The likeliest part of every point, for the questions about the category at the level that was learned."""
    import torch

    from mereo.benchmarks.partnet.learning.questions import asked_about, telling
    from mereo.training.device import mixed

    own, source = _chosen(desk), _source(name, desk, split)
    names, questions = _parts(own), asked_about(desk, split)
    network: Any = desk.networks["labels"]
    network.eval()
    for places in torch.arange(len(source)).split(_AT_ONCE):
        with mixed(desk.device):
            told = network.ask(source.batch(places)).argmax(-1).cpu().numpy()
        for place, labels in zip(places.tolist(), told, strict=True):
            question = questions.get((source.name(place), own.name))
            if question is not None:
                yield telling(question, names, labels)


ROWS = (*(_row(name, about) for name, about in _ABOUT.items()), ALL_PARTS)
