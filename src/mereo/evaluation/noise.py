"""Worlds as an imperfect eye would see them: named kinds of noise, each with one number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from mereo.errors import BadInput, UnknownName
from mereo.masks import Pixels
from mereo.world import Entity, World, bits_of, make_world, members

__all__ = ["NOISES", "Noise", "Sight", "degrade", "parse_noise"]


class Sight(NamedTuple):
    """A world and, where there are pictures, which pixels show which entity."""

    world: World
    masks: Callable[[], Mapping[int, Pixels]] | None = None
    """(height, width) for every entity that has a mask; worked out when it is asked for."""


class Noise(NamedTuple):
    """One kind of noise."""

    name: str
    about: str
    degrade: Callable[[Sight, float, np.random.Generator], World]
    probability: bool = True
    """Whether the amount is a probability; else it is a number of pixels."""


def parse_noise(text: str) -> dict[str, float]:
    """Amounts by name from `attributes=0.1,objects=0.05`."""
    found: dict[str, float] = {}
    for item in filter(None, map(str.strip, text.split(","))):
        name, _, amount = item.partition("=")
        if name not in NOISES:
            raise UnknownName("noise", name, NOISES)
        try:
            value = float(amount)
        except ValueError:
            raise BadInput(f"'{item}' must be a name and a number, as attributes=0.1", field="--noise") from None
        if not 0 <= value <= (1 if NOISES[name].probability else 1000):
            limits = "between 0 and 1" if NOISES[name].probability else "pixels between 0 and 1000"
            raise BadInput(f"the amount of {name} must be {limits}, not {amount}", field="--noise")
        found[name] = value
    return found


def degrade(sight: Sight, amounts: Mapping[str, float], rng: np.random.Generator) -> World:
    """The world with noise of several kinds, in the order of their list."""
    world = sight.world
    # What is wrongly seen comes before what is not seen at all, so that masks still fit the entities.
    for name, noise in NOISES.items():
        if amounts.get(name):
            world = noise.degrade(sight._replace(world=world), amounts[name], rng)
            if len(world) < len(sight.world):
                sight = _remaining(sight, world)
    return world


def _remaining(sight: Sight, world: World) -> Sight:
    """Masks of those that are still there."""
    if sight.masks is None:
        return Sight(world)
    before, masks = {entity.id: k for k, entity in enumerate(sight.world.entities)}, sight.masks
    places = [before[entity.id] for entity in world.entities]
    return Sight(world, lambda: {new: masks()[old] for new, old in enumerate(places) if old in masks()})


def _flip(sight: Sight, amount: float, rng: np.random.Generator) -> World:
    """Every attribute that an entity has is, with this probability, another one of its values.

    Of an open vocabulary, another of the words that occur in the world.
    """
    world, entities = sight.world, []
    for entity in sight.world.entities:
        attributes = {name: _flipped(value, world, name, amount, rng) for name, value in entity.attributes.items()}
        entities.append(Entity(entity.id, entity.kind, attributes, entity.part_of, entity.numbers))
    return make_world(entities, world.vocabulary, related=world.related, facts=world.facts.values())


def _flipped(value: Any, world: World, name: str, amount: float, rng: np.random.Generator) -> Any:
    if isinstance(value, tuple):
        changed = [_flipped(one, world, name, amount, rng) for one in value]
        return tuple(dict.fromkeys(changed))
    draw, which = rng.random(), rng.random()
    others = [other for other in world.having[name] if other != value]
    return others[int(which * len(others))] if others and draw < amount else value


def _miss(sight: Sight, amount: float, rng: np.random.Generator) -> World:
    """Every object is, with this probability, not there, and its parts with it."""
    missed = {k for k, draw in enumerate(rng.random(len(sight.world))) if draw < amount}
    return without(sight.world, {k for k in missed if sight.world.entities[k].kind == "object"})


def _miss_parts(sight: Sight, amount: float, rng: np.random.Generator) -> World:
    """Every part is, with this probability, not there."""
    missed = {k for k, draw in enumerate(rng.random(len(sight.world))) if draw < amount}
    return without(sight.world, {k for k in missed if sight.world.whole[k] is not None})


def _erode(sight: Sight, amount: float, rng: np.random.Generator) -> World:
    """Every mask loses so many pixels from its border; whatever has none left is not there."""
    if sight.masks is None:
        raise BadInput("there are no masks to erode: the dataset does not tell which pixels show what")
    gone = {entity for entity, mask in sight.masks().items() if not eroded(mask, round(amount)).any()}
    return without(sight.world, gone)


def eroded(mask: Pixels, pixels: int) -> Pixels:
    """A mask without its outermost pixels; the border of the picture does not eat into it. mask : (height, width)"""
    for _ in range(pixels):
        if not mask.any():
            break
        wide = np.pad(mask, 1, mode="edge")
        mask = mask & wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]
    return mask


def without(world: World, missed: set[int]) -> World:
    """The world without some entities and without their parts."""
    if not missed:
        return world
    gone = set(missed)
    for k in range(len(world)):
        above = world.whole[k]
        while above is not None and k not in gone:
            if above in missed:
                gone.add(k)
            above = world.whole[above]
    kept = [k for k in range(len(world)) if k not in gone]
    place = {old: new for new, old in enumerate(kept)}
    related = {
        name: [bits_of(place[other] for other in members(table[k]) if other in place) for k in kept]
        for name, table in world.related.items()
    }
    entities = [world.entities[k] for k in kept]
    facts = [fact.kept(kept) for fact in world.facts.values()]
    return make_world(entities, world.vocabulary, related=related, facts=facts)


NOISES = {
    noise.name: noise
    for noise in (
        Noise("attributes", "each attribute is taken for another value with this probability", _flip),
        Noise("objects", "each object is missed with this probability", _miss),
        Noise("parts", "each part is missed with this probability", _miss_parts),
        Noise("masks", "each mask loses so many pixels all around, and what vanishes is missed", _erode, False),
    )
}
