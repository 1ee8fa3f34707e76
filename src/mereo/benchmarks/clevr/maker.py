"""What can be chosen when CLEVR is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.choices import PICTURES, QUESTIONS_PER_SCENE, chosen_pictures
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.clevr_family.cogent import COGENT

if TYPE_CHECKING:
    from mereo.benchmarks.clevr.recipe import ClevrRecipe

__all__ = ["MAKER"]

PRESETS = {
    "clevr": Preset({"train": 0.7, "val": 0.15, "test": 0.15}, "CLEVR: all shapes in all colors"),
    "cogent": Preset(COGENT, "CoGenT: train on the colors of condition A, test on A and on B"),
}


def _recipe(order: Order) -> ClevrRecipe:
    from mereo.benchmarks.clevr.recipe import ClevrRecipe

    pictures = chosen_pictures(order.choices)
    return ClevrRecipe(order.seed, order.choices["questions_per_scene"], order.preset, pictures)


MAKER = Maker(_recipe, PRESETS, choices=(QUESTIONS_PER_SCENE, *PICTURES))
