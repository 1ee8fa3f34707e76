"""The networks that rows with programs are made of, and what each learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.training.row import Desk, Pace, Stage

if TYPE_CHECKING:
    from mereo.models.learner import Learner
    from mereo.training.fields import Source

__all__ = ["PARSER", "PERCEPTION"]


def _perception(desk: Desk) -> Learner:
    from mereo.benchmarks.cric.learning.symbolic import perception

    return perception(desk)


def _graphs(desk: Desk, split: str) -> Source:
    from mereo.benchmarks.cric.learning.symbolic import GraphSource

    return GraphSource(desk, split)


def _parser(desk: Desk) -> Learner:
    from mereo.benchmarks.cric.learning.symbolic import parser

    return parser(desk)


def _pairs(desk: Desk, split: str) -> Source:
    from mereo.benchmarks.cric.learning.symbolic import pairs

    return pairs(desk, split)


PERCEPTION = Stage(
    "perception",
    "names, attributes and relations of what boxes show",
    _perception,
    _graphs,
    share=5.0,
    pace=Pace(batch=32, rate=1e-3, decay=0.02, average=0.999, passes=60.0),
)
PARSER = Stage("parser", "programs of questions", _parser, _pairs, pace=Pace(batch=256, rate=2e-3, passes=60.0))
