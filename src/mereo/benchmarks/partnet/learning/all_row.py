"""Rows of our own: one network that tells the parts of all categories at all levels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.partnet.learning.sets import count_of, only_looking, part_row, parts_of, sets_of
from mereo.benchmarks.partnet.names import LEVELS, SEMANTIC, AskedSet
from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.benchmarks.partnet.learning.all_source import AllShapesSource
    from mereo.datasets.predictions import Prediction
    from mereo.models.learner import Learner
    from mereo.models.points.layers import Backbone

__all__ = ["ALL_ROWS", "TRANSFORMER_PACE"]

TRANSFORMER_PACE = Pace(batch=24, rate=2e-3, decay=0.05, average=0.999, passes=400.0)
"""How a transformer over points learns."""
_WIDTH = 64
_LOOKS = 8
"""How often a network that has learned from changed shapes looks at one, each time changed anew, before it answers."""


@cache
def _sets() -> dict[AskedSet, list[str]]:
    """The parts of every category at every level that it has, as templates have them, whatever data there is."""
    from mereo.benchmarks.partnet.labels import categories

    return {own: parts_of(own) for own in sets_of(SEMANTIC, categories())}


def _categories() -> list[str]:
    """In the order in which networks number them."""
    return [*dict.fromkeys(own.category for own in _sets())]


def _backbone(name: str, desk: Desk) -> Backbone:
    """A new backbone that is told the category."""
    from mereo.models.points.tokens import PointTokens
    from mereo.models.points.transformer import PointTransformer

    made: dict[str, type[PointTransformer | PointTokens]] = {"ptv3": PointTransformer, "tokens": PointTokens}
    return made[name](count_of(desk, "width", _WIDTH), kinds=len(_categories()))


def _network(name: str, desk: Desk) -> Learner:
    from mereo.models.points.all_parts import AllPartLabels

    known = {own: len(parts) for own, parts in _sets().items()}
    counts = [[known.get(AskedSet(SEMANTIC, kind, level), 0) for level in LEVELS.values()] for kind in _categories()]
    return AllPartLabels(_backbone(name, desk), counts, compiled=bool(desk.choices.get("compiled", False)))


def _source(name: str, desk: Desk, split: str) -> AllShapesSource:
    from mereo.benchmarks.partnet.learning.all_source import AllShapesSource

    looking = only_looking(lambda: _backbone(name, desk))
    return AllShapesSource(desk.corpus, split, _sets(), looking, shaking=bool(desk.choices.get("shaking", True)))


def _likely(network: Any, source: AllShapesSource, places: Tensor) -> Tensor:
    """How likely parts are by all looks together, of which the first is at the shapes as they are."""
    import torch

    told: Tensor = network.ask(source.batch(places))
    if source.shaking:
        chance = torch.Generator(told.device).manual_seed(int(places[0]))
        for _ in range(1, _LOOKS):
            told = told + network.ask(source.batch(places, chance=chance))
    return told


def _answers(name: str, desk: Desk, split: str) -> Iterator[Prediction]:
    """The likeliest part of every point, for all questions of semantic segmentation."""
    import torch

    from mereo.benchmarks.partnet.learning.telling import AT_ONCE, Told, asked_about
    from mereo.training.device import mixed

    source, questions, sets = _source(name, desk, split), asked_about(desk, split), _sets()
    network: Any = desk.networks["labels"]
    network.eval()
    for places in torch.arange(len(source)).split(AT_ONCE):
        with mixed(desk.device):
            told = _likely(network, source, places).argmax(-1).cpu().numpy()
        for place, labels in zip(places.tolist(), told, strict=True):
            for number, level in enumerate(LEVELS.values()):
                own = AskedSet(SEMANTIC, source.categories[place], level)
                question = questions.get((source.name(place), own.name))
                if question is not None:
                    yield Told.of_labels(labels[:, number]).said(question, sets[own])


def _row(backbone: str, about: str) -> Row:
    return part_row(
        f"{backbone}_all",
        f"{about}, told the category; the parts of all categories at all levels",
        Stage(
            name="labels",
            about="The part of every point at every level.",
            network=partial(_network, backbone),
            source=partial(_source, backbone),
            pace=TRANSFORMER_PACE,
        ),
        answer=partial(_answers, backbone),
        choices={"width": _WIDTH, "shaking": True, "compiled": False},
    )


ALL_ROWS = (_row("ptv3", "PTv3-lite"), _row("tokens", "a transformer over tokens of what lies around some points"))
