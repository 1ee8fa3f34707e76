"""What can be chosen when CLEVR is built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import PICTURES, QUESTIONS_PER_SCENE, Choice, chosen_pictures, resolved
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.clevr_family.cogent import COGENT
from mereo.errors import BadInput

if TYPE_CHECKING:
    from mereo.benchmarks.clevr.recipe import ClevrRecipe

__all__ = ["MAKER"]

PRESETS = {
    "clevr": Preset({"train": 0.7, "val": 0.15, "test": 0.15}, "CLEVR: all shapes in all colors"),
    "cogent": Preset(COGENT, "CoGenT: train on the colors of condition A, test on A and on B"),
}


_GIVEN = (
    Choice("scenes_from", Path, None, "Scenes to ask about instead of new ones: a scene file, or a dataset."),
    Choice("images", Path, None, "The folder of the pictures of these scenes."),
)


def _recipe(order: Order) -> ClevrRecipe:
    from mereo.benchmarks.clevr.recipe import ClevrRecipe

    given, images = (resolved(order.choices[name]) for name in ("scenes_from", "images"))
    if images is not None and given is None:
        raise BadInput("are those of given scenes: say which with --scenes-from", field="images")
    pictures = None if given else chosen_pictures(order.choices)
    return ClevrRecipe(order.seed, order.choices["questions_per_scene"], order.preset, pictures, given, images)


def _there(choices: Mapping[str, Any]) -> Mapping[str, int] | None:
    given, images = (resolved(choices[name]) for name in ("scenes_from", "images"))
    if given is None:
        return None
    from mereo.benchmarks.clevr.recipe import scenes_given

    return scenes_given(given, images).splits


MAKER = Maker(_recipe, PRESETS, choices=(QUESTIONS_PER_SCENE, *PICTURES, *_GIVEN), there=_there)
