"""PartNet's rows for instance segmentation: detection by segmentation, SGPN, and queries that mark masks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.partnet.learning.rows import CHOSEN_LABELS, LABELS
from mereo.benchmarks.partnet.learning.sets import backbone_of, chosen_sets, count_of, networks_for, part_row, parts_of
from mereo.benchmarks.partnet.metrics import Instances, detected, kept_groups
from mereo.benchmarks.partnet.names import INSTANCE, AskedSet
from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.learning.set_source import SetSource
    from mereo.benchmarks.partnet.learning.telling import Told
    from mereo.datasets.predictions import Prediction
    from mereo.models.kinds import Batch
    from mereo.models.learner import Learner
    from mereo.models.points.mask_queries import MaskQueries, Queries
    from mereo.models.points.part_masks import PartMasks
    from mereo.models.points.sgpn import SGPN

__all__ = ["INSTANCE_ROWS", "by_queries"]

_CHOICES: dict[str, str | int | float | bool] = {
    "category": "chair",
    "level": 0,
    "width": 64,
    "backbone": "pointnet2",
}
_MASKS, _SIMILARITY, _GROUPS, _QUERIES = "masks", "similarity", "groups", "queries"
"""Stages."""
_COMMON = 0.05
"""Masks of queries that are less sure than this are not told."""


def _row(
    name: str, about: str, *stages: Stage, answer: Callable[[Desk, str], Iterator[Prediction]], **choices: int
) -> Row:
    """A row with what all of them have in common."""
    about = f"{about}; one for each category and level"
    return part_row(name, about, *stages, answer=answer, choices={**_CHOICES, **choices})


def _stage(
    name: str, about: str, network: Callable[[Desk], Learner], pace: Pace, *, share: float = 1.0, shaking: bool = False
) -> Stage:
    """A stage that learns from true instances. shaking : whether of shapes that are a little changed"""
    source = partial(_source, shaking=shaking)
    return Stage(name=name, about=about, network=network, source=source, pace=pace, share=share)


def _source(desk: Desk, split: str, *, shaking: bool) -> SetSource:
    """Shapes with their true instances."""
    from mereo.benchmarks.partnet.learning.set_source import part_instances, shapes_of

    return shapes_of(desk, split, chosen_sets(desk, INSTANCE), part_instances, shaking=shaking)


def _part_masks(desk: Desk) -> Learner:
    """Detection by segmentation, for each set."""
    from mereo.models.points.part_masks import PartMasks

    def network(own: AskedSet) -> PartMasks:
        return PartMasks(backbone_of(desk), kinds=len(parts_of(own)), masks=count_of(desk, "masks", 200))

    return networks_for(chosen_sets(desk, INSTANCE), network)


def _mask_queries(desk: Desk) -> Learner:
    """Queries that mark masks, for each set; as wide as the features of points."""
    from mereo.models.points.mask_queries import MaskQueries

    def network(own: AskedSet) -> MaskQueries:
        backbone, count = backbone_of(desk), partial(count_of, desk)
        return MaskQueries(
            backbone,
            kinds=len(parts_of(own)),
            width=backbone.channels,
            queries=count("queries", 100),
            layers=count("layers", 3),
        )

    return networks_for(chosen_sets(desk, INSTANCE), network)


def _sgpn(desk: Desk, *, after: str) -> Learner:
    """SGPN that begins with what was learned before: the parts of points first, then what is similar."""
    from mereo.models.points.segmenting import PartLabels
    from mereo.models.points.sgpn import SGPN

    def network(own: AskedSet) -> SGPN:
        kinds = len(parts_of(own))
        return SGPN(PartLabels(backbone_of(desk), parts=kinds), kinds=kinds, alone=after == LABELS)

    made = networks_for(chosen_sets(desk, INSTANCE), network)
    before: Any = desk.networks[after]
    for number in range(len(made)):
        new: Any = made.of(number)
        (new.labels if after == LABELS else new).load_state_dict(before.of(number).state_dict())
    return made


def _answers(
    stage: str, found: Callable[[Any, Batch], Iterator[Instances]], desk: Desk, split: str, *, same: bool = True
) -> Iterator[Prediction]:
    """Every valid instance of every shape.

    found : by the network of a set those of the shapes of a batch · same : whether the k-th is the same mask everywhere
    """
    from mereo.benchmarks.partnet.learning.set_source import shapes_of, untold
    from mereo.benchmarks.partnet.learning.telling import answered, told_instances

    networks: Any = desk.networks[stage]

    def tell(number: int, batch: Batch) -> Iterator[Told]:
        return (told_instances(one, same=same) for one in found(networks.of(number), batch))

    return answered(desk, split, shapes_of(desk, split, chosen_sets(desk, INSTANCE), untold), parts_of, tell)


def _by_masks(network: PartMasks, batch: Batch) -> Iterator[Instances]:
    """What the masks of detection by segmentation become."""
    for kinds, scores, sure in zip(*network.ask(batch), strict=True):
        yield detected(scores[:, :-1].T.cpu().numpy(), kinds.cpu().numpy(), sure.cpu().numpy())


def _by_groups(network: SGPN, batch: Batch) -> Iterator[Instances]:
    """SGPN's groups that are not too small."""
    average = (network.size * batch["cloud"].shape[1]).cpu().numpy()
    for own in network.ask(batch):
        yield kept_groups(own.of.cpu().numpy(), own.kind.cpu().numpy(), own.sure.cpu().numpy(), average)


def by_queries(network: Queries, batch: Batch) -> Iterator[Instances]:
    """What queries mark, if they are sure enough and mark anything."""
    for masks, kind, sure in zip(*(one.cpu().numpy() for one in network.ask(batch)), strict=True):
        yield Instances(masks, kind, masks.any(1) & (sure >= _COMMON), sure)


_PACE = Pace(batch=32, rate=1e-3, decay=0.01, passes=200.0)
_ONE_BY_ONE = Pace(batch=1, rate=1e-4, decay=0.01, passes=5.0)
"""SGPN looks at all pairs of points, and the paper's cards had room for one shape at a time."""

INSTANCE_ROWS = (
    _row(
        "part_masks",
        "detection by segmentation: each point is shared out among a set of masks that are matched with the parts",
        _stage(_MASKS, "Masks of parts, and how sure each is.", _part_masks, _PACE),
        answer=partial(_answers, _MASKS, _by_masks),
        masks=200,
    ),
    _row(
        "sgpn",
        "SGPN: points of one part are similar, and groups of similar points are parts",
        CHOSEN_LABELS,
        _stage(_SIMILARITY, "Which points are similar.", partial(_sgpn, after=LABELS), _ONE_BY_ONE, share=0.25),
        _stage(
            _GROUPS,
            "All of it, and how sure each point is of its group.",
            partial(_sgpn, after=_SIMILARITY),
            Pace(batch=1, rate=1e-4, decay=0.01, passes=50.0),
        ),
        answer=partial(_answers, _GROUPS, _by_groups, same=False),
    ),
    _row(
        "mask_queries",
        "queries look at points, and each marks the points of one part",
        _stage(
            _QUERIES,
            "Queries that are matched with the parts.",
            _mask_queries,
            Pace(batch=32, rate=1e-3, decay=0.02, passes=200.0),
            shaking=True,
        ),
        answer=partial(_answers, _QUERIES, by_queries),
        queries=100,
        layers=3,
    ),
)
