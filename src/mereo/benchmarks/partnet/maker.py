"""What can be chosen when PartNet is built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import Choice, resolved
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.benchmarks.partnet.names import SHARES
from mereo.extras import need

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.recipe import PartNetRecipe

__all__ = ["MAKER"]

PRESETS = {
    "tiny": Preset(SHARES, "ten shapes of each category, for trying", 240),
    "paper": Preset(SHARES, "as many shapes as PartNet has, as many of each category", 26_671),
}
_FEWEST = 16
_CHOICES = (
    Choice("categories", str, "all", "Categories, as `chair,table`; else PartNet's 24."),
    Choice("points", int, 10_000, "Points on each shape.", least=_FEWEST),
    Choice("normals", bool, False, "The normal of every point, too."),
    Choice(
        "shapes_from",
        Path,
        None,
        "A folder of PartNet's folders, or of its HDF5 files, to take shapes from instead.",
        flag="from",
    ),
)


def _recipe(order: Order) -> PartNetRecipe:
    need("making shapes", "scenes")
    from mereo.benchmarks.partnet.recipe import PartNetRecipe

    chosen = order.choices
    return PartNetRecipe(
        order.seed,
        _categories(chosen),
        order.preset,
        chosen["points"],
        chosen["normals"],
        resolved(chosen["shapes_from"]),
    )


def _there(choices: Mapping[str, Any]) -> Mapping[str, int] | None:
    given = resolved(choices["shapes_from"])
    if given is None:
        return None
    from mereo.benchmarks.partnet.folders import given_shapes

    return given_shapes(given, _categories(choices)).splits


def _categories(choices: Mapping[str, Any]) -> tuple[str, ...]:
    from mereo.benchmarks.partnet.labels import categories
    from mereo.shapes.library import chosen_categories

    return chosen_categories(choices["categories"], categories())


MAKER = Maker(_recipe, PRESETS, choices=_CHOICES, there=_there, further=lambda recipe: recipe.further(), shard_size=100)
