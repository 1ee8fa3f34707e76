"""The row `shape_codes`: an auto-encoder of the shapes of a category, by which PartNet's authors saw how they vary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mereo.errors import BadInput
from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.learning.cloud_source import CloudSource
    from mereo.datasets.predictions import Prediction
    from mereo.models.learner import Learner

__all__ = ["CODES", "cloud_source"]


def _network(desk: Desk) -> Learner:
    from mereo.models.points.encoding import ShapeCodes

    width, code, points = (int(desk.choices.get(name, usual)) for name, usual in _SIZES.items())
    return ShapeCodes(width=width, code=code, points=points)


def cloud_source(desk: Desk, split: str) -> CloudSource:
    """The shapes of a split, as many points of each as the network makes."""
    from mereo.benchmarks.partnet.learning.cloud_source import CloudSource

    points = int(desk.choices.get("points", _SIZES["points"]))
    return CloudSource(desk.corpus, split, str(desk.choices.get("category", "chair")), points=points)


def _answers(desk: Desk, split: str) -> Iterator[Prediction]:
    """It has nothing to say to questions."""
    raise BadInput("row shape_codes answers no questions: mereo embed-shapes draws what it learned")


_SIZES = {"width": 64, "code": 128, "points": 1024}

CODES = Row(
    name="shape_codes",
    about="an auto-encoder of points: the shapes of one category, or of all, as a few numbers each",
    needs=("points",),
    gives=("codes",),
    supervision="/",
    stages=(
        Stage(
            name="codes",
            about="A cloud as a code, and points made of it that lie where those of the cloud do.",
            network=_network,
            source=cloud_source,
            pace=Pace(batch=32, rate=1e-3, decay=0.0, passes=300.0),
        ),
    ),
    answer=_answers,
    choices={"category": "chair", **_SIZES},
)
