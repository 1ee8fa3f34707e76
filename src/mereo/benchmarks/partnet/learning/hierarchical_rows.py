"""PartNet's rows for hierarchical segmentation: bottom-up, top-down, and an ensemble of networks for single levels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.partnet.learning.rows import CHOSEN_LABELS, LABELS
from mereo.benchmarks.partnet.learning.sets import (
    backbone_of,
    chosen_sets,
    labels_for,
    networks_for,
    part_row,
    parts_of,
)
from mereo.benchmarks.partnet.names import HIERARCHICAL, SEMANTIC, AskedSet
from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.benchmarks.partnet.learning.set_source import SetSource
    from mereo.benchmarks.partnet.learning.telling import Told
    from mereo.datasets.predictions import Prediction
    from mereo.models.kinds import Batch
    from mereo.models.learner import Learner
    from mereo.models.points.hierarchy import Hierarchical

__all__ = ["HIERARCHICAL_ROWS", "ballot"]

_NODES = "nodes"
_CHOICES: dict[str, str | int | float | bool] = {"category": "chair", "width": 64, "backbone": "pointnet2"}


def _descending(direction: str, about: str) -> Row:
    """A row whose networks tell the way down the hierarchy."""
    return part_row(
        f"parts_{direction}",
        f"{about}; one for each category",
        Stage(
            name=_NODES,
            about="The way from the whole down to the part of every point.",
            network=partial(_network, direction),
            source=_source,
            pace=Pace(batch=24, rate=1e-3, decay=0.01, passes=200.0),
        ),
        answer=_descended,
        choices=_CHOICES,
    )


def _network(direction: str, desk: Desk) -> Learner:
    """A network for each hierarchy."""
    from mereo.models.points.hierarchy import DIRECTIONS

    def network(own: AskedSet) -> Hierarchical:
        return DIRECTIONS[direction](backbone_of(desk), labels_for(own.category).parents)

    return networks_for(chosen_sets(desk, HIERARCHICAL), network)


def _source(desk: Desk, split: str) -> SetSource:
    """Shapes with the last node on the way of every point."""
    from mereo.benchmarks.partnet.learning.set_source import deepest, shapes_of

    return shapes_of(desk, split, chosen_sets(desk, HIERARCHICAL), deepest)


def _descended(desk: Desk, split: str) -> Iterator[Prediction]:
    """All nodes on the way of every point."""
    networks: Any = desk.networks[_NODES]
    return _answers(desk, split, lambda own, number, batch: networks.of(number).ask(batch))


def _ensemble() -> Row:
    """A row whose networks each know one level."""
    return part_row(
        "parts_ensemble",
        "networks for single levels, which vote for the way down the hierarchy; one for each category and level",
        CHOSEN_LABELS,
        answer=_elected,
        choices={**_CHOICES, "level": 0},
    )


def _elected(desk: Desk, split: str) -> Iterator[Prediction]:
    """The nodes on the way that the networks of a category like best."""
    import torch

    from mereo.models.points.hierarchy import Tree, voted

    networks: Any = desk.networks[LABELS]
    levels = chosen_sets(desk, SEMANTIC)

    def nodes(own: AskedSet, number: int, batch: Batch) -> Tensor:
        tree = Tree(labels_for(own.category).parents)
        voters = {place: level for place, level in enumerate(levels) if level.category == own.category}
        ways = [torch.tensor(ballot(level), device=desk.device) for level in voters.values()]
        best = voted([networks.of(place).ask(batch) for place in voters], ways)
        return tree.ways[tree.leaves].to(desk.device)[best]

    return _answers(desk, split, nodes)


def ballot(level: AskedSet) -> list[list[bool]]:
    """For each leaf of a category's hierarchy which parts of a level lie on the way to it."""
    labels = labels_for(level.category)
    leaves = [node for place, node in enumerate(labels.nodes) if place not in labels.parents]
    return [[_along(leaf, part) for part in parts_of(level)] for leaf in leaves]


def _along(leaf: str, part: str) -> bool:
    """Whether a part lies on the way to a leaf, or beyond it, where levels are finer than the hierarchy."""
    return f"{leaf}/".startswith(f"{part}/") or part.startswith(f"{leaf}/")


def _answers(desk: Desk, split: str, nodes: Callable[[AskedSet, int, Batch], Tensor]) -> Iterator[Prediction]:
    """All nodes of every shape that have a point.

    nodes : of a set, its number and a batch, (b, n, t) bool, which nodes each point belongs to
    """
    from mereo.benchmarks.partnet.learning.set_source import shapes_of, untold
    from mereo.benchmarks.partnet.learning.telling import Told, answered

    source = shapes_of(desk, split, chosen_sets(desk, HIERARCHICAL), untold)

    def tell(number: int, batch: Batch) -> Iterator[Told]:
        for table in nodes(source.sets[number], number, batch).cpu().numpy():
            there = table.any(0).nonzero()[0]
            yield Told(there.tolist(), table.T[there])

    return answered(desk, split, source, parts_of, tell)


HIERARCHICAL_ROWS = (
    _descending("bottom_up", "leaves of the hierarchy are told apart, and what is above sums up what is below"),
    _descending("top_down", "all nodes of the hierarchy in one softmax, asked from the coarse to the fine"),
    _ensemble(),
)
