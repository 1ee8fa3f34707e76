"""A row of our own: one network that finds the parts of shapes of all categories one by one, at all levels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.partnet.learning.all_row import TRANSFORMER_PACE
from mereo.benchmarks.partnet.learning.instance_rows import by_queries
from mereo.benchmarks.partnet.learning.sets import count_of, only_looking, part_row, parts_of, sets_of
from mereo.benchmarks.partnet.names import INSTANCE, AskedSet
from mereo.training.row import Desk, Stage

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.learning.every_set import EverySetSource
    from mereo.benchmarks.partnet.learning.set_source import Truth
    from mereo.benchmarks.partnet.learning.telling import Told
    from mereo.datasets.predictions import Prediction
    from mereo.models.kinds import Batch
    from mereo.models.learner import Learner
    from mereo.models.points.tokens import PointTokens

__all__ = ["QUERIES_ALL"]

_STAGE = "queries"
_WIDTH, _QUERIES, _LAYERS = 64, 160, 3


@cache
def _sets() -> dict[AskedSet, int]:
    """The numbers of all categories at all levels that they have, whatever data there is."""
    from mereo.benchmarks.partnet.labels import categories

    return {own: number for number, own in enumerate(sets_of(INSTANCE, categories()))}


def _backbone(desk: Desk) -> PointTokens:
    """A new one that is told the set."""
    from mereo.models.points.tokens import PointTokens

    return PointTokens(count_of(desk, "width", _WIDTH), kinds=len(_sets()))


def _network(desk: Desk) -> Learner:
    from mereo.models.points.all_queries import AllMaskQueries

    backbone = _backbone(desk)
    return AllMaskQueries(
        backbone,
        counts=[len(parts_of(own)) for own in _sets()],
        queries=count_of(desk, "queries", _QUERIES),
        width=backbone.channels,
        layers=count_of(desk, "layers", _LAYERS),
        compiled=bool(desk.choices.get("compiled", False)),
    )


def _shapes(desk: Desk, split: str, truth: Truth, *, shaking: bool = False) -> EverySetSource:
    from mereo.benchmarks.partnet.labels import read_labels
    from mereo.benchmarks.partnet.learning.every_set import EverySetSource

    looking = only_looking(lambda: _backbone(desk))
    there = read_labels(desk.corpus.manifest)
    known = {own: number for own, number in _sets().items() if own.category in there}
    return EverySetSource(desk.corpus, split, known, truth, looking, shaking=shaking)


def _source(desk: Desk, split: str) -> EverySetSource:
    from mereo.benchmarks.partnet.learning.set_source import part_instances

    return _shapes(desk, split, part_instances, shaking=bool(desk.choices.get("shaking", True)))


def _answers(desk: Desk, split: str) -> Iterator[Prediction]:
    """Every instance of every shape that queries are sure enough of."""
    from mereo.benchmarks.partnet.learning.set_source import untold
    from mereo.benchmarks.partnet.learning.telling import answered, told_instances

    network: Any = desk.networks[_STAGE]
    network.eval()

    def tell(number: int, batch: Batch) -> Iterator[Told]:
        return map(told_instances, by_queries(network, batch))

    return answered(desk, split, _shapes(desk, split, untold), parts_of, tell)


QUERIES_ALL = part_row(
    "queries_all",
    "queries that begin at points far apart and look at tokens, each marks the points of one part; told the category"
    " and the level, one for all",
    Stage(
        name=_STAGE,
        about="Queries that are matched with the parts.",
        network=_network,
        source=_source,
        pace=replace(TRANSFORMER_PACE, rate=1e-3),
    ),
    answer=_answers,
    choices={"width": _WIDTH, "queries": _QUERIES, "layers": _LAYERS, "shaking": True, "compiled": False},
)
