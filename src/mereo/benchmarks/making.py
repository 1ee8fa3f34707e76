"""How a benchmark makes data: ready choices of splits, further choices of its own, and the recipe that follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import Choice, settled
from mereo.datasets.splits import parse_splits, share_out
from mereo.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from mereo.datasets.build import Recipe
    from mereo.datasets.workers import Task

__all__ = ["Maker", "Order", "Preset"]


@dataclass(frozen=True)
class Preset:
    """A ready choice of splits: how scenes are shared out, and whatever else a split stands for."""

    shares: Mapping[str, float]
    """The share of each split in the scenes."""
    about: str
    scenes: int = 100
    """How many in all, where nobody says."""


@dataclass(frozen=True)
class Order:
    """What somebody wants to have made."""

    seed: int
    preset: str
    choices: Mapping[str, Any]
    """A value for every choice that the maker declares."""
    splits: Mapping[str, int] = field(default_factory=dict)
    """The number of scenes of each split, when that has been found out."""


def _nowhere(choices: Mapping[str, Any]) -> Mapping[str, int] | None:
    return None


@dataclass(frozen=True)
class Maker:
    """Makes the data of a benchmark."""

    recipe: Callable[[Order], Recipe]
    presets: Mapping[str, Preset]
    """The first one is the default."""
    choices: tuple[Choice, ...] = field(default=())
    """What can be chosen besides seed, preset and splits."""
    there: Callable[[Mapping[str, Any]], Mapping[str, int] | None] = _nowhere
    """The splits of scenes that are there already, where the choices name some; None where scenes are made."""
    shapes: Callable[[Any], Sequence[str]] = lambda recipe: ()
    """The names of the own shapes that the scenes of a recipe may have, which go with the dataset."""
    further: Callable[[Any], Mapping[str, bytes]] = lambda recipe: {}
    """By name the content of files that go with a dataset, too, because its rows cannot be understood without them."""
    told: Callable[[Any], Sequence[str]] = lambda recipe: ()
    """What there is to say of the files of others that a recipe reads, before anything is made of them."""
    stock: Callable[[int], Sequence[Task]] = lambda seed: ()
    """What fills the stock ahead of builds with a seed; for benchmarks whose scenes take much from it."""
    shard_size: int = 1000
    """Scenes per shard; a multiple of the window in which answers are balanced."""

    def order(self, *, seed: int, preset: str | None, given: Mapping[str, Any], of: str) -> Order:
        """An order, checked. of : the benchmark's name, for messages"""
        name = preset or next(iter(self.presets))
        if name not in self.presets:
            raise UnknownName(f"preset of {of} named", name, self.presets)
        return Order(seed, name, settled(self.choices, given, of=of))

    def splits(self, order: Order, *, scenes: int | None, split: str | None) -> dict[str, int]:
        """The number of scenes of each split. split : as `train=80,val=20`"""
        if scenes is not None and split is not None:
            raise BadInput("says how many scenes there are already: leave out the number of scenes", field="split")
        there = self.there(order.choices)
        if there is not None:
            if scenes is not None:
                raise BadInput("the scenes are there already, so there is no number to choose", field="scenes")
            return parse_splits(split, known=there) if split else dict(there)
        ready = self.presets[order.preset]
        return parse_splits(split, known=ready.shares) if split else share_out(scenes or ready.scenes, ready.shares)
