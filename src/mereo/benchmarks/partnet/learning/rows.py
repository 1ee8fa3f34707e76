"""PartNet's rows: networks that tell the parts of one category at one level, as the paper trains them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

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
}
_CLIMBING = ("pointnet2",)
"""Those that look at pyramids."""
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
                pace=Pace(batch=24, rate=1e-3, decay=0.01, passes=200.0),
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
    from mereo.models.points.pyramid import USUAL

    own = _chosen(desk)
    return ShapeSource(desk.corpus, split, own, _parts(own), USUAL if name in _CLIMBING else ())


def _answers(name: str, desk: Desk, split: str) -> Iterator[Prediction]:
    """The likeliest part of every point, for the questions about the category at the level that was learned."""
    import torch

    from mereo.benchmarks.partnet.said import saying
    from mereo.datasets.asked import Selection
    from mereo.training.device import mixed

    own, source = _chosen(desk), _source(name, desk, split)
    names = _parts(own)
    asked = desk.corpus.asked.take(desk.corpus.asked.chosen(Selection((split,))))
    columns = (asked.ids, asked.words("scene_id"), asked.words("subtype"))
    questions = {scene: question for question, scene, kind in zip(*columns, strict=True) if kind == own.name}
    network: Any = desk.networks["labels"]
    network.eval()
    for places in torch.arange(len(source)).split(_AT_ONCE):
        with mixed(desk.device):
            told = network.ask(source.batch(places)).argmax(-1).cpu().numpy()
        for place, labels in zip(places.tolist(), told, strict=True):
            question = questions.get(source.name(place))
            if question is not None:
                there = sorted(set(labels.tolist()))
                yield saying(question, [names[k] for k in there], [labels == k for k in there])


ROWS = tuple(_row(name, about) for name, about in _ABOUT.items())
