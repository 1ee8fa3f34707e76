"""What can be chosen when referring expressions are built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import PICTURES, QUESTIONS_PER_SCENE, Choice, chosen_pictures, resolved
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.benchmarks.refer.names import FALSE_PREMISE
from mereo.clevr_family.cogent import COGENT

if TYPE_CHECKING:
    from mereo.benchmarks.refer.recipe import ReferRecipe

__all__ = ["MAKER"]

PRESETS = {
    "refer": Preset({"train": 0.7, "val": 0.15, "test": 0.15}, "CLEVR-Ref+: CLEVR's scenes, all shapes in all colors"),
    "cogent": Preset(COGENT, "CoGenT: train on the colors of condition A, test on A and on B"),
    FALSE_PREMISE: Preset({FALSE_PREMISE: 1.0}, "expressions that refer to nothing, to be kept apart from all others"),
}
_FALSE_PREMISES = Choice(
    "false_premises", int, 0, "Expressions that refer to nothing, for each training scene besides the others.", least=0
)
_SCENES_FROM = Choice("scenes_from", Path, None, "A dataset whose scenes to take instead of new ones.")


def _recipe(order: Order) -> ReferRecipe:
    from mereo.benchmarks.refer.recipe import ReferRecipe

    source = resolved(order.choices["scenes_from"])
    pictures = None if source else chosen_pictures(order.choices)
    each, nothing = order.choices["questions_per_scene"], order.choices["false_premises"]
    return ReferRecipe(order.seed, each, order.preset, pictures, source, nothing)


def _there(choices: Mapping[str, Any]) -> Mapping[str, int] | None:
    if choices["scenes_from"] is None:
        return None
    from mereo.datasets.store import open_dataset

    return open_dataset(choices["scenes_from"]).scenes


def _shapes(recipe: ReferRecipe) -> tuple[str, ...]:
    if not recipe.scenes_from:
        return ()
    from mereo.datasets.given import stored_scenes
    from mereo.datasets.store import own_shapes

    return own_shapes(stored_scenes(recipe.scenes_from).manifest)


MAKER = Maker(
    _recipe,
    PRESETS,
    choices=(QUESTIONS_PER_SCENE, _FALSE_PREMISES, *PICTURES, _SCENES_FROM),
    there=_there,
    shapes=_shapes,
)
