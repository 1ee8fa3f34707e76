"""What can be chosen when PTR is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mereo.benchmarks.choices import OBJECTS, PICTURES, QUESTIONS_PER_SCENE, Choice, chosen_pictures
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.errors import UnknownName
from mereo.extras import need

if TYPE_CHECKING:
    from mereo.benchmarks.ptr.recipe import PtrRecipe
    from mereo.datasets.workers import Task

__all__ = ["MAKER"]

PRESETS = {
    "tiny": Preset({"train": 0.5, "val": 0.2, "test": 0.3}, "a few scenes of each split, for trying", 20),
    "paper": Preset(
        {"train": 52, "val": 9, "test": 10}, "PTR: 52,000 scenes to train, 9,000 and 10,000 to judge", 71_000
    ),
    "cross-category": Preset(
        {"train": 7.8, "val": 1.2, "test": 10},
        "train on chairs, refrigerators and carts, test on all five categories by the parts that they share",
        19_000,
    ),
}
_SIZES = ("real", "equal")
_PROPORTIONS = Choice(
    "proportions", str, "real", "`real`, or `equal`: every object of one diagonal, as in the paper.", known=_SIZES
)
_COUNTERFACTUALS = Choice("counterfactuals", bool, False, "Unstable scenes also with the change that saves them.")


def _recipe(order: Order) -> PtrRecipe:
    need("placing furniture", "scenes")
    from mereo.benchmarks.ptr.objects import ptr_objects
    from mereo.benchmarks.ptr.recipe import PtrRecipe
    from mereo.datasets.picture_settings import USUAL

    chosen = order.choices
    if chosen["proportions"] not in _SIZES:
        raise UnknownName("proportions named", chosen["proportions"], _SIZES)
    pictures = chosen_pictures(chosen)
    recipe = PtrRecipe(
        order.seed,
        chosen["questions_per_scene"],
        order.preset,
        view=pictures or USUAL,
        pictures=pictures is not None,
        counterfactuals=chosen["counterfactuals"],
        proportions=chosen["proportions"],
    )
    if chosen["objects"] is None:
        return recipe
    wanted = {split: recipe.categories(split) for split in order.splits}
    return replace(recipe, own=ptr_objects(Path(chosen["objects"]), wanted))


def _shapes(recipe: PtrRecipe) -> list[str]:
    return [name for group in recipe.own for names in group.shapes.values() for name in names]


def _stock(seed: int) -> Sequence[Task]:
    need("making furniture", "scenes")
    from mereo.benchmarks.ptr.stocking import stocking

    return stocking(seed)


MAKER = Maker(
    _recipe,
    PRESETS,
    choices=(QUESTIONS_PER_SCENE, *PICTURES, _PROPORTIONS, _COUNTERFACTUALS, OBJECTS),
    shapes=_shapes,
    stock=_stock,
)
