"""What can be chosen when CRIC is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import PICTURES, Choice, chosen_pictures, resolved
from mereo.benchmarks.cric.names import DRAWN
from mereo.benchmarks.making import Maker, Order, Preset
from mereo.errors import BadInput
from mereo.extras import need

if TYPE_CHECKING:
    from mereo.benchmarks.cric.recipe import CricRecipe
    from mereo.benchmarks.cric.sources import GivenPictures, SceneSource
    from mereo.benchmarks.cric.stored import StoredRooms
    from mereo.datasets.workers import Task

__all__ = ["MAKER"]

_SHARES = {"train": 0.7, "val": 0.1, "test": 0.2}
PRESETS = {
    "tiny": Preset(_SHARES, "a few scenes of each split, for trying", 20),
    "paper": Preset(_SHARES, "CRIC: five questions about each of 96,241 pictures", 96_241),
}
_CHOICES = (
    Choice("questions", int, 5, "Questions that are kept of each scene.", least=0),
    Choice("drawn", int, DRAWN, "How many are drawn for each that is kept, to choose from.", least=1),
    Choice("visual", bool, False, "Ask only about what is seen, without knowledge, as GQA does."),
    Choice("knowledge", Path, None, "A dump of ConceptNet, triples or a store, instead of what comes with mereo."),
    Choice(
        "scene_graphs", Path, None, "Scene graphs of Visual Genome, GQA or CRIC to ask about, instead of own scenes."
    ),
    Choice("scenes_from", Path, None, "A dataset of CRIC whose scenes to ask about anew, instead of own scenes."),
    Choice("images", Path, None, "With scene graphs, the folder of their pictures."),
    Choice("names", Path, None, "With these, a file of synonyms for names, as `object_alias.txt`."),
    Choice("relations", Path, None, "With these, a file of synonyms for relations, as `relationship_alias.txt`."),
    Choice("fewest", int, 1, "With these, how often a word must occur in all of them to be kept.", least=1),
    Choice("strict", bool, False, "Stop at what cannot be read of others' files, instead of leaving it out."),
)
_OF_GRAPHS = ("images", "names", "relations")


def _given(choices: Mapping[str, Any]) -> GivenPictures | None:
    """The pictures of others that choices name, if they do."""
    if choices["scene_graphs"] is None:
        for name in _OF_GRAPHS:
            if choices[name] is not None:
                raise BadInput("goes with scene graphs, and none are given", field=name)
        return None
    from mereo.benchmarks.cric.sources import GivenPictures

    return GivenPictures(
        str(Path(choices["scene_graphs"]).resolve()),
        resolved(choices["images"]),
        (resolved(choices["names"]), resolved(choices["relations"])),
        choices["fewest"],
        choices["strict"],
    )


def _stored(choices: Mapping[str, Any]) -> StoredRooms | None:
    """The dataset that choices name, if they do."""
    if choices["scenes_from"] is None:
        return None
    if choices["scene_graphs"] is not None:
        raise BadInput("goes without scene graphs, which are scenes of others", field="scenes_from")
    from mereo.benchmarks.cric.stored import StoredRooms

    return StoredRooms(str(Path(choices["scenes_from"]).resolve()))


def _there(choices: Mapping[str, Any]) -> Mapping[str, int] | None:
    stored = _stored(choices)
    if stored is not None:
        return stored.scenes.splits
    given = _given(choices)
    return given.graphs.splits if given else None


def _source(order: Order) -> SceneSource:
    given = _stored(order.choices) or _given(order.choices)
    if given is not None:
        return given
    need("setting rooms and tables", "scenes")
    from mereo.benchmarks.cric.sources import OwnRooms
    from mereo.datasets.picture_settings import USUAL

    pictures = chosen_pictures(order.choices)
    return OwnRooms(order.seed, pictures or USUAL, pictures is not None)


def _recipe(order: Order) -> CricRecipe:
    from mereo.benchmarks.cric.recipe import CricRecipe

    recipe = CricRecipe(
        order.seed,
        _source(order),
        order.preset,
        order.choices["questions"],
        order.choices["drawn"],
        resolved(order.choices["knowledge"]),
        order.choices["strict"],
        order.choices["visual"],
    )
    graphs = order.choices["scene_graphs"]
    if graphs is not None and not recipe.can_ask(order.splits):
        raise BadInput("nothing can be asked about any of its pictures", file=graphs)
    return recipe


def _stock(seed: int) -> Sequence[Task]:
    need("making the things of rooms and tables", "scenes")
    from mereo.benchmarks.cric.scenes.stocking import stocking

    return stocking(seed)


MAKER = Maker(
    _recipe,
    PRESETS,
    choices=(*_CHOICES, *PICTURES),
    there=_there,
    further=lambda recipe: recipe.further(),
    told=lambda recipe: recipe.told(),
    stock=_stock,
)
