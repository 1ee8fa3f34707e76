"""What a reader without fault would read about what was seen, and what of a scene that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mereo.benchmarks.shop.language import TEXTUAL
from mereo.training.looking import found_in_truth
from mereo.training.matching import matched
from mereo.training.seeing import Seen, SeenThing

if TYPE_CHECKING:
    from mereo.training.corpus import Corpus
    from mereo.world import World

__all__ = ["SHARED", "owners", "read_truly"]

SHARED = 0.5
"""Of the pixels that either covers: from where on what was found is what is there."""


def read_truly(corpus: Corpus, split: str, scene: int, seen: Seen) -> Seen:
    """Things with all that is truly to be read about them; of what is not there nothing is."""
    world = corpus.inspector.world(corpus.rows(split)[scene])
    own = owners(corpus, split, scene, seen)
    told = [{} if k is None else _read(world, k) for k in own]
    things = zip(seen.objects, told, strict=True)
    return replace(seen, objects=[replace(thing, words={**thing.words, **words}) for thing, words in things])


def owners(corpus: Corpus, split: str, scene: int, seen: Seen) -> Sequence[int | None]:
    """For everything that was seen the entity that it is; None where it is nothing that is there."""
    things = corpus.things(split, "object")
    there = [SeenThing(np.asarray(mask, bool), {}, {}) for mask in found_in_truth(things, scene).masks]
    entities = things.entity[scene][things.present[scene]].tolist()
    found: list[int | None] = [None] * len(seen.objects)
    for true, own in matched(seen.objects, there, called="name", least=SHARED).items():
        found[own] = entities[true]
    return found


def _read(world: World, k: int) -> dict[str, Any]:
    own = world.entities[k].attributes
    return {name: own[name] for name in TEXTUAL if name in own}
