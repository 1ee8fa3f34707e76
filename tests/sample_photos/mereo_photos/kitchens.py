"""Kitchens by chance: a table, a shelf, things on them, and sometimes somebody who holds one."""

from __future__ import annotations

import numpy as np

from mereo_photos.graph import Photo, Thing
from mereo_photos.language import KITCHEN

__all__ = ["HEIGHT", "WIDTH", "kitchen"]

WIDTH, HEIGHT = 320, 220

_TABLE = (70, 146, 180, 16)
_SHELF = (150, 62, 150, 8)
_PERSON = (12, 70, 44, 130)
_HAND = (52, 96)
"""Where the person holds things: column, and the row of their lower edge."""
_GAP = 6


def kitchen(rng: np.random.Generator, *, name: str, most: int) -> Photo:
    """A photograph without its picture. most : things that lie about"""
    things = {"table": Thing("table", _TABLE, ["wooden"] if rng.random() < 0.5 else [])}
    links: list[tuple[str, str, str]] = []
    count = int(rng.integers(2, most + 1))
    stands = {"table": _TABLE}
    if count > 3:
        things["shelf"], stands["shelf"] = Thing("shelf", _SHELF), _SHELF
    for number, (support, (left, top, wide, _)) in enumerate(stands.items()):
        own = count // len(stands) + (number < count % len(stands))
        at, before = left + int(rng.integers(0, 10)), ""
        for _ in range(own):
            thing = _small(rng, at, top)
            if thing.box[0] + thing.box[2] > left + wide:
                break
            key = f"t{len(things)}"
            things[key] = thing
            links.append((key, "on", support))
            links += [(key, "next to", before)] if before else []
            at, before = int(thing.box[0] + thing.box[2]) + _GAP, key
    if rng.random() < 0.6:
        held = f"t{len(things) + 1}"
        things["person"] = Thing("person", _PERSON)
        things[held] = _small(rng, *_HAND)
        links += [("person", "holding", held), ("person", "next to", "table")]
    return Photo(name, things, links)


def _small(rng: np.random.Generator, left: int, bottom: int) -> Thing:
    """Something small that stands here."""
    names = list(KITCHEN["small"])
    name = names[rng.integers(len(names))]
    wide, tall = KITCHEN["small"][name]
    looks = [str(rng.choice(KITCHEN["looks"][kind])) for kind in ("color", "more") if rng.random() < 0.7]
    return Thing(name, (left, bottom - tall, wide, tall), looks)
