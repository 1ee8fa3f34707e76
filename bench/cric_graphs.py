"""Scene graphs strewn by chance over what the embedded knowledge is about: worlds without pictures."""

from __future__ import annotations

import random

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing
from mereo.chance import fast, generator
from mereo.knowledge import entities

__all__ = ["strewn_graph"]

_SIZE = 480, 320
_COLORS = ("red", "blue", "green", "yellow", "brown", "black", "white", "gray")
_MATERIALS = ("wooden", "metal", "plastic", "glass", "ceramic", "fabric")
_CLOSE, _UNSURE = 120, 0.1


def strewn_graph(number: int, *, seed: int = 5) -> SceneGraph:
    """Graph of a number: a table and five to thirteen other things, some of them parts, on or beside each other."""
    chance = fast(generator(seed, "cric", number))
    wholes = sorted(name for name, entity in entities().items() if entity.shape)
    parts = sorted(name for name, entity in entities().items() if entity.labels)
    kinds = chance.sample(wholes, 9)
    names = ["table", *chance.choices(kinds, k=chance.randint(4, 11)), *chance.sample(parts, chance.randint(1, 2))]
    things = tuple(_thing(place, name, chance) for place, name in enumerate(names))
    relations, unclear = _relations(things, chance)
    return SceneGraph(str(number), *_SIZE, things, relations, unclear)


def _thing(place: int, name: str, chance: random.Random) -> Thing:
    left, top = chance.randint(0, 400), chance.randint(0, 240)
    attributes = {"color": (chance.choice(_COLORS),)}
    unclear = {}
    if chance.random() < 0.7:
        attributes["material"] = (chance.choice(_MATERIALS),)
    if chance.random() < 0.3:
        attributes["size"] = (chance.choice(("large", "small")),)
    if chance.random() < _UNSURE:
        unclear["color"] = (chance.choice(_COLORS),)
    return Thing(f"o{place}", name, (left, top, chance.randint(20, 80), chance.randint(20, 80)), attributes, unclear)


def _relations(things: tuple[Thing, ...], chance: random.Random) -> tuple[tuple[Stated, ...], tuple[Stated, ...]]:
    sure: list[Stated] = []
    unclear: list[Stated] = []
    for one in things[1:]:
        if chance.random() < 0.6:
            under = chance.choice((things[0], chance.choice(things)))
            if under.id != one.id and Stated(under.id, "on", one.id) not in sure:
                sure += [Stated(one.id, "on", under.id), Stated(under.id, "under", one.id)]
        for other in things[1:]:
            if one.id >= other.id or one.box is None or other.box is None:
                continue
            across, down = one.box[0] - other.box[0], one.box[1] - other.box[1]
            listed = unclear if chance.random() < _UNSURE else sure
            if abs(across) < _CLOSE and abs(down) < _CLOSE:
                listed += [Stated(one.id, "next to", other.id), Stated(other.id, "next to", one.id)]
                first, second = (one, other) if across < 0 else (other, one)
                listed += [Stated(first.id, "left of", second.id), Stated(second.id, "right of", first.id)]
    return tuple(sure), tuple(unclear)
