"""What is to be seen in a picture, and how a benchmark makes a world of what was seen.

A perception of any kind, trained or true, comes down to `Seen`: things of two levels, objects and their parts, each
with its pixels, attributes in the words of the vocabulary and numbers. The benchmark's `Seeing` says which attributes
and numbers there are, what they are in a scene row, and which world follows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.masks import Pixels
from mereo.world import World, along

__all__ = ["COUNTS", "LEVELS", "Level", "Mirror", "Seeing", "Seen", "SeenThing", "beside", "standing"]

LEVELS = ("object", "part")
"""The kinds of entities that are looked for; a benchmark without parts has only the first."""
COUNTS = "counts"
"""Numbers of an object that some who look tell besides: of each name of parts how many are seen of it."""
_SIDES = {"left": (-1.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0), "behind": (0.0, 1.0, 0.0), "front": (0.0, -1.0, 0.0)}


@dataclass(frozen=True)
class Mirror:
    """What is told of things in a picture whose left and right are exchanged. What is not named stays as it is."""

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By attribute what becomes of each of its values, in their order; also of those that things have several of."""
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By name which of the numbers, counted from 1, each is then; less than 0 where its sign is another."""


@dataclass(frozen=True)
class Level:
    """What is told of the things of one level."""

    words: Mapping[str, tuple[str, ...]]
    """By attribute all its values."""
    several: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The same for attributes that have any number of their values."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """By name how many numbers: a place has three."""
    mirror: Mirror | None = None
    """How that is in the mirror; None where nobody knows, and nothing is mirrored then."""
    looks: tuple[str, ...] | None = None
    """The words that a thing keeps wherever else it is seen; None where nobody knows, and nothing visits then."""
    strange: bool = False
    """Whether things may be seen on grounds on which nobody has seen any in training."""


@dataclass(frozen=True)
class SeenThing:
    """One thing that was seen, or that is there."""

    mask: Pixels
    """(height, width) bool"""
    words: Mapping[str, str | tuple[str, ...] | None]
    numbers: Mapping[str, NDArray[np.float32]]
    whole: int | None = None
    """For a part the place of its object among the objects; None where it belongs to none."""
    score: float = 1.0
    odds: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    """By attribute how likely each value is, where that was worked out."""


@dataclass(frozen=True)
class Seen:
    """All that was seen in one picture."""

    size: tuple[int, int]
    """Height and width."""
    objects: Sequence[SeenThing]
    parts: Sequence[SeenThing] = ()


class Seeing(ABC):
    """What a benchmark knows about looking at its pictures."""

    levels: Mapping[str, Level]
    """By level (`object`, `part`) what is told of its things."""
    parts_of: Mapping[str, tuple[str, ...]] = {}
    """By the name of an object those that its parts can have, where that is known."""

    @abstractmethod
    def numbers(self, row: Mapping[str, Any], world: World) -> Mapping[str, NDArray[np.float32]]:
        """By name (entities, d): the true numbers of a scene row's entities, NaN where there are none."""

    def words(self, row: Mapping[str, Any], world: World) -> Mapping[str, Sequence[str | None]]:
        """By attribute that the world does not have the true value of each of its entities, if there are such."""
        return {}

    @abstractmethod
    def world(self, seen: Seen) -> World:
        """The world that follows from what was seen: objects first, in their order."""

    def shown(self, seen: Seen) -> Sequence[Pixels]:
        """For each entity of that world which pixels show it; where parts are all the rest, these in their order."""
        return [thing.mask for thing in (*seen.objects, *seen.parts)]


def standing(world: World, sides: Mapping[str, Sequence[float]]) -> NDArray[np.float32]:
    """(entities, 2): how far to the right and how far away each truly stands, NaN where that is not known.

    sides : the directions that a record of CLEVR's kind tells
    """
    found = np.full((len(world), 2), np.nan, np.float32)
    if {"right", "behind"} <= sides.keys():
        for k, entity in enumerate(world.entities):
            position = entity.numbers.get("position")
            if isinstance(position, tuple):
                found[k] = [np.dot(position, sides[name]) for name in ("right", "behind")]
    return found


def beside(things: Sequence[SeenThing]) -> dict[str, tuple[int, ...]]:
    """By side, as CLEVR's family names them, for each thing the set of those that stand there.

    By its `place`: how far to the right, and how far away from whoever looks. On a stage of CLEVR's kind all centers
    are far enough apart along each of these that the sign of a difference decides, however small it is.
    """
    places = [(*map(float, thing.numbers["place"]), 0.0) for thing in things]
    return {name: along(places, side, margin=0.0) for name, side in _SIDES.items()}
