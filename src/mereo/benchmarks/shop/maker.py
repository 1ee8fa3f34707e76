"""What can be chosen when SHOP-VRB is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.choices import PICTURES, Choice, chosen_pictures
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.extras import need

if TYPE_CHECKING:
    from mereo.benchmarks.shop.recipe import ShopRecipe

__all__ = ["MAKER"]

PRESETS = {
    "tiny": Preset(
        {"train": 0.4, "validation": 0.2, "test": 0.2, "benchmark": 0.2}, "a few scenes of each split, for trying", 20
    ),
    "paper": Preset(
        {"train": 20, "validation": 3, "test": 3, "benchmark": 3},
        "SHOP-VRB: 10,000 scenes to train, three times 1,500 to judge, the last with new instances",
        14_500,
    ),
}
_COUNTS = (
    Choice("visual", int, 20, "Questions for each scene about what is seen.", least=0),
    Choice("textual", int, 10, "Questions for each scene that take what is written about the objects.", least=0),
    Choice("grasps", int, 2, "Questions for each scene about what a hand could take.", least=0),
)


def _recipe(order: Order) -> ShopRecipe:
    need("setting tables", "scenes")
    from mereo.benchmarks.shop.recipe import ShopRecipe
    from mereo.datasets.picture_settings import USUAL

    pictures = chosen_pictures(order.choices)
    counts = {choice.name: order.choices[choice.name] for choice in _COUNTS}
    return ShopRecipe(order.seed, order.preset, **counts, view=pictures or USUAL, pictures=pictures is not None)


MAKER = Maker(_recipe, PRESETS, choices=(*_COUNTS, *PICTURES))
